"""Options of `runoff gate`: the two sets of runs, and the baseline that --save-baseline writes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runoff.cli import options as o
from runoff.words.names import GateCall

if TYPE_CHECKING:
    from runoff.data.scores import Scores
    from runoff.results.gate import GateResult

Both = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="BASELINE CANDIDATE",
        help="Run scores, or training logs, of each; the baseline may be a file of --save-baseline.",
        show_default=False,
    ),
]
Margin = Annotated[
    float | None,
    typer.Option(
        "--margin", metavar="M", help="The smallest drop of the mean score that matters (default: the baseline's own)."
    ),
]
Algorithm = Annotated[
    str | None, typer.Option("--algorithm", metavar="A", help="The algorithm to take, where there are several.")
]
CandidateAlgorithm = Annotated[
    str | None, typer.Option("--candidate-algorithm", metavar="B", help="The candidate's, if it is called otherwise.")
]
Alpha = Annotated[
    float | None, typer.Option("--alpha", help="Error rate over all tasks (default: the baseline's own, or 0.05).")
]
Power = Annotated[float | None, typer.Option("--power", help="With less, a call is underpowered (default 0.8).")]
Draws = Annotated[int | None, typer.Option("--draws", help="Labellings that are drawn (default 20000).")]
FailOn = Annotated[
    list[str] | None,
    typer.Option("--fail-on", metavar="CALL", help="Exit with 1 for suspect or underpowered too; repeatable."),
]
Save = Annotated[
    list[str] | None,
    typer.Option("--save-baseline", metavar="RUNS", help="Save these runs as a baseline in --out instead; repeatable."),
]
Out = Annotated[Path | None, typer.Option("-o", "--out", metavar="FILE.json", help="Of --save-baseline.")]
Replace = Annotated[bool, typer.Option("--replace", help="Of --save-baseline: replace the one that is there.")]
FAILING: tuple[GateCall, ...] = ("suspect", "underpowered")


@dataclass(frozen=True, kw_only=True)
class Runs(o.Source):
    """The baseline and the candidate, or the runs that become a baseline."""

    path: Both = None  # type: ignore[assignment]
    algorithm: Algorithm = None
    candidate_algorithm: CandidateAlgorithm = None
    save_baseline: Save = None

    def saved(self, out: Path | None, margin: float | None, alpha: float | None, *, replace: bool) -> Scores:
        """Save the baseline, and return its scores."""
        from runoff.methods.gate import save_baseline

        if self.path or self.candidate_algorithm:
            raise typer.BadParameter(
                "--save-baseline takes the runs itself and judges no candidate; leave out the rest"
            )
        if out is None:
            raise typer.BadParameter("--save-baseline needs a file to save to: -o baseline.json")
        scores = self._source(self.save_baseline or []).read()
        options: dict[str, Any] = o.given(algorithm=self.algorithm, margin=margin, alpha=alpha)
        save_baseline(scores, out, replace=replace, **options)
        return scores.select(algorithms=[self.algorithm]) if self.algorithm else scores

    def judged(self, margin: float | None, alpha: float | None, **more: Any) -> GateResult:
        """Return what the gate says."""
        from runoff.io.baseline import read_baseline
        from runoff.methods.gate import gate

        if self.path is None or len(self.path) != 2:
            raise typer.BadParameter(
                f"a gate takes two sets of runs, BASELINE and CANDIDATE, and {len(self.path or [])} were named (several files of one: a glob "
                "in quotes)"
            )
        before, after = (path if read_baseline(path) else self._source([path]).read() for path in self.path)
        names = o.given(algorithm=self.algorithm, candidate_algorithm=self.candidate_algorithm)
        return gate(before, after, **o.given(margin=margin, alpha=alpha, **more), **names)

    def _source(self, paths: list[str]) -> o.Source:
        shared = {field.name: getattr(self, field.name) for field in fields(o.Source)}
        return o.Source(**{**shared, "path": paths})


def refuse_beside_saving(**options: Any) -> None:
    """Refuse options of a judgement beside --save-baseline."""
    for name, value in options.items():
        if value not in (None, False, []):
            raise typer.BadParameter(f"--{name.replace('_', '-')} judges a candidate, and --save-baseline judges none")


def refuse_without_saving(**options: Any) -> None:
    """Refuse options of --save-baseline without it."""
    for name, value in options.items():
        if value not in (None, False):
            raise typer.BadParameter(f"--{name} belongs to --save-baseline RUNS")


def failing(texts: list[str] | None) -> list[GateCall]:
    """Return the calls for which the exit code is 1."""
    wanted: list[GateCall] = ["regressed"]
    for one in [part.strip() for text in texts or [] for part in text.split(",")]:
        if one not in FAILING:
            raise typer.BadParameter(f"--fail-on takes {' or '.join(FAILING)}, not {one!r}; regressed always fails")
        wanted += [name for name in FAILING if name == one]
    return wanted
