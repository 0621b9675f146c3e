"""Two means with a spread and a number of runs: contrasts, Welch's test with Holm over all of them, the smallest n, claims in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import comb, fsum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr, stdtrit

from runoff._inference.family import adjust
from runoff._inference.power import fewest
from runoff._inference.two_sample import outcome_from_moments, signed_ratio
from runoff.answer.claims import ClaimReading, PublishedCell, PublishedTable, Supported
from runoff.base.arrays import SMALLEST, Floats
from runoff.words.nouns import nouns_of
from runoff.words.numbers import count, digits, exactly, p_equals
from runoff.words.speech import Sentence, option


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """a against b: their cells on one task, or on all (`joint`: the average over tasks), and each task's sign, -1 where lower is better."""

    a: str
    b: str
    x: tuple[PublishedCell, ...]
    y: tuple[PublishedCell, ...]
    signs: tuple[int, ...]
    joint: bool = False

    @property
    def task(self) -> str | None:
        return None if self.joint else self.x[0].task

    @property
    def cells(self) -> tuple[PublishedCell, ...]:
        return (*self.x, *self.y)

    @property
    def testable(self) -> bool:
        return all(cell.measured for cell in self.cells)

    @property
    def difference(self) -> float:
        terms = [sign * (x.mean - y.mean) for sign, x, y in zip(self.signs, self.x, self.y, strict=True)]
        return terms[0] if len(terms) == 1 else fsum(terms) / len(terms)

    def side(self, cells: Sequence[PublishedCell]) -> float:
        """Return the mean of one side as the table has it: that of one task, or the average."""
        return fsum(cell.mean for cell in cells) / len(cells)

    @property
    def key(self) -> tuple[frozenset[str], str | None]:
        """Return the pair, in no order, and its task."""
        return frozenset((self.a, self.b)), self.task


def contrasts(table: PublishedTable, a: str, b: str) -> list[Contrast]:
    """Return the contrasts of a pair: on each task that both have, and over all tasks if both have a ± on all of several."""
    shared: list[tuple[PublishedCell, PublishedCell, int]] = [
        (x, y, table.sign(task))
        for task in table.tasks
        if (x := table.cell(a, task)) is not None and (y := table.cell(b, task)) is not None
    ]
    single = [Contrast(a=a, b=b, x=(x,), y=(y,), signs=(sign,)) for x, y, sign in shared]
    # An average over tasks needs the error of every cell of both.
    whole = table.averages and len(table.tasks) > 1 and not (table.missing_spread(a) or table.missing_spread(b))
    if not whole:
        return single
    first, second, signs = zip(*shared, strict=True)
    return [*single, Contrast(a=a, b=b, x=first, y=second, signs=signs, joint=True)]


def all_pairs(table: PublishedTable) -> list[Contrast]:
    """Return the family where the best is picked by its results: every pair."""
    return [contrast for a, b in combinations(table.algorithms, 2) for contrast in contrasts(table, a, b)]


def pairs_with(table: PublishedTable, algorithm: str) -> list[Contrast]:
    """Return the family of an algorithm that was named beforehand: it against each other."""
    return [contrast for b in table.algorithms if b != algorithm for contrast in contrasts(table, algorithm, b)]


# ── ± ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One kind of ±.

    title: the noun of "if ± is the …"; error: the standard error of the mean, from ± and n; shrinks: whether that falls as n grows with ± as
    it is, else n decides by the degrees of freedom only; needs_runs: whether there is no answer without n.
    """

    title: str
    error: Callable[[Floats, Floats], Floats]
    shrinks: bool = False
    needs_runs: bool = False


LEVELS = (90, 95, 99)
"""Levels of intervals that are read, in per cent."""


def _intervals(level: int) -> Iterator[tuple[str, Spread]]:
    """Yield the kinds of half widths of one level: of t, normal and bootstrap intervals.

    A bootstrap of n runs has (n − 1) / n of their variance, so that its interval is too narrow (Efron & Tibshirani 1993, chapter 5). Its
    width is half of the whole, since percentile intervals need not lie evenly about their means.
    """
    share = 0.5 + level / 200
    z = float(ndtri(share))
    yield (
        f"ci{level}_t",
        Spread(
            title=f"half width of a {level} % t interval",
            error=lambda width, n: width / stdtrit(n - 1, share),
            needs_runs=True,
        ),
    )
    yield (
        f"ci{level}_normal",
        Spread(title=f"half width of a {level} % normal interval", error=lambda width, n: width / z + 0.0 * n),
    )
    yield (
        f"ci{level}_bootstrap",
        Spread(
            title=f"half width of a {level} % bootstrap interval",
            error=lambda width, n: width / z * np.sqrt(n / (n - 1)),
        ),
    )


SPREADS: Mapping[str, Spread] = MappingProxyType(
    {
        "sd": Spread(title="standard deviation", error=lambda width, n: width / np.sqrt(n), shrinks=True),
        "population_sd": Spread(
            title="standard deviation with n in its denominator (NumPy's default)",
            error=lambda width, n: width / np.sqrt(n - 1),
            shrinks=True,
        ),
        # + 0 · n, so that there is an error for each n, also where it does not depend on it.
        "se": Spread(title="standard error", error=lambda width, n: width + 0.0 * n),
    }
    | {name: spread for level in LEVELS for name, spread in _intervals(level)}
)
READ_AS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"unknown": ("sd", "se")}
    | {f"ci{level}": (f"ci{level}_t", f"ci{level}_normal") for level in LEVELS}
    | {name: (name,) for name in SPREADS}
)
"""The meaning that is given for ± -> the kinds that are then possible, all of which are answered."""
REFUSED: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(
        ("range", "minmax"), "from a range (least to greatest) no standard error follows, since it grows with the runs"
    )
    | dict.fromkeys(
        ("iqr", "quartiles"), "from quartiles a standard error follows only for a known shape, and runs have none"
    )
)
"""Meanings of ± from which no test follows, with the reason."""


# ── Welch's test, Holm, the smallest number of runs ──────────


MOST_RUNS = 100_000
"""Runs of a cell up to which a number that would carry a claim is sought."""


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The numbers of a family of contrasts.

    difference: (n,); single: the positions of the contrasts on one task, whose ± and runs are widths and runs, (m, 2); joint: position, ± and
    runs of each average over tasks, the cells of a first.
    """

    difference: Floats
    single: NDArray[np.int64]
    widths: Floats
    runs: Floats
    joint: tuple[tuple[int, Floats, Floats], ...]

    @classmethod
    def of(cls, family: Sequence[Contrast], *, worst: bool) -> _Numbers:
        """Return the numbers of a family; with `worst`, as rounding may have changed them to its disadvantage."""
        # Half a unit of the last printed digit: ± at its largest, differences at their smallest (`_difference`).
        rounding = 0.5 if worst else 0.0
        cells = [[(cell.spread or 0.0) + rounding * cell.spread_unit for cell in source.cells] for source in family]
        widths = list(map(np.array, cells))
        runs = [np.array([float(cell.n or 0) for cell in contrast.cells]) for contrast in family]
        single = [i for i, contrast in enumerate(family) if not contrast.joint]
        return cls(
            np.array([_difference(contrast, worst) for contrast in family]),
            np.array(single, dtype=np.int64),
            np.array([widths[i] for i in single]).reshape(-1, 2),
            np.array([runs[i] for i in single]).reshape(-1, 2),
            tuple((i, widths[i], runs[i]) for i, contrast in enumerate(family) if contrast.joint),
        )

    def with_runs(self, n: int) -> _Numbers:
        joint = tuple((i, widths, np.full(runs.size, float(n))) for i, widths, runs in self.joint)
        return replace(self, runs=np.full(self.runs.shape, float(n)), joint=joint)


def answers(family: Sequence[Contrast], kind: str, alpha: float) -> list[ClaimReading]:
    """Return the test of each contrast of a family if ± is of this kind; every cell has its ± and its n."""
    statistic, df, pvalue = _tested(_Numbers.of(family, worst=False), SPREADS[kind])
    # All cells at their worst at once: Holm's step of one contrast then counts the worst of the others too.
    rounded = adjust(_tested(_Numbers.of(family, worst=True), SPREADS[kind])[2])
    columns = [statistic, df, pvalue, adjust(pvalue), rounded]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [reading_of(kind, t, f, pvalues, alpha) for t, f, *pvalues in rows]


