"""The agents, one file per algorithm. All speak the protocol of ``base.Agent``."""
