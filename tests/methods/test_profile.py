"""Performance profiles: shares, bands against every resample there is, areas, orders, and what is refused."""

from __future__ import annotations

import itertools
import json
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import runoff as ro
from runoff._kernels.bootstrap.profile import RedrawnRuns, draw
from tests import places
from tests.amount import examples
from tests.reference import profiles as slow
from tests.reference import rates

RNG = np.random.default_rng(3)
EQUAL = [RNG.normal(m, 1, 3).round(2) for m in (0.0, 0.6, 1.2)]
RAGGED = [RNG.normal(0.0, 1, 2).round(2), RNG.normal(0.5, 1, 4).round(2), RNG.normal(0.8, 1, 3).round(2)]
ROWS = RNG.normal(0.4, 1, (4, 3)).round(2)
GRID = [-0.5, 0.0, 0.4, 0.8, 1.2]
BANDS = ("exact", "wilson", "simultaneous")
every_band = pytest.mark.parametrize("band", BANDS)


def of_cells(cells, **options):
    return ro.Scores.from_dict({"A": {f"task {t}": cell for t, cell in enumerate(cells)}}, **options)


def profile(scores, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        return ro.performance_profile(scores, **{"thresholds": GRID, "n_resamples": 2_000} | options)


def ends(result):
    return [(r.low, r.high) for r in result.rows]


# ── shares ──────────


@pytest.mark.parametrize("cells", [EQUAL, RAGGED], ids=["equal", "ragged"])
def test_the_share_above_is_that_of_the_slow_twin_every_task_weighing_the_same(cells):
    result = profile(of_cells(cells))
    assert [r.estimate for r in result.rows] == [float(slow.share(cells, tau)) for tau in GRID]


def test_a_run_that_equals_the_threshold_is_not_above_it():
    assert [r.estimate for r in profile({"A": [0.0, 0.4, 0.8]}).rows] == [1.0, 2 / 3, 1 / 3, 0.0, 0.0]


def test_average_scores_count_tasks_by_their_mean():
    result = profile(of_cells(RAGGED), kind="average_scores", band="bootstrap", n_resamples=500)
    means = [np.mean(cell) for cell in RAGGED]
    assert [r.estimate for r in result.rows] == [np.mean([m > tau for m in means]) for tau in GRID]


def test_a_mean_that_equals_the_threshold_but_for_rounding_is_not_above_it():
    result = profile({"A": [0.1, 0.1, 0.1]}, kind="average_scores", band="simultaneous", thresholds=[0.1])
    assert result.rows[0].estimate == 0.0
    assert result.rows[0].low is None


# ── bands ──────────


@pytest.mark.parametrize("level", ["0.95", "0.8"])
@pytest.mark.parametrize("cells", [EQUAL, RAGGED], ids=["equal", "ragged"])
def test_the_exact_band_is_that_of_all_resamples(cells, level):
    result = profile(of_cells(cells), band="exact", confidence_level=float(level))
    for record in result.rows:
        law = slow.law(cells, record.threshold)
        assert len(law) > 1
        assert (record.low, record.high) == pytest.approx([float(end) for end in slow.ends(law, Fraction(level))])
        assert record.interval == "exact"


def test_the_exact_band_of_shared_runs_is_that_of_all_resamples_of_rows():
    result = profile(ro.Scores.from_dict({"A": ROWS}, runs="shared"), band="exact", thresholds=[0.0, 0.3, 0.6])
    for record in result.rows:
        law = slow.law_of_rows(ROWS.tolist(), record.threshold)
        assert (record.low, record.high) == pytest.approx([float(e) for e in slow.ends(law, Fraction("0.95"))])


def test_many_different_numbers_of_runs_move_an_end_by_the_rounding_that_is_promised():
    cells, rng = [RNG.normal(0, 1, n) for n in (7, 11, 13, 17, 19, 23)], np.random.default_rng(3)
    (record,) = profile(of_cells(cells), band="exact", thresholds=[0.0]).rows
    drawn = np.mean([rng.binomial(c.size, (c > 0).mean(), 200_000) / c.size for c in cells], axis=0)
    assert np.quantile(drawn, [0.025, 0.975]) == pytest.approx((record.low, record.high), abs=0.004)


@pytest.mark.sampled(6)
@every_band
@pytest.mark.parametrize("runs", ["per_task", "shared"])
@pytest.mark.parametrize(
    "cells", [np.zeros((3, 2)), np.tile([0.0, 1.0], (4, 1)), np.ones((3, 1))], ids=["0", "half", "1"]
)
def test_no_band_is_without_width_where_no_resample_differs(cells, runs, band):
    result = profile(ro.Scores.from_dict({"A": cells}, runs=runs), band=band, thresholds=[-1.0, 0.5, 2.0])
    for record in result.rows:
        assert 0 <= record.low <= record.estimate <= record.high <= 1
        assert record.high - record.low > 0.1


def test_where_no_run_is_above_the_interval_is_that_of_clopper_and_pearson():
    result = profile({"A": np.zeros((5, 4))}, band="exact", thresholds=[0.0]).rows[0]
    exact = stats.binomtest(0, 20).proportion_ci(method="exact")
    assert (result.low, result.high) == pytest.approx((exact.low, exact.high))
    assert result.interval == "clopper_pearson"


def test_ragged_tasks_that_do_not_differ_count_as_the_smallest_does():
    result = profile({"A": {"s": [1.0, 1.0], "t": [0.0] * 9}}, band="exact", thresholds=[0.5]).rows[0]
    exact = stats.binomtest(2, 4).proportion_ci(method="exact")
    assert (result.low, result.high) == pytest.approx((exact.low, exact.high))


def test_shared_runs_that_do_not_differ_leave_room_for_the_share_of_others():
    result = profile(
        ro.Scores.from_dict({"A": np.tile([0.0, 1.0], (5, 1))}, runs="shared"), band="exact", thresholds=[0.5]
    ).rows[0]
    others = 1 - 0.025 ** (1 / 5)
    assert (result.low, result.high) == pytest.approx((0.5 * (1 - others), 0.5 + 0.5 * others))


@pytest.mark.parametrize("cells", [EQUAL[:1], EQUAL, RAGGED], ids=["one task", "equal", "ragged"])
def test_the_default_band_is_wilsons_interval_of_the_rate_of_runs_that_are_above(cells):
    for record in profile(of_cells(cells)).rows:
        above = [[float(run > record.threshold) for run in cell] for cell in cells]
        assert (record.low, record.high) == pytest.approx(rates.wilson(above, 0.95))
        assert record.interval == "wilson"


def test_the_simultaneous_band_of_one_task_is_kolmogorovs():
    result = profile({"A": RNG.normal(0, 1, 9)}, band="simultaneous")
    width = stats.kstwo.ppf(0.95, 9)
    for record in result.rows:
        assert (record.low, record.high) == pytest.approx(
            (max(record.estimate - width, 0), min(record.estimate + width, 1))
        )


def test_the_simultaneous_band_is_wider_than_a_pointwise_one_and_does_not_depend_on_the_thresholds():
    scores = of_cells(RNG.normal(0.4, 1, (6, 8)))
    wide, point = (profile(scores, band=band) for band in ("simultaneous", "exact"))
    assert all(w.low <= p.low and p.high <= w.high for w, p in zip(wide.rows, point.rows, strict=True))
    alone = profile(scores, band="simultaneous", thresholds=[0.4]).rows[0]
    assert alone == wide.rows[2]


@pytest.mark.parametrize("cells", [EQUAL, RAGGED], ids=["equal", "ragged"])
def test_the_bootstrap_of_average_scores_is_that_of_all_resamples(cells):
    result = profile(
        of_cells(cells), kind="average_scores", band="bootstrap", n_resamples=100_000, confidence_level=0.7
    )
    for record in result.rows:
        low, high = slow.ends(slow.law_of_means(cells, record.threshold), Fraction("0.7"))
        expected = (None, None) if low == high else (pytest.approx(float(low)), pytest.approx(float(high)))
        assert (record.low, record.high) == expected


@pytest.mark.sampled(2)
@pytest.mark.parametrize("level", [0.5, 0.8])
@pytest.mark.parametrize("cells", [EQUAL, RAGGED], ids=["equal", "ragged"])
def test_the_simultaneous_width_is_the_quantile_of_all_smaller_resamples_times_that_of_student(cells, level):
    every = slow.deviations([cell.tolist() for cell in cells])
    runs, tasks = sum(cell.size for cell in cells), len(cells)
    wider = stats.t.ppf((1 + level) / 2, runs - tasks) / stats.norm.ppf((1 + level) / 2)
    most = stats.kstwo.ppf(level, tasks * min(cell.size for cell in cells))
    expected = min(float(every[int(np.ceil(level * len(every))) - 1]) * wider, most)
    result = profile(
        of_cells(cells), band="simultaneous", confidence_level=level, n_resamples=100_000, thresholds=[0.5]
    )
    record = result.rows[0]
    assert max(record.estimate - record.low, record.high - record.estimate) == pytest.approx(expected, abs=1e-9)


@every_band
def test_a_cell_of_one_run_has_no_band_and_says_why(band):
    with pytest.warns(ro.RunoffWarning, match="R002"):
        result = ro.performance_profile({"A": {"s": [1.0, 2.0], "t": [3.0]}}, band=band)
    assert {(r.low, r.high, r.interval) for r in result.rows} == {(None, None, None)}


def test_few_runs_of_a_percentile_band_are_told_and_wilsons_is_not_blamed():
    scores = {"A": RNG.normal(size=(4, 3)), "B": RNG.normal(size=(4, 3))}
    codes = {band: {note.code for note in profile(scores, band=band).advice} for band in BANDS}
    assert {band for band, codes_of in codes.items() if "R003" in codes_of} == {"exact"}


@every_band
def test_other_algorithms_and_other_thresholds_change_no_number(band):
    cells = {"A": RNG.normal(size=(4, 3)), "B": RNG.normal(size=(7, 3))}
    both, alone = profile(cells, band=band), profile({"A": cells["A"]}, band=band)
    fewer = profile({"A": cells["A"]}, band=band, thresholds=GRID[1:3])
    assert both["A"] == alone["A"]
    assert fewer.rows == alone.rows[1:3]


# ── other software ──────────

GOLDEN = json.loads((places.GOLDEN / "profiles.json").read_text())["cases"]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
def test_shares_are_those_of_rliable_and_exact_ends_those_of_scipys_laws(case):
    result = profile({"A": case["scores"]}, thresholds=case["thresholds"], band="exact")
    means = profile({"A": case["scores"]}, thresholds=case["thresholds"], kind="average_scores", band="bootstrap")
    assert [r.estimate for r in result.rows] == pytest.approx(case["run_scores"], abs=1e-12)
    assert [r.estimate for r in means.rows] == pytest.approx(case["average_scores"], abs=1e-12)
    assert np.array(ends(result)) == pytest.approx(np.array(case["exact"]), abs=1e-12)


# ── laws ──────────

CELLS = st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0]), min_size=2, max_size=4), min_size=1, max_size=4)


