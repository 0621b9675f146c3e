"""Conversion of tidy columns to checked arrays; every refusal names the place, the row and the value."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.base.writing import unguarded
from runoff.errors import DataError
from runoff.tables.columns import (
    BEST,
    FRAME,
    ROW,
    SETTINGS,
    WITHOUT_SCORE,
    check_unique,
    each_row_is_a_run,
    missing_column,
    recognise,
)
from runoff.tables.configs import read_configs
from runoff.tables.equal import ONE_CONFIG, ConfigSettings
from runoff.tables.labels import Labels, RawColumn, Values, labelled, n_pairs, paired, visible
from runoff.tables.likely import Chosen
from runoff.tables.naming import spelled
from runoff.tables.nested import refuse_one_column, unmasked, with_index, without_na
from runoff.tables.numerals import NUMBERS, without_units
from runoff.tables.source import SourceTable
from runoff.tables.unnamed import (
    BY_ROW,
    ITEMS,
    by_steps,
    cells_of,
    changes_within,
    numbered,
    refuse_attempts,
    refuse_counted,
    refuse_likely_task,
    refuse_mixed_episodes,
    refuse_repetitions,
    strays,
)
from runoff.tables.values import (
    OF_PANDAS,
    YES_NO,
    amounts,
    floats,
    in_percent,
    is_empty,
    numbers_rows,
    outcomes,
    parsed,
)
from runoff.words.columns import names_attempts
from runoff.words.patterns import regex
from runoff.words.speech import column, option
from runoff.words.words import AMOUNT, names_items, words

PERCENT = "scores are in percent: each is the number before its % sign"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidy:
    """Checked columns: labels as text, numbers finite. `configs` is the configuration of each run if an algorithm has several on a task;
    `settings` are the settings of each configuration, by label.
    """

    labels: dict[str, Labels]
    score: Floats
    step: Floats | None
    mapping: dict[str, str]
    notes: tuple[str, ...]
    configs: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, ConfigSettings] = field(default_factory=dict)

    @property
    def config(self) -> Labels:
        """The configuration of each row, or a word for the only one."""
        return self.labels["run"].mapped(lambda run: self.configs.get(run, ONE_CONFIG))

    def some_rows(self, rows: Ints, *notes: str) -> Tidy:
        """Return only some rows, with more notes."""
        return replace(
            self,
            labels={role: labels.some_rows(rows) for role, labels in self.labels.items()},
            score=self.score[rows],
            step=None if self.step is None else self.step[rows],
            notes=(*self.notes, *notes),
        )


EXTRAS = ("time", "episodes")
"""Further columns of learning curves: seconds and episodes since the run began, NaN if unknown."""


def extras(table: SourceTable) -> dict[str, Floats]:
    """Return the columns `EXTRAS` that exist and contain numbers (a time of day is not one), with missing values as NaN."""
    given = {name: table.columns[name] for name in EXTRAS if name in table.columns}
    columns = {name: floats(values, gaps=True) for name, values in given.items()}
    return {name: values for name, values in columns.items() if values is not None and not np.isnan(values).all()}


def one_array(parts: Sequence[Floats]) -> Floats:
    """Return several arrays concatenated; a single array as it is."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def joined_extras(tables: Sequence[SourceTable]) -> dict[str, Floats]:
    """Return the `EXTRAS` of several tables, concatenated; NaN for a table without them."""
    by_table = [extras(table) for table in tables]
    return {
        name: one_array(
            [own.get(name, np.full(table.n_rows, np.nan)) for own, table in zip(by_table, tables, strict=True)]
        )
        for name in EXTRAS
        if any(name in own for own in by_table)
    }


