"""Simulation studies: how each method behaves if the truth is known.

worlds      simulated scenarios: a distribution for every (algorithm, task), with enforced mean and variance
contenders  the methods: functions of a batch of simulated experiments, registered by a decorator
spec        `Study`, the declaration, and its TOML file; `catalogue` contains published studies
blocks      one block of one cell: drawn, counted and stored; `run` runs all blocks, `backends` distribute them
own_runs    your own runs as the truth: `check`, with `false_positive_rate` for tests and `coverage` for intervals
printed     comparison with the values that a paper printed, and with the statements in its text
"""

from runoff.lab.catalogue import load, names
from runoff.lab.contenders import CONTENDERS, Contender, contender
from runoff.lab.own_runs import check, coverage, false_positive_rate
from runoff.lab.run import find_study, run_study
from runoff.lab.spec import Entry, Study, read_study
from runoff.lab.worlds import FAMILIES, Distribution, Empirical, Family, World, distribution
from runoff.lab.worlds.real import real_curve_world, real_world

__all__ = [
    "check", "coverage", "false_positive_rate", "Study", "run_study", "find_study", "read_study", "Entry", "load", "names",
    "CONTENDERS", "Contender", "contender",
    "FAMILIES", "Family", "Distribution", "distribution", "Empirical", "World", "real_world", "real_curve_world",
]  # fmt: skip
