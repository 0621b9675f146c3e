"""Figures of many algorithms: pairs by themselves, possible places, what an order survives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.text import Text

import runoff as ro
from runoff import plots
from runoff.plots._lines import grid_of_axes
from runoff.plots._marks import AHEAD, BEHIND, OPEN, Mark
from runoff.plots._staircases import PairCell, cell_lines, chance_of
from tests.plots.seen import cells_of
from tests.report.made import HOSTILE, answers

RNG = np.random.default_rng(3)
DATA = {name: RNG.normal(m, 1, (5, 4)) for name, m in (("A", 0.0), ("B", 0.6), ("C", 2.5), ("D", 2.4))}
SCORES = ro.Scores.from_dict(DATA)
MANY = ro.Scores.from_dict({f"algorithm {i}": RNG.normal(0.1 * i, 1, (4, 3)) for i in range(12)})
STRANGE = ro.Scores.from_dict({name: RNG.normal(i, 1, (4, 2)) for i, name in enumerate(HOSTILE[:4])})


def texts(ax):
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("test", ["welch", "mack_skillings"])
def test_a_pair_does_not_change_when_an_algorithm_is_added_but_for_the_adjusted_p(test):
    few, more = (ro.compare(SCORES.select(algorithms=list(names)), test=test) for names in ("ABC", "ABCD"))
    for pair in few.pairs:
        beside = more[pair.a, pair.b]
        kept = ("difference", "improvement", "pvalue", "wins", "ties", "losses")
        assert [getattr(pair, name) for name in kept] == [getattr(beside, name) for name in kept]
        assert cell_lines(pair)[:-1] == cell_lines(beside)[:-1]
        assert beside.pvalue_adjusted >= pair.pvalue_adjusted


def test_a_cell_is_told_from_the_side_of_the_higher_mean():
    there, back = (ro.compare(SCORES, pairs=[pair]).pairs[0] for pair in (("A", "C"), ("C", "A")))
    assert cell_lines(there) == cell_lines(back)
    difference, chance, tasks = cell_lines(there)[:3]
    assert float(difference) > 0
    assert float(chance.split()[0]) > 50
    assert tasks == f"{back.wins}/{back.ties}/{back.losses}"


def test_wins_ties_and_losses_are_those_of_the_task_means():
    data = {
        "A": {"t": [1.0, 2.0], "u": [0.1, 0.2, 0.3], "v": [5.0, 1.0]},
        "B": {"t": [0.0, 1.0], "u": [0.3, 0.1, 0.2], "v": [4.0]},
    }
    pair = ro.compare(data, test="mack_skillings").pairs[0]
    assert (pair.wins, pair.ties, pair.losses) == (1, 1, 1)


def test_every_number_of_every_pair_is_on_the_figure():
    comparison = ro.compare(SCORES)
    shown = texts(plots.pairs(comparison))
    for pair in comparison.pairs:
        assert set(cell_lines(pair)) <= set(shown)
    assert {"lead", "p adjusted", "A", "D"} <= set(shown)


def test_cells_too_narrow_for_numbers_have_markers_only():
    comparison = ro.compare(MANY.select(algorithms=MANY.algorithms[:6]), test="welch")
    assert len(texts(plots.pairs(comparison, width=1.8))) == 6
    assert len(texts(plots.pairs(comparison))) == 6 + 5 * 15 + 5


def test_cells_of_some_algorithms_have_the_colours_of_the_whole_and_the_figure_its_title():
    some = ro.compare(SCORES.select(algorithms=["A", "C"]), test="welch")
    ax = plots.pairs(some, title="Two of four")
    colours = {line.get_color().upper() for line in ax.lines}
    assert {plots.marks(SCORES.algorithms)[name].color.upper() for name in "AC"} <= colours
    assert list(cells_of(ax).values()) == [AHEAD]
    assert "Two of four" in [text.get_text() for text in ax.figure.findobj(Text)]


@pytest.mark.parametrize("scores", [SCORES, MANY, STRANGE], ids=["four", "twelve", "strange names"])
@pytest.mark.parametrize("measure", ["mean", "improvement"])
def test_places_have_a_row_with_bars_and_by_a_mean_the_chance_to_be_best(scores, measure):
    result = ro.rank_intervals(scores, measure=measure, n_resamples=500)
    ax = plots.rank_intervals(result)
    assert len(ax.get_yticklabels()) == scores.n_algorithms
    ends = [path.vertices[:, 0] for line in ax.collections for path in line.get_paths()]
    assert [tuple(map(round, pair)) for pair in ends] == [(r.joint_low, r.joint_high) for r in result.best_first]
    assert ("P(best)" in texts(ax)) == ("P(best)" in plots.caption(result)) == (measure == "mean")


@pytest.mark.parametrize("scores", [SCORES, STRANGE], ids=["four", "strange names"])
def test_a_cell_of_robustness_is_filled_as_far_as_the_order_is_kept(scores):
    result = ro.robustness(scores)
    ax = plots.robustness(result)
    shares = [width / 0.94 for _, _, width, _ in cells_of(ax)]
    wanted = [r.kept / r.n_variations for pair in result.pairs for kind in result.kinds for r in [result[*pair, kind]]]
    assert shares == pytest.approx(wanted)
    counts = [f"{r.kept}/{r.n_variations}" for r in result.rows if r.n_variations]
    assert sorted(text for text in texts(ax) if text in counts) == sorted(counts)
    assert set(cells_of(ax).values()) == {OPEN}


def test_rows_of_robustness_are_those_of_the_best_first():
    result = ro.robustness(SCORES)
    order = ro.compare(SCORES, measure=result.measure).standing.order
    names = [text for text in texts(plots.robustness(result)) if text in SCORES.algorithms]
    assert list(dict.fromkeys(names[::2])) == list(order[:3])


def test_captions_say_what_is_no_test_and_what_others_change():
    assert "not a test" in plots.caption(ro.robustness(SCORES))
    assert "a further one changes them" in plots.caption(ro.rank_intervals(SCORES, n_resamples=500))
    assert "only number of a cell that other algorithms change" in plots.caption(answers().comparison, figure="pairs")


# ── more pairs than rows ──────────


def test_more_than_28_pairs_are_a_staircase_with_a_number_for_each():
    comparison = ro.compare(MANY, test="welch")
    ax = plots.improvement(comparison, width=6.8)
    numbers = [text for text in texts(ax) if text.isdigit()]
    chances = {round(100 * max(p.improvement, 1 - p.improvement)) for p in comparison.pairs}
    assert len(numbers) == 66
    assert plots.caption(comparison).startswith("How often, in percent,")
    assert {max(int(n), 100 - int(n)) for n in numbers} <= chances | {50}
    decided = [chance_of(pair).verdict in ("a_better", "b_better") for pair in comparison.pairs]
    assert len(cells_of(ax)) == sum(decided)


def test_effects_and_what_an_order_survives_become_staircases_too():
    effects = ro.effect_sizes(MANY, effect_size=["ratio"])
    assert len(plots.effect_sizes(effects, width=6.8).texts) == 12 + 66
    result = ro.robustness(MANY.select(algorithms=MANY.algorithms[:9]))
    ax = plots.robustness(result)
    assert len(ax.texts) == 9 + 36
    assert all("A cell belongs to" in plots.caption(many) for many in (effects, result))
    kept = [all(r.kept == r.n_variations for r in result.rows if (r.a, r.b) == pair) for pair in result.pairs]
    assert len(cells_of(ax)) == sum(kept)


def test_28_pairs_have_rows():
    comparison = ro.compare(MANY.select(algorithms=MANY.algorithms[:8]), test="welch")
    assert "first" in texts(plots.improvement(comparison))


def test_tasks_longer_than_a_page_are_a_matrix_of_means():
    data = {f"algorithm {a}": {f"task {t}": [1.0 * a, 2.0 * t] for t in range(40)} for a in range(10)}
    data["algorithm 0"].pop("task 3")
    scores = ro.Scores.from_dict(data)
    (ax,) = plots.tasks(scores)
    assert len(cells_of(ax, shaded=False)) == 400
    assert texts(ax).count("·") == 1
    assert ax.figure.get_figheight() < 9
    assert plots.caption(scores).startswith("Means of runs by task")


# ── more lines and panels than a page has room for ──────────


def curves_of(n_algorithms, n_tasks):
    cells = [
        (f"algorithm {a}", f"task {t}", r, s)
        for a in range(n_algorithms)
        for t in range(n_tasks)
        for r in "xy"
        for s in (1, 2)
    ]
    table = dict(zip(("algorithm", "task", "run", "step"), map(list, zip(*cells, strict=True)), strict=True))
    scores = [int(cell[0].split()[1]) + RNG.normal() / 9 for cell in cells]
    return ro.Curves.from_frame({**table, "score": scores})


def test_a_long_legend_stands_under_the_axes_and_begins_with_the_best():
    ax = plots.sample_efficiency(ro.curves(curves_of(20, 1), n_resamples=100), width="neurips")
    (legend,) = ax.figure.legends
    assert legend.get_texts()[0].get_text().startswith("algorithm 19")
    ax.figure.draw_without_rendering()
    assert legend.get_window_extent().y0 >= 0
    assert legend.get_window_extent().y1 <= ax.xaxis.label.get_window_extent().y0


@pytest.mark.slow
def test_panels_of_many_tasks_fit_a_page():
    axes = grid_of_axes(57, 7, plots.WIDTHS["neurips"].page)
    assert axes[0].figure.get_figheight() <= 9.0
    assert min(ax.get_position().y0 for ax in axes) > 0


def test_numbers_in_cells_are_of_one_size_that_can_be_read_or_none():
    sizes = {}
    for width in (2.0, 6.75):
        drawn = [
            t for t in plots.improvement(ro.compare(MANY, test="welch"), width=width).texts if t.get_text().isdigit()
        ]
        sizes[width] = {text.get_fontsize() for text in drawn}
    assert [len(size) for size in sizes.values()] == [0, 1]
    assert min(sizes[6.75]) >= 5.5


@pytest.mark.parametrize(("kept", "text"), [(1000, "100"), (999, "99"), (995, "99"), (6, "0"), (0, "0")])
def test_a_hundred_percent_of_a_staircase_are_all_variations_and_no_fewer(kept, text):
    result = ro.robustness(MANY)
    rows = tuple(replace(row, kept=kept, n_variations=1000) for row in result.rows)
    ax = plots.robustness(replace(result, rows=rows))
    assert {word for word in texts(ax) if word not in MANY.algorithms} == {text}
    assert (set(cells_of(ax).values()) == {OPEN}) == (kept == 1000)


def test_what_is_found_of_the_algorithm_on_top_of_a_column_has_a_sign_of_its_own_without_its_colour():
    places = [("a", None), ("b", None), (None, "#eeeeee"), (None, None)]
    signs = [PairCell("a", "b", better, 0.1, shade).sign((0, 1), ["a", "b"]) for better, shade in places]
    assert signs == [Mark(AHEAD, "o"), Mark(BEHIND, "v"), Mark("#eeeeee", "s"), None]
