"""The base of all answers: rows as records and frames, access to a row by name, pairs seen from either side, and advice.

`print` shows the sentence of an answer, its first table and its warnings; `repr` is short.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar, cast

import numpy as np

from runoff.answer.named import by_name, is_named, names_of, not_named
from runoff.base.lasting import memo_of
from runoff.base.ports import exits, plots
from runoff.cells import Estimate, Table
from runoff.errors import RunoffError, nearest
from runoff.tables.frames import Framed, Origin, origin_of
from runoff.words.names import capital
from runoff.words.numbers import counted
from runoff.words.speech import Sentence, fact_of, in_python

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl
    from matplotlib.figure import Figure

Severity = Literal["info", "caution", "warning"]
SEVERITIES: tuple[Severity, ...] = ("warning", "caution", "info")
ORDER = (
    # two algorithms are one, or no verdict is given
    *("R031", "R020", "R032"),
    # the question was another one: costs, rows that are no runs, tasks that only one of the two has, another training
    *("R028", "R036", "R024", "R022", "R012", "R023", "R019", "R401", "R402", "R403", "R029"),
    # no law holds for the runs; one task decides
    *("R303", "R026"),
    # there are too few runs
    *("R016", "R001", "R002", "R011"),
    # the test does not answer what was asked
    *("R206", "R007", "R207", "R006", "R005", "R004", "R003", "R205", "R203", "R201", "R204"),
    *("R101", "R102", "R103", "R104", "R105", "R108", "R109", "R107"),
    # what is beside the verdict
    *("R034", "R035", "R037", "R025", "R010", "R015", "R027", "R033", "R406", "R405", "R404"),
    *("R018", "R014", "R021", "R030", "R202", "R301", "R302", "R304"),
)
"""All advice codes; within a severity, those that change a verdict most often come first (docs/tables/advice_codes.csv, docs/advice.md)."""
WEIGHT = MappingProxyType({code: place for place, code in enumerate(ORDER)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One guideline that applies to an answer.

    Attributes
    ----------
    code : str
        Stable and documented, e.g. "R001"; docs/advice.md has an entry for each.
    severity : "warning", "caution" or "info"
        A warning may change the verdict, a caution its strength, an info is good to know.
    text : str
        What to do, if anything can be done, and a colon; then the finding, with counts.
    source : str
        The paper and section from which the guideline comes.
    subjects : tuple of str
        The algorithms that the text names; empty if the advice concerns the whole answer to which it is attached.
    """

    code: str
    severity: Severity
    text: str
    source: str
    subjects: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", Sentence(self.text))

    def __str__(self) -> str:
        return f"{self.code} {self.text} ({self.source})"


def most_severe_first(advice: Iterable[Advice]) -> tuple[Advice, ...]:
    """Return the advice without repetitions, by severity, then by its effect on a verdict (`ORDER`)."""
    # A saved result may have a code that is not given any more.
    last = len(ORDER)
    weights = {note: (SEVERITIES.index(note.severity), WEIGHT.get(note.code, last), note.code) for note in advice}
    return tuple(sorted(weights, key=lambda note: weights[note]))


INCOMPARABLE: Mapping[str, str] = MappingProxyType(
    {"R020": "scores seem to be in different units", "R032": "training was too unequal"}
)
"""The advice codes with which no verdict is given, each with the reason."""


def withheld(advice: Iterable[Advice]) -> Advice | None:
    """Return the advice because of which no verdict is given and no leader named; None if there is no such advice."""
    return next((item for item in advice if item.code in INCOMPARABLE and item.severity == "warning"), None)


def compared_at(advice: Iterable[Advice]) -> str:
    """Return the sentence on the step at which algorithms of unequal training are compared (R019 as an info); "" if training is equal."""
    # R032 (training too unequal) withholds the verdict altogether, so that no step is named beside it; R019 is an
    # info only where the runs were cut to a common step, and then its text after the colon is the fact.
    texts = {
        item.code: item.text for item in advice if item.code == "R032" or (item.code, item.severity) == ("R019", "info")
    }
    return capital(fact_of("" if "R032" in texts else texts.get("R019", "")))


Record = dict[str, Any]
AnyRow = TypeVar("AnyRow", bound=Any)
TOLD = 12
"""The largest number of pairs that a refusal names."""
SHOWN = 3
"""The number of fields in the `repr` of an answer with one record."""


ATOMS = (float, int, bool, type(None))
"""Types that JSON represents directly."""


