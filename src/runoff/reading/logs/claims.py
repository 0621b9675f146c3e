"""Finding the runs in a tree and the tool of each: all folders are walked, every tool examines every folder, and each run belongs to one
tool."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path, PurePath
from typing import Any

from runoff.errors import DataError
from runoff.reading._paths import LEADS_OUT, empty_beside, is_hidden, leads_out, matches_of, shown, unreadable
from runoff.reading.logs.base import ClaimedRun, Folder, LogPart
from runoff.reading.logs.config import HIDDEN
from runoff.reading.logs.config import NAMES as CONFIGURATIONS
from runoff.reading.logs.tools import TOOLS
from runoff.reading.logs.tools.tables import NAMES_A_RUN, is_history, is_table
from runoff.words.labels import KINDS_OF_DATA
from runoff.words.patterns import regex
from runoff.words.words import canonical, vocabulary

# A folder inside itself by a mount has no end, and no sweep leaves trees as deep.
DEEPEST = 24
MOST_ENTRIES = 1_000_000
"""The largest number of files and folders in a tree that is walked."""
PARTS_OF_A_RUN = vocabulary(
    "train training eval evals evaluation test validation log logs tb tensorboard events summaries monitor monitors csv scalars"
)
"""Canonical names of folders that belong to the run above them."""
TABLES = (".csv", ".tsv", ".parquet", ".feather", ".arrow")
OF_LINES = (".jsonl", ".ndjson")
OF_RESULTS = (*TABLES, ".xlsx", ".json", *OF_LINES)
PRINTED = ("printed_tables", "printed_lines")
"""Tools whose texts another program may have made of what a script printed while it wrote logs or results of its own."""
OF_SCRIPTS = "records"
"""The tool of results that a script may have written beside its logs."""
OF_TRACKERS = (".wandb", ".swanlab")
"""Suffixes that no other program gives, of names that are other for each run."""
# They belong to a run beside them, so that they are not counted among the files that nobody understands.
COMPANIONS = (*CONFIGURATIONS, "wandb-metadata.json", "run.json", "readme.md", "source.txt", "meta.yaml")
OF_RUN, MOST_META = regex(r"^run_(?:id|uuid):", re.MULTILINE), 10_000
"""What the meta.yaml of a run of MLflow has, and that of an experiment has not, among its first bytes."""
GRADIENTS = "_grad.csv"
"""What d3rlpy writes of each weight beside the series of a run."""
LogPlace = tuple[Path, tuple[str, ...]]


@dataclass(slots=True)
class Walk:
    """A walk through folders and single files; base: the folder from which on names are read; refused: folders that could not be walked,
    with the reason."""

    base: Path
    starts: tuple[Path, ...]
    refused: list[tuple[str, str]] = field(default_factory=list)
    _seen: set[tuple[int, int]] = field(default_factory=set)

    @classmethod
    def of(cls, paths: Sequence[str | Path]) -> Walk:
        """Return the walk through existing paths, without repetitions."""
        starts = tuple(dict.fromkeys(Path(os.path.abspath(path)) for path in paths))
        # One folder is the root itself; of several the names of these matter (`runs/PPO runs/SAC`), so names begin at
        # what they share.
        if len(starts) == 1:
            return cls(starts[0], starts)
        return cls(Path(os.path.commonpath([start if start.is_dir() else start.parent for start in starts])), starts)

    @property
    def folder(self) -> Path:
        """The folder that contains everything."""
        return self.base if self.base.is_dir() else self.base.parent

    @property
    def searched(self) -> frozenset[Path]:
        """The folders from which the walk starts."""
        return frozenset(filter(Path.is_dir, self.starts))

    def folders(self) -> Generator[Folder, bool | None, None]:
        """Yield the folders, parents first, then the single files grouped by their folder. `send(True)` stops the descent below a folder.

        Folders reached by links come last, so that a folder has its own name if possible.

        A tree of more than `MOST_ENTRIES` files and folders is refused.
        """
        n_entries = 0
        waiting: list[LogPlace] = [(start, self._parts(start)) for start in reversed(self.starts) if start.is_dir()]
        linked: list[LogPlace] = []
        while waiting or linked:
            # A folder that is both there and linked to (`latest`) keeps its own name, for each is opened once and
            # links come last.
            path, parts = waiting.pop() if waiting else linked.pop(0)
            folder = self._open(path, parts)
            if folder is None:
                continue
            n_entries += len(folder.files) + len(folder.folders)
            if n_entries > MOST_ENTRIES:
                message = f"{self.base}: the tree holds more than {MOST_ENTRIES:,} files and folders; name a folder inside it."
                raise DataError(message)
            stop = yield folder
            if stop is not True:
                inner = [(folder.path / name, (*folder.parts, name)) for name in folder.folders]
                if inner and len(folder.parts) >= DEEPEST:
                    why = f"folders are searched {DEEPEST} levels deep; name a folder inside it"
                    inner, self.refused = [], [*self.refused, ("/".join(folder.parts), why)]
                linked += [place for place in inner if place[0].is_symlink()]
                waiting += [place for place in reversed(inner) if not place[0].is_symlink()]
        files = sorted(start for start in self.starts if start.is_file())  # a pipe may never end
        for parent, group in groupby(files, key=lambda path: path.parent):
            status = os.stat(parent)
            if (status.st_dev, status.st_ino) not in self._seen:
                names = tuple(path.name for path in group)
                yield Folder(path=parent, parts=self._parts(parent), files=names, folders=())

    def _parts(self, path: Path) -> tuple[str, ...]:
        return path.relative_to(self.folder).parts

    def _open(self, path: Path, parts: tuple[str, ...]) -> Folder | None:
        """Return a folder that was not seen before under another name; None also if it may not be read, which is noted."""
        try:
            status = os.stat(path)
            with os.scandir(path) as entries:
                visible = [entry for entry in entries if not is_hidden(entry.name)]
                outside = sorted(entry.name for entry in visible if leads_out(entry.path, self.folder))
                visible = [entry for entry in visible if entry.name not in outside]
                files = sorted(entry.name for entry in visible if entry.is_file())
                folders = sorted(entry.name for entry in visible if entry.is_dir())
        except OSError as error:
            self.refused.append(("/".join(parts) or str(path), str(unreadable(path, error)).removesuffix(".")))
            return None
        if (status.st_dev, status.st_ino) in self._seen:
            return None
        self._seen.add((status.st_dev, status.st_ino))
        self.refused += [("/".join((*parts, name)), LEADS_OUT) for name in outside]
        return Folder(path=path, parts=parts, files=tuple(files), folders=tuple(folders))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The runs below some paths: the claims to read, those that belong to a tool earlier in the registry, and other files.

    given: the paths in words; base: the folder from which on names are read; strange: files that no tool knows; without_scores: folders
    with the configuration of a run alone; refused: folders that could not be searched, with the reason; searched: the given folders.
    """

    given: tuple[str, ...]
    base: Path
    claims: tuple[ClaimedRun, ...]
    second: tuple[ClaimedRun, ...]
    strange: tuple[str, ...]
    without_scores: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    searched: frozenset[Path] = frozenset()

    @property
    def place(self) -> str:
        """The given paths in words."""
        return ", ".join(self.given[:3]) + (f", … ({len(self.given)} paths)" if len(self.given) > 3 else "")

    def missed(self) -> tuple[str, ...]:
        """Return the files that no tool knows although they are named like logs that were found here, or as only logs and tables are."""
        called = {part.path.name for claim in (*self.claims, *self.second) for part in claim.files}
        # A run that crashed before its first score printed a text without any.
        printed = {part.path.suffix for claim in self.claims if claim.tool in PRINTED for part in claim.files}
        return tuple(
            name
            for name in self.strange
            if (last := name.rpartition("/")[2]) in called
            or PurePath(last).suffix.casefold() in (*TABLES, *OF_LINES, *OF_TRACKERS, *printed)
        )

    @property
    def folder(self) -> Path:
        """The folder that contains everything."""
        return self.base if self.base.is_dir() else self.base.parent

    @property
    def name(self) -> str:
        """The name of the given folder, for runs without any other name."""
        return self.base.name if self.base.is_dir() else ""

    def shown(self, path: Path) -> str:
        """Return a path in the tree in the form in which the user would write it."""
        return shown(Path(self.given[0], path.relative_to(self.base)) if path.is_relative_to(self.base) else path)

    def not_understood(self) -> str:
        """The line on files that no tool knows; "" if there are none."""
        kinds = Counter(PurePath(name).suffix.casefold() or "(no suffix)" for name in self.strange)
        if not kinds:
            return ""
        listed = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))[:8])
        more = f" and {len(kinds) - 8} more kinds" if len(kinds) > 8 else ""
        return f"not understood as runs: {len(self.strange)} file(s) ({listed}{more}), for example {self.strange[0]}"


