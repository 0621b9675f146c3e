"""Published runs beside one's own: which are joined, under what names, and which may be tested."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from scipy import stats

import runoff as ro
from runoff.archive.load import equal_scores
from runoff.page.words.published import published_words

RAW = {"unit": "raw return"}
MINE = {"ours": {"ALE/Pong-v5": [3.0, 9.0, 6.0], "Alien": [700.0, 800.0, 650.0], "Tetris": [1.0, 2.0, 3.0]}}


@pytest.fixture
def mine() -> ro.Scores:
    return ro.Scores.from_dict(MINE)


def test_published_runs_stand_after_ones_own_on_shared_tasks(mine):
    scores = mine.beside("atari_100k:SPR,DrQ")
    assert scores.algorithms == ("ours", "atari_100k:DrQ", "atari_100k:SPR")
    assert scores.tasks == ("ALE/Pong-v5", "Alien")
    published = ro.archive.load("atari_100k", algorithms=["SPR"])
    np.testing.assert_array_equal(scores.cell("atari_100k:SPR", "ALE/Pong-v5"), published.cell("SPR", "Pong"))


def test_what_did_not_match_is_named():
    mine = ro.Scores.from_dict({"ours": {"Pong": [3.0, 4.0], "Alein": [1.0, 2.0]}})
    notes = " ".join(mine.beside("atari_100k:SPR").provenance.notes)
    assert "'Alein' (Did you mean 'Alien'?)" in notes


def test_published_scores_are_normalised_as_ones_own_are(mine):
    own = mine.normalize("atari", unreferenced="drop")
    scores = own.beside("atari_100k:SPR")
    published = ro.archive.load("atari_100k", algorithms=["SPR"], tasks=["Alien"]).normalize("atari")
    np.testing.assert_array_equal(scores.cell("atari_100k:SPR", "Alien"), published.cell("SPR", "Alien"))


def test_pairs_of_published_algorithms_are_not_tested(mine):
    result = ro.compare(mine.beside("atari_100k:SPR,DrQ", protocol=RAW))
    assert [(pair.a, pair.b) for pair in result.pairs] == [("ours", "atari_100k:DrQ"), ("ours", "atari_100k:SPR")]


def test_an_assumed_protocol_stands_in_every_sentence_and_in_the_first_note(mine):
    result = ro.compare(mine.beside("atari_100k:SPR,DrQ", assume_same_protocol=True))
    assert all("(protocol assumed)" in pair.sentence for pair in result.pairs)
    assert "(protocol assumed)" in result.sentence
    noted = mine.noting("a note of one's own")
    for own in (mine, noted):
        joined = own.beside("atari_100k:SPR", assume_same_protocol=True)
        assert "assumed" in joined.provenance.notes[0]


def test_the_same_protocol_is_tested_and_nothing_is_assumed(mine):
    pair = ro.compare(mine.beside("atari_100k:SPR", protocol=RAW, assume_same_protocol=True)).pairs[0]
    assert pair.b == "atari_100k:SPR"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({}, r"not known whether .*\(unit=raw return\).*assume_same_protocol=True"),
        ({"protocol": {"unit": "HNS"}}, "another protocol .unit: HNS here, raw return there"),
        ({"protocol": {"unit": "HNS"}, "assume_same_protocol": True}, "another protocol"),
    ],
)
def test_another_or_an_unknown_protocol_is_shown_and_not_tested(mine, how, words):
    with pytest.raises(ro.DesignError, match=words):
        ro.compare(mine.beside("atari_100k:SPR", **how))
    shown = ro.aggregate(mine.beside("atari_100k:SPR", **how))
    assert {record.algorithm for record in shown.rows} == {"ours", "atari_100k:SPR"}


@pytest.mark.parametrize(("factor", "tested"), [(1.0, True), (2.0, False)])
def test_numbers_of_a_protocol_are_equal_however_they_are_written(factor, tested):
    mine = ro.Scores.from_dict({"ours": {"Hopper-v4": [1000.0, 1500.0]}})
    budget = factor * float(ro.archive.info("simbav2").protocol("sac")["budget"])
    joined = mine.beside("simbav2:sac", protocol={"budget": f"{budget:e}"}, assume_same_protocol=True)
    assert [why == "" for _, why in joined.provenance.published] == [tested]


def test_algorithms_of_several_protocols_are_not_all_assumed_to_be_alike():
    mine = ro.Scores.from_dict({"ours": {"cheetah-run": [100.0, 150.0]}})
    with pytest.raises(ro.DesignError, match=r"several protocols \(.*observations"):
        ro.compare(mine.beside("primacy_dmc:DRQ,SAC RR1", assume_same_protocol=True))


def test_a_copy_of_published_runs_is_not_compared_with_them():
    runs = ro.archive.load("atari_100k", algorithms=["SPR"], tasks=["Pong", "Alien"])
    copy = ro.Scores.from_dict({"ours": {task: runs.cell("SPR", task)[:20] for task in runs.tasks}})
    with pytest.raises(ro.DesignError, match="exactly or rounded"):
        ro.compare(copy.beside("atari_100k:SPR", protocol=RAW))


def test_other_scores_and_zeros_are_no_copy():
    runs = ro.archive.load("atari_100k", algorithms=["SPR"], tasks=["Pong", "Alien"])
    other = ro.Scores.from_dict({"ours": {task: 1.37 * runs.cell("SPR", task) + 0.123 for task in runs.tasks}})
    zeros = ro.Scores.from_dict({"ours": {"Freeway": [0.0] * 20}})
    joined = [scores.beside("atari_100k:SPR", protocol=RAW) for scores in (other, zeros)]
    assert [dict(scores.provenance.published) for scores in joined] == [{"atari_100k:SPR": ""}] * 2


def test_curves_that_the_archive_has_thinned_are_copies_all_the_same():
    runs = ro.archive.load("simba", algorithms=["sac"], tasks=["dog-run"], curves=True)
    frame = runs.rename(algorithms={"sac": "ours"}).to_polars()
    more = frame.with_columns(pl.col("step") + 1, pl.col("score") + 0.5)
    own = ro.Curves.from_frame(pl.concat([frame, more, more.with_columns(pl.col("step") + 1)]))
    joined = own.beside("simba:sac", protocol=FULL)
    assert "exactly or rounded" in dict(joined.provenance.published)["simba:sac"]


@pytest.mark.parametrize(
    ("against", "kind", "words"),
    [
        ("atari100k", ro.OptionError, "Did you mean 'atari_100k'"),
        ("atari_100k:SRP", ro.OptionError, "Did you mean 'SPR'"),
        ("brax_tuning", ro.DesignError, "a hyperparameter sweep"),
        ("simbav2", ro.DesignError, "none of these tasks"),
        ("primacy_atari100k", ro.DataError, "normalised by the source"),
        (["atari_100k:SPR", "atari_100k:SPR"], ro.DesignError, "SPR is named twice"),
    ],
)
def test_what_cannot_stand_beside_these_runs_is_refused(mine, against, kind, words):
    with pytest.raises(kind, match=words):
        mine.beside(against)


def test_runs_of_two_sets_are_never_counted_twice():
    mine = ro.Scores.from_dict({"ours": {"dog-run": [100.0, 150.0]}})
    with pytest.raises(ro.DesignError, match="share 10 runs"):
        mine.beside(["simba:sac", "simbav2:sac"])


def test_another_version_is_told():
    mine = ro.Scores.from_dict({"ours": {"Hopper-v5": [1000.0, 1500.0]}})
    with pytest.raises(ro.DesignError, match="has 'Hopper-v4', another version"):
        mine.beside("simbav2:sac")


def test_normalised_scores_beside_raw_ones_are_refused_unless_they_are_raw():
    mine = ro.Scores.from_dict({"ours": {"Hopper-v4": [0.9, 1.1], "Ant-v4": [0.5, 0.7]}})
    with pytest.raises(ro.DataError, match="look normalised already"):
        mine.beside("simbav2:sac")
    assert mine.beside("simbav2:sac", assume_raw=True).n_algorithms == 2


def test_single_runs_are_shown_and_never_tested():
    mine = ro.Scores.from_dict({"ours": {"CartPole-v1": [400.0, 500.0]}})
    with pytest.raises(ro.DesignError, match="tested against"):
        ro.compare(mine.beside("sb3_zoo_agents:PPO", assume_same_protocol=True))


def test_scores_of_shared_runs_cannot_stand_beside_published_ones():
    mine = ro.Scores.from_dict({"ours": {"Pong": [1.0, 2.0], "Alien": [1.0, 2.0]}}, runs="shared")
    with pytest.raises(ro.DesignError, match="on single tasks"):
        mine.beside("atari_100k:SPR")


def test_costs_are_not_compared_with_published_scores(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("algorithm,task,run,score\nours,Pong,0,3\nours,Pong,1,4\n")
    with pytest.raises(ro.DataError, match="lower is better"):
        ro.read_scores(path, lower_is_better=True).beside("atari_100k:SPR")


CURVES = "simba:sac"
FULL = {"score": "evaluation return", "unit": "raw return", "steps": "environment steps", "observations": "states"}
FULL |= {"action_repeat": 2, "episodes": 10, "deterministic": True, "tuned": False}


def learning(tasks=("cheetah-run", "dog-run"), last=300_000, n=3, **others: int) -> ro.Curves:
    table = {name: [] for name in ("algorithm", "task", "run", "step", "score")}
    for (algorithm, end), task, run in product({"ours": last, **others}.items(), tasks, range(n)):
        for step in range(0, end + 1, 50_000):
            values = (algorithm, task, run, step, 50.0 + run + step / 2000)
            for name, value in zip(table, values, strict=True):
                table[name].append(value)
    return ro.Curves.from_frame(table)


def test_curves_are_cut_where_the_shorter_side_ends():
    curves = learning().beside(CURVES, protocol=FULL)
    assert curves.algorithms == ("ours", CURVES)
    assert curves.steps.max() == 300_000
    assert "curves are cut" in curves.provenance.notes[-1]
    assert learning(last=10_000_000).steps.max() > learning(last=10_000_000).beside(CURVES).steps.max()


@pytest.mark.parametrize("other", [100_000, 400_000])
def test_curves_are_cut_where_ones_own_longest_algorithm_ends(other):
    curves = learning(other=other).beside(CURVES, protocol=FULL)
    ends = {name: curves.select(algorithms=[name]).steps.max() for name in curves.algorithms}
    assert (ends["ours"], ends["other"]) == (300_000, other)
    assert max(300_000, other) - 50_000 < ends[CURVES] <= max(300_000, other)


def test_curves_of_one_protocol_are_compared_and_need_no_rule_for_end_scores():
    result = ro.compare_curves(learning().beside(CURVES, protocol=FULL))
    assert {(record.a, record.b) for record in result.rows} == {("ours", CURVES)}
    shown = ro.curves(learning().beside(CURVES))
    assert set(shown.algorithms) == {"ours", CURVES}
    assert "R027" in {advice.code for advice in shown.advice}


def test_steps_in_another_unit_are_a_difference_of_protocols():
    with pytest.raises(ro.DesignError, match="steps count: frames here, environment steps there"):
        ro.compare_curves(learning().beside(CURVES, protocol=FULL | {"steps": "frames"}))


def test_curves_that_begin_after_the_published_ones_end_are_refused():
    late = ro.Curves.from_frame(
        {"algorithm": ["a", "a"], "run": [0, 0], "task": ["dog-run"] * 2, "step": [9e8, 1e9], "score": [1.0, 2.0]}
    )
    with pytest.raises(ro.DesignError, match="are their steps in one unit"):
        late.beside(CURVES)


def test_sets_without_curves_are_refused_for_curves():
    with pytest.raises(ro.DesignError, match="end scores and no learning curves"):
        learning(tasks=("Pong",)).beside("atari_100k:SPR")


def test_what_data_tell_is_known_and_is_not_contradicted():
    end = learning(last=2_000_000).final()
    joined = end.beside("simba:sac", protocol=FULL)
    assert "(budget=500000 to 1000000)" in dict(joined.provenance.published)["simba:sac"]
    with pytest.raises(ro.OptionError, match="the data record final=the last evaluation"):
        end.beside("simba:sac", protocol={"final": "the best evaluation"})


def test_one_untested_opponent_does_not_stop_the_others(mine):
    both = ["atari_100k:SPR", "dreamerv3_atari100k:dreamerv3"]
    result = ro.compare(mine.beside(both, protocol=RAW))
    assert [pair.b for pair in result.pairs] == ["atari_100k:SPR"]
    (advice,) = (advice for advice in result.advice if advice.code == "R027")
    assert advice.subjects == ("dreamerv3_atari100k:dreamerv3",)
    with pytest.raises(ro.DesignError, match="not known whether"):
        ro.compare(mine.beside(both, protocol=RAW), control="dreamerv3_atari100k:dreamerv3")


def test_a_single_run_of_a_repeated_set_is_no_opponent():
    mine = ro.Scores.from_dict({"ours": {"Alien": [900.0, 800.0], "Pong": [1.0, 2.0]}})
    joined = mine.beside("dreamerv3_atari57:muzero", assume_same_protocol=True)
    assert "cannot be tested against" in joined.provenance.published[0][1]


def test_a_name_without_version_is_of_an_unknown_one():
    mine = ro.Scores.from_dict({"ours": {"Hopper": [1000.0, 1500.0]}})
    (why,) = dict(mine.beside("simbav2:sac").provenance.published).values()
    assert "version=v4" in why


def test_versions_of_a_benchmark_are_told_from_each_other():
    assert ro.archive.matched(["Ant-v4", "Ant-v2"], ro.archive.info("alm")) == {"Ant-v4": None, "Ant-v2": "Ant-v2"}


def test_published_scores_at_a_step_are_those_of_the_curves_there_under_a_name_that_says_it():
    mine = ro.Scores.from_dict({"ours": {"Hopper-v4": [2500.0, 2700.0, 3000.0]}})
    both = mine.beside("simbav2@1e6:sac", assume_same_protocol=True)
    assert both.algorithms == ("ours", "simbav2@1e6:sac (protocol assumed)")
    expected = ro.archive.load("simbav2", algorithms=["sac"], tasks=["Hopper-v4"], at=1e6)
    assert both.cell(1, "Hopper-v4").tolist() == expected.values.tolist()


def test_a_longer_training_is_refused_with_the_step_that_is_comparable_and_that_works():
    mine = ro.Scores.from_dict({"ours": {"Hopper-v4": [2500.0, 2700.0, 3000.0]}})
    settings = {"protocol": {"budget": "1e6"}, "assume_same_protocol": True}
    with pytest.raises(ro.DesignError, match=r"5000000 there.*simbav2@1e6 takes its curves at that step"):
        ro.compare(mine.beside("simbav2:sac", **settings))
    assert ro.compare(mine.beside("simbav2@1e6:sac", **settings)).pairs


@pytest.mark.parametrize("against", ["simbav2@x:sac", "simbav2@0:sac", "simbav2@-1e6:sac", "simbav2@nan:sac"])
def test_a_step_that_is_no_number_is_refused(against):
    with pytest.raises(ro.OptionError, match="must be a number above 0, as in simbav2@1e6"):
        ro.Scores.from_dict({"ours": {"Hopper-v4": [1.0, 2.0]}}).beside(against)


def test_a_single_run_of_an_algorithm_that_has_several_elsewhere_is_no_opponent():
    published = ro.archive.load("pytorch_sac")
    few, more = (published.tasks[published.n_runs[0].tolist().index(n)] for n in (1, 2))
    mine = ro.Scores.from_dict({"ours": {few: [500.0, 600.5, 700.0], more: [500.0, 600.5, 700.0]}})
    both = mine.beside("pytorch_sac", assume_same_protocol=True)
    assert both.tasks == (more,)
    assert any(
        f"single runs of set pytorch_sac cannot be tested against and are left out: SAC on {few}" in note
        for note in both.provenance.notes
    )


@pytest.mark.parametrize(
    ("kind", "alter"),
    [
        ("rounded to whole numbers", lambda x: x.round()),
        ("of three digits", lambda x: np.array([float(f"{v:.2e}") for v in x])),
        ("exact for three of ten", lambda x: np.where(np.arange(10) < 3, x, 1.07 * x + 0.013)),
    ],
)
def test_a_copy_is_told_though_it_is_rounded_or_in_part(kind, alter):
    published = ro.archive.load("atari_100k", algorithms=["SPR"])
    mine = ro.Scores.from_dict({"mine": {t: alter(published.cell("SPR", t)[:10]) for t in published.tasks}})
    assert "a copy of published runs" in dict(mine.beside("atari_100k:SPR").provenance.published)["atari_100k:SPR"]


def test_other_runs_of_the_same_distribution_are_no_copies():
    published = ro.archive.load("atari_100k", algorithms=["SPR"])
    halves = [{t: published.cell("SPR", t)[k::2] for t in published.tasks} for k in (0, 1)]
    own, other = (ro.Scores.from_dict({name: half}) for name, half in zip(("own", "other"), halves, strict=True))
    assert equal_scores(own, other) == {}
    rates = [ro.Scores.from_dict({name: {"t": [0.2, 0.3, 0.5, 0.6, 0.9, 0.4]}}) for name in ("own", "other")]
    assert equal_scores(*rates) == {}  # coarse scores are equal by chance


def test_published_algorithms_are_not_tested_where_ones_own_is_a_single_run():
    mine = ro.Scores.from_dict({"mine": {"Alien": [800.0], "Pong": [3.0]}})
    with pytest.raises(ro.DesignError, match="only published algorithms have several runs; 'mine' has a single value"):
        ro.compare(mine.beside("atari_100k:SPR,DrQ", protocol={"unit": "raw return"}))


@pytest.mark.parametrize(("against", "budget"), [("simba:sac", "500000 to 1000000"), ("simba@400000:sac", "400000")])
def test_notes_reasons_and_methods_say_one_length_of_training(against, budget):
    mine = ro.Scores.from_dict({"ours": {"cheetah-run": [100.0, 150.0, 130.0], "dog-run": [1.0, 2.0, 3.0]}})
    joined = mine.beside(against)
    assert f"budget={budget}" in dict(joined.provenance.published)[against]
    assert any(f"steps of training (about): {budget}" in note for note in joined.provenance.notes)
    assert f"steps of training (about): {budget};" in published_words(joined)


def test_a_named_algorithm_without_runs_on_these_tasks_is_refused():
    mine = ro.Scores.from_dict({"ours": {"cheetah-run": [100.0, 150.0]}})
    with pytest.raises(ro.DesignError, match="'ppo' of set 'simba' has runs on none of these tasks"):
        mine.beside("simba:sac,ppo")


@pytest.mark.parametrize(
    ("against", "how", "message"),
    [
        (None, {}, "against= must name a set"),
        (5, {}, "against= must name a set"),
        ([], {}, "against= must name a set"),
        ([5], {}, "against= must name a set"),
        ("atari_100k:SPR", {"protocol": "raw"}, "protocol= must be a mapping"),
    ],
)
def test_what_names_no_set_or_protocol_is_refused_in_a_sentence(mine, against, how, message):
    with pytest.raises(ro.OptionError, match=message):
        mine.beside(against, **how)


WAYS = {
    "where": lambda both: ro.where(both, "ours", "atari_100k:SPR"),
    "gate": lambda both: ro.gate(both, both, algorithm="atari_100k:SPR", candidate_algorithm="ours", margin=10),
    "critical_difference": lambda both: ro.critical_difference(both.subsample(3)),
    "anytime": lambda both: ro.anytime([both]),
    "plan": ro.plan,
    "runs_needed": ro.runs_needed,
    "next_runs": lambda both: ro.next_runs(both, budget=4),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_compare_does_not_test_no_other_answer_judges(mine, way):
    with pytest.raises(ro.DesignError, match="atari_100k:SPR has another protocol"):
        WAYS[way](mine.beside("atari_100k:SPR", protocol={"unit": "other"}))


def test_times_to_a_score_are_tested_where_the_protocol_allows():
    both = learning().beside(CURVES, protocol=FULL | {"steps": "frames"})
    assert {name for pair in ro.time_to_threshold(both, 1.0).pairs for name in (pair.a, pair.b)} <= {"ours"}
    same = ro.time_to_threshold(learning().beside(CURVES, protocol=FULL), 1.0)
    assert {name for pair in same.pairs for name in (pair.a, pair.b)} > {"ours"}


def nearly(n: int, n_near: int, *, places: int = 40, off: float = 0.03) -> dict[str, str]:
    """Return what is called a copy where so many of n own scores are within a part of the usual gap of published ones."""
    theirs = 100.0 + 1.2345 * np.arange(places)
    own = np.where(np.arange(n) < n_near, off, 0.5) * 1.2345 + theirs[np.arange(n) % places]
    if places < n_near:
        own = own + 1e-3 * np.arange(n)
    sides = [ro.Scores.from_dict({name: {"t": values}}) for name, values in (("own", own), ("other", theirs))]
    return equal_scores(*sides)


@pytest.mark.parametrize("n", [12, 20, 31, 60])
def test_near_scores_are_copies_from_the_number_on_that_chance_brings_once_in_ten_thousand(n):
    chance = stats.binom(n, 0.1)
    for n_near in range(5, n + 1):
        rare = chance.pmf(np.arange(n_near, n + 1)).sum() < 1e-4 and 4 * n_near >= n
        assert nearly(n, n_near) == ({"own": "other"} if rare else {})


@pytest.mark.parametrize(("n", "copied"), [(3, False), (4, False), (5, True), (8, True)])
def test_five_distinct_scores_are_needed_for_a_copy_however_equal_they_are(n, copied):
    assert bool(nearly(n, n, off=0.0)) is copied


@pytest.mark.parametrize(("places", "copied"), [(1, False), (2, False), (3, True)])
def test_scores_of_fewer_than_three_published_values_are_equal_by_chance(places, copied):
    assert bool(nearly(6, 6, places=places)) is copied


@pytest.mark.parametrize("first", [True, False])
def test_an_algorithm_that_has_runs_on_other_tasks_alone_is_refused(first):
    alone = {"alone": {"Tetris": [1.0, 2.0, 3.0]}}
    mine = ro.Scores.from_dict({**alone, **MINE} if first else {**MINE, **alone})
    with pytest.raises(ro.DesignError, match="'alone' has runs on none of the tasks of atari_100k:SPR; leave it out"):
        mine.beside("atari_100k:SPR", protocol=RAW)


def test_beside_two_sets_the_tasks_of_either_stay():
    both = [set(ro.archive.info(name).tasks) for name in ("dreamerv3_atari100k", "dreamerv3_atari57")]
    tasks = {"Alien", "Zaxxon", "Tetris"}
    mine = ro.Scores.from_dict({"ours": {task: [700.0, 800.0, 650.0] for task in sorted(tasks)}})
    of = {"assume_same_protocol": True, "assume_raw": True}
    joined = mine.beside(["dreamerv3_atari100k:dreamerv3", "dreamerv3_atari57:ppo_fixhp"], **of)
    assert set(joined.tasks) == tasks & (both[0] | both[1]) != tasks & both[0] & both[1]


@pytest.mark.parametrize("assumed", [False, True])
def test_the_methods_say_with_whom_no_test_was_made(assumed):
    mine = ro.Scores.from_dict({"ours": {"cheetah-run": [100.0, 150.0, 130.0]}})
    words = published_words(mine.beside("simba:sac", assume_same_protocol=assumed))
    assert ("No test was made with simba:sac." in words) == (not assumed)


def test_names_of_published_algorithms_are_read_in_small_and_capital_letters():
    mine, same = ro.load({"mine": {"Alien": [800.0, 900.0, 700.0]}}), {"unit": "raw return"}
    typed, spelled = (mine.beside(f"atari_100k:{names}", protocol=same) for names in ("spr,DRQ", "SPR,DrQ"))
    assert typed.algorithms == spelled.algorithms == ("mine", "atari_100k:DrQ", "atari_100k:SPR")
    with pytest.raises(ro.OptionError, match="Did you mean 'SPR'"):
        mine.beside("atari_100k:srp", protocol=same)
