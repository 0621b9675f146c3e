"""runoff tuning: what does tuning gain, and which algorithm is better when both try equally many configurations?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.terminal import say, say_some, show_advice, show_notes, show_tables, show_title
from runoff.cli.verb import answer, leave, verb
from runoff.errors import DesignError, OptionError
from runoff.tables.columns import UNUSED
from runoff.words.numbers import percent
from runoff.words.speech import Sentence, column, neutral

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.chosen import ChosenResult
    from runoff.answer.importance import ImportanceResult
    from runoff.answer.sensitivity import SensitivityResult
    from runoff.answer.tuning import TuningResult
    from runoff.data.scores import Scores
    from runoff.page.sheet.drawing import DrawnAxes

    SweepResult = TuningResult | ChosenResult | SensitivityResult | ImportanceResult

ABOUT = """
--view: Question about the sweep: {values}; the best of k settings of each task, one setting for all tasks, what tuning on each task gains,
    or the share of each setting in the spread (default {default}).
--scale: Unit in which tasks are averaged: {values}; percentiles 5 and 95 of all runs of a task as 0 and 1, or the share of runs below
    (default {default}: as they are, if that is one unit, else percentile).
--judged FILE: Fresh runs of the chosen settings: they judge, and the sweep only chooses.
--config COLUMN: Column that names the configuration of hyperparameters (default: config, config_id, configuration, hparams, …).
--alpha: False positive rate over all pairs and numbers of configurations (default {default}).
-o --out OUT: Folder for the figure, the tables and tuning.json.
"""


@verb
def tuning(
    *,
    source: o.SourceOptions,
    how: GivenOptions = asks("methods.tuning.tuning", "view scale alpha seed"),
    judged: str | None = None,
    config: list[str] | None = None,
    out: Path | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Compare algorithms at equal tuning effort.

    $ runoff tuning neorl_tuning --algorithms bc,cql --tasks HalfCheetah-v3-high-1000
    $ runoff tuning neorl_tuning --algorithms cql,mopo --view sensitivity
    """
    from runoff.methods.tuning import tuning as tuning_of

    if config:
        # `config` is a role as `run` is: several columns together name a configuration.
        names = ",".join(config)
        source = replace(
            source, columns=[*(source.columns or []), f"{'settings' if ',' in names else 'config'}={names}"]
        )

    def ask(scores: Scores) -> SweepResult:
        fresh = None if judged is None else _fresh(source, judged, scores).read()
        result: SweepResult = tuning_of(scores, judged=fresh, **how)
        if out is not None:
            write_tuning(result, out, force=force)
        return result

    answer(source, "trying all sets of configurations", ask, show=show_sweep, json=json)


def _fresh(source: o.SourceOptions, judged: str, scores: Scores) -> o.SourceOptions:
    """Return the options for reading the fresh runs: those of the sweep, with its settings if they exist, even if all have the same value."""
    from runoff.data.sweeps import settings_words

    columns = [column for column in source.columns or [] if not column.startswith("settings=")]
    return replace(source, path=[judged], columns=[*columns, f"settings={settings_words(scores)}"])


def at_equal_tuning(scores: Scores, alpha: float | None, **others: Any) -> TuningResult | None:
    """Return the answer at equal tuning for a sweep that was given to a verb that compares algorithms; None for other scores.

    others: options of that verb that do not apply to a sweep, and are refused if given.
    """
    from runoff.data.sweeps import sweep_words, variants_option
    from runoff.methods.tuning import tuning as tuning_of

    words = sweep_words(scores)
    if not words:
        return None
    if given := [f"--{name.replace('_', '-')}" for name, value in others.items() if value is not None]:
        means, them = ("means", "it") if len(given) == 1 else ("mean", "them")
        raise OptionError(
            f"{words}, and at equal tuning {', '.join(given)} {means} nothing: leave {them} out, or use {variants_option()}, which takes each "
            "configuration for an algorithm by itself."
        )
    note = f"{words}: they are compared at equal tuning; {variants_option()} treats each configuration as an algorithm"
    _refuse_drawn_anew(scores, words)
    try:
        result: TuningResult = tuning_of(scores, **o.given(alpha=alpha))
    except DesignError as refusal:
        raise DesignError(f"{words}. At equal tuning: {neutral(refusal)}") from refusal
    return replace(result, notes=(Sentence(note), *result.notes))


