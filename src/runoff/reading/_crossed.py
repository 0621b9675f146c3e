"""Levels of paths that would name an algorithm together although nothing says so: tasks, settings, runs, or the parts of one run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, islice

from runoff.base.grouping import distinct, grouped
from runoff.errors import warn
from runoff.reading._known import BARE, NOISE, SAYS_NOTHING, beyond_noise, is_algorithm, is_task, meaning_of
from runoff.reading._trails import Clues
from runoff.tables.columns import listed
from runoff.words.columns import RUN_WORDS
from runoff.words.labels import is_ablation, run_of
from runoff.words.patterns import regex
from runoff.words.speech import option
from runoff.words.words import vocabulary, words

MACHINES = vocabulary("node host machine pid gpu cuda")
PARTS = vocabulary("rank worker chunk part shard piece segment actor proc process thread")
"""Words in names of files that one run writes side by side, or one after another."""
GENERATIONS = vocabulary(
    "old new older newer before after previous prev exp exps experiment experiments project projects proj batch sweep round ablation "
    "ablations variant variants full default"
)
"""Words for attempts at a study, and for variants of a method: a name of these alone is that of no task."""
AGAIN = vocabulary(
    "copy backup old prev previous rerun retry redo again repeat repeated restart debug tmp failed crashed"
)
"""Words behind the name of an algorithm for a folder of the same."""
MOST_HEADS = 100


def names_part(name: str) -> bool:
    """Return whether a name numbers the parts of one run, or the workers of it: `rank0`, `metrics_part1`."""
    numbers = [word for word in words(name) if word.isdigit()]
    others = {*words(name)} - {*numbers}
    return bool(numbers) and not PARTS.isdisjoint(others) and others <= PARTS | SAYS_NOTHING | {"env"}


def speaks_of_run(name: str) -> bool:
    """Return whether a name begins with the word for a run, or for a machine: `run-a`, `seed_one`, `node3_pid4000`."""
    return len(words(name)) > 1 and words(name)[0] in RUN_WORDS | MACHINES


def is_generation(name: str) -> bool:
    """Return whether a name says which attempt at a study, or which variant of a method it holds: `exp_old`, `no_critic`."""
    parts = {*words(name)}
    return is_ablation(name) or bool(parts & GENERATIONS and all(len(word) == 1 for word in parts - GENERATIONS))


def asked_of_levels(levels: Mapping[int, Sequence[str]], paths: Sequence[Clues], *, with_run: bool) -> str:
    """Return the question on levels, by their place from the end of the paths, whose names would be joined to that of an algorithm; "" if they
    may be. with_run: whether something names the runs."""
    for back, names in levels.items():
        within = all(path.run_at < len(path.parts) - back for path in paths)
        if within and all(map(names_part, names)):
            return (
                f"files or folders are called {listed(sorted({*names})[:3])}: by their names they are workers or parts of one run, which "
                "are not joined here; write one file for each run (the rows of its parts one after another, or the mean of its workers at each "
                "step)."
            )
        if question := _asked_of_tails(paths, back, names, with_run=with_run):
            return question
    whole = {back: _whole_names(paths, back, names) for back, names in levels.items()}
    crossed = _crossing({back: names for back, names in whole.items() if not all(map(run_of, filter(None, names)))})
    if crossed is None:
        return ""
    heads, others = (whole[back] for back in crossed)
    decided = meaning_of(heads) == "algorithm"
    both = [listed(sorted({*names})[:3]) for names in (others, heads)]
    lead = f"{both[0]} stand with each of the {'algorithms' if decided else 'names'} {both[1]}"
    if any(-1 < path.run_at < len(path.parts) - crossed[1] for path in paths):
        # Of variants (`default`, `no-norm`) each run has one; logs of other kinds are offered as nothing.
        variants = any(map(is_generation, others))
        way = _repair(paths, crossed, others, decided=decided, with_run=True) if variants else by_levels(paths[0].parts)
        return (
            f"{lead} below the folder of each run, and may be several logs of one run, tasks or settings, which are no part of an algorithm's "
            f"name; read logs of one kind by a glob of paths, or use {way}."
        )
    what = "tasks or settings" if with_run else "runs, tasks or settings"
    return (
        f"{lead}, and may be {what}, which are no part of an algorithm's name; "
        f"use {_repair(paths, crossed, others, decided=decided, with_run=with_run)}."
    )


WITHIN = regex(
    r"(?P<head>[^\W_]+?(?:[-_]v\d+(?![^\W_]))?)(?P<mark>__|[-_ /@:|])(?P<tail>.*?[^\W_].*?)"
    r"(?P<run>(?<!\de)(?:__|[-_ /@:|])(?:seed|run|s)?[-_]?\d+)?"
)
"""A name with another behind it: `ppo_h64`, `ppo-0.001-3`, `sac__level1__seed0`, `Ant-v4-mine`."""
VALUE = regex(r"[a-z]?[-_=]?\d[\d.e-]*", re.IGNORECASE)
"""What is more likely a value of a setting than a task: `h64`, `0.001`."""


def _asked_of_tails(paths: Sequence[Clues], back: int, names: Sequence[str], *, with_run: bool) -> str:
    """Return the question on names within which the same names stand behind, or before, several algorithms."""
    places = [len(path.parts) - back for path in paths]
    # What dates and times stand before is a name as others: `10-00-00_reach_act_seed1`.
    texts = [_without_ends(path.parts[at]) if at >= 0 else "" for path, at in zip(paths, places, strict=True)]
    halves, marks = _halves(texts)
    if len(halves) < len(paths) or len(marks) > 1:
        return ""
    numbered = not with_run or any(path.run_at == at for path, at in zip(paths, places, strict=True))
    heads = [match["head"] for match in halves]
    tails = [match["tail"] + ("" if numbered else match["run"] or "") for match in halves]
    # Beside a known task a word is a variant, and a number may be that of the task: `ppo_reach_2`.
    rest = [
        name.casefold().removeprefix(head.casefold()).strip("-_ /@:|.") for name, head in zip(names, heads, strict=True)
    ]
    # Behind `cql_seed0` nothing but the run stands, beside `td3_bc_seed0`.
    bare = any(
        path.run_at == at and not (match["run"] or own)
        for path, at, match, own in zip(paths, places, halves, rest, strict=True)
    )
    variants = bare or any(
        re.search(r"[^\W\d_]", own) and path.task_at == at for own, path, at in zip(rest, paths, places, strict=True)
    )
    crossed = _crossing({2: heads, 1: tails}, some=any(re.search(r"\d", tail) for tail in tails))
    if variants or not any(rest) or crossed is None:
        return ""
    ends = {re.sub(r"\d+$", "{run}", match["run"] or "") if numbered else "" for match in halves}
    swapped = crossed == (1, 2) or (meaning_of(heads) != "algorithm" and _likelier(tails, heads))
    algorithm, other = (tails, heads) if swapped else (heads, tails)
    fields = _fields_within(algorithm, other, with_run=with_run or ends != {""}) if len(ends) == 1 else []
    joined = [mark.join(reversed(pair) if swapped else pair) for pair in fields for mark in marks]
    if meaning_of(algorithm) != "algorithm":
        joined += ["{algorithm}"]
    before, behind = _beside_names(paths, places, texts)
    patterns = [_pattern(paths, {back: before + field + end + behind}) for field in joined for end in ends]
    ways = " or ".join(option("pattern", pattern) for pattern in patterns if pattern)
    alone = " (the last if each is one algorithm)" if joined[-1:] == ["{algorithm}"] and ways else ""
    return (
        f"the names {listed(sorted({*names})[:4])} hold {listed(sorted({*other})[:3])} beside each of {listed(sorted({*algorithm})[:3])}, which "
        f"may be tasks, settings or runs and no part of an algorithm's name; use {ways or by_levels(paths[0].parts)}{alone}."
    )


def _likelier(names: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether names are algorithms rather than others, of which nobody knows most: sizes stand behind names of tasks, `hex7`."""

    def likeness(own: Sequence[str]) -> tuple[bool, float, float]:
        sized = sum(re.search(r"[^\W\d_]\d+$", name) is not None for name in own)
        return meaning_of(own) != "task", sum(map(is_algorithm, own)) / len(own), -sized / len(own)

    return likeness(names) > likeness(others)


