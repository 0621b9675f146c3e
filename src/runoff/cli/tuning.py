"""runoff tuning: what does tuning buy, and who is better when both try as many configurations?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.cli import options as o
from runoff.cli.terminal import say_some, show_advice, show_notes, show_tables, show_title
from runoff.cli.verb import answer, leave, verb
from runoff.errors import DesignError
from runoff.words.numbers import percent
from runoff.words.speech import Sentence, neutral

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.data.scores import Scores
    from runoff.results.tuning import TuningResult

ABOUT = """
--config COLUMN: Column that names the configuration of hyperparameters (default: config, config_id, configuration, hparams, …).
--alpha: False positive rate over all pairs and numbers of configurations (default 0.05).
-o --out OUT: Folder for the figure, the tables and tuning.json.
"""


@verb
def tuning(
    *,
    source: o.SourceOptions,
    config: list[str] | None = None,
    alpha: float | None = None,
    out: Path | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Compare algorithms at equal tuning effort.

    $ runoff tuning neorl_tuning --algorithms bc,cql --tasks HalfCheetah-v3-high-1000
    $ runoff tuning eop_tuning --tasks HalfCheetah-v3-high-1000
    """
    from runoff.methods.tuning import tuning as tuning_of

    if config:
        # `config` is a role as `run` is: several columns together name a configuration.
        source = replace(source, columns=[*(source.columns or []), f"config={','.join(config)}"])

    def ask(scores: Scores) -> TuningResult:
        result = tuning_of(scores, **o.given(alpha=alpha))
        if out is not None:
            write_tuning(result, out, force=force)
        return result

    answer(source, "trying all sets of configurations", ask, show=show_tuning, json=json)


def at_equal_tuning(scores: Scores, alpha: float | None) -> TuningResult | None:
    """Return the answer at equal tuning of a sweep that was given to a verb that compares algorithms; None of other scores."""
    from runoff.data.sweeps import sweep_words, variants_option
    from runoff.methods.tuning import tuning as tuning_of

    words = sweep_words(scores)
    if not words:
        return None
    note = f"{words}: they are compared at equal tuning; {variants_option()} takes each configuration for an algorithm by itself"
    try:
        result = tuning_of(scores, **o.given(alpha=alpha))
    except DesignError as refusal:
        raise DesignError(f"{note}. At equal tuning: {neutral(refusal)}") from refusal
    return replace(result, notes=(Sentence(note), *result.notes))


def write_tuning(result: TuningResult, out: Path, *, force: bool = False) -> None:
    """Write `tuning.json`, the table, and the figure as SVG, PDF and PNG."""
    from runoff import plots
    from runoff.results.base import plain

    of_pairs = f"Intervals of pairs: {percent(result.pair_level, 4)}, 1 − α / (2 · pairs)."
    table = {"tuning": result.to_records()}
    record = {"records": table["tuning"], "pairs": list(map(plain, result.pairs))}
    words = [*result.sentences, result.overstatement, plots.caption(result), of_pairs]
    leave(out, "tuning", record, table, words, figures=lambda: {"tuning": plots.tuning(result)}, force=force)


def show_tuning(console: Console, result: TuningResult) -> None:
    show_tables(console, result.tables())
    of_pairs = f", with {percent(result.pair_level, 4)} intervals (1 − α / (2 · pairs))" if result.pairs else ""
    show_title(console, f"Pairs that try as many{of_pairs}, and runs that select")
    say_some(console, [*result.sentences, *[result.overstatement] * bool(result.overstatement)], "pair", "  ")
    show_notes(console, result.notes)
    show_advice(console, result.advice)