def _refuse_drawn_anew(scores: Scores, words: str) -> None:
    """Refuse settings that each run draws anew, as in a random search, because no run is left to judge what another chose."""
    from runoff.data.sweeps import configs_of

    several = configs_of(scores)
    most = dict(zip(scores.algorithms, scores.n_runs.max(axis=1).tolist(), strict=True))
    names = scores.sampling.settings_of(next(iter(several.values()))[0])
    if names and all(len(configs) >= most[a] for a, configs in several.items()):
        anew = f"; or, where each run draws its settings anew and they belong to the algorithm, use {column(UNUSED, ','.join(names))}"
        # Runs of one seed that settings tell apart were not drawn anew, and would be one run twice.
        again = any(_seed_twice(scores, a, t) for a in range(scores.n_algorithms) for t in range(scores.n_tasks))
        raise DesignError(
            f"{words}, of one run each: a run that selects is no evidence, and nothing is left to judge what it chose. Run "
            f"each again{'' if again else anew}."
        )


def _seed_twice(scores: Scores, algorithm: int, task: int) -> bool:
    """Return whether a seed comes with several settings in a cell, whose runs have these in their names."""
    of_run, labels = dict(scores.sampling.configs), scores.labelled(algorithm, task)[0]
    seeds = {label.removeprefix(f"config {of_run.get(label)} run ") for label in labels}
    return len(seeds) < len(labels)


def write_tuning(result: SweepResult, out: Path, *, force: bool = False) -> None:
    """Write `tuning.json`, the table, and the figure as SVG, PDF and PNG, if the answer has one."""
    from runoff import plots
    from runoff.answer.base import content_of, plain
    from runoff.answer.tuning import TuningResult

    if not isinstance(result, TuningResult):
        table, words = {"tuning": result.to_records()}, [result.sentence, *(t.caption for t in result.tables())]
        leave(out, "tuning", content_of(result), table, words, figures=lambda: _figures(result), force=force)
        return
    of_pairs = f"Intervals of pairs: {percent(result.pair_level, 4)}, 1 − α / (2 · pairs)."
    table = {"tuning": result.to_records()}
    record = {"records": table["tuning"], "pairs": list(map(plain, result.pairs))}
    words = [*result.sentences, result.overstatement, plots.caption(result), of_pairs]
    leave(out, "tuning", record, table, words, figures=lambda: {"tuning": plots.tuning(result)}, force=force)


def _figures(result: SweepResult) -> dict[str, DrawnAxes]:
    from runoff import plots
    from runoff.answer.sensitivity import SensitivityResult

    return {"sensitivity": plots.sensitivity(result)} if isinstance(result, SensitivityResult) else {}


def show_sweep(console: Console, result: SweepResult) -> None:
    """Print an answer about a sweep, for any view."""
    from runoff.answer.sensitivity import SensitivityResult
    from runoff.answer.tuning import TuningResult

    if isinstance(result, TuningResult):
        return show_tuning(console, result)
    show_tables(console, result.tables())
    if isinstance(result, SensitivityResult) and result.sentences:
        show_title(console, f"The plane of performance and sensitivity, with {percent(result.pair_level, 4)} intervals")
        say_some(console, list(result.sentences), "pair", "  ")
    show_notes(console, result.notes)
    show_advice(console, result.advice)
    return None


def show_tuning(console: Console, result: TuningResult) -> None:
    show_tables(console, result.tables())
    further = "; --view one_setting chooses one for all tasks" if len(result.tasks) > 1 else ""
    say(console, f"runoff compare --variants says whether one configuration is better than another{further}.")
    of_pairs = f", with {percent(result.pair_level, 4)} intervals (1 − α / (2 · pairs))" if result.pairs else ""
    show_title(console, f"Pairs at equal tuning{of_pairs}, and runs that select")
    say_some(console, [*result.sentences, *[result.overstatement] * bool(result.overstatement)], "pair", "  ")
    show_notes(console, result.notes)
    show_advice(console, result.advice)
