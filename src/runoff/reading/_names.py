"""The names in paths: algorithm, task and run, read from folders and file names of all paths together, for tables and training logs alike.

A name is cut (`clues`): dates, hashes and meaningless words are skipped, then a known task or the id of an environment is searched, then a
seed. Among the remaining parts, the levels whose names differ between paths are the algorithm, unless one of them is the task (`roles_of`).
Ambiguous names are refused, and `pattern` decides.

`names_of` reads the paths of tables, `folder_names` the folders of logs, whose runs are also named by tools and configurations.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from runoff.base.grouping import grouped
from runoff.errors import DataError, warn
from runoff.reading._crossed import asked_of_levels, warn_of_variants
from runoff.reading._grids import asked_of_grid, asked_of_settings, with_patterns
from runoff.reading._jobs import LONG, judge
from runoff.reading._known import (
    ALGORITHMS,
    LIGHTNING,
    SAYS_LITTLE,
    SAYS_NOTHING,
    SEEDS,
    SEPARATORS,
    SUBJECT,
    are_counted,
    beyond_noise,
    ends_with_algorithm,
    has_algorithm,
    is_algorithm_itself,
    is_environment_id,
    is_task,
    meaning_of,
    named_run,
    names_setting,
    number_in,
    run_in,
    says_nothing,
    stamped,
    task_in,
    without_noise,
)
from runoff.reading._levels import beyond_ids, independent, of_lone_file, task_level
from runoff.reading._overrides import overrides_in, swept_by
from runoff.reading._pattern import fields_of, with_repair
from runoff.reading._trails import Clues, Names, Trail
from runoff.reading._words_of_tasks import NONE, InnerWords, ends_with_task, words_within
from runoff.tables.columns import NAMED, listed
from runoff.words.labels import run_of
from runoff.words.patterns import regex
from runoff.words.speech import option
from runoff.words.words import canonical

LONGEST = 200
"""The largest length of a name; a longer text is not a name."""
RunNaming = Literal["any", "said", "none"]
"""The runs that a name may contain: also numbers at its end, only explicit runs, or none."""


# ── one path ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """The information in one part of a path: a task, a run, the remainder, and the remainder including a loose number."""

    task: str | None = None
    weak: bool = False
    run: str | None = None
    loose: bool = False
    rest: str = ""
    whole: str = ""
    little: str = ""


def clues(
    parts: Sequence[str],
    *,
    weak: bool = True,
    numbered: bool = False,
    tasks: bool = True,
    runs: RunNaming = "any",
    within: InnerWords = NONE,
) -> Clues:
    """Return the information in the names from the root down to a run; the deepest informative name wins, and a seed wins over a mere number.

    A number at the end of a name that is not the run stays part of the name, so that two folders stay distinct; below a seed it numbers
    attempts at one run. `weak`: a single word also counts as a task, although it may name something else; `numbered`: so does `env_2`, which
    always does if there is a seed; `within`: what all paths say of words within names.
    """
    pieces = [
        _piece(part, weak and tasks and part not in within.whole, numbered, tasks, runs, within=within)
        for part in parts
    ]
    for i in range(1, len(parts)):
        if parts[i].isdigit() and names_setting(parts[i - 1]):  # `lr/1` is `lr_1`
            pieces[i] = _Piece(rest=parts[i], whole=parts[i])
    if any(piece.task and is_task(piece.task) for piece in pieces):
        # beside a known environment what is only spelled like one is a version: `Hopper-v4/mine-v1`
        spelled = [i for i, piece in enumerate(pieces) if piece.task and not is_task(piece.task)]
        pieces = [
            _piece(part, weak and part not in within.whole, numbered, i not in spelled, runs, within=within)
            for i, part in enumerate(parts)
        ]
    with_run = [i for i, piece in enumerate(pieces) if piece.run is not None]
    seeds = [i for i in with_run if not pieces[i].loose]
    if seeds and not numbered and any(map(SUBJECT.search, parts)):
        # the seed is the run, so that the number of `env_2` cannot be one
        return clues(parts, weak=weak, numbered=True, tasks=tasks, runs=runs, within=within)
    run_at = (seeds or with_run or [-1])[-1]
    task_at = max((i for i, piece in enumerate(pieces) if piece.task), default=-1)
    left: list[tuple[int, str]] = []
    for depth, piece in enumerate(pieces):
        # `PPO/seed_3/PPO_1`: what an attempt is called tells no two algorithms apart
        counts_attempts = bool(seeds) and depth > run_at
        rest = piece.whole if piece.loose and depth != run_at and not counts_attempts else piece.rest
        if rest and (not left or canonical(left[-1][1]) != canonical(rest)):
            left.append((depth, rest))
    return Clues(
        parts=tuple(parts),
        task=pieces[task_at].task if task_at >= 0 else None,
        weak=pieces[task_at].weak if task_at >= 0 else False,
        run=pieces[run_at].run if run_at >= 0 else None,
        loose=pieces[run_at].loose if run_at >= 0 else True,
        left=tuple(left),
        size=len(parts),
        little=tuple((depth, piece.little) for depth, piece in enumerate(pieces) if piece.little),
        task_at=task_at,
        run_at=run_at,
    )


@cache
def hints_of(run_name: str) -> tuple[str, ...]:
    """Return the name of a run if a script gave it; nothing if the tool drew it at random ("sunny-wood-5")."""
    clue = clues(run_name.split("__"))
    given = named_run(run_name) or clue.task is not None or any(has_algorithm(text) for _, text in clue.left)
    return (run_name,) if given else ()


@lru_cache(1 << 14)  # most names stand in many paths: of 1,000 runs in folders of a grid, 99 %
def _piece(part: str, weak: bool, numbered: bool, tasks: bool, runs: RunNaming, *, within: InnerWords) -> _Piece:
    if says_nothing(part):
        return _Piece(little=part if canonical(part) in SAYS_LITTLE else "")
    names = stamped(part) if tasks and runs != "none" else None
    if names is not None:
        return _Piece(task=names[0], run=names[2], rest=names[1], whole=names[1])
    seeds = SEEDS.fullmatch(part)
    if seeds and runs != "none":
        return _Piece(run=seeds[1])
    if (piece := _of_overrides(part, tasks, runs)) is not None:
        return piece
    text = without_noise(part)
    task, alone, text = _without_task(text, weak, numbered, within) if tasks else (None, False, text)
    seed = run_in(text) if runs != "none" else None
    if runs != "none" and seed is None and (counted := run_of(text)) is not None:  # `fold3`, `Wiederholung 2`
        seed = counted, ""
    if seed is not None:
        run, rest = seed
        if tasks and task is None:  # `Task1_s3` says that it is a task only without its seed
            task, alone, rest = _without_task(rest, weak, numbered, within)
        return _Piece(task=task, weak=alone, run=run, rest=_left(rest), whole=_left(text))
    number = number_in(text) if runs == "any" else None
    if number is not None:
        return _Piece(task=task, weak=alone, run=number[0], loose=True, rest=_left(number[1]), whole=_left(text))
    return _Piece(task=task, weak=alone, rest=_left(text), whole=_left(text))


def _of_overrides(part: str, tasks: bool, runs: RunNaming) -> _Piece | None:
    """Return the names in settings; None if none of them is an algorithm, a task or a run, or names stand beside a single one."""
    settings = overrides_in(part)
    keyed = [setting for setting in settings if setting.key]
    roles = {setting.role: setting.value for setting in (*settings, *keyed)}
    if not {setting.role for setting in keyed} & {*NAMED} or len(keyed) == 1 < len(settings):
        return None
    task, run = roles.get("task") if tasks else None, roles.get("run") if runs != "none" else None
    used = [("task", task), ("run", run)]
    names = [(setting.role, setting.value if setting.role else setting.text) for setting in settings]
    rest = " ".join(name for role, name in names if (role, name) not in used)
    return _Piece(task=task, run=run, rest=rest, whole=rest)


def _without_task(text: str, weak: bool, numbered: bool, within: InnerWords) -> tuple[str | None, bool, str]:
    """Return the task in a name, whether it is a single word, and the remainder of the name."""
    span = task_in(text, numbered=numbered, last=within.last, more=within.more)
    if span is None or (span[2] and not weak):
        return None, False, text
    start, end, alone = span
    return text[start:end], alone, f"{text[:start]} {text[end:]}"


def _left(text: str) -> str:
    words = [word.strip(SEPARATORS) for word in text.split() if canonical(word) not in SAYS_NOTHING]
    return " ".join(word for word in words if word)


# ── all paths: which level names what ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The levels, from the end of the paths, that name the algorithm (outermost first) and the task, and the question about undecided names
    ("" if none).

    `shared` are settings (`lr=0.1`) that all paths have in common; `swept` is a setting with several values in the names; `crossed` is the
    question on levels whose names would be joined; `runs`: an answer must name the runs, too.
    """

    algorithm: tuple[int, ...]
    shared: frozenset[str] = frozenset()
    task: int | None = None
    unclear: str = ""
    swept: str = ""
    crossed: str = ""
    runs: bool = False


