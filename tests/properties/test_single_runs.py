"""A cell of one run leaves its task out of its pairs, and changes nothing else: no measure, no pair of others, no verdict against a number."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

import runoff as ro
from tests.amount import examples

pytestmark = pytest.mark.usefixtures("few_relabellings")
KINDS = ("shares", "raw", "rates", "normalised")


def design(seed: int) -> ro.Scores:
    """2 to 4 algorithms, 1 to 7 tasks, 2 to 8 runs; some cells have one run."""
    rng = np.random.default_rng(seed)
    k, n_tasks, kind = int(rng.integers(2, 5)), int(rng.integers(1, 8)), KINDS[seed % 4]
    share = float(rng.choice([0.1, 0.3, 0.9]))
    cells: dict[str, dict[str, np.ndarray]] = {}
    for a in range(k):
        ahead, cells[f"A{a}"] = rng.exponential(1.0), {}
        for t in range(n_tasks):
            n = 1 if rng.random() < share else int(rng.integers(2, 9))
            level = 1 + ahead + rng.exponential(0.3)
            shares, raw = rng.beta(level, 2.0, n), rng.normal(level * (1 + 3 * t), 1 + t, n)
            runs = {"shares": shares, "rates": (shares > 0.5).astype(float)}.get(kind, raw)
            cells[f"A{a}"][f"t{t}"] = runs
    scores = ro.Scores.from_dict(cells)
    ends = dict.fromkeys(scores.tasks, (0.0, 4.0))
    return scores if kind != "normalised" else scores.normalize(ends, assume_raw=True)


@cache
def compared(seed: int) -> tuple[ro.Scores, ro.answer.ComparisonResult] | None:
    scores = design(seed)
    try:
        return scores, ro.compare(scores, single_value="tested", n_resamples=100)
    except ro.DesignError:  # items, or nothing varies
        return None


def answered(n: int = 500, most: int = 12):
    rows = ((seed, compared(seed)) for seed in range(examples(n, most)))
    return [(seed, *answer) for seed, answer in rows if answer is not None]


def even(pair) -> float:
    return 0.5 if pair.measure == "improvement" else 0.0


def pairs_of(n: int = 500):
    """Each pair with its seed, its scores, and the tasks on which one of the two has a single run."""
    for seed, scores, result in answered(n):
        for pair in result.pairs:
            n_runs = scores.n_runs[[scores.algorithms.index(name) for name in (pair.a, pair.b)]].min(axis=0)
            yield seed, scores, pair, [task for task, k in zip(scores.tasks, n_runs.tolist(), strict=True) if k < 2]


def test_verdict_estimate_interval_and_p_value_of_a_pair_agree():
    findings = 0
    for seed, _, pair, _ in pairs_of():
        lead, different = pair.estimate - even(pair), pair.winner is not None
        if pair.own_low is None:
            assert (pair.pvalue, pair.verdict) == (None, "no_verdict"), seed
            continue
        assert (pair.pvalue <= 0.05) == (not pair.own_low <= even(pair) <= pair.own_high), seed
        assert different == (pair.pvalue_adjusted <= 0.05), seed
        assert different == (not pair.low <= even(pair) <= pair.high), seed
        assert not different or (pair.verdict == "a_better") == (lead > 0), seed
        findings += different
    assert findings > 0


def test_tasks_of_a_single_run_are_left_out_of_their_pairs_by_name_and_number():
    counts = {"left out": 0, "no law": 0, "rates": 0}
    for seed, scores, pair, single in pairs_of():
        text = " ".join(advice.text for advice in pair.advice if advice.code == "R002")
        if scores.rates:
            assert (pair.left_out, text) == ((), ""), seed
        elif len(single) == scores.n_tasks:
            assert (pair.verdict, pair.sentence[:28]) == ("no_verdict", "No verdict is given between "), seed
            assert "no verdict is given over runs" in text, seed
        else:
            assert (list(pair.left_out), pair.n_tasks) == (single, scores.n_tasks - len(single)), seed
            assert ("two runs or more" in pair.sentence) == bool(single) == bool(text), seed
        kind = "rates" if scores.rates else "no law" if len(single) == scores.n_tasks else "left out"
        counts[kind] += bool(single)
    assert min(counts.values()) > 0, counts


def test_nobody_stands_before_one_that_was_found_above_it():
    moved = 0
    for seed, scores, result in answered():
        below = {(p.b if p.winner == p.a else p.a, p.winner) for p in result.pairs if p.winner}
        names, beaten = [name for name, _ in result.values], {loser for loser, _ in below}
        ranks = ro.rank_intervals(scores, single_value="tested", n_resamples=100)
        assert dict(result.values) == pytest.approx({r.algorithm: r.estimate for r in ranks.rows}), seed
        for record in ranks.rows:
            assert record.joint_low <= record.place <= record.joint_high, seed
            assert (record.joint_low > 1) == (record.algorithm in beaten), seed
        assert all(names.index(winner) < names.index(loser) for loser, winner in below), seed
        judged = any(names[0] in (p.a, p.b) and not p.unjudged for p in result.pairs)
        assert result.leader == (names[0] if judged else None), seed
        assert ("yet was found below" in result.sentence) <= ("two runs or more" in result.sentence), seed
        moved += result.values != tuple(sorted(result.values, key=lambda item: -item[1]))
    assert moved > 0 or examples(500) < 500


def test_a_pair_is_that_of_the_tasks_that_count_and_of_its_two_algorithms():
    """Not corrected: of few runs, whether relabelling has a say depends on the level of the family's first step."""
    how = {"single_value": "tested", "correction": "none"}
    for seed, scores, result in answered(200, most=5):
        for pair in ro.compare(scores, measure=result.measure, **how).pairs:
            tasks = [task for task in scores.tasks if task not in pair.left_out]
            two = scores.select(algorithms=[pair.a, pair.b], tasks=tasks)
            if two.rates != scores.rates or two.of_items or not np.ptp(two.values):
                continue
            (alone,) = ro.compare(two, measure=result.measure, **how).pairs
            for field in ("pvalue", "low", "high", "estimate", "n_runs_a", "n_runs_b"):
                assert getattr(pair, field) == getattr(alone, field), (seed, field)


