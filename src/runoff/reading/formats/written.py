"""Tables written in texts, with columns separated by blanks or by bars."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from runoff.errors import DataError, warn
from runoff.reading.formats import delimited
from runoff.reading.formats.base import LOG, PROGRESS, TABLE, Format, NotRuns, Source
from runoff.reading.formats.grid import GridRow, as_text, table_of
from runoff.reading.formats.json_file import table_of_content
from runoff.reading.formats.lists import (
    DASHES,
    HEADING,
    LETTER,
    list_in,
    lists_of,
    may_be_a_row,
    places_of_blocks,
    remark_of,
    title_of,
    title_of_list,
)
from runoff.reading.formats.log_lines import are_alike
from runoff.reading.formats.logged import CLOCK, Logged, beside_cost, cut_end, is_evaluated, log_in
from runoff.reading.formats.logs_together import FILE, files_in, log_of
from runoff.reading.formats.sheets import LESS, SPREAD, says_less_of
from runoff.reading.formats.stepless import mentions_evaluation, scores_among
from runoff.tables.columns import NAMED, listed, playing, roles_of
from runoff.tables.likely import plays
from runoff.tables.missing import as_score, warn_of_less
from runoff.tables.source import SourceTable
from runoff.tables.values import parsed
from runoff.words.columns import preferred
from runoff.words.labels import run_of
from runoff.words.patterns import regex
from runoff.words.speech import claims_of
from runoff.words.words import AMOUNT, kind


def read_spaced(source: Source) -> SourceTable:
    """Return the table of a text with columns separated by blanks, with as many words in every line as in the first, or one more in the
    rows; or of a text whose lines are names and lists of scores."""
    lines = _printed_lines(source.text())
    if (lists := lists_of(lines)) is not None:
        table = table_of_content(lists, source)
        rest = [line for line in lines if LETTER.search(line) and not list_in(line)]
        for remark in filter(None, map(remark_of, lines)):
            warn(f"{source.place}: a remark behind scores is left out, {remark!r}")
        return _beside(table, [line for line in rest if title_of_list(line) not in lists])
    if (pivot := _pivot_of(lines)) is not None:
        return replace(as_table(source, pivot), by_mark=True)
    if (log := _of_log(source, lines)) is not None:
        return log
    if (printed := _printed(lines)) is not None:
        table = table_of(source, printed, as_table)
        rest = [line for line, row in zip(lines, printed, strict=True) if not row and LETTER.search(line)]
        return _beside(table.noted("columns are separated by blanks"), rest)
    rows = [_fields(line) for line in _without_remarks(lines)]
    head = next(row for row in rows if row)
    counted = next((len(row) for row in rows[rows.index(head) + 1 :] if row), 0) == len(head) + 1
    # pandas' to_string has a number before each row, and none above these.
    table = table_of(source, [["", *row] if counted and row is head else row for row in rows], as_table)
    less = says_less_of(
        source.place,
        [line for line in lines if line.startswith("#") and _fields(line.lstrip("# \t")) != head],
        table.columns,
    )
    return table.noted("columns are separated by blanks", less=less or table.less)


def _of_log(source: Source, lines: Sequence[str]) -> SourceTable | None:
    """Return the table of a log; None of another text."""
    log = log_of(lines, source.suffix)
    if log is None:
        return None
    if log.rows[0][0] != FILE and len(several := files_in(lines)) > 1:
        raise NotRuns(
            f"{source.place}: this text holds the lines of {len(several)} files ({listed(several, 3)}), which are no logs with the same names; "
            "save each as a file of its own."
        )
    log, of_steps = _with_evaluations(source, log)
    if log.refusal:
        raise DataError(f"{source.place}, {log.refusal}.")
    for doubt in log.doubts:
        warn(f"{source.place}, {doubt}: these are read")
    notes: list[str] = []
    if len(lines) in log.at:  # the text ends with a row, and not with a line end
        log, of_steps, notes = _with_whole_end(source, lines, (log, of_steps))
    if log.unread:
        warn(
            f"{source.place}: {len(log.unread)} line(s) that name what the evaluations name cannot be read, and are left out, the first "
            f"{log.unread[0][:60]!r}"
        )
    at, names = log.at, log.rows[0]
    if names[0] == "step" and CLOCK in names:
        names, notes = names[1:], [*notes, f"{CLOCK!r} rises from line to line, and is read as the step"]
    rows, of_costs = _with_one_cost(source, log.rows)
    table = replace(as_table(source, rows), row=lambda index: f"line {at[index]}")
    # The names in its lines say what the score is: the loss beside it is another measure.
    every = f"each line has names and values: {', '.join(names)}"
    return _beside(table.noted(every, *of_steps, *notes, *of_costs), log.rest, of_log=True)


def _with_whole_end(
    source: Source, lines: Sequence[str], own: tuple[Logged, list[str]]
) -> tuple[Logged, list[str], list[str]]:
    """Return a log without its last line, which has no end, where this looks cut off, with a warning; own: it, and the notes on its steps."""
    last = cut_end(lines, own[0])
    if not last:
        return *own, ["the last line has no end, and is taken as whole"]
    rest = log_of([*lines[:-1], ""], source.suffix)
    what = f"{source.place}, line {len(lines)}: the last line has no end, and its last value, {last!r}, looks cut off"
    if rest is None:
        raise DataError(f"{what}; end the line with a line end if it is whole, or remove it.")
    warn(f"{what}: the line is left out; end it with a line end if it is whole")
    return *_with_evaluations(source, rest), []


def _with_evaluations(source: Source, log: Logged) -> tuple[Logged, list[str]]:
    """Return the evaluations without a step of a log rather than its training, unless the user names the score of that, with a note; ask which
    counts where both are evaluations."""
    evaluated, chosen = log.evaluated, source.columns.get("score")
    mentioned = next(filter(mentions_evaluation, log.rest), "") if evaluated is None and not is_evaluated(log) else ""
    scores = preferred(scores_among(log.rows[0]))
    if mentioned and scores and chosen is None and any(kind(name) in PROGRESS for name in log.rows[0]):
        raise DataError(
            f"{source.place}: the line {mentioned.strip()[:60]!r} may be an evaluation, which is not read; write it as eval_return=1.5, or use "
            f"{as_score(scores[0], source.place)} if the scores of the other lines count."
        )
    if evaluated is None or (chosen in log.rows[0] and chosen not in evaluated.rows[0]):
        return log, []
    own, other = (preferred(scores_among(rows[0])) for rows in (log.rows, evaluated.rows))
    line = evaluated.at[0]
    ways = f"use {as_score(other[0], source.place)} for the evaluations, or {as_score(own[0], source.place)} for the others"
    if evaluated.refusal:
        raise DataError(
            f"{source.place}, {evaluated.refusal}; write the step into each line, or use {as_score(own[0], source.place)}."
        )
    if chosen not in evaluated.rows[0] and is_evaluated(log):
        raise DataError(
            f"{source.place}, line {line}: this evaluation has no step, and stands beside evaluations with steps ({own[0]!r}): {ways}."
        )
    note = (
        f"each evaluation without a step ({other[0]!r}, line {line}) is taken at the last step above it, several there as their mean; "
        f"{own[0]!r} is not read"
    )
    return evaluated, [note]


def _with_one_cost(source: Source, rows: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """Return the rows of a log without what stands beside its only cost of validation, unless a score is named, with a note; refuse several
    costs of which none is preferred."""
    costs, others = ([], []) if source.columns.get("score") else beside_cost(rows[0])
    if len(costs) > 1:
        use = ", or ".join(as_score(name, source.place) for name in costs[:4])
        raise DataError(
            f"{source.place}: each line of this log has several costs, and nothing that is named like a score; use {use}, whichever is the "
            "score."
        )
    clock = [CLOCK] if costs and rows[0][0] == "step" else []  # which is the step, and no other measure
    kept = [i for i, name in enumerate(rows[0]) if name not in (*others, *clock)]
    notes = [f"beside {costs[0]!r} are not read: {listed(others)}"] if others else []
    return [[row[i] for i in kept] for row in rows], notes


def _beside(table: SourceTable, rest: Sequence[str], *, of_log: bool = False) -> SourceTable:
    """Return a table with the note on lines of words beside its scores, and what these say of their direction, which lines of a log may say of
    other things."""
    if not rest:
        return table
    less = next(filter(LESS.search, rest), "") if of_log else says_less_of(table.place, rest, table.columns)
    if of_log and less:
        warn_of_less(table.place, less)
    note = f"left out: {len(rest)} line(s) of text beside the scores, the first {rest[0][:60]!r}"
    return table.noted(note, less=table.less if of_log else less or table.less)


PROMPT = regex(
    r"(?:>>>|\.\.\.|In \[\d*\]:|Out\[\d+\]:|(?:julia|sqlite|mysql|duckdb)>)(?:\s.*)?|>\s*|>\s+[\w.$]+\s*(?:(?:\(|<-|=).*)?"
)
"""What was typed above what a console printed, in R, Python, Julia and SQL."""
RULE_OF_BLANKS = "--"
OF_TIBBLE = regex(r"(?:\s*<[a-z]{2,8}>){2,}\s*")
"""The types below the names of a tibble of R."""
OF_JULIA = regex(r"\s*(?:(Row|\d*)\s*\u2502(.*)|[\u2500]+\u253c\u2500+|\d+×\d+ (?:Sub)?DataFrame)")
"""A line of a printed frame of Julia: rows behind their numbers, the names of types behind none, rules and the size."""


def _printed_lines(text: str) -> list[str]:
    """Return the lines of a text without what was typed at a console, and those of Julia's frames as others print them: without the numbers of
    rows, and with rules for types."""
    # MATLAB's comments begin with %, and stand above what it displays.
    lines = ["" if PROMPT.fullmatch(line) or line.startswith("%") else line for line in text.split("\n")]
    lines = [RULE_OF_BLANKS if OF_TIBBLE.fullmatch(line) else line for line in lines]
    own = [OF_JULIA.fullmatch(line) for line in lines]
    if not any(match and match[1] == "Row" for match in own):
        return lines
    return [
        (match[2] if match[1] else RULE_OF_BLANKS) if match else line for match, line in zip(own, lines, strict=True)
    ]


def _without_remarks(lines: Sequence[str]) -> list[str]:
    """Return lines with those blank that are rules, prompts or comments; the last comment may be the header, `# algo seed score`."""
    kept = ["" if DASHES.fullmatch(line) else line for line in lines]
    first = next((i for i, line in enumerate(kept) if line.strip() and not line.startswith("#")), len(kept))
    above = next((i for i in reversed(range(first)) if kept[i].strip("# \t")), first)
    if above < first < len(kept) and len(_fields(kept[above].lstrip("# \t"))) == len(_fields(kept[first])):
        kept[above] = kept[above].lstrip("# \t")
    return ["" if line.startswith("#") else line for line in kept]


def _printed(lines: Sequence[str]) -> list[list[str]] | None:
    """Return the rows of the tables that are printed in a text, each between empty lines, and the title above each as a row of one cell; None
    of a text without other words, and of one with numbers outside of these tables."""
    rows: list[list[str]] = [[] for _ in lines]
    tables: list[range] = []
    title = -1
    for block in places_of_blocks(lines):
        after = block.stop
        start, table = next(((at, own) for at in block[:3] if (own := _table_in(lines[at:after]))), (after, []))
        above = [at for at in range(block.start, start) if not DASHES.fullmatch(lines[at])]
        if any(may_be_a_row(lines[at]) for at in above):
            return None
        title = above[-1] if above else title
        if table:
            tables.append(range(start, after))
            rows[start:after] = table
            if title >= 0 and (called := title_of(lines[title]).strip("[]= ")):
                rows[title] = [called]
            title = -1
    outside = {*range(len(lines))}.difference(*tables)
    beside = any(LETTER.search(lines[at]) or DASHES.fullmatch(lines[at]) for at in outside)
    return rows if tables and beside else None


def _table_in(lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of lines that are a header of names, one of a role, and rows of numbers of the same width; none of others."""
    spans = [match.span() for match in re.finditer(r"[-=]{2,}|_{2,}", next(filter(DASHES.fullmatch, lines), ""))]
    starts = [start for start, _ in spans]

    def ruled(line: str) -> list[str]:
        cells = [line[a:b].strip() for a, b in pairwise([*starts, len(line)])] if len(starts) > 1 else []
        return ["" if cell == "\\" else cell for cell in cells]

    for split in (ruled, lambda line: re.split(r"\s{2,}|\t", line.strip()), _fields):
        head = [] if DASHES.fullmatch(lines[0]) else split(lines[0])
        # Most texts are no printed tables, which their first line shows; the rest of a long file is not looked at then.
        if len(head) < 2 or any(parsed(name) is not None for name in head):
            continue
        rows = [[] if DASHES.fullmatch(line) else split(line) for line in lines[1:]]
        widths = {len(row) for row in rows if row}
        counted = len(widths) == 1 and widths == {len(head) + 1}
        if not (counted or widths == {len(head)}):
            continue
        named = any(map(roles_of, head))
        if named and all(any(parsed(field) is not None for field in row) for row in rows if row):
            return [["", *head] if counted else head, *rows]
    return []


