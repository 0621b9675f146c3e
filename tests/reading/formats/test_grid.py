"""Several tables in one text or sheet: those of runs are joined by their titles, others are left out aloud, and what is open is asked."""

from __future__ import annotations

import pytest

import runoff as ro

RUNS = {"Hopper": {"PPO": [1.5, 2.5], "SAC": [3.5, 4.5]}, "Ant": {"PPO": [5.5, 6.5], "SAC": [7.5, 8.5]}}
WHOLE = {a: {t: RUNS[t][a] for t in ("Ant", "Hopper")} for a in ("PPO", "SAC")}


def block(task: str, algorithms: tuple[str, ...] = ("PPO", "SAC")) -> list[list[str]]:
    return [
        ["Seed", *algorithms],
        *([str(i), *(str(RUNS[task][a][i]) for a in algorithms)] for i in range(2)),
    ]


def as_csv(titles: dict[str, list[list[str]]], form: str) -> str:
    return "\n\n".join("\n".join([form.format(name), *map(",".join, rows)]) for name, rows in titles.items()) + "\n"


def as_markdown(titles: dict[str, list[list[str]]], form: str) -> str:
    return "\n".join(
        line
        for name, rows in titles.items()
        for line in (form.format(name), "", *(f"| {' | '.join(row)} |" for row in (rows[0], ["--"] * 3, *rows[1:])), "")
    )


@pytest.mark.parametrize("form", ["{}", "{},,", "Task: {}", "# {}", "Env = {} (1M steps)", "Results {}", "Task {}"])
def test_blocks_with_titles_are_the_tasks_of_their_rows(put, form):
    text = as_csv({"Hopper": block("Hopper"), "Ant": block("Ant", ("SAC", "PPO"))}, form)
    scores = ro.load(put("blocks.csv", text))
    assert scores.to_dict() == WHOLE
    assert "each of the 2 tables is a task: 'Hopper', 'Ant'" in scores.provenance.notes


@pytest.mark.parametrize("form", ["## {}", "**{}**", "Task: {}", "* {}"])
def test_tables_between_bars_below_titles_are_joined_as_blocks_are(put, form):
    text = as_markdown({name: block(name) for name in RUNS}, form)
    assert ro.load(put("runs.md", f"# All\n\nSome words on these runs.\n\n{text}")).to_dict() == WHOLE


def test_blocks_beside_each_other_with_the_same_first_head_are_blocks(put):
    rows = [[*a, "", *b] for a, b in zip(block("Hopper"), block("Ant"), strict=True)]
    text = "\n".join(map(",".join, [["Hopper", "", "", "", "Ant", "", ""], *rows]))
    assert ro.load(put("beside.csv", text)).to_dict() == WHOLE


@pytest.mark.parametrize(
    ("title", "rows", "why"),
    [
        ("Hyperparameters", [["Name", "PPO", "SAC"], ["gamma", "0.99", "0.98"]], "holds settings"),
        ("Table 2", [["", "PPO", "SAC"], ["lr", "1", "2"], ["batch size", "3", "4"]], "holds settings"),
        ("Summary", [["Env", "PPO", "SAC"], ["Hopper", "2", "4"]], "sums up others"),
        ("Table 3", [["Env", "PPO mean", "PPO std"], ["Hopper", "2", "4"]], "sums up others"),
        ("People", [["Name", "Mail"], ["Jo", "jo@example.org"]], "holds no table of numbers"),
    ],
)
def test_blocks_that_hold_no_runs_are_left_out_with_a_warning(put, title, rows, why):
    text = as_csv({"Hopper": block("Hopper"), "Ant": block("Ant"), title: rows}, "{}")
    with pytest.warns(ro.RunoffWarning, match=f"left out: table '{title}', which {why}"):
        assert ro.load(put("blocks.csv", text)).to_dict() == WHOLE


