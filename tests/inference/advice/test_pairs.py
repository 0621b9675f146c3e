import re

import numpy as np
import pytest

import runoff as ro
from runoff._inference.advice import pairs as rules
from runoff._inference.advice.runs import COVERED_ON_ONE_TASK
from tools.site.tables import read


def codes(result):
    return {note.code for pair in result.pairs for note in pair.advice} | {note.code for note in result.advice}


def compared(cells_a, cells_b, **options):
    data = ro.Scores.from_dict({"A": cells_a, "B": cells_b})
    return codes(ro.compare(data, n_resamples=200, **options))


def normal(n, seed=0, scale=1.0, n_tasks=2):
    return np.random.default_rng(seed).normal(0, scale, size=(n, n_tasks))


def test_few_runs_and_bootstraps_of_few_runs_are_told():
    assert {"R001", "R003"} <= compared(normal(3, n_tasks=1), normal(3, 1, n_tasks=1), test="bootstrap")
    assert "R001" not in compared(normal(5), normal(5, 1))
    assert "R003" not in compared(normal(50, n_tasks=1), normal(50, 1, n_tasks=1), test="bootstrap")


@pytest.mark.parametrize("side", ["A", "B"])
def test_the_algorithm_whose_runs_are_skewed_is_the_one_that_is_named(side):
    skewed, other = np.exp(normal(50, scale=1.5)[:, :1]), normal(50, 1)[:, :1]
    cells = {side: skewed, "AB".replace(side, ""): other + skewed.mean() + 1.2}
    (pair,) = ro.compare(ro.Scores.from_dict({name: cells[name] for name in "AB"}), n_resamples=200).pairs
    (advice,) = (note for note in pair.advice if note.code == "R006")
    assert advice.subjects == (side,)
    assert f"the runs of '{side}' are skewed" in advice.text


def test_one_run_cells_are_told():
    assert "R002" in compared(normal(1), normal(1, 1))


@pytest.mark.parametrize(
    ("n_tasks", "measure", "cautioned"), [(4, "auto", True), (5, "auto", False), (3, "mean", False)]
)
def test_a_pair_that_an_iqm_of_three_tasks_decides_is_told(n_tasks, measure, cautioned):
    cells = np.random.default_rng(0).beta(2, 2, (3, n_tasks, 4))
    data = {name: {f"t{t}": cells[a, t] for t in range(n_tasks)} for a, name in enumerate("AB")}
    data["A"]["t0"] = data["A"]["t0"][:1]
    for result in (ro.compare(data, measure=measure), ro.compare(data, margin=0.1, measure=measure)):
        texts = [advice.text for advice in result.pairs[0].advice if advice.code == "R018"]
        assert ("over 3 tasks, which rests on few runs" in "".join(texts)) == cautioned
        assert result.pairs[0].n_tasks == n_tasks - 1


@pytest.mark.parametrize(
    ("n_runs", "n_tasks", "options", "cautioned"),
    [
        (4, 1, {}, False),
        (5, 1, {}, True),
        (9, 1, {}, True),
        (10, 1, {}, False),
        (5, 2, {}, False),
        (5, 1, {"measure": "improvement"}, False),
        (5, 1, {"test": "welch"}, True),
    ],
)
def test_an_interval_of_few_runs_of_one_task_is_told_to_cover_less(n_runs, n_tasks, options, cautioned):
    data = ro.Scores.from_dict({"A": normal(n_runs, n_tasks=n_tasks), "B": normal(n_runs, 1, n_tasks=n_tasks)})
    advice = {note.code: note for note in ro.compare(data, **options).pairs[0].advice}
    assert ("R034" in advice) == cautioned
    if cautioned:
        assert advice["R034"].severity == "caution"
        assert (
            f"has {n_runs} runs of one task, from which 95 % intervals of a difference of means cover less"
            in advice["R034"].text
        )


def test_runs_without_an_interval_have_no_caution_about_its_coverage():
    assert "R034" not in compared(np.zeros((5, 1)), np.ones((5, 1)))


@pytest.mark.parametrize("pair", COVERED_ON_ONE_TASK)
def test_what_intervals_of_one_task_cover_is_what_the_table_says(pair):
    head, *rows = read("law_one_task")
    at = head.index("difference covered" if pair else "mean of one algorithm covered")
    cells = {int(row[0]): [100 * float(number) for number in re.findall(r"\d\.\d+", row[at])] for row in rows}
    for n, words in COVERED_ON_ONE_TASK[pair].items():
        assert words == "{:.0f} % on average, {:.0f} to {:.0f} %".format(*cells[n])


