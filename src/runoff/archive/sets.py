"""The sets of the archive: the content of each `set.toml`, and the names of tasks. Nothing here reads the scores of runs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from runoff.base.ports import exits
from runoff.cells import Column, ColumnsOf, InTables, Name, Table
from runoff.errors import OptionError, nearest
from runoff.words.numbers import counted
from runoff.words.numbers import listed as names_listed
from runoff.words.speech import choice

ROOM = Path(__file__).parent
FILE = "runs.parquet"
UNKNOWN = "unknown"
DIFFERS = "differs between algorithms"
OF_SOME = "known of some algorithms"
Kind = Literal["runs", "single", "tuning"]
KINDS: Mapping[Kind, str] = {
    "runs": "repeated runs",
    "single": "one run for each algorithm and task, which can be drawn as a reference line but not tested against",
    "tuning": "a hyperparameter sweep, whose rows are configurations and not repeated runs, and cannot be tested against",
}
PROTOCOL = {
    "score": "score",
    "version": "version of the benchmark",
    "unit": "unit",
    "steps": "steps count",
    "budget": "steps of training (about)",
    "observations": "observations",
    "action_repeat": "action repeat",
    "frame_skip": "frame skip",
    "sticky_actions": "sticky actions",
    "final": "score of a run",
    "episodes": "episodes per score",
    "deterministic": "deterministic policy",
    "levels": "levels",
    "tuned": "hyperparameters tuned per task",
}
"""The keys of a protocol, in words. A key that a set does not state is "unknown"."""
MOST = 8
"""The largest number of sets that are suggested because their names begin with the given text."""
PREFIXES = (
    "atari",
    "dmc",
    "dm_control",
    "dm-control",
    "gym",
    "procgen",
    "dmlab",
    "mw",
    "metaworld",
    "meta-world",
    "mujoco",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSet:
    """The known facts about a set; "unknown" if the source does not give one.

    Attributes
    ----------
    name, title : str
    kind : "runs", "single" or "tuning"
        Repeated runs; one run for each algorithm and task; or the rows of a sweep, one or more for each configuration.
    benchmark, version : str
    reference : str or None
        The registered reference scores by which the scores may be normalised, if all tasks have them.
    normalized : str or None
        The source that normalised the scores already, if any.
    ran_by, repository, path, commit, date, license, citation : str
        The source of the runs, and the BibTeX entry of their paper.
    quirks : tuple of str
        Known problems to consider before the numbers are used.
    algorithms : Mapping[str, tuple[int, int, int]]
        For each algorithm the number of its tasks and runs, and its last step (0 if the set has no steps).
    tasks : Mapping[str, tuple of str]
        For each task its spellings in the source.
    n_runs : int
    all_series : tuple of str
        "score", and the other logged quantities, such as "success".
    twins, mixed : Mapping[str, int]
        By algorithm: the number of runs that repeat other runs in the source and are left out, and of labels that stand for several runs and
        have an end score without a curve.
    shared : Mapping[str, int]
        The number of runs that are in another set too.
    sha256 : str
        The digest of the file of runs.
    of_all, of_algorithm : Mapping
        The protocol in `set.toml`, for all algorithms and for single ones; `protocol` joins them.
    """

    name: str
    title: str
    kind: Kind
    benchmark: str
    version: str
    reference: str | None
    normalized: str | None
    ran_by: str
    repository: str
    path: str
    commit: str
    date: str
    license: str
    citation: str
    quirks: tuple[str, ...]
    algorithms: Mapping[str, tuple[int, int, int]]
    tasks: Mapping[str, tuple[str, ...]]
    n_runs: int
    all_series: tuple[str, ...]
    twins: Mapping[str, int]
    mixed: Mapping[str, int]
    shared: Mapping[str, int]
    sha256: str
    of_all: Mapping[str, str]
    of_algorithm: Mapping[str, Mapping[str, str]]

    def protocol(self, *algorithms: str) -> Mapping[str, str]:
        """Return the protocol of these algorithms, or of all: every key of `PROTOCOL`, "unknown" if it is not stated.

        If two algorithms differ, the value is "differs between algorithms"; if it is stated for some only, "known of some algorithms".

        Raises
        ------
        OptionError
            The set has no such algorithm; the nearest name is suggested.
        """
        values: dict[str, dict[str, None]] = {key: {} for key in PROTOCOL}
        for name in algorithms or self.algorithms:
            if name not in self.algorithms:
                raise OptionError(f"set {self.name!r} has no algorithm {name!r}.{nearest(name, self.algorithms)}")
            last = self.algorithms[name][2]
            own = {"budget": length_of([last]), "final": "the last evaluation"} if last else {}
            # From the general to the particular: the later entry wins.
            own |= {"version": self.version, **self.of_all, **self.of_algorithm.get(name, {})}
            for key, several in values.items():
                several[own.get(key, UNKNOWN)] = None
        return {
            key: "".join(several) if len(several) == 1 else OF_SOME if UNKNOWN in several else DIFFERS
            for key, several in values.items()
        }

    def notes(self, algorithms: Container[str] | None = None) -> tuple[str, ...]:
        """Return the known problems to consider before the numbers of these algorithms, or of all, are used."""
        left_out, joined = (
            {a: n for a, n in of.items() if algorithms is None or a in algorithms or a not in self.algorithms}
            for of in (self.twins, self.mixed)
        )
        return (
            *self.quirks,
            *(
                f"{counted([n], 'run')} of {a} left out because the source has the same numbers elsewhere"
                for a, n in left_out.items()
            ),
            *(
                f"{counted([n], 'label')} of {a} for several runs of the source, whose end scores have no curves"
                for a, n in joined.items()
            ),
            *(
                f"{n} of the {self.n_runs} runs are in set {name} too: never count them twice"
                for name, n in self.shared.items()
            ),
        )

    @property
    def license_text(self) -> str:
        """The text of the licence."""
        return (ROOM / self.name / "LICENSE").read_text(encoding="utf-8")

    def __str__(self) -> str:
        sizes = {"algorithm": len(self.algorithms), "task": len(self.tasks), "run": self.n_runs}
        return f"{self.name} ({self.title}): {', '.join(counted([n], noun) for noun, n in sizes.items())}"


class ArchiveSets(tuple[ArchiveSet, ...], InTables):
    """Sets of published runs, shown as a table everywhere."""

    __slots__ = ()

    @property
    def sentence(self) -> str:
        """How many sets there are."""
        return f"{len(self)} sets of published runs"

    def __str__(self) -> str:
        return exits().printed(self.sentence, "", self.tables(), [], "")

    def _heading(self) -> Sequence[str]:
        return [self.sentence]

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each set."""
        names = [Name(f"{card.name}{f' ({card.kind})' * (card.kind != 'runs')}", "set") for card in self]
        n_keys = [sum(value != UNKNOWN for value in card.protocol().values()) for card in self]
        column = ColumnsOf(self)
        return (
            Table(
                role="sets",
                title="Sets",
                caption=f"Protocol keys: how many of the {len(PROTOCOL)} settings of a protocol the source states.",
                columns=(
                    Column(key="set", head="Set", cells=names),
                    column("benchmark", "Benchmark", lambda card: _in_short(card.benchmark)),
                    column("algorithms", "Algorithms", lambda card: len(card.algorithms)),
                    column("tasks", "Tasks", lambda card: len(card.tasks)),
                    column("runs", "Runs", lambda card: card.n_runs),
                    Column(key="protocol", head="Protocol keys", cells=n_keys),
                    column("license", "Licence", lambda card: card.license.split(" (")[0]),
                ),
            ),
        )


