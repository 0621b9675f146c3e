"""Your own runs as the truth: can these tests and intervals be trusted on runs like mine?

runs             `OwnRuns`: the runs of one algorithm, and the numbers of runs that can be judged with them
splits           groups drawn from them, no run twice; all of them, where they are few
tests            the tests that can be asked, by name
intervals        estimates and intervals of drawn groups
false_positives  `false_positive_rate`       covering   `coverage`
words            what both say, in sentences
"""

from runoff.studies.check.covering import coverage
from runoff.studies.check.false_positives import false_positive_rate
