"""Optuna's studies: databases and journals, whose trials are runs with their parameters as settings; tables of trials are refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.grouping import grouped
from runoff.errors import DataError
from runoff.reading._configured import flat
from runoff.reading.logs.base import ClaimedRun, Folder, Happening, Log, Series, Tool, Wish
from runoff.reading.logs.rows import log_of_series
from runoff.reading.logs.wire.lines import as_dict, fields_of, json_lines, json_object
from runoff.reading.logs.wire.sqlite import database, databases, holds

JOURNALS, TABLES = (".log", ".journal", ".jsonl"), (".csv",)
TABLES_OF_A_STUDY = {
    "studies": frozenset({"study_name"}),
    "study_directions": frozenset({"direction"}),
    "trials": frozenset({"trial_id"}),
    "trial_params": frozenset({"param_name"}),
    "trial_values": frozenset({"value"}),
}
JOURNAL = {"op_code", "worker_id"}
"""Keys of every entry of a journal."""
COLUMNS = {"number", "state", "datetime_start", "datetime_complete", "duration"}
"""Columns of `study.trials_dataframe()`."""
STATES = ("RUNNING", "COMPLETE", "PRUNED", "FAIL", "WAITING")
"""The states of trials by their number in journals."""
MINIMISED = 1
SCORE, COST, REPORTED = "score", "cost", "reported"
"""The series of a trial: the maximised value, the minimised value, and intermediate reports."""


@dataclass(slots=True, kw_only=True)
class StudyTrial:
    """The part of a trial that is read; a study with several `directions` has several objectives."""

    study: str
    number: int
    directions: Sequence[bool]
    state: str = "RUNNING"
    values: Sequence[float] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    reports: dict[int, float] = field(default_factory=dict)
    of_grid: bool = False


def find_optuna(folder: Folder) -> list[ClaimedRun]:
    """Return the studies in a folder: databases, journals, tables of trials."""
    names = [name for name in databases(folder) if holds(folder.path / name, TABLES_OF_A_STUDY)]
    first_lines = {name: json_object(folder.head(name).partition(b"\n")[0]) for name in folder.named(*JOURNALS)}
    names += [name for name, entry in first_lines.items() if (entry or {}).keys() >= JOURNAL]
    heads = {name: fields_of(folder.head(name)) for name in folder.named(*TABLES)}
    of_trials = (name for name, head in heads.items() if {*head} >= COLUMNS)
    # A column of numbers, states and times may also stand in a table of the user's.
    names += [name for name in of_trials if any(column.startswith("params_") for column in heads[name])]
    return [folder.file("optuna", name, Path(name).stem) for name in names]


def read_optuna(claim: ClaimedRun, wish: Wish) -> Sequence[Log]:
    """Return the trials of the studies in a file; refuse a table of trials, and several objectives."""
    (part,) = claim.files
    if part.path.suffix.casefold() in TABLES:
        raise DataError(
            f"{part.path}: a table of trials of an Optuna study does not say whether its value is maximised: read the study itself (its "
            "database or its journal)."
        )
    happened: tuple[Happening, ...] = ()
    if part.path.suffix.casefold() in JOURNALS:
        entries, happened = json_lines(part.path)
        trials = list(_of_journal(entries))
    else:
        with database(part.path) as connection:
            trials = list(_of_database(connection))
    trials = [trial for trial in trials if trial.state != "WAITING"]
    several = next((trial for trial in trials if len(trial.directions) > 1), None)
    if several is not None:
        raise DataError(
            f"{part.path}: the study {several.study!r} has {len(several.directions)} objectives, and a run has one score: give a table of the "
            "trials with a single objective."
        )
    if not trials:
        raise DataError(f"{part.path}: the study holds no trial that was run.")
    return [_log(claim, wish, trial, happened if i == 0 else ()) for i, trial in enumerate(trials)]


def _log(claim: ClaimedRun, wish: Wish, trial: StudyTrial, happened: tuple[Happening, ...]) -> Log:
    """Return a trial as a run: its parameters are settings, its user attributes (an algorithm, a task, a seed) its configuration."""
    name = COST if trial.directions[0] else SCORE
    # Workers may report a later step first.
    steps, values = np.array(sorted(trial.reports.items()), dtype=np.float64).reshape(-1, 2).T
    reported, series = Series(step=steps, value=values), {}
    if trial.values and steps.size and trial.values[0] == values[-1]:
        series = {name: reported}
    elif trial.values:
        # The value is another thing than what was reported last (a mean, the best), at the end of the trial.
        series = {name: Series(step=np.array([steps[-1] if steps.size else 0.0]), value=np.array(trial.values[:1]))}
        series |= {REPORTED: reported} if steps.size else {}
    elif steps.size:
        series = {name: reported}
    if trial.state in ("PRUNED", "FAIL"):
        happened = (*happened, Happening(policy="failed", where=trial.state))
    if not trial.of_grid:
        happened = (*happened, Happening(policy="sampled_settings", where=trial.study))
    names = {} if {"seed", "run"} & {*trial.settings, *trial.attributes} else {"run": str(trial.number)}
    config = flat({**trial.attributes, **trial.settings})
    inner, hints = f"{trial.study}, trial {trial.number}", (trial.study,)
    return log_of_series(claim, wish, series, names=names, config=config, inner=inner, hints=hints, happened=happened)


def _value(internal: float, distribution: Any) -> Any:
    """Return a parameter in its external form: one of the choices, an integer, or a number."""
    own = json_object(distribution) or {}
    choices = as_dict(own.get("attributes")).get("choices")
    if isinstance(choices, list) and 0 <= int(internal) < len(choices):
        return choices[int(internal)]
    return int(internal) if "Int" in str(own.get("name")) else float(internal)


# ── databases ──────────


def _of_database(connection: sqlite3.Connection) -> Iterator[StudyTrial]:
    """Yield the trials of all studies in a database."""
    objectives = connection.execute("SELECT study_id, direction FROM study_directions")
    directions = grouped((study, direction == "MINIMIZE") for study, direction in objectives)
    query = "SELECT trial_id, study_id, study_name, number, state FROM trials JOIN studies USING (study_id) ORDER BY trial_id"
    trials = {
        key: StudyTrial(study=str(name), number=number, directions=directions.get(study, [False]), state=state)
        for key, study, name, number, state in connection.execute(query)
    }
    for key, name, internal, distribution in connection.execute(
        "SELECT trial_id, param_name, param_value, distribution_json FROM trial_params"
    ):
        trials[key].settings[name] = _value(internal, distribution)
    for key, value, kind in connection.execute("SELECT trial_id, value, value_type FROM trial_values"):
        trials[key].values = (*trials[key].values, _number(value, kind))
    for key, step, value, kind in connection.execute(
        "SELECT trial_id, step, intermediate_value, intermediate_value_type FROM trial_intermediate_values"
    ):
        trials[key].reports[step] = _number(value, kind)
    for key, name, text in connection.execute('SELECT trial_id, "key", value_json FROM trial_user_attributes'):
        trials[key].attributes[name] = (json_object(f'{{"value": {text}}}') or {}).get("value")
    for (key,) in connection.execute("SELECT trial_id FROM trial_system_attributes WHERE \"key\" = 'grid_id'"):
        trials[key].of_grid = True
    yield from trials.values()


def _number(value: float | None, kind: str) -> float:
    return {"INF_POS": np.inf, "INF_NEG": -np.inf}.get(kind, np.nan if value is None else float(value))


# ── journals ──────────


def _of_journal(entries: Sequence[Mapping[str, Any]]) -> Iterator[StudyTrial]:
    """Yield the trials in a journal; studies and trials are numbered in the order of their entries."""
    studies: list[tuple[str, list[bool]]] = []
    trials: list[tuple[int, StudyTrial]] = []
    deleted: set[int] = set()
    for entry in entries:
        code = entry["op_code"]
        if code == 0:
            studies.append((str(entry["study_name"]), [own == MINIMISED for own in entry["directions"]]))
        elif code == 1:
            deleted.add(entry["study_id"])
        elif code == 4:
            name, directions = studies[entry["study_id"]]
            number = sum(study == entry["study_id"] for study, _ in trials)
            trial = StudyTrial(study=name, number=number, directions=directions, state=STATES[entry.get("state", 0)])
            _take_whole(trial, entry)
            trials.append((entry["study_id"], trial))
        elif code >= 5:
            _take(trials[entry["trial_id"]][1], entry)
    yield from (trial for study, trial in trials if study not in deleted)


def _take_whole(trial: StudyTrial, entry: Mapping[str, Any]) -> None:
    """Apply an entry that adds a complete trial."""
    own = as_dict(entry.get("distributions"))
    for name, internal in as_dict(entry.get("params")).items():
        trial.settings[name] = _value(internal, own.get(name))
    trial.attributes |= as_dict(entry.get("user_attrs"))
    trial.of_grid = "grid_id" in as_dict(entry.get("system_attrs"))
    trial.reports |= {int(step): float(value) for step, value in as_dict(entry.get("intermediate_values")).items()}
    values = entry.get("values") or ([] if entry.get("value") is None else [entry["value"]])
    trial.values = tuple(map(float, values))


def _take(trial: StudyTrial, entry: Mapping[str, Any]) -> None:
    """Apply an entry about a trial; an entry that ends a trial which has ended already is ignored."""
    if "param_name" in entry:
        trial.settings[entry["param_name"]] = _value(entry["param_value_internal"], entry["distribution"])
    elif "state" in entry and trial.state in ("RUNNING", "WAITING"):
        trial.state = STATES[entry["state"]]
        trial.values = tuple(map(float, entry.get("values") or ()))
    elif "intermediate_value" in entry:
        trial.reports[int(entry["step"])] = float(entry["intermediate_value"])
    trial.attributes |= as_dict(entry.get("user_attr"))
    trial.of_grid |= "grid_id" in as_dict(entry.get("system_attr"))


OPTUNA = Tool(
    title="Optuna",
    layout="a study (SQLite `.db`, or a journal): a trial is a run with its parameters as settings; pruned and failed trials are unfinished",
    find=find_optuna,
    read=read_optuna,
)