def table_of(frame: Any) -> SourceTable:
    """Return the columns of any eager or lazy DataFrame that narwhals knows.

    Examples
    --------
    >>> table_of({"algorithm": ["PPO", "SAC"], "score": [1.0, 2.0]}).n_rows
    2
    """
    if isinstance(frame, Mapping):
        columns = {str(name): unmasked(str(name), column) for name, column in frame.items()}
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            short, long = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
            raise DataError(
                f"the frame: column {short!r} has {lengths[short]} rows, {long!r} has {lengths[long]}; they must agree."
            )
        return SourceTable(columns=columns)
    refuse_one_column(frame)
    import narwhals as nw  # files are read without it

    try:
        native = nw.from_native(with_index(frame))
        eager = native.collect() if isinstance(native, nw.LazyFrame) else native
        names = [str(name) for name in eager.columns]
        check_unique(names, "the frame")
        return SourceTable(
            columns={
                name: without_na(eager[column].to_list()) for name, column in zip(names, eager.columns, strict=True)
            }
        )
    except (TypeError, nw.exceptions.NarwhalsError) as error:
        reason = " ".join(str(error).split())
        message = f"expected a pandas, polars or pyarrow table of named columns, not {type(frame).__name__} ({reason})."
        raise DataError(message) from error


MOST_TRAININGS = 20
"""The names of runs beyond which a column that is called like attempts gets a note."""


def _of_attempts(name: str, labels: Mapping[str, Labels], score: Floats, chosen: Chosen, place: str) -> list[str]:
    """Return the note on runs that are called like attempts and are many; refuse those of outcomes alone."""
    if chosen.get("run") or not names_attempts(name):
        return []
    # `trial` 0 … 9 with scores of 0 and 1 alone: ten attempts of one policy, or trainings of which each failed or not.
    if {*score.tolist()} <= {0.0, 1.0}:
        raise refuse_attempts(name, place)
    # Nobody trains as often as a policy is tried; of fewer the word may as well mean a training.
    many = len(labels["run"].names) > MOST_TRAININGS
    return [f"column {name!r} is taken as trainings; if they are attempts of one policy: {option('unit', 'episode')}"][
        :many
    ]


def tidy(table: SourceTable, *, chosen: Chosen, with_step: bool) -> Tidy:
    """Return the checked columns of a table."""
    if table.n_rows == 0:
        raise DataError(f"{table.place}: there are no rows of data.")
    wanted = ("algorithm", "task", "run", "score", "config", *(("step",) if with_step else ()))
    mapping = recognise(list(table.columns), wanted=wanted, chosen=chosen, place=table.place)
    for role in ("algorithm", "score", *(("step",) if with_step else ())):
        if role not in mapping:
            raise missing_column(role, list(table.columns), table.place)
    table = _without_units(table, mapping["score"])
    score = numbers(
        table, mapping["score"], "score", kept=None if table.place == FRAME else "curves" if with_step else "ends"
    )
    step = numbers(table, mapping["step"], "step") if with_step else None
    label_roles = [role for role in mapping if role not in ("score", "step", "config")]
    labels = {role: texts(table, mapping[role], role) for role in label_roles}
    attempted = _of_attempts(mapping.get("run", ""), labels, score, chosen, table.place)
    notes = [*table.notes, *_noted_of(mapping["score"], table, chosen), *attempted]
    if "task" not in labels:
        if mapping.get("run"):
            refuse_likely_task(table.columns, unused_columns(table, mapping.values()), labels["algorithm"], table.place)
        labels["task"] = Labels(["task"], np.zeros(table.n_rows, dtype=np.int64))
        notes.append("there is no task column: all scores are taken as one task, named 'task'")
    # Before runs are numbered: without names, rows are counted within each configuration.
    config = configurations(table, labels, mapping.pop("config", None), chosen)
    if config is not None:
        mapping["config"] = config[0]
    if "run" not in labels:
        within = labels | ({"algorithm": paired(labels["algorithm"], config[1], "{} {}")} if config else {})
        labels["run"], note = _unnamed_runs(table, within, score, step, mapping, chosen=chosen)
        notes.append(note)
    columns = Tidy(labels=labels, score=score, step=step, mapping=mapping, notes=tuple(notes))
    if config is None:
        return columns
    labels["run"], configs = _runs_of_configs(labels["run"], config[1])
    return replace(
        columns, configs=configs, settings=config[2], notes=(*notes, *_noted_configs(config[0], table, chosen))
    )


def _noted_configs(name: str, table: SourceTable, chosen: Chosen) -> list[str]:
    """Return the note on a column of configurations that was known by its name alone."""
    given = chosen.get("config") or chosen.get(SETTINGS) or table.structural or table.settings
    way = "" if table.place == FRAME else f"; use {column('algorithm', name)} if each is an algorithm"
    return [] if given else [f"column {name!r} names configurations of an algorithm, among which one is chosen{way}"]


