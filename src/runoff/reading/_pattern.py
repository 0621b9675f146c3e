"""Names given by the user, which take precedence: a pattern of paths ('{algorithm}/{task}_s{run}') or, for training logs, a TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice, product
from pathlib import Path
from typing import Any

from runoff.base.grouping import distinct
from runoff.errors import DataError, OptionError, nearest
from runoff.reading._crossed import by_levels, speaks_of_run
from runoff.reading._fields import compiled, matched, matched_together
from runoff.reading._known import (
    BARE,
    SEPARATORS,
    beyond_noise,
    has_algorithm,
    is_environment_id,
    is_task,
    like_algorithms,
    meaning_of,
    names_runs,
    run_in,
    says_nothing,
    setting_in,
    task_in,
)
from runoff.reading._trails import Trail
from runoff.tables.columns import NAMED
from runoff.words.patterns import regex
from runoff.words.speech import option


def settings_in(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the settings among the fields of a pattern: {"lr": "0.1"} for `{config.lr}`.

    >>> settings_in({"algorithm": "sac", "config.lr": "0.1", "config": "c1"})
    {'lr': '0.1', 'config': 'c1'}
    """
    return {name.removeprefix("config."): value for name, value in fields.items() if name.partition(".")[0] == "config"}


# ── patterns that messages suggest ──────────


MOST = 5000
"""The largest number of patterns that are tried."""
PatternName = Mapping[str, str]


def suggestions(paths: Sequence[Sequence[str]], names: Sequence[PatternName], *, runs: bool = False) -> list[str]:
    """Return the likeliest pattern that names all runs differently, or two equally likely ones; nothing if there is none.

    `names` are the names of the runs without a pattern, {role: name}. Every pattern is tried on all paths: it must not give two runs the
    same name or merge two algorithms, and the parts that it skips may differ between runs of an algorithm on a task only in dates and the
    like. runs: the pattern must name the runs.
    """
    levels = list(zip(*paths, strict=False))
    first = next((i for i, level in enumerate(levels) if len(set(level)) > 1), None)
    # Paths of unlike depth have no pattern in common.
    if len({len(path) for path in paths}) > 1:
        return []
    ends = [path[first:] for path in paths]
    costs: dict[str, int] = {}
    for parts in islice(product(*(_templates(level) for level in levels[first:])), MOST):
        cost = _cost(parts, ends, names)
        if cost is not None and (not runs or "{run}" in "".join(parts)):
            costs["/".join(parts)] = cost
    least = min(costs.values(), default=0)
    likeliest = [pattern for pattern, cost in costs.items() if cost == least]
    return sorted(likeliest, key=lambda pattern: _algorithms_as_tasks(pattern, ends))[:2]


def _algorithms_as_tasks(pattern: str, paths: Sequence[Sequence[str]]) -> tuple[bool, int]:
    """Return whether a pattern takes what authors call their own algorithm for a task, and how many tasks are called like algorithms."""
    expression = compiled(pattern)
    tasks = {(matched(expression, "/".join(path)) or {}).get("task", "") for path in paths}
    return like_algorithms(tasks), sum(map(has_algorithm, tasks))


def with_repair(sentence: str, paths: Sequence[Sequence[str]], *, runs: bool) -> str:
    """Return a sentence that ends in "use" completed with the patterns that fit the paths, or with the levels that one must name; leave another
    sentence as it is. runs: only a pattern fits that names the runs."""
    if not sentence.endswith("; use"):
        return sentence
    names = [dict.fromkeys(NAMED, "")] * len(paths)
    patterns = suggestions(paths, names, runs=runs)
    if runs and all(name.isalpha() for path in paths for name in path[-1:]):  # what may be runs may be tasks as well
        patterns += [way for way in suggestions(paths, names) if "{task}" in way and way not in patterns]
    if not patterns:
        return f"{sentence} {by_levels(paths[0])}."
    return f"{sentence} {' or '.join(option('pattern', pattern) for pattern in patterns)} ('*' matches anything)."


RUN = regex(r".*?[^\W\d_]\d*([_-](?:seed|s|run)?[_-]?)\d+")
"""A name that ends in a run, behind a separator."""


def _templates(level: Sequence[str]) -> list[str]:
    """Return the possible templates for the names of a level."""
    if len(set(level)) == 1:
        return ["*"]
    numbered = {re.sub(r"\d+$", "", name) for name in level}
    prefix = numbered.pop() if len(numbered) == 1 else ""
    alike = ({of(name) for name in level} for of in (_within, _swept, _bare))
    of_all = [own.pop() for own in alike if len(own) == 1 and "" not in own]
    return [*([f"{prefix}{{run}}"] if prefix else []), *of_all, "{algorithm}", "{task}", "{run}", "*"]


