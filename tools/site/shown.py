"""What a page shows is what ran: its Python and its commands are executed, and an output that differs from the page's is refused.

- The ```python blocks of a page share their names and a folder. What one prints stands below it: in a fence without a language (or ```text),
  in a quotation, or in the body of a table. Figures that it names are drawn there, in the place of an image that follows.
- A page that says what lies in its folder (`<!-- folder` or files as ```toml names.toml, see `tests/docs/folders.py`), or makes it by Python
  that readers do not see (`<!-- setup`), has its ```console blocks executed there; on other pages such a block shows commands alone.
- "…" stands for lines of an output, or for a part of a line.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from docs.make_gallery import picture
from runoff.page.sheet.drawing import plain_style
from tests.docs.folders import ELIDED, laid_out, plain, printed, shows

FENCE = re.compile(r"^```([^\s`]*)(?: ([^\n]+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SETUP = re.compile(r"^<!-- setup\n(.*?)^-->$", re.DOTALL | re.MULTILINE)
HIDDEN = re.compile(r"^<!-- (?:setup|folder)\n.*?^-->\n?", re.DOTALL | re.MULTILINE)
PRINTED = re.compile(
    r"\s*(?:prints:?\n\s*)?(?:^```(?:text)?\n(?P<fence>.*?)^```$|(?P<quote>(?:^> ?[^\n]*\n)+)"
    r"|^\|[^\n]*\n^\|[ :|-]+\n(?P<table>(?:^\|[^\n]*\n)+))",
    re.DOTALL | re.MULTILINE,
)
"""What may stand below a block that prints; the head of a table is the page's own."""
IMAGE = re.compile(r"\s*^!\[([^\]]*)\]\([^)]*\)$", re.MULTILINE)


SCALE, WIDE = 0.8, 700
"""CSS pixels for a pixel of a picture, and the width in its pixels beyond which one is wide."""


class NotAsShown(Exception):
    """A page shows what did not run, or what ran otherwise; `mended` is the page with what ran in that place, where that can be written."""

    def __init__(self, words: str, mended: str | None = None) -> None:
        super().__init__(words)
        self.mended = mended


@dataclass(slots=True)
class Executed:
    """A page as the site has it: its text with the pictures that its code drew, by name."""

    text: str = ""
    pictures: dict[str, bytes] = field(default_factory=dict)


def executed(page: str, name: str) -> Executed:
    """Execute a page in a folder of its own, and return it with its figures; `name` begins the names of these and every refusal."""
    run = _Run(page=page, name=name)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), plain_style(), warnings.catch_warnings():
        warnings.simplefilter("error")
        laid_out(page, Path(folder))
        for code in SETUP.findall(page):
            exec(compile(code, name, "exec"), run.names)
        return run.all()


