"""Fresh runs beside those of a sweep: whether they are its own, of which settings they are, and what they do not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from runoff._inference.tuning.sweep import ConfiguredRuns, SweepRuns
from runoff.data.scores import Scores
from runoff.data.sweeps import alias_words, differing, renamed
from runoff.errors import DesignError
from runoff.tables.columns import listed
from runoff.tables.equal import ONE_CONFIG, ConfigSettings, written
from runoff.words.speech import option

UNSAID = "the fresh runs do not name their settings: they are taken as runs of the chosen settings"


def refuse_own_runs(sweep: SweepRuns, fresh: Scores) -> None:
    """Refuse fresh runs that are runs of the sweep: of one name and score, or several of one score each under other names.

    Where runs of the sweep share a score (rates, a return of 500), equal ones are no sign.
    """
    for a, algorithm in enumerate(sweep.scores.algorithms):
        names: list[str] = []
        by_score: list[str] = []
        for t, task in enumerate(sweep.scores.tasks):
            if algorithm not in fresh.algorithms or task not in fresh.tasks:
                continue
            labels, values = sweep.scores.labelled(a, t)
            if np.unique(values).size < values.size:
                continue
            of_value = dict(zip(values.tolist(), labels, strict=True))
            again = zip(*fresh.labelled(fresh.algorithms.index(algorithm), fresh.tasks.index(task)), strict=True)
            for label, value in again:
                if (there := of_value.get(float(value))) is not None:
                    where = f"{label!r} on {task!r} ({value:g})"
                    by_score.append(where)
                    names += [where] * (there.removesuffix(label) == "" or there.endswith(f" run {label}"))
        if names or len(by_score) > 1:
            which, n = (names or by_score)[0], len(by_score)
            raise DesignError(
                f"{option('judged')} has runs of the sweep itself: run {which} of {algorithm!r} has the same score in both"
                f"{f', and {n - 1} more do' * (n > 1)}; runs that chose a setting judge it too well: train what was chosen again, with other "
                "seeds, and give these runs alone."
            )


def refuse_unchosen(where: str, runs: ConfiguredRuns, config: str, fresh: Scores, labels: Sequence[str]) -> None:
    """Refuse the fresh runs of a cell that are of another configuration than the one that the sweep chose there."""
    of_run: Mapping[str, str] = dict(fresh.sampling.configs)
    chosen = runs.settings[config]
    there = sorted({of_run[label] for label in labels if label in of_run})
    other = next((own for own in there if not _may_be(config, chosen, own, fresh.sampling.settings_of(own))), None)
    if other is None:
        return
    settings = fresh.sampling.settings_of(other)
    theirs, ours = _both_sides(chosen, settings) or (other, config)
    raise DesignError(
        f"{option('judged')} has runs of {where} with setting {theirs!r}, the sweep chose {ours!r}: fresh runs are of what was chosen"
        f"{alias_words(chosen, settings)}."
    )


def _may_be(config: str, chosen: ConfigSettings, other: str, named: ConfigSettings) -> bool:
    """Return whether runs of one configuration may be of another: equal in all settings that both name; where one names none, by label."""
    if not (chosen and named):
        return config == other or ONE_CONFIG in (config, other)
    named = renamed(chosen, named)
    return bool(chosen.keys() & named.keys()) and not differing(chosen, named)


def _both_sides(chosen: ConfigSettings, other: ConfigSettings) -> tuple[str, str] | None:
    """Return the settings in which another configuration differs from the chosen one, as it has them and as chosen; None where none does."""
    places = dict(zip(renamed(chosen, other), other, strict=True))
    names = differing(chosen, renamed(chosen, other))
    theirs = [(places[name], other[places[name]]) for name in names]
    return (written(theirs, None), written(((name, chosen[name]) for name in names), None)) if names else None


def unsaid(chosen: Sequence[tuple[ConfiguredRuns, Sequence[str]]], fresh: Scores) -> list[str]:
    """Return what is noted of settings that were chosen, by algorithm, and that the fresh runs do not name."""
    of_run: Mapping[str, str] = dict(fresh.sampling.configs)
    missing: dict[str, list[str]] = {}
    silent: list[str] = []
    for runs, configs in chosen:
        a = fresh.algorithms.index(runs.name)
        labels = {label for t in range(fresh.n_tasks) for label in fresh.labelled(a, t)[0]}
        there = {of_run.get(label, ONE_CONFIG) for label in labels}
        named = [fresh.sampling.settings_of(config) for config in there]
        wanted = dict.fromkeys(name for config in configs for name in runs.settings[config])
        lacking = [name for name in wanted if any(name not in renamed(dict.fromkeys(wanted, ""), own) for own in named)]
        if there == {ONE_CONFIG} and {*configs} != {ONE_CONFIG} and not any(named):
            silent.append(runs.name)
        elif lacking:
            missing[runs.name] = lacking
    if silent and len(silent) == sum({*configs} != {ONE_CONFIG} for _, configs in chosen):
        return [UNSAID]
    who = UNSAID.replace("runs", f"runs of {listed(silent)}", 1)
    return [
        *([who] if silent else []),
        *(
            f"the fresh runs of {name!r} do not say {listed(own)}, and are taken as runs with what the sweep chose"
            for name, own in missing.items()
        ),
    ]
