"""Colours by the names that seaborn has for palettes, without seaborn."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle, islice
from typing import Any

import numpy as np

from runoff.errors import OptionError, nearest

COLORBLIND = (
    "#0173B2",
    "#DE8F05",
    "#029E73",
    "#D55E00",
    "#CC78BC",
    "#CA9161",
    "#FBAFE4",
    "#949494",
    "#ECE133",
    "#56B4E9",
)
"""Ten colours that are told apart by most kinds of sight, in the order in which seaborn's "colorblind" has them."""

CONTINUOUS = 256
"""Colours of a colormap that is sampled, not counted."""


def colors_of(palette: str | Iterable[Any] | None, n_colors: int) -> list[Any]:
    """Return as many colours: of "colorblind", of a colormap of matplotlib by name, or a list's own, from the start again where it ends.

    Raises
    ------
    OptionError
        A name that neither matplotlib nor, where it is installed, seaborn knows; an empty list.
    """
    if palette is None or palette == "colorblind":
        return list(islice(cycle(COLORBLIND), n_colors))
    if isinstance(palette, str):
        return _named(palette, n_colors)
    given = list(palette)
    if not given:
        raise OptionError("color_palette holds no colour.")
    return list(islice(cycle(given), n_colors))


def _named(name: str, n_colors: int) -> list[Any]:
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    if name in colormaps:
        found = colormaps[name]
        if isinstance(found, ListedColormap) and found.N < CONTINUOUS:
            return [found(i % found.N) for i in range(n_colors)]
        return [found(x) for x in np.linspace(0, 1, n_colors + 2)[1:-1]]
    try:
        import seaborn
    except ImportError:
        raise OptionError(
            f"color_palette must be 'colorblind', a colormap of matplotlib, or a list of colours, not {name!r}, which seaborn may know, but it "
            f"is not installed.{nearest(name, ['colorblind', *colormaps])}"
        ) from None
    return list(seaborn.color_palette(name, n_colors=n_colors))
