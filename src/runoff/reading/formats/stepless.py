"""Evaluations in a log whose lines have no step: each is of the last step that was logged above it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from runoff.base.grouping import grouped
from runoff.reading._known import names_setting
from runoff.reading.formats.log_lines import LONGEST, MEASURE, LogLine, line_of, split_of, text_of, with_entries
from runoff.tables.likely import candidates
from runoff.tables.values import parsed
from runoff.words.columns import names_attempts, preferred
from runoff.words.costs import direction
from runoff.words.patterns import regex
from runoff.words.words import CENTRES, EVALUATION, kind, vocabulary, words

OF_EVALUATION = ("eval", "test", "validation")
OVER = regex(
    r"\s\(?(?:over|of|on|from|across)\s(?:the\s)?\d{1,9}\s(?:[^\W\d]{1,20}\s)?(?:episodes|eps|rollouts|games|trials)\)?(?=\s?[:=]|$)",
    re.IGNORECASE,
)
"""The number of episodes of an evaluation, behind its name or its number."""
SUMS = vocabulary("best max maximum highest top peak record min target threshold goal std stddev scale")
"""Words of numbers that are no evaluation: they sum several up, or are settings."""


class Evaluations(NamedTuple):
    """The evaluations of a log: the names of the steps and of what was measured, a row each, the number of the last line of each, those of
    all lines that hold one, and why nothing says at which steps they were, "" where it is certain."""

    names: list[str]
    rows: list[list[str]]
    at: list[int]
    lines: list[int]
    refusal: str = ""


def is_cost(name: str) -> bool:
    return direction(name) == "lower"


def scores_among(names: Sequence[str]) -> list[str]:
    """Return the names that are named like a score; those of costs if there are none."""
    return candidates(list(names), "score") or list(filter(is_cost, names))


def is_of_evaluation(split: str, names: Sequence[str]) -> bool:
    """Return whether a line says that it is of evaluation or validation, or holds a score or a cost that is called so, or the number of an
    episode of evaluation."""
    own = [*scores_among(names), "return"]
    numbered = any(names_attempts(name) and not EVALUATION.isdisjoint(words(name)) for name in names)
    return split in OF_EVALUATION or (not split and (numbered or preferred(own) != own))


def _is_setting(name: str) -> bool:
    return names_setting(name) and kind(name) != "score"


def evaluated_in(line: str) -> dict[str, str]:
    """Return the names and numbers of a line of evaluation without a step, its scores named so; none of another line.

    >>> evaluated_in("[eval] return: 5"), evaluated_in("{'test_reward': 5.5}"), evaluated_in("Test return over 9 episodes: 4 +/- 1")
    ({'eval_return': '5'}, {'test_reward': '5.5'}, {'Test return': '4'})
    >>> evaluated_in("eval: step=5 return=2"), evaluated_in("best eval return 5"), evaluated_in("return=2")
    ({}, {}, {})
    """
    split, text = split_of(line), text_of(line[:LONGEST]).strip(" \t|,;.!*=#-")
    text = OVER.sub("", with_entries(text))
    pairs = line_of(text).pairs or {match[1]: match[2] for match in [MEASURE.fullmatch(text)] if match}
    if split and len(pairs) == 1 and {*words(next(iter(pairs)))} <= CENTRES:
        pairs = {"score": next(iter(pairs.values()))}  # `Eval mean: 5`
    scores = scores_among([*pairs])
    if not scores or candidates([*pairs], "step") or not is_of_evaluation(split, [*pairs]):
        return {}
    if any(_is_setting(name) or not SUMS.isdisjoint(words(name)) or parsed(pairs[name]) is None for name in scores):
        return {}
    plain = preferred([*scores, "return"]) == [*scores, "return"]
    before = f"{split or 'eval'}_" if plain else ""
    return {(before if name in scores else "") + name: own for name, own in pairs.items() if not names_attempts(name)}


def evaluations_in(lines: Sequence[str], own: Sequence[LogLine], steps: Sequence[str]) -> Evaluations | None:
    """Return the evaluations whose lines have no step, each at the last step above it, several at one step as their mean; None of a log without
    any. own: the names and numbers of the lines; steps: the names of the steps.

    >>> lines = ["step=10 return=1", "step=20 return=2", "eval_episode=0, return=5", "eval_episode=1, return=7"]
    >>> evaluations_in(lines, [*map(line_of, lines)], ["step"])
    Evaluations(names=['step', 'eval_return'], rows=[['20', '6.0']], at=[4], lines=[3, 4], refusal='')
    """
    stepped = _stepped(lines, own, steps)
    others = ((at, line) for at, line in enumerate(lines, start=1) if at not in stepped)
    measured = {at: pairs for at, line in others if line.strip() and (pairs := evaluated_in(line))}
    if not measured or not stepped:
        return None
    start = {**dict.fromkeys(steps, "0")}
    above: list[int] = []
    last = 0
    for at in range(1, len(lines) + 1):
        last = at if at in stepped else last
        above += [last] * (at in measured)
    by_step = grouped(zip(above, measured, strict=True))
    names = [*next(iter(measured.values()))]
    rows = [
        [*(stepped.get(at, start)[name] for name in steps), *_mean([measured[i] for i in group], names)]
        for at, group in by_step.items()
    ]
    ends = [group[-1] for group in by_step.values()]
    return Evaluations([*steps, *names], rows, ends, [*measured], _refusal(stepped, measured))


HEAD = regex(
    r"[\s=#*>\[-]{0,9}(epoch|step|steps|iteration|iter|update|timestep|round)\s?[:#=]?\s?(\d{1,15})"
    r"(?:\s?(?:/|of)\s?\d{1,15})?[\s\]=#*.:-]{0,90}",
    re.IGNORECASE,
)
"""A line that is nothing but a step: `Epoch 3/9`."""


def headed_in(lines: Sequence[str]) -> Evaluations | None:
    """Return the evaluations below lines that are steps alone; None of a text with fewer than two of either.

    >>> headed_in(["Epoch 1/2", "train loss: 3", "val acc: 0.5", "Epoch 2/2", "train loss: 2", "val acc: 0.75"]).rows
    [['1', '0.5'], ['2', '0.75']]
    """
    heads = {at: match for at, line in enumerate(lines) if (match := HEAD.fullmatch(text_of(line[:LONGEST])))}
    names = {match[1].casefold() for match in heads.values()}
    if len(heads) < 2 or len(names) > 1:
        return None
    (name,) = names
    own = [LogLine({name: heads[at][2]} if at in heads else {}, bare=True, split="") for at in range(len(lines))]
    read = evaluations_in(lines, own, [name])
    return read if read is not None and (len(read.rows) > 1 or read.refusal) else None


MENTIONED = regex(r"(?:[:=]|->|[^\W\d]\s)\s{0,9}[-+]?\d[\d.,]{0,20}\s?(?:%|(?:\+/-|\u00b1).{0,40})?\s*", re.IGNORECASE)
"""The number at the end of a line."""
OF_SCORES = vocabulary("reward rewards return returns score scores success accuracy acc rate mean average avg")


def mentions_evaluation(line: str) -> bool:
    """Return whether a line that is not read seems to hold the score of an evaluation: it says so, has a word for one, and ends in a number.

    >>> mentions_evaluation("Evaluation on Hopper-v4: mean 99.5 +/- 2"), mentions_evaluation("eval/door return=1")
    (True, True)
    >>> mentions_evaluation("eval took: 3.5"), mentions_evaluation("Best eval return: 5"), mentions_evaluation("saving eval returns")
    (False, False, False)
    """
    own = {*words(line[:LONGEST])}
    # `Mean reward: 5 +/- 1` is what Stable-Baselines3 says of an evaluation.
    spread = ("+/-" in line or "\u00b1" in line) and not CENTRES.isdisjoint(own)
    if (EVALUATION.isdisjoint(own) and not spread) or not SUMS.isdisjoint(own) or evaluated_in(line):
        return False
    match = next((end for end in MENTIONED.finditer(line) if end.end() == len(line)), None)
    scored = not OF_SCORES.isdisjoint(own) or any(kind(word) == "score" for word in own)
    return match is not None and (scored or "+/-" in match[0] or "\u00b1" in match[0])


def _stepped(lines: Sequence[str], own: Sequence[LogLine], steps: Sequence[str]) -> dict[int, Mapping[str, str]]:
    """Return the steps by the number of the line that has them: among its names, or in words, `evaluating at step 5000`."""
    inside = re.compile(rf"(?<!\w){re.escape(steps[0])}[\s:=#]{{1,3}}(\d{{1,15}})(?!\.?\w)", re.IGNORECASE)
    stepped: dict[int, Mapping[str, str]] = {}
    for at, line in enumerate(lines, start=1):
        if {*steps} <= own[at - 1].pairs.keys():
            stepped[at] = own[at - 1].pairs
        elif len(steps) == 1 and (match := inside.search(line[:LONGEST])) and not evaluated_in(line):
            stepped[at] = {steps[0]: match[1]}
    return stepped


def _mean(parts: Sequence[Mapping[str, str]], names: Sequence[str]) -> list[str]:
    """Return the means of the numbers of several lines, and the first of the texts."""
    columns = [[pairs.get(name, "") for pairs in parts] for name in names]
    numbers = [[number for text in texts if (number := parsed(text)) is not None] for texts in columns]
    return [
        str(float(np.mean(own))) if len(own) == len(texts) > 1 else texts[0]
        for own, texts in zip(numbers, columns, strict=True)
    ]


def _refusal(stepped: Mapping[int, object], measured: Mapping[int, Mapping[str, str]]) -> str:
    """Return why nothing says at which steps evaluations were, or which of them count; "" where it is certain."""
    (first, pairs), *_ = measured.items()
    other = next((at for at, own in measured.items() if [*own] != [*pairs]), 0)
    texts = next((at for at, own in measured.items() if _texts_of(own) != _texts_of(pairs)), 0)
    if other or texts:
        return f"line {other or texts}: this evaluation has other names than that in line {first}"
    if first < min(stepped) and max(measured) < max(stepped):
        return f"line {first}: nothing says whether this evaluation was before or after what is logged below it"
    return ""


def _texts_of(pairs: Mapping[str, str]) -> dict[str, str]:
    return {name: own for name, own in pairs.items() if parsed(own) is None}
