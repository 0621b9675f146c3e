"""runoff diff: what changed between two results?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from runoff.cli import options as o
from runoff.cli.record import show_record
from runoff.cli.terminal import said_first_and_last, say_some, show_notes, show_tables
from runoff.cli.verb import verb
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from runoff.answer.saved import SavedComparison
    from runoff.data.baseline import Baseline
    from runoff.data.scores import Scores

ABOUT = """
path OLD NEW: Two results: each is results.json or the folder of a report, the output of compare --json, a baseline of the gate, or runs.
"""


BESIDE = ("sentence", "n_verdicts", "n_changed", "old_leader", "new_leader", "cautions", "options", "runs", "notes")
"""The fields that `--json` prints in addition to the pairs."""


@dataclass(frozen=True, kw_only=True)
class TwoSides(o.SourceOptions):
    """Two results, or runs that are read with these options."""

    path: list[str]

    def sides(self) -> tuple[Any, Any]:
        if len(self.path) != 2:
            many = (
                f"diff takes two results, OLD and NEW, not {len(self.path)} (several files of runs: a glob in quotes)"
            )
            raise typer.BadParameter(many)
        old, new = map(self._side, self.path)
        return old, new

    def _side(self, path: str) -> SavedComparison | Baseline | Scores:
        from runoff.methods.diff import no_result, result_at

        result = result_at(path)
        if result is not None:
            return result
        with no_result(path):
            return o.SourceOptions(**{**o.options_of(self, o.SourceOptions), "path": [path]}).read()


@verb
def diff(*, sides: TwoSides, json: bool = False) -> None:
    """Show what changed between two results, and why.

    $ runoff compare classic_control --algorithms ARS,CEM --json > old.json
    $ runoff diff old.json classic_control --algorithms ARS,CEM --last 10%
    """
    from runoff.answer.base import plain
    from runoff.cli.progress import progress
    from runoff.methods.diff import diff as changes

    with progress() as tell:
        tell("reading", 0.0)
        old, new = sides.sides()
        tell("comparing", 0.5)
        result = changes(old, new)
    if json:
        own = {name: plain(getattr(result, name)) for name in BESIDE}
        show_record({"records": result.to_records(), **own}, of=[result])
        return
    with said_first_and_last(result.sentence) as console:
        show_tables(console, result.tables())
        # Of what went nothing has to be done.
        come = [caution for caution in result.cautions if caution.new_severity is not None]
        say_some(console, [f"{caution.code} {in_shell(caution.text)}" for caution in come], "caution")
        show_notes(console, result.notes)