def _noted_of(score: str, table: SourceTable, chosen: Chosen) -> list[str]:
    """Return the notes on a column of scores."""
    best = not chosen.get("score") and not BEST.isdisjoint(words(score))
    highest = f"column {score!r} holds the best score of each run by its name, not its last"
    return [PERCENT] * in_percent(table.columns[score]) + [highest] * best


def _without_units(table: SourceTable, name: str) -> SourceTable:
    """Return the table with the unit removed from scores, if all have the same."""
    values = table.columns[name]
    if floats(values) is not None or in_percent(values):
        return table
    plainer, note = without_units(values)
    return table.noted(note, columns={**table.columns, name: plainer}) if note else table


def configurations(
    table: SourceTable, labels: Mapping[Any, Labels], column: str | None, chosen: Chosen
) -> tuple[str, Labels, Mapping[str, ConfigSettings]] | None:
    """Return the column of configurations, its labels and their settings: the chosen column, or a column with a usual name and several
    values for an algorithm on a task.

    Texts that begin with a brace are complete configurations of runs, including the seed, and do not indicate a sweep.
    """
    if column is None:
        return None
    values, tasks = labelled(table.columns[column]), labels.get("task")
    cells = cells_of(labels["algorithm"], labels["algorithm"] if tasks is None else tasks)
    several = changes_within(values, cells) and not values.names[0].startswith("{")
    named = chosen.get("config") or chosen.get(SETTINGS)
    if not (several or table.structural or named):
        return None
    return column, *read_configs(texts(table, column, "config"), table.settings)


def _runs_of_configs(runs: Labels, configs: Labels) -> tuple[Labels, dict[str, str]]:
    """Return labels of runs that also distinguish configurations, and the configuration of each."""
    # Seed 1 of two configurations is two runs.
    if n_pairs(runs.codes, configs.codes) > np.unique(runs.codes).size:
        runs = paired(configs, runs, "config {} run {}")
    first = np.unique(runs.codes, return_index=True)
    return runs, {runs.names[code]: configs[row] for code, row in zip(*(part.tolist() for part in first), strict=True)}


def _unnamed_runs(
    table: SourceTable,
    labels: Mapping[str, Labels],
    score: Floats,
    step: Floats | None,
    mapping: dict[str, str],
    *,
    chosen: Chosen,
) -> tuple[Labels, str]:
    cells = cells_of(labels["algorithm"], labels["task"])
    if each_row_is_a_run(list(table.columns), chosen):
        return numbered(cells), BY_ROW
    unused = unused_columns(table, mapping.values())
    if step is not None:
        refuse_mixed_episodes(table.columns, unused, cells, step, table.place)
    named = {} if table.structural else mapping
    refuse_counted(table.columns, unused, cells, table.place, with_step=step is not None, named=named)
    if step is not None:
        if not chosen.get("step"):
            refuse_repetitions(mapping["step"], step, cells, table.place)
        return by_steps(cells, step, table.place)
    many = len(labels["task"].names) >= ITEMS and bool(((score == 0) | (score == 1)).all())
    if many or names_items(mapping.get("task", "")):
        return _without_strays(table, labels, cells), BY_ROW
    return numbered(cells), BY_ROW


def _without_strays(table: SourceTable, labels: Mapping[str, Labels], cells: Ints) -> Labels:
    """Return the run of each row of items; refuse rows that may be repeated by mistake, unless the user says which counts."""
    runs = numbered(cells)
    stray, copies = strays(table.columns, unused_columns(table, ()), labels["algorithm"], cells)
    if not stray.any():
        return runs
    if table.duplicates != "auto":
        # Then they have the run of the first row of their item, and are treated as any run that stands there twice.
        return Labels(runs.names, np.where(stray, 0, runs.codes))
    again = int(np.argmax(stray))
    first = int(np.argmax(cells == cells[again]))
    same = ", word for word" if copies[again] else ""
    more = f" ({int(stray.sum())} such rows)" if stray.sum() > 1 else ""
    raise DataError(
        f"{table.place}: the answer of {labels['algorithm'][again]!r} to {labels['task'][again]!r} stands in {table.row(first)} and again in "
        f"{table.row(again)}{same}{more}, and no column numbers attempts: use {option('duplicates', 'first')} if that is a mistake, or "
        f"{column('run', ROW)} if each row is an attempt of its own."
    )


