"""Collecting the logs of a tree: claimed, read and named; and the score of every run, one cleaned series for all runs of a tool."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.random import in_threads
from runoff.base.waiting import ticking
from runoff.errors import DataError, OptionError, nearest
from runoff.reading._configured import names_in_config
from runoff.reading._paths import shown
from runoff.reading._pattern import Mapped
from runoff.reading.logs.base import ClaimedRun, Deleted, Happening, Log, Series, SeveralRuns, Wish, WithoutScores
from runoff.reading.logs.claims import Tree
from runoff.reading.logs.config import chosen, configuration, configured_places, job
from runoff.reading.logs.evaluated import with_evaluations
from runoff.reading.logs.metric import (
    SeriesChoice,
    choose,
    in_order,
    is_family,
    own_of_family,
    unknown_metric,
    unnamed_evaluations,
)
from runoff.reading.logs.naming import NamedLog, name_all, repeated, repeats, short
from runoff.reading.logs.rows import TRAININGS, clean
from runoff.reading.logs.tools import TOOLS
from runoff.tables.columns import listed
from runoff.tables.missing import as_cost, as_score
from runoff.tables.values import parsed
from runoff.words.columns import names_quality, preferred
from runoff.words.costs import direction
from runoff.words.speech import neutral, option, series_option
from runoff.words.words import canonical, vocabulary, words

Happened = tuple[str, Happening]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """The named logs of a tree, the events (with their places), and the questions about undecided scores and names."""

    tree: Tree
    named: tuple[NamedLog, ...]
    happened: tuple[Happened, ...]
    unclear: tuple[str, ...] = ()

    def whole(self) -> Collected:
        """Return the logs without those that lack a name; refuse folders whose names are undecided."""
        if self.unclear:
            raise DataError(f"{self.tree.place}: {self.unclear[0]}")
        named = tuple(run for run in self.named if not run.lacks)
        lacking = [(run.log.place, f"the {run.lacks}") for run in self.named if run.lacks]
        happened = [(place, Happening(policy="lacks_name", where=role)) for place, role in lacking]
        return replace(self, named=named, happened=(*self.happened, *happened))

    def choices(self, metric: str | None) -> dict[str, SeriesChoice]:
        """Return the score of each tool's runs, tools in the order of the registry."""
        of_tool = {tool: [run for run in self.named if run.log.claim.tool == tool] for tool in TOOLS}
        return {
            tool: choose(
                TOOLS[tool].title,
                [run.log.extents for run in runs],
                metric,
                cells=[(run.algorithm, run.config, run.task) for run in runs],
            )
            for tool, runs in of_tool.items()
            if runs
        }


def collect(tree: Tree, wish: Wish, mapped: Mapped) -> Collected:
    """Return the logs of a tree's runs; unreadable logs are left out and named; a path that does not match the user's pattern is refused."""
    mapped.refuse_unused(["/".join(claim.parts) for claim in tree.claims])
    left_out = [claim for claim in tree.claims if mapped.leaves_out("/".join(claim.parts))]
    left = set(map(id, left_out))
    claims = [claim for claim in tree.claims if id(claim) not in left]
    tick = ticking("reading logs", len(claims))
    # Threads, for the loops that read bytes run without the interpreter lock; results come in the order of the
    # claims.
    read = in_threads(lambda claim: _read(claim, wish, tick, tree if len(claims) == 1 else None), claims)
    evaluated = with_evaluations([log for logs, _ in read for log in logs], tree, wish)
    tree, logs = evaluated.without_files(tree), _without_settings(evaluated.logs, wish.unused, tree.place)
    logs = _named_by_settings(logs, wish.names, mapped.pattern or "")
    happened = [*(happening for _, names in read for happening in names), *evaluated.happened]
    happened += [(claim.place, Happening(policy="other_tool", where=TOOLS[claim.tool].title)) for claim in tree.second]
    happened += [(claim.place, Happening(policy="left_out")) for claim in left_out]
    missed = tree.missed() if tree.claims else ()  # without a log, tables are read as tables
    happened += [(shown(name), Happening(policy="not_understood")) for name in missed]
    happened += [(place, Happening(policy="without_scores")) for place in tree.without_scores]
    happened += [(place, Happening(policy="unsearched", where=why)) for place, why in tree.refused]
    happened += [(log.place, happening) for log in logs for happening in log.happened]
    names = name_all(logs, mapped, tree.name, wish.settings)
    happened += names.happened
    return Collected(
        tree=tree, named=names.named, happened=tuple(happened), unclear=(*evaluated.questions, *names.unclear)
    )


