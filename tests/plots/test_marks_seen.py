"""Marks are seen: contrast against white, intervals behind their points, colours apart for every eye."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex

import runoff as ro
from runoff import plots
from runoff.plots._canvas import INK
from runoff.plots._marks import DARK, FIRST, MORE, PALE, contrast, toned
from runoff.plots._rows import BAR
from tests.plots.seen import keys_of, lines_of
from tests.report.made import answers, scores

EYES = {
    "every": np.eye(3),
    "protan": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "deutan": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "tritan": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
"""Machado, Oliveira & Fernandes 2009, severity 1, in linear RGB."""
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(color: str, eye: str) -> np.ndarray:
    """Return a colour as an eye sees it, in CIELAB."""
    rgb = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    x, y, z = XYZ @ np.clip(EYES[eye] @ linear, 0, 1) / [0.9505, 1.0, 1.089]
    f = [np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("mark", FIRST + MORE)
def test_every_mark_has_a_contrast_of_three_against_white(mark: plots.Mark):
    assert contrast(mark.color) >= PALE
    assert contrast(toned(mark.color, DARK)) >= DARK


@pytest.mark.parametrize("eye", EYES)
def test_the_first_eight_colours_are_further_apart_than_those_of_okabe_and_ito_were(eye: str):
    distances = [np.linalg.norm(lab(a.color, eye) - lab(b.color, eye)) for a, b in combinations(FIRST, 2)]
    assert min(distances) > 11


def test_a_toned_colour_has_the_contrast_that_was_asked_for_and_its_hue():
    for color in (INK, "#56B4E9", "#006299"):
        for wanted in (3.0, 4.5, 10.0):
            assert wanted <= contrast(toned(color, wanted)) < wanted * 1.1
    red, green, blue = (int(toned("#56B4E9", 3.0)[i : i + 2], 16) for i in (1, 3, 5))
    assert red < green < blue


def test_every_bar_of_rows_is_opaque_and_seen_under_a_tick_that_is_thinner_than_the_shortest_bar():
    comparison, scored = answers().comparison, scores()
    drawn = [
        *plots.aggregates(answers().aggregates),
        plots.improvement(comparison),
        plots.effect_sizes(ro.effect_sizes(scored)),
        plots.rank_intervals(ro.rank_intervals(scored, n_resamples=100)),
    ]
    for ax in drawn:
        bars = [c for c in ax.collections if isinstance(c, LineCollection) and c.get_linewidths()[0] == BAR]
        assert bars
        assert all(bar.get_alpha() is None and contrast(to_hex(bar.get_colors()[0])) >= 2.99 for bar in bars)
        ticks = [line for line in lines_of(ax) if line.get_marker() not in ("None", "")]
        assert {(tick.get_marker(), tick.get_markeredgewidth()) for tick in ticks} == {("|", 1.3)}
        assert ticks[0].get_markersize() > BAR
        assert not keys_of(ax) or len(keys_of(ax)) == len(ticks)