def tree_of_logs(path: Any) -> Tree | None:
    """Return the runs of a path if any tool claims files there."""
    if not isinstance(path, str | Path | list | tuple):
        return None
    paths = [path] if isinstance(path, str | Path) else list(path)
    # A pattern is read as what it matches, as the shell would write it out.
    paths = [match for entry in paths for match in matches_of(entry)]
    roots = [Path(entry) for entry in paths if isinstance(entry, str | Path) and str(entry)]
    if not roots or len(roots) < len(paths) or not all(map(os.path.exists, roots)):
        return None
    tree = claim_all(roots)
    return tree if tree.claims else None


def are_tables(tree: Tree) -> bool:
    """Return whether all runs of a tree are tables with headers, which are then read by the rules for tables, because these are stricter
    with names."""
    return all(map(is_table, tree.claims))


def is_one_history(tree: Tree) -> bool:
    """Return whether a tree is a single table whose headers are paths of series, which only loggers write."""
    return len(tree.claims) == 1 and is_history(tree.claims[0])


def claim_all(paths: Sequence[str | Path]) -> Tree:
    """Return the runs of folders and files, sorted by path, without repetitions."""
    by_place: dict[tuple[Path, str], ClaimedRun] = {}
    strange: list[str] = []
    configured: list[Folder] = []
    walk = Walk.of(paths)
    steps = walk.folders()
    folder = next(steps, None)
    while folder is not None:
        claims = [claim for tool in TOOLS.values() for claim in tool.find(folder)]
        folder.heads.clear()
        for claim in map(_to_run, claims):
            # `train` and `eval` of one run are claimed apart and have one place once `_to_run` has gone up: their
            # files are joined.
            place = claim.identity or claim.path, claim.tool
            first = by_place.setdefault(place, claim)
            if first is not claim:
                files = {file.path: file for file in (*first.files, *claim.files)}
                by_place[place] = replace(first, files=tuple(files[path] for path in sorted(files)))
        whole = any(claim.whole for claim in claims)  # then the tool itself reads what lies deeper
        names = {file.path.name for claim in claims for file in claim.files}
        if not whole:
            # They are named to the user: a log in an unknown format must not vanish in silence.
            rest = (name for name in folder.files if name not in names and name.casefold() not in COMPANIONS)
            rest = (name for name in rest if not (names and name.endswith(GRADIENTS)))
            strange += ["/".join((*folder.parts, name)) for name in rest]
        configured += [folder] * bool(_configurations(folder))
        try:
            folder = steps.send(whole)
        except StopIteration:
            folder = None
    claims, second = _beside_files(*_by_precedence(by_place.values(), list(TOOLS)), strange)
    return Tree(
        given=tuple(map(shown, paths)),
        base=walk.base,
        claims=tuple(claims),
        second=tuple(second),
        strange=_unclaimed(strange, [*claims, *second], walk.folder),
        without_scores=_without_scores(configured, [*claims, *second], walk),
        refused=tuple(walk.refused),
        searched=walk.searched,
    )


