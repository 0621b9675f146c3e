"""Tables that count successes, say them in words, leave cells empty, or have more than rows of runs: read, or refused with what to do."""

from __future__ import annotations

import json

import pytest

import runoff as ro


@pytest.mark.parametrize(
    "content",
    [
        "policy,task,successes\nACT,pick,3/4\nDP,pick,1/2\n",
        "policy,task,successes,trials\nACT,pick,3,4\nDP,pick,1,2\n",
    ],
)
def test_counts_of_successes_are_attempts_once_the_user_says_so(put, content):
    file = put("t.csv", content)
    with pytest.raises(ro.DataError, match=r"in line 2 3 of 4.*unit='episode'"):
        ro.read_scores(file)
    scores = ro.read_scores(file, unit="episode")
    assert (scores.cell("ACT", "pick").tolist(), scores.cell("DP", "pick").tolist()) == ([1, 1, 1, 0], [1, 0])


def test_the_first_answer_to_counts_below_algorithms_is_enough_where_a_column_is_named_like_tasks(put):
    text = "{},No DR,ADR\nFlat,1/2,2/2\nGrass,0/2,1/2\n"
    scores = ro.read_scores(put("t.csv", text.format("Terrain")), unit="episode")
    assert scores.to_dict() == {"ADR": {"Flat": [1, 1], "Grass": [1, 0]}, "No DR": {"Flat": [1, 0], "Grass": [0, 0]}}
    for name, rows in (("Skill", text), ("Level", text.replace("Flat", "1").replace("Grass", "2"))):
        with pytest.raises(ro.DataError, match=f"column '{name}' parts the episodes"):
            ro.read_scores(put("u.csv", rows.format(name)), unit="episode")


@pytest.mark.parametrize("unit", ["run", "episode"])
@pytest.mark.parametrize("row", ["21,20", "14,", "14.5,20", ",20", "-1,20", "x,20", "5,2.5"])
def test_a_row_that_is_no_count_among_counts_is_refused_with_its_line(put, row, unit):
    file = put("t.csv", f"model,item,successes,trials\nA,q0,17,20\nA,q1,{row}\nB,q0,9,20\nB,q1,8,20\n")
    with pytest.raises(ro.DataError, match=r"line 3: .*no count of successes and attempts.*'unused': 'trials'"):
        ro.read_scores(file, unit=unit)


def test_a_fraction_above_one_among_fractions_is_refused_with_its_line(put):
    file = put("t.csv", "policy,task,successes\nA,p,7/10\nA,q,21/20\nB,p,3/10\nB,q,4/10\n")
    with pytest.raises(ro.DataError, match="line 3: column 'successes' holds 21/20, which is no count"):
        ro.read_scores(file, unit="episode")


def test_scores_beside_a_number_of_something_else_are_no_counts(put):
    file = put("t.csv", "model,item,solved,total\nA,q0,250,10\nA,q1,3,10\nB,q0,120,10\nB,q1,90.5,10\n")
    assert ro.read_scores(file, unit="episode").cell("A", "q0").tolist() == [250]


def test_rates_beside_the_number_of_their_episodes_are_attempts(put):
    content = "policy,task,success_rate,episodes\nP,a,.85,20\nP,b,.3,40\nQ,a,0.33,3\nQ,b,1,2\n"
    scores = ro.read_scores(put("t.csv", content), unit="episode")
    assert scores.n_runs.tolist() == [[20, 40], [3, 2]]
    assert [scores.cell(*cell).sum() for cell in (("P", "a"), ("P", "b"), ("Q", "a"), ("Q", "b"))] == [17, 12, 1, 2]


@pytest.mark.parametrize(("first", "second"), [("15", "30"), ("15.0", "30.0"), ("15%", "30 %")])
def test_rates_in_percent_are_attempts_where_they_can_be_no_counts(put, first, second):
    file = put("t.csv", f"policy,success_rate,episodes\nP,{first},20\nQ,{second},20\n")
    scores = ro.read_scores(file, unit="episode")
    assert [scores.cell(name, 0).sum() for name in "PQ"] == [3, 6]
    assert scores.n_runs.tolist() == [[20], [20]]


