"""Studies: how every method behaves where the truth is known.

worlds      every (algorithm, task) has a distribution whose mean and variance are enforced
contenders  the methods: functions of a batch of simulated experiments, registered by a decorator
spec        `Study`, the declaration, and its TOML file; `catalogue` holds published ones
blocks      one block of one cell, drawn, counted and kept; `run` runs all of them, `backends` fan out
own_runs    your own runs as the truth: `check`, of tests `false_positive_rate`, of intervals `coverage`
printed     comparison with the values a paper printed and with what its text says
"""

from runoff.studies.catalogue import load, names
from runoff.studies.contenders import CONTENDERS, Contender, contender
from runoff.studies.own_runs import check, coverage, false_positive_rate
from runoff.studies.run import find_study, run_study
from runoff.studies.spec import Entry, Study, read_study
from runoff.studies.worlds import FAMILIES, Distribution, Empirical, Family, World, distribution
from runoff.studies.worlds.real import real_curve_world, real_world

__all__ = [
    "check", "coverage", "false_positive_rate", "Study", "run_study", "find_study", "read_study", "Entry", "load", "names",
    "CONTENDERS", "Contender", "contender",
    "FAMILIES", "Family", "Distribution", "distribution", "Empirical", "World", "real_world", "real_curve_world",
]  # fmt: skip
