"""The information in headers, names and captions: the name of a row or column, its arrow, number of runs and statistic; the kind of ±; the
centre.

An arrow shows which direction is better.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from runoff.errors import DataError
from runoff.reading.printed.cells import PrintedEntry, at
from runoff.tables.likely import NAMING
from runoff.words.costs import cost_in
from runoff.words.patterns import regex
from runoff.words.speech import choice, option
from runoff.words.words import vocabulary, words

# ── the numbers: which kind of spread ± is, and whether the centre is a mean ──────────

LEVELS = (90, 95, 99)
TESTED = ("sd", "se", *(f"ci{level}{of}" for level in LEVELS for of in ("", "_bootstrap")))
"""Kinds of spread that determine a standard error, and so a test."""
OTHER = "other"
"""The kind of a spread with a name that is not in `KINDS`, or with an unusual multiple or level."""
# Abbreviations count in their own case only, (?-i:…): "SE" and "CI" are statistics, "se" and "ci" may be parts of names.
KINDS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        name: regex(pattern, re.IGNORECASE)
        for name, pattern in {
            "iqr": r"\binter-?\s?quartile(?!\s+means?\b)|\bIQRs?\b|\bquartiles?\b|\bpercentiles?\b(?!\s+(?:bootstrap|confidence|CI))",
            "range": r"\bmin(?:imum)?\s?(?:/|-|–|to|and)\s?max(?:imum)?\b|\bhalf[\s-]range\b",
            "ci": r"\bconfidence\s+(?:intervals?|bounds?|limits?)|(?-i:(?<!\w)C\.I\.|\bCIs?\b)|(?<!\w)c\.\s?i\.",
            "se": r"\bst(?:andar)?d\.?[\s_-]*err(?:ors?\b|\b)|\bstderrs?\b|(?-i:\bSEM?s?\b)|(?<!\w)s\.\s?e\.(?:\s?m\b\.?)?|\bsem\b",
            "sd": r"\bst(?:andar)?d\.?[\s_-]*dev(?:iations?\b|\b)|\bstd(?:dev|ev)?s?\b|\bstdev\b|(?-i:\bSDs?\b)|(?<!\w)s\.\s?d\.|σ",
        }.items()
    }
)
"""Kind of spread -> the wordings that name it."""
CENTRES = regex(
    r"\bmedians?\b|\bIQMs?\b|\binter-?\s?quartile\s+means?\b|\btrimmed\s+means?\b|\bgeometric\s+means?\b", re.IGNORECASE
)
BESIDE_THEM = vocabulary(
    "mean avg average of the one half width over n across seed seeds run runs trial trials in random return score reward bootstrap "
    "bootstrapped stratified percentile"
)
"""Words that, together with the name of a statistic, do not form the name of an algorithm or task."""
SEGMENTS = regex(r"[(\[]([^()\[\]]*)[)\]]")
MULTIPLES: Mapping[str, float] = MappingProxyType(
    {"half": 0.5, "quarter": 0.25, "two": 2.0, "twice": 2.0, "double": 2.0, "three": 3.0, "four": 4.0, "½": 0.5}
)
TIMES = regex(
    rf"(?<![\w.])(\d+(?:\.\d+)?|{'|'.join(MULTIPLES)})(?:\s+of)?(?:\s+(?:an?|the|one))?[\s-]*[×x*·]?\s*$", re.IGNORECASE
)
LEVEL = regex(
    r"(\d+(?:\.\d+)?)(?:\s|\\,|~)*(?:%|\\%|percent)?(?:[\s~-]|\\,|\\ )*"
    r"(?:(?:bootstrap(?:ped)?|stratified|percentile|basic|normal|two-sided|student's|t|bca)[\s-]+)*$",
    re.IGNORECASE,
)
LEVEL_BEHIND = regex(
    r"\s*(?:\(|:\s*|at\s+(?:the\s+)?(?:level\s+(?:of\s+)?)?)?"
    r"(?:(\d+(?:\.\d+)?)\s*(?:%|\\%|percent)|((?<![\w.])[5-9]\d(?:\.\d+)?)(?=\s*(?:[)\],;]|$)))",
    re.IGNORECASE,
)
"""A level behind `CI`; without a per cent sign only two digits that nothing follows."""


def spreads_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the wording of each spread named in a text.

    A multiple (2 std) and an interval with a level that is not in `LEVELS` are of the kind "other"; an interval without a level is a 95 %
    interval.

    >>> list(spreads_in("mean ± s.e.")), list(spreads_in("80% CI")), list(spreads_in("2 std"))
    ([('se', 's.e.')], [('other', '80% CI')], [('other', '2 std')])
    >>> list(spreads_in("99% bootstrap CI"))
    [('ci99_bootstrap', '99% bootstrap CI')]
    >>> [list(spreads_in(text)) for text in ("CI 90%", "CI (99%)", "CI 80", "CI")]
    [[('ci90', 'CI 90%')], [('ci99', 'CI (99%')], [('other', 'CI 80')], [('ci95', 'CI')]]
    """
    for name, pattern in KINDS.items():
        for match in pattern.finditer(text):
            before, end = (LEVEL if name == "ci" else TIMES).search(text[: match.start()]), match.end()
            number = None if before is None else MULTIPLES.get(before[1].casefold()) or float(before[1])
            if name == "ci" and number is None and (behind := LEVEL_BEHIND.match(text, end)) is not None:
                number, end = float(behind[1] or behind[2]), behind.end()
            kind = _interval_of(text, number) if name == "ci" else name
            # `2 std` and `± 1.96 SE` are legitimate and need their own factor; they are named and not answered.
            usual = name == "ci" or number in (None, 1)
            yield kind if usual else OTHER, text[match.start() if before is None else before.start() : end]