def _pivot_of(lines: Sequence[str]) -> list[list[str]] | None:
    """Return the rows of a pivot as pandas prints it: the name of the columns before their names, those of the rows in a line below, and
    labels of rows not said again; None of another text."""
    filled = [line for line in lines if line.strip()]
    rows = [_fields(line) for line in filled]
    # Records are no heads: `{'algo': 'ppo', 'seed': 0}`.
    if len(rows) < 3 or any(parsed(field) is not None for field in rows[1]) or any("{" in field for field in rows[0]):
        return None
    # Without a name of the columns these stand behind the names of the rows in the line below.
    beside = len(filled[0]) - len(filled[0].lstrip()) >= len(filled[1].rstrip())
    (level, *names), index, *body = (["", *rows[0]], *rows[1:]) if beside else rows
    role = next(iter(roles_of(level)), "")
    if (
        not ((role and len(names) > 1) or beside)
        or not playing(index, NAMED)
        or any(not len(names) < len(row) <= len(names) + len(index) for row in body)
    ):
        return None
    heads = [f"{level} {name}" if role == "run" else name for name in names]
    table: list[list[str]] = []
    for row in body:
        labels, before = row[: -len(names)], table[-1][: len(index)] if table else []
        table.append([*before[: len(index) - len(labels)], *labels, *row[-len(names) :]])
    return [[*index, *heads], *table]


