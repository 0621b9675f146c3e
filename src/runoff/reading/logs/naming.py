"""The names of runs: from the user, otherwise from the tool, the configuration, or the folders.

Names of folders are read for all runs together: when tasks and seeds are removed, the folders that differ between runs name the algorithm,
so that runs of different folders are never pooled.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from runoff.base.grouping import grouped
from runoff.reading._configured import model_in, names_in_config
from runoff.reading._crossed import warn_of_variants
from runoff.reading._grids import asked_of_grid, asked_of_settings, with_algorithms_of, with_patterns
from runoff.reading._jobs import jobs_among
from runoff.reading._known import has_algorithm, says_nothing, setting_in
from runoff.reading._names import Roles, clues_of_all, folder_names
from runoff.reading._parts import runs_in
from runoff.reading._pattern import Mapped, settings_in, suggestions, with_repair
from runoff.reading._trails import Clues
from runoff.reading.logs.bare import beyond_settings
from runoff.reading.logs.base import Happening, Log
from runoff.reading.logs.reruns import alike_configured, without_reruns
from runoff.reading.logs.settings import different, swept
from runoff.reading.logs.texts import NamedBy, named_by
from runoff.tables.columns import NAMED
from runoff.words.speech import choice, option
from runoff.words.words import canonical

PATTERN, CONFIGURATION, FOLDERS, LAST = "pattern", "configuration", "folders", "one name"
SOURCES: Mapping[str, str] = {
    PATTERN: "the pattern",
    "tool": "the log itself",
    CONFIGURATION: "the configuration",
    FOLDERS: "the names of folders",
    LAST: "nothing, so all have one name, or that of the folder",
}
"""The sources of names, in order of precedence, each with its words."""
BySource = Mapping[str, Mapping[str, str]]
"""The names that each source gives one run: {source: {role: name}}."""
UNKNOWN_TASK = "task"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLog:
    """A log with its names; `sources` gives the source of each role's name, `lacks` the role that the other logs have a name for.

    `config` names its configuration, "" if the algorithm has only one; `settings` are first those in a pattern, later all candidates,
    finally those of the configuration.
    """

    log: Log
    algorithm: str
    task: str
    run: str
    sources: Mapping[str, str]
    lacks: str = ""
    config: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of the run; seed 1 of two configurations is two runs."""
        return f"{self.algorithm} ({self.config})" if self.config else self.algorithm, self.task, self.run


@dataclass(frozen=True, slots=True, kw_only=True)
class AllNamed:
    """The runs with their names, the events, and the questions about undecided names."""

    named: tuple[NamedLog, ...]
    happened: tuple[tuple[str, Happening], ...]
    unclear: tuple[str, ...]


def name_all(logs: Sequence[Log], mapped: Mapped, root: str, settings: Collection[str]) -> AllNamed:
    """Return the runs' names, with one source per role for all runs of a tool; refuse a path that the pattern does not match, and a new name
    for a name that no run has."""
    named: list[NamedLog] = []
    all_clues: list[Clues] = []
    unclear: list[str] = []
    happened: list[tuple[str, Happening]] = []
    # Tool by tool: what names the runs of one (a configuration) need not be there for another, and folders of two
    # tools have levels of their own.
    for tool in dict.fromkeys(log.claim.tool for log in logs):
        of_tool = [log for log in logs if log.claim.tool == tool]
        paths = beyond_settings(of_tool)
        algorithms = [names_in_config(log.config).get("algorithm", "") for log in of_tool]
        plainer = without_reruns(paths, algorithms) if all(algorithms) else paths
        happened += [
            (log.place, Happening(policy="rerun")) for log, a, b in zip(of_tool, paths, plainer, strict=True) if a != b
        ]
        of_folders = clues_of_all(plainer)
        runs, sentence, of_settings = _of_tool(of_tool, of_folders, mapped, root)
        named, all_clues = [*named, *runs], [*all_clues, *of_folders]
        happened += of_settings
        unclear += [sentence] if sentence else []
    unclear += [*_without_task(named), *_numbered_jobs(named)]
    if not unclear and all(run.sources["algorithm"] == FOLDERS and not run.lacks for run in named):
        warn_of_variants([run.algorithm for run in named], [run.log.place for run in named])
    configured, differing = _configured(named, settings)
    alike = _by_path_alone(configured)
    distinct, numbered = _told_apart(_renamed(configured, mapped), all_clues)
    events = (*happened, *numbered, *differing, *alike)
    return AllNamed(named=tuple(distinct), happened=events, unclear=tuple(unclear))


