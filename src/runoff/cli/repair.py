"""Complete commands for the repairs in a refusal, with the files and options of the refused call, to be copied."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

from runoff.cli.options import SourceOptions
from runoff.errors import closest
from runoff.words.names import AREAS
from runoff.words.patterns import regex
from runoff.words.speech import WITHOUT, in_shell, shell_parts

MOST = 3
"""The largest number of commands that are shown."""
ROLES = ("algorithm", "task", "run", "seed", "score", "step")
"""Roles of columns, which users also try as option names."""
NEAR = regex(r"Did you mean '([^']+)'")
BRACKETED = regex(r"'([^']+)' \($")
QUOTED = regex(r"'([^']+)'")
MISSING = regex(r"(\S+): there is no such file or folder")
AREA = "the area under each curve"
PUBLISHED = regex(r"(\S+) is a set of published runs")
OPTION = regex("--|-[A-Za-z]")
NEEDLESS = regex(r"^(--[\w-]+) .*(?:means nothing|leave it out)|leave out (--[\w-]+)")
PARTS, CAPITALS = regex(r"[,=:]"), regex("[A-Z]+")


def repairs(sentence: str, words: Sequence[str], verbs: Mapping[str, Any]) -> list[str]:
    """Return the commands that a refusal names or implies, as they are typed; none if it names no value."""
    if not words or words[0] not in verbs:
        return []
    text, given = in_shell(sentence), tuple(words)
    words = _without_rows(words) if "no rows are chosen" in text else words
    # What such a refusal names takes the place of a word of the call, and is no option more.
    placed = AREA in text or PUBLISHED.search(text) is not None
    commands = dict.fromkeys([*_meant(text, words, verbs), *(() if placed else _named(sentence, words, verbs))])
    return [f"runoff {shlex.join(command)}" for command in commands if command != given][:MOST]


def _without_rows(words: Sequence[str]) -> list[str]:
    """Return the call without its choice of rows."""
    rows = [
        at
        for at, word in enumerate(words)
        if word == "--columns" and words[at + 1 : at + 2] and words[at + 1].startswith("rows=")
    ]
    return [word for at, word in enumerate(words) if at not in rows and at - 1 not in rows]


def _meant(text: str, words: Sequence[str], verbs: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the call with the name that was probably meant, and without an option that does not apply."""
    if (published := PUBLISHED.search(text)) is not None:
        yield _against(published[1], words)
    missing = MISSING.search(text)
    if missing is not None and (given := _second_value(missing[1], words, verbs)) is not None:
        yield from given
    elif missing is not None and any(os.path.lexists(word) for word in words[1:]):
        yield from _algorithms(missing[1], words)
    if AREA in text:
        at = next(at for at, word in enumerate(words) if word.rpartition("=")[2].casefold() in AREAS)
        yield (*words[: at - (not words[at].startswith("--"))], *words[at + 1 :], "--last", "100%")
    if (near := NEAR.search(text)) is not None:
        yield from _spelled(near[1], text[: near.start()], text, words)
    needless = NEEDLESS.search(text)
    for option in needless.groups() if needless is not None else ():
        if option in words:
            yield tuple(_without(words, option))


