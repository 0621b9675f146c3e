"""Verbs as functions whose shared options are objects, and the parts that verbs with one question share.

Typer reads a flat signature. `verb` makes one: a parameter whose type is a dataclass of options is replaced by the fields of that
dataclass, and the function is called with the object; one whose default is `asks(…)` by arguments of a function of the library. What an
option is stands in the text `ABOUT` of its file, or in that of `options`; its default and values are those of the functions of `FUNCTIONS`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from runoff.cli import answer_file
from runoff.cli import options as o
from runoff.cli.arguments import Asks, arguments_of, filled
from runoff.cli.defaults import with_defaults
from runoff.cli.options import SourceOptions, table
from runoff.cli.record import defaults_named, show_record, show_result, this_call
from runoff.cli.terminal import said_first_and_last, show_data, show_defaults, show_written
from runoff.errors import RunoffError
from runoff.words.names import AnswerFormat
from runoff.words.speech import neutral

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.base import Advice
    from runoff.data.scores import Scores
    from runoff.page.sheet.drawing import DrawnAxes

R = TypeVar("R")


def verb(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function as a verb, with its option objects expanded for Typer; `app` registers it."""
    hints = get_type_hints(function)
    groups = {name: kind for name, kind in hints.items() if is_dataclass(kind) and isinstance(kind, type)}
    home, parameters = sys.modules[function.__module__], signature(function).parameters.values()
    calls = {p.name: p.default for p in parameters if isinstance(p.default, Asks)}
    flat = [part for p in parameters for part in _spread(p.name, hints[p.name], p.default, home)]
    answers, folders = hints.get("json") is bool and function.__name__ not in WITHOUT_TABLES, "out" in hints
    more = _of_output(flat) if answers else []
    flat += more
    # Two objects of options with one field would silently share its value.
    if len({part.name for part in flat}) < len(flat):
        raise RunoffError(f"two options of {function.__name__} have one name")

    @wraps(function)
    def call(**options: Any) -> None:
        filled = with_defaults(function.__name__, options)
        this_call().defaults, this_call().overruled = filled.applied, filled.overruled
        options = filled.options
        if answers:
            _choose_output(options, [part.name for part in more], folders=folders)
        json = options.get("json", False)
        # What is left in `options` then are the verb's own.
        objects: dict[str, Any] = {
            name: kind(**{f.name: _taken(options, f.name, f.default) for f in fields(kind)})
            for name, kind in groups.items()
        }
        objects |= {name: _taken(options, name, what) for name, what in calls.items()}
        try:
            function(**objects, **options)
        finally:
            # Also of a candidate that failed, which leaves by an exception.
            if sys.exc_info()[0] in (None, typer.Exit):
                show_written()
                if not json or this_call().file is not None:
                    show_defaults()

    call.__signature__ = Signature(flat)  # type: ignore[attr-defined]
    call.__annotations__ = {part.name: part.annotation for part in flat}
    return call


def _taken(options: dict[str, Any], name: str, default: Any) -> Any:
    """Take an option, or those of a function that stand for it, out of the options, and return its value."""
    if isinstance(default, Asks):
        return default.of({part: options.pop(part) for part in default.options})
    return options.pop(name)


OUTPUT: Mapping[str, tuple[Any, Any]] = {"to": (str | None, None), "out": (Path | None, None), "force": (bool, False)}
"""Options on what becomes of an answer, each with its type and default."""


def _of_output(own: Sequence[Parameter]) -> list[Parameter]:
    """Return the shared options on output that a verb lacks; its own --out is of a folder, whose help then names the files too."""
    for part in own:
        if part.name == "out":
            about = part.annotation.__metadata__[0]
            about.help = about.help.rstrip(".") + answer_file.TOO
    return [_parameter(name, *OUTPUT[name], answer_file) for name in OUTPUT if name not in {part.name for part in own}]


WITHOUT_TABLES = frozenset({"report", "demo", "convert", "watch", "keep", "archive"})
"""Verbs whose answer is a file, a line, or data."""


ANSWER_FORMATS: tuple[AnswerFormat, ...] = ("latex", "markdown", "csv")


def _choose_output(options: dict[str, Any], shared: Sequence[str], *, folders: bool) -> None:
    """Set what this call prints, or writes to the file that is named, and take the shared options out of those of the verb."""
    call, json = this_call(), options["json"]
    printed_as = check_printed(options["to"], json=json)
    call.file = answer_file.file_of(options, "json" if json else printed_as, folders=folders)
    own = {name: options.pop(name) for name in shared}
    o.refuse("{} belongs to --out", force=own.get("force", False))
    kind = printed_as if call.file is None else call.file.format
    call.printed_as = None if kind == "json" else kind
    # What a program reads is one thing on its stream, whatever its format.
    options["json"] = json or kind is not None