@settings(max_examples=examples(25))
@given(cells=CELLS, seed=st.integers(0, 99))
def test_the_order_of_runs_and_tasks_changes_nothing(cells, seed):
    rng = np.random.default_rng(seed)
    shuffled = [rng.permutation(cells[t]).tolist() for t in rng.permutation(len(cells))]
    for band in ("exact", "wilson"):
        result, other = (profile(of_cells(c), band=band).rows for c in (cells, shuffled))
        assert [(r.estimate, r.interval) for r in result] == [(r.estimate, r.interval) for r in other]
        assert np.array([(r.low, r.high) for r in result]) == pytest.approx(np.array([(r.low, r.high) for r in other]))


@settings(max_examples=examples(25))
@given(cells=CELLS)
def test_an_increasing_map_of_scores_and_thresholds_changes_nothing(cells):
    far = [[1e70 * (x + 3) for x in cell] for cell in cells]
    for band in ("exact", "wilson", "simultaneous"):
        result = profile(of_cells(cells), band=band, n_resamples=200)
        other = profile(of_cells(far), band=band, n_resamples=200, thresholds=[1e70 * (tau + 3) for tau in GRID])
        assert [(r.estimate, r.low, r.high) for r in result.rows] == [(r.estimate, r.low, r.high) for r in other.rows]


