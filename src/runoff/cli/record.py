"""What a call has read and been warned of: `--json` prints it beside the records."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from runoff.cli.streams import write_line
from runoff.errors import RunoffWarning
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

RecordedData = TypeVar("RecordedData", "Scores", "Curves")


@dataclass(slots=True)
class Call:
    """The data that a call has read last, its warnings so far, and the defaults of a file that hold for it.

    defaults : a line on those that applied, "" if none did; defaults_shown: whether the terminal has it
    overruled : options by which a default is left out
    """

    data: Scores | Curves | None = None
    warnings: list[str] = field(default_factory=list)
    defaults: str = ""
    defaults_shown: bool = False
    overruled: tuple[str, ...] = ()


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
    """Return the data, which are remembered as those that the call is about."""
    call = _CALL.get()
    if call is not None:
        call.data = data
    return data


def read_last() -> Any:
    """Return the data that a call has read last."""
    call = _CALL.get()
    return None if call is None else call.data


def this_call() -> Call:
    """Return what is remembered of the call."""
    return _CALL.get() or Call()


def defaults_named() -> list[str]:
    """Return a line on the defaults of a file that applied to this call, if any did."""
    return [line] if (line := this_call().defaults) else []


def show_json(text: str) -> None:
    sys.stdout.write(text)


def show_result(result: Any, *, notes: Iterable[str] = ()) -> None:
    """Print an answer as JSON: the fields of `to_json`, with the data, notes, warnings and advice."""
    from runoff.results.base import content_of

    show_record(content_of(result), notes=notes)


def show_record(answer: Any, *, notes: Iterable[str] = (), advice: Iterable[object] = ()) -> None:
    """Print an answer as JSON, with the data, notes, warnings and advice; a list is its `records`."""
    from runoff.base.signed import strict_json
    from runoff.page.files.records import data_record
    from runoff.results.base import plain

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
    show_json(strict_json(own | shared))
