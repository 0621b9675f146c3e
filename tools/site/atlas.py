"""The calibration atlas as figures first: the rates of its tables are drawn, and the tables folded away below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import sqrt

from matplotlib.figure import Figure

from docs.make_gallery import picture
from runoff.plots import error_rates
from runoff.report.page.drawing import figure_of, plain_style
from runoff.results.study import StudyRecord, StudyResult
from tools.site.shown import shown_as

SHOWN = (
    "studentised permutation",
    "stratified permutation (mean)",
    "Welch",
    "Mann-Whitney",
    "Mack-Skillings (exact)",
    "bootstrap (percentile)",
    "intervals apart (mean)",
)
"""The methods of a figure, by their labels; the tables have all of them."""
TABLE = re.compile(r"^\| method \|[^\n]*\n\| --- \|[^\n]*\n(?:\|[^\n]*\n)+", re.MULTILINE)
ANY = re.compile(r"(?:(?:\A|\n\n|(?<=\|\n)\n)([^\n|]{,60}):\n\n)?(^\|[^\n]*\n\|[ :|-]+\n(?:\|[^\n]*\n)+)", re.MULTILINE)
"""A table, with the line above it if that is its head."""
WORLD = re.compile(r"^## (\d tasks?: [^\n]*)\n", re.MULTILINE)
REPEATS = re.compile(r"There are ([\d,]+)\s+experiments")
SIZE = 6.9


def drawn(text: str) -> tuple[str, dict[str, bytes]]:
    """Return the page of the atlas with a figure in front of the tables of each world, the tables folded, and the figures."""
    n, parts = int(_match(REPEATS, text)[1].replace(",", "")), WORLD.split(text)
    head, *verdicts, highest = re.split(r"^(?=## )", parts[0], flags=re.MULTILINE)
    first, pictures = _figured(highest, "over the worlds", ("one task", "several tasks"), n)
    pages = [head, first, "\n", *(ANY.sub(_folded, verdict) for verdict in verdicts)]
    for world, part in zip(parts[1::2], parts[2::2], strict=True):
        page, more = _figured(part, world, ("false positives", "power at one standard deviation"), n)
        pages.append(f"## {world}\n{page}")
        pictures |= more
    return "".join(pages), pictures


def _figured(text: str, world: str, titles: tuple[str, str], n: int) -> tuple[str, dict[str, bytes]]:
    tables = TABLE.findall(text)
    study = _study(tables, titles, n)
    name = f"atlas-{re.sub(r'[^a-z0-9]+', '-', world.lower()).strip('-')}.png"
    alt = f"{world}: share of rejections against the number of runs, {titles[0]} and {titles[1]}"
    at = TABLE.search(text)
    assert at is not None
    head = text.rfind("\n\n", 0, at.start()) + 2
    if text[: head - 2].endswith(":"):  # the table's own head
        head = text.rfind("\n\n", 0, head - 2) + 2
    with plain_style():
        data = picture(_figure(study))
    return f"{text[:head]}{shown_as(name, alt, data)}\n\n{ANY.sub(_folded, text[head:])}", {name: data}


def _folded(table: re.Match[str]) -> str:
    what = table[1] or ("All methods" if TABLE.match(table[2]) else "Some methods")
    return f"\n\n<details><summary>{what}, in numbers</summary>\n\n{table[2]}\n</details>\n"


def _figure(study: StudyResult) -> Figure:
    panels = [
        {
            "world": title,
            "effect": _effect(title),
            "title": title,
            "methods": dict.fromkeys(r.method for r in study.records if r.world == title and r.rate is not None),
        }
        for title in study.worlds
    ]
    return figure_of(error_rates(study, panels, width=SIZE))


def _effect(title: str) -> float:
    return float(title.startswith("power"))


def _study(tables: Sequence[str], titles: Sequence[str], n: int) -> StudyResult:
    """Return both tables as one study; what one of them lacks has no rate."""
    given = [r for table, title in zip(tables, titles, strict=True) for r in _records(table, title, _effect(title), n)]
    there = {(r.world, r.method, r.n_runs) for r in given}
    sizes, methods = (dict.fromkeys(getattr(r, key) for r in given) for key in ("n_runs", "method"))
    lacking = [
        replace(given[0], world=title, method=method, n_runs=size, effect=_effect(title), rate=None, rate_error=None)
        for title, method, size in product(titles, methods, sizes)
        if (title, method, size) not in there
    ]
    return StudyResult(
        name="atlas",
        title="",
        source="",
        records=(*given, *lacking),
        alpha=0.05,
        n_resamples=0,
        seed=0,
        complete=True,
        labels=tuple((name, name) for name in SHOWN),
        kinds=tuple((name, "rejection") for name in SHOWN),
    )


def _records(table: str, title: str, effect: float, n: int) -> Iterator[StudyRecord]:
    head, _, *rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in table.splitlines()]
    for method, *rates in rows:
        for runs, cell in zip(head[1:], rates, strict=True):
            rate = None if cell == "–" else float(cell)
            if method in SHOWN:
                error = None if rate is None else sqrt(rate * (1 - rate) / n)
                yield StudyRecord(
                    world=title,
                    method=method,
                    n_runs=int(runs),
                    effect=effect,
                    rate=rate,
                    rate_error=error,
                    spread=None,
                    n_repeats=n,
                )


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.search(text)
    if match is None:
        raise ValueError(f"the atlas says nothing of the form {pattern.pattern!r}")
    return match
