"""The data and the warnings of a call, which `--json` prints with the records."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from runoff.base.asked import write_asked
from runoff.cli.streams import write_line
from runoff.errors import OptionError, RunoffWarning
from runoff.words.names import AnswerFormat
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores
    from runoff.page.sheet.drawing import DrawnAxes

RecordedData = TypeVar("RecordedData", "Scores", "Curves", "Scores | Curves")


PrintedAs = Literal["latex", "markdown", "csv", "json", "svg", "pdf", "png"]
"""What `--to`, `--json` or the ending of `--out FILE` asks for."""


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """The file for an answer, and what is written to it."""

    path: Path
    format: PrintedAs
    force: bool


@dataclass(slots=True)
class Call:
    """The data that a call has read last, its warnings so far, and the defaults of a file that apply to it.

    defaults : a line on those that applied, "" if none did; defaults_shown: whether the terminal has it
    overruled : options by which a default is left out
    printed_as: the format of `--to`, or of the file, None without and of JSON
    file : the file that `--out` names for the answer; sentences: those of the answer, once it is written; cautions: what must be read with them
    """

    data: Scores | Curves | None = None
    warnings: list[str] = field(default_factory=list)
    defaults: str = ""
    defaults_shown: bool = False
    overruled: tuple[str, ...] = ()
    printed_as: PrintedAs | None = None
    file: AnswerFile | None = None
    sentences: list[str] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)


# A context variable, not a global: a test or a notebook may run one call inside another.
_CALL: ContextVar[Call | None] = ContextVar("_CALL", default=None)


@contextmanager
def recorded_call() -> Iterator[Call]:
    """Remember what a call reads, and show each warning of runoff as one line on stderr, without its place in the source."""

    def show(message: Warning | str, *_rest: object, **_more: object) -> None:
        call.warnings.append(str(message))
        spoken = message.args[0] if isinstance(message, RunoffWarning) else str(message)
        write_line(f"warning: {in_shell(spoken)}")

    token = _CALL.set(call := Call())
    try:
        with warnings.catch_warnings():
            # Python would show a warning once per place in the source, and a process may make several calls.
            warnings.simplefilter("always", RunoffWarning)
            warnings.showwarning = show
            yield call
    finally:
        _CALL.reset(token)


def remembered(data: RecordedData) -> RecordedData:
    """Remember the data as those that the call is about, and return them."""
    call = _CALL.get()
    if call is not None:
        call.data = data
    return data


def read_last() -> Any:
    """Return the data that a call has read last."""
    call = _CALL.get()
    return None if call is None else call.data


def this_call() -> Call:
    """Return the record of the current call."""
    return _CALL.get() or Call()


def defaults_named() -> list[str]:
    """Return a line on the defaults of a file that applied to this call, if any."""
    return [line] if (line := this_call().defaults) else []


def show_json(text: str | bytes, of: Sequence[Any] = ()) -> None:
    """Print an answer for programs, or write it to the file that was named for it."""
    call = this_call()
    if call.file is None:
        sys.stdout.write(str(text))
        return
    write_asked(call.file.path, text, "answer", force=call.file.force, folders=True)
    call.sentences = [in_shell(result.sentence) for result in of]


def show_result(result: Any, *, notes: Iterable[str] = ()) -> None:
    """Print an answer as JSON: the fields of `to_json`, with the data, notes, warnings and advice."""
    from runoff.answer.base import content_of

    show_record(content_of(result), notes=notes, of=[result])


def show_record(
    answer: Any,
    *,
    notes: Iterable[str] = (),
    advice: Iterable[object] = (),
    of: Sequence[Any] = (),
    draw: Callable[[], DrawnAxes] | None = None,
) -> None:
    """Print an answer as JSON, with the data, notes, warnings and advice; a list is its `records`.

    of: the results behind the answer, whose tables `--to` prints instead; draw: their figure, by default that of the first
    """
    if (printed_as := this_call().printed_as) is not None:
        _show_printed(of, printed_as, draw)
        return
    from runoff.answer.base import plain
    from runoff.base.signed import strict_json
    from runoff.page.files.records import data_record

    call = _CALL.get() or Call()
    own = answer if isinstance(answer, dict) else {"records": answer}
    data = None if call.data is None else data_record(call.data)
    # Notes of the reader, of the answer and of the verb are one list, and a note that two of them have stands once.
    all_notes = [*(data.pop("notes") if data else []), *own.get("notes", []), *notes, *defaults_named()]
    shared = {
        "data": data,
        "notes": list(dict.fromkeys(all_notes)),
        "warnings": list(dict.fromkeys(call.warnings)),
        "advice": own["advice"] if "advice" in own else list(map(plain, advice)),
    }
    if call.file is not None:
        _caution(of)
    show_json(strict_json(own | shared), of)


def _caution(results: Sequence[Any]) -> None:
    """Print on stderr the advice without which an answer must not be read; behind the sentences, where the answer goes to a file."""
    grave = [a for result in results for a in getattr(result, "advice", ()) if a.severity != "info"]
    lines = [f"{code} {text}" for code, text in dict.fromkeys((a.code, in_shell(a.text)) for a in grave)]
    call = this_call()
    if call.file is not None:
        call.cautions = lines
        return
    for line in lines:
        write_line(line)


def _show_printed(results: Sequence[Any], printed_as: PrintedAs, draw: Callable[[], DrawnAxes] | None) -> None:
    """Print the tables of results, or their figure."""
    if not results:
        raise OptionError("--to and --out have an answer, and this is a list; --json prints it.")
    _caution(results)
    if printed_as in get_args(AnswerFormat):
        show_json("\n".join(_printed(result, printed_as) for result in results), results)
    else:
        show_json(_drawn(results[0], printed_as, draw), results)


def _drawn(result: Any, kind: str, draw: Callable[[], DrawnAxes] | None) -> bytes:
    """Return the default figure of a result as a file."""
    from runoff import plots
    from runoff.page.sheet.drawing import figure_of, plain_style, render

    with plain_style():
        return render(plots.draw(result) if draw is None else figure_of(draw()), kind)


def _printed(result: Any, printed_as: PrintedAs) -> str:
    if printed_as == "csv":
        return str(result.to_csv())
    text: str = result.to_latex() if printed_as == "latex" else result.to_markdown()
    return text.rstrip("\n") + "\n"
