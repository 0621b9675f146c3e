"""The assignment of roles to columns: by a usual name of the field, otherwise by the words in the name; notes state the mapping."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from runoff.errors import DataError, OptionError, nearest
from runoff.words.speech import choice, option
from runoff.words.speech import column as chosen_column
from runoff.words.words import (
    IN_BRACKETS,
    is_centre,
    is_spread,
    kind,
    names_outcome,
    names_quality,
    names_runs,
    preferred,
    words,
)

USUAL_NAMES: dict[str, tuple[str, ...]] = {
    "algorithm": ("algorithm", "algo", "agent", "method", "policy", "exp_name"),
    "task": ("task", "env", "env_id", "environment", "game"),
    "run": ("run", "seed", "trial", "run_id"),
    "score": ("score", "return", "reward", "episodic_return", "episode_reward", "performance", "value"),
    "step": ("step", "timestep", "frame", "global_step", "t_env"),
    "config": ("config", "config_id", "configuration", "hparams", "hparams_id", "hyperparameters"),
}
"""Role -> usual column names, in order of preference."""

LATER = {
    "algorithm": ("classifier", "optimizer", "optimiser", "variant"),
    "task": ("map", "scenario", "maze", "scene", "bench", "benchmark"),
}
"""Role -> words that name it alone where no other column is named like it."""
NAMING = {
    "algorithm": (
        *("alg", "algorithm", "algo", "agent", "method", "model", "model_name_or_path", "planner", "controller"),
        *("algorithmus", "verfahren", "methode", "algoritme", "algorithme", "méthode", "algoritmo", "método"),
    ),
    "task": (
        *("task", "env", "environment", "gym", "game", "item", "question", "problem", "instance"),
        *(
            "umgebung",
            "aufgabe",
            "omgeving",
            "taak",
            "environnement",
            "tâche",
            "entorno",
            "jeu",
            "juego",
            "spiel",
            "gioco",
            "tarea",
            "ambiente",
        ),
    ),
}
"""Role -> words that name it, together with "name" or "id" or, if there is no usual name, alone; in several languages."""

CONFIGURED = re.compile(r"(?:hyper)?param(?:eter)?s?[/.](?:\w+[/.])?|(?:config|hparams|args)[/.]", re.IGNORECASE)
"""Prefixes that trackers put before the names of a configuration in exported tables: `params.algo`, `hyperparams.Args.algo`."""
ROLES = tuple(USUAL_NAMES)
UNUSED = "unused"
"""The word used in place of a role for comma-separated columns without a role."""
SETTINGS = "settings"
"""The word used in place of a role for comma-separated columns of settings; `lr?` marks a column that may be missing."""
BESIDE = ("--cluster", "--strata")
"""The options that name a column describing tasks, which has no role but is used."""
ALSO: Mapping[str, str] = {"seed": "run", "series": "score"}
"""Other words for a role."""
NAMED = ("algorithm", "task", "run")
"""The roles that name a run."""
FRAME = "the frame"
"""The place, in messages, of a table that is not a file."""
ROW = "row"
"""The word used in place of a run column to make each row a run."""


WITHOUT_SCORE: Mapping[str | None, str] = {
    None: "",
    "ends": f", or choose one: {option('incomplete', 'worst')} or {option('incomplete', 'drop')}",
    "curves": f", or leave it out: {option('incomplete', 'drop')}",
}
"""How runs without a score may count, by what a column of scores contains."""


def recognise(
    names: Sequence[str], *, wanted: Sequence[str], chosen: Mapping[str, str | None], place: str
) -> dict[str, str]:
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
        if column is not None and column not in names:
            several = role == "config" and {*column.split(",")} <= {*names}
            repair = " It is one column: join several into one first." if several else nearest(column, names)
            message = f"{place}: there is no column {column!r} to be the {role}; found {listed(names)}.{repair}"
            raise OptionError(message)
        # Never the first of two: `env` and `game`, or two returns, are for the user to tell apart. A column of
        # configurations is only a guess, and is dropped where it tells of no sweep.
        if not column and len(usual) > 1 and role != "config":
            likely = min(
                usual, key=lambda name: "return" not in name.lower()
            )  # of a step's reward and a return, the return
            raise DataError(
                f"{place}: the columns {listed(usual)} could each be the {role}; name the right one, for example "
                f"{_naming(role, place, likely)}."
            )
        if column or usual:
            mapping[role] = column or usual[0]
    return mapping


def by_role(columns: Mapping[str, str] | None, **named: str | None) -> dict[str, str]:
    """Return {role: column} as chosen by `columns=` and by arguments named after roles; refuse a role with two columns."""
    chosen: dict[str, str] = {}
    for name, column in [*(columns or {}).items(), *named.items()]:
        role = ALSO.get(name, name)
        if column is not None and chosen.setdefault(role, column) != column:
            message = f"{chosen[role]!r} and {column!r} are named for one role, the {role}: name one of them."
            raise OptionError(message)
    return chosen


def check_roles(chosen: Mapping[str, str | None]) -> None:
    """Refuse an unknown role."""
    named = (*ROLES, SETTINGS, UNUSED)
    unknown = next((role for role in chosen if role not in (*named, *BESIDE)), None)
    if unknown is not None:
        knows = f"{', '.join(named[:-1])} and {UNUSED}"
        message = f"{option('columns')} knows {knows}, not {unknown!r}.{nearest(str(unknown), named)}"
        raise OptionError(message)


def free_columns(names: Iterable[str], chosen: Mapping[str, str | None]) -> list[str]:
    """Return the columns to which the user gave no role."""
    return [name for name in names if name not in chosen.values()]


def each_row_is_a_run(names: Sequence[str], chosen: Mapping[str, str | None]) -> bool:
    """Return whether the user declared each row to be a run."""
    return chosen.get("run") == ROW and ROW not in names


def candidates(names: Sequence[str], role: str) -> list[str]:
    """Return the columns that could play a role: those with a usual name, otherwise the likeliest of those whose words fit.

    >>> candidates(["algo", "EnvironmentSteps", "Epoch", "eval/return", "train/return"], "step")
    ['EnvironmentSteps']
    """
    return list(_candidates(tuple(names), role))


@lru_cache(1 << 10)  # a folder of 100,000 files has the same columns 100,000 times
def _candidates(names: tuple[str, ...], role: str) -> Sequence[str]:
    usual = USUAL_NAMES[role]
    own = {name: name.strip().casefold() for name in names}
    # the names of a run stand in its configuration, what it measured does not
    configured = {} if role in ("score", "step") else {name: CONFIGURED.sub("", own[name], count=1) for name in names}
    # `config.seed` beside `run_id`: W&B and MLflow draw an id for each start of a script.
    seeds = [name for name in names if role == "run" and own[name] != configured[name] == "seed"]
    if seeds and not {"run", "seed", "trial"}.intersection(own.values()):
        return seeds  # the `run_id` of a tracker is another where a seed was trained twice
    if role == "run" and {"seed", "run_id"} <= {*own.values()} and not {"run", "trial"}.intersection(own.values()):
        return [name for name in names if own[name] == "seed"]
    for bare in (own, configured):
        if exact := [name for name in bare if bare[name] in usual]:
            ranked = sorted(exact, key=lambda name: usual.index(bare[name]))
            # `reward` may be that of one step, where returns of episodes stand beside it
            return ranked + ([n for n in names if _is_return(n)] if own[ranked[0]] == "reward" else [])
    # `agent_name`, `env id`, `model`: the whole name has to be one of these, for words such as `model` stand in many
    # others (`model_loss`).
    if role in NAMING:
        likely = {
            *usual,
            *NAMING[role],
            *(f"{subject}_{suffix}" for subject in NAMING[role] for suffix in ("name", "id")),
            *(("task_family", "env_family") if role == "task" else ()),
        }
        # `map (win % of 3 seeds)`: brackets hold remarks.
        named = {name: "_".join(words(CONFIGURED.sub("", IN_BRACKETS.sub("", name), count=1))) for name in names}
        first = [name for name in names if named[name] in likely]
        return first or [name for name in names if named[name].removesuffix("_name") in LATER[role]]
    if role == "run":
        return [name for name in names if names_runs(name)]
    if role == "config":
        return []
    if role == "score":
        return _scores(names, own)
    # Epochs count steps too, but other numbers of them for each algorithm.
    steps = [name for name in names if kind(name) == "step"]
    return steps or [name for name in names if kind(name) == "iteration"]


def _scores(names: Sequence[str], own: Mapping[str, str]) -> Sequence[str]:
    """Return the columns that could be the score, none of which has a usual name; own: the names in small letters."""
    # The monitors of Gym and of its heirs write the return, the length and the time of episodes.
    if {"r", "l", "t"} <= {*own.values()}:
        return [name for name in names if own[name] == "r"]
    # Outcomes (`passed`), then accuracies, are the score only where nothing is named like one.
    scores = preferred([name for name in names if kind(name) == "score"])
    return scores or list(filter(names_outcome, names)) or preferred(list(filter(names_quality, names)))


def _is_return(name: str) -> bool:
    return kind(name) == "score" and not {"return", "returns", "episodic"}.isdisjoint(words(name))


def plays(names: Sequence[str], role: str, chosen: Mapping[str, str | None]) -> bool:
    """Return whether a role has a column, by choice or by name."""
    if chosen.get(role) is not None:
        return True
    return bool(candidates(free_columns(names, chosen), role))


def missing_column(role: str, names: Sequence[str], place: str, likely: str = "NAME") -> DataError:
    """Return the refusal for a role without a column; `likely` is a column that may play it."""
    usual = "|".join(USUAL_NAMES[role])
    both = summed_up(names) if role == "score" else None
    if both is not None:
        them = f"{place}: no column is recognised as the score, but {both[0]!r} and {both[1]!r} sum up"
        if any(map(names_runs, names)):
            return DataError(
                f"{them} the evaluations of each run; if {both[0]!r} is its score, use {_naming(role, place, both[0])}."
            )
        judge = choice("claims", f"runoff claims {place}")
        return DataError(
            f"{them} runs that the table lacks; judge what such a table claims with {judge}, or give the score of every run."
        )
    named = _naming(role, place, likely)
    what = f"{place}: no column is recognised as the {role} (usual names: {usual}); found {listed(names)}; name it with {named}."
    return DataError(what)


def summed_up(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of means and of spreads; None unless there are both."""
    spreads = [name for name in names if is_spread(name) or name.casefold() in ("sd", "se")]
    means = list(filter(is_centre, names))
    return (means[0], spreads[0]) if means and spreads else None


def _naming(role: str, place: str, name: str = "NAME") -> str:
    """Return the option that names a column; for a frame, the argument of `from_frame`."""
    return f"{role}={name!r} of from_frame" if place == FRAME else chosen_column(role, name)


def an(role: str) -> str:
    """Return a role with its article: an algorithm, a task."""
    return f"an {role}" if role == "algorithm" else f"a {role}"


def listed(names: Sequence[str], most: int = 12) -> str:
    """Return the first names, quoted, and the number of the others."""
    return ", ".join(map(repr, names[:most])) + (f" and {len(names) - most} more" if len(names) > most else "")


def check_unique(names: Sequence[str], place: str) -> None:
    """Refuse a column name that appears twice."""
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        plain = twice.strip() and not any(candidates([twice], role) for role in USUAL_NAMES)
        runs = f"; for runs of one algorithm, call them '{twice}_seed1' and '{twice}_seed2'" if plain else ""
        raise DataError(f"{place}: the column name {twice!r} appears twice; rename one of the two columns{runs}.")
