"""Names that fit their place: shortened to what distinguishes them, and isolated where they are written from right to left.

Two names never get one label. A name with right-to-left letters would turn the punctuation around it, so it stands in an isolate of Unicode.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, pairwise, zip_longest
from os.path import commonprefix
from unicodedata import bidirectional, category

from runoff.words.patterns import regex

GAP = "…"
JOINERS = "\u200c\u200d"
LONGEST = 400
"""Largest number of characters of a name that are compared; of a longer name these are at its two ends."""

Measure = Callable[[str], float]


def one_line(text: str) -> str:
    """Return a text with its white space as single spaces, without characters that cannot be seen (but for joiners of letters).

    >>> one_line("soft  actor\\ncri\u200btic")
    'soft actor critic'
    """
    return " ".join("".join(c for c in text if category(c) != "Cf" or c in JOINERS).split())


def short_names(
    names: Iterable[str], room: float, measure: Measure = len, *, shown: Callable[[str], str] = one_line
) -> dict[str, str]:
    """Return a label for each name, at most `room` wide where that is possible: no two are equal.

    What names have in common gives way first. `shown` is what can be shown of a name.

    >>> short_names(["agent_lr_0.001_v1", "agent_lr_0.003_v1", "PPO"], 8)
    {'agent_lr_0.001_v1': 'ag…01_v1', 'agent_lr_0.003_v1': 'ag…03_v1', 'PPO': 'PPO'}
    """
    texts = distinct_labels(names, shown)
    half = LONGEST // 2
    cut = {name: t if len(t) <= LONGEST else t[: half - 1] + GAP + t[-half:] for name, t in texts.items()}
    needed = _telling(list(cut.values()))
    labels = {n: t if measure(t) <= room else _windows(t, needed[t], room, measure) for n, t in cut.items()}
    return _numbered(labels, lambda name: labels[name] == texts[name], room, measure)


def distinct_labels(names: Iterable[str], shown: Callable[[str], str] = one_line) -> dict[str, str]:
    """Return what is shown of each name in full, with a number where that is nothing, or the same as of another.

    >>> distinct_labels(["a b", "a  b", " "])
    {'a b': 'a b', 'a  b': 'a b #1', ' ': '#1'}
    """
    texts = {name: shown(name) for name in names}
    return _numbered(texts, lambda name: bool(texts[name]) and texts[name] == name, float("inf"), len)


def _numbered(labels: Mapping[str, str], keeps: Callable[[str], bool], room: float, measure: Measure) -> dict[str, str]:
    """Return labels of which no two are equal: those that several have, but for the one that is the name itself, get a number."""
    often = Counter(labels.values())
    in_use = {label for name, label in labels.items() if label and (often[label] == 1 or keeps(name))}
    unique = dict(labels)
    for name in sorted(labels):
        label = labels[name]
        if label and (often[label] == 1 or keeps(name)):
            continue
        numbered = (_with_number(label, k, room, measure) for k in count(1))
        unique[name] = next(text for text in numbered if text not in in_use)
        in_use.add(unique[name])
    assert len(set(unique.values())) == len(unique)
    return unique


def _with_number(label: str, k: int, room: float, measure: Measure) -> str:
    """Return as much of the label as fits before the number."""
    ending = f"#{k}"
    if not label or measure(f"{label} {ending}") <= room:
        return f"{label} {ending}".strip()
    heads = (label[:n].rstrip(GAP) + GAP + ending for n in range(len(label) - 1, 0, -1))
    return next((head for head in heads if measure(head) <= room), ending)


def _telling(texts: Sequence[str]) -> dict[str, list[int]]:
    """Return the places at which each text parts from another, read from the front and from the back; nearest others first."""
    front = _partings(texts)
    back = _partings([text[::-1] for text in texts])
    places_of = {}
    for text in texts:
        ahead, behind = front[text], [len(text) - 1 - i for i in back[text[::-1]]]
        places = [i for both in zip_longest(ahead, behind, fillvalue=-1) for i in both]
        places_of[text] = list(dict.fromkeys(i for i in places if 0 <= i < len(text))) or [0, len(text) - 1]
    return places_of


def _partings(texts: Sequence[str]) -> dict[str, list[int]]:
    """Return the lengths of what each text shares at its beginning with others (in sorted order: with a neighbour), longest first."""
    order = sorted(set(texts))
    shared = [len(commonprefix(pair)) for pair in pairwise(order)]  # noqa: RUF071 - of characters
    # What a text shares with one further off is the least of what neighbours on the way share.
    after, before = [*_minima(shared), []], [[], *_minima(shared[::-1])[::-1]]
    return {text: sorted({*after[at], *before[at]}, reverse=True) for at, text in enumerate(order)}


def _minima(values: Sequence[int]) -> list[list[int]]:
    """Return, for each place, the running minima from there to the end, lowest first.

    >>> _minima([3, 1, 2, 0])
    [[0, 1, 3], [0, 1], [0, 2], [0]]
    """
    minima, lower = [], list[int]()
    for value in reversed(values):
        while lower and lower[-1] >= value:
            lower.pop()
        lower.append(value)
        minima.append([*lower])
    return minima[::-1]


def _windows(text: str, needed: Sequence[int], room: float, measure: Measure) -> str:
    """Return the text around the places that are needed, as much as there is room for."""
    # The width grows with the number of characters kept, so that bisection finds the most for which there is room.
    rest = sorted(set(range(len(text))) - set(needed), key=lambda i: (min(abs(i - at) for at in needed), i))
    order, low, high = [*needed, *rest], 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(_kept(text, order[:middle])) <= room else (low, middle - 1)
    return _kept(text, order[:low])


def _kept(text: str, places: Sequence[int]) -> str:
    """Return the characters at some places, with one ellipsis for each gap of more than a character."""
    shown, last = "", -1
    for place in sorted(places):
        gap = text[last + 1 : place]
        shown += gap if len(gap) < 2 else GAP
        shown += text[place]
        last = place
    rest = text[last + 1 :]
    return shown + (rest if len(rest) < 2 else GAP)


# ── names written from right to left ──────────


ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_LETTER = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff"
_RUN = regex(rf"[{_LETTER}](?:[{_LETTER}\u0300-\u036f\d _\-'’]*[{_LETTER}])?")
"""Words of right-to-left letters and what joins the words of one name; commas, dashes and Latin words separate names."""


def turns(text: str) -> bool:
    """Return whether a text has letters that are written from right to left.

    >>> turns("PPO"), turns("אלגוריתם")
    (False, True)
    """
    return not text.isascii() and any(bidirectional(character) in ("R", "AL") for character in text)


def isolated(name: str) -> str:
    """Return a name that can stand beside other words; one without right-to-left letters stays as it is.

    >>> isolated("PPO")
    'PPO'
    >>> isolated("שלום") == ISOLATE + "שלום" + END
    True
    """
    return f"{ISOLATE}{name}{END}" if turns(name) else name


def isolated_in(text: str) -> str:
    """Return a sentence in which each name with right-to-left letters is isolated, where it is not already.

    >>> isolated_in("PPO vs SAC")
    'PPO vs SAC'
    >>> isolated_in("א vs ב") == f"{ISOLATE}א{END} vs {ISOLATE}ב{END}"
    True
    """
    if ISOLATE in text or not turns(text):
        return text
    return _RUN.sub(lambda match: f"{ISOLATE}{match[0]}{END}", text)
