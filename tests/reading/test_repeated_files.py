"""Copies of runs, and attempts that another repeats, by words in their paths: they are left out with a warning, or asked about."""

from __future__ import annotations

import pytest

import runoff as ro
from runoff.reading._crossed import warn_of_variants


def curve(last, *, n=4, first=1):
    return "step,return\n" + "".join(f"{step},{last - n + step}\n" for step in range(first, n + 1))


@pytest.fixture
def tree(put, tmp_path):
    """Write two whole runs of two algorithms, and files beside them."""

    def write(others, path="{a}/seed_{s}/progress"):
        for a, level in (("ppo", 10), ("sac", 20)):
            for s in (0, 1):
                put(f"tree/{path.format(a=a, s=s)}.csv", curve(level + s))
        for name, content in others.items():
            put(f"tree/{name}.csv", content)
        return tmp_path / "tree"

    return write


WHOLE = {"ppo": {"task": [10.0, 11.0]}, "sac": {"task": [20.0, 21.0]}}


@pytest.mark.parametrize(
    "name",
    [
        "ppo/seed_1_crashed/progress",
        "ppo/seed_1_old/progress",
        "ppo/seed_1/progress_old",
        "old/ppo/seed_1/progress",
        "ppo/seed_1.failed/progress",
    ],
)
def test_an_attempt_that_ended_before_a_run_of_its_name_is_left_out(tree, name):
    with pytest.warns(ro.RunoffWarning, match="are left out for others of the same runs, .* it ends at 2"):
        scores = ro.read_scores(tree({name: curve(3, n=2)}))
    assert scores.to_dict() == WHOLE


@pytest.mark.parametrize("again", ["seed_1_retry", "seed_1-2", "seed_1_rerun2", "seed_1 (restarted)"])
def test_the_repeat_of_a_run_that_ended_before_counts_for_it(tree, again):
    root = tree({f"ppo/{again}/progress": curve(15, n=6)})
    with pytest.warns(ro.RunoffWarning) as warned:
        curves = ro.read_curves(root)
    assert "progress.csv: it ends at 4, and" in " ".join(str(warning.message) for warning in warned)
    assert (curves.algorithms, curves.n_runs.tolist()) == (("ppo", "sac"), [[2], [2]])


@pytest.mark.parametrize(
    "name",
    [
        "ppo/seed_1 (copy)/progress",
        "backup/ppo/seed_1/progress",
        "ppo_old/seed_1/progress",
        "ppo/seed_1/progress - Copy",
    ],
)
def test_copies_by_name_and_bytes_are_left_out(tree, name):
    with pytest.warns(ro.RunoffWarning, match="this is a copy of 'ppo/seed_1/progress', byte for byte"):
        scores = ro.read_scores(tree({name: curve(11)}))
    assert scores.to_dict() == WHOLE


@pytest.mark.parametrize("name", ["ppo/seed_1_retry/progress", "old/ppo/seed_1/progress", "ppo/seed_1_copy/progress"])
@pytest.mark.parametrize("content", [curve(12), curve(15, n=6, first=5)], ids=["as long", "a continuation"])
def test_attempts_of_which_nothing_says_which_counts_are_asked_about(tree, name, content):
    if "old" in name and "5," in content:
        content = curve(12, n=6)  # the old one trained longer
    with pytest.raises(ro.DataError, match="nothing says which counts"):
        ro.read_scores(tree({name: content}))


@pytest.mark.parametrize("name", ["ppo/seed_1_old/progress", "ppo/seed_1/progress_old"])
def test_an_older_attempt_that_is_as_long_as_the_run_is_asked_about(tree, name):
    with pytest.raises(ro.DataError, match="nothing says which counts"):
        ro.read_scores(tree({name: curve(12)}))


def test_a_repeat_without_the_run_that_it_repeats_is_a_run_of_the_others(tree):
    with pytest.warns(ro.RunoffWarning, match="words in 1 of 5 paths only say that runs were repeated"):
        scores = ro.read_scores(tree({"ppo/seed_2_retry/progress": curve(12)}))
    assert scores.to_dict() == {**WHOLE, "ppo": {"task": [10.0, 11.0, 12.0]}}


def test_words_of_variants_stay_in_their_names(tree):
    root = tree({"ppo_fixed/seed_1/progress": curve(12, n=6)})
    assert ro.read_curves(root).algorithms == ("ppo", "ppo_fixed", "sac")


def test_words_of_repeats_behind_an_algorithm_stay_in_its_name_with_a_warning(tree):
    root = tree({"ppo_old/seed_1/progress": curve(12, n=6)})
    with pytest.warns(ro.RunoffWarning, match="'ppo_old' .* is read as an algorithm of its own beside 'ppo'"):
        assert ro.read_curves(root).algorithms == ("ppo", "ppo_old", "sac")


@pytest.mark.parametrize(
    ("name", "attempt"),
    [("ppo_old", True), ("ppo (1)", True), ("ppo_rerun (2)", True), ("ppo 2", False), ("ppo_2", False)],
)
def test_a_number_behind_an_algorithm_is_an_attempt_only_in_brackets(recwarn, name, attempt):
    warn_of_variants(["ppo", "ppo", name, "sac"], ["a", "b", "c", "d"])
    assert [f"{name!r} (1 file(s), for example c)" in str(warning.message) for warning in recwarn] == [True] * attempt


def test_a_pattern_reads_attempts_as_it_says(tree):
    curves = ro.read_curves(tree({"ppo/seed_1_retry/progress": curve(15, n=6)}), pattern="{algorithm}/seed_{run}/*")
    assert {*curves.run_labels} == {"0", "1", "1_retry"}


@pytest.mark.parametrize("again", ["seed_1 (1)", "seed_1(2)"])
def test_a_counted_copy_of_a_run_that_holds_other_scores_is_asked_about(tree, again):
    with pytest.raises(ro.DataError, match="nothing says which"):
        ro.read_scores(tree({f"ppo/{again}/progress": curve(3)}))


@pytest.mark.parametrize(
    "names", [("progress", "progress.1"), ("progress.1", "progress"), ("progress", "progress_part2")]
)
def test_a_file_in_which_another_goes_on_holds_the_rest_of_its_run(put, names):
    for seed in (0, 1):
        for name, first, n in ((names[0], 1, 4), (names[1], 5, 8)):
            folder = put(f"runs/ppo/seed_{seed}/{name}.csv", curve(8 + seed, n=n, first=first)).parents[2]
    read = ro.load(folder)
    assert (read.final(1).to_dict(), read.curve(0)[0].tolist()) == ({"ppo": {"task": [8.0, 9.0]}}, [*range(1, 9)])
    assert "the run goes on in" in " ".join(read.provenance.notes)


def test_files_whose_steps_overlap_go_on_in_none(tree):
    others = {f"{a}/seed_{s}/progress.1": curve(9, n=9, first=4) for a in ("ppo", "sac") for s in (0, 1)}
    with pytest.raises(ro.DataError, match="share steps, or have other columns"):
        ro.load(tree(others))
