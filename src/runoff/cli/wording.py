"""Other spellings with a single possible meaning: lists separated by blanks, columns as options, synonyms of options.

Such a command is carried out, and a line shows how it was read; an ambiguous command is refused with the command that was probably meant
(`misuse`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from runoff.archive.shipped import EXAMPLE
from runoff.cli.answer_file import ENDINGS
from runoff.cli.misuse import bare, columns_of, context_of, heads_of, in_place, value_of
from runoff.errors import OptionError
from runoff.hints.words import DRAWN, OUTS, ROWS, alpha_of, flag_of, of_role, twin_of, value_meant
from runoff.words.patterns import regex

LISTS = frozenset({"--algorithms", "--tasks", "--exclude", "--columns", "--rename", "--looks"})
"""Options that take several names, each of which may be a separate word."""
REPEATED = frozenset({"--measure"})
"""Options that are repeated for several names, where a verb takes several."""
FILE = regex(r"[*?/\\]|\.[A-Za-z]\w{1,7}$|^-")
"""The pattern of words that are not names: a path, a file, a glob or an option."""

SOURCES = frozenset(
    {"data", "dir", "file", "files", "folder", "i", "input", "inputs", "logs", "path", "results", "source"}
)
"""Names of options by which other programs take what runoff takes without an option: files, folders and shipped sets."""
FIRST, LAST = (
    frozenset({"against", "base", "baseline", "before", "old", "reference"}),
    frozenset({"after", "candidate", "new"}),
)
"""The same where the order of two counts: `gate BASELINE CANDIDATE`."""
EQUATION = regex(r"(?P<name>[^=!]+?)\s*(?:==?|(?P<not>!)=)\s*(?P<quote>[\"']?)(?P<value>[^=\"']+)(?P=quote)")
LEVEL = regex(r"0?\.[5-9]\d*|[5-9]\d(\.\d+)?%?")
"""A level of confidence: of less than one half it is not known whether an error rate was meant."""
RATE = regex(r"0?\.[0-4]\d*")
"""An error rate."""


def spaced(words: Sequence[str], verbs: Mapping[str, Any]) -> list[str]:
    """Return a command with the names of a list joined after its option: `--tasks Ant Hopper` as `--tasks Ant,Hopper`."""
    params = {flag: p for p in verbs[words[0]].params for flag in p.opts} if words and words[0] in verbs else {}
    new: list[str] = []
    option = None
    for place, word in enumerate(words):
        own = option is not None and place > 1 and words[place - 1] != option
        if word.startswith("-"):
            several = word in LISTS or (word in REPEATED and getattr(params.get(word), "multiple", False))
            option = word if several and word in params else None
            new.append(word)
        elif not own:
            new.append(word)
        elif os.path.lexists(word) and not FILE.search(word) and _has_other_paths(words, word):
            raise OptionError(
                f"{word!r} behind {option} is a file or folder here, and may be a name: write names as one list, "
                f"{option} {','.join([*_names_before(words, place), word])}, and paths before it."
            )
        elif _is_value(word, published=_has_other_paths(words, word)):
            # A name that holds a comma is one name only where it stands alone.
            whole = option in REPEATED or (
                getattr(params[str(option)], "multiple", False) and "," in words[place - 1] + word
            )
            new[-1:] = [new[-1], str(option), word] if whole else [f"{new[-1]},{word}"]
        else:
            option = None
            new.append(word)
    return new


def _has_other_paths(words: Sequence[str], word: str) -> bool:
    return any(os.path.lexists(other) for other in words[1:] if other != word and not other.startswith("-"))


def _names_before(words: Sequence[str], place: int) -> list[str]:
    """Return the names between an option and a place."""
    first = max(at for at in range(place) if words[at].startswith("-"))
    return list(words[first + 1 : place])


def valued(words: Sequence[str]) -> list[str]:
    """Return a command with values of other libraries as they are written here: `--over items` as `--over tasks`, `--to json` as `--json`,
    `--where lr=0.1` as `--columns rows=lr=0.1`, and a file behind a format of answers, `--json a.json`, as `--json -o a.json`."""
    new: list[str] = []
    for option, word in pairwise(["", *_rows_chosen(list(words))]):
        if (option, word) == ("--to", "json"):
            new[-1] = "--json"
        elif _is_answer(word) and (option in ("--to", "--json") or new[-2:-1] == ["--to"]):
            new[-1:] = ["-o", word] if option == "--to" else [option, "-o", word]
        else:
            name, sign, value = word.partition("=") if word.startswith("--") else ("", "", word)
            read = value_meant(bare(name or option), value) if (name or option).startswith("--") else value
            new.append(f"{name}{sign}{read}")
    if new[:1] == ["convert"] and not {"-o", "--out"} & {*new} and len(new) > 2 and _is_file_of_runs(new[-1]):
        new[-1 - (new[-2] == "--to") :] = ["-o", new[-1]]
    return new


def _is_file_of_runs(word: str) -> bool:
    """Return whether a word is the name of a file that runs can be written to, and that is not there yet."""
    return Path(word).suffix in (".csv", ".parquet", ".feather") and not os.path.lexists(word) and "*" not in word


def _is_answer(word: str) -> bool:
    """Return whether a word is the name of a file that an answer can have, and that is not there yet."""
    return Path(word).suffix in ENDINGS and not os.path.lexists(word)


def _is_value(word: str, *, published: bool = False) -> bool:
    """Return whether a word after a list can only be a name in it: not a file, a set of published runs, or counts.

    published: where other runs are named, an algorithm may be called as a set
    """
    if FILE.search(word) or os.path.lexists(word) or word == EXAMPLE:
        return False
    if published:
        return True
    from runoff.archive import listed

    return word not in {card.name for card in listed()}


def understood(words: Sequence[str], verbs: Mapping[str, Any]) -> list[str]:
    """Return a command in runoff's own spelling, as far as its options have a single meaning; the first that has none remains."""
    meant = list(words)
    while meant and meant[0] in verbs and type(wrong := context_of(meant, verbs)).__name__ == "NoSuchOption":
        if (better := _as_written(wrong.option_name, meant, verbs)) is None:
            break
        meant = better
    return meant


