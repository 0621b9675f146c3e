"""Real runs of the field, read as their authors left them; skipped where the shared data are absent."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro

HNS = {"task": "game", "run": "seed"}
EVALUATIONS = {"step": "iteration", "run": "run_number", "score": "eval_average_return"}
RAW = {
    name: f"{name.split(' ')[0]}.json"
    for name in ("DER (final, iteration 9)", "OTRainbow", "DrQ", "SPR", "SimPLe", "DrQ(eps)")
}


def median_and_mean(scores: ro.Scores) -> list[float]:
    records = ro.aggregate(scores, measure=("median", "mean"), n_resamples=100).to_records()
    return [record["estimate"] for record in records]


@pytest.fixture
def published(shared):
    return json.loads((shared / "atari_100k" / "reference_aggregates.json").read_text())["values"]


@pytest.mark.parametrize("name", RAW)
def test_published_medians_and_means_of_atari_100k_are_reproduced(shared, published, name):
    file = shared / "atari_100k" / RAW[name]
    if not file.is_file():
        pytest.skip(f"{file.name} is not among the shared data")
    assert median_and_mean(ro.read_scores(file).normalize("atari")) == pytest.approx(published[name], abs=1e-9)


@pytest.mark.parametrize(("name", "column"), [("CURL (final)", "HNS"), ("CURL (max)", "Max HNS")])
def test_published_medians_and_means_of_curl_are_reproduced(shared, published, name, column):
    scores = ro.read_scores(shared / "atari_100k" / "CURL_10_evals.json", columns=HNS | {"score": column})
    assert median_and_mean(scores) == pytest.approx(published[name], abs=1e-9)


def test_published_medians_and_means_of_the_best_evaluation_are_reproduced(shared, published):
    curves = ro.read_curves(shared / "atari_100k" / "DER_curves", columns=EVALUATIONS)
    best = np.maximum.reduceat(curves.values, curves.run_offsets[:-1])
    by_task = {t: best[curves.cell_offsets[i] : curves.cell_offsets[i + 1]] for i, t in enumerate(curves.tasks)}
    scores = ro.Scores.from_dict({"DER": by_task}).normalize("atari")
    assert median_and_mean(scores) == pytest.approx(published["DER (max over 10 evals)"], abs=1e-9)


def test_the_last_evaluation_of_a_curve_is_the_final_score(shared):
    final = ro.read_curves(shared / "atari_100k" / "DER_curves", columns=EVALUATIONS).final()
    scores = ro.read_scores(shared / "atari_100k" / "DER.json")
    assert all(np.allclose(np.sort(final.cell(0, t)), np.sort(scores.cell(0, t))) for t in scores.tasks)


def test_the_folder_of_atari_100k_reads_its_algorithms_and_names_the_rest(shared):
    with pytest.raises(ro.DataError, match=r"Alien.json has learning curves, .*DER.json one score per run"):
        ro.read_scores(shared / "atari_100k")
    with pytest.warns(ro.RunoffWarning, match="left out"):
        scores = ro.read_scores(str(shared / "atari_100k" / "*.json"))
    assert {"DER", "OTRainbow", "SPR", "SimPLe", "DrQ(eps)"} <= set(scores.algorithms)
    notes = " ".join(scores.provenance.notes)
    assert all(name in notes for name in ("normalization.json", "CURL_10_evals.json"))


def test_drq_v2_is_ragged_curves_of_24_tasks(shared):
    curves = ro.read_curves(str(shared / "drqv2" / "dmc_*.csv"))
    assert (curves.algorithms, len(curves.tasks)) == (("DrQ-v2",), 24)
    assert set(np.unique(curves.n_runs)) <= {8, 9, 10}
    assert ("step", "frame") in curves.provenance.columns


def test_adastop_batches_of_five_are_joined(shared):
    with pytest.warns(ro.RunoffWarning, match=r"'DDPG', 'PPO', 'SAC', 'TRPO' come from 6 numbered files"):
        scores = ro.read_scores(shared / "adastop_walker")
    counts = dict(zip(scores.algorithms, scores.n_runs[:, 0].tolist(), strict=True))
    assert counts == {"DDPG": 30, "PPO": 10, "SAC": 10, "TRPO": 30}


def test_colas_vectors_and_matrices_are_read(shared):
    scores = ro.read_scores(str(shared / "rl_stats" / "*_final_perfs.txt"))
    assert scores.n_runs.tolist() == [[192], [193]]
    curves = ro.read_curves(shared / "rl_stats" / "td3_hc_all_perfs.txt.gz")
    assert (curves.n_runs.tolist(), curves.steps.max()) == ([[193]], 400)


def test_the_nan_in_colas_matrix_is_refused_with_line_and_column(shared):
    with pytest.raises(ro.DataError, match=r"line 398, column 1: the score is nan \(3 such rows\)"):
        ro.read_curves(shared / "rl_stats" / "sac_hc_all_perfs.txt.gz")


@pytest.mark.parametrize(
    "name",
    ["formats/wandb_csv/runs_table_export.csv", "formats/wandb_csv/panel_export_grouped.csv"],
)
def test_files_of_other_tools_are_refused_not_misread(shared, name):
    with pytest.raises(ro.DataError, match=name.rpartition("/")[2]):
        ro.read_scores(shared / name)


def test_the_authors_data_are_read_and_measured(shared):
    # Two files of one folder, of which no name says whose they are.
    with pytest.warns(ro.RunoffWarning, match="nothing names the algorithm or the task of 2 runs"):
        read = ro.read_curves(shared / "formats" / "rl_reliability_metrics" / "csv")
    assert "R402" in {caveat.code for caveat in read.provenance.caveats}
    assert len(ro.reliability(read, window=2, incomplete="carry", n_resamples=100).rows) == 5
