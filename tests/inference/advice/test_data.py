"""What is said of the data themselves: names, units, and values that look published."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff.page.answers.all import answer
from runoff.page.words.headline import sentences

FAST = {"n_resamples": 200}
RNG = np.random.default_rng(3)
RUNS = {"A": RNG.normal(0.5, 0.1, (5, 2)), "B": RNG.normal(0.6, 0.1, (5, 2))}
PAPER = RUNS | {"Paper": np.array([[0.55, 0.7]])}


def codes(result) -> dict[str, object]:
    return {advice.code: advice for advice in result.advice}


def scores(data) -> ro.Scores:
    return ro.Scores.from_dict(data)


# ── R015 ──────────


@pytest.mark.parametrize("precision", [float, np.float32])
def test_one_task_by_two_names_is_told_by_its_scores(precision):
    cells = {a: np.random.default_rng(k).normal(size=(5, 4)) for k, a in enumerate("AB")}
    twice = {a: np.c_[own, own[:, 1].astype(precision)] for a, own in cells.items()}
    assert "the same scores on 'task 2' and 'task 5'." in codes(ro.compare(scores(twice), **FAST))["R015"].text
    assert "R015" not in codes(ro.compare(scores({"A": twice["A"], "B": np.c_[cells["B"], cells["B"][:, 0]]}), **FAST))


@pytest.mark.parametrize(("n_tasks", "expected"), [(2, True), (40, False)])
def test_what_chance_may_make_equal_on_two_of_many_tasks_is_not_asked_about(n_tasks, expected):
    coarse = [0.1, 0.2, 0.3, 0.2, 0.30001, 0.4, 0.1]
    others = np.random.default_rng(0).random((n_tasks - 2, 7))
    tasks = {f"t{t}": cell for t, cell in enumerate([coarse, coarse, *others])}
    data = {
        "A": {task: cell[:4] for task, cell in tasks.items()},
        "B": {task: cell[4:] for task, cell in tasks.items()},
    }
    assert ("R015" in codes(ro.compare(ro.Scores.from_dict(data), **FAST))) == expected


@pytest.mark.parametrize("levels", [[0.0, 1 / 3], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])
def test_tasks_of_few_values_may_have_the_same_scores(levels):
    cells = {a: np.tile(np.random.default_rng(k).choice(levels, (5, 1)), 4) for k, a in enumerate("AB")}
    assert "R015" not in codes(ro.compare(scores(cells), **FAST))


def test_alike_names_reach_the_test_of_all_algorithms_and_say_how_to_join_them():
    alike = scores({"PPO": RUNS["A"], "ppo": RUNS["B"]})
    assert "--rename OLD=NEW --merge" in codes(ro.rank_test(alike))["R015"].text
    joined = alike.rename(algorithms={"ppo": "PPO"}, merge=True)
    assert "R015" not in codes(ro.aggregate(joined, **FAST))


def test_two_spellings_of_one_task_are_pointed_out_where_nothing_else_is_shared():
    split = scores({"A": {"ALE/Alien-v5": [1.0, 2.0]}, "B": {"AlienNoFrameskip-v4": [3.0, 4.0]}})
    with pytest.raises(ro.DesignError, match="Are 'ALE/Alien-v5' and 'AlienNoFrameskip-v4' one task"):
        ro.compare(split)
    joined = split.rename(tasks={"AlienNoFrameskip-v4": "ALE/Alien-v5"}, merge=True)
    assert ro.compare(joined, **FAST).pairs[0].n_tasks == 1


@pytest.mark.parametrize(
    ("tasks", "alike"),
    [
        (("ALE/Pong-v5", "PongNoFrameskip-v4"), True),
        (("Pong", "ALE/Pong-v5"), True),
        (("walker_walk", "walker-walk"), True),
        (("hopper-medium-v0", "hopper-medium-v2"), False),
        (("Hopper-v4", "Walker2d-v4"), False),
    ],
)
def test_ids_of_one_environment_are_one_task(tasks, alike):
    data = {name: {task: RUNS[name][:, t] for t, task in enumerate(tasks)} for name in "AB"}
    assert ("R015" in codes(ro.compare(scores(data), **FAST))) == alike


# ── R401 ──────────


@pytest.mark.parametrize(
    ("column", "fires"),
    [
        ("best_return", True),
        ("max_episode_reward", True),
        ("best", True),
        ("return", False),
        ("max_q_value", False),
    ],
)
def test_a_column_of_the_best_of_a_run_is_asked_about(tmp_path, column, fires):
    read = ro.read_scores(file_of_costs(tmp_path, column, "Hop"), columns={"score": column})
    assert [item.severity for item in ro.compare(read, **FAST).advice if item.code == "R401"] == ["caution"] * fires


# ── R028 ──────────


def file_of_costs(folder, column, task):
    file = folder / "runs.csv"
    rows = [f"{a},{task},{seed},{value + seed / 100}\n" for a, value in (("A", 0.1), ("B", 0.3)) for seed in range(5)]
    file.write_text(f"algorithm,task,seed,{column}\n" + "".join(rows))
    return file


@pytest.mark.parametrize(
    ("column", "task", "name"),
    [("score", "Crash rate", "'Crash rate'"), ("crash_rate", "Car", "'crash_rate'"), ("score", "Ant Fall", None)],
)
def test_a_cost_by_its_name_that_is_taken_for_a_score_is_told(tmp_path, column, task, name):
    file = file_of_costs(tmp_path, column, task)
    higher, lower = (ro.read_scores(file, columns={"score": column}, lower_is_better=not way) for way in (True, False))
    advice = codes(ro.compare(higher, **FAST)).get("R028")
    assert (advice and advice.text) == (
        name
        and f"higher is taken for better, and {name} is the name of a cost: if lower is better, read it alone and use lower_is_better=True."
    )
    assert "R028" not in codes(ro.compare(lower, **FAST))


def test_heads_that_name_costs_of_algorithms_and_a_task_that_lacks_runs_are_asked_about():
    heads = codes(ro.compare(scores({"ours loss": RUNS["A"], "base loss": RUNS["B"]}), **FAST))["R028"].text
    assert "'ours loss', 'base loss' are names of costs" in heads
    lacks = {"A": {"Loss": [0.1, 0.2, 0.4], "u": [1.0, 2.0, 3.0]}, "B": {"u": [2.0, 3.0, 4.5]}}
    assert "'Loss' is the name of a cost" in codes(ro.compare(scores(lacks), **FAST))["R028"].text


def test_costs_that_were_negated_are_scores():
    negated = scores({name: {"Falls": [-3.0, -2.0, -4.0], "Loss": [-0.1, -0.2, 0.0]} for name in ("A", "B")})
    assert "R028" not in codes(ro.aggregate(negated, **FAST))


# ── R020 ──────────


def in_percent(*names: str) -> ro.Scores:
    return scores({name: cells * (100 if name in names else 1) for name, cells in RUNS.items()})


def test_percentages_beside_fractions_are_a_warning_in_every_answer():
    mixed = in_percent("B")
    for result in (ro.compare(mixed, **FAST), ro.aggregate(mixed, **FAST)):
        advice = codes(result)["R020"]
        assert advice.severity == "warning"
        assert advice.subjects == ("B", "A")
        assert "the scores of 'B' are about 100 times those of 'A'" in advice.text


def test_they_are_what_the_report_warns_of_first():
    answers = answer(in_percent("B"), alpha=0.05, seed=0, n_resamples=200, command="")
    assert "No leader is named: bring both to one unit: the scores of 'B' are about 100 times" in " ".join(
        sentences(answers)
    )


@pytest.mark.parametrize(
    ("low", "high"),
    [(1.0, 1.0), (100.0, 100.0), (1.0, 5.0), (-1.0, 100.0), (3.0, 1000.0)],
    ids=["fractions", "percentages", "fivefold", "negative", "an agent that learned little"],
)
def test_other_differences_of_scale_are_not_percentages(low, high):
    data = scores({"A": RUNS["A"] * low, "B": RUNS["B"] * high})
    assert "R020" not in codes(ro.aggregate(data, **FAST))


def test_scores_with_a_loss_of_more_than_a_percentage_can_have_are_no_percentages():
    lost = RUNS["B"] * 100
    lost[0, 0] = -60.0
    advice = codes(ro.aggregate(scores({"A": RUNS["A"], "B": lost}), **FAST))["R020"]
    assert advice.text.endswith("so one side seems to be raw.")


def test_raw_scores_beside_normalised_ones_are_a_warning():
    mixed = scores({"A": RUNS["A"], "B": RUNS["B"] * [900, 3000], "C": RUNS["A"] * [800, 2000]})
    advice = codes(ro.compare(mixed, **FAST))["R020"]
    assert "the scores of 'B', 'C' are more than 20 times those of 'A', which look normalised" in advice.text
    assert "R020" not in codes(ro.compare(mixed.select(tasks=["task 1"]), **FAST))


@pytest.mark.parametrize(("n_small", "fires"), [(7, True), (5, False)])
def test_of_many_games_a_few_normalised_scores_are_large(n_small, fires):
    sizes = np.where(np.arange(10) < n_small, 1.0, 40.0)
    data = {"A": RNG.uniform(0.5, 1.5, (5, 10)) * sizes, "B": RNG.uniform(0.5, 1.5, (5, 10)) * 5000}
    assert (codes(ro.compare(scores(data), **FAST))["R020"].severity == "warning") == fires


def test_normalised_scores_have_a_unit():
    assert "R020" not in codes(ro.aggregate(in_percent("B").normalize({"task 1": (0, 2), "task 2": (0, 2)}), **FAST))


def on_one_task(factor, spread=10.0):
    rng = np.random.default_rng(2)
    cells = {name: rng.normal(700, spread, (5, 3)) for name in ("A", "B", "C")}
    cells["B"][:, 1] *= factor
    return scores(cells)


@pytest.mark.parametrize(("factor", "words"), [(0.01, "a hundredth of"), (100.0, "a hundred times")])
def test_one_task_of_one_algorithm_in_another_unit_is_asked_about(factor, words):
    result = ro.compare(on_one_task(factor), **FAST)
    advice = codes(result)["R020"]
    assert (advice.severity, advice.subjects) == ("caution", ("B",))
    assert f"on 'task 2' those of 'B' are about {words} the others'" in advice.text
    assert not any(pair.unjudged for pair in result.pairs)


@pytest.mark.parametrize(("factor", "spread"), [(0.1, 10.0), (0.001, 10.0), (0.01, 400.0), (-0.01, 10.0)])
def test_an_algorithm_that_is_worse_on_a_task_is_not(factor, spread):
    assert "R020" not in codes(ro.compare(on_one_task(factor, spread), **FAST))


# ── R033 ──────────


@pytest.mark.parametrize(
    ("cell", "fires"),
    [
        ([3600.0, 0.0, 3420.0, 3550.0, 3810.0], True),
        ([3600.0, 0.0, 0.0, 3550.0, 3810.0], True),
        ([3600.0, 0.0, 0.0, 0.0, 3810.0], False),
        ([3600.0, 0.0, 900.0, 3550.0, 3810.0], False),
        ([3600.0, 1.0, 3420.0, 3550.0, 3810.0], False),
        ([360.0, 0.0, 342.0, 355.0, 381.0], False),
    ],
    ids=["one", "two", "most", "a gradual failure", "not 0", "small"],
)
def test_exactly_0_beside_large_scores_is_asked_about(cell, fires):
    other = np.array([3300.0, 3500.0, 3900.0, 3350.0, 3444.0]) * (0.1 if max(cell) < 1000 else 1.0)
    advice = codes(ro.compare(scores({"A": cell, "B": other}), **FAST)).get("R033")
    assert (advice is not None) == fires
    assert not fires or "'A' on 'task 1' ha" in advice.text


# ── R021 ──────────


def test_a_single_value_beside_runs_is_no_opponent_but_among_the_estimates():
    given = scores(PAPER)
    compared = ro.compare(given, **FAST)
    assert given.single_valued == ("Paper",)
    assert [(pair.a, pair.b) for pair in compared.pairs] == [("A", "B")]
    assert codes(compared)["R021"].subjects == ("Paper",)
    estimates = ro.aggregate(given, **FAST)
    assert estimates["Paper", "mean"].estimate == pytest.approx(0.625)
    assert estimates["Paper", "mean"].low is None


@pytest.mark.parametrize(
    ("factor", "times"), [(100.0, "about 100"), (60.0, "about 100"), (25.0, "20 to 500"), (300.0, "20 to 500")]
)
def test_a_question_of_percent_says_no_hundred_of_what_is_far_from_it(factor, times):
    low = [0.1, 0.2, 0.25]
    advice = ro.compare({"A": low, "B": [factor * score for score in low]}).advice
    assert f"the scores of 'B' are {times} times those of 'A'" in next(a.text for a in advice if a.code == "R020")


def test_a_single_value_is_no_rival_and_does_not_lead_in_chances_to_beat_others():
    given = scores({"A": [1.0, 1.2, 1.4], "Paper": [9.0], "B": [0.5, 0.7, 0.9]})
    result = ro.aggregate(given, measure="improvement")
    assert (
        result["A", "improvement"]
        == ro.aggregate(given.select(exclude="Paper"), measure="improvement")["A", "improvement"]
    )
    assert result.sentence.startswith("A has the higher chance to beat a run of the other, ")
    assert codes(result)["R021"].subjects == ("Paper",)
    assert "R021" not in codes(ro.aggregate(given, measure="mean"))
    alone = ro.aggregate(scores({"A": [1.0, 1.2, 1.4], "Paper": [9.0]}), measure="improvement")
    assert alone.sentence.startswith("Paper has the higher chance to beat a run of the other, ")


def test_the_others_are_compared_as_if_it_were_not_there():
    assert ro.compare(scores(PAPER), **FAST).pairs == ro.compare(scores(RUNS), **FAST).pairs
    assert ro.rank_test(scores(PAPER)).pvalue == ro.rank_test(scores(RUNS)).pvalue
    assert "R021" in codes(ro.rank_test(scores(PAPER)))


@pytest.mark.parametrize(
    ("options", "n_pairs"),
    [({"single_value": "tested"}, 3), ({"control": "Paper"}, 2), ({"pairs": [("A", "Paper")]}, 1)],
    ids=["all", "control", "pairs"],
)
def test_it_is_an_opponent_where_it_is_asked_for(options, n_pairs):
    compared = ro.compare(scores(PAPER), **options, **FAST)
    assert len(compared.pairs) == n_pairs
    assert "R021" not in codes(compared)


def test_beside_one_algorithm_alone_there_is_nothing_to_test():
    alone = scores({"A": RUNS["A"], "Paper": PAPER["Paper"]})
    with pytest.raises(
        ro.DesignError, match=r"only 'A' has several runs; 'Paper' has a single value.*single_value='tested'"
    ):
        ro.compare(alone)
    assert len(ro.compare(alone, single_value="tested", **FAST).pairs) == 1


HUMAN = RUNS | {"Human": np.tile([14.6, 7.0], (5, 1)), "random agent": np.zeros((5, 2))}


@pytest.mark.parametrize("runs", ["per_task", "shared"])
def test_constants_of_a_reference_that_are_repeated_for_every_seed_are_single_values(runs):
    data = {
        name: ro.Scores.from_dict({name: cells}).to_frame().to_dict(as_series=False) for name, cells in HUMAN.items()
    }
    frame = {column: [value for own in data.values() for value in own[column]] for column in data["A"]}
    for given in (ro.Scores.from_dict(HUMAN, runs=runs), ro.Scores.from_frame(frame, runs=runs)):
        assert given.single_valued == ("Human", "random agent")
        assert given.n_runs.max(axis=1).tolist() == [5, 5, 1, 1]
        assert "taken as one value" in given.provenance.notes[-1]
        assert [(pair.a, pair.b) for pair in ro.compare(given, **FAST).pairs] == [("A", "B")]


@pytest.mark.parametrize(
    ("data", "unit"),
    [
        (RUNS | {"random": np.zeros((5, 2))}, "run"),
        (RUNS | {"PPO": np.ones((5, 2))}, "run"),
        (RUNS | {"human": RUNS["A"] + 1}, "run"),
        (RUNS | {"random": np.full((5, 2), -21.0)}, "episode"),
        ({"A": [[1.0], [0.0]], "human": [[1.0], [1.0]]}, "run"),
    ],
    ids=["never succeeds", "an algorithm", "varies", "episodes", "rates"],
)
def test_equal_scores_that_may_be_runs_stay_runs(data, unit):
    assert ro.Scores.from_dict(data, unit=unit).n_runs.min() > 1


@pytest.mark.parametrize(
    "data",
    [
        {"A": [[1.0, 2.0]], "B": [[2.0, 1.0]]},
        RUNS,
        {"A": {"t": [1.0, 2.0], "u": [1.0]}, "B": {"t": [2.0], "u": [3.0]}},
        {"A": {"t": [1.0, 2.0], "u": [1.0]}, "B": {"t": [2.0, 3.0], "u": [3.0, 4.0]}},
    ],
    ids=["all single", "none", "another has single cells", "one cell only"],
)
def test_single_cells_alone_make_no_line(data):
    assert scores(data).single_valued == ()


def test_the_report_says_that_the_line_was_not_tested():
    best = scores(RUNS | {"Paper": np.array([[0.9, 0.9]])})
    answers = answer(best, alpha=0.05, seed=0, n_resamples=200, command="")
    assert "Paper has single values, which are not tested" in " ".join(sentences(answers))
    assert answers.ranking.omnibus.algorithms == ("A", "B")
    assert "R021" in {advice.code for advice in answers.advice}


def test_an_unknown_choice_is_refused():
    with pytest.raises(ro.OptionError, match="single_value must be one of line, tested"):
        ro.compare(scores(RUNS), single_value="foe")


MIXED = {"Hop": 130.0, "Nav": 0.6, "Pend": -300.0}


def of_sizes(sizes, **more):
    rng = np.random.default_rng(0)
    data = {name: {task: size * rng.uniform(0.8, 1, 5) for task, size in sizes.items()} for name in "AB"}
    return ro.Scores.from_dict(data, **more)


def test_the_size_of_a_task_is_that_of_all_algorithms_and_matters_where_a_mean_is_named():
    own = {name: {"x": [1.0, 2.0, 3.0], "y": [top, 2.0, 1.0]} for name, top in (("A", 3.0), ("B", 9000.0))}
    for metrics, there in ((["mean"], True), (["improvement"], False), (["mean", "improvement"], True)):
        advice = ro.aggregate(own, measure=metrics).advice
        assert ("R029" in {item.code for item in advice}) == there


@pytest.mark.parametrize("measure", ["mean", "iqm", "median"])
def test_a_mean_named_for_tasks_of_different_units_is_advised_against(measure):
    both = ro.compare(of_sizes(MIXED), measure=measure), ro.aggregate(of_sizes(MIXED), measure=[measure])
    for result in both:
        (text,) = [item.text for item in result.advice if item.code == "R029"]
        assert text.startswith("normalise the scores")
        assert "of 'Nav' (up to 0.592) seem" in text


@pytest.mark.parametrize(
    ("sizes", "more", "options"),
    [
        (MIXED, {}, {}),
        (MIXED, {"score_unit": "shared"}, {"measure": "iqm"}),
        ({"x": 100.0, "y": 1000.0, "never": 0.0}, {}, {"measure": "mean"}),
        ({"x": 100.0}, {}, {"measure": "mean"}),
    ],
)
def test_tasks_in_one_unit_and_chances_need_no_such_advice(sizes, more, options):
    result = ro.compare(of_sizes(sizes, **more), **options)
    assert "R029" not in {item.code for item in result.advice}


def test_a_baseline_with_less_than_one_percent_is_judged_where_all_are_said_to_be_in_percent():
    cells = {
        "sparse": [0.1, 0.3, 0.9, 0.4, 0.5],
        "DQN": [28.0, 30.0, 33.0, 29.0, 31.0],
        "Rainbow": [37.0, 38.0, 40.0, 37.5, 39.0],
    }
    raw = scores({name: {"maze": own} for name, own in cells.items()})
    assert "normalize('percent', assume_raw=True) says so" in codes(ro.compare(raw, **FAST))["R020"].text
    stated = ro.compare(raw.normalize("percent", assume_raw=True), **FAST)
    assert "R020" not in codes(stated)
    assert {pair.verdict for pair in stated.pairs} <= {"a_better", "b_better"}