def _without_settings(logs: list[Log], unused: frozenset[str], place: str) -> list[Log]:
    """Return the logs without some settings, by their last or their whole name; refuse one that neither a setting nor a series is called."""
    settings = {own for log in logs for name in log.config for own in (name, name.rpartition(".")[2])}
    names = settings.union(*(log.extents for log in logs))
    for name in sorted(unused - names):
        raise OptionError(f"{place}: no run has a setting {name!r}.{nearest(name, sorted(settings))}")
    return (
        [
            replace(
                log,
                config={
                    name: value for name, value in log.config.items() if not {name, name.rpartition(".")[2]} & unused
                },
            )
            for log in logs
        ]
        if unused
        else logs
    )


def _named_by_settings(logs: list[Log], names: Mapping[str, str], pattern: str) -> list[Log]:
    """Return the logs with the names that settings of their configurations give them, {role: setting}; refuse one that a run lacks."""
    for role, wanted in names.items():
        if f"{{{role}}}" in pattern:
            raise OptionError(f"{option('columns')} and {option('pattern')} both name the {role}; give one of them.")
        own = [_called(wanted, log) for log in logs]
        lacking = next((log for log, value in zip(logs, own, strict=True) if not value), None)
        if lacking is not None:
            raise OptionError(
                f"{lacking.place}: the configuration has no setting {wanted!r} to name the {role}; use "
                f"{option('pattern', '{algorithm}/{task}_s{run}')}.{nearest(wanted, sorted(lacking.config))}"
            )
        logs = [replace(log, names={**log.names, role: value}) for log, value in zip(logs, own, strict=True)]
    return logs


def _called(wanted: str, log: Log) -> str:
    """Return the value of a setting by its whole name, or by its last piece; refuse a piece in which settings of several values end."""
    ending = {name: str(value).strip() for name, value in log.config.items() if name.rpartition(".")[2] == wanted}
    if wanted in log.config:
        return str(log.config[wanted]).strip()
    if len({*ending.values()}) > 1:
        several = ", ".join(map(repr, sorted(ending)))
        raise OptionError(
            f"{log.place}: the configuration has {len(ending)} settings that end in {wanted!r}; name one of {several}."
        )
    return next(iter(ending.values()), "")


def _read(
    claim: ClaimedRun, wish: Wish, tick: Callable[[], None], alone: Tree | None
) -> tuple[Sequence[Log], list[Happened]]:
    tick()
    try:
        logs = TOOLS[claim.tool].read(claim, wish)
    except Deleted:
        return [], [(claim.place, Happening(policy="deleted"))]
    except DataError as refusal:
        if alone and isinstance(refusal, SeveralRuns) and not _names_algorithm(claim.folder):
            text = str(refusal)
            for part in claim.files:
                text = text.replace(str(part.path), alone.shown(part.path))
            raise SeveralRuns(text) from None
        return [], [(claim.place, Happening(policy="unreadable", where=_within(claim, refusal)))]
    own = claim.folder
    folders = [own] if claim.path.is_dir() else []
    # The nearest folder wins over the job of a sweep above it, whose configuration may hold defaults.
    folders += [*(file.path.parent for file in claim.files), *job(own, len(claim.parts))]
    folders += configured_places(own, claim.parts if claim.path.is_dir() else claim.parts[:-1])[1:]
    config, unread = configuration(folders)
    choices, refused = chosen(folders, config)
    config, unread = {**config, **choices}, [*unread, *refused]
    happened = [(claim.place, Happening(policy="config_unread", where=text)) for text in unread]
    # What the tool itself logged goes before files beside it, which may have been edited or copied.
    return [replace(log, config={**config, **log.config}) for log in logs], happened


