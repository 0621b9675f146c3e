"""The lead as one picture: the interval that decided, the other measures, the chance to win."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import runoff as ro
from runoff import plots
from runoff.plots._canvas import INK
from runoff.plots._marks import PALE, toned
from runoff.plots._rows import BAR
from runoff.words.names import metric_head
from tests.report.made import answers, answers_of, by_chance

GREY = toned(INK, PALE).lower()


def bars(ax):
    """Return (low, high, colour) by row."""
    spans_of = [c for c in ax.collections if isinstance(c, LineCollection) and c.get_linewidths()[0] == BAR]
    spans = [(bar.get_segments()[0], to_hex(bar.get_colors()[0])) for bar in spans_of]
    return {int(span[0][1]): (span[0][0], span[1][0], color) for span, color in spans}


def test_the_bar_of_the_measure_that_decides_leaves_out_the_leader_where_a_difference_was_found():
    standing = answers().comparison.standing
    ax = plots.measures(answers().comparison)[0]
    line = dict(answers().comparison.values)[standing.leader]
    colors = plots.marks(standing.order)
    verdicts = {name: standing.beside(name).winner for name in standing.order[1:]}
    for row, (low, high, color) in bars(ax).items():
        winner = verdicts[standing.order[row]]
        assert (low <= line <= high) == (winner is None)
        assert color == (GREY if winner is None else colors[winner].color.lower())
    assert set(verdicts.values()) == {standing.leader, None} or set(verdicts.values()) == {standing.leader}


def test_rows_are_the_order_of_the_page_each_with_its_own_marker():
    ax = plots.measures(answers().comparison)[0]
    assert tuple(label.get_text() for label in ax.get_yticklabels()) == answers().comparison.standing.order


def test_other_measures_have_the_intervals_of_the_aggregates_and_a_shade_over_the_leaders():
    axes = plots.measures(answers().comparison, answers().aggregates)
    heads = [ax.get_title() for ax in axes]
    assert heads[0].endswith(": decides")
    assert heads[-1] == "Beats the leader"
    metric = next(metric for metric in answers().aggregates.measures if metric_head(metric) == heads[1])
    records = [answers().aggregates[name, metric] for name in answers().comparison.standing.order]
    assert [bar[:2] for _, bar in sorted(bars(axes[1]).items())] == [(r.low, r.high) for r in records]
    assert axes[1].patches[0].get_x() == records[0].low


def test_the_last_panel_has_the_chance_of_each_to_beat_the_leader():
    standing, ax = answers().comparison.standing, plots.measures(answers().comparison)[-1]
    for row, (low, high, _) in bars(ax).items():
        pair = standing.beside(standing.order[row])
        assert (low, high) == pytest.approx((1 - pair.improvement_high, 1 - pair.improvement_low))
    low, high = ax.get_xlim()
    assert low < 0.5 < high


def test_the_improvement_is_compared_with_one_half_in_a_single_panel():
    result = ro.compare({"A": [5.0, 6.0, 7.0, 8.0], "B": [1.0, 2.0, 3.0, 9.0]}, measure="improvement")
    (ax,) = plots.measures(result)
    assert ax.get_title().endswith("decides")
    assert len(bars(ax)) == 1


def test_other_scores_and_too_few_axes_are_refused():
    other = ro.aggregate({"A": [1.0, 2.0, 3.0]}, n_resamples=100)
    with pytest.raises(ro.OptionError, match="the aggregates lack"):
        plots.measures(answers().comparison, other)
    with pytest.raises(ro.OptionError, match="one for each of 2"):
        plots.measures(answers().comparison, ax=Figure().add_subplot())


def test_the_caption_says_which_intervals_decided_and_what_is_grey():
    caption = plots.caption(answers().comparison, figure="measures", aggregates=answers().aggregates)
    assert f"as far from {answers().comparison.standing.leader}" in caption
    assert "intervals that decided" in caption
    assert "Panels between" in caption
    assert "Panels between" not in plots.caption(answers().comparison, figure="measures")
    # By chances there is one panel, which has no neighbour to be told from.
    alone = plots.caption(by_chance().comparison, figure="measures", aggregates=by_chance().aggregates)
    assert alone.startswith("Each algorithm as far from SAC as its probability of improvement.")
    assert not any(word in alone for word in ("panel", "Panels", "Their colours"))
    with pytest.raises(ro.OptionError, match="figure must be one of improvement, pvalue_matrix, pairs, measures"):
        plots.caption(answers().comparison, figure="forest")


def test_the_caption_of_episodes_speaks_of_episodes():
    rows = [(a, e, (e + at) % 3 > at) for at, a in enumerate("AB") for e in range(9)]
    table = dict(zip(("algorithm", "episode", "success"), zip(*rows, strict=True), strict=True))
    episodes = answers_of(ro.Scores.from_frame(table, unit="episode"))
    caption = plots.caption(episodes.comparison, figure="measures", aggregates=episodes.aggregates)
    assert "Last panel: the chance that an episode beats one of A." in caption


@pytest.mark.parametrize("measure", ["mean", "improvement"])
def test_the_axis_of_chances_stays_between_0_and_1(measure):
    rng = np.random.default_rng(0)
    scores = ro.Scores.from_dict({name: rng.normal(level, 0.3, (5, 6)) for name, level in (("A", 2.0), ("B", 0.0))})
    axes = plots.measures(ro.compare(scores, measure=measure))
    assert axes[-1].get_xlim()[0] == 0.0
    assert axes[-1].get_xlim()[1] <= 1.0
    assert (axes[0].get_xlim()[0] < 0.0) == (measure == "mean")


def test_the_axis_of_a_chance_that_few_runs_leave_open_is_whole_and_no_longer():
    for measure in ("mean", "improvement"):
        axes = plots.measures(ro.compare({"A": [1.0, 4.0], "B": [2.0, 3.0]}, measure=measure))
        assert axes[-1].get_xlim() == (0.0, 1.0)


@pytest.mark.parametrize(("measure", "word"), [("mean", "score"), ("improvement", "chance")])
def test_an_axis_of_chances_alone_is_no_axis_of_scores_with_aggregates_or_without(measure, word):
    scores = ro.Scores.from_dict({name: np.arange(8.0).reshape(4, 2) + i for i, name in enumerate("AB")})
    comparison = ro.compare(scores, measure=measure)
    for aggregates in (None, ro.aggregate(scores, measure=["improvement"], n_resamples=100)):
        (text,) = plots.measures(comparison, aggregates)[0].figure.texts
        assert text.get_text() == word
