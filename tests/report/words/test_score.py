"""What a score is and what was done to it: one sentence, the same wherever a report says it."""

from __future__ import annotations

import warnings
from html import unescape

import pytest

import runoff as ro
from runoff.page import build
from runoff.page.files.records import record_of, tables
from runoff.page.words.paragraph import methods_paragraph
from tests.report.made import answers_of

ENDS = {"A": (4, 4, 4), "B": (4, 4, 3)}
"""The last step of each run."""


def curves(rename="ret", tasks=("s", "t", "u", "v")):
    rows = [
        (a, t, run, step, float(step + run + 2 * (a == "A")))
        for a, ends in ENDS.items()
        for t in tasks
        for run, end in enumerate(ends)
        for step in range(1, end + 1)
    ]
    return ro.Curves.from_frame(
        dict(zip(("algorithm", "task", "run", "step", rename), zip(*rows, strict=True), strict=True))
    )


SHORT = "4 of 24 runs ended early, and "
CASES = {
    "last": (
        lambda: curves().final(),
        f"the last evaluation of its learning curve (column 'ret'); {SHORT}their last scores stand for the end",
    ),
    "share": (
        lambda: curves().final("50%", incomplete="worst"),
        f"the mean evaluation of the last 50% of its learning curve (column 'ret'); {SHORT}they count as the worst run of their task",
    ),
    "several": (
        lambda: curves().final(2, incomplete="drop"),
        f"the mean of the last 2 evaluations of its learning curve (column 'ret'); {SHORT}they are left out",
    ),
    "at": (lambda: curves().at(2.5), "its learning curve at step 2.5, interpolated linearly (column 'ret')"),
    "best": (
        lambda: curves().best_so_far().final(incomplete="drop"),
        "the last evaluation of its learning curve (column 'ret'); each evaluation counts as the best of its run so far; "
        f"{SHORT}they are left out",
    ),
    "none of the short runs kept": (
        lambda: curves().final(incomplete="carry").select(algorithms=["A"]),
        "the last evaluation of its learning curve (column 'ret')",
    ),
    "up to a step": (
        lambda: curves().up_to(2).final(),
        "the last evaluation of its learning curve (column 'ret'); evaluations after step 2 are left out",
    ),
    "tasks": (
        lambda: curves().at(2).normalize({"s": (0.0, 9.0)}, unreferenced="drop"),
        "its learning curve at step 2, interpolated linearly (column 'ret'); 3 of 4 tasks are left out, which have no reference scores",
    ),
    "archive": (
        lambda: ro.archive.load("atari_100k", algorithms=["SPR"]).select(tasks=["Pong"]),
        "its published score; 25 of 26 tasks are left out",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_score_is_said_with_what_was_done_to_it(case):
    make, words = CASES[case]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        scores = make()
    assert scores.provenance.score_words("run") == f"The score of a run is {words}."


@pytest.mark.parametrize(("text", "unit", "words"), [
    ("algo,ret\nA,1\nA,2\nB,3\nB,5\n", "run", "The score of a run is its value in the column 'ret'; scores are costs and were negated"),
    ("PPO,SAC\n1,3\n2,5\n", "run", "The score of a run is the number that the file has for it; scores are costs and were negated"),
    ("policy,task,successes,n\nA,s,3,4\nB,s,1,4\n", "episode", "The score of an episode is 1 or 0, by the counts in the column 'successes'"),
])  # fmt: skip
def test_a_score_of_a_table_is_named_by_its_column(text, unit, words, tmp_path):
    (tmp_path / "runs.csv").write_text(text)
    scores = ro.read_scores(tmp_path / "runs.csv", unit=unit, lower_is_better=unit != "episode")
    assert scores.provenance.score_words(unit).startswith(words)


def test_scores_that_were_given_are_no_words_in_captions_and_a_sentence_of_the_methods():
    scores = ro.Scores.from_dict({"A": [1.0, 2.0, 3.0], "B": [4.0, 6.0, 5.0]})
    assert not scores.provenance.score_words("run")
    assert (
        "The scores of runs were taken as given. Scores were not normalised."
        in methods_paragraph(answers_of(scores)).text
    )


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_page_methods_tables_and_json_say_it_alike():
    answers = answers_of(curves().final(incomplete="worst"))
    words = answers.scores.provenance.score_words("run")
    record = record_of(answers)
    assert record["data"]["score"] == words
    assert words in record["methods_text"]
    assert words in unescape(build(answers)).partition("</header>")[0]
    texts = [text for name, text in tables(answers) if name.endswith(".tex")]
    assert len(texts) >= 6
    assert all(words in text for text in texts)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_captions_of_figures_say_it_and_those_of_curves_what_was_done_to_runs(tmp_path):
    report = ro.report(curves(), tmp_path, incomplete="worst", n_resamples=100, figures="svg")
    words, short = (
        report.answers.scores.provenance.score_words("run"),
        f"{SHORT}they count as the worst run of their task.",
    )
    captions = (tmp_path / "figures" / "captions.txt").read_text().strip().split("\n\n")
    assert len(captions) > 5
    for text in captions:
        assert text.endswith(short if text.startswith(("curves:", "sample_efficiency:")) else words)


CUTS = {
    "a quarter is whole": ([0.1, 0.2, 0.6, 0.9], ""),
    "digits differ": (
        [0.1, 0.2, 0.6, 0.7, 0.9],
        "int(N / 4) of N runs, it is 0.50 in place of 0.51 for A and 1.50 in place of 1.51 for B.",
    ),
    "alike": ([0.1, 0.2, 0.3, 0.4, 0.5], "int(N / 4) of N runs, no digit that is printed differs."),
}


@pytest.mark.parametrize("case", CUTS)
def test_the_iqm_is_given_by_both_cuts_where_quarters_are_no_whole_runs(case):
    runs, words = CUTS[case]
    scores = ro.Scores.from_dict({"A": {"t": runs}, "B": {"t": [run + 1 for run in runs]}})
    text = methods_paragraph(answers_of(scores)).text
    assert ("The interquartile mean cuts exactly a quarter of the runs from each end" in text) == bool(words)
    assert words in text