def roles_of(paths: Sequence[Clues], *, with_task: bool, with_run: bool, named_above: bool = False) -> Roles:
    """Return the roles of the levels of paths; with_task, with_run: whether something else already names the tasks and the runs; named_above:
    a folder above all paths is called like a known algorithm.

    The algorithm is named by levels that differ and by levels with a known algorithm in all paths; otherwise by the level that looks like an
    algorithm, or the deepest.
    """
    # the levels that name something: their place from the end of the paths -> the name on each path, "" where it has none
    levels = {
        back: [_text(path, back) for path in paths]
        for back in range(1, max((path.size for path in paths), default=0) + 1)
        if any(path.text(back) for path in paths)
    }
    several = {back: names for back, names in levels.items() if len({name.casefold() for name in names}) > 1}
    differing = independent(several)
    task, unclear = (None, "") if with_task else task_level(differing, with_run)
    constant = {back for back, names in levels.items() if len(set(names)) == 1 and canonical(names[0]) in ALGORITHMS}
    if not with_task and (constant or named_above):
        # `ppo/hopper` beside `ppo/mine`: of one known algorithm these are tasks.
        likely = [back for back, names in differing.items() if meaning_of(filter(None, names)) == "task"]
        task, unclear = (likely[0], "") if len(likely) == 1 else (task, unclear)
    named = ({*differing} | constant) - {task}
    if not named:
        like = {back for back, names in levels.items() if any(map(has_algorithm, names))}
        named = (like or set(sorted(levels)[:1])) - {task}
    settings = [{word for _, text in path.left for word in text.split() if "=" in word} for path in paths]
    shared = frozenset(set.intersection(*settings)) if len(paths) > 1 else frozenset()
    swept = swept_by({*zip(*(levels[back] for back in sorted(named)), strict=True)})
    joined = {back: names for back, names in differing.items() if back in named}
    return Roles(
        algorithm=tuple(sorted(named, reverse=True)),
        shared=shared,
        task=task,
        unclear=unclear,
        swept="" if unclear else swept,
        crossed=asked_of_levels(joined, paths, with_run=with_run),
        runs=not with_run,
    )


