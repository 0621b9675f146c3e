"""The answers to "do these algorithms differ at all?", "which ranks differ?" and "which ranks are possible?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.answer.base import Advice, Result
from runoff.answer.ends import WithInterval
from runoff.answer.rows import AlgorithmRows
from runoff.cells import Chance, Column, ColumnsOf, Estimate, Name, Number, PValue, Table
from runoff.words.names import METHODS, TESTS, capital, metric_title, metric_words
from runoff.words.numbers import chance, counted, digits, exactly, listed, p_with_error, percent

ROUNDING = 1e-12
"""Average ranks, and means, that differ by less than this share of them are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankResult(Result):
    """One test of all algorithms on all tasks. Sequences are in the order of `algorithms`; rank 1 is best.

    Attributes
    ----------
    statistic : float
        The χ² form for "mack_skillings", "skillings_mack" and "friedman"; F for "iman_davenport"; a normal deviate for "van_elteren"; the
        difference (first minus second), or its studentised form, for "stratified_permutation".
    pvalue, pvalue_error : float
        The p-value, in (0, 1], and its Monte Carlo standard error (0 for exact and asymptotic p-values).
    method : "exact", "monte_carlo" or "asymptotic"
    df : float, pair of floats or None
        The degrees of freedom of the asymptotic distribution: the rank of the covariance, below k − 1 if the tasks do not connect all
        algorithms.
    mean_ranks, rank_sums : tuple of float
        The mean, and the sum over tasks, of the mean rank of an algorithm's runs among all runs of the task.
    average_ranks : tuple of float or None
        From 1 to k: the expected rank of a run among one run drawn from each algorithm, averaged over runs and tasks (weighted by their runs);
        for tests of one value per cell, the rank of this mean, averaged over tasks. On a task that others lack, the places of those that have
        it are stretched to 1 to k. None for an algorithm that is alone on each of its tasks.
    n_tasks : int
        The number of tasks with runs of at least two of the algorithms.
    n_runs : tuple of int
        The number of runs used, over all tasks.
    null, alternative, claim : str
        The null hypothesis in words, the direction of the alternative, and the alternative in words.
    n_resamples, seed : int or None
        The number of draws and the seed; None if nothing was drawn.
    """

    test: str
    algorithms: tuple[str, ...]
    statistic: float
    pvalue: float
    pvalue_error: float
    method: str
    df: float | tuple[float, float] | None
    mean_ranks: tuple[float, ...]
    rank_sums: tuple[float, ...]
    average_ranks: tuple[float | None, ...]
    n_tasks: int
    n_runs: tuple[int, ...]
    null: str
    alternative: str
    claim: str
    n_resamples: int | None
    seed: int | None
    advice: tuple[Advice, ...] = ()

    @property
    def sentence(self) -> str:
        """A sentence on the test and its p-value."""
        k, where = len(self.algorithms), counted([self.n_tasks], "task")
        p = p_with_error(self.pvalue, self.pvalue_error)
        return (
            f"{capital(TESTS[self.test])} of {k} algorithms over {where} ({METHODS[self.method]}): statistic {digits(self.statistic, 4)}, {p} "
            f"against the null that {self.null}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPair:
    """Two algorithms and the comparison of their rank sums.

    Attributes
    ----------
    difference : float
        The rank sum of b minus that of a; positive if a is better.
    pvalue_adjusted : float
        The probability that the largest difference is at least this large if all algorithms are equal.
    rejected : bool
        Whether the difference reaches the critical difference.
    """

    a: str
    b: str
    difference: float
    pvalue_adjusted: float
    rejected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalDifferenceResult(Result):
    """The rank sums, and which of them differ. Sequences are in the order of `algorithms`; rank 1 is best.

    Attributes
    ----------
    critical_difference : float
        Two algorithms whose rank sums differ by at least this much are found different. Divide by `n_tasks` to compare mean ranks.
    critical_value : float
        The quantile behind it: that of the range of k normals, or of the largest difference from a control.
    average_ranks : tuple of float
        From 1 to k, as in `RankResult`; to be compared with `critical_average_difference`.
    pairs : tuple of RankPair
        All pairs, or every other algorithm against the control.
    groups : tuple of tuple of str
        All maximal sets of algorithms that do not differ, best first; empty with a control.
    letters : tuple of str
        The same groups as letters: algorithms that share a letter do not differ; empty with a control.
    omnibus_statistic, omnibus_pvalue : float
        The Mack-Skillings test of all algorithms (asymptotic).
    """

    algorithms: tuple[str, ...]
    alpha: float
    control: str | None
    critical_difference: float
    critical_value: float
    rank_sums: tuple[float, ...]
    mean_ranks: tuple[float, ...]
    average_ranks: tuple[float, ...]
    pairs: tuple[RankPair, ...]
    groups: tuple[tuple[str, ...], ...]
    letters: tuple[str, ...]
    omnibus_statistic: float
    omnibus_pvalue: float
    n_tasks: int
    n_runs: tuple[int, ...]
    null: str
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "pairs"

    @property
    def critical_average_difference(self) -> float:
        """The critical difference of `average_ranks`: that of rank sums divided by the runs of one algorithm."""
        # Rank sums are compared between algorithms with equally many runs within a task (others were refused), so
        # that all have this many in all.
        return self.critical_difference / max(self.n_runs)

    def tables(self) -> tuple[Table, ...]:
        """Return one table with a row for each algorithm, the best average rank first, and one with a row for each pair."""
        rows = self._ranked()
        ranks = [
            Column(key="algorithm", head="Algorithm", cells=[Name(name) for _, name, _ in rows]),
            Column(key="rank", head="Average rank", cells=[Number(rank, 4) for rank, _, _ in rows], ordered=True),
        ]
        if self.letters:
            ranks.append(Column(key="letters", head="Letters", cells=[letters for _, _, letters in rows]))
        of = dict(zip(self.algorithms, self.average_ranks, strict=True))
        column = ColumnsOf(self.pairs)
        pairs = (
            column("a", "First", lambda pair: Name(pair.a)),
            column("b", "Second", lambda pair: Name(pair.b)),
            column("difference", "Average ranks", lambda p: Number(of[p.a] - of[p.b], 3)),
            column("pvalue_adjusted", "Adjusted p", lambda pair: PValue(pair.pvalue_adjusted)),
            column("rejected", "Differ"),
        )
        gap = f"the critical difference, {digits(self.critical_average_difference)} at α = {exactly(self.alpha)}"
        where = f"over {counted([self.n_tasks], 'task')}; rank 1 is best"
        share = f" Algorithms that share a letter do not differ by {gap}." if self.letters else ""
        of_pairs = f"Average rank of the first less that of the second; two differ where it reaches {gap}; all algorithms are ranked together."
        return (
            Table(role="ranks", title="Average ranks", caption=f"Average ranks {where}.{share}", columns=tuple(ranks)),
            Table(role="rank_pairs", title="Differences of average ranks", caption=of_pairs, columns=pairs),
        )

    @property
    def sentence(self) -> str:
        """A sentence on the number of pairs that differ by the critical difference."""
        n_apart, pairs = sum(pair.rejected for pair in self.pairs), counted([len(self.pairs)], "pair")
        gap, where = digits(self.critical_average_difference), counted([self.n_tasks], "task")
        return (
            f"{n_apart} of {pairs} {'differs' if n_apart == 1 else 'differ'} in average rank by the critical difference, {gap} (α = "
            f"{exactly(self.alpha)}, {where}), or more."
        )

    def _ranked(self) -> list[tuple[float, str, str]]:
        """Return the average rank, the name and the letters of each algorithm, best first."""
        return sorted(zip(self.average_ranks, self.algorithms, self.letters or self.algorithms, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class RankIntervalRow(WithInterval):
    """One algorithm's possible ranks; rank 1 is best.

    Attributes
    ----------
    estimate : float
        The measure, in units of the scores, or the average probability of beating a run of another algorithm.
    place : int
        The rank by the estimates, but behind all algorithms that were found above it.
    low, high : int
        The best and the worst possible rank of this algorithm on its own.
    joint_low, joint_high : int
        The same for all algorithms simultaneously, by the findings of `compare`; tables, sentences and figures give these.
    p_best : float or None
        The share of draws in which the algorithm is best; None if it has a single run on some task, and for the probability of improvement.
    p_places : tuple of float or None
        The same for each rank, the best first; the shares sum to 1.
    """

    algorithm: str
    estimate: float
    place: int
    low: int
    high: int
    joint_low: int
    joint_high: int
    p_best: float | None
    p_places: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankIntervalsResult(AlgorithmRows[RankIntervalRow]):
    """The possible ranks, one record for each algorithm."""

    rows: tuple[RankIntervalRow, ...]
    measure: str
    method: str
    confidence_level: float
    n_tasks: int
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()

    @property
    def best_first(self) -> tuple[RankIntervalRow, ...]:
        """The records by rank, then by the best and the worst possible rank."""
        return tuple(sorted(self.rows, key=lambda r: (r.place, r.joint_low, r.joint_high, r.algorithm)))

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each algorithm, the best first, with its value and its possible ranks, simultaneous over all algorithms."""
        rows = self.best_first
        kind = Chance if self.measure == "improvement" else Estimate
        column = ColumnsOf(rows)
        columns = [
            column("algorithm", "Algorithm", lambda row: Name(row.algorithm)),
            column("estimate", metric_title(self.measure), lambda row: kind(row.estimate), ordered=True),
            column("places", "Possible ranks", lambda row: places_text(row.joint_low, row.joint_high), numeric=True),
        ]
        if says_best(self):
            columns.append(column("p_best", "P(best)", lambda row: Number(row.p_best, 2)))
        level = f"{percent(self.confidence_level)} confidence sets of all algorithms at once"
        best = "; P(best): share of draws in which the algorithm is best" if says_best(self) else ""
        caption = f"Possible ranks by {metric_words(self.measure)} over {counted([self.n_tasks], 'task')}, 1 being best: {level}{best}."
        return (Table(role="possible_ranks", title="Possible ranks", caption=caption, columns=tuple(columns)),)

    @property
    def sentence(self) -> str:
        """A sentence on the algorithms that can be best."""
        words = metric_words(self.measure)
        best = [row.algorithm for row in self.best_first if row.joint_low == 1]
        verb = "can" if len(best) > 1 else "alone can"
        return f"{listed(best)} {verb} be best by {words}, {percent(self.confidence_level)} for all ranks at once."


def says_best(result: RankIntervalsResult) -> bool:
    """Return whether the probability of being best is known for any algorithm."""
    return any(row.p_best is not None for row in result.rows)


def places_words(low: int, high: int) -> str:
    """Return possible ranks in a sentence: "2" or "1 to 3"."""
    return f"{low}" if low == high else f"{low} to {high}"


def places_text(low: int, high: int) -> str:
    """Return possible ranks in a cell: "2" or "1–3"."""
    return f"{low}" if low == high else f"{low}–{high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRow:
    """One algorithm in a ranking.

    Attributes
    ----------
    average_rank : float or None
        The average rank, from 1 (best) to the number of algorithms.
    letters : str or None
        Algorithms that share a letter do not differ by the critical difference; None with a control, or if `critical` is None.
    low, high : int or None
        Its possible ranks, simultaneous over all algorithms; `own_low` and `own_high` are those of this algorithm alone. None if `places` is
        None.
    p_best : float or None
        The probability that it is the best; None where chances to win decide (tasks in units of their own, until they are normalised), and
        where a cell has a single run.
    """

    algorithm: str
    average_rank: float | None
    letters: str | None = None
    low: int | None = None
    high: int | None = None
    own_low: int | None = None
    own_high: int | None = None
    p_best: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingResult(AlgorithmRows[RankingRow]):
    """A ranking: whether algorithms differ, which of them do, and which ranks are possible. An answer that the design does not allow is None.

    Attributes
    ----------
    omnibus : RankResult or None
        The test of all algorithms.
    critical : CriticalDifferenceResult or None
        The average ranks that differ; None also for two algorithms, which form a single pair.
    places : RankIntervalsResult or None
        The possible ranks; None also for two algorithms.
    left_out : tuple of str
        A sentence for each answer that is missing.
    alpha : float
    sentence : str
        The algorithm with the best average rank and those that do not differ from it; with a control, the algorithms that differ from the
        control.
    sentences : tuple of str
        One sentence for each answer.
    """

    rows: tuple[RankingRow, ...] = ()
    omnibus: RankResult | None = None
    critical: CriticalDifferenceResult | None = None
    places: RankIntervalsResult | None = None
    left_out: tuple[str, ...] = ()
    alpha: float = 0.05
    sentence: str = ""
    sentences: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def average_ranks(self) -> dict[str, float]:
        """The average rank of each algorithm that has one, from 1 (best) to k."""
        return {row.algorithm: row.average_rank for row in self.rows if row.average_rank is not None}

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each algorithm, the best average rank first."""
        return (self.table(f"At α = {exactly(self.alpha)}, all algorithms together."),)

    def table(self, caption: str) -> Table:
        """Return a table of the algorithms: letters or the difference from the control, and possible ranks."""
        rows, critical = self.rows, self.critical
        columns = [
            Column(key="algorithm", head="Algorithm", cells=[Name(row.algorithm) for row in rows]),
            Column(key="rank", head="Average rank", cells=[Number(row.average_rank, 4) for row in rows], ordered=True),
        ]
        if critical is not None and critical.control is None:
            columns.append(Column(key="letters", head="Letters", cells=[row.letters for row in rows]))
        elif critical is not None:
            answers = {pair.a: "different" if pair.rejected else "no difference found" for pair in critical.pairs}
            columns.append(
                Column(key="control", head="From control", cells=[answers.get(row.algorithm, "") for row in rows])
            )
        if self.places is not None:
            places = [places_text(row.low, row.high) if row.low and row.high else "" for row in rows]
            columns.append(Column(key="places", head="Possible ranks", cells=places, numeric=True))
            if says_best(self.places):
                best = [chance(row.p_best) for row in rows]
                columns.append(Column(key="p_best", head="P(best)", cells=best, numeric=True))
        title = f"Average ranks{' and possible ranks' if self.places is not None else ''}; rank 1 is best"
        return Table(role="ranks", title=title, caption=caption, columns=tuple(columns))


def ranked_everywhere(ranking: RankingResult) -> list[str]:
    """Return the algorithms with scores on all tasks, the best average rank first; over other tasks it is better where others are bad."""
    lacking = {name for advice in ranking.advice if advice.code == "R012" for name in advice.subjects}
    return [name for name in ranking.average_ranks if name not in lacking]


def foremost(ranking: RankingResult) -> list[str]:
    """Return those whose average rank is the best of all with scores on all tasks; several where ranks are equal but for rounding."""
    ranks, whole = ranking.average_ranks, ranked_everywhere(ranking)
    return [name for name in whole if ranks[name] - ranks[whole[0]] <= ROUNDING * ranks[whole[0]]]