def _of_tool(
    logs: Sequence[Log], found_clues: Sequence[Clues], mapped: Mapped, root: str
) -> tuple[list[NamedLog], str, list[tuple[str, Happening]]]:
    """Return the runs of a tool with their names, the question about their folders if these name the algorithms but are ambiguous, and which
    settings name them."""
    runs = _named_by_user_and_tool(logs, mapped)
    whole = {role: all(any(names.get(role) for names in run.values()) for run in runs) for role in NAMED}
    of_folders, roles = folder_names(found_clues, with_task=whole["task"], with_run=whole["run"])
    if not any(run["tool"].get("algorithm") for run in runs) and _name_no_algorithm(logs, runs, of_folders):
        runs = _named_by_models(logs, runs)
    by = _by_settings(logs, runs, of_folders, root)
    runs = [_with_settings(run, log, by.settings) for run, log in zip(runs, logs, strict=True)]
    for i, log in enumerate(logs):
        run = log.inner or (log.claim.parts[-1] if log.claim.parts else log.claim.path.name)
        last_resort = {"algorithm": root or log.claim.tool, "task": UNKNOWN_TASK, "run": run}
        runs[i] = {**runs[i], FOLDERS: of_folders[i], LAST: last_resort}
    tasks, labels = one_source("task", runs), one_source("run", runs)
    plain = one_source("algorithm", runs)
    algorithms = refined(plain, tasks, runs)
    named = [
        NamedLog(
            log=log,
            algorithm=algorithms.names[i],
            task=tasks.names[i],
            run=labels.names[i],
            sources={"algorithm": algorithms.sources[i], "task": tasks.sources[i], "run": labels.sources[i]},
            lacks="algorithm" if i in algorithms.lacking else "task" if i in tasks.lacking else "",
            settings=settings_in(runs[i][PATTERN]),
        )
        for i, log in enumerate(logs)
    ]
    happened = [
        (f"the {role}", Happening(policy="named_by_setting", where=repr(name))) for role, name in by.settings.items()
    ]
    return named, by.question or _asked(named, runs, roles, plain, found_clues), happened


def _asked(
    named: Sequence[NamedLog],
    runs: Sequence[BySource],
    roles: Roles,
    plain: OneRole,
    found_clues: Sequence[Clues],
) -> str:
    """Return the question on the names of folders, or of runs, if these name algorithms and are ambiguous; plain: the algorithms before folders
    refined them."""
    by_folders = FOLDERS in {run.sources["algorithm"] for run in named}
    # It does not matter what folders leave open where something else names the algorithms.
    unclear = roles.unclear if by_folders else ""
    paths, parts = _paths_and_names(named)[0], [path.parts for path in found_clues]
    # Beside configurations that name the algorithms folders are variants, which are warned of.
    crossed = roles.crossed if FOLDERS in plain.sources else ""
    question = asked_of_settings(roles.swept if by_folders else "", paths)
    question = question or with_repair(unclear, paths, runs=roles.runs) or crossed
    question = with_patterns(question, [*dict.fromkeys(parts)])
    configured = [run["tool"].get("algorithm") or run[CONFIGURATION].get("algorithm", "") for run in runs]
    called = [_called(run.log).split("/") for run in named]
    return with_algorithms_of(question, called, configured) or _asked_of_grid(named, parts)


