"""Records in JSON: the names of nested ones, and records that hold the scores of several tasks, as those of lm-eval do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from runoff.base.bounds import refuse_beyond
from runoff.reading._known import BARE, beyond_noise, has_algorithm, is_task, meaning_of, named_run, says_nothing
from runoff.reading.formats.curves import is_scalars
from runoff.tables.columns import NAMED, listed, roles_of
from runoff.tables.likely import candidates, plays
from runoff.tables.source import SourceTable
from runoff.tables.unnamed import LIKE_TASKS, are_epochs
from runoff.words.costs import direction
from runoff.words.labels import counts_runs, is_summary, run_of
from runoff.words.measured import is_measure
from runoff.words.patterns import regex
from runoff.words.scoring import score_of
from runoff.words.words import canonical, kind, vocabulary, words

GROUPS = "group_subtasks"
"""The key below which lm-eval lists the tasks of each group, whose results stand beside theirs."""
DESCRIBES = vocabulary(
    "meta metadata project eval evaluation config configs configuration info args params parameters settings hyperparameters hparams setup "
    "experiment system date created version git commit author notes description name"
)
"""Canonical keys of what describes runs beside them."""
NamedRecord = Mapping[str, Any]


def records_table(records: Sequence[NamedRecord], place: str, row: Callable[[int], str]) -> SourceTable:
    """Return the columns of records; a field that a record lacks is None, and a field of a nested record has both names: `config.seed`.

    A record of several tasks is a row for each.
    """
    key, role = _key_of_tasks(records)
    parts = [
        (at, part) for at, record in enumerate(records) for part in (_by_name(record, key, role) if key else [record])
    ]
    flat = [flat_record(record) for _, record in parts]
    # All records, for a logger may add a field late.
    names = dict.fromkeys(name for record in flat for name in record)
    refuse_beyond("columns", len(names), f"{place}: the records have {len(names)} fields")
    refuse_beyond("values", len(names) * len(flat), f"{place}: the records have {len(names) * len(flat)} values")
    columns = {name: [record.get(name) for record in flat] for name in names}
    if not key:
        return SourceTable(columns=columns, place=place, row=row)
    notes = (f"the names below {key!r} are those of the {role}s", *_left_out(records, key))
    return SourceTable(
        columns=columns,
        place=place,
        row=lambda index: f"{row(parts[index][0])}, {role} {columns[role][index]!r}",
        notes=notes,
    )


MARK = regex(r"\s*(?:/|\||::|,)\s*")
"""What parts names that are joined in a key."""


def unjoined(content: NamedRecord) -> dict[str, Any]:
    """Return numbers below the names that their keys join, `{"PPO/Hopper/seed=1": 3.5}`, of one number each; nothing of another object.

    >>> unjoined({"PPO/Hopper/seed=1": 3.5, "PPO/Hopper/seed=2": 2.5}), unjoined({"return": 3.5, "eval/length": 200})
    ({'PPO': {'Hopper': {'seed=1': 3.5, 'seed=2': 2.5}}}, {})
    """
    names = [[part.strip("()[]'\"") for part in MARK.split(key)] for key in content]
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in content.values())
    runs = [named_run(key) for key in content]
    if numbers and all(runs) and len({*runs}) == len(runs) > 1 and not any(MARK.search(key) for key in content):
        # `{"ppo_seed0": 3.5}`
        by_name: dict[str, Any] = {}
        for (bare, run), value in zip(filter(None, runs), content.values(), strict=True):
            by_name.setdefault(bare, {})[f"seed {run}"] = value
        return by_name
    if not numbers or len({*map(tuple, names)}) < max(len(names), 2) or {*map(len, names)} not in ({2}, {3}):
        return {}
    nested: dict[str, Any] = {}
    for (*outer, last), value in zip(names, content.values(), strict=True):
        inner = nested
        for name in outer:
            inner = inner.setdefault(name, {})
        inner[last] = value
    return nested


def are_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(record, dict) for record in value)


def flat_record(record: NamedRecord) -> NamedRecord:
    """Return a record with the fields of those in it by both names."""
    if not any(isinstance(value, dict) for value in record.values()):
        return record
    flat: dict[str, Any] = {}
    for name, value in record.items():
        inner = value.items() if isinstance(value, dict) else ()
        flat |= dict(pair for key, own in inner for pair in _fields(f"{name}.{key}", own)) if inner else {name: value}
    return flat


def _fields(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the value of a setting as Weights & Biases keeps it, `{"value": 3, "desc": null}`; the name in what has one and settings of its own,
    `{"name": "ppo", "lr": 0.1}`, with these; any other as it is."""
    if isinstance(value, dict) and "value" in value:
        value = value["value"]
    called = [key for key in ("name", "id") if isinstance(value, dict) and isinstance(value.get(key), str)]
    yield name, value[called[0]] if len(called) == 1 else value
    if len(called) == 1:
        yield from ((f"{name}.{key}", own) for key, own in value.items() if key != called[0])


