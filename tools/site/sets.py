"""The archive on the site: a table that can be filtered, and a page for each set in the place of a section."""

from __future__ import annotations

import re
from collections.abc import Iterator

PLACE = "archive.md"
FOLDER = "archive"
SECTION = re.compile(r"^## (\w+)\n", re.MULTILINE)
LINK = re.compile(r"\]\(((?:\.\./|[\w-]+/)*)archive\.md#(\w+)\)")
OWN = re.compile(r"\]\(#(\w+)\)")
TABLE = re.compile(r"^\| set \|(?:.*\n)+?(?=\n|\Z)", re.MULTILINE)


def head(text: str) -> str:
    """Return the page of all sets: what it says before the sections, its table to be filtered, and the menu of the sets."""
    begin, *rest = SECTION.split(text)
    table, others = TABLE.search(begin), TABLE.sub("", begin)
    first, example, more = others.partition("\n```python\n")
    shown = f"{first}\n::::{{container}} filterable\n\n{table[0] if table else ''}\n::::\n{example}{more}"
    names = "".join(f"{FOLDER}/{name}\n" for name in rest[::2])
    return OWN.sub(rf"]({FOLDER}/\1.md)", shown) + f"\n```{{toctree}}\n:hidden:\n\n{names}```\n"


def pages(text: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of the page of each set; nothing of it is folded away."""
    _, *rest = SECTION.split(text)
    for name, section in zip(rest[::2], rest[1::2], strict=True):
        shown = re.sub(r"</?details>|<summary>.*?</summary>", "", section)
        yield f"{FOLDER}/{name}.md", f"# {name}\n{shown}\n[All sets](../{PLACE})\n"


def led(text: str) -> str:
    """Return a page whose links to a section of the archive lead to the page of the set."""
    return LINK.sub(rf"](\1{FOLDER}/\2.md)", text)
