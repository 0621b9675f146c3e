"""`runoff keep`: exit codes, the sentence, what is read, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.reading.results_log import read_search
from tests.places import ROOT

BASE = [0.21, -1.32, 0.64, 0.105, -0.54, 0.36, 1.3, 0.95]


@pytest.fixture
def night(tmp_path, capsys):
    """A ledger whose champion has its runs, and a folder for candidates."""
    written(tmp_path / "base.txt", BASE)
    assert run(["keep", str(tmp_path / "night.jsonl"), "--champion", str(tmp_path / "base.txt")]) == 0
    capsys.readouterr()
    return tmp_path / "night.jsonl"


def written(path, scores):
    path.write_text("".join(f"{score!r}\n" for score in scores), encoding="utf-8")
    return str(path)


def test_runs_are_asked_for_with_exit_code_3(tmp_path, capsys):
    base = written(tmp_path / "base.txt", BASE[:1])
    assert run(["keep", str(tmp_path / "night.jsonl"), "--champion", base]) == 3
    assert capsys.readouterr().out.startswith("Run 7 more of the champion base")


def test_a_discard_has_exit_code_1_and_says_what_the_mode_promises(night, tmp_path, capsys):
    assert run(["keep", str(night), written(tmp_path / "wider.txt", [-2.5])]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith("Discard wider: it is 2.71 behind the champion in the screening")
    assert "Strict: any false keep in at most 10 % of searches, whenever one stops." in out


def test_a_keep_has_exit_code_0_and_the_record_follows(night, tmp_path, capsys):
    better = written(tmp_path / "better.txt", [5 + x / 3 for x in (*BASE, 0.123, -0.2)])
    fresh = written(tmp_path / "base.txt", [*BASE, *(x / 2 for x in BASE), *(x / 3 for x in BASE[:4])])
    assert run(["keep", str(night), better, "--champion", fresh]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith("Keep better: it is ")
    assert "Before the next candidate run better 4 times more." in out
    assert run(["keep", str(night)]) == 3
    assert "Run 4 more of the champion better" in " ".join(capsys.readouterr().out.split())


def test_bad_input_has_exit_code_2_and_the_call_that_is_lacking(tmp_path, capsys):
    assert run(["keep", str(tmp_path / "night.jsonl"), written(tmp_path / "wider.txt", [1.0])]) == 2
    assert "has no champion yet: give its runs first, runoff keep" in capsys.readouterr().err


def test_json_has_the_decision_the_runs_to_make_and_the_proposals(night, tmp_path, capsys):
    assert run(["keep", str(night), written(tmp_path / "a.txt", [9.5]), "--json"]) == 3
    answer = json.loads(capsys.readouterr().out)
    assert (answer["decision"], answer["n_candidate"], answer["n_champion"]) == ("run_more", 1, 0)
    assert [(row["candidate"], row["reason"]) for row in answer["records"]] == [("a", "screening")]
    assert answer["data"]["algorithms"] == ["a"]


def test_the_record_alone_writes_nothing(night, capsys):
    before = night.read_bytes()
    assert run(["keep", str(night), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["champion"] == "base"
    assert night.read_bytes() == before


LOG = (
    "commit\tval_bpb\tmemory_gb\tstatus\tdescription\na1\t0.9979\t44.0\tkeep\tbaseline\n"
    "b2\t0.9932\t44.2\tkeep\tincrease LR\nc3\t1.005\t44.0\tdiscard\tGeLU\nd4\t0.0\t0.0\tcrash\tdouble width\n"
)


def test_the_log_of_a_loop_is_read_with_its_baseline_as_the_champion(tmp_path, capsys):
    log, night = tmp_path / "results.tsv", tmp_path / "night.jsonl"
    again = "".join(
        f"a1\t{score}\t44.0\tkeep\tagain\n" for score in (0.9981, 0.9975, 0.9969, 0.9984, 0.9972, 0.9977, 0.9966)
    )
    log.write_text(LOG + again, encoding="utf-8")
    assert run(["keep", str(night), str(log), "--lower-is-better", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["champion"] == "a1"
    decisions = {row["candidate"]: (row["decision"], row["reason"]) for row in answer["records"]}
    assert decisions == {"b2": ("run_more", "screening"), "c3": ("discard", "screened")}
    assert any("1 change that crashed" in note for note in answer["notes"])
    with log.open("a", encoding="utf-8") as file:
        file.write("b2\t0.9941\t44.2\tkeep\tagain\n")
    assert run(["keep", str(night), str(log)]) == 3
    assert capsys.readouterr().out.startswith("Run 1 more of b2 and 1 of the champion a1")


@pytest.mark.parametrize("size", ["memory_gb", "time_s", "seconds", "step", "params_m", "description"])
def test_the_score_of_a_log_is_no_size_that_stands_before_it(tmp_path, size):
    log = tmp_path / "results.tsv"
    log.write_text(f"commit\t{size}\tval_bpb\tstatus\na1\t44\t0.9979\tkeep\n", encoding="utf-8")
    assert read_search(log).cell("a1", 0).tolist() == [-0.9979]


@pytest.mark.parametrize("head", ["val_bpb", "val_loss", "score ↓", "score (lower is better)"])
@pytest.mark.parametrize("suffix", ["tsv", "csv"])
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_a_cost_is_kept_where_it_is_lower_without_a_word(tmp_path, head, suffix):
    rows = [
        (name, level + 0.01 * k) for name, level in (("base", 1.0), ("worse", 1.5), ("wider", 0.5)) for k in range(20)
    ]
    file, end = tmp_path / f"results.{suffix}", ["", "\tkeep"][suffix == "tsv"]
    text = "".join(f"{name}\t{k % 20}\t{score}{end}\n" for k, (name, score) in enumerate(rows))
    file.write_text(
        (f"commit\tstep\t{head}\tstatus\n" if end else f"algorithm\tseed\t{head}\n") + text, encoding="utf-8"
    )
    if not end:
        file.write_text(file.read_text(encoding="utf-8").replace("\t", ","), encoding="utf-8")
    runs, night = (read_search(file) if end else ro.load(file)), ro.Ledger(tmp_path / "night.jsonl")
    night.champion(runs.select(algorithms="base"))
    decisions = {name: night.propose(runs.select(algorithms=name)).decision for name in ("worse", "wider")}
    assert decisions == {"worse": "discard", "wider": "keep"}
    with pytest.raises(ro.DesignError, match="are read as costs, by lower_is_better= or by the name of their column"):
        ro.Ledger(tmp_path / "other.jsonl", lower_is_better=False).champion(runs.select(algorithms="base"))


def test_a_folder_of_runs_is_read_as_everywhere(night, tmp_path, capsys):
    folder = tmp_path / "runs"
    folder.mkdir()
    frame = ro.Scores.from_dict({"wider": {"task": [4.5, 4.25]}}).to_frame()
    frame.write_csv(folder / "wider.csv")
    assert run(["keep", str(night), str(folder)]) == 3
    assert "confirmation 1 may spend 0.017" in " ".join(capsys.readouterr().out.split())


def test_other_options_than_the_ledger_has_are_refused(night, tmp_path, capsys):
    assert run(["keep", str(night), written(tmp_path / "a.txt", [1.0]), "--mode", "gain"]) == 2
    assert "has mode 'strict', not 'gain'" in capsys.readouterr().err


def test_a_level_of_the_project_is_not_that_of_a_search(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runoff.toml").write_text("alpha = 0.01\n", encoding="utf-8")
    assert run(["keep", "night.jsonl", "--champion", written(tmp_path / "base.txt", BASE), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["alpha"] == 0.1


def test_settings_of_a_file_may_not_change(night, tmp_path, capsys):
    config, runs = tmp_path / "config.yaml", tmp_path / "a.txt"
    config.write_text("lr: 1\n", encoding="utf-8")
    call = ["keep", str(night), written(runs, [9.5]), "--settings", str(config)]
    assert run(call) == 3
    config.write_text("lr: 2\n", encoding="utf-8")
    written(runs, [9.5, float(np.pi)])
    assert run(call) == 2
    assert "the settings of 'a' changed between its runs" in capsys.readouterr().err


@pytest.mark.parametrize("tool", ["wandb", "mlflow"])
def test_a_group_of_runs_of_a_tracker_is_a_champion(tool, tmp_path, capsys):
    logs = str(ROOT / "tests" / "data" / "logs" / tool)
    assert run(["keep", str(tmp_path / "night.jsonl"), "--champion", logs, "--algorithms", "ppo", "--json"]) == 3
    answer = json.loads(capsys.readouterr().out)
    assert answer["n_champion"] == 8 - answer["n_runs"] > 0
    assert answer["champion"] == answer["data"]["algorithms"][0]


def test_which_of_several_algorithms_is_the_champion_is_asked(tmp_path, capsys):
    file, night = tmp_path / "runs.csv", str(tmp_path / "night.jsonl")
    scores = {"champ": 1.0, "cand": 2.0, "bad": 0.0}
    rows = [f"{name},{k},{level + 0.01 * k}\n" for name, level in scores.items() for k in range(8)]
    file.write_text("algorithm,seed,score\n" + "".join(rows), encoding="utf-8")
    assert run(["keep", night, str(file)]) == 2
    error = capsys.readouterr().err
    assert "which of bad, cand and champ it is the order of names does not say" in error
    assert run(["keep", night, "--champion", str(file), "--algorithms", "champ", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["champion"] == "champ"
