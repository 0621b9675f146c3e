"""runoff curves: how good after how many steps, and where do algorithms differ?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runoff.cli import options as o
from runoff.cli import terminal as screen
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.record import show_record
from runoff.cli.verb import leave, verb

if TYPE_CHECKING:
    from runoff.answer.base import Result
    from runoff.page.answers.curves import CurveAnswers
    from runoff.page.sheet.drawing import DrawnAxes

SCHEMA = "runoff.curves/1"
ABOUT = """
--measure NAME: Measure to show: {FixedMetric} or trimmed_mean_P (default {default}, which is what tests compare).
--steps N: Number of evenly spaced steps (default: the steps at which runs were evaluated).
--up-to STEP: Last step to compare.
--along: Unit of the x-axis: {values}; environment steps, wall-clock time or episodes (default {default}).
--confidence-level LEVEL: Level of the bands of each algorithm, such as 0.9 (default {default}); differences of pairs have 1 − alpha.
--band: Confidence band: {values}; at each step, or over the whole curve (default {default}).
--correction: Correction over the steps: {values} (default {default}).
--threshold SCORE: Score for which the time until a run first reaches it is reported too.
-o --out OUT: Folder for the figures, the tables and curves.json.
"""


@verb
def curves(
    *,
    source: o.Beside,
    settings: GivenOptions = asks(
        "page.answers.curves.answer_curves",
        "measure steps up_to along band correction threshold alpha confidence_level seed",
    ),
    out: Path | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Compare learning curves, step by step.

    $ runoff curves classic_control --normalize classic_control --algorithms ARS,CEM
    $ runoff curves classic_control --tasks Pendulum-v1 --threshold -200
    """
    from runoff.cli.progress import progress
    from runoff.page.answers.curves import answer_curves

    with progress() as tell:
        tell("reading", 0.0)
        data = source.curves()
        tell("resampling whole runs", 0.2)
        answers = answer_curves(data, **settings, **o.given(incomplete=source.incomplete), steadiness=True)
        if out is not None:
            tell("figures", 0.8)
            write_curves(answers, out, force=force)
    if json:
        results, draw = [*results_of(answers).values()], partial(_efficiency_figure, answers)
        show_record(record_of_file(answers), of=results, draw=draw)
    else:
        show_curves(answers, out, settings.get("steps"))


def record_of_file(answers: CurveAnswers) -> dict[str, Any]:
    from runoff.page.answers.curves import record_of_curves

    return {"schema": SCHEMA, **record_of_curves(answers)}


def results_of(answers: CurveAnswers) -> dict[str, Result]:
    """Return the existing answers, by the names of their tables."""
    tables: dict[str, Result | None] = {
        "sample_efficiency": answers.efficiency,
        "differences": answers.comparison,
        "time_to_threshold": answers.reach,
        "reliability": answers.steadiness,
    }
    return {name: result for name, result in tables.items() if result is not None}


def write_curves(answers: CurveAnswers, out: Path, *, force: bool = False) -> None:
    """Write `curves.json`, the tables, and the figures as SVG, PDF and PNG."""
    from runoff import plots

    results = results_of(answers)
    captions = [plots.caption(answers.efficiency, comparison=answers.comparison)]
    captions += [plots.caption(result) for result in (answers.summary, answers.reach, answers.steadiness) if result]
    records = {name: result.to_records() for name, result in results.items()}
    sentences = [*map(str, results.values()), *captions]
    leave(out, "curves", record_of_file(answers), records, sentences, figures=lambda: _figures(answers), force=force)


def _efficiency_figure(answers: CurveAnswers) -> DrawnAxes:
    from runoff import plots

    styles = plots.marks(answers.efficiency.algorithms, whole=answers.efficiency.origin.whole)
    return plots.sample_efficiency(answers.efficiency, comparison=answers.comparison, colors=styles)


def _figures(answers: CurveAnswers) -> Mapping[str, DrawnAxes]:
    from runoff import plots

    styles = plots.marks(answers.efficiency.algorithms, whole=answers.efficiency.origin.whole)
    drawn: dict[str, DrawnAxes] = {
        "sample_efficiency": _efficiency_figure(answers),
        "curves": plots.curves(answers.summary, colors=styles),
    }
    if answers.reach is not None:
        drawn["time_to_threshold"] = plots.time_to_threshold(answers.reach, colors=styles)
    if answers.steadiness is not None:
        drawn["reliability"] = plots.reliability(answers.steadiness, colors=styles)
    return drawn


def show_curves(answers: CurveAnswers, out: Path | None, shown: int | None = None) -> None:
    """Print estimates at `shown` steps, a sentence for each pair, notes and advice."""
    from runoff.answer.curves.efficiency import SHOWN, steps_table

    console, efficiency = screen.open_console(), answers.efficiency
    answer = answers.comparison.sentence if answers.comparison is not None else efficiency.sentence
    screen.say(console, "", head=(screen.in_shell(answer), "bold"))
    rest = _file(out, "sample_efficiency")
    # Who asks for so many steps wants to see them; else five, of which the figure has all.
    screen.show_tables(console, [steps_table(efficiency, shown or SHOWN)], rest)
    if answers.comparison is not None:
        screen.show_title(console, "Where pairs differ along training")
        screen.say(console, answers.comparison.how)
        screen.say_some(console, answers.comparison.sentences, "pair", "  ", _file(out, "differences"))
    for sentence in answers.left_out:
        screen.say(console, sentence)
    if answers.reach is not None:
        screen.show_tables(console, answers.reach.tables(), _file(out, "time_to_threshold"))
        screen.say_some(console, [pair.sentence for pair in answers.reach.pairs if pair.rejected], "pair", "  ")
    if answers.steadiness is not None:
        screen.show_tables(console, answers.steadiness.tables(), _file(out, "reliability"))
    screen.show_notes(console, efficiency.notes)
    screen.show_advice(console, answers.advice)
    if out is not None:
        screen.say(console, f"Figures and tables: {out}")


def _file(out: Path | None, name: str) -> str:
    return screen.ALL_IN_JSON if out is None else str(out / f"{name}.csv")