@pytest.mark.parametrize(("names", "role"), [(("Draft 1", "Bar"), "task"), (("may", "june"), "task")])
def test_blocks_whose_titles_say_nothing_are_asked_for_and_the_answers_work(put, names, role):
    file = put("blocks.csv", as_csv(dict(zip(names, map(block, RUNS), strict=True)), "{}"))
    with pytest.raises(ro.DataError, match=rf"2 tables .*'{role}': 'table'.* if each is a {role}, or name the one"):
        ro.load(file)
    assert sorted(ro.load(file, columns={role: "table"}).tasks) == sorted(names)
    scores = ro.load(file, table=names[0])
    assert scores.cell("PPO", "task").tolist() == RUNS["Hopper"]["PPO"]
    assert f"left out: table '{names[1]}', by request" in scores.provenance.notes


@pytest.mark.parametrize(
    ("rows", "error"),
    [("SAC,X,a,N/A\nSAC,X,b,N/A", "line 5: the score .* is N/A"), ("SAC,X,a,nan\nSAC,X,b,3", "the file has 2 tables")],
)
def test_rows_without_numbers_below_an_empty_line_are_never_left_out(put, rows, error):
    with pytest.raises(ro.DataError, match=error):
        ro.load(put("runs.csv", f"algo,task,run,return\nPPO,X,a,1\nPPO,X,b,2\n\n{rows}\n"))


def test_a_titled_table_of_other_columns_beside_the_one_of_scores_is_left_out(put):
    text = "Runs\nalgo,seed,return\nPPO,0,1\nSAC,0,2\n\nMachines\nhost,cores\na,16\nb,32\n"
    with pytest.warns(ro.RunoffWarning, match="left out: table 'Machines', which has no column of scores"):
        assert ro.load(put("runs.csv", text)).to_dict() == {"PPO": {"task": [1]}, "SAC": {"task": [2]}}


def test_the_limits_of_joints_are_no_runs_beside_runs_with_numbers_for_heads(put):
    text = as_csv({task: [["algo", "1", "2"], ["PPO", "3", "4"], ["SAC", "5", "6"]] for task in RUNS}, "{}")
    with pytest.warns(ro.RunoffWarning, match="left out: table 'Limits', which has other columns, and no runs"):
        scores = ro.load(put("runs.csv", f"{text}\nLimits\njoint,limit\na,7\nb,8\n"))
    assert (scores.tasks, scores.n_runs.tolist()) == (("Ant", "Hopper"), [[2, 2], [2, 2]])


def test_heads_of_runs_above_an_empty_line_are_no_title(put):
    text = "algo,0,1\n\nPPO,1,2\n\nalgo,0,1\n\nPPO,1,2\n"
    with pytest.raises(ro.DataError, match=r"2 tables \(1, 2\)"):
        ro.load(put("blocks.csv", text))


SUMMED = [["algo", "score", "mean", "std"], ["PPO", "1", "2", "3"], ["SAC", "2", "2", "3"]]


@pytest.mark.parametrize("blocks", [[block(name) for name in RUNS], [SUMMED, SUMMED[:2]]], ids=["wide", "summed up"])
def test_blocks_without_titles_are_never_pooled(put, blocks):
    text = "\n\n".join("\n".join(map(",".join, own)) for own in blocks)
    with pytest.raises(ro.DataError, match=r"2 tables \(1, 2\); name the one to read: table='1'"):
        ro.load(put("blocks.csv", text))


def test_appended_files_that_name_all_runs_are_one_table(put):
    head, rows = "algo,seed,score\n", ["PPO,0,1\nPPO,1,2\n", "SAC,0,3\nSAC,1,4\n"]
    scores = ro.load(put("runs.csv", "\n".join(head + own for own in rows)))
    assert scores.to_dict() == {"PPO": {"task": [1, 2]}, "SAC": {"task": [3, 4]}}


