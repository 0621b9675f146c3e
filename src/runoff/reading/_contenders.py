"""Columns of a wide table that are not algorithms, or tasks: left out by their names, or asked about by their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.errors import DataError, warn
from runoff.reading._known import (
    is_algorithm,
    is_algorithm_itself,
    is_contender,
    is_environment_id,
    is_task,
    meaning_of,
    named_run,
)
from runoff.reading.formats import NotRuns
from runoff.reading.formats.sheets import SPREAD
from runoff.tables.columns import UNUSED, an, listed, summed_up
from runoff.tables.factors import Factors, in_blocks
from runoff.tables.labels import Values, labelled
from runoff.tables.missing import stands_beside
from runoff.tables.numerals import AS_SHARES
from runoff.tables.source import SourceTable
from runoff.tables.summaries import IS_SUM, NO_LEVEL, sums_up
from runoff.tables.tidy import PERCENT
from runoff.tables.unnamed import CIRCUMSTANCES, cells_of, changes_within, counts_rows
from runoff.tables.values import floats, is_empty, outcomes, parsed
from runoff.words.columns import QUALITIES, names_attempts, names_runs
from runoff.words.costs import direction
from runoff.words.labels import has_setting, is_ablation, is_summary, is_width, may_measure, measures_others
from runoff.words.measured import measures_of
from runoff.words.patterns import regex
from runoff.words.speech import BLANK, choice, claims_of, column, in_shell, option
from runoff.words.words import kind, measured, names_reference, vocabulary, words

GREEK = vocabulary("alpha beta gamma delta epsilon lambda tau \u03b4 sigma omega")
"""Single letters, which may name settings, differences or methods."""
COMPARED = regex(r"\s*[-\u2212\u2013/:]\s*|\s+(?:vs\.?|versus|minus|over)\s+", re.IGNORECASE)
"""The words between two names that a header compares."""
AXIS = "rises or falls from row to row, unlike scores"
"""The doubt about a first column that may say under what condition each row was measured."""
VARIED = vocabulary("agents k noise demos drones robots players shots levels difficulty horizon")
"""Words of what is varied from row to row, and is called like no method."""
OUTSIDE = 1000.0
"""The factor by which all numbers of a column lie above or below those of the others if it is probably no score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoContenders:
    """The headers of a wide table that are not algorithms or tasks by their names, those that measure algorithms, and the doubtful ones,
    each with the reason to ask."""

    by_name: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    doubts: Mapping[str, str]


ROWS = 10_000
"""The largest number of rows whose values are compared."""


def no_contenders(
    table: SourceTable, heads: Sequence[str], kept: Mapping[str, str], keys: tuple[str, ...] | None
) -> NoContenders:
    """Return the headers that are not algorithms or tasks; none if too few would remain to be compared.

    keys: the user's statement of what headers are, which removes doubts.
    """
    plain = [head for head in heads if not (names_reference(head) or is_summary(head))]
    # Texts that are beside no label may be the labels of the rows.
    labels = not {"task", "algorithm"} & kept.keys()
    numeric = [name for name in plain if not (labels and floats(table.columns[name]) is None)]
    by_name = [
        name
        for name in numeric
        if _compares(name, heads) == "in words"
        or (not _is_named(name) and (_by_name(table, name) or _is_chosen(table, name)))
        or (not keys and "algorithm" in kept and _is_fixed(table, name, kept))
    ]
    # `n` and `p` beside `a`, `b` … are methods as these are.
    if any(len(head) == 1 and head not in by_name for head in plain):
        by_name = [name for name in by_name if len(name) > 1]
    rest = [head for head in plain if head not in by_name]
    if len(rest) < 2 and not any(map(_is_named, rest)):
        return NoContenders(doubts={})
    summaries = [head for head in heads if is_summary(head)] if len(rest) > 1 else []
    role = keys[0] if keys else "task" if "algorithm" in kept or meaning_of(rest) == "task" else "algorithm"
    # A mean of tasks is none of them whatever it was weighted by; `Max` may be a method.
    methods = [
        head for head in summaries if role == "algorithm" and not is_width(head) and not _is_level(table, head, rest)
    ]
    by_name += [head for head in summaries if head not in methods]
    references = tuple(head for head in heads if names_reference(head) and not _has_runs(table, head, kept))
    references = references if len(rest) > 1 else ()
    if keys:
        return NoContenders(by_name=tuple(by_name), doubts={})
    # Parsed once, and as many rows as tell: each column is held against all others.
    numbers = {name: own if (own := floats(table.columns[name])) is None else own[:ROWS] for name in rest}
    doubts = {
        name: f"is named like a measure of {own!r}"
        for name, (own, measure) in measures_of(rest).items()
        if kind(measure) is None
    }
    doubts |= {name: why for name in rest if (why := _doubt(table, name, numbers, kept))}
    doubts = doubts if len(doubts) < len(rest) else {}
    doubts |= dict.fromkeys(methods, NO_LEVEL)
    return NoContenders(by_name=tuple(by_name), references=references, doubts=doubts)


