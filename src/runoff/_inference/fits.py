"""Which family of distributions fits the runs of a cell best? Maximum likelihood, compared by AICc.

Everything is fitted to y = (x − min) / (max − min). Several of these likelihoods have no maximum: a threshold that approaches the lowest
run, or a component that shrinks onto one run, makes them infinite (Cheng & Iles 1990). So nothing may be finer than 1 / n of the range, the
mean spacing of the runs: thresholds stay that far below the lowest run, scales and standard deviations are at least that large, and the
shape of the double Weibull, whose humps have a relative width of 1 / c, is at most n.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._inference.groups import flat
from runoff.base.arrays import Floats, Ints

Fit = tuple[float, dict[str, float]]
Profile = Callable[[Floats, Floats], tuple[Floats, dict[str, Floats]]]

FARTHEST = 100.0
"""Thresholds are at most this many ranges below the lowest run; the families are normal or exponential from there."""
LEAST_WEIBULL = 1.0
"""Least shape of the double Weibull: below it the density has a pole. 1 is Laplace's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A family with its maximum likelihood parameters (as scipy.stats names them), log-likelihood and AICc."""

    family: str
    parameters: dict[str, float]
    log_likelihood: float
    aicc: float


def best_fit(cell: Floats, normal: bool) -> Fitted | None:
    """Return the family with the lowest AICc, or the normal where `normal`; None for fewer than 4 runs, or none that differ.

    AICc = 2 k − 2 log L + 2 k (k + 1) / (n − k − 1); a family needs n ≥ k + 2 runs (Hurvich & Tsai 1989).
    """
    if cell.size < 4 or flat(cell):
        return None
    names = (
        ["normal"] if normal else [name for name, family in FAMILIES.items() if cell.size >= family.n_parameters + 2]
    )
    return min((fit(name, cell) for name in names), key=lambda fitted: fitted.aicc)


def fit(family: str, cell: Floats) -> Fitted:
    """Return one family fitted to runs that are not all equal."""
    low, span, n, k = float(cell.min()), float(np.ptp(cell)), cell.size, FAMILIES[family].n_parameters
    log_likelihood, parameters = FAMILIES[family].fit(np.sort(cell - low) / span)
    placed = {name: value * (span if "scale" in name else 1.0) for name, value in parameters.items()}
    for name in placed:
        if "loc" in name:
            placed[name] = low + span * placed[name]
    # A density of y = (x − low)/span is span times that of x.
    total = log_likelihood - n * float(np.log(span))
    return Fitted(
        family=family, parameters=placed, log_likelihood=total, aicc=2 * (k - total + k * (k + 1) / (n - k - 1))
    )


def density(family: str, parameters: Mapping[str, float], x: Floats) -> Floats:
    name = FAMILIES[family].scipy
    if name is None:
        p = parameters
        first, second = (np.exp(_normal_log(x, p[f"loc_{i}"], p[f"scale_{i}"])) for i in (1, 2))
        return np.asarray((1 - p["weight"]) * first + p["weight"] * second, np.float64)
    from scipy import stats  # of which a report needs nothing else

    return np.asarray(getattr(stats, name).pdf(x, **parameters), np.float64)


# ── families without a threshold ──────────


def _normal(y: Floats) -> Fit:
    sd = max(float(y.std()), 1 / y.size)
    return float(_normal_log(y, float(y.mean()), sd).sum()), {"loc": float(y.mean()), "scale": sd}


def _exponential(y: Floats) -> Fit:
    scale = max(float(y.mean()), 1 / y.size)
    return float(-y.size * np.log(scale) - y.sum() / scale), {"loc": 0.0, "scale": scale}


def _student_t(y: Floats) -> Fit:
    """Return the fit by EM of centre and scale (Liu & Rubin 1995), with the best degrees of freedom of a grid."""
    df = np.geomspace(1.0, 100.0, 24)[:, None]
    centre, scale = np.full_like(df, np.median(y)), np.full_like(df, max(float(y.std()), 1 / y.size))
    for _ in range(60):
        # The expected precision of a run that is normal with a gamma-distributed precision, which is Student's law.
        weight = (df + 1) / (df + ((y - centre) / scale) ** 2)
        centre = (weight * y).sum(axis=1, keepdims=True) / weight.sum(axis=1, keepdims=True)
        scale = np.sqrt((weight * (y - centre) ** 2).mean(axis=1, keepdims=True))
        scale = np.maximum(scale, 1 / y.size)
    constant = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(np.pi * df) / 2 - np.log(scale)
    total = (constant - (df + 1) / 2 * np.log1p(((y - centre) / scale) ** 2 / df)).sum(axis=1)
    i = int(total.argmax())
    return float(total[i]), {"df": float(df[i, 0]), "loc": float(centre[i, 0]), "scale": float(scale[i, 0])}