def reading_of(
    kind: str, statistic: float | None, df: float | None, pvalues: Sequence[float], alpha: float
) -> ClaimReading:
    """Return what a test says of a claim; pvalues: its own, the adjusted one, and the adjusted one where rounding went against it."""
    p, adjusted, rounded = pvalues
    rounded = max(rounded, adjusted)
    return ClaimReading(
        spread=kind,
        statistic=statistic,
        df=df,
        pvalue=p,
        pvalue_adjusted=adjusted,
        pvalue_rounded=rounded,
        runs_needed=None,
        runs_needed_printed=None,
        carried=adjusted <= alpha if (adjusted <= alpha) == (rounded <= alpha) else None,
    )


def smallest_runs(family: Sequence[Contrast], kind: str, alpha: float, *, worst: bool = True) -> list[int | None]:
    """Return, for each contrast, the smallest n that would carry it, the same in every cell; None up to `MOST_RUNS`.

    With ± as it is, no p-value grows with n, so no adjusted one does: found by bisection; with `worst` the numbers rounded in the least
    favourable way.
    """
    # Holm needs the p-values of all contrasts at an n: they are computed once, whichever contrast asks.
    numbers, adjusted = _Numbers.of(family, worst=worst), dict[int, Floats]()

    def carried(i: int, n: int) -> bool:
        if n not in adjusted:
            adjusted[n] = adjust(_tested(numbers.with_runs(n), SPREADS[kind])[2])
        return bool(adjusted[n][i] <= alpha)

    return [fewest(partial(carried, i), MOST_RUNS) for i in range(len(family))]


def _tested(numbers: _Numbers, spread: Spread) -> tuple[Floats, Floats, Floats]:
    """Return t, df and p of each contrast: by Welch's test, those on one task in batches of equal numbers of runs."""
    size = numbers.difference.size
    statistic, df, pvalue = np.zeros(size), np.full(size, np.inf), np.ones(size)
    for i, widths, runs in numbers.joint:
        statistic[i], df[i], pvalue[i] = _average(numbers.difference[i], widths, runs, spread)
    for n_x, n_y in np.unique(numbers.runs, axis=0):
        members = (numbers.runs == (n_x, n_y)).all(axis=1)
        at = numbers.single[members]
        x, y = (
            # The error of a mean, whatever ± is, as the variance that Welch's test takes.
            n * spread.error(width, np.full(at.size, n)) ** 2
            for width, n in zip(numbers.widths[members].T, (n_x, n_y), strict=True)
        )
        outcome = outcome_from_moments("welch", (numbers.difference[at], x, int(n_x)), (np.zeros(at.size), y, int(n_y)))
        statistic[at], pvalue[at] = outcome.statistic, outcome.pvalue
        df[at] = np.inf if outcome.df is None else outcome.df
    return statistic, df, pvalue


def _average(difference: float, widths: Floats, runs: Floats, spread: Spread) -> tuple[float, float, float]:
    """Return t, df and p (Welch-Satterthwaite) of an average over tasks; without spread, p of separation on the task with the fewest runs."""
    squares = spread.error(widths, runs) ** 2
    n_tasks = runs.size // 2
    total = squares.sum() / n_tasks**2
    t = float(signed_ratio(np.array([difference]), np.array([total]))[0])
    if total == 0.0:
        # Integers are divided: beyond a thousand runs the number of labellings is no float, and the share rounds to 0.
        rarest = (2 / comb(int(n + m), int(n)) for n, m in runs.reshape(2, n_tasks).T)
        return t, float(runs.sum() - runs.size), 1.0 if difference == 0.0 else max(SMALLEST, *rarest)
    # Shares of the squared error, so that no square of it can underflow.
    df = 1.0 / float(((squares / squares.sum()) ** 2 / (runs - 1)).sum())
    return t, df, max(2.0 * float(stdtr(df, -abs(t))), SMALLEST)


def _difference(contrast: Contrast, worst: bool) -> float:
    """Return the difference in favour of a; at `worst` it is nearer to 0, by as much as rounding may have moved it."""
    difference = contrast.difference
    if not worst:
        return difference
    slack = fsum(cell.mean_unit for cell in contrast.cells) / 2 / len(contrast.x)
    return max(abs(difference) - slack, 0.0) * (1 if difference > 0 else -1)