def test_permutation_below_ten_runs_is_told():
    assert "R004" in compared(normal(6), normal(6, 1), test="stratified_permutation")
    assert "R004" not in compared(normal(10), normal(10, 1), test="stratified_permutation")


def test_unequal_spread_is_told_of_comparisons_of_the_order_of_runs_only():
    assert "R005" in compared(normal(20), normal(20, 1, scale=9), test="mack_skillings")
    assert "R005" not in compared(normal(20), normal(20, 1, scale=9), measure="improvement")
    assert "R005" not in compared(normal(20), normal(20, 1, scale=9), measure="mean")
    assert "R005" not in compared(normal(20), normal(20, 1), test="mack_skillings")


def test_skewed_cells_are_told():
    skewed, other = np.exp(normal(50, scale=1.5)), normal(50, 1)
    # Just found, clearly found, and not found.
    by_shift = {
        shift: "R006" in compared(skewed[:, :1], other[:, :1] + skewed[:, :1].mean() + shift)
        for shift in (1.2, 2.3, 0.0)
    }
    assert by_shift == {1.2: True, 2.3: False, 0.0: False}
    assert "R006" not in compared(normal(50), normal(50, 1) + 0.5)


def test_many_pairs_and_missing_correction_are_told():
    runs = [np.array([1.0, 2.0, 3.5, 4.0, 2.5]) + shift for shift in (0.0, 1.9, 0.1)]
    data = ro.Scores.from_dict(dict(zip("ABC", runs, strict=True)))
    by_severity = {
        c: {n.severity for n in ro.compare(data, correction=c, n_resamples=200).advice if n.code == "R007"}
        for c in ("holm", "none")
    }
    assert by_severity == {"holm": {"info"}, "none": {"warning"}}


def test_missing_cells_and_separation_are_told():
    assert "R012" in compared({"x": [1.0, 2, 3], "y": [1.0, 2]}, {"x": [2.0, 3]})
    # Where means decide, the interval of the improvement is beside the verdict.
    assert "R014" in compared({t: normal(6)[:, 0] for t in "xy"}, {t: normal(6, 1)[:, 0] + 20 for t in "xy"})
    assert "R014" not in compared(normal(6)[:, :1], normal(6, 1)[:, :1] + 20)


def test_brunner_munzel_is_a_rank_test_to_the_advice():
    wide = normal(20, 1, scale=9, n_tasks=1)
    assert "R005" in compared(normal(20, n_tasks=1), wide, test="brunner_munzel")


def test_the_studentised_permutation_is_not_told_to_take_itself():
    cells = normal(6, n_tasks=1), normal(6, 1, n_tasks=1)
    assert "R004" in compared(*cells, test="permutation")
    assert "R004" not in compared(*cells, test="studentized_permutation")


def test_advice_carries_the_names_that_its_text_says():
    data = ro.Scores.from_dict({name: normal(3, seed, n_tasks=1) for seed, name in enumerate(["a", "e"])})
    (few,) = [note for note in ro.compare(data, n_resamples=200).pairs[0].advice if note.code == "R001"]
    assert few.subjects == ("a", "e")


def test_names_that_are_hardly_apart_are_told():
    names = ["PPO", "ppo", "SAC", "TD-3", "td 3", "DQN", "DQN+"]
    data = ro.Scores.from_dict({name: normal(5, seed) for seed, name in enumerate(names)})
    for result in (ro.compare(data, n_resamples=200), ro.aggregate(data, n_resamples=200)):
        (note,) = [note for note in result.advice if note.code == "R015"]
        assert set(note.subjects) == {"PPO", "ppo", "TD-3", "td 3"}


def test_names_without_letters_are_not_alike():
    data = ro.Scores.from_dict({name: normal(5, seed) for seed, name in enumerate(["-", "_", "PPO", "PPO2"])})
    assert "R015" not in codes(ro.compare(data, n_resamples=200))


def test_of_many_tasks_the_first_three_are_named_and_the_rest_counted():
    cells = {f"task{i}": [1.0 * i] for i in range(5)}
    texts = [
        n.text
        for n in ro.compare(ro.Scores.from_dict({"A": cells, "B": {**cells, "task0": [9.0]}}), n_resamples=200)
        .pairs[0]
        .advice
    ]
    assert any("'task0', 'task1', 'task2' and 2 more" in text for text in texts)