def _named_by_user_and_tool(logs: Sequence[Log], mapped: Mapped) -> list[BySource]:
    configured = [names_in_config(log.config) for log in logs]
    by_user = mapped.names([path_of(log) for log in logs], configured, [_called(log) for log in logs])
    return [
        {PATTERN: own, "tool": by_tool, CONFIGURATION: names}
        for by_tool, names, own in zip(_with_runs_of_models(logs), configured, by_user, strict=True)
    ]


def _with_runs_of_models(logs: Sequence[Log]) -> list[Mapping[str, str]]:
    """Return the names that logs give, with the runs in the names of all models: `ckpts/dapo-s1` beside `ckpts/dapo-s2`."""
    models = [log.names.get("algorithm", "") for log in logs]
    runs = (
        {}
        if not all(models) or any(log.names.get("run") for log in logs)
        else runs_in([*dict.fromkeys(models)], numbers=False)
    )
    return [
        {**log.names, **(dict(zip(("algorithm", "run"), runs[model], strict=True)) if runs else {})}
        for log, model in zip(logs, models, strict=True)
    ]


def _by_settings(
    logs: Sequence[Log], runs: Sequence[BySource], of_folders: Sequence[Mapping[str, str]], root: str
) -> NamedBy:
    """Return which settings name the algorithms and tasks of runs that nothing but folders does."""
    tasks = [
        next((own["task"] for own in (*run.values(), folders) if own.get("task")), "")
        for run, folders in zip(runs, of_folders, strict=True)
    ]
    return named_by(
        [log.config for log in logs],
        [own.get("algorithm") or root for own in of_folders],
        tasks,
        with_algorithm=any(own.get("algorithm") for run in runs for own in run.values()),
    )


def _with_settings(run: BySource, log: Log, settings: Mapping[str, str]) -> BySource:
    own = {role: str(log.config[name]).strip() for role, name in settings.items()}
    return {**run, CONFIGURATION: {**run[CONFIGURATION], **own}}


def _asked_of_grid(named: Sequence[NamedLog], paths: Sequence[Sequence[str]]) -> str:
    """Return the question on folders whose names are a grid, and would be read as another; "" where something else names the algorithms or
    the tasks."""
    of_algorithms, of_tasks = ({run.sources[role] for run in named} for role in ("algorithm", "task"))
    # Runs of which nothing names the task, beside others, are asked about by themselves.
    if not of_algorithms | of_tasks <= {FOLDERS, LAST} or (len(of_algorithms) == 1 < len(of_tasks)):
        return ""
    cells = {tuple(path): (run.algorithm, run.task) for path, run in zip(paths, named, strict=True)}
    # Several runs of one path, such as the trials of a study, have runs of their own.
    return asked_of_grid([*cells], [*cells.values()], with_run=len(cells) < len(paths))


def _named_by_models(logs: Sequence[Log], runs: list[BySource]) -> list[BySource]:
    """Return the names of runs, some of which have none of an algorithm, with the models of their configurations, if these are several: in
    training on data the models are compared, though only one of them is a known algorithm."""
    models = [model_in(log.config) for log in logs]
    configured = [run[CONFIGURATION].get("algorithm", "") for run in runs]
    of_models = all(canonical(own) in canonical(model or "") for own, model in zip(configured, models, strict=True))
    given = any(run[PATTERN].get("algorithm") for run in runs)
    if not all(models) or len({*models}) < 2 or all(configured) or not of_models or given:
        return runs
    return [
        {**run, CONFIGURATION: {**run[CONFIGURATION], "algorithm": model or ""}}
        for run, model in zip(runs, models, strict=True)
    ]