@dataclass(slots=True)
class _Run:
    """A page under execution: how far it is copied, and the names that its blocks have defined."""

    page: str
    name: str
    at: int = 0
    names: dict[str, Any] = field(default_factory=dict)
    out: Executed = field(default_factory=Executed)

    def all(self) -> Executed:
        lies_there = HIDDEN.search(self.page) is not None or any(block[2] for block in FENCE.finditer(self.page))
        for block in FENCE.finditer(self.page):
            if block.start() < self.at:  # an output
                continue
            if block[1] == "python":
                self._python(block)
            elif block[1] == "console" and lies_there:
                self._console(block)
            elif block[1] == "console":
                self._only_commands(block)
        self._copy(len(self.page))
        self.out.text = HIDDEN.sub("", self.out.text)
        return self.out

    def _python(self, block: re.Match[str]) -> None:
        printed_text, before = io.StringIO(), dict(self.names)
        line = self.page.count("\n", 0, block.start()) + 2
        code = "\n" * (line - 1) + block[3]
        with contextlib.redirect_stdout(printed_text):
            exec(compile(code, self.name, "exec"), self.names)
        self._copy(block.end())
        self._output(printed_text.getvalue(), line)
        drawn = [figure for figure in _figures(self.names) if not any(figure is other for other in _figures(before))]
        for figure in drawn:
            self._picture(figure)

    def _output(self, printed_text: str, line: int) -> None:
        shown = PRINTED.match(self.page, self.at)
        if shown is None and not printed_text.strip():
            return
        if shown is None:
            mended = f"{self.page[: self.at]}\n\n```text\n{plain(printed_text)}```{self.page[self.at :]}"
            raise NotAsShown(
                f"{self.name}:{line}: the page does not show what its code prints:\n{printed_text}", mended
            )
        kind = next(name for name, part in shown.groupdict().items() if part is not None)
        mark = "> " if kind == "quote" else ""
        text = re.sub(r"^> ?", "", shown[kind], flags=re.MULTILINE) if mark else shown[kind]
        if not shows(text, plain(printed_text)):
            ran = "".join(f"{mark}{row}\n" for row in printed_text.rstrip("\n").splitlines())
            mended = None if ELIDED in text else self.page[: shown.start(kind)] + ran + self.page[shown.end(kind) :]
            raise NotAsShown(f"{self.name}:{line}: the page shows\n{text}\nand its code prints\n{printed_text}", mended)
        self._copy(shown.end())

    def _picture(self, figure: Figure) -> None:
        image = IMAGE.match(self.page, self.at)
        name = f"{self.name.replace('/', '-').removesuffix('.md')}-{len(self.out.pictures) + 1}.png"
        self.out.pictures[name] = picture(figure)
        alt = image[1] if image else _words(figure)
        self.out.text += f"\n\n{shown_as(name, alt, self.out.pictures[name])}\n"
        if image:
            self.at = image.end()

    def _console(self, block: re.Match[str]) -> None:
        for part in re.split(r"^\$ ", block[3], flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            code, printed_text = printed(command)
            refused = "\nerror: " in f"\n{output}"
            if not shows(output, printed_text) or (code == 2) != refused:
                raise NotAsShown(
                    f"{self.name}: $ {command}\nends with {code} and prints\n{printed_text}\nthe page shows\n{output}"
                )

    def _only_commands(self, block: re.Match[str]) -> None:
        if any(line.strip() and not line.startswith("$ ") for line in block[3].splitlines()):
            raise NotAsShown(
                f"{self.name}: the page shows what commands print, and does not say in which folder (<!-- folder):\n{block[3]}"
            )

    def _copy(self, end: int) -> None:
        self.out.text += self.page[self.at : end]
        self.at = end


def shown_as(name: str, alt: str, data: bytes) -> str:
    """Return a picture in Markdown, as wide as it is to be seen; a wide one is not squeezed on a narrow screen."""
    width = int.from_bytes(data[16:20], "big")  # of a PNG
    return f"![{alt}](/made/{name}){{width={SCALE * width:.0f}px{' .wide' if width > WIDE else ''}}}"


def _figures(names: dict[str, Any]) -> list[Figure]:
    """Return the figures of a namespace, each once, in the order of their names' definition."""
    figures: dict[int, Figure] = {}
    for value in names.values():
        for item in value if isinstance(value, tuple) else (value,):
            figure = item.figure if isinstance(item, Axes) else item
            while isinstance(figure, SubFigure):
                figure = figure.figure
            if isinstance(figure, Figure):
                figures[id(figure)] = figure
    return list(figures.values())


def _words(figure: Figure) -> str:
    """Return what is written about the panels of a figure, for those who do not see it."""
    return "; ".join(dict.fromkeys(_labels(figure))) or "figure drawn by the code above"


def _labels(figure: Figure) -> Iterator[str]:
    for ax in figure.axes:
        for label in (ax.get_title(), ax.get_ylabel(), ax.get_xlabel()):
            if label:
                yield " ".join(label.replace("[", "(").replace("]", ")").split())
