"""Every set that ships: the counts that its source tells, its hash, and numbers that were printed."""

from __future__ import annotations

import hashlib
from collections import Counter

import numpy as np
import pytest

import runoff as ro
from runoff.archive.sets import FILE, PROTOCOL, ROOM
from tools import archive as builder

SETS = [card.name for card in ro.archive.list()]
every_set = pytest.mark.parametrize("name", SETS)


@every_set
def test_the_file_of_a_set_has_the_hash_that_its_card_tells(name):
    assert hashlib.sha256((ROOM / name / FILE).read_bytes()).hexdigest() == ro.archive.info(name).sha256


@every_set
def test_the_runs_of_a_set_are_as_many_as_the_source_prints(name):
    card, settings = ro.archive.info(name), builder.settings_of(name)
    printed = Counter[str]()
    for algorithm, (_, runs, _) in settings["source_counts"].items():
        printed[algorithm] += runs if ":" not in algorithm else 0
    frame = ro.archive.table(card)
    shipped = Counter(frame.filter(frame["series"] == "score")["algorithm"].to_list())
    lost = {("dreamerv2_other", "dreamerv2"): 10}
    expected = {a: n - card.twins.get(a, 0) - lost.get((name, a), 0) for a, n in printed.items()}
    assert shipped == {a: n for a, n in expected.items() if n}


@every_set
def test_a_set_counts_its_tasks_algorithms_and_runs(name):
    card = ro.archive.info(name)
    frame = ro.archive.table(card)
    assert set(frame["algorithm"]) == set(card.algorithms)
    assert set(frame["task"]) == set(card.tasks)
    assert frame.select("algorithm", "task", "run").n_unique() == card.n_runs
    assert {a: len(frame.filter(frame["algorithm"] == a)["task"].unique()) for a in card.algorithms} == {
        a: tasks for a, (tasks, _, _) in card.algorithms.items()
    }


@every_set
def test_no_run_of_a_set_is_there_twice(name):
    frame = ro.archive.table(ro.archive.info(name))
    assert frame["key"].is_unique().all()


@every_set
def test_a_set_says_what_is_known_of_it_and_unknown_for_the_rest(name):
    card = ro.archive.info(name)
    assert set(card.protocol()) == set(PROTOCOL)
    assert {a for a in card.algorithms if set(card.protocol(a)) == set(PROTOCOL)} == set(card.algorithms)
    assert "Permission is hereby granted" in card.license_text or "Apache License" in card.license_text
    assert card.citation == "unknown" or card.citation.startswith("@")


@pytest.mark.parametrize(
    ("name", "algorithm", "printed", "tolerance"),
    [
        ("dreamerv3_atari100k", "dreamerv3", 0.487, 0.0005),
        ("atari_100k", "DER", 0.18936086395020874, 1e-6),
        ("atari_100k", "OTRainbow", 0.12959095869061166, 1e-6),
        ("atari_100k", "DrQ", 0.21197693941542933, 1e-6),
        ("atari_100k", "DrQ(ε)", 0.312901399063074, 1e-6),
        ("atari_100k", "SPR", 0.39562938291779215, 1e-6),
    ],
)
def test_the_median_human_normalised_score_is_the_printed_one(name, algorithm, printed, tolerance):
    scores = ro.archive.load(name, algorithms=[algorithm]).normalize("atari")
    assert np.median([cell.mean() for cell in scores.cells(0)]) == pytest.approx(printed, abs=tolerance)


@pytest.mark.parametrize(
    ("a", "b", "n"), [("simba", "simbav2", 1476), ("bro", "simba", 230), ("eop_tuning", "neorl_tuning", 7650)]
)
def test_runs_of_two_sets_have_one_key(a, b, n):
    first, second = (ro.archive.table(ro.archive.info(name)) for name in (a, b))
    keys = [set(frame.filter(frame["series"] == "score")["key"]) for frame in (first, second)]
    assert len(keys[0] & keys[1]) == n == ro.archive.info(a).shared[b] == ro.archive.info(b).shared[a]


@pytest.mark.sampled(10)
@every_set
def test_the_end_of_a_curve_is_the_score_of_its_run(name):
    card = ro.archive.info(name)
    frame = ro.archive.table(card, "values", "steps")
    frame = frame.filter(frame["values"].list.len() > 0)
    assert all(n <= builder.POINTS for n in frame["values"].list.len())
    np.testing.assert_allclose(frame["values"].list.last(), frame["score"], rtol=1e-3, atol=1e-3)
    assert all(np.diff(steps.to_numpy()).min(initial=1) > 0 for steps in frame["steps"])


def test_the_archive_is_small_enough_for_the_wheel():
    assert sum(file.stat().st_size for file in ROOM.rglob("*") if file.is_file()) < 6_000_000


def test_the_pages_are_those_of_the_sets():
    for page, written in builder.PAGES.items():
        assert page.read_text(encoding="utf-8") == written() + "\n", "run `python -m tools.archive --pages`"
