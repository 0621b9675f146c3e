"""The table old → new of docs/design/names.md, and what is public in the code, read for `test_names.py`."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import runoff as ro
from tests.places import DOCS, SOURCE

PAGE = (DOCS / "design" / "names.md").read_text(encoding="utf-8")
NAME = re.compile(r"`([^`]+)`")
ALL = frozenset({"yes"})
"""What marks a row that has landed for all its owners."""


class Row(NamedTuple):
    """A name: today's, whose it is (empty: everybody else's), 0.3's (None: it goes), whether it joins another, where that has landed."""

    old: str
    owners: frozenset[str] = frozenset()
    new: str | None = None
    joins: bool = False
    landed: frozenset[str] = frozenset()
    python: str = ""

    def has_landed(self, owners: frozenset[str]) -> bool:
        """Whether an owner, by any of its names, has the new name."""
        return self.landed == ALL or bool(self.landed & owners)


Code = Mapping[frozenset[str], frozenset[str]]
"""Owners by today's name and their own, each with its names; that of what has no owner is ""."""
NOBODY = frozenset({""})


# ── the page ──────────


def section(title: str) -> str:
    """Return what stands below a heading."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def cells_of(text: str) -> Iterator[list[str]]:
    """Yield the cells of the rows of a table, without its head."""
    for line in text.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def row_of(today: str, owners: str, becomes: str, landed: str, *rest: str) -> Iterator[Row]:
    """Yield the names of a row: as many new ones as old ones, or one for all."""
    olds, news = NAME.findall(today), NAME.findall(becomes)
    joins = becomes.startswith("joins") or 0 < len(news) < len(olds)
    marks = frozenset(NAME.findall(landed)) or (ALL if landed else frozenset())
    whose = frozenset(NAME.findall(owners))
    for place, old in enumerate(olds):
        new = old if becomes == "stays" else (*news, *news[-1:] * len(olds))[place] if news else None
        yield Row(old, whose, new, joins, marks, rest[0].strip("`()") if rest else "")


@cache
def rows_of(title: str) -> tuple[Row, ...]:
    """Return the names of a section: those of its table, and those that stay without a word."""
    rows = [row for cells in cells_of(section(title)) for row in row_of(*cells)]
    stay = re.search(r"^Stay: (.*)$", section(title), re.MULTILINE)
    listed = NAME.findall(stay[1]) if stay else []
    return (*rows, *(Row(name, new=name, python=name.lstrip("-").replace("-", "_")) for name in listed))


@cache
def names_added(kind: str) -> frozenset[str]:
    """Return the names of a kind that 0.3 adds."""
    rows = [cells for cells in cells_of(section("New in 0.3")) if kind in cells[1].split(", ")]
    return frozenset(name for cells in rows for name in NAME.findall(cells[0]))


# ── page and code ──────────


def rows_about(rows: Sequence[Row], owner: frozenset[str], name: str) -> list[Row]:
    """Return what the table says of an owner's name: the row of this owner, or that of all others."""
    of_name = [row for row in rows if row.old == name]
    return [row for row in of_name if row.owners & owner] or [row for row in of_name if not row.owners]


def missing(rows: Sequence[Row], added: frozenset[str], code: Code) -> list[tuple[str, str]]:
    """Return the names in the code that stand nowhere: neither as an old name nor as a new one."""
    coming = {row.new for row in rows} | added
    there = [(owner, name) for owner, names in code.items() for name in names - coming]
    return [(min(owner), name) for owner, name in there if not rows_about(rows, owner, name)]


def stale(rows: Sequence[Row], code: Code) -> list[str]:
    """Return the old names that are not marked, and that an owner has no longer."""
    gone = []
    for row in rows:
        whose = [o for o in code if (not row.owners or row.owners & o) and not row.has_landed(o)]
        having = [o for o in whose if row.old in code[o]]
        every = bool(row.owners) and row.new is not None
        if whose and (not having or (every and having != whose)):
            gone.append(row.old)
    return gone


def left(rows: Sequence[Row], code: Code) -> list[tuple[str, str]]:
    """Return the old names that are marked, and that an owner still has, although no other row gives the name to it."""
    kept = []
    for owner, names in code.items():
        given = {row.new for row in rows if row.new != row.old and row.has_landed(owner)}
        marked = [row for name in names - given for row in rows_about(rows, owner, name)[:1] if row.new != row.old]
        kept += [(min(owner), row.old) for row in marked if row.has_landed(owner)]
    return kept


# ── what is public ──────────

Names = Mapping[str, frozenset[str]]


def code_of(title: str) -> Code:
    """Return what is there of a section's kind; an owner has its name of today, and that of 0.3 once its rename has landed."""
    prefixes = {"Functions": "", "Classes": "", "Verbs": "", "Figures": "plots."}
    renamed = [(prefix, row) for name, prefix in prefixes.items() for row in rows_of(name) if row.landed]
    names_before = {f"{prefix}{row.new}": f"{prefix}{row.old}" for prefix, row in renamed if not row.joins}
    return {frozenset({o, names_before.get(o, o)}): names for o, names in KINDS[title][0]().items()}


def functions() -> Names:
    """Return what stands in the package, and in the rooms that users call."""
    rooms = {"archive", "plots", "__version__"}
    dotted = {f"archive.{name}" for name in ro.archive.__all__ if name != "ArchiveSet"}
    return {"": frozenset({*ro.__all__} - rooms | dotted | {"testing.assert_no_regression"})}


def figures() -> Names:
    """Return what stands in `ro.plots`."""
    return {"": frozenset(ro.plots.__all__)}


