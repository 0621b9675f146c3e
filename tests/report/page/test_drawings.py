"""The page's own drawings: what lies where, and in how many bytes."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

import runoff as ro
from runoff.page import build
from runoff.page.sheet import tasks as strips_module
from runoff.page.sheet.charts import BINS, CLOSE, NEAR, Line, binned, chart, separate, simplified, ticks
from runoff.page.sheet.svg import Scale, bar
from runoff.page.sheet.tasks import columns, shade, strips
from tests.report.made import answers, answers_of, page_content, scores

RNG = np.random.default_rng(5)
NAMES = ("PPO", "A2C", "SAC")


def drawn(data: ro.Scores, task: int = 0) -> ElementTree.Element:
    """The strips of a task; algorithms in the order of the data."""
    cells = columns(answers_of(data), data.algorithms)[task].cells
    svg = strips(data, task, cells, {name: name for name in data.algorithms}, dict.fromkeys(data.algorithms, "c0"))
    return ElementTree.fromstring(svg)


def dots(row: ElementTree.Element) -> list[tuple[int, int]]:
    """Where the dots of a row lie, from left to right, and the upper ends of the lines that they make."""
    path, x, y, places = next(part for part in row if part.get("class") == "d"), 0, 0, []
    for across, down, long in re.findall(r"m(-?\d+) ?(-?\d+)(?:z|v(\d+))", str(path.get("d"))):
        x, y = x + int(across), y + int(down)
        places.append((2 * x, 2 * y))
        y += int(long or 0)
    return places


def test_every_run_is_a_dot_at_its_score():
    data = scores()
    svg = drawn(data)
    left, right, low, high = map(float, str(svg.get("data-at")).split())
    for row, name in zip(svg.findall("g"), NAMES, strict=True):
        expected = sorted(left + (right - left) * (data.cell(name, 0) - low) / (high - low))
        assert [x for x, _ in dots(row)] == pytest.approx(expected, abs=1)


def test_rows_hold_their_dots_their_mean_and_the_numbers_of_the_table():
    svg = drawn(scores())
    for k, row in enumerate(svg.findall("g")):
        assert all(6 + 30 * k <= y <= 36 + 30 * k for _, y in dots(row))
        mean, label = next(part for part in row if part.get("class") == "e"), row[-1]
        assert float(re.match(r"M([\d.]+)", str(mean.get("d")))[1]) > 0
        assert re.fullmatch(r"−?[\d.]+ \[.*\]", str(label.text))


def test_a_cell_without_runs_and_one_value_for_all_are_drawn():
    gaps = ro.Scores.from_dict(
        {"A": {"s": [1.0, 2, 3], "t": [4.0, 4, 4]}, "B": {"s": [2.0, 4, 5], "t": [4.0, 4]}, "C": {"s": [2.0, 3]}}
    )
    rows = drawn(gaps, 1).findall("g")
    assert ["".join(row.itertext()) for row in rows][2] == "Cno scores"
    assert {x for x, _ in dots(rows[0])} == {x for x, _ in dots(rows[1])}


def test_very_many_runs_are_drawn_as_quarters_and_the_page_says_where_they_are(monkeypatch):
    monkeypatch.setattr(strips_module, "MOST_RUNS", 10)
    kinds = {str(part.get("class")) for row in drawn(scores()).findall("g") for part in row.findall("path")}
    assert kinds == {"r", "h", "e"}
    page = build(answers())
    assert "too many to be drawn here: single runs are in <code>tables/scores/</code>" in page
    assert page_content(page)["runs"] is None


def test_very_many_tasks_have_rows_to_which_links_lead_and_no_drawings(monkeypatch):
    monkeypatch.setattr(strips_module, "MOST_TASKS", 1)
    page = build(answers())
    assert re.findall(r'<(\w+)[^>]* id="runs-(\d+)"', page) == [("tr", "0"), ("tr", "1")]
    assert "There are 2 tasks, too many to be drawn here: single runs are in <code>tables/scores/</code>" in page
    assert page_content(page)["runs"] is None


def test_the_thin_line_of_very_many_runs_spans_all_of_them_and_the_thick_one_the_middle_half(monkeypatch):
    monkeypatch.setattr(strips_module, "MOST_RUNS", 10)
    data = ro.Scores.from_dict({"A": {"x": np.arange(101.0) ** 2}, "B": {"x": -50.0 + 3 * np.arange(41.0)}})
    svg = drawn(data)
    left, right, low, high = map(float, str(svg.get("data-at")).split())
    for row, name in zip(svg.findall("g"), data.algorithms, strict=True):
        for kind, shares in (("r", (0.0, 1.0)), ("h", (0.25, 0.75))):
            path = next(str(part.get("d")) for part in row if part.get("class") == kind)
            places = [float(place) for place in re.fullmatch(r"M([\d.]+) [\d.]+H([\d.]+)", path).groups()]
            runs = np.sort(data.cell(name, "x"))
            # 101 and 41 runs have their quarters at runs.
            expected = [
                left + (right - left) * (runs[int(share * (runs.size - 1))] - low) / (high - low) for share in shares
            ]
            assert places == pytest.approx(expected, abs=0.6)


def read(label: str) -> float:
    """The number that a label of an axis is read as."""
    unit = {"k": 1e3, "M": 1e6, "G": 1e9}.get(label[-1])
    return float(label.replace("−", "-").strip("kMG")) * (unit or 1)


@pytest.mark.parametrize("offset", [0.0, 9.0, -1234.5, 12326.4, 98765.4, -1e6, 3e7])
@pytest.mark.parametrize("span", [0.5, 46.0, 3e4])
@pytest.mark.parametrize("log", [False, True])
def test_labels_of_axes_are_the_numbers_at_their_places(offset, span, log):
    low, high = (abs(offset) + 1, abs(offset) + 1 + span) if log else (offset, offset + span)
    points = [(x, 0.5, None, None) for x in np.linspace(low, high, 5)]
    svg = ElementTree.fromstring(chart([Line("c0", "s", "A", points, 0)], title="", across="", up="", log=log))
    *labels, _, _ = [part for group in svg.findall("g") if group.get("class") == "mid" for part in group]
    of = np.log10 if log else np.asarray
    data = ro.Scores.from_dict({"A": {"x": [low, high]}, "B": {"x": [low, (low + high) / 2]}})
    ends = [part.text for part in drawn(data).findall("text")]
    assert [read(end) for end in ends] == pytest.approx([low, high], abs=span / 50)
    edge = 720 - 10.4 - 34
    for part in labels:
        place = 74 + (edge - 74) * (of(read(part.text)) - of(low)) / (of(high) - of(low))
        assert float(part.get("x")) == pytest.approx(place, abs=(edge - 74) / 40)


def test_shades_grow_with_the_mean_within_the_runs_of_a_task():
    for column in columns(answers(), answers().scores.algorithms):
        means = [answers().scores.cell(name, column.place).mean() for name in answers().scores.algorithms]
        shades = [cell.shade for cell in column.cells]
        assert [shades[k] for k in np.argsort(means)] == sorted(shades)
        assert [cell.best for cell in column.cells] == [mean == max(means) for mean in means]
    assert [shade(v, 0.0, 9.0) for v in (0.0, 4.5, 9.0)] == [0, 4, 8]


def parts(values, scale, **given):
    """The parts of a bar: class, place, width and text."""
    svg = ElementTree.fromstring(bar(values, scale, **given))
    return [(part.tag, part.get("class"), part.get("x"), part.get("width"), part.text) for part in svg]


def test_a_bar_spans_its_interval_with_a_tick_at_the_estimate():
    scale = Scale(low=0.0, high=1.0)
    assert parts((0.25, 0.5, 0.75), scale) == [("rect", "i", "26%", "48%", None), ("rect", "e", "50%", None, None)]
    assert parts((None, 0.5, None), scale) == [("rect", "e", "50%", None, None)]


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        ((-5.0, 0.5, 9.0), [("rect", "i", "2%", "96%", None), ("rect", "e", "50%", None, None)]),
        ((-3.0, -2.0, -1.0), [("text", None, "0", None, "◂ −2")]),
        ((2.0, 3.0, 4.0), [("text", "end", "100%", None, "3 ▸")]),
        ((0.5, 2.0, 3.0), [("rect", "i", "50%", "48%", None), ("text", "end", "100%", None, "2 ▸")]),
    ],
)
def test_a_bar_stays_inside_and_an_estimate_beyond_is_an_arrow_with_its_number(values, drawn):
    assert parts(values, Scale(low=0.0, high=1.0)) == drawn


def line(n: int, label: str = "A") -> Line:
    ys = RNG.normal(size=n).cumsum()
    return Line(
        colour="c0", shape="k0", label=label, place=0, points=[(float(x), y, y - 1, y + 1) for x, y in enumerate(ys)]
    )


def corners(path: str) -> np.ndarray:
    """The corners of a path of relative steps."""
    steps = np.array([int(step) for step in re.findall(r"-?\d+", path)]).reshape(-1, 2)
    return steps.cumsum(axis=0)


@pytest.mark.parametrize("n", [1, 2, 30, 500])
@pytest.mark.parametrize("most", [0.5, 3.0])
def test_a_simplified_line_passes_every_point_closely_and_keeps_its_ends(n, most):
    points = [(float(x), y) for x, y in enumerate(3 * RNG.normal(size=n).cumsum())]
    kept = simplified(points, most)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert set(kept) <= set(points)
    x, y = np.array(points).T
    assert np.abs(np.interp(x, *np.array(kept).T) - y).max() <= most + 1e-9


def test_a_straight_line_needs_two_points_and_a_peak_is_never_lost():
    straight = [(float(x), 2.0 * x) for x in range(50)]
    peak = [(float(x), 100.0 * (x == 17)) for x in range(50)]
    assert simplified(straight, 1e-6) == [straight[0], straight[-1]]
    assert simplified(peak, 1.0) == [peak[k] for k in (0, 16, 17, 18, 49)]


def test_a_line_keeps_what_is_left_out_of_the_edges_of_its_band():
    """The line and both edges have one shape, whose teeth are higher than CLOSE and lower than NEAR."""
    height = [0.006 * (i % 2) for i in range(20)] + [1.0]
    jagged = replace(line(1), points=[(i, y, y - 0.1, y + 0.1) for i, y in enumerate(height)])
    svg = ElementTree.fromstring(chart([jagged], title="T", across="steps", up="score"))
    mean, band = (corners(svg.find(f".//{{*}}path[@class='{kind} {jagged.colour}']").get("d")) for kind in "la")
    assert len(band) / 2 < len(mean) / 2


def test_a_band_reaches_from_the_low_to_the_high_ends():
    lopsided = replace(line(1), points=[(x, 0.0, -1.0, 3.0) for x in (0.0, 1.0)])
    svg = ElementTree.fromstring(chart([lopsided], title="T", across="steps", up="score"))
    mean, band = (corners(svg.find(f".//{{*}}path[@class='{k} {lopsided.colour}']").get("d").rstrip("Z")) for k in "la")
    above, below = mean[0, 1] - band[:, 1].min(), band[:, 1].max() - mean[0, 1]
    assert above / below == pytest.approx(3, rel=0.05)


def test_the_line_of_an_algorithm_lies_in_its_band():
    svg = ElementTree.fromstring(chart([line(300)], title="T", across="steps", up="score"))
    drawn = {
        str(part.get("class")).split()[0]: corners(str(part.get("d")).rstrip("Z")) for part in svg.findall("path")[1:3]
    }
    turn = int(np.argmax(drawn["a"][:, 0])) + 1
    over, under = drawn["a"][:turn], drawn["a"][turn:][::-1]
    x, y = drawn["l"].T
    assert (np.interp(x, *over.T) <= y + CLOSE + NEAR).all()
    assert (np.interp(x, *under.T) >= y - CLOSE - NEAR).all()


def test_a_single_point_is_a_short_stroke():
    svg = ElementTree.fromstring(chart([line(1)], title="T", across="steps", up="score"))
    (stroke,) = (corners(str(part.get("d"))) for part in svg.findall("path") if str(part.get("class")).startswith("l"))
    assert len(stroke) == 2


def test_a_chart_of_many_lines_is_high_enough_for_their_names():
    lines = [line(5, f"Agent {k}") for k in range(40)]
    svg = ElementTree.fromstring(chart(lines, title="T", across="steps", up="score"))
    labels = [label for label in svg.findall("text") if str(label.text).startswith("Agent")]
    heights = sorted(float(str(label.get("y"))) for label in labels)
    assert min(np.diff(heights)) >= 20
    assert heights[-1] < float(str(svg.get("viewBox")).split()[3])


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-1e6, 3e9), (1e-7, 1.1e-7), (12.0, 13.0)])
def test_ticks_are_round_and_lie_between_the_ends(ends):
    places = ticks(*ends)
    assert 2 <= len(places) <= 8
    assert all(ends[0] - 1e-9 * abs(ends[0]) <= place <= ends[1] + 1e-9 * abs(ends[1]) for place in places)
    assert len({round(step, 15) for step in np.diff(places) / (places[1] - places[0])}) <= 2


def test_labels_keep_their_order_and_their_distance():
    places = separate([5, 6, 7, 90, 91], 10, 0, 100)
    assert places == sorted(places)
    assert min(np.diff(places)) >= 10
    assert places[-1] <= 100


def test_a_legend_names_every_line_beside_a_marker_that_lies_on_it_twice():
    lines = [line(40, name) for name in "ABC"]
    svg = ElementTree.fromstring(chart(lines, title="T", across="τ", up="share", legend=True))
    assert [mark.text for mark in svg.findall("text")][-3:] == ["A", "B", "C"]
    assert len(svg.findall("use")) == 3 * 3
    spots = {round(float(str(mark.get("x")))) for mark in svg.findall("use")}
    assert len(spots) == 6 + 1


def test_the_curves_of_single_runs_are_drawn_for_whoever_opens_their_algorithm():
    mean = line(80)
    runs = [[(float(x), float(y)) for x, y, _, _ in mean.points] for _ in range(3)]
    svg = ElementTree.fromstring(chart([replace(mean, runs=runs)], title="T", across="steps", up="score", small=True))
    (drawn,) = (path for path in svg.findall("path") if str(path.get("class")).startswith("o"))
    assert str(drawn.get("d")).count("M") == 3
    assert len(binned(runs[0])) == BINS
    assert binned(runs[0]) == sorted(binned(runs[0]))
    assert np.mean(binned(runs[0]), axis=0)[0] == pytest.approx(np.mean(runs[0], axis=0)[0], rel=0.01)