@settings(max_examples=examples(25))
@given(cells=CELLS)
def test_the_other_side_of_the_axis_is_the_mirror_image(cells):
    between = [-0.75, 0.25, 0.75, 1.5]
    for band in ("exact", "wilson"):
        result = profile(of_cells(cells), band=band, thresholds=between).rows
        other = profile(of_cells([[-x for x in c] for c in cells]), band=band, thresholds=[-t for t in between[::-1]])
        mirrored = [(1 - r.high, 1 - r.low) for r in other.rows[::-1]]
        assert [(r.low, r.high) for r in result] == [pytest.approx(pair) for pair in mirrored]


@settings(max_examples=examples(25))
@given(cells=CELLS)
def test_a_profile_falls_and_lies_within_its_band(cells):
    for band in BANDS:
        records = profile(of_cells(cells), band=band, n_resamples=200).rows
        assert all(a.estimate >= b.estimate for a, b in itertools.pairwise(records))
        assert all(0 <= r.low <= r.estimate + 1e-12 <= r.high + 2e-12 for r in records)
        assert all(r.high <= 1 and r.high > r.low for r in records)


# ── what is read off ──────────


@pytest.mark.parametrize("cells", [EQUAL, RAGGED], ids=["equal", "ragged"])
def test_iqm_mean_and_gap_are_areas_of_the_profile(cells):
    summary = profile(of_cells(cells), gamma=0.7).summary("A")
    assert summary.iqm == pytest.approx(float(2 * slow.area(cells, Fraction(1, 4), Fraction(3, 4))))
    assert summary.mean == pytest.approx(float(slow.area(cells, Fraction(0), Fraction(1))))
    below = [[min(x, 0.7) for x in cell] for cell in cells]
    assert summary.optimality_gap == pytest.approx(0.7 - float(slow.area(below, Fraction(0), Fraction(1))))