def _has_runs(table: SourceTable, head: str, kept: Mapping[str, str]) -> bool:
    """Return whether a column has several scores on one task, in rows that are runs: Random is an algorithm then."""
    tasks = labelled(table.columns[kept["task"]]).codes if "task" in kept else np.zeros(table.n_rows, dtype=int)
    own = labelled([*map(str, table.columns[head])])
    return "random" in words(head) and "run" in kept and "algorithm" not in kept and changes_within(own, tasks)


def _is_level(table: SourceTable, head: str, others: Sequence[str]) -> bool:
    """Return whether a column is a summary of others in every row."""
    own, *columns = (floats(outcomes(table.columns[name]), gaps=True) for name in (head, *others))
    rows = np.array([values for values in columns if values is not None]).T
    if own is None or not rows.size:
        return False
    some = np.isfinite(own) & np.isfinite(rows).any(axis=1)
    return bool(some.any()) and sums_up(own[some], rows[some])


def _is_named(head: str) -> bool:
    return is_ablation(head) or is_algorithm(head) or is_contender(head) or is_task(head) or is_environment_id(head)


def _by_name(table: SourceTable, name: str) -> bool:
    """Return whether a column is neither an algorithm nor a task by its name: `gpu_hours`, `Average rank`, `# runs`, `p-value`, `Human Gap`."""
    if name in ("", BLANK):
        return False  # what does not count the rows is asked about
    # Circumstances are texts; a column `State` of numbers may be scores of a method that sees states.
    return measures_others(name, CIRCUMSTANCES if floats(table.columns[name]) is None else frozenset())


def is_beside(table: SourceTable, name: str, kept: Mapping[str, str]) -> bool:
    """Return whether a column stands beside the scores of a wide table: steps, times, attempts, remarks."""
    return stands_beside(name, table.columns[name]) or names_attempts(name) or _holds_remarks(table, name, kept)


def _holds_remarks(table: SourceTable, name: str, kept: Mapping[str, str]) -> bool:
    """Return whether a column holds remarks on rows that labels name: texts, and empty cells."""
    named = bool({"algorithm", "task"} & kept.keys()) and not CIRCUMSTANCES.isdisjoint(words(name))
    return named and floats(table.columns[name]) is None and any(map(is_empty, table.columns[name]))


def _compares(name: str, heads: Sequence[str]) -> str:
    """Return how the name of a header compares two others: "in words" (`SAC - PPO`, `SAC vs PPO`), "by a mark" (`SAC/PPO`), or "" (not)."""
    if is_algorithm_itself(name):  # TD3-BC beside TD3 and BC
        return ""
    for sign in COMPARED.finditer(name):
        others = {own.casefold() for head in heads if head != name for own in (head, *(named_run(head) or ())[:1])}
        sides = {name[: sign.start()].casefold(), name[sign.end() :].casefold()}
        # `Improvement over PPO`, `Gain vs SAC`.
        measured_by = bool(sides & others) and all(
            side in ("delta", "\u03b4") or measures_others(side) for side in sides - others
        )
        if len(sides) == 2 and (sides <= others or (" " in sign.group() and measured_by)):
            return "in words" if " " in sign.group() else "by a mark"
    return ""


def _is_chosen(table: SourceTable, name: str) -> bool:
    """Return whether a column is named like a setting and its rows share few values, `batch_size`, or like a count: `n_demos`, `n_eval`."""
    own = floats(table.columns[name]) if re.fullmatch(r"n_[a-z]+", name) else None
    counts = own is not None and not (own % 1).any() and VARIED.isdisjoint(words(name))
    return counts or ((has_setting(name) or own is not None) and _are_few(table, name))


