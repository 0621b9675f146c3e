"""What the verbs that answer one question share: read, ask, and print for people or for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from runoff.cli.options import Source

if TYPE_CHECKING:
    from runoff.scores import Scores

R = TypeVar("R")


def answer(
    source: Source,
    doing: str,
    ask: Callable[[Scores], R],
    *,
    show: Callable[[Scores, R], None],
    records: Callable[[R], Any],
    json: bool,
) -> None:
    """Read the scores, ask, and show the answer; `records` makes what `--json` prints, and nothing else."""
    from runoff.cli.progress import progress
    from runoff.cli.show import show_json
    from runoff.report.files.strict import strict_json

    with progress() as tell:
        tell("reading", 0.0)
        scores = source.read()
        tell(doing, 0.2)
        result = ask(scores)
    if json:
        show_json(strict_json(records(result)))
    else:
        show(scores, result)