METRICS = ["iqm", "mean", "median", "optimality_gap"]


def test_they_are_the_aggregates_of_the_same_scores():
    scores = of_cells(RNG.normal(0.5, 1, (7, 5)))
    estimates = {r.measure: r.estimate for r in ro.aggregate(scores, measure=METRICS).rows}
    runs, tasks = (profile(scores, band="simultaneous", kind=k).summary("A") for k in ("run_scores", "average_scores"))
    own = runs.iqm, runs.mean, runs.optimality_gap
    assert own == pytest.approx(tuple(estimates[m] for m in ("iqm", "mean", "optimality_gap")))
    assert tasks.median == pytest.approx(estimates["median"])


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_the_median_is_where_the_profile_crosses_one_half(n):
    cell = RNG.normal(size=n)
    assert profile({"A": cell}).summary("A").median == pytest.approx(np.median(cell))


# ── which lies above ──────────


def test_a_profile_that_is_nowhere_below_dominates():
    order = profile({"A": [1.0, 2.0, 3.0], "B": [0.0, 2.0, 3.0]})["B", "A"]
    assert (order.order, order.crossings, order.a_lead, order.a_lead_at) == (
        "a_dominates",
        (),
        pytest.approx(1 / 3),
        0.0,
    )
    assert (order.b_lead, order.b_lead_at) == (0.0, None)
    assert "the profile of A is nowhere below that of B" in order.sentence


def test_crossings_are_where_the_other_one_begins_to_lead():
    order = profile({"A": [0.0, 3.0], "B": [1.0, 2.0]})["A", "B"]
    assert (order.order, order.crossings) == ("cross", (2.0,))
    assert (order.a_lead, order.a_lead_at, order.b_lead, order.b_lead_at) == (0.5, 2.0, 0.5, 0.0)
    assert "cross once, at τ = 2, so neither dominates" in order.sentence


def test_equal_profiles_are_called_equal_whatever_the_numbers_of_runs():
    order = profile({"A": [1.0, 2.0] * 3, "B": [2.0, 1.0]})["A", "B"]
    assert (order.order, order.a_lead_at, order.b_lead_at) == ("equal", None, None)
    assert "have the same profile" in order.sentence


