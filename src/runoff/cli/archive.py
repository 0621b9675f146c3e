"""runoff archive: which published runs are there, and what do they show?"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runoff.archive import ArchiveSet, info, listed, load
from runoff.archive.load import OPENING
from runoff.archive.sets import KINDS, PROTOCOL, UNKNOWN, ArchiveSets
from runoff.cli.record import remembered, show_record
from runoff.cli.terminal import open_console, say, show_advice, show_tables, show_title
from runoff.cli.values import names_in
from runoff.cli.verb import verb
from runoff.errors import OptionError
from runoff.words.numbers import counted
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.aggregate import AggregateResult
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

BESIDE = 6
"""The largest number of algorithms whose means are shown task by task."""
ABOUT = """
words [SET | export SET FILE]: Set to show, or to export as a table (.csv, .parquet or .feather); without one, all sets are listed.
--series: Logged quantity to take: score, or another one of the set, such as success (default score).
--curves: Export learning curves instead of end scores.
--force: Overwrite the exported file.
"""


@verb
def archive(
    *,
    words: list[str] | None = None,
    algorithms: list[str] | None = None,
    tasks: list[str] | None = None,
    series: str = "score",
    curves: bool = False,
    force: bool = False,
    json: bool = False,
) -> None:
    """List, show or export the published runs of the archive.

    $ runoff archive atari_100k
    $ runoff archive export atari_100k runs.csv --algorithms SPR,DER
    """
    # One verb with three forms: in a group of verbs a set could not stand where a verb does.
    match words or []:
        case []:
            sets = listed(algorithms=names_in(algorithms, ()), tasks=names_in(tasks, ()))
            show_list(sets) if not json else show_record([record_of(card) for card in sets])
        case ["export", name, file]:
            chosen = _choice(name, algorithms, tasks) | {"series": series}
            runs = remembered(load(name, **chosen, curves=True)) if curves else remembered(load(name, **chosen))
            export(runs, info(name), Path(file), force=force, json=json)
        case [name] if name != "export" and not curves:
            scores = remembered(load(name, **_choice(name, algorithms, tasks), series=series))
            result = answer_of(info(name), scores)
            if json:
                records = result.to_records() if result else []
                show_record({"set": record_of(info(name)), "records": records}, advice=result.advice if result else ())
            else:
                show_set(info(name), scores, result)
        case _:
            line = " ".join([*(words or []), *["--curves"] * curves])
            raise OptionError(f"runoff archive takes nothing, SET, or export SET FILE [--curves], not {line!r}.")


def _choice(name: str, algorithms: list[str] | None, tasks: list[str] | None) -> dict[str, Any]:
    card = info(name)
    return {"algorithms": names_in(algorithms, tuple(card.algorithms)), "tasks": names_in(tasks, tuple(card.tasks))}


def export(runs: Scores | Curves, card: ArchiveSet, out: Path, *, force: bool, json: bool) -> None:
    """Write runs as a table."""
    from runoff.reading import write_runs

    write_runs(runs, out, force=force)
    if json:
        show_record({"path": str(out)})
    else:
        console = open_console()
        say(console, f"{out}: {counted([int(runs.n_runs.sum())], 'run')} of {card}; licence: {card.license}")
        for note in runs.provenance.notes:
            if "left out" in note:
                say(console, f"  {in_shell(note)}")


def record_of(card: ArchiveSet) -> dict[str, Any]:
    """Return the facts about a set as a record."""
    values = {field.name: getattr(card, field.name) for field in fields(card)}
    own = {key: dict(value) if isinstance(value, Mapping) else value for key, value in values.items()}
    return own | {"protocol": dict(card.protocol())}


def answer_of(card: ArchiveSet, scores: Scores) -> AggregateResult | None:
    """Return aggregates if scores of all tasks have a common unit, otherwise means by task; nothing for a sweep, whose rows are not runs."""
    from runoff.methods.aggregate import aggregate, task_means

    if card.kind == "tuning":
        return None
    # Scores that their source normalised are averaged as they are; raw ones by the reference of the benchmark, where
    # it has all their tasks.
    if card.normalized:
        return aggregate(scores, measure=["iqm", "mean"])
    if card.reference:
        return aggregate(scores.normalize(card.reference, unreferenced="drop"), measure=["iqm", "mean"])
    return task_means(scores)


def show_list(sets: ArchiveSets) -> None:
    """Print a row for each set."""
    console = open_console()
    say(console, f"{sets.sentence}, counting all series; runoff archive SET shows one set")
    show_tables(console, sets.tables())


def show_set(card: ArchiveSet, scores: Scores, result: AggregateResult | None) -> None:
    """Print the facts about a set, its algorithms, and its aggregates or means by task."""
    console = open_console()
    say(console, f"{card}; {KINDS[card.kind]}")
    show_title(console, "Origin")
    for head in ("benchmark", "version", "repository", "path", "commit", "ran_by", "license"):
        say(console, f"  {head.replace('_', ' ')}: {getattr(card, head)}")
    show_title(console, "Protocol")
    protocol = card.protocol(*scores.algorithms)
    for key, value in protocol.items():
        if value != UNKNOWN:
            say(console, f"  {PROTOCOL[key]}: {value}")
    say(console, f"  {UNKNOWN}: {', '.join(PROTOCOL[key] for key, value in protocol.items() if value == UNKNOWN)}")
    show_title(console, "To be known")
    # The first notes say which set this is, which stands above.
    for note in scores.provenance.notes[OPENING:]:
        say(console, f"  {in_shell(note)}")
    _show_answer(console, scores, result)
    show_title(console, "Citation")
    console.print(textwrap.indent(card.citation, "  "))


def _show_answer(console: Console, scores: Scores, result: AggregateResult | None) -> None:
    if result is not None and ("iqm" in result.measures or len(scores.algorithms) <= BESIDE):
        show_tables(console, result.tables())
        show_advice(console, result.advice)
        return
    show_tables(console, scores.tables())
    if result is not None:
        say(console, f"Means by task, of at most {BESIDE} algorithms: --algorithms A,B")