def _within(name: str) -> str:
    """Return the template of a name with an algorithm and a task, a run, or both: {algorithm}_{task}_s{run}; "" for another."""
    span = task_in(name, numbered=False)
    if span is None or span[2] or span[:2] == (0, len(name)):
        match = RUN.fullmatch(name)
        return f"{{algorithm}}{match[1]}{{run}}" if match else ""
    before, after = name[: span[0]], name[span[1] :]
    mark = before[len(before.rstrip(SEPARATORS)) :]
    run = re.search(r"\d+$", after)
    end = f"{after[: run.start()]}{{run}}" if run else after
    return f"{{algorithm}}{mark}{{task}}{end}" if mark not in ("", before) else ""


def _swept(name: str) -> str:
    """Return the template of a name with an algorithm and a setting, and possibly a run: {algorithm}_lr{config.lr}_s{run}; "" for another."""
    match = setting_in(name)
    if match is None:
        return ""
    start, end = match.start("name"), match.end("value")
    run = re.fullmatch(r"([_-](?:seed|s|run)?[_-]?)\d+", match["after"])
    setting = f"{name[match.end('before') : start]}{match['name']}{match['mark']}{{config.{match['name']}}}"
    return f"{{algorithm}}{setting}{run[1]}{{run}}" if run else f"{{algorithm}}{setting}" * (end == len(name))


def _bare(name: str) -> str:
    """Return the template of a name that is a setting: lr={config.lr}; "" for another, also for one whose key says that it is a task."""
    match = BARE.fullmatch(name)
    if match is None or names_runs(match["name"] or ""):
        return ""
    return f"{name.removesuffix(match['value'] or match['number'])}{{config.{match['name'] or match['short']}}}"


def _cost(parts: Sequence[str], paths: Sequence[Sequence[str]], names: Sequence[PatternName]) -> int | None:
    """Return how unlikely a pattern is; None if it gives runs the same name, or pools some."""
    fields = re.findall(r"\{([\w.]+)\}", "/".join(parts))
    if not fields or len(set(fields)) < len(fields):
        return None
    matches = matched_together("/".join(parts), ["/".join(path) for path in paths])
    fitted = [{**name, **match} for name, match in zip(names, matches, strict=True) if match is not None]
    settings = [field for field in fields if field not in NAMED]
    distinct = {tuple(name[role] for role in (*NAMED, *settings)) for name in fitted}
    # A pattern may split an algorithm, as into variants, but never joins two that were apart.
    before = {(name["algorithm"], old["algorithm"]) for name, old in zip(fitted, names, strict=False)}
    algorithms = {name["algorithm"] for name in fitted}
    # Tasks that are named without it stay what they are: of `Ant__ppo__1__1764400050` the whole is no task.
    tasks = {name["task"] for name in fitted}
    before_tasks = {old["task"] for old in names}
    split = 1 < len(before_tasks) < len(tasks)
    pooled = len(distinct) < len(paths) or len(before) > len(algorithms) or split
    if pooled or ("algorithm" in fields and len(algorithms) == 1) or _passed_over(parts, paths, fitted):
        return None
    named = {role: {name[role] for name in fitted} for role in fields}
    whole = [*named.get("algorithm", ()), *named.get("task", ())]
    # Nor is what names a run or a part of one an algorithm or a task, nor a part of a run a run.
    noise = any(_is_noise(label) or run_in(label) is not None or speaks_of_run(label) for label in whole)
    # `A_lr0.1_s3` is no name of a run: it holds the algorithm, and a setting.
    if noise or _are_numbered(named.get("algorithm", ())) or any(map(setting_in, named.get("run", ()))):
        return None
    strange = [_strangeness(role, labels) for role, labels in named.items() if role in NAMED]
    return None if None in strange else sum(filter(None, strange)) + sum(part == "*" for part in parts)


def _are_numbered(labels: Collection[str]) -> bool:
    """Return whether some names differ only in a number at their end: `PPO_1` and `PPO_9` number runs of one algorithm."""
    return len({re.sub(r"[_-]\d+$", "", label) for label in labels}) < len(labels)


def _passed_over(parts: Sequence[str], paths: Sequence[Sequence[str]], names: Sequence[PatternName]) -> bool:
    """Return whether a level without a role differs, in more than a date, between runs of one algorithm on one task, or is their seed."""
    seeds = [i for i, name in enumerate(paths[0]) if parts[i] == "*" and run_in(name) is not None]
    # Below the folder of a run `env0` and `env1` are its workers rather than tasks.
    above = min([*seeds, *(i for i, part in enumerate(parts) if "{run}" in part)], default=len(parts))
    tasks = [i for i, part in enumerate(parts) if part == "{task}" and i > above]
    counted = any(len({re.sub(r"\d+", "", path[i]) for path in paths}) == 1 for i in tasks)
    if counted or (seeds and "{run}" in "/".join(parts)):
        return True
    skipped = [i for i, part in enumerate(parts) if part == "*"]
    named = zip(paths, names, strict=True)
    cells = distinct(((name["algorithm"], name["task"], i), path[i]) for path, name in named for i in skipped)
    return any(len(labels) > 1 and not all(map(_is_noise, labels)) for labels in cells.values())


