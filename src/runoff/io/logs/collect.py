"""A path → the logs in it: claimed, read, named; the one thing that tables of runs and surveys are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runoff.base.random import in_threads
from runoff.errors import DataError
from runoff.io._paths import shown
from runoff.io.logs.base import Claim, Deleted, Happening, Log, Wish
from runoff.io.logs.claims import Tree
from runoff.io.logs.config import configuration
from runoff.io.logs.hydra import chosen, job
from runoff.io.logs.mapping import Mapped
from runoff.io.logs.naming import Named, name_all
from runoff.io.logs.settings import differing
from runoff.io.logs.tools import TOOLS

Happened = tuple[str, Happening]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """The named logs of a tree, what happened (with its place), and what cannot be told of their names."""

    tree: Tree
    named: tuple[Named, ...]
    happened: tuple[Happened, ...]
    unclear: tuple[str, ...] = ()

    def whole(self) -> Collected:
        """Return the logs without those that lack a name.

        Raises
        ------
        DataError
            What the names of folders are cannot be told.
        """
        if self.unclear:
            raise DataError(f"{self.tree.place}: {self.unclear[0]}")
        lacking = [
            (one.log.place, Happening(policy="lacks_name", where=f"the {one.lacks}")) for one in self.named if one.lacks
        ]
        return replace(
            self, named=tuple(one for one in self.named if not one.lacks), happened=(*self.happened, *lacking)
        )

    def by_tool(self) -> Mapping[str, list[Named]]:
        """Return the logs of each tool, in the order of the registry."""
        return {name: logs for name in TOOLS if (logs := [one for one in self.named if one.log.claim.tool == name])}


def collect(tree: Tree, wish: Wish, mapped: Mapped) -> Collected:
    """Return the logs of the runs of a tree; one that cannot be read is told and left out.

    Raises
    ------
    DataError
        The user's pattern does not fit a path.
    """
    mapped.refuse_unused(["/".join(claim.parts) for claim in tree.claims])
    left_out = [claim for claim in tree.claims if mapped.leaves_out("/".join(claim.parts))]
    claims = [claim for claim in tree.claims if claim not in left_out]
    read = in_threads(lambda claim: _read(claim, wish), claims)
    logs = [log for logs, _ in read for log in logs]
    happened = [one for _, found in read for one in found]
    happened += [(claim.place, Happening(policy="other_tool", where=TOOLS[claim.tool].title)) for claim in tree.second]
    happened += [(claim.place, Happening(policy="left_out")) for claim in left_out]
    missed = tree.missed() if tree.claims else ()  # without a log, tables are read as tables
    happened += [(shown(name), Happening(policy="not_understood")) for name in missed]
    happened += [(place, Happening(policy="unsearched", where=why)) for place, why in tree.refused]
    happened += [(log.place, one) for log in logs for one in log.happened]
    found = name_all(logs, mapped, tree.name)
    happened += [*found.happened, *differing(found.named)]
    return Collected(tree=tree, named=found.named, happened=tuple(happened), unclear=found.unclear)


def _read(claim: Claim, wish: Wish) -> tuple[Sequence[Log], list[Happened]]:
    try:
        logs = TOOLS[claim.tool].read(claim, wish)
    except Deleted:
        return [], [(claim.place, Happening(policy="deleted"))]
    except DataError as refusal:
        return [], [(claim.place, Happening(policy="unreadable", where=str(refusal).removesuffix(".")))]
    folders = [*_folders(claim)]
    config, unread = configuration(folders)
    choices, refused = chosen(folders, config)
    config, unread = {**config, **choices}, [*unread, *refused]
    happened = [(claim.place, Happening(policy="config_unread", where=text.removesuffix("."))) for text in unread]
    return [replace(log, config={**config, **log.config}) for log in logs], happened


def _folders(claim: Claim) -> Iterator[Path]:
    """Yield the folders where the configuration of a run may lie."""
    own = claim.path if claim.path.is_dir() else claim.path.parent
    if claim.path.is_dir():
        yield own
    yield from (file.path.parent for file in claim.files)
    yield from job(own, len(claim.parts))
