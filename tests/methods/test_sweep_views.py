"""The views of a sweep: one setting for all tasks, what tuning on each task gains, which settings matter, fresh runs that judge."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff.answer.importance import ImportanceResult, ImportanceRow
from runoff.cli.app import run

SETTINGS = [f"lr {lr}, width {width}" for lr in (0.1, 0.2, 0.3) for width in (8, 16)]


def sweep(worth: dict[str, np.ndarray], n_runs: int = 5, noise: float = 0.3, seed: int = 0) -> ro.Scores:
    """Return runs about what settings are worth on tasks, (n_tasks, 6)."""
    draw, rows = np.random.default_rng(seed), []
    for name, means in worth.items():
        for (t, c), mean in np.ndenumerate(means):
            rows += [(name, f"t{t}", SETTINGS[c], f"{t}{c}{j}", mean + noise * draw.normal()) for j in range(n_runs)]
    columns = zip(*rows, strict=True)
    table = dict(zip(("algorithm", "task", "config", "seed", "score"), map(list, columns), strict=True))
    return ro.Scores.from_frame(table, score_unit="shared")


LIKE = np.array([[0.0, 0, 0, 0, 0, 3]] * 3)
"""One setting is the best on every task."""
UNLIKE = np.array([[4.0, 0, 0, 0, 0, 2], [0, 4, 0, 0, 0, 2], [0, 0, 4, 0, 0, 2]])
"""Every task has a setting of its own, and one is good on all."""


def test_with_one_setting_the_algorithm_wins_that_lives_on_one_and_tuned_per_task_the_other():
    both = sweep({"like": LIKE, "unlike": UNLIKE})
    assert ro.tuning(both)["unlike", "like"][-1].verdict == "a_better"
    result = ro.tuning(both, view="one_setting")
    assert result["like", "unlike"].verdict == "a_better"
    assert result["like"].config == result["unlike"].config == SETTINGS[5]
    assert result.sentence.startswith("like (lr 0.3, width 16) beats unlike by ")
    assert result.sentence.endswith("with one setting for all 3 tasks, judged by runs that did not choose it.")


def test_who_gains_by_tuning_per_task_is_said_to_and_who_does_not_is_named():
    result = ro.tuning(sweep({"like": LIKE, "unlike": UNLIKE}), view="sensitivity")
    assert [row.needs_tuning for row in result.rows] == [False, True]
    assert result.sentence.startswith("unlike gains ")
    assert result.sentence.endswith("instead of one setting for all; no gain is shown of like.")
    assert result["like", "unlike"].more_sensitive == "unlike"
    assert result["unlike", "like"].region in ("better only when tuned per task", "better, and more sensitive")


def test_equal_settings_have_a_plug_in_sensitivity_and_no_gain():
    row = ro.tuning(sweep({"A": np.zeros((3, 6))}), view="sensitivity").rows[0]
    assert row.plug_in > row.estimate > 0
    assert not row.needs_tuning
    assert row.low < 0.01


def test_settings_with_one_run_have_no_interval_and_the_sentence_says_that_noise_is_in_it():
    result = ro.tuning(sweep({"A": UNLIKE}, n_runs=1), view="sensitivity")
    row = result.rows[0]
    assert (row.estimate, row.gain, row.needs_tuning) == (None, None, False)
    assert result.sentence.startswith(
        "With one run a setting the sensitivity cannot be distinguished from noise (by the means"
    )
    assert any("A has settings with one run" in note for note in result.notes)


def test_what_tuning_gains_is_claimed_at_a_part_of_alpha_for_each_algorithm():
    both = sweep({"A": LIKE, "B": UNLIKE})
    together = ro.tuning(both, view="sensitivity", alpha=0.1).rows[0]
    alone = ro.tuning(both.select(algorithms=["A"]), view="sensitivity", alpha=0.05).rows[0]
    assert together.algorithm == alone.algorithm
    assert (together.gain, together.gain_low, together.gain_high) == (alone.gain, alone.gain_low, alone.gain_high)


def test_means_of_few_runs_are_no_bound_of_the_sensitivity():
    """Two settings, two tasks, truth .25: the plugged-in value lies below in most samples, so that no word calls it a bound."""
    worth, below = np.array([[0.5, 0, 0, 0, 0, -9], [0, 0.5, 0, 0, 0, -9]]), []
    for seed in range(40):
        runs = sweep({"A": worth[:, :2].repeat(3, axis=1)[:, [0, 3, 0, 3, 0, 3]]}, n_runs=1, noise=1.0, seed=seed)
        two = runs.to_frame().filter(runs.to_frame()["config"].is_in(SETTINGS[:2]))
        result = ro.tuning(ro.Scores.from_frame(two, score_unit="shared"), view="sensitivity", scale="none")
        below.append(result.rows[0].plug_in < 0.25)
        assert "bound" not in result.sentence
    assert np.mean(below) > 0.5


def test_estimates_lie_in_their_intervals_where_few_draws_are_above_zero():
    result = ro.tuning(sweep({"A": LIKE, "B": 0.9 * LIKE}), view="sensitivity")
    assert all(row.low <= row.estimate <= row.high for row in result.rows)
    assert all(pair.low <= pair.difference <= pair.high for pair in result.pairs)
    assert result.sentences[0].startswith("By its means A is better tuned and with one setting than B; neither ")
    assert "; neither is shown to be more sensitive (A − B: " in result.sentences[0]


def test_an_estimate_at_the_end_of_its_interval_is_explained():
    ends = []
    for noise in (0.3, 1.2, 3.0):
        result = ro.tuning(sweep({"A": LIKE}, noise=noise), view="sensitivity")
        ends.append(any(0 < row.estimate == row.high for row in result.rows))
        assert ("draws that are nearly all 0" in result.tables()[0].caption) == ends[-1]
    assert {*ends} == {True, False}


def test_one_setting_is_asked_of_several_tasks():
    frame = sweep({"A": LIKE, "B": LIKE}).to_frame()
    single = ro.Scores.from_frame(frame.filter(frame["task"] == "t0"))
    with pytest.raises(ro.DesignError, match="there is one \\('t0'\\): view='equal' is that answer"):
        ro.tuning(single, view="one_setting")


def test_one_setting_of_more_that_were_tried_has_a_note():
    frame = sweep({"A": LIKE, "B": LIKE}).to_frame()
    fewer = frame.filter((frame["algorithm"] == "A") | frame["config"].is_in(SETTINGS[4:]))
    result = ro.tuning(ro.Scores.from_frame(fewer, score_unit="shared"), view="one_setting")
    assert [note for note in result.notes if "A 6, B 2; at equal tuning" in note]
    assert not [
        note for note in ro.tuning(sweep({"A": LIKE, "B": LIKE}), view="one_setting").notes if "more settings" in note
    ]


def test_dimensions_of_a_grid_have_chances_that_add_up_and_the_fewest_that_hold_them():
    row = ro.tuning(sweep({"A": UNLIKE, "B": LIKE}, noise=0.01), view="sensitivity")["B"]
    assert sum(row.dimension_chances) == pytest.approx(1.0)
    assert row.dimensions == (0,)


def test_the_setting_that_makes_the_spread_has_its_share():
    worth = np.array([[0.0, 0, 0, 0, 5, 5]])
    rows = {row.settings: row for row in ro.tuning(sweep({"A": worth}), view="importance")}
    assert rows["lr"].low > 0.8
    assert rows["width"].high < 0.1
    assert set(rows) == {"lr", "width", "lr × width"}


def test_importance_needs_a_full_grid_with_names():
    frame = sweep({"A": np.zeros((1, 6))}).to_frame()
    scores = frame.filter(frame["config"] != SETTINGS[0])
    with pytest.raises(ro.DesignError, match="no full grid of lr, width: importance needs a grid"):
        ro.tuning(ro.Scores.from_frame(scores), view="importance")


def test_fresh_runs_judge_what_the_sweep_chose_and_runs_of_other_settings_are_refused():
    both = sweep({"like": LIKE, "unlike": UNLIKE})
    again = sweep({"like": np.full((3, 6), 2.5), "unlike": np.full((3, 6), 2.5)}, seed=9).to_frame()
    frame = again.filter(again["config"] == SETTINGS[5])
    result = ro.tuning(both, view="one_setting", judged=ro.Scores.from_frame(frame, score_unit="shared"))
    assert result.fresh
    assert [row.estimate for row in result.rows] == pytest.approx([2.5, 2.5], abs=0.2)
    assert result.pairs[0].verdict == "no_difference_found"
    other = sweep({"like": LIKE[:, [5, 0, 0, 0, 0, 0]], "unlike": UNLIKE})
    with pytest.raises(ro.DesignError, match=r"with setting 'lr 0\.1', the sweep chose 'lr 0\.3': fresh runs"):
        ro.tuning(both, view="one_setting", judged=other)


def own_units(frame, units=(1.0, 1000.0, 0.001)):
    """Return runs whose tasks t0, t1, t2 have units of their own."""
    of_task = {f"t{t}": unit for t, unit in enumerate(units)}
    return frame.with_columns(score=frame["score"] * np.array([of_task[task] for task in frame["task"]]))


@pytest.mark.parametrize("scale", ["auto", "percentile", "cdf"])
def test_fresh_runs_are_judged_in_the_unit_of_the_sweep_whatever_units_tasks_came_in(scale):
    both = sweep({"A": LIKE, "B": LIKE}).to_frame()
    ahead = np.array([[0.0] * 5 + [2.8], [0.0] * 5 + [2.6], [0.0] * 5 + [2.8]])  # B on two tasks of three
    again = sweep({"A": LIKE, "B": ahead + 0.3 * (ahead == 2.8)}, noise=0.05, seed=9).to_frame()
    fresh = again.filter(again["config"] == SETTINGS[5])
    kept, moved = (
        ro.tuning(
            ro.Scores.from_frame(own_units(both, units)),
            scale=scale,
            judged=ro.Scores.from_frame(own_units(fresh, units)),
        )
        for units in ((1.0, 1.0, 1.0), (1.0, 1000.0, 0.001))
    )
    assert moved["A", "B"].difference == pytest.approx(kept["A", "B"].difference)
    assert abs(moved["A", "B"].difference) < 1
    assert "fresh runs are in the unit of the runs of the sweep" in moved.notes


def test_percentiles_of_fresh_runs_are_those_of_the_sweep():
    both = sweep({"A": LIKE, "B": LIKE})
    again = sweep({"A": LIKE, "B": LIKE}, seed=9).to_frame()
    fresh = again.filter(again["config"] == SETTINGS[5])
    result = ro.tuning(both, scale="percentile", judged=ro.Scores.from_frame(fresh, score_unit="shared"))
    expected = []
    for task in both.tasks:
        low, high = np.percentile(both.to_frame().filter(both.to_frame()["task"] == task)["score"], (5, 95))
        runs = fresh.filter((fresh["task"] == task) & (fresh["algorithm"] == "A"))["score"]
        expected.append((runs.mean() - low) / (high - low))
    assert result["A"].estimate == pytest.approx(np.mean(expected))


def test_a_sweep_and_fresh_runs_in_two_units_are_refused():
    both = sweep({"A": LIKE, "B": LIKE})
    same = both.to_frame().filter(both.to_frame()["config"] == SETTINGS[5])
    fresh = ro.Scores.from_frame(same, score_unit="shared").normalize(dict.fromkeys(both.tasks, (0.0, 2.0)))
    with pytest.raises(ro.DesignError, match="the sweep is not normalised, and the fresh runs are normalised by"):
        ro.tuning(both, judged=fresh)


def test_tasks_in_units_of_their_own_are_scaled_and_one_unit_is_left_alone():
    frame = sweep({"A": UNLIKE, "B": LIKE}).to_frame()
    notes = ro.tuning(ro.Scores.from_frame(frame)).notes
    assert notes[0].startswith("scores are scaled on each task so that percentiles 5 and 95 of all runs are 0 and 1")
    assert ro.tuning(sweep({"A": UNLIKE, "B": LIKE})).notes == ()


@pytest.mark.parametrize("scale", ["percentile", "cdf"])
def test_a_unit_of_each_task_does_not_change_a_scaled_answer(scale):
    frame = sweep({"A": UNLIKE, "B": LIKE}).to_frame()
    moved = frame.with_columns(score=frame["score"] * 100 + 7)
    first, second = (ro.tuning(ro.Scores.from_frame(own), scale=scale) for own in (frame, moved))
    assert [r.estimate for r in first.rows] == pytest.approx([r.estimate for r in second.rows])


@pytest.mark.parametrize("view", ["one_setting", "sensitivity", "importance"])
def test_the_command_line_has_every_view(view, tmp_path, capsys):
    sweep({"A": UNLIKE, "B": LIKE}).to_frame().write_csv(tmp_path / "runs.csv")
    assert run(["tuning", str(tmp_path / "runs.csv"), "--view", view, "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "tuning.json").exists()
    assert (tmp_path / "out" / "sensitivity.svg").exists() == (view == "sensitivity")
    assert len(capsys.readouterr().out.splitlines()) > 10


def test_the_plane_names_its_regions_and_shows_every_algorithm():
    result = ro.tuning(sweep({"A": UNLIKE, "B": LIKE}), view="sensitivity")
    texts = {text.get_text().replace("\n", " ") for text in ro.plots.sensitivity(result).texts}
    assert "better only when tuned per task" in texts
    with pytest.raises(ro.OptionError, match="reference 'C' is none of the algorithms"):
        ro.plots.sensitivity(result, reference="C")


@pytest.mark.parametrize("n_algorithms", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_bars_of_the_plane_are_whole_and_the_caption_says_where_there_are_none(n_algorithms, seed):
    draw = np.random.default_rng(seed)
    frame = sweep({name: draw.normal(0, 0.3, (3, 6)) for name in "ABC"[:n_algorithms]}, seed=seed, noise=1.0).to_frame()
    # With an odd seed the first algorithm has one run of each setting.
    single = (frame["algorithm"] == "A") & ~frame["run"].str.ends_with("0")
    result = ro.tuning(
        ro.Scores.from_frame(frame.filter(~single) if seed % 2 else frame, score_unit="shared"), view="sensitivity"
    )
    ends = [end for row in result.rows for end in (row.low, row.high) if end is not None]
    low, high = ro.plots.sensitivity(result).get_xlim()
    assert all(low < end < high for end in ends)
    caption = ro.plots.caption(result)
    assert ("bars are 95" in caption) == bool(ends)
    assert ("Without a bar, by the means of single runs as they are: A." in caption) == bool(seed % 2)


def test_the_sentence_on_shares_names_the_largest_that_is_shown_or_says_that_none_is():
    rows = [
        ImportanceRow(algorithm=name, task="t", settings=setting, estimate=share, low=low, high=1.0)
        for name, setting, share, low in (("a", "lr", 0.84, 0.0), ("a", "width", 0.47, 0.06), ("b", "lr", 0.8, 0.0))
    ]
    result = ImportanceResult(rows=tuple(rows), tasks=("t",), alpha=0.05, confidence_level=0.95)
    assert result.sentence.startswith(
        "width carries 0.47 [0.06, 1.00] of the spread of a on t; no setting is shown to carry the"
    )