def _beside_names(paths: Sequence[Clues], places: Sequence[int], texts: Sequence[str]) -> tuple[str, str]:
    """Return the patterns of what stands before and behind the names, or itself if it is the same in all; "" where not all have it."""
    sides = [path.parts[at].split(text, 1) for path, at, text in zip(paths, places, texts, strict=True)]
    before, behind = ({side[end] != "" for side in sides} == {True} for end in (0, 1))
    first = sides[0][0] if len({side[0] for side in sides}) == 1 else f"*{sides[0][0][-1:]}"
    marks = {end[: len(end) - len(end.lstrip("-_ .:@|"))] for _, end in sides}
    return first if before else "", f"{marks.pop() if len(marks) == 1 else ''}*" if behind else ""


def _halves(texts: Sequence[str]) -> tuple[list[re.Match[str]], set[str]]:
    """Return the two halves of each name that has them, and the patterns of what parts them: a mark, or a date between two."""
    parted = [(WITHIN.fullmatch(text), gap, at) for text, gap, at in map(_without_gap, texts)]
    halves = [match for match, gap, at in parted if match and (not gap or match.end("head") == at)]
    return halves, {gap or match["mark"] for match, gap, _ in parted if match}


def _without_gap(name: str) -> tuple[str, str, int]:
    """Return a name without a date or the like inside it, the pattern of what was left out, and where that begins."""
    inside = (match for match in NOISE.finditer(name) if match.start() > 0 and match.end() < len(name))
    match = next(inside, None)
    if match is None:
        return name, "", 0
    start, end = match.start() - 1, match.end()
    gap = name[start] + re.sub(r"[^\W_]+", "*", match[0]) + name[end]
    return name[:start] + name[end:], gap, start


