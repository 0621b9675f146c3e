"""Real agents on real Gymnasium environments: the source of the shipped data set ``classic_control``."""