def _unclaimed(names: Sequence[str], claims: Sequence[ClaimedRun], root: Path) -> tuple[str, ...]:
    """Return the files without those that a tool claims although they lie deeper than the folder of their run."""
    own = {part.path for claim in claims for part in claim.files}
    return tuple(name for name in names if root / name not in own)


def _without_scores(configured: Sequence[Folder], claims: Sequence[ClaimedRun], walk: Walk) -> tuple[str, ...]:
    """Return the folders with the configuration of a run and without its log, among those beside or at the depth of runs configured alike, and
    the empty ones beside those of runs."""
    runs = {claim.folder for claim in claims}
    of_runs = {above for path in runs for above in (path, *path.parents)}
    alike = {
        (len(folder.parts), name) for folder in configured if folder.path in runs for name in _configurations(folder)
    }
    crashed = (
        folder.path
        for folder in configured
        if folder.path not in of_runs
        and runs.isdisjoint(folder.path.parents)
        and any(
            name == HIDDEN or NAMES_A_RUN.search(folder.head(name))
            for name in _configurations(folder)
            if (len(folder.parts), name) in alike
        )
    )
    empty = [path for path in empty_beside(runs, walk.searched, COMPANIONS) if not _is_experiment(path)]
    return tuple(path.relative_to(walk.folder).as_posix() for path in dict.fromkeys((*crashed, *empty)))


