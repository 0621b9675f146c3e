"""`claims`: what is claimed, in which family, and what of it survives."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import runoff as ro
from runoff.errors import DataError, DesignError, OptionError
from tests.places import GOLDEN
from tests.reference import summaries as twin

TABLE = """
| Task | PPO | SAC | **Ours** |
| --- | ---: | ---: | ---: |
| Hopper | 2410 ± 320 | 2950 ± 110 | **3120 ± 95** |
| Walker2d | 3905 ± 410 | 4200 ± 800 | **4650 ± 300** |
| Ant | 1820 ± 700 | **4100 ± 900** | 3900 ± 650 |
"""
ALONE = "| Task | PPO | SAC |\n|---|---|---|\n| Hopper | {} | {} |\n"


def alone(first, second, **options):
    """Return the one claim of a table with two cells."""
    (claim,) = ro.claims(ALONE.format(first, second), **options).claims
    return claim


def pairs_of(result):
    return [(claim.a, claim.b, claim.task) for claim in result.claims]


def test_bold_cells_are_claimed_to_be_better_than_those_that_are_not():
    assert pairs_of(ro.claims(TABLE, n_runs=5)) == [
        ("Ours", "PPO", "Hopper"),
        ("Ours", "SAC", "Hopper"),
        ("Ours", "PPO", "Walker2d"),
        ("Ours", "SAC", "Walker2d"),
        ("SAC", "PPO", "Ant"),
        ("SAC", "Ours", "Ant"),
        ("Ours", "PPO", None),
        ("Ours", "SAC", None),
    ]


def test_two_bold_cells_are_not_claimed_to_be_better_than_each_other():
    result = ro.claims(TABLE.replace("3905 ± 410", "**3905 ± 410**"), n_runs=5)
    assert [pair for pair in pairs_of(result) if pair[2] == "Walker2d"] == [
        ("PPO", "SAC", "Walker2d"),
        ("Ours", "SAC", "Walker2d"),
    ]


def test_an_algorithm_that_is_named_is_held_against_each_other():
    result = ro.claims(TABLE, n_runs=5, algorithm="SAC")
    assert pairs_of(result)[:2] == [("SAC", "PPO", "Hopper"), ("SAC", "Ours", "Hopper")]
    assert (len(result.claims), result.n_compared) == (8, 8)
    assert result.claims[1].verdict == "no"
    assert "the table itself has Ours ahead" in result.claims[1].sentence


def test_where_the_best_is_picked_every_pair_is_in_the_family():
    bold, mean = ro.claims(TABLE, n_runs=5), ro.claims(TABLE, n_runs=5, best="mean")
    assert bold.n_compared == mean.n_compared == 12
    assert "Holm over 12 comparisons: every pair of algorithms, 9 on 3 tasks, and 3 over all tasks" in bold.family
    assert pairs_of(bold) == pairs_of(mean)


def test_the_adjusted_pvalues_are_holms_over_all_pairs_of_all_tasks_and_the_averages():
    result = ro.claims(TABLE, n_runs=5, spread="sd", best="mean")
    cells = {(c.algorithm, c.task): (c.mean, c.spread, 5) for c in result.table.cells}
    pairs = [("PPO", "SAC"), ("PPO", "Ours"), ("SAC", "Ours")]
    raw = {(a, b, t): twin.welch(cells[a, t], cells[b, t], "sd") for a, b in pairs for t in result.table.tasks}
    raw |= {
        (a, b, None): twin.welch_over([(cells[a, t], cells[b, t]) for t in result.table.tasks], "sd") for a, b in pairs
    }
    adjusted = {frozenset(map(str, key)): p for key, p in zip(raw, twin.holm(list(raw.values())), strict=True)}
    for claim in result.claims:
        expected = adjusted[frozenset(map(str, (claim.a, claim.b, claim.task)))]
        assert claim.readings[0].pvalue_adjusted == pytest.approx(expected, rel=1e-9)


def of_r():
    """Return samples and R's two-sided p-value of Welch's test."""
    for case in json.loads((GOLDEN / "two_sample.json").read_text(encoding="utf-8"))["cases"]:
        for value in case["values"]:
            if value["test"] == "welch" and value["alternative"] == "two-sided" and value["source"] == "R t.test":
                yield np.array(case["x"]), np.array(case["y"]), value["p"]


def test_the_pvalues_are_those_of_r():
    cases = [case for case in of_r() if min(case[0].std(), case[1].std()) > 0]
    assert len(cases) >= 10
    for x, y, p in cases:
        rows = "".join(
            f"{name},t,{float(v.mean())!r},{float(v.std(ddof=1))!r},{v.size}\n" for name, v in (("a", x), ("b", y))
        )
        (claim,) = ro.claims(f"algorithm,task,mean,std,n\n{rows}", algorithm="a", accept_wide=True).claims
        assert claim.readings[0].pvalue == pytest.approx(p, rel=1e-9)


def test_over_all_tasks_the_answer_is_that_of_the_runs_themselves():
    rng = np.random.default_rng(2)
    runs = {name: {f"t{i}": rng.normal(m, 1 + i, 4 + i) for i in range(3)} for name, m in (("PPO", 20), ("SAC", 21))}
    rows = [(a, t, v.mean(), v.std(ddof=1), v.size) for a, tasks in runs.items() for t, v in tasks.items()]
    text = "algorithm,task,mean,std,n\n" + "".join(f"{a},{t},{m:.15f},{s:.15f},{n}\n" for a, t, m, s, n in rows)
    claim = ro.claims(text, algorithm="SAC").claims[-1]
    pair = ro.compare(
        ro.Scores.from_dict({a: {t: list(v) for t, v in c.items()} for a, c in runs.items()}), test="welch"
    ).pairs[0]
    assert claim.task is None
    assert (claim.readings[0].pvalue, claim.difference) == pytest.approx((pair.pvalue, -pair.difference))


@pytest.mark.parametrize(
    ("cells", "options", "supported"),
    [
        (("2410 ± 90", "2950 ± 110"), {"spread": "sd", "n_runs": 5}, "yes"),
        (("2410 ± 900", "2950 ± 110"), {"spread": "sd", "n_runs": 5}, "no"),
        (("2410 ± 200", "2950 ± 210"), {"n_runs": 5}, "depends_on_spread"),
        (("2410 ± 200", "2950 ± 210"), {}, "cannot_be_said"),
        (("2.4 ± 0.3", "3.0 ± 0.4"), {"spread": "sd", "n_runs": 5}, "cannot_be_said"),
        (("2410 ± 9", "2410 ± 11"), {"spread": "sd", "n_runs": 5, "algorithm": "SAC"}, "no"),
        (("2410 ± 1", "9950 ± 1"), {}, "yes"),
        (("2410 ± 300", "2450 ± 300"), {"spread": "se"}, "no"),
    ],
)
def test_a_claim_is_supported_or_not_or_depends_or_cannot_be_said(cells, options, supported):
    assert alone(*cells, **options).verdict == supported


@pytest.mark.parametrize(
    ("cells", "options", "words"),
    [
        (
            ("2410 ± 90", "2950 ± 110"),
            {"spread": "sd", "n_runs": 5},
            "(2950 ± 110 against 2410 ± 90) is supported: adjusted p < 0.001.",
        ),
        (
            ("2410 ± 200", "2950 ± 210"),
            {"n_runs": 5},
            "supported if it is the standard deviation (adjusted p = 0.003), not if it is the standard error",
        ),
        (
            ("2410 ± 200", "2950 ± 210"),
            {},
            "if ± is the standard deviation, it takes 3 runs in each cell; if ± is the standard error, no number",
        ),
        (
            ("2.4 ± 0.3", "3.0 ± 0.4"),
            {"spread": "sd", "n_runs": 5},
            "too few digits are printed to decide (adjusted p = 0.030 as printed, up to p =",
        ),
        (
            ("2410 ± 300", "2450 ± 300"),
            {"spread": "se"},
            "no number of runs up to 100\N{NARROW NO-BREAK SPACE}000 would carry it",
        ),
        (("2410 ± 1", "9950 ± 1"), {}, "is supported by any number of runs, from 2 in each cell on"),
        (
            ("1001 ± 200", "2001 ± 201"),
            {"spread": "unknown"},
            "if ± is the standard deviation, any number of runs from 2 on would do; if ± is the standard error, it takes 3",
        ),
    ],
)
def test_a_claim_is_told_in_one_sentence(cells, options, words):
    sentence = alone(*cells, **options).sentence
    assert words in sentence
    assert sentence.startswith("That SAC is better than PPO on Hopper (")
    assert sentence.endswith(".")


def test_a_standard_error_is_a_standard_deviation_over_the_root_of_n():
    sd = alone("10.0000 ± 4.0000", "16.0000 ± 6.0000", spread="sd", n_runs=4).readings[0]
    se = alone("10.0000 ± 2.0000", "16.0000 ± 3.0000", spread="se", n_runs=4).readings[0]
    assert (sd.pvalue, sd.df) == pytest.approx((se.pvalue, se.df))


def test_the_smallest_n_is_told_for_each_kind():
    claim = alone("10.00 ± 1.00", "13.50 ± 1.00")
    needed = {reading.spread: reading.runs_needed for reading in claim.readings}
    rounded = [((10.005, 1.005, 0), (13.495, 1.005, 0))]
    assert needed == {kind: twin.smallest_n(rounded, 0, kind, 0.05, 50) for kind in ("sd", "se")}
    assert needed["se"] > needed["sd"]
    assert alone("10.00 ± 1.00", "13.50 ± 1.00", n_runs=needed["se"], spread="se").verdict == "yes"
    assert alone("10.00 ± 1.00", "13.50 ± 1.00", n_runs=needed["se"] - 1, spread="se").verdict != "yes"


ORACLE = """Table 1. Mean ± std. {}

