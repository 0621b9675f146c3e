"""Worlds: simulated scenarios in which the truth is known, because every (algorithm, task) has a distribution with enforced mean and variance.

family   the shapes, from normal (Casesa 2024 section 3.2) and mixture (Colas 2019 section 4.1) to runs that were trained, and curves
world    `Distribution`, one algorithm on one task, and `World`
real     worlds of real runs and curves, and their sources
"""

from runoff.lab.worlds.family import FAMILIES, CurveFamily, Empirical, Family
from runoff.lab.worlds.world import Distribution, World, distribution
