"""Columns of labels, which store repeated labels once, and of raw values as polars stores them; coding, sorting and renaming of labels."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    import polars as pl


Values = Sequence[Any] | Floats
"""The values of a column."""
Columns = Mapping[str, Values]


class Labels(Sequence[str]):
    """A column of labels: each name once, and for each row the position of its name, int64 (n_rows,)."""

    __slots__ = ("codes", "names")

    def __init__(self, names: Sequence[str], codes: Ints) -> None:
        self.names = list(names)
        self.codes = codes

    @classmethod
    def of(cls, values: Iterable[str]) -> Labels:
        """Return a column of texts as labels, with names in order of appearance."""
        places: dict[str, int] = {}
        codes = [places.setdefault(value, len(places)) for value in values]
        return cls(list(places), np.array(codes, dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[Labels]) -> Labels:
        """Return several columns joined one after the other."""
        if len(parts) == 1:
            return parts[0]
        own = cls.of(name for part in parts for name in part.names)
        starts = np.cumsum([0, *(len(part.names) for part in parts)]).tolist()
        # `own.codes` has an entry for each name of each part, in order: behind `start` lie those of this part.
        codes = [own.codes[start:][part.codes] for start, part in zip(starts, parts, strict=False)]
        return cls(own.names, np.concatenate(codes))

    def __len__(self) -> int:
        return self.codes.size

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.codes.tolist())

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index] if isinstance(index, slice) else self.names[self.codes[index]]

    def mapped(self, change: Callable[[str], str]) -> Labels:
        """Return the column with changed names, of which several may become equal."""
        own = Labels.of(map(change, self.names))
        return Labels(own.names, self.codes if len(own.names) == len(self.names) else own.codes[self.codes])

    def some_rows(self, rows: Ints) -> Labels:
        """Return some rows of the column."""
        kept, codes = np.unique(self.codes[rows], return_inverse=True)
        return Labels([self.names[i] for i in kept.tolist()], codes)

    def rows(self, names: Iterable[str]) -> Bools:
        """Return a mask of the rows whose label is among the names, (n_rows,)."""
        wanted = set(names)
        return np.array([name in wanted for name in self.names], dtype=np.bool_)[self.codes]

    def row(self, name: str) -> int:
        """Return the first row with a name."""
        return int(np.argmax(self.codes == self.names.index(name)))


PEEK = 1024
"""The number of first rows that decide whether equal labels are adjacent."""


class RawColumn(Sequence[Any]):
    """A column of texts or numbers as polars stores it, so that ten million rows fit in memory; a value becomes a Python object only when
    accessed."""

    __slots__ = ("_numbers", "series")

    def __init__(self, series: pl.Series) -> None:
        self.series = series
        self._numbers: tuple[Floats, Ints] | None = None

    def __len__(self) -> int:
        return len(self.series)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.series)

    def __getitem__(self, index: Any) -> Any:
        return self.series[index].to_list() if isinstance(index, slice) else self.series[int(index)]

    @property
    def is_text(self) -> bool:
        import polars as pl

        return bool(self.series.dtype == pl.String)

    def labels(self) -> Labels | None:
        """Return a column of texts or whole numbers as labels; None for other columns, and if values are missing."""
        import polars as pl

        own = self.series
        if own.null_count() or not (self.is_text or own.dtype.is_integer()):
            return None
        # rows of a run lie together as loggers write them
        # Stretches of eight rows and more: each is coded once and repeated.
        if len(own) > PEEK and 8 * len(own.head(PEEK).rle()) < PEEK:
            stretches = own.rle().struct
            values, lengths = stretches.field("value"), stretches.field("len").to_numpy()
            if 8 * len(values) < len(own) and (of_stretches := RawColumn(values).labels()) is not None:
                return Labels(of_stretches.names, np.repeat(of_stretches.codes, lengths))
        names = own.unique(maintain_order=True)
        if self.is_text:
            # polars codes ten million texts in its own threads; a dictionary of Python's would make each of them an
            # object first.
            codes = own.cast(pl.Enum(names)).to_physical()
            return Labels(names.to_list(), codes.to_numpy().astype(np.int64))
        # `searchsorted` needs them sorted; texts keep the order of appearance.
        names = names.sort()
        return Labels(list(map(str, names.to_list())), np.searchsorted(names.to_numpy(), own.to_numpy()))

    def floats(self) -> tuple[Floats, Ints]:
        """Return the numbers of a column, read-only, and the rows without a number, which are NaN."""
        import polars as pl

        if self._numbers is None:
            read = self.series.cast(pl.Float64, strict=False)
            # Blanks around numbers are common in CSV by hand; the second cast is for these files alone.
            if self.is_text and read.null_count():
                read = self.series.str.strip_chars().cast(pl.Float64, strict=False)
            rows = np.flatnonzero(read.is_null().to_numpy()) if read.null_count() else np.empty(0, np.int64)
            self._numbers = read.to_numpy(), rows
        return self._numbers


def labelled(values: Values) -> Labels:
    """Return a column as labels, each being the text of its value."""
    own = values if isinstance(values, Labels) else values.labels() if isinstance(values, RawColumn) else None
    return Labels.of(map(label, values)) if own is None else own.mapped(str.strip)


def label(value: object) -> str:
    """Return the text of a label; whole floats lose their ".0", a missing value becomes ""."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    # pandas makes a column of seeds with one missing value floats: 3.0 in one file is 3 in another.
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def paired(a: Labels, b: Labels, words: str) -> Labels:
    """Return two columns as a single one, whose labels are `words` formatted with both."""
    codes, rows = np.unique(a.codes * len(b.names) + b.codes, return_inverse=True)
    pairs = (divmod(code, len(b.names)) for code in codes.tolist())
    return Labels([words.format(a.names[i], b.names[j]) for i, j in pairs], rows)


