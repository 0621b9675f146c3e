"""Does every link inside a built site lead somewhere, and is nothing asked of another host?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ASKED = {
    ("script", "src"),
    ("img", "src"),
    ("source", "srcset"),
    ("iframe", "src"),
    ("object", "data"),
    ("video", "src"),
    ("use", "href"),
    ("image", "href"),
    ("link", "href"),
}
"""What a browser fetches without being asked."""
FETCHED = re.compile(r"""url\(\s*['"]?((?:https?:)?//[^'")]+)|@import\s+['"]((?:https?:)?//[^'"]+)""")


class _Page(HTMLParser):
    """The links of a page, the anchors on it, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {""}
        self.loads: list[str] = []
        self.styles: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        self.styles.append(given.get("style", ""))
        for name, value in given.items():
            if (tag, name) in ASKED:
                self.loads.append(value)
            if name in ("href", "src"):
                self.links.append(value)


def broken(site: Path) -> Iterator[str]:
    """Yield a sentence for each link that leads nowhere, and for each file that is asked of another host."""
    pages = {path.resolve(): _read(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        yield from (f"{name}: {target} is asked of another host" for target in page.loads if urlsplit(target).netloc)
        yield from (
            f"{name}: a style asks another host for {target}" for style in page.styles for target in _fetched(style)
        )
        yield from (
            f"{name}: {target} leads nowhere" for target in dict.fromkeys(page.links) if not _leads(path, target, pages)
        )
    for path in sorted([*site.rglob("*.css"), *site.rglob("*.html")]):
        for target in _fetched(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site)}: {target} is asked of another host"


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _leads(path: Path, target: str, pages: dict[Path, _Page]) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return True
    file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    file = file / "index.html" if file.is_dir() else file
    if not file.is_file():
        return False
    return file not in pages or unquote(parts.fragment) in pages[file].anchors


def _fetched(style: str) -> Iterator[str]:
    for match in FETCHED.finditer(style):
        yield match[1] or match[2]
