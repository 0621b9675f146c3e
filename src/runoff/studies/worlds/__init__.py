"""Worlds where the truth is known: one file per family, each with its mean and variance enforced.

normal, student_t, exponential, lognormal, gamma, beta, double_weibull, pareto    Casesa (2024) section 3.2
normal_mixture                                                                    Colas (2019) section 4.1
empirical                                                                         any runs, centred and scaled
learning_curve                                                                    curves that climb and waver; empirical_curves: real ones
"""

from runoff.studies.worlds import beta as _beta
from runoff.studies.worlds import double_weibull as _double_weibull
from runoff.studies.worlds import empirical as _empirical
from runoff.studies.worlds import exponential as _exponential
from runoff.studies.worlds import gamma as _gamma
from runoff.studies.worlds import learning_curve as _learning_curve
from runoff.studies.worlds import lognormal as _lognormal
from runoff.studies.worlds import normal as _normal
from runoff.studies.worlds import normal_mixture as _normal_mixture
from runoff.studies.worlds import pareto as _pareto
from runoff.studies.worlds import student_t as _student_t
from runoff.studies.worlds.distribution import Distribution, distribution
from runoff.studies.worlds.empirical import Empirical
from runoff.studies.worlds.family import FAMILIES, CurveFamily, Family
from runoff.studies.worlds.world import World

_REGISTERED = (
    _beta, _double_weibull, _empirical, _exponential, _gamma, _learning_curve, _lognormal, _normal, _normal_mixture, _pareto, _student_t,
)  # fmt: skip
