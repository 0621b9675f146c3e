"""Options that choose among what was read: which algorithms and tasks, by what names, and what the end score of a run is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

Rename = Annotated[
    list[str] | None,
    typer.Option(
        "--rename",
        metavar="OLD=NEW",
        help="Call an algorithm or a task something else; repeatable (algorithm:OLD=NEW where both have the name).",
    ),
]
Merge = Annotated[bool, typer.Option("--merge", help="Let --rename give two names to one: their runs are pooled.")]
Algorithms = Annotated[
    list[str] | None, typer.Option("--algorithms", metavar="A,B", help="Only these algorithms; repeatable.")
]
Tasks = Annotated[list[str] | None, typer.Option("--tasks", metavar="T,U", help="Only these tasks; repeatable.")]
Last = Annotated[
    int | None,
    typer.Option("--last", metavar="K", help="Score of a run: the mean of its last K evaluations (default 1)."),
]
At = Annotated[float | None, typer.Option("--at", metavar="STEP", help="Score of a run: its learning curve at a step.")]
IncompleteRuns = Annotated[
    str | None,
    typer.Option(
        "--incomplete",
        help="Runs that ended early: error, drop, carry (their last score), worst, or auto: carry, error below half (default).",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Which of the runs that were read are asked about, and what their end scores are."""

    rename: Rename = None
    merge: Merge = False
    algorithms: Algorithms = None
    tasks: Tasks = None
    last: Last = None
    at: At = None
    incomplete: IncompleteRuns = None

    def scores(self, runs: Scores | Curves) -> Scores:
        """Return the end scores of the chosen runs: renamed first, then chosen, then reduced."""
        from runoff.io.read import end_scores

        return end_scores(self.chosen(runs), last=self.last, at=self.at, incomplete=self.incomplete)  # type: ignore[arg-type]

    def chosen(self, runs: Scores | Curves) -> Scores | Curves:
        """Return the chosen runs, renamed first."""
        runs = renamed(runs, self.rename, merge=self.merge)
        algorithms = listed(self.algorithms, runs.algorithms)
        tasks = listed(self.tasks, runs.tasks)
        if algorithms is not None or tasks is not None:
            runs = runs.select(algorithms=algorithms, tasks=tasks)
        return runs


def listed(texts: Sequence[str] | None, known: Sequence[str]) -> list[str] | None:
    """Return the names of comma-separated texts; a text that is a name as a whole may contain commas."""
    if not texts:
        return None
    parts = (part.strip() for text in texts for part in ([text] if text in known else text.split(",")))
    return [part for part in parts if part]


def assignments(texts: Sequence[str]) -> list[str]:
    """Return the A=B of texts, of which one may hold several, comma-separated."""
    parts: list[str] = []
    for text in texts:
        split = text.split(",")
        parts += split if all("=" in part for part in split) else [text]
    return parts


def renamed(runs: Scores | Curves, texts: Sequence[str] | None, *, merge: bool) -> Scores | Curves:
    """Return the runs under other names, of OLD=NEW texts."""
    if not texts:
        return runs
    from runoff.errors import OptionError

    new: dict[str, dict[str, str]] = {"algorithm": {}, "task": {}}
    known = {"algorithm": runs.algorithms, "task": runs.tasks}
    for text in assignments(texts):
        noun, old, to = _one(text, known)
        if new[noun].setdefault(old, to) != to:
            raise OptionError(f"--rename gives the {noun} {old!r} two names, {new[noun][old]!r} and {to!r}.")
    return runs.rename(algorithms=new["algorithm"], tasks=new["task"], merge=merge)


def _one(text: str, known: dict[str, tuple[str, ...]]) -> tuple[str, str, str]:
    """Return what is renamed, its old name and its new one; a name may contain "=" where that is the only reading."""
    from runoff.errors import OptionError, nearest

    splits = [(text[:i].strip(), text[i + 1 :].strip()) for i, letter in enumerate(text) if letter == "="]
    if not splits:
        raise typer.BadParameter(f"--rename takes OLD=NEW, not {text!r}")
    found = [
        (noun, name, to)
        for old, to in splits
        for noun, names in known.items()
        for name in names
        if old in (name, f"{noun}:{name}")
    ]
    if len(found) == 1:
        return found[0]
    old = splits[0][0]
    if not found:
        raise OptionError(
            f"--rename {text!r}: there is no algorithm or task {old!r}.{nearest(old, [*known['algorithm'], *known['task']])}"
        )
    meant = " or ".join(f"the {noun} {name!r}" for noun, name, _ in found)
    raise OptionError(f"--rename {text!r} could mean {meant}; write algorithm:OLD=NEW or task:OLD=NEW.")
