"""What was found of each pair: the winner first, pairs in the order of the algorithms' places."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.report.answers.all import Answers
from runoff.report.latex.best import placed, winner
from runoff.report.latex.captions import runs_words, test_words, unit
from runoff.report.latex.names import shown_names, stand_ins
from runoff.report.latex.numbers import estimate
from runoff.report.latex.table import Column, Table, column
from runoff.report.words.numbers import decimals_of_differences, places_text, pvalue
from runoff.results.comparison import Pair

VERDICTS = {"no_difference_found": "none found", "equivalent": "equivalent"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """A pair as its table has it: differences are first − second."""

    first: str
    second: str
    pair: Pair

    @property
    def sign(self) -> int:
        return 1 if self.first == self.pair.a else -1

    def ends(self, low: float | None, high: float | None, middle: float = 0.0) -> tuple[float | None, float | None]:
        """Return the ends of an interval of a − b as those of first − second; `middle` is where no difference lies."""
        if low is None or high is None or self.sign == 1:
            return low, high
        return 2 * middle - high, 2 * middle - low


def pairs_table(answers: Answers) -> Table:
    """Return one row per pair."""
    shown = shown_names(answers.scores.algorithms, "Algorithm")
    rows = _turned(answers)
    corrected = len(rows) > 1 and answers.comparison.correction != "none"
    return Table(
        name="pairs",
        caption=_caption(answers),
        names=(
            column("First", [shown[row.first] for row in rows], right=False),
            column("Second", [shown[row.second] for row in rows], right=False),
        ),
        values=(
            column("Verdict", [VERDICTS.get(row.pair.verdict, "better") for row in rows], right=False),
            _differences(rows),
            _improvements(rows),
            column("Adjusted p" if corrected else "p", [pvalue(row.pair.pvalue_adjusted) for row in rows]),
            column("N", [_runs(row) for row in rows]),
        ),
        stands=stand_ins(shown),
    )


def _turned(answers: Answers) -> list[Turned]:
    """Return the pairs, the winner first, or where none was found that of the better place; best places first."""
    place = placed(answers)
    turned = []
    for pair in answers.comparison.pairs:
        first = winner(pair) or min(pair.a, pair.b, key=place.__getitem__)
        turned.append(Turned(first=first, second=pair.b if first == pair.a else pair.a, pair=pair))
    return sorted(turned, key=lambda row: (place[row.first], place[row.second]))


def _differences(rows: list[Turned]) -> Column:
    places = decimals_of_differences([row.pair for row in rows])
    cells = []
    for row in rows:
        low, high = row.ends(row.pair.difference_low, row.pair.difference_high)
        cells.append(estimate(row.sign * row.pair.difference, low, high, places))
    return Column(head="Difference", cells=tuple(cells))


def _improvements(rows: list[Turned]) -> Column:
    cells = []
    for row in rows:
        chance = row.pair.improvement if row.sign == 1 else 1 - row.pair.improvement
        low, high = row.ends(row.pair.improvement_low, row.pair.improvement_high, 0.5)
        cells.append(estimate(chance, low, high, 2))
    return Column(head="P(first > second)", cells=tuple(cells))


def _runs(row: Turned) -> str:
    both = (row.pair.n_runs_a, row.pair.n_runs_b)[:: row.sign]
    return "/".join(places_text(*counts) for counts in both)


def _caption(answers: Answers) -> str:
    level = f"{100 * answers.comparison.confidence_level:g}\u00a0%"
    kind = "score" if answers.scores.rates else "t"
    return (
        f"Pairs, the winner first: difference of means (first − second, every task weighing the same) and the probability that a random "
        f"{unit(answers)} of the first beats one of the second, with {level} {kind} intervals, each on its own; {runs_words(answers)}; "
        f"N: {unit(answers)}s per task of the first/second. Verdict of {test_words(answers)}; none found: no difference was found, "
        "which does not make the two equal."
    )
