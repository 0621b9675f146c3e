"""Options of `runoff sequential`: the new runs, and the design that --new writes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runoff.cli import options as o
from runoff.cli.choose import listed
from runoff.words.names import SpendingName

if TYPE_CHECKING:
    from runoff.methods.sequential import SequentialDesign

NewRuns = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUNS",
        help="The runs that are new at this look, and only these; none: what is known so far.",
        show_default=False,
    ),
]
New = Annotated[bool, typer.Option("--new", help="Write DESIGN.toml, of the options below; it must not be there yet.")]
Looks = Annotated[
    str | None,
    typer.Option("--looks", metavar="N,M,…", help="Runs of each algorithm on each task at the looks: 5,10,15,20."),
]
Spent = Annotated[
    str | None, typer.Option("--spending", help=f"How alpha is spent: {o.names(SpendingName)} (default pocock).")
]
Margin = Annotated[
    float | None, typer.Option("--margin", metavar="D", help="Mean scores that differ by less are equivalent.")
]
Effect = Annotated[
    float | None,
    typer.Option("--effect", metavar="D", help="A difference worth finding: stop where the chance to is small."),
]
Futility = Annotated[float | None, typer.Option("--futility", help="How small (default 0.1).")]
CostPerRun = Annotated[
    float | None, typer.Option("--cost-per-run", metavar="C", help="In any unit (default 1: runs are counted).")
]
Draws = Annotated[int | None, typer.Option("--draws", help="Relabellings that are drawn (default 19999).")]
Budget = Annotated[float | None, typer.Option("--budget", metavar="B", help="In the same unit.")]


@dataclass(frozen=True, kw_only=True)
class Runs(o.Source):
    """The new runs, if there are any."""

    path: NewRuns = None  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What --new writes; --algorithms and --tasks are taken from the options of the runs."""

    new: New = False
    looks: Looks = None
    alpha: o.Alpha = None
    spending: Spent = None
    margin: Margin = None
    effect: Effect = None
    futility: Futility = None
    cost_per_run: CostPerRun = None
    budget: Budget = None
    draws: Draws = None
    seed: o.Seed = None

    def design(self, runs: Runs) -> SequentialDesign:
        """Return the design that the options declare."""
        from runoff.methods.sequential import SequentialDesign

        if runs.path:
            raise typer.BadParameter("--new writes a design before there are runs; leave them out")
        if self.looks is None:
            raise typer.BadParameter("--new needs --looks, the runs per task at each look, such as --looks 5,10,15,20")
        asked: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        given = o.given(**{key: value for key, value in asked.items() if key not in ("new", "looks", "draws")})
        names: dict[str, Any] = {key: tuple(listed(getattr(runs, key), ()) or ()) for key in ("algorithms", "tasks")}
        return SequentialDesign(looks=_whole(self.looks), **given, **o.given(n_resamples=self.draws), **names)

    def refuse(self) -> None:
        """Refuse options of a design without --new."""
        for field in fields(self):
            if field.name != "new" and getattr(self, field.name) is not None:
                flag = field.name.replace("_", "-")
                raise typer.BadParameter(f"--{flag} belongs to the design, which is not changed; write it with --new")


def _whole(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter(f"--looks takes whole numbers with commas between, not {text!r}") from None
