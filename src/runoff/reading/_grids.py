"""Grids in names of paths: the same names beside each of several others, whatever marks part them, which are algorithms and tasks.

All paths together show a grid: what is left of each name beyond dates, hashes and the run is parted where both halves stand in most others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile

from runoff.base.grouping import distinct
from runoff.reading._crossed import by_levels, names_part
from runoff.reading._fields import matched_together, parted_names
from runoff.reading._known import (
    NOISE,
    SEED,
    WANDB,
    ends_with_algorithm,
    is_algorithm,
    is_algorithm_itself,
    is_contender,
    meaning_of,
)
from runoff.reading._overrides import places_of_settings
from runoff.reading._pattern import suggestions
from runoff.tables.columns import NAMED, listed
from runoff.words.patterns import regex
from runoff.words.speech import in_python, option
from runoff.words.words import canonical

RUN, REST = "\x01", "\x02"
"""What stands for the number of a run, and for a date or a hash, in a name."""
VALUES, KEY = tuple(map(chr, range(3, 31))), "\x1f"
"""What stands for the values of settings that names spell by their keys, in order, and before the keys: `lr=0.1`."""
PATTERN = regex(r"pattern=['\"](.*?)['\"](?=[;. ]|$)")
OPEN = regex(r"([\W_]*[\x01-\x1f][\W_]*)")
NUMBER = regex(r"(?:^|(?<=[_\-.,=;& ])|(?<=[_\-.,=;& ][kr]))\d{1,12}(?=$|[_\-.,=;& ])")
YEAR = regex(r"(?:19|20)\d\d")
HASH = regex(r"(?<![^\W_])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![^\W_])")
FIELD = regex(r"\{.*?\}")
MARKS = (";", "&", ",", "--", "__", " ", "~", "@", ".", "_", "-")
"""Marks between two names, the clearest first."""
OTHERS = ("run", "runs_of", "parts", "metric", "number")
"""What names mean that are neither algorithms nor tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridOfNames:
    """The names of a grid on each path, "" of those that paths do not hold, and the patterns that read them, the likeliest first."""

    algorithm: tuple[str, ...]
    task: tuple[str, ...]
    run: tuple[str, ...]
    patterns: tuple[str, ...]
    settings: Mapping[str, tuple[str, ...]]

    @property
    def is_whole(self) -> bool:
        return len({*self.cells}) == len({*self.algorithm}) * len({*self.task})

    @property
    def ways(self) -> str:
        return " or ".join(option("pattern", pattern) for pattern in self.patterns)

    @property
    def cells(self) -> list[tuple[str, str]]:
        return list(zip(self.algorithm, self.task, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    """The names of all paths at one level in pieces that vary and, between these, what all share (`between`, one more)."""

    between: tuple[str, ...]
    vary: tuple[tuple[str, ...], ...]

    def template(self, fields: Sequence[str]) -> str:
        pieces = [self.between[0], *(part for pair in zip(fields, self.between[1:], strict=True) for part in pair)]
        fixed = not fields and {*pieces[0]}.isdisjoint((RUN, *VALUES))
        return "*" if fixed else "".join(pieces).replace(RUN, "{run}").replace(REST, "*")


def grid_of(paths: Sequence[Sequence[str]]) -> GridOfNames | None:
    """Return the grid in the names of paths; None where they are no whole grid of two names, or depths differ.

    >>> names = [f"{t}-{a}-s{s}" for t in ("crane-v3", "lift-v1") for a in ("dr_grpo", "ours_v2") for s in (0, 1)]
    >>> grid_of([[name] for name in names]).patterns
    ('{task}-{algorithm}-s{run}',)
    """
    if len({*map(len, paths)}) != 1 or len(paths) < 4:
        return None
    names = [list(level) for level in zip(*paths, strict=True)]
    first = next((at for at, level in enumerate(names) if len({*level}) > 1), len(names))
    names = names[first:]
    if any(mark in name for level in names for name in level for mark in ("{", "}", "*", RUN, REST, KEY, *VALUES)):
        return None
    names, fields = _with_values(names)
    roles = [role for role in NAMED[:2] if f"{{{role}}}" not in fields.values()]
    levels = [_level(level) for level in _with_runs(names)]
    whole = [level for level in levels if level is not None]
    n_vary = sum(len(level.vary) for level in whole)
    if len(whole) < len(levels) or not (len(roles) > 1) <= n_vary <= len(roles):
        return None
    halved = [_in_halves(level) if level.vary and n_vary < len(roles) == 2 else level for level in whole]
    whole = [level for level in halved if level is not None]
    if len(whole) < len(halved):
        return None
    return _grid(whole, ["/".join(path[first:]) for path in paths], fields, roles)


def _with_values(levels: list[list[str]]) -> tuple[list[list[str]], dict[str, str]]:
    """Return the names with the values that differ of settings that all spell by the same keys marked, and the field of each mark."""
    fields: dict[str, str] = {}
    marked = [list(names) for names in levels]
    for names in marked:
        places = places_of_settings(_without_noise(names))
        for at in reversed(range(len(places[0]) if places else 0)):
            spans = [(own[at].key, own[at].value, own[at].end) for own in places]
            several = len({name[begin:end] for name, (_, begin, end) in zip(names, spans, strict=True)}) > 1
            field = f"{{{places[0][at].field}}}"
            if not several or field in fields.values() or len(fields) == len(VALUES):
                # What all share stands between names as marks do.
                names[:] = (
                    [
                        name[:start] + KEY + name[start:end] + KEY + name[end:]
                        for name, (start, _, end) in zip(names, spans, strict=True)
                    ]
                    if not several
                    else names
                )
                continue
            mark = RUN if field == "{run}" else VALUES[len(fields)]
            fields[mark] = field
            names[:] = [
                name[:start] + KEY + name[start:begin] + mark + name[end:]
                for name, (start, begin, end) in zip(names, spans, strict=True)
            ]
    return marked, fields


def _with_runs(levels: list[list[str]]) -> list[list[str]]:
    """Return the names with their runs marked: the last level in which all names have one, otherwise a number that stands in all."""
    if any(RUN in names[0] for names in levels):
        return levels
    for at in reversed(range(len(levels))):
        matches = [SEED.search(name) for name in levels[at]]
        words = {match[0].removesuffix(match[1]) for match in matches if match}
        runs = {match[1] for match in matches if match}
        if all(matches) and len(runs) > 1 and len(words) == 1:
            return _marked(levels, at, [match.span(1) for match in matches if match])
    for at in reversed(range(len(levels))):
        spans = _numbers_in(levels[at])
        if spans:
            return _marked(levels, at, spans)
    return levels


def _marked(levels: list[list[str]], at: int, spans: Sequence[tuple[int, int]]) -> list[list[str]]:
    names = [f"{name[:start]}{RUN}{name[end:]}" for name, (start, end) in zip(levels[at], spans, strict=True)]
    return [*levels[:at], names, *levels[at + 1 :]]


def _numbers_in(names: Sequence[str]) -> list[tuple[int, int]]:
    """Return where a number that may be that of a run stands in names, beyond dates, with most others beside each of its values: the last of
    each, the first or another, those of years last."""
    bare = _without_noise(names)
    own = [[match.span() for match in NUMBER.finditer(name)] for name in bare]
    fewest = min(map(len, own))
    ways: list[tuple[bool, list[tuple[int, int]]]] = []
    for at in sorted(range(-fewest, fewest), key=lambda at: (abs(at + 0.5), at >= 0)):
        spans = [places[at] for places in own]
        values = [name[slice(*span)] for name, span in zip(names, spans, strict=True)]
        rest = [name[: span[0]] + RUN + name[span[1] :] for name, span in zip(bare, spans, strict=True)]
        beside = distinct(zip(rest, values, strict=True))
        n_runs, few = sum(map(len, beside.values())), min(map(len, beside.values()))
        # One run in four may be missing.
        if few > 1 and 4 * n_runs >= 3 * len(beside) * len({*values}):
            ways.append((all(map(YEAR.fullmatch, values)), spans))
    return min(ways, key=lambda way: way[0])[1] if ways else []


def _without_dates(name: str) -> str:
    """Return a name of the same length whose dates and hashes are marked; a folder of Weights & Biases has a date and an id."""
    return REST * len(name) if WANDB.match(name) else NOISE.sub(_marks, name)


def _without_noise(names: Sequence[str]) -> list[str]:
    """Return names whose dates and hashes are marked; beside hashes a number of their length is one: `21636369` beside `c7859fae`."""
    bare = [_without_dates(name) for name in names]
    hashed = [match for name in names if (match := HASH.search(name))]
    lengths = {len(match[0]) for match in hashed}
    if len(lengths) > 1 or 2 * len(hashed) <= len(names):
        return bare
    digits = regex(rf"(?<![^\W_])\d{{{lengths.pop()}}}(?![^\W_])")
    return [own if REST in own else digits.sub(_marks, own) for own in bare]


def _marks(match: re.Match[str]) -> str:
    return REST * len(match[0])


def _level(names: Sequence[str]) -> _Level | None:
    """Return the names of a level in pieces; None where dates or runs stand at other places, or behind other words."""
    bare = [re.sub(f"{REST}+", REST, name) for name in _without_noise(names)]
    if len({*bare}) == 1 and {*bare[0]}.isdisjoint((RUN, *VALUES)):
        return _Level(between=("*",), vary=())
    pieces = [OPEN.split(name) for name in bare]
    words = _with_words(pieces)
    if words is None:
        return None
    between, vary = [""], list[tuple[str, ...]]()
    for at, own in enumerate(zip(*words, strict=True)):
        if len({*own}) == 1:
            between[-1] += own[0]
        elif at % 2 or not all(own):
            return None
        else:
            vary.append(own)
            between.append("")
    return _Level(between=tuple(between), vary=tuple(vary))


SEED_WORD = regex(r"(.*?)((?:(?:(?<=^)|(?<=[\W_]))(?:seed|run|rs|s|rep|trial|rng_seed|random_seed))?)", re.IGNORECASE)


def _with_words(pieces: Sequence[Sequence[str]]) -> list[list[str]] | None:
    """Return the pieces of names with the word of the run beside its number; None where names have other numbers of pieces."""
    if len({*map(len, pieces)}) > 1:
        return None
    moved = [list(own) for own in pieces]
    for at in range(1, len(moved[0]), 2):
        matches = [SEED_WORD.fullmatch(own[at - 1]) if RUN in own[at] else None for own in moved]
        # Of `lumen-s.1` beside `lumen.1` the letter is a part of the name.
        if all(match and match[2] for match in matches):
            for own, match in zip(moved, filter(None, matches), strict=True):
                bare = match[1].rstrip("_-.,;&= ")
                own[at - 1 : at + 1] = bare, match[0][len(bare) :] + own[at]
    return moved


def _in_halves(level: _Level) -> _Level | None:
    """Return a level whose names vary in one piece with the two halves of it that are a grid; without what all names share where there are none;
    None where a few cells are missing, or the halves are grids themselves."""
    names = level.vary[0]
    first = min(_halves(names), key=lambda way: way[0], default=None)
    if first is not None:
        _, (before, mark, behind), halves = first
        between = (level.between[0] + before, mark, behind + level.between[1])
        several = any(_is_grid(*own) for half in halves for _, _, own in _halves(half))
        return _Level(between=between, vary=halves) if _is_grid(*halves) and not several else None
    begin, end = _shared_ends(names)
    bare = tuple(name[len(begin) : len(name) - len(end)] for name in names)
    if not all(bare) or any(map(is_algorithm_itself, re.split(r"[-_]", begin))):
        return level
    return _Level(between=(level.between[0] + begin, end + level.between[1]), vary=(bare,))


Halves = tuple[tuple[bool, bool, bool, int, int], tuple[str, str, str], tuple[tuple[str, ...], tuple[str, ...]]]
"""The rank of a way to part names, what stands before, between and behind the halves, and these."""


def _halves(names: Sequence[str]) -> Iterator[Halves]:
    """Yield the ways to part names in two that most pairs of halves are there; variants of one algorithm are none."""
    begin, end = _shared_ends(names)
    of_one = any(map(is_algorithm_itself, re.split(r"[-_]", begin)))
    # What all begin with is no part of a name where it counts, or says which model it is: `exp1_`, `Qwen3-0.6B-`.
    counts = re.search(r"\d", begin) is not None
    for order, (before, behind) in enumerate(dict.fromkeys([("", ""), (begin, ""), ("", end), (begin, end)])):
        rest = [name[len(before) : len(name) - len(behind)] for name in names]
        for place, mark in enumerate(MARKS):
            if all(mark in name.strip(mark) for name in rest):
                halves = parted_names(f"{{a}}{mark}{{b}}", rest)
                a, b = (tuple((own or {}).get(half, "") for own in halves) for half in "ab")
                sure = bool({meaning_of(a), meaning_of(b)} & {"algorithm", "task"})
                # Of `ppo-gnn_merge` another mark stands within the algorithms than between the halves.
                of_variants = (
                    of_one and mark in begin and not any(map(ends_with_algorithm, a)) and meaning_of(b) != "task"
                )
                if _cross(a, b) and not of_variants:
                    yield (
                        (not _is_grid(a, b), not sure, counts and before == "", order, place),
                        (before, mark, behind),
                        (a, b),
                    )


def _shared_ends(names: Sequence[str]) -> tuple[str, str]:
    return _shared_beginning(names), _shared_beginning([name[::-1] for name in names])[::-1]


def _shared_beginning(names: Sequence[str]) -> str:
    """Return what all names begin with, up to a mark."""
    alike = takewhile(lambda letters: len({*letters}) == 1, zip(*names, strict=False))
    return re.sub(r"[^_\-.,~ ]*$", "", "".join(letters[0] for letters in alike))


def _is_grid(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether most of the pairs of two names are there, several of each."""
    pairs = {*zip(first, second, strict=True)}
    ways = (pairs, {(b, a) for a, b in pairs})
    return _cross(first, second) and all(len(own) > 1 for way in ways for own in distinct(way).values())


def _cross(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether three in four of the pairs of several names with several others are there."""
    n, others = len({*first}), len({*second})
    return min(n, others) > 1 and 4 * len({*zip(first, second, strict=True)}) >= 3 * n * others


def _grid(
    levels: Sequence[_Level], paths: Sequence[str], fields: Mapping[str, str], roles: Sequence[str]
) -> GridOfNames | None:
    """Return the grid of levels; fields: those of the settings in them, by their marks; roles: those that no key names."""
    vary = [names for level in levels for names in level.vary]
    # `ppo_kl` beside `ppo_clip` is an algorithm, whatever metrics are called like their ends.
    others = [names for names in vary if meaning_of(names) in OTHERS and not all(map(is_algorithm, names))]
    if others or any(map(names_part, chain(*vary))) or _are_logs(levels):
        return None
    if len(roles) < len(NAMED[:2]):
        return _read("/".join(_templates(levels, roles[: len(vary)], fields)), paths)
    if len(vary) == 1:
        pattern = "/".join(_templates(levels, ["algorithm"], fields))
        of_tasks = _of_one_algorithm("/".join(_templates(levels, ["task"], fields)), vary[0])
        return _read(of_tasks or pattern, paths)
    if not _is_grid(*vary):
        return None
    first, second = map(meaning_of, vary)
    signs = [(first == role) - (second == role) for role in ("algorithm", "task")]
    # The first is likelier the algorithm by its own names, else by the others, else by words and sizes.
    sign = signs[0] or -signs[1] or (1 if not _likelier(vary[1], vary[0]) else -1)
    ways = (("algorithm", "task"), ("task", "algorithm"))[::sign]
    patterns = ["/".join(_templates(levels, way, fields)) for way in (ways[:1] if any(signs) else ways)]
    grids = [_read(pattern, paths) for pattern in patterns]
    return replace(grids[0], patterns=tuple(patterns)) if grids[0] and all(grids) else None


def _of_one_algorithm(pattern: str, names: Sequence[str]) -> str:
    """Return a pattern of tasks with a field for the one known algorithm that all names hold; "" where they hold none, or the tasks are one."""
    word = next(
        (
            word
            for word in re.split(r"[\W_]+", FIELD.sub(" ", pattern))
            if is_algorithm_itself(word) or is_contender(word)
        ),
        "",
    )
    if not word or any(map(is_algorithm, names)):
        return ""
    return re.sub(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", "{algorithm}", pattern, count=1)


def _are_logs(levels: Sequence[_Level]) -> bool:
    """Return whether names stand below the folder of each run, above which others stand: they may be several logs of it."""
    run = next((at for at, level in enumerate(levels) if RUN in "".join(level.between)), -1)
    above, below = ([level for level in part if level.vary] for part in (levels[:run], levels[run + 1 :]))
    return run > 0 and bool(above and below) and not levels[run].vary


def _templates(levels: Sequence[_Level], order: Sequence[str], marked: Mapping[str, str]) -> list[str]:
    fields = [f"{{{role}}}" for role in order]
    templates = []
    for level in levels:
        own, fields = fields[: len(level.vary)], fields[len(level.vary) :]
        templates.append(
            level.template(own).replace(KEY, "").translate(str.maketrans(dict[str, str | int | None](marked)))
        )
    return templates


def _read(pattern: str, paths: Sequence[str]) -> GridOfNames | None:
    """Return the grid that a pattern reads; None where it fits no path, reads no grid or gives two paths one run."""
    fields = [dict(fitted) for fitted in matched_together(pattern, paths) if fitted]
    algorithm, task, run = (tuple(names.get(role, "") for names in fields) for role in NAMED)
    settings = {
        name.removeprefix("config."): tuple(names.get(name, "") for names in fields)
        for name in (fields[0] if fields else ())
        if name not in NAMED
    }
    keys = {tuple(sorted(names.items())) for names in fields}
    vary = [names for names in (algorithm, task) if len({*names}) > 1]
    beside = any(_is_grid(names, own) for names in vary for own in (run, *settings.values()))
    grid = _is_grid(*vary) if len(vary) > 1 else beside and "{algorithm}" in pattern
    if len(fields) < len(paths) or not grid or (len(keys) < len(paths) and ("{run}" in pattern or "*" not in pattern)):
        return None
    return GridOfNames(algorithm=algorithm, task=task, run=run, patterns=(pattern,), settings=settings)


def _likelier(names: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether names are likelier algorithms than others of which nobody knows most: sizes stand behind names of tasks, `hex7`."""

    def likeness(own: Sequence[str]) -> tuple[float, float]:
        sized = sum(re.search(r"[^\W\d_]\d+$|-v\d+$", name) is not None for name in own)
        return sum(map(is_algorithm, own)) / len(own), -sized / len(own)

    return likeness(names) > likeness(others)


def asked_of_grid(paths: Sequence[Sequence[str]], cells: Sequence[tuple[str, str]], *, with_run: bool = False) -> str:
    """Return the question on a grid in the names of paths that would be read as other algorithms and tasks (`cells`, those of each path); ""
    where these are a grid of two as well, or all are of names that somebody knows. with_run: whether something else names the runs."""
    read = {*cells}
    algorithms, tasks = {algorithm for algorithm, _ in read}, {task for _, task in read}
    whole = len(read) == len(algorithms) * len(tasks)
    sure = (meaning_of(algorithms), meaning_of(tasks)) == ("algorithm", "task")
    two, single = min(len(algorithms), len(tasks)) > 1 and (whole or sure), len(read) == len(cells) and not with_run
    grid = grid_of(paths) if single or not (two and whole) else None
    # Known names on some tasks each are read, unless they are a whole grid of others: `ppo` on `kitchen_door`, not `ppo_kitchen` on `door`.
    if grid and two and not (whole or single or grid.is_whole):
        return ""
    if grid is None or not (any(grid.task) or single) or (two and len({*grid.cells}) == len(cells)):
        return ""
    others = grid.task if any(grid.task) else grid.run
    first, second = (listed(sorted({*names})[:3]) for names in (grid.algorithm, others))
    return (
        f"the names of folders and files hold {second} beside each of {first}, and would be read as {len(algorithms)} algorithm(s) on "
        f"{len(tasks)} task(s); use {grid.ways}."
    )


def asked_of_settings(setting: str, paths: Sequence[Sequence[str]]) -> str:
    """Return the question on names of paths that contain values of a setting, with the pattern that reads them; "" if there are none."""
    grid = grid_of(paths) if setting else None
    fitting = suggestions(paths, [dict.fromkeys(NAMED, "")] * len(paths)) if setting else []
    patterns = grid.patterns if grid and grid.settings else [way for way in fitting if "{config." in way]
    if not patterns:
        return ""
    return (
        f"the names of folders and files hold values of a setting ({setting}), each of which would be an algorithm; use "
        f"{' or '.join(option('pattern', pattern) for pattern in patterns)}."
    )


def with_patterns(question: str, paths: Sequence[Sequence[str]]) -> str:
    """Return a question on names of paths with the patterns that read their grid, if they are one and what is offered first does not."""
    levels, offered = by_levels(paths[0]), PATTERN.findall(in_python(question))
    grid = grid_of(paths) if levels in question or offered else None
    if grid is None or (offered and not grid.settings and _fits(grid, offered[0], paths)):
        return question
    return (
        question.replace(levels, grid.ways)
        if levels in question
        else f"{question.rpartition('; use ')[0]}; use {grid.ways}."
    )


def with_algorithms_of(question: str, paths: Sequence[Sequence[str]], algorithms: Sequence[str]) -> str:
    """Return a question on names of paths with those of its patterns alone that read the algorithms which something else names."""
    offered = PATTERN.findall(in_python(question)) if all(algorithms) else []
    wanted = [canonical(name) for name in algorithms]
    texts = ["/".join(path) for path in paths]
    agree = [
        pattern
        for pattern in offered
        if [canonical((own or {}).get("algorithm", "")) for own in matched_together(pattern, texts)] == wanted
    ]
    if not 0 < len(agree) < len(offered):
        return question
    ways = " or ".join(option("pattern", pattern) for pattern in agree)
    return f"{question.rpartition('; use ')[0]}; use {ways}."


def _fits(grid: GridOfNames, pattern: str, paths: Sequence[Sequence[str]]) -> bool:
    """Return whether a pattern names on all paths what the names of a grid do, as whatever."""
    fields = [fitted or {} for fitted in matched_together(pattern, ["/".join(path) for path in paths])]
    named = {role: [own.get(role, "") for own in fields] for role in {role for own in fields for role in own}}
    configs = [value for role, own in named.items() if role.startswith("config") for value in own]
    if configs:
        return not any("=" in value for value in configs)
    if not any(grid.task):
        return not any(all(map(str.isdigit, own)) for role, own in named.items() if role != "run")
    pairs = [(grid.algorithm, grid.task), (grid.task, grid.algorithm)]
    return any(
        _are_alike(named.get("algorithm", ()), first) and any(_are_alike(own, other) for own in named.values())
        for first, other in pairs
    )


def _are_alike(names: Sequence[str], others: Sequence[str]) -> bool:
    return len({*names}) == len({*others}) == len({*zip(names, others, strict=False)}) > 1
