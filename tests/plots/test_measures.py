"""The lead over each other algorithm as one picture: the interval that decided, from 0, and the same by the other measures."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import runoff as ro
from runoff import plots
from runoff.answer.pair import readings_of
from runoff.plots._marks import AHEAD, BEHIND, OPEN, VERDICTS, contrast
from runoff.plots._rows import BAR
from runoff.plots._staircases import chance_of
from tests.exits.methods import design
from tests.report.made import answers, answers_of, by_chance


def bars(ax):
    """Return (low, high, colour) by row, "none" where a bar is an outline."""
    spans_of = [c for c in ax.collections if isinstance(c, LineCollection) and c.get_linewidths()[0] == BAR]
    spans = [(bar.get_segments()[0], to_hex(bar.get_colors()[0]).upper()) for bar in spans_of]
    boxes = [(box.get_y() + box.get_height() / 2, box.get_x(), box.get_width()) for box in ax.patches]
    outlines = {round(y): (x, x + wide, "none") for y, x, wide in boxes}
    return {int(span[0][1]): (span[0][0], span[1][0], color) for span, color in spans} | outlines


def test_the_colours_of_verdicts_are_those_of_the_page_and_seen_on_white():
    css = files("runoff.page.sheet").joinpath("page.css").read_text(encoding="utf-8")
    light = css[: css.index("prefers-color-scheme: dark")]
    named = {name: re.search(rf"--{name}: (#[0-9a-f]+)", light)[1].upper() for name in ("ahead", "behind", "open")}
    assert named == {"ahead": AHEAD, "behind": BEHIND, "open": OPEN}
    assert min(map(contrast, named.values())) >= 3


@pytest.mark.sampled(20)
@pytest.mark.parametrize("seed", range(60))
def test_a_bar_leaves_out_the_line_in_a_verdicts_colour_or_holds_it_in_grey(seed):
    result = ro.compare(design(seed))
    standing, axes = result.standing, plots.measures(result)
    others = [name for name in standing.order if name != standing.leader]
    by = list(dict.fromkeys(measure for pair in standing.own for measure in readings_of(pair)))
    colors = {"a_better": {AHEAD}, "b_better": {BEHIND}, "no_difference_found": {OPEN}}
    for measure, ax in zip(by, axes, strict=True):
        even = 0.5 if measure == "improvement" else 0.0
        for row, (low, high, color) in bars(ax).items():
            reading = readings_of(standing.beside(others[row]))[measure]
            assert color in colors.get(reading.verdict, {"none"})
            assert color == "none" or (low <= even <= high) == (color == OPEN)
            assert (color == AHEAD) <= (low > even)


def test_the_interval_that_decided_is_drawn_as_it_is_spoken():
    result = answers().comparison
    others = result.standing.order[1:]
    for row, (low, high, _) in bars(plots.measures(result)[0]).items():
        assert (low, high) == result.standing.beside(others[row]).spoken


def test_rows_are_the_other_algorithms_in_the_order_of_the_page():
    ax = plots.measures(answers().comparison)[0]
    assert tuple(label.get_text() for label in ax.get_yticklabels()) == answers().comparison.standing.order[1:]


def test_a_measure_that_says_nothing_of_a_pair_has_an_empty_row():
    result = answers().comparison
    leader, nearest = result.standing.order[:2]
    pairs = tuple(
        replace(pair, other_readings=()) if {pair.a, pair.b} == {leader, nearest} else pair for pair in result.pairs
    )
    axes = plots.measures(replace(result, pairs=pairs))
    assert 0 in bars(axes[0])
    assert all(0 not in bars(ax) for ax in axes[1:])
    assert "An empty row" in plots.caption(replace(result, pairs=pairs), figure="measures")
    assert "An empty row" not in plots.caption(result, figure="measures")


def test_without_a_verdict_bars_are_outlines():
    result = ro.compare({"A": [[1.0, 2.0, 3.0], [0, 1, 2]], "B": [[300.0, 500.0, 900.0], [0, 2, 4]]})
    pairs = tuple(replace(pair, verdict="no_verdict", unjudged="no unit.") for pair in result.pairs)
    result = replace(result, pairs=pairs)
    assert [color for _, _, color in bars(plots.measures(result)[0]).values()] == ["none"]
    assert "for no verdict is given; " in plots.caption(result, figure="measures")


@pytest.mark.parametrize("n_without", [1, 2, 3])
def test_the_caption_claims_the_level_of_the_test_only_where_every_bar_has_it(n_without):
    result = answers().comparison
    without = [{pair.a, pair.b} for pair in result.standing.own[:n_without]]
    bare = [replace(pair, low=None, high=None) if {pair.a, pair.b} in without else pair for pair in result.pairs]
    caption = plots.caption(replace(result, pairs=tuple(bare)), figure="measures")
    assert "intervals of each pair alone, where they agree with the test" in caption
    assert "at the level of the test" not in caption


def test_too_few_axes_are_refused():
    with pytest.raises(ro.OptionError, match="one for each of"):
        plots.measures(answers().comparison, ax=Figure().add_subplot())


def test_a_leader_who_was_compared_with_nobody_is_refused():
    with pytest.raises(ro.OptionError, match="compared with no other"):
        plots.measures(replace(answers().comparison, pairs=()))


def test_the_caption_names_what_is_drawn_and_no_more():
    caption = plots.caption(answers().comparison, figure="measures")
    assert caption.startswith(f"The lead of {answers().comparison.standing.leader} over each other algorithm.")
    assert "intervals at the level of the test (α = 0.05, " in caption
    # By chances there is one panel, and of one pair no correction.
    alone = plots.caption(by_chance().comparison, figure="measures")
    assert "panel" not in alone
    two = ro.compare({"A": [1.0, 2.0, 3.0, 9.0], "B": [2.0, 3.0, 5.0, 4.0]})
    assert "(α = 0.05)" in plots.caption(two, figure="measures")
    with pytest.raises(ro.OptionError, match="figure must be one of improvement, pvalue_matrix, pairs, measures"):
        plots.caption(answers().comparison, figure="forest")


def test_the_caption_of_episodes_speaks_of_episodes():
    rows = [(a, e, (e * 7) % 9 / 9 + at) for at, a in enumerate("BA") for e in range(9)]
    table = dict(zip(("algorithm", "episode", "score"), zip(*rows, strict=True), strict=True))
    episodes = answers_of(ro.Scores.from_frame(table, unit="episode"))
    assert "the chance that an episode of A beats" in plots.caption(episodes.comparison, figure="measures")


@pytest.mark.parametrize(("measure", "words"), [("mean", "lead of A"), ("improvement", "chance that A wins")])
def test_the_axis_of_chances_goes_from_0_to_1_and_that_of_leads_holds_0(measure, words):
    rng = np.random.default_rng(0)
    scores = ro.Scores.from_dict({name: rng.normal(level, 0.3, (5, 6)) for name, level in (("A", 2.0), ("B", 0.0))})
    axes = plots.measures(ro.compare(scores, measure=measure))
    assert axes[-1].get_xlim() == (0.0, 1.0)
    low, high = axes[0].get_xlim()
    assert low <= 0 < high
    (text,) = axes[0].figure.texts
    assert text.get_text() == words


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(60))
def test_a_chance_leaves_out_one_half_in_a_verdicts_colour_or_holds_it_in_grey(seed):
    result = ro.compare(design(seed))
    rows = bars(plots.improvement(result))
    assert len(rows) == sum(chance_of(pair).low is not None for pair in result.standing.pairs)
    for row, (low, high, color) in rows.items():
        verdict = chance_of(result.standing.pairs[row]).verdict
        assert color == VERDICTS.get(verdict, "none")
        assert color == "none" or (low <= 0.5 <= high) == (color == OPEN)


def test_a_chance_that_was_not_tested_has_its_own_interval_and_no_verdict():
    for pair in answers().comparison.pairs:
        chance = chance_of(replace(pair, other_readings=()))
        assert (chance.low, chance.high, chance.verdict) == (pair.improvement_low, pair.improvement_high, "no_verdict")
        assert chance.low < chance.estimate < chance.high


def test_the_chances_of_successes_are_decided_by_their_rates():
    won = {"A": 38, "B": 30, "C": 12}
    result = ro.compare({name: [1.0] * n + [0.0] * (40 - n) for name, n in won.items()})
    for row, (low, _, color) in bars(plots.improvement(result)).items():
        pair = result.standing.pairs[row]
        assert low == 0.5 + pair.spoken[0] / 2
        assert color == VERDICTS[pair.verdict]


def test_a_panel_about_items_is_headed_by_their_success_rate():
    answered = np.random.default_rng(3).random((2, 60)) < [[0.8], [0.4]]
    rows = {name: {f"q{i}": [float(own[i])] for i in range(60)} for name, own in zip("ab", answered, strict=True)}
    result = ro.compare(ro.Scores.from_dict(rows, unit="episode"), over="tasks")
    assert plots.measures(result)[0].get_title().startswith("Success rate")


@pytest.mark.parametrize("n_tasks", [1, 3])
def test_the_panel_of_success_rates_is_headed_so(n_tasks):
    rows = {name: {f"t{i}": [1] * k + [0] * (9 - k) for i in range(n_tasks)} for name, k in (("A", 2), ("B", 8))}
    axes = ro.plots.measures(ro.compare(ro.Scores.from_dict(rows, unit="episode"), measure="mean"))
    assert "Success rate" in axes[0].get_title() + "".join(text.get_text() for text in axes[0].texts)
    runs = ro.Scores.from_dict(
        {name: {t: [3 * x + 0.1 for x in own] for t, own in of.items()} for name, of in rows.items()}
    )
    axes = ro.plots.measures(ro.compare(runs, measure="mean"))
    assert "Mean" in axes[0].get_title() + "".join(text.get_text() for text in axes[0].texts)


@pytest.mark.parametrize("seed", range(8))
def test_a_caption_speaks_of_arrows_where_some_are_drawn_and_the_only_pair_is_not_beyond_its_axis(seed):
    draw = np.random.default_rng(seed)
    levels = {"A": 0.0, "B": 3.0, "C": 3.5, "D": 4.0, "E": -100.0 * (seed % 2)}
    data = ro.Scores.from_dict(
        {name: draw.normal(level, 1, (5, 2)) for name, level in levels.items()}, score_unit="shared"
    )
    for control in (None, "A"):
        result = ro.compare(data, control=control)
        arrows = [
            text
            for ax in plots.measures(result)
            for text in ax.texts
            if "▸" in text.get_text() or "◂" in text.get_text()
        ]
        assert bool(arrows) == ("An arrow with a number" in plots.caption(result, figure="measures"))
        assert not (arrows and len(result.standing.own) == 1)