def _is_fixed(table: SourceTable, name: str, kept: Mapping[str, str]) -> bool:
    """Return whether a column before the last of the labels has one number in all rows, as a setting does; all may solve a task, or none."""
    names = list(table.columns)
    if names.index(name) > max((names.index(label) for label in kept.values() if label in names), default=0):
        return False
    own = {*map(str, table.columns[name])}
    value = parsed(own.pop()) if len(own) == 1 < table.n_rows else None
    return value is not None and value not in (0.0, 1.0, 100.0) and not _is_named(name)


def _are_few(table: SourceTable, name: str) -> bool:
    return 2 * len({*map(str, table.columns[name])}) <= table.n_rows


def _doubt(table: SourceTable, name: str, numbers: Mapping[str, Floats | None], kept: Mapping[str, str]) -> str:
    """Return the reason why a column may not be an algorithm or task although its name could be one; "" if it looks like one.

    numbers: the values of all possible columns, None for texts.
    """
    if _compares(name, [*numbers]):
        return "is named like a comparison of two other columns"
    sides = [side.strip() for side in name.split("+")]
    if len(sides) > 1 and {*sides} <= {*numbers} - {name} and _is_level(table, name, sides):
        return IS_SUM
    if _is_named(name):
        return ""
    own = numbers[name]
    measures = own is not None and may_measure(name)
    if kind(name) == "metric" or measures or has_setting(name) or (words(name) and {*words(name)} <= GREEK):
        return "is named like a setting or a metric"
    rows = np.array([other for head, other in numbers.items() if head != name and other is not None])
    if own is None or not rows.size or not np.isfinite([own, *rows]).all():
        return ""
    first = name == next(iter(numbers)) and "task" not in kept
    varied = bool(VARIED.intersection(words(name))) and _is_sorted(own)
    if name in ("", BLANK) or (first and (varied or _is_axis(own, rows))):
        return AXIS
    # In three rows of whole numbers one is a mean of two others by chance.
    if np.unique(own).size > 3 and len(rows) > 1 and sums_up(own, rows.T, ("mean", "sum"), rounded=False):
        return "is the mean or the sum of the other columns in every row"
    # Tasks have scales of their own, and some are solved by all.
    if "algorithm" in kept:
        return "has one number for each algorithm" if _describes(table, name, kept["algorithm"]) else ""
    # Among counts of successes any may be one of few; labels come in turn, or lie together.
    counted = bool((rows % 1 == 0).all()) and rows.min() <= own.min() and own.max() <= rows.max()
    binary = bool(np.isin([own, *rows], (0.0, 1.0)).all())
    alone = not any(map(_in_turn if _in_turn(own) else _repeats, rows))
    if _repeats(own) and alone and not binary and (not counted or _in_turn(own)):
        return "repeats a few whole numbers, unlike the other columns"
    if _lies_outside(np.abs(own), np.abs(rows)):
        return f"differs from all others by a factor of {OUTSIDE:.0f} or more"
    return ""


def _describes(table: SourceTable, name: str, algorithm: str) -> bool:
    """Return whether a column has one number in all rows of an algorithm, and others in those of another, as the size of a model has."""
    own, names = labelled(table.columns[name]), labelled(table.columns[algorithm])
    repeated = np.bincount(names.codes).min() > 1
    return bool(len(own.names) > 1 and repeated and not changes_within(own, names.codes))


def _is_axis(own: Floats, others: Floats) -> bool:
    """Return whether a first column may say under what condition each row was measured: `agents` 2, 4, 8 beside algorithms.

    Scores rise in four rows by chance, seldom; numbers that were chosen have fewer digits than those that were measured.
    """
    rises = np.diff(own)
    levels = np.unique(own).size
    alike = any((np.diff(line) >= 0).all() for line in others)
    coarser = _digits(own) < min(map(_digits, others)) or bool(
        (own % 1 == 0).all() and (others % 1 != 0).any(axis=1).all()
    )
    if levels == own.size > 2:
        return (coarser and _is_sorted(own)) or (bool((rises > 0).all()) and own.size > 3 and not alike)
    return coarser and levels > 2 and bool((rises >= 0).all() or (rises <= 0).all())


def _is_sorted(values: Floats) -> bool:
    """Return whether no two of three numbers or more are equal, and they rise or fall."""
    steps = np.diff(values)
    return values.size > 2 and bool((steps > 0).all() or (steps < 0).all())


def _digits(values: Floats) -> int:
    """Return the largest number of significant digits."""
    return max(len(f"{abs(value):.15g}".split("e")[0].replace(".", "").strip("0")) for value in values.tolist())


