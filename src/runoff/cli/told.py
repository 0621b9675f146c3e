"""What a call has read and been warned of: `--json` prints it beside the records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

Data = TypeVar("Data", "Scores", "Curves")


@dataclass(slots=True)
class Told:
    """The data that were read last, and the warnings so far."""

    data: Scores | Curves | None = None
    warnings: list[str] = field(default_factory=list)


_TOLD: ContextVar[Told | None] = ContextVar("_TOLD", default=None)


@contextmanager
def listening() -> Iterator[Told]:
    """Remember what this call reads and is warned of."""
    token = _TOLD.set(told := Told())
    try:
        yield told
    finally:
        _TOLD.reset(token)


def remembered(data: Data) -> Data:
    """Return the data, which are remembered as those that are asked about."""
    told = _TOLD.get()
    if told is not None:
        told.data = data
    return data


def show_record(answer: Any, *, notes: Iterable[str] = (), advice: Iterable[object] = ()) -> None:
    """Print an answer as JSON, with the data, notes, warnings and advice; a list is its `records`."""
    from runoff.cli.show import show_json
    from runoff.report.files.records import data_record
    from runoff.report.files.strict import strict_json
    from runoff.results.base import plain

    told = _TOLD.get() or Told()
    own = answer if isinstance(answer, dict) else {"records": answer}
    data = None if told.data is None else data_record(told.data)
    said = [*(data.pop("notes") if data else []), *own.get("notes", []), *notes]
    known = [*own.get("advice", []), *map(plain, advice)]
    shared = {
        "data": data,
        "notes": list(dict.fromkeys(said)),
        "warnings": list(dict.fromkeys(told.warnings)),
        "advice": known,
    }
    show_json(strict_json(own | shared))