def _interval_of(text: str, level: float | None) -> str:
    if level is not None and level not in LEVELS:
        return OTHER
    return f"ci{int(level or 95)}{'_bootstrap' if 'bootstrap' in text.casefold() else ''}"


def interval_in(beside: str) -> str | None:
    """Return the kind of interval that the text around a table names with its level; None if it names none, or other spreads too.

    >>> interval_in("Means [95 % confidence intervals]."), interval_in("Mean and CI."), interval_in("Mean ± std and 95% CI")
    ('ci95', None, None)
    """
    kinds = {kind if any(map(str.isdigit, wording)) else OTHER for kind, wording in spreads_in(beside)}
    return kinds.pop() if len(kinds) == 1 and OTHER not in kinds else None


def spread_named(text: str) -> str | None:
    """Return the kind of spread that a text names, None if it names none, or anything else as well.

    >>> spread_named("std. err."), spread_named("95% CI"), spread_named("mean ± sd"), spread_named("with SE blocks")
    ('se', 'ci95', 'sd', None)
    """
    spreads = list(spreads_in(text.upper()))
    rest = text.upper()
    for _, wording in spreads:
        # "with SE blocks": what is left, "blocks", says that SE is part of a name (squeeze-and-excitation).
        rest = rest.replace(wording, " ")
    return spreads[0][0] if spreads and _is_beside(rest) else None


def spread_behind(text: str) -> str | None:
    """Return the kind of spread named by the words after ± in a header: "other" if they are unknown, None if there are none.

    >>> spread_behind("s.e."), spread_behind("2 std"), spread_behind("wobble"), spread_behind("")
    ('se', 'other', 'other', None)
    """
    kinds = [name for name, _ in spreads_in(text.upper())]
    return kinds[0] if kinds else OTHER if words(text) and not _is_beside(text) else None


def centre_in(name: str) -> str | None:
    """Return the centre that the header of a column or row names, if it is not a mean.

    >>> centre_in("Pong (IQM)"), centre_in("median_return"), centre_in("DQN (median of 5)"), centre_in("MedianNet")
    ('IQM', 'median', 'median', None)
    """
    whole = name.replace("_", " ").strip()
    if (at_end := AT_AN_END.search(whole)) is not None:
        return at_end[0].strip()
    for text in SEGMENTS.findall(name):
        centre = CENTRES.search(text)
        if centre is not None and ("±" in text or _is_beside(CENTRES.sub(" ", text))):
            return centre[0]
    return None