@settings(max_examples=examples(80))
@given(x=CELLS, y=CELLS)
def test_the_order_is_that_of_the_slow_twin(x, y):
    n = min(len(x), len(y))
    signs = [(tau, d) for tau, d in slow.order(x[:n], y[:n]) if d]
    data = {name: {str(t): cell for t, cell in enumerate(side[:n])} for name, side in (("A", x), ("B", y))}
    order = profile(data)["A", "B"]
    turned = tuple(b[0] for a, b in itertools.pairwise(signs) if (a[1] > 0) != (b[1] > 0))
    assert order.crossings == turned
    assert order.a_lead == pytest.approx(float(max([0, *(d for _, d in signs)])))
    assert order.b_lead == pytest.approx(float(max([0, *(-d for _, d in signs)])))


def test_a_pair_is_looked_at_on_the_tasks_that_both_have():
    with pytest.warns(ro.RunoffWarning, match="R012"):
        result = ro.performance_profile({"A": {"s": [1, 2], "t": [3, 4]}, "B": {"s": [0, 2]}, "C": {"u": [1, 2]}})
    assert [(o.a, o.b, o.n_tasks) for o in result.orders] == [("A", "B", 1)]
    assert "on s, the only one of 3 tasks that both have" in result.orders[0].sentence


def test_many_crossings_are_counted_and_three_are_named():
    a, b = [0.0, 3.0, 4.0, 7.0, 8.0, 11.0], [1.0, 2.0, 5.0, 6.0, 9.0, 10.0]
    order = profile({"A": a, "B": b})["A", "B"]
    assert len(order.crossings) == 5
    assert "cross 5 times, at τ = 2, 4, 6 and 2 more" in order.sentence


# ── thresholds, and what is refused ──────────


def test_the_grid_goes_from_the_lowest_score_to_the_highest_of_all_algorithms():
    result = ro.performance_profile({"A": [0.5, 3.0], "B": [-1.0, 1.0]}, thresholds="linear")
    assert result.thresholds == tuple(np.linspace(-1.0, 3.0, 81))
    assert result.scale == "linear"


def test_the_logarithmic_grid_begins_at_the_lowest_positive_score():
    result = ro.performance_profile({"A": [0.0, 0.01, 100.0]}, thresholds="log")
    assert (result.thresholds[0], result.thresholds[-1], len(result.thresholds)) == (0.01, 100.0, 81)
    assert np.ptp(np.diff(np.log(result.thresholds))) < 1e-9
    assert result.scale == "log"


def test_the_hundredth_of_runs_that_is_farthest_out_does_not_stretch_the_grid():
    scores = np.append(np.linspace(1, 2, 298), [-50.0, 900.0])
    result = ro.performance_profile({"A": scores, "B": [1.5, 2.5]}, thresholds="linear")
    assert (result.thresholds[0], result.thresholds[-1]) == (pytest.approx(1.0, abs=0.01), 2.5)
    assert ro.performance_profile({"A": scores}, thresholds="log").thresholds[-1] == pytest.approx(2.0, abs=0.01)