def _names_algorithm(folder: Path) -> bool:
    """Return whether a configuration in a folder names an algorithm: then rows that name several of something are no table of algorithms."""
    return "algorithm" in names_in_config(configuration([folder])[0])


def _within(claim: ClaimedRun, refusal: DataError) -> str:
    """Return a refusal without what the place of the log says, beside which it stands."""
    text = neutral(refusal).removesuffix(".").removeprefix(f"{claim.folder}: ").removeprefix(f"{claim.folder}{os.sep}")
    return re.sub(rf"^{re.escape(claim.path.name)}[,:] ", "", text) if claim.place.endswith(claim.path.name) else text


# ── the score of every run ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A run with the cleaned series that is its score."""

    named: NamedLog
    metric: str
    series: Series


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRuns:
    """The runs, sorted by name, each tool's choice, and the events (with their places); failed: runs that failed by their status, or whose
    only score is NaN."""

    runs: tuple[Scored, ...]
    choices: Mapping[str, SeriesChoice]
    happened: tuple[Happened, ...]

    @property
    def failed(self) -> tuple[bool, ...]:
        return tuple(run.series is NEVER or status_of(run.named.log) != "" for run in self.runs)


NEVER = Series(step=np.zeros(1), value=np.full(1, np.nan))
"""The series of a run without any value of the score."""


def status_of(log: Log) -> str:
    """Return the status of a run that ended abnormally, "" for others."""
    return next((happening.where for happening in log.happened if happening.policy == "failed"), "")


def score(collected: Collected, metric: str | None) -> ScoredRuns:
    """Return the runs' scores, one series for all runs of a tool; refuse a series that no run has, runs without a common series, and two
    runs with the same name."""
    choices = _choices(collected, metric)
    scored, happened = _scores(collected, choices)
    scored, copies = _without_copies(scored)
    # sorted, so that the order of files changes nothing
    runs = sorted(scored, key=lambda run: (*run.named.key, run.named.log.place))
    named = [run.named for run in runs]
    if twice := repeats(named):
        raise DataError(f"{short(collected.tree.place)}: {repeated(*twice[0], named)}")
    _refuse_one_evaluation_each(short(collected.tree.place), runs)
    return ScoredRuns(runs=tuple(runs), choices=choices, happened=(*happened, *copies))


def _refuse_one_evaluation_each(place: str, runs: Sequence[Scored]) -> None:
    """Refuse models that were evaluated once on each task, because their means over items are no sample, and ask what the sample is."""
    cells = Counter((run.named.algorithm, run.named.task) for run in runs)
    averaged = ("episodes_averaged", "episodes_totalled")
    counts = [what for run in runs for what in run.named.log.happened if what.policy in averaged]
    models = {run.named.algorithm for run in runs}
    if len(counts) < len(runs) or max(cells.values()) > 1 or len(models) < 2:
        return
    mean = (
        f"a single mean of {n} items or episodes" if (n := counts[0].count) > 1 else "the value of one item or episode"
    )
    left = sum(what.count for run in runs for what in run.named.log.happened if what.policy == "evaluated_again")
    latest = f" (of several evaluations the latest counts; {left} are left out)" if left else ""
    rows = "(answers are then about these models, not about training them again)"
    way = f"use {option('unit', 'episode')}, which makes each item or episode a row {rows}, or read"
    if all(what.policy == "episodes_totalled" for what in counts):
        way = "log the result of each item (lm_eval --log_samples, inspect eval --log-samples) and read these, or"
    raise DataError(
        f"{place}: each of {len(models)} models has one evaluation on each task{latest}, so its score is {mean}, and there are no repeated "
        f"runs; {way} evaluations of several trainings of each model."
    )