AT_AN_END = regex(rf"^(?:{CENTRES.pattern})|(?:{CENTRES.pattern})$", re.IGNORECASE)


def _is_beside(text: str) -> bool:
    return all(word.isdigit() or word in BESIDE_THEM for word in words(text))


def spread_of_all(place: str, labels: Iterable[Label]) -> str | None:
    """Return the only kind of spread that the labels of a table name, None if they name none."""
    first: dict[str, Label] = {}
    for label in labels:
        if label.centre is not None:
            raise DataError(
                f"{at(place, label.entry)}: {label.entry.text!r} says {label.centre!r}, and only means can be tested from a table; "
                "give the runs."
            )
        if label.spread is not None:
            first.setdefault(label.spread, label)
    if len(first) > 1:
        quotes = "; ".join(f"{label.entry.text!r} on line {label.entry.line}" for label in first.values())
        raise DataError(f"{place}: the labels name different kinds of ± ({quotes}); give one table for each kind.")
    kind = next(iter(first), None)
    if kind is not None and kind not in TESTED:
        why = "from which no standard error follows; give the runs"
        why = "which runoff does not know; write std, stderr or 95% CI (also 90, 99)" if kind == OTHER else why
        raise DataError(f"{at(place, first[kind].entry)}: {first[kind].entry.text!r} says what ± is, {why}.")
    return kind


def doubt_beside(beside: str, spread: str | None) -> str | None:
    """Return the wording around a table that contradicts its labels: another spread, or a centre that is not a mean.

    If the labels name no spread, both the standard deviation and the standard error are accepted.

    >>> doubt_beside("Median and IQR", None), doubt_beside("mean ± std", None), doubt_beside("mean ± std", "se")
    ('IQR', None, 'std')
    """
    fine = ("sd", "se") if spread is None else (spread.partition("_")[0],)
    # A caption may speak of another table, so that its words are never believed, but a contradiction is told.
    against = [wording for name, wording in spreads_in(beside) if name.partition("_")[0] not in fine]
    centre = CENTRES.search(beside)
    against += [centre[0]] if centre is not None else []
    return " ".join(against[0].split()) if against else None