@pytest.mark.parametrize(
    "text",
    [
        "+------+------+-------+\n| algo | seed | score |\n+======+======+=======+\n| PPO  | 0    | 1.5   |\n+------+------+-------+\n"
        "| SAC  | 0    | 2.5   |\n+------+------+-------+\n",
        " algo | seed | score \n------+------+-------\n PPO  |    0 |   1.5\n SAC  |    0 |   2.5\n(2 rows)\n",
        "shape: (2, 3)\n┌──────┬──────┬───────┐\n│ algo ┆ seed ┆ score │\n│ ---  ┆ ---  ┆ ---   │\n│ str  ┆ i64  ┆ f64   │\n"
        "╞══════╪══════╪═══════╡\n│ PPO  ┆ 0    ┆ 1.5   │\n│ SAC  ┆ 0    ┆ 2.5   │\n└──────┴──────┴───────┘\n",
        "#+TITLE: runs\n| algo | seed | score |\n|------+------+-------|\n| PPO | 0 | 1.5 |\n| SAC | 0 | 2.5 |\n",
    ],
)
@pytest.mark.parametrize("name", ["runs.txt", "runs.md", "runs"])
def test_tables_in_boxes_of_any_program_are_read(put, text, name):
    assert ro.load(put(name, text)).to_dict() == {"PPO": {"task": [1.5]}, "SAC": {"task": [2.5]}}


def test_a_printed_frame_that_leaves_rows_out_is_refused(put):
    text = (
        "┌──────┬───────┐\n│ algo ┆ score │\n╞══════╪═══════╡\n│ PPO  ┆ 1.5   │\n│ …    ┆ …     │\n└──────┴───────┘\n"
    )
    with pytest.raises(ro.DataError, match=r"leaves parts out \('…'\); write the frame to a file"):
        ro.load(put("frame.txt", text))


def of_terrains(labels: list[str], titles: list[str]) -> str:
    scores = iter(range(10, 99))
    return "\n\n".join(
        "\n".join([f"{title},,", ",seed 1,seed 2", *(f"{name},{next(scores)},{next(scores)}" for name in labels)])
        for title in titles
    )


def test_blocks_are_tasks_where_labels_of_rows_are_known_algorithms_and_heads_are_runs(put):
    text = of_terrains(["MPC", "PPO (blind)", "student"], ["rough terrain", "gaps"])
    expected = {"MPC": [10, 11], "PPO (blind)": [12, 13], "student": [14, 15]}
    assert {a: own["rough terrain"] for a, own in ro.load(put("t.csv", text)).to_dict().items()} == expected


@pytest.mark.parametrize(
    ("labels", "titles"),
    [
        (["a", "b"], ["rough terrain", "gaps"]),
        (["PPO", "SAC"], ["no curriculum", "full"]),
        (["PPO", "SAC"], ["May", "June"]),
    ],
)
def test_blocks_whose_rows_or_titles_may_be_something_else_are_asked_about(put, labels, titles):
    with pytest.raises(ro.DataError, match="the file has 2 tables"):
        ro.load(put("t.csv", of_terrains(labels, titles)))


@pytest.mark.parametrize("form", ["{}_{}_s{}", "{} {} seed {}", "{1}-{0}-run{2}"])
def test_titles_that_name_a_run_each_are_read_as_those_of_files(put, form):
    runs = [(a, t, i) for a in ("PPO", "SAC") for t in ("Hopper", "Ant") for i in range(2)]
    curves = {run: [["step", "return"], ["100", "0.5"], ["200", str(RUNS[run[1]][run[0]][run[2]])]] for run in runs}
    text = as_csv({form.format(*run): rows for run, rows in curves.items()}, "# {}")
    assert ro.read_scores(put("runs.csv", text)).to_dict() == WHOLE


def test_tables_without_heads_of_runs_say_nothing_of_another_beside_them(put):
    tables = [f"{task}\nalgo,score\nPPO,1\nSAC,3\n" for task in RUNS]
    with pytest.raises(ro.DataError, match=r"the file has 3 tables \(.*'Limits'\); name the one to read"):
        ro.load(put("runs.csv", "\n".join([*tables, "Limits\njoint,limit\na,7\nb,8\n"])))
