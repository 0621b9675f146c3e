"""Figures of pyplot are drawn without a window, and closed again."""

from __future__ import annotations

import matplotlib
import pytest


@pytest.fixture(autouse=True)
def closed_figures():
    """Use no window, and leave no figure open."""
    matplotlib.use("agg")
    yield
    from matplotlib import pyplot

    pyplot.close("all")