def sentence(contrast: Contrast, supported: Supported, readings: Sequence[ClaimReading]) -> str:
    where = f"over {len(contrast.x)} tasks" if contrast.joint else f"on {contrast.task}"
    # As printed where there is one number, for a reader looks for it in the table.
    first, second = (
        digits(contrast.side(cells)) if contrast.joint else cells[0].text for cells in (contrast.x, contrast.y)
    )
    numbers = f"{first} against {second}{', lower is better' if max(contrast.signs) < 0 else ''}"
    claim = f"That {contrast.a} is better than {contrast.b} {where} ({numbers})"
    tested = contrast.difference > 0 and any(reading.pvalue is not None for reading in readings)
    # ±0 is printed where runs are too alike for the digits: no t test follows from it.
    constant = tested and all(cell.spread == 0.0 for cell in contrast.cells)
    separated = (
        "; ± is 0 on both sides, so p is that of the exact test of completely separated runs" if constant else ""
    )
    return f"{claim} {_verdict(contrast, supported, readings)}{separated}."


def _verdict(contrast: Contrast, supported: Supported, readings: Sequence[ClaimReading]) -> str:
    if not readings:
        without = [cell for cell in contrast.cells if cell.spread is None]
        who = " and ".join(dict.fromkeys(cell.algorithm for cell in without))
        have = "has" if len({cell.algorithm for cell in without}) == 1 else "have"
        return f"cannot be said: {who} {have} no ±"
    if contrast.difference <= 0:
        return "is not supported: " + (
            "the means are equal" if contrast.difference == 0 else f"the table itself has {contrast.b} ahead"
        )
    if contrast.x[0].counts is not None:
        return _verdict_on_rates(supported, readings)
    # Without n there is no p-value, and the answer is in runs.
    if readings[0].pvalue is None:
        return _by_runs(supported, readings)
    if supported in ("yes", "no"):
        return f"is {'' if supported == 'yes' else 'not '}supported: {_pvalues(readings)}"
    if supported == "depends_on_spread":
        yes, no = ([reading for reading in readings if reading.carried is answer] for answer in (True, False))
        return f"depends on what ± means: supported if it is {_kinds(yes)}, not if it is {_kinds(no)}"
    unclear = [reading for reading in readings if reading.carried is None]
    rounded = "; ".join(
        f"{_adjusted(r.pvalue_adjusted)} as printed, up to {_p(r.pvalue_rounded)} within the rounding" for r in unclear
    )
    what = "" if len(readings) == 1 else f" if ± is the {SPREADS[unclear[0].spread].title}"
    return f"cannot be said: too few digits are printed to decide{what} ({rounded})"


OF_ITEMS = ("opposed", "independent", "alike")
"""How the successes of two on the same items may fall together, the least favourable to a difference first."""


def _verdict_on_rates(supported: Supported, readings: Sequence[ClaimReading]) -> str:
    by_name = {reading.spread: reading for reading in readings}
    if supported == "cannot_be_said":
        unclear = next(reading for reading in readings if reading.carried is None)
        q, r = (p_equals(p) for p in (unclear.pvalue_adjusted, unclear.pvalue_rounded))
        return f"cannot be said: too few digits are printed to decide (adjusted {q} as printed, up to {r} within the rounding)"
    if len(readings) == 1:
        no = "" if supported == "yes" else "not "
        return f"is {no}supported: {_adjusted(readings[0].pvalue_adjusted)}"
    opposed, independent, alike = (p_equals(by_name[name].pvalue_adjusted) for name in OF_ITEMS)
    if supported == "yes":
        return f"is supported, whichever items each answered: adjusted {opposed} in the least favourable case"
    if supported == "no":
        return f"is not supported, whichever items each answered: adjusted {alike} in the most favourable case"
    return (
        f"depends on which items each answered: adjusted {alike} if as few as possible were answered by one of the two alone, {independent} if "
        f"independently, {opposed} if as many as possible"
    )


def _by_runs(supported: Supported, readings: Sequence[ClaimReading]) -> str:
    if supported == "no":
        kinds = " or ".join(SPREADS[reading.spread].title for reading in readings)
        return f"is not supported: no number of runs up to {count(MOST_RUNS)} would carry it, be ± the {kinds}"
    if supported == "yes":
        return "is supported by any number of runs, from 2 in each cell on"
    numbers = "; ".join(_needed(reading) for reading in readings)
    return f"{'depends on what ± means' if supported == 'depends_on_spread' else 'cannot be said without n'}: {numbers}"


