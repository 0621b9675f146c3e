"""The front door: options, provenance, curves where scores are asked for."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

import runoff as ro
from runoff.reading import read

CURVES = "algo,env,seed,global_step,return,success\nPPO,Pong,0,0,1,0\nPPO,Pong,0,10,5,1\nPPO,Pong,1,0,2,0\nPPO,Pong,1,10,7,1\n"
SCORES = "algorithm,task,run,score\nPPO,Pong,0,18\nPPO,Pong,1,20\n"


def test_a_file_of_curves_gives_the_last_evaluation_and_says_so(put):
    scores = ro.read_scores(put("runs.csv", CURVES))
    assert scores.cell("PPO", "Pong").tolist() == [5.0, 7.0]
    assert "the score of a run is the last evaluation of its learning curve" in scores.provenance.notes
    assert ("step", "global_step") in scores.provenance.columns


def test_metric_chooses_the_score_of_curves(put):
    file = put("runs.csv", CURVES)
    curves = ro.read_curves(file, series="success")
    assert curves.final().cell("PPO", "Pong").tolist() == [1.0, 1.0]
    with pytest.raises(ro.OptionError, match="named for one role, the score"):
        ro.read_curves(file, series="success", columns={"score": "return"})


def test_costs_are_negated_and_the_note_says_so(put):
    scores = ro.read_scores(put("runs.csv", SCORES), lower_is_better=True)
    assert scores.cell("PPO", "Pong").tolist() == [-18.0, -20.0]
    assert any("negated" in note for note in scores.provenance.notes)
    assert ro.read_scores(put("curves.csv", CURVES), lower_is_better=True).values.tolist() == [-5.0, -7.0]


def test_the_origin_is_the_path_as_given_and_the_digest_of_the_bytes(put):
    file = put("runs.csv", SCORES)
    origin = ro.read_scores(str(file)).provenance
    assert (origin.path, origin.format) == (str(file), "csv")
    assert origin.sha256 == hashlib.sha256(SCORES.encode()).hexdigest()


def test_the_digest_of_a_folder_depends_on_names_and_bytes_not_on_where_it_lies(put):
    digests = set()
    for folder, name, score in [("a", "x", 1), ("b", "x", 1), ("c", "y", 1), ("d", "x", 2)]:
        put(f"{folder}/{name}.json", f'{{"Pong": [{score}]}}')
        digests.add(ro.read_scores(put(f"{folder}/z.json", '{"Pong": [1]}').parent).provenance.sha256)
    assert len(digests) == 3


def test_a_given_format_wins_over_the_suffix(put):
    assert ro.read_scores(put("SAC.csv", "1\n2\n"), format="text").cell("SAC", "task").tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"format": "cvs"}, r"format must be one of auto, .*not 'cvs'. Did you mean 'csv'\?"),
        ({"columns": {"scores": "score"}}, r"not 'scores'. Did you mean 'score'\?"),
        ({"columns": {"score": "scor"}}, r"no column 'scor' to be the score; .* Did you mean 'score'\?"),
    ],
)
def test_unknown_options_suggest_the_nearest(put, options, sentence):
    with pytest.raises(ro.OptionError, match=sentence):
        ro.read_scores(put("runs.csv", SCORES), **options)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (SCORES, "no column is recognised as the step"),
        (CURVES.replace("seed", "x"), "no column names the runs, and column 'x' repeats 2 values"),
        (CURVES.replace("0,10,5", "0,0,5"), "run '0', step 0 appears twice, in line 2 and line 3"),
        (CURVES.replace("0,10,5", "0,ten,5"), "line 3: the step .*'ten'"),
        ("step,PPO,A2C\n0,1,2\n", "no column is recognised as the score; learning curves"),
    ],
)
def test_bad_curves_are_refused(put, content, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.read_curves(put("runs.csv", content))


def test_many_clean_rows_take_the_quick_path_and_keep_their_values(put):
    n = 20_000
    values = np.random.default_rng(0).normal(size=n)
    rows = "".join(f"A{i % 7},T{i % 3},{i},{float(v)!r}\n" for i, v in enumerate(values))
    scores = ro.read_scores(put("runs.csv", "algorithm,task,run,score\n" + rows))
    assert np.array_equal(np.sort(scores.values), np.sort(values))


def test_the_shipped_example_is_real_runs():
    if "classic_control" not in read._shipped():
        pytest.skip("the data set is not made yet")
    curves = ro.load_example("classic_control")
    assert len(curves.algorithms) >= 5
    assert len(curves.tasks) >= 5
    assert curves.n_runs.min() >= 5


def test_an_example_is_a_folder_with_a_parquet_file_and_unknown_names_list_them(put, monkeypatch):
    file = put("classic_control/curves.parquet", "")
    ro.Curves.from_frame({"algo": ["PPO"], "seed": [0], "step": [1], "score": [2]}).to_frame().write_parquet(file)
    monkeypatch.setattr("runoff.reading.read._shipped", lambda: {"classic_control": file})
    assert ro.load_example("classic_control").algorithms == ("PPO",)
    with pytest.raises(ro.OptionError, match=r"classic_control, not 'classic'"):
        ro.load_example("classic")


def test_an_installation_without_data_says_so(monkeypatch):
    monkeypatch.setattr("runoff.reading.read._shipped", dict)
    with pytest.raises(ro.OptionError, match="no data set named 'classic_control' is shipped"):
        ro.load_example("classic_control")


def test_the_shipped_data_say_where_they_lie_in_the_package():
    assert (Path(ro.__file__).parents[1] / ro.load_example("classic_control").provenance.path).is_file()