def n_pairs(a: Ints, b: Ints) -> int:
    """Return the number of different pairs of codes."""
    return int(np.unique(a * (int(b.max(initial=0)) + 1) + b).size)


def alike(labels: Iterable[Labels], within: Ints) -> Ints:
    """Return codes that are equal for rows with equal codes and equal labels, int64 (n_rows,)."""
    for own in labels:
        within = np.unique(within * len(own.names) + own.codes, return_inverse=True)[1].astype(np.int64)
    return within


def cells_alike(labels: Iterable[Labels], n_rows: int) -> Ints:
    """Return codes that are equal for rows with equal labels, int64 (n_rows,)."""
    return alike(labels, np.zeros(n_rows, np.int64))


def are_crossed(a: Labels, b: Labels) -> bool:
    """Return whether each name of a column stands beside each name of another."""
    return n_pairs(a.codes, b.codes) == len(a.names) * len(b.names)


def in_order(keys: Ints, steps: Floats | None = None) -> Ints | None:
    """Return the order of rows by key, then by step, int64 (n_rows,), or None if they are sorted already; equal rows keep their order."""
    starts = np.concatenate([[0], np.flatnonzero(keys[1:] != keys[:-1]) + 1])[: keys.size]
    order = np.argsort(keys[starts], kind="stable")  # rows of one key that lie together are moved together
    rows = None if (order[1:] > order[:-1]).all() else _moved(starts, order, keys.size)
    if steps is None:
        return rows
    firsts = keys[starts[order]]
    if (firsts[1:] != firsts[:-1]).all():
        falls = steps[1:] < steps[:-1]
        # From one run to the next the step may fall.
        falls[starts[1:] - 1] = False
    else:
        sorted_keys, sorted_steps = keys[rows], steps[rows]
        falls = (sorted_keys[1:] == sorted_keys[:-1]) & (sorted_steps[1:] < sorted_steps[:-1])
    # Loggers write steps in order: the sort of all rows by two keys, the costly one, is for files that do not.
    return np.lexsort((steps, keys)) if falls.any() else rows


def _moved(starts: Ints, order: Ints, n_rows: int) -> Ints:
    """Return the rows of stretches, which begin at `starts`, with the stretches in the given order."""
    if starts.size == n_rows:
        return order
    lengths = np.diff(starts, append=n_rows)[order]
    rows = np.repeat(starts[order] - (np.cumsum(lengths) - lengths), lengths)
    rows += np.arange(n_rows)
    return rows


def some_rows(values: Values, rows: Ints) -> Values:
    """Return some rows of a column."""
    if isinstance(values, Labels):
        return values.some_rows(rows)
    if isinstance(values, RawColumn):
        return RawColumn(values.series[rows])
    return values[rows] if isinstance(values, np.ndarray) else [values[i] for i in rows.tolist()]


UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})
"""Unicode categories of invisible characters."""


def visible(name: str) -> bool:
    """Return whether a name has a visible character, not only spaces, byte order marks and controls."""
    return any(unicodedata.category(character) not in UNSEEN for character in name)