def _needed(reading: ClaimReading) -> str:
    spread, n = SPREADS[reading.spread], reading.runs_needed_printed
    how = "" if spread.shrinks else " (n counts by the degrees of freedom only)"
    if n is None:
        runs = "no number of runs would do"
    elif reading.carried:
        runs = "any number of runs from 2 on would do"
    else:
        runs = f"it takes {n} runs in each cell{_if_rounded(reading)}"
    return f"if ± is the {spread.title}, {runs}{how}"


def _if_rounded(reading: ClaimReading) -> str:
    if reading.runs_needed == reading.runs_needed_printed:
        return ""
    if reading.runs_needed is None:
        return " by the numbers as printed, and no number would do had rounding gone against it"
    return f" by the numbers as printed, {count(reading.runs_needed)} had rounding gone against it"


def _kinds(readings: Sequence[ClaimReading]) -> str:
    return " or ".join(f"the {SPREADS[r.spread].title} ({_adjusted(r.pvalue_adjusted)})" for r in readings)


def _pvalues(readings: Sequence[ClaimReading]) -> str:
    if len(readings) == 1:
        return _adjusted(readings[0].pvalue_adjusted)
    return ", ".join(f"{_adjusted(r.pvalue_adjusted)} if ± is the {SPREADS[r.spread].title}" for r in readings)


def _adjusted(pvalue: float | None) -> str:
    return f"adjusted {_p(pvalue)}"


def _p(pvalue: float | None) -> str:
    return "no p-value" if pvalue is None else p_equals(pvalue)


def family_words(
    table: PublishedTable, family: Sequence[Contrast], algorithm: str | None, alpha: float, unit: str
) -> str:
    """Return the family over which Holm's correction is made."""
    joint = sum(contrast.joint for contrast in family)
    single = len(family) - joint
    of = nouns_of(unit, items=unit == "item")
    whose = f"every pair of {of.algorithms}" if algorithm is None else f"{algorithm} against each other {of.algorithm}"
    tasks = "the one task" if len(table.tasks) == 1 else f"{len(table.tasks)} tasks"
    where = f"on {tasks}" + (f", and {joint} over all tasks" if joint else "")
    compared = f"{len(family)} comparison{'' if len(family) == 1 else 's'}"
    return f"α = {exactly(alpha)}, Holm over {compared}: {whose}, {single} {where}"


MEASURED_RUNS = 10
"""The most runs for which docs/guides/check-a-published-table.md has error rates of real scores."""


WIDE_T = 6
"""The most runs of which the t quantile of a 95 % interval is greater than their root (2.57 > 2.45; with 7, 2.45 < 2.65)."""


def limits(spreads: Sequence[str], *, lost: int, average: bool, fewest: int | None) -> tuple[str, ...]:
    """Return notes on what cannot follow from a table of means, and on what its answers rest."""
    notes = [
        "Not supported does not mean equal: the table says nothing of differences that it is too small to show.",
        "How runs are distributed is not in it: Welch's test takes means for normal, and with ten or fewer runs, skewed or in two "
        "groups, a table has a false positive two or three times as often as α says, and far oftener where runs seldom fail"
        + (f" (here n = {fewest})." if fewest is not None and fewest <= MEASURED_RUNS else "."),
        "Whether ± is over runs, episodes or evaluations, and whether runs or checkpoints were picked, is not in it: each cell is taken for "
        "the mean of independent runs, none left out.",
        "IQMs, medians, ranks and the probability of improvement need the runs themselves.",
    ]
    if average:
        notes.insert(
            2,
            "Averages over tasks are in the units of the table, so that tasks with large numbers decide; and they take all cells for "
            "independent: runs that were scored on several tasks would move together, which the table does not show.",
        )
    if {"sd", "se"} <= set(spreads) and fewest is not None and fewest <= WIDE_T:
        notes.append(
            f"With {WIDE_T} or fewer runs half a 95 % t interval is longer than a standard deviation and was not weighed: if ± is one, more may "
            f"be supported; use {option('spread', 'ci95')}."
        )
    if "sd" in spreads:
        notes.append(
            "A standard deviation is taken to have n − 1 in its denominator; NumPy's default has n, which makes it too small: "
            f"use {option('spread', 'population_sd')} where that was used"
            + (f" ({lost} of the supported claims would not be)." if lost else ".")
        )
    return tuple(map(Sentence, notes))