def _in_short(benchmark: str) -> str:
    first, *others = benchmark.split(", ")
    return f"{first} and {len(others)} more" if len(others) > 1 else benchmark


@cache
def _sets() -> ArchiveSets:
    return ArchiveSets(map(read_set, _names()))


def listed(*, algorithms: str | Sequence[str] | None = None, tasks: str | Sequence[str] | None = None) -> ArchiveSets:
    """Which sets of published runs are there?

    Parameters
    ----------
    algorithms, tasks : str or sequence of str, optional
        Only sets that have all of these; a task in any spelling that `matched` knows.

    Returns
    -------
    ArchiveSets
        A tuple of `ArchiveSet`, sorted by name; a notebook shows it as a table.

    Raises
    ------
    OptionError
        No set has all of them.

    Examples
    --------
    >>> import runoff as ro
    >>> print(ro.archive.list()[0])
    alm (ALM on MuJoCo): 1 algorithm, 6 tasks, 29 runs
    >>> [card.name for card in ro.archive.list(tasks="Pong", algorithms="SPR")]
    ['atari_100k', 'primacy_atari100k']
    """
    runs, wanted = ([name] if isinstance(name, str) else [*(name or ())] for name in (algorithms, tasks))
    folded = {name.casefold() for name in runs}
    cards = [card for card in _sets() if folded <= {name.casefold() for name in card.algorithms}]
    cards = [card for card in cards if None not in matched(wanted, card).values()]
    if not cards:
        there = {name for card in _sets() for name in (*card.algorithms, *card.tasks)}
        near = next((near for name in (*runs, *wanted) if name not in there and (near := nearest(name, there))), "")
        raise OptionError(f"no set of the archive has {names_listed([*runs, *wanted])}.{near}")
    return ArchiveSets(cards)


# Python's own refusals name a function as it was defined: `runoff.archive.list`.
listed.__name__ = listed.__qualname__ = "list"