FIELD = regex(r'"((?:[^"]|"")*)"(?!\S)|(\S+)')


def _fields(line: str) -> list[str]:
    """Return the fields that blanks separate; R's write.table puts quotes around texts, which may contain blanks."""
    return [match[2] or match[1].replace('""', '"') for match in FIELD.finditer(line)]


def as_table(source: Source, rows: Sequence[GridRow]) -> SourceTable:
    """Return the table of the rows of one block."""
    return delimited.read_one(replace(source, data=as_text(rows)), separator=",")


def looks_logged(data: bytes) -> bool:
    """Return whether the first lines of a file that is called a log hold an evaluation or a run."""
    return log_of(data[:65536].decode("utf-8", "replace").split("\n"), LOG) is not None


def _looks_spaced(data: bytes) -> bool:
    lines = _printed_lines(data[:65536].decode("utf-8", "replace"))
    whole = lines[:-1] if len(data) > 65536 else lines
    readers: tuple[Callable[[list[str]], object], ...] = (lists_of, log_of, _printed)
    if _pivot_of(lines[:-1]) is not None or any(read(whole) is not None for read in readers):
        return True
    rows = [row for line in _without_remarks(lines[:20]) if (row := _fields(line))]
    if not rows or are_alike(lines[:20]) or len(rows[0]) < 2 or any("," in name or name == "|" for name in rows[0]):
        return False
    runs = plays(rows[0], "run", {}) or sum(run_of(name) is not None for name in rows[0]) > 1
    # `rep UCB1 MOSS`: rows of numbers below a column of runs, or of tasks, and names.
    labels = bool(roles_of(rows[0][0], ("run", "task"))) and not any(parsed(name) is not None for name in rows[0])
    wide = labels and all(parsed(field) is not None for row in rows[1:-1] for field in row[1:])
    if not plays(rows[0], "score", {}) and not (plays(rows[0], "algorithm", {}) and runs) and not wide:
        return False
    widths = {len(row) for row in rows[1:-1]}
    return (
        len(widths) == 1
        and widths.pop() - len(rows[0]) in (0, 1)
        and all(any(parsed(f) is not None or AMOUNT.fullmatch(f) for f in row) for row in rows[1:-1])
    )