def _is_noise(name: str) -> bool:
    return says_nothing(name) or not beyond_noise(name)


def _strangeness(role: str, labels: Collection[str]) -> int | None:
    """Return how little the names of a role look like it; None if they look like another role."""

    def share(of: Iterator[bool]) -> bool:
        return 2 * sum(of) > len(labels)

    like = {
        "task": share(is_task(label) or is_environment_id(label) for label in labels),
        "algorithm": share(has_algorithm(label) for label in labels),
        "run": share(
            label.isdigit() or _is_noise(label) or run_in(label) is not None or speaks_of_run(label) for label in labels
        ),
    }
    holds_tasks = role == "algorithm" and any("{task}" in _within(label) for label in labels)
    if holds_tasks or (any(like.values()) and not like[role]):
        return None
    # A role whose names do not look like it costs two, and runs that are no numbers one more.
    return 2 * (not like[role]) + (role == "run" and not all(map(str.isdigit, labels)))


# ── patterns and TOML files of training logs ──────────


KEYS = ("pattern", "leave_out", "runs", "algorithm", "task")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapped:
    """The user's statements: a pattern, names by glob of paths, new names, and globs of paths to leave out."""

    pattern: str | None = None
    runs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    renamed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    leave_out: tuple[str, ...] = ()

    def names(
        self, paths: Sequence[str], configured: Sequence[Mapping[str, str]], called: Sequence[str]
    ) -> list[dict[str, str]]:
        """Return the user's names for the runs at paths (from the root, with slashes); refuse a path that the pattern does not fit. configured:
        the names in the configuration of each; called: the paths with the names that the log itself gives the runs."""
        names_given = [{} for _ in paths] if self.pattern is None else _given(self.pattern, paths, configured, called)
        for glob, names in self.runs.items():
            for path, own in zip(paths, names_given, strict=True):
                own.update(names if _fits(path, glob) else {})
        return names_given

    def leaves_out(self, path: str) -> bool:
        """Return whether the user leaves out the run at a path."""
        return any(_fits(path, glob) for glob in self.leave_out)

    def refuse_unused(self, paths: Sequence[str]) -> None:
        """Refuse a glob that fits no path of a run."""
        for key, globs in (("leave_out", self.leave_out), ("runs", tuple(self.runs))):
            unused = next((glob for glob in globs if not any(_fits(path, glob) for path in paths)), None)
            if unused is not None:
                raise OptionError(f"{key}: no run is at {unused!r}; the paths of runs look like {paths[0]!r}.")

    def refuse_unknown(self, names: Mapping[str, Collection[str]]) -> None:
        """Refuse a new name for a name that no run has."""
        for role, others in self.renamed.items():
            unknown = next((name for name in others if name not in names[role]), None)
            if unknown is not None:
                raise OptionError(f"[{role}]: no run has the {role} {unknown!r}.{nearest(unknown, names[role])}")


def _fits(path: str, glob: str) -> bool:
    pieces = path.split("/")
    # A glob that fits a folder holds for all below it.
    above = ("/".join(pieces[:end]) for end in range(len(pieces), 0, -1))
    return any(fnmatchcase(place, glob) or fnmatchcase(place, f"*/{glob}") for place in above)


def mapping(pattern: str | Path | None) -> Mapped:
    """Return the content of a pattern, or of the TOML file that it names.

    A pattern is a path with {algorithm}, {task}, {run} and * for varying parts: `{algorithm}/{task}_s{run}`. It is matched with the last
    folders of a path, or those before them. A TOML file has `pattern`, `leave_out` (a list of globs), [runs."GLOB"] tables with algorithm,
    task and run, and tables [algorithm] and [task] of new names.
    """
    if pattern is None:
        return Mapped()
    if str(pattern).casefold().endswith(".toml"):
        return _of_file(Path(pattern))
    compiled(str(pattern))
    return Mapped(pattern=str(pattern))


def _given(
    pattern: str, paths: Sequence[str], configured: Sequence[Mapping[str, str]], called: Sequence[str]
) -> list[dict[str, str]]:
    # Who parts the last name means that of the run; who names levels counts folders.
    parts_name = re.search(r"\}[^/]+$|[^/]\{[^/]*$", pattern) is not None
    orders = [called, paths] if parts_name else [paths, called]
    for own in orders if [*called] != [*paths] else ():
        with suppress(DataError):
            return _fitted(pattern, own, configured)
    return _fitted(pattern, paths, configured)


