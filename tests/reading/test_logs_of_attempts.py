"""Logs of attempts: a line with an outcome in a word each, names above them, their sum below."""

from __future__ import annotations

import pytest

import runoff as ro

pytestmark = pytest.mark.filterwarnings("error::runoff.RunoffWarning")

OUTCOMES = (1, 1, 0, 1, 0)
FORMS = (
    ("Rollout {k:02d}: {o} (30.6 s)", ("success", "fail")),
    ("Trial {k}: {o}", ("SUCCESS", "FAILURE")),
    ("attempt {k}/5 - {o}, dropped the cup", ("succeeded", "failed")),
    ("- Episode #{k}: {o}", ("\u2713", "\u2717")),
    ("Rollout {k} => {o} in 3.5 s", ("solved", "timeout")),
)
SUMS = ("Success: {k}/{n} (60%)", "Success rate: {k}/{n}", "total success: {k} of {n}")
ODD = (
    "gripper was cleaned",
    "# operator: MK",
    "",
    "----------",
    "step=3 loss=0.4",
    "the first success: rollout 1",
    "robot moved to 3/4",
)


def log(form, words, outcomes=OUTCOMES, head="# policy={a} task={t}", total=SUMS[0], **names) -> str:
    lines = [form.format(k=k, o=words[0] if well else words[1]) for k, well in enumerate(outcomes, start=1)]
    return "\n".join([head.format(**names), *lines, total.format(k=sum(outcomes), n=len(outcomes))]) + "\n"


@pytest.mark.parametrize(("form", "words"), FORMS)
@pytest.mark.parametrize("total", SUMS)
def test_attempts_of_a_folder_are_the_episodes_of_their_policies(put, tmp_path, form, words, total):
    for i, (a, t) in enumerate([(a, t) for a in ("octo", "act") for t in ("cup", "drawer")]):
        put(f"{i}.txt", log(form, words, (*OUTCOMES, i % 2), total=total, a=a, t=t))
    read = ro.load(tmp_path, unit="episode")
    assert read.to_dict() == {a: {"cup": [1, 1, 0, 1, 0, 0], "drawer": [1, 1, 0, 1, 0, 1]} for a in ("octo", "act")}


@pytest.mark.parametrize(("form", "words"), FORMS[:3])
def test_attempts_are_no_runs_until_their_user_says_so(put, form, words):
    path = put("x.log", log(form, words, a="octo", t="cup"))
    with pytest.raises(ro.DataError, match="may number attempts, which are not trainings: use unit='episode'"):
        ro.load(path)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("at", [0, 1, 3, 7])
def test_another_line_changes_no_attempt(put, odd, at):
    lines = log(*FORMS[0], a="octo", t="cup").split("\n")
    path = put("x.txt", "\n".join([*lines[:at], odd, *lines[at:]]))
    assert ro.load(path, unit="episode").to_dict() == {"octo": {"cup": [*OUTCOMES]}}


def test_attempts_of_several_sessions_are_pooled_as_episodes_and_their_mean_is_the_score_of_each_session(put, tmp_path):
    for session, outcomes in (("A", OUTCOMES), ("B", (1, 1, 1, 1, 0))):
        head = f"# policy={{a}} task={{t}} session={session} robot=franka"
        put(f"octo__cup__session{session}.txt", log(*FORMS[0], outcomes, head, a="octo", t="cup"))
    assert ro.load(tmp_path, unit="episode").n_runs.tolist() == [[10]]
    with pytest.raises(ro.DataError, match="use duplicates='mean' if the score of the run is their mean"):
        ro.load(tmp_path, pattern="*session{run}")
    with pytest.warns(ro.RunoffWarning, match="their mean counts"):
        read = ro.load(tmp_path, pattern="*session{run}", duplicates="mean")
    assert read.to_dict() == {"octo": {"cup": [0.6, 0.8]}}


def test_attempts_in_a_table_of_a_run_are_not_its_evaluations(put, tmp_path):
    for run in (1, 2):
        put(f"octo_cup_{run}.csv", "rollout,success\n" + "".join(f"{k},{well}\n" for k, well in enumerate(OUTCOMES)))
    options = {"pattern": "{algorithm}_{task}_{run}"}
    with pytest.raises(
        ro.DataError, match=r"duplicates='mean'.*or columns={'step': 'rollout'} if they are the progress"
    ):
        ro.load(tmp_path, **options)
    assert isinstance(ro.load(tmp_path, **options, columns={"step": "rollout"}), ro.Curves)


def test_a_sum_that_contradicts_the_attempts_is_warned_of(put):
    path = put("x.txt", log(*FORMS[0], total="Success: 4/5 (80%)", a="octo", t="cup"))
    with pytest.warns(
        ro.RunoffWarning, match=r"line 7: 'Success: 4/5 \(80%\)' says 4 of 5, and the lines above hold 3 of 5"
    ):
        assert ro.load(path, unit="episode").to_dict() == {"octo": {"cup": [*OUTCOMES]}}


@pytest.mark.parametrize("word", ["aborted", "succ", "skipped"])
def test_an_outcome_that_is_neither_is_refused_with_its_line(put, word):
    path = put("x.txt", log(*FORMS[0], a="octo", t="cup") + f"Rollout 06: {word}")
    with pytest.raises(ro.DataError, match=f"line 8: 'Rollout 06: {word}' is neither a success nor a failure"):
        ro.load(path, unit="episode")


@pytest.mark.parametrize(
    "text", ["Rollout 1: success\n", "Rollout 1: success\nRollout 1: fail\n", "Rollout 1: success\nTrial 2: fail\n"]
)
def test_one_attempt_and_numbers_that_repeat_are_no_log(put, text):
    with pytest.raises(ro.DataError):
        ro.load(put("x.txt", text), unit="episode")


@pytest.mark.parametrize(
    ("well", "ill"),
    [("success", "crashed"), ("passed", "unsolved"), ("successful", "fails"), ("successfully", "unsuccessful")],
)
@pytest.mark.parametrize("kind", ["Demo", "rollout", "Trial", "Attempt", "EPISODE"])
def test_words_for_what_went_well_and_ill_are_outcomes_of_attempts_of_any_kind(put, kind, well, ill):
    path = put("x.log", log(f"{kind} {{k}}: {{o}}", (well, ill), a="octo", t="cup"))
    assert ro.load(path, unit="episode").to_dict() == {"octo": {"cup": [*OUTCOMES]}}