def _text(path: Clues, back: int) -> str:
    return path.text(back) or dict(path.little).get(path.size - back, "")


def _algorithm(path: Clues, roles: Roles) -> str:
    names = [_text(path, back) for back in roles.algorithm]
    bare = (" ".join(word for word in name.split() if word not in roles.shared) for name in names)
    # Where others have a name there, a word that says nothing is one: `final` beside `initial`.
    places = [path.size - back for back in roles.algorithm]
    words = [path.parts[at] for at in places if at >= 0 and at not in (path.task_at, path.run_at)]
    return "/".join(filter(None, bare)) or "/".join(filter(None, names)) or "/".join(words)


# ── folders of logs ──────────


def clues_of_all(paths: Sequence[Sequence[str]]) -> list[Clues]:
    """Return the clues of all paths; single words are tasks only if every path names a task."""
    within = words_within(paths)
    all_clues = [clues(path, within=within) for path in paths]
    ids = sorted({path.task for path in all_clues if path.task and path.left and not path.weak})
    all_clues = [path if path.left else clues(beyond_ids(path.parts, path.task or "", ids)) for path in all_clues]
    mixed = any(path.task is None for path in all_clues) and any(path.weak for path in all_clues)
    return [clues(path, weak=False) for path in paths] if mixed else all_clues


