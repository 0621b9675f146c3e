"""Answers about learning curves, along training.

efficiency   a metric at every step, the runs and their summaries
differences  the steps at which two algorithms differ
reach        the time until a score is reached
reliability  how steady training is
"""

from runoff.answer.curves.differences import CurveComparisonResult, StepDifference, Stretch
from runoff.answer.curves.efficiency import (
    CurveSummaryResult,
    CurveSummaryRow,
    EfficiencyResult,
    EfficiencyRow,
    RunCurve,
)
from runoff.answer.curves.reach import ReachCurve, ReachPair, ReachResult, ReachRow
from runoff.answer.curves.reliability import ReliabilityResult, ReliabilityRow
