"""Numbers for readers: one format for one kind of number, in sentences, tables, pages and on the terminal. Files keep full precision.

Minus is a minus sign, thousands are set apart by a narrow space, an estimate has the decimals that its interval supports, and a p-value three.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, inf, isfinite, log10

MOST = 6
"""Largest number of decimals."""
FINEST = 20 * 10.0**-MOST
"""Width of the narrowest interval of which so many decimals show two digits."""
LONG = 9
"""Characters of a number that nobody has chosen."""
GROUP, MINUS, SPACE = "\N{NARROW NO-BREAK SPACE}", "\N{MINUS SIGN}", "\N{NO-BREAK SPACE}"


def number(value: float | None, places: int) -> str:
    """Return a value with `places` decimals and a true minus sign; a dash for none.

    >>> number(-1234.5, 1), number(-0.001, 2), number(None, 2)
    ('−1\\u202f234.5', '0.00', '–')
    """
    if value is None:
        return "–"
    if value in (inf, -inf):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{value:,.{places}f}".replace(",", GROUP)
    # A small negative number that rounds to 0.00 is not −0.00.
    return signed(text) if text.strip("-0.") else text.lstrip("-")


def rounded(value: float, places: int) -> str:
    """Return a number with these decimals, or with three digits where they would show nothing of it, or the most decimals too little.

    >>> rounded(0.1234, 2), rounded(0.0, 2), rounded(1.9e-8, 6), rounded(8.39e-7, 6)
    ('0.12', '0.00', '1.9e−08', '8.39e−07')
    """
    text = number(value, places)
    coarse = places == MOST and abs(value) < 10 ** (1 - MOST)  # a tenth of it, or more, would be rounded away
    return digits(value) if value and (coarse or not text.strip(f"0.{MINUS}")) else text


def digits(value: float | None, count: int = 3) -> str:
    """Return a value with `count` significant digits and all digits before the point, with an exponent where it is far from 1; a dash for none.

    >>> digits(0.012345), digits(45.6), digits(-1316.2), digits(2.0), digits(3.2e-7)
    ('0.0123', '45.6', '−1\\u202f316', '2', '3.2e−07')
    """
    if value is None:
        return "–"
    if value in (inf, -inf):
        return "∞" if value > 0 else f"{MINUS}∞"
    # From as many digits on as are asked for, all before the point are shown: 1316 with three digits is not 1.32e+03.
    whole = 10 ** (count - 1) <= abs(value) < 1e9
    text = f"{value:,.0f}" if whole else f"{value:,.{count}g}"
    return signed(text.replace(",", GROUP))


def shown_apart(a: float, b: float) -> tuple[str, str]:
    """Return two values with four digits, or with as many, up to nine, as show that they differ.

    >>> shown_apart(1.0, 2.0), shown_apart(10.00001, 10.00002)
    (('1', '2'), ('10.00001', '10.00002'))
    """
    count = digits_apart(a, b)
    return digits(a, count), digits(b, count)


def digits_apart(a: float, b: float) -> int:
    """Return four, or as many digits, up to nine, as show that two values differ."""
    return next((count for count in range(4, 10) if digits(a, count) != digits(b, count)), 4)


def exactly(value: float | None) -> str:
    """Return a value that a user chose, with the digits the user gave, up to ten; a dash for none.

    >>> exactly(0.05), exactly(-20000.0)
    ('0.05', '−20\\u202f000')
    """
    return "–" if value is None else signed(f"{value:,.10g}".replace(",", GROUP))


def step_text(value: float | None) -> str:
    """Return a step of training, or a number of seconds: whole, or with five digits; a dash for none.

    >>> step_text(20000.0), step_text(1363.63636), step_text(0.5)
    ('20\u202f000', '1\u202f363.6', '0.5')
    """
    return exactly(value) if value is None or value == round(value) else digits(value, 5)


def margin_text(margin: float) -> str:
    """Return a margin as it was given; one that was computed with four digits.

    >>> margin_text(0.25), margin_text(80.48591234)
    ('0.25', '80.49')
    """
    text = exactly(margin)
    return text if len(text) < LONG else digits(margin, 4)


def signed(text: str) -> str:
    """Return the text of a number with true minus signs."""
    return text.replace("-", MINUS)


def count(value: int) -> str:
    """Return a number of things.

    >>> count(50000)
    '50\\u202f000'
    """
    return f"{value:,}".replace(",", GROUP)


def percent(share: float | None, most: int = 3) -> str:
    """Return a share as a percentage; a dash for none.

    >>> percent(0.95), percent(1.0, 2)
    ('95\\xa0%', '100\\xa0%')
    """
    return "–" if share is None else f"{digits(100 * share, most)}{SPACE}%"


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


def estimated(estimate: float, low: float | None, high: float | None, *, about: float = 0.0, name: str = "") -> str:
    """Return an estimate with its interval, and what that is called, or alone with three digits; no end is rounded to `about`, which it is not.

    >>> estimated(0.5234, 0.4112, 0.6321), estimated(0.5234, None, None), estimated(-5.0, -9.8, -0.2)
    ('0.52 [0.41, 0.63]', '0.523', '−5.0 [−9.8, −0.2]')
    >>> estimated(1.000000123, 1.0000001, 1.0000002), estimated(1.2e-9, 1.1e-9, 1.4e-9)
    ('1.000000123 [1.0000001, 1.0000002]', '1.2e−09 [1.1e−09, 1.4e−09]')
    >>> estimated(1.0, 0.5 + 1e-12, 1.0, about=0.5)
    '1.00 [0.50, 1.00]'
    """
    return _with_interval(name, *estimate_parts(estimate, low, high, about=about))


def _with_interval(name: str, estimate: str, interval: str) -> str:
    """Return "0.52 [0.41, 0.63]", or "0.52, corrected interval [0.41, 0.63]"."""
    return f"{estimate}{f', {name}' if name and interval else ''}{f' {interval}' if interval else ''}"


def estimate_parts(estimate: float, low: float | None, high: float | None, *, about: float = 0.0) -> tuple[str, str]:
    """Return an estimate and its interval, "" where there is none; an end may be infinite.

    >>> estimate_parts(-133.2, float("-inf"), 9.09), estimate_parts(3000, 3000, float("inf"))
    (('−133', '[−∞, 9]'), ('3\\u202f000', '[3\\u202f000, ∞]'))
    """
    if low is None or high is None:
        return digits(estimate), ""
    if high - low < FINEST:
        first, *ends = (digits(v, _telling(low, high)) for v in (estimate, low, high))
        return first, f"[{', '.join(ends)}]"
    half = (high - low) / 2 if isfinite(high - low) else min(high - estimate, estimate - low)
    decimals = places(half, 2) if 0 < half < inf else places(abs(estimate), 2) if estimate else 0
    shown = _apart((low, high), about, decimals)
    return number(estimate, shown), interval(low, high, shown)


def _telling(low: float, high: float) -> int:
    """Return the significant digits at which the width of a narrow interval is seen."""
    half = (high - low) / 2
    if half <= 0:  # of the least number above 0 too
        return 3
    return min(15, max(3, 2 + floor(log10(max(abs(low), abs(high)))) - floor(log10(half))))


def chances(estimate: float, low: float | None, high: float | None, *, name: str = "") -> str:
    """Return a probability of improvement in percent, and its interval if there is one; with decimals where one would seem to be a half.

    >>> chances(0.7889, 0.7, 0.8551), chances(0.6, 0.5012, 0.71), chances(1.0, None, None)
    ('79\xa0% [70, 86]', '60.0\xa0% [50.1, 71.0]', '100\xa0%')
    """
    return _with_interval(name, *chance_parts(estimate, low, high))


def chance_parts(estimate: float, low: float | None, high: float | None) -> tuple[str, str]:
    """Return a probability of improvement and its interval, "" where there is none, in percent.

    >>> chance_parts(0.5031, None, None), chance_parts(0.6749, 0.5, 0.8)
    (('50.3\xa0%', ''), ('67\xa0%', '[50, 80]'))
    """
    ends = [end for end in (low, high) if end is not None]
    return in_percent(estimate, ends, _apart((estimate, *ends), 0.5, 2))


def in_percent(estimate: float, ends: Sequence[float], decimals: int = 2) -> tuple[str, str]:
    """Return a chance and the ends of its interval in percent, rounded as numbers of so many decimals."""

    def text(value: float) -> str:
        # Rounded as a share: a product with 100 would be rounded another time.
        return number(100 * float(f"{value:.{decimals}f}"), decimals - 2)

    return f"{text(estimate)}{SPACE}%", f"[{', '.join(map(text, ends))}]" if len(ends) == 2 else ""


def _apart(ends: Iterable[float], about: float, places: int) -> int:
    """Return the number of decimals at which no end is rounded to the value of no difference; an end that no decimals distinguish from it
    needs none."""
    kept = [end for end in ends if round(end, MOST) != round(about, MOST)]
    return next((n for n in range(places, MOST) if all(round(end, n) != round(about, n) for end in kept)), MOST)


# ── p-values ──────────


def pvalue(p: float | None) -> str:
    """Return a p-value for a table: three decimals, or "< 0.001"; a fourth where 0.050 would not say on which side of 0.05 it lies; a dash for
    none.

    >>> pvalue(0.0312), pvalue(0.00001), pvalue(0.0496), pvalue(0.049999999999999996)
    ('0.031', '< 0.001', '0.0496', '0.050')
    """
    if p is None:
        return "–"
    text = f"{p:.3f}"
    if text == "0.050" and p != 0.05:  # rounding must not move p to the other side of the usual level
        return next((f"{p:.{n}f}" for n in range(4, 18) if float(f"{p:.{n}f}") != 0.05), text)
    return "< 0.001" if p < 0.0005 else text


def p_equals(p: float | None) -> str:
    """Return a p-value for a sentence: "p = 0.031" or "p < 0.001"; "no p" where no test was made."""
    if p is None:
        return "no p"
    shown = pvalue(p)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def p_with_error(p: float, error: float) -> str:
    """Return a p-value, and the error of its draws where both are seen.

    >>> p_with_error(0.0312, 0.0017), p_with_error(0.0312, 0.0), p_with_error(0.0001, 0.0001)
    ('p = 0.031 ± 0.002', 'p = 0.031', 'p < 0.001')
    """
    return p_equals(p) + (f" ± {digits(error, 1)}" if error and p >= 0.0005 else "")


def p_adjusted(p: float, adjusted: float) -> str:
    """Return a p-value, and the adjusted one where it differs.

    >>> p_adjusted(0.0312, 0.0936), p_adjusted(0.00001, 0.00003), p_adjusted(0.5, 0.5)
    ('p = 0.031, adjusted p = 0.094', 'p < 0.001, also adjusted', 'p = 0.500')
    """
    if adjusted == p:
        return p_equals(p)
    return f"{p_equals(p)}, " + ("also adjusted" if pvalue(p) == pvalue(adjusted) else f"adjusted {p_equals(adjusted)}")


def chance(p: float | None) -> str:
    """Return a chance with two decimals, or "< 0.01"; a dash for none."""
    return "< 0.01" if p is not None and p < 0.005 else number(p, 2)


# ── numbers of things ──────────


def span(counts: Iterable[int]) -> str:
    """Return "3", or "3 to 5" where the counts differ."""
    sizes = [int(count) for count in counts]
    low, high = min(sizes), max(sizes)
    return f"{low}" if low == high else f"{low} to {high}"


def counted(counts: Iterable[int], noun: str) -> str:
    """Return "1 run", "3 runs" or "3 to 5 runs"."""
    sizes = [int(count) for count in counts]
    return f"{span(sizes)} {noun}{'' if max(sizes) == 1 else 's'}"


def all_of(n: int, noun: str) -> str:
    """Return "all 3 tasks", of two "both tasks".

    >>> all_of(3, "task"), all_of(2, "task")
    ('all 3 tasks', 'both tasks')
    """
    return f"both {noun}s" if n == 2 else f"all {n} {noun}s"


def indefinite(noun: str) -> str:
    """Return "a run", or "an episode"."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


NAMED = 4
"""The most algorithms, or tasks, that a sentence names; the table has them all."""


def listed(names: Sequence[str]) -> str:
    """Return names inside a sentence, of many the first.

    >>> listed(["A", "B", "C"]), listed(list("ABCDEF"))
    ('A, B and C', 'A, B, C, D and 2 others')
    """
    return joined(names if len(names) <= NAMED + 1 else [*names[:NAMED], f"{len(names) - NAMED} others"])


def joined(parts: Sequence[str]) -> str:
    """Return "A", "A and B" or "A, B and C"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def some(texts: Iterable[str], most: int = 3) -> str:
    """Return the first texts, and how many more there are.

    >>> some(["A", "B"]), some(list("ABCDE"))
    ('A, B', 'A, B, C and 2 more')
    """
    every = list(texts)
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")
