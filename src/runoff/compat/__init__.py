"""Other libraries' own names over runoff's computations, so that existing scripts run after a change of one import."""
