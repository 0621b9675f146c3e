"""docs/design/names.md is the one table old → new of everything public, and says truly which renames have landed."""

from __future__ import annotations

import keyword
from collections import Counter

import pytest

from tests.contracts.names_page import (
    ALL,
    KINDS,
    Row,
    code_of,
    left,
    missing,
    names_added,
    rows_of,
    stale,
    types_defined,
    types_defined_twice,
    values,
)

MOST_NAMES = 60
"""Names that `dir(runoff)` may have."""
ROOMS_CALLED = {"archive", "plots", "__version__"}
SHELL_ALONE = "—"
UNLIKE = {("--seed", "rng")}
"""The option and the argument that are one thing under two names, as settled."""
every_section = pytest.mark.parametrize("title", KINDS)


def coming(title: str) -> set[str]:
    """Return every name that something has in 0.3."""
    return {row.new for row in rows_of(title) if row.new is not None} | names_added(KINDS[title][1])


@every_section
def test_every_public_name_is_in_the_table(title):
    lacking = missing(rows_of(title), names_added(KINDS[title][1]), code_of(title))
    assert not lacking, f"enter these in docs/design/names.md, New in 0.3: {lacking}"


@every_section
def test_what_is_not_marked_has_its_old_name(title):
    assert stale(rows_of(title), code_of(title)) == []


@every_section
def test_what_is_marked_has_lost_its_old_name(title):
    assert left(rows_of(title), code_of(title)) == []


@pytest.mark.parametrize("title", [*KINDS, "Values"])
def test_no_rename_is_left_open(title):
    assert [row.old for row in rows_of(title) if row.new not in (None, row.old) and row.landed != ALL] == []


@every_section
def test_no_old_name_stands_twice(title):
    owned = Counter((row.old, owner) for row in rows_of(title) for owner in row.owners or {""})
    assert [key for key, times in owned.items() if times > 1] == []


@every_section
def test_no_two_things_get_one_name_and_what_joins_a_thing_joins_one_of_the_table(title):
    things = Counter(row.new for row in rows_of(title) if row.new is not None and not row.joins)
    things.update(names_added(KINDS[title][1]))
    joining = {row.new for row in rows_of(title) if row.joins}
    assert ([name for name, times in things.items() if times > 1], joining - set(things)) == ([], set())


@every_section
def test_no_new_name_is_a_word_of_python(title):
    names = {name.split(".")[-1].lstrip("-").replace("-", "_") for name in coming(title)}
    assert [name for name in names if keyword.iskeyword(name) or not name.isidentifier()] == []


def test_no_function_has_the_name_of_a_room():
    assert coming("Functions") & coming("Rooms") == set()


def test_the_package_keeps_to_its_number_of_names():
    names = {name for name in coming("Functions") if "." not in name} | ROOMS_CALLED
    assert len(names) <= MOST_NAMES, "a new function takes the place of another: say which, in docs/design/names.md"


def test_an_option_has_the_name_of_its_argument():
    named = [(row.new, row.python) for row in rows_of("Options") if row.new and row.python != SHELL_ALONE]
    unlike = {(option, name) for option, name in named if option.lstrip("-") != name.replace("_", "-")}
    assert unlike == UNLIKE


def test_the_argument_of_an_option_is_in_the_table():
    pythons = {row.python for row in rows_of("Options")}
    assert pythons - coming("Arguments") - coming("Functions") - coming("Data") == {SHELL_ALONE}


def test_a_value_whose_change_is_not_marked_is_in_the_code():
    rows = rows_of("Values")
    assert rows
    assert [row.old for row in rows if not row.landed and row.old not in values()] == []


def test_no_type_name_is_defined_twice():
    assert dict(types_defined_twice()) == {}


def test_a_class_is_not_going_to_be_called_as_another_type_is():
    coming_names = {row.new for row in rows_of("Classes") if row.new not in (None, row.old) and not row.landed}
    assert coming_names & types_defined() == set()


# ── how the table is read ──────────

COMPARE, PLAN = frozenset({"compare"}), frozenset({"plan"})
RENAME = Row("metrics", new="measure")


def test_a_name_that_stands_nowhere_is_missing():
    code = {COMPARE: frozenset({"metrics", "measure", "metric"})}
    assert missing([RENAME], frozenset(), code) == [("compare", "metric")]


def test_a_row_is_stale_once_the_old_name_is_gone_and_not_before():
    assert stale([RENAME], {COMPARE: frozenset({"metrics"}), PLAN: frozenset()}) == []
    assert stale([RENAME], {COMPARE: frozenset({"measure"}), PLAN: frozenset()}) == ["metrics"]


def test_a_row_that_names_its_owners_is_stale_once_any_of_them_lacks_the_old_name():
    code = {COMPARE: frozenset({"metrics"}), PLAN: frozenset({"measure"})}
    row = RENAME._replace(owners=COMPARE | PLAN)
    assert stale([row], code) == ["metrics"]
    assert stale([row._replace(landed=PLAN)], code) == []


def test_an_old_name_is_left_where_its_row_is_marked_and_only_there():
    code = {COMPARE: frozenset({"metrics"}), PLAN: frozenset({"metrics"})}
    assert left([RENAME], code) == []
    assert left([RENAME._replace(landed=PLAN)], code) == [("plan", "metrics")]
    assert left([RENAME._replace(landed=ALL)], code) == [("compare", "metrics"), ("plan", "metrics")]


def test_a_name_that_passes_from_one_thing_to_another_is_not_left():
    own = Row("low", new="own_low", landed=ALL)
    assert left([own, Row("decided_low", new="low", landed=ALL)], {COMPARE: frozenset({"low", "own_low"})}) == []


def test_a_row_of_another_owner_does_not_name_what_an_owner_has():
    code = {COMPARE: frozenset({"metrics"}), PLAN: frozenset({"metrics"})}
    assert missing([RENAME._replace(owners=COMPARE)], frozenset(), code) == [("plan", "metrics")]


def test_names_that_are_added_are_those_of_their_kind():
    kinds = {word: names_added(word) for _, word in KINDS.values()}
    assert any(kinds.values())
    assert names_added("nothing of that kind") == frozenset()
