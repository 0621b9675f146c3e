"""What the verbs that answer one question share: read, ask, and print for people or for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from runoff.cli.options import Source

if TYPE_CHECKING:
    from runoff.data.scores import Scores

R = TypeVar("R")


def answer(
    source: Source,
    doing: str,
    ask: Callable[[Scores], R],
    *,
    show: Callable[[Scores, R], None],
    records: Callable[[R], Any],
    advice: Callable[[R], Iterable[object]],
    json: bool,
) -> None:
    """Read the scores, ask, and show the answer; `records` and `advice` make what `--json` prints, and nothing else."""
    from runoff.cli.progress import progress
    from runoff.cli.told import show_record

    with progress() as tell:
        tell("reading", 0.0)
        scores = source.read()
        tell(doing, 0.2)
        result = ask(scores)
    if json:
        show_record(records(result), advice=advice(result))
    else:
        show(scores, result)