def _rows_chosen(words: list[str]) -> list[str]:
    """Return a command with values of a column as the rows to read: `--where lr=0.1` as `--columns rows=lr=0.1`."""
    for option, value in pairwise(words):
        if not (option.startswith("--") and bare(option) in ROWS):
            continue
        parts = [EQUATION.fullmatch(part) for part in re.split(r"\s*(?:,|&+|\band\b)\s*", value)]
        named = [match for match in parts if match is not None and match["name"] in heads_of(words)]
        if len(named) == len(parts):
            # One by one: behind a comma a column called `algorithm` would be that of the algorithms.
            rows = [("--columns", f"rows={match['name']}{match['not'] or ''}={match['value']}") for match in named]
            return _rows_chosen(in_place(option, [*chain(*rows)], words))
    return words


def _as_written(option: str, words: list[str], verbs: Mapping[str, Any]) -> list[str] | None:
    params = verbs[words[0]].params
    own = {bare(flag): flag for p in params for flag in p.opts if flag.startswith("--")}
    if "columns" in own and (columns := columns_of(words, own)) is not None:
        return columns
    name, value = bare(option), value_of(option, words)
    flag = flag_of(name)
    if flag and flag[0] in own.values() and flag[0] not in words and (value is None or os.path.lexists(value)):
        at = words.index(option)
        return [*words[:at], *flag, *words[at + 1 :]]
    if value is None:
        return None
    if (placed := _placed(option, value, words)) is not None:
        return placed
    alpha = alpha_of(name, value) if LEVEL.fullmatch(value) else None
    twin = "at" if name == "step" and "at" in own and value.replace("_", "").isdigit() else twin_of(name, own)
    if "alpha" in own and alpha is not None:
        twin, value = "alpha", alpha
    elif name == "alpha" and "confidence_level" in own and RATE.fullmatch(value):
        twin, value = "confidence_level", f"{1 - float(value):g}"
    elif twin == "confidence_level":
        twin, value = (None, "") if alpha is None else (twin, f"{1 - float(alpha):g}")
    if twin is None and "out" in own:
        twin = (
            "out"
            if _names_place(name, value, folders=not any((p.name, p.metavar) == ("out", "FILE") for p in params))
            else None
        )
    if twin == "exclude":
        value = ",".join(of_role(name, value))
    once = twin is not None and not getattr(next(p for p in params if own[twin] in p.opts), "multiple", False)
    # Of two values for one option one would be lost.
    if twin is None or (once and own[twin] in {word.partition("=")[0] for word in words}):
        return None
    return in_place(option, [own[twin], value], words)


def _names_place(name: str, value: str, *, folders: bool) -> bool:
    """Return whether an option names a file for the answer, or a folder where a verb writes one; `--plot improvement` names none."""
    return (name in OUTS and (folders or bool(Path(value).suffix))) or (name in DRAWN and bool(Path(value).suffix))


def _placed(option: str, value: str, words: list[str]) -> list[str] | None:
    """Return a command with runs that were given behind an option in the place of runs; None where the option names none."""
    two = words[0] in ("gate", "diff")
    if bare(option) not in (FIRST | LAST if two else SOURCES) or _is_value(value):
        return None
    rest = in_place(option, [], words)
    return [*rest, value] if bare(option) in LAST else [rest[0], value, *rest[1:]]