def _against(published: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the call with a set of published runs beside one's own, which was among files or algorithms."""
    own = [",".join(part for part in word.split(",") if part != published) for word in words]
    # A list that held nothing else goes with its option.
    alone = [word.startswith("--") and following == "" for word, following in zip(own, [*own[1:], "-"], strict=True)]
    return (*(word for word, empty in zip(own, alone, strict=True) if word and not empty), "--against", published)


def _algorithms(missing: str, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the call with names behind the runs as algorithms."""
    places = [
        at
        for at, word in enumerate(words)
        if at and word.isidentifier() and not os.path.lexists(word) and words[at - 1] in ("--control", *_free(words))
    ]
    names = [words[at] for at in places]
    if missing in names and "--algorithms" not in words:
        kept = (word for at, word in enumerate(words) if at not in places or words[at - 1] == "--control")
        yield *kept, "--algorithms", ",".join(names)


def _spelled(near: str, before: str, text: str, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the call with the name that was probably meant; before: the text of the refusal up to that name."""
    parts = [part for word in words[1:] for part in (word, *PARTS.split(word))]
    # What the refusal quotes is wrong, and a file may be spelled more like what was meant.
    quoted = [name for name in QUOTED.findall(before) if name in parts]
    # Where the name stands in brackets behind what was refused it replaces that alone: a task of the runs is no word of the call.
    if (refused := BRACKETED.search(before)) is not None:
        quoted = [refused[1]] if refused[1] in parts else []
        if not quoted:
            return
    wrong = (closest(near, quoted) or quoted[-1]) if quoted else closest(near, parts)
    if wrong is None or wrong == near:
        return
    better = [_with_part(word, wrong, near) for word in words]
    changed = [at for at, word in enumerate(words) if better[at] != word]
    # Of `--algorithms SAC --published simbav2:SAC` the word is meant whose other parts the refusal names.
    near_by = {at: sum(part in text for part in PARTS.split(words[at])) for at in changed}
    most = max(near_by.values(), default=0)
    yield tuple(better[at] if near_by.get(at) == most else word for at, word in enumerate(words))


def _second_value(word: str, words: Sequence[str], verbs: Mapping[str, Any]) -> list[tuple[str, ...]] | None:
    """Return the calls with either of two values behind an option that takes one, `--test welch yuen`; None where there are no two."""
    at = words.index(word) if word in words else 0
    choices = {flag for p in verbs[words[0]].params if not getattr(p, "multiple", False) for flag in p.opts}
    if (
        at < 3
        or words[at - 2] not in choices - {"--control"}
        or os.path.lexists(words[at - 1])
        or _flag(words[at - 2], verbs[words[0]])
    ):
        return None
    return [(*words[:at], *words[at + 1 :]), (*words[: at - 1], *words[at:])]


def _flag(option: str, verb: Any) -> bool:
    return any(option in param.opts and getattr(param, "is_flag", False) for param in verb.params)


def _free(words: Sequence[str]) -> Iterator[str]:
    """Yield the words behind which no value of an option stands."""
    yield from (word for word in words if not word.startswith("-"))


def _with_part(word: str, wrong: str, right: str) -> str:
    if word == wrong:
        return right
    # A name of a list, or behind the sign of an assignment; never a piece of a longer name. Of `score=score` the value alone.
    if (valued := re.sub(rf"(?<=[=:]){re.escape(wrong)}(?![^,:])", lambda _: right, word)) != word:
        return valued
    return re.sub(rf"(?<![^,=:]){re.escape(wrong)}(?![^,=:])", lambda _: right, word)


def is_option(word: str) -> bool:
    """Return whether a word is an option, long or short, and no value: -5 is a number, - standard input."""
    return OPTION.match(word) is not None


def _without(words: Sequence[str], option: str) -> list[str]:
    at = words.index(option)
    end = at + 1 + (at + 1 < len(words) and not is_option(words[at + 1]))
    return [*words[:at], *words[end:]]


def _named(sentence: str, words: Sequence[str], verbs: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the call with each option and value that the sentence names, or of the verb that it names."""
    for part in shell_parts(sentence):
        tokens, verb = shlex.split(part.partition(WITHOUT)[0]), words[0]
        if tokens[0] == "runoff" and len(tokens) > 1 and tokens[1] in verbs:
            verb, tokens = tokens[1], tokens[2:]
            if verb != words[0] and not _reads(verbs[verb], verbs[words[0]]):
                continue
        elif len(tokens) < 2 or not tokens[0].startswith("--"):
            continue
        params = {spelled: param for param in verbs[verb].params for spelled in param.opts}
        pairs = _pairs(tokens, params)
        if all(option in params and not _placeholder(value, verbs) for option, value in pairs):
            kept = _without_option(words, part.partition(WITHOUT)[2].partition(" ")[0])
            call = list(kept) if verb == words[0] else [verb, *carried(kept[1:], verbs[words[0]])]
            for option, value in pairs:
                call = _with_option(call, option, value, params[option])
            yield tuple(call)


def _without_option(words: Sequence[str], option: str) -> Sequence[str]:
    """Return the call without an option, if it is there."""
    joined = [word for word in words if not (option and word.startswith(f"{option}="))]
    return _without(joined, option) if option in joined else joined


def _pairs(tokens: Sequence[str], params: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return each option with its value, "" for a flag."""
    pairs: list[tuple[str, str]] = []
    rest = iter(tokens)
    for option in rest:
        flag = getattr(params.get(option), "is_flag", False)
        pairs.append((option, "" if flag else next(rest, "")))
    return pairs


def _reads(*verbs: Any) -> bool:
    return all("path" in {param.name for param in verb.params} for verb in verbs)


def _placeholder(value: str, verbs: Mapping[str, Any]) -> bool:
    """Return whether a value is a placeholder: `NAME`, `step=NAME`, `score=`, or a file that does not exist yet."""
    if value.endswith("=") or (value.endswith(".toml") and not Path(value).exists()):
        return True
    metavars = (param.metavar or "" for verb in verbs.values() for param in verb.params)
    stand_ins = {word for metavar in metavars for word in CAPITALS.findall(metavar)}
    return not stand_ins.isdisjoint(PARTS.split(value)) or "…" in value


def carried(words: Sequence[str], verb: Any) -> Iterator[str]:
    """Yield the paths of a call, and its options on how they are read."""
    kept = {field.name for field in fields(SourceOptions)}
    params = {spelled: param for param in verb.params for spelled in param.opts}
    rest = iter(words)
    for word in rest:
        param = params.get(word.partition("=")[0])
        if param is None:
            yield word
            continue
        value = [] if "=" in word or getattr(param, "is_flag", False) else [next(rest, "")]
        if param.name in kept:
            yield from (word, *value)


def _with_option(call: list[str], option: str, value: str, param: Any) -> list[str]:
    if f"{option}={value}" in call:
        return call
    given = next((spelled for spelled in param.opts if spelled in call), None)
    if getattr(param, "is_flag", False):
        return call if given else [*call, option]
    if given is not None and not param.multiple:
        at = call.index(given)
        return [*call[: at + 1], value, *call[at + 2 :]]
    role = value.partition("=")[0]
    same = [at for at, pair in enumerate(pairwise(call)) if pair[0] == option and pair[1].startswith(f"{role}=")]
    if same and role in ROLES:
        return [*call[: same[0] + 1], value, *call[same[0] + 2 :]]  # a role has one column
    # A pair that is there already was told as what was given, and is no repair.
    return call if (option, value) in pairwise(call) else [*call, option, value]
