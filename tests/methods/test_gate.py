"""`gate` and `save_baseline`: shipped data, what is refused in one sentence, what a saved baseline keeps."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import runoff as ro
from runoff._inference.gate.fresh import refuse_seen
from runoff.base.signed import digest_of
from runoff.data.baseline import read_baseline
from runoff.data.protocol import protocol_of
from runoff.testing import assert_no_regression
from tests.amount import examples

FAST = {"n_resamples": 2_000}


def cells(means, n, seed, tasks=("Pong", "Qbert"), name="PPO"):
    rng = np.random.default_rng(seed)
    return {name: {task: rng.normal(mean, 1, n) for task, mean in zip(tasks, means, strict=True)}}


BEFORE, AFTER, WORSE = cells((20, 15), 8, 0), cells((20, 15), 6, 1), cells((20, 10), 6, 2)


def refusal(*given, **options):
    with pytest.raises(ro.RunoffError) as caught:
        ro.gate(*given, **({"margin": 3.0} | FAST | options))
    return str(caught.value)


@pytest.fixture(scope="module")
def shipped():
    return ro.load_example("classic_control").final().normalize("classic_control")


# ── the shipped data: this project's own step ──────────


def parted(scores, name, n):
    """Return the first runs of an algorithm, and as many others."""
    frame = scores.select(algorithms=[name]).to_frame()
    run = frame["run"].cast(int)
    parts = [ro.Scores.from_frame(frame.filter((run >= low) & (run < low + n))) for low in (0, n)]
    return [part.noting("normalised") for part in parts]


@pytest.mark.parametrize("n_runs", [5, pytest.param(25, marks=pytest.mark.slow)])
def test_a_true_regression_is_caught(shipped, n_runs):
    scores = shipped.subsample(n_runs, rng=1)
    with pytest.raises(AssertionError, match=r"Over 6 tasks the candidate has regressed: its mean is 0\.4"):
        assert_no_regression(scores, scores, margin=0.1, algorithm="Q(λ)", candidate_algorithm="CEM", **FAST)


@pytest.mark.parametrize(
    ("name", "n_runs"), [("Q(λ)", 5), ("Sarsa(λ)", 10), pytest.param("CEM", 25, marks=pytest.mark.slow)]
)
def test_other_runs_of_the_same_algorithm_pass(shipped, name, n_runs):
    result = assert_no_regression(*parted(shipped, name, n_runs), margin=0.1, **FAST)
    assert result.overall.verdict in ("held", "suspect", "underpowered")


def test_one_algorithm_under_two_names_is_held_with_all_its_runs(shipped):
    result = ro.gate(shipped, shipped, algorithm="Sarsa(λ)", candidate_algorithm="Sarsa(λ) twin", margin=0.1, **FAST)
    assert (result.overall.verdict, len(result.tasks)) == ("held", 6)


# ── what is said ──────────


def test_every_task_and_the_mean_have_a_record_with_a_sentence():
    result = ro.gate(BEFORE, WORSE, margin=3.0, **FAST)
    assert [(r.task, r.verdict) for r in result.rows] == [("Pong", "held"), ("Qbert", "regressed"), (None, "held")]
    assert result.rows[1].drop == pytest.approx(BEFORE["PPO"]["Qbert"].mean() - WORSE["PPO"]["Qbert"].mean())
    assert result.rows[1].sentence.startswith("On 'Qbert' the candidate has regressed: its mean is 3.975 lower")
    assert result.rows[1].sentence.endswith("), more than the margin of 3.")
    wide = ro.gate(BEFORE, WORSE, margin=4.0, **FAST).rows[1]
    assert (wide.verdict, wide.drop < 4) == ("regressed", True)
    assert wide.sentence.endswith("), and a drop of 4 or more is not ruled out.")
    assert result.sentence.startswith("The candidate has regressed on Qbert. Over 2 tasks a drop of")
    assert result.sentence.endswith("By task: 1 regressed (Qbert), 1 held.")
    assert (result.verdict, tuple(r for r in result if r.verdict == "regressed")) == ("regressed", result.rows[1:2])


def test_one_task_is_its_own_overall():
    result = ro.gate({"A": [5.0, 6.0, 7.0, 6.5]}, {"A": [5.1, 6.2, 6.8, 6.4]}, margin=3.0)
    assert result.rows == (result.overall,)
    assert (result.overall.task, result.overall.verdict) == ("task 1", "held")


def test_the_smallest_drop_and_the_runs_that_it_takes_are_said():
    record = ro.gate({"A": [5.0, 7.0, 9.0]}, {"A": [5.5, 6.0, 9.5]}, margin=1.0).overall
    assert (record.verdict, record.detectable_drop > 1.0, record.power < 0.8) == ("underpowered", True, True)
    assert f"the smallest drop this could call with 80\xa0% power is {record.detectable_drop:.4g}" in record.sentence
    assert f"about {record.runs_needed} runs of each on every task would call 1." in record.sentence


def test_so_few_runs_that_nothing_is_rare_call_nothing_and_say_how_many_would():
    record = ro.gate({"A": [5.0, 5.1]}, {"A": [1.0, 1.1]}, margin=1.0).overall
    assert (record.verdict, record.detectable_drop) == ("suspect", None)
    assert (
        "although the test of compare(), one-sided, finds this task by itself lower (p < 0.001; adjusted p = 0.167)"
        in record.sentence
    )
    assert "about 3 runs of each on every task would call 1" in record.sentence
    unlike = ro.gate({"A": [5.0, 1.1]}, {"A": [1.0, 5.1]}, margin=1.0).overall
    assert "so few runs have too few permutations" in unlike.sentence


def test_a_drop_below_the_margin_is_held_and_said_to_be_lower():
    rng = np.random.default_rng(0)
    record = ro.gate({"A": rng.normal(1, 1, 80)}, {"A": rng.normal(0, 1, 80)}, margin=4.0, **FAST).overall
    assert (record.verdict, record.dropped) == ("held", True)
    assert "though the candidate is lower" in record.sentence


def test_names_and_order_of_runs_and_tasks_do_not_matter():
    turned = {"other": {task: WORSE["PPO"][task][::-1] for task in ("Qbert", "Pong")}}
    first, other = (ro.gate(BEFORE, after, margin=3.0, **FAST) for after in (WORSE, turned))
    assert first.to_records() == other.to_records()
    assert first.candidate_sha256 == other.candidate_sha256


def codes(before, after):
    return {advice.code for advice in ro.gate({"A": before}, {"A": after}, margin=1.0, **FAST).advice}


def test_a_candidate_that_spreads_otherwise_is_noted():
    rng = np.random.default_rng(0)
    runs, wide = rng.normal(0, 1, 15), rng.normal(0, 8, 15)
    assert "R025" in codes(runs, wide)
    assert "R025" not in codes(runs, rng.normal(0, 1, 15))


def test_few_runs_are_noted():
    assert "R001" in codes([1.0, 2.0, 3.0], [1.5, 2.5, 2.0])


# ── what the words say ──────────


def sentence(before, after, margin, **more):
    return ro.gate({"A": before}, {"A": after}, margin=margin, **FAST, **more).sentence


def test_a_hundred_with_one_failure_is_no_shift():
    record = ro.gate({"A": {"B": [100] * 19 + [0]}}, {"A": {"B": [100] * 5}}, margin=30, **FAST).overall
    assert record.verdict != "held"
    assert record.drop_high > 30


def test_runs_that_are_all_alike_are_not_told_to_be_more():
    words = sentence([500.0] * 500, [500.0] * 500, 10)
    assert "no run differs from another of its side, so that nothing is known of how runs vary" in words
    assert "more runs of the same do not help until one differs" in words
    assert "too few" not in words
    rates = sentence([1.0] * 5, [1.0] * 5, 0.4)
    assert "with so few a drop of up to 0.45" in rates
    assert "a drop of 0.6 or more is ruled out" in sentence([1.0] * 5, [1.0] * 5, 0.6)


def test_a_rise_is_said_to_be_one_also_of_its_limit():
    rng = np.random.default_rng(0)
    rises = np.linspace(0.5, 1.2, examples(26, 8))
    records = [
        ro.gate({"A": rng.normal(0, 1, 12)}, {"A": rng.normal(r, 1, 12)}, margin=3, **FAST).overall for r in rises
    ]
    certain = [record for record in records if record.verdict == "held" and record.drop_high < 0]
    assert certain
    assert all(f"at least {-record.drop_high:.4g} higher" in record.sentence for record in certain)


def test_means_that_round_to_one_number_show_more_digits():
    words = sentence([5000.01, 5000.02, 5000.03, 5000.02], [5000.012, 5000.021, 5000.033, 5000.02], 1)
    assert "5\u202f000 after 5\u202f000" not in words


def test_two_names_and_a_margin_beyond_all_scores_are_said():
    before, after = {"old": {"A": [5.0, 6.0, 7.0, 6.5]}}, {"new": {"A": [5.1, 6.2, 6.8, 6.4]}}
    words = ro.gate(before, after, margin=3.0, **FAST).sentence
    assert words.endswith("larger than the range of all scores, 2. The candidate is 'new', the baseline 'old'.")


def test_rates_cannot_drop_by_more_than_one_nor_by_more_than_they_are():
    assert all(
        "success rates drop by 1 at most" in refusal({"A": [1.0, 0.0]}, {"A": [1.0, 1.0]}, margin=m) for m in (1, 10)
    )
    words = sentence([1.0] * 2 + [0.0] * 8, [1.0] + [0.0] * 4, 0.3)
    assert "no possible drop could be called with 80\xa0% power: from the baseline's 0.2 the largest is 0.2" in words


def test_few_runs_that_agree_are_not_taken_for_reliable():
    rng = np.random.default_rng(3)
    before, after = rng.normal(1, 0.05, 10), rng.normal(1, 0.002, 5)
    assert "its runs hardly differ, and so few do not rule out that some fail" in sentence(before, after, 0.2)
    assert "hardly differ" not in sentence(before, rng.normal(1, 0.05, 10), 0.2)


# ── what is refused ──────────


@pytest.mark.parametrize("margin", [0, -1.0, float("nan"), float("inf"), True, "3"])
def test_a_margin_that_is_no_positive_number_is_refused(margin):
    assert "margin, the smallest drop that matters, must be a finite number above 0" in refusal(
        BEFORE, AFTER, margin=margin
    )


def test_no_margin_at_all_is_refused():
    assert "a gate needs a margin, the smallest drop that matters" in refusal(BEFORE, AFTER, margin=None)


def test_runs_that_are_missing_on_a_task_are_asked_for():
    lost = {"PPO": {task: cell[: 3 if task == "Qbert" else 5] + 0.1 for task, cell in BEFORE["PPO"].items()}}
    assert "the candidate has 3 runs on 'Qbert' and 5 on 'Pong', where the baseline has no fewer" in refusal(
        BEFORE, lost
    )
    uneven = {"PPO": {task: cell[: 4 if task == "Qbert" else 8] for task, cell in BEFORE["PPO"].items()}}
    assert ro.gate(uneven, lost, margin=3.0).rows


@pytest.mark.parametrize(
    ("labels", "severity"),
    [("013", "caution"), ("012", "caution"), ("789", "info"), ("01234", None), ("0123456", None)],
)
def test_labels_of_the_baseline_that_the_candidate_lacks_are_asked_for(labels, severity):
    def runs(labels, seed):
        rows = {
            "task": ["Pong"] * len(labels),
            "seed": list(labels),
            "score": np.random.default_rng(seed).normal(20, 1, len(labels)),
        }
        return ro.Scores.from_frame({"algorithm": ["PPO"] * len(labels), **rows})

    codes = [item for item in ro.gate(runs("01234", 1), runs(labels, 2), margin=3.0).advice if item.code == "R010"]
    assert [item.severity for item in codes] == [severity] * (severity is not None)
    assert all("3 of the baseline's 5 runs" in item.text for item in codes if severity == "caution")


def test_a_single_run_is_refused_with_its_side_and_task():
    single = {"PPO": {"Pong": [20.0, 19.0], "Qbert": [15.0]}}
    assert "the candidate has a single run on task 'Qbert'" in refusal(BEFORE, single)
    assert "the baseline has a single run on task 'Qbert'" in refusal(single, BEFORE)


@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        (("Pong", "Alien"), "the candidate lacks 'Qbert' of the baseline and has 'Alien', which the baseline has not"),
        (("Pong",), "the candidate lacks 'Qbert' of the baseline"),
        (("Pong", "Qbert", "Alien"), "the candidate has 'Alien', which the baseline has not"),
        (("Pong", "Qbert-v5"), "the baseline has the task 'Qbert', the candidate 'Qbert-v5': if they are one task"),
    ],
)
def test_other_tasks_are_refused_naming_both(tasks, words):
    assert words in refusal(BEFORE, cells([0] * len(tasks), 5, 1, tasks))


def test_several_algorithms_need_a_name():
    both = BEFORE | cells((1, 1), 5, 4, name="A2C")
    assert "the candidate holds 2 algorithms ('PPO', 'A2C')" in refusal(cells((1, 1), 5, 4, name="older"), both)
    assert ro.gate(BEFORE, both, margin=3.0, candidate_algorithm="A2C", **FAST).candidate == "A2C"
    assert "Did you mean 'PPO'?" in refusal(BEFORE, both, algorithm="PPo")


def test_one_set_of_runs_given_twice_is_refused(tmp_path):
    assert "those of the baseline to the last digit" in refusal(BEFORE, {"new": BEFORE["PPO"]})
    drawn = {"PPO": np.random.default_rng(0).normal(size=(5, 2))}
    assert "given twice" in refusal(drawn, {"new": drawn["PPO"].astype(np.float32)})
    path = tmp_path / "runs.csv"
    ro.Scores.from_dict(BEFORE).to_frame().write_csv(path)
    assert f"({path})" in refusal(path, path)


@pytest.mark.parametrize("n_copies", [1, 9])
def test_copies_among_the_runs_are_refused(n_copies):
    rng = np.random.default_rng(0)
    before, after = rng.normal(size=10), rng.normal(size=10)
    after[:n_copies] = before[-n_copies:]
    message = refusal({"A": {"x": before}}, {"A": {"x": after}})
    words = f"{n_copies} of the candidate's 10 scores on task 'x' {'is' if n_copies == 1 else 'are'} the baseline's to the last digit"
    assert words in message
    assert repr(float(after[0])) in message
    assert words in refusal({"A": {"x": before}}, {"A": {"x": after.astype(np.float32)}})


def test_equal_points_of_a_game_are_no_set_given_twice():
    before, after = {"A": {"Pong": [20.0, 21.0, 21.0]}}, {"A": {"Pong": [21.0, 20.0, 21.0]}}
    assert ro.gate(before, after, margin=2.0, **FAST).overall.drop == 0
    assert "given twice" in refusal({"A": {"x": [1.0, 2.0, 3.0, 4.0, 5.0]}}, {"B": {"x": [5.0, 4.0, 3.0, 2.0, 1.0]}})
    assert "given twice" in refusal({"A": {"x": [20.1234, 21.0]}}, {"B": {"x": [21.0, 20.1234]}})


@pytest.mark.parametrize("draw", [lambda rng: rng.poisson(300, 10) / 7, lambda rng: rng.normal(20, 2, 10).round(2)])
def test_equal_scores_of_few_values_are_no_copies(draw):
    rng = np.random.default_rng(0)
    sides = [[ro.Scores.from_dict({"A": {"x": draw(rng)}}) for _ in range(2)] for _ in range(200)]
    assert any(set(x.values) & set(y.values) for x, y in sides)
    assert [refuse_seen(*pair, ("baseline", "candidate")) for pair in sides] == [None] * 200


def test_runs_that_all_reach_the_most_there_is_are_not_taken_for_one_set():
    full = {"A": [500.0] * 4}
    assert ro.gate(full, full, margin=10.0).overall.verdict == "underpowered"


def test_equal_counts_of_successes_are_no_set_of_runs_given_twice(tmp_path):
    before, after = {"p": {"reach": [1.0] * 19 + [0.0]}}, {"p": {"reach": [0.0] + [1.0] * 19}}
    assert ro.gate(before, after, margin=0.3, **FAST).overall.drop == 0
    path = tmp_path / "episodes.csv"
    ro.Scores.from_dict(before).to_frame().write_csv(path)
    assert "given twice" in refusal(path, path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda s: s.normalize({"Pong": (0, 20), "Qbert": (0, 20)}),
            "are not normalised, of the candidate are normalised",
        ),
        (lambda s: ro.Scores.from_dict(AFTER, unit="episode"), "are runs, of the candidate are episodes"),
        (
            lambda s: ro.Scores.from_dict(AFTER, runs="shared"),
            "are of one task each, of the candidate are scored on all",
        ),
    ],
)
def test_another_protocol_is_refused_naming_both(change, words):
    assert words in refusal(BEFORE, change(ro.Scores.from_dict(AFTER)))


def written(path, name, steps):
    lines = [f"PPO,{run},{step},{run + step}" for run in range(4) for step in range(0, steps + 1, 50)]
    path.write_text(f"algorithm,seed,step,{name}\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_trainings_that_end_at_most_a_hundredth_apart_are_of_one_length(tmp_path):
    base = written(tmp_path / "a.csv", "return", 10_000)
    assert ro.gate(base, written(tmp_path / "b.csv", "return", 10_050), margin=5000.0).overall is not None
    assert "ends at step 10000" in refusal(base, written(tmp_path / "c.csv", "return", 10_150))


def test_other_columns_lengths_and_ends_of_training_are_refused(tmp_path):
    base = written(tmp_path / "a.csv", "return", 200)
    ahead = ro.read_scores(base, last=2)
    assert "are the column 'return', of the candidate are the column 'reward'" in refusal(
        base, written(tmp_path / "b.csv", "reward", 200)
    )
    shorter = "baseline ends at step 200 on task 'task', of the candidate ends at step 100 on task 'task'"
    assert shorter in refusal(base, written(tmp_path / "c.csv", "return", 100))
    assert "is the last evaluation of its learning curve, of the candidate is the mean of the last 2" in refusal(
        base, ahead
    )


@pytest.mark.parametrize("last", [1, 2])
def test_ends_of_curves_are_not_compared_with_plain_scores(tmp_path, last):
    curves = ro.read_scores(written(tmp_path / "a.csv", "return", 200), last=last)
    plain = {"PPO": {"task": [200.5, 199.0, 202.5, 203.5]}}
    ro.save_baseline(curves, tmp_path / "kept.json", margin=20)
    for before, after in ((tmp_path / "kept.json", plain), (curves, plain), (plain, curves)):
        words = refusal(before, after, margin=20)
        assert "is as it was given, not known to be of a learning curve" in words
        assert "from the same kind of file" in words


@pytest.mark.parametrize("how", [{}, {"lower_is_better": True}, {"last": 2}, {"last": 2, "lower_is_better": True}])
def test_the_scores_of_a_kept_baseline_came_to_be_as_those_that_were_kept(tmp_path, how):
    scores = ro.read_scores(written(tmp_path / "a.csv", "return", 200), **how)
    ro.save_baseline(scores, tmp_path / "kept.json", margin=20)
    kept = read_baseline(tmp_path / "kept.json")
    assert protocol_of(kept.scores) == kept.protocol == protocol_of(scores)
    assert kept.scores.provenance.treatment == scores.provenance.treatment


def test_costs_are_not_compared_with_scores(tmp_path):
    base = written(tmp_path / "a.csv", "return", 200)
    costs = ro.read_scores(written(tmp_path / "b.csv", "return", 200), lower_is_better=True)
    assert "are taken as they are, of the candidate are negated costs" in refusal(base, costs)


@pytest.mark.parametrize(
    ("content", "words"), [("", "empty"), ("task,run,return\nPong,0,nan\nPong,1,2\n", "NaN|not finite|nan")]
)
def test_empty_files_and_nan_are_refused_by_the_reader(tmp_path, content, words):
    path = tmp_path / "bad.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ro.RunoffError, match=words):
        ro.gate(BEFORE, path, margin=1.0)


# ── saved baselines ──────────


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "baseline.json"
    ro.save_baseline(BEFORE, path, margin=3.0, alpha=0.1)
    return path


def test_a_saved_baseline_says_what_its_scores_say_and_keeps_margin_and_alpha(saved):
    kept = ro.gate(saved, WORSE, **FAST)
    assert (kept.margin, kept.alpha) == (3.0, 0.1)
    assert kept.to_records() == ro.gate(BEFORE, WORSE, margin=3.0, alpha=0.1, **FAST).to_records()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"runs": [{"task": "x", "run": "1", "score": "3"}]},
            "runs, entry 1, score is not what runoff writes there: '3'",
        ),
        ({"runs": [{"task": "x", "run": "1"}]}, "runs, entry 1 is not what runoff writes there"),
        ({"protocol": {"runs": "per_task"}}, "protocol is not what runoff writes there"),
        ({"alpha": True}, "alpha is not what runoff writes there: True"),
        ({"algorithm": None}, "algorithm is not what runoff writes there: None"),
        ({"runs": [{"task": "x", "run": "1", "score": 10**400}]}, "runs, entry 1, score is not"),
    ],
)
def test_a_baseline_with_a_right_digest_and_wrong_fields_is_refused_in_one_sentence(saved, change, sentence):
    content = json.loads(saved.read_text()) | change
    del content["sha256"]
    saved.write_text(json.dumps({**content, "sha256": digest_of(content)}))
    with pytest.raises(ro.DataError, match=re.escape(sentence)):
        ro.gate(saved, WORSE, **FAST)


def test_a_baseline_that_is_nested_too_deep_is_refused(saved):
    saved.write_text('{"schema": "runoff.baseline/2", "runs": ' + "[" * 10**5)
    with pytest.raises(ro.DataError, match="nested too deep"):
        ro.gate(saved, WORSE, **FAST)


def test_a_saved_baseline_is_not_overwritten_unless_asked(saved):
    before = saved.read_bytes()
    with pytest.raises(ro.OutputError, match="is not overwritten"):
        ro.save_baseline(AFTER, saved)
    assert saved.read_bytes() == before
    ro.save_baseline(AFTER, saved, force=True)
    assert saved.read_bytes() != before


def test_a_baseline_that_was_edited_is_refused(saved):
    content = json.loads(saved.read_text(encoding="utf-8"))
    content["runs"][0]["score"] += 1
    saved.write_text(json.dumps(content), encoding="utf-8")
    assert "was changed or damaged after it was saved" in refusal(saved, AFTER)


def test_another_alpha_or_margin_than_the_saved_is_refused(saved, tmp_path):
    assert "was saved with alpha 0.1, and alpha 0.05 is asked for" in refusal(saved, AFTER, alpha=0.05)
    assert "was saved with margin 3, and margin 30 is asked for; leave it out, or save" in refusal(
        saved, AFTER, margin=30
    )
    assert "margin 2 is asked for" in refusal(saved, AFTER, margin=2.0)
    assert ro.gate(saved, AFTER, margin=3, **FAST).to_records() == ro.gate(saved, AFTER, **FAST).to_records()
    by_task = tmp_path / "by_task.json"
    ro.save_baseline(BEFORE, by_task, margin={"Pong": 3.0, "Qbert": "1sd"})
    other = {"Pong": 3.0, "Qbert": "2sd"}
    assert re.search(
        r"margin \S+ on task 'Qbert', and margin \S+ on task 'Qbert'", refusal(by_task, AFTER, margin=other)
    )
    assert "on task 'Qbert', and margin 3 for all tasks is asked for" in refusal(by_task, AFTER, margin=3.0)
    assert ro.gate(by_task, AFTER, margin={"Pong": 3.0, "Qbert": "1sd"}, **FAST).margin == 1.0


def test_a_saved_baseline_keeps_normalisation_column_and_training(tmp_path):
    scores = ro.read_scores(written(tmp_path / "a.csv", "return", 200)).normalize({"task": (0, 100)})
    path = tmp_path / "kept.json"
    ro.save_baseline(scores, path)
    protocol = json.loads(path.read_text(encoding="utf-8"))["protocol"]
    assert (protocol["column"], protocol["steps"], protocol["score"]) == (
        "return",
        [["task", 200.0]],
        "the last evaluation of its learning curve",
    )
    raw = ro.read_scores(written(tmp_path / "b.csv", "return", 200))
    assert "are normalised by" in refusal(path, raw)
    assert "ends at step 100 on task 'task'" in refusal(
        path, ro.read_scores(written(tmp_path / "c.csv", "return", 100)).normalize({"task": (0, 100)})
    )


@pytest.mark.parametrize("ends", [{"t": 100, "u": 60}, {"t": 60, "u": 100}, {"t": 100, "u": 102}])
def test_a_task_that_was_trained_shorter_or_longer_is_refused_also_of_curves_in_memory(ends, tmp_path):
    before, after = (trained(own) for own in ({"t": 100, "u": 100}, ends))
    ro.save_baseline(before, tmp_path / "kept.json")
    task = min(ends, key=lambda name: -abs(ends[name] - 100))
    for baseline in (before, tmp_path / "kept.json"):
        words = f"of the baseline ends at step 100 on task {task!r}, of the candidate ends at step {ends[task]} on task {task!r}"
        assert words in refusal(baseline, after)
    assert (
        ro.gate(
            before.rename(tasks={"t": "v"}), trained({"v": 101, "u": 100}, seed=1), margin=9.0, **FAST
        ).overall.verdict
        != "regressed"
    )


def test_one_run_of_full_length_among_shorter_ones_does_not_hide_that_they_are_shorter():
    rows = [("t", r, s, float(s + r)) for r in range(6) for s in range(0, 101 if r == 0 else 91, 10)]
    columns = dict(zip(("task", "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True))
    with pytest.warns(ro.RunoffWarning, match="5 of 6 runs ended early"):
        candidate = ro.Curves.from_frame({"algorithm": ["A"] * len(rows), **columns}).final()
    assert "of the candidate ends at step 90 on task 't'" in refusal(trained({"t": 100}), candidate)


@pytest.mark.parametrize(
    ("gap", "last", "refused"),
    [(5, 10, True), (1, 10, True), (2, 10, False), (5, 1, False), (1, 2, False), (5, "10%", False)],
)
def test_last_evaluations_over_another_part_of_training_are_no_candidate(gap, last, refused, tmp_path):
    """Where a policy still learns, earlier evaluations are lower: who is evaluated less often would seem to regress. Two steps of a hundred are
    few."""
    before, after = trained({"t": 100}, last=last), trained({"t": 100}, seed=1, gap=gap, last=last)
    ro.save_baseline(before, tmp_path / "kept.json")
    words = f"of evaluations over the last 18 steps on task 't', of the candidate is of evaluations over the last {9 * gap} steps"
    for baseline in (before, tmp_path / "kept.json"):
        if refused:
            assert words in refusal(baseline, after)
        else:
            assert ro.gate(baseline, after, margin=9.0, **FAST).overall.verdict == "held"


def test_a_window_goes_with_its_task_under_a_new_name():
    scores = trained({"t": 100, "u": 50}, gap={"t": 2, "u": 1}, last=10).rename(tasks={"t": "v"})
    assert scores.provenance.windows == (("v", 18.0), ("u", 9.0))
    assert scores.select(tasks=["v"]).provenance.windows == (("v", 18.0),)


def trained(ends, seed=0, gap=2, last=None):
    """Return scores of learning curves that end at these steps, evaluated every so many."""
    rng = np.random.default_rng(seed)
    gaps = gap if isinstance(gap, dict) else dict.fromkeys(ends, gap)
    rows = [
        (t, r, s, s / 10 + rng.normal()) for t, e in ends.items() for r in range(4) for s in range(0, e + 1, gaps[t])
    ]
    columns = dict(zip(("task", "run", "step", "score"), zip(*rows, strict=True), strict=True))
    return ro.Curves.from_frame(
        {"algorithm": ["A"] * len(rows), **{name: list(column) for name, column in columns.items()}}
    ).final(last)


def test_shared_runs_survive_saving(tmp_path):
    rng = np.random.default_rng(0)
    sides = [ro.Scores.from_dict({"A": rng.normal(size=(5, 3)) + rng.normal(size=(5, 1))}, runs="shared") for _ in "ab"]
    ro.save_baseline(sides[0], tmp_path / "kept.json")
    kept, loaded = (ro.gate(before, sides[1], margin=1.0, **FAST) for before in (tmp_path / "kept.json", sides[0]))
    assert kept.to_records() == loaded.to_records()


# ── the assertion ──────────


def test_the_assertion_names_every_record_that_fails():
    with pytest.raises(AssertionError) as caught:
        assert_no_regression(BEFORE, WORSE, margin=1.0, **FAST)
    lines = str(caught.value).splitlines()
    assert [line.split(" the candidate")[0] for line in lines] == ["On 'Qbert'", "Over 2 tasks"]


def test_the_assertion_fails_on_other_calls_only_if_asked():
    few = {"A": [5.0, 7.0, 9.0]}, {"A": [5.5, 6.0, 9.5]}
    assert assert_no_regression(*few, margin=1.0).overall.verdict == "underpowered"
    with pytest.raises(AssertionError, match="these runs are too few"):
        assert_no_regression(*few, margin=1.0, fail_on=["underpowered"])
    with pytest.raises(ro.OptionError, match="fail_on must be one of regressed, suspect, underpowered"):
        assert_no_regression(*few, margin=1.0, fail_on=["held"])


@pytest.mark.parametrize("name", ["nightly.base", "nightly", "nightly.csv"])
def test_a_baseline_under_a_name_that_the_gate_cannot_read_is_refused(name, tmp_path):
    with pytest.raises(ro.OutputError, match=rf"ends in \.json, by which .*; name {name}\.json"):
        ro.save_baseline(BEFORE, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("layout", [{"sort_keys": True}, {"separators": (",", ":")}, {"indent": 4}])
def test_a_baseline_is_known_by_what_it_holds_not_by_the_order_of_its_keys(layout, tmp_path):
    path = tmp_path / "base.json"
    ro.save_baseline(BEFORE, path, margin=3.0)
    path.write_text(json.dumps(json.loads(path.read_text()), **layout))
    assert ro.gate(path, AFTER, **FAST).margin == 3.0


def test_runs_that_speak_of_a_baseline_are_runs(tmp_path):
    path = tmp_path / "runs.json"
    path.write_text(json.dumps({'"schema": "runoff.baseline/2"': [18, 20, 19, 21]}))
    assert read_baseline(path) is None


@pytest.mark.parametrize("seed", range(4))
def test_p_values_of_scores_beside_rates_lie_between_0_and_1_however_far_ahead_the_candidate_is(seed):
    rng = np.random.default_rng(seed)
    before, after = (
        {"t": rng.normal(lead, 1, 5), "u": rng.normal(lead, 1, 5), "rate": rng.random(8) < 0.2 + lead / 4}
        for lead in (0.0, 2.0)
    )
    rows = ro.gate({"a": before}, {"a": after}, margin=0.3, n_resamples=500).rows
    values = [getattr(row, name) for row in rows for name in ("pvalue", "pvalue_adjusted", "pvalue_held")]
    assert all(0 < value <= 1 for value in values)
    assert max(values) > 0.5


def test_of_several_the_one_called_as_the_baselines_is_judged():
    both = cells((1, 1), 5, 4) | cells((9, 9), 5, 5, name="A2C")
    assert (
        ro.gate(BEFORE, both, margin=3.0, **FAST).rows
        == ro.gate(BEFORE, both, margin=3.0, algorithm="PPO", **FAST).rows
    )


def test_a_candidate_without_the_name_that_is_asked_for_is_named_by_its_own():
    other = cells((1, 1), 5, 4, name="mine") | cells((9, 9), 5, 5, name="yours")
    words = refusal(BEFORE, other, algorithm="PPO")
    assert "the candidate has no algorithm 'PPO', but 'mine', 'yours': candidate_algorithm='mine' names it" in words


def test_of_costs_the_sentence_says_which_way_is_worse():
    table = {"algorithm": ["A"] * 5, "cost": [1.0, 1.1, 0.9, 1.0, 1.05]}
    before, after = (
        ro.load({**table, "cost": [c + d for c in table["cost"]]}, score="cost", lower_is_better=True) for d in (0, 3)
    )
    result = ro.gate(before, after, margin=0.5, **FAST)
    assert (result.verdict, result.baseline) == ("regressed", "A")
    assert "Scores are negated costs: a lower mean is a higher cost." in result.sentence
    assert "negated" not in ro.gate(BEFORE, WORSE, margin=3.0, **FAST).sentence


def test_what_is_said_of_the_data_is_said_of_both_sides_and_of_the_second_run():
    own = ro.load(BEFORE, lower_is_better=True), ro.load(AFTER, lower_is_better=True)
    of_costs = ro.gate(BEFORE, AFTER, margin=3.0, lower_is_better=True, **FAST)
    assert of_costs.to_json() == ro.gate(*own, margin=3.0, **FAST).to_json()
    kept = ro.gate(BEFORE, WORSE, margin=3.0, tasks="Pong", confirm=AFTER, **FAST)
    assert [row.task for row in kept] == ["Pong"]
    frames = [ro.load(side).to_frame().rename({"score": "ret", "task": "level"}) for side in (BEFORE, AFTER)]
    named = ro.gate(*frames, margin=3.0, score="ret", task="level", **FAST)
    assert [row.drop for row in named] == [row.drop for row in ro.gate(BEFORE, AFTER, margin=3.0, **FAST)]
    assert "Did you mean score=?" in refusal_of_arguments(scor="ret")


def refusal_of_arguments(**options):
    with pytest.raises(TypeError) as caught:
        ro.gate(BEFORE, AFTER, margin=3.0, **options)
    return str(caught.value)


def test_a_baseline_is_saved_of_the_data_as_they_are_described(tmp_path):
    ro.save_baseline(BEFORE, tmp_path / "b.json", margin=3.0, lower_is_better=True, tasks="Pong")
    saved = read_baseline(tmp_path / "b.json").scores
    assert saved.tasks == ("Pong",)
    assert sorted(saved.values) == sorted(-np.array(BEFORE["PPO"]["Pong"]))
    assert ro.gate(tmp_path / "b.json", AFTER, lower_is_better=True, tasks="Pong", **FAST).overall.verdict == "held"