def info(set: str) -> ArchiveSet:
    """What is known about one set: who ran it, how, under which licence, and how to cite it?

    Raises
    ------
    OptionError
        There is no such set; the nearest name is suggested.

    Examples
    --------
    >>> import runoff as ro
    >>> ro.archive.info("primacy_dmc").protocol("DRQ")["observations"]
    'images'
    """
    if set not in _names():
        lists = choice("archive.list()", "runoff archive")
        begun = [name for name in _names() if set and name.startswith(str(set))]
        near = (
            f" Did you mean {' or '.join(map(repr, begun))}?" if 0 < len(begun) <= MOST else nearest(str(set), _names())
        )
        own = [
            f"{card.name}:{name}"
            for card in listed()
            for name in card.algorithms
            if name.casefold() == str(set).casefold()
        ]
        near = f" It is an algorithm: {', '.join(own)}." if own and not begun else near
        raise OptionError(f"the archive has no set {set!r}; {lists} lists its {len(_names())} sets.{near}")
    return read_set(set)


def length_of(ends: Iterable[float]) -> str:
    """Return the length of training runs that end at these steps, in two digits: the last evaluation of 400000 steps may be at 399988.

    >>> length_of([399_988.0, 1e6])
    '400000 to 1000000'
    """
    steps = [float(f"{end:.1e}") for end in ends]
    return " to ".join(dict.fromkeys(f"{end:.0f}" for end in (min(steps), max(steps))))


def set_of(name: str) -> ArchiveSet | None:
    """Return the set in the name of a published algorithm, such as "atari_100k:SPR"; None for other names."""
    head, colon, _ = name.partition(":")
    head = head.partition("@")[0]
    return read_set(head) if colon and head in _names() else None


@cache
def _names() -> tuple[str, ...]:
    # The folders are the registry: a set that is added is listed.
    return tuple(sorted(file.parent.name for file in ROOM.glob("*/set.toml")))


@cache
def read_set(name: str) -> ArchiveSet:
    """Return the content of `set.toml`."""
    settings: dict[str, Any] = tomllib.loads((ROOM / name / "set.toml").read_text(encoding="utf-8"))
    built: dict[str, Any] = settings.pop("built", {})
    texts = {key: value for key, value in settings.items() if isinstance(value, str)}
    counts: dict[str, Any] = {key: MappingProxyType(built.get(key, {})) for key in ("twins", "mixed", "shared")}
    return ArchiveSet(
        name=name,
        **{"reference": None, "normalized": None, **texts, **counts},
        quirks=tuple(settings["quirks"]),
        algorithms=MappingProxyType({a: tuple(n) for a, n in built.get("algorithms", {}).items()}),
        tasks=MappingProxyType({task: tuple(spellings) for task, spellings in settings["tasks"].items()}),
        n_runs=built.get("runs", 0),
        all_series=tuple(built.get("series", ())),
        sha256=built.get("sha256", ""),
        of_all=MappingProxyType(settings["protocol"]),
        of_algorithm=MappingProxyType(settings.get("protocol_of", {})),
    )


# ── names of tasks ──────────


def matched(tasks: Iterable[str], set: ArchiveSet) -> dict[str, str | None]:
    """Which task of a set does each of these names mean?

    A name matches in the spelling of the set or its source, otherwise without the decorations of environments ("ALE/Pong-v5",
    "dmc_walker_walk"). Two names with versions must have the same version: "Hopper-v5" is not "Hopper-v4".

    Returns
    -------
    dict
        For each name the task of the set, or None if there is none.

    Examples
    --------
    >>> import runoff as ro
    >>> ro.archive.matched(["ALE/Pong-v5", "Pogn"], ro.archive.info("atari_100k"))
    {'ALE/Pong-v5': 'Pong', 'Pogn': None}
    """
    from runoff.data.reference import stem

    spelled = {name: task for task, names in set.tasks.items() for name in (*names, task)}
    loose: dict[str, list[str]] = {}
    for name, task in spelled.items():
        loose.setdefault(stem(name, PREFIXES), []).append(task)
    return {name: spelled.get(name) or _meant(name, loose.get(stem(name, PREFIXES), [])) for name in tasks}


def _meant(name: str, candidates: Iterable[str]) -> str | None:
    """Return the only candidate with the version of the name, if both have one."""
    # -v2 and -v4 of an environment have other dynamics or rewards, and scores are not comparable.
    version = version_of(name)
    # Two tasks that fit are no answer; a set of names counts a task once, however it is spelled.
    fitting = {task for task in candidates if not version or not version_of(task) or version_of(task) == version}
    return fitting.pop() if len(fitting) == 1 else None


def version_of(name: str) -> str:
    """Return the version at the end of a task's name, such as "-v4"; "" if it has none."""
    end = re.search(r"-v\d+$", name)
    return end[0] if end else ""