def _repeats(values: Floats) -> bool:
    """Return whether values repeat a few whole numbers, as settings and labels do; a method may score 0 everywhere."""
    few = np.unique(values)
    return bool((few % 1 == 0).all() and few.any()) and few.size <= values.size / 2


def _in_turn(values: Floats) -> bool:
    few, codes = np.unique(values, return_inverse=True)
    return few.size > 1 and _repeats(values) and in_blocks(codes)


def _lies_outside(own: Floats, others: Floats) -> bool:
    # What is 0 everywhere lies beyond nothing.
    above = own.min() >= OUTSIDE * others.max() > 0
    return bool(above or 0 < OUTSIDE * own.max() <= others.min())


def headed_tasks(table: SourceTable, names: Iterable[str]) -> list[str]:
    """Return the columns of numbers that are headed by known tasks; none where it is one."""
    tasks = [name for name in names if is_task(name) and floats(table.columns[name]) is not None]
    return tasks if len(tasks) > 1 else []


def refuse_doubts(table: SourceTable, doubts: Mapping[str, str], heads: Sequence[str], kept: Mapping[str, str]) -> None:
    """Refuse columns that may or may not be algorithms, or tasks, like the others, with all repairs."""
    if not doubts:
        return
    role = "task" if "algorithm" in kept else "algorithm"
    others = [head for head in heads if head not in doubts]
    first, why = next(iter(doubts.items()))
    stand = f"columns {listed(list(doubts))} stand" if len(doubts) > 1 else f"column {first!r} stands"
    joined = "/".join([kept["task"], first] if "task" in kept else [first])
    label = role == "algorithm" and (_are_few(table, first) or why == AXIS)
    ways = [
        f"{column(UNUSED, ','.join(doubts))} if no {role} is scored there",
        *([f"{column('task', joined)} if {first!r} tells tasks apart"] if label else []),
    ]
    # What rises says what was varied, and rows that differ in it are no repeats.
    likely = ", ".join(reversed(ways) if why == AXIS else ways)
    raise DataError(
        f"{table.place}: {stand} beside the {role}s {listed(others[:3])}, and {first!r} {why}; use {likely}, or {option('keys', role)} if every "
        f"column is {an(role)}."
    )


def refuse_parted(table: SourceTable, beside: Sequence[str], kept: Mapping[str, str]) -> None:
    """Refuse to pool rows of a cell that another column splits into groups: ten runs of two batch sizes are not ten repeats."""
    if "run" not in kept or not beside:
        return
    none = labelled([""] * table.n_rows)
    labels = table.labels(kept)
    cells = cells_of(labels.get("algorithm", none), labels.get("task", none))
    runs: Ints = cells * len(labels["run"].names) + labels["run"].codes
    rows = np.arange(table.n_rows)
    # A column of the names of others (`winner`) follows from the scores.
    free = [name for name in beside if not {*map(str, table.columns[name])} <= {*table.columns}]
    factors = Factors(
        table=table, mapping=kept, rows=rows, cells=cells, runs=runs, free=free, n_labels=len(labels["run"].names)
    )
    name = next(factors.open_columns(), None)
    if name is None:
        return
    values = list(dict.fromkeys(map(str, table.columns[name])))
    role = "task" if "algorithm" not in kept else "algorithm"
    joined = f"{kept[role]}/{name}" if role in kept else name
    raise DataError(
        f"{table.place}: column {name!r} divides the rows into groups ({', '.join(values[:3])}), which cannot be pooled as runs; use "
        f"{column(role, joined)} if it tells {role}s apart, or {column(UNUSED, name)} if all are runs of one thing."
    )


OPPONENTS = vocabulary("vs versus against")