@pytest.mark.parametrize("heads", ["k,n", "passes,trials", "successes,n", "passed,total"])
def test_counts_of_n_are_attempts_under_every_name(put, heads):
    file = put("t.csv", f"policy,task,{heads}\nP,a,40,100\nQ,a,16,20\n")
    with pytest.raises(ro.DataError, match="counts the successes of several attempts"):
        ro.load(file)
    scores = ro.load(file, unit="episode")
    assert [(scores.cell(name, "a").size, scores.cell(name, "a").sum()) for name in "PQ"] == [(100, 40), (20, 16)]


@pytest.mark.parametrize("heads", ["score,n", "score,episodes", "collisions,n", "crashes,trials"])
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_whole_numbers_beside_attempts_are_asked_about_of_episodes(put, heads):
    file = put("t.csv", f"policy,task,{heads}\nP,a,40,100\nP,b,41,100\nQ,a,16,20\nQ,b,17,20\n")
    with pytest.raises(
        ro.DataError, match=r"may count what happened in the attempts of column .* \(40 of 100 in line 2\)"
    ):
        ro.load(file, unit="episode")
    assert ro.load(file, unit="episode", columns={"unused": heads.partition(",")[2]}).n_runs.tolist() == [
        [1, 1],
        [1, 1],
    ]


@pytest.mark.parametrize(("n", "offered"), [((20, 20), True), ((100, 20), False)])
def test_no_repair_compares_counts_of_unlike_numbers_of_attempts(put, n, offered):
    file = put("t.csv", f"policy,task,score,n\nP,a,14,{n[0]}\nP,b,11,{n[0]}\nQ,a,16,{n[1]}\nQ,b,17,{n[1]}\n")
    with pytest.raises(ro.DataError, match="may count what happened") as refusal:
        ro.load(file, unit="episode")
    assert ("columns={'unused': 'n'}" in str(refusal.value)) == offered


def test_whole_numbers_above_the_attempts_are_scores_of_episodes(put):
    file = put("t.csv", "policy,task,score,n\nP,a,40,10\nP,b,8,10\nQ,a,16,10\nQ,b,17,10\n")
    assert ro.load(file, unit="episode").values.tolist() == [40, 8, 16, 17]


# .83 of 20 is no count, .5 in one decimal is 9, 10 or 11 of 20, .85 in two is 169 to 171 of 200, 15 may be percent.
@pytest.mark.parametrize(
    "rows", ["P,.83,20 Q,.55,20", "P,.5,20 Q,.5,20", "P,.85,200 Q,.55,20", "P,15,20 Q,18,20", "P,15,20 Q,20,20"]
)
def test_a_rate_that_is_not_of_one_count_alone_is_refused_with_its_line(put, rows):
    file = put("t.csv", "\n".join(["policy,success_rate,episodes", *rows.split(), ""]))
    with pytest.raises(ro.DataError, match=r"line 2: .*write the successes themselves.*'unused': 'episodes'"):
        ro.read_scores(file, unit="episode")
    assert ro.read_scores(file, unit="episode", columns={"unused": "episodes"}).n_runs.tolist() == [[1], [1]]


@pytest.mark.parametrize("rows", ["A,place,{12}\nA,pick,{17}\n", "A,pick,{17}\nA,place,{12}\n"])
@pytest.mark.parametrize("fraction", [False, True])
def test_counts_that_stand_there_twice_are_asked_about(put, rows, fraction):
    text = "A,pick,{17}\nA,place,{12}\nB,pick,{11}\nB,place,{9}\n" + rows
    text = text.replace("{", "").replace("}", "/20" if fraction else ",20")
    file = put("t.csv", f"policy,task,successes{'' if fraction else ',trials'}\n{text}")
    with pytest.raises(ro.DataError, match=r"line \d and line \d are equal, with 1. successes of 20 .*\(2 such rows\)"):
        ro.read_scores(file, unit="episode")
    with pytest.warns(ro.RunoffWarning, match=r"left out: 2 row\(s\) that are equal"):
        once = ro.read_scores(file, unit="episode", duplicates="first")
    assert once.n_runs.tolist() == [[20, 20]] * 2
    assert ro.read_scores(file, unit="episode", columns={"run": "row"}).n_runs.tolist() == [[40, 40], [20, 20]]


def test_two_counts_of_one_policy_are_sessions_that_are_pooled():
    frame = {"policy": ["A", "A", "B"], "successes": [7, 8, 3], "trials": [10, 10, 10]}
    assert ro.load(frame, unit="episode").n_runs.tolist() == [[20], [10]]
    with pytest.raises(
        ro.DataError, match="row 0 and row 1 are equal, with 7 successes of 10 attempts: use duplicates"
    ):
        ro.load({**frame, "successes": [7, 7, 3]}, unit="episode")


