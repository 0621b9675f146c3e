"""Worlds where the truth is known: every (algorithm, task) has a distribution with its mean and variance enforced.

family   the shapes, from normal (Casesa 2024 section 3.2) and mixture (Colas 2019 section 4.1) to runs that somebody trained, and curves
world    `Distribution`, one algorithm on one task, and `World`
real     worlds of real runs and curves, and where these come from
"""

from runoff.studies.worlds.family import FAMILIES, CurveFamily, Empirical, Family
from runoff.studies.worlds.world import Distribution, World, distribution
