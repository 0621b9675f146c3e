"""How metrics are called where people read them."""

METRICS = {"iqm": "IQM", "mean": "Mean", "median": "Median", "optimality_gap": "Optimality gap"}
LOWER_IS_BETTER = frozenset({"optimality_gap"})
INTERVALS = {
    "percentile": "percentile bootstrap",
    "basic": "basic bootstrap",
    "bca": "BCa bootstrap",
    "studentized": "studentised bootstrap",
    "welch_t": "Welch-Satterthwaite t",
}
