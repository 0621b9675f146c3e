"""Write docs/gallery.md and docs/gallery/*.png: every figure with the code that draws it.

    python -m docs.make_gallery

The page's code is run by the tests as that of every page is, and one of them holds the page to this file and to the registry of figures.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from PIL import Image

import runoff as ro
from runoff.page.sheet.drawing import plain_style
from runoff.plots import PLOTS

PAGE = Path(__file__).resolve().parent / "gallery.md"
FOLDER = PAGE.with_suffix("")
DPI, COLORS = 160, 128
"""Dots per inch, and the colours of a picture."""
HEAD = """# Gallery

<!-- search: figures, plots, matplotlib, plot gallery, violin, forest plot -->

Every figure of `ro.plots`, by the question that it answers, with its code. A figure takes a result and returns matplotlib Axes;
`ax.figure.savefig("name.pdf")` saves it, of several panels `axes[0].figure.savefig("name.pdf")`
([without Type 3 fonts](cookbook/write.md#a-pdf-figure-without-type-3-fonts)).
`ro.plots.caption(result)` gives the caption, and `title=` sets the title. `width="neurips"`,
`"icml"`, `"jmlr"`, … or `width="88mm"` makes the figure as wide as the text of a paper, so that 7 points are 7 points there.
`colors={"ARS": "red"}` pins colours as matplotlib writes them, `palette="Set2"` gives all of them;
the others are those of `ro.plots.marks(names)`, and some algorithms of a set keep those of the whole.
A figure of an answer that data alone have takes the data too: `ro.plots.profiles("runs.csv")`.
`python -m docs.make_gallery` writes this page.

The examples share these data, eight runs of each of five agents:
"""
DATA = """import runoff as ro

names = ["Q(λ)", "Sarsa(λ)", "Actor-Critic", "Expected Sarsa", "ARS"]
tasks = ["Acrobot-v1", "FrozenLake-v1", "Pendulum-v1"]
curves = ro.load_example("classic_control").select(algorithms=names, tasks=tasks).normalize("classic_control")
scores = curves.final().subsample(8)
"""
COMPARED = "ro.compare(scores)"
CODE = {
    "measures": f"ro.plots.measures({COMPARED})",
    "where": 'ro.plots.where(ro.where(curves.final(), "Q(λ)", "ARS"))',
    "aggregates": "ro.plots.aggregates(ro.aggregate(scores, n_resamples=2000))",
    "improvement": f"ro.plots.improvement({COMPARED})",
    "effect_sizes": 'ro.plots.effect_sizes(ro.effect_sizes(scores, effect_size=["hedges_g"]))',
    "profiles": "ro.plots.profiles(ro.performance_profile(scores, n_resamples=500))",
    "pvalue_matrix": f"ro.plots.pvalue_matrix({COMPARED})",
    "pairs": f"ro.plots.pairs({COMPARED})",
    "rank_intervals": "ro.plots.rank_intervals(ro.rank_intervals(scores, n_resamples=1000))",
    "robustness": "ro.plots.robustness(ro.robustness(scores))",
    "critical_difference": "ro.plots.critical_difference(ro.critical_difference(scores))",
    "inferential_intervals": "ro.plots.inferential_intervals(ro.inferential_intervals(scores, n_resamples=2000))",
    "normality": "ro.plots.normality(ro.describe(curves.final()))",
    "densities": 'ro.plots.densities(ro.describe(curves.final(), fit=True), algorithms=["Q(λ)", "ARS"])',
    "tasks": "ro.plots.tasks(scores)",
    "reproduce": """mine = {"my SAC": {"Hopper-v4": [2400.0, 3100.0, 2900.0, 2600.0], "Ant-v4": [4300.0, 4500.0, 4100.0, 4400.0]}}
ax = ro.plots.reproduce(ro.reproduce(mine, "simbav2:sac", assume_same_protocol=True))""",
    "runs": """one_task = scores.select(tasks=["Acrobot-v1"])
ax = ro.plots.runs(one_task, ro.compare(one_task), pair=("Q(λ)", "ARS"))""",
    "sample_efficiency": "ro.plots.sample_efficiency(ro.curves(curves, n_resamples=500))",
    "curves": 'ro.plots.curves(ro.curves(curves, by="task"))',
    "time_to_threshold": "ro.plots.time_to_threshold(ro.time_to_threshold(curves, 0.9))",
    "tuning": """task = "HalfCheetah-v3-high-1000"
sweep = ro.archive.load("neorl_tuning", algorithms=["bcq", "cql", "mopo"], tasks=[task])
ax = ro.plots.tuning(ro.tuning(sweep))""",
    "sensitivity": """tasks = ["HalfCheetah-v3-high-1000", "Hopper-v3-high-1000", "Walker2d-v3-high-1000"]
sweep = ro.archive.load("neorl_tuning", algorithms=["bcq", "cql", "mopo"], tasks=tasks)
ax = ro.plots.sensitivity(ro.tuning(sweep, view="sensitivity"))""",
    "reliability": 'ro.plots.reliability(ro.reliability(curves.select(algorithms=["Q(λ)", "ARS"])))',
    "power": "ro.plots.power(ro.runs_needed(effect=[0.1, 0.2], std=0.2))",
    "sequential": """design = ro.SequentialDesign(looks=(4, 8), n_resamples=999)
runs = {name: scores.cell(name, "Acrobot-v1") for name in names[:3]}
first = {name: {"Acrobot-v1": cell[:4]} for name, cell in runs.items()}
second = {name: {"Acrobot-v1": cell[4:]} for name, cell in runs.items()}
ax = ro.plots.sequential(ro.sequential(second, design=design, earlier=[first]))""",
    "false_positive_rate": """one = curves.final().select(algorithms=["ARS"], tasks=["Pendulum-v1"])
ax = ro.check(one, test=["welch", "ranked_t"], measure="iqm", n_runs=[3, 5, 10]).plot().axes[0]""",
    "coverage": """covered = ro.check(one, test="welch", measure="iqm", interval=["t", "percentile"], n_runs=[3, 5, 10])
ax = covered.plot("coverage").axes[0]""",
    "plan": "ro.plots.plan(ro.plan(one.subsample(10), effect=0.1))",
    "error_rates": """from runoff.lab import Study, World, distribution

runs = {"family": "normal"}
world = World(name="normal runs", grid=tuple((distribution(name, runs),) for name in ("A", "B")))
contenders = ("welch", "mann_whitney", "student")
design = Study(
    name="small", worlds=(world,), contenders=contenders, n_runs=(3, 5, 10, 20), effects=(0.0, 1.0), n_repeats=500
)
study = ro.run_study(design, workers=1)
ax = ro.plots.error_rates(study, [{"effect": 0.0}, {"effect": 1.0}])""",
}
"""Figure -> the code that draws it: one call, or lines that end by naming `ax`."""


def block(name: str) -> str:
    """Return the lines of code of a figure."""
    return CODE[name] if "ax = " in CODE[name] else f"ax = {CODE[name]}"


QUESTIONS = {
    "Who is best, and how sure is that?": (
        "measures",
        "aggregates",
        "rank_intervals",
        "critical_difference",
        "inferential_intervals",
    ),
    "Who beats whom?": ("pairs", "improvement", "pvalue_matrix", "effect_sizes", "robustness"),
    "On which tasks?": ("where", "tasks", "runs", "profiles", "reproduce"),
    "How fast, and how steadily?": ("curves", "sample_efficiency", "time_to_threshold", "reliability"),
    "What does tuning buy?": ("tuning", "sensitivity"),
    "Can the test be trusted?": ("false_positive_rate", "coverage", "error_rates"),
    "How many runs, and may I stop?": ("plan", "power", "sequential"),
    "What do the runs look like?": ("normality", "densities"),
}
"""What a reader asks, and the figures that answer it."""


def section(name: str) -> str:
    """Return what the page says of a figure."""
    plot = PLOTS[name]
    return (
        f"### {name}\n\n{plot.shows[0].upper()}{plot.shows[1:]}; {plot.layout}.\n\n```python\n{block(name)}\n```\n\n"
        f"![{name}: {plot.shows}](gallery/{name}.png)\n"
    )


def page() -> str:
    """Return the page."""
    parts = [
        "\n".join([f"## {question}\n", *(section(name) for name in names)]) for question, names in QUESTIONS.items()
    ]
    return "\n".join([f"{HEAD}\n```python\n{DATA}```\n", *parts])


def draw() -> dict[str, Figure]:
    """Return every figure, drawn by the code of the page."""
    names: dict[str, Any] = {}
    exec(DATA, names)
    drawn_by_name = {}
    for name in (name for shown in QUESTIONS.values() for name in shown):
        exec(block(name), names)
        ax = names["ax"]
        drawn_by_name[name] = (ax[0] if isinstance(ax, tuple) else ax).figure
    return drawn_by_name


def picture(figure: Figure) -> bytes:
    """Return a figure as a small PNG file."""
    buffer, small = BytesIO(), BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI, facecolor="white")
    Image.open(buffer).convert("RGB").quantize(COLORS).save(small, format="png", optimize=True)
    return small.getvalue()


if __name__ == "__main__":
    warnings.simplefilter("ignore", ro.RunoffWarning)
    FOLDER.mkdir(exist_ok=True)
    with plain_style():
        for name, figure in draw().items():
            (FOLDER / f"{name}.png").write_bytes(picture(figure))
    PAGE.write_text(page(), encoding="utf-8")
