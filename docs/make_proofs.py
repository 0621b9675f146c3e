"""Write docs/images/proof_NAME_light.png and proof_NAME_dark.png, the charts of the first page and of Evidence: `python -m docs.make_proofs`.

Each chart is drawn of a table of simulations (docs/tables), or of the table of worst rates in docs/limits.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from runoff.page.sheet.drawing import plain_style
from tools.site.tables import read

DOCS = Path(__file__).resolve().parent
COLORS = {"light": ("#1f2328", "#ffffff", "#2563c9", "#b3541e"), "dark": ("#cfd0d0", "#131416", "#7aa7ff", "#f0a36b")}
"""Ink, ground, the colour of runoff's default, and that of what it is compared with."""
SIZE, DPI = (3.4, 2.3), 200
WORST = re.compile(r"^\| ([^|]+) \| (?:covers? )?([\d.]+) %[^|]*\|", re.MULTILINE)
SHOWN_WORST = {
    "rank tests": "rank tests read as means",
    "`gate`](evidence/gate.md#one": "gate: no true drop",
    "`claims`": "claims: any in a table",
    "runs scored on all tasks": "shared runs unsaid",
    "any false positive in a family": "compare: seeds that fail",
    "`sequential`": "sequential: skewed runs",
}
"""What begins or names a row of the limits, and what the chart calls it."""


def coverage(ax: Axes, own: str, other: str) -> None:
    """Draw how often intervals of the mean cover it, against the number of runs."""
    rows = read("intervals_shipped")
    runs = [int(row[0]) for row in rows[1:]]
    for name, column, color, mark in (
        ("t (the default)", "t", own, "o"),
        ("percentile bootstrap", "percentile", other, "s"),
    ):
        at = rows[0].index(column)
        ax.plot(runs, [100 * float(row[at]) for row in rows[1:]], color=color, marker=mark, label=name)
    ax.axhline(95, color="gray", linestyle=":", linewidth=1)
    ax.set(
        xticks=runs, xlabel="runs on each of six tasks", ylim=(78, 100), title="95 % intervals that cover the mean, %"
    )
    ax.legend(frameon=False, loc="lower right")


def false_positives(ax: Axes, own: str, other: str) -> None:
    """Draw how often two samples of one algorithm are called different."""
    rows = read("same_algorithm")
    even = [row for row in rows[1:] if row[0].isdigit()]
    at = rows[0].index("six tasks: IQM")
    rates = [int(row[at]) / 10 for row in even]
    bars = ax.bar([f"{row[0]} runs" for row in even], rates, color=own, width=0.55)
    ax.bar_label(bars, fmt="%.1f")
    ax.axhline(5, color=other, linestyle="--", linewidth=1.2)
    ax.text(-0.27, 5.15, "5 % allowed", color=other)
    ax.set(ylim=(0, 7), title="One algorithm called two, %")


def plans(ax: Axes, own: str, other: str) -> None:
    """Draw in how many pilots a plan asks for enough runs."""
    rows = read("pilots")
    shares = [[100 * float(cell.partition(" ")[0]) for cell in row[2:]] for row in rows[1:] if row[0].startswith("IQM")]
    names = ("as the pilot spreads", "on average", "with 90 % assurance")
    for i, (name, color) in enumerate(zip(names, (other, "gray", own), strict=True)):
        bars = ax.bar([k + (i - 1) * 0.27 for k in range(2)], [row[i] for row in shares], 0.25, color=color, label=name)
        ax.bar_label(bars, fmt="%.0f")
    ax.set(
        xticks=(0, 1),
        xticklabels=("3 pilot runs", "5 pilot runs"),
        ylim=(0, 190),
        yticks=(0, 50, 100),
        title="Plans that are enough, %",
    )
    ax.legend(frameon=False, loc="upper left")


def worst(ax: Axes, own: str, other: str) -> None:
    """Draw the worst rate of some parts, from the table of the limits."""
    text = (DOCS / "limits.md").read_text(encoding="utf-8")
    rates = {name: float(rate) for name, rate in WORST.findall(text)}
    rows = [(label, next(rate for name, rate in rates.items() if key in name)) for key, label in SHOWN_WORST.items()]
    rows.sort(key=lambda row: row[1])
    bars = ax.barh([label for label, _ in rows], [rate for _, rate in rows], color=other, height=0.6)
    ax.bar_label(bars, fmt="%.0f", padding=2)
    ax.axvline(5, color=own, linestyle="--", linewidth=1.2)
    ax.set(xlim=(0, 100), title="Worst rates, % (5 promised)")


CHARTS: dict[str, Callable[[Axes, str, str], None]] = {
    "coverage": coverage,
    "false_positives": false_positives,
    "plans": plans,
    "worst": worst,
}


def drawn(name: str, scheme: str) -> bytes:
    """Return a chart as a PNG file."""
    ink, ground, own, other = COLORS[scheme]
    figure = Figure(figsize=SIZE, layout="constrained", facecolor=ground)
    ax = figure.add_subplot(facecolor=ground)
    CHARTS[name](ax, own, other)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(colors=ink, labelsize=8)
    for part in (ax.title, ax.xaxis.label, *ax.texts, *(ax.legend_.get_texts() if ax.legend_ else ())):
        part.set_fontsize(8)
        if part.get_color() == "black":
            part.set_color(ink)
    for spine in ax.spines.values():
        spine.set_color(ink)
    ax.title.set(fontsize=9, fontweight="bold")
    buffer, small = BytesIO(), BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI)
    Image.open(buffer).convert("RGB").quantize(32).save(small, format="png", optimize=True)
    return small.getvalue()


def main() -> None:
    """Draw every chart for both schemes of colours."""
    with plain_style():
        for name in CHARTS:
            for scheme in COLORS:
                (DOCS / "images" / f"proof_{name}_{scheme}.png").write_bytes(drawn(name, scheme))


if __name__ == "__main__":
    main()