def folder_names(paths: Sequence[Clues], *, with_task: bool, with_run: bool) -> tuple[list[Mapping[str, str]], Roles]:
    """Return the names of each run from folders, {role: name}, and the roles of these; with_task, with_run: whether something else already names
    the tasks and the runs."""
    with_task = with_task or any(path.task for path in paths)
    roles = roles_of(paths, with_task=with_task, with_run=with_run or all(path.run is not None for path in paths))
    names: list[Mapping[str, str]] = []
    for path in paths:
        task = path.task or (_text(path, roles.task) if roles.task is not None else None)
        named = {"task": task, "run": path.run, "algorithm": _algorithm(path, roles)}
        names.append({role: name for role, name in named.items() if name and len(name) <= LONGEST})
    return names, roles


# ── paths of tables ──────────


BEFORE_NAMES = regex(r"(?:results?|evals?|evaluations?|metrics?|scores?)[_-]+(?=[^\W_])", re.IGNORECASE)
"""What scripts write before the names of algorithms in those of files: `results_ppo`."""


def without_shared_word(names: Sequence[str]) -> list[str]:
    """Return names without the word for what files hold, where all begin with one: `eval_ppo` beside `ppo` is another file of it.

    >>> without_shared_word(["results_ppo", "results_sac"]), without_shared_word(["eval_ppo", "ppo"])
    (['ppo', 'sac'], ['eval_ppo', 'ppo'])
    """
    words = [BEFORE_NAMES.match(name) for name in names]
    shared = len({word.group() if word else "" for word in words}) == 1 and len({*names}) > 1
    return [name[word.end() :] if word and shared else name for name, word in zip(names, words, strict=True)]


def names_of(trails: Sequence[Trail]) -> list[Names]:
    """Return the names in the paths that their tables lack; refuse two possible algorithms, and numbers that may be runs or batches."""
    within = words_within([trail.parts for trail in trails])
    tasks = _every_path_names_a_task(trails, within)
    paths = _with_numbers(trails, [_clues_of(trail, tasks, within) for trail in trails], tasks, within)
    named = [_task_and_run(trail, path, tasks) for trail, path in zip(trails, paths, strict=True)]
    wanted = [i for i, trail in enumerate(trails) if "algorithm" in trail.lacks]
    if not wanted:
        return named
    roles = roles_of(
        [paths[i] for i in wanted],
        with_task=any("task" in named[i].names or "task" not in trails[i].lacks for i in wanted),
        with_run=all("run" in named[i].names or "run" not in trails[i].lacks for i in wanted),
        named_above=any(map(is_algorithm_itself, trails[0].above[-1:])),
    )
    parts = [trails[i].parts for i in wanted]
    question = (
        asked_of_settings(roles.swept, parts) or with_repair(roles.unclear, parts, runs=roles.runs) or roles.crossed
    )
    if question:
        raise DataError(f"{_folder_of([trails[i] for i in wanted])}: {with_patterns(question, parts)}")
    for i in wanted:
        names, where = dict(named[i].names), dict(named[i].where)
        if roles.task is not None:
            names["task"], where["task"] = _text(paths[i], roles.task), trails[i].level(paths[i].size - roles.task)
        names["algorithm"], where["algorithm"] = _algorithm_of(trails[i], paths[i], roles, alone=len(trails) == 1)
        named[i] = Names(names=names, where=where)
    for i, own in zip(wanted, without_shared_word([named[i].names["algorithm"] for i in wanted]), strict=True):
        named[i] = Names(names={**named[i].names, "algorithm": own}, where=named[i].where)
    names_wanted, where_wanted = [named[i].names for i in wanted], [named[i].where for i in wanted]
    _refuse_grid([trails[i] for i in wanted], names_wanted)
    judge(names_wanted, where_wanted, [trails[i].path for i in wanted])
    algorithms = [own["algorithm"] for own in names_wanted]
    warn_of_variants(algorithms, [str(trails[i].path) for i in wanted])
    bare = [i for i in wanted if named[i].where["algorithm"] == "the folder"]
    if 0 < len(bare) < len(wanted) and not has_algorithm(named[bare[0]].names["algorithm"]):
        name = named[bare[0]].names["algorithm"]
        warn(
            f"{trails[bare[0]].path}: nothing in its path names an algorithm, as in those of other files, and it is read as that of the folder, "
            f"{name!r}; if it is none, {option('exclude', name)} leaves it out"
        )
    return named


