import numpy as np
import pytest

import runoff as ro
from tests.places import DOCS

RNG = np.random.default_rng(0)
DATA = {
    "A": {"Pong": RNG.normal(0, 1, 40), "Hero": RNG.exponential(1, 60)},
    "B": {"Pong": np.concatenate([RNG.normal(0, 1, 20), RNG.normal(9, 1, 20)]), "Hero": [3.0, 3.0, 3.0]},
}


@pytest.fixture(scope="module")
def described():
    return ro.describe(ro.Scores.from_dict(DATA))


def test_every_cell_with_runs_has_a_record(described):
    assert [(r.algorithm, r.task, r.n_runs) for r in described.rows] == [
        ("A", "Pong", 40),
        ("A", "Hero", 60),
        ("B", "Pong", 40),
        ("B", "Hero", 3),
    ]


def test_the_normal_is_kept_where_it_is_not_rejected(described):
    record = described["A", "Pong"]
    assert (record.normal, record.distribution) == (True, "normal")
    assert record.parameters["loc"] == pytest.approx(record.mean)


def test_skewed_and_two_humped_cells_are_recognised(described):
    skewed, humped = described["A", "Hero"], described["B", "Pong"]
    assert (skewed.normal, skewed.bimodal) == (False, False)
    assert skewed.distribution in ("exponential", "gamma", "lognormal", "pareto")
    assert (humped.normal, humped.bimodal) == (False, True)


def test_a_cell_without_spread_has_no_shape_but_its_numbers(described):
    record = described["B", "Hero"]
    assert (record.mean, record.std, record.n_distinct, record.histogram) == (3.0, 0.0, 1, (3,))
    assert record.normal is record.distribution is record.skewness is record.normality_pvalue is None


def test_histograms_count_every_run(described):
    assert all(sum(r.histogram) == r.n_runs for r in described.rows)
    counts, _ = np.histogram(DATA["A"]["Hero"], bins=len(described["A", "Hero"].histogram))
    assert described["A", "Hero"].histogram == tuple(counts)


def test_advice_names_the_cells_with_two_groups_and_those_with_few_runs(described):
    codes = {note.code: note.text for note in described.advice}
    assert "'B' on 'Pong'" in codes["R303"]
    assert "1 of 4 cells" in codes["R304"]


def test_non_normal_cells_are_told_when_they_are_more_than_chance():
    data = {"A": {f"t{i}": RNG.exponential(1, 50) for i in range(6)}}
    assert "R302" in {note.code for note in ro.describe(ro.Scores.from_dict(data), fit=False).advice}
    data = {"A": {f"t{i}": RNG.normal(0, 1, 50) for i in range(6)}}
    assert "R302" not in {note.code for note in ro.describe(ro.Scores.from_dict(data), fit=False).advice}


def test_without_fit_no_family_is_told():
    result = ro.describe(ro.Scores.from_dict(DATA), fit=False)
    assert {r.distribution for r in result.rows} == {None}
    assert not result.fitted


def test_compare_tells_of_two_groups():
    result = ro.compare(ro.Scores.from_dict({a: {"Pong": cells["Pong"]} for a, cells in DATA.items()}), n_resamples=100)
    assert "R303" in {note.code for note in result.advice}


def test_the_sentence_counts(described):
    assert (
        described.sentence
        == "Normality is rejected in 2 of 3 cells at α = 0.05; 1 cell with too few runs or no spread to tell. "
        "Runs fall into two groups in 1 of 3 cells; 1 cell with fewer than 8 runs, or no spread, to judge that."
    )


def test_records_become_a_frame_though_parameters_differ(described):
    assert described.to_frame().height == 4


def test_a_level_outside_the_unit_interval_is_refused():
    with pytest.raises(ro.OptionError, match="alpha must lie strictly between"):
        ro.describe(ro.Scores.from_dict(DATA), alpha=1.5)


@pytest.mark.parametrize("code", ["R301", "R302", "R303", "R304"])
def test_each_code_of_shape_and_effects_has_an_entry_in_the_docs(code):
    assert f"## {code}" in (DOCS / "advice.md").read_text()


@pytest.mark.parametrize(("n", "fitted"), [(3, False), (4, True)])
def test_a_family_is_fitted_from_four_runs_on(n, fitted):
    runs = [1.0, 2.0, 4.0, 7.0][:n]
    assert (ro.describe(ro.Scores.from_dict({"A": runs})).rows[0].distribution is not None) == fitted


@pytest.mark.parametrize(("n", "bimodal"), [(7, None), (8, True)])
def test_fewer_than_eight_runs_are_too_few_to_judge_two_groups(n, bimodal):
    runs = [0.0, 0.01, 0.02, 0.03, 5.0, 5.01, 5.02, 5.03][:n]
    result = ro.describe({"A": runs})
    assert result.rows[0].bimodal is bimodal
    assert ("cannot be judged: no cell has 8 runs" in result.sentence) == (bimodal is None)


def test_successes_and_failures_are_no_groups_but_runs_at_two_scores_are():
    seeds = {"A": {"x": [0.0] * 3 + [1.0] * 7}, "B": {"x": [1.0] * 9 + [0.0]}}
    assert {r.bimodal for r in ro.describe(seeds).rows} == {False}
    beside = ro.describe({**seeds, "B": {"x": [0.5] * 9 + [0.2]}})
    assert (beside["A", "x"].bimodal, beside["B", "x"].bimodal) == (True, False)
    assert "'A' on 'x' (3 low, 7 high)" in {a.code: a.text for a in beside.advice}["R303"]


@pytest.mark.parametrize(("n_tasks", "severity"), [(15, "warning"), (16, "info")])
def test_groups_on_one_of_many_tasks_are_told_without_a_warning(n_tasks, severity):
    cells = {name: {f"t{i}": RNG.normal(size=8) for i in range(n_tasks)} for name in "AB"}
    cells["A"]["t0"] = np.array([0.0, 0.1, 0.2, 9.0, 9.1, 9.2, 9.3, 9.4])
    (advice,) = (a for a in ro.describe(cells, fit=False).advice if a.code == "R303")
    assert (advice.severity, "14 %" in advice.text) == (severity, n_tasks < 16)


def test_the_spread_of_a_cell_is_that_of_a_sample(described):
    record = described["A", "Pong"]
    assert record.std == pytest.approx(np.std(DATA["A"]["Pong"], ddof=1), rel=1e-12)
