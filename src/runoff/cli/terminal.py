"""Output on the terminal: the form of tables, titles and lines. Names are text, never markup.

`say` prints a line that is broken between words only; `Sheet` is a table whose cells stay whole. Rich, which draws, is loaded where something
is printed: help and completion do without it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, get_args

from runoff.cells import Cell, Name, Verdict
from runoff.cli.record import this_call
from runoff.cli.streams import plain, spelled, write_line
from runoff.exits.text import joined, rows_of
from runoff.words.names import FigureFormat
from runoff.words.numbers import SPACE, counted
from runoff.words.patterns import regex
from runoff.words.shorten import isolated, isolated_in, one_line, short_names
from runoff.words.speech import Sentence, in_shell

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, JustifyMethod
    from rich.table import Table
    from rich.text import Text

    from runoff.answer.base import Advice
    from runoff.answer.comparison import ComparisonResult
    from runoff.cells import Table as AnswerTable
    from runoff.cells import VerdictKind
    from runoff.data.scores import Scores

HANG = 2
"""Spaces before the further lines of a sentence."""
MOST_LINES = 20
"""The number of sentences of a list that are printed; others are counted."""
COLORS = {"warning": "bold red", "caution": "yellow", "info": "cyan"}
PIPE_WIDTH = 120
"""The width of piped or redirected output."""
VERDICTS: Mapping[VerdictKind, str] = {
    "lower": "red", "higher": "green", "equivalent": "green", "not_found": "yellow", "not_tested": "yellow",
}  # fmt: skip
ALL_IN_JSON = "--json prints all of them"
NAME_WIDTH, HEAD_WIDTH = 36, 16
"""Columns of the terminal for the name of an algorithm, and for that of a task above its numbers."""
GAP = 2
"""Columns of the terminal between two of a table."""
MOST_ROWS = 40
"""The number of rows of a table that are printed; others are counted."""
UNBROKEN = regex(
    r"(?<=\d) (?=\[[^\[\]]{1,40}\])|(?<=,) (?=[^\[\] ]{1,20}\](?!\())|(?<=[=<]) (?=[\d−])|(?<=[\wα]) (?=[=<] [\d−])"
)
"""The spaces before an interval that follows its estimate, inside an interval, and about the sign before a number."""


def open_console() -> Console:
    """Return stdout: as wide as the terminal, or of a fixed width in a pipe."""
    from rich.console import Console

    # Names come from users: rich would colour numbers in them, and read [brackets] and :colons: as markup.
    return Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


@contextmanager
def said_first_and_last(sentence: str) -> Iterator[Console]:
    """Yield the console, printing the answer before and after, so that it is visible at the beginning and above the prompt."""
    console = open_console()
    say(console, "", head=(isolated_in(in_shell(sentence)), "bold"))
    console.print()
    yield console
    show_defaults()
    console.print()
    say(console, "", head=(isolated_in(in_shell(sentence)), "bold"))


def show_data(console: Console, scores: Scores) -> None:
    """Print the source of the scores, the reading, and their number."""
    from rich.text import Text

    from runoff._inference.pairs import unit_words
    from runoff.words.numbers import listed

    origin = scores.provenance
    where = f"{origin.path} ({origin.format})" if origin.path else "given in memory"
    console.print(Text.assemble(("Data: ", "bold"), plain(where)), soft_wrap=True)
    if origin.columns:
        say(console, "columns: " + ", ".join(f"{role} = {column}" for role, column in origin.columns), indent="  ")
    if origin.parts:
        roles = {part: [role for role, own in origin.parts if own == part] for _, part in origin.parts}
        say(console, "from the path: " + ", ".join(f"{listed(of)} = {part}" for part, of in roles.items()), indent="  ")
    say(console, unit_words(scores), indent="  ")
    say_some(console, origin.notes, "note", "  ")
    show_tables(console, scores.tables())


def show_defaults() -> None:
    """Print which defaults of a file applied to this call, unless this was already printed."""
    call = this_call()
    if call.defaults and not call.defaults_shown:
        say(open_console(), f"Defaults: {call.defaults}")
        call.defaults_shown = True


def show_written() -> None:
    """Print the sentences of an answer that was written to a file, and the name of the file."""
    call = this_call()
    if call.file is not None:
        console = open_console()
        for sentence in call.sentences:
            say(console, isolated_in(sentence))
        sys.stdout.flush()  # cautions stand behind the sentences, on another stream
        for caution in call.cautions:
            write_line(caution)
        say(console, f"{'Figure' if call.file.format in get_args(FigureFormat) else 'Answer'}: {call.file.path}")


def show_advice(
    console: Console, given: Iterable[Advice], comparison: ComparisonResult | None = None, leading: Sequence[str] = ()
) -> None:
    """Print one entry per code, with the pairs or algorithms it concerns, in the order of `leading`."""
    from runoff.page.words.advice import grouped

    groups = grouped(given, comparison, leading)
    if groups:
        show_title(console, "Advice")
    for group in groups:
        advice = group.first
        scope = f" {group.scope}" if group.scope else ""
        head = (f"{advice.severity} {advice.code} ", COLORS[advice.severity])
        say(console, f"{in_shell(advice.text)}{scope} ({advice.source})", "  ", head)


def fitted(names: Iterable[str], columns: int = NAME_WIDTH) -> dict[str, str]:
    """Return names of at most `columns` columns, shortened so that they stay distinct."""
    from rich.cells import cell_len

    labels = short_names(names, columns, cell_len, shown=lambda name: plain(one_line(name)))
    return {name: isolated(label) for name, label in labels.items()}


def headed(names: Sequence[str]) -> list[str]:
    """Return names as column headers, shortened so that they stay distinct."""
    called = fitted(names, HEAD_WIDTH)
    return [called[name] for name in names]


def show_title(console: Console, text: str) -> None:
    from rich.text import Text

    console.print()
    console.print(Text(visible(console, in_shell(text)), style="bold"))


def say(console: Console, text: str, indent: str = "", head: tuple[str, str] = ("", "")) -> None:
    """Print one line of plain text, with a styled head before it."""
    from rich.text import Text

    before = indent + visible(console, head[0])
    whole = before + visible(console, isolated_in(plain(in_shell(text))))
    hang = len(indent) + HANG
    lines = [row for part in whole.split("\n") for row in wrapped(part, console.width, hang)]
    # In a pipe a sentence stays on one line, so that grep finds it whole.
    line = Text("\n".join(lines) if console.is_terminal else whole)
    # Each line end within the head has put `hang` spaces before the next line.
    end = len(before)
    for k in range(1, len(lines) if console.is_terminal else 0):
        end += hang if len("\n".join(lines[:k])) < end else 0
    line.stylize(head[1], len(indent), end)
    console.print(line, soft_wrap=True)


def say_some(console: Console, texts: Sequence[str], noun: str, indent: str = "", rest: str = ALL_IN_JSON) -> None:
    """Print the first of many lines, the number of the others and their place."""
    for text in texts[:MOST_LINES]:
        say(console, text, indent)
    left = len(texts) - MOST_LINES
    if left > 0:
        say(console, f"… and {counted([left], f'more {noun}')}: {rest}.", indent)


def show_notes(console: Console, notes: Sequence[str]) -> None:
    """Print the notes of an answer."""
    say_some(console, [f"Note: {in_shell(note)}." for note in notes], "note")


def visible(console: Console, text: str) -> str:
    """Return a text in the characters that the terminal can show."""
    return spelled(text) if console.options.ascii_only else text


def wrapped(text: str, width: int, hang: int = 0) -> Iterator[str]:
    """Yield the lines of a text; those after the first begin with `hang` spaces. A word that is too long has a line of its own.

    >>> list(wrapped("A leads (0.52 [0.41, 0.63], p < 0.001)", 24, 2))
    ['A leads', '  (0.52\\xa0[0.41,\\xa00.63],', '  p\\xa0<\\xa00.001)']
    """
    from rich.cells import cell_len

    words = UNBROKEN.sub(SPACE, text.lstrip(" ")).split(" ")
    line = " " * (len(text) - len(text.lstrip(" "))) + words[0]
    for word in words[1:]:
        # Columns and not characters: a letter of Chinese takes two.
        if line.strip() and cell_len(line) + 1 + cell_len(word) > width:
            yield line
            line = " " * hang + word
        else:
            line = f"{line} {word}"
    yield line


class Sheet:
    """Rows of names and cells; `rest` is the place of the rows that are not shown.

    The first `names` columns are repeated in every block; they are left-aligned, and so are columns of words (`left`: their positions).
    """

    def __init__(
        self,
        first: str,
        heads: Iterable[str],
        *,
        names: int = 1,
        left: Collection[int] = (),
        rest: str = ALL_IN_JSON,
    ) -> None:
        from rich.text import Text

        self.heads = [Text(first), *(Text(head) for head in heads)]
        self.rows: list[list[Text]] = []
        self.names, self.left, self.rest, self.caption = names, left, rest, ""

    def add_row(self, name: Text | str, *cells: Text | str) -> None:
        from rich.text import Text

        self.rows.append([cell if isinstance(cell, Text) else Text(cell) for cell in (name, *cells)])

    @property
    def width(self) -> int:
        """The width of the whole table in one block, in columns of the terminal."""
        widths = _widths(self.heads, self.rows)
        return sum(widths) + GAP * (len(widths) - 1)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table | Text]:
        from rich.text import Text

        ascii_only = options.ascii_only
        rows = [[_spelled(cell, ascii_only) for cell in row] for row in self.rows[:MOST_ROWS]]
        heads = [_spelled(head, ascii_only) for head in self.heads]
        widths = _widths(heads, rows)
        blocks = list(fitting(widths, options.max_width, self.names))
        for place, block in enumerate(blocks):
            if place:
                yield Text("")
            yield self._table(block, [heads[i] for i in block], [[row[i] for i in block] for row in rows])
        left = len(self.rows) - len(rows)
        if left:
            yield Text(f"… and {counted([left], 'more row')}: {self.rest}")
        if self.caption:
            yield Text(self.caption, style="dim")

    def _table(self, block: Sequence[int], heads: Sequence[Text], rows: Sequence[Sequence[Text]]) -> Table:
        from rich.table import Table

        # Without a box: what is copied into a mail or an issue stays a table.
        table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
        for at, head in enumerate(heads):
            name = at < self.names
            justify: JustifyMethod = "left" if name or block[at] in self.left else "right"
            table.add_column(head, justify=justify, no_wrap=True, overflow="ellipsis" if name else "fold")
        for row in rows:
            table.add_row(*row)
        return table


def sheet_of(table: AnswerTable, rest: str = ALL_IN_JSON) -> Sheet:
    """Return a table of an answer as the terminal shows it, with names shortened so that they stay distinct."""
    columns = table.shown("screen")
    # Shortened together, so that two names that differ at their ends alone stay two.
    labels = fitted(dict.fromkeys(cell.text for column in columns for cell in column.cells if isinstance(cell, Name)))
    words = frozenset(place for place, column in enumerate(columns) if column.words)
    called = fitted([column.title for column in columns if isinstance(column.head, Name)], HEAD_WIDTH)
    heads = [called.get(column.title, plain(column.title)) for column in columns]
    sheet = Sheet(heads[0], heads[1:], names=table.n_names, left=words, rest=rest)
    for place, texts in enumerate(rows_of(table, columns)):
        cells = [column.cells[place] for column in columns]
        row = (
            labels[c.text]
            if isinstance(c, Name)
            else _coloured(c, plain(in_shell(c) if isinstance(c, Sentence) else joined(t)))
            for c, t in zip(cells, texts, strict=True)
        )
        sheet.add_row(*row)
    return sheet


def _coloured(cell: Cell, text: str) -> Text | str:
    from rich.text import Text

    return Text(text, style=VERDICTS[cell.kind]) if isinstance(cell, Verdict) else text


def show_tables(console: Console, tables: Iterable[AnswerTable], rest: str = ALL_IN_JSON) -> None:
    """Print each table with its title above and its caption below."""
    for table in tables:
        show_title(console, plain(table.title))
        console.print(sheet_of(table, rest))
        if table.caption:
            say(console, table.caption)


def fitting(widths: Sequence[int], most: int, names: int = 1) -> Iterator[list[int]]:
    """Yield the columns of each block: those of names, and as many others as fit.

    >>> list(fitting([10, 30, 30, 30], 80)), list(fitting([10, 30, 30, 30], 80, 2))
    ([[0, 1, 2], [0, 3]], [[0, 1, 2], [0, 1, 3]])
    """
    first = list(range(names))
    before = sum(widths[:names]) + GAP * (names - 1)
    block, used = [*first], before
    for column, width in enumerate(widths[names:], names):
        # A block holds one column at least, however wide: cells are never cut.
        if used + GAP + width > most and len(block) > names:
            yield block
            block, used = [*first], before
        block.append(column)
        used += GAP + width
    yield block


def _widths(heads: Sequence[Text], rows: Sequence[Sequence[Text]]) -> list[int]:
    from rich.cells import cell_len

    return [max(cell_len(row[i].plain) for row in [heads, *rows]) for i in range(len(heads))]


def _spelled(text: Text, ascii_only: bool) -> Text:
    from rich.text import Text

    if not ascii_only or text.plain.isascii():
        return text
    # A stand-in may be longer than its sign, so that styles are carried over part by part.
    ends = sorted({edge for span in text.spans for edge in (span.start, span.end)} - {0, len(text)})
    parts = [part for part in text.divide(ends) if part.plain]
    return Text.assemble(*((spelled(part.plain), part.spans[0].style if part.spans else "") for part in parts))