@pytest.mark.parametrize("grid", ["linear", "log"])
def test_a_single_score_has_a_grid_about_it(grid):
    result = ro.performance_profile({"A": [2.0, 2.0, 2.0]}, thresholds=grid)
    assert result.thresholds[0] < 2.0 < result.thresholds[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"thresholds": []}, "must be a list of scores"),
        ({"thresholds": [[0.0, 1.0]]}, "must be a list of scores"),
        ({"thresholds": [0.0, np.nan]}, "the value at index 1 is nan"),
        ({"thresholds": [0.0, np.inf]}, "the value at index 1 is inf"),
        ({"thresholds": [0.0, 1.0, 0.5]}, "0.5 at index 2 follows 1; sort them"),
        ({"thresholds": [0.0, 0.0]}, "0 at index 1 follows 0"),
        ({"thresholds": ["a"]}, "numbers only"),
        ({"thresholds": "quadratic"}, "thresholds must be one of linear, log"),
        ({"thresholds": np.arange(10_001.0)}, "at most 10,000"),
        ({"kind": "runs"}, "kind must be one of run_scores, average_scores"),
        ({"band": "t"}, "band must be one of exact, wilson, bootstrap, simultaneous"),
        ({"kind": "average_scores"}, "use band='bootstrap' or 'simultaneous'"),
        ({"band": "bootstrap"}, "use band='exact' or 'wilson' or 'simultaneous'"),
        ({"gamma": np.nan}, "gamma must be a finite score"),
        ({"confidence_level": 1.0}, "confidence_level"),
        ({"n_resamples": 10}, "n_resamples"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused_with_the_repair(options, message):
    with pytest.raises(ro.OptionError, match=message):
        ro.performance_profile({"A": [0.0, 1.0, 2.0]}, **options)


def test_a_logarithmic_grid_of_scores_that_are_not_positive_is_refused():
    with pytest.raises(ro.OptionError, match="thresholds='log' needs scores above 0, and the highest is 0"):
        ro.performance_profile({"A": [-1.0, 0.0]}, thresholds="log")


def test_a_result_says_in_a_sentence_what_it_found():
    assert "nowhere below" in profile({"A": [1.0, 2.0], "B": [0.0, 1.0]}).sentence
    assert profile({"A": [1.0, 2.0, 4.0]}).sentence == "Half of the profile lies beyond 2 (A)."
    three = profile({"A": [1.0, 2.0], "B": [0.0, 1.0], "C": [0.5, 5.0]}).sentence
    assert three.startswith(
        "Of 3 pairs of profiles 2 have one that is nowhere below the other in these runs, and 1 cross"
    )


def test_wilsons_band_of_shared_runs_has_the_variance_of_the_shares_of_runs():
    # Of run i a share of tasks is above: the variance of those shares, pulled by one run of the whole, over the runs.
    above, n = np.array(ROWS) > 0.3, len(ROWS)
    p, shares = above.mean(), above.mean(axis=1)
    variance = ((n - 1) * shares.var(ddof=1) + p * (1 - p)) / n / n
    size, z = p * (1 - p) / variance, 1.959963984540054
    middle, half = p + z * z / (2 * size), z * np.sqrt(p * (1 - p) / size + z * z / (4 * size * size))
    scores = ro.Scores.from_dict({"A": ROWS}, runs="shared")
    record = ro.performance_profile(scores, thresholds=[0.3], band="wilson").rows[0]
    scale = 1 + z * z / size
    assert (record.low, record.high) == pytest.approx(((middle - half) / scale, (middle + half) / scale))


def test_a_profile_over_tasks_with_units_of_their_own_is_advised_against():
    raw = {"A": {"x": [1.0, 2.0], "y": [100.0, 300.0]}, "B": {"x": [2.0, 4.0], "y": [200.0, 500.0]}}
    (advice,) = [advice for advice in ro.performance_profile(raw).advice if advice.code == "R029"]
    assert "a profile counts the runs of both tasks above one score" in advice.text
    shared = ro.performance_profile(ro.Scores.from_dict(raw, score_unit="shared"))
    assert "R029" not in [own.code for own in shared.advice]


def test_a_profile_of_scores_that_are_all_0_goes_as_far_to_either_side():
    thresholds = ro.performance_profile({"A": {"t": [0.0] * 4}, "B": {"t": [0.0] * 4}}).thresholds
    assert (thresholds[0], thresholds[-1]) == (-0.5, 0.5)


@pytest.mark.parametrize("fewer", [0, 1])
@pytest.mark.parametrize("n_rows", [0, 4])
def test_redrawn_runs_weigh_as_much_as_all_scores_whole_runs_alike_on_every_task(n_rows, fewer):
    rows = np.tile(np.arange(4), 3)
    weights, words = np.empty(12), np.random.default_rng(0).integers(0, 2**32, (200, 12), dtype=np.uint32)
    for drawn in words:
        draw(drawn, RedrawnRuns(np.array([0, 4, 8, 12]), rows, n_rows, fewer), weights)
        by_task = weights.reshape(3, 4)
        assert by_task.sum(axis=1) == pytest.approx([4.0] * 3)
        # n - 1 draws of weight n/(n - 1), or n of 1
        assert np.allclose(weights / (4 / (4 - fewer)) % 1, 0)
        assert not n_rows or (by_task == by_task[0]).all()