def _fitted(pattern: str, paths: Sequence[str], configured: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    compiled(pattern)
    places = [_place(pattern, path, own) for path, own in zip(paths, configured, strict=True)]
    fields = [dict(place.fields) for place in places]
    # Where no configuration says how a name is parted, all paths do.
    for template in {place.template for place in places}:
        at = [i for i, place in enumerate(places) if place.template == template and not place.configured]
        for i, own in zip(at, matched_together(template, [places[i].path for i in at]), strict=True):
            fields[i] = dict(own or fields[i])
    return fields


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """The part of a path that a template fits, and its fields; whether the task of a configuration parts them."""

    template: str
    path: str
    fields: Mapping[str, str]
    configured: bool


def _place(pattern: str, path: str, configured: Mapping[str, str]) -> _Place:
    task, run = ({role: configured[role]} if role in configured else {} for role in ("task", "run"))
    # A name may be parted in several ways, `{algorithm}-{task}-{run}` of `a-b-c-0`: as the configuration has it, if it can be.
    ways = [own for own in ({**task, **run}, task, run) if own]
    pieces = path.split("/")
    # A pattern may go on below the folder of a run, and below the folders that the user named there may be others, such as `tb`: the longest
    # part of the path that fits counts.
    for template in dict.fromkeys((pattern, pattern.removesuffix("/*"))):
        expressions = [compiled(template, own) for own in (*ways, {})]
        for end in range(len(pieces), 0, -1):
            place = "/".join(pieces[:end])
            fields = (matched(expression, place) for expression in expressions)
            fitting = next(((own, way) for own, way in zip(fields, [*ways, {}], strict=True) if own is not None), None)
            if fitting is not None:
                # A run alone does not say where the name of the algorithm ends.
                by_task = "{task}" in template and "task" in fitting[1]
                return _Place(template=template, path=place, fields=fitting[0], configured=by_task)
    message = f"{path[:200]}: {option('pattern', pattern)} does not match this path; use * for a part that may be anything, or a TOML file."
    raise DataError(message)


def _of_file(path: Path) -> Mapped:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise DataError(f"{path}: this TOML file cannot be read: {reason}.") from error
    unknown = [key for key in content if key not in KEYS]
    if unknown:
        what = f"{path}: the key {unknown[0]!r} is unknown; the keys are {', '.join(KEYS)}.{nearest(unknown[0], KEYS)}"
        raise DataError(what)
    pattern = content.get("pattern")
    if pattern is not None:
        compiled(str(pattern))
    runs = {}
    for glob, names in _table(path, content, "runs").items():
        if not isinstance(names, dict) or not set(names) <= set(NAMED):
            raise DataError(f"{path}: runs.{glob!r} must be a table of algorithm, task and run, not {names!r}.")
        runs[glob] = _texts(path, glob, names)
    renamed = {role: _texts(path, role, _table(path, content, role)) for role in ("algorithm", "task")}
    globs = content.get("leave_out", [])
    if not isinstance(globs, list) or not all(isinstance(glob, str) for glob in globs):
        raise DataError(f"{path}: leave_out must be a list of globs, not {globs!r}.")
    return Mapped(pattern=pattern and str(pattern), runs=runs, renamed=renamed, leave_out=tuple(globs))


def _table(path: Path, content: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = content.get(key, {})
    if not isinstance(table, dict):
        raise DataError(f"{path}: {key} must be a table, not {table!r}.")
    return table


def _texts(path: Path, where: str, table: Mapping[str, Any]) -> dict[str, str]:
    for key, value in table.items():
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value):
            raise DataError(f"{path}: {where}.{key} must be a name, not {value!r}.")
    return {key: str(value) for key, value in table.items()}


def fields_of(trails: Sequence[Trail], texts: Sequence[tuple[str, str]], at: int) -> str:
    """Return the fields of a pattern for the names of one level, each with a task and a rest (`texts`), up to the number at its end, and for
    the levels above it that differ."""
    name, (task, rest) = trails[0].parts[at], texts[0]
    inside = task if task in name else ""
    fields = [(name.find(text), field) for field, text in (("{task}", inside), ("{algorithm}", rest)) if text]
    before = name[: min(fields)[0]] if fields and min(fields)[0] > 0 else ""
    own = before + "_".join(field for _, field in sorted(fields))
    levels = list(zip(*(trail.parts[:at] for trail in trails), strict=False))
    first = next((depth for depth, names in enumerate(levels) if len({*names}) > 1), at)
    above = []
    for names in levels[first:]:
        meaning = meaning_of(names) if len({*names}) > 1 else ""
        role = f"{{{meaning}}}" if meaning in ("algorithm", "task") else "{task}" if rest else "{algorithm}"
        above.append("*" if len({*names}) == 1 else role)
    whole = "/".join([*above, own])
    return whole if whole.count("{algorithm}") < 2 and whole.count("{task}") < 2 else own