# ── several tasks in a record ──────────


def _key_of_tasks(records: Sequence[NamedRecord]) -> tuple[str, str]:
    """Return the key that says nothing (`results`) below which all records have scores by the names of tasks, or of algorithms, and the role
    of these; ("", "") without such a key."""
    for key in filter(says_nothing, records[0]):
        inner = [record.get(key) for record in records]
        if all(isinstance(own, dict) and own for own in inner) and (role := _role_below(records[0], key, inner)):
            return key, role
    return "", ""


def _role_below(record: NamedRecord, key: str, inner: Sequence[Any]) -> str:
    """Return the role of the names below a key, the one that nothing else in the record plays; "" of measures, runs and kinds of data."""
    names = [*dict.fromkeys(name for own in inner for name in own)]
    beside = {name: value for name, value in record.items() if name != key}
    is_open = [role for role in ("task", "algorithm") if not plays(list(flat_record(beside)), role, {})]
    meaning = meaning_of(names)
    if any(is_measure(name) or BARE.fullmatch(name) for name in names) or meaning not in (None, *is_open):
        return ""
    role = meaning or (is_open[0] if len(is_open) == 1 else "")
    values = [value for own in inner for value in own.values()]
    if all(isinstance(value, dict) for value in values):
        measures = [*dict.fromkeys(measure for value in values for measure in value)]
        return role if candidates(measures, "score") and not {*measures, role} & {*beside} else ""
    # Numbers alone are those of tasks only where tasks are known: other names may say what was measured.
    numbers = all(isinstance(value, int | float) for value in values) and not plays(list(beside), "score", {})
    return role if numbers and meaning == role else ""


def _by_name(record: NamedRecord, key: str, role: str) -> list[dict[str, Any]]:
    """Return a record for each name below the key, without what describes the names."""
    beside = {name: value for name, value in record.items() if name not in {key, *_descriptions(record, key)}}
    config = beside.get("config")
    if isinstance(config, dict) and "model_args" in config:
        # `hf` is the loader of lm-eval, whose arguments say what it loads.
        model = beside.pop("model_name", None) or config.get("model_name") or loaded_by(config["model_args"])
        beside["config"] = {
            name: value for name, value in config.items() if name not in ("model_name", "model" if model else "")
        } | ({"model": model} if model else {})
    groups = record.get(GROUPS) or {}
    return [
        {**beside, role: name, **(value if isinstance(value, dict) else {"score": value})}
        for name, value in record[key].items()
        if not groups.get(name)
    ]


def _descriptions(record: NamedRecord, key: str) -> list[str]:
    """Return the keys below which only names of the record's tasks stand: their versions, the number of their items."""
    return [
        name
        for name, value in record.items()
        if name != key and isinstance(value, dict) and value.keys() <= {*record[key]}
    ]


def _left_out(records: Sequence[NamedRecord], key: str) -> list[str]:
    """Return the notes on what describes tasks, and on groups of tasks, whose tasks stand beside them."""
    described = [*dict.fromkeys(name for record in records for name in _descriptions(record, key))]
    groups = [
        *dict.fromkeys(name for record in records for name in record[key] if (record.get(GROUPS) or {}).get(name))
    ]
    notes = [f"left out: {listed(described)}, which describe them"] * bool(described)
    return notes + [f"left out: {listed(groups)}, groups of tasks that stand beside them"] * bool(groups)


