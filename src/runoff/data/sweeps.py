"""Runs of several configurations: their number by algorithm, the refusal to pool them, and each configuration as an algorithm of its own."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import numpy as np

from runoff.base.arrays import Ints
from runoff.data.provenance import Caveat, Provenance, Sampling
from runoff.errors import LONGEST_NAME, DesignError
from runoff.tables.equal import aliases, same_value
from runoff.words.numbers import counted
from runoff.words.speech import choice
from runoff.words.speech import column as column_words


class LabelledRuns(Protocol):
    """Runs of algorithms on tasks, each with its label: `Scores` or `Curves`."""

    @property
    def algorithms(self) -> tuple[str, ...]: ...
    @property
    def run_labels(self) -> tuple[str, ...]: ...
    @property
    def n_runs(self) -> Ints: ...
    @property
    def provenance(self) -> Provenance: ...
    @property
    def sampling(self) -> Sampling: ...
    def by_algorithm(self, of_runs: Sequence[str]) -> Any: ...


SweepData = TypeVar("SweepData", bound=LabelledRuns)


def settings_words(data: LabelledRuns) -> str:
    """Return the settings in which runs differ, in the syntax that asks a reader for columns if they exist: `lr?,width?`."""
    names = dict.fromkeys(name for _, own in data.sampling.settings for name, _ in own)
    return ",".join(f"{name}?" for name in names if not {",", "?"} & {*name}) or "config?"


def differing(chosen: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Return the settings, among those that both configurations name, whose values differ."""
    return [name for name, value in chosen.items() if name in other and not same_value(value, other[name])]


def renamed(chosen: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """Return the other settings under the names that the chosen ones have: `learning_rate` becomes `lr`."""
    free = [name for name in chosen if name not in other]
    names = {alias: name for name in free for alias in aliases(name) if alias in other and alias not in chosen}
    return {names.get(name, name): value for name, value in other.items()}


def alias_words(chosen: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Return the hint about a setting with another value that was read under another name; "" if there is none."""
    own = renamed(chosen, other)
    pairs = [(name, next(n for n in other if n not in own)) for name in differing(chosen, own) if name not in other]
    return "".join(
        f"; if {alias!r} is another setting than {name!r}, give that column another name" for name, alias in pairs[:1]
    )


def configs_of(data: LabelledRuns) -> dict[str, tuple[str, ...]]:
    """Return the configurations of each algorithm that has several on a task, in the order of its runs; empty if the data are no sweep."""
    of_run, start = dict(data.sampling.configs), 0
    several: dict[str, list[str]] = {}
    for a, counts in zip(data.algorithms, data.n_runs.tolist() if of_run else (), strict=bool(of_run)):
        by_task = []
        for n in counts:
            by_task.append(dict.fromkeys(of_run.get(run, run) for run in data.run_labels[start : start + n]))
            start += n
        if max(map(len, by_task)) > 1:
            several[a] = list(dict.fromkeys(name for names in by_task for name in names))
    return {a: tuple(names) for a, names in several.items()}


def sweep_words(data: LabelledRuns) -> str:
    """Return the sentence on how many configurations each algorithm has; "" if the data are no sweep."""
    several = configs_of(data)
    if not several:
        return ""
    counts = [f"{a} has {counted([len(several.get(a, ' '))], 'configuration')}" for a in data.algorithms]
    shown = counts if len(counts) < 5 else [*counts[:3], f"{len(counts) - 3} more algorithms have some too"]
    example = next(iter(several.values()))
    return f"{', '.join(shown)} ({example[0]!r}, {example[1]!r}, …)"


def variants_option() -> str:
    """Return the name of the option that treats each configuration as an algorithm."""
    return choice("data.variants()", "--variants")


def refuse_sweep(data: LabelledRuns) -> None:
    """Refuse an algorithm with several configurations, whose runs must not be pooled."""
    words = sweep_words(data)
    if not words:
        return
    origin = data.provenance
    files = ["FILE"] if origin.format == "archive" or not origin.path else origin.path.split(", ")
    column = dict(origin.columns).get("config")
    named = shlex.join(files) if len(shlex.join(files)) < LONGEST_NAME else "FILE"  # a refusal cuts long ones
    by_column = f" --config {column if len(files) == 1 else 'COLUMN'}" if column not in (None, "config") else ""
    tuned = choice("tuning", f"runoff tuning {named}{by_column}")
    alone = len(data.algorithms) == 1 and column is not None
    own = f", or use {column_words('algorithm', column or '')} if each is an algorithm" if alone else ""
    raise DesignError(
        f"{words}, whose runs must not be pooled: {tuned} compares algorithms at equal tuning; {variants_option()} treats each "
        f"configuration as an algorithm{own}."
    )


def as_variants(data: SweepData) -> SweepData:
    """Return the runs with each configuration of an algorithm that has several as an algorithm of its own: `sac (lr 0.1)`."""
    several = configs_of(data)
    if not several:
        return data
    of_run = dict(data.sampling.configs)
    owners = np.repeat(data.algorithms, data.n_runs.sum(axis=1)).tolist()
    names = [
        f"{a} ({of_run.get(run, run)})" if a in several else a for a, run in zip(owners, data.run_labels, strict=True)
    ]
    k = max(map(len, several.values()))
    text = (
        f"compare algorithms at equal tuning ({choice('tuning', 'runoff tuning')}): {', '.join(several)} stand here with up to "
        f"{k} configurations each, and the best of them is chosen by the same runs that judge it, which favours it."
    )
    caveat = Caveat(code="R036", severity="warning", text=text)
    split: Any = data.by_algorithm(names)
    steps = dict(data.provenance.steps)
    own = ((name, steps[a]) for name in split.algorithms if (a := _base(name, several)) in steps)
    variants: SweepData = replace(
        split,
        provenance=replace(data.provenance.warning_of(caveat), steps=tuple(own)),
        sampling=replace(data.sampling, configs=(), settings=()),
    )
    return variants


def _base(name: str, several: dict[str, tuple[str, ...]]) -> str:
    return next((a for a, configs in several.items() if name in {f"{a} ({config})" for config in configs}), name)