def are_unknown_tasks(table: SourceTable, heads: Sequence[str], kept: Mapping[str, str]) -> bool:
    """Return whether the headers beside algorithms and runs are tasks, of each of which they name the same score: `win_rate_vs_random`.

    Names alone, `jitter` and `smoothness`, may be what was measured.
    """
    if "algorithm" not in kept or "task" in kept:
        return False
    # Without a name each row of an algorithm is a run of its own.
    if "run" not in kept and not (table.titled and _are_repeated(table.columns[kept["algorithm"]])):
        return False
    if any(note.startswith(AS_SHARES) for note in table.notes):
        return True  # of attempts that succeeded, which no other measure is
    own = [{*words(head)} for head in heads]
    common = set[str]().union(*own).intersection(*own)
    rests = [some - common for some in own]
    plain = [kind(head) == "stage" or not measured(rest) for head, rest in zip(heads, rests, strict=True)]  # `SplitS`
    unknown = all(plain) and all(rest and QUALITIES.isdisjoint(rest) for rest in rests)
    # Of `win_rate_vs_random` the score was taken off before, and opponents are left.
    # Percentages under names of one family, `libero_spatial` and `libero_goal`, are one measure as well.
    same = (
        bool(table.titled or table.less)
        or not OPPONENTS.isdisjoint(common)
        or (bool(common) and PERCENT in table.notes)
    )
    of_costs = any(map(direction, [*heads, *(" ".join(rest) for rest in rests)]))
    return same and unknown and summed_up(heads) is None and not of_costs


def _are_repeated(names: Values) -> bool:
    own = labelled(names)
    return len(own.names) < len(own)


def warn_of_others(place: str, heads: Sequence[str], beside: Sequence[str], kept: Mapping[str, str]) -> None:
    """Warn of columns that are left out because they sum up, or are reference scores, and of seeds whose word means weeks as well."""
    if meaning_of(heads) == "run":
        if all(head.casefold().startswith("sem.") for head in heads):
            warn(
                f"{place}: columns {listed(heads, 3)} are taken as runs, by their seeds (semilla, semente); if they are weeks (semana, "
                "semaine), call them so"
            )
        return
    if summing := [name for name in beside if is_summary(name)]:
        warn(
            f"{place}: left out: columns {listed(summing)}, which summarise the other columns; rename a column that is not a summary"
        )
    if references := [name for name in beside if names_reference(name)]:
        role = "task" if "algorithm" in kept else "algorithm"
        warn(
            f"{place}: left out: columns {listed(references)}, which are reference scores; use {option('keys', role)} if every "
            f"column is {an(role)}"
        )


IN_COMMAS = regex(r"\s*-?\d{1,3}(?:,\d{3})+\s*")
"""A number whose comma separates thousands, or decimals."""


def refuse_spreads(table: SourceTable, heads: Sequence[str]) -> None:
    """Refuse a table of a paper, whose cells have means and spreads."""
    texts = (table.columns[name] for name in heads if floats(table.columns[name], gaps=True) is None)
    if any(SPREAD.search(str(value)) for values in texts for value in values):
        raise NotRuns(
            f"{table.place}: the cells have means and spreads, not runs; judge what such a table claims with {claims_of(table.place)}, or give "
            "the score of every run."
        )


def refuse_texts(table: SourceTable, text: Sequence[str], *, alone: bool) -> None:
    """Refuse columns of texts beside heads, unless they are one column of labels; alone: there is no column of numbers."""
    commas = next((name for name in text if all(map(IN_COMMAS.fullmatch, map(str, table.columns[name])))), None)
    if commas is not None:
        raise DataError(
            f"{table.place}: column {commas!r} holds numbers such as {str(table.columns[commas][0])!r}, whose comma may separate thousands or "
            f"decimals; use {option('decimal', 'point')} if it separates thousands, {option('decimal', 'comma')} if it separates decimals."
        )
    labels = [name for name in text if CIRCUMSTANCES.isdisjoint(words(name))]
    if headless := [name for name in text if name in map(str, table.columns[name])]:
        raise NotRuns(
            f"{table.place}: {listed(headless)} of the first line stand below it too, so the header line is missing: write one above, such as "
            "'algorithm,task,run,score'."
        )
    runs = any(names_runs(name) or counts_rows(table.columns, name) for name in table.columns)
    if len(labels) == 2 and not alone and runs:
        both = [{"algorithm": first, "task": second} for first, second in (labels, labels[::-1])]
        ways = [
            choice(f"columns={roles!r}", " ".join(in_shell(column(*pair)) for pair in roles.items())) for roles in both
        ]
        raise NotRuns(
            f"{table.place}: columns {listed(labels)} hold names, and nothing says which are the algorithms; use {', or '.join(ways)}."
        )
    if len(text) > 1 or alone:
        raise NotRuns(
            f"{table.place}: no column is recognised as the algorithm or the score (is the header line missing?), and column {text[0]!r} "
            "holds no numbers, so this is not a table with one column per algorithm either; name the columns with "
            f"{column('algorithm')} and {column('score')}."
        )
