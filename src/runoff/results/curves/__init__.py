"""Answers about learning curves, along training.

efficiency   a metric at every step, the runs and their summaries
differences  the steps at which two algorithms differ
reach        the time until a score is reached
reliability  how steady training is
"""

from runoff.results.curves.differences import CurveComparisonResult, StepDifference, Stretch
from runoff.results.curves.efficiency import (
    CurveSummaryResult,
    CurveSummaryRow,
    EfficiencyResult,
    EfficiencyRow,
    RunCurve,
)
from runoff.results.curves.reach import ReachCurve, ReachPair, ReachResult, ReachRow
from runoff.results.curves.reliability import ReliabilityResult, ReliabilityRow
