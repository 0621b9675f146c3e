"""Protocols (how runs were made) of a set and of the user's own runs, and the algorithms that may be tested given both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from runoff.archive.sets import KINDS, PROTOCOL, UNKNOWN, ArchiveSet, length_of, version_of
from runoff.errors import OptionError, nearest
from runoff.words.patterns import regex
from runoff.words.speech import choice
from runoff.words.words import names_evaluation, names_training

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

OF_END_SCORES = ("final", "budget")
"""Keys that do not matter to learning curves, which are compared step by step."""
LENGTH = regex(r"to (\S+), \d+ per run")
LAST, OF_ITS = "the last evaluation", " of its learning curve"
OF_EVALUATIONS = ("episodes", "deterministic")
"""Keys that logs record about their evaluations, whatever the score is."""
COUNTED = {
    "frames": regex(r"(?<![a-z])frames?(?![a-z])"),
    "agent steps": regex(r"(?<![a-z])agent[\W_]*steps?(?![a-z])"),
    "environment steps": regex(r"(?<![a-z])env(ironment)?s?[\W_]*steps?(?![a-z])"),
}
"""Words for what steps count, in the name of a column or in a text."""
THOUSANDS = {"k": 1e3, "m": 1e6}
ABOUT = 0.05
"""Training lengths that differ by at most this share count as equal: a set states them in two digits, and a log may end slightly earlier."""


def protocol_of(runs: Scores | Curves, given: Mapping[str, object]) -> dict[str, str]:
    """Return the protocol of the user's own runs, as stated and as recorded in the data; refuse an unknown key, and a statement that the
    data contradict."""
    own = {}
    for text, value in given.items():
        key = str(text).strip().replace("-", "_")
        if key not in PROTOCOL:
            raise OptionError(
                f"a protocol has no key {text!r}; its keys are {', '.join(PROTOCOL)}.{nearest(key, PROTOCOL)}"
            )
        # True and False of Python, and yes and no of set.toml, are one answer.
        own[key] = ("no", "yes")[value] if isinstance(value, bool) else str(value).strip()
    # Data win: a key that the user gives against them is a slip, or the logs are of other runs.
    data = _of_data(runs)
    for key, value in data.items():
        if key in own and not same(key, own[key], value):
            raise OptionError(
                f"the protocol says {key}={own[key]}, but the data record {key}={value}; leave the key out."
            )
    return {**data, **{key: value for key, value in own.items() if value != UNKNOWN}}


def _of_data(runs: Scores | Curves) -> dict[str, str]:
    """Return what logs record about runs, in the name of their score, their configurations and their curves."""
    from runoff.data.protocol import protocol_of as origin_of
    from runoff.data.scores import Scores

    origin = runs.provenance
    names = [name for role, name in origin.columns if role == "score"]
    steps = [kind for role, name in origin.columns if role == "step" and (kind := counted_by(name))]
    values = {**({"steps": steps[0]} if steps else {}), **dict(origin.protocol)}
    if names and all(map(names_evaluation, names)):
        values["score"] = "evaluation return"
    else:
        # Where the score is not known to be an evaluation, what the configuration says of evaluations does not matter
        # to it.
        values = {key: value for key, value in values.items() if key not in OF_EVALUATIONS}
        values |= {"score": "training return"} if names and all(map(names_training, names)) else {}
    if isinstance(runs, Scores):
        rule = origin_of(runs).score or ""
        # where runs have as many evaluations, those of all tasks end at one step
        lengths = {match[1] if (match := LENGTH.search(words)) else "" for _, words in origin.steps}
        if at := re.match(r"its learning curve at step (\S+),", rule):  # as if training had ended there
            values |= {"budget": at[1], "final": LAST}
        else:
            values |= {"budget": f"{float(length):.10g}"} if len(lengths) == 1 and (length := lengths.pop()) else {}
            values |= {"final": rule.replace("training return", "evaluation").removesuffix(OF_ITS)} if rule else {}
    return values


def protocols_of(
    card: ArchiveSet, algorithms: Sequence[str], tasks: Mapping[str, str], at: float | None = None, *, curves: bool
) -> dict[str, dict[str, str]]:
    """Return what a set states about these algorithms, as far as it matters to end scores, or to learning curves.

    tasks: the set's name for each own task; a version in the own names is not part of the protocol. at: the step at which the scores are
    taken from the curves, as if training had ended there.
    """
    import polars as pl

    from runoff.archive.load import ends_of, table

    runs = table(card, "steps").filter(pl.col("series") == "score", pl.col("task").is_in(list(tasks.values())))
    # An own name with a version was matched by it; one without leaves the version open, and the set's counts.
    versions = {version_of(theirs)[1:] for own, theirs in tasks.items() if not version_of(own)} - {""}
    lasts, protocols = ends_of(runs), {}
    for a in algorithms:
        values = {key: value for key, value in card.protocol(a).items() if value != UNKNOWN and key != "version"}
        values |= {"version": ", ".join(sorted(versions))} if versions else {}
        if "budget" in values and a in lasts:
            values["budget"] = length_of(lasts[a])
        values |= {} if at is None else {"budget": f"{at:.10g}", "final": LAST}
        protocols[a] = {key: value for key, value in values.items() if not (curves and key in OF_END_SCORES)}
    return protocols


def lacking(values: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Return what a set states about an algorithm but is unknown for the own runs."""
    return {key: value for key, value in values.items() if key not in own}