def plain(value: object) -> Any:
    """Return `value` as JSON types: arrays and tuples become lists, dataclasses dicts, NumPy scalars Python numbers."""
    if isinstance(value, str):
        return in_python(value)
    # Most values are numbers and texts, which need no further question.
    if type(value) in ATOMS:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        # A row becomes a dictionary, which is called a record: the rows of an answer are its records there.
        return {"records" if name == "rows" else name: plain(getattr(value, name)) for name in _fields(type(value))}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


@cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))


def filled(kind: type[AnyRow], /, *sources: object, **own: Any) -> AnyRow:
    """Return a record of `kind` from the given fields; the others come from the last source that has them by name.

    Sources of one type have the same fields.
    """
    key = kind, tuple(map(type, sources)), tuple(own)
    if key not in _ROUTES:
        # An own field is not looked for: a source may compute it when it is asked.
        names = [name for name in _fields(cast("Hashable", kind)) if name not in own]
        has = [[name for name in names if hasattr(source, name)] for source in sources]
        _ROUTES[key] = [
            [name for name in of_one if not any(name in later for later in has[at:])]
            for at, of_one in enumerate(has, 1)
        ]
    present = {
        name: getattr(source, name) for source, names in zip(sources, _ROUTES[key], strict=True) for name in names
    }
    return kind(**present, **own)  # type: ignore[no-any-return]


_ROUTES: dict[tuple[type[Any], tuple[type[Any], ...], tuple[str, ...]], list[list[str]]] = {}
"""Which fields of a record come from which source: looked up once for sources of these types, for a comparison has thousands."""


OF_ONE_ROW = ("estimate", "low", "high", "confidence_interval")
"""What an answer with a single row has from it, as results of SciPy have."""


