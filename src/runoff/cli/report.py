"""runoff report and runoff demo: everything on one page, of your scores or of the shipped data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.archive.shipped import EXAMPLE
from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.compare import show_pairs
from runoff.cli.rank import show_ranking
from runoff.cli.record import show_json, show_result
from runoff.cli.terminal import ALL_IN_JSON, said_first_and_last, say, show_advice, show_data, show_tables, show_title
from runoff.cli.tuning import at_equal_tuning, show_tuning
from runoff.cli.values import names_in
from runoff.cli.verb import verb
from runoff.words.speech import neutral

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.tuning import TuningResult
    from runoff.data.scores import Scores
    from runoff.page.files.write import Report


ABOUT = """
--title: Title of the report.
--over: Sample that claims generalise from: {values} (default {default}, as for compare).
--cluster COLUMN: Column that names which tasks were drawn together (for --over tasks).
--strata COLUMN: Column that names the benchmark, or suite, of each task: runoff compares each, and their mean.
--weights WEIGHTS: Weights of the strata in their mean: {default} (default), tasks, or STRATUM=WEIGHT,….
--margin D: Smallest difference that matters, chosen before the runs (default: none; a tenth of the range of the runs then says how many
    more to run).
--figures FORMATS: Draw figures for a paper beside the page: {FigureFormat}; comma-separated (default none).
--width WIDTH: Width of these figures: {VenueName}, or a length such as 88mm, 240pt, 3.3in (default: that of each figure).
"""


@verb
def report(
    *,
    source: o.Beside,
    statistics: o.Statistics,
    out: Path = o.OUT,
    settings: GivenOptions = asks(
        "page.files.write.report", "title measure over cluster strata weights single_value margin"
    ),
    figures: str | None = None,
    width: str | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Write everything about your runs as one HTML page.

    $ runoff report classic_control --normalize classic_control --algorithms ARS,CEM
    $ runoff report atari_100k --normalize atari --algorithms SPR,DER -o atari

    The folder holds report.html, results.json, figures/ and tables/; -o FILE.html writes the page alone.
    """
    from runoff.cli.progress import progress
    from runoff.page import report

    title = settings.get("title")
    asked_for = {name: value for name, value in settings.items() if name != "title"} | {
        "figures": figures,
        "width": width,
    }
    command = o.command_line("report", source, statistics, **asked_for)
    settings |= o.given(alpha=statistics.alpha, rng=statistics.seed, n_resamples=statistics.n_resamples)
    settings |= _formats(figures) | o.given(width=width, incomplete=source.incomplete)
    source, settings = source.in_strata(settings)
    with progress() as tell:
        tell("reading", 0.0)
        scores, curves = source.both()
        sweep = at_equal_tuning(scores, statistics.alpha, **asked_for, n_resamples=statistics.n_resamples)
        if sweep is None:
            written = report(scores, out, curves=curves, command=command, progress=tell, force=force, **settings)
        else:
            written_sweep(sweep, scores, out, command=command, title=title, force=force)
    if sweep is None:
        show_written(written, json=json)
    else:
        show_sweep(sweep, scores, out, json=json)


@verb
def demo(
    statistics: o.Statistics,
    out: Path = o.OUT,
    *,
    figures: str | None = None,
    width: str | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Write a report on a data set that comes with runoff.

    $ runoff demo
    $ runoff demo -o demo --alpha 0.01

    The data are of real agents on classic control tasks, 50 runs of each algorithm on each task.
    """
    from runoff.cli.progress import progress
    from runoff.page import report
    from runoff.reading import load_example

    settings = o.given(alpha=statistics.alpha, rng=statistics.seed, n_resamples=statistics.n_resamples)
    settings |= _formats(figures) | o.given(width=width)
    title = "Classic control: which algorithm is better?"
    with progress() as tell:
        tell("reading", 0.0)
        curves = load_example(EXAMPLE).normalize(EXAMPLE)
        command = o.command_line("demo", statistics, figures=figures, width=width)
        written = report(curves, out, title=title, command=command, progress=tell, force=force, **settings)
    show_written(written, json=json)


def written_sweep(
    result: TuningResult, scores: Scores, out: Path, *, command: str, title: str | None, force: bool
) -> None:
    """Write the page of a sweep; with several tasks it includes the sensitivity, if each algorithm has settings on all of them."""
    from runoff.errors import DesignError
    from runoff.methods.tuning import tuning
    from runoff.page.files.sweep import report_sweep

    try:
        sensitivity = tuning(scores, view="sensitivity") if len(result.tasks) > 1 else None
    except DesignError:  # an algorithm with one configuration, or none on all tasks, has none
        sensitivity = None
    report_sweep(result, sensitivity, out, command=command, title=title or "At equal tuning", force=force)


def show_sweep(result: TuningResult, scores: Scores, out: Path, *, json: bool) -> None:
    """Print the answer at equal tuning and its place, because algorithms with several configurations have no other ranking."""
    if json:
        return show_result(result)
    with said_first_and_last(neutral(result.sentence)) as console:
        show_data(console, scores)
        show_tuning(console, result)
        say(console, f"Report: {out / 'report.html'}")
    return None


def _formats(figures: str | None) -> dict[str, list[str]]:
    return {} if figures is None else {"figures": names_in([figures], ()) or []}


def show_written(report: Report, *, json: bool) -> None:
    """Print the answer, its data, the place of the report, and the answer again; or its results.json."""
    from runoff.page.files.records import json_text
    from runoff.page.words.headline import sentences

    answers = report.answers
    if json:
        return show_json(json_text(answers))
    first, *more = sentences(answers)
    with said_first_and_last(first) as console:
        _show_answers(console, report, more)
    return None


def _show_answers(console: Console, report: Report, more: Sequence[str]) -> None:
    from runoff.page.answers.all import leaders_first, standing_of
    from runoff.page.words.paper import formats_words

    answers = report.answers
    show_data(console, answers.scores)
    names, folder = ("aggregates", "pairs"), report.folder
    rest = {name: ALL_IN_JSON if folder is None else str(folder / "tables" / f"{name}.csv") for name in names}
    show_tables(console, answers.aggregates.tables(), rest["aggregates"])
    if answers.comparison.pairs:
        show_pairs(console, answers.comparison, rest["pairs"])
    # Of two algorithms the test of all is that of the pair.
    if answers.scores.n_algorithms > 2 and answers.ranking.omnibus is not None:
        show_ranking(console, answers.ranking)
    places = standing_of(answers)
    show_advice(console, leaders_first(answers.advice, places), answers.comparison, places.leading)
    if more:
        show_title(console, "The answer in full")
    for sentence in more:
        say(console, sentence, indent="  ")
    console.print()
    say(console, f"Report: {report.path}")
    if report.formats and answers.profiles.left_out:
        say(console, answers.profiles.left_out)
    if words := formats_words(report.formats):
        say(console, words)
