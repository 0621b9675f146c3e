"""Names of algorithms, tasks and runs: sorting, spelling and renaming."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from runoff.base.ports import shipped
from runoff.errors import DesignError, OptionError, nearest
from runoff.words.numbers import some
from runoff.words.patterns import regex
from runoff.words.speech import choice

OBEYED = regex("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters with an effect on a terminal or a text: controls, line separators, directions of writing."""


def spelled(name: str) -> str:
    r"""Return a name with control characters escaped.

    >>> spelled("PPO\x1b[2J")
    'PPO\\x1b[2J'
    """
    return OBEYED.sub(lambda character: repr(character[0])[1:-1], name)


WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Full-width letters and signs -> their ASCII forms."""
TWINS = str.maketrans("АВЕКМНОРСТУХІЈЅаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTYXIJSaeopcyxijsABEZHIKMNOPTYXo")
"""Cyrillic and Greek letters -> the Latin letters that look like them."""


def plain(name: str) -> str:
    """Return a name in one Unicode form, with normal-width letters and without invisible characters.

    >>> plain("Cafe\\u0301") == "Caf\\u00e9", plain("\\uff30PO"), plain("PPO\\u200b")
    (True, 'PPO', 'PPO')
    """
    # macOS writes é as e and an accent, Linux as one letter; zero-width characters come with names copied from web
    # pages.
    seen = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf")
    return seen.translate(WIDE).strip()


def alike_among(all_names: Sequence[str], of_one: Callable[[str], str] = str) -> list[list[str]]:
    """Return the names that differ only in case, spaces, hyphens, underscores, or letters that look alike, or in what `of_one` takes away.

    >>> alike_among(["PPO", "ppo", "SAC"]), alike_among(["Hopper-v3", "Hopper-v4"])
    ([['PPO', 'ppo']], [])
    """
    folded: dict[str, dict[str, list[str]]] = {}
    for name in all_names:
        # Letters of other alphabets that look like Latin ones first, for they have cases of their own.
        shape = plain(name).translate(TWINS).casefold()
        # Versions of one name are tasks of their own, as those of a set of data.
        whole = name if of_one is str else re.sub(r"(?<=.)-v\d+$", "", name)
        folded.setdefault(re.sub(r"[\s_-]+", "", of_one(shape)) or name, {}).setdefault(whole, []).append(name)
    return [list(chain(*names.values())) for names in folded.values() if len(names) > 1]


def natural(label: str) -> tuple[int, float, str]:
    """Return the key for sorting labels: numbers by value, then texts."""
    # The label itself last, for 1 and 1.0 and ٣ and 3 are equal as numbers.
    return (0, float(label), label) if label.replace(".", "", 1).isdecimal() else (1, 0.0, label)


# ── other names ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabelled:
    """New names, the new position of each old name (None if left out), and notes; merged: the old names that share a new name; treatment:
    the clauses that a paper has to report.
    """

    names: tuple[str, ...]
    places: tuple[int | None, ...]
    merged: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    treatment: tuple[str, ...] = ()


LISTED = 5
"""So many names are listed as left out, however few are kept."""


def unchanged(names: Sequence[str]) -> Relabelled:
    """Return the names as they are."""
    return Relabelled(names=tuple(names), places=tuple(range(len(names))))


MOST_NAMED = 60
"""The most names that a note lists: all of a benchmark, not all its items."""


def some_of(noun: str, names: Sequence[str], wanted: Sequence[str] | None) -> Relabelled:
    """Return the wanted names in the given order; None takes all."""
    if wanted is None:
        return unchanged(names)
    kept = tuple(dict.fromkeys(names[position(noun, name, names)] for name in wanted))
    left_out = [name for name in names if name not in kept]
    # Of many names that are left out, those that are kept tell more.
    few = len(left_out) > max(len(kept), LISTED)
    named, done = (kept, "kept") if few else (left_out, "left out")
    note = f"{len(named)} of {len(names)} {noun}s {done} by request: {some(named, MOST_NAMED)}"
    places = tuple(kept.index(name) if name in kept else None for name in names)
    # Which algorithms there are a paper tells anyway; of how many tasks these are some it may not.
    treatment = f"{len(left_out)} of {len(names)} tasks are left out" if noun == "task" and left_out else ""
    return Relabelled(
        names=kept, places=places, notes=(note,) if left_out else (), treatment=(treatment,) if treatment else ()
    )


def renamed(noun: str, names: Sequence[str], new: Mapping[str, str] | None, *, merge: bool) -> Relabelled:
    """Return the names with some replaced simultaneously; names that become equal need `merge`."""
    if not new:
        return unchanged(names)
    changes = {names[position(noun, old, names)]: spelled(str(to).strip()) for old, to in new.items()}
    empty = [old for old, to in changes.items() if not to]
    if empty:
        raise OptionError(f"the new name of {noun} {empty[0]!r} is empty.")
    new_names = [changes.get(name, name) for name in names]
    merged = frozenset(old for old, to in zip(names, new_names, strict=True) if new_names.count(to) > 1)
    if merged and not merge:
        both = [name for name in names if name in merged]
        raise OptionError(
            f"{noun}s {both[0]!r} and {both[1]!r} would both be named {changes.get(both[1], both[1])!r}, and their runs pooled; "
            f"if they are one, use {choice('merge=True', '--merge')}."
        )
    kept = tuple(dict.fromkeys(new_names))
    listing = ", ".join(f"{old!r} is called {to!r}" for old, to in changes.items() if old != to)
    pooled = f"; the runs of {', '.join(name for name in names if name in merged)} are pooled" if merged else ""
    return Relabelled(
        names=kept,
        places=tuple(kept.index(name) for name in new_names),
        merged=merged,
        notes=(f"{noun}s renamed by request: {listing}{pooled}",) if listing else (),
        treatment=(pooled.removeprefix("; "),) if pooled else (),
    )


SHOWN = 8
"""The largest number of names that a refusal lists."""


def of_suites(wanted: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return names with all tasks of a benchmark in place of its name.

    >>> of_suites(["gsm8k", "arc/1"], ["arc/1", "arc/2", "gsm8k/1", "gsm8k/2"])
    ['gsm8k/1', 'gsm8k/2', 'arc/1']
    """
    there = {*names}
    of_each = (
        [name] if name in there else [n for n in names if n.startswith(f"{name}/") or n.endswith(f"/{name}")] or [name]
        for name in wanted
    )
    return [task for tasks in of_each for task in tasks]