def _refuse_grid(trails: Sequence[Trail], named: Sequence[Mapping[str, str]]) -> None:
    """Refuse paths whose names are a grid of others than were read, if no table names tasks."""
    if any("task" not in trail.lacks for trail in trails):
        return
    cells = [(names["algorithm"], names.get("task", "")) for names in named]
    with_run = any("run" not in trail.lacks for trail in trails)
    if question := asked_of_grid([trail.parts for trail in trails], cells, with_run=with_run):
        raise DataError(f"{_folder_of(trails)}: {question}")


def _clues_of(trail: Trail, tasks: bool, within: InnerWords, runs: RunNaming = "any") -> Clues:
    # `seed_11` above a file with column `seed` is 11 names that run again.
    again = trail.run and any((own := run_in(part)) and own[0] == trail.run for part in trail.parts)
    wanted: RunNaming = runs if "run" in trail.lacks else "said" if again else "none"
    tasks = tasks and "task" in trail.lacks
    return clues(trail.parts, numbered=wanted != "any", tasks=tasks, runs=wanted, within=within)


def _every_path_names_a_task(trails: Sequence[Trail], within: InnerWords) -> bool:
    """Return whether all paths whose tables lack a task name one; a name that is only an id is a version: `Mine-v1`."""
    for trail in trails:
        if "task" in trail.lacks:
            path = _clues_of(trail, True, within, runs="said")
            if path.task is None and _task_above(trail) is None:
                return False
            only_id = path.task is not None and not path.left and is_environment_id(path.task)
            # `noisy_hopper-v2` is one, as the words of a known task in it say.
            if only_id and not is_task(path.task or "") and not ends_with_task(path.task or ""):
                return False
    return True


def _task_above(trail: Trail) -> str | None:
    return next((name for name in reversed(trail.above) if is_task(name)), None)


def _with_numbers(trails: Sequence[Trail], paths: Sequence[Clues], tasks: bool, within: InnerWords) -> list[Clues]:
    """Return the clues, with numbers at the end of names as runs where they are.

    They are runs if paths differ in them only, or if the name before them is known; a file of scores may then also contain a batch of runs.
    """
    loose = [i for i, path in enumerate(paths) if path.run is None or path.loose]
    missing = [i for i in loose if {"run", "algorithm"} <= trails[i].lacks and not _is_number(trails[i], paths[i])]
    numbered = [i for i in missing if paths[i].run is not None and _may_be_run(trails[i], paths[i])]
    without = {i: trails[i].parts[: paths[i].run_at] + trails[i].parts[paths[i].run_at + 1 :] for i in numbered}
    before = {i: path.text(path.size - path.run_at) for i, path in enumerate(paths)}
    alike = len({(*without[i], before[i], paths[i].task or "") for i in numbered}) < len(numbered) == len(missing)
    if alike and not all(trails[i].one_run for i in numbered):
        raise _only_numbers([trails[i] for i in numbered], [paths[i] for i in numbered])
    known_before = {i for i in numbered if paths[i].task_at == paths[i].run_at or has_algorithm(before[i])}
    runs = {i for i in numbered if alike or (trails[i].one_run and i in known_before)}
    # Behind a task no value of a setting stands: `PPO_Hopper-v4_123`.
    in_folders = {i for i in runs if paths[i].run_at < paths[i].size - 1 and not _follows_task(paths[i])}
    numbers = grouped(((without[i], before[i], paths[i].task), paths[i].run or "") for i in in_folders)
    if not all(map(are_counted, numbers.values())):
        if len({name for (_, name, _), own in numbers.items() if len({*own}) > 1}) > 1:
            raise _only_numbers([trails[i] for i in sorted(in_folders)], [paths[i] for i in sorted(in_folders)])
        runs -= in_folders
    runs |= {i for i in loose if _is_number(trails[i], paths[i])}
    return [
        path if i in runs or i not in loose else _clues_of(trails[i], tasks, within, "said")
        for i, path in enumerate(paths)
    ]