def _without_ends(name: str) -> str:
    """Return a name without the date, the time and the like that it begins, or ends, with."""
    bare = beyond_noise(name)
    return bare if bare and bare in name else name


def joins_two(names: Sequence[str]) -> bool:
    """Return whether names of nothing else hold the same names beside each of several: `ppo_level1`, `sac_level1`. Behind what nobody knows
    numbers are sizes and versions: `Qwen-7b`, `Llama-7b`.

    >>> joins_two(["ppo_a", "ppo_b", "sac_a"]), joins_two(["x_a", "x_b", "y_a", "y_b"]), joins_two(["x-7b", "x-8b", "y-7b", "y-8b"])
    (False, True, False)
    """
    halves = [match for name in names if (match := WITHIN.fullmatch(name))]
    # No keys would part names at several marks: `ppo_a`, `ppo-b`.
    if len(halves) < len(names) or len({match["mark"] for match in halves}) > 1:
        return False
    heads, tails = [match["head"] for match in halves], [match["tail"] + (match["run"] or "") for match in halves]
    certain = any(all(map(of_role, part)) for of_role in (is_algorithm, is_task) for part in (heads, tails))
    numbered = any(re.search(r"\d", tail) for tail in tails)
    values = all(VALUE.fullmatch(tail) or BARE.fullmatch(tail) for tail in tails)
    return not values and (certain or not numbered) and _crossing({2: heads, 1: tails}, some=numbered) is not None


def _fields_within(algorithm: Sequence[str], other: Sequence[str], *, with_run: bool) -> list[tuple[str, str]]:
    """Return the fields of two halves of names, the likeliest first."""
    values = all(VALUE.fullmatch(name) or BARE.fullmatch(name) for name in other)
    second = "config" if with_run else "run"
    roles = (second, "task") if values else ("task", second)
    if values or meaning_of(algorithm) == "algorithm":
        return [("{algorithm}", f"{{{role}}}") for role in roles]
    return [("{algorithm}", "{task}"), ("{task}", "{algorithm}")]


def _whole_names(paths: Sequence[Clues], back: int, names: Sequence[str]) -> list[str]:
    """Return the names at a level: a word without meaning beside others, a task with what stands behind it (`reach_2`); "" if there is none, or
    a task that others lack."""
    places = [len(path.parts) - back for path in paths]
    tasks = all(path.task_at == at for path, at in zip(paths, places, strict=True))

    def whole(path: Clues, at: int, name: str) -> str:
        own = at >= 0 and at != path.run_at and (tasks or at != path.task_at)
        return path.parts[at] if own and (tasks or not name) else name

    return [whole(*entry) for entry in zip(paths, places, names, strict=True)]


