"""calibration.md from the tables of `runoff/atlas` and `runoff/atlas_power`.

`make calibration` runs both studies and this; the verdict on the default test is a person's, so it is read from stdin
(calibration_verdict.txt): read it again when the tables change.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import sqrt

import polars as pl

from runoff.studies import CONTENDERS

ALPHA, ERRORS = 0.05, 3.0

HEAD = """# Calibration atlas

This page gives the false positive rates at α = 0.05 of the methods of the atlas, by the number of runs of each algorithm
(`runoff study runoff/atlas`). Means are equal in every world. **Bold** rates are more than three standard errors above 5 %, *italic* rates
more than three below. There are {repeats} experiments per cell, so a test that keeps its level lies between {low:.3f} and {high:.3f}. With
several tasks, the two-sample tests (t test to Kolmogorov-Smirnov) are given the runs of all tasks pooled.

Rank tests (Mann-Whitney, ranked t, Brunner-Munzel, Mack-Skillings, improvement) ask which algorithm wins more often. Where the shapes of the
two differ, equal means do not imply equal chances. The high rates there answer another question; they are not noise.
"""

DEFAULT = """
## What it says about `compare(test="auto")`

{verdict}
"""


def page(atlas: pl.DataFrame, power: pl.DataFrame | None, verdict: str) -> Iterator[str]:
    """Yield the page, part by part."""
    n = int(atlas["n_repeats"].max())  # type: ignore[arg-type]
    half = ERRORS * sqrt(ALPHA * (1 - ALPHA) / n)
    yield HEAD.format(repeats=f"{n:,}", low=ALPHA - half, high=ALPHA + half)
    yield DEFAULT.format(verdict=verdict)
    yield "\n## The highest rate of each method over the worlds\n\n" + "".join(worst(atlas))
    for world in atlas["world"].unique(maintain_order=True):
        yield f"\n## {world}\n\n" + "".join(table(atlas.filter(pl.col("world") == world), half))
        if power is not None:
            yield "\nPower at one pooled standard deviation:\n\n" + "".join(
                table(power.filter((pl.col("world") == world) & (pl.col("effect") == 1.0)), None)
            )


def worst(atlas: pl.DataFrame) -> Iterator[str]:
    """Yield, for one and for several tasks, the highest rate of each method by the number of runs."""
    for title, chosen in (("One task", True), ("Several tasks", False)):
        part = atlas.filter(pl.col("world").str.starts_with("1 task") == chosen)
        highest = part.group_by("method", "n_runs", maintain_order=True).agg(
            pl.col("rate").max(), pl.col("n_repeats").min()
        )
        yield (
            f"{title}:\n\n"
            + "".join(table(highest, ERRORS * sqrt(ALPHA * (1 - ALPHA) / int(part["n_repeats"].min()))))
            + "\n"
        )  # type: ignore[arg-type]


def table(part: pl.DataFrame, half: float | None) -> Iterator[str]:
    """Yield a Markdown table: one row per method, one column per number of runs."""
    runs = part["n_runs"].unique(maintain_order=True).to_list()
    yield "| method | " + " | ".join(map(str, runs)) + " |\n| --- |" + " ---: |" * len(runs) + "\n"
    for name in part["method"].unique(maintain_order=True):
        rows = part.filter(pl.col("method") == name)
        rates = [rows.filter(pl.col("n_runs") == n)["rate"].item() for n in runs]
        yield f"| {CONTENDERS[name].label} | " + " | ".join(shown(rate, half) for rate in rates) + " |\n"


def shown(rate: float | None, half: float | None) -> str:
    """Return a rate, marked if it is not 5 %."""
    if rate is None:
        return "–"
    if half is None or abs(rate - ALPHA) <= half:
        return f"{rate:.3f}"
    return f"**{rate:.3f}**" if rate > ALPHA else f"*{rate:.3f}*"


def main() -> None:
    """Print the page of the tables named on the command line; the verdict is read from stdin."""
    tables = [pl.read_csv(path) for path in sys.argv[1:]]
    sys.stdout.write("".join(page(tables[0], tables[1] if len(tables) > 1 else None, sys.stdin.read().strip())) + "\n")


if __name__ == "__main__":
    main()