def test_a_third_algorithm_with_a_cell_of_one_run_changes_no_verdict_of_two_others():
    for seed in range(examples(100, most=5)):
        rng = np.random.default_rng(seed)
        n_tasks, runs = int(rng.integers(1, 8)), (rng.beta(2, 2, (3, 7, 4)), rng.normal(3, 9, (3, 7, 4)))[seed % 2]
        two = {name: {f"t{t}": runs[a, t] for t in range(n_tasks)} for a, name in enumerate("AB")}
        third = {f"t{t}": runs[2, t, : 4 if t else 1] for t in range(n_tasks)}
        how = {"correction": "none", "single_value": "tested"}
        (alone,), beside = ro.compare(two, **how).pairs, ro.compare({**two, "C": third}, **how).pairs[0]
        for field in ("measure", "test", "estimate", "pvalue", "low", "high", "verdict", "n_tasks", "sentence"):
            assert getattr(alone, field) == getattr(beside, field), (seed, field)


REAL = {
    "ppg_procgen": "procgen_hard",
    "dreamer_v1": "dm_control",
    "primacy_dmc": "dm_control",
    "dreamerv2_atari": "atari",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name != "ppg_procgen" else []) for name in REAL]
)
def test_of_real_pairs_with_one_cell_cut_to_one_run_the_verdict_is_that_of_the_other_tasks(name):
    shipped = ro.archive.load(name).normalize(REAL[name])
    for seed, (a, b) in enumerate(combinations(shipped.algorithms[:5], 2)):
        two, rng = shipped.select(algorithms=[a, b]), np.random.default_rng(seed)
        counted = [task for task, n in zip(two.tasks, two.n_runs.min(axis=0), strict=True) if n > 1]
        if len(counted) < 2:
            continue
        two, lonely = two.select(tasks=counted), str(rng.choice(counted))
        cells = two.to_dict()
        cells[a][lonely] = cells[a][lonely][:1]
        cut = replace(ro.Scores.from_dict(cells), provenance=two.provenance)
        (pair,), (whole,) = ro.compare(cut).pairs, ro.compare(two).pairs
        (rest,) = ro.compare(two.select(tasks=[t for t in counted if t != lonely]), measure=whole.measure).pairs
        assert (pair.measure, pair.left_out) == (whole.measure, (lonely,))
        for field in ("verdict", "pvalue", "estimate", "low", "high", "n_tasks", "test"):
            assert getattr(pair, field) == getattr(rest, field), (a, b, field)
        assert "yet was found below" not in ro.compare(cut).sentence