def _name_no_algorithm(logs: Sequence[Log], runs: Sequence[BySource], of_folders: Sequence[Mapping[str, str]]) -> bool:
    """Return whether folders name no algorithm: none at all, or, beside the configured models and tasks, one that is no known one, such as the
    name of an experiment."""
    rest = set()
    for log, run, own in zip(logs, runs, of_folders, strict=True):
        name = own.get("algorithm", "").casefold()
        for part in (model_in(log.config), run[CONFIGURATION].get("task")):
            name = name.replace(part.casefold(), "") if part else name
        rest.add(canonical(name))
    return len(rest) == 1 and not any(map(has_algorithm, rest))


def _paths_and_names(named: Sequence[NamedLog]) -> tuple[list[list[str]], list[dict[str, str]]]:
    # another pattern takes the place of the one that was given
    roles = [{role: "" if run.sources[role] == PATTERN else str(getattr(run, role)) for role in NAMED} for run in named]
    return [path_of(run.log).split("/") for run in named], roles


def _without_task(named: Sequence[NamedLog]) -> list[str]:
    """Return the sentence on runs without a task name while others have one."""
    bare = [run for run in named if run.sources["task"] == LAST and not run.lacks]
    others = [run for run in named if run.sources["task"] != LAST]
    if not bare or not others:
        return []
    return [
        f"nothing names the task of {len(bare)} of {len(named)} runs (for example {short(bare[0].log.place)}), while others are on "
        f"{others[0].task!r}; if these are other logs of the same runs, read the folders one by one; else name the tasks: "
        f"{option('pattern', '{algorithm}/{task}/{run}')} ('*' matches anything)."
    ]


def _numbered_jobs(named: Sequence[NamedLog]) -> list[str]:
    """Return the question which algorithm these runs belong to if only job numbers name it."""
    unnamed = [run for run in named if run.sources["algorithm"] in (FOLDERS, LAST) and not has_algorithm(run.algorithm)]
    names = [run.algorithm if run.sources["algorithm"] == FOLDERS else "" for run in unnamed]
    question = jobs_among(names, [path_of(run.log) for run in unnamed])
    return [question] if question else []


def path_of(log: Log) -> str:
    return "/".join((*log.claim.parts, *([log.inner] if log.inner else ())))


def _called(log: Log) -> str:
    """Return the path of a run with the names that its log gives it, by which runs are named where nothing else does it."""
    return "/".join((*log.claim.parts, *log.hints)) if log.hints else path_of(log)


def _renamed(named: Sequence[NamedLog], mapped: Mapped) -> list[NamedLog]:
    mapped.refuse_unknown({role: {str(getattr(run, role)) for run in named} for role in mapped.renamed})
    algorithms, tasks = (mapped.renamed.get(role, {}) for role in ("algorithm", "task"))
    return [
        replace(run, algorithm=algorithms.get(run.algorithm, run.algorithm), task=tasks.get(run.task, run.task))
        for run in named
    ]


# ── one source a role ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class OneRole:
    """The name of each run in one role, its source, and the runs without a name from that source."""

    names: tuple[str, ...]
    sources: tuple[str, ...]
    lacking: frozenset[int] = frozenset()


def one_source(role: str, runs: Sequence[BySource]) -> OneRole:
    """Return the names of all runs of a tool from one source: the first that names most of them.

    If it does not name all, a later source that names all is used if the two agree on which runs share a name. Otherwise the runs without a
    name take it from the next source, and have none if the others do not share that name. The user's names apply to each run separately.
    """
    given = {source: [run[source].get(role) for run in runs] for source in list(SOURCES)[1:-1]}
    # A source that names a minority is an accident of some runs: a `name:` in one configuration must not rename a
    # sweep.
    most = [source for source, names in given.items() if 2 * sum(map(bool, names)) > len(runs)]
    first = most[0] if most else None
    if first is not None and not all(given[first]):
        # two sources agree if runs have one name of one source where they have one of the other
        for source in (source for source in most[1:] if all(given[source])):
            pairs = {(a, b) for a, b in zip(given[first], given[source], strict=True) if a}
            if len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}):
                first = source
                break
    order = (PATTERN, *filter(None, [first]), *SOURCES)
    sources = [next(source for source in order if run[source].get(role)) for run in runs]
    names = [run[source][role] for run, source in zip(runs, sources, strict=True)]
    # a name of another source is one of the tool's algorithms or tasks only if runs with a trusted source have it too
    of_others = [i for i, source in enumerate(sources) if source not in (PATTERN, first)]
    trusted = {name for i, name in enumerate(names) if i not in of_others}
    lacking = frozenset(i for i in of_others if first is not None and names[i] not in trusted)
    return OneRole(names=tuple(names), sources=tuple(sources), lacking=lacking)