def position(noun: str, name: str, names: Sequence[str]) -> int:
    """Return the position of a name; refuse an unknown name."""
    if name not in names:
        # Where no name is like it, those that are there.
        shown = ", ".join(map(repr, names[:SHOWN])) + f" and {len(names) - SHOWN} more" * (len(names) > SHOWN)
        # A mark that means "not" elsewhere turns what was meant.
        left_out = str(name)[:1] in ("!", "~", "^", "-") and str(name)[1:] in names
        by = choice(f"exclude={str(name)[1:]!r}", f"the option --exclude, of {str(name)[1:]},")
        there = f" {by} leaves it out." if left_out else nearest(str(name), names) or f" The {noun}s are {shown}."
        if noun == "algorithm" and shipped(name, curves=False) is not None:
            beside = choice(f"load(data).beside({name!r})", f"--against {name}")
            there = f" {name} is a set of published runs; compare your own with it by {beside}."
        raise DesignError(f"there is no {noun} {name!r} in these scores.{there}")
    return names.index(name)


def merged_labels(labels: Sequence[str], algorithm: str, task: str, merged: frozenset[str]) -> list[str]:
    """Return labels of runs that remain distinct if names are merged, by including the old names."""
    before = [name for name in (algorithm, task) if name in merged]
    return [":".join([*before, label]) for label in labels]