def test_the_chance_of_a_wrong_claim_without_correction_is_told():
    note = rules.multiple([0.04, 0.6, 0.5], [0.12, 1.0, 1.0], "none", 0.05)
    assert "is up to 0.14" in note.text


@pytest.mark.parametrize(
    ("raw", "adjusted", "correction", "control"),
    [
        ([0.001, 0.002], [0.001, 0.002], "none", None),
        ([0.06, 0.2], [0.06, 0.2], "none", None),
        ([0.001, 0.002], [0.002, 0.002], "holm", None),
        ([0.06, 0.2], [0.12, 0.2], "holm", None),
        ([0.03, 0.2], [0.06, 0.2], "holm", "A"),
        ([0.03], [0.03], "none", None),
    ],
)
def test_the_number_of_pairs_is_no_caution_where_it_changes_no_verdict_or_no_control_is_left_to_name(
    raw, adjusted, correction, control
):
    assert rules.multiple(raw, adjusted, correction, 0.05, control) is None


def last_and_first(runs):
    """Curves of two evaluations, the last of which are the runs."""
    tasks = [f"t{t}" for t in range(runs["A"].shape[1])]
    rows = [
        {"algorithm": name, "task": task, "run": str(r), "step": step, "score": float(cells[r, t] * step)}
        for name, cells in runs.items()
        for t, task in enumerate(tasks)
        for r in range(len(cells))
        for step in (0.5, 1.0)
    ]
    return ro.Curves.from_frame({key: [row[key] for row in rows] for key in rows[0]})


def gated(runs):
    before, after = ({"A": cells} for cells in runs.values())
    return ro.gate(before, after, margin=1.0, n_resamples=400)


ASKED = {
    "compare": lambda runs: ro.compare(runs).pairs[0],
    "aggregate": ro.aggregate,
    "performance_profile": ro.performance_profile,
    "inferential_intervals": ro.inferential_intervals,
    "rank_intervals": ro.rank_intervals,
    "gate": gated,
    "compare_curves": lambda runs: ro.compare_curves(last_and_first(runs)),
    "sample_efficiency": lambda runs: ro.curves(last_and_first(runs)),
}


@pytest.mark.parametrize("verb", ASKED)
def test_few_runs_on_many_tasks_are_enough_for_every_verb_that_adds_them_up(verb):
    rng = np.random.default_rng(0)
    answers = (ASKED[verb]({name: rng.random((3, n_tasks)) for name in "AB"}) for n_tasks in (1, 2, 6))
    assert ["R001" in {advice.code for advice in answer.advice} for answer in answers] == [True, False, False]


def test_a_task_with_most_of_the_squared_error_or_of_the_lead_is_named():
    scale, lead = np.array([30.0, 1, 1, 1, 1, 1]), np.array([9.0, 0.5, 0.5, 0.5, 0.5, 0.5])
    noisy = compared(normal(5, 0, n_tasks=6) * scale, normal(5, 1, n_tasks=6) * scale, measure="mean")
    ahead = compared(normal(8, 0, n_tasks=6) + lead, normal(8, 1, n_tasks=6), measure="mean")
    level = compared(normal(8, 0, n_tasks=6) + 2.0, normal(8, 1, n_tasks=6), measure="mean")
    assert ["R026" in codes for codes in (noisy, ahead, level)] == [True, True, False]


@pytest.mark.parametrize(("n_tasks", "offered"), [(3, False), (6, True)])
def test_single_runs_are_offered_tasks_as_the_sample_where_there_are_enough(n_tasks, offered):
    runs = {name: {f"t{t}": [float(t + a)] for t in range(n_tasks)} for a, name in enumerate("AB")}
    texts = [advice.text for advice in ro.compare(ro.Scores.from_dict(runs)).pairs[0].advice if advice.code == "R002"]
    assert [("over='tasks'" in text) for text in texts] == [offered]


def test_the_task_on_which_a_candidate_lacks_most_runs_speaks_for_all():
    labels = [(["0", "1"], ["0", "1"]), (list("0123456789"), list("01234")), (list("012"), list("01"))]
    text = rules.fewer_runs(labels).text
    assert "10" in text
    assert "5" in text
    assert rules.fewer_runs(labels[:1]) is None
    assert rules.fewer_runs([(["0"], ["0", "1"])]) is None
