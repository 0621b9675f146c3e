"""The assignment of roles to columns: by a usual name of the field, otherwise by the words in the name; notes state the mapping."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from runoff.errors import DataError, OptionError, nearest
from runoff.tables.likely import USUAL_NAMES, Chosen, candidates, free_columns
from runoff.words.columns import names_runs
from runoff.words.labels import is_centre, is_spread
from runoff.words.names import area_hint
from runoff.words.speech import choice, claims_of, in_shell, option
from runoff.words.speech import column as chosen_column
from runoff.words.words import CENTRES, names_items, vocabulary, words

ROLES = tuple(USUAL_NAMES)
UNUSED = "unused"
"""The word used in place of a role for comma-separated columns without a role."""
ROWS = "rows"
"""The word used in place of a role for the rows to read, `split=test,lr=0.1`: the values that columns have there."""
SETTINGS = "settings"
"""The word used in place of a role for comma-separated columns of settings; `lr?` marks a column that may be missing."""
BESIDE = ("--cluster", "--strata")
"""The options that name a column describing tasks, which has no role but is used."""
OTHERWISE = ("--no-step", "--no-task", "--no-algorithm", "--no-run", "--no-score")
"""The words used in place of a role for columns that are named like steps or scores and hold texts, like tasks, runs or steps and hold scores,
or like controllers and hold numbers."""
ALSO: Mapping[str, str] = {"seed": "run", "series": "score"}
"""Other words for a role."""
NAMED = ("algorithm", "task", "run")
"""The roles that name a run."""
FRAME = "the frame"
"""The place, in messages, of a table that is not a file."""
BEST = vocabulary("best max maximum peak highest")
"""Words in names of scores that were the highest on the way."""
ROW = "row"
"""The word used in place of a run column to make each row a run."""


BESIDE_SCORES = (*NAMED, "step", "config")
"""The roles of columns beside that of the scores."""


def roles_of(name: str, roles: Sequence[str] = NAMED) -> list[str]:
    """Return the roles that a column of this name alone could play.

    >>> roles_of("seed"), roles_of("env_id"), roles_of("PPO")
    (['run'], ['task'], [])
    """
    return [role for role in roles if candidates([name], role)]


def playing(names: Collection[str], roles: Sequence[str] = BESIDE_SCORES) -> set[str]:
    """Return the columns that could play one of some roles."""
    return {name for role in roles for name in candidates(names, role)}


def column_of(role: str, names: Collection[str], chosen: Chosen) -> str:
    """Return the column of a role, by choice or the first by name; "" without one."""
    return chosen.get(role) or next(iter(candidates(names, role)), "")


def columns_of(roles: Sequence[str], names: Collection[str], chosen: Chosen) -> dict[str, str]:
    """Return the column of each role, by choice or the first by name; "" for a role without one."""
    return {role: column_of(role, names, chosen) for role in roles}


WITHOUT_SCORE: Mapping[str | None, str] = {
    None: "",
    "ends": f", or choose one: {option('incomplete', 'drop')} or {option('incomplete', 'worst')}",
    "curves": f", or leave it out: {option('incomplete', 'drop')}",
}
"""How runs without a score may count, by what a column of scores contains."""


def recognise(names: Sequence[str], *, wanted: Sequence[str], chosen: Chosen, place: str) -> dict[str, str]:
    """Return {role: column} for the wanted roles.

    A chosen column takes precedence; otherwise a column with a usual name, or with words that mean steps, scores or runs. Ambiguous roles
    are refused; roles without a column are left out.
    """
    check_roles(chosen)
    free = free_columns(names, chosen)
    mapping: dict[str, str] = {}
    for role in wanted:
        if role == "run" and each_row_is_a_run(names, chosen):
            continue
        column, usual = chosen.get(role), candidates(free, role)
        if role == "score" and len(usual) > 1:
            usual = _named_by_file(usual, place) or usual
        if column is not None and column not in names:
            several = role == "config" and {*column.split(",")} <= {*names}
            repair = " It is one column: join several into one first." if several else nearest(column, names)
            repair += area_hint(column) if role == "score" else ""
            repair += _of_all_rows(place, column) if role == "algorithm" and not repair else ""
            message = f"{place}: there is no column {column!r} to be the {role}; found {listed(names)}.{repair}"
            raise OptionError(message)
        # Never the first of two: `env` and `game`, or two returns, are for the user to tell apart. A column of
        # configurations is only a guess, and is dropped where it tells of no sweep.
        if not column and len(usual) > 1 and role != "config":
            # of a step's reward and a return the return, of the best and the last the last
            likely = min(usual, key=lambda name: (not BEST.isdisjoint(words(name)), "return" not in name.lower()))
            if role == "task" and all(map(names_items, usual)):
                likely = "/".join(usual)  # `problem` and `instance` name a row together
            raise DataError(
                f"{place}: the columns {listed(usual)} could each be the {role}; name the right one, for example "
                f"{naming(role, place, likely)}."
            )
        if column or usual:
            mapping[role] = column or usual[0]
    return mapping


def _named_by_file(scores: Sequence[str], place: str) -> list[str]:
    """Return the one of several scores that the name of the file says: `test_battle_won_mean` of `smac_test_battle_won.csv`."""
    stem = {*words(PurePath(place).stem)}
    named = [name for name in scores if (own := {*words(name)} - CENTRES) and own <= stem]
    return named if len(named) == 1 else []


def by_role(columns: Mapping[str, Any] | None, **named: Any) -> dict[str, str]:
    """Return {role: column} as chosen by `columns=` and by arguments named after roles; refuse a role with two columns."""
    if not isinstance(columns, Mapping | None):
        raise OptionError(f"columns= takes a dictionary such as {{'score': 'return'}}, not {columns!r}.")
    chosen: dict[str, str] = {}
    by_argument = [(name, given, f"{name}=") for name, given in named.items()]
    in_columns = [(name, given, f"columns={{{name!r}: …}}") for name, given in (columns or {}).items()]
    for name, given, place in [*in_columns, *by_argument]:
        role = ALSO.get(name, name)
        if role == "config" and isinstance(
            given, list | tuple
        ):  # a configuration of several columns: these are its settings
            role = SETTINGS
        column = _text_of(role, given, place)
        if column is not None and chosen.setdefault(role, column) != column:
            message = f"{chosen[role]!r} and {column!r} are named for one role, the {role}: name one of them."
            raise OptionError(message)
    return chosen


LISTED = (SETTINGS, ROWS, UNUSED)
"""Roles of several columns, which a text names with commas."""


def _text_of(role: str, column: Any, place: str) -> str | None:
    """Return the column that is named for a role; of a dictionary of rows, or a list, the text that means the same, `split=test,lr=0.1`."""
    if isinstance(column, list | tuple) and column and all(isinstance(name, str) for name in column):
        if role in LISTED or len(column) == 1:
            return ",".join(column)
        if role == "task":  # of a benchmark and a name
            return "/".join(column)
        raise OptionError(
            f"{place} takes one column, and {column!r} are {len(column)}: columns={{'settings': {','.join(column)!r}}} makes a configuration of "
            f"each combination of them; for one {role} of each, join them into one column first."
        )
    if role == ROWS and isinstance(column, Mapping):
        values = {name: own if isinstance(own, list | tuple) else [own] for name, own in column.items()}
        return ",".join(f"{name}={value}" for name, own in values.items() for value in own)
    if column is None or isinstance(column, str):
        return column
    raise OptionError(
        f"{place} takes a text, {'such as split=test' if role == ROWS else 'the name of a column'}, not {column!r}."
    )


def check_roles(chosen: Chosen) -> None:
    """Refuse an unknown role."""
    named = (*ROLES, SETTINGS, ROWS, UNUSED)
    unknown = next((role for role in chosen if role not in (*named, *BESIDE, *OTHERWISE)), None)
    if unknown is not None:
        knows = f"{', '.join(named[:-1])} and {UNUSED}"
        message = f"{option('columns')} knows {knows}, not {unknown!r}.{nearest(str(unknown), named)}"
        raise OptionError(message)


def each_row_is_a_run(names: Sequence[str], chosen: Chosen) -> bool:
    """Return whether the user declared each row to be a run."""
    return chosen.get("run") == ROW and ROW not in names


def missing_column(role: str, names: Sequence[str], place: str, likely: str = "NAME", run: str = "") -> DataError:
    """Return the refusal for a role without a column; `likely` is a column that may play it, and `run` one that may name the runs."""
    usual = "|".join(USUAL_NAMES[role])
    both = summed_up(names) if role == "score" else None
    if both is not None:
        them = f"{place}: no column is recognised as the score, but {both[0]!r} and {both[1]!r} sum up"
        if any(map(names_runs, names)):
            return DataError(
                f"{them} the evaluations of each run; if {both[0]!r} is its score, use {naming(role, place, both[0])}."
            )
        return DataError(
            f"{them} runs that the table lacks; judge what such a table claims with {claims_of(place)}, or give the score of every run."
        )
    named = naming(role, place, likely)
    if run:
        roles = {"run": run, role: likely}
        shell = " ".join(in_shell(chosen_column(*pair)) for pair in roles.items())
        named = f"{choice(f'columns={roles!r}', shell)}, for {run!r} counts the rows of each cell"
    what = f"{place}: no column is recognised as the {role} (usual names: {usual}); found {listed(names)}; name it with {named}."
    return DataError(what + (_of_all_rows(place) if role == "algorithm" and likely == "NAME" else ""))


def summed_up(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of means and of spreads; None unless there are both."""
    spreads = [name for name in names if is_spread(name) or name.casefold() in ("sd", "se")]
    means = list(filter(is_centre, names))
    return (means[0], spreads[0]) if means and spreads else None


