"""What was found of each pair: the winner first, pairs in the order of the algorithms' places."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.report.answers.all import Answers
from runoff.report.answers.standing import standing_of
from runoff.report.latex.captions import runs_words, test_words, unit
from runoff.report.latex.glyphs import shown_names, stand_ins
from runoff.report.latex.table import Column, Table, column, estimate
from runoff.report.words.numbers import decimals_of_differences, places_text, pvalue
from runoff.results.comparison import Pair

VERDICTS = {"no_difference_found": "none found", "equivalent": "equivalent"}


def pairs_table(answers: Answers) -> Table:
    """Return one row per pair."""
    shown = shown_names(answers.scores.algorithms, "Algorithm")
    rows = standing_of(answers).pairs
    corrected = len(rows) > 1 and answers.comparison.correction != "none"
    return Table(
        name="pairs",
        caption=_caption(answers),
        names=(
            column("First", [shown[row.a] for row in rows], right=False),
            column("Second", [shown[row.b] for row in rows], right=False),
        ),
        values=(
            column("Verdict", [VERDICTS.get(row.verdict, "better") for row in rows], right=False),
            _differences(rows),
            _improvements(rows),
            column("Adjusted p" if corrected else "p", [pvalue(row.pvalue_adjusted) for row in rows]),
            column("N", [_runs(row) for row in rows]),
        ),
        stands=stand_ins(shown),
    )


def _differences(pairs: Sequence[Pair]) -> Column:
    places = decimals_of_differences(pairs)
    cells = [estimate(pair.difference, pair.difference_low, pair.difference_high, places) for pair in pairs]
    return Column(head="Difference", cells=tuple(cells))


def _improvements(pairs: Sequence[Pair]) -> Column:
    cells = [estimate(pair.improvement, pair.improvement_low, pair.improvement_high, 2) for pair in pairs]
    return Column(head="P(first > second)", cells=tuple(cells))


def _runs(pair: Pair) -> str:
    return "/".join(places_text(*counts) for counts in (pair.n_runs_a, pair.n_runs_b))


def _caption(answers: Answers) -> str:
    level = f"{100 * answers.comparison.confidence_level:g}\u00a0%"
    kind = "score" if answers.scores.rates else "t"
    return (
        f"Pairs, the winner first: difference of means (first − second, every task weighing the same) and the probability that a random "
        f"{unit(answers)} of the first beats one of the second, with {level} {kind} intervals, each on its own; {runs_words(answers)}; "
        f"N: {unit(answers)}s per task of the first/second. Verdict of {test_words(answers)}; none found: no difference was found, "
        "which does not make the two equal."
    )