def test_a_rate_of_a_training_is_its_score(put):
    file = put("t.csv", "policy,success_rate,episodes\nP,.83,20\nP,.5,20\nQ,.5,20\nQ,.6,20\n")
    assert ro.read_scores(file).cell("P", "task").tolist() == [0.83, 0.5]


@pytest.mark.parametrize("words", ["success failure", "pass fail", "Yes No", "✓ ✗", "true false"])
@pytest.mark.parametrize("head", ["outcome", "result", "score"])
def test_outcomes_in_words_are_one_and_zero(put, words, head):
    yes, no = words.split()
    content = f"policy,seed,{head}\nbc,0,{yes}\nbc,1,{no}\nact,0,{yes}\nact,1,{yes}\n"
    assert ro.read_scores(put("t.csv", content)).cell("bc", "task").tolist() == [1, 0]


def test_scores_that_are_words_of_failure_alone_are_no_zeros(put):
    with pytest.raises(ro.DataError, match=r"is failed \(2 such rows\); if this run failed"):
        ro.read_scores(put("t.csv", "algo,seed,score\nPPO,0,failed\nPPO,1,failed\n"))


def test_rows_between_evaluations_are_left_out_with_a_line(put):
    rows = "".join(f"PPO,{r},{s},{'' if s % 200 else s}\n" for r in range(2) for s in (100, 200, 300, 400))
    curves = ro.read_curves(put("t.csv", f"algo,seed,step,eval_return\n{rows}"))
    assert curves.final().cell("PPO", "task").tolist() == [400, 400]
    assert any("4 row(s) between evaluations" in note for note in curves.provenance.notes)


def test_a_run_without_any_score_is_not_left_out_as_a_gap(put):
    content = "algo,seed,step,return\nPPO,0,100,1\nPPO,0,200,2\nPPO,1,100,\nPPO,1,200,\n"
    with pytest.raises(ro.DataError, match=r"line 4: the score .* is missing"):
        ro.read_curves(put("t.csv", content))


def test_summaries_beside_columns_of_runs_are_left_out(put):
    scores = ro.read_scores(put("t.csv", "algo,seed_0,seed_1,mean,std\nPPO,1,3,2,1\nSAC,2,4,3,1\n"))
    assert scores.cell("PPO", "task").tolist() == [1, 3]


RECORDS = [{"algo": a, "env": "Ant", "seed": r, "score": float(r)} for a in ("ppo", "sac") for r in range(2)]


