"""One answer: whichever verb or page is asked about the same runs, at the same level and by the same measure."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.page.answers.all import standing_of
from runoff.page.sheet import rows
from runoff.page.tables import ranks_table
from runoff.page.words.tiles import tiles
from tests.properties.test_one_law import samples_of_tasks
from tests.report.made import answers_of

pytestmark = pytest.mark.usefixtures("few_relabellings")
sizes = pytest.mark.parametrize("n", [5, pytest.param(200, marks=pytest.mark.slow)])


@sizes
@pytest.mark.parametrize("measure", ["auto", "mean", "improvement"])
def test_whether_a_lead_holds_across_tasks_is_what_tasks_as_the_sample_say(measure, n):
    for seed, scores, _ in samples_of_tasks(n):
        runs = () if scores.of_items else ro.compare(scores, measure=measure).pairs
        for pair in runs:
            reading = pair.over_tasks
            assert (reading is None) == (scores.n_tasks < 6), seed
            if reading is not None:
                other = ro.compare(scores, over="tasks", measure=reading.measure)[pair.a, pair.b]
                assert (reading.estimate, reading.verdict) == (other.estimate, other.verdict), seed
                assert reading.pvalue_adjusted == other.pvalue_adjusted, seed


def with_gaps(rng, names):
    """Nine tasks of which each algorithm has most, some with a single run."""
    cells = {
        name: {
            f"t{t}": rng.normal(0.2 * at, 0.3, rng.choice([1, 4]))
            for t in range(9)
            if rng.random() < 0.8 or t in (3, 4)
        }
        for at, name in enumerate(names)
    }
    for name in names:
        cells[name]["t3"] = rng.normal(0, 1, 4)
    return ro.Scores.from_dict(cells, score_unit="shared")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(12))
def test_so_it_is_where_cells_are_missing_or_have_one_run(seed):
    """All tasks that both have count, those of a single run too, in the family of all pairs, whatever tasks those have."""
    scores = with_gaps(np.random.default_rng(seed), "ABCD"[: 2 + seed % 3])
    of_tasks = ro.compare(scores, over="tasks")
    for pair in ro.compare(scores).pairs:
        other = of_tasks[pair.a, pair.b]
        assert (pair.wins, pair.ties, pair.losses) == (other.wins, other.ties, other.losses)
        assert f" of {other.n_tasks} tasks" in pair.across_tasks.sentence
        assert (pair.over_tasks is None) == (other.n_tasks < 6)
        if pair.over_tasks:
            assert pair.over_tasks.pvalue_adjusted == other.pvalue_adjusted
            assert pair.over_tasks.verdict == other.verdict


def test_published_values_are_in_the_family_of_tasks_as_the_sample():
    rng = np.random.default_rng(2)
    cells = {name: {f"t{t}": rng.normal(at, 0.1, 4) for t in range(7)} for name, at in (("A", 1.0), ("B", 0.5))}
    scores = ro.Scores.from_dict({**cells, "human": {f"t{t}": [3.0 + t] for t in range(7)}}, score_unit="shared")
    (pair,) = ro.compare(scores).pairs
    assert pair.over_tasks.pvalue_adjusted == ro.compare(scores, over="tasks")["A", "B"].pvalue_adjusted


def test_one_task_with_several_runs_is_not_the_only_one_that_counts_across_tasks():
    rng = np.random.default_rng(0)
    cells = {"A": {f"t{t}": rng.normal(0, 0.1, 4 if t == 0 else 1) for t in range(8)}}
    cells["B"] = {f"t{t}": rng.normal(1, 0.1, 4) for t in range(8)}
    results = answers_of(ro.Scores.from_dict(cells, score_unit="shared"))
    assert results.comparison.nearest.n_tasks == 1
    across = tiles(results, standing_of(results))[1]
    assert (across.answer, across.why) == (
        "Yes, on tasks like these",
        "Ahead on 8 of 8 tasks, against A. By the Hodges-Lehmann difference, p = 0.008.",
    )


@pytest.mark.parametrize(
    ("n_tasks", "score_unit", "measure", "tested_by"),
    [
        (5, "shared", "iqm", None),
        (6, "shared", "iqm", "hodges_lehmann"),
        (10, "shared", "improvement", "hodges_lehmann"),
        (26, "shared", "improvement", "improvement"),
        (25, "per_task", "improvement", None),
        (26, "per_task", "improvement", "improvement"),
    ],
)
def test_tasks_as_the_sample_are_asked_by_the_measure_of_the_runs_or_by_that_of_the_design(
    n_tasks, score_unit, measure, tested_by
):
    runs = np.random.default_rng(n_tasks).normal(0, 10, (2, 3, n_tasks))
    scores = ro.Scores.from_dict({"A": runs[0], "B": runs[1]}, score_unit=score_unit)
    pair = ro.compare(scores, measure=measure).pairs[0]
    assert (pair.over_tasks and pair.over_tasks.measure) == tested_by
    assert pair.across_tasks.holds is None
    assert ("So few tasks, 5, cannot tell" in pair.across_tasks.sentence) == (n_tasks < 6)
    assert ("in units of their own that takes 26 tasks" in pair.across_tasks.sentence) == (n_tasks == 25)


def test_a_lead_that_tasks_as_the_sample_deny_is_not_said_to_hold():
    rng = np.random.default_rng(4)
    leads = np.where(np.arange(12) < 2, 9.0, -0.4)
    runs = {"A": rng.normal(leads, 0.1, (4, 12)), "B": rng.normal(0, 0.1, (4, 12))}
    pair = ro.compare(ro.Scores.from_dict(runs, score_unit="shared"), measure="mean").pairs[0]
    assert (pair.winner, pair.over_tasks.verdict) == ("A", "no_difference_found")
    assert pair.across_tasks.holds is False  # few tasks make the lead
    assert pair.turned().across_tasks == pair.across_tasks
    assert pair.turned().over_tasks == pair.over_tasks.turned()


# ── compare, sequential, gate, reproduce ──────────

# Far from 0, where an algorithm of a hundredth of another's scores would seem to be in another unit.
POOLS = (
    lambda rng, shape, a: 20 + rng.normal(size=shape) + 0.7 * a,
    lambda rng, shape, a: 20 + rng.lognormal(size=shape) + 0.7 * a,
    lambda rng, shape, a: 20 + rng.standard_t(3, size=shape) + 0.7 * a,
    lambda rng, shape, a: (rng.random(shape) < 0.3 + 0.2 * a).astype(float),
)
FOUND = ("a_better", "b_better")
seeds = pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 200))]
)


def design(seed):
    """A random design: 2 to 4 algorithms, 1, 2 or 6 tasks, 4 to 10 runs in each cell, of four pools, one of successes; and half its runs."""
    rng = np.random.default_rng([51, seed])
    k, n_tasks, half = int(rng.integers(2, 5)), int(rng.choice([1, 2, 6])), int(rng.integers(2, 6))
    return {f"A{a}": POOLS[seed % 4](rng, (2 * half, n_tasks), a * rng.random() * 2) for a in range(k)}, half


def scores_of(**runs):
    return ro.Scores.from_dict(runs, score_unit="shared")


def by_means(runs):
    return ro.compare(scores_of(**runs), measure="mean")


@seeds
def test_a_sequential_comparison_of_one_look_is_compare(seed):
    runs, half = design(seed)
    wanted = by_means(runs)
    for pair in ro.sequential(scores_of(**runs), design=ro.SequentialDesign(looks=(2 * half,))).pairs:
        other = wanted[pair.a, pair.b]
        assert pair.pvalue_adjusted == pytest.approx(other.pvalue_adjusted, rel=1e-9)
        assert pair.decision.replace("inconclusive", "no_difference_found") == other.verdict


@seeds
def test_no_look_claims_what_compare_denies_of_the_same_runs(seed):
    runs, half = design(seed)
    plan = ro.SequentialDesign(looks=(half, 2 * half), n_resamples=399)
    first, second = ({name: cells[part] for name, cells in runs.items()} for part in (slice(half), slice(half, None)))
    answer, seen = ro.sequential(scores_of(**first), design=plan), dict(first)
    if answer.next_look is not None:
        new = {name: second[name] for name in answer.next_algorithms}
        seen |= {name: np.concatenate([first[name], cells]) for name, cells in new.items()}
        answer = ro.sequential(scores_of(**new), design=plan, earlier=[scores_of(**first)])
    compared = by_means(first), by_means(seen)
    for pair in answer.pairs:
        other = compared[pair.look - 1][pair.a, pair.b]
        assert pair.pvalue_adjusted == pytest.approx(other.pvalue_adjusted, rel=1e-9)
        assert pair.decision not in FOUND or pair.decision == other.verdict


@seeds
def test_the_gate_denies_nothing_that_compare_finds_and_compare_nothing_that_the_gate_calls(seed):
    runs, half = design(seed)
    margin = 0.9 if seed % 4 == 3 else 2.5
    sides = {"before": runs["A1"], "after": runs["A0"][: half if seed % 3 else None]}
    both, (before, after) = scores_of(**sides), (scores_of(**{name: cells}) for name, cells in sides.items())
    for record in ro.gate(before, after, margin=margin, n_resamples=399).rows:
        cells = both if record.task is None else both.select(tasks=[record.task])
        pair = ro.compare(cells, measure="mean", margin=margin, alpha=0.1).pairs[0]  # two-sided
        assert (record.pvalue <= 0.05) == (pair.verdict == "a_better")
        assert {"regressed": "a_better", "improved": "b_better"}.get(record.verdict, pair.verdict) == pair.verdict
        assert record.verdict in ("regressed", "suspect", "held") or pair.verdict != "a_better"
        # Of a drop, the test against the margin is the larger of the two that show equivalence.
        assert record.verdict != "held" or record.drop <= 0 or pair.pvalue_equivalence <= 0.05


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(s, marks=pytest.mark.slow) for s in range(6, 200))])
def test_reproduce_finds_lower_and_higher_what_compare_finds(seed):
    rng, same = np.random.default_rng(seed), {"protocol": {"unit": "raw return"}}
    cells = {task: rng.uniform(100, 900, 5) * rng.uniform(1.0, 3.0) for task in ["Alien", "Qbert"][: 1 + seed % 2]}
    mine = ro.Scores.from_dict({"mine": cells})
    record = ro.reproduce(mine, "atari_100k:SPR", margin=1e-6, **same).overall
    pair = ro.compare(mine.beside("atari_100k:SPR", **same), measure="mean").pairs[0]
    assert record.pvalue_difference == pytest.approx(pair.pvalue, rel=1e-9)
    assert record.verdict == {"a_better": "higher", "b_better": "lower"}.get(pair.verdict, "cannot_be_said")


def test_what_a_look_allows_and_compare_denies_goes_on_with_both_numbers():
    runs = {"A": [1.0, 1.57, 0.66, 0.26, 0.51, 0.23], "B": [4.9, 33.46, 2.14, 1.77, 9.34, 7.65]}
    pair = ro.sequential(runs, design=ro.SequentialDesign(looks=(6, 8))).pairs[0]
    assert (pair.decision, abs(pair.statistic) > pair.critical) == ("go_on", True)
    assert "beyond its bound, but compare() finds no difference in these runs, adjusted p = 0." in pair.sentence


def test_at_the_last_look_it_is_said_where_compare_alone_would_find_a_difference():
    rng = np.random.default_rng(4)
    looks = [{"A": rng.normal(0, 1, 6), "B": rng.normal(0.9, 1, 6)} for _ in range(3)]
    pair = ro.sequential(looks[2], design=ro.SequentialDesign(looks=(6, 12, 18)), earlier=looks[:2]).pairs[0]
    assert (pair.decision, pair.pvalue_adjusted < 0.05) == ("inconclusive", True)
    assert "asked once, at the end, compare() would find one (adjusted p = 0.0" in pair.sentence


# ── one set of ranks, one interval of a pair ──────────


def test_possible_ranks_are_those_of_all_at_once_wherever_they_are_printed(tmp_path, capsys):
    rng = np.random.default_rng(9)
    scores = ro.Scores.from_dict(
        {n: np.round(rng.normal(m, 1, (5, 1)), 2) for n, m in zip("ABCD", (2.6, 2.0, 1.0, 0.0), strict=True)}
    )
    results, own = answers_of(scores), ro.rank_intervals(scores)["D"]
    assert (own.low, own.joint_low, own.joint_high) == (2, 1, 4)
    scores.to_frame().write_csv(tmp_path / "runs.csv")
    assert run(["rank", str(tmp_path / "runs.csv")]) == 0
    terminal = [line for line in capsys.readouterr().out.splitlines() if line.startswith("D ")]
    assert "1–4" in terminal[-1]
    table = {column.key: column.cells for column in ranks_table(results).columns}
    assert set(table["places"]) == {"1–4"}
    assert ro.rank_intervals(scores).sentence.startswith("A, B, C and D can be best")
    assert "possible for 4 of 4 algorithms" in " ".join(rows.ranks(results)["words"])