def refined(algorithms: OneRole, tasks: OneRole, runs: Sequence[BySource]) -> OneRole:
    """Return the algorithms, with names from configurations refined by folders if the runs of a cell are in several folders, one of which
    has several runs."""
    cells: dict[tuple[str, str], Counter[str]] = {}
    for i, run in enumerate(runs):
        if algorithms.sources[i] == CONFIGURATION:
            folder = run[FOLDERS].get("algorithm", "")
            cells.setdefault((algorithms.names[i], tasks.names[i]), Counter())[folder] += 1
    # Folders `ppo_small`, `ppo_large` above one configuration `algo: ppo`: with several runs in a folder, the folder
    # is a variant; with one run each it is most likely the run.
    several = {name for (name, _), counts in cells.items() if len(counts) > 1 and max(counts.values()) > 1}
    names, sources = list(algorithms.names), list(algorithms.sources)
    for i, run in enumerate(runs):
        folder = run[FOLDERS].get("algorithm", "")
        if algorithms.sources[i] == CONFIGURATION and names[i] in several and folder:
            names[i] = folder if canonical(names[i]) in canonical(folder) else f"{names[i]} {folder}"
            sources[i] = FOLDERS
    return OneRole(names=tuple(names), sources=tuple(sources), lacking=algorithms.lacking)


# ── two runs with one name ──────────


def _told_apart(
    named: Sequence[NamedLog], of_folders: Sequence[Clues]
) -> tuple[list[NamedLog], list[tuple[str, Happening]]]:
    """Return the runs; those of a cell that share a seed in their configuration are named by the numbers of their folders, if these differ."""
    groups = grouped((entry.key, i) for i, entry in enumerate(named))
    result, happened = list(named), []
    for places in groups.values():
        runs = [of_folders[i].run for i in places]
        # Scripts often leave `seed: 0` in the configuration and count runs in the folder; a number that folders tell
        # apart is then the run. Numbers that are loose may count attempts.
        weak = all(named[i].sources["run"] == CONFIGURATION and not of_folders[i].loose for i in places)
        if len(places) > 1 and weak and len({run for run in runs if run}) == len(places):
            for i, run in zip(places, runs, strict=True):
                sources = {**named[i].sources, "run": FOLDERS}
                result[i] = replace(named[i], run=str(run), sources=sources)
                happened.append((named[i].log.place, Happening(policy="seed_repeated")))
    return result, happened


def short(place: str) -> str:
    return place if len(place) <= 100 else f"{place[:30]}…{place[-69:]}"


# ── runs of several settings ──────────


def _configured(
    named: Sequence[NamedLog], wanted: Collection[str]
) -> tuple[list[NamedLog], list[tuple[str, Happening]]]:
    """Return the runs; those of an algorithm whose settings differ on a task get their configuration, so that no answer pools them."""
    result, happened = list(named), []
    # Who names algorithms by a pattern has said which runs belong together, but for settings that it names too.
    groups = grouped(
        (run.algorithm, i) for i, run in enumerate(named) if run.sources["algorithm"] != PATTERN or run.settings
    )
    for algorithm, places in groups.items():
        cells: dict[str, list[Mapping[str, Any]]] = {}
        for i in places:
            by_pattern = named[i].sources["algorithm"] == PATTERN
            own = named[i].settings if by_pattern else {**named[i].log.config, **named[i].settings}
            cells.setdefault(named[i].task, []).append(own)
            result[i] = replace(named[i], settings=own)
        by_hand = list(dict.fromkeys(name for i in places for name in named[i].settings))
        of_all = swept(list(cells.values()), by_hand, wanted)
        for i in places:
            own = result[i].settings
            result[i] = replace(result[i], config=of_all.label(own), settings=of_all.named(own))
        if (n := len({result[i].config for i in places} - {""})) > 1:
            where = f"{n} of {', '.join(of_all.settings)}"
            happened.append((algorithm, Happening(policy="settings_differ", count=len(places), where=where)))
            if of_all.left_out:
                happened.append((algorithm, Happening(policy="settings_left_out", where=of_all.left_out)))
    return result, happened


