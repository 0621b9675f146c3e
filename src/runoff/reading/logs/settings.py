"""The settings of runs: settings in which runs of an algorithm differ by intent make its configurations; all others are left out, and named."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from runoff.tables.configs import spelling
from runoff.tables.equal import LONGEST
from runoff.tables.labels import Labels
from runoff.tables.settings import follows
from runoff.words.labels import has_setting
from runoff.words.patterns import regex
from runoff.words.words import vocabulary, words

RunSettings = Mapping[str, Any]
"""The flat settings of a run, by dotted names."""

OF_ONE_RUN = vocabulary(
    "seed id uid uuid dir directory folder path file name date time timestamp start host hostname node gpu gpus device devices cuda pid port "
    "commit hash git version log logs logger logging wandb track user group tag tags note notes job trial run worker workers rank key keys"
)
"""Words of settings that may differ between runs of one algorithm."""
SECTIONS = vocabulary("log logs logger logging wandb track hydra git user")
"""Words of groups of settings that may all differ."""
OF_ONE_PLACE = regex(r"^(\.{0,2}|~|[A-Za-z]:)[/\\]|(19|20)\d\d[-_./]?[01]\d[-_./]?[0-3]\d")
"""Values that are paths or dates, which are places and times and not settings."""
FEWEST = 4
"""The fewest runs from which on two values that several runs each have make configurations, whatever the setting; a setting that is commonly
tuned makes them of any two runs."""
SHOWN = 3
ABSENT = "?"
"""The value of a setting that a configuration lacks."""
OF_A_RUN = vocabulary("experiment exp project model agent")
"""Parts of configurations whose names are those of a run, or of its algorithm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """The settings that make configurations, in order; those that follow from one of them, {name: its source}; others that differ; and the
    number of those that do not."""

    settings: tuple[str, ...]
    derived: Mapping[str, str]
    of_runs: tuple[str, ...]
    n_constant: int

    def label(self, config: RunSettings, longest: int = LONGEST) -> str:
        """Return the name of a run's configuration: `lr 0.1, width 64`."""
        short = self._short()
        return ", ".join(f"{short[name]} {config.get(name, '?')!s:.{longest}}" for name in self.settings)

    def named(self, config: RunSettings) -> dict[str, str]:
        """Return the settings in a run's configuration, {name: value}: {"lr": "0.1", "width": "64"}."""
        short = {**{name: _last(name) for name in self.derived}, **self._short()}
        return {short[name]: spelling(config[name]) or "None" for name in short if name in config}

    def _short(self) -> dict[str, str]:
        last = [_last(name) for name in self.settings]
        return {name: end if last.count(end) == 1 else name for name, end in zip(self.settings, last, strict=True)}

    @property
    def left_out(self) -> str:
        """The settings that make no configuration, in words; "" if there are none."""
        derived = [f"{name} (follows from {source})" for name, source in self.derived.items()]
        parts = [", ".join(names[:8]) + (" …" if len(names) > 8 else "") for names in (derived, self.of_runs) if names]
        same = f"{self.n_constant} that are the same in all runs" if self.n_constant else ""
        return "; ".join(filter(None, (*parts, same)))


def swept(
    cells: Sequence[Sequence[RunSettings]], given: Sequence[str] = (), wanted: Collection[str] = frozenset()
) -> Swept:
    """Return the settings in which runs of an algorithm differ as configurations do; cells: its runs on each task; given: by a pattern.

    wanted: settings that name the configuration in any case, by their last or their whole name.
    """
    configs = [config for cell in cells for config in cell]
    names = list(dict.fromkeys(name for config in configs for name in config))
    differing = list(dict.fromkeys([*given, *(name for cell in cells for name in _differing(cell))]))
    settings = [] if not differing else _fewest(differing, configs, given)
    free = [name for name in differing if name not in settings and not _source(name, settings, configs)]
    settings = [name for name in differing if name in settings or name in free]
    settings += [name for name in names if {name, _last(name)} & {*wanted} and name not in settings]
    derived = {name: _source(name, settings, configs) for name in differing if name not in settings}
    varied = {name for name in names if len({repr(config.get(name)) for config in configs}) > 1}
    of_runs = tuple(name for name in names if name in varied and name not in differing)
    return Swept(
        settings=tuple(settings), derived=derived, of_runs=of_runs, n_constant=sum(name not in varied for name in names)
    )


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _fewest(differing: Sequence[str], configs: Sequence[RunSettings], given: Sequence[str]) -> list[str]:
    """Return settings that distinguish all configurations, the commonly tuned and the least nested first."""
    order = sorted(
        differing, key=lambda name: (name not in given, not has_setting(_last(name)), name.count("."), len(words(name)))
    )
    chosen: list[str] = []
    for name in order:
        if _n_apart((*chosen, name), configs) > _n_apart(chosen, configs):
            chosen.append(name)
    return chosen


def _n_apart(names: Sequence[str], configs: Sequence[RunSettings]) -> int:
    return len({tuple(repr(config.get(name)) for name in names) for config in configs})


def _source(name: str, settings: Sequence[str], configs: Sequence[RunSettings]) -> str:
    """Return the setting, or the settings, from which a setting follows; "" if it was chosen independently, as in random search."""
    single = [own for own in settings if _n_apart((own, name), configs) == _n_apart((own,), configs)]
    labels = {own: Labels.of(repr(config.get(own)) for config in configs) for own in (*settings, name)}
    if source := next((own for own in single if follows(name, own, labels, settings)), ""):
        return source
    levels = [_n_apart((own,), configs) for own in settings]
    whole = len(settings) > 1 and _n_apart(settings, configs) == math.prod(levels)
    return ", ".join(settings) if whole and not single else ""


def _differing(configs: Sequence[RunSettings]) -> Iterator[str]:
    """Yield the settings in which the runs of a cell differ as configurations do."""
    for name in dict.fromkeys(name for config in configs for name in config):
        if of_one_run(name):
            continue
        # Values may be lists; each value of a configuration is there at least twice, unless the setting is one that
        # people tune. A switch may be there in some configurations alone.
        values = [config.get(name, ABSENT) for config in configs]
        counts = Counter(map(repr, values))
        placed = any(isinstance(value, str) and OF_ONE_PLACE.search(value) for value in values)
        several = len(configs) >= FEWEST and min(counts.values()) > 1
        if len(counts) > 1 and not placed and (several or (has_setting(_last(name)) and ABSENT not in values)):
            yield name


def of_one_run(name: str) -> bool:
    """Return whether a setting may differ between runs of one algorithm: a seed, a folder, or a logging option."""
    *above, last = name.split(".")
    # `optimizer.name` is a setting, `wandb.name` and `experiment.name` are of the run; `model.class_path` is a class of Lightning's.
    if above and (last == "class_path" or (last == "name" and not OF_A_RUN.intersection(words(above[-1])))):
        *above, last = above
    return bool(
        OF_ONE_RUN.intersection(words(last)) or SECTIONS.intersection(word for part in above for word in words(part))
    )


def different(first: RunSettings, second: RunSettings) -> list[str]:
    """Return the settings in which two configurations differ, except those in which runs of one algorithm may differ."""
    shared = (name for name in first if name in second and not of_one_run(name))
    differing = (name for name in shared if first[name] != second[name])
    return [f"{name}: {first[name]!r:.30} and {second[name]!r:.30}" for name in islice(differing, SHOWN)]
