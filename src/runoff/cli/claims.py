"""runoff claims: which claims of a published table survive a test?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.record import defaults_named, show_json, show_result, this_call
from runoff.cli.terminal import open_console, say, show_tables, show_title
from runoff.cli.values import assignments
from runoff.cli.verb import verb
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.claims import ClaimsResult, PublishedTable

SCHEMA = "runoff.claims/1"
WHOSE = {"algorithm": "the algorithm that was named", "bold": "the bold cells", "mean": "the best mean of each task"}
BEST = "the best average over all tasks"

ABOUT = """
table TABLE: File with the table in LaTeX, Markdown, CSV or TSV, or - for standard input.
--spread: Meaning of ±: {values} (default {default}).
--n-runs N|NAME=N: Number of runs (items, episodes) behind each entry, or behind those of an algorithm or task (repeatable).
--unit: Unit of a mean: run, item (accuracy without ±) or episode (success rate without ±) (default {default}).
--algorithm NAME: Algorithm whose claims are tested, if it was named before the results.
--best: Claims to test without --algorithm: auto, bold (cells) or mean (default {default}).
--lower-is-better TASK: Task on which lower is better (repeatable), or all, none, arrows (default: by arrows and names of costs).
--rows: Meaning of rows: {values} (default {default}).
--decimal: Decimal separator: {values} (default {default}).
--format: Format of the table: {values} (default {default}).
--leave-out NAME: Algorithm that is no rival, such as an oracle or a human; repeatable.
--accept-wide: Accept a ± that is larger than any mean on its task.
"""


@verb
def claims(
    *,
    table: str,
    settings: GivenOptions = asks(
        "methods.claims.claims",
        "spread unit algorithm best lower_is_better rows decimal format leave_out accept_wide alpha",
    ),
    n_runs: list[str] | None = None,
    json: bool = False,
) -> None:
    """Test the claims of a published table.

    $ printf 'Task,Ours,Base\\nPong,20 ± 1,15 ± 2\\n' | runoff claims - --n-runs 5 --spread sd
    $ printf 'Task,Ours,Base\\nPong,20 ± 1,15 ± 2\\n' | runoff claims - --n-runs 5 --algorithm Ours

    Each "A is better than B" is tested from the printed mean, ± and number of runs; what the table cannot show is listed.
    """
    from runoff.methods.claims import claims as ask

    lower = settings.get("lower_is_better", ())
    if len(lower) == 1:
        # A single word may be all, none or arrows, which the method takes as a text and not as a task in a list.
        settings["lower_is_better"] = lower[0]
    result = ask(Path(table), **settings | o.given(n_runs=runs_of(n_runs)))
    if this_call().printed_as is not None:
        show_result(result)
    elif json:
        show_json(claims_text(result), [result])
    else:
        show_claims(result)


def runs_of(texts: Sequence[str] | None) -> int | dict[str, int] | None:
    """Return N for "5", or {NAME: N} for texts such as "PPO=5"."""
    if not texts:
        return None
    if len(texts) == 1 and "=" not in texts[0]:
        return _whole(texts[0])
    pairs = [part.rpartition("=") for part in assignments(texts)]
    if any(not sign for _, sign, _ in pairs):
        message = f"--n-runs takes one number, or NAME=N for each algorithm or task, not {', '.join(texts)!r}"
        raise typer.BadParameter(message)
    return {name.strip(): _whole(number) for name, _, number in pairs}


def _whole(text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdigit()):
        raise typer.BadParameter(f"--n-runs takes a whole number, not {text!r}")
    return int(text)


def claims_text(result: ClaimsResult) -> str:
    """Return the output of `--json`: how the table was read, the claims, and the limits of the table."""
    from runoff.answer.base import plain
    from runoff.base.signed import strict_json

    return strict_json(
        {
            "schema": SCHEMA,
            "answer": result.sentence,
            "alpha": result.alpha,
            "correction": "holm",
            "family": result.family,
            "n_compared": result.n_compared,
            "spreads": list(result.spreads),
            "unit": result.unit,
            "claimed_by": result.claimed_by,
            "table": plain(result.table),
            "claims": result.to_records(),
            "notes": [*result.table.notes, *result.notes, *defaults_named()],
            "limits": list(result.limits),
        }
    )


def show_claims(result: ClaimsResult) -> None:
    console = open_console()
    say(console, result.sentence)
    _reading(console, result)
    show_tables(console, result.tables())
    best = any(not claim.task and result.claimed_by != "algorithm" for claim in result.claims)
    also = f", and of {BEST}" if best else ""
    say(console, f"Claims are those of {WHOSE[result.claimed_by]}{also}; --json has a sentence for each.")
    show_title(console, "What this table cannot show")
    for limit in result.limits:
        say(console, f"- {in_shell(limit)}")


def _reading(console: Console, result: ClaimsResult) -> None:
    table = result.table
    everywhere = f"{'Lower' if table.lower else 'Higher'} is better on all tasks."
    some = f"Lower is better on {', '.join(table.lower)}; higher elsewhere."
    show_title(console, f"Read from {table.place} ({table.format})")
    say(console, f"{_entries(result)}; {_runs(table)}.", indent="  ")
    say(console, some if 0 < len(table.lower) < len(table.tasks) else everywhere, indent="  ")
    for note in (*table.notes, *result.notes):
        say(console, note, indent="  ")
    for task in table.tasks:
        cells = [(name, table.cell(name, task)) for name in table.algorithms]
        readings = [
            f"{name} {'–' if cell is None else cell.numbers}{' (bold)' if cell and cell.bold else ''}"
            for name, cell in cells
        ]
        say(console, f"{task}: {'; '.join(readings)}", indent="  ")


def _entries(result: ClaimsResult) -> str:
    from runoff._inference.summaries import SPREADS
    from runoff.answer.claims import PRINTED

    if result.unit != "run":
        return f"Entries are {PRINTED[result.unit][1]} over {result.unit}s"
    kinds = " or ".join(SPREADS[kind].title for kind in result.spreads)
    return f"± is the {kinds}{'' if len(result.spreads) == 1 else ' (not known; both are answered)'}"


def _runs(table: PublishedTable) -> str:
    runs = sorted({cell.n for cell in table.cells if cell.n is not None})
    if not runs:
        return "n is not printed"
    return f"n = {runs[0]} in each cell" if len(runs) == 1 else f"n from {runs[0]} to {runs[-1]}"
