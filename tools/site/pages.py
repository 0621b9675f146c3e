"""Which files of the repository are pages of the site, where they stand there, and where their links then lead."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "examples/first_comparison.ipynb": "notebook.md",
    "src/runoff/data/classic_control/README.md": "project/classic-control-data.md",
    "tests/golden/README.md": "project/golden-values.md",
}
"""Pages that do not lie in docs."""
FENCES = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?://|mailto:|#|/)([^)#\s]*)(#[^)\s]*)?\)")
NAMED = re.compile(r"^```(\w+) ([^\n{]+)\n", re.MULTILINE)
PICTURE = re.compile(
    r'<picture>\n  <source [^\n]*srcset="([^"]+)">\n  <img src="([^"]+)" alt="([^"]+)"[^\n]*>\n</picture>'
)
FIGURE = re.compile(r"^### (\w+)\n(?:(?!^##).*\n)*?!\[(?:\w+: )?([^\]]*)\]\(((?:/made|gallery)/[^)]+)\)", re.MULTILINE)
LEXERS = {"csv": "text"}


def places() -> dict[str, str]:
    """Return the path of each page in the repository, and its path on the site."""
    docs = sorted(path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md"))
    inside = {f"docs/{name}": re.sub(r"README\.md$", "index.md", name) for name in docs}
    return inside | {path: place for path, place in OUTSIDE.items() if (ROOT / path).exists()}


def with_links(text: str, path: str, places_of: dict[str, str]) -> str:
    """Return the text of the page at a path of the repository, its links led to where pages stand on the site."""
    home, place = posixpath.dirname(path), posixpath.dirname(places_of[path])

    def led(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(home, link[2]))
        target = target if target in places_of else f"{target}/README.md"
        if target in places_of:
            return f"[{link[1]}]({posixpath.relpath(places_of[target], place or '.')}{link[3] or ''})"
        return _told(link[1], target.removesuffix("/README.md"))

    return "".join(part if part.startswith("```") else LINK.sub(led, part) for part in FENCES.split(text))


def _told(words: str, target: str) -> str:
    """Return a link to a file that is no page: its path in the repository."""
    return f"`{target}`" if PurePosixPath(target).name in words or words in target else f"{words} (`{target}`)"


def with_captions(text: str) -> str:
    """Return the text of a page whose files (```toml names.toml) are shown under their names."""
    return NAMED.sub(
        lambda match: f"```{{code-block}} {LEXERS.get(match[1], match[1])}\n:caption: {match[2]}\n\n", text
    )


def with_pictures(text: str) -> str:
    """Return the text of a page whose pictures for light and dark screens are those of the theme."""
    return PICTURE.sub(r"![\3](\2){.only-light}\n![\3](\1){.only-dark}", text)


def with_thumbnails(text: str) -> str:
    """Return the gallery with small pictures of its figures above the first, by question, each of which leads to the figure and its code."""
    head, *parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    small = "\n".join(_row(part) for part in parts)
    return f"{head}:::::{{container}} thumbnails\n{small}:::::\n\n{''.join(parts)}"


def _row(part: str) -> str:
    """Return the small pictures of a question."""
    figures = [
        f"::::{{container}} thumbnail\n[![{shows}]({file})](#{name})\n\n{shows}\n::::\n"
        for name, shows, file in FIGURE.findall(part)
    ]
    return f"**{part.partition(chr(10))[0].removeprefix('## ')}**\n\n{''.join(figures)}\n"
