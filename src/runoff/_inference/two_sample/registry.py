"""TWO_SAMPLE: the name of each two-sample test and all that is known about it; and the one way to run them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from types import MappingProxyType

import numpy as np

from runoff._inference.about import AboutTest, Compared
from runoff._inference.two_sample import closed_form
from runoff._inference.two_sample import relabelling as rank_tests
from runoff._inference.two_sample.closed_form import ALTERNATIVES, TwoSampleOptions, TwoSampleOutcome
from runoff.base.arrays import Floats, Ints
from runoff.base.random import Streams
from runoff.base.validate import check_choice, check_resamples
from runoff.errors import DesignError, OptionError

N_RESAMPLES = 50_000
SEED_ZERO = Streams(0)
MODERATE = 300
"""Exponents of two up to here, either way, leave squares and their sums within the range of a double."""


@dataclass(frozen=True, slots=True)
class TwoSampleTest:
    """One test: what readers and rules know about it, its procedure, the values of `method` that it knows, its null hypothesis in words.

    least, least_total: smallest n_x and n_y, smallest n_x + n_y. run_moments: the procedure from (mean, variance, n) of each sample, where the
    test needs no more. in_units: whether the statistic has the unit of the scores, so that it scales with them. centre: the statistic where
    neither sample is ahead, from n_x and n_y: 0, except for U.
    """

    about: AboutTest
    run: Callable[[Floats, Floats, TwoSampleOptions], TwoSampleOutcome]
    methods: tuple[str, ...]
    null: str
    _: KW_ONLY
    least: int = 1
    least_total: int = 2
    run_moments: (
        Callable[[closed_form.SampleMoments, closed_form.SampleMoments, TwoSampleOptions], TwoSampleOutcome] | None
    ) = None
    in_units: bool = False
    centre: Callable[[int, int], float] = lambda _n_x, _n_y: 0.0

    @property
    def claims(self) -> Mapping[str, str]:
        """Return the alternatives it knows, in words: a test of distributions has no sides."""
        return ALTERNATIVES_OF[self.about.compares]


def _of(subject: str) -> Mapping[str, str]:
    return MappingProxyType(
        {
            "two-sided": f"the {subject}s of {{both}} differ",
            "greater": f"the {subject} of x is larger",
            "less": f"the {subject} of x is smaller",
        }
    )


ALTERNATIVES_OF: Mapping[Compared, Mapping[str, str]] = MappingProxyType(
    {
        "means": _of("mean"),
        "trimmed_means": _of("trimmed mean"),
        "order": MappingProxyType(
            {
                "two-sided": "one of {both} tends to be larger than the other",
                "greater": "x tends to be larger than y",
                "less": "x tends to be smaller than y",
            }
        ),
        "distributions": MappingProxyType({"two-sided": "the distributions of {both} differ"}),
    }
)
BOTH = "x and y"
"""The samples, where they have no names; in the words of hypotheses "{both}" is their place."""
EQUAL_MEANS = "the means of {both} are equal"
ONE_DISTRIBUTION = "{both} come from one distribution"
T_TEST = ("auto", "asymptotic")
RELABELLED = ("auto", "exact", "monte_carlo")

TWO_SAMPLE: Mapping[str, TwoSampleTest] = MappingProxyType(
    {
        "student": TwoSampleTest(
            AboutTest("student", "t test", "Student's t-test (Student 1908)", "means"),
            closed_form.student,
            T_TEST,
            EQUAL_MEANS + ", and so are their variances",
            run_moments=closed_form.student_from_moments,
            least_total=3,
        ),
        "welch": TwoSampleTest(
            AboutTest("welch", "Welch", "Welch's t-test (Welch 1947)", "means", studentized=True),
            closed_form.welch,
            T_TEST,
            EQUAL_MEANS,
            run_moments=closed_form.welch_from_moments,
            least=2,
        ),
        "yuen": TwoSampleTest(
            AboutTest(
                "yuen",
                "Yuen",
                "Yuen's t-test of trimmed means (Yuen 1974)",
                "trimmed_means",
                studentized=True,
                trims=True,
            ),
            closed_form.yuen,
            T_TEST,
            "the trimmed means of {both} are equal",
            least=2,
        ),
        "mann_whitney": TwoSampleTest(
            AboutTest(
                "mann_whitney", "Mann-Whitney", "the Mann-Whitney U test (Mann & Whitney 1947)", "order", relabels=True
            ),
            rank_tests.mann_whitney,
            ("auto", "exact", "asymptotic"),
            ONE_DISTRIBUTION,
            centre=lambda n_x, n_y: n_x * n_y / 2,
        ),
        "ranked_t": TwoSampleTest(
            AboutTest("ranked_t", "ranked t test", "Student's t-test on ranks (Conover & Iman 1981)", "order"),
            closed_form.ranked_t,
            T_TEST,
            ONE_DISTRIBUTION,
            least_total=3,
        ),
        "brunner_munzel": TwoSampleTest(
            AboutTest(
                "brunner_munzel",
                "Brunner-Munzel",
                "the Brunner-Munzel test (Brunner & Munzel 2000)",
                "order",
                relabels=True,
                studentized=True,
            ),
            rank_tests.brunner_munzel,
            ("auto", "exact", "asymptotic", "monte_carlo"),
            "P(X > Y) + P(X = Y) / 2 is 1/2",
            least=2,
        ),
        "permutation": TwoSampleTest(
            AboutTest(
                "permutation",
                "permutation",
                "a permutation test of the difference of means",
                "means",
                relabels=True,
            ),
            rank_tests.permutation,
            RELABELLED,
            ONE_DISTRIBUTION,
            in_units=True,
        ),
        "studentized_permutation": TwoSampleTest(
            AboutTest(
                "studentized_permutation",
                "studentised permutation",
                "a permutation test of Welch's statistic (Janssen 1997)",
                "means",
                relabels=True,
                studentized=True,
            ),
            rank_tests.studentized_permutation,
            RELABELLED,
            EQUAL_MEANS,
            least=2,
        ),
        "bootstrap": TwoSampleTest(
            AboutTest(
                "bootstrap",
                "bootstrap (studentised)",
                "a bootstrap test of the difference of means (Colas et al. 2019)",
                "means",
                studentized=True,
            ),
            rank_tests.bootstrap,
            ("auto", "monte_carlo"),
            EQUAL_MEANS,
            least=2,
            in_units=True,
        ),
        "kolmogorov_smirnov": TwoSampleTest(
            AboutTest(
                "kolmogorov_smirnov",
                "Kolmogorov-Smirnov",
                "the two-sample Kolmogorov-Smirnov test",
                "distributions",
                relabels=True,
            ),
            rank_tests.kolmogorov_smirnov,
            ("auto", "exact", "asymptotic"),
            ONE_DISTRIBUTION,
        ),
    }
)


def run_two_sample(
    name: str,
    x: Floats,
    y: Floats,
    *,
    alternative: str = "two-sided",
    method: str = "auto",
    streams: Streams = SEED_ZERO,
    n_resamples: int = N_RESAMPLES,
    trim: float = 0.1,
    interval: str = "studentized",
    plus_one: bool = True,
    key: tuple[int, ...] = (),
    threads: int | None = None,
) -> TwoSampleOutcome:
    """Run one test on pairs of samples, x (batch, n_x) and y (batch, n_y), finite; see `TwoSampleOptions`; threads change no number."""
    test = registered(name, method, alternative)
    if x.ndim != 2 or y.ndim != 2 or x.shape[0] != y.shape[0] or x.shape[0] == 0:
        message = f"x and y must have shapes (batch, n_x) and (batch, n_y) with batch ≥ 1, not {x.shape} and {y.shape}."
        raise DesignError(message)
    check_sizes(name, test, x.shape[1], y.shape[1])
    options = TwoSampleOptions(
        alternative=alternative,
        method=method,
        streams=streams,
        n_resamples=check_resamples(n_resamples, 1),
        trim=check_trim(trim),
        interval=check_choice("interval", interval, rank_tests.INTERVALS),
        plus_one=plus_one,
        key=key,
        threads=threads,
    )
    x, y, exponent = tamed(x, y)
    outcome = test.run(x, y, options)
    # A t has no unit; a difference goes back to that of the scores.
    if test.in_units and not (name == "bootstrap" and interval == "studentized"):
        return replace(outcome, statistic=restored(outcome.statistic, exponent))
    return outcome


def outcome_from_moments(
    name: str, x: closed_form.SampleMoments, y: closed_form.SampleMoments, *, alternative: str = "two-sided"
) -> TwoSampleOutcome:
    """Run a test on (mean, variance, n) of each sample, means and variances of shape (batch,)."""
    test = registered(name, "auto", alternative)
    if test.run_moments is None:
        able = ", ".join(n for n, entry in TWO_SAMPLE.items() if entry.run_moments)
        raise OptionError(f"test {name!r} needs the runs themselves; mean, std and n are enough for {able}.")
    check_sizes(name, test, x[2], y[2])
    options = TwoSampleOptions(alternative=alternative, streams=SEED_ZERO, n_resamples=N_RESAMPLES)
    return test.run_moments(x, y, options)


def registered(name: str, method: str, alternative: str) -> TwoSampleTest:
    test = TWO_SAMPLE[check_choice("test", name, TWO_SAMPLE)]
    check_choice("alternative", alternative, ALTERNATIVES)
    check_choice(f"method of {name}", method, test.methods)
    if alternative not in test.claims:
        raise OptionError(
            f"{name} has no one-sided alternative: it shows that two distributions differ, not which is better "
            "(Colas 2018, footnote 3)."
        )
    return test


def check_sizes(name: str, test: TwoSampleTest, n_x: int, n_y: int) -> None:
    if min(n_x, n_y) < test.least or n_x + n_y < test.least_total:
        message = f"{name} needs at least {test.least} value(s) in each sample and {test.least_total} in total, not {n_x} and {n_y}."
        raise DesignError(message)


def check_trim(trim: float) -> float:
    if isinstance(trim, bool) or not isinstance(trim, int | float | np.number) or not 0.0 <= trim < 0.5:
        raise OptionError(f"trim must be at least 0 and below 0.5, not {trim!r}.")
    return float(trim)


def difference_of_means(x: Floats, y: Floats) -> Floats:
    """Return (batch,): the mean of x minus the mean of y; the means of constant rows are exact."""
    x, y, exponent = tamed(x, y)
    return restored(rank_tests.mean_difference(x, y), exponent)


def restored(statistic: Floats, exponent: Ints) -> Floats:
    """Return a statistic of tamed samples in the unit of the scores."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(statistic, exponent))


def tamed(x: Floats, y: Floats) -> tuple[Floats, Floats, Ints]:
    """Scale pairs whose squares would over- or underflow by a power of two; return the samples and the exponents (batch,)."""
    exponent: Ints = np.zeros(x.shape[0], dtype=np.int64)
    largest = np.maximum(np.abs(x).max(axis=1), np.abs(y).max(axis=1))
    # Only where it must: the others keep their bits whatever else is in the batch.
    extreme = (np.abs(np.frexp(largest)[1]) > MODERATE) & (largest > 0.0)
    if not extreme.any():
        return x, y, exponent
    exponent[extreme] = np.frexp(largest[extreme])[1]
    with np.errstate(under="ignore"):
        return np.ldexp(x, -exponent[:, None]), np.ldexp(y, -exponent[:, None]), exponent