def _crossing(levels: Mapping[int, Sequence[str]], *, some: bool = True) -> tuple[int, int] | None:
    """Return two levels of which two names stand with the same two of the other, that of the algorithm first; None if there are none.

    some: of known algorithms one name that two of them share, beside another, is enough, for a run may be missing.
    """
    for outer, inner in combinations(sorted(levels, reverse=True), 2):
        swapped = meaning_of(levels[outer]) != "algorithm" == meaning_of(levels[inner])
        first, other = (inner, outer) if swapped else (outer, inner)
        beside = distinct(filter(all, zip(levels[first], levels[other], strict=True)))
        several = list(islice((others for others in beside.values() if len(others) > 1), MOST_HEADS))
        shared = Counter(own for others in beside.values() for own in others)
        if any(len(own & more) > 1 for own, more in combinations(several, 2)) or (
            some
            and several
            and max(shared.values()) > 1
            and all(map(is_algorithm, beside))
            and not all(map(BARE.fullmatch, shared))
        ):
            return first, other
    return None


def _repair(
    paths: Sequence[Clues], crossed: tuple[int, int], others: Sequence[str], *, decided: bool, with_run: bool
) -> str:
    """Return the patterns that read crossed levels, or in words what they must say, if the paths have none in common."""
    first, other = crossed
    # What holds a `=`, or says which variant it is, names a setting rather than a task.
    settings = any("=" in name or is_generation(name) for name in others)
    roles = ["config", "task"] if settings else ["task", "config"]
    slots = [{first: "{algorithm}", other: f"{{{role}}}"} for role in (roles if with_run else ["run"])]
    slots += [] if decided or not with_run else [{first: "{task}", other: "{algorithm}"}]
    patterns = [option("pattern", pattern) for own in slots if (pattern := _pattern(paths, own))]
    return f"{' or '.join(patterns)} ('*' matches anything)" if patterns else by_levels(paths[0].parts)


def _pattern(paths: Sequence[Clues], slots: Mapping[int, str]) -> str:
    """Return the pattern with these fields, and those of the runs and the tasks that are decided; "" if the paths have none in common."""
    templates = {tuple(_field(path, depth, slots) for depth in range(len(path.parts))) for path in paths}
    parts = templates.pop() if len(templates) == 1 else ("",)
    fields = re.findall(r"\{[a-z]+\}", "/".join(parts))
    return "/".join(parts) if "" not in parts and len(fields) == len({*fields}) else ""


def _field(path: Clues, depth: int, slots: Mapping[int, str]) -> str:
    if field := slots.get(len(path.parts) - depth):
        fits = (depth != path.run_at or "{run}" in field) and (depth != path.task_at or "{task}" in field)
        return field if fits else ""
    if depth == path.run_at:
        before = path.parts[depth].removesuffix(path.run or "")
        return f"{before}{{run}}" if before != path.parts[depth] else ""
    return "{task}" if depth == path.task_at else "*"


def warn_of_variants(algorithms: Sequence[str], places: Sequence[str]) -> None:
    """Warn of algorithms that paths call as another and more (`ppo/debug` beside `ppo`): an attempt or a test is no algorithm of its own."""
    where = grouped(zip(algorithms, places, strict=True))
    called = {words(name): name for name in where}
    beside = {name: base for name in where for base in name.split("/") if base != name and base in where}
    for name in where:
        parts, counted = words(name), re.search(r"\(\d+\)$", name) is not None  # `ppo (1)`
        ends = [end for end in range(1, len(parts)) if parts[:end] in called]
        if any(all(word in AGAIN or (counted and word.isdigit()) for word in parts[end:]) for end in ends):
            beside.setdefault(name, called[parts[: max(ends)]])
    if beside:
        name = min(beside, key=lambda name: len(where[name]))
        warn(
            f"{name!r} ({len(where[name])} file(s), for example {where[name][0]}) is read as an algorithm of its own beside {beside[name]!r}, "
            f"by words of its path that others lack; if it is none, {option('exclude', name)} leaves it out"
        )


def by_levels(path: Sequence[str]) -> str:
    """Return the repair by a pattern where none is sure: the levels of a path that it must name."""
    return f"{option('pattern')} with {{algorithm}}, {{task}}, {{run}}, {{config}} or * for each level of {'/'.join(path)[-60:]!r}"
