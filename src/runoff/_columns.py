"""Which column is which: the usual names of the field, recognised case-insensitively, and the mapping stated openly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runoff.errors import DataError, OptionError, nearest

USUAL_NAMES: dict[str, tuple[str, ...]] = {
    "algorithm": ("algorithm", "algo", "agent", "method", "policy", "exp_name"),
    "task": ("task", "env", "env_id", "environment", "game"),
    "run": ("run", "seed", "trial", "run_id"),
    "score": ("score", "return", "reward", "episodic_return", "episode_reward", "performance", "value"),
    "step": ("step", "timestep", "frame", "global_step"),
}
"""Role -> names in order of preference."""

ROLES = tuple(USUAL_NAMES)


def recognise(
    names: Sequence[str], *, wanted: Sequence[str], chosen: Mapping[str, str | None], place: str
) -> dict[str, str]:
    """Return {role: column} for the wanted roles.

    A chosen column wins; otherwise the one with a usual name. Ambiguous roles are refused; roles that no column plays are left out.

    Raises
    ------
    DataError
        Two columns could play a role.
    OptionError
        A chosen column or role does not exist.
    """
    unknown = [role for role in chosen if role not in ROLES]
    if unknown:
        raise OptionError(f"columns= knows {', '.join(ROLES)}, not {unknown[0]!r}.{nearest(unknown[0], ROLES)}")
    free = [name for name in names if name not in chosen.values()]
    mapping: dict[str, str] = {}
    for role in wanted:
        column = _chosen(names, role, chosen.get(role), place) or _usual(free, role, place)
        if column is not None:
            mapping[role] = column
    return mapping


def _chosen(names: Sequence[str], role: str, column: str | None, place: str) -> str | None:
    if column is not None and column not in names:
        raise OptionError(
            f"{place}: there is no column {column!r} to be the {role}; found {_listed(names)}.{nearest(column, names)}"
        )
    return column


def _usual(names: Sequence[str], role: str, place: str) -> str | None:
    known = USUAL_NAMES[role]
    found = [name for name in names if name.strip().casefold() in known]
    found.sort(key=lambda name: known.index(name.strip().casefold()))
    if len(found) > 1:
        raise DataError(
            f"{place}: the columns {_listed(found)} could each be the {role}; name the right one, for example "
            f"columns={{{role!r}: {found[0]!r}}} (--columns {role}={found[0]} on the command line)."
        )
    return found[0] if found else None


def plays(names: Sequence[str], role: str, chosen: Mapping[str, str | None]) -> bool:
    """Return whether a column is chosen, or usually named, for a role."""
    free = {name.strip().casefold() for name in names if name not in chosen.values()}
    return chosen.get(role) is not None or bool(free.intersection(USUAL_NAMES[role]))


def missing_column(role: str, names: Sequence[str], place: str) -> DataError:
    """Return the refusal for a role that no column plays."""
    usual = "|".join(USUAL_NAMES[role])
    return DataError(
        f"{place}: no column is recognised as the {role} (usual names: {usual}); found {_listed(names)}; name it with columns={{{role!r}: ...}}."
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