# ── tables between bars: Markdown, Org, reST, psql, printed frames ──────────

BARS = "|\u2502\u2506\u2503\u2551"
BETWEEN = regex(rf"(?<!\\)[{BARS}]")
LINK = regex(r"\[([^\[\]]+)\]\([^()\s]*\)")
MARKED = regex(r"(?<!\w)(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1(?!\w)")
"""What is bold, or set as code."""
RULE = regex(rf"[\s{BARS}+:=\u2500-\u257f-]*[-=\u2500\u2501\u2550\u254c][\s{BARS}+:=\u2500-\u257f-]*")
"""A line that separates a header from its rows, or frames a table."""
TYPE = regex(
    r"str|cat|enum|bool|[iuf]\d{1,3}|date|time|(?:datetime|duration|decimal|list|array|struct)\b.*", re.IGNORECASE
)
"""The data types that polars prints below the name of a column."""
CUT = "\u2026"
"""The marks that polars prints for omitted rows, columns and letters."""


def read_markdown(source: Source) -> SourceTable:
    """Return the table of a text with bars between its cells; refuse means and spreads."""
    rows = _between_bars(source.text().split("\n"))
    cells = [cell for row in rows if len(row) > 1 for cell in row]
    if not cells:
        raise NotRuns(f"{source.place}: this text holds no table.")
    refuse_spreads(source.place, cells, "Markdown")
    cut = next((cell for cell in cells if cell.endswith(CUT)), None)
    if cut is not None:
        raise DataError(
            f"{source.place}: the printed table leaves parts out ({cut!r}); write the frame to a file, with frame.write_csv('runs.csv')."
        )
    return table_of(source, rows, as_table)