@pytest.mark.parametrize(
    "content",
    [
        {name: {str(i): record[name] for i, record in enumerate(RECORDS)} for name in RECORDS[0]},
        {"columns": list(RECORDS[0]), "index": [0, 1, 2, 3], "data": [list(record.values()) for record in RECORDS]},
        {"schema": {"fields": []}, "data": RECORDS},
        {"config": {"lr": 0.1}, "results": RECORDS},
        [{"config": {"algo": r["algo"], "env": "Ant", "seed": r["seed"]}, "score": r["score"]} for r in RECORDS],
    ],
)
def test_tables_that_pandas_and_scripts_write_as_json_are_read(put, content):
    scores = ro.read_scores(put("t.json", json.dumps(content)))
    assert (scores.algorithms, scores.tasks, scores.n_runs.tolist()) == (("ppo", "sac"), ("Ant",), [[2], [2]])
    assert scores.cell("sac", "Ant").tolist() == [0, 1]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.csv", "env,Ant,Ant\nalgo,PPO,SAC\n0,1,2\n", "the header has two lines .*one row per score"),
        ("t.csv", "Our lab\n1,2,3\nPPO,0,1\n", "below a line of one .*delete the lines above"),
        ("t.csv", "algo,seed,score\nPPO,0,1\nTotal,,1\n", "the run .* is empty; fill it in, or delete the row"),
        ("t.csv", "algo,seed,score\nPPO,0,1\nNote: warm,,\n", "is missing; delete the row if it is a note"),
        ("t.md", "| algo | score |\n|---|---|\n| PPO | 1 ± 2 |\n", "table of means and spreads in Markdown.*claims"),
        ("t.csv", "Method,Ant,Hopper\nPPO,100 ± 5,1 ± 2\nSAC,150 ± 5,2 ± 1\n", "means and spreads.*claims"),
        ("t.json", '{"ppo": [[1, 2], [1]], "sac": [[1, 2], [3, 4]]}', "its rows hold 1 to 2 entries"),
        ("t.csv", "Model,Params (B),foo,bar\na,7,1,2\nb,7,2,3\n", "If 'foo', 'bar' are tasks, or runs, use"),
        ("t.json", '{"algorithm": "PPO", "runs": [{"task": "x", "run": 0, "score": 1}]}', "none of the shapes"),
        (
            "t.csv",
            "policy,seed,result\nbc,0,success\nbc,1,timeout\n",
            "'success', which is not a number; write 1 and 0",
        ),
        ("t.csv", "algo,seed,step,return\nPPO,0,1,1\nPPO,0,1,2\n", "the later row if the run was resumed"),
    ],
)
def test_what_is_no_table_of_runs_is_refused_with_what_to_do(put, name, content, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.read_scores(put(name, content))


def test_a_file_that_resumes_another_is_no_algorithm(put, tmp_path):
    for name in ("ppo_s0", "ppo_s0_resumed", "sac_s0"):
        put(f"{name}.csv", "step,return\n100,1\n200,2\n")
    with pytest.raises(ro.DataError, match="if one resumed the other, join their rows"):
        ro.read_scores(tmp_path)


def test_scores_in_different_units_have_no_leader():
    data = {name: {t: [x, x + 0.01, x + 0.02] for t in ("lift", "can")} for name, x in (("ours", 0.6), ("base", 60.0))}
    result = ro.compare(ro.Scores.from_dict(data), n_resamples=100)
    assert (result.leader, result.real.holds) == (None, None)
    assert result.sentence.startswith("No leader is named: ")


def test_an_infinite_number_of_trials_is_a_count_of_no_attempts(put):
    file = put("runs.csv", "algorithm,success,trials\nA,3,inf\nA,5,10\nB,3,10\n")
    with pytest.raises(ro.DataError, match="line 2: column 'success' holds 3, column 'trials' holds inf"):
        ro.read_scores(file)


def items(put, *again, times=1):
    rows = [f"{model},q{i},{int(i % 3 > 0 or model == 'A')}" for i in range(8) for model in "AB"]
    return put("t.csv", "\n".join(["model,item,success", *rows * times, *again, ""]))


def test_items_that_stand_there_twice_word_for_word_are_asked_about(put):
    with pytest.raises(
        ro.DataError, match=r"'A' to 'q0' stands in line 2 and again in line 18, word for word \(16 such"
    ):
        ro.read_scores(items(put, times=2))
    with pytest.warns(ro.RunoffWarning, match=r"16 row\(s\) have the run of another"):
        once = ro.read_scores(items(put, times=2), duplicates="first")
    assert once.n_runs.tolist() == [[1] * 8] * 2
    assert ro.read_scores(items(put, times=2), columns={"run": "row"}).n_runs.tolist() == [[2] * 8] * 2
    assert ro.read_scores(items(put, times=2), unit="episode").n_runs.tolist() == [[2] * 8] * 2


@pytest.mark.parametrize(("answer", "words"), [("1", "line 18, word for word, and"), ("0", "line 18, and")])
def test_a_second_answer_to_one_item_is_asked_about(put, answer, words):
    with pytest.raises(ro.DataError, match=words):
        ro.read_scores(items(put, f"A,q0,{answer}"))
    with pytest.warns(ro.RunoffWarning, match=r"1 row\(s\) have the run of another"):
        last = ro.read_scores(items(put, f"A,q0,{answer}"), duplicates="last")
    assert last.cell("A", "q0").tolist() == [int(answer)]


def test_attempts_that_do_not_all_agree_are_attempts(put):
    again = [f"{model},q{i},{i % 2}" for i in range(8) for model in "AB"]
    assert ro.read_scores(items(put, *again)).n_runs.tolist() == [[2] * 8] * 2


def test_rows_without_a_number_are_not_pooled_with_numbered_attempts_of_the_same_items(put):
    put("plain.csv", "model,question,correct\nA,q0,1\nA,q1,0\n")
    numbered = put("numbered.csv", "model,question,attempt,correct\nA,q0,0,1\nA,q0,1,0\nA,q1,0,1\nA,q1,1,1\n")
    with pytest.raises(ro.DataError, match="both hold runs of algorithm 'A' on task 'q0', and nothing shows how"):
        ro.read_scores([numbered.parent / "plain.csv", numbered], unit="episode")
