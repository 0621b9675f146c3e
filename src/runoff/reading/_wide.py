"""Conversion of wide tables to one row per score: the headers, their role, and the role of the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from runoff.errors import DataError, warn
from runoff.reading._contenders import (
    AXIS,
    are_unknown_tasks,
    is_beside,
    no_contenders,
    refuse_doubts,
    refuse_parted,
    refuse_spreads,
    refuse_texts,
    warn_of_others,
)
from runoff.reading._keys import BESIDE_IT, Around, decided
from runoff.reading._known import has_algorithm, is_algorithm, is_task, meaning_of, named_run
from runoff.reading._measures import heads_without_units
from runoff.reading._melting import Wide, one_row_per_score, split_of
from runoff.reading._name_levels import levels_of
from runoff.reading._open_roles import are_scores, asked_of_rows, tells_rows_apart, without_misnamed
from runoff.reading._overrides import is_setting_alone, swept_by
from runoff.reading._parts import are_runs, asked_of_numbers, parts_of, runs_in
from runoff.reading.formats import NotRuns
from runoff.tables.columns import NAMED, OTHERWISE, UNUSED, an, each_row_is_a_run, listed, recognise, summed_up
from runoff.tables.labels import labelled
from runoff.tables.likely import Chosen, candidates, free_columns, plays
from runoff.tables.missing import asked_of_score
from runoff.tables.settings import with_settings_of_rows
from runoff.tables.source import SourceTable
from runoff.tables.tidy import PERCENT, unused_columns
from runoff.tables.unnamed import (
    LIKE_TASKS,
    cells_of,
    changes_within,
    refuse_counted,
    refuse_outcomes,
    refuse_wide_attempts,
)
from runoff.tables.values import YES_NO, floats, in_percent, is_empty, outcomes, parsed, rises_evenly
from runoff.words.costs import says_less
from runoff.words.labels import is_amount, is_summary, measures_others, run_of
from runoff.words.speech import BLANK, LESS_IS_BETTER, column, option
from runoff.words.words import kind, words


def heads_of(table: SourceTable, chosen: Chosen, keys: tuple[str, ...] | None = None) -> Wide:
    """Return the parts of a possibly wide table; without `keys` the values are checked."""
    names, chosen = list(table.columns), without_misnamed(table.columns, chosen)
    wanted = [role for role in NAMED if plays(names, role, chosen)]
    # Settings were put together to a column of configurations, which any other of that name need not be.
    if table.settings:
        wanted.append("config")
    if chosen.get("step") or candidates(free_columns(names, chosen), "step"):
        wanted.append("step")
    kept = recognise(names, wanted=wanted, chosen=chosen, place=table.place)
    if keys is None and "step" not in kept and (step := _steps(table, kept)) is not None:
        kept["step"] = step
    # Steps that are the same in all rows are those of the end.
    if "step" in kept and not chosen.get("step") and len({*map(str, table.columns[kept["step"]])}) == 1 < table.n_rows:
        del kept["step"]
    free = unused_columns(table, {*kept.values(), *filter(None, kept.get("task", "").split("/"))}, wide=True)
    scored = {name for role, name in chosen.items() if role in OTHERWISE and name and are_scores(table.columns[name])}
    beside = [name for name in free if name not in scored and is_beside(table, name, kept)]
    # `Level-1`, `Level-2` beside nothing else are what is scored.
    beside = [] if len(beside) == len(free) and all(map(is_amount, free)) else beside
    if (swept := [name for name in free if is_setting_alone(name)]) and swept_by([[name] for name in swept], 1):
        return Wide(heads=tuple(swept), kept=kept, beside=tuple(name for name in free if name not in swept))
    # Spreadsheets have a column `mean` beside `seed 1`, `seed 2`; beside algorithms a column of that name is doubtful
    # and stays a head.
    summing = [name for name in free if is_summary(name) or (measures_others(name) and run_of(name) is None)]
    of_runs = bool(summing) and meaning_of([name for name in free if name not in (*beside, *summing)]) == "run"
    beside += summing if of_runs else []  # means of runs that stand beside them
    others = [name for name in free if name not in beside]
    if of_runs or meaning_of(others) in ("run", "runs_of"):
        return Wide(heads=tuple(others), kept=kept, beside=tuple(beside))
    none = no_contenders(table, others, kept, keys)
    beside += [*none.by_name, *none.references]
    heads = tuple(name for name in free if name not in beside)
    return Wide(heads=heads, kept=kept, beside=tuple(beside), doubts=none.doubts)


def _steps(table: SourceTable, kept: Mapping[str, str]) -> str | None:
    """Return the first column without a role if it rises evenly, as steps do, and is not named like an algorithm or a task."""
    # Only the first column: steps stand there in every logger's export, and elsewhere numbers that rise evenly may be
    # scores of 0, 10, 20.
    name = next((name for name in table.columns if name not in kept.values()), "")
    named = is_algorithm(name) or is_task(name)
    return name if name in table.columns and not named and rises_evenly(table.columns[name]) else None


def melted(table: SourceTable, chosen: Chosen, keys: tuple[str, ...] | None, around: Around) -> SourceTable:
    """Return a wide table with one row per score; raise `NotRuns` if it is not wide, and `DataError` if headers, rows or cells are ambiguous."""
    wide = heads_of(table, chosen, keys)
    if not table.settings:
        table = with_settings_of_rows(table, wide.kept, (*wide.heads, *wide.beside))
        wide = heads_of(table, chosen, keys)
    if not wide.heads or (len(wide.heads) == 1 and wide.kept):
        raise NotRuns(asked_of_score(table, chosen))
    if any(head.endswith(("__MIN", "__MAX")) for head in wide.heads):
        raise NotRuns(
            f"{table.place}: this looks like a chart exported by Weights & Biases, grouped or sampled, whose values are not those of the runs; "
            "export the runs' history, or read the wandb folder."
        )
    warn_of_others(table.place, wide.heads, wide.beside, wide.kept)
    refuse_spreads(table, wide.heads)
    names = _texts(table, wide)
    _one_direction(table.place, [head for head in wide.heads if head not in names])
    table, outcome = _scored(table, wide)
    wide = _with_label(table, _without_following(table, wide), around)
    together = _of_heads(keys, wide)
    if together == keys and (tall := _of_levels(table, wide, keys, outcome)) is not None:
        return tall
    keys = together
    if keys is not None and (len(keys) != 1 or keys[0] not in NAMED):
        raise DataError(f"{table.place}: a wide table has one level of names; {option('keys', 'task')} names it.")
    if keys in (None, ("run",)):
        _refuse_names_twice(table, wide)
    role = keys[0] if keys is not None else _role(table, wide, around)
    if role in wide.kept:
        others = [option("keys", other) for other in wide.open] or [column("score", wide.heads[0])]
        raise DataError(
            f"{table.place}: the headers {listed(wide.heads[:4])} look like {role}s, but column {wide.kept[role]!r} names the {role}s already; "
            f"use {' or '.join(others)}."
        )
    _refuse_steps(table, wide, role, chosen, unsure=keys is None, sure=keys is not None or around.shared)
    if not chosen.get("run") and (keys is None or role != "run"):
        refuse_wide_attempts(table, wide.heads, "" if role == "run" else wide.kept.get("run"))
    if role != "run":
        refuse_parted(table, wide.beside, wide.kept)
        if {"run", "step"}.isdisjoint(wide.kept) and not each_row_is_a_run(list(table.columns), chosen):
            _refuse_rows(table, wide, outcome)
    return one_row_per_score(table, wide, role)


def _one_direction(place: str, heads: Sequence[str]) -> None:
    """Refuse heads of which some say that less is better and others that more is; warn of some that say so beside others that do not."""
    less, more = (next((head for head in heads if says_less(head) is which), None) for which in (True, False))
    if less and more:
        raise DataError(
            f"{place}: the head {less!r} says that less is better, and {more!r} that more is; scores are compared in one direction: turn the "
            "signs of one of them, and its arrow, or read them apart."
        )
    if less and not all(map(says_less, heads)):
        warn(
            f"{place}: the head {less!r} says that less is better, and others say nothing: {LESS_IS_BETTER} says it of all"
        )


def _refuse_steps(table: SourceTable, wide: Wide, role: str, chosen: Chosen, *, unsure: bool, sure: bool) -> None:
    """Refuse curves under headers that name no runs; ask about those that end in numbers. sure: the user, or several files say what they are."""
    if unsure and "step" in wide.kept and role != "run":
        _ask_of_runs(table, wide)
    if "step" in wide.kept and role != "run":
        step, measured = wide.kept["step"], any(map(kind, wide.heads))
        called = bool(kind(step)) or step == chosen.get("step")
        if sure and called and not measured and (not unsure or meaning_of(wide.heads) == role):
            return
        meant = f"each other column is the curve of one {role}" if called else f"it is {an(role)} like the others"
        otherwise = "" if called and measured else f", or use {option('keys', role)} if {meant}"
        if unsure and sure and meaning_of(wide.heads) is None:  # of many logs
            otherwise = f", name the score, {column('score', wide.heads[0])}, if each file is of one run{otherwise}"
        raise NotRuns(
            f"{table.place}: column {step!r} holds steps, but no column is recognised as the score; learning curves are read from a tidy table "
            f"with one row per evaluation: make it one{otherwise}."
        )


def _refuse_rows(table: SourceTable, wide: Wide, outcome: str | None) -> None:
    """Refuse to take unnamed rows for runs if another column, or the content, contradicts it."""
    none = [""] * table.n_rows
    labels = next((table.columns[wide.kept[role]] for role in ("algorithm", "task") if role in wide.kept), none)
    cells = cells_of(labelled(labels), labelled(none))
    # The heads of such a table cannot be joined with a column, its tasks can.
    named = {role: name for role, name in wide.kept.items() if role == "task"}
    refuse_counted(table.columns, wide.beside, cells, table.place, with_step=False, named=named)
    if outcome is not None and int(cells.max()) + 1 < cells.size:
        raise refuse_outcomes(outcome, table.place)


def _of_heads(keys: tuple[str, ...] | None, wide: Wide) -> tuple[str, ...] | None:
    """Return the role of the headers, "run" if they name algorithms, or tasks, together with their runs, and `keys` says so."""
    together = keys is not None and len(keys) == 2 and "run" in keys and {*keys} <= {*NAMED}
    return ("run",) if together and split_of(wide) else keys


def _of_levels(table: SourceTable, wide: Wide, keys: tuple[str, ...] | None, outcome: str | None) -> SourceTable | None:
    """Return a row for each score under headers with several levels, `PPO/Hopper/0`; raise a `DataError` with a question if known names do
    not decide the levels."""
    levels = levels_of(wide.heads, wide.open, depth=len(keys) if keys and len(keys) > 1 else 0)
    if levels is None or not levels.fits(keys, wide.open):
        return None
    if keys is None and not levels.certain:
        ways = " or ".join(option("keys", "/".join(roles)) for roles in levels.orders)
        raise DataError(
            f"{table.place}: the headers {listed(wide.heads[:3])} are names of {len(levels.roles)} levels; name the levels, for example "
            f"{ways}, or {option('keys', levels.roles[0])} if each is one name."
        )
    roles = keys or levels.roles
    if "run" not in (*roles, *wide.kept) and keys is None:
        _refuse_steps(table, wide, roles[0], {}, unsure=False, sure=False)
        _refuse_rows(table, wide, outcome)
    return one_row_per_score(table, wide, roles[0], levels.named(roles))


def _ask_of_runs(table: SourceTable, wide: Wide) -> None:
    """Ask whether numbers at the end of headers are runs if no word says so."""
    split = None if "run" in wide.kept else split_of(wide)
    if split is not None:
        parts = dict(zip(wide.heads, split[1], strict=True))
        if not are_runs(parts) and (not all(map(named_run, wide.heads)) or not runs_in(wide.heads, numbers=False)):
            raise asked_of_numbers(table.place, split[0], parts)


def _refuse_names_twice(table: SourceTable, wide: Wide) -> None:
    """Refuse headers that join names and runs if a column already contains these names."""
    split = split_of(wide)
    names = [] if split is None else [name for name, _ in split[1]]
    named = set(NAMED[:2]) & wide.kept.keys() if meaning_of(wide.heads) == "runs_of" else set()
    twice = (
        "algorithm"
        if len(named) == 2
        else BESIDE_IT[split[0]]
        if split and meaning_of(names) == BESIDE_IT[split[0]]
        else ""
    )
    if twice:
        # Without it nothing would say what several rows are.
        stays = not {BESIDE_IT[twice], "step"} & wide.kept.keys()
        repair = (
            f"use {column(BESIDE_IT[twice], wide.kept[twice])} if these are {BESIDE_IT[twice]}s"
            if stays
            else f"leave it out: {column(UNUSED, wide.kept[twice])}"
        )
        raise DataError(
            f"{table.place}: the headers {listed(wide.heads[:4])} name {twice}s and runs, but column {wide.kept[twice]!r} names the {twice}s "
            f"already; {repair}."
        )


def _scored(table: SourceTable, wide: Wide) -> tuple[SourceTable, str | None]:
    """Return a wide table with numbers for true, false and percent, and the first header of true and false; refuse a mix of percent and
    other scores."""
    table = heads_without_units(table, wide.heads)
    beside = {str(value).strip().casefold() for head in _texts(table, wide) for value in table.columns[head]}
    scores = {head: outcomes(table.columns[head], beside) for head in wide.heads}
    read = {
        head: values
        for head, values in scores.items()
        if floats(values) is not None or all(is_empty(v) or parsed(v) is not None for v in values)
    }
    percent = [head for head in read if in_percent(table.columns[head])]
    other = next((head for head in read if percent and head not in percent), None)
    if percent == list(wide.heads[:1]) and not wide.kept and not is_algorithm(percent[0]):
        refuse_doubts(table, {percent[0]: AXIS}, wide.heads, wide.kept)
    if other is not None:
        raise DataError(
            f"{table.place}: column {percent[0]!r} is in percent and column {other!r} is not; give all scores in percent, or none."
        )
    # Numbers are no words for success.
    worded = [head for head in read if floats(table.columns[head]) is None]
    outcome = next(
        (h for h in worded if any(str(v).strip().casefold() in chain(*YES_NO) for v in table.columns[h])), None
    )
    notes = (*table.notes, PERCENT) if percent else table.notes
    return replace(table, columns={**table.columns, **read}, notes=notes), outcome


def _role(table: SourceTable, wide: Wide, around: Around) -> str:
    # Settings of algorithms that have a name are configurations; without one they are what is compared.
    if swept_by([[head] for head in wide.heads], 1) and "step" not in wide.kept:
        return "algorithm" if "algorithm" not in wide.kept else "config"
    if meaning_of(wide.heads) == "number" and {"task", "step"} & set(wide.kept):
        return "run"
    if "algorithm" not in wide.kept or meaning_of([head for head in wide.heads if head not in wide.doubts]) == "task":
        refuse_doubts(table, wide.doubts, wide.heads, wide.kept)
    if not wide.doubts and are_unknown_tasks(table, wide.heads, wide.kept):
        return "task"
    if "algorithm" in wide.kept and meaning_of(wide.heads) not in ("task", "run") and not _names_with_runs(wide):
        raise NotRuns(asked_of_score(table, wide.kept, _if_tasks(wide)))
    parts = _names_with_runs(wide) or (meaning_of(wide.heads) == "runs_of" and parts_of(wide.heads))
    one_run = table.n_rows == 1 or bool({"task", "step", "algorithm"} & set(wide.kept))
    roles = [role for role in wide.open if one_run or role != "run"]
    role = "run" if parts else decided([wide.heads], roles, around, table.place)[0]
    if role == "run" and not one_run:
        raise DataError(asked_of_rows(table, wide.heads, wide.kept, algorithms=bool(parts)))
    if role == "run":
        _ask_of_runs(table, wide)
    return role


def _names_with_runs(wide: Wide) -> bool:
    """Return whether every header names a run and the algorithm or task that the other columns lack."""
    named = meaning_of(wide.heads) == "runs_of" or runs_in(wide.heads, numbers=True)
    return bool(named) and split_of(wide) is not None


def _if_tasks(wide: Wide) -> str:
    """Return the words to use if numeric headers next to algorithms are tasks; headers that certainly are not have to be removed first."""
    no_runs = [head for head in wide.heads if run_of(head) is None]
    if len(wide.heads) - len(no_runs) > 1:
        runs = [head for head in wide.heads if head not in no_runs]
        return f" If {listed(runs[:3])} are runs, use {column(UNUSED, ','.join(no_runs))}."
    if summed_up(wide.heads) is not None:
        return ""
    others = [h for h in wide.heads if (kind(h) is not None and not is_amount(h)) or is_summary(h)]
    heads = [head for head in wide.heads if head not in others]
    without = f"remove {listed(others)} and " if others else ""
    are = ", or ".join(f"{role}s" for role in wide.open)
    steps = f"; if steps of training, call them 'step {heads[0]}' and so on" if "".join(heads).isdigit() else ""
    ways = ", or ".join(option("keys", role) for role in (*wide.open[:1], *(["run"] if "task" in wide.open else [])))
    return f" If {listed(heads[:3])} are {are}, {without}use {ways}{steps}." if heads[1:] and wide.open else ""


# ── what the rows are ──────────


def _with_label(table: SourceTable, wide: Wide, around: Around) -> Wide:
    text = _texts(table, wide)
    if not text:
        return wide
    refuse_texts(table, text, alone=len(text) == len(wide.heads))
    labels = [str(value) for value in table.columns[text[0]]]
    meaning, others = (
        meaning_of([own for own in labels if not is_summary(own)]),
        meaning_of([head for head in wide.heads if head != text[0]]),
    )
    role = str(meaning) if meaning in NAMED else None
    left = [other for other in NAMED[:2] if other not in wide.kept]
    # Labels without a name, or under one of tasks, beside runs of algorithms; several files have tasks alike.
    like = text[0] in ("", BLANK) or not LIKE_TASKS.isdisjoint(words(text[0]))
    if role is None and others == "run" and ((len(left) == 1 and like) or around.shared):
        role = left[0] if len(left) == 1 else "task"
    elif (
        role is None
        and others == "task"
        and "algorithm" in left
        and (text[0] in ("", BLANK) or any(map(has_algorithm, labels)))
    ):
        role = "algorithm"
    role = role or tells_rows_apart(table, wide.kept, text[0], others)
    if role is None or role in wide.kept:
        raise _asked_of_label(table, wide, text[0])
    heads = tuple(head for head in wide.heads if head != text[0])
    return replace(wide, heads=heads, kept={**wide.kept, role: text[0]})


def _asked_of_label(table: SourceTable, wide: Wide, name: str) -> DataError:
    """Return the question what a column of names holds beside the headers."""
    runs = meaning_of([head for head in wide.heads if head != name]) in ("run", "number")
    left = [role for role in ("task", "algorithm", "run") if role not in wide.kept and not (runs and role == "run")]
    first, *others = left or NAMED
    # A task of one name in two suites is two, where the heads are what is compared.
    both = "task" in wide.kept and "algorithm" not in wide.kept and len(wide.heads) > 2 and not runs
    task = f"{name}/{wide.kept.get('task')}"
    joined = f"{column('task', task)} if both name the task, or " * both
    names = listed(list(dict.fromkeys(map(str, table.columns[name])))[:3])
    return DataError(
        f"{table.place}: column {name!r} holds names ({names}), and nothing says what they are; use "
        f"{joined}{', or '.join([column(first, name), *others])}."
    )


def _texts(table: SourceTable, wide: Wide) -> list[str]:
    return [
        name
        for name in wide.heads
        if all(is_empty(value) or parsed(value) is None for value in table.columns[name])
        and not all(map(is_empty, table.columns[name]))
    ]


def _without_following(table: SourceTable, wide: Wide) -> Wide:
    """Return a wide table without texts that follow from a label, such as the suite of a task, which add no information."""
    labels = [table.columns[name] for role, name in wide.kept.items() if role in NAMED[:2] and name in table.columns]
    codes = [labelled(own).codes for own in labels]
    texts = {name: labelled(table.columns[name]) for name in _texts(table, wide)}
    following = [name for name, own in texts.items() if not all(changes_within(own, other) for other in codes)]
    if len(following) == len(wide.heads):
        return wide
    rest = tuple(head for head in wide.heads if head not in following)
    return replace(wide, heads=rest, beside=(*wide.beside, *following))


# ── one row per score ──────────