def naming(role: str, place: str, name: str = "NAME") -> str:
    """Return the option that names a column; for a frame, the argument that `from_frame` and all others have."""
    return f"{role}={name!r}" if place == FRAME else chosen_column(role, name)


def as_setting(name: str, place: str) -> str:
    """Return the option that makes a column a setting of the algorithm."""
    return f"config={name!r}" if place == FRAME else chosen_column(SETTINGS, name)


def _of_all_rows(place: str, name: str = "NAME") -> str:
    """Return how a frame without a column of algorithms names the only one; a file is named by its folder."""
    if place != FRAME:
        return ""
    return (
        f" If all rows are of one algorithm, give its name a column: data.assign(algorithm={name!r}) of a pandas frame."
    )


def an(role: str) -> str:
    """Return a role with its article: an algorithm, a task."""
    return f"an {role}" if role == "algorithm" else f"a {role}"


def listed(names: Sequence[str], most: int = 12) -> str:
    """Return the first names, quoted, and the number of the others."""
    return ", ".join(map(repr, names[:most])) + (f" and {len(names) - most} more" if len(names) > most else "")


def not_there(place: str, what: str, name: str, names: Sequence[str], purpose: str = "") -> OptionError:
    """Return the refusal of a name that nothing has, with the names that are there."""
    return OptionError(f"{place}: there is no {what} {name!r}{purpose}; found {listed(names)}.{nearest(name, names)}")


def check_unique(names: Sequence[str], place: str) -> None:
    """Refuse a column name that appears twice."""
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        plain = twice.strip() and not roles_of(twice, ROLES)
        runs = f"; for runs of one algorithm, call them '{twice}_seed1' and '{twice}_seed2'" if plain else ""
        raise DataError(f"{place}: the column name {twice!r} appears twice; rename one of the two columns{runs}.")