def refuse_spreads(place: str, cells: Sequence[str], kind_of_text: str) -> None:
    """Refuse a table whose cells have means and spreads, unless heads name the runs that these are of."""
    if any(map(SPREAD.search, cells)) and sum(run_of(cell) is not None for cell in cells) < 2:
        raise NotRuns(
            f"{place}: this is a table of means and spreads in {kind_of_text}, without the runs; judge what it claims with "
            f"{claims_of(place)}, or give the score of every run."
        )


def _between_bars(lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of the tables of a text at their lines, those of rules with empty cells, and titles above them as rows of one cell."""
    rows: list[list[str]] = [[] for _ in lines]
    titled: dict[int, str] = {}
    end, title, heading = 0, "", ""
    for at, line in enumerate(lines):
        if at < end:
            continue
        end = next((i for i in range(at, len(lines)) if not _is_bar(lines[i])), len(lines))
        if not any(RULE.fullmatch(line) for line in lines[at:end]) or not any(map(_cells, lines[at:end])):
            end = at + 1
            title = title_of(line) or title
            heading = match[1] if (match := HEADING.fullmatch(line)) else heading
            continue
        rows[at:end] = [_cells(line) or ["", ""] for line in lines[at:end]]
        first, second = ([i for i in range(at, end) if any(rows[i])] + [at, at])[:2]
        if all(map(TYPE.fullmatch, rows[second])) and second > first + 1:
            rows[second] = ["", ""]
        if title:
            rows[at - 1], titled[at - 1] = [MARKED.sub(r"\2", title)], MARKED.sub(r"\2", heading or title)
        title = ""
    # `Scores after 50M frames:` above each table says nothing that parts them; the headings above it do.
    again = len({rows[at][0] for at in titled}) < len(titled) == len({*titled.values()})
    return [[titled[at]] if again and at in titled else row for at, row in enumerate(rows)]


def _is_bar(line: str) -> bool:
    return bool(BETWEEN.search(line)) or (RULE.fullmatch(line) is not None and len(line) > 2)


def _cells(line: str) -> list[str]:
    """Return the cells of a line; none for a rule."""
    if RULE.fullmatch(line):
        return []
    inner = line.strip()
    inner = inner[1:] if inner[:1] in BARS else inner
    inner = inner[:-1] if inner[-1:] in BARS else inner
    bare = (LINK.sub(r"\1", cell.strip()) for cell in BETWEEN.split(inner))
    return [MARKED.sub(r"\2", cell).replace("\\|", "|") for cell in bare]


def _looks_markdown(data: bytes) -> bool:
    lines = data[:65536].decode("utf-8", "replace").split("\n")
    rules = [RULE.fullmatch(line) is not None and len(line) > 2 for line in lines]
    ruled = any(
        (rules[i] and _is_bar(lines[j]) and len(_cells(lines[j])) > 1)
        for i in range(len(lines))
        for j in (i - 1, i + 1)
        if 0 <= j < len(lines)
    )
    # A script may print a rule between evaluations; Julia's frames have one bar, and blanks between their columns.
    return (
        ruled
        and log_in(lines) is None
        and not any((own := OF_JULIA.fullmatch(line)) and own[1] == "Row" for line in lines)
    )


SPACED = Format(
    title="columns parted by blanks",
    holds=f"{TABLE}; or a script's log (`.log`): `key=value` in a line a run, or names and values between bars in a line an evaluation",
    suffixes=(),
    sniff=_looks_spaced,
    read=read_spaced,
    wide=True,
)
MARKDOWN = Format(
    title="Markdown table",
    holds=TABLE,
    suffixes=(".md", ".markdown", ".org", ".rst"),
    sniff=_looks_markdown,
    read=read_markdown,
    wide=True,
)
