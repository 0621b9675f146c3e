"""How wide is a figure? Inches, or the text of a venue: a figure made for it needs no scaling, so that its 7 points stay 7 points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.words.names import VenueName

COLUMN, PAGE = 3.3, 6.8
"""Widths of one and two columns of a paper, inches."""
POINT = 1 / 72.27
"""Inches of a point of TeX."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """The text of a venue: what `\\columnwidth` and `\\textwidth` print in its style, in inches, and where that is from."""

    column: float
    page: float
    source: str


WIDTHS: Mapping[str, Venue] = MappingProxyType(
    {
        "neurips": Venue(column=5.5, page=5.5, source="neurips_2026.sty: text of 5.5 in"),
        "iclr": Venue(column=5.5, page=5.5, source="iclr2026_conference.sty: text of 5.5 in"),
        "icml": Venue(column=3.25, page=6.75, source="icml2024.sty: text of 6.75 in, columns 0.25 in apart"),
        "jmlr": Venue(column=6.0, page=6.0, source="jmlr2e.sty: text of 6 in, margins of 1.25 in on letter paper"),
        "tmlr": Venue(column=6.5, page=6.5, source="tmlr.sty: text of 6.5 in"),
        "aaai": Venue(column=3.3125, page=7.0, source="aaai24.sty: text of 7 in, columns 0.375 in apart"),
        "ieee": Venue(
            column=252 * POINT, page=516 * POINT, source="IEEEtran.cls, 10pt: columns of 252 pt, text of 516 pt"
        ),
        "article": Venue(column=345 * POINT, page=345 * POINT, source="article.cls, 10pt: text of 345 pt"),
    }
)
"""What `width=` may name: one-column venues have two equal widths. Figures of one panel take the column, those of several the page.

Sources are the style files of the venues; other years may differ, and `\\the\\textwidth` in a document tells.
"""


def mm(length: float) -> float:
    """Return a length in millimetres as `width=` takes it.

    >>> round(mm(88), 3)
    3.465
    """
    return length / 25.4


def column(width: float | VenueName) -> float:
    """Return the inches of a figure for one column."""
    return venue(width).column if isinstance(width, str) else _checked(width)


def page(width: float | VenueName) -> float:
    """Return the inches of a figure for the whole width of a page."""
    return venue(width).page if isinstance(width, str) else _checked(width)


def venue(name: str) -> Venue:
    return WIDTHS[check_choice("width", name, WIDTHS)]


def _checked(width: float) -> float:
    if isinstance(width, bool) or not isinstance(width, int | float) or not 1.0 <= width <= 60.0:
        raise OptionError(
            f"width must be inches from 1 to 60, a length by plots.mm(88), or one of {', '.join(WIDTHS)}, not {width!r}."
        )
    return float(width)
