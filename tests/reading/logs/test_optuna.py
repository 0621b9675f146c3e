"""Studies of Optuna, written by Optuna: what its own reader finds in them, and what they are to a sweep."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing

import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.reading.logs.base import Folder, Wish
from runoff.reading.logs.tools.optuna import find_optuna, read_optuna
from tests.places import LOGS

FOLDER = LOGS / "optuna"
FOUND = json.loads((LOGS / "optuna.json").read_text())["found"]
KINDS = ("study.db", "journal.log")
both_kinds = pytest.mark.parametrize("kind", KINDS)


def logs_of(kind, root=FOLDER):
    folder = Folder(path=root, parts=(), files=(kind,), folders=())
    (claim,) = find_optuna(folder)
    return read_optuna(claim, Wish(keep=lambda name: True))


@both_kinds
def test_trials_are_what_optuna_finds_in_its_study(kind):
    trials = [(study.partition("/")[2], t) for study, own in FOUND.items() if study.startswith(kind) for t in own]
    read = logs_of(kind)
    assert [log.config for log in read] == [{**attributes, **settings} for _, (_, settings, attributes, _, _) in trials]
    assert [log.hints for log in read] == [(study,) for study, _ in trials]
    reports = [
        [(int(s), v) for s, v in zip(log.series["score"].step, log.series["score"].value, strict=True)] for log in read
    ]
    assert reports == [[(step, value) for step, value in points] for _, (_, _, _, _, points) in trials]
    failed = [[h.where for h in log.happened if h.policy == "failed"] for log in read]
    assert failed == [[] if state == "COMPLETE" else [state] for _, (state, *_) in trials]


@both_kinds
def test_reports_are_a_curve_by_their_steps_in_whatever_order_they_came(kind, tmp_path):
    shutil.copy(FOLDER / kind, tmp_path)
    if kind == "journal.log":
        late = {"op_code": 7, "worker_id": "w", "trial_id": 0, "step": 50, "intermediate_value": 2.0}
        with open(tmp_path / kind, "a") as stream:
            stream.write(json.dumps(late) + "\n")
    else:
        with closing(sqlite3.connect(tmp_path / kind)) as study, study:
            study.execute("INSERT INTO trial_intermediate_values VALUES (999, 1, 50, 2.0, 'FINITE')")
    (before, *_), (after, *_) = logs_of(kind), logs_of(kind, tmp_path)
    for own, first in (("step", 50.0), ("value", 2.0)):
        assert getattr(after.series["score"], own).tolist() == [first, *getattr(before.series["score"], own)]
    assert not after.series.keys() - {"score"}


@both_kinds
def test_a_study_is_a_sweep_without_an_option_but_for_trials_that_did_not_end(kind, capsys):
    assert run(["scan", str(FOLDER / kind)]) == 0
    assert run(["tuning", str(FOLDER / kind)]) == 2
    assert "trial 0: FAIL" in (error := capsys.readouterr().err) or "PRUNED" in error
    scores = ro.read_scores(FOLDER / kind, incomplete="carry")
    assert {config for _, config in scores.sampling.configs} == {"lr 0.001", "lr 0.003"}
    result = ro.tuning(scores)
    assert result.n_configs == {"sac": 2, "td3": 2}
    assert result.curve("sac")[1].estimate == pytest.approx(13.5)  # 3 · (3 + seed + 1), seeds 0 and 1


@both_kinds
def test_a_grid_is_no_search_that_follows_the_scores(kind, tmp_path):
    sampled = "settings that a sampler may have chosen by the scores"
    assert sampled not in " ".join(ro.scan(FOLDER / kind).notes)
    text = (FOLDER / "journal.log").read_text()
    (tmp_path / "journal.log").write_text("".join(line for line in text.splitlines(True) if '"grid_id"' not in line))
    assert sampled in " ".join(ro.scan(tmp_path / "journal.log").notes)


def test_a_table_of_trials_is_refused_for_it_does_not_say_what_is_better():
    with pytest.raises(ro.DataError, match="does not say whether its value is maximised: read the study itself"):
        ro.read_curves(FOLDER / "trials.csv")


def test_a_table_with_numbers_states_and_times_but_no_parameters_is_no_study(tmp_path):
    head = "algorithm,task,seed,score,number,state,datetime_start,datetime_complete,duration"
    rows = [f"{name},Pong,{i},{i},{i},COMPLETE,9:00,10:00,1:00" for name in ("ppo", "sac") for i in range(3)]
    (tmp_path / "runs.csv").write_text("\n".join((head, *rows)))
    assert ro.read_scores(tmp_path).algorithms == ("ppo", "sac")


def changed(tmp_path, old, new):
    (tmp_path / "journal.log").write_text((FOLDER / "journal.log").read_text().replace(old, new))
    return tmp_path / "journal.log"


def test_what_is_minimised_is_a_cost_that_is_no_score_unless_it_is_named(tmp_path, capsys):
    journal = str(changed(tmp_path, '"directions":[2]', '"directions":[1]'))
    assert run(["tuning", journal, "--incomplete", "carry"]) == 2
    assert "the series are 'cost'" in capsys.readouterr().err
    assert run(["tuning", journal, "--incomplete", "carry", "--columns", "score=cost"]) == 0
    assert "warning R028 higher is taken for better" in capsys.readouterr().out
    chosen = ["--columns", "score=cost", "--lower-is-better"]
    assert run(["tuning", journal, "--incomplete", "carry", *chosen]) == 0
    assert "td3" in capsys.readouterr().out.splitlines()[0]


def test_several_objectives_are_refused(tmp_path):
    with pytest.raises(ro.DataError, match="has 2 objectives, and a run has one score"):
        ro.read_curves(changed(tmp_path, '"directions":[2]', '"directions":[2,1]'))


def test_a_trial_that_was_added_whole_and_a_study_that_was_deleted(tmp_path):
    added = {"op_code": 4, "worker_id": "w", "study_id": 1, "state": 1, "value": 7.0, "params": {"lr": 0.003}}
    own = {
        "distributions": {"lr": '{"name": "FloatDistribution", "attributes": {}}'},
        "intermediate_values": {"2": 3.0, "5": 6.0},
    }
    gone = {"op_code": 1, "worker_id": "w", "study_id": 0}
    lines = [json.dumps(added | own | {"user_attrs": {"algorithm": "td3"}}), json.dumps(gone), '{"op_code": 4, "wor']
    (tmp_path / "journal.log").write_text((FOLDER / "journal.log").read_text() + "\n".join(lines))
    read = logs_of("journal.log", tmp_path)
    assert {log.config["algorithm"] for log in read} == {"td3"}
    score, reported = (read[-1].series[name] for name in ("score", "reported"))
    # What the trial is worth stands at its last report, whatever the first one was.
    assert (score.step.tolist(), score.value.tolist()) == ([5.0], [7.0])
    assert (reported.step.tolist(), reported.value.tolist()) == ([2.0, 5.0], [3.0, 6.0])
    assert [h.policy for h in read[0].happened if h.policy == "torn"] == ["torn"]


def test_a_waiting_trial_is_none(tmp_path):
    waiting = json.dumps({"op_code": 4, "worker_id": "w", "study_id": 0, "state": 4})
    shutil.copy(FOLDER / "journal.log", tmp_path)
    with open(tmp_path / "journal.log", "a") as stream:
        stream.write(waiting + "\n")
    assert len(logs_of("journal.log", tmp_path)) == len(logs_of("journal.log"))


FORMS = {
    '{"name": "IntDistribution", "attributes": {"step": 1}}': 3,
    '{"name": "IntUniformDistribution", "attributes": {}}': 3,
    '{"name": "IntLogUniformDistribution", "attributes": {}}': 3,
    '{"name": "FloatDistribution", "attributes": {}}': 3.0,
    '{"name": "LogUniformDistribution", "attributes": {}}': 3.0,
    '{"name": "CategoricalDistribution", "attributes": {"choices": ["a", 1, null, 0.5]}}': 0.5,
    '{"name": "CategoricalDistribution", "attributes": {"choices": ["a"]}}': 3.0,
    "none": 3.0,
}


@pytest.mark.parametrize("form", FORMS)
def test_the_value_of_a_parameter_is_a_whole_number_a_choice_or_a_fraction_as_its_distribution_has_it(tmp_path, form):
    added = {
        "op_code": 4,
        "worker_id": "w",
        "study_id": 1,
        "state": 1,
        "value": 7.0,
        "user_attrs": {"algorithm": "td3"},
    }
    lines = [
        (FOLDER / "journal.log").read_text(),
        json.dumps(added | {"distributions": {"p": form}, "params": {"p": 3.0}}),
        "\n",
    ]
    (tmp_path / "journal.log").write_text("".join(lines))
    assert repr(logs_of("journal.log", tmp_path)[-1].config["p"]) == repr(FORMS[form])


def test_a_trial_is_the_run_of_its_seed_or_of_its_number_and_ends_once(tmp_path):
    added = {"op_code": 4, "worker_id": "w", "study_id": 1, "state": 1, "value": 7.0}
    own = [{}, {"user_attrs": {"seed": 4}}, {"user_attrs": {"run": "x"}}]
    again = {"op_code": 6, "worker_id": "w", "trial_id": len(logs_of("journal.log")), "state": 3, "values": None}
    lines = "".join(json.dumps(entry) + "\n" for entry in (*(added | more for more in own), again))
    (tmp_path / "journal.log").write_text((FOLDER / "journal.log").read_text() + lines)
    *_, plain, seeded, named = logs_of("journal.log", tmp_path)
    assert (plain.names.keys(), seeded.names, named.names) == ({"run"}, {}, {})
    assert (plain.series["score"].value.tolist(), [h for h in plain.happened if h.policy == "failed"]) == ([7.0], [])


@pytest.mark.parametrize(("kind", "number"), [("INF_POS", float("inf")), ("INF_NEG", float("-inf"))])
def test_infinite_reports_of_a_database_are_infinite(tmp_path, kind, number):
    shutil.copy(FOLDER / "study.db", tmp_path)
    with closing(sqlite3.connect(tmp_path / "study.db")) as study, study:
        study.execute("INSERT INTO trial_intermediate_values VALUES (999, 1, 50, NULL, ?)", (kind,))
    assert logs_of("study.db", tmp_path)[0].series["score"].value[0] == number