def _is_number(trail: Trail, path: Clues) -> bool:
    """Return whether the run is a whole part of the path (`PPO/3`); if it is the only part, it may number a batch."""
    return path.run is not None and trail.parts[path.run_at].isdigit() and (len(trail.parts) > 1 or trail.one_run)


def _may_be_run(trail: Trail, path: Clues) -> bool:
    """Return whether a number at the end of a name may be a run: in the name of a file, or of a folder with a learning curve.

    The number of a folder must directly follow a known algorithm or task, or be one of Lightning's, because numbers of folders more often
    mean variants of a method than runs.
    """
    text = path.text(path.size - path.run_at)
    counts_runs = (
        path.task_at == path.run_at or ends_with_algorithm(text) or LIGHTNING.fullmatch(trail.parts[path.run_at])
    )
    return path.run_at == path.size - 1 or (trail.one_run and bool(counts_runs))


def _follows_task(path: Clues) -> bool:
    return path.parts[path.run_at].rstrip("0123456789").rstrip(SEPARATORS).endswith(path.task or "/")


def _only_numbers(trails: Sequence[Trail], paths: Sequence[Clues]) -> DataError:
    at, run = paths[0].run_at, paths[0].run or ""
    inside = at < paths[0].size - 1
    names = listed(sorted({trail.parts[at] + ("" if inside else trail.path.suffix) for trail in trails})[:3])
    mark, rest = trails[0].parts[at][-len(run) - 1 : -len(run)], "/*" * (paths[0].size - 1 - at)
    named = fields_of(trails, [(path.task or "", path.text(path.size - at)) for path in paths], at)
    runs, other = (option("pattern", named + mark + field + rest) for field in ("{run}", "{config}" if inside else "*"))
    what, ways = ("folders", "the value of a setting") if inside else ("files", "of a batch of runs")
    return DataError(
        f"{_folder_of(trails)}: {what} such as {names} differ only in a number, which may be that of a run (with its evaluations) or {ways}; "
        f"use {runs} (runs), or {other} ({'settings' if inside else 'batches'})."
    )


def _folder_of(trails: Sequence[Trail]) -> str:
    return os.path.commonpath([trail.path.parent for trail in trails]) or "."


def _task_and_run(trail: Trail, path: Clues, tasks: bool) -> Names:
    """Return the task and the run of a path; a folder that is only a date may be the run."""
    names: dict[str, str] = {}
    where: dict[str, str] = {}
    if tasks and "task" in trail.lacks:
        above = _task_above(trail)
        names["task"] = path.task or above or ""
        where["task"] = "the folder" if path.task is None else trail.level(path.task_at)
    if "run" in trail.lacks:
        dates = [depth for depth, part in enumerate(trail.parts) if not beyond_noise(part)]
        run_at = path.run_at if path.run is not None else dates[0] if dates and len(trail.parts) > 1 else None
        if run_at is not None:
            names["run"], where["run"] = path.run or trail.parts[run_at], trail.level(run_at)
    return Names(names=names, where=where)


def _algorithm_of(trail: Trail, path: Clues, roles: Roles, *, alone: bool) -> tuple[str, str]:
    """Return the algorithm of a path and its position: the levels that name it, otherwise the nearest informative name."""
    if alone and (name := of_lone_file(trail.parts, trail.above)):
        return name, "the file name" if name == trail.parts[-1] else "the folder"
    if name := _algorithm(path, roles):
        return name, " and ".join(trail.level(path.size - back) for back in roles.algorithm if _text(path, back))
    if left := [pair for pair in path.left if pair[0] != path.size - (roles.task or 0)]:
        return left[-1][1], trail.level(left[-1][0])
    above = [name for name in reversed(trail.above) if not says_nothing(name) and not is_task(name)]
    # Where all above says nothing (`/results`), it is still no run that is compared; long numbers are those of jobs, which are asked about.
    is_run = path.run is not None and not LONG.search(trail.parts[-1])
    bare = trail.above[-1] if is_run and trail.above else trail.parts[-1]
    return next((name for name in above if run_of(name) is None), bare), "the folder"
