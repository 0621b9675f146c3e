"""Names that put a name and a measure of it together: `PPO time (s)` beside `PPO`, `PPO_return` beside `PPO_len`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from runoff.words.columns import names_quality, names_runs
from runoff.words.labels import KINDS_OF_DATA, MEASURING, is_amount, is_summary, measures_others, run_of
from runoff.words.patterns import regex
from runoff.words.words import canonical, kind, vocabulary, words

_MORE = vocabulary("sr succ auc auroc acc f1 top1 mem loss params flops ppl perplexity wer cer nll bpb")
"""Abbreviations of measures, as canonical names."""
_WORDS = MEASURING | _MORE | {"f"}
"""Words with which the names of measures begin and end."""
_METHODS = frozenset({"srspr"})
"""Methods whose name is that of a measure and of another method, as canonical names."""
_LACKING = frozenset({"no", "without", "wo", "minus"})
_MARK = regex(r"[\s_./:|-]+|(?<=\w)(?=[(\[])")
"""What stands between a name and its measure."""


LONGEST = 80
"""Letters of the longest name whose parts are looked at."""


@lru_cache(1 << 12)  # each of the five hundred columns that W&B exports is asked about beside each other
def is_measure(text: str) -> bool:
    """Return whether a text says what was measured, and names nothing.

    >>> [is_measure(text) for text in ("time (s)", "len", "SR", "rank", "pass@1", "PPO", "seed 1", "100k")]
    [True, True, True, True, True, False, False, False]
    """
    bare = text.strip(" ()[]")
    if not bare or names_runs(bare) or run_of(bare) is not None or is_amount(bare):
        return False
    if canonical(bare) in _MORE | KINDS_OF_DATA or ("@" in bare and names_quality(bare)):
        return True
    return not any(map(str.isdigit, bare)) and (kind(text) is not None or measures_others(bare) or is_summary(bare))


def measures_of(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the name and the measure of each name that is of both, where the name stands alone too, or with another measure.

    >>> measures_of(["PPO", "PPO time (s)", "SAC"]), measures_of(["PPO_return", "PPO_len"])["PPO_len"], measures_of(["SAC", "SAC-N"])
    ({'PPO time (s)': ('PPO', 'time (s)')}, ('PPO', 'len'), {})
    >>> measures_of(["PPO", "PPO_no_clip", "PPO_clip"])
    {'PPO_clip': ('PPO', 'clip')}
    """
    splits = {name: _splits(name) for name in names if not is_measure(name)}
    of: dict[str, set[str]] = {name: {""} for name in names}
    for split in splits.values():
        for bare, measure in split:
            of.setdefault(bare, set()).add(measure)
    # The shortest name, whose measure is the longest: `PPO` and `ep_len`, not `PPO_ep` and `len`.
    chosen = {name: next((pair for pair in split if len(of[pair[0]]) > 1), None) for name, split in splits.items()}
    pairs = {name: pair for name, pair in chosen.items() if pair is not None}
    bares = {bare for bare, _ in pairs.values()}
    # `SAC-N` is a method; a letter measures where all names have it.
    return {
        name: (bare, measure)
        for name, (bare, measure) in pairs.items()
        if len(measure) > 1 or (len(bares) > 1 and all((own, measure) in pairs.values() for own in bares))
    }


def common_measure(names: Sequence[str]) -> str:
    """Return the measure that all names have alike, "" where they have none: `return` of `PPO_return`, `SAC_return`."""
    return next((measure for measure, own in _shared(names) if len(own) == len(names)), "")


def largest_family(names: Sequence[str]) -> tuple[str, list[str]]:
    """Return the measure that most names have, and these names, two or more; ("", []) where there is none.

    >>> largest_family(["params", "ptb_ppl", "c4_ppl", "SAC_return"])
    ('ppl', ['ptb_ppl', 'c4_ppl'])
    """
    return max((pair for pair in _shared(names) if len(pair[1]) > 1), key=lambda pair: len(pair[1]), default=("", []))


def _shared(names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return each measure with the names that have it, the longest measure first."""
    of: dict[str, list[str]] = {}
    for name in names:
        for measure in dict.fromkeys(own for _, own in _splits(name)):
            of.setdefault(measure, []).append(name)
    return sorted(of.items(), key=lambda pair: -len(pair[0]))


def ends_with(name: str, measures: Collection[str]) -> str:
    """Return which of these measures a name ends with; "" for none.

    >>> ends_with("SAC_len", ["len", "loss"]), ends_with("SAC", ["len"])
    ('len', '')
    """
    return next((own for _, own in _splits(name) if own in measures), "")


def without_measure(name: str, measure: str) -> str:
    """Return the name without its measure."""
    return next(bare for bare, own in _splits(name) if own == measure)


def _splits(name: str) -> list[tuple[str, str]]:
    """Return the ways to part a name and a measure of it, the shortest name first."""
    parts = [word for word in words(name) if not word.isdigit()] if len(name) <= LONGEST else []
    # Most names end and begin with no such word, and of a hundred thousand tasks each is looked at. `ppo_no_clip` is what a method lacks.
    if not {*parts[:1], *parts[-1:]} & _WORDS or not _LACKING.isdisjoint(parts[-2:-1]) or canonical(name) in _METHODS:
        return []
    halves = [(name[: mark.start()], name[mark.end() :]) for mark in _MARK.finditer(name)]
    pairs = [(a.strip(), b.strip()) for a, b in halves if a.strip() and b.strip()]
    return [
        *((bare, measure) for bare, measure in pairs if is_measure(measure) and not is_measure(bare)),
        *((bare, measure) for measure, bare in reversed(pairs) if measures_first(measure) and not is_measure(bare)),
    ]


def measures_first(text: str) -> bool:
    """Return whether a word before a name measures it: `Rank SAC`, `Return PPO`; `Average DQN` is a method."""
    return is_measure(text) and not is_summary(text)