def _by_path_alone(named: Sequence[NamedLog]) -> list[tuple[str, Happening]]:
    """Return the events of algorithms of one name in the configuration that nothing but paths tells from each other."""
    groups: dict[tuple[str, str], dict[str, NamedLog]] = {}
    for run in named:
        own = names_in_config(run.log.config).get("algorithm", "")
        # `ppo_lr0.1` says which setting it is, though the configuration does not
        if (
            own
            and "=" not in run.algorithm
            and not setting_in(run.algorithm)
            and run.sources["algorithm"] in (FOLDERS, CONFIGURATION)
        ):
            groups.setdefault((own, run.config), {}).setdefault(run.algorithm, run)
    happened: dict[str, Happening] = {}  # by the pair, which several configurations and tasks may have
    for (own, _), runs in groups.items():
        for first, second in alike_configured({name: run.log.config for name, run in runs.items()}):
            merge = choice(
                f"rename(algorithms={{{second!r}: {first!r}}}, merge=True)",
                f"--rename {shlex.quote(f'{second}={first}')} --merge",
            )
            where = f"both {own!r} in the configuration; {merge} makes them one"
            happened[f"{first!r} and {second!r}"] = Happening(policy="path_alone", where=where)
    return [*happened.items()]


def repeats(named: Sequence[NamedLog]) -> list[tuple[NamedLog, NamedLog]]:
    """Return the pairs of runs with the same algorithm, task and run: the first of that name, and each further one."""
    seen: dict[tuple[str, str, str], NamedLog] = {}
    return [(seen[run.key], run) for run in named if seen.setdefault(run.key, run) is not run]


def repeated(first: NamedLog, second: NamedLog, named: Sequence[NamedLog]) -> str:
    """Return the sentence for two runs with the same name, with the repair that distinguishes all of `named`."""
    a, t, r = (name if len(name) <= 60 else f"{name[:28]}…{name[-28:]}" for name in first.key)
    lead = f"two runs are named algorithm {a!r}, task {t!r}, run {r!r}: {short(first.log.place)} and {short(second.log.place)}"
    by_glob = f"by globs of their paths in a TOML file, {option('pattern', 'runs.toml')} (docs/guides/logs/hydra.md)"
    settings = different(first.log.config, second.log.config)
    if settings:
        return f"{lead}; their settings differ ({'; '.join(settings)}): if these are variants, name each variant's algorithm {by_glob}."
    # the first that fits: a refusal has room for one
    patterns = "".join(option("pattern", pattern) for pattern in suggestions(*_paths_and_names(named))[:1])
    alike = _read_alike(*(path_of(run.log).split("/") for run in (first, second)))
    repair = f"by their folders, {patterns}" if patterns else by_glob
    return f"{lead}{alike}; if both count, distinguish them {repair}; if one is a copy or a restart, move it elsewhere."


def _read_alike(first: Sequence[str], second: Sequence[str]) -> str:
    """Return the words for the folders in which two paths of equal length differ; "" if none of these has a meaning."""
    pairs = [(a, b) for a, b in zip(first, second, strict=False) if a != b and len(first) == len(second)]
    return "".join(
        f" (folders {a!r} and {b!r} were read as the same name)" for a, b in pairs[:1] if not says_nothing(a)
    )
