"""Numbers for readers: one format for one kind of number, in sentences, tables, pages and on the terminal. Files keep full precision.

Minus is a minus sign, thousands are set apart by a narrow space, an estimate has the decimals that its interval supports, and a p-value three.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, isfinite, log10

MOST = 6
"""Decimals."""
FINEST = 20 * 10.0**-MOST
"""The width of an interval of which these decimals show two digits."""
GROUP, MINUS, SPACE = "\N{NARROW NO-BREAK SPACE}", "\N{MINUS SIGN}", "\N{NO-BREAK SPACE}"


def number(value: float | None, places: int) -> str:
    """Return a value with `places` decimals and a true minus sign; a dash for none.

    >>> number(-1234.5, 1), number(-0.001, 2), number(None, 2)
    ('−1\\u202f234.5', '0.00', '–')
    """
    if value is None:
        return "–"
    text = f"{value:,.{places}f}".replace(",", GROUP)
    return signed(text) if text.strip("-0.") else text.lstrip("-")


def digits(value: float, count: int = 3) -> str:
    """Return a value with so many significant digits, and all digits before the point; far from 1, with an exponent.

    >>> digits(0.012345), digits(45.6), digits(-1316.2), digits(2.0), digits(3.2e-7)
    ('0.0123', '45.6', '−1\\u202f316', '2', '3.2e−07')
    """
    whole = 10 ** (count - 1) <= abs(value) < 1e9
    text = f"{value:,.0f}" if whole else f"{value:.{count}g}"
    return signed(text.replace(",", GROUP))


def exactly(value: float) -> str:
    """Return a value that someone chose, with the digits it was given, up to ten.

    >>> exactly(0.05), exactly(-20000.0)
    ('0.05', '−20\\u202f000')
    """
    return signed(f"{value:,.10g}".replace(",", GROUP))


def signed(text: str) -> str:
    """Return the text of a number with true minus signs."""
    return text.replace("-", MINUS)


def count(value: int) -> str:
    """Return a number of things.

    >>> count(50000)
    '50\\u202f000'
    """
    return f"{value:,}".replace(",", GROUP)


def percent(share: float, most: int = 3) -> str:
    """Return a share as a percentage.

    >>> percent(0.95)
    '95\\xa0%'
    """
    return f"{100 * share:.{most}g}{SPACE}%"


# ── estimates and their intervals ──────────


def places(size: float, significant: int) -> int:
    """Return the decimals that show a size with so many significant digits."""
    if not isfinite(size) or size <= 0:
        return 2
    return min(MOST, max(0, significant - 1 - floor(log10(size))))


def decimals_of(values: Iterable[float | None], significant: int = 3) -> int:
    """Return the decimals that show the largest of these values with so many significant digits."""
    return places(max((abs(v) for v in values if v is not None), default=1.0), significant)


def interval(low: float | None, high: float | None, places: int) -> str:
    """Return "[low, high]", or a dash where there is no interval."""
    if low is None or high is None:
        return "–"
    return f"[{number(low, places)}, {number(high, places)}]"


def estimated(estimate: float, low: float | None, high: float | None) -> str:
    """Return an estimate with its interval, or alone with three digits.

    >>> estimated(0.5234, 0.4112, 0.6321), estimated(233.04, 189.9, 277.1), estimated(0.5234, None, None)
    ('0.52 [0.41, 0.63]', '233 [190, 277]', '0.523')
    """
    if low is None or high is None:
        return digits(estimate)
    if high - low < FINEST:
        return f"{digits(estimate)} [{digits(low)}, {digits(high)}]"
    shown = places((high - low) / 2, 2)
    return f"{number(estimate, shown)} {interval(low, high, shown)}"


# ── p-values ──────────


def pvalue(p: float) -> str:
    """Return a p-value for a table: three decimals, or "< 0.001"; a fourth where 0.050 would not say on which side of 0.05 it lies.

    >>> pvalue(0.0312), pvalue(0.00001), pvalue(0.0496)
    ('0.031', '< 0.001', '0.0496')
    """
    text = f"{p:.3f}"
    if text == "0.050" and p != 0.05:
        return next(f"{p:.{n}f}" for n in range(4, 18) if float(f"{p:.{n}f}") != 0.05)
    return "< 0.001" if p < 0.0005 else text


def p_equals(p: float) -> str:
    """Return a p-value for a sentence: "p = 0.031" or "p < 0.001"."""
    shown = pvalue(p)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def p_adjusted(p: float, adjusted: float) -> str:
    """Return a p-value, and the adjusted one where it differs.

    >>> p_adjusted(0.0312, 0.0936), p_adjusted(0.00001, 0.00003), p_adjusted(0.5, 0.5)
    ('p = 0.031, adjusted p = 0.094', 'p < 0.001, adjusted p < 0.001', 'p = 0.500')
    """
    return p_equals(p) if adjusted == p else f"{p_equals(p)}, adjusted {p_equals(adjusted)}"


def chance(p: float | None) -> str:
    """Return a chance with two decimals, or "< 0.01"; a dash for none."""
    return "< 0.01" if p is not None and p < 0.005 else number(p, 2)
