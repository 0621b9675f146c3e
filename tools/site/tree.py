"""One folder from which Sphinx builds: every page executed, its links led, its figures drawn; the reference beside it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tools.site import atlas, command_line, docstrings, notebook_page, reference, search, sets, tables
from tools.site.pages import OUTSIDE, ROOT, places, with_captions, with_links, with_pictures, with_thumbnails
from tools.site.shown import HIDDEN, Executed, NotAsShown, executed

Place = tuple[str, str, dict[str, bytes]]
"""Where a page stands, its text, and its pictures by name."""
CHANGED: dict[str, Callable[[str], tuple[str, dict[str, bytes]]]] = {
    "calibration.md": atlas.drawn,
    "gallery.md": lambda text: (with_thumbnails(text), {}),
}
"""Pages that get figures of a table; every page gets its tables (`tables.folded`)."""
UNDER = {
    "guides/read-your-report.md": ("a-claim-withdrawn",),
    "guides/what-to-write.md": (
        "three-seeds-and-a-deadline",
        "comparing-learning-curves",
        "comparing-on-a-benchmark",
        "checklists",
    ),
    "guides/check-a-published-table.md": ("published-numbers",),
    "guides/gate-your-agent.md": ("ci", "for-programs"),
    "guides/from-a-sweep.md": ("../tuning",),
    "guides/how-many-runs.md": ("when-to-stop",),
    "guides/logs/index.md": ("../what-is-a-run", "../which-runs-count", "../my-metric"),
    "concepts/index.md": ("../guides/what-is-an-iqm", "../which-test", "../estimates", "../comparing", "../ranks"),
    "evidence.md": (
        "calibration",
        "evidence/*",
        "guides/can-i-trust-these-tests",
        "studies",
        "archive",
        "guides/what-the-archive-says",
    ),
    "compare-with.md": ("guides/coming-from-rliable",),
    "glossary.md": ("names",),
    "design/index.md": tuple(
        f"../{place.removesuffix('.md')}"
        for place in OUTSIDE.values()
        if place.startswith("project/") and place != "project/changelog.md"
    ),
}
"""Pages that stand below another in the menu."""


def write(tree: Path, *, execute: bool = True) -> None:
    """Write the folder anew; refuse a page or a docstring that does not show what ran. Pages that are not executed stand as they are."""
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("images", "gallery"):
        shutil.copytree(ROOT / "docs" / folder, tree / folder)
    wrong: list[str] = []
    written: list[tuple[str, str]] = []
    for place, text, pictures in (*pages(wrong, execute=execute), *generated()):
        written.append((place, text))
        _put(tree / place, search.with_metadata(text).encode())
        for name, data in pictures.items():
            _put(tree / "made" / name, data)
    _put(tree / search.PLACE, search.script(written).encode())
    if wrong:
        raise NotAsShown("\n".join(wrong))


def pages(wrong: list[str], *, execute: bool = True) -> Iterator[Place]:
    """Yield the place, text and pictures of each page; refusals of pages and of docstrings are added to `wrong`."""
    page_places = places()
    for (path, place), page in zip(page_places.items(), _ran(page_places, wrong, execute=execute), strict=True):
        if page is not None:
            text, drawn = CHANGED.get(place, _as_it_is)(page.text)
            text = sets.led(with_pictures(with_captions(with_links(tables.folded(text), path, page_places))))
            if place == sets.PLACE:
                yield from ((own, section, {}) for own, section in sets.pages(text))
                text = sets.head(text)
            yield place, text + _below(place), page.pictures | drawn


def generated() -> Iterator[Place]:
    """Yield the pages that are written of the code."""
    for place, text in (*command_line.pages(), *reference.pages()):
        yield place, text, {}


def _ran(page_places: Mapping[str, str], wrong: list[str], *, execute: bool) -> Iterator[Executed | None]:
    """Yield each page as it ran, on all cores; None for one that was refused."""
    if not execute:
        for path, place in page_places.items():
            text = (ROOT / path).read_text(encoding="utf-8")
            yield _executed(path, place) if path.endswith(".ipynb") else Executed(HIDDEN.sub("", text))
        return
    with ProcessPoolExecutor() as pool:
        refused = [pool.submit(_refused, module) for module in docstrings.MODULES]
        for outcome in [pool.submit(_executed, *pair) for pair in page_places.items()]:
            try:
                yield outcome.result()
            except NotAsShown as refusal:
                wrong.append(str(refusal))
                yield None
        wrong += [words for outcome in refused for words in outcome.result()]


def _executed(path: str, place: str) -> Executed:
    if path.endswith(".ipynb"):
        return notebook_page.page(ROOT / path, place.removesuffix(".md"))
    return executed((ROOT / path).read_text(encoding="utf-8"), place)


def _refused(module: str) -> list[str]:
    return list(docstrings.refused(module))


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
