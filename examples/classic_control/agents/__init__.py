"""The agents, one algorithm a file. All speak the protocol of ``base.Agent``."""
