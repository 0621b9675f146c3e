"""`runoff scan` and `runoff convert`: what is there, and the same as one table."""

from __future__ import annotations

import json
import shlex

import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.reading.preview import preview
from tests.golden import transcripts
from tests.places import LOGS
from tests.refusals import n_sentences


def test_scan_prints_a_line_for_the_runs_of_each_algorithm_on_each_task(capsys):
    assert run(["scan", str(LOGS / "stable_baselines3")]) == 0
    out = capsys.readouterr().out
    assert "4 runs of 2 algorithms on 1 task, written by Stable-Baselines3" in out
    assert all(
        part in out
        for part in ("ppo", "CartPole-v1", "1001, 1002", "1024", "eval/mean_reward", "there are also 'monitor/reward'")
    )


def test_scan_prints_the_records_of_the_library_as_json(capsys):
    assert run(["scan", str(LOGS / "spinningup"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["records"] == json.loads(
        json.dumps(ro.scan(LOGS / "spinningup").to_records())
    )


def test_a_pattern_names_the_runs(capsys):
    assert run(["scan", str(LOGS / "spinningup"), "--pattern", "{algorithm}_{task}/*_s{run}", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)["records"]
    assert {(record["algorithm"], record["task"], record["run"]) for record in records} == {
        (a, "ant", s) for a in ("sac", "td3") for s in ("0", "10")
    }


def test_runs_without_the_series_of_the_others_show_their_own_in_brackets(capsys):
    assert run(["scan", str(LOGS / "tensorboard")]) == 0
    assert "(charts/episodic_return)" in capsys.readouterr().out


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".csv"])
def test_import_writes_a_file_that_is_read_as_the_same_curves(tmp_path, capsys, suffix):
    out = tmp_path / f"runs{suffix}"
    assert run(["convert", str(LOGS / "rllib"), "-o", str(out), "--series", "episode_return_mean"]) == 0
    printed = capsys.readouterr().out
    assert f"{out}: 2 runs of 1 algorithm on 1 task" in printed
    assert "steps are counted by 'num_env_steps_sampled_lifetime'" in printed
    assert ro.read_curves(out).to_frame().equals(ro.read_curves(LOGS / "rllib").to_frame())


def test_a_series_is_named_beside_other_columns(tmp_path):
    (tmp_path / "runs.csv").write_text("who,seed,loss,extra\nA,0,9,1.5\nA,1,8,2.5\n")
    out = str(tmp_path / "out.csv")
    assert (
        run(["convert", str(tmp_path / "runs.csv"), "--columns", "algorithm=who", "--series", "extra", "-o", out]) == 0
    )
    assert ro.load(out).to_dict() == {"A": {"task": [1.5, 2.5]}}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["scan", "nosuch"], "there is no such file or folder"),
        (["convert", str(LOGS / "rllib"), "-o", "runs.xlsx"], "must end in .parquet, .feather, .csv"),
        (
            ["convert", str(LOGS / "rllib"), "-o", "nosuch/runs.csv"],
            "the table nosuch/runs.csv cannot be written: No such file",
        ),
        (["convert", str(LOGS / "rllib"), "-o", "runs.csv", "--series", "nosuch"], "no run has a series 'nosuch'"),
    ],
)
def test_a_refusal_is_one_sentence_and_leaves_no_file(arguments, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert (sentence in captured.err, captured.out, n_sentences(captured.err), list(tmp_path.iterdir())) == (
        True,
        "",
        1,
        [],
    )


def test_import_overwrites_nothing_unless_forced_and_writes_no_formulas(tmp_path, capsys):
    rows = [
        f"{name},t,{run},{step},{score}"
        for name in ("=1+1", "B")
        for run in ("-1", "+x")
        for step, score in ((1, 2), (2, 3))
    ]
    table = tmp_path / "runs.csv"
    table.write_text("\n".join(["algorithm,task,run,step,score", *rows]) + "\n")
    assert run(["convert", str(table), "-o", str(table)]) == 2
    assert "is not overwritten" in capsys.readouterr().err
    assert run(["convert", str(table), "-o", str(table), "--force"]) == 0
    assert {line.split(",")[0] for line in table.read_text().splitlines()[1:]} == {"'=1+1", "B"}
    assert {line.split(",")[2] for line in table.read_text().splitlines()[1:]} == {"-1", "'+x"}


# ── tables ──────────

TABLES = {
    "tidy.csv": "agent,env,seed,ret\nPPO,x,1,1\nPPO,x,2,2\nA2C,x,1,3\nA2C,x,2,4\n",
    "wide.csv": "task,seed,PPO,A2C,gpu_hours\nx,1,1,3,7\nx,2,2,4,7\n",
    "heads.csv": "task,PPO_seed1,PPO_seed2,A2C_seed1,A2C_seed2\nx,1,2,3,4\n",
    "curves.csv": "agent,env,seed,step,ret\n"
    + "".join(f"{a},x,1,{s}000,{s}\n" for a in ("PPO", "A2C") for s in (1, 2, 3)),
    "values.json": '{"x": {"PPO": [1, 2], "Ours": [3, 4]}}',
    "runs/PPO/x.csv": "seed,score\n1,1\n2,2\n",
    "notes/PPO.csv": "task,score\nx,1\n",
}


@pytest.mark.parametrize("name", TABLES)
def test_scan_of_tables_shows_how_they_are_read_and_its_line_reads_the_same(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    for other in (name, name.replace("PPO", "A2C")):
        (tmp_path / other).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / other).write_text(TABLES[name])
    place = name.split("/")[0]
    assert run(["scan", place]) == 0
    out = capsys.readouterr().out
    (line,) = [line for line in out.splitlines() if line.startswith("  runoff scan")]
    assert run(shlex.split(line)[1:]) == 0
    again = capsys.readouterr().out
    tables = [text.split("What is read")[0].split("First rows")[1] for text in (out, again)]
    assert (tables[0], "PPO" in tables[0]) == (tables[1], True)


WHAT_IS_READ = ("records", "algorithms", "tasks", "n_runs")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tables", "layouts", "formats"])
def test_the_line_of_each_scan_of_a_transcript_reads_the_same_runs_again(tmp_path, monkeypatch, name):
    printed_by, read, other = transcripts.printed_by, [], []

    def compared(command: str) -> str:
        answer = printed_by(command) if command.startswith("runoff scan") and "--json" not in command else ""
        for line in [line for line in answer.splitlines() if line.startswith("  runoff scan")]:
            if "exit 2" not in answer:
                read.append(line)
                first, second = (
                    json.loads(printed_by(f"{call} --json").partition("\n! ")[0]) for call in (command, line)
                )
                other.extend([line] if any(first[key] != second[key] for key in WHAT_IS_READ) else [])
        return ""

    monkeypatch.setattr(transcripts, "printed_by", compared)
    transcripts.answered(transcripts.kept(name), tmp_path)
    assert len(read) > 5
    assert other == []


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("algo,seed,score\nPPO,1,1\nPPO,1,3\n", ["--duplicates", "mean"]),
        ("algo,env,seed,loss\nPPO,x,1,1\nPPO,x,2,3\n", ["--columns", "score=loss", "--lower-is-better"]),
        ("algo,seed,score,state\nPPO,1,1,finished\nPPO,2,3,failed\nPPO,3,4,finished\n", ["--incomplete", "drop"]),
        ("algo,seed,lr,score\nPPO,1,0.1,1\nPPO,2,0.1,3\nPPO,1,0.2,1\nPPO,2,0.2,3\n", []),
    ],
)
def test_the_line_of_scan_has_the_options_of_the_call_and_no_column_that_was_made(tmp_path, capsys, text, options):
    file = tmp_path / "runs.csv"
    file.write_text(text)
    assert run(["scan", str(file), *options]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  runoff scan")]
    assert {*options} <= {*shlex.split(line)}
    assert "config" not in line
    assert run(shlex.split(line)[1:]) == 0


def test_scan_counts_what_compare_would_read_and_another_column_changes_it(tmp_path, capsys):
    file = tmp_path / "runs.csv"
    file.write_text(
        "agent,env,map,seed,ret,cost\n" + "".join(f"PPO,x,m{m},{s},{s},{m}\n" for m in (1, 2) for s in (1, 2))
    )
    columns = ["--columns", "task=env/map", "--columns", "score=cost"]
    assert run(["scan", str(file), *columns, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["n_runs"], answer["tasks"], answer["columns"]["score"]) == (4, ["x/m1", "x/m2"], "cost")
    row = {"algorithm": "PPO", "n_tasks": 2, "n_runs": 4, "fewest": 2, "most": 2, "lowest": 1.0, "highest": 2.0}
    assert answer["algorithms"] == [row]


def test_scan_shows_the_lowest_and_the_highest_score_of_each_algorithm(tmp_path):
    file = tmp_path / "runs.csv"
    file.write_text("algorithm,run,score\nA,1,1.5\nA,2,2.5\nA,3,2\nB,1,-7\nB,2,3\nB,3,0\n")
    _, counts = preview(file).tables()
    ends = {column.key: list(column.cells) for column in counts.columns}
    assert (ends["lowest"], ends["highest"]) == (["1.5", "-7"], ["2.5", "3"])


def test_scan_of_a_table_that_cannot_be_read_prints_the_repair(tmp_path, capsys):
    file = tmp_path / "runs.csv"
    file.write_text("algorithm,task,commit,score\n" + "".join(f"A,x,c{i % 2},{i}\n" for i in range(4)))
    assert run(["scan", str(file)]) == 2
    assert f"  runoff scan {file} --columns task=task/commit" in capsys.readouterr().err.splitlines()
    assert run(["scan", str(file), "--columns", "task=task/commit"]) == 0


def test_scan_of_tables_that_a_logger_wrote_says_what_compare_says(tmp_path, capsys):
    for name in ("DQN_seed0", "PPO_seed0"):
        (tmp_path / f"{name}.csv").write_text(
            "train/global_step,eval/mean_fitness,eval/best_fitness\n1000,1,2\n2000,3,4\n"
        )
    refusals = []
    for verb in ("scan", "compare"):
        assert run([verb, str(tmp_path)]) == 2
        refusals.append(capsys.readouterr().err.replace(f"runoff {verb}", "runoff"))
    assert refusals[0] == refusals[1]
    assert "--columns score=eval/mean_fitness" in refusals[0]
    assert run(["scan", str(tmp_path), "--columns", "score=eval/mean_fitness"]) == 0
    assert "2 runs of 2 algorithms on 1 task with learning curves" in capsys.readouterr().out


def test_several_tables_are_shown_as_they_are_read_together(tmp_path, capsys):
    for name in ("base", "tuned"):
        (tmp_path / f"{name}.csv").write_text(f"model,question,correct\n{name},q0,1\n{name},q1,0\n", encoding="utf-8")
    paths = [str(tmp_path / f"{name}.csv") for name in ("base", "tuned")]
    assert run(["scan", *paths]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "4 runs of 2 algorithms on 2 tasks" in printed
    assert f"runoff scan {' '.join(paths)} --columns algorithm=model" in printed
