"""Checks with your own runs as the truth: can these tests and intervals be trusted on runs like mine?

runs             `OwnRuns`: the runs of one algorithm, groups drawn from them, and what both checks share
false_positives  `false_positive_rate`: the applicable tests, and sentences on their rates
covering         `coverage`: the intervals of drawn groups, and sentences on their coverage
both             `check`: the two answers together
"""

from runoff.lab.own_runs.both import check
from runoff.lab.own_runs.covering import coverage
from runoff.lab.own_runs.false_positives import false_positive_rate
