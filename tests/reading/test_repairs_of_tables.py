"""Each repair that a refusal of a table prints is run here, and works; and tables of spreadsheets, pandas and R that need none."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import runoff as ro
from runoff.cli.app import run


def repairs(error: str) -> list[list[str]]:
    """Return the commands that a refusal of the command line prints, as arguments."""
    return [shlex.split(line)[1:] for line in error.splitlines() if line.startswith("  runoff ")]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, list[list[str]]]:
    """Return what is said of a call that is refused, and the commands that it prints."""
    assert run([*arguments]) == 2
    error = capsys.readouterr().err
    return error, repairs(error)


COMMITS = "algorithm,task,commit,score\n" + "".join(
    f"{a},{t},{c},{score + i}\n"
    for a, score in (("A", 1.5), ("B", 11.5))
    for t in "xy"
    for c in ("c1", "c2")
    for i in range(2)
)


def test_a_column_that_parts_rows_is_joined_with_the_task_or_the_algorithm_by_the_repairs(put, capsys):
    file = put("runs.csv", COMMITS)
    _, commands = refused(capsys, "aggregate", str(file))
    joined = [command[-1] for command in commands]
    assert joined == ["task=task/commit", "algorithm=algorithm/commit", "run=row"]
    assert [run(command) for command in commands] == [0, 0, 0]
    by_role = [ro.load(file, columns=dict([text.split("=")])) for text in joined]
    assert [(len(s.algorithms), len(s.tasks), s.n_runs.max()) for s in by_role] == [(2, 4, 2), (4, 2, 2), (2, 2, 4)]


def test_a_mark_of_decimals_is_named_only_if_it_reads_the_whole_column(put, capsys):
    mixed = put("mixed.csv", "algorithm;task;seed;score\nA;x;1;1,5\nA;x;2;2.5\nB;x;1;3,5\nB;x;2;4\n")
    error, commands = refused(capsys, "aggregate", str(mixed))
    assert "'1,5', which is not a number beside '2.5'; write all decimals of the column with a point" in error
    assert commands == []
    either = put("either.csv", 'algorithm,task,seed,score\nA,x,1,"1,500"\nA,x,2,2\nB,x,1,"3,500"\nB,x,2,4\n')
    error, commands = refused(capsys, "aggregate", str(either))
    assert [command[-1] for command in commands] == ["point", "comma"]
    assert [run(command) for command in commands] == [0, 0]


def test_thousands_and_decimals_of_a_wide_european_table_tell_each_other(put):
    scores = ro.load(put("wide.csv", "task;PPO;A2C\nx;1.234,5;2,5\nx;1.300,5;3,5\n"))
    assert (scores.cell("PPO", "x").tolist(), scores.cell("A2C", "x").tolist()) == ([1234.5, 1300.5], [2.5, 3.5])


TIDY = "algorithm,task,seed,score\nA,x,1,1.5\nA,x,2,2.5\nB,x,1,3.5\nB,x,2,5.5\n"
SCORES = {"A": {"x": [1.5, 2.5]}, "B": {"x": [3.5, 5.5]}}
COUNTED = "".join(f"{i}\t{line}\n" for i, line in enumerate(TIDY.replace(",", "\t").splitlines()))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("title.csv", '"Final table, March",,,\n,,,\n' + TIDY),
        ("bars.csv", TIDY.replace(",", "|")),
        ("r.tsv", COUNTED.removeprefix("0\t")),
        ("pivot.csv", "algorithm,A,A,B,B\nseed,1,2,1,2\ntask,,,,\nx,1.5,2.5,3.5,5.5\n"),
        ("merged.csv", "algorithm,A,,B,\nseed,1,2,1,2\ntask,,,,\nx,1.5,2.5,3.5,5.5\n"),
    ],
)
def test_a_quoted_title_bars_the_row_numbers_of_r_and_a_pivot_of_pandas_are_understood(put, name, text):
    assert ro.load(put(name, text)).to_dict() == SCORES


def test_a_field_too_many_between_commas_is_no_row_number(put):
    with pytest.raises(ro.DataError, match="3 fields where the header has 2"):
        ro.load(put("runs.csv", "step,score\n1,0,5\n2,0,7\n"))


def test_amounts_in_a_wide_table_are_numbers_and_each_letter_is_noted(put):
    scores = ro.load(put("wide.csv", "task,PPO,A2C\nx,1.2k,2k\ny,300,0.5M\n"))
    assert (scores.cell("PPO", "x").tolist(), scores.cell("A2C", "y").tolist()) == ([1200], [500_000])
    assert "scores are amounts: '2k' is 2000, '0.5M' is 500000" in scores.provenance.notes
    with pytest.raises(ro.DataError, match=r"'11\.2K', which is not a number; write amounts as plain numbers"):
        ro.load(put("runs.csv", "algorithm,score\nA,11.2K\nB,512m\n"))


def test_a_sheet_or_a_table_of_a_file_that_has_none_is_refused_and_the_repair_works(put, capsys):
    file = put("runs.csv", TIDY)
    for option in ("--sheet", "--table"):
        error, commands = refused(capsys, "aggregate", str(file), option, "v3")
        assert f"{option} v3 names a {option[2:]} of a" in error
        assert commands == [["aggregate", str(file)]]
    assert run(commands[0]) == 0


def test_of_several_tables_of_a_database_the_repair_reads_the_one_that_it_names(tmp_path: Path, capsys):
    import sqlite3

    file = tmp_path / "runs.db"
    with sqlite3.connect(file) as database:
        for name in ("old", "runs"):
            database.execute(f"CREATE TABLE {name} (algorithm, task, seed, score)")
            database.executemany(
                f"INSERT INTO {name} VALUES (?, ?, ?, ?)", [line.split(",") for line in TIDY.split()[1:]]
            )
    database.close()
    error, commands = refused(capsys, "aggregate", str(file))
    assert error.startswith(f"error: {file}: 2 tables of this database may hold the runs ('old', 'runs'); name")
    assert (".." in error.replace(str(file), ""), [run(command) for command in commands]) == (False, [0])


@pytest.mark.parametrize(
    ("column", "names", "way"),
    [
        ("machine", ("beamline", "linac"), "task=machine"),
        ("netlist", ("007", "012"), "task=netlist"),
        ("netlist", ("7", "12"), "settings=netlist"),
    ],
)
def test_a_column_that_alone_tells_the_scores_of_runs_apart_is_offered_as_what_its_names_are(
    put, capsys, column, names, way
):
    rows = [f"{a},{n},{s},{s + i}.5" for i, (a, n) in enumerate((a, n) for a in "AB" for n in names) for s in (1, 2)]
    file = put("r.csv", "\n".join([f"method,{column},seed,score", *rows]))
    _, (first, *_) = refused(capsys, "aggregate", str(file))
    assert first[-1] == way
    if way.startswith("task"):
        assert run(first) == 0
        assert ro.load(file, columns={"task": column}).tasks == names


def test_a_machine_beside_tasks_is_where_a_run_was_made(put, capsys):
    rows = [f"{a},x,m{n},{s},{s + n}.5" for a in "AB" for n in (1, 2) for s in (1, 2)]
    file = put("r.csv", "\n".join(["method,task,machine,seed,score", *rows]))
    error, _ = refused(capsys, "aggregate", str(file))
    assert "'machine' is" not in error


@pytest.mark.parametrize(("won", "lost"), [("success", "fail"), ("yes", "no"), ("1", "0")])
def test_columns_of_outcomes_in_words_are_those_of_policies(put, won, lost):
    rows = [f"{i},{won if i % 2 else lost},{won},{lost}" for i in range(1, 5)]
    file = put("r.csv", "\n".join(["rollout,diffusion,act,ours", *rows]))
    scores = ro.read_scores(file, unit="episode")
    assert scores.to_dict() == {
        name: {"task": own} for name, own in {"act": [1.0] * 4, "diffusion": [1.0, 0.0] * 2, "ours": [0.0] * 4}.items()
    }


def test_a_column_of_outcomes_beside_the_score_of_episodes_still_parts_them(put):
    rows = [f"act,{i},{'yes' if i < 3 else 'no'},{'yes' if i % 2 else 'no'},{i}.5" for i in range(1, 5)]
    file = put("r.csv", "\n".join(["policy,rollout,cluttered,occluded,score", *rows]))
    with pytest.raises(ro.DataError, match="'cluttered' parts the episodes"):
        ro.read_scores(file, unit="episode")


def test_the_columns_of_the_only_table_of_a_database_are_asked_about(tmp_path: Path, capsys):
    import sqlite3

    file = tmp_path / "runs.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE results (algorithm, task, seed, profit)")
        database.executemany("INSERT INTO results VALUES (?, ?, ?, ?)", [("A", "x", i, i + 0.5) for i in (1, 2)])
    database.close()
    _, (first, *_) = refused(capsys, "aggregate", str(file))
    assert (first[2:], run(first)) == (["--columns", "score=profit"], 0)


def test_tables_of_a_database_without_a_score_are_named_and_a_database_without_tables_says_so(tmp_path: Path):
    import sqlite3

    for name, statements in {"two": ["CREATE TABLE a (x)", "CREATE TABLE b (y)"], "none": []}.items():
        with sqlite3.connect(tmp_path / f"{name}.db") as database:
            for statement in [*statements, "CREATE TABLE gone (x)", "DROP TABLE gone"]:
                database.execute(statement)
        database.close()
    with pytest.raises(ro.DataError, match="table='a' or table='b', whichever holds the scores"):
        ro.load(tmp_path / "two.db")
    with pytest.raises(ro.DataError, match="this database holds no table"):
        ro.load(tmp_path / "none.db")


def test_a_workbook_of_texts_and_numbers_says_nothing_beside_its_answer(tmp_path: Path, capfd):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [["algorithm", "task", "seed", "score", "note"], ["A", "x", 1, 1.5, "a"], ["A", "x", 2, 2.5, 7]]:
        book.active.append(row)
    book.save(tmp_path / "runs.xlsx")
    assert ro.load(tmp_path / "runs.xlsx").n_runs.tolist() == [[2]]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("head", ["task,PPO,PPO,A2C,A2C", "task,PPO,PPO.1,A2C,A2C.1"])
def test_columns_that_all_stand_there_equally_often_are_runs(put, head):
    rows = "\nx,1,2,3,4\ny,5,6,7,8\n"
    scores = ro.load(put("wide.csv", head + rows))
    assert scores.to_dict() == {"A2C": {"x": [3, 4], "y": [7, 8]}, "PPO": {"x": [1, 2], "y": [5, 6]}}


@pytest.mark.parametrize("head", ["task,PPO,PPO,A2C,TD3", "task,PPO,PPO.1,A2C,TD3"])
def test_columns_of_one_name_beside_others_are_refused_with_the_names_that_make_them_runs(put, head):
    rows = "\nx,1,2,3,4\ny,5,6,7,8\n"
    with pytest.raises(ro.DataError, match="runs of one algorithm, call them 'PPO_seed1' and 'PPO_seed2'"):
        ro.load(put("wide.csv", head + rows))


def test_successes_of_as_many_episodes_of_each_run_are_its_score(put):
    text = "algorithm,task,seed,success\nA,x,1,17/20\nA,x,2,18/20\nB,x,1,10/20\nB,x,2,5/20\n"
    scores = ro.load(put("runs.csv", text))
    assert scores.to_dict() == {"A": {"x": [0.85, 0.9]}, "B": {"x": [0.5, 0.25]}}
    assert "scores are shares of 20: 17/20 is 0.85" in scores.provenance.notes
    unlike = ro.load(put("unlike.csv", text.replace("5/20", "5/10")))
    assert unlike.to_dict()["B"] == {"x": [0.5, 0.5]}
    assert "scores are shares of 10 to 20: 17/20 is 0.85" in unlike.provenance.notes
    with pytest.raises(ro.DataError, match="which is not a number"):
        ro.load(put("more.csv", text.replace("5/20", "5/9")))


def test_shares_beside_policies_and_seeds_are_those_of_tasks(put):
    rows = "BC,1,17/20,4/20\nBC,2,17/20,5/15\nDP,1,10/20,6/20\nDP,2,18/20,6/20\n"
    scores = ro.load(put("rollouts.csv", f"Policy,Training run,Pick cube,Insert peg\n{rows}"))
    assert scores.to_dict()["BC"] == {"Pick cube": [0.85, 0.85], "Insert peg": [0.2, 1 / 3]}


HEADS = {
    "levels beside tasks": "env,Level-1,Level-2\nx,1,2\ny,3,4\n",
    "levels beside algorithms": "algo,Level-1,Level-2\nx,1,2\ny,3,4\n",
    "levels beside both": "env,algo,Level-1,Level-2\nx,A,1,2\nx,B,3,4\ny,A,1,3\ny,B,2,4\n",
    "levels alone": "Level-1,Level-2\n1,2\n3,4\n",
    "numbers beside both": "env,algo,PPO-1,PPO-2\nx,A,1,2\nx,B,3,4\ny,A,1,3\ny,B,2,4\n",
    "numbers beside algorithms": "algo,PPO-1,PPO-2\nA,1,2\nB,3,4\n",
    "names with runs beside algorithms": "algo,PPO_seed1,PPO_seed2,SAC_seed1,SAC_seed2\nA,1,2,3,4\nB,3,4,5,6\n",
    "names with runs alone": "PPO_seed1,PPO_seed2,SAC_seed1,SAC_seed2\n1,2,3,4\n3,4,5,6\n",
    "sizes beside algorithms": "algo,ViT_s1,ViT_s2,ViT_s4\nA,1,2,3\nB,3,4,5\n",
    "sizes alone": "ViT_s1,ViT_s2,ViT_s4\n1,2,3\n3,4,5\n",
    "numbers": "env,PPO-1,PPO-2,SAC-1,SAC-2\nx,1,2,3,4\ny,3,4,5,6\n",
}


@pytest.mark.parametrize("text", HEADS.values(), ids=HEADS)
def test_each_repair_of_heads_that_may_be_several_things_is_run_and_works(put, capsys, text):
    _, commands = refused(capsys, "scan", str(put("table.csv", text)))
    assert commands
    assert [run(command) for command in commands] == [0] * len(commands)


def test_two_blocks_of_the_same_names_are_no_runs(put):
    with pytest.raises(ro.DataError, match="'PPO' appears twice"):
        ro.load(put("wide.csv", "task,PPO,A2C,PPO,A2C\nx,1,2,300,400\ny,1,2,300,400\n"))


def test_an_id_of_runs_that_a_tracker_draws_names_them(put):
    rows = [f"{r}{a},{a},{k},{k + len(a)}" for a in ("base", "ours") for r in ("8e71", "9f2c") for k in (1, 2)]
    for head in ("run_uuid", "run_hash"):
        curves = ro.load(put(f"{head}.csv", "\n".join([f"{head},agent,frames,score", *rows])))
        assert curves.final().n_runs.tolist() == [[2], [2]]


def test_algorithms_that_begin_alike_in_a_column_of_algorithms_are_no_measures(put):
    rows = [f"{a},door,{s},{s}.5" for a in ("ppo-clip", "ppo-kl") for s in (0, 1)]
    assert ro.load(put("r.csv", "\n".join(["algo,env,seed,score", *rows]))).algorithms == ("ppo-clip", "ppo-kl")


def test_a_method_called_heuristic_heads_its_scores(put):
    rows = [f"ibm0{n},{s},-0.94,-0.8{s},-0.5{s}" for n in (1, 6) for s in (0, 1)]
    path = put("r.csv", "\n".join(["netlist,seed,heuristic,GNN-RL,attention-RL", *rows]))
    scores = ro.load(path, columns={"task": "netlist"})
    assert scores.algorithms == ("GNN-RL", "attention-RL", "heuristic")
    names = "\n".join(["heuristic,task,seed,score", *(f"{h},x,{s},{s}.5" for h in ("LPT", "SPT") for s in (0, 1))])
    assert ro.load(put("o.csv", names)).algorithms == ("LPT", "SPT")


def test_sheets_with_several_columns_of_numbers_are_tasks_first_and_runs_are_offered_beside_tasks(
    tmp_path, put, capsys
):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for name in ("Oven_ring", "Oven_forced"):
        sheet = book.create_sheet(name)
        for row in [["run", "SP", "FCP"], [1, 1.5, 2.5], [2, 2.5, 3.5]]:
            sheet.append(row)
    book.save(tmp_path / "r.xlsx")
    _, (first, *_) = refused(capsys, "aggregate", str(tmp_path / "r.xlsx"))
    assert first[-1] == "task=sheet"
    heads = "controller,season 1,season 2\nNFQ,1.5,2.5\nDDPG,2.5,3.5\n"
    _, commands = refused(capsys, "aggregate", str(put("s.csv", heads)))
    assert [command[-1] for command in commands] == ["task", "run"]
    assert run(commands[1]) == 0