def loaded_by(arguments: Any) -> str:
    """Return what the arguments of a model load: an adapter, or a checkpoint; "" if they do not say.

    >>> loaded_by("pretrained=org/base,peft=./mine,dtype=auto"), loaded_by({"model": "org/base"}), loaded_by("dtype=auto")
    ('./mine', 'org/base', '')
    """
    given = dict(re.findall(r"(?:^|,)\s*(\w+)=([^,]*)", arguments)) if isinstance(arguments, str) else arguments
    texts = [given.get(key) for key in ("peft", "pretrained", "model", "engine")] if isinstance(given, dict) else []
    return next((text for text in texts if isinstance(text, str) and text), "")


def are_scores_of_names(content: NamedRecord, stem: str) -> bool:
    """Return whether each object has one number for each of the same names, which are known tasks, or, in the file of a run (`seed_0`), known
    algorithms below tasks or beside known ones; other names may say what was measured."""
    values = [*content.values()]
    names = [*values[0]] if isinstance(values[0], dict) else []
    alike = all(isinstance(own, dict) and own.keys() == {*names} for own in values)
    numbers = alike and all(isinstance(score, int | float) for own in values for score in own.values())
    if not numbers or len(names) < 2 or any(kind(name) or is_summary(name) for name in (*names, *content)):
        return False
    levels = meaning_of([*content]), meaning_of(names)
    ways = (("task", "algorithm"), (None, "algorithm"), ("algorithm", "task"))
    of_run = run_of(stem) is not None or named_run(stem) is not None
    return all(map(is_task, names)) or (of_run and levels in ways)


def list_of_runs(lists: Mapping[str, Any]) -> str:
    """Return the name of the list of the runs beside others, `seeds`; "" where none or several are there."""
    named = [
        name for name, own in lists.items() if isinstance(own, list) and candidates([name.removesuffix("s")], "run")
    ]
    return named[0] if len(named) == 1 else ""


def runs_beside_scores(content: Mapping[str, Any], above: tuple[str, ...] = ()) -> list[tuple[Any, ...]] | None:
    """Return the names, the run and the score of each entry of lists of both below one or two names each, {ppo: {seeds: [0, 1], returns: [2.5,
    3.5]}}; None of another object. above: the names above."""
    rows: list[tuple[Any, ...]] = []
    for name, lists in content.items():
        if not isinstance(lists, dict) or len(above) > 1:
            return None
        runs = list_of_runs(lists)
        scores = candidates([key.removesuffix("s") for key in lists if key != runs], "score")
        if not runs and not any(isinstance(own, list) for own in lists.values()):
            if (inner := runs_beside_scores(lists, (*above, name))) is None:
                return None
            rows += inner
        elif (
            len(lists) != 2
            or not runs
            or len(scores) != 1
            or not all(map(is_scalars, lists.values()))
            or len({*map(len, lists.values())}) > 1
        ):
            return None
        else:
            (other,) = lists.keys() - {runs}
            rows += [(*above, name, str(run), score) for run, score in zip(lists[runs], lists[other], strict=True)]
    return rows if len({*map(len, rows)}) == 1 else None


# ── records in objects ──────────

PEEK = 20
"""The first records in which scores are looked for."""


def _with_names(records: list[dict[str, Any]], keys: Sequence[str], stem: str) -> list[dict[str, Any]]:
    """Return records below keys with these as names, where nothing in the records names what is compared: `{"ppo": {seed: 1, score: 3.5}}`."""
    fields, meaning = [*records[0]], meaning_of(keys)
    noise = not any(re.search(r"[^\W\d_]", beyond_noise(key)) for key in keys)
    if noise or plays(fields, "algorithm", {}):
        return records
    # In the file of an algorithm names are of runs.
    of_runs = meaning in ("run", "runs_of") or (meaning is None and has_algorithm(stem))
    role = "run" if of_runs else meaning if meaning == "task" else "algorithm"
    # `ppo_0` says more than the seed beside it, `run_0` nothing.
    if role != "algorithm" and meaning != "runs_of" and plays(fields, role, {}):
        return records
    same = candidates(fields, role)
    seeds = candidates(fields, "run")
    if seeds and all(
        re.search(rf"[\W_]{re.escape(str(own.get(seeds[0])))}$", key) for key, own in zip(keys, records, strict=True)
    ):
        same = [*same, *seeds]  # `ppo_0`, of seed 0
    return [
        {role: key} | {name: value for name, value in record.items() if name not in same}
        for key, record in zip(keys, records, strict=True)
    ]


