"""The commands for the next runs: one for each, a SLURM job array, or a Hydra sweep for each algorithm and task."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from runoff.words.names import JobsName

if TYPE_CHECKING:
    from runoff.data.scores import Scores

ABOUT = """
--template COMMAND: Template for printing the next runs as commands, with {algorithm}, {task} and {run}, and for a sweep {config}, its settings.
--jobs: Form of the next runs that --template prints: {JobsName} (default commands).
"""
JOBS: tuple[JobsName, ...] = ("commands", "slurm", "hydra")


@dataclass(frozen=True, kw_only=True)
class LaunchOptions:
    """The form in which the next runs are printed, if requested."""

    template: str | None = None
    jobs: str | None = None

    def check(self) -> None:
        """Refuse a form without commands."""
        from runoff.base.validate import check_choice

        check_choice("jobs", self.jobs or "commands", JOBS)
        if self.jobs is not None and self.template is None:
            raise typer.BadParameter("--jobs sets the form of the commands; give --template as well")

    def lines(
        self,
        scores: Scores,
        more: Mapping[tuple[str, str | None], int],
        configs: Mapping[str, Mapping[str, str]] | None = None,
    ) -> list[str]:
        """Return the lines that start `more` runs of each algorithm on each task (None for all tasks); run numbers continue.

        configs: for a sweep, the chosen settings of each algorithm, {config} in the template: `lr=0.1 width=64`.
        """
        if self.template is None:
            return []
        cells = [(*cell, _first(scores, *cell), n) for cell, n in more.items() if n]
        if self.jobs == "hydra":
            # A sweep takes all values of a parameter in one word: seed=5,6,7.
            runs = [(a, task, ",".join(map(str, range(first, first + n)))) for a, task, first, n in cells]
            return [self._command(*run, configs) for run in runs]
        commands = [
            self._command(a, task, str(r), configs) for a, task, first, n in cells for r in range(first, first + n)
        ]
        return list(_array(commands)) if self.jobs == "slurm" and commands else commands

    def _command(
        self, algorithm: str, task: str | None, runs: str, configs: Mapping[str, Mapping[str, str]] | None = None
    ) -> str:
        names = {"algorithm": shlex.quote(algorithm), "run": runs}
        names |= {} if task is None else {"task": shlex.quote(task)}
        if configs:
            words = [f"{name}={value}" for name, value in configs[algorithm].items()]
            names["config"] = " ".join(map(shlex.quote, words))
        try:
            return str(self.template).format(**names)
        except KeyError as unknown:
            if unknown.args == ("config",):
                raise typer.BadParameter("{config} in --template applies to a sweep only") from None
            if unknown.args == ("task",):
                raise typer.BadParameter("each run is scored on all tasks: leave {task} out of --template") from None
            raise _braces() from None
        except (IndexError, ValueError, AttributeError):
            raise _braces() from None


def _braces() -> typer.BadParameter:
    return typer.BadParameter(
        "--template may contain {algorithm}, {task} and {run}, and no other braces (except doubled ones)"
    )


def _first(scores: Scores, algorithm: str, task: str | None) -> int:
    """Return the first free run number: one more than the largest label, or the number of runs if labels are not numbers."""
    a, tasks = scores.algorithms.index(algorithm), scores.tasks if task is None else (task,)
    labels = {label for name in tasks for label in scores.labelled(a, scores.tasks.index(name))[0]}
    return max((int(label) for label in labels if label.isdecimal()), default=len(labels) - 1) + 1


def _array(commands: list[str]) -> Iterator[str]:
    """Yield the lines of a script for sbatch with one job for each command."""
    yield "#!/bin/sh"
    yield f"#SBATCH --array=1-{len(commands)}"
    yield 'case "$SLURM_ARRAY_TASK_ID" in'
    for number, command in enumerate(commands, 1):
        yield f"{number}) {command} ;;"
    yield "esac"