COUNTED = regex(
    r"\b(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten|twenty)\s+(?:(?:random|independent|different|training)\s+)*"
    r"(?:seeds?|runs?|trials?|repetitions)\b|\bn\s*=\s*(?P<m>\d+)",
    re.IGNORECASE,
)
NUMERALS: Mapping[str, int] = MappingProxyType(
    {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twenty": 20}
)


EPISODES = regex(
    r"\b(?:over|across)\s+(?:the\s+)?(?:(?:last|final)\s+)?(?:\d+\s+)?(?:\w+\s+)?(?:episodes|rollouts)\b", re.IGNORECASE
)


def notes_beside(beside: str, runs: Iterable[int], spread: str | None = None) -> list[str]:
    """Return notes on the statements around a table about ±, whose kind is `spread` if known, about runs, and about episodes.

    >>> notes_beside("Over 10 seeds.", [5])
    ['The text beside the table says “10 seeds”, and n is 5: one of them is wrong, or they count different things.']
    """
    wordings = list(dict.fromkeys(" ".join(wording.split()) for _, wording in spreads_in(beside)))
    quoted = ", ".join(f"“{wording}”" for wording in wordings)
    concluded = spread is not None and all(name == spread for name, _ in spreads_in(beside))
    notes = (
        [
            f"The text beside the table says {quoted}; captions are not used; {choice('spread=', '--spread')} states what ± is."
        ]
        if wordings and not concluded
        else []
    )
    if (centre := CENTRES.search(beside)) is not None:
        what = " ".join(centre[0].split())
        notes.append(
            f"The text beside the table says “{what}”; the cells are read as means, because only means can be tested."
        )
    counts = {" ".join(match[0].split()): (match["n"] or match["m"]).casefold() for match in COUNTED.finditer(beside)}
    stated = sorted(set(runs))
    counted = ", ".join(f"“{text}”" for text in counts)
    if not counts and (episodes := EPISODES.search(beside)) is not None:
        notes.append(
            f"The text beside the table says “{' '.join(episodes[0].split())}” and counts no runs: a spread over the episodes of one "
            "training run does not show how training runs vary."
        )
    if counts and not stated:
        note = (
            f"The text beside the table says {counted}; use {option('n_runs')} if these are the runs behind each cell."
        )
        notes.append(note)
    # Captions also count evaluation episodes and seeds of other tables, so this is a note and no refusal.
    elif counts and not set(stated) <= {NUMERALS[n] if n in NUMERALS else int(n) for n in counts.values()}:
        notes.append(
            f"The text beside the table says {counted}, and n is {' or '.join(map(str, stated))}: "
            "one of them is wrong, or they count different things."
        )
    return notes


# ── labels ──────────

RUNS = regex(
    r"[(\[,;]?\s*\bn\s*=\s*(\d+)\s*[)\]]?|[(\[]\s*(\d+)\s+(?:random\s+)?(?:seeds|runs|trials)\s*[)\]]", re.IGNORECASE
)
PLUS_MINUS = regex(
    r"[(\[,]?\s*(?:\b(?:mean|avg|average|median|IQM|m|μ)\.?\s*)?(?:±|\+/-)\s*(?P<of>[^±()\[\]]*?)\s*[)\]]?$",
    re.IGNORECASE,
)
MARKS = regex(r"(?:\^?[*†‡§¶]+|\[\^\w+\])$")
ALGORITHM_HEADS = {*NAMING["algorithm"]} | vocabulary(
    "algorithms algos methods agents models approach policy policies baseline variant"
)
TASK_HEADS = {*NAMING["task"]} | vocabulary(
    "tasks environments envs games domain dataset datasets benchmark scenario map maps level suite"
)
MEANS = vocabulary("mean avg average")
SPREADS: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(vocabulary("std sd stddev stdev deviation"), "sd")
    | dict.fromkeys(vocabulary("se sem stderr"), "se")
    | dict.fromkeys(vocabulary("ci"), "ci95")
)
"""Word in the header of a column of spreads -> the kind of spread."""


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a row or column, and the other information in its header.

    `lower` is whether an arrow shows that lower is better (None without an arrow), `n` the number of runs. A header that names a statistic
    has a `stem` and a `statistic`: "PPO_std" has "PPO" and "sd", "PPO_mean" has "PPO" and "mean". `spread` is the kind of spread that the
    header gives for ± ("sd" in "PPO (mean ± std)"), and `centre` the centre that it names, if it is not a mean. `above` is the heading over
    its row.
    """

    name: str
    entry: PrintedEntry
    lower: bool | None = None
    n: int | None = None
    stem: str = ""
    statistic: str | None = None
    spread: str | None = None
    centre: str | None = None
    above: str = ""


ARROWS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        arrow: regex(
            rf"{signs}|\b(?:{of})(?:\s+values?)?\s*(?:is|are|=|being|means?|indicates?)?\s*(?:the\s+)?better\b",
            re.IGNORECASE,
        )
        for arrow, signs, of in (
            ("↓", "[⬇⇓⤓]\ufe0f?", "lower|smaller|less|fewer"),
            ("↑", "[⬆⇑⤒]\ufe0f?", "higher|larger|greater|more"),
        )
    }
)
"""Arrow -> other forms of the same arrow."""


def lower_beside(text: str) -> str | None:
    """Return the wording of a caption that says that lower is better, or names a cost; None if there is none.

    >>> lower_beside("Cumulative regret (mean ± SD), 5 seeds."), lower_beside("Lower is better."), lower_beside("Mean ± standard error")
    ('Cumulative regret', 'Lower is better', None)
    """
    if (match := ARROWS["↓"].search(text) or re.search(r"↓|\\downarrow\b", text)) is not None:
        return " ".join(match[0].split()).replace("\\downarrow", "↓")
    return cost_in(text)


def label_of(text: str, entry: PrintedEntry) -> Label:
    """Return the label for a header; `entry` is its place.

    >>> from runoff.reading.printed.cells import PrintedEntry
    >>> label = label_of("FID ↓ (n = 5)", PrintedEntry(text="", line=1, column=1))
    >>> label.name, label.lower, label.n
    ('FID', True, 5)
    """
    for arrow, pattern in ARROWS.items():
        text = pattern.sub(arrow, text)
    # Both arrows, or none, say nothing.
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
    """Return the label of a row or column of cells mean ± spread, in which "Easy (std)" names Easy and the kind of ±.

    >>> from runoff.reading.printed.cells import PrintedEntry
    >>> label = with_own_spread(label_of("Easy (s.e.)", PrintedEntry(text="", line=1, column=1)))
    >>> label.name, label.spread
    ('Easy', 'se')
    """
    # "Easy std" names a statistic even without brackets; "ResNet-SE" does not, so that short words need them.
    unmistakable = BRACKETED.search(label.name) or UNMISTAKABLE.intersection(words(label.name))
    if label.statistic in (None, "mean") or not label.stem or not unmistakable:
        return label
    return replace(label, name=label.stem.strip(" ,;"), stem="", statistic=None, spread=label.statistic)


BRACKETED = regex(r"^(?P<stem>.*?)\s*[(\[](?P<inside>[^()\[\]]*)[)\]]$")
UNMISTAKABLE = vocabulary("std stddev stdev sem stderr")
"""Words that are never part of the name of an algorithm or task."""
_STANDARD = regex(r"\b(?:standard|std)", re.IGNORECASE)


def split_statistic(name: str) -> tuple[str, str | None]:
    """Return a name without the statistic at its start or end, and the statistic; the whole name and None if there is none.

    >>> split_statistic("PPO_std"), split_statistic("Hopper (mean)"), split_statistic("std_reward"), split_statistic("SAC")
    (('PPO', 'sd'), ('Hopper', 'mean'), ('reward', 'sd'), ('SAC', None))
    """
    # Brackets first: "Hopper (std. err.)" has two words for one statistic.
    if (own := BRACKETED.match(name)) is not None and (named := spread_named(own["inside"])) is not None:
        return own["stem"].rstrip(" _./:-"), named
    shorter = re.sub(r"confidence interval", "ci", name, flags=re.IGNORECASE)
    folded = re.sub(r"95\s*%?\s*|\bstandard\b|\bstd\.?\s*(?=err|dev)", "", shorter, flags=re.IGNORECASE)
    first = re.fullmatch(r"([A-Za-z]+)[\s_.-]+(\w[\w\s.-]*)", folded.strip())
    if first is not None and (first[1].casefold() in MEANS or first[1].casefold() in SPREADS):
        return first[2], "mean" if first[1].casefold() in MEANS else SPREADS[first[1].casefold()]
    match = re.fullmatch(r"(.*?)[\s_./:-]*[(\[]?\s*([A-Za-z]+)\.?\s*[)\]]?", folded.strip())
    if match is None:
        return name, None
    # "std error" is the standard error; "TD error" alone is a metric.
    last = "se" if match[2].casefold() in ("error", "err") and _STANDARD.search(name) else match[2].casefold()
    statistic = "mean" if last in MEANS else SPREADS.get(last)
    return (name, None) if statistic is None else (match[1], statistic)


def subject(text: str) -> str | None:
    """Return the role of a column of labels by its header: "algorithms", "tasks", or None if it names neither or both."""
    parts = set(words(text))
    about = (bool(parts & ALGORITHM_HEADS), bool(parts & TASK_HEADS))
    return {(True, False): "algorithms", (False, True): "tasks"}.get(about)
