"""runoff check: can these tests and intervals be trusted, on my runs or on simulated data with known truth?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.record import show_record
from runoff.cli.study import StudyOptions, check_study, is_study
from runoff.cli.terminal import open_console, say, show_data, show_notes, show_tables
from runoff.cli.verb import leave, verb

if TYPE_CHECKING:
    from runoff.answer.study import CheckResult, CoverageResult, FalsePositiveResult
    from runoff.data.scores import Scores
    from runoff.page.sheet.drawing import DrawnAxes

SCHEMA = "runoff.check/1"
LIMITS = (
    "Groups are drawn from these runs: other runs would give other rates, which differ by more than the error of the draws. "
    "Permutation tests keep their level by construction if both groups are of one algorithm."
)

ABOUT = """
path RUNS|STUDY: Runs to draw groups from; or a study that is simulated: its name in the catalogue, a TOML file, or list, which shows the
    catalogue.
--test NAME: Test to check, one of those of compare and rank; repeatable (default all).
--measure NAME: Measure to check: {FixedMetric} or trimmed_mean_P; repeatable.
--interval NAME: Interval to check: {values}; repeatable (default all).
--n-runs N: Number of runs in a group; repeatable (default: several, up to half of all runs).
--n-repeats: Number of groups that are drawn (default {default}), or of simulated experiments per cell (default: that of the study).
--alpha: Significance level of the tests (default {default}).
--confidence-level: Confidence level of the intervals (default {default}).
--n-resamples: Number of resamples of each group (default {default}).
-o --out OUT: Folder for the tables and figures.
"""


@verb
def check(
    *,
    source: o.SourceOptions,
    study: StudyOptions,
    settings: GivenOptions = asks(
        "lab.own_runs.both.check", "test measure interval n_runs n_repeats alpha confidence_level n_resamples seed"
    ),
    out: Path | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Measure error rates, on your runs or in a simulation.

    $ runoff check classic_control --tasks Pendulum-v1 --algorithms ARS --test welch --n-repeats 50
    $ runoff check casesa2024/figure14 --n-repeats 20

    The false positive rate of a test on runs is measured between two groups of one algorithm; the coverage is how often the interval
    of a group contains the value of all runs. A study simulates data whose truth is known; runoff check list shows the catalogue.
    """
    from runoff import lab
    from runoff.cli.progress import progress

    if len(source.path) == 1 and is_study(source.path[0]):
        how = {"n_repeats": settings.pop("n_repeats", None), "seed": settings.pop("rng", None)}
        own = {**settings, **o.options_of(source), "path": None}
        o.refuse("{} is for a check on runs, and a study declares its own", **own)
        check_study(source.path[0], study, **how, out=out, force=force, json=json)
        return
    o.refuse("{} belongs to a study", **o.options_of(study))
    with progress() as tell:
        scores = source.read()
        tell("splitting the runs", 0.1)
        result = lab.check(scores, **settings)
        if out is not None:
            write_check(result, out, force=force)
    if json:
        show_record(record_of_check(result), of=[result])
    else:
        show_check(scores, result, out)


def record_of_check(result: CheckResult) -> dict[str, Any]:
    tests, intervals = result.false_positives, result.coverage
    return {
        "schema": SCHEMA,
        "seed": tests.seed,
        "alpha": tests.alpha,
        "confidence_level": intervals.confidence_level,
        "conclusion": [tests.sentence, intervals.sentence],
        "notes": list(result.notes),
        "false_positive_rate": tests.to_records(),
        "coverage": intervals.to_records(),
    }


def write_check(result: CheckResult, out: Path, *, force: bool = False) -> None:
    """Write `check.json`, `false_positive_rate.csv`, `coverage.csv`, and for each algorithm the figures as SVG, PDF and PNG."""
    from runoff import plots

    record, tests, intervals = record_of_check(result), result.false_positives, result.coverage
    tables = {name: record[name] for name in ("false_positive_rate", "coverage")}
    captions = [plots.caption(tests), plots.caption(intervals)]
    sentences = [tests.sentence, intervals.sentence, *result.notes, *captions]
    leave(out, "check", record, tables, sentences, figures=lambda: _figures(tests, intervals), force=force)


def _figures(tests: FalsePositiveResult, intervals: CoverageResult) -> Mapping[str, DrawnAxes]:
    from runoff import plots
    from runoff.page.files.folder import slugs

    drawn: dict[str, DrawnAxes] = {}
    for algorithm, slug in slugs(tests.algorithms).items():
        drawn[f"false_positive_rate-{slug}"] = plots.false_positive_rate(tests, algorithm=algorithm)
        for metric in intervals.measures:
            drawn[f"coverage-{slug}-{metric}"] = plots.coverage(intervals, algorithm=algorithm, measure=metric)
    return drawn


def show_check(scores: Scores, result: CheckResult, out: Path | None) -> None:
    """Print the conclusion first, then a table of tests, a table of intervals, and the limits of the answer."""
    console = open_console()
    # Of too few runs both checks say one and the same sentence.
    for sentence in dict.fromkeys([result.false_positives.sentence, result.coverage.sentence]):
        say(console, sentence)
    show_notes(console, result.notes)
    console.print()
    show_data(console, scores)
    show_tables(console, result.tables())
    console.print()
    say(console, LIMITS)
    if out is not None:
        say(console, f"Figures and tables: {out}")