def unused_columns(table: SourceTable, used: Iterable[str], *, wide: bool = False) -> list[str]:
    """Return the columns that play no role, without a first column that only numbers the rows, or the last one of pandas."""
    roles = set(used)
    indices = {*list(table.columns)[:1], OF_PANDAS} & {*table.columns}
    roles |= {name for name in indices if numbers_rows(name, table.columns[name], wide=wide)}
    return [name for name in table.columns if name not in roles]


def texts(table: SourceTable, column: str, role: str) -> Labels:
    """Return a label column as text; refuse empty labels and nested values. 3.0 and 3 are the same label."""
    values = table.columns[column]
    if not isinstance(values, Labels | RawColumn):
        nested = next((i for i, value in enumerate(values) if isinstance(value, list | dict)), None)
        if nested is not None:
            raise _refusal(table, nested, column, role, f"is {_shown(values[nested])}, which is not a name")
    labels = labelled(values).mapped(spelled)
    # What `convert` and `report` wrote is read under the names that it had.
    # Where a name stands there with the apostrophe and without it, they are two.
    same = table.place == FRAME or len({*map(unguarded, labels.names)}) < len({*labels.names})
    labels = labels if same else labels.mapped(unguarded)
    if "" in labels.names:
        where = "" if table.place == FRAME else "; fill it in, or delete the row if it is a note or a total"
        raise _refusal(table, labels.row(""), column, role, f"is empty{where}")
    unseen = next((name for name in labels.names if not visible(name)), None)
    if unseen is not None:
        raise _refusal(table, labels.row(unseen), column, role, f"is {unseen!a}, which cannot be seen")
    return labels


def numbers(table: SourceTable, column: str, role: str, *, kept: Literal["ends", "curves"] | None = None) -> Floats:
    """Return a number column as float64; refuse text, missing values, NaN and infinities, naming the row. `kept`: what
    the column of a file contains, which decides how a run without a score may count."""
    values = table.columns[column]
    if not table.by_mark:
        _refuse_thousands(table, values, column, role)
    advice = "if this run failed, enter the score that counts for it"
    converted = floats(values)
    if converted is None:
        # `True`, `41%` and `100k` are looked for only in columns that would be refused.
        values = outcomes(values) if role == "score" else amounts(values)
        converted = floats(values)
    if converted is None:
        index, value = next((i, v) for i, v in enumerate(values) if parsed(v) is None)
        row = {name: str(v[index]).strip() for name, v in table.columns.items()}
        if isinstance(value, str) and 2 * sum(name == text for name, text in row.items()) >= len(row) > 1:
            raise DataError(
                f"{table.place}, {table.row(index)}: another line of column names stands here ({', '.join(list(row.values())[:6])}), so that "
                "several tables lie below one another; give each a file of its own."
            )
        what = _not_a_number(value, table.columns[column], table.place)
        # A row with one cell alone is a remark or a total below the table.
        alone = sum(str(v[index] or "").strip() != "" for v in table.columns.values()) == 1
        if what == ABSENT and alone and not table.structural:
            raise _refusal(table, index, column, role, f"{what}; delete the row if it is a note")
        raise _refusal(
            table,
            index,
            column,
            role,
            f"{what}; {advice}{WITHOUT_SCORE[kept]}" if what == ABSENT and (kept or table.structural) else what,
        )
    bad = np.flatnonzero(~np.isfinite(converted))
    if bad.size:
        more = f" ({bad.size} such rows)" if bad.size > 1 else ""
        entry = table.columns[column][bad[0]]
        shown = entry if isinstance(entry, str) and parsed(entry) is None else converted[bad[0]]
        # What grew beyond all bounds in a curve was reached, and is not missing.
        ways = WITHOUT_SCORE[None if kept == "curves" and np.isinf(converted[bad[0]]) else kept]
        raise _refusal(table, int(bad[0]), column, role, f"is {shown}{more}; {advice}{ways}")
    return converted


ABSENT = "is missing"


