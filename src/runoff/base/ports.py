"""Ports: what a room asks of one above it. The top package says which module answers, and it is loaded when it is asked.

Statistics take data, and know of files that a room reads them, and no more: `compare("runs.csv")` reads at the door, and what reads `Scores`
of its own never loads a reader. A method prints nothing: an answer that is printed asks the exits for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, cast

PortName = Literal["reading", "published", "archive", "shipped", "plots", "exits", "door", "hints", "references"]
Callback = TypeVar("Callback", bound=Callable[..., Any])


class Files(Protocol):
    """Files and tables → `Scores`, `Curves`, and the episodes of runs."""

    def load(self, data: Any, **how: Any) -> Any: ...
    def end_scores(self, runs: Any, **ends: Any) -> Any: ...
    def read_scores(self, path: Any, *, columns: Any = None) -> Any: ...
    def read_curves(self, path: Any) -> Any: ...
    def read_frame(self, frame: Any, *, columns: Any = None, with_step: bool | None = None) -> Any: ...
    def tidy_scores(self, frame: Any, columns: Any, sampling: Any) -> Any: ...
    def tidy_curves(self, frame: Any, columns: Any, sampling: Any) -> Any: ...
    def table_of(self, frame: Any) -> Any: ...
    def episode_rows(self, given: Any, columns: Any) -> Any: ...
    def read_search(self, path: Any) -> Any: ...
    def load_example(self, name: str) -> Any: ...


class Papers(Protocol):
    """Tables of papers → numbers with the algorithms and tasks that they are of."""

    TableOptions: Any
    """What the caller says about a table."""

    def read_table(self, table: str | Path, reading: Any) -> Any: ...


class Printing(Protocol):
    """Answers → tables, texts and JSON."""

    def printed(
        self, sentence: str, how: str, tables: Any, cautions: Any, where: str, *, all_tables: bool = False
    ) -> str: ...
    def html_of(self, tables: Any, *, heading: Any = (), cautions: Any = ()) -> str: ...
    def image_of(self, figure: Any, words: str) -> str: ...
    def markdown_of(self, table: Any) -> str: ...
    def table_of(self, role: str, records: Any, caption: str, unit: str | None) -> Any: ...
    def flat(self, record: Any) -> dict[str, Any]: ...
    def strict_json(self, value: Any) -> str: ...
    def csv_of(self, shown: Any) -> str: ...
    def csv_of_runs(self, frame: Any) -> str: ...
    def written(self, text: str, out: str | Path | None, ending: str, *, force: bool) -> str: ...
    def data_table(self, data: Any, ends: Any, scores: str) -> Any: ...
    def latex_of(self, tables: Any, layout: Any) -> str: ...


def reading() -> Files:
    """Return the room that reads runs."""
    return cast(Files, _answering("reading"))


def published() -> Papers:
    """Return the room that reads tables of papers."""
    return cast(Papers, _answering("published"))


def door() -> Any:
    """Return the door: what is no data yet → data."""
    return _answering("door")


def archive() -> Any:
    """Return the room of published runs, which joins them to others."""
    return _answering("archive")


def shipped(given: Any, *, curves: bool) -> Any:
    """Return the runs that come with runoff under this name, from the room of published runs; None of anything else, and of a file."""
    # Few paths look like a name, so that the list of sets is hardly ever read.
    if not (isinstance(given, str) and given.isidentifier()):
        return None
    return _answering("shipped").shipped(given, curves=curves)


def references() -> Any:
    """Return the room of reference scores."""
    return _answering("references")


def plots() -> Any:
    """Return the room of figures."""
    return _answering("plots")


def exits() -> Printing:
    """Return the room that prints tables."""
    return cast(Printing, _answering("exits"))


def hints() -> Any:
    """Return the room of names that are called otherwise here."""
    return _answering("hints")


def hinted(function: Callback) -> Callback:
    """Return a method that says of an argument that it does not have what does its work; a call that works loads no words for it."""

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except TypeError as error:
            refusal = hints().refusal_of(function, args, options, str(error))
            if refusal is None:
                raise
            raise TypeError(refusal) from None

    return cast(Callback, call)


def _answering(port: PortName) -> Any:
    # The top package is loaded before any of its rooms; its table alone knows who stands where.
    return import_module(sys.modules[__package__.partition(".")[0]].PORTS[port])