def _beta(y: Floats) -> Fit:
    """Return the fit with ends one mean spacing beyond the lowest and highest run, its shapes by Newton's method."""
    width = 1 + 2 / y.size
    w = (y + 1 / y.size) / width
    mean_log, mean_log1m = float(np.log(w).mean()), float(np.log1p(-w).mean())
    m, v = float(w.mean()), float(w.var())
    # By moments at first; a step that would leave the positive numbers halves the shape instead.
    shapes = np.maximum(np.array([m, 1 - m]) * (m * (1 - m) / v - 1), 0.05)
    for _ in range(50):
        a, b = shapes
        slope = np.array([mean_log - special.psi(a), mean_log1m - special.psi(b)]) + special.psi(a + b)
        curve = special.polygamma(1, a + b) - np.diag(special.polygamma(1, shapes))
        step = np.linalg.solve(curve, slope)
        shapes = np.maximum(shapes - step, shapes / 2)
    a, b = (float(shape) for shape in shapes)
    total = y.size * ((a - 1) * mean_log + (b - 1) * mean_log1m - float(special.betaln(a, b)) - float(np.log(width)))
    return total, {"a": a, "b": b, "loc": -1 / y.size, "scale": width}


def _normal_mixture(y: Floats) -> Fit:
    """Return the best fit of two hundred steps of EM from nine splits of the sorted runs."""
    splits = np.clip((np.arange(1, 10) / 10 * y.size).astype(np.int64), 1, y.size - 1)
    fits = two_normals(y, splits, 1 / y.size, 200)
    total, *parameters = fits[int(fits[:, 0].argmax())].tolist()
    return total, dict(zip(("weight", "loc_1", "scale_1", "loc_2", "scale_2"), parameters, strict=True))


def two_normals(y: Floats, splits: Ints, least: float, n_steps: int) -> Floats:
    """Return one row for each split: log-likelihood, weight of the second normal, mean and standard deviation of the first, and of the second.

    y: (n,) ascending; splits: the first of y that begin in the second normal; least: of standard deviations, and of both weights. n_steps steps
    of expectation and maximisation (Dempster, Laird & Rubin 1977) from each split.
    """
    upper = (np.arange(y.size) >= splits[:, None]).astype(np.float64)
    for _ in range(n_steps):
        weight = np.clip(upper.mean(axis=1, keepdims=True), least, 1 - least)
        logs, fitted = [], []
        for share, log_weight in ((1 - upper, np.log1p(-weight)), (upper, np.log(weight))):
            mass = np.maximum(
                share.sum(axis=1, keepdims=True), 1e-300
            )  # a normal to which no run belongs keeps a finite mean
            mean = (share * y).sum(axis=1, keepdims=True) / mass
            sd = np.maximum(np.sqrt((share * (y - mean) ** 2).sum(axis=1, keepdims=True) / mass), least)
            logs.append(log_weight + _normal_log(y, mean, sd))
            fitted += [mean, sd]
        both = np.logaddexp(*logs)
        upper = np.exp(logs[1] - both)
    return np.hstack([both.sum(axis=1, keepdims=True), weight, *fitted])


def _normal_log(y: Floats, mean: float | Floats, sd: float | Floats) -> Floats:
    return np.asarray(-(((y - mean) / sd) ** 2) / 2 - np.log(sd) - np.log(2 * np.pi) / 2)


# ── families with a location that is searched ──────────


def _searched(y: Floats, grid: Floats, profile: Profile) -> tuple[int, Floats, Floats, dict[str, Floats]]:
    """Return the profile likelihood over a grid of locations, refined twice around its highest point."""
    for _ in range(2):
        total, parameters = profile(y, grid[:, None])
        i = int(total.argmax())
        low, high = grid[max(i - 1, 0)], grid[min(i + 1, grid.size - 1)]
        grid = np.unique(np.append(np.linspace(low, high, 24), grid[i]))
    total, parameters = profile(y, grid[:, None])
    return int(total.argmax()), total, grid, parameters


def _threshold(profile: Profile) -> Callable[[Floats], Fit]:
    """Return the fit of a family of positive numbers, shifted by a threshold below the lowest run."""

    def fitted(y: Floats) -> Fit:
        i, total, grid, parameters = _searched(y, np.geomspace(1 / y.size, FARTHEST, 48), profile)
        named = {name: float(values[i]) for name, values in parameters.items()}
        return float(total[i]), {"loc": -float(grid[i]), **named}

    return fitted


