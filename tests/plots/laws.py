"""What the figures of an answer have to draw, from its rows alone: the form is that in which `drawn` reads a figure back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean
from typing import Any

import runoff as ro
from runoff import plots
from runoff.answer.pair import lead_ends, readings_of
from runoff.plots._canvas import INK
from runoff.plots._marks import AHEAD, BEHIND, GREY, OPEN, PALE, toned
from runoff.plots._matrices import CLASSES
from runoff.words.numbers import decimals_of, number
from tests.plots import drawn
from tests.plots.subjects import compared, configured, learning, located, scores, swept

VERDICTS = {"a_better": AHEAD, "b_better": BEHIND, "no_difference_found": OPEN, "equivalent": "-", "no_verdict": ":"}
HEADS = {"iqm": "IQM", "mean": "Mean", "optimality_gap": "Optimality gap ↓", "improvement": "Leader wins (%)"}


@dataclass(frozen=True)
class Law:
    """How an answer about so many algorithms is asked for, how its figure is read, and what has to be read."""

    ask: Callable[[int], Any]
    read: Callable[[Sequence[Any]], Any]
    of: Callable[[Any], Any]
    wide: float | None = None
    """Inches at which thirty algorithms have room for their names and numbers."""
    cells: bool = False
    """Whether many pairs have cells in place of rows: nine algorithms have 36 pairs."""
    slow: bool = False
    """Whether thirty take more than half a second."""


def of(name: str, result: Any) -> tuple[str, str]:
    names = getattr(result, "algorithms", None) or {row.algorithm for row in result.rows}
    mark = plots.marks(names)[name]
    return mark.color, mark.marker


def ends(row: Any, color: str) -> tuple | None:
    return None if row.low is None else (row.low, row.high, color)


def best_first(result: Any) -> list[str]:
    """Return the algorithms by the first measure, the highest first."""
    rows = [row for row in result.rows if getattr(row, "measure", "") == getattr(result.rows[0], "measure", "")]
    return [row.algorithm for row in sorted(rows, key=lambda row: -row.estimate)]


# ── rows ──────────


def aggregates(result: ro.AggregateResult) -> list[tuple]:
    rows = [(m, name, result[name, m]) for m in result.measures for name in best_first(result)]
    return [(HEADS[m], name, *of(name, result), row.estimate, ends(row, of(name, result)[0])) for m, name, row in rows]


def reliability(result: Any) -> list[tuple]:
    head = {r.measure: r.measure.replace("_", " ").capitalize() + " ↓" * r.lower_is_steadier for r in result.rows}
    order = [row.algorithm for row in result.rows if row.measure == result.rows[0].measure]
    rows = {(row.measure, row.algorithm): row for row in result.rows}
    marks = plots.marks(order)
    return [
        (head[m], name, marks[name].color, marks[name].marker, r.estimate, ends(r, marks[name].color))
        for m in head
        for name in order
        for r in [rows[m, name]]
    ]


def inferential(result: ro.InferentialResult) -> list[tuple]:
    flagged = {name for pair in result.disagreements for name in (pair.a, pair.b)}
    facts = []
    for name in best_first(result):
        (row,) = (row for row in result.rows if row.algorithm == name)
        bar = None if row.factor is not None and row.factor < 0.2 else ends(row, of(name, result)[0])
        facts.append(("Mean", name + " †" * (name in flagged), *of(name, result), row.estimate, bar))
    return facts


def ranks(result: ro.RankIntervalsResult) -> list[tuple]:
    rows = sorted(result.rows, key=lambda row: -row.estimate)
    own = [(row, of(row.algorithm, result)) for row in rows]
    return [("Possible ranks", r.algorithm, *m, r.place, (r.joint_low, r.joint_high, m[0])) for r, m in own]


def measures(result: ro.ComparisonResult) -> list[tuple]:
    leader, *others = result.standing.order
    marks = plots.marks(result.standing.order)
    own = {pair.b: readings_of(pair) for pair in result.standing.own if pair.a == leader}
    by = list(dict.fromkeys(measure for readings in own.values() for measure in readings))
    facts = []
    for m in by:
        head = HEADS.get(m, m.capitalize()).removesuffix(" ↓") + " (decides)" * (m == result.measure and len(by) > 1)
        for name in others:
            reading, mark = own[name][m], marks[name]
            lead, low, high = lead_ends(reading)
            bar = None if low is None else (low, high, VERDICTS[reading.verdict])
            facts.append((head, name, mark.color, mark.marker, lead, bar))
    return facts


def pair_mark(better: str | None, marks: dict) -> tuple[str, str]:
    return ("white", "o") if better is None else (marks[better].color, marks[better].marker)


def chance(pair: Any) -> tuple[str, float | None, float | None]:
    """Return what is found of the chance that a run wins, and its ends."""
    own = readings_of(pair).get("improvement")
    return (
        ("no_verdict", pair.improvement_low, pair.improvement_high) if own is None else (own.verdict, own.low, own.high)
    )


def improvement(result: ro.ComparisonResult) -> Any:
    marks, facts = plots.marks(result.standing.order), []
    for pair in result.standing.pairs:
        verdict, low, high = chance(pair)
        mark = pair_mark({"a_better": pair.a, "b_better": pair.b}.get(verdict), marks)
        facts.append((pair.a, pair.b, *mark, pair.improvement, None if low is None else (low, high, VERDICTS[verdict])))
    if len(facts) <= 28:
        return facts
    place = {name: row for row, name in enumerate(result.standing.order)}
    cells = {}
    for pair in result.pairs:
        verdict, *_ = chance(pair)
        a, b = sorted((pair.a, pair.b), key=place.__getitem__)
        share = pair.improvement if a == pair.a else 1 - pair.improvement
        better = {"a_better": pair.a, "b_better": pair.b}.get(verdict)
        cells[place[a], place[b]] = (percents(share), shade(better, a), better is not None)
    return [(name, marks[name].color, marks[name].marker) for name in place], cells


def percents(share: float) -> str:
    """Return a chance in whole percent; what is not certain is not 0 or 100."""
    return f"{100 * share:.0f}" if share in (0, 1) or 0.005 <= share < 0.995 else f"{'<' if share < 0.5 else '>'}"


def shade(better: str | None, upper: str) -> str | None:
    return None if better is None else AHEAD if better == upper else BEHIND


def effects(result: ro.EffectsResult) -> Any:
    order = list(dict.fromkeys(name for row in result.rows for name in (row.a, row.b)))
    marks, facts = plots.marks(order), []
    for row in result.rows:
        ahead = None if row.low is None else row.a if row.low > 0 else row.b if row.high < 0 else None
        color = OPEN if ahead is None else AHEAD if ahead == row.a else BEHIND
        facts.append((row.a, row.b, *pair_mark(ahead, marks), row.estimate, ends(row, color)))
    if len(facts) <= 28:
        return facts
    leads = {name: sum(r.estimate * ((r.a == name) - (r.b == name)) for r in result.rows) for name in order}
    place = {name: at for at, name in enumerate(sorted(order, key=lambda name: -leads[name]))}
    digits, cells = decimals_of((row.estimate for row in result.rows), 2), {}
    for row, fact in zip(result.rows, facts, strict=True):
        a, b = sorted((row.a, row.b), key=place.__getitem__)
        ahead = None if fact[2] == "white" else row.a if fact[5][0] > 0 else row.b
        lead = number(row.estimate if a == row.a else -row.estimate, digits)
        cells[place[a], place[b]] = (lead, shade(ahead, a), ahead is not None)
    return [(name, marks[name].color, marks[name].marker) for name in place], cells


def bold_cells(ax: Any) -> tuple[list, dict]:
    """Return a staircase of numbers: of each cell its text, its colour, and whether it is bold."""
    names, cells = drawn.staircase_of(ax)
    return names, {at: (texts[0][0], fill, texts[0][1]) for at, (texts, fill, _) in cells.items()}


def pairs_or_cells(axes: Sequence[Any]) -> Any:
    (ax,) = axes
    return drawn.pair_rows_of(ax) if drawn.keys_by_row(ax) else bold_cells(ax)


# ── cells ──────────


def short(p: float | None) -> str:
    return "–" if p is None else "<.001" if p < 0.0005 else "1" if p >= 0.9995 else f"{p:.3f}"[1:]


def matrix(result: ro.ComparisonResult) -> Any:
    order = result.standing.order
    marks, cells = plots.marks(order), {}
    for pair in result.pairs:
        place = sorted((order.index(pair.a), order.index(pair.b)))
        color = shade(pair.winner, order[place[0]])
        signs = [] if color is None else [(color, "o" if color == AHEAD else "v", True)]
        texts = [(short(pair.pvalue_adjusted), False)] if len(order) < 30 else []
        cells[tuple(place)] = (texts, color, signs)
    return [(name, marks[name].color, marks[name].marker) for name in order], cells


def ledgers(result: ro.ComparisonResult) -> Any:
    names, cells = matrix(result)
    if len(names) == 30:
        return names, cells
    marks, order = plots.marks(result.standing.order), result.standing.order
    for pair in result.pairs:
        ahead = pair if pair.estimate > 0 else pair.turned()
        place = tuple(sorted((order.index(pair.a), order.index(pair.b))))
        texts = [f"{ahead.wins}/{ahead.ties}/{ahead.losses}", short(pair.pvalue), short(pair.pvalue_adjusted)]
        sign = (marks[ahead.a].color, marks[ahead.a].marker, pair.winner is not None)
        cells[place] = (float(f"{abs(pair.estimate):.3g}"), texts, cells[place][1], [sign])
    return names, cells


def read_ledgers(axes: Sequence[Any]) -> Any:
    names, cells = drawn.staircase_of(axes[0])
    if len(names) == 30:
        return names, cells
    return names, {
        at: (float(t[0][0]), [text for text, _ in t[2:]], fill, signs) for at, (t, fill, signs) in cells.items()
    }


def survival(result: Any) -> Any:
    leads = {
        name: sum(r.difference * ((r.a == name) - (r.b == name)) for r in result.rows)
        for pair in result.pairs
        for name in pair
    }
    place = {name: at for at, name in enumerate(sorted(leads, key=lambda name: -leads[name]))}
    marks = plots.marks(place)
    if len(result.pairs) > 28:
        cells = {}
        for pair in result.pairs:
            own = [row for row in result.rows if (row.a, row.b) == pair]
            kept, n = (sum(getattr(row, field) for row in own) for field in ("kept", "n_variations"))
            cells[tuple(sorted(map(place.get, pair)))] = (f"{100 * kept // n}", OPEN if kept == n else None, False)
        return [(name, marks[name].color, marks[name].marker) for name in place], cells
    facts = []
    for pair in result.pairs:
        own = [result[*pair, kind] for kind in result.kinds]
        both = (pair[1], pair[0]) if own[0].ahead == pair[1] else pair
        counts = [f"{row.kept}/{row.n_variations}" if row.n_variations else "·" for row in own]
        facts.append((*both, marks[both[0]].color if own[0].ahead else None, counts))
    return sorted(facts, key=lambda fact: (place[fact[0]], place[fact[1]]))


def read_survival(axes: Sequence[Any]) -> Any:
    (ax,) = axes
    rows = sorted({t.get_position()[1] for t in ax.texts if t.get_ha() == "left" and t.get_style() == "normal"})
    if all(t.get_position()[0] >= 0 for t in ax.texts):
        return bold_cells(ax)
    dots = {y: drawn.hexed(line.get_color()) for line in ax.lines for x, y in line.get_xydata() if x < 0}
    facts = []
    for y in rows:
        texts = sorted((t for t in ax.texts if abs(t.get_position()[1] - y) < 0.1), key=lambda t: t.get_position()[0])
        first, second, *counts = (text.get_text() for text in texts)
        facts.append((first, second, dots.get(y), counts))
    return facts


def normality(result: ro.DescribeResult) -> dict:
    facts = {}
    for row in result.rows:
        p = row.shapiro_pvalue if row.normality_pvalue is None else row.normality_pvalue
        color = next(color for least, (_, color, _) in zip((0.05, 0.01, 0.001, 0), CLASSES, strict=True) if p >= least)
        facts[row.task, row.algorithm] = (color, short(p) if len(result.algorithms) < 30 else None)
    return facts


# ── lines ──────────


def line(title: str, label: str, rows: Sequence[Any], x: str) -> tuple:
    at = [getattr(row, x) for row in rows]
    band = {(n, end) for n, row in zip(at, rows, strict=True) if row.low is not None for end in (row.low, row.high)}
    return title, label, [(n, row.estimate) for n, row in zip(at, rows, strict=True)], band


def efficiency(result: Any) -> list[tuple]:
    order = sorted(result.algorithms, key=lambda name: -result.curve(name)[-1].estimate)
    return [line("", f"{name} (2 runs × 4 tasks)", result.curve(name), "step") for name in order]


def tuned(result: Any) -> list[tuple]:
    order = sorted(result.ends, key=lambda row: -row.estimate)
    return [
        line("", f"{r.algorithm} (of {result.n_configs[r.algorithm]})", result.curve(r.algorithm), "k") for r in order
    ]


def plane(result: Any) -> tuple:
    rows = [(row, row.plug_in if row.estimate is None else row.estimate) for row in result.rows]
    bars = [(row.low, row.high, row.tuned, of(row.algorithm, result)[0]) for row in result.rows if row.low is not None]
    return [("", row.algorithm, [(x, row.tuned)], set()) for row, x in rows], bars


def read_plane(axes: Sequence[Any]) -> tuple:
    bars = [(lines.get_segments()[0], drawn.hexed(lines.get_colors()[0])) for lines in axes[0].collections]
    return drawn.lines_drawn(axes), [(ends[0][0], ends[1][0], ends[0][1], color) for ends, color in bars]


def by_places(values: dict[tuple[str, str], Any]) -> list[str]:
    """Return the algorithms by their mean place over tasks, of {(task, algorithm): value}; the first has the highest values."""
    order = list(dict.fromkeys(name for _, name in values))
    place = {(t, a): sum(v > own for (u, _), v in values.items() if u == t) for (t, a), own in values.items()}
    return sorted(order, key=lambda name: fmean(at for (_, a), at in place.items() if a == name))


def along(result: Any) -> list[tuple]:
    order = by_places(
        {(row.task, row.algorithm): result.curve(row.algorithm, row.task)[-1].estimate for row in result.rows}
    )
    return [line(task, f"{name} (2 runs)", result.curve(name, task), "step") for task in result.tasks for name in order]


def runs_along(result: Any) -> list[tuple]:
    marks = plots.marks(result.algorithms)
    of_task = [run for task in result.tasks for run in result.run_curves if run.task == task]
    return [(run.task, marks[run.algorithm].color, list(zip(run.steps, run.scores, strict=True))) for run in of_task]


def reached(result: Any) -> list[tuple]:
    never = float("inf")
    order = by_places({(r.task, r.algorithm): (-(r.estimate or never), r.n_reached / r.n_runs) for r in result.rows})
    facts = []
    for task in result.tasks:
        own = {r.algorithm: curve for r, curve in zip(result.rows, result.curves, strict=True) if r.task == task}
        last = max(step for curve in own.values() for step in (*curve.steps, *curve.ended))
        for name in order:
            steps, shares = (
                [0, *own[name].steps, last],
                [0, *own[name].shares, (*own[name].shares, 0)[len(own[name].shares) - 1]],
            )
            facts.append((task, f"{name} (2 runs)", list(zip(steps, shares, strict=True)), set()))
    return facts


def halves(result: Any) -> list[tuple]:
    return [(task, "#DADADA", [(0, 0.5), (1, 0.5)]) for task in result.tasks]


def profiles(result: ro.ProfileResult) -> list[tuple]:
    order = sorted(result.algorithms, key=lambda name: -result.summary(name).iqm)
    n = len(order) if len(order) <= 12 else 8
    rows = {name: [row for row in result.rows if row.algorithm == name] for name in order}
    facts = []
    for name in order[:n]:
        points = [(row.threshold, row.estimate) for row in rows[name]]
        x = [row.threshold for row in rows[name]]
        steps = [(at, row) for row, *both in zip(rows[name], x, [*x[1:], x[-1]], strict=True) for at in both]
        facts.append(("", name, points, {(at, end) for at, row in steps for end in (row.low, row.high)}))
    return facts


def grey(result: ro.ProfileResult) -> list[tuple]:
    order = sorted(result.algorithms, key=lambda name: -result.summary(name).iqm)[
        8 if len(result.algorithms) > 12 else 99 :
    ]
    return [("", GREY, [(r.threshold, r.estimate) for r in result.rows if r.algorithm == name]) for name in order]


# ── points, bars, histograms ──────────


def tasks(result: ro.Scores) -> list[tuple]:
    cells = [(t, name, result.cell(name, t)) for t in result.tasks for name in result.algorithms]
    return [(t, name, *of(name, result), cell, cell.mean()) for t, name, cell in cells]


def densities(result: ro.DescribeResult) -> list[tuple]:
    facts = []
    for task in result.tasks:
        for name in result.algorithms:
            (row,) = (row for row in result.rows if (row.task, row.algorithm) == (task, name))
            wide = (row.maximum - row.minimum) / len(row.histogram)
            high = [count / sum(row.histogram) / wide for count in row.histogram]
            facts.append((task, name, toned(of(name, result)[0], PALE), high, (row.minimum, row.maximum)))
    return facts


def read_densities(axes: Sequence[Any]) -> list[tuple]:
    texts, facts = axes[0].figure.texts, []
    for ax in axes:
        box, ((patch,)) = ax.get_position(), ax.patches
        (task,) = (t.get_text() for t in texts if box.y0 < t.get_position()[1] < box.y1)
        (name,) = (t.get_text() for t in texts if t.get_ha() == "center" and box.x0 < t.get_position()[0] < box.x1)
        high, edges, _ = patch.get_data()
        facts.append((task, name, drawn.hexed(patch.get_facecolor()), list(high), (edges[0], edges[-1])))
    return facts


def critical(result: Any) -> set:
    own = zip(result.algorithms, result.average_ranks, strict=True)
    return {(name, rank, *of(name, result)) for name, rank in own}


def read_critical(axes: Sequence[Any]) -> set:
    (ax,) = axes
    ways = [line for line in ax.lines if len(line.get_xdata()) == 3]
    dots = [line for line in ax.lines if len(line.get_xdata()) == 1]
    named, facts = [text for text in ax.texts if text.get_text().startswith("b")], set()
    for text in named:
        x, y = text.get_position()
        level = [own for own in ways if abs(own.get_ydata()[-1] - y) < 1e-9]
        way = min(level, key=lambda own: abs(own.get_xdata()[-1] - x))
        dot = min(
            (own for own in dots if abs(own.get_ydata()[0] - y) < 1e-9), key=lambda own: abs(own.get_xdata()[0] - x)
        )
        assert way.get_color() == dot.get_color()
        facts.add((text.get_text(), way.get_xdata()[0], dot.get_color(), dot.get_marker()))
    return facts


def whence(result: ro.WhereResult) -> tuple:
    rows, n = sorted(result.rows, key=lambda row: -row.estimate), len(result.rows)
    color = {row.task: {"a_better": AHEAD, "b_better": BEHIND}.get(row.verdict, OPEN) for row in rows}
    k = ceil(n / 10)
    named, at, bars = rows if n <= 6 else rows[:k], 0.0, []
    for row in named:
        bars.append((row.task, at, row.estimate / n, color[row.task]))
        at += row.estimate / n
    mean = fmean(row.estimate for row in rows)
    bars += [(f"the other {n - k}, net", at, mean - at, None)] * (n > 6) + [("the lead", 0.0, mean, INK)]
    if n > 6:
        bars.append((f"without {k} best, {k} worst", 0.0, fmean(row.estimate for row in rows[k : n - k]), None))
    return bars, [(row.estimate, color[row.task], color[row.task] != OPEN) for row in rows]


def read_whence(axes: Sequence[Any]) -> tuple:
    above, below = axes
    called = [label.get_text() for label in above.get_yticklabels()]
    bars = [
        (name, p.get_x(), p.get_width(), drawn.hexed(p.get_facecolor()) if p.get_facecolor()[3] else None)
        for name, p in zip(called, above.patches, strict=True)
    ]
    dots = [line for line in below.lines if line.get_marker() == "o"]
    return bars, [(d.get_xdata()[0], d.get_color(), d.get_markerfacecolor() != "white") for d in dots]


# ── the registry ──────────


THREE = ["iqm", "mean", "optimality_gap"]
LAWS = {
    "measures": Law(compared, drawn.rows_of, measures, slow=True),
    "where": Law(located, read_whence, whence),
    "aggregates": Law(
        lambda n: ro.aggregate(scores(n), measure=THREE, n_resamples=100), drawn.rows_of, aggregates, slow=True
    ),
    "improvement": Law(compared, pairs_or_cells, improvement, wide=9, cells=True, slow=True),
    "effect_sizes": Law(
        lambda n: ro.effect_sizes(scores(n), effect_size=["difference"]),
        pairs_or_cells,
        effects,
        wide=9,
        cells=True,
        slow=True,
    ),
    "profiles": Law(
        lambda n: ro.performance_profile(scores(n), n_resamples=100),
        lambda axes: (drawn.lines_drawn(axes), drawn.thin_lines_of(axes)),
        lambda result: (profiles(result), grey(result)),
    ),
    "pvalue_matrix": Law(compared, lambda axes: drawn.staircase_of(*axes), matrix),
    "pairs": Law(compared, read_ledgers, ledgers),
    "rank_intervals": Law(lambda n: ro.rank_intervals(scores(n), n_resamples=100), drawn.rows_of, ranks),
    "robustness": Law(lambda n: ro.robustness(scores(n)), read_survival, survival, cells=True, slow=True),
    "critical_difference": Law(lambda n: ro.critical_difference(scores(n)), read_critical, critical, slow=True),
    "inferential_intervals": Law(
        lambda n: ro.inferential_intervals(scores(n), measure="mean", n_resamples=100),
        drawn.rows_of,
        inferential,
        slow=True,
    ),
    "normality": Law(lambda n: ro.describe(scores(n)), lambda axes: drawn.tiles_of(*axes), normality),
    "densities": Law(lambda n: ro.describe(scores(n), fit=True), read_densities, densities, wide=20, slow=True),
    "tasks": Law(scores, drawn.points_of, tasks),
    "sample_efficiency": Law(lambda n: ro.curves(learning(n), n_resamples=100), drawn.lines_drawn, efficiency),
    "curves": Law(
        lambda n: ro.curves(learning(n), by="task"),
        lambda axes: (drawn.lines_drawn(axes), drawn.thin_lines_of(axes)),
        lambda result: (along(result), runs_along(result)),
    ),
    "time_to_threshold": Law(
        lambda n: ro.time_to_threshold(learning(n), 4.0),
        lambda axes: (drawn.lines_drawn(axes), drawn.thin_lines_of(axes)),
        lambda result: (reached(result), halves(result)),
    ),
    "sensitivity": Law(lambda n: ro.tuning(swept(n), view="sensitivity"), read_plane, plane),
    "tuning": Law(lambda n: ro.tuning(configured(n)), drawn.lines_drawn, tuned),
    "reliability": Law(lambda n: ro.reliability(learning(n), window=2), drawn.rows_of, reliability, slow=True),
}
ELSEWHERE = {
    "reproduce": "test_own_runs",
    "runs": "test_estimation",
    "power": "test_power_figure",
    "sequential": "test_sequential_figure",
    "false_positive_rate": "test_own_runs",
    "coverage": "test_own_runs",
    "plan": "test_plan_figure",
    "error_rates": "test_error_rates",
}
"""Figures of two algorithms, or of tests instead of algorithms, with the file of their laws."""