THOUSANDS = regex(r"\s*[-+]?[1-9]\d{0,2}(?:\.\d{3})+\s*")
SMALL = regex(r"\s*[-+]?\d{1,3}\s*")
"""A number whose point may separate thousands, and a number too small for a separator."""


def _refuse_thousands(table: SourceTable, values: Values, column: str, role: str) -> None:
    """Refuse points that may separate thousands: each precedes exactly three digits, and the other numbers are whole and small.

    If no other number decides, columns separated by semicolons indicate that decimals may have commas.
    """
    if isinstance(values, np.ndarray) or not (
        values.is_text if isinstance(values, RawColumn) else all(isinstance(value, str) for value in values)
    ):
        return
    marked = _marked(values)
    # Where all values have a point, points are decimals, unless the separator is the semicolon of a country that
    # writes them otherwise.
    if not marked.size or (marked.size == len(values) and not table.by_commas):
        return
    if not all(map(THOUSANDS.fullmatch, (values[i] for i in marked))):
        return
    whole = [value for value in values if value.strip() and "." not in value]
    # Programs that write three decimals write them always: a single whole number at the beginning is what a script put there itself.
    if len(whole) == 1 and whole[0] == values[0] and marked.size >= 4 and not table.by_commas:
        return
    if (whole or table.by_commas) and all(map(SMALL.fullmatch, whole)):
        beside = f"beside {whole[0]!r}" if whole else "in a table whose columns are separated by semicolons"
        raise _refusal(
            table,
            marked[0],
            column,
            role,
            f"is {values[marked[0]]!r} {beside}, and its point may separate thousands or decimals; "
            + (
                "give numbers, not texts"
                if table.place == FRAME
                else f"use {option('decimal', 'comma')} if it separates thousands, {option('decimal', 'point')} if it separates decimals"
            ),
        )


def _marked(values: Sequence[str]) -> Ints:
    """Return the rows whose texts contain a point."""
    if isinstance(values, RawColumn):
        return np.flatnonzero(values.series.str.contains(".", literal=True).to_numpy())
    return np.flatnonzero(["." in value for value in values])


def _refusal(table: SourceTable, index: int, column: str, role: str, what: str) -> DataError:
    called = "" if table.structural else f" (column {column!r})"
    return DataError(f"{table.place}, {table.row(index)}: the {role}{called} {what}.")


def _not_a_number(value: object, values: Values, place: str) -> str:
    if is_empty(value):
        return ABSENT
    hint = _on_marks(value, values, place) if isinstance(value, str) and "," in value else ""
    if isinstance(value, str) and AMOUNT.fullmatch(value.strip()):
        hint = "; write amounts as plain numbers, because beside other numbers the letter is ambiguous"
    if isinstance(value, str) and parsed(value.strip().removesuffix("%")) is not None:
        hint = "; give all scores in percent, or none"
    if isinstance(value, str) and any(value.strip().casefold() in pair for pair in YES_NO):
        hint = "; write 1 and 0"
    return f"is {_shown(value)}, which is not a number{hint}"


def _on_marks(value: str, values: Values, place: str) -> str:
    """Return the hint on a number with a comma: the decimal marks with which all numbers of its column can be read."""
    if not any(mark.fullmatch(value) for mark in NUMBERS.values()):
        return ""
    if place == FRAME:
        return "; write decimals with a point, and thousands without a mark"
    texts = [str(other) for other in values if not is_empty(other)]
    read = [name for name, mark in NUMBERS.items() if all(map(mark.fullmatch, texts))]
    if not read:
        other = next((text for text in texts if "." in text and "," not in text), "")
        beside = f" beside {other!r}" if other else ""
        return f"{beside}; write all decimals of the column with a point, and thousands without a mark"
    # 1,234 may be either, so that both are named; 1,23 is a decimal comma and 1,234.5 a thousand.
    parted = {"point": "commas separate thousands", "comma": "they are decimal separators"}
    if len(read) > 1:
        return "; use " + ", ".join(f"{option('decimal', name)} if {parted[name]}" for name in read)
    without = "write decimals with a point, not a comma, or " if read == ["comma"] else ""
    return f"; {without}use {option('decimal', read[0])}"


def _shown(value: object) -> str:
    short = reprlib.Repr()
    short.maxstring = short.maxother = 60
    return short.repr(value)
