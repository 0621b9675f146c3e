"""Worlds of learning curves, and what is reported of them: final score, last evaluations, best so far."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import integrate, stats

import runoff as ro
from runoff.errors import OptionError
from runoff.lab import CONTENDERS, World, distribution, find_study, real_curve_world
from runoff.lab.contenders.shared import PROTOCOLS
from runoff.lab.printed import check_statements
from runoff.lab.spec import parse_study
from tests.lab.makers import curve_batch, curve_world, normal_world, small_study
from tests.places import SHARED

REAL = ro.load_example("classic_control")
SPREAD = 2.0 / 5.0**0.5
"""Standard deviation of the wavering of `curve_world`, whose end scores have variance 1."""


def uneven():
    """One algorithm: run 0 has two evaluations, runs 1 and 2 have four; all end at step 4."""
    scores = {0: {2: 5.0, 4: 1.0}, 1: {1: 0.0, 2: 3.0, 3: 1.0, 4: 2.0}, 2: {1: 9.0, 2: 3.0, 3: 1.0, 4: 7.0}}
    rows = [("A", run, step, score) for run, curve in scores.items() for step, score in curve.items()]
    return ro.Curves.from_frame({c: [r[k] for r in rows] for k, c in enumerate(("algorithm", "run", "step", "score"))})


def expected_best(n):
    """The mean of the largest of n standard normals, by quadrature."""
    return integrate.quad(lambda x: x * n * stats.norm.pdf(x) * stats.norm.cdf(x) ** (n - 1), -9, 9)[0]


def rates(world, *methods, **changes):
    study = small_study(worlds=(world,), contenders=methods, n_runs=(3,), **{"n_repeats": 4000, **changes})
    return [(r.rate, r.rate_error) for r in ro.run_study(study, workers=1).rows]


@pytest.mark.parametrize(
    "world", [curve_world(0.0, 1.0, memory=0.1), real_curve_world(REAL, algorithms=["CEM", "ARS"])]
)
def test_the_last_scores_of_curves_are_those_of_the_world(world):
    curves = world.draw_curves(np.random.default_rng(1), 7, 3)
    assert (curves[..., -1] == world.draw(np.random.default_rng(1), 7, 3)).all()


@pytest.mark.parametrize("n", [5, 12, 40])
def test_the_bias_of_best_scores_is_that_of_the_largest_of_normals(n):
    ((bias, error),) = rates(curve_world(0.0, 0.0, evaluations=n, rise=0.0), "protocol_bias_best")
    assert abs(bias - SPREAD * expected_best(n)) < 4 * error


def test_final_scores_and_last_ones_of_flat_curves_are_not_biased():
    methods = [f"protocol_bias_{name}" for name in ("final", "last_5", "last_10")]
    for bias, error in rates(curve_world(3.0, 3.0, rise=0.0), *methods):
        assert abs(bias) < 4 * error


def test_last_scores_of_curves_that_climb_are_low_by_what_is_missing():
    world = curve_world(0.0, 0.0, learning_time=0.5)
    missing = world.grid[0][0].scale * world.grid[0][0].family.climb()[-5:].mean()
    ((bias, error),) = rates(world, "protocol_bias_last_5")
    assert missing < -0.05
    assert abs(bias - missing) < 4 * error


def test_wavering_keeps_its_spread_and_forgets_after_its_memory():
    family = curve_world(0.0, evaluations=20, memory=0.2, rise=0.0).grid[0][0].family
    curves = family.draw_curves(np.random.default_rng(0), (100_000,))
    assert curves.var(axis=0) == pytest.approx(np.full(20, 5.0), rel=0.03)
    assert np.cov(curves[:, 3], curves[:, 7])[0, 1] == pytest.approx(1.0 + 4.0 * np.exp(-1.0), rel=0.03)


def test_turned_pairs_are_those_that_a_slow_count_finds():
    batch = curve_batch(curve_world(0.0, 0.5, 0.2, n_tasks=2), n_batch=20)
    for name, protocol in PROTOCOLS.items():
        means = protocol.reduce(batch.curves).mean(axis=3)
        slow = [
            np.mean([
                (experiment[b, t] > experiment[a, t]) != (true[1] > true[0])
                for (a, b), true in zip(combinations(range(3), 2), combinations((0.0, 0.5, 0.2), 2), strict=True)
                for t in range(2)
            ])
            for experiment in means
        ]  # fmt: skip
        assert CONTENDERS[f"protocol_turned_{name}"].decide(batch) == pytest.approx(slow)


def test_the_order_of_equal_algorithms_cannot_turn():
    with pytest.raises(OptionError, match="no two algorithms whose true means differ"):
        CONTENDERS["protocol_turned_best"].decide(curve_batch(curve_world(1.0, 1.0)))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["final_final", "last_5_last_5", "best_best", "final_best"])
def test_compare_decides_as_compare_does_on_what_is_reported(name):
    batch = curve_batch(curve_world(0.0, 0.8))
    protocols = next((a, b) for a in PROTOCOLS for b in PROTOCOLS if f"{a}_{b}" == name)
    sides = [PROTOCOLS[protocol].reduce(batch.curves[:, a, 0]) for a, protocol in enumerate(protocols)]
    slow = [
        ro.compare(ro.Scores.from_dict({"A": x, "B": y})).pairs[0].pvalue <= 0.05 for x, y in zip(*sides, strict=True)
    ]
    assert any(slow)
    assert CONTENDERS[f"protocol_compare_{name}"].decide(batch).tolist() == slow


@pytest.mark.slow
def test_compare_keeps_its_level_where_both_report_alike_and_loses_it_where_one_reports_its_best():
    alike, mixed = rates(
        curve_world(0.0, 0.0), "protocol_compare_best_best", "protocol_compare_final_best", n_repeats=1000
    )
    assert alike[0] < 0.05 + 4 * 0.007
    assert mixed[0] > 0.2


def test_an_algorithm_that_is_evaluated_more_often_is_ahead_by_its_best_alone():
    cells = [
        distribution("here", {"family": "learning_curve", "evaluations": n, "unsteadiness": 2.0, "rise": 0.0})
        for n in (10, 100)
    ]
    world = World(name="uneven", grid=((cells[0],), (cells[1],)))
    assert world.least_evaluations == 10
    batch = curve_batch(world, n_batch=2000)
    best, final = (PROTOCOLS[name].reduce(batch.curves).mean(axis=(0, 2, 3)) for name in ("best", "final"))
    assert best[1] - best[0] == pytest.approx(SPREAD * (expected_best(100) - expected_best(10)), abs=0.06)
    assert final[1] - final[0] == pytest.approx(0.0, abs=0.06)


def test_an_effect_is_added_to_the_whole_curve():
    still, moved = (
        rates(curve_world(0.0), *(f"protocol_bias_{name}" for name in PROTOCOLS), effects=(effect,), effect_unit=1.0)
        for effect in (0.0, 3.0)
    )
    for (before, error), (after, _) in zip(still, moved, strict=True):
        assert abs(after - before - 3.0) < 6 * error


def test_a_run_with_fewer_evaluations_keeps_its_best_and_last_scores():
    world = real_curve_world(uneven())
    values = world.grid[0][0].family.values
    assert values.tolist() == [[5.0, 5.0, 5.0, 1.0], [0.0, 3.0, 1.0, 2.0], [9.0, 3.0, 1.0, 7.0]]
    assert world.least_evaluations == 2
    with pytest.raises(OptionError, match="'protocol_bias_last_5' needs curves of at least 5 evaluation"):
        small_study(worlds=(world,), contenders=("protocol_bias_last_5",))


def test_thinned_curves_keep_the_last_evaluation():
    whole, thin = (real_curve_world(REAL, algorithms="CEM", every=k).grid[0][2].family for k in (1, 3))
    assert (whole.values[:, ::3] == thin.values).all()
    assert (thin.values[:, -1] == REAL.final().cell("CEM", REAL.tasks[2])).all()


def test_runs_that_all_end_alike_are_refused():
    table = {"algorithm": ["A"] * 4, "run": [0, 0, 1, 1], "step": [1, 2] * 2, "score": [0.0, 1.0, 3.0, 1.0]}
    with pytest.raises(OptionError, match="end with 1 distinct score"):
        real_curve_world(ro.Curves.from_frame(table))


@pytest.mark.parametrize("options", [{"split": True}, {"run_share": 0.5}])
def test_curves_are_drawn_neither_split_nor_together(options):
    with pytest.raises(OptionError, match=r"split|run_share"):
        World(name="w", grid=curve_world(0.0, 0.0).grid, **options)


def test_a_method_of_curves_refuses_a_world_of_scores():
    with pytest.raises(OptionError, match="a run of world 'normal' has no curve"):
        small_study(worlds=(normal_world(),), contenders=("protocol_bias_best",))


HEAD = 'n_runs = [3]\ncontenders = ["protocol_bias_best"]\n[[worlds]]\ncurves = "mine"\n'


def test_a_study_file_takes_curves_from_memory_or_a_folder(tmp_path):
    REAL.select(tasks=["Acrobot-v1"]).to_frame().write_csv(tmp_path / "mine.csv")
    text = HEAD + 'each = true\nname = "{algorithm} alone"\nn_algorithms = 1'
    given, read = (
        parse_study(text, "here", data=data).study for data in ({"mine": REAL.select(tasks=["Acrobot-v1"])}, tmp_path)
    )
    assert given == read
    assert [world.name for world in given.worlds] == [f"{name} alone" for name in REAL.algorithms]
    assert {(world.n_algorithms, world.n_tasks) for world in given.worlds} == {(1, 1)}


@pytest.mark.parametrize(
    ("line", "data", "message"),
    [
        ("", None, "needs the curves 'mine'.*Curves"),
        ("", {"mine": [1.0, 2.0]}, "needs learning curves for 'mine', not list"),
        ("evry = 3", {"mine": REAL}, "unknown key 'evry'.*Did you mean 'every'"),
        ("every = 0", {"mine": REAL}, "every must be a whole number"),
    ],
)
def test_mistakes_in_a_world_of_curves_are_refused(line, data, message):
    with pytest.raises(OptionError, match=message):
        parse_study(HEAD + line, "here", data=data)


def test_a_study_of_curves_is_told_by_a_digest_of_them():
    declared = real_curve_world(REAL, algorithms="CEM").to_dict()["grid"][0][0]
    assert declared["family"] == "empirical_curves"
    assert (declared["n_runs"], declared["n_evaluations"]) == (50, 31)
    assert declared["digest"] != real_curve_world(REAL, algorithms="ARS").to_dict()["grid"][0][0]["digest"]


@pytest.mark.slow
def test_workers_leave_a_study_of_curves_as_it_is():
    study = small_study(worlds=(real_curve_world(REAL, algorithms="CEM"),), contenders=("protocol_bias_best", "welch"))
    assert ro.run_study(study, workers=1) == ro.run_study(study, workers=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["protocols_order", "protocols_runs_order"])
def test_the_statements_on_order_are_confirmed_by_a_smaller_study(name):
    entry = find_study(f"agarwal2021/{name}").changed(n_repeats=1000)
    statements = check_statements(entry, ro.run_study(entry.study, workers=1))
    assert {record.verdict for record in statements.rows} == {"confirmed"}


@pytest.mark.slow
@pytest.mark.long
def test_the_statements_on_bias_and_level_are_confirmed_by_a_smaller_study():
    entry = find_study("agarwal2021/protocols").changed(n_repeats=500)
    statements = check_statements(entry, ro.run_study(entry.study))
    assert "contradicted" not in {record.verdict for record in statements.rows}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real runs are not here")
def test_best_scores_of_td3_are_above_its_end():
    world = real_curve_world(ro.read_curves(SHARED / "rl_stats" / "td3_hc_all_perfs.txt.gz"), n_algorithms=1)
    (best, error), (final, small) = rates(world, "protocol_bias_best", "protocol_bias_final", n_repeats=500)
    assert best - final > 4 * error
    assert abs(final) < 4 * small
