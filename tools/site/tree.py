"""One folder from which Sphinx builds: every page executed, its links led, its figures drawn; the reference beside it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.site import atlas, command_line, docstrings, reference, tables
from tools.site.pages import ROOT, places, with_captions, with_links, with_pictures, with_thumbnails
from tools.site.shown import NotAsShown, executed

CHANGED: dict[str, Callable[[str], tuple[str, dict[str, bytes]]]] = {
    "calibration.md": atlas.drawn,
    "gallery.md": lambda text: (with_thumbnails(text), {}),
}
"""Pages that get figures of a table; every page gets its tables (`tables.folded`)."""
UNDER = {
    "guides/read-your-report.md": ("what-is-an-iqm", "a-claim-withdrawn"),
    "guides/published-numbers.md": ("../archive", "what-the-archive-says"),
    "guides/two-models.md": ("robot-policies",),
    "guides/how-many-runs.md": ("../studies",),
    "guides/comparing-on-a-benchmark.md": ("../ranks",),
    "guides/what-is-a-run.md": ("which-runs-count", "my-metric"),
    "which-test.md": ("comparing",),
    "estimates.md": ("tuning",),
    "advice.md": ("guides/questions",),
    "glossary.md": ("names",),
    "design/index.md": ("../project/*",),
}
"""Pages that stand below another in the menu."""


def write(tree: Path) -> None:
    """Write the folder anew; refuse a page or a docstring that does not show what ran."""
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "images", tree / "images")
    wrong = [refusal for module in docstrings.MODULES for refusal in docstrings.refused(module)]
    for place, text, pictures in pages(wrong):
        _put(tree / place, text.encode())
        for name, data in pictures.items():
            _put(tree / "made" / name, data)
    if wrong:
        raise NotAsShown("\n".join(wrong))


def pages(wrong: list[str]) -> Iterator[tuple[str, str, dict[str, bytes]]]:
    """Yield the place, text and pictures of each page; refusals are added to `wrong`."""
    page_places = places()
    for path, place in page_places.items():
        try:
            page = executed((ROOT / path).read_text(encoding="utf-8"), place)
        except NotAsShown as refusal:
            wrong.append(str(refusal))
            continue
        text, drawn = CHANGED.get(place, _as_it_is)(page.text)
        text = with_pictures(with_captions(with_links(tables.folded(text), path, page_places)))
        yield place, text + _below(place), page.pictures | drawn
    yield command_line.PLACE, command_line.page(), {}
    for place, text in reference.pages():
        yield place, text, {}


def _below(place: str) -> str:
    """Return the menu of the pages under a page: those named, and of a folder's own page those in the folder."""
    folder, under = place.removesuffix("index.md"), UNDER.get(place, ())
    entries = "".join(f"{name}\n" for name in (() if folder in (place, "") else ("*",)) + under)
    return f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{entries}```\n" if entries else ""


def _as_it_is(text: str) -> tuple[str, dict[str, bytes]]:
    return text, {}


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
