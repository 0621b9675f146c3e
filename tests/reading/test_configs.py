"""Runs of several configurations are never pooled: only `tuning` takes them."""

from __future__ import annotations

import pytest

import runoff as ro
from runoff.cli.app import run

HEAD = "algorithm,task,{},{},score\n"


def table(config: str = "config", run: str = "seed", unique: bool = False) -> str:
    rows = [f"{a},t,{c},{f'{a}{c}{j}' if unique else j},{c + j}\n" for a in "AB" for c in (1, 2) for j in (0, 1, 2)]
    return HEAD.format(config, run) + "".join(rows)


@pytest.mark.parametrize("config", ["config", "config_id", "hparams"])
@pytest.mark.parametrize("unique", [False, True])
def test_runs_of_several_configurations_are_refused_with_the_verb_that_takes_them(tmp_path, config, unique):
    (tmp_path / "runs.csv").write_text(table(config, unique=unique))
    with pytest.raises(
        ro.DesignError, match=r"A has 2 configurations, B has 2 configurations \('1', '2', …\).* tuning"
    ):
        ro.compare(tmp_path / "runs.csv")
    assert ro.tuning(tmp_path / "runs.csv").n_configs == {"A": 2, "B": 2}


def test_of_several_files_the_command_that_is_offered_names_each_and_no_column_that_one_may_lack(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    long = "long/" * 24 + "more.csv"
    (tmp_path / long).parent.mkdir(parents=True)
    for path, name in (("runs.csv", "A"), ("more.csv", "C"), (long, "C")):
        (tmp_path / path).write_text(table().replace("A", name).replace("B", name + "B"))
    for other, offered in (("more.csv", "runs.csv more.csv"), (long, "FILE")):
        assert run(["rank", "runs.csv", other]) == 2
        assert f"runoff tuning {offered} compares" in capsys.readouterr().err


def test_configurations_in_braces_are_refused_with_the_column_that_takes_them(tmp_path):
    (tmp_path / "runs.csv").write_text(table("hparams").replace(",t,", ",t,{lr}").replace("task,{lr}", "task,"))
    with pytest.raises(ro.DataError, match=r"or use columns={'config': 'hparams'} if it names configurations"):
        ro.tuning(tmp_path / "runs.csv")
    assert ro.tuning(tmp_path / "runs.csv", config="hparams").n_configs == {"A": 2, "B": 2}


def test_two_columns_of_configurations_are_settings_that_make_one(tmp_path, capsys):
    rows = [f"A,{lr},{width},{seed},{lr + width * seed}" for lr in (1, 2) for width in (8, 9) for seed in range(3)]
    (tmp_path / "runs.csv").write_text("\n".join(["algorithm,lr,width,seed,score", *rows, ""]))
    tuning = ["tuning", str(tmp_path / "runs.csv"), "--json"]
    assert run([*tuning, "--columns", "settings=lr,width"]) == 0
    settings = capsys.readouterr().out
    for words in (["--config", "lr", "--config", "width"], ["--config", "lr,width"]):
        assert run([*tuning, *words]) == 0
        assert capsys.readouterr().out == settings


def test_a_table_in_memory_is_read_as_one_in_a_file():
    columns = {"algorithm": list("AABB"), "config": [1, 2, 1, 2], "seed": [0, 1, 2, 3], "score": [1.0, 2.0, 3.0, 4.0]}
    with pytest.raises(ro.DesignError, match="2 configurations"):
        ro.compare(columns)


def test_a_setting_that_is_named_is_the_configuration_and_no_variant(tmp_path):
    (tmp_path / "runs.csv").write_text(table("lr"))
    scores = ro.read_scores(tmp_path / "runs.csv")
    assert (scores.n_algorithms, scores.variants().n_algorithms) == (2, 4)
    assert ro.tuning(tmp_path / "runs.csv", config="lr").rows == ro.tuning(scores).rows


def test_rows_without_runs_are_runs_of_their_configuration(tmp_path):
    rows = "".join(f"{a},{c},{c + j}\n" for a in "AB" for c in (1, 2) for j in (0, 1, 2))
    (tmp_path / "runs.csv").write_text("algorithm,config,score\n" + rows)
    assert ro.tuning(tmp_path / "runs.csv").rows[0].estimate == 2.5


def test_one_configuration_of_each_algorithm_is_no_sweep(tmp_path):
    (tmp_path / "runs.csv").write_text("algorithm,config,seed,score\nA,1,0,1\nA,1,1,2\nB,2,0,3\nB,2,1,5\n")
    assert ro.compare(tmp_path / "runs.csv").pairs[0].difference == -2.5


def test_without_an_algorithm_the_refusal_says_how_configurations_become_algorithms(tmp_path):
    (tmp_path / "t.csv").write_text("config_id,seed,score\n1,0,1\n1,1,1.5\n2,0,2\n2,1,2.5\n")
    with pytest.raises(ro.DesignError, match=r"columns={'algorithm': 'config_id'} if each is an algorithm"):
        ro.compare(tmp_path / "t.csv")
    assert ro.read_scores(tmp_path / "t.csv", columns={"algorithm": "config_id"}).n_algorithms == 2


def test_the_configuration_leaves_with_the_runs_and_comes_back(tmp_path):
    scores = ro.Scores.from_frame(
        {"algorithm": list("AAAA"), "config": list("xxyy"), "seed": [0, 1, 0, 1], "score": [1.0, 2.0, 3.0, 5.0]}
    )
    frame = scores.to_frame()
    assert frame["config"].to_list() == list("xxyy")
    assert ro.Scores.from_frame(frame) == scores


def test_files_of_one_folder_are_joined_with_their_configurations(tmp_path):
    for name, configs in (("PPO", (1, 2)), ("SAC", (3,))):
        rows = "".join(f"{c},{j},{c + j}\n" for c in configs for j in (0, 1))
        (tmp_path / f"{name}.csv").write_text("config,seed,score\n" + rows)
    assert ro.tuning(tmp_path).n_configs == {"PPO": 2, "SAC": 1}


def test_learning_curves_keep_their_configurations_to_the_end(tmp_path):
    rows = "".join(f"A,{c},{j},{s},{c + j + s}\n" for c in (1, 2) for j in (0, 1) for s in (10, 20))
    (tmp_path / "curves.csv").write_text("algorithm,config,seed,step,score\n" + rows)
    assert ro.tuning(tmp_path / "curves.csv").rows[0].estimate == 22.0
    with pytest.raises(ro.DesignError, match="2 configurations"):
        ro.curves(tmp_path / "curves.csv")


def test_configurations_that_are_known_by_their_name_are_noted(put):
    file = put("runs.csv", "configuration,seed,return\nA,1,5\nA,2,6\nB,1,7\nB,2,8\n")
    notes = ro.load(file).provenance.notes
    assert any("column 'configuration' names configurations of an algorithm" in note for note in notes)
    assert not any(
        "names configurations" in note for note in ro.load(file, columns={"config": "configuration"}).provenance.notes
    )
    assert ro.load(file, columns={"algorithm": "configuration"}).algorithms == ("A", "B")
