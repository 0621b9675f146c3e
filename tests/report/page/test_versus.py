"""The first picture: who is compared by what, where bars lie, and which colour says what."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

import runoff as ro
from runoff.page import build
from runoff.page.answers.all import standing_of
from runoff.page.sheet import versus
from runoff.words.measures import even_of, lead_of
from runoff.words.numbers import chances
from tests.amount import examples
from tests.exits.methods import design as random_design
from tests.report.designs import DESIGNS, answers
from tests.report.made import answers_of, page_content

EVERY = pytest.mark.parametrize("design", DESIGNS)
VERDICTS = list(versus.KINDS)
OTHER_SIDE = {"a_better": "b_better", "b_better": "a_better"}


def shown_of(results):
    standing = standing_of(results)
    return standing, versus.picture(results, standing)


def number(text):
    return float(re.sub(r"[^\d.e-]", "", text.replace("\N{MINUS SIGN}", "-"))) if re.search(r"\d", text) else None


def readings(pair):
    """What each measure says of a pair, as its result has it: estimate, ends and verdict."""
    others = [(r.measure, r.estimate, r.low, r.high, r.verdict) for r in pair.other_readings]
    sample = [("tasks", r.estimate, r.low, r.high, r.verdict) for r in [pair.over_tasks] if r]
    return [(pair.measure, pair.estimate, *pair.spoken, pair.verdict), *others, *sample]


def contradictions(results):
    """Return what the picture of any algorithm by any measure says otherwise than the results of its pairs."""
    wrong = []
    standing, shown = shown_of(results)
    by = [measure for measure, _ in versus._measures(results, standing)]
    for pair in (own for once in standing.pairs for own in (once, once.turned())):
        a, b = standing.order.index(pair.a), standing.order.index(pair.b)
        for measure, estimate, low, _, verdict in readings(pair):
            view = shown["views"][a][by.index(measure)]
            row = next(row for row in view.rows if row.other == b)
            kind = pair.over_tasks.measure if measure == "tasks" else measure
            even, line = even_of(kind), float(view.zero)
            lead = 100 * estimate if even else lead_of(kind, estimate)
            unit = 10.0 ** -len(row.lead.partition(" ")[0].partition(".")[2].rstrip("\N{NO-BREAK SPACE}%"))
            number_fits = row.lead == "–" or number(row.lead) == pytest.approx(lead, rel=0.006, abs=0.51 * unit)
            start, end = (float(row.x), float(row.x) + float(row.width)) if row.x else (line, line)
            # A shade of a hundredth is lost by rounding places.
            crosses = start - 0.11 <= line <= end + 0.11
            bar_fits = not row.x or low is None or crosses or verdict != "no_difference_found"
            side_fits = verdict not in OTHER_SIDE or lead_of(kind, estimate) * (start + end - 2 * line) >= -0.1
            tick_fits = not row.at or (float(row.at) - line) * lead_of(kind, estimate) >= -0.1
            if not (row.verdict == verdict and number_fits and bar_fits and side_fits and tick_fits):
                wrong.append((pair.a, pair.b, measure, verdict, lead, row))
    return wrong


@EVERY
def test_every_view_has_the_verdicts_numbers_and_sides_of_its_pairs(design):
    assert contradictions(answers(design)) == []


@pytest.mark.usefixtures("few_relabellings")
@pytest.mark.parametrize("seed", range(examples(60, 6)))
def test_every_view_of_random_scores_has_the_verdicts_numbers_and_sides_of_its_pairs(seed):
    results = answers_of(random_design(seed))
    assert contradictions(results) == []


@pytest.mark.parametrize("n_runs", [1, 3])
def test_a_page_over_tasks_of_shares_has_the_difference_of_pairs_without_values_of_algorithms(n_runs):
    rng = np.random.default_rng(n_runs)
    shares = {name: rng.uniform(0, top, (12, n_runs)).round(3) for name, top in (("A", 0.7), ("B", 0.9), ("C", 1.0))}
    scores = {name: {f"t{i}": row.tolist() for i, row in enumerate(rows)} for name, rows in shares.items()}
    results = answers_of(ro.Scores.from_dict(scores), over="tasks")
    standing, shown = shown_of(results)
    by = [measure for measure, _ in versus._measures(results, standing)]
    values = dict(zip(by, shown["values"], strict=True))
    assert by[0] == "mean"
    assert values["hodges_lehmann"] == ["", "", ""]
    assert [value.split()[0] for value in values["mean"]] == ["Mean"] * 3
    assert contradictions(results) == []


@EVERY
def test_a_view_is_the_other_side_of_that_of_the_other_algorithm(design):
    standing, shown = shown_of(answers(design))
    for a in range(len(standing.order)):
        for place, view in enumerate(shown["views"][a]):
            for row in view.rows:
                back = next(other for other in shown["views"][row.other][place].rows if other.other == a)
                assert back.verdict == OTHER_SIDE.get(row.verdict, row.verdict)
                assert back.p == row.p


@EVERY
def test_the_rows_of_the_page_are_those_that_the_script_shows_first(design):
    results = answers(design)
    html, content = build(results), page_content(build(results))["versus"]
    names = page_content(html)["names"]
    table = re.search(r'<table class="versus">(.*?)</table>', html, re.DOTALL)[1]
    rows = re.findall(r"<tr class=.*?</tr>", table, re.DOTALL)
    expected = content["views"][page_content(html)["leader"]][0][0]
    for row, (other, kind, x, width, at, beyond, lead, ends, p) in zip(rows, expected, strict=True):
        texts = [
            " ".join(unescape(re.sub("<[^>]+>", " ", cell)).split())
            for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)
        ]
        assert texts[0].startswith(names[other])
        assert texts[1] == beyond
        assert texts[2] == " ".join(f"{lead} {ends}".split())
        assert texts[3] == f"{content['kinds'][kind][1]} {p}".strip()
        assert f'class="{content["kinds"][kind][0]}"' in row
        assert f'x="{x or 0}%" width="{width or 0}%"' in row
        assert ("far" in row) == (not at)


@EVERY
def test_the_values_below_the_names_give_the_lead_as_it_is_printed(design):
    results = answers(design)
    standing, shown = shown_of(results)
    own = shown["values"][0]
    leader = standing.order.index(standing.leader)
    if not own[leader] or (results.scores.n_runs == 0).any() or any(pair.left_out for pair in standing.pairs):
        pytest.skip("values are of other tasks than the pairs, or there are none")
    for row in shown["view"].rows:
        decimals = len(row.lead.partition(".")[2])
        difference = abs(number(own[leader].split()[-1]) - number(own[row.other].split()[-1]))
        assert abs(difference - abs(number(row.lead))) <= 0.5 * 10**-decimals + 1.01 * 10 ** -(decimals + 1)


@EVERY
def test_the_key_has_the_colours_that_are_drawn_and_no_others(design):
    results = answers(design)
    _, shown = shown_of(results)
    html = re.search(r'<table class="versus">.*?</table>', build(results), re.DOTALL)[0]
    drawn = {kind for kind, _, _ in versus.KINDS.values() if re.search(rf'class="(?:sign )?{kind}"', html)}
    assert {kind for kind, _ in shown["key"]} == drawn


def test_an_axis_has_two_numbers_at_least_and_far_leads_are_arrows_at_its_end():
    assert len(versus._ticks(versus.Scale(low=45.5, high=54.4))) > 1
    levels = {"A": 9, "B": 8.9, "C": 8.8, "D": 1.0}
    data = {name: {f"t{t}": [level + 0.1 * k for k in range(5)] for t in range(5)} for name, level in levels.items()}
    _, shown = shown_of(answers_of(ro.Scores.from_dict(data), measure="mean"))
    far = shown["view"].rows[-1]
    assert (far.beyond, far.at, far.x) == ("▸", "", "")
    assert [row.beyond for row in shown["view"].rows[:-1]] == ["", ""]


def test_without_a_pair_there_is_no_picture():
    results = answers("four_with_ties")
    standing = standing_of(results)
    assert versus.picture(results, standing) is not None
    assert versus.picture(results, replace(standing, pairs=())) is None


def test_two_that_were_not_compared_have_no_numbers_and_as_many_signs_as_others():
    rng = np.random.default_rng(2)
    data = {name: {f"t{t}": rng.uniform(level, level + 0.2, 5) for t in range(7)} for name, level in LEVELS.items()}
    results = answers_of(ro.Scores.from_dict(data))
    standing = standing_of(results)
    assert any(pair.over_tasks for pair in standing.own)
    shown = versus.picture(results, replace(standing, pairs=standing.own[:1]))
    tested, *others = shown["view"].rows
    assert (tested.verdict != "", [row.verdict for row in others]) == (True, ["", ""])
    for row in shown["view"].rows:
        assert len(shown["facts"][standing.leader][row.other][2]) == len(shown["signs"])
    assert [shown["facts"][standing.leader][row.other][:2] for row in others] == [["–", "–"]] * 2


def test_leads_by_what_is_better_when_lower_lie_right_of_0_where_the_first_is_better():
    runs = ro.load_example("classic_control").final().subsample(5).normalize("classic_control")
    results = answers_of(runs.select(algorithms=["ARS", "CEM", "Actor-Critic"]))
    assert "optimality_gap" in {reading.measure for reading in standing_of(results).own[0].other_readings}
    assert contradictions(results) == []


LEVELS = {"A": 0.7, "B": 0.5, "C": 0.3, "D": 0.1}


@EVERY
def test_wins_and_tasks_beside_the_lead_are_those_of_the_pair_from_both_sides(design):
    standing, shown = shown_of(answers(design))
    for pair in (own for once in standing.pairs for own in (once, once.turned())):
        won, tasks, _ = shown["facts"][pair.a][standing.order.index(pair.b)]
        assert won == chances(pair.improvement, None, None)
        assert tasks == f"{pair.wins}/{pair.wins + pair.ties + pair.losses}"