def untested(
    card: ArchiveSet, protocols: Mapping[str, Mapping[str, str]], own: Mapping[str, str], *, assumed: bool
) -> dict[str, str]:
    """Return the reason why each of these algorithms is not tested; "" if it may be."""
    between: dict[str, set[str]] = {}
    for values in protocols.values():
        for key, value in lacking(values, own).items():
            between.setdefault(key, set()).add(value)
    several = [key for key, values in between.items() if len(values) > 1]
    return {a: _why(card, a, values, own, several if assumed else None) for a, values in protocols.items()}


def _why(
    card: ArchiveSet, a: str, values: Mapping[str, str], own: Mapping[str, str], several: Sequence[str] | None
) -> str:
    """Return the reason why an algorithm is not tested; `several` are the keys in which algorithms differ, None if nothing is assumed."""
    name, missing = f"{card.name}:{a}", lacking(values, own)
    other = {key: value for key, value in values.items() if key in own and not same(key, own[key], value)}
    tell = choice("protocol={key: value}", "--protocol KEY=VALUE")
    # In order of weight: what can never be tested, what differs, what is not known.
    if card.kind == "single":
        return f"{name} is {KINDS[card.kind]}"
    if other:
        differing = "; ".join(f"{PROTOCOL[key]}: {own[key]} here, {value} there" for key, value in other.items())
        along = _along(card, a, own["budget"]) if "budget" in other else ""
        return f"{name} has another protocol ({differing}){along}"
    if missing and several is None:
        how = f"state it ({tell}), or assume it ({choice('assume_same_protocol=True', '--assume-same-protocol')})"
        keys = "; ".join(f"{key}={value}" for key, value in missing.items())
        return f"it is not known whether these runs have the protocol of {name} ({keys}): {how}"
    if keys_apart := [key for key in several or () if key in missing]:
        return (
            f"algorithms of {card.name} have several protocols ({', '.join(keys_apart)}), and these runs have one: name algorithms with the "
            f"same protocol, or state yours ({tell})"
        )
    return ""


def _along(card: ArchiveSet, a: str, budget: str) -> str:
    """Return the advice for comparing runs of another length with a published algorithm that has curves."""
    step, last = number(budget), card.algorithms[a][2]
    shorter = f"{at_step(card, step)} takes its curves at that step, and " if step and step < last else ""
    return f"; {shorter}{choice('compare_curves', 'runoff curves')} compares step by step" if last else ""


def at_step(card: ArchiveSet, step: float) -> str:
    """Return the name of published scores at a step: "simbav2@1e6"."""
    return f"{card.name}@{step:g}".replace("e+0", "e").replace("e+", "e")


def number(text: str) -> float | None:
    """Return the number in a text such as "2e6", "2_000_000" or "2M"; or None.

    >>> number("100k"), number("raw return")
    (100000.0, None)
    """
    digits = text.strip().casefold().replace("_", "").replace(",", "")
    factor = THOUSANDS.get(digits[-1:], 1)
    try:
        return factor * float(digits if factor == 1 else digits[:-1])
    except ValueError:
        return None


def counted_by(text: str) -> str | None:
    """Return what steps count according to a text, or None.

    >>> counted_by("agent_steps"), counted_by("env_step of the source"), counted_by("step")
    ('agent steps', 'environment steps', None)
    """
    return next((kind for kind, pattern in COUNTED.items() if pattern.search(text.casefold())), None)


def same(key: str, own: str, theirs: str) -> bool:
    """Return whether two values are equal, as numbers if they are numbers; lengths of training are equal approximately, on all tasks, and
    steps if they count the same."""
    # "env_step" and "environment steps of the source" are one thing in other words.
    if key == "steps" and (kind := counted_by(own)):
        return kind == counted_by(theirs)
    first, ends = number(own), [end for text in theirs.split(" to ") if (end := number(text)) is not None]
    if first is None or not ends:
        return own.casefold() == theirs.casefold()
    # All ends of a range must agree: where tasks were trained for unlike lengths, one number is not the protocol.
    slack = ABOUT if key == "budget" else 0
    return all(abs(first - end) <= slack * max(abs(first), abs(end)) for end in ends)
