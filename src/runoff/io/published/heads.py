"""Labels of rows and columns: a head is parted into its name, an arrow, a number of runs, and the statistic that it names.

An arrow says which direction is better.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from runoff.io.published.grid import Entry
from runoff.io.published.statements import SEGMENTS, centre_in, spread_behind, spread_named
from runoff.words.words import vocabulary, words

RUNS = re.compile(
    r"[(\[,;]?\s*\bn\s*=\s*(\d+)\s*[)\]]?|[(\[]\s*(\d+)\s+(?:random\s+)?(?:seeds|runs|trials)\s*[)\]]", re.IGNORECASE
)
PLUS_MINUS = re.compile(
    r"[(\[,]?\s*(?:\b(?:mean|avg|average|median|IQM|m|μ)\.?\s*)?(?:±|\+/-)\s*(?P<of>[^±()\[\]]*?)\s*[)\]]?$",
    re.IGNORECASE,
)
MARKS = re.compile(r"(?:\^?[*†‡§¶]+|\[\^\w+\])$")
ALGORITHM_HEADS = vocabulary(
    "algorithm algorithms algo algos method methods agent agents model models approach policy policies baseline variant"
)
TASK_HEADS = vocabulary(
    "task tasks environment environments env envs game games domain dataset datasets benchmark scenario map maps level suite"
)
MEANS = vocabulary("mean avg average")
SPREADS: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(vocabulary("std sd stddev stdev deviation"), "sd")
    | dict.fromkeys(vocabulary("se sem stderr"), "se")
    | dict.fromkeys(vocabulary("ci"), "ci95")
)
"""Word in the head of a column of spreads -> the kind of spread."""


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a row or column, and what else its head says.

    `lower` is whether an arrow says that lower is better (None: no arrow), `n` the number of runs. A head that names a statistic has a `stem`
    and a `statistic`: "PPO_std" has "PPO" and "sd", "PPO_mean" has "PPO" and "mean". `spread` is the kind of spread that the head gives for ±
    ("sd" in "PPO (mean ± std)"), and `centre` the centre that it names, if that is no mean.
    """

    name: str
    entry: Entry
    lower: bool | None = None
    n: int | None = None
    stem: str = ""
    statistic: str | None = None
    spread: str | None = None
    centre: str | None = None


def label_of(text: str, entry: Entry) -> Label:
    """Return the label that a head makes; `entry` is where it stands.

    >>> from runoff.io.published.grid import Entry
    >>> label = label_of("FID ↓ (n = 5)", Entry(text="", line=1, column=1))
    >>> label.name, label.lower, label.n
    ('FID', True, 5)
    """
    lower = None if ("↑" in text) == ("↓" in text) else "↓" in text
    runs = RUNS.search(text)
    name = RUNS.sub("", text) if runs else text
    name = re.sub(r"\(\s*\)|\[\s*\]", "", re.sub(r"[↑↓]", "", name))
    name = MARKS.sub("", re.sub(r"\s+", " ", name).strip()).strip()
    n = int(runs[1] or runs[2]) if runs else None
    centre = centre_in(name)
    if (match := PLUS_MINUS.search(name)) is not None:
        own = name[: match.start()].strip(" ,;") or name
        return Label(own, entry, lower, n, spread=spread_behind(match["of"]), centre=centre)
    stem, statistic = split_statistic(name)
    spread = None if statistic is not None else next(filter(None, map(spread_named, SEGMENTS.findall(name))), None)
    return Label(name, entry, lower, n, stem, statistic, spread, centre)


def with_own_spread(label: Label) -> Label:
    """Return the label of a row or column of cells mean ± spread: there "Easy (std)" names Easy, and says what ± is.

    >>> from runoff.io.published.grid import Entry
    >>> label = with_own_spread(label_of("Easy (s.e.)", Entry(text="", line=1, column=1)))
    >>> label.name, label.spread
    ('Easy', 'se')
    """
    # "Easy std" names a statistic even without brackets; "ResNet-SE" does not, so that short words need them.
    unmistakable = BRACKETED.search(label.name) or UNMISTAKABLE.intersection(words(label.name))
    if label.statistic in (None, "mean") or not label.stem or not unmistakable:
        return label
    return replace(label, name=label.stem.strip(" ,;"), stem="", statistic=None, spread=label.statistic)


BRACKETED = re.compile(r"^(?P<stem>.*?)\s*[(\[](?P<inside>[^()\[\]]*)[)\]]$")
UNMISTAKABLE = vocabulary("std stddev stdev sem stderr")
"""Words that are never part of the name of an algorithm or task."""
_STANDARD = re.compile(r"\b(?:standard|std)", re.IGNORECASE)


def split_statistic(name: str) -> tuple[str, str | None]:
    """Return a name without the word at its start or end that names a statistic, and the statistic; the whole name and None without one.

    >>> split_statistic("PPO_std"), split_statistic("Hopper (mean)"), split_statistic("std_reward"), split_statistic("SAC")
    (('PPO', 'sd'), ('Hopper', 'mean'), ('reward', 'sd'), ('SAC', None))
    """
    if (own := BRACKETED.match(name)) is not None and (named := spread_named(own["inside"])) is not None:
        return own["stem"].strip(" _./:-"), named
    shorter = re.sub(r"confidence interval", "ci", name, flags=re.IGNORECASE)
    folded = re.sub(r"95\s*%?\s*|\bstandard\b|\bstd\.?\s*(?=err|dev)", "", shorter, flags=re.IGNORECASE)
    first = re.fullmatch(r"([A-Za-z]+)[\s_.-]+(\w[\w\s.-]*)", folded.strip())
    if first is not None and (first[1].casefold() in MEANS or first[1].casefold() in SPREADS):
        return first[2], "mean" if first[1].casefold() in MEANS else SPREADS[first[1].casefold()]
    match = re.fullmatch(r"(.*?)[\s_./:-]*[(\[]?\s*([A-Za-z]+)\.?\s*[)\]]?", folded.strip())
    if match is None:
        return name, None
    last = "se" if match[2].casefold() in ("error", "err") and _STANDARD.search(name) else match[2].casefold()
    statistic = "mean" if last in MEANS else SPREADS.get(last)
    return (name, None) if statistic is None else (match[1].strip(" _./:-(["), statistic)


def subject(text: str) -> str | None:
    """Return what the head above a column of labels calls them: "algorithms", "tasks", or None if it names neither or both."""
    parts = set(words(text))
    about = (bool(parts & ALGORITHM_HEADS), bool(parts & TASK_HEADS))
    return {(True, False): "algorithms", (False, True): "tasks"}.get(about)