def _of_frame(content: dict[str, Any], stem: str) -> list[dict[str, Any]]:
    """Return the records of DataFrame.to_json(orient="split"), with its index as names if it holds any."""
    records = [dict(zip(map(str, content["columns"]), row, strict=True)) for row in content["data"]]
    index = content.get("index", [])
    if len(index) != len(records):
        return records
    if all(isinstance(own, list) for own in index):  # as `reset_index` calls the levels
        return [
            {f"level_{at}": name for at, name in enumerate(own)} | record
            for own, record in zip(index, records, strict=True)
        ]
    return _with_names(records, list(map(str, index)), stem)


def records_within(content: dict[str, Any], stem: str) -> list[dict[str, Any]] | None:
    """Return the records in an object with further description, or in the form that pandas writes; None if there are none. stem: the name of the
    file."""
    if (record := _record_of_run(content)) is not None:
        return [record]
    # DataFrame.to_json(orient="index"), and records by the names of runs.
    if len(content) > 1 and all(
        isinstance(v, dict) and v.keys() == next(iter(content.values())).keys() for v in content.values()
    ):
        records, names = list(content.values()), list(next(iter(content.values())))
        numbered = [*content] == [*map(str, range(len(content)))]
        bare = numbered and all(is_scalars([*record.values()]) for record in records)
        scored = bare or plays(names, "score", {})
        if scored and any(plays(names, role, {}) for role in ("algorithm", "run", "task")):
            return _with_names(records, [*content], stem)
    # An object that describes an experiment and has its results in a list (`{"config": {…}, "runs": [{…}]}`).
    lists: list[list[dict[str, Any]]] = list(filter(are_records, content.values()))
    names, rows = content.get("columns", ()), content.get("data")
    if content.keys() == {"schema", "data"} and lists:  # DataFrame.to_json(orient="table")
        return lists[0]
    if is_scalars(names) and isinstance(rows, list) and set(content) <= {"columns", "index", "data"}:
        fits = rows and all(is_scalars(row) and len(row) == len(names) for row in rows)
        return _of_frame(content, stem) if fits else None
    if len(lists) == 1 and not any(is_scalars(v) and len(v) > 1 for v in content.values() if isinstance(v, list)):
        return lists[0] if plays(records_table(lists[0][:PEEK], "", str).columns, "algorithm", {}) else None
    # DataFrame.to_json() without more: {column: {row: value}}.
    indexed = [set(v) for v in content.values() if isinstance(v, dict)]
    named = plays(list(content), "score", {}) and any(plays(list(content), r, {}) for r in (*NAMED, "step"))
    texts = any(isinstance(cell, str) for v in content.values() if isinstance(v, dict) for cell in v.values())
    counted = len(content) > 1 and texts and bool(indexed) and indexed[0] == {*map(str, range(len(indexed[0])))}
    if (named or counted) and len(indexed) == len(content) and all(keys == indexed[0] for keys in indexed):
        rows = [*next(iter(content.values()))]
        return _with_names([{name: column[key] for name, column in content.items()} for key in rows], rows, stem)
    return None