def _choices(collected: Collected, metric: str | None) -> dict[str, SeriesChoice]:
    by_tool = collected.choices(metric)
    if metric is not None and all(choice.name is None for choice in by_tool.values()):
        raise unknown_metric(metric, (name for run in collected.named for name in run.log.extents))
    mixed = [choice.mixed for choice in by_tool.values() if choice.mixed]
    if mixed:
        what = f"{collected.tree.place}: {mixed[0]}; name the score with {series_option()}, or read the folders one by one."
        raise DataError(what)
    return by_tool


def _scores(collected: Collected, chosen: Mapping[str, SeriesChoice]) -> tuple[list[Scored], list[Happened]]:
    scored: list[Scored] = []
    happened: list[Happened] = []
    for run in collected.named:
        choice = chosen[run.log.claim.tool]
        own = _own_name(run, choice)
        series = run.log.series.get(own)
        # A run that crashed before its first score stays, as one without a value, for leaving it out would flatter
        # its algorithm.
        unscored = choice.instead if in_order(run.log.extents) else ""
        if choice.name is not None and (series is not None or status_of(run.log) or unscored):
            series_clean, what = clean(series or NEVER)
            happened += [(run.log.place, happening) for happening in what]
            _refuse_seeds_in_one_log(run.log, what)
            if not series_clean.step.size:
                happened.append((run.log.place, Happening(policy="without_values", where=_lacking(own, unscored))))
                series_clean = NEVER
            scored.append(Scored(named=run, metric=own, series=series_clean))
        else:
            names = sorted(run.log.extents)
            has = f"{', '.join(names[:3])}{' …' if len(names) > 3 else ''}" if names else "no series"
            happened.append((run.log.place, Happening(policy="without_metric", where=f"it has {has}")))
    if all(run.series is NEVER for run in scored):
        raise _without_scores(collected, scored)
    return scored, happened


def _without_scores(collected: Collected, scored: Sequence[Scored]) -> DataError:
    """Return the refusal of logs none of which has a score; that of logs without a cost beside tables says so."""
    names = sorted({name for run in collected.named for name in run.log.extents})
    there = f"the series are {listed(names, 6)}" if names else "they hold no numbers"
    empty = sorted({run.metric for run in scored if run.metric in run.named.log.series})
    lacking = f"a number in series {listed(empty, 6)}" if empty else "a series that looks like a score"
    costs = [name for name in names if direction(name) == "lower" and not empty and not OF_PARTS & {*words(name)}]
    costs = sorted(costs, key=lambda name: name not in preferred(costs))  # that of validation is offered first
    gains = [] if empty else unnamed_evaluations(names)
    gains += [] if empty else [name for name in names if names_quality(name) and name not in gains]
    ways = ", or ".join(as_score(name, collected.tree.place) for name in [*gains, *costs][:4])
    less = ", if less of it is better" if costs and len(gains) < 4 else ""
    if len(names) == 1 and not empty and direction(names[0]) == "unclear":  # `avg_delay`
        place = collected.tree.place
        ways = (
            f"{as_cost({'score': names[0]}, place)} if less of it is better, or {as_score(names[0], place)} if more is"
        )
    use = f"use {ways}{less}" if ways else f"name the score with {series_option()}"
    refusal = WithoutScores if collected.tree.missed() and not (ways or empty) else DataError
    return refusal(f"{collected.tree.place}: none of {len(collected.named)} run(s) has {lacking}; {there}; {use}.")


OF_PARTS = vocabulary("actor critic policy value q qf vf pi entropy alpha td kl")
"""Words in names of losses of an agent's parts, of which less is no better agent."""