class Result(Framed):
    """The base class of all answers.

    A subclass is a frozen, slotted, keyword-only dataclass. If it is a table, `_table` names the field with its rows; otherwise its fields
    are a single record.
    """

    __slots__ = ("_origin",)
    _table: ClassVar[str | None] = None
    _prints_all: ClassVar[bool] = False
    """Whether `print` shows the tables behind the first too."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__repr__" not in cls.__dict__:  # before the dataclass makes one of all fields
            cls.__repr__ = Result.__repr__  # type: ignore[method-assign]

    if TYPE_CHECKING:

        @property
        def sentence(self) -> str: ...

    # ── a sequence of rows ──────────

    def __len__(self) -> int:
        return len(self._rows())

    def __bool__(self) -> bool:
        return True  # an answer without rows is an answer

    if not TYPE_CHECKING:  # the type of an answer with one row is that of one with many

        def __getattr__(self, name: str) -> Any:
            if name in OF_ONE_ROW and (rows := self._rows()) and hasattr(rows[0], name):
                if len(rows) == 1 and not hasattr(rows[0], "turned"):
                    return getattr(rows[0], name)
                if len(rows) == 1:
                    a, b = rows[0].a, rows[0].b
                    words = f"the sign of a difference has a direction: result[{a!r}, {b!r}].{name} is of {a} − {b}"
                    raise AttributeError(words, name=name, obj=None)
                words = f"this answer has {len(rows)} rows, each with its {name}: result[0].{name} is that of the first"
                raise AttributeError(words, name=name, obj=None)
            return super().__getattr__(name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows())

    def __getitem__(self, key: Any) -> Any:
        """Return a row by position or by name: an algorithm, a task, a measure, or two algorithms; several rows are returned as a tuple.

        Names that are not needed to identify the row may be left out. With two algorithms, the order of the names is the direction of the
        difference.

        Raises
        ------
        IndexError, KeyError
            There is no such row; the message lists the existing names.

        Examples
        --------
        >>> import runoff as ro
        >>> result = ro.aggregate({"A": [1.0, 2.0, 3.0], "B": [2.0, 3.0, 4.0]}, measure=["mean", "median"])
        >>> result["B", "mean"].estimate, len(result["B"]), len(result)
        (3.0, 2, 4)
        """
        rows = self._rows()
        if isinstance(key, int | np.integer | slice):
            return rows[key]
        names = key if isinstance(key, tuple) else (key,)
        if len(names) == 2 and (of_two := self._of_two(*names)) is not None:
            return of_two
        named = [row for row in self._having(names) if is_named(row, names)]
        if not named:
            raise not_named(names, rows)
        # An algorithm may have the name of a task or a measure: rows that are first of all of it go before others.
        named = [row for row in named if names_of(row)[:1] == [names[0]]] or named
        return named[0] if len(named) == 1 else tuple(named)

    def _of_two(self, a: object, b: object) -> Any:
        """Return what an answer about algorithms says about two of them; None if the names are not two algorithms, or it says nothing."""
        del a, b

    def _having(self, names: tuple[object, ...]) -> Sequence[Any]:
        """Return the rows with the first of these names."""
        memo = memo_of(self)
        if "names" not in memo:  # many cells are asked for one by one
            memo["names"] = by_name(self._rows())
        try:
            return memo["names"].get(names[0], ()) if names else ()
        except TypeError:  # no name can be a list
            return ()

    def to_records(self) -> list[Record]:
        """Return the rows as plain dictionaries, unrounded."""
        return [plain(row) for row in self._rows()]

    def flat_records(self) -> list[Record]:
        """Return the rows as in the files of a report: numbers and texts only, nothing nested."""
        return [exits().flat(record) for record in self.to_records()]

    def to_json(self, path: str | Path | None = None, *, force: bool = False) -> str:
        """Return the answer as JSON text: its rows as `records`, its other fields by their names, unrounded.

        An infinite statistic is the text "Infinity" or "-Infinity", which Python's `float` reads. path, force: as of `to_csv`.

        Examples
        --------
        >>> import json, runoff as ro
        >>> result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
        >>> json.loads(result.to_json())["records"][0]["verdict"]
        'b_better'
        """
        return exits().written(exits().strict_json(content_of(self)), path, ".json", force=force)

    def plot(self, figure: str | None = None, **how: Any) -> Figure:
        """Draw the answer with its first figure in `runoff.plots`, or with the named figure.

        Parameters
        ----------
        figure : str, optional
            A figure of `runoff.plots` for this kind of answer.
        **how
            Options of that figure, such as ax=, width=, colors=.

        Returns
        -------
        matplotlib.figure.Figure
            The figure is neither shown nor saved; `result.plot().savefig("fig.pdf")` saves it. The functions of `runoff.plots` return Axes.

        Raises
        ------
        OptionError
            There is no such figure, or none for this kind of answer.
        """
        drawn: Figure = plots().draw(self, figure, **how)
        return drawn

    @property
    def origin(self) -> Origin:
        """The kind of frame and the set of algorithms from which the answer comes; a copy made by pickle or `replace` loses them."""
        return getattr(self, "_origin", Origin())

    def with_origin(self, given: object) -> Self:
        """Return this answer with the origin of its data attached."""
        # The answer is frozen for its readers; this is set once, by the method that made it, and is no field, so that
        # equality does not see it.
        object.__setattr__(self, "_origin", origin_of(given))
        return self

    def _told(self) -> str:
        return self.origin.score

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a polars DataFrame of numbers and texts only: lists and readings in `to_records` become the text of a cell."""
        import polars as pl

        return pl.DataFrame(self.flat_records(), infer_schema_length=None)

    def __str__(self) -> str:
        # An answer of one record without a table of its own has its numbers in its sentence.
        tables = self.tables() if self._table or type(self).tables is not Result.tables else ()
        where = " and ".join(f"result.{name}" for name in ("advice", "notes") if getattr(self, name, ()))
        how = f"{self._decided()} {self._told() if self.origin.treated else ''}".strip()
        return exits().printed(self.sentence, how, tables, self._cautions(), where, all_tables=self._prints_all)

    def _cautions(self) -> Sequence[str]:
        given = most_severe_first(getattr(self, "advice", ()))
        first = {note.code: note for note in reversed(given)}
        # One of each code, then the others: a code that concerns many pairs does not hide the next.
        advice = sorted(given, key=lambda note: note is not first[note.code])
        notes = [f"Note: {note.rstrip('.')}." for note in getattr(self, "notes", ())]
        return [*(f"{n.severity.capitalize()} {n.code}: {n.text}" for n in advice), *notes]

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return what Jupyter shows: tables and cautions, and the first figure of the answer where it has one."""
        try:
            picture = exits().image_of(self.plot(), self.sentence)
        except RunoffError:  # there is no figure of such an answer, or none of so many algorithms
            picture = ""
        return {"text/html": self._repr_html_() + picture}

    def _decided(self) -> str:
        """Return what `print` says between the sentence and the table if these do not name the deciding test."""
        return ""

    def __repr__(self) -> str:
        name = type(self).__name__
        if self._table:
            return f"{name}({counted([len(getattr(self, self._table))], self._table.removesuffix('s'))})"
        values = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        named = [f"{key}={value!r}" for key, value in values.items() if isinstance(value, str | int | float)]
        return f"{name}({', '.join(named[:SHOWN])}, …)"

    def _rows(self, **wanted: object) -> tuple[Any, ...]:
        rows = getattr(self, self._table) if self._table else (self,)
        if not wanted:
            return tuple(rows)
        names = tuple(wanted)
        memo = memo_of(self)
        if names not in memo:  # many cells are asked for one by one
            index: dict[object, list[Any]] = {}
            for row in rows:
                index.setdefault(tuple(getattr(row, name) for name in names), []).append(row)
            memo[names] = index
        try:
            return tuple(memo[names].get(tuple(wanted.values()), ()))
        except TypeError:  # no name can be a list
            return ()

    def _names(self, field: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(getattr(row, field) for row in self._rows()))

    def tables(self) -> tuple[Table, ...]:
        """Return the answer as tables of typed cells for readers: notebooks, LaTeX, Markdown and the terminal print these.

        The default is one table of all rows, whose columns are their fields.
        """
        # "CriticalDifferenceResult" → "critical_difference": the role names files, so that it is lower case with
        # underscores.
        role = re.sub(r"(?<=.)(?=[A-Z])", "_", type(self).__name__.removesuffix("Result")).lower()
        unit = getattr(self, "unit", "run") if self._table else None
        return (exits().table_of(role, self.to_records(), self._caption(), unit),)

    def _caption(self) -> str:
        """Return the caption of the default table: the sentence of the answer. Only a subclass can describe its intervals."""
        return " ".join(self._heading())

    def _heading(self) -> Sequence[str]:
        return [self.sentence]


def content_of(result: Result) -> Record:
    """Return the content of `to_json` as plain dictionaries, lists and numbers."""
    own = {field.name: plain(getattr(result, field.name)) for field in fields(result)}  # type: ignore[arg-type]
    own.pop(result._table or "", None)
    answer = {"sentence": plain(result.sentence), **own}
    return {"records": result.to_records(), **answer} if result._table else answer


TURNED: Mapping[str, Any] = {"a_better": "b_better", "b_better": "a_better"}
"""Verdicts and decisions that depend on the order of a pair, each with its counterpart after an exchange."""


def seen_from_b(pair: AnyRow, wholes: Mapping[str, float], **more: Any) -> AnyRow:
    """Return a row with a and b exchanged: names, counts and verdict change sides, and every estimate x becomes its whole − x.

    `wholes` gives the whole of each estimate by name: 0 for a difference, 1 for a probability. The ends of an estimate have its name
    followed by "_low" and "_high", or are "low" and "high" if it is the only estimate. Other changed fields are passed as arguments.
    """
    present = {name: getattr(pair, name) for name in _fields(cast("Any", type(pair)))}
    changes: dict[str, Any] = {}
    for first, second in (("a", "b"), ("n_runs_a", "n_runs_b"), ("wins", "losses")):
        if first in present:
            changes |= {first: present[second], second: present[first]}
    for name in ("verdict", "decision"):
        if name in present:
            changes[name] = TURNED.get(present[name], present[name])
    for name, whole in wholes.items():
        low, high = (f"{name}_low", f"{name}_high") if f"{name}_low" in present else ("low", "high")
        if low in present:
            # Seen from b the ends change places: of b − a the lower end is minus the upper one of a − b.
            changes |= {low: less(whole, present[high]), high: less(whole, present[low])}
        if name in present:
            changes[name] = whole - present[name]
    return replace(pair, **changes, **more)


def bounded_above_or_below(value: float | None, low: float | None, high: float | None) -> Estimate:
    """Return an estimate whose interval may be one-sided, with the other end infinite; without any end it has no interval."""
    if low is None and high is None:
        return Estimate(value)
    return Estimate(value, -inf if low is None else low, inf if high is None else high)


def less(whole: float, value: float | None) -> float | None:
    """Return whole − value, an end of an interval seen from the other side; None for no end."""
    return None if value is None else whole - value


def not_compared(a: str, b: str, pairs: Sequence[tuple[str, str]], advice: Iterable[Advice] = ()) -> KeyError:
    """Return the refusal of a pair that was not compared, with the reason if `advice` contains it (R021, R027)."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    # Whoever asks for a published line or a sweep meets the advice that left it out, rather than "there is no such
    # algorithm".
    unknown = next((name for name in (a, b) if name not in names), None)
    why = next((note for note in advice if note.code in ("R021", "R027") and unknown in note.subjects), None)
    if why is not None:
        return KeyError(f"{a!r} was not compared with {b!r} ({why.code}): {why.text}")
    if unknown is not None:
        return KeyError(
            f"there is no {unknown!r} in this comparison, of {', '.join(map(repr, names))}.{nearest(unknown, names)}"
        )
    return KeyError(f"{a!r} was not compared with {b!r}; there are {', '.join(map(repr, pairs[:TOLD]))}")
