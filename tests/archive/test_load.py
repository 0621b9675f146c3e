"""What is loaded of a set, how it is called, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff.archive.sets import PROTOCOL


def test_chosen_algorithms_and_tasks_are_loaded():
    scores = ro.archive.load("atari_100k", algorithms=["SPR", "DrQ"], tasks=["Pong", "Alien"])
    assert (scores.algorithms, scores.tasks) == (("DrQ", "SPR"), ("Alien", "Pong"))
    assert scores.n_runs.tolist() == [[100, 100], [100, 100]]
    assert scores.cell("SPR", "Alien")[0] == 714.3


def test_curves_end_where_the_scores_are():
    scores, curves = (ro.archive.load("dreamerv3_procgen", curves=curves) for curves in (False, True))
    final = curves.final(1, incomplete="carry")
    assert (final.algorithms, final.tasks, final.run_labels) == (scores.algorithms, scores.tasks, scores.run_labels)
    np.testing.assert_array_equal(final.values, scores.values)


def test_runs_that_stopped_early_have_no_end_score():
    scores = ro.archive.load("dreamerv2_atari", algorithms=["dreamerv2"], tasks=["Breakout"])
    every = ro.archive.load("dreamerv2_atari", algorithms=["dreamerv2"], tasks=["Breakout"], curves=True)
    stopped = [i for i in range(len(every.run_labels)) if every.curve(i)[0][-1] < 1e7]
    assert stopped
    assert {every.run_labels[i] for i in stopped}.isdisjoint(scores.run_labels)
    assert f"{len(stopped)} of {len(every.run_labels)} runs are left out" in scores.provenance.notes[-1]


def test_scores_at_a_step_are_those_of_the_curves_there():
    chosen = {"algorithms": ["tdmpc2"], "tasks": ["dog-run"]}
    scores, curves = ro.archive.load("simbav2", **chosen, at=1.05e6), ro.archive.load("simbav2", **chosen, curves=True)
    np.testing.assert_allclose(scores.values, curves.at(1.05e6).values)
    assert "at step 1050000" in scores.provenance.notes[-1]


def test_a_run_that_ends_a_tenth_before_a_step_counts_as_having_reached_it():
    scores = ro.archive.load("dreamerv3_atari100k", at=4e5)
    curves = ro.archive.load("dreamerv3_atari100k", curves=True)
    ends = np.array([curves.curve(i)[0][-1] for i in range(len(curves.run_labels))])
    assert ends.min() < 3.6e5
    assert scores.values.size == (ends >= 3.6e5).sum() > (ends >= 4e5).sum()


def test_runs_without_a_tenth_of_the_usual_steps_have_no_end_score():
    frame = ro.archive.table(ro.archive.info("dreamer_v1"), "steps")
    last = frame["steps"].list.last().to_numpy()
    cells = frame.select("algorithm", "task").rows()
    median = {cell: np.median([x for x, other in zip(last, cells, strict=True) if other == cell]) for cell in cells}
    whole = sum(x >= 0.9 * median[cell] for x, cell in zip(last, cells, strict=True))
    assert ro.archive.load("dreamer_v1").values.size == whole < len(cells)


def test_runs_that_did_not_reach_a_step_have_no_score_there():
    scores = ro.archive.load("simbav2", algorithms=["sac", "tdmpc2"], tasks=["dog-run"], at=4e6)
    assert scores.algorithms == ("tdmpc2",)
    assert "did not reach step 4000000" in scores.provenance.notes[-1]
    with pytest.raises(ro.DesignError, match="no run that was evaluated up to step 1000000000"):
        ro.archive.load("simbav2", at=1e9)
    with pytest.raises(ro.OptionError, match="leave out one of the two"):
        ro.archive.load("simbav2", at=1e6, curves=True)


def test_the_success_of_runs_is_a_series_of_its_own():
    success = ro.archive.load("simbav2", algorithms=["simbaV2_utd2"], series="success")
    assert 0 <= success.values.min() <= success.values.max() <= 1


def test_the_origin_tells_source_licence_protocol_and_what_must_be_known():
    notes = " ".join(ro.archive.load("simba", algorithms=["sac"]).provenance.notes)
    for words in (
        "SonyResearch/simba",
        "Apache-2.0",
        "unit: raw return",
        "1476 of the 2594 runs are in set simbav2 too",
    ):
        assert words in notes


def test_scores_that_the_source_normalised_are_known_as_such():
    assert "human-normalised" in ro.archive.load("primacy_atari100k").provenance.reference


@pytest.mark.parametrize(
    ("name", "words"), [("brax_tuning", "configurations and not repeated runs"), ("sb3_zoo_agents", "a line")]
)
def test_sweeps_and_single_runs_are_told(name, words):
    assert words in " ".join(ro.archive.load(name).provenance.notes)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ro.archive.load("atari100k"), "no set 'atari100k'.*Did you mean 'atari_100k'"),
        (lambda: ro.archive.info("simba3"), "Did you mean 'simba"),
        (lambda: ro.archive.info("dreamerv3_dmc"), "mean 'dreamerv3_dmc_proprio' or 'dreamerv3_dmc_vision'"),
        (lambda: ro.archive.load("atari_100k", algorithms=["SRP"]), "no algorithm 'SRP'.*Did you mean 'SPR'"),
        (lambda: ro.archive.load("simba", tasks=["h1-wlak-v0"]), "has no task.*Did you mean 'h1-walk-v0'"),
        (lambda: ro.archive.load("simba", series="sucess"), "Did you mean 'success'"),
        (lambda: ro.archive.load("atari_100k", algorithms="SRP"), "no algorithm 'SRP'.*Did you mean 'SPR'"),
        (lambda: ro.archive.load("simba", at="1e6"), "at must be a number of steps above 0, not '1e6'"),
        (lambda: ro.archive.load("simba", at=-1.0), r"at must be a number of steps above 0, not -1\.0"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(call, words):
    with pytest.raises(ro.OptionError, match=words):
        call()


def test_a_set_without_curves_says_so():
    with pytest.raises(ro.DesignError, match="end scores and no learning curves"):
        ro.archive.load("atari_100k", curves=True)


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("Hopper-v4", "Hopper-v4"),
        ("Hopper-v5", None),
        ("Hopper", "Hopper-v4"),
        ("ant_v4", "Ant-v4"),
        ("cup-catch", "ball-in-cup-catch"),
        ("dm_control/walker-walk", "walker-walk"),
        ("mw-push", "push-v2"),
        ("mujoco_ant", "Ant-v4"),
        ("walker-wlak", None),
    ],
)
def test_a_task_is_found_under_other_spellings_and_never_in_another_version(name, task):
    assert ro.archive.matched([name], ro.archive.info("simbav2")) == {name: task}


def test_every_spelling_of_a_source_is_found():
    for card in ro.archive.list():
        spelled = {name: task for task, names in card.tasks.items() for name in names}
        assert ro.archive.matched(spelled, card) == spelled


def test_the_protocol_of_an_algorithm_goes_before_that_of_its_set():
    card = ro.archive.info("primacy_dmc")
    assert [card.protocol(a)["observations"] for a in ("DRQ", "SAC RR1")] == ["images", "states"]
    assert card.protocol()["observations"] == "differs between algorithms"
    assert card.protocol("SAC RR1", "SAC RR32")["observations"] == "states"
    assert card.protocol()["frame_skip"] == "unknown"
    assert card.protocol("DRQ")["budget"] == "2000000"
    for card in ro.archive.list():
        for name, own in card.of_algorithm.items():
            assert card.protocol(name).items() >= {(key, value) for key, value in own.items() if key in PROTOCOL}


def test_the_length_of_training_is_one_where_the_last_evaluations_nearly_are():
    assert ro.archive.info("dreamerv3_atari100k").protocol()["budget"] == "400000"
    assert ro.archive.info("dreamerv3_dmlab30").protocol()["budget"] == "differs between algorithms"


def test_an_unknown_algorithm_has_no_protocol():
    with pytest.raises(ro.OptionError, match=r"no algorithm 'SRP'.*Did you mean 'SPR'"):
        ro.archive.info("atari_100k").protocol("SRP")


def test_the_length_of_training_is_that_of_the_runs_that_are_loaded():
    notes = ro.archive.load("simba", algorithms=["sac"], tasks=["cheetah-run", "dog-run"]).provenance.notes
    assert any("steps of training (about): 500000 to 1000000" in note for note in notes)


def test_the_protocol_of_scores_at_a_step_is_that_of_the_step():
    origin = ro.archive.load("primacy_dmc", algorithms=["DRQ"], at=1e6).provenance
    notes = " ".join(origin.notes)
    assert "(about): 1000000" in notes
    assert "score of a run: its learning curve at step 1000000" in notes
    assert "2000000" not in notes
    assert origin.steps == (("DRQ", "to 1e+06"),)


def test_runs_of_another_series_are_counted_and_named():
    origin = ro.archive.load("simba", curves=True).provenance
    assert any("100 runs of bro (success)" in note and "3 runs of metra (unique_" in note for note in origin.notes)
    assert not any("another series" in note for note in ro.archive.load("simba", algorithms=["sac"]).provenance.notes)


@pytest.mark.parametrize("series", ["score", "success"])
def test_an_algorithm_of_another_series_is_refused_with_the_series_that_it_has(series):
    with pytest.raises(ro.OptionError, match=r"'metra' .* but 'unique_coordinates': archive.load.*series="):
        ro.archive.load("simba", algorithms=["sac", "metra"], series=series)
    assert ro.archive.load("simba", algorithms=["metra"], series="unique_coordinates").n_runs.sum() == 3


def test_a_text_is_a_single_name_and_a_name_by_its_place_is_answered():
    loaded = ro.archive.load("atari_100k", algorithms="SPR", tasks="Pong")
    assert loaded == ro.archive.load("atari_100k", algorithms=["SPR"], tasks=["Pong"])
    with pytest.warns(ro.RunoffWarning, match="reads algorithm='SPR' as algorithms='SPR'"):
        assert ro.archive.load("atari_100k", algorithm="SPR", tasks="Pong") == loaded
    with pytest.raises(TypeError, match=r"load\(\) takes set by place, the others by name: algorithms="):
        ro.archive.load("atari_100k", "SPR")
