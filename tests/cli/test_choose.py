"""Options that choose: other names, some algorithms and tasks, and what the end score of a run is."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from runoff.cli.app import run

FAST = ["--n-resamples", "200"]


@pytest.fixture
def curves(tmp_path) -> str:
    """PPO, ppo and "SAC, tuned" on two tasks, three runs each, evaluated at 10 and 20; one run of ppo ends at 10."""
    lines = ["algo,env,seed,step,score"]
    for a, name in enumerate(("PPO", "ppo", '"SAC, tuned"')):
        for t, task in enumerate(("atari_alien", "Carnival")):
            for seed in range(3):
                lines += [f"{name},{task},{seed},{step},{100 * a + 10 * t + seed + step}" for step in (0, 10, 20)]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(line for line in lines if line != "ppo,Carnival,2,20,132") + "\n")
    return str(path)


def answer_to(capsys, *words: str) -> tuple[int, str, str]:
    """Return the exit code, what was answered and what was said."""
    code = run([*words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def estimates(out: str) -> dict[str, float]:
    return {record["algorithm"]: record["estimate"] for record in json.loads(out)["records"]}


def test_some_algorithms_and_tasks_are_asked_about(curves, capsys):
    words = [
        "aggregate",
        curves,
        "--algorithms",
        "SAC, tuned",
        "--algorithms",
        "PPO",
        "--tasks",
        "Carnival",
        "--measure",
        "mean",
        "--json",
    ]
    code, out, _ = answer_to(capsys, *words)
    assert code == 0
    assert estimates(out) == {"SAC, tuned": 231.0, "PPO": 31.0}


def test_comma_separated_names_are_several(curves, capsys):
    code, out, _ = answer_to(
        capsys, "aggregate", curves, "--algorithms", "PPO,ppo", "--tasks", "atari_alien", "--measure", "mean", "--json"
    )
    assert code == 0
    assert estimates(out) == {"PPO": 21.0, "ppo": 121.0}


def test_what_is_left_out_is_not_asked_to_be_complete(curves, capsys):
    assert answer_to(capsys, "compare", curves, "--tasks", "atari_alien", "--incomplete", "error", *FAST)[0] == 0
    code, _, err = answer_to(capsys, "compare", curves, "--incomplete", "error", *FAST)
    assert code == 2
    assert "algorithm 'ppo', task 'Carnival', run '2' at step 10 of 20 (50%) is no end score" in err


def test_end_scores_are_those_that_were_asked_for(curves, capsys):
    common = ["aggregate", curves, "--algorithms", "PPO", "--tasks", "Carnival", "--measure", "mean", "--json"]
    assert estimates(answer_to(capsys, *common, "--last", "2")[1]) == {"PPO": 26.0}
    assert estimates(answer_to(capsys, *common, "--at", "5")[1]) == {"PPO": 16.0}


@pytest.mark.parametrize(("policy", "runs"), [("drop", 2), ("carry", 3)])
def test_runs_that_ended_early_are_treated_as_asked_and_named(curves, capsys, policy, runs):
    code, out, _ = answer_to(
        capsys, "compare", curves, "--algorithms", "ppo,PPO", "--tasks", "Carnival", "--incomplete", policy, *FAST
    )
    assert code == 0
    assert "1 of 6 runs ended early" in " ".join(out.split()).split("warning R019 finish such runs")[1]
    assert f" ppo {runs}" in " ".join(out.split())


def test_new_names_and_all_that_was_chosen_stand_in_the_report(curves, tmp_path, undrawn, capsys):
    words = ["--rename", "ppo=PPO", "--merge", "--rename", "SAC, tuned=SAC", "--tasks", "atari_alien", "--last", "2"]
    code, out, _ = answer_to(capsys, "report", curves, "-o", str(tmp_path / "rep"), "--json", *words, *FAST)
    assert code == 0
    results = json.loads(out)
    assert results["data"]["algorithms"] == ["PPO", "SAC"]
    assert results["data"]["n_runs"] == [[6], [3]]
    notes = " | ".join(results["data"]["notes"])
    for part in (
        "'ppo' is called 'PPO', 'SAC, tuned' is called 'SAC'",
        "1 of 2 tasks left out by request: Carnival",
        "last 2 evaluations",
    ):
        assert part in notes
    assert "--rename ppo=PPO --rename 'SAC, tuned=SAC' --merge --tasks atari_alien --last 2" in results["command"]


def test_tasks_without_a_reference_are_left_out_when_asked(curves, capsys):
    words = ["aggregate", curves, "--algorithms", "PPO", "--normalize", "atari", "--assume-raw"]
    code, _, err = answer_to(capsys, *words)
    assert (code, "task 'Carnival' has no reference scores" in err) == (2, True)
    code, out, _ = answer_to(capsys, *words, "--unreferenced", "drop")
    assert code == 0
    assert "1 of 2 tasks have no reference scores in 'atari' and are left out: Carnival" in out
    assert "'atari_alien' as 'Alien'" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--rename", "ppo"], "--rename takes OLD=NEW, not 'ppo'"),
        (["--rename", "pppo=x"], r"there is no algorithm or task 'pppo'. Did you mean 'ppo'?"),
        (["--rename", "ppo=a,ppo=b"], "--rename gives the algorithm 'ppo' two names, 'a' and 'b'"),
        (["--rename", "ppo=PPO"], "'PPO' and 'ppo' would both be named 'PPO'"),
        (["--tasks", "Carnivel"], "there is no task 'Carnivel' in these scores. Did you mean 'Carnival'?"),
        (["--last", "2", "--at", "5"], "--last and --at both define the score of a run"),
        (["--last", "9", "--incomplete", "carry"], "has fewer than 9 evaluation(s)"),
        (
            ["--incomplete", "dorp"],
            "incomplete must be one of auto, error, drop, carry, worst, complete, carry_forward, not 'dorp'. Did you mean 'drop'?",
        ),
        (
            ["--unreferenced", "drop", "--incomplete", "carry"],
            "--unreferenced says what to do with tasks that --normalize does not know",
        ),
        (["--single-value", "foe", "--incomplete", "carry"], "--single-value must be one of line, tested, not 'foe'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(curves, capsys, words, sentence):
    code, out, err = answer_to(capsys, "compare", curves, *words)
    assert (code, out) == (2, "")
    assert sentence in " ".join(err.split())


def test_end_scores_have_no_learning_curve(tmp_path, capsys):
    path = tmp_path / "final.csv"
    ro.Scores.from_dict({"A": [1.0, 2.0], "B": [3.0, 4.0]}).to_frame().write_csv(path)
    for option in ("--last", "--at"):
        code, _, err = answer_to(capsys, "compare", str(path), option, "3")
        assert code == 2
        assert f"{option} is for learning curves, but {path} has one score per run" in " ".join(err.split())


def test_a_name_that_both_have_must_be_told_apart(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    ro.Scores.from_dict({"A": {"A": [1.0, 2.0]}, "B": {"A": [3.0, 4.0]}}).to_frame().write_csv(path)
    code, _, err = answer_to(capsys, "compare", str(path), "--rename", "A=C")
    assert (code, "the algorithm 'A' or the task 'A'; write algorithm:OLD=NEW" in " ".join(err.split())) == (2, True)
    assert "\nC  " in answer_to(capsys, "compare", str(path), "--rename", "algorithm:A=C", *FAST)[1]


def test_a_name_may_contain_the_sign_of_equality(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    ro.Scores.from_dict({"lr=0.1": [1.0, 2.0], "lr=0.2": [3.0, 4.0]}).to_frame().write_csv(path)
    out = answer_to(capsys, "compare", str(path), "--rename", "lr=0.1=slow", *FAST)[1]
    assert "\nslow  " in out


def test_a_single_value_is_tested_when_asked(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    ro.Scores.from_dict({"A": [1.0, 2.0], "B": [3.0, 4.0], "Paper": [9.0]}).to_frame().write_csv(path)
    assert "info R021 'Paper' has a single value" in answer_to(capsys, "compare", str(path), *FAST)[1]
    assert "R021" in answer_to(capsys, "rank", str(path))[1]
    assert "R021" not in answer_to(capsys, "rank", str(path), "--single-value", "tested")[1]


def test_two_names_are_exchanged_with_all_that_is_said_of_them(tmp_path, capsys):
    path = tmp_path / "curves.csv"
    path.write_text("algo,run,step,score\n" + "A,0,7,1\nA,1,7,2\nB,0,5,3\nB,0,7,3\nB,1,5,4\nB,1,7,4\n")
    shown = " ".join(answer_to(capsys, "compare", str(path), "--rename", "A=B,B=A", *FAST)[1].split())
    assert "B 2 runs: 1 to 2 7 to 7, 1 per run A 2 runs: 3 to 4 5 to 7, 2 per run" in shown


def test_standard_input_is_read_once(capsys):
    code, _, err = answer_to(capsys, "compare", "-", "-")
    assert (code, "standard input (-) is named twice" in err) == (2, True)


def test_scores_that_look_normalised_are_normalised_by_request_alone(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    rows = [f"{a},{t},{run},{run / 10}" for a in "AB" for t in ("Pong", "Qbert") for run in range(3)]
    path.write_text("\n".join(["algorithm,task,seed,score", *rows, ""]))
    words = ["aggregate", str(path), "--normalize", "atari", "--measure", "mean", "--json"]
    assert run(words) == 2
    assert "looks normalised already" in capsys.readouterr().err
    assert run([*words, "--assume-raw"]) == 0
    expected = ro.aggregate(ro.load(path).normalize("atari", assume_raw=True), measure="mean").to_records()
    assert json.loads(capsys.readouterr().out)["records"] == expected