| Task | CURL | SAC | State SAC |
|---|---|---|---|
| walk | 501 ± 4 | 540 ± 3 | **900 ± 2** |
| spin | 801 ± 4 | **840 ± 3** | 930 ± 2 |
"""


def test_what_is_left_out_wins_and_loses_no_claim_and_counts_in_no_correction():
    text = ORACLE.format("State SAC is an upper bound.")
    whole, rest = (ro.claims(text, spread="sd", n_runs=5, best="mean", leave_out=names) for names in ((), "State SAC"))
    without = text.replace("| State SAC ", "").replace("|---|---|---|---|", "|---|---|---|")
    bare = ro.claims(re.sub(r"\| [*]*9\d0 ± 2[*]* \|", "|", without), spread="sd", n_runs=5, best="mean")
    assert [whole.n_compared, rest.n_compared] == [9, 3]
    assert {name for claim in rest.claims for name in (claim.a, claim.b)} == {"CURL", "SAC"}
    assert rest.claims == tuple(bare.claims)
    assert "Left out, as requested: State SAC." in rest.table.notes


@pytest.mark.parametrize(
    ("caption", "offered"),
    [
        ("State SAC is an upper bound for the others.", {"State SAC": "is called an upper bound beside the table"}),
        (
            "As an oracle, State SAC sees the state; SAC does not.",
            {"State SAC": "is called an oracle beside the table"},
        ),
        ("We show SAC for reference.", {"SAC": "is called a reference beside the table"}),
        ("Scores of SAC are normalised by reference scores.", {}),
        ("All have five seeds.", {}),
    ],
)
def test_what_a_caption_calls_a_reference_is_offered_to_be_left_out(caption, offered):
    notes = [
        note for note in ro.claims(ORACLE.format(caption), spread="sd", n_runs=5).table.notes if "leave_out" in note
    ]
    rest = ", and may not be a rival of the others: leave_out='{0}' leaves it out of all claims."
    assert notes == [f"{name} {why}{rest.format(name)}" for name, why in offered.items()]


@pytest.mark.parametrize(("name", "is_reference"), [("Human", True), ("Oracle SAC", True), ("Random Shooting", False)])
def test_what_is_a_reference_by_its_name_is_offered_too(name, is_reference):
    text = ORACLE.format("").replace("State SAC", name)
    assert any("by its name" in note for note in ro.claims(text, spread="sd", n_runs=5).table.notes) == is_reference


def test_an_unknown_name_to_leave_out_is_refused_with_the_nearest():
    with pytest.raises(OptionError, match=r"leave_out= names 'Stat SAC', .* Did you mean 'State SAC'"):
        ro.claims(ORACLE.format(""), spread="sd", n_runs=5, leave_out=["Stat SAC"])


def test_lower_is_better_turns_the_claim():
    text = "| Method | Loss ↓ |\n|---|---|\n| PPO | 1.00 ± 0.10 |\n| SAC | 2.00 ± 0.10 |\n"
    (claim,) = ro.claims(text, spread="sd", n_runs=5).claims
    assert (claim.a, claim.b, claim.difference, claim.verdict) == ("PPO", "SAC", 1.0, "yes")
    assert "lower is better" in claim.sentence


def test_tasks_of_opposite_directions_are_not_averaged():
    text = "| Method | Return ↑ | Cost ↓ |\n|---|---|---|\n| PPO | 1.0 ± 0.1 | 5.0 ± 0.1 |\n| SAC | 2.0 ± 0.1 | 4.0 ± 0.1 |\n"
    result = ro.claims(text, n_runs=5)
    assert all(claim.task is not None for claim in result.claims)
    assert any(note.startswith("No average over tasks was made") for note in result.table.notes)


def test_a_pair_without_a_spread_is_no_comparison_of_the_family():
    result = ro.claims(TABLE.replace("2410 ± 320", "2410"), n_runs=5)
    assert result.n_compared == 12 - 4
    (unsaid,) = [claim.sentence for claim in result.claims if claim.verdict == "cannot_be_said"]
    assert unsaid == "That Ours is better than PPO on Hopper (3120 ± 95 against 2410) cannot be said: PPO has no ±."
    assert "Over all tasks there is no claim about PPO, which has no ± on Hopper." in result.notes


REFERENCES = """
| Game | Random | Human | PPO | SAC | Ours |
|---|---|---|---|---|---|
| Alien | 227 | 7127 | 802.1 ± 90.2 | 911.2 ± 80.1 | 1140.2 ± 77.1 |
| Pong | -20.7 | 14.6 | 10.1 ± 2.2 | 11.2 ± 2.1 | 13.1 ± 1.1 |
"""


def test_algorithms_without_any_spread_are_left_out_and_the_rest_are_compared_over_all_tasks():
    result = ro.claims(REFERENCES, n_runs=5, spread="sd")
    alone = "\n".join("|".join((row := line.split("|"))[:2] + row[4:]) for line in REFERENCES.splitlines() if line)
    assert result.table.algorithms == ("PPO", "SAC", "Ours")
    assert "Left out, since none of their cells has a ±: Random, Human." in result.table.notes
    assert [claim.sentence for claim in result.claims] == [
        claim.sentence for claim in ro.claims(alone, n_runs=5, spread="sd").claims
    ]
    assert [pair for pair in pairs_of(result) if pair[2] is None] == [("Ours", "PPO", None), ("Ours", "SAC", None)]


def test_an_algorithm_without_a_spread_can_make_no_claims():
    with pytest.raises(OptionError, match=r"not 'Human'\. Left out, since none of their cells has a ±: Random, Human"):
        ro.claims(REFERENCES, n_runs=5, algorithm="Human")
    with pytest.raises(DesignError, match="there is one algorithm with a ±, 'SAC'; a claim needs two"):
        ro.claims(ALONE.format("2410", "2950 ± 210"), n_runs=5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"spread": "iqr"}, "from quartiles a standard error follows only for a known shape"),
        ({"spread": "range"}, "from a range"),
        ({"spread": "std"}, "spread must be one of unknown, ci90, ci95, ci99, sd"),
        ({"algorithm": "Our"}, "algorithm= must be one of PPO, SAC, Ours, not 'Our'. Did you mean 'Ours'?"),
        ({"algorithm": "Ours", "best": "bold"}, "give one"),
        ({"spread": "ci95_t"}, "depends on the runs; use n_runs="),
        ({"alpha": 1.5}, "alpha must lie strictly between 0 and 1"),
        ({"best": "top"}, "best must be one of auto, bold, mean"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, words):
    with pytest.raises(OptionError) as refusal:
        ro.claims(TABLE, **options)
    assert words in str(refusal.value)


def test_bold_is_asked_for_where_nothing_is_bold():
    with pytest.raises(OptionError, match="no number is bold"):
        ro.claims(ALONE.format("1.0 ± 0.1", "2.0 ± 0.1"), best="bold")


def test_a_table_that_names_its_spread_is_believed_and_not_contradicted():
    text = "algorithm,task,mean,se,n\nPPO,Ant,10,1,5\nSAC,Ant,20,1,5\n"
    assert ro.claims(text).spreads == ("se",)
    with pytest.raises(OptionError, match="calls its spreads 'se'"):
        ro.claims(text, spread="sd")


@pytest.mark.parametrize("word", ["Median", "IQR", "interquartile", "95% confidence intervals", "CI", "min/max"])
def test_words_that_speak_of_another_spread_ask_what_it_is(word):
    text = f"Results of 5 seeds with {word}.\n{TABLE}"
    with pytest.raises(DataError, match="so ± may be neither the standard deviation nor the standard error of a mean"):
        ro.claims(text, n_runs=5)
    assert ro.claims(text, n_runs=5, spread="sd").claims


def test_the_answer_is_one_sentence_with_its_counts():
    result = ro.claims(TABLE, n_runs=5)
    assert result.sentence.startswith("Of 8 claims of the table none is supported, ")
    assert sum(result.count(verdict) for verdict in ("yes", "no", "depends_on_spread", "cannot_be_said")) == 8
    assert any("shared" not in limit for limit in result.limits)
    assert len(result.to_frame()) == len(result.to_pandas()) == 8


def test_flat_records_have_columns_for_each_kind():
    (row, *_) = ro.claims(TABLE, n_runs=5).flat_records()
    assert {"pvalue_sd", "pvalue_se", "runs_needed_sd", "carried_se", "sentence"} <= set(row)
    assert not any(isinstance(value, list | dict) for value in row.values())


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setenv("RUNOFF_MAX_PAIRS", "8")
    with pytest.raises(DataError, match="3 algorithms on 3 tasks make 9 pairs"):
        ro.claims(TABLE)


@pytest.mark.parametrize("cells", [("1.0 ± 0.1", "1.0 ± 0.2"), ("**1.0 ± 0.1**", "**2.0 ± 0.2**")])
def test_a_table_without_any_claim_is_refused(cells):
    with pytest.raises(DesignError, match="no algorithm is claimed to be better than another"):
        ro.claims(ALONE.format(*cells), n_runs=5)


def test_a_limit_counts_the_claims_that_numpys_deviation_would_cost():
    text = ALONE.format("2410.0 ± 200.0", "2950.0 ± 210.0")
    strict, lax = (ro.claims(text, spread=kind, n_runs=3) for kind in ("population_sd", "sd"))
    assert (strict.count("yes"), lax.count("yes")) == (0, 1)
    assert lax.limits[-1].endswith(
        "use spread='population_sd' where that was used (1 of the supported claims would not be)."
    )
    assert not any("NumPy" in limit for limit in strict.limits)


def test_who_lacks_a_task_has_no_average_and_wins_none():
    result = ro.claims(TABLE.replace("1820 ± 700", "—").replace("2410 ± 320", "9410 ± 320"), n_runs=5, best="mean")
    assert [pair for pair in pairs_of(result) if pair[2] is None] == [("Ours", "SAC", None)]
    assert result.n_compared == 2 * 3 + 1 + 1
    assert "Over all tasks there is no claim about PPO, which has no number on Ant." in result.notes
    assert not any(
        claim.task is None for claim in ro.claims(TABLE.replace("1820 ± 700", "—"), n_runs=5, algorithm="PPO").claims
    )


def test_averages_of_costs_are_those_of_the_table():
    text = "| Method | Ant / Cost | Pong / Cost |\n|---|---|---|\n| PPO | 1.0 ± 0.1 | 3.0 ± 0.1 |\n| SAC | 2.0 ± 0.1 | 4.0 ± 0.1 |\n"
    claim = ro.claims(text, spread="sd", n_runs=5).claims[-1]
    assert (claim.a, claim.b, claim.task) == ("PPO", "SAC", None)
    assert (claim.mean_a, claim.mean_b, claim.difference) == (2.0, 3.0, 1.0)
    assert "(2 against 3, lower is better)" in claim.sentence
    different = ro.claims(text.replace("Ant / Cost", "Falls"), spread="sd", n_runs=5)
    assert all(claim.task is not None for claim in different.claims)
    assert any("Falls and Cost are different costs" in note for note in different.table.notes)


@pytest.mark.parametrize(
    "name", ["Crash rate", "Steps to goal", "Exploitability", "Optimality gap", "Sample complexity"]
)
def test_a_cost_by_its_name_is_won_by_the_lower_mean_and_the_answer_says_so(name):
    text = f"| Method | {name} |\n|---|---|\n| PPO | 14.0 ± 1.0 |\n| SAC | 29.0 ± 1.0 |\n"
    result, other = (ro.claims(text, spread="sd", n_runs=5, lower_is_better=lower) for lower in ("arrows", "none"))
    assert (pairs_of(result), result.claims[0].verdict) == ([("PPO", "SAC", name)], "yes")
    assert any(note.startswith(f"Lower is read as better on {name}: its name") for note in result.table.notes)
    assert pairs_of(other) == [("SAC", "PPO", name)]


def test_the_smallest_n_is_told_as_printed_and_had_rounding_gone_against_it():
    claim = alone("1.0 ± 0.3", "1.4 ± 0.2", spread="sd")
    (reading,) = claim.readings
    exact, worst = ([((1.0 + d, 0.3 + d, 0), (1.4 - d, 0.2 + d, 0))] for d in (0.0, 0.05))
    assert reading.runs_needed_printed == twin.smallest_n(exact, 0, "sd", 0.05, 50)
    assert reading.runs_needed == twin.smallest_n(worst, 0, "sd", 0.05, 50)
    assert reading.runs_needed_printed < reading.runs_needed
    assert (
        f"{reading.runs_needed_printed} runs in each cell by the numbers as printed, {reading.runs_needed} had rounding"
        in claim.sentence
    )


@pytest.mark.parametrize(("better", "worst"), [("10.12", True), ("10.14", True), ("10.17", False)])
def test_a_difference_that_rounding_may_have_made_is_none_had_rounding_gone_against_it(better, worst):
    claim = alone("10.1 ± 0.01", f"{better} ± 0.01", n_runs=5)  # halves of 0.1 and of 0.01
    assert [reading.pvalue_rounded == 1.0 for reading in claim.readings] == [worst] * len(claim.readings)


def test_degrees_of_freedom_are_not_blamed_for_what_rounding_does():
    claim = alone("1.0 ± 0.1", "1.4 ± 0.1", spread="se")
    (reading,) = claim.readings
    assert (reading.runs_needed is None, reading.runs_needed_printed is None, claim.verdict) == (
        True,
        False,
        "cannot_be_said",
    )
    assert "no number would do had rounding gone against it" in claim.sentence


def test_without_any_spread_the_test_is_named():
    text = "algorithm,task,mean,std,n\nA,t,10.00,0,5\nB,t,22.00,0,5\n"
    assert (
        "± is 0 on both sides, so p is that of the exact test of completely separated runs."
        in ro.claims(text).claims[0].sentence
    )
    assert "± is 0" not in ro.claims(text.replace("10.00,0", "10.00,1")).claims[0].sentence


@pytest.mark.parametrize(("caption", "head"), [("mean ± std", "se"), ("median", "std")])
def test_a_caption_that_contradicts_the_head_asks_what_it_is(caption, head):
    text = f"Returns, {caption}.\n{ALONE.format('1.0 ± 0.1', '3.0 ± 0.1')}".replace(
        "| SAC |", f"| SAC (mean ± {head}) |"
    )
    with pytest.raises(DataError, match="use spread= to state what it is"):
        ro.claims(text, n_runs=5)
    assert ro.claims(text, n_runs=5, spread={"std": "sd"}.get(head, head)).claims


@pytest.mark.parametrize("printed", ["2410", "39.50", "0.000000001", "1.5e-20", "7e-330"])
def test_a_cell_says_the_number_that_is_printed_and_takes_no_more_room(printed):
    words = ro.claims(ALONE.format(f"{printed} ± {printed}", "3 ± 1"), n_runs=5).table.cells[0].numbers.split(" ± ")[0]
    assert float(words) == float(printed)
    assert len(words) <= len(printed)


@pytest.mark.parametrize(
    ("numbers", "units", "places"),
    [
        (("700 ± 200", "1300 ± 250"), (100.0, 10.0), "the means on Hopper to 100, the ± on Hopper to 10"),
        (("0 ± 0", "1200 ± 30"), (100.0, 10.0), "the means on Hopper to 100, the ± on Hopper to 10"),
        (("700 ± 200", "1301 ± 255"), (1.0, 1.0), None),
        (("1.50 ± 2.00", "9.00 ± 1.00"), (0.01, 0.01), None),
        (("700.0 ± 200.0", "1300.0 ± 400.0"), (0.1, 0.1), None),
    ],
)
def test_whole_numbers_that_all_end_in_zeros_are_taken_as_rounded(numbers, units, places):
    read = ro.claims(
        f"| Task | PPO | SAC |\n| --- | --- | --- |\n| Hopper | {numbers[0]} | {numbers[1]} |\n", n_runs=5
    ).table
    assert {(cell.mean_unit, cell.spread_unit) for cell in read.cells} == {units}
    notes = [note for note in read.notes if "read as rounded" in note]
    assert notes == [f"Whole numbers that all end in zeros are read as rounded: {places}."] if places else notes == []


def test_a_claim_that_rounded_hundreds_could_overturn_cannot_be_said():
    table = "| Task | PPO | SAC |\n| --- | --- | --- |\n| Hopper | 700 ± {0} | **1100 ± {0}** |\n"
    answers = [ro.claims(table.format(width), spread="sd", n_runs=5).claims[0].verdict for width in ("200", "201")]
    assert answers == ["cannot_be_said", "yes"]


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        ("1.1e12 ± 2e10", "1.3e12 ± 1e10", ("1.3e12 ± 1e10", "1.1e12 ± 2e10")),
        ("3120,5 ± 100,2", "3400,1 ± 90,0", ("3400,1 ± 90,0", "3120,5 ± 100,2")),
        ("20 (1.5)", "**25 (2.5)**", ("25 (2.5)", "20 (1.5)")),
        (r"$20 \pm 1.5$", r"$25 \pm 2.5$", ("25 ± 2.5", "20 ± 1.5")),
    ],
)
def test_scores_of_the_table_of_claims_are_as_they_are_printed(first, second, shown):
    (table,) = ro.claims(ALONE.format(first, second), n_runs=5).tables()
    cells = {column.key: column.cells for column in table.columns}
    assert (*cells["mean_a"], *cells["mean_b"]) == shown