def _record_of_run(content: dict[str, Any]) -> dict[str, Any] | None:
    """Return the record of one run, which names the run and has a score, a list of scores or an outcome; None for another object."""
    # What W&B keeps for itself, and its pictures and tables, are no measures.
    own = {n: v for n, v in content.items() if not (n.startswith("_") or (isinstance(v, dict) and "_type" in v))}
    names = list(flat := flat_record(own))
    scores = candidates(names, "score") or [*filter(None, [score_of(names)])]
    named = [role for role in ("algorithm", "task", "run") if plays(names, role, {})]
    # What it is of may stand in the name of the file, beside which only other measures stand.
    measured = all(name in scores or kind(name) or counts_runs(name) or direction(name) for name in names)
    # Which of other numbers is the score of a run that is named is asked.
    if not scores and len(named) > 1 and all(isinstance(value, str | int | float) for value in flat.values()):
        return {**flat}
    if (
        len(scores) != 1
        or not (named or measured)
        or any(isinstance(flat[name], list | dict) for role in named for name in candidates(names, role))
    ):
        return None
    outcome = len(named) > 1 and "success" in words(scores[0])
    score = int(own) if isinstance(own := flat[scores[0]], bool) and outcome else own
    if isinstance(score, bool) or not (isinstance(score, int | float) or (is_scalars(score) and score)):
        return None
    kept = {
        name: value
        for name, value in flat.items()
        if not isinstance(value, dict) and (not isinstance(value, list) or is_scalars(value))
    }
    # Keras writes measures of validation, `val_accuracy`, beside those of training: its lists are of epochs.
    if are_epochs(names) and isinstance(score, list) and not plays(names, "step", {}):
        return {**kept, "epoch": [*range(1, len(score) + 1)]}
    return kept


# ── records below names ──────────


def records_below(content: NamedRecord, place: str) -> SourceTable | None:
    """Return the table of records in lists below names, `{methods: {ppo: {sites: {farm: [{…}]}}}}`; None where not every level of names says
    what it is of.

    A level of one key that says nothing, or what the names below are (`methods`), is none of names.
    """
    beside: list[str] = []
    rows = list(_below(content, (), beside))
    if (
        not rows
        or len({len(keys) for keys, _ in rows}) > 1
        or any(roles_of(name, (*NAMED, "score", "step")) for name in beside)
    ):
        return None
    levels = list(zip(*(keys for keys, _ in rows), strict=True))
    roles = _roles_of(levels, list(rows[0][1]))
    if roles is None:
        return None
    named = [{role: keys[at] for at, role in roles.items()} | {**record} for keys, record in rows]
    table = records_table(named, place, lambda index: " / ".join(rows[index][0]))
    notes = [f"the names of level {at + 1} are those of {role}s" for at, role in roles.items()]
    notes += [f"left out: {listed(list(dict.fromkeys(beside)))}, beside the runs"] * bool(beside)
    return table.noted(*notes)


def _below(content: Any, keys: tuple[str, ...], beside: list[str]) -> Iterator[tuple[tuple[str, ...], NamedRecord]]:
    """Yield the records in lists below keys, with these, and gather what else stands there, below the outermost object."""
    for key, value in content.items():
        if are_records(value):
            yield from (((*keys, key), record) for record in value)
        elif isinstance(value, dict) and canonical(key) not in DESCRIBES:
            yield from _below(value, (*keys, key), beside)
        elif keys:
            beside.append(key)


def _roles_of(levels: Sequence[Sequence[str]], beside: Sequence[str]) -> dict[int, str] | None:
    """Return the role of each level of names; None where one has none, or has that of another, or of a field of the records."""
    roles: dict[int, str] = {}
    hint = ""
    for at, names in enumerate(levels):
        alone = names[0] if len({*names}) == 1 else ""
        says = _role_named(alone) if at + 1 < len(levels) else ""
        if alone and (says or says_nothing(alone) or (at and alone.endswith("s") and alone.islower())):
            hint = says or hint
            continue
        meaning = meaning_of(names)
        roles[at] = hint or ("run" if meaning == "number" else meaning or "")
        hint = ""
    left = [role for role in NAMED[:2] if role not in roles.values() and not plays(beside, role, {})]
    unknown = [at for at, role in roles.items() if not role]
    if len(unknown) == len(left) == 1:
        roles[unknown[0]] = left[0]
    unique = len({*roles.values()}) == len(roles) and {*roles.values()} <= {*NAMED}
    return roles if roles and unique and not any(plays(beside, role, {}) for role in roles.values()) else None


def _role_named(key: str) -> str:
    """Return the role of the names below a key that says it in the plural: `methods`, `environments`."""
    singular = key.removesuffix("s")
    of_tasks = not LIKE_TASKS.isdisjoint({singular, key})
    roles = roles_of(singular, NAMED[:2]) if key != singular else []
    return next(iter(roles), "task" if of_tasks else "")