def _is_experiment(folder: Path) -> bool:
    """Return whether a folder without runs is an experiment of MLflow, which makes one by the name of Default wherever it logs."""
    meta = folder / "meta.yaml"
    return meta.is_file() and OF_RUN.search(meta.read_bytes()[:MOST_META].decode("utf-8", "replace")) is None


def _configurations(folder: Folder) -> list[str]:
    """Return the names of a folder's configurations; that of a job of Hydra is hidden."""
    return [
        *(name for name in CONFIGURATIONS if name in folder.files),
        *([HIDDEN] if (folder.path / HIDDEN).is_dir() else []),
    ]


def _to_run(claim: ClaimedRun) -> ClaimedRun:
    """Return a claim on a folder that is part of a run as a claim on the run; its series name the part. A file, or a whole folder, is not a
    part."""
    path, parts, prefix = claim.path, claim.parts, ""
    if claim.whole or path.is_file():
        return claim
    # `PPO_1/eval/tb`: as many levels as are parts. `train` and `eval` stay in the names of series, for both may log
    # `return`; `tb` and `csv` say nothing of what was measured.
    while parts and canonical(parts[-1]) in PARTS_OF_A_RUN:
        if canonical(parts[-1]) in KINDS_OF_DATA:
            prefix = f"{parts[-1]}/{prefix}"
        path, parts = path.parent, parts[:-1]
    if path is claim.path:
        return claim
    files = tuple(LogPart(path=file.path, prefix=prefix + file.prefix) for file in claim.files)
    return replace(claim, path=path, parts=parts, files=files)


def _by_precedence(claims: Iterable[ClaimedRun], order: Sequence[str]) -> tuple[list[ClaimedRun], list[ClaimedRun]]:
    """Return the runs of the first tool that claims them, and those claimed again by a second; files of an earlier tool are not runs of a
    later one."""
    first: list[ClaimedRun] = []
    second: list[ClaimedRun] = []
    places: set[Path] = set()
    files: set[Path] = set()
    # Most runs are logged twice, as by TensorBoard and W&B at once. The registry has what says most of a run first
    # (evaluations, configurations), and event files late, for every framework writes them beside its own.
    for claim in sorted(claims, key=lambda claim: (order.index(claim.tool), claim.path)):
        own = {part.path for part in claim.files}
        if not own <= files:
            (second if claim.path in places else first).append(claim)
            places |= {claim.path, *_of_same_name(claim.path)}
        files |= own
    return sorted(first, key=lambda claim: claim.path), second


def _of_same_name(path: Path) -> list[Path]:
    """Return the folders of the name of a JSON file, beside it or around it, which hold what the same run logged elsewhere (BenchMARL)."""
    own = path.with_suffix("")
    return [own, *([path.parent] if own.name == path.parent.name else [])] if path.suffix == ".json" else []


def _beside_files(
    claims: list[ClaimedRun], second: list[ClaimedRun], strange: Sequence[str]
) -> tuple[list[ClaimedRun], list[ClaimedRun]]:
    """Return the runs and those claimed again: records and printed texts in, above or below a folder with logs that a program wrote, printed
    texts also beside records; without any printed ones where the tree has results in tables alone."""
    printed = [claim for claim in claims if claim.tool in PRINTED]
    others = [claim for claim in claims if claim.tool not in PRINTED]
    results = [name for name in strange if PurePath(name).suffix.casefold() in OF_RESULTS]
    # As many JSON files as runs are settings of these; fewer are results.
    written = any(name.casefold().endswith(TABLES) for name in results) or 0 < len(results) < max(2, len(printed))
    if not others and written:
        return [], second
    logs = [claim for claim in others if claim.tool != OF_SCRIPTS]
    scripts = _beside([claim for claim in others if claim.tool == OF_SCRIPTS], logs)
    again = _beside(printed, others)
    # A summary beside a log is no second log.
    second = [claim for claim in (*second, *again) if claim.tool != OF_SCRIPTS]
    left = set(map(id, (*again, *scripts)))
    return [claim for claim in claims if id(claim) not in left], second


def _beside(claims: Sequence[ClaimedRun], others: Sequence[ClaimedRun]) -> list[ClaimedRun]:
    """Return the claims in, above or below the folders of others."""
    places = {claim.folder for claim in others}
    above = {folder for place in places for folder in (place, *place.parents)}
    own = [(claim, claim.folder) for claim in claims]
    return [claim for claim, folder in own if folder in above or not places.isdisjoint(folder.parents)]
