"""Acme: `ID/logs/LABEL/logs.csv`, a table for each of a run's processes (evaluator, actor, learner)."""

from __future__ import annotations

from runoff.io.logs.axis import counts_steps
from runoff.io.logs.base import Claim, Folder, Log, Part, Tool, Wish
from runoff.io.logs.rows import log_of, merged
from runoff.io.logs.wire.lines import table_series

NAME = "acme"
FILE, FOLDER = "logs.csv", "logs"


def find(folder: Folder) -> list[Claim]:
    """Return the run two folders above a logs.csv whose header counts steps."""
    if FILE not in folder.files or folder.path.parent.name != FOLDER:
        return []
    names = folder.head(FILE).partition(b"\n")[0].decode("utf-8", "replace").strip().split(",")
    if not any(map(counts_steps, names)):
        return []
    part = Part(folder.path / FILE, prefix=f"{folder.path.name}/")
    return [Claim(tool=NAME, path=folder.path.parent.parent, parts=folder.parts[:-2], files=(part,))]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run: the series of each process under its label, against the steps that its own table counts."""
    return [log_of(claim, merged(table_series(part, wish) for part in claim.files))]


ACME = Tool(
    title="Acme",
    layout="`ID/logs/LABEL/logs.csv`: a table with a header for the evaluator, the actor and the learner; the folder ID is the run",
    find=find,
    read=read,
)
