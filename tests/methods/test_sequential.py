"""`sequential` from look to look: runs are fed once, a state holds them, and what is wrong is said in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff._inference.sequential.state import Run
from runoff.base.signed import digest_of
from runoff.methods.sequential import judged_look

RNG = np.random.default_rng(9)
DESIGN = ro.SequentialDesign(looks=(4, 8, 12), n_resamples=999, margin=0.2)
NAMES, TASKS = ("A", "B", "C"), ("T", "U")
MEANS = {"A": 0.0, "B": 0.1, "C": 9.0}
LOOKS = [
    [
        {"algorithm": a, "task": t, "run": f"{j}-{i}", "score": float(MEANS[a] + RNG.normal())}
        for a in NAMES
        for t in TASKS
        for i in range(4)
    ]
    for j in range(3)
]


def scores(rows, **more):
    return ro.Scores.from_frame({key: [row[key] for row in rows] for key in rows[0]}, **more)


def only(rows, *names):
    return [row for row in rows if row["algorithm"] in names]


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state.json"


@pytest.fixture
def begun(state):
    ro.sequential(scores(LOOKS[0]), design=DESIGN, state=state)
    return state


def test_an_experiment_that_ends_before_its_last_look_asks_for_no_more_runs():
    result = ro.sequential(scores(only(LOOKS[0], "A", "C")), design=DESIGN)
    assert [pair.decision for pair in result.pairs] == ["b_better"]
    assert (result.look, result.next_look, result.next_runs, result.next_algorithms) == (1, None, 0, ())


def test_a_run_that_its_file_does_not_name_has_a_digest_of_its_score_alone():
    run = Run(algorithm="A", task="T", run="3", score=1.5, named=False)
    assert replace(run, run="8").digest == run.digest != replace(run, score=1.0).digest
    assert replace(run, named=True).digest != replace(run, named=True, run="8").digest


def test_a_state_and_earlier_looks_give_the_same_answer(begun):
    by_state = ro.sequential(scores(only(LOOKS[1], "A", "B")), design=DESIGN, state=begun)
    at_once = ro.sequential(scores(only(LOOKS[1], "A", "B")), design=DESIGN, earlier=[scores(LOOKS[0])])
    assert by_state == at_once
    assert ro.sequential(design=DESIGN, state=begun) == by_state


def test_the_looks_that_are_done_are_those_up_to_that_of_the_answer(begun):
    for done in (1, 2, 3):
        runs = None if done == 1 else scores(only(LOOKS[done - 1], "A", "B"))
        result = ro.sequential(runs, design=DESIGN, state=begun)
        (looks,) = (table for table in result.tables() if table.role == "looks")
        (column,) = (column for column in looks.columns if column.key == "done")
        assert result.look == done
        assert list(column.cells) == ["yes"] * done + ["no"] * (3 - done)


def test_the_answer_says_who_goes_on_and_what_it_costs(begun):
    result = ro.sequential(design=DESIGN, state=begun)
    assert [(p.a, p.b, p.decision) for p in result.pairs] == [
        ("A", "B", "go_on"),
        ("A", "C", "b_better"),
        ("B", "C", "b_better"),
    ]
    assert (result.look, result.next_look, result.next_runs, result.next_algorithms) == (1, 8, 4, ("A", "B"))
    assert (result.cost, result.next_cost, result.alpha_spent) == (24.0, 16.0, DESIGN.spent[0])
    assert result.sentence == (
        "After look 1 of 3 (4 runs per task) C is better than A; C is better than B; 1 pair goes on: the next look takes 4 more runs of A and B "
        "on each of 2 tasks."
    )


def test_numbers_of_a_pair_are_those_of_its_runs(begun):
    pair = ro.sequential(design=DESIGN, state=begun).pairs[0]
    cells = [[[r["score"] for r in LOOKS[0] if (r["algorithm"], r["task"]) == (a, t)] for t in TASKS] for a in "AB"]
    assert pair.difference == pytest.approx(np.mean(cells[0]) - np.mean(cells[1]))
    assert pair.standard_error == pytest.approx(np.sqrt(sum(np.var(c, ddof=1) / 4 for two in cells for c in two)) / 2)
    assert pair.statistic == pytest.approx(pair.difference / pair.standard_error)
    assert abs(pair.statistic) < pair.critical
    assert (pair.n_runs, pair.look, pair.reason, pair.conditional_power) == (4, 1, None, None)


def test_to_the_end_nothing_is_found_and_nothing_more_is_taken(begun):
    for rows in LOOKS[1:]:
        result = ro.sequential(scores(only(rows, "A", "B")), design=DESIGN, state=begun)
    assert (result.next_look, result.next_runs, result.next_algorithms, result.next_cost) == (None, 0, (), 0.0)
    assert result.pairs[0].decision == "inconclusive"
    assert "that does not make them equal" in result.pairs[0].sentence
    assert "the experiment has ended" in result.sentence
    with pytest.raises(ro.DesignError, match="ended at look 3"):
        ro.sequential(scores(only(LOOKS[1], "A", "B")), design=DESIGN, state=begun)


def test_records_carry_the_look_and_the_path_every_open_pair(begun):
    result = ro.sequential(scores(only(LOOKS[1], "A", "B")), design=DESIGN, state=begun)
    assert [record["next_look"] for record in result.to_records()] == [12] * 3
    assert result.to_frame()["decision"].to_list() == [pair.decision for pair in result.pairs]
    assert [(p.a, p.b, p.look) for p in result.trajectory] == [
        ("A", "B", 1),
        ("A", "C", 1),
        ("B", "C", 1),
        ("A", "B", 2),
    ]
    assert [look.n_runs for look in result.looks] == [4, 8, 12]


def test_before_the_first_look_the_design_says_what_it_takes(state):
    design = ro.SequentialDesign(looks=(4, 8), algorithms=("A", "B"), tasks=("T",))
    result = ro.sequential(design=design, state=state)
    assert result.sentence == "Nothing has been seen yet: the first look takes 4 runs per task of A and B."
    assert (result.look, result.next_look, result.next_cost, result.pairs) == (0, 4, 8.0, ())
    assert ro.sequential(design=DESIGN).sentence.endswith("4 runs per task of each algorithm.")
    assert not state.exists()


def test_order_of_rows_and_of_algorithms_changes_nothing(tmp_path, begun):
    other = tmp_path / "other.json"
    shuffled = [LOOKS[0][i] for i in RNG.permutation(len(LOOKS[0]))]
    ro.sequential(scores(shuffled), design=DESIGN, state=other)
    assert other.read_bytes() == begun.read_bytes()


def test_a_table_without_runs_is_taken_and_its_numbers_of_rows_are_no_names(state):
    design = ro.SequentialDesign(looks=(4, 8), n_resamples=999)
    for j in range(2):
        result = ro.sequential({a: RNG.normal(size=4) + j for a in "AB"}, design=design, state=state)
    assert result.look == 2


def test_runs_that_are_scored_on_all_tasks_are_relabelled_whole(state):
    design = ro.SequentialDesign(looks=(5,), n_resamples=999)
    own = RNG.normal(size=(5, 1)) + np.zeros((5, 3))
    both = {"A": own, "B": own + np.array([0.0, 0.5, 1.0]) + 0.1 * RNG.normal(size=(5, 3))}
    shared = ro.sequential(ro.Scores.from_dict(both, runs="shared"), design=design, state=state).pairs[0]
    means = [np.mean(both[a], axis=1) for a in "AB"]
    welch = (means[0].mean() - means[1].mean()) / np.sqrt(sum(m.var(ddof=1) / 5 for m in means))
    assert shared.statistic == pytest.approx(welch)
    assert abs(ro.sequential(both, design=design).pairs[0].statistic) > abs(welch)


@pytest.mark.parametrize("name", ['{ "a": 1 }', "x, \n}", "\\", 'q"', "\u2028", "\udc80", "ünïcode", "{", " ,"])
def test_a_state_keeps_names_of_any_letters(state, name):
    design = ro.SequentialDesign(looks=(4, 8), n_resamples=999)
    data = {name: {name: RNG.normal(size=4)}, "B": {name: RNG.normal(size=4)}}
    first = ro.sequential(data, design=design, state=state)
    assert ro.sequential(design=design, state=state) == first
    spelled = name.replace("\n", "\\n").replace("\u2028", "\\u2028")  # what drives a terminal is spelled out
    assert {first.pairs[0].a, first.pairs[0].b} == {spelled, "B"}


# ── refusals ──────────


def test_a_run_is_fed_once(begun):
    again = [{**row, "run": row["run"] if i == 0 else f"x{i}"} for i, row in enumerate(only(LOOKS[0], "A", "B"))]
    with pytest.raises(
        ro.DataError, match="run '0-0' of 'A' on 'T' in look 2 was in look 1 already, with the same score"
    ):
        ro.sequential(scores(again), design=DESIGN, state=begun)
    changed = [{**row, "score": row["score"] + 1} for row in again]
    with pytest.raises(ro.DataError, match="with another score"):
        ro.sequential(scores(changed), design=DESIGN, state=begun)


def test_the_same_scores_under_other_names_are_refused(begun):
    renamed = [{**row, "run": f"again {row['run']}"} for row in only(LOOKS[0], "A")]
    with pytest.raises(ro.DataError, match="all scores of 'A' in look 2 are those of look 1"):
        ro.sequential(scores([*renamed, *only(LOOKS[1], "B")]), design=DESIGN, state=begun)


def with_an_old_score(old, new):
    """Return the second look, in which the first run has the score of a run of the first look."""
    return [{**new[0], "score": old[0]["score"]}, *new[1:]]


@pytest.mark.parametrize("digits", [17, 6, 3])
def test_one_old_score_under_a_new_name_is_refused_and_the_state_is_kept(state, digits):
    looks = [[{**row, "score": round(100 * row["score"], digits)} for row in only(look, "A", "B")] for look in LOOKS]
    ro.sequential(scores(looks[0]), design=DESIGN, state=state)
    before = state.read_bytes()
    with pytest.raises(ro.DataError, match=r"run '1-0' of 'A' on 'T' in look 2 has the score of run '0-0' in look 1"):
        ro.sequential(scores(with_an_old_score(looks[0], looks[1])), design=DESIGN, state=state)
    assert state.read_bytes() == before


def middle(look, name):
    """Return the row of an algorithm on T whose score is neither the least nor the greatest of its own."""
    return sorted((row for row in only(look, name) if row["task"] == "T"), key=lambda row: row["score"])[1]


@pytest.mark.parametrize("precision", [float, np.float32])
def test_an_old_score_of_another_algorithm_is_refused(begun, precision):
    copy, fake = middle(LOOKS[0], "A"), middle(LOOKS[1], "B")
    rows = [
        {**row, "score": float(precision(copy["score"]))} if row is fake else row for row in only(LOOKS[1], "A", "B")
    ]
    words = rf"run '{fake['run']}' of 'B' on 'T' in look 2 has the score of run '{copy['run']}' of 'A' in look 1"
    with pytest.raises(ro.DataError, match=words):
        ro.sequential(scores(rows), design=DESIGN, state=begun)


def test_one_score_twice_in_a_look_is_refused_unless_it_is_a_ceiling(state):
    ranked = sorted((row for row in LOOKS[0] if row["task"] == "T"), key=lambda row: row["score"])
    for at, refused in ((1, True), (-1, False)):
        copy = ranked[at]
        fake = next(r for r in ranked if r["algorithm"] == copy["algorithm"] and r is not copy)
        rows = [{**row, "score": copy["score"]} if row is fake else row for row in LOOKS[0]]
        if not refused:
            assert ro.sequential(scores(rows), design=DESIGN).look == 1
            continue
        with pytest.raises(ro.DataError, match=r"in look 1 has the score of run '0-\d' in look 1"):
            ro.sequential(scores(rows), design=DESIGN)


LEGITIMATE = {
    "rounded": lambda score: round(score, 1),
    "few values": lambda score: float(round(2 * score)),
    "normalised counts": lambda score: (round(20 * score) - 1.7) / 28.8,
    "normalised counts of single precision": lambda score: float(np.float32((round(20 * score) - 1.7) / 28.8)),
    "thirds": lambda score: round(30 * score) / 3,
    "a ceiling": lambda score: min(score, 0.123456789),
}


@pytest.mark.parametrize("case", LEGITIMATE)
def test_scores_that_tie_by_themselves_may_come_again(state, case):
    looks = [[{**row, "score": LEGITIMATE[case](row["score"])} for row in only(look, "A", "B")] for look in LOOKS]
    ro.sequential(scores(looks[0]), design=DESIGN, state=state)
    again = with_an_old_score(looks[0], looks[1])
    assert ro.sequential(scores(again), design=DESIGN, state=state).look == 2


def test_equal_success_rates_are_no_repetition(state):
    design = ro.SequentialDesign(looks=(4, 8), n_resamples=999)
    for _ in range(2):
        result = ro.sequential({"A": [0, 1, 1, 1], "B": [0, 0, 1, 0]}, design=design, state=state)
    assert result.look == 2


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (LOOKS[1], "algorithm 'C' has left the experiment, since all its pairs are decided; look 2 takes 'A', 'B'"),
        (only(LOOKS[1], "A"), "look 2 lacks algorithm 'B'"),
        ([{**row, "algorithm": "D"} for row in only(LOOKS[1], "A")], "algorithm 'D' is not of this experiment"),
        ([row for row in only(LOOKS[1], "A", "B") if row["task"] == "T"], "look 2 lacks task 'U'"),
        (only(LOOKS[1], "A", "B")[1:], "takes 4 new runs of each algorithm on each task .4 → 8., but 'A' has 3 on 'T'"),
        (
            only(LOOKS[1] + LOOKS[2], "A", "B"),
            "'A' has 8 on 'T'. Feed the new runs of one look at a time; those of earlier",
        ),
        ([row for row in only(LOOKS[1], "A", "B") if (row["algorithm"], row["task"]) != ("A", "U")], "has 0 on 'U'"),
    ],
)
def test_runs_that_are_not_those_of_the_next_look_are_refused_and_the_state_is_kept(begun, rows, sentence):
    before = begun.read_bytes()
    with pytest.raises(ro.DesignError, match=sentence):
        ro.sequential(scores(rows), design=DESIGN, state=begun)
    assert begun.read_bytes() == before


def test_looks_are_read_alike(begun):
    rows = only(LOOKS[1], "A", "B")
    with pytest.raises(ro.DesignError, match="look 1 was read with runs='per_task', look 2 with runs='shared'; read"):
        ro.sequential(scores(rows, runs="shared"), design=DESIGN, state=begun)
    normalised = scores(rows).normalize({"T": (0, 50), "U": (0, 50)}, assume_raw=True)
    with pytest.raises(
        ro.DesignError,
        match="look 1 was read with not normalised, look 2 with normalised by given reference scores",
    ):
        ro.sequential(normalised, design=DESIGN, state=begun)


def test_the_design_names_algorithms_tasks_and_a_budget(state):
    named = ro.SequentialDesign(looks=(4, 8), algorithms=("A", "B"), n_resamples=999)
    with pytest.raises(ro.DesignError, match="algorithm 'C' is not of this experiment"):
        ro.sequential(scores(LOOKS[0]), design=named, state=state)
    poor = ro.SequentialDesign(looks=(4, 8), budget=23, n_resamples=999)
    with pytest.raises(ro.DesignError, match="the budget of 23 does not pay for the first look"):
        ro.sequential(scores(LOOKS[0]), design=poor, state=state)
    with pytest.raises(ro.DesignError, match="there is one algorithm, 'A'"):
        ro.sequential(scores(only(LOOKS[0], "A")), design=DESIGN, state=state)
    assert not state.exists()


@pytest.mark.parametrize(("budget", "looks"), [(20, 1), (31, 1), (32, 2), (40, 2)])
def test_where_a_budget_ends_an_experiment_the_look_that_it_does_not_pay_for_is_named(budget, looks):
    # A look takes four runs more of two algorithms on two tasks.
    design = ro.SequentialDesign(looks=(4, 8, 12), n_resamples=999, budget=budget)
    every = [scores(only(rows, "A", "B")) for rows in LOOKS[:looks]]
    result = ro.sequential(every[-1], design=design, earlier=every[:-1])
    (pair,) = result.pairs
    assert (pair.reason, pair.look) == ("budget", looks)
    assert f"the budget of {budget} does not pay for look {looks + 1}" in pair.sentence


def test_a_state_of_another_design_is_refused(begun):
    other = ro.SequentialDesign(looks=(4, 8, 12), n_resamples=999, margin=0.3)
    with pytest.raises(ro.DesignError, match=r"belongs to another design: margin was 0.2 and is 0.3"):
        ro.sequential(scores(only(LOOKS[1], "A", "B")), design=other, state=begun)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda text: text[: len(text) // 2], "is damaged and cannot be read as JSON"),
        (lambda text: "", "is damaged and cannot be read as JSON"),
        (lambda text: "[]", "is no state of a sequential comparison"),
        (lambda text: '{"schema": "runoff.report/3"}', "is no state of a sequential comparison"),
        (lambda text: text.replace('"b_better"', '"a_better"'), "was changed or damaged after it was saved"),
        (
            lambda text: text.replace('"score": ', '"score": 1.5, "was": ', 1),
            "was changed or damaged after it was saved",
        ),
    ],
)
def test_a_damaged_state_is_refused(begun, damage, sentence):
    begun.write_text(damage(begun.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ro.DataError, match=sentence):
        ro.sequential(design=DESIGN, state=begun)


def test_decisions_that_do_not_follow_from_the_runs_are_refused(begun):
    from runoff.base.signed import digest_of

    content = json.loads(begun.read_text(encoding="utf-8"))
    content["looks"][0]["decisions"][0]["decision"] = "equivalent"
    content.pop("sha256")
    begun.write_text(json.dumps({**content, "sha256": digest_of(content)}), encoding="utf-8")
    with pytest.raises(ro.DataError, match="the decision at look 1 stored in the state does not follow from its runs"):
        ro.sequential(scores(only(LOOKS[1], "A", "B")), design=DESIGN, state=begun)


def test_a_state_that_cannot_be_written_is_told_and_leaves_nothing(tmp_path):
    with pytest.raises(ro.OutputError, match="cannot be written"):
        ro.sequential(scores(LOOKS[0]), design=DESIGN, state=tmp_path / "no" / "state.json")
    with pytest.raises(ro.DataError, match="cannot be read"):
        ro.sequential(scores(LOOKS[0]), design=DESIGN, state=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_state_and_earlier_looks_exclude_each_other(begun):
    with pytest.raises(ro.OptionError, match="name one of the two"):
        ro.sequential(design=DESIGN, state=begun, earlier=[scores(LOOKS[0])])


def test_a_state_is_readable_and_names_every_run(begun):
    lines = begun.read_text(encoding="utf-8").splitlines()
    runs = [line for line in lines if '"digest"' in line]
    assert len(runs) == len(LOOKS[0])
    assert all('"algorithm"' in line and '"score"' in line for line in runs)
    assert json.loads(begun.read_text(encoding="utf-8"))["design_sha256"] == DESIGN.sha256


def test_a_look_that_is_read_in_the_other_direction_is_refused(state, tmp_path):
    for j, look in enumerate((LOOKS[0], only(LOOKS[1], "A", "B"))):
        scores(look).to_frame().write_csv(tmp_path / f"{j}.csv")
    ro.sequential(ro.read_scores(tmp_path / "0.csv", lower_is_better=True), design=DESIGN, state=state)
    with pytest.raises(ro.DesignError, match=r"look 1 was read with scores are negated.*, look 2 with nothing of it"):
        ro.sequential(ro.read_scores(tmp_path / "1.csv"), design=DESIGN, state=state)


def test_the_same_file_of_unnamed_successes_is_refused(tmp_path):
    file = tmp_path / "z.csv"
    file.write_text("algorithm,score\n" + "A,1\n" * 4 + "B,1\n" + "B,0\n" * 3)
    design = ro.SequentialDesign(looks=(4, 8), n_resamples=999)
    ro.sequential(ro.read_scores(file), design=design, state=tmp_path / "s.json")
    with pytest.raises(ro.DataError, match="byte for byte"):
        ro.sequential(ro.read_scores(file), design=design, state=tmp_path / "s.json")


@pytest.mark.parametrize(("name", "value"), [("algorithms", 5), ("tasks", None)])
def test_names_that_are_none_are_refused_in_a_sentence(name, value):
    with pytest.raises(ro.OptionError, match=f"{name} must be names"):
        ro.SequentialDesign(looks=(4, 8), **{name: value})


def test_numbers_of_numpy_are_numbers():
    assert ro.SequentialDesign(looks=(4, 8), margin=np.float32(0.5), effect=np.int64(1)).margin == 0.5


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda look: look["runs"].pop(), "the runs of look 1 are not those that the design takes"),
        (lambda look: look["runs"][0].update(run=look["runs"][1]["run"]), "the runs of look 1 are not those"),
        (lambda look: look["runs"][0].update(algorithm="D"), "the runs of look 1 are not those"),
        (lambda look: look["runs"][0].update(score=None), "runs, entry 1, score is not what runoff writes there: None"),
        (lambda look: look.update(needed=0), "needed is not what runoff writes there: 0"),
        (lambda look: look.update(runs=3), "looks, entry 1, runs is not what runoff writes there: 3"),
        (lambda look: look.clear(), "looks, entry 1 is not what runoff writes there"),
    ],
)
def test_a_state_with_a_right_digest_and_wrong_fields_is_refused_in_one_sentence(begun, change, sentence):
    content = json.loads(begun.read_text(encoding="utf-8"))
    del content["sha256"]
    change(content["looks"][0])
    begun.write_text(json.dumps({**content, "sha256": digest_of(content)}), encoding="utf-8")
    with pytest.raises(ro.DataError, match=sentence):
        ro.sequential(scores(LOOKS[1]), design=DESIGN, state=begun)


ALIKE = {
    "all succeed": ([1.0] * 5, [1.0] * 5),
    "all reach the most": ([21.0] * 5, [21.0] * 5),
    "two scores": ([1.0] * 5, [1.0, 1.0, 0.95, 1.0, 1.0]),
}


@pytest.mark.parametrize("case", ALIKE)
def test_runs_with_few_scores_are_not_equivalent(case):
    a, b = ALIKE[case]
    design = ro.SequentialDesign(looks=(5, 10), margin=0.1, n_resamples=999)
    first, last = (ro.sequential({"A": a, "B": b}, design=design, earlier=[{"A": a, "B": b}] * k) for k in (0, 1))
    assert [result.pairs[0].decision for result in (first, last)] == ["go_on", "inconclusive"]
    for result in (first, last):
        assert "runs with at most two different scores on a task show no equivalence" in result.pairs[0].sentence


def test_runs_with_many_scores_are_equivalent_within_a_wide_margin():
    design = ro.SequentialDesign(looks=(10, 20), margin=3.0, n_resamples=999)
    (pair,) = ro.sequential({"A": RNG.normal(size=10), "B": RNG.normal(size=10)}, design=design).pairs
    assert (pair.decision, "two different" in pair.sentence) == ("equivalent", False)


def test_where_no_labelling_of_the_runs_is_rare_enough_the_sentence_says_so():
    design = ro.SequentialDesign(looks=(5, 10), n_resamples=999)
    (pair,) = ro.sequential({"A": [1.0, 1, 1, 1, 1], "B": [0.0, 1, 1, 1, 1]}, design=design).pairs
    assert pair.critical is None
    assert "statistic" not in pair.sentence
    assert "at this look there are too few permutations" in pair.sentence


def test_a_state_that_is_a_link_is_refused_before_anything_is_written(tmp_path):
    (tmp_path / "state.json").symlink_to("elsewhere.json")
    with (
        pytest.raises(ro.OutputError, match=r"state\.json is a link to .*elsewhere\.json"),
        judged_look(scores(only(LOOKS[0], "A", "B")), design=DESIGN, state=tmp_path / "state.json"),
    ):
        (tmp_path / "answer").touch()
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


@pytest.mark.parametrize("binary", [False, True])
def test_a_single_look_has_the_interval_and_the_verdict_of_compare(binary):
    draw = np.random.default_rng(4)
    runs = {name: draw.normal(at, 1, 20) for at, name in enumerate("ABC")}
    runs = {name: (values > 0.5).astype(float) if binary else values for name, values in runs.items()}
    data = ro.Scores.from_dict(runs, score_unit="shared")
    result = ro.sequential(data, design=ro.SequentialDesign(looks=(20,)))
    own = {
        (pair.a, pair.b): pair for pair in ro.compare(data, measure="mean", pairs=[("A", "B"), ("A", "C"), ("B", "C")])
    }
    for pair in result.pairs:
        compared = own[pair.a, pair.b]
        assert (pair.low, pair.high) == (compared.low, compared.high)
        assert (pair.decision != "inconclusive") == (compared.pvalue_adjusted <= 0.05)
    (pairs, looks) = result.tables()
    assert not {"critical", "statistic", "boundary"} & {
        column.key for table in (pairs, looks) for column in table.columns
    }


@pytest.mark.parametrize("second", [100, 1])
def test_a_look_in_percent_after_one_of_fractions_is_refused(second):
    rng, plan = np.random.default_rng(2), ro.SequentialDesign(looks=(4, 8))
    first, new = ({name: [factor * v for v in rng.beta(5, 3, 4)] for name in "AB"} for factor in (1, second))
    if second == 1:
        assert ro.sequential(new, design=plan, earlier=[first]).look == 2
        return
    with pytest.raises(ro.DesignError, match=r"'look 2' are about 100 times those of 'look 1'"):
        ro.sequential(new, design=plan, earlier=[first])
