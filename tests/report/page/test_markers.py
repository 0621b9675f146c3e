"""The page's markers are those of the figures."""

import re

import numpy as np
import pytest
from matplotlib.markers import MarkerStyle
from matplotlib.transforms import Affine2D

from runoff.page.sheet.svg import OUTLINES, look_of
from runoff.plots._marks import FIRST, MORE, marks


@pytest.mark.parametrize("marker", [mark.marker for mark in FIRST + MORE])
def test_the_page_draws_a_marker_as_matplotlib_does(marker: str) -> None:
    style = MarkerStyle(marker)
    large = style.get_transform() + Affine2D().scale(100)
    # SVG counts downwards; the last point of a closed polygon is its first.
    outline = style.get_path().transformed(large).to_polygons()[0][:-1] * (1, -1)
    if marker == "o":
        # Arcs on the page, half a circle each; matplotlib's is flattened.
        np.testing.assert_allclose(np.hypot(*outline.T), 50, atol=0.2)
        assert OUTLINES[marker] == "M0,50A50,50 0 1 1 0,-50A50,50 0 1 1 0,50Z"
    else:
        shown = [[float(number) for number in point] for point in re.findall(r"(-?\d+),(-?\d+)", OUTLINES[marker])]
        np.testing.assert_allclose(shown, outline, atol=0.51)


def test_every_marker_of_an_algorithm_has_an_outline() -> None:
    assert {mark.marker for mark in FIRST + MORE} == set(OUTLINES)


def test_every_marker_lies_inside_the_box_that_is_shown_of_it():
    style = look_of(marks([f"algorithm {i}" for i in range(40)]))
    boxes = re.findall(r'viewBox="([^"]+)"><path d="([^"]+)"', style.shapes)
    assert len(boxes) == len({*style.shaped.values()})
    for box, path in boxes:
        left, top, wide, high = map(float, box.split())
        points = [tuple(map(float, point.split(","))) for point in re.findall(r"-?\d+,-?\d+", path)]
        assert all(left < x < left + wide and top < y < top + high for x, y in points)