def check_printed(printed_as: str | None, *, json: bool) -> AnswerFormat | None:
    """Return the format of `--to`; refuse it together with JSON, and an unknown format."""
    if printed_as is None:
        return None
    if json:
        raise typer.BadParameter("--json and --to both set what is printed; give only one of them")
    if printed_as not in ANSWER_FORMATS:
        from runoff.hints.words import format_hint

        raise typer.BadParameter(f"--to takes {', '.join(ANSWER_FORMATS)}, not {printed_as!r}{format_hint(printed_as)}")
    return printed_as


def _spread(name: str, kind: Any, default: Any, home: ModuleType) -> list[Parameter]:
    """Return an option as a parameter, or each of an object of options, or of a function; home: the file that says what they are."""
    if isinstance(default, Asks):
        return [_argument(option, default, home) for option in default.options]
    if not (is_dataclass(kind) and isinstance(kind, type)):
        return [_parameter(name, kind, default, home)]
    own, home = get_type_hints(kind), sys.modules[kind.__module__]
    defaults = {f.name: Parameter.empty if f.default is MISSING else f.default for f in fields(kind)}
    return [part for name, default in defaults.items() for part in _spread(name, own[name], default, home)]


def _argument(name: str, asks: Asks, home: ModuleType) -> Parameter:
    argument = arguments_of(asks.function)[asks.argument(name)]
    kind, default = (bool, False) if argument.kind is bool else (argument.kind | None, None)
    return _parameter(name, kind, default, home, asks.function)


def _parameter(name: str, kind: Any, default: Any, home: ModuleType, *functions: str) -> Parameter:
    # A verb's own text goes before the shared one: an option may mean something else there.
    home = home if name in table(getattr(home, "ABOUT", "")) else o
    # Verbs share the words about an option, and not its default.
    about: Any = copy(table(home.ABOUT)[name])
    about.help = filled(about.help, name, [*functions, *getattr(home, "FUNCTIONS", ())])
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=Annotated[kind, about], default=default)


def leave(
    out: Path,
    name: str,
    record: object,
    tables: Mapping[str, list[dict[str, Any]]],
    sentences: Sequence[str],
    *,
    figures: Callable[[], Mapping[str, DrawnAxes]],
    force: bool,
) -> None:
    """Write a folder: `NAME.json`, a CSV file for each table, the sentences as README.txt, and the figures as SVG, PDF and PNG."""
    from runoff.base.signed import strict_json
    from runoff.exits.csv import csv_text
    from runoff.page.files.folder import write_answer

    if isinstance(record, dict) and defaults_named():
        record = record | {"notes": [*record.get("notes", []), *defaults_named()]}
    sentences = [*sentences, *defaults_named()]
    texts = {f"{name}.json": strict_json(record)}
    texts |= {f"{table}.csv": csv_text(rows) for table, rows in tables.items()}
    texts["README.txt"] = "\n\n".join(sentences) + "\n"
    write_answer(out, name, texts, figures, force=force)


def answer(
    source: SourceOptions,
    doing: str,
    ask: Callable[[Scores], R],
    *,
    show: Callable[[Console, R], None],
    records: Callable[[R], Any] | None = None,
    advice: Callable[[R], Iterable[Advice]] = attrgetter("advice"),
    write: Callable[[R], None] | None = None,
    json: bool,
) -> None:
    """Read the scores, ask, and show the answer, with its sentence as the first line and the last; `--json` prints the output of `to_json`.
    `write` makes the files of a folder."""
    from runoff.answer.base import compared_at
    from runoff.cli.progress import progress

    with progress() as tell:
        tell("reading", 0.0)
        scores = source.read()
        tell(doing, 0.2)
        result = ask(scores)
        if write is not None:
            tell("figures", 0.8)
            write(result)
    if json:
        if records is None:
            show_result(result)
        else:
            show_record(records(result), advice=advice(result), of=[result])
        return
    # Most sentences name the step themselves where training was unequal; for the others it is said before them.
    # The text is one of runoff's, which knows its voice: `str` would make it Python's.
    sentence, step = attrgetter("sentence")(result), compared_at(advice(result))
    with said_first_and_last(sentence if step in sentence else f"{step} {neutral(sentence)}") as console:
        show_data(console, scores)
        show(console, result)
