"""Strata: a line for each, their weighted mean with the interval that is made of theirs, and what is said of both."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.bootstrap import Law
from runoff._inference.pairs import all_pairs
from runoff._inference.pairs.items import ItemLaw
from runoff._inference.pairs.mover import MoverLaw
from runoff._inference.pairs.rates import RateLaw
from runoff._inference.pairs.signed_rank import signed_rank_law
from runoff._inference.pairs.strata import in_strata, links_of
from tests.amount import examples
from tests.reference import items as slow

SIZES = {"aime": 14, "math": 40, "gsm": 90}


def drawn(seed, gain=0.15, sizes=SIZES):
    """Two models on items of several benchmarks, and the benchmark of each."""
    rng = np.random.default_rng(seed)
    strata = {f"{name}/{i}": name for name, n in sizes.items() for i in range(n)}
    easy = rng.beta(2, 1, len(strata))
    hits = {"A": rng.random(len(strata)) < easy + gain, "B": rng.random(len(strata)) < easy}
    runs = {model: dict(zip(strata, ([float(hit)] for hit in own), strict=True)) for model, own in hits.items()}
    return ro.Scores.from_dict(runs), strata


def laws_of(seed):
    rng = np.random.default_rng(seed)
    won, lost = rng.integers(0, 6, 2), rng.integers(0, 6, 2)
    items = [ItemLaw(float(b), float(c), n) for b, c, n in zip(won, lost, (14, 30), strict=True)]
    rates = RateLaw((float(won[0]),), (9.0,), (float(lost[0]),), (9.0,))
    return [*items, rates, Law(float(rng.normal(0, 0.2)), ((0.1, 7.0), (0.08, 3.0)))]


@pytest.mark.parametrize("seed", range(12))
def test_the_interval_adds_up_the_squares_of_how_far_those_of_the_lines_reach(seed):
    laws = laws_of(seed)
    weights = np.random.default_rng(seed).dirichlet(np.ones(len(laws)))
    law = MoverLaw(tuple(laws), tuple(weights.tolist()))
    for level in (0.5, 0.95, 0.999):
        lines = [(own.value, *own.interval(level)) for own in laws]
        assert (law.value, *law.interval(level)) == pytest.approx(slow.mover(lines, weights), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_p_value_is_the_level_at_which_the_interval_begins_to_hold_the_null_value(seed):
    law = MoverLaw(tuple(laws_of(seed)), (0.4, 0.3, 0.2, 0.1))
    intervals = {p: law.interval(1 - p) for p in np.linspace(0.005, 0.995, 100)}
    for null in (0.0, 0.1, law.value + 0.2):
        expected = max((p for p, (low, high) in intervals.items() if low <= null <= high), default=0.0)
        assert expected - 1e-9 <= law.pvalue(null) <= expected + 0.01
    assert law.pvalue(law.value) == 1.0


def test_of_t_laws_of_one_error_it_is_the_t_law_of_their_mean():
    lines = tuple(Law(value, ((0.2, 9.0),)) for value in (0.1, 0.5, 0.6, 0.8))
    law, error = MoverLaw(lines, (0.25,) * 4), 0.2 / 2
    assert law.pvalue() == pytest.approx(2 * stats.t.sf(0.5 / error, 9))
    assert law.equivalence_pvalue(0.7, 0.0) == pytest.approx(stats.t.sf(0.2 / error, 9))
    assert law.equivalence_pvalue(0.5, 0.0) == 1.0


def test_no_verdict_contradicts_its_interval():
    for seed in range(examples(300)):
        law = MoverLaw(tuple(laws_of(seed)[:3]), (0.5, 0.3, 0.2))
        low, high = law.interval(0.95)
        assert (law.pvalue() <= 0.05) == (low > 0 or high < 0)


def test_a_line_without_an_interval_leaves_none_for_all():
    law = MoverLaw((Law(0.1, ()), Law(0.2, ((0.1, 5.0),))), (0.5, 0.5))
    assert (law.interval(0.95), law.pvalue()) == (None, 1.0)


@pytest.mark.parametrize(
    ("weights", "shares"),
    [("equal", (1, 1, 1)), ("tasks", (14, 40, 90)), ({"aime": 1, "math": 2, "gsm": 5}, (1, 2, 5))],
)
def test_lines_are_comparisons_of_their_own_tasks_and_the_pair_their_weighted_mean(weights, shares):
    scores, strata = drawn(1)
    result = ro.compare(scores, strata=strata, weights=weights)
    own = [ro.compare(scores.select(tasks=[t for t in strata if strata[t] == name])).pairs[0] for name in SIZES]
    lines = {line.stratum: line for line in result.by_stratum}
    assert [lines[name].pvalue for name in SIZES] == [pair.pvalue for pair in own]
    ordered = sorted(pair.pvalue for pair in own)
    holm = [max(min(1.0, (3 - i) * p) for i, p in enumerate(ordered[: k + 1])) for k in range(3)]
    assert sorted(line.pvalue_adjusted for line in result.by_stratum) == pytest.approx(holm)
    mean = sum(w * pair.difference for w, pair in zip(shares, own, strict=True)) / sum(shares)
    assert result.pairs[0].difference == pytest.approx(mean)
    assert dict(result.values)["A"] - dict(result.values)["B"] == pytest.approx(mean)


def test_the_sentence_says_what_strata_weigh_and_which_decides():
    scores, strata = drawn(1)
    equal, by_tasks = (ro.compare(scores, strata=strata, weights=weights) for weights in ("equal", "tasks"))
    assert "over items like these 144 in 3 strata of equal weight (" in equal.pairs[0].sentence
    assert "Equal weights let the smallest stratum, aime (14 items), decide: it makes " in equal.pairs[0].sentence
    assert "in strata that weigh aime 9.7\u00a0%, gsm 62\u00a0% and math 28\u00a0%" in by_tasks.pairs[0].sentence
    assert "smallest" not in by_tasks.pairs[0].sentence
    assert "in 3 strata of equal weight" in equal.sentence


def test_the_share_of_the_width_is_that_of_the_squares():
    scores, strata = drawn(1)
    result = ro.compare(scores, strata=strata)
    widths = {line.stratum: line.own_high - line.own_low for line in result.by_stratum}
    share = widths["aime"] ** 2 / sum(width**2 for width in widths.values())
    assert f"it makes {100 * share:.0f}\u00a0% of the squared width" in result.pairs[0].sentence


def test_of_strata_alike_none_is_said_to_decide():
    scores, strata = drawn(3, sizes={"one": 40, "two": 40})
    sentence = ro.compare(scores, strata=strata).pairs[0].sentence
    assert "decide" not in sentence
    assert (
        "Stratum one (40 items) decides"
        in ro.compare(scores, strata=strata, weights={"one": 9, "two": 1}).pairs[0].sentence
    )


def test_a_diff_names_other_weights_as_what_differs():
    scores, strata = drawn(1)
    equal, by_tasks = (ro.compare(scores, strata=strata, weights=weights) for weights in ("equal", "tasks"))
    result = ro.diff(equal, by_tasks)
    assert [row.option for row in result.options] == ["weights of strata"]
    assert "another build" not in result.sentence
    assert ro.diff(equal, equal).options == ()


def test_every_exit_has_a_row_for_each_stratum():
    scores, strata = drawn(1)
    result = ro.compare(scores, strata=strata)
    pairs, lines, flips = result.tables()
    assert (lines.n_rows, [cell.text for cell in lines.columns[0].cells]) == (3, ["aime", "gsm", "math"])
    assert "Holm correction over 3 lines" in lines.caption
    assert "the weighted mean of the strata" in pairs.caption
    assert [cell.text for cell in flips.columns[0].cells] == ["aime", "gsm", "math"]
    for text in (result.to_latex(), result.to_markdown(), result._repr_html_(), result.to_json()):
        assert all(name in text for name in SIZES)


def suites(n_runs=5):
    rng = np.random.default_rng(3)
    tasks = [*(f"atari{t}" for t in range(5)), "dmc0", "dmc1"]
    runs = {name: {t: rng.normal(0.5 + gain, 0.1, n_runs) for t in tasks} for name, gain in (("A", 0.1), ("B", 0.0))}
    return ro.Scores.from_dict(runs, score_unit="shared"), {t: t[:-1] for t in tasks}


def test_suites_of_runs_are_compared_by_the_measure_that_all_can_have():
    scores, strata = suites()
    result = ro.compare(scores, strata=strata)
    assert (result.measure, result.over) == ("mean", "runs")  # an IQM takes four tasks, of which dmc has two
    own = ro.compare(scores.select(tasks=["dmc0", "dmc1"])).pairs[0]
    assert result.by_stratum[1].pvalue == own.pvalue
    assert "over 7 tasks in 2 strata of equal weight" in result.pairs[0].sentence
    assert ro.compare(scores, strata=strata, measure="improvement").measure == "improvement"


def test_means_of_suites_have_the_t_laws_of_their_lines():
    scores, strata = suites(n_runs=12)
    pair, *_ = (result := ro.compare(scores, strata=strata)).pairs
    reach = [line.estimate - line.own_low for line in result.by_stratum]
    assert pair.estimate - pair.own_low == pytest.approx(sqrt(sum((r / 2) ** 2 for r in reach)))


def runs_of(x, y, **options):
    sides = [{f"t{t}": side[:, t].tolist() for t in range(side.shape[1])} for side in (x, y)]
    return ro.Scores.from_dict(dict(zip("AB", sides, strict=True)), runs="shared", score_unit="shared", **options)


@pytest.mark.parametrize("measure", ["mean", "iqm", "improvement", "optimality_gap"])
def test_strata_that_repeat_the_same_shared_runs_say_no_more_than_one(measure):
    rng = np.random.default_rng(4)
    x, y = (rng.normal(0.5 + lead, 0.2, (6, 1)) + rng.normal(0, 0.05, (6, 5)) for lead in (0.1, 0))
    thrice = runs_of(np.hstack([x] * 3), np.hstack([y] * 3))
    (pair,), (alone,) = (
        ro.compare(scores, measure=measure, **strata).pairs
        for scores, strata in ((thrice, {"strata": {f"t{t}": f"s{t // 5}" for t in range(15)}}), (runs_of(x, y), {}))
    )
    assert (pair.own_low, pair.own_high, pair.pvalue) == pytest.approx((alone.own_low, alone.own_high, alone.pvalue))
    own, *_ = ro.aggregate(thrice, strata={f"t{t}": f"s{t // 5}" for t in range(15)}, measure=measure)
    single, *_ = ro.aggregate(runs_of(x, y), measure=measure)
    assert (own.low, own.high) == pytest.approx((single.low, single.high))


@pytest.mark.parametrize("weights", ["equal", {"s0": 1, "s1": 3, "s2": 2}])
def test_of_strata_that_share_runs_the_error_is_that_of_the_weighted_mean_of_each_run(weights):
    rng = np.random.default_rng(5)
    x, y = (rng.normal(0, 1, (7, 1)) + rng.normal(0, 0.5, (7, 6)) for _ in "ab")
    strata = {f"t{t}": f"s{t // 2}" for t in range(6)}
    (pair,), shares = ro.compare(runs_of(x, y), strata=strata, weights=weights, measure="mean").pairs, np.ones(3) / 3
    shares = shares if weights == "equal" else np.array([1, 3, 2]) / 6
    own, other = (side.reshape(7, 3, 2).mean(axis=2) @ shares for side in (x, y))
    error = sqrt(np.var(own, ddof=1) / 7 + np.var(other, ddof=1) / 7)
    lines = ro.compare(runs_of(x, y), strata=strata, weights=weights, measure="mean").by_stratum
    # Each stratum has its own degrees of freedom, of 6 to 12.
    assert pair.estimate == pytest.approx(own.mean() - other.mean())
    assert stats.t.ppf(0.975, 12) <= (pair.estimate - pair.own_low) / error <= stats.t.ppf(0.975, 6)
    assert len(lines) == 3


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["mean", "improvement"])
def test_equal_algorithms_are_rarely_parted_over_strata_that_share_runs(measure):
    strata, missed, n = {f"t{t}": f"s{t // 2}" for t in range(12)}, np.zeros(2), 300
    for seed in range(n):
        rng = np.random.default_rng(seed)
        x, y = (rng.normal(0, 1, (6, 1)) + rng.normal(0, 0.3, (6, 12)) for _ in "ab")
        (pair,) = ro.compare(runs_of(x, y), strata=strata, measure=measure).pairs
        row, *_ = ro.aggregate(runs_of(x, y), strata=strata, measure=measure)
        even = 0.5 if measure == "improvement" else 0.0
        missed += pair.verdict != "no_difference_found", not row.low <= even <= row.high
    assert (missed / n < 0.085).all()


def test_clusters_with_tasks_in_several_strata_are_refused():
    scores, strata = drawn(2)
    cluster = {task: f"text {i % 30}" for i, task in enumerate(strata)}
    with pytest.raises(ro.DesignError, match="has tasks in strata 'aime' and 'gsm', which are samples of their own"):
        ro.compare(scores, over="tasks", strata=strata, cluster=cluster)
    with pytest.raises(ro.DesignError, match="leave out strata=, or name clusters within strata"):
        ro.aggregate(scores, over="tasks", strata=strata, cluster=cluster)


def test_of_runs_that_tasks_share_nothing_is_said_of_tasks_like_these():
    rng = np.random.default_rng(1)
    x, y = (rng.normal(0, 1, (5, 1)) + rng.normal(0, 0.1, (5, 30)) for _ in "ab")
    alike = {"A": {f"t{t}": x[:, t] for t in range(30)}, "B": {f"t{t}": y[:, t] for t in range(30)}}
    assert ro.compare(runs_of(x, y)).pairs[0].over_tasks is None
    assert ro.compare(ro.Scores.from_dict(alike, score_unit="shared")).pairs[0].over_tasks is not None


def test_where_one_stratum_has_too_few_clusters_the_mean_has_no_verdict():
    scores, strata = drawn(2, sizes={"few": 12, "many": 40})
    cluster = {t: f"{t[:3]}{i % (3 if strata[t] == 'few' else 10)}" for i, t in enumerate(strata)}
    result = ro.compare(scores, strata=strata, cluster=cluster)
    assert [line.verdict == "no_verdict" for line in result.by_stratum] == [True, False]
    assert (result.pairs[0].verdict, result.pairs[0].pvalue) == ("no_verdict", None)
    assert "because no verdict can be given in stratum few" in result.pairs[0].sentence
    assert "Without a verdict: few: there are 3 clusters" in result.tables()[1].caption


def test_items_of_several_benchmarks_are_not_pooled_unsaid():
    scores, strata = drawn(1)
    assert [advice.code for advice in ro.compare(scores).advice] == ["R037"]
    assert "the 144 tasks are of 3, and 90 of them of 'gsm'" in ro.compare(scores).advice[0].text
    assert ro.compare(scores, strata=strata).advice == ()


SCORES, STRATA = drawn(1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strata": "benchmark"}, r"takes the stratum of each task, \{task: stratum\}"),
        ({"strata": {**STRATA, "aime/3": ""}}, "task 'aime/3' has no stratum in strata="),
        ({"strata": dict.fromkeys(STRATA, "x")}, "all 144 tasks are in one stratum, 'x'"),
        ({"strata": STRATA, "test": "welch", "over": "runs"}, "each stratum has the test of its design"),
        ({"strata": STRATA, "weights": {"aime": 1, "math": 1}}, "stratum 'gsm' has no weight"),
        ({"strata": STRATA, "weights": {"aime": 1, "math": 1, "gsm8k": 1}}, "no stratum 'gsm8k'.*Did you mean 'gsm'"),
        ({"strata": STRATA, "weights": {"aime": 0, "math": 1, "gsm": 1}}, "a finite number above 0, not 0"),
        ({"strata": STRATA, "weights": "items"}, "is 'equal', 'tasks' or"),
        ({"weights": "tasks"}, "use strata= with them"),
        ({"strata": {t: "rest" if i else "one" for i, t in enumerate(STRATA)}}, "stratum 'one': .*share one, 'aime/0'"),
    ],
)
def test_what_strata_cannot_be_is_refused(options, message):
    with pytest.raises(ro.RunoffError, match=message):
        ro.compare(SCORES, **options)


def test_an_algorithm_without_scores_in_a_stratum_is_named():
    runs = {"A": {"x": [1.0, 2], "y": [1.0, 3]}, "B": {"x": [2.0, 3], "y": [1.0, 4]}, "C": {"x": [2.0, 3]}}
    with pytest.raises(ro.DesignError, match="'C' has no scores in stratum 'y suite'"):
        ro.compare(ro.Scores.from_dict(runs), strata={"x": "x suite", "y": "y suite"})


@pytest.mark.parametrize(("weights", "shares"), [("equal", (1, 1, 1)), ("tasks", (14, 90, 40))])
def test_accuracies_of_strata_are_their_own_and_the_mean_has_an_interval_made_of_theirs(weights, shares):
    scores, strata = drawn(1)
    result = ro.aggregate(scores, over="tasks", strata=strata, weights=weights)
    for name in "AB":
        own = [row for row in result.by_stratum if row.algorithm == name]
        alone = [scores.select(tasks=[t for t in strata if strata[t] == row.stratum]) for row in own]
        rows = [ro.aggregate(part, over="tasks")[name, "mean"] for part in alone]
        assert [(row.estimate, row.low) for row in own] == [(row.estimate, row.low) for row in rows]
        ends = slow.mover([(row.estimate, row.low, row.high) for row in rows], np.array(shares) / sum(shares))
        mean = result[name, "mean"]
        assert (mean.estimate, mean.low, mean.high) == pytest.approx(ends)
        assert (mean.interval, mean.n_tasks, mean.n_eff) == ("mover", 144, None)


def test_an_accuracy_over_strata_says_what_they_weigh_and_has_a_row_for_each():
    scores, strata = drawn(1)
    result = ro.aggregate(scores, over="tasks", strata=strata)
    whole, own = result.tables()
    assert "over 144 items in 3 strata of equal weight, with 95\u00a0% MOVER intervals" in whole.caption
    assert [cell.text for cell in own.columns[0].cells] == ["aime", "aime", "gsm", "gsm", "math", "math"]
    assert "models in 3 strata of equal weight" in result.sentence
    assert dict(result.weights) == dict.fromkeys(SIZES, 1 / 3)


def test_clusters_within_strata_count_in_each():
    scores, strata = drawn(2, sizes={"one": 30, "two": 60})
    cluster = {t: f"{strata[t]}{i % 10}" for i, t in enumerate(strata)}
    result = ro.aggregate(scores, over="tasks", strata=strata, cluster=cluster)
    assert [row.n_clusters for row in result.by_stratum] == [10] * 4
    assert (result["A", "mean"].n_clusters, result.advice) == (20, ())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strata": STRATA}, "which benchmark an item is of: use over='tasks' with it"),
        ({"over": "tasks", "weights": "tasks"}, "use strata= with them"),
        ({"over": "tasks", "strata": {**STRATA, "gsm/1": None}}, "task 'gsm/1' has no stratum"),
    ],
)
def test_what_strata_of_accuracies_cannot_be_is_refused(options, message):
    with pytest.raises(ro.RunoffError, match=message):
        ro.aggregate(SCORES, **options)


def test_print_says_which_stratum_decides():
    scores, strata = drawn(1, sizes={"few": 10, "many": 200})
    printed = " ".join(str(ro.compare(scores, strata=strata)).split())
    assert "Equal weights let the smallest stratum, few (10 items), decide: it makes" in printed
    assert "of the squared width of the interval." in printed


@pytest.mark.parametrize("measure", ["mean", "improvement"])
def test_the_verdict_of_a_stratum_is_of_its_first_algorithm_whoever_leads_there(measure):
    draw = np.random.default_rng(2)
    tasks = {task: suite for suite in ("atari", "dmc") for task in (f"{suite}1", f"{suite}2")}
    means = {"A": {"atari": 5.0, "dmc": 0.0}, "B": {"atari": 0.0, "dmc": 2.0}}
    runs = {
        name: {task: draw.normal(own[suite], 0.5, 8) for task, suite in tasks.items()} for name, own in means.items()
    }
    result = ro.compare(ro.Scores.from_dict(runs, score_unit="shared"), strata=tasks, measure=measure)
    (lines,) = (table for table in result.tables() if table.role == "lines")
    columns = {column.key: column.cells for column in lines.columns}
    verdicts = dict(zip([str(cell.text) for cell in columns["stratum"]], columns["verdict"], strict=True))
    above, below = ("higher mean", "lower mean") if measure == "mean" else ("ahead more often", "behind more often")
    assert [str(cell.text) for cell in columns["a"]] == ["A", "A"]
    assert (verdicts["atari"].words, verdicts["dmc"].words) == (above, below)


def test_an_end_that_stays_at_0_is_in_the_interval_and_p_is_the_highest_level_at_which_it_is():
    # Ends of signed ranks are steps: the lower one is 0 for a range of levels, of which any would solve "the end is 0".
    leads = np.array([1, -1, 1, 0, 0, 1, 2]) / 3, np.array([0, 3, 0, 1, 0, 0, 2]) / 3
    law = MoverLaw(tuple(map(signed_rank_law, leads)), (0.5, 0.5))
    lows = {level: ends[0] for level in np.linspace(0.03, 0.9, 200) if (ends := law.interval(1 - level))}
    assert 0.0 in lows.values()
    assert min(level for level, low in lows.items() if low > 0) == pytest.approx(law.pvalue(), abs=0.005)
    assert all((low > 0) == (law.pvalue() <= level) for level, low in lows.items())


@pytest.mark.parametrize("seed", range(40))
def test_no_verdict_over_strata_contradicts_its_interval(seed):
    rng = np.random.default_rng(seed)
    items = {f"q{t}": "ab"[t % 2] for t in range(14)}
    data = {
        name: {item: (rng.random(3) < rate).astype(float).tolist() for item in items}
        for name, rate in (("base", 0.7), ("new", 0.45))
    }
    scores = ro.Scores.from_dict(data, unit="episode")
    (pair,) = ro.compare(scores, over="tasks", strata=items).pairs
    assert (pair.verdict != "no_difference_found") == (pair.low > 0 or pair.high < 0) == (pair.pvalue_adjusted <= 0.05)


def test_an_end_that_is_0_but_for_rounding_is_0():
    # Both strata move by thirds: by floats the lower end of 80 % would be 3e-17, above 0 where p is above .2.
    leads = np.array([0, -1, 0, 1, -1, 2, -1]) / 3, np.array([2, 1, -1, -1, 2, 2, 3]) / 3
    law = MoverLaw(tuple(map(signed_rank_law, leads)), (0.5, 0.5))
    assert law.interval(0.8)[0] == 0.0
    assert law.pvalue() > 0.2


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm"])
def test_a_named_correction_is_that_of_the_lines_too(correction):
    rng = np.random.default_rng(0)
    runs = {name: {task: rng.normal(size=4) for task in "tuvw"} for name in "ABC"}
    result = ro.compare(runs, strata={"t": "x", "u": "x", "v": "y", "w": "y"}, correction=correction)
    n, pvalues = 6, np.array([line.pvalue for line in result.by_stratum])
    times = {"none": np.ones(n), "bonferroni": np.full(n, n), "holm": n - np.argsort(np.argsort(pvalues))}[correction]
    order = np.argsort(pvalues)
    expected = np.minimum(1, (times * pvalues)[order])
    expected = np.maximum.accumulate(expected) if correction == "holm" else expected
    assert [result.by_stratum[i].pvalue_adjusted for i in order] == pytest.approx(expected)


def test_strata_of_equal_items_have_no_interval_and_no_verdict():
    strata = {f"q{i}": "xy"[i % 2] for i in range(40)}
    runs = {task: [0.01 * i] for i, task in enumerate(strata)}
    (pair,) = ro.compare({"A": runs, "B": runs}, over="tasks", strata=strata).pairs
    assert (pair.verdict, pair.pvalue, pair.low, pair.high) == ("no_difference_found", 1.0, None, None)


def without_each_run(x, y, measure, at):
    """The difference of means, or the chance of a, on these tasks without each run of a, and of b."""

    def value(x, y):
        a, b = x[:, at], y[:, at]
        return (a[:, None] > b).mean() if measure == "improvement" else a.mean() - b.mean()

    return [value(np.delete(x, r, 0), y) for r in range(len(x))], [value(x, np.delete(y, r, 0)) for r in range(len(y))]


@pytest.mark.parametrize("measure", ["mean", "improvement"])
def test_correlations_of_strata_are_those_of_the_jackknife_over_the_runs_of_both(measure):
    rng = np.random.default_rng(6)
    x, y = (rng.normal(0, 1, (n, 1)) + rng.normal(0, 0.7, (n, 6)) for n in (7, 3))
    first, second = (without_each_run(x, y, measure, range(at, at + 3)) for at in (0, 3))
    covariance = sum((len(a) - 1) ** 2 / len(a) * np.cov(a, b) for a, b in zip(first, second, strict=True))
    strata = {f"t{t}": "ab"[t // 3] for t in range(6)}
    options = {"measure": measure, "pairs_of": lambda own, m: (all_pairs(own, [(0, 1)]), m), "chosen": [(0, 1)]}
    within = in_strata(runs_of(x, y), strata, "equal", **options).pairs[0].within
    wanted = covariance[0, 1] / sqrt(covariance[0, 0] * covariance[1, 1])
    assert links_of(within, measure)[0, 1] == pytest.approx(wanted)


def test_where_tasks_are_the_sample_strata_are_independent_though_runs_are_shared():
    rng = np.random.default_rng(0)
    sides = {a: {f"t{t}": rng.normal(0, 1, 3).tolist() for t in range(40)} for a in "AB"}
    strata = {f"t{t}": "ab"[t % 2] for t in range(40)}
    shared, alone = (
        ro.compare(ro.Scores.from_dict(sides, runs=runs, score_unit="shared"), strata=strata, over="tasks").pairs[0]
        for runs in ("shared", "per_task")
    )
    assert (shared.own_low, shared.own_high, shared.pvalue) == (alone.own_low, alone.own_high, alone.pvalue)