def _lacking(name: str, instead: str) -> str:
    return f"it has no {name!r}, but {instead!r}, which {series_option()} can name for all runs" if instead else ""


COUNT_SEEDS = frozenset(("seeds", "numseeds", "nseeds", "numberofseeds", "numruns", "nruns"))
"""Canonical names of settings that count the seeds of one call, or list them."""


def _refuse_seeds_in_one_log(log: Log, happened: Sequence[Happening]) -> None:
    """Refuse a log with as many trainings one after another as its configuration counts seeds: only the last would be a run."""
    trainings = next((what.where for what in happened if what.policy == TRAININGS), "")
    for name, value in log.config.items() if trainings else ():
        listed_seeds = str(value).startswith("[")
        size = str(value).count(",") + 1 if listed_seeds else parsed(value)
        if canonical(name.rpartition(".")[2]) in COUNT_SEEDS and size == int(trainings.partition(" ")[0]):
            raise DataError(
                f"{log.place}: the log holds several trainings one after another ({trainings}), and the configuration counts as many seeds "
                f"({name}): cut the log where its steps begin again, and put each part into a folder of its own beside a copy of the "
                "configuration with its seed; as it is, only the last would be a run."
            )


def _own_name(run: NamedLog, choice: SeriesChoice) -> str:
    """Return the series that is a run's score (the one that it has, if a family was chosen); refuse a run with several of the same name."""
    name = choice.name or ""
    if name in run.log.extents or not is_family(name):
        return name
    own = own_of_family(name, run.log.extents)
    if len(own) > 1:
        raise OptionError(
            f"{run.log.place}: {name!r} may be {', '.join(map(repr, own[:4]))} here; give a name that fits only one of them."
        )
    return own[0] if own else name


def _without_copies(scored: Sequence[Scored]) -> tuple[list[Scored], list[Happened]]:
    """Return the runs without those that a second tool logged as well: with the same names and values, or in one folder with the same curve."""
    rank = {tool: i for i, tool in enumerate(TOOLS)}
    kept: dict[tuple[str, ...], list[Scored]] = {}
    happened: list[Happened] = []
    # Of two logs of one run the one whose tool comes first in the registry is kept.
    for run in sorted(scored, key=lambda run: rank[run.named.log.claim.tool]):
        tool = run.named.log.claim.tool
        before = kept.setdefault((run.named.algorithm, run.named.config, run.named.task), [])
        others = [other for other in before if other.named.log.claim.tool != tool]
        if any((run.named.key == other.named.key and _same(run, other)) or _copied(run, other) for other in others):
            happened.append((run.named.log.place, Happening(policy="other_tool", where=TOOLS[tool].title)))
        else:
            before.append(run)
    return [run for group in kept.values() for run in group], happened


def _shared(run: Scored, other: Scored) -> tuple[Floats, Floats]:
    """Return the values of two runs at the steps that both logged."""
    _, *places = np.intersect1d(run.series.step, other.series.step, return_indices=True)
    own, others = (of.series.value[at] for of, at in zip((run, other), places, strict=True))
    return own, others


def _same(run: Scored, other: Scored) -> bool:
    """Return whether two tools have the same value, in single precision, at the last step that both logged."""
    # The last shared step, not the last of each: one of the two logs may have been cut off. TensorBoard holds single
    # precision, CSV twelve digits or more of the double.
    own, others = _shared(run, other)
    return bool(own.size and np.isclose(own[-1], others[-1], rtol=1e-6, atol=0, equal_nan=True))


def _copied(run: Scored, other: Scored) -> bool:
    """Return whether two tools logged, in a folder and another within it, one curve: that of one run, whatever each calls it."""
    first, second = (of.named.log.claim.folder for of in (run, other))
    if first != second and first not in second.parents and second not in first.parents:
        return False
    own, others = _shared(run, other)
    return bool(np.unique(own).size > 1 and np.isclose(own, others, rtol=1e-6, atol=0, equal_nan=True).all())
