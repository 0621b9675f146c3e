"""`gate` over items and by a policy: the laws of `compare`, all rules for a pass, and every misuse in one sentence."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._kernels.items import paired_tail
from runoff.data.policy import policy_of
from tests.reference import items as plain

SIZES = {"aime": 14, "gpqa": 50, "gsm8k": 150}
RULES = {
    "aime": {"rule": "must not lose", "margin": 0.4},
    "gpqa": {"rule": "must not lose", "margin": 0.25},
    "gsm8k": {"rule": "must win"},
}


def items(rates, seed, *, sizes=SIZES, attempts=1, name="model"):
    draw = np.random.default_rng(seed)
    shape = attempts if attempts > 1 else 1
    return {name: {f"{b}/{i}": (draw.random(shape) < rates[b]) * 1.0 for b, n in sizes.items() for i in range(n)}}


def of_benchmark(data):
    return {task: task.split("/")[0] for task in next(iter(data.values()))}


BASE = items({"aime": 0.4, "gpqa": 0.5, "gsm8k": 0.6}, 0)
BETTER = items({"aime": 0.6, "gpqa": 0.55, "gsm8k": 0.85}, 1)
STRATA = of_benchmark(BASE)


def both_sides(benchmark):
    parts = (
        {task: value for task, value in side["model"].items() if STRATA[task] == benchmark} for side in (BASE, BETTER)
    )
    return dict(zip(("base", "new"), parts, strict=True))


def refusal(**options):
    with pytest.raises(ro.RunoffError) as caught:
        ro.gate(BASE, BETTER, **({"strata": STRATA, "policy": {"benchmarks": RULES}} | options))
    return str(caught.value)


# ── a policy ──────────


@pytest.mark.parametrize("benchmark", SIZES)
def test_a_rule_is_the_lower_end_that_compare_gives_at_twice_the_level(benchmark):
    row = ro.gate(BASE, BETTER, strata=STRATA, policy={"benchmarks": RULES})[benchmark]
    pair = ro.compare(both_sides(benchmark), over="tasks", alpha=0.1)["new", "base"]
    assert (row.verdict == "passed") == (pair.own_low > -row.margin)
    assert -row.drop_high == pytest.approx(pair.own_low, abs=1e-9)
    assert (row.n_items, row.quantity) == (SIZES[benchmark], "accuracy")


def test_the_pvalue_of_a_rule_is_the_tail_of_the_score_at_its_margin():
    row = ro.gate(BASE, BETTER, strata=STRATA, policy={"benchmarks": RULES})["aime"]
    base, new = (np.array(list(both_sides("aime")[side].values())).ravel() for side in ("base", "new"))
    won, lost = int((new > base).sum()), int((base > new).sum())
    assert row.pvalue_held == pytest.approx(plain.tail(won, lost, 14, -0.4), abs=1e-9)


def test_the_candidate_passes_where_all_rules_hold_and_fails_where_one_does_not():
    passed = ro.gate(BASE, BETTER, strata=STRATA, policy={"benchmarks": RULES})
    failed = ro.gate(BETTER, BASE, strata=STRATA, policy={"benchmarks": RULES})
    assert (passed.verdict, {row.verdict for row in passed}) == ("passed", {"passed"})
    assert failed.verdict == "failed"
    assert failed.sentence.startswith("The candidate fails: ")
    assert failed.overall.pvalue_held == max(row.pvalue_held for row in failed)


def test_no_row_speaks_of_runs_where_items_are_meant():
    for policy, margin in ((None, 0.02), ({"benchmarks": RULES}, None)):
        result = ro.gate(BASE, BETTER, strata=STRATA, policy=policy, margin=margin)
        text = " ".join([str(result), *(row.sentence for row in result), *result.notes])
        assert " run" not in text.casefold()
        assert "accuracy" in text


def test_rules_of_returns_are_those_of_the_gate_of_the_task_alone():
    draw = np.random.default_rng(3)
    before, after = ({"PPO": {"Pong": draw.normal(20, 1, 6), "Ant": draw.normal(m, 1, 6)}} for m in (5, 9))
    rules = {"Pong": {"rule": "must not lose", "margin": 3.0}, "Ant": {"rule": "must win"}}
    result = ro.gate(before, after, policy={"benchmarks": rules}, n_resamples=2_000)
    alone = ro.gate(
        {"PPO": {"Pong": before["PPO"]["Pong"]}}, {"PPO": {"Pong": after["PPO"]["Pong"]}}, margin=3.0, n_resamples=2_000
    )
    assert (result["Pong"].pvalue_held, result["Pong"].drop_high) == (alone[0].pvalue_held, alone[0].drop_high)
    assert [row.verdict for row in result] == ["passed", "passed"]


def test_a_suite_of_returns_is_judged_by_its_mean_at_the_whole_level():
    draw = np.random.default_rng(4)
    before, after = ({"PPO": {task: draw.normal(m, 1, 5) for task in ("a", "b", "c")}} for m in (5.0, 7.5))
    suites = {"a": "one", "b": "one", "c": "two"}
    rules = {"one": {"rule": "must win"}, "two": {"rule": "must not lose", "margin": 1.0}}
    result = ro.gate(before, after, policy={"benchmarks": rules}, strata=suites, n_resamples=2_000)
    means = [np.mean([side["PPO"][task].mean() for task in "ab"]) for side in (before, after)]
    assert result["one"].drop == pytest.approx(means[0] - means[1])
    assert [row.verdict for row in result] == ["passed", "passed"]


@pytest.mark.parametrize(("before", "after"), [(12, 15), (9, 17), (15, 11)])
def test_rules_of_rollouts_are_by_miettinen_and_nurminen(before, after):
    cells = [{name: np.repeat([1.0, 0.0], [k, 20 - k])} for name, k in (("base", before), ("new", after))]
    sides = [ro.Scores.from_dict(cell, unit="episode") for cell in cells]
    row = ro.gate(*sides, policy={"benchmarks": {"task 1": {"rule": "must not lose", "margin": 0.15}}})[0]
    pair = ro.compare(ro.Scores.from_dict(cells[0] | cells[1], unit="episode"), alpha=0.1)["new", "base"]
    assert -row.drop_high == pytest.approx(pair.own_low, abs=1e-9)
    assert (row.verdict == "passed") == (pair.own_low > -0.15)


def test_fewer_than_five_clusters_hold_no_rule_and_show_a_limit():
    sizes = {"gpqa": 40}
    before, after = (items({"gpqa": rate}, seed, sizes=sizes) for seed, rate in enumerate((0.2, 0.9)))
    cluster = {f"gpqa/{i}": f"passage {i % 4}" for i in range(40)}
    row = ro.gate(
        before,
        after,
        policy={"benchmarks": {"gpqa": {"rule": "must win"}}},
        strata=of_benchmark(before),
        cluster=cluster,
    )[0]
    assert (row.verdict, row.pvalue_held) == ("failed", 1.0)
    assert row.drop_high is not None
    assert "fewer than 5 cannot tell which is ahead" in row.sentence


def test_a_verdict_never_contradicts_its_limit_on_random_tables():
    draw = np.random.default_rng(7)
    for _ in range(60):
        n, margin = int(draw.integers(6, 60)), float(draw.choice([0.02, 0.1, 0.3]))
        before, after = (
            {"m": {f"q{i}": float(x) for i, x in enumerate(draw.random(n) < rate)}} for rate in draw.random(2)
        )
        result = ro.gate(before, after, margin=margin)
        row = result.overall
        assert (row.verdict in ("held", "improved")) >= (row.drop_high < margin)
        assert row.verdict != "held" or row.drop_high <= margin
        assert row.verdict != "improved" or row.drop_high <= 0


# ── false passes ──────────


def chance_of_a_pass(n, rates, alpha):
    """The exact chance that the score of n items shows a win, of discordant rates (won, lost): a sum over all tables."""
    return sum(
        stats.multinomial.pmf([won, lost, n - won - lost], n, [*rates, 1 - sum(rates)])
        for won, lost in product(range(n + 1), repeat=2)
        if won + lost <= n and won > lost and paired_tail(won, lost, n, 0.0) <= alpha
    )


def test_a_pass_by_one_broken_rule_is_no_more_frequent_than_alpha_and_by_three_far_less():
    broken = chance_of_a_pass(20, (0.15, 0.15), 0.05)
    assert 0.02 < broken <= 0.052  # plug-in tails: at most .053 from ten items on
    assert broken**3 < 0.001


@pytest.mark.slow
def test_false_passes_are_rare_when_one_rule_is_broken_and_all_others_hold():
    draw = np.random.default_rng(11)
    sizes, n_trials = {"a": 30, "b": 30, "c": 30}, 400
    rules = {"benchmarks": {name: {"rule": "must win"} for name in sizes}}
    won = 0
    for _ in range(n_trials):
        rates = [dict.fromkeys(sizes, 0.05) | {"a": 0.5}, dict.fromkeys(sizes, 0.95) | {"a": 0.5}]
        before, after = (items(rate, draw, sizes=sizes) for rate in rates)
        won += ro.gate(before, after, policy=rules, strata=of_benchmark(before)).verdict == "passed"
    # Within three standard errors of .05, and near enough to it that correcting for three rules (.017) would be seen.
    assert 0.017 < won / n_trials < 0.05 + 3 * np.sqrt(0.05 * 0.95 / n_trials)


# ── items without a policy ──────────


def test_items_are_the_sample_where_each_was_answered_once():
    result = ro.gate(BASE, BETTER, margin=0.05)
    assert (result.over, len(result.rows), result.overall.n_items) == ("tasks", 1, sum(SIZES.values()))
    assert result.sentence.startswith(
        f"Over items like these {sum(SIZES.values())} the candidate has improved: its accuracy is "
    )


def test_benchmarks_have_rows_and_their_mean_is_that_of_compare():
    result = ro.gate(BASE, BETTER, margin=0.05, strata=STRATA)
    models = {"base": BASE["model"], "new": BETTER["model"]}
    pair = ro.compare(models, over="tasks", strata=STRATA)["new", "base"]
    assert [row.task for row in result] == ["aime", "gpqa", "gsm8k", None]
    # The mean has half of alpha = .05 on one side, as a two-sided interval at .95 has.
    assert (-result.overall.drop, -result.overall.drop_high) == (
        pytest.approx(pair.estimate),
        pytest.approx(pair.own_low, abs=1e-9),
    )


def test_holm_decides_benchmarks_beside_their_mean():
    result = ro.gate(BASE, BETTER, margin=0.05, strata=STRATA)
    raw = np.array([row.pvalue for row in result])
    order = np.sort(raw[:-1])
    assert min(row.pvalue_adjusted for row in result.tasks) <= min(1.0, 2 * 3 * order[0])
    assert result.overall.pvalue_adjusted == pytest.approx(min(1.0, 2 * raw[-1]))


def test_several_attempts_are_judged_by_the_scaled_score():
    sizes = {"gpqa": 60}
    before, after = (items({"gpqa": rate}, seed, sizes=sizes, attempts=5) for seed, rate in enumerate((0.5, 0.7)))
    row = ro.gate(before, after, over="tasks", margin=0.05).overall
    pair = ro.compare({"base": before["model"], "new": after["model"]}, over="tasks", alpha=0.1)["new", "base"]
    assert -row.drop_high == pytest.approx(pair.own_low, abs=1e-9)
    assert row.sample == "60 items × 5"


def test_a_baseline_of_items_can_be_saved(tmp_path):
    ro.save_baseline(BASE, tmp_path / "base.json", margin=0.05)
    assert ro.gate(tmp_path / "base.json", BETTER).overall.verdict == ro.gate(BASE, BETTER, margin=0.05).overall.verdict


def test_so_many_items_as_are_said_to_be_needed_have_the_power():
    result = ro.gate(BASE, BETTER, margin=0.02, strata=STRATA, policy=None)
    row = result["gpqa"]
    assert row.power < 0.8 < 1.0
    assert row.items_needed > row.n_items
    assert row.runs_needed is None


# ── misuse ──────────


@pytest.mark.parametrize(
    ("benchmarks", "words"),
    [
        ({}, "names no benchmark"),
        (
            RULES | {"mmlu": {"rule": "must win"}},
            "has a rule for 'mmlu', which the data lack; their benchmarks are aime, gpqa, gsm8k",
        ),
        ({"aime": RULES["aime"], "gpqa": RULES["gpqa"]}, "has no rule for the benchmark 'gsm8k'"),
        (RULES | {"aime": {"rule": "must not lose"}}, "the margin is missing"),
        (RULES | {"aime": {"rule": "must win", "margin": 0.1}}, "the rule 'must win' takes no margin"),
        (RULES | {"aime": {"rule": "must tie"}}, "rule is 'must not lose' or 'must win', not 'must tie'"),
        (RULES | {"aime": {"rule": "must win", "margins": 1}}, "unknown key 'margins'"),
        (RULES | {"aime": 0.1}, "a rule has keys"),
        (RULES | {"aime": {"rule": "must not lose", "margin": 1.0}}, "a share drops by 1 at most"),
        (RULES | {"aime": {"rule": "must not lose", "margin": "1sd"}}, "is a number in units of the scores"),
        (RULES | {"aime": {"rule": "must not lose", "margin": -0.1}}, "must be a finite number above 0"),
    ],
)
def test_a_policy_that_cannot_be_meant_is_one_sentence(benchmarks, words):
    assert words in refusal(policy={"benchmarks": benchmarks})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"margin": 0.1}, "margin= is of a gate without a policy"),
        ({"alpha": 0.1}, "alpha= is of a gate without a policy"),
        ({"nights": 30}, "nights= is of a gate without a policy"),
        ({"weights": "tasks"}, "weights= is of a gate without a policy"),
        ({"strata": None}, "say which benchmark each is of"),
        ({"policy": 3}, "is a TOML file or a mapping"),
        ({"policy": {"level": 0.1, "benchmarks": RULES}}, "unknown key 'level'"),
        ({"policy": None, "margin": 0.1, "over": "runs"}, "name a policy"),
        ({"policy": None, "margin": "1sd"}, "the margin of items is a number"),
        ({"policy": None, "margin": 0.1, "confirm": BASE}, "the same items again are no fresh ones"),
    ],
)
def test_options_that_mean_nothing_beside_a_policy_or_items_are_refused(options, words):
    assert words in refusal(**options)


def test_a_policy_file_says_what_its_mapping_says(tmp_path):
    path = tmp_path / "release.toml"
    path.write_text(
        'alpha = 0.01\n[benchmarks.aime]\nrule = "must not lose"\nmargin = 0.4\n[benchmarks.gpqa]\nrule = "must win"\n'
    )
    rules = {"aime": RULES["aime"], "gpqa": {"rule": "must win"}}
    assert policy_of(path) == policy_of({"alpha": 0.01, "benchmarks": rules})
    path.write_text("benchmarks = [")
    with pytest.raises(ro.DataError, match="cannot be read"):
        policy_of(path)


def test_a_hint_for_a_misspelt_benchmark_names_none_that_has_its_rule():
    assert "aime'?" not in refusal(policy={"benchmarks": RULES | {"aimee": {"rule": "must win"}}})
    lacking = {name: rule for name, rule in RULES.items() if name != "aime"}
    assert "aime'?" in refusal(policy={"benchmarks": lacking | {"aimee": {"rule": "must win"}}})


def graded(drop, n=40):
    """A baseline and a candidate whose items have scores between 0 and 1; drop: by how much that of an item falls."""
    own = np.random.default_rng(7).uniform(0.5, 1.0, n)
    return tuple({"model": {f"q{i}": [own[i] - by(i)] for i in range(n)}} for by in (lambda _: 0.0, drop))


def test_graded_items_have_the_limit_of_the_paired_t_test():
    before, after = graded(lambda i: 0.1 * (i % 3))
    lost = [before["model"][task][0] - after["model"][task][0] for task in before["model"]]
    result = ro.gate(before, after, margin=0.2, over="tasks", nights=30)
    limit = np.mean(lost) + stats.t.ppf(1 - 0.05, 39) * stats.sem(lost)
    assert (result.rows[0].verdict, result.rows[0].drop_high) == ("held", pytest.approx(limit))
    assert "the candidate's mean score is" in result.sentence
    assert result.notes[-1] == "One false positive rate over 30 nights, α = 0.0017 on each."


def test_graded_items_that_are_all_equal_are_not_judged_nor_is_a_mean_with_such_a_benchmark():
    before, after = graded(lambda i: 0.1 * (i % 2))
    strata = {task: ("still", "lower")[i % 2] for i, task in enumerate(before["model"])}
    rows = ro.gate(before, after, margin=0.2, over="tasks", strata=strata).rows
    assert {row.task: (row.verdict, row.drop_high is None) for row in rows} == {
        "still": ("underpowered", True),
        "lower": ("held", False),
        None: ("underpowered", True),
    }
    (row,) = ro.gate(before, before, margin=0.2, over="tasks").rows
    assert (row.verdict, row.drop_high) == ("underpowered", None)
