"""`claims` of accuracies and success rates: tables without ±, whose spread follows from counts."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest

import runoff as ro
from runoff._inference.pairs.items import ItemLaw
from runoff._inference.pairs.score import lower_end
from runoff.errors import DataError, DesignError, OptionError
from tests.reference import items as twin
from tests.reference.summaries import holm


def table(*rows, head="Model,MMLU"):
    return "\n".join([head, *rows, ""])


def of_items(x, y, n, **options):
    """Return the claim of two models that solved x and y of n items."""
    return ro.claims(table(f"a,{x}/{n}", f"b,{y}/{n}"), unit="item", **options).claims[0]


def every_pvalue(x, y, n):
    """Return the p-value for each number of items that one alone may have solved, from fewest to most."""
    for won in range(x - y, n + 1):
        lost = won - (x - y)
        if lost >= 0 and won <= x and lost <= y and won + y <= n:
            yield 2 * min(twin.tail(won, lost, n, 0.0), twin.tail(lost, won, n, 0.0))


@pytest.mark.parametrize(("x", "y"), [(7, 6), (8, 4), (9, 5), (10, 4), (10, 1), (6, 1), (5, 0)])
def test_a_claim_is_answered_for_all_ways_in_which_two_models_may_share_their_items(x, y):
    claim, pvalues = of_items(x, y, 10), list(every_pvalue(x, y, 10))
    opposed, _, alike = claim.readings
    assert opposed.pvalue == pytest.approx(max(pvalues), rel=1e-6)
    assert alike.pvalue == pytest.approx(min(pvalues), rel=1e-6)
    anyway, never = max(pvalues) <= 0.05, min(pvalues) > 0.05
    assert claim.verdict == ("yes" if anyway else "no" if never else "depends_on_items")


def test_the_verdicts_of_all_small_tables_are_of_three_kinds():
    verdicts = {of_items(x, y, 10).verdict for x in range(11) for y in range(x)}
    assert verdicts == {"yes", "no", "depends_on_items"}


def test_the_sentence_says_on_what_a_claim_about_items_rests():
    assert "is supported, whichever items each answered: adjusted p = " in of_items(10, 1, 10).sentence
    assert "is not supported, whichever items each answered: adjusted p = " in of_items(9, 8, 10).sentence
    assert "depends on which items each answered: adjusted p = " in of_items(9, 5, 10).sentence


@pytest.mark.parametrize(
    "tasks", [{"Push": ((17, 20), (9, 20))}, {"Push": ((17, 20), (9, 20)), "Reach": ((8, 10), (6, 15))}]
)
def test_rates_of_episodes_are_compared_as_their_episodes_are(tasks):
    rows = [f"{name},{','.join(f'{own[i][0]}/{own[i][1]}' for own in tasks.values())}" for i, name in enumerate("ab")]
    claim = ro.claims(table(*rows, head=f"policy,{','.join(tasks)}"), unit="episode").claims[-1]
    runs = {
        name: {task: [1.0] * own[i][0] + [0.0] * (own[i][1] - own[i][0]) for task, own in tasks.items()}
        for i, name in enumerate("ab")
    }
    pair = ro.compare(ro.Scores.from_dict(runs, unit="episode")).pairs[0]
    assert claim.readings[0].pvalue == pytest.approx(pair.pvalue, rel=1e-9)
    assert (claim.difference, claim.readings[0].statistic > 0) == (pytest.approx(pair.difference), True)


def test_the_average_over_benchmarks_has_the_pvalue_at_which_its_interval_ends_at_0():
    solved, n = {"MMLU": (90, 70), "BBH": (31, 25)}, {"MMLU": 120, "BBH": 40}
    rows = [f"{name},{','.join(f'{own[i]}/{n[task]}' for task, own in solved.items())}" for i, name in enumerate("ab")]
    claim = ro.claims(table(*rows, head="Model,MMLU,BBH"), unit="item").claims[-1]
    alike = claim.readings[-1]
    laws = [ItemLaw(float(x - y), 0.0, n[task]) for task, (x, y) in solved.items()]
    reach = hypot(*(law.lead - lower_end(law, alike.pvalue / 2) for law in laws))
    assert claim.task is None
    assert reach == pytest.approx(sum(law.lead for law in laws), rel=1e-4)


def test_adjusted_pvalues_are_holms_over_every_pair():
    result = ro.claims(table("a,80", "b,70", "c,62"), unit="item", n_runs=100)
    raw = [of_items(x, y, 100).readings[0].pvalue for x, y in ((80, 70), (80, 62), (70, 62))]
    assert result.n_compared == 3
    adjusted = [claim.readings[0].pvalue_adjusted for claim in result.claims]
    assert adjusted == pytest.approx(holm(raw)[:2], rel=1e-9)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *(("75", "45"), ("75%", "45%"), ("0.75", "0.45"), ("15/20", "9/20"), ("75.0", "45.0")),
        *(("100", "45"), ("100%", "45%"), ("1.00", "0.45"), ("20/20", "9/20"), ("1", "0.45")),
    ],
)
def test_rates_read_alike_in_per_cent_as_shares_and_as_counts(first, second):
    result = ro.claims(table(f"a,{first}", f"b,{second}"), unit="episode", n_runs=20)
    best = 15 if "5" in first else 20
    assert [cell.counts for cell in result.table.cells] == [(best, best, best), (9, 9, 9)]
    assert [cell.numbers for cell in result.table.cells] == [first, second]


@pytest.mark.parametrize("n", [50, 1003])
def test_where_lower_is_better_errors_are_compared_as_successes(n):
    errors = ro.claims(table("a,10", "b,40", head="Model,Error rate"), unit="item", n_runs=n).claims[0]
    rates = ro.claims(table("a,90", "b,60"), unit="item", n_runs=n).claims[0]
    assert (errors.a, errors.verdict) == (rates.a, rates.verdict) == ("a", "yes")
    assert errors.readings == rates.readings


def test_a_claim_stands_only_if_it_does_whatever_was_rounded():
    # 0.7 and 0.6 of 1,000 may be 650 and 649.
    claim = ro.claims(table("a,0.7", "b,0.6"), unit="episode", n_runs=1000).claims[0]
    (reading,) = claim.readings
    assert (reading.pvalue < 0.001, reading.pvalue_rounded > 0.9, claim.verdict) == (True, True, "cannot_be_said")
    assert "too few digits are printed to decide" in claim.sentence


def test_rounding_that_puts_the_other_ahead_supports_nothing():
    # 0.7 may be 0.65 or 0.75, far above the 0.715 that 0.71 is at most.
    text = "| policy | Push |\n|---|---|\n| a | 0.71 |\n| b | 0.7 |\n"
    claim = ro.claims(text, unit="episode", n_runs=100_000).claims[0]
    assert claim.readings[0].pvalue < 0.01
    assert claim.readings[0].pvalue_rounded == 1.0


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        (
            ("a,65.2", "b,70.0"),
            {"n_runs": 30},
            "no number of successes of 30 items has the rate 65.2 .* 63.33 and 66.67",
        ),
        (("a,65.2", "b,70.0"), {}, "the number of items behind '65.2' is missing"),
        (("a,65.2 ± 1", "b,70.0 ± 1"), {"n_runs": 1000}, "has a ±, but with unit='item' the"),
        (("a,165", "b,70"), {"n_runs": 1000}, "is not a rate from 0 to 100 per cent"),
        (("a,-0.1", "b,0.7"), {"n_runs": 10}, "is not a rate from 0 to 1"),
        (("a,12/10", "b,9/10"), {}, "'12/10' counts more successes than items"),
        (("a,7/10", "b,9/12"), {}, "answered 12 items and a 10 on 'MMLU'"),
    ],
)
def test_rates_that_cannot_be_counted_are_refused_with_their_place(rows, options, words):
    with pytest.raises(DataError, match=words):
        ro.claims(table(*rows), unit="item", **options)


@pytest.mark.parametrize("head", ["Model,MMLU (%)", "Model,MMLU [%]", "Model (%),MMLU", "Model,MMLU percent"])
def test_a_head_in_per_cent_is_that_of_its_rates(head):
    result = ro.claims(table("a,0.8", "b,0.5", head=head), unit="item", n_runs=1000)
    assert [cell.counts for cell in result.table.cells] == [(8, 8, 8), (5, 5, 5)]
    assert result.claims[0].verdict == "no" or result.claims[0].readings[0].pvalue > 0.3


def test_a_caption_in_per_cent_is_that_of_all_rates():
    text = "Table 1: accuracy (in %).\n\n| Model | T |\n|---|---|\n| a | 0.8 |\n| b | 0.5 |\n"
    assert [cell.counts[1] for cell in ro.claims(text, unit="item", n_runs=1000).table.cells] == [8, 5]


@pytest.mark.parametrize("name", ["Size", "Params (B)", "Shots", "Year", "Latency (ms)", "Cost", "# Questions"])
def test_a_column_that_holds_no_rates_is_left_out_with_a_note(name):
    result = ro.claims(table("a,84.3,7", "b,82.2,13", head=f"Model,MMLU,{name}"), unit="item", n_runs=1000)
    assert result.table.tasks == ("MMLU",)
    assert any(name in note and "Left out" in note for note in result.table.notes)


def test_counts_and_a_number_that_denies_them_are_refused():
    with pytest.raises(DataError, match="is given as 20 and 40; give one number"):
        ro.claims(table("a,17/20", "b,12/20"), unit="episode", n_runs=40)


def test_two_that_share_the_best_average_are_not_claimed_to_differ():
    text = table("x,20/20,50/50", "y,20/20,50/50", "z,0/20,0/50", head="policy,A,B")
    claims = ro.claims(text, unit="episode").claims
    assert [(claim.a, claim.b) for claim in claims if claim.task is None] == [("x", "z"), ("y", "z")]


def test_one_model_alone_claims_nothing():
    with pytest.raises(DesignError, match="there is one algorithm, 'a'; a claim needs two"):
        ro.claims(table("a,65"), unit="item", n_runs=100)


@pytest.mark.parametrize("share", ["0.9", "1.0"])
def test_a_share_beside_per_cents_is_refused(share):
    text = table(f"a,{share},72.5", "b,0.4,70.0", head="Model,AIME,MMLU")
    with pytest.raises(DataError, match=f"'{share}' on 'AIME' may be a share or at most one per cent"):
        ro.claims(text, unit="item", n_runs=1000)


def test_what_is_meant_by_a_spread_is_not_asked_of_rates():
    with pytest.raises(OptionError, match="leave out one of them"):
        ro.claims(table("a,65", "b,70"), unit="item", n_runs=100, spread="sd")


def test_counts_without_a_unit_and_rates_without_a_spread_are_asked():
    with pytest.raises(DataError, match="'7/10' counts successes; use unit='episode'"):
        ro.claims(table("a,7/10", "b,9/10"))
    with pytest.raises(DataError, match="If they are success rates, use unit='item'"):
        ro.claims(table("a,70.1", "b,90.2"))


def test_a_table_of_rates_speaks_of_what_it_counts():
    items = ro.claims(table("a,75", "b,45"), unit="item", n_runs=20)
    (answer,) = items.tables()
    assert [column.head for column in answer.columns][3:] == [
        "Accuracy", "Other", "p if opposed", "p if independent", "p if alike", "Supported",
    ]  # fmt: skip
    assert "every pair of models" in items.sentence
    episodes = ro.claims(table("a,75", "b,45"), unit="episode", n_runs=20)
    assert [column.head for column in episodes.tables()[0].columns][3:] == ["Success rate", "Other", "p", "Supported"]
    assert "every pair of algorithms" in episodes.sentence
    assert not any("training runs" in limit or "±" in limit for limit in (*items.limits, *episodes.limits))


def test_equal_models_are_seldom_called_different():
    rng = np.random.default_rng(4)
    hard = rng.beta(0.7, 0.3, 200)
    false = 0
    for _ in range(100):
        x, y = (int((rng.random(200) < hard).sum()) for _ in range(2))
        false += x != y and of_items(max(x, y), min(x, y), 200, best="mean").verdict == "yes"
    assert false <= 3