def callables() -> Iterator[tuple[str, object]]:
    """Yield every public function and constructor with its name, and the methods of data as `Scores.final`."""
    from runoff.testing import assert_no_regression

    yield "testing.assert_no_regression", assert_no_regression
    for room, prefix in ((ro, ""), (ro.archive, "archive."), (ro.plots, "plots.")):
        for name in room.__all__:
            thing = getattr(room, name)
            if inspect.isfunction(thing) or thing in declared():
                yield prefix + name, thing
            if thing in (ro.Scores, ro.Curves, *declared()):
                yield from ((f"{name}.{method}", getattr(thing, method)) for method in methods_of(thing))


def declared() -> tuple[type, ...]:
    """Return the declarations that users write, and the ledger that they keep."""
    return ro.SequentialDesign, ro.Study, ro.Ledger


def methods_of(kind: type) -> set[str]:
    """Return the methods of a class that are promised."""
    inner = {row.old for row in rows_of("Data") if row.new is None}
    public = {name for name in vars_of(kind) if callable(getattr(kind, name, None))}
    return public - inner


def vars_of(kind: type) -> set[str]:
    """Return what stands after the dot of a class: fields, properties and methods."""
    fields = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    return {name for name in {*dir(kind), *fields} if not name.startswith("_")}


def arguments() -> Names:
    """Return the arguments of every public function."""
    inner = {row.old for row in rows_of("Functions") if row.new is None}
    calls = {name: inspect.signature(call).parameters for name, call in callables() if name not in inner}
    return {name: frozenset(parameters) - {"self"} for name, parameters in calls.items()}


@cache
def result_classes() -> tuple[type, ...]:
    """Return the classes of results and of their rows, as far as return types lead to them."""
    kinds: dict[type, None] = {}
    for name, call in callables():
        returned = (
            getattr(call, "__annotations__", {}).get("return")
            if "." not in name or name.startswith("Ledger.")
            else None
        )
        if returned is not None:
            gather(typing.get_type_hints(call)["return"], kinds)
    gather(ro.archive.ArchiveSet, kinds)
    return tuple(kinds)


def gather(kind: object, kinds: dict[type, None]) -> None:
    """Add a class of runoff, and those of its fields."""
    for argument in typing.get_args(kind):
        gather(argument, kinds)
    ours = isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind.__module__.startswith("runoff.")
    if not ours or kind in kinds or kind in (ro.Scores, ro.Curves, *declared()):
        return
    kinds[typing.cast("type", kind)] = None
    for field in typing.get_type_hints(kind).values():
        gather(field, kinds)


def classes() -> Names:
    """Return the names of those classes."""
    return {"": frozenset(kind.__name__ for kind in result_classes())}


def results() -> Names:
    """Return what stands after the dot of results and of their rows."""
    inner = {row.old for row in rows_of("Classes") if row.new is None}
    return {kind.__name__: frozenset(vars_of(kind)) for kind in result_classes() if kind.__name__ not in inner}


def data() -> Names:
    """Return what stands after the dot of data and of declarations."""
    return {kind.__name__: frozenset(vars_of(kind)) for kind in (ro.Scores, ro.Curves, *declared())}


@cache
def commands() -> Mapping[str, typing.Any]:
    """Return the verbs with their options."""
    from runoff.cli.app import command

    return command().commands


def verbs() -> Names:
    """Return the verbs."""
    return {"": frozenset(commands())}


def options() -> Names:
    """Return the options of each verb, by their long names."""
    spelled = {verb: [(*p.opts, *p.secondary_opts) for p in command.params] for verb, command in commands().items()}
    return {v: frozenset(n for names in all_ for n in names if n.startswith("--")) for v, all_ in spelled.items()}


def rooms() -> Names:
    """Return the rooms of the package that no underscore hides."""
    names = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    return {"": frozenset(name for name in names if not name.startswith("_"))}


def json_keys() -> Names:
    """Return the keys at the top of results.json, and those below each, as the contract lists them."""
    table = (DOCS / "design" / "contract.md").read_text(encoding="utf-8").partition("\n## results.json")[2]
    keys: dict[str, frozenset[str]] = {"": frozenset()}
    for heads, holds in cells_of(table):
        names = NAME.findall(heads)
        keys[""] |= frozenset(names)
        keys |= {name: frozenset(filter(str.isidentifier, NAME.findall(holds))) for name in names}
    return keys


KINDS = {
    "Rooms": (rooms, "room"),
    "Functions": (functions, "function"),
    "Data": (data, "data"),
    "Arguments": (arguments, "argument"),
    "Results": (results, "result"),
    "Classes": (classes, "class"),
    "Figures": (figures, "figure"),
    "Verbs": (verbs, "verb"),
    "Options": (options, "option"),
    "results.json": (json_keys, "key"),
}
"""The sections of the page, each with what there is in the code, and its word in "New in 0.3"."""

VALUE = re.compile(r'"[a-z_]+"')


@cache
def values() -> frozenset[str]:
    """Return the words that the package has as texts, with their quotes."""
    return frozenset(word for path in SOURCE.rglob("*.py") for word in VALUE.findall(path.read_text(encoding="utf-8")))


TYPE = re.compile(r"^ *class (\w+)|^([A-Z]\w*[a-z]\w*)(?:: TypeAlias)? = ", re.MULTILINE)


@cache
def types_defined_twice() -> Mapping[str, frozenset[str]]:
    """Return the names of types with more than one definition, each with the files that define it."""
    places = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        for defined in TYPE.findall(path.read_text(encoding="utf-8")):
            places["".join(defined)].add(path.relative_to(SOURCE).as_posix())
    return {name: frozenset(files) for name, files in places.items() if len(files) > 1}


@cache
def types_defined() -> frozenset[str]:
    """Return the names of all types of the package."""
    texts = (path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    return frozenset("".join(defined) for text in texts for defined in TYPE.findall(text))
