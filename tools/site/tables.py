"""Tables of simulations are CSV files in docs/tables; a page folds one in where a link to it stands alone on its line.

    [Coverage of the intervals](tables/intervals.csv)

On GitHub the link leads to the file, which is shown as a table there. A command that simulates prints its tables, and

    python -m docs.make_ranks | python -m tools.site.tables ranks

writes them, in their order, under these names; it may also call `write`. `tests/docs/test_tables.py` compares what pages quote.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator, Sequence

from tools.site.pages import ROOT

FOLDER = ROOT / "docs" / "tables"
LINK = re.compile(r"^\[([^\]\n]+)\]\((?:\.\./)*tables/([\w-]+)\.csv\)$", re.MULTILINE)
PRINTED = re.compile(r"^\|[^\n]*\n\|[ :|-]+\n(?:\|[^\n]*(?:\n|\Z))+", re.MULTILINE)
NUMBER = re.compile(r"[−+<]?[\d.,–-]+(?: ?%)?|–|")


def read(name: str) -> list[list[str]]:
    """Return the rows of a table, its head first."""
    return list(csv.reader(io.StringIO((FOLDER / f"{name}.csv").read_text(encoding="utf-8"))))


def write(name: str, lines: Sequence[str]) -> None:
    """Write the lines of a Markdown table as docs/tables/NAME.csv, without the marks of bold and italic."""
    rows = [
        re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in lines if not re.fullmatch(r"[ :|-]+", line.strip())
    ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([cell.strip(" *`") for cell in row] for row in rows)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.csv").write_text(text.getvalue(), encoding="utf-8")


def folded(text: str) -> str:
    """Return a page with the tables to which it links, each folded below the words of its link."""
    return LINK.sub(lambda link: details(link[1], markdown(read(link[2]))), text)


def details(words: str, table: str) -> str:
    """Return a table in Markdown that is folded away below these words."""
    words = re.sub(r"`([^`]+)`", r"<code>\1</code>", words)  # within HTML no Markdown is read
    return f"<details><summary>{words}</summary>\n\n{table}\n</details>\n"


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return rows, the head first, as a table in Markdown; columns of numbers stand right."""
    rules = [
        "---:" if all(NUMBER.fullmatch(cell) for cell in cells) else "---" for cells in zip(*rows[1:], strict=True)
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in (rows[0], rules, *rows[1:]))


def tables_of(text: str) -> Iterator[list[str]]:
    """Yield the lines of each Markdown table of a text."""
    for table in PRINTED.findall(text):
        yield table.splitlines()


def main() -> int:
    """Write the tables of standard input under the names given, and return the exit code."""
    given = list(tables_of(sys.stdin.read()))
    if len(given) != len(sys.argv) - 1:
        sys.stderr.write(f"error: {len(given)} tables were printed, and {len(sys.argv) - 1} names given: name each\n")
        return 2
    for name, lines in zip(sys.argv[1:], given, strict=True):
        write(name, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
