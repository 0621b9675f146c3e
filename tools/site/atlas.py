"""The calibration atlas on the site: where its page links to tables/atlas.csv, every scenario has a figure, and its rates folded away below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import sqrt
from typing import NamedTuple

from matplotlib.figure import Figure

from docs.make_gallery import picture
from runoff.answer.study import StudyResult, StudyRow
from runoff.page.sheet.drawing import figure_of, plain_style
from runoff.plots import error_rates
from tools.site.shown import shown_as
from tools.site.tables import details, markdown, read

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
LINK = re.compile(r"^\[[^\]\n]+\]\(tables/atlas\.csv\)$", re.MULTILINE)
PANELS = {"false positives": 3, "power at one standard deviation": 4}
"""The panels of a scenario, and the column of the table that each shows."""
HIGHEST = ("one task", "several tasks")
SIZE, REPEATS = 6.9, 5_000


class Rate(NamedTuple):
    """A rate of a panel; None where the study has none."""

    panel: str
    method: str
    n_runs: int
    rate: float | None


def drawn(text: str) -> tuple[str, dict[str, bytes]]:
    """Return the page with all scenarios in the place of its link to the table, and their figures."""
    rows, parts, pictures = read("atlas")[1:], [], {}
    for scenario, rates in {"The highest rate of each method": highest(rows), **scenarios(rows)}.items():
        name = f"atlas-{re.sub(r'[^a-z0-9]+', '-', scenario.lower()).strip('-')}.png"
        with plain_style():
            pictures[name] = picture(_figure(rates))
        panels = list(dict.fromkeys(rate.panel for rate in rates))
        alt = f"{scenario}: share of rejections against the number of runs, {' and '.join(panels)}"
        tables = (details(f"All methods, {panel}", markdown(wide(rates, panel))) for panel in panels)
        parts.append("\n".join([f"## {scenario}\n", shown_as(name, alt, pictures[name]), "", *tables]))
    return LINK.sub(lambda _: "\n".join(parts), text), pictures


def scenarios(rows: Sequence[Sequence[str]]) -> dict[str, list[Rate]]:
    """Return the rates of each scenario."""
    every: dict[str, list[Rate]] = {row[0]: [] for row in rows}
    for row in rows:
        every[row[0]] += [Rate(panel, row[1], int(row[2]), float(row[at])) for panel, at in PANELS.items() if row[at]]
    return every


def highest(rows: Sequence[Sequence[str]]) -> list[Rate]:
    """Return the highest rate of false positives of each method and number of runs, over scenarios of one task and of several."""
    top: dict[tuple[str, str, int], float] = {}
    for scenario, method, runs, rate, _ in rows:
        key = HIGHEST[not scenario.startswith("1 task:")], method, int(runs)
        top[key] = max(top.get(key, 0.0), float(rate or 0))
    return [Rate(*key, rate) for key, rate in top.items()]


def wide(rates: Sequence[Rate], panel: str) -> list[list[str]]:
    """Return a panel as a table: a row a method, a column a number of runs."""
    own = {(rate.method, rate.n_runs): rate.rate for rate in rates if rate.panel == panel}
    sizes = sorted({n for _, n in own})
    return [
        ["method", *map(str, sizes)],
        *([method, *(_written(own.get((method, n))) for n in sizes)] for method in dict.fromkeys(m for m, _ in own)),
    ]


def _written(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.3f}"


def _figure(rates: Sequence[Rate]) -> Figure:
    study = _study([rate for rate in rates if rate.method in SHOWN])
    panels = [
        {
            "world": title,
            "effect": _effect(title),
            "title": title,
            "contenders": dict.fromkeys(r.contender for r in study.rows if r.world == title and r.rate is not None),
        }
        for title in study.worlds
    ]
    return figure_of(error_rates(study, panels, width=SIZE))


def _effect(title: str) -> float:
    return float(title.startswith("power"))


def _study(rates: Sequence[Rate]) -> StudyResult:
    """Return the panels as one study; what one of them lacks has no rate."""
    given = {rate[:3]: rate.rate for rate in rates}
    keys = [dict.fromkeys(key[i] for key in given) for i in range(3)]
    return StudyResult(
        name="atlas",
        title="",
        source="",
        rows=tuple(_record(*key, given.get(key)) for key in product(*keys)),
        alpha=0.05,
        n_resamples=0,
        seed=0,
        complete=True,
        labels=tuple((name, name) for name in SHOWN),
        kinds=tuple((name, "rejection") for name in SHOWN),
    )


def _record(title: str, method: str, n_runs: int, rate: float | None) -> StudyRow:
    return StudyRow(
        world=title,
        contender=method,
        n_runs=n_runs,
        effect=_effect(title),
        rate=rate,
        rate_error=None if rate is None else sqrt(rate * (1 - rate) / REPEATS),
        estimate_std=None,
        n_repeats=REPEATS,
    )
