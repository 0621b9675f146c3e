"""Conversion of rows of entries to measured cells, each with the labels of its row and its column.

A table is a matrix (algorithms along one side, tasks along the other) or tidy (each row names the algorithm and the task of one cell).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from runoff.errors import DataError
from runoff.reading.printed.cells import (
    Grid,
    PrintedEntry,
    at,
    bare,
    is_missing,
    is_number,
    is_pair,
    is_section,
    is_spread,
    may_be_number,
    rectangle,
)
from runoff.reading.printed.heads import Label, label_of, subject, with_own_spread
from runoff.words.labels import counts_runs
from runoff.words.patterns import regex
from runoff.words.speech import call
from runoff.words.words import vocabulary, words

SIGN = regex(r"^(?:±|\+/-)\s?")
PLUS_MINUS_ALONE = regex(r"(?:±|\+/?-)")
EPISODES = vocabulary("n num number of eval evaluation evaluations test episodes episode rollouts count")
"""The words of a column that counts episodes."""
RUNS, OTHER_SPREADS = vocabulary("seed run trial repetition"), vocabulary("var variance iqr median range mad min max")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPlace:
    """One measured cell: its labels, the entry of its mean, and those of its spread and its number of runs if these have columns of their
    own."""

    row: Label
    column: Label
    entry: PrintedEntry
    spread: PrintedEntry | None = None
    n: PrintedEntry | None = None


@dataclass(slots=True, kw_only=True)
class Layout:
    """A table as its labels and its cells.

    `rows` and `columns` are the labels of both sides; in a tidy table, whose rows are one cell each, those of algorithms and of tasks.
    `corner` contains the headers above the labels of rows. `repeated` is the label of a row whose name another row also has, under another
    heading or with another label. `heads` are labels that belong to no cell but may describe the numbers; of these, `over` are above all
    numbers, and `corners` above the labels of rows.
    """

    rows: list[Label]
    columns: list[Label]
    corner: list[str]
    places: list[MeasuredPlace]
    tidy: bool = False
    repeated: Label | None = None
    heads: list[Label] = field(default_factory=list)
    over: list[Label] = field(default_factory=list)
    corners: list[Label] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def layout_of(grid: Grid) -> Layout:
    """Return the labels and the cells of a grid."""
    heads, body = _heads_and_body(grid)
    headings = list(filter(is_section, body))
    sections, body = _sections(body)
    if not body:
        raise DataError(f"{grid.place}: there is a header but no row of numbers below it.")
    n_labels = _n_labels(body)
    columns = [
        with_own_spread(label) if any(is_pair(row[j]) for row in body) else label
        for j, label in enumerate(_columns(grid.place, heads, n_labels), n_labels)
    ]
    # Texts that belong to no row or column of numbers may say what ± is: upper heads, corners and headings.
    unassigned = chain(*heads[:-1], heads[-1][:n_labels], *headings)
    beside = [with_own_spread(label_of(entry.text, entry)) for entry in unassigned if entry.text]
    labels, repeated = _row_names(grid.place, sections, body, n_labels)
    both = zip(labels, body, strict=True)
    names = [with_own_spread(label) if any(map(is_pair, row[n_labels:])) else label for label, row in both]
    named = "; ".join(dict.fromkeys(filter(None, sections)))
    whole = _Body(
        place=grid.place,
        names=names,
        repeated=repeated,
        columns=columns,
        corner=[" / ".join(dict.fromkeys(head[j].text for head in heads if head[j].text)) for j in range(n_labels)],
        rows=[row[n_labels:] for row in body],
        labels=[row[:n_labels] for row in body],
        notes=[*grid.notes, *([f"Rows without any number were read as headings: {named}."] if named else [])],
    )
    # one column names the algorithm of each row, another its task
    is_tidy = {"algorithms", "tasks"} <= {subject(text) for text in whole.corner}
    layout = whole.tidy() if is_tidy else whole.matrix()
    layout.heads += beside
    spans = [row[n_labels] for row in heads[:-1] if len({entry.text for entry in row[n_labels:]}) == 1]
    layout.over += [label_of(entry.text, entry) for entry in spans]
    layout.corners += [label_of(entry.text, entry) for row in heads for entry in row[:n_labels] if entry.text]
    return layout


def _heads_and_body(grid: Grid) -> tuple[list[list[PrintedEntry]], list[list[PrintedEntry]]]:
    """Return the rows of the header and those below it, joining each mean with its spread, even if that has a column or row of its own."""
    rows = rectangle(grid)
    # Without a rule below it the head ends where numbers begin; a head such as 100k is a number too, so that the
    # first row never counts.
    n_heads = grid.n_heads or next((i for i, row in enumerate(rows) if i and any(map(is_number, row[1:]))), None)
    if n_heads is None:
        raise DataError(f"{grid.place}: there is no row of numbers below a header.")
    # where a rule stands below each row, that below the first of two heads does not end them
    while (
        n_heads + 1 < len(rows)
        and rows[n_heads][0].text in ("", rows[0][0].text)
        and not any(map(may_be_number, rows[n_heads]))
    ):
        n_heads += 1
    # pages of a long table repeat its head
    texts = [[entry.text for entry in row] for row in rows]
    rows = [row for i, row in enumerate(rows) if i < n_heads or texts[i] not in texts[:n_heads]]
    rows = _one_column(rows, n_heads)
    return rows[:n_heads], _one_row(grid.place, rows[n_heads:])


def _one_column(rows: list[list[PrintedEntry]], n_heads: int) -> list[list[PrintedEntry]]:
    """Return the rows with each column of bare spreads (± 0.3) joined to the column of means before it, if both share a header."""
    # From the right, since a column that is joined to its neighbour vanishes.
    for j in range(len(rows[0]) - 1, 0, -1):
        texts = [bare(row[j]) for row in rows[n_heads:] if not is_missing(row[j])]
        if texts and j + 1 < len(rows[0]) and set(texts) <= {"±", "+/-"}:  # the sign has a column of its own
            rows = [
                [*row[:j], _joined(row[j], row[j + 1]) if i >= n_heads else row[j], *row[j + 2 :]]
                for i, row in enumerate(rows)
            ]
        same = all(row[j].text in ("", "±", row[j - 1].text) for row in rows[:n_heads])
        if same and texts and all(PLUS_MINUS_ALONE.match(text) for text in texts):
            merged = [_joined(row[j - 1], row[j]) for row in rows[n_heads:]]
            left = [row[j - 1] for row in rows[:n_heads]] + merged
            rows = [[*row[: j - 1], entry, *row[j + 1 :]] for row, entry in zip(rows, left, strict=True)]
    return rows


def _joined(mean: PrintedEntry, spread: PrintedEntry) -> PrintedEntry:
    """Return the entry of a mean joined with that of its spread, which may be missing."""
    return mean if is_missing(spread) else replace(mean, text=f"{mean.text} {spread.text}")


def _one_row(place: str, body: list[list[PrintedEntry]]) -> list[list[PrintedEntry]]:
    """Return the rows with each row of spreads only, (3), ± 3 or [2, 4], joined to the row of means above it."""
    kept: list[list[PrintedEntry]] = []
    for row in body:
        above = kept[-1] if kept else []
        pairs = [(j, entry, mean) for j, (entry, mean) in enumerate(zip(row, above, strict=False)) if j]
        own = [j for j, entry, mean in pairs if not is_missing(entry) and entry.text != mean.text]
        # Journals print the ± of a row below it: (0.3) under 12.1, with no label of its own.
        if own and row[0].text in ("", above[0].text) and all(is_spread(row[j]) for j in own):
            if bare_spread := next((row[j] for j in own if is_missing(above[j])), None):
                raise DataError(
                    f"{at(place, bare_spread)}: {bare_spread.text!r} is a spread without a mean above it; correct the rows."
                )
            kept[-1] = [_joined(mean, row[j]) if j in own else mean for j, mean in enumerate(above)]
        else:
            kept.append(row)
    return kept


def _sections(body: Sequence[list[PrintedEntry]]) -> tuple[list[str], list[list[PrintedEntry]]]:
    heading, sections, kept = "", [], []
    for row in body:
        if is_section(row):
            heading = row[0].text
        else:
            sections.append(heading)
            kept.append(row)
    return sections, kept


def _n_labels(body: Sequence[Sequence[PrintedEntry]]) -> int:
    """Return the number of label columns at the left: the first one, and those after it in which nothing looks like a number."""
    # The last column is never one of labels: a table has numbers.
    columns = [list(column) for column in zip(*body, strict=True)][1:-1]
    numbers = (
        i for i, column in enumerate(columns, 1) if any(map(may_be_number, column)) or all(map(is_missing, column))
    )
    return next(numbers, max(len(body[0]) - 1, 1))


def _columns(place: str, heads: Sequence[Sequence[PrintedEntry]], n_labels: int) -> list[Label]:
    """Return the labels of the columns of numbers: each lowest header, preceded by the headers above it if these differ between columns."""
    low, width = heads[-1], len(heads[-1])
    lowest = {j: label_of(low[j].text, low[j]) for j in range(n_labels, width)}
    repeats = Counter(label.name for label in lowest.values())
    uppers = [
        [head[j].text for head in heads[:-1] if head[j].text and head[j].text != low[j].text] for j in range(width)
    ]
    grouped = len({tuple(upper) for upper in uppers[n_labels:]}) > 1
    columns = []
    for j, own in lowest.items():
        label = _column(own, uppers[j], grouped)
        if not label.name:
            raise DataError(f"{at(place, low[j])}: this column of numbers has no header.")
        # 100k | 500k under both PPO and SAC: algorithm, task and budget are three labels for a number.
        if label.statistic is None and low[j].text and uppers[j] and repeats[own.name] > 1:
            raise DataError(
                f"{at(place, low[j])}: the header {low[j].text!r} stands in several columns, below {uppers[j][-1]!r} and others, so that a "
                "number has three labels; give one table for each upper header."
            )
        columns.append(label)
    return columns


def _column(label: Label, upper: Sequence[str], grouped: bool) -> Label:
    """Return the label of one column; a lowest header that is only a statistic ("mean" below "PPO") takes its name from the header above."""
    if not upper:
        return label
    low, above = label.entry, label_of(upper[-1], label.entry)
    if label.statistic is not None and not label.stem:
        return replace(above, stem=above.name, statistic=label.statistic)
    if not low.text:
        return above
    return label_of(" / ".join([*upper, low.text]), low) if grouped else label


def _row_names(
    place: str, sections: Sequence[str], body: Sequence[list[PrintedEntry]], n_labels: int
) -> tuple[list[Label], Label | None]:
    """Return the label of each row, and the label of a row whose name another row also has, if there is one.

    A label joins the texts of its row; a blank text repeats the one above it, and the heading is put before labels that would be equal.
    """
    above = [""] * n_labels
    names = []
    for row in body:
        texts = [entry.text for entry in row[:n_labels]]
        if texts[-1]:  # a blank last text is no repetition: the row has no name of its own
            # \multirow and merged cells print a label once for several rows.
            texts = [text or above[j] for j, text in enumerate(texts)]
        if not any(texts):
            raise DataError(
                f"{at(place, row[0])}: this row of numbers has no label; if it has the spreads of the row above, write ± before them."
            )
        above = texts
        names.append(label_of(" / ".join(dict.fromkeys(filter(None, texts))), row[0]))
    repeated = {name for name, n in Counter(label.name for label in names).items() if n > 1}
    labels = [replace(label, above=section) for label, section in zip(names, sections, strict=True)]
    labels = [
        replace(label, name=f"{label_of(label.above, label.entry).name} / {label.name}")
        if label.name in repeated and label.above
        else label
        for label in labels
    ]
    own = [row[n_labels - 1].text for row in body]
    return labels, next((label for label, name in zip(labels, own, strict=True) if own.count(name) > 1), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Body:
    """The table below its header, before means are matched with spreads: `labels` are the entries of each row's labels, `rows` its numbers."""

    place: str
    names: list[Label]
    repeated: Label | None
    columns: list[Label]
    corner: list[str]
    labels: list[list[PrintedEntry]]
    rows: list[list[PrintedEntry]]
    notes: list[str]

    def tidy(self) -> Layout:
        """Return the layout of a table with one cell per row."""
        if len(self.corner) != 2:
            raise DataError(
                f"{self.place}: {len(self.corner)} columns have names ({', '.join(self.corner)}); keep that of the algorithm and "
                "that of the task."
            )
        groups = self._groups()
        # A tidy table with a column of scores ± and others without (time, steps) is about the first.
        paired = [group for group in groups if any(is_pair(row[group[1]]) for row in self.rows)]
        if len(paired) == 1 < len(groups):
            left = ", ".join(label.name for label, *_ in groups if label is not paired[0][0])
            self.notes.append(f"Left out, since none of its cells has a ±: {left}.")
            groups = paired
        if len(groups) != 1:
            raise DataError(self._too_many([label.name for label, *_ in groups]))
        kinds = [subject(text) for text in self.corner]
        rows, columns = (
            [label_of(text, row[j]) for text, row in zip(self._texts(j), self.labels, strict=True)]
            for j in map(kinds.index, ("algorithms", "tasks"))
        )
        (head, mean, spread, width) = groups[0]
        distinct = [list({label.name: label for label in labels}.values()) for labels in (rows, columns)]
        return Layout(
            rows=distinct[0],
            columns=distinct[1],
            corner=self.corner,
            places=[self._place(i, rows[i], columns[i], mean, spread) for i in range(len(self.rows))],
            tidy=True,
            heads=[head, *width],
            over=[head],
            notes=self.notes,
        )

    def _too_many(self, names: Sequence[str]) -> str:
        runs, others = (
            next((n for n in names if words_of & set(words(n))), None) for words_of in (RUNS, OTHER_SPREADS)
        )
        if runs:
            return f"{self.place}: the column {runs!r} numbers runs, so rows are runs, not means; {call('compare')} reads them."
        if others:
            return (
                f"{self.place}: the column {others!r} is not a standard deviation or error; write one of these beside the means, into a "
                "column 'std' or 'stderr', or give the runs."
            )
        return f"{self.place}: there are {len(names)} columns of scores for each algorithm and task ({', '.join(names)}); keep one."

    def _texts(self, j: int) -> list[str]:
        """Return the names in a column of labels; a blank in the first column repeats the name above it."""
        texts: list[str] = []
        for row in self.labels:
            if not row[j].text and (j or not texts):
                raise DataError(f"{at(self.place, row[j])}: the name is blank; write it into the cell.")
            texts.append(row[j].text or texts[-1])
        return texts

    def matrix(self) -> Layout:
        """Return the layout of a table with a cell for each row and each column of means."""
        groups = self._groups()
        return Layout(
            rows=self.names,
            columns=[label for label, *_ in groups],
            corner=self.corner,
            places=[
                self._place(i, name, label, mean, spread)
                for i, name in enumerate(self.names)
                for label, mean, spread, _ in groups
            ],
            repeated=self.repeated,
            heads=[width for *_, widths in groups for width in widths],
            notes=self.notes,
        )

    def _place(self, i: int, row: Label, column: Label, mean: int, spread: int | None) -> MeasuredPlace:
        entries, counts = self.rows[i], self._counts()
        return MeasuredPlace(
            row=row,
            column=column,
            entry=entries[mean],
            spread=None if spread is None else replace(entries[spread], text=SIGN.sub("", entries[spread].text)),
            n=None if counts is None else entries[counts],
        )

    def _counts(self) -> int | None:
        counts = (counts_runs(label.name) or label.name.casefold() in ("n", "count") for label in self.columns)
        return next((j for j, is_count in enumerate(counts) if is_count), None)

    def _groups(self) -> list[HeadGroup]:
        """Return each column of means with the column of its spreads, if spreads have columns of their own."""
        scores = [(j, label) for j, label in enumerate(self.columns) if j != self._counts()]
        spreads = self._spreads(scores)
        if not spreads:
            return [(label, j, None, ()) for j, label in scores]
        self._refuse_episodes()
        means = [(j, label) for j, label in scores if label.statistic in (None, "mean")]
        # One column of means and one of spreads belong together, whatever the means are called: "score", "std".
        alone = len(means) == len(spreads) == 1 and "" in spreads
        groups: list[HeadGroup] = []
        left: list[Label] = []
        for j, label in means:
            stem = label.stem if label.statistic else label.name
            # PPO beside PPO_std, or PPO_mean beside PPO_std.
            if stem in spreads or alone:
                at_spread, of = spreads.pop("" if alone else stem)
                groups.append((replace(label, name=stem or "score"), j, at_spread, (replace(of, spread=of.statistic),)))
            else:
                left.append(label)
        self._leave_out(left, spreads)
        for j, label in spreads.values():
            what = f"{at(self.place, label.entry)}: the spreads of column {label.name!r} have no column of means ({j})."
            raise DataError(what)
        return groups

    def _leave_out(self, left: Sequence[Label], spreads: Mapping[str, tuple[int, Label]]) -> None:
        """Note the columns without spreads, and refuse them if a column of spreads may be theirs."""
        if left and spreads:
            candidates = ", ".join(repr(own.entry.text) for _, own in spreads.values())
            first, stem = left[0], left[0].stem if left[0].statistic else left[0].name
            raise DataError(
                f"{at(self.place, first.entry)}: no column is named as the spreads of {first.name!r} (for example '{stem or 'score'}_std'; "
                f"columns of spreads: {candidates}); rename that column, or leave this one out."
            )
        if left:
            have = "no column has its spreads" if len(left) == 1 else "no columns have their spreads"
            self.notes.append(f"Left out, since {have}: {', '.join(label.name for label in left)}.")

    def _refuse_episodes(self) -> None:
        """Refuse columns of spreads if a column counts episodes and none counts runs."""
        for label in self.columns if self._counts() is None else ():
            parts = set(words(label.name))
            if parts & {"episodes", "episode", "rollouts"} and EPISODES.issuperset(parts):
                raise DataError(
                    f"{at(self.place, label.entry)}: the column {label.entry.text!r} counts episodes and none counts runs, so the spreads "
                    "are those of the episodes of one training run, which do not show how runs vary; give the runs, or, if the spreads are "
                    "over runs, leave that column out."
                )

    def _spreads(self, scores: Sequence[tuple[int, Label]]) -> dict[str, tuple[int, Label]]:
        columns: dict[str, tuple[int, Label]] = {}
        for j, label in scores:
            if label.statistic not in (None, "mean") and columns.setdefault(label.stem, (j, label))[0] != j:
                raise DataError(
                    f"{at(self.place, label.entry)}: {columns[label.stem][1].entry.text!r} and {label.entry.text!r} are columns of spreads of "
                    "the same means; keep one, or name each after its means."
                )
        return columns


HeadGroup = tuple[Label, int, int | None, tuple[Label, ...]]
"""A column of means: its label, its position, the position of its spreads (None: in its own cells), and the labels of these."""