def _lognormal(y: Floats, shift: Floats) -> tuple[Floats, dict[str, Floats]]:
    logs = np.log(y + shift)
    mean, s = logs.mean(axis=1), np.maximum(logs.std(axis=1), 1e-6)
    total = -logs.sum(axis=1) - y.size * (np.log(s) + np.log(2 * np.pi) / 2 + logs.var(axis=1) / (2 * s**2))
    return total, {"s": s, "scale": np.exp(mean)}


def _gamma(y: Floats, shift: Floats) -> tuple[Floats, dict[str, Floats]]:
    """Return the likelihood at each shift, with shapes by Minka's (2002) generalised Newton steps."""
    u = y + shift
    mean, mean_log = u.mean(axis=1), np.log(u).mean(axis=1)
    gap = np.maximum(np.log(mean) - mean_log, 1e-12)
    a = (3 - gap + np.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
    for _ in range(6):
        inverse = 1 / a + (np.log(a) - special.psi(a) - gap) / (a**2 * (1 / a - special.polygamma(1, a)))
        a = 1 / np.maximum(inverse, 0.5 / a)
    scale = mean / a
    total = y.size * ((a - 1) * mean_log - a - a * np.log(scale) - special.gammaln(a))
    return total, {"a": a, "scale": scale}


def _pareto(y: Floats, shift: Floats) -> tuple[Floats, dict[str, Floats]]:
    logs = np.log1p(y / shift).sum(axis=1)
    scale = shift[:, 0]
    # The maximum in closed form: n over the sum of the logarithms of (y + shift)/shift.
    b = y.size / logs
    return y.size * (np.log(b) - np.log(scale)) - (b + 1) * logs, {"b": b, "scale": scale}


def _double_weibull(y: Floats) -> Fit:
    i, total, grid, parameters = _searched(y, np.linspace(0.0, 1.0, 49), _weibull_about)
    return float(total[i]), {
        "c": float(parameters["c"][i]),
        "loc": float(grid[i]),
        "scale": float(parameters["scale"][i]),
    }


def _weibull_about(y: Floats, centre: Floats) -> tuple[Floats, dict[str, Floats]]:
    """Return the likelihood about each centre, with the Weibull shape of the distances by Newton's method."""
    logs = np.log(np.maximum(np.abs(y - centre), 1e-9))
    mean_log = logs.mean(axis=1)
    c = np.full(mean_log.size, 1.5)
    for _ in range(30):
        # Over the largest, whose power then is 1: powers of distances near 0 or of large shapes are no doubles.
        powers = np.exp(c[:, None] * (logs - logs.max(axis=1, keepdims=True)))
        total = powers.sum(axis=1)
        first = (powers * logs).sum(axis=1) / total
        second = (powers * logs**2).sum(axis=1) / total - first**2
        c = np.clip(c - (first - 1 / c - mean_log) / (second + 1 / c**2), c / 2, 2 * c)
        c = np.clip(c, LEAST_WEIBULL, y.size)
    log_mean_power = special.logsumexp(c[:, None] * logs, axis=1) - np.log(logs.shape[1])
    scale = np.maximum(np.exp(log_mean_power / c), 1 / y.size)
    z = logs - np.log(scale)[:, None]
    likelihood = (np.log(c / (2 * scale))[:, None] + (c[:, None] - 1) * z - np.exp(c[:, None] * z)).sum(axis=1)
    return likelihood, {"c": c, "scale": scale}


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedFamily:
    """A family: its fit to scaled runs, its number of parameters and its name in scipy.stats if it has one."""

    fit: Callable[[Floats], Fit]
    n_parameters: int
    scipy: str | None = None


FAMILIES: Mapping[str, FittedFamily] = MappingProxyType(
    {
        "normal": FittedFamily(fit=_normal, n_parameters=2, scipy="norm"),
        "student_t": FittedFamily(fit=_student_t, n_parameters=3, scipy="t"),
        "exponential": FittedFamily(fit=_exponential, n_parameters=2, scipy="expon"),
        "lognormal": FittedFamily(fit=_threshold(_lognormal), n_parameters=3, scipy="lognorm"),
        "gamma": FittedFamily(fit=_threshold(_gamma), n_parameters=3, scipy="gamma"),
        "beta": FittedFamily(fit=_beta, n_parameters=4, scipy="beta"),
        "double_weibull": FittedFamily(fit=_double_weibull, n_parameters=3, scipy="dweibull"),
        "pareto": FittedFamily(fit=_threshold(_pareto), n_parameters=3, scipy="pareto"),
        "normal_mixture": FittedFamily(fit=_normal_mixture, n_parameters=5),
    }
)
