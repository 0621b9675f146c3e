"""Numbers in texts, as people and programs write them: signs, thousands and decimal separators, and units."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from runoff.tables.labels import RawColumn, Values
from runoff.tables.values import AMOUNTS, amount, is_lost, parsed
from runoff.words.costs import direction
from runoff.words.labels import SETTINGS
from runoff.words.numbers import span
from runoff.words.patterns import regex
from runoff.words.words import kind, words

NUMBERS: Mapping[str, re.Pattern[str]] = {
    "point": regex(r"\s*[-+]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?\s*%?\s*"),
    "comma": regex(r"\s*[-+]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)?(?:,\d+)?(?:[eE][-+]?\d+)?\s*%?\s*"),
}
"""Patterns of numbers for each decimal separator; the other mark may separate thousands, of which no number begins with 0."""
LOOKS = regex(r"\s*[-+\u2212\u2013(]?\s*[\d.,]")
MARKS = "[,(\u2212\u2013\u00a0\u202f'\u2019 *\u2020\u2021\u00a7]|[0-9.][A-DF-Za-df-z\u00b5\u03bc\u00b0]"
MINUS = str.maketrans("\u2212\u2013", "--")
IN_PARENTHESES = regex(r"\s*\(\s*([\d.,]+(?:[eE][-+]?\d+)?)\s*%?\s*\)\s*")
THOUSANDS_OF_STEPS = regex(r"\s*\d{1,3}(?:,\d{3})*\s*")
IN_THREES = regex(r"\s*[-+]?\d{1,3}(?:([\u00a0\u202f'\u2019])\d{3}(?:\1\d{3})*(?:[.,]\d+)?|(?: \d{3})+[.,]\d+)\s*")
"""Thousands apart: `12'740.2`; between mere blanks beside decimals alone, for `101 102 103` are three numbers."""
FOOTNOTE = regex(r"\s*[*\u2020\u2021\u00a7]+\s*$")
"""Marks behind a number: `99.0*`."""
PART_OF_ONE = regex(r"\s*[-+]?0+,\d{2,}(?:[eE][-+]?\d+)?\s*%?\s*")
"""A number whose whole part is 0, which no comma of thousands has; `0,1` may be a list."""
ONE_COMMA = regex(r"\s*[-+]?\d*,(\d+)(?:[eE][-+]?\d+)?\s*%?\s*")


def is_number(text: str) -> bool:
    """Return whether a text is a number, whichever mark parts its decimals."""
    return any(number.fullmatch(text) for number in NUMBERS.values())


def plain(column: Values, decimal: str) -> Values:
    """Return a column of numbers with decimal points and without thousands separators; leave other columns as they are."""
    if not all(map(NUMBERS[decimal].fullmatch, column)):
        return column
    mark, thousands = (".", ",") if decimal == "point" else (",", ".")
    return [value.replace(thousands, "").replace(mark, ".") for value in column]


def plainly(columns: Mapping[str, Values], *, by_commas: bool) -> tuple[dict[str, Values], list[str]]:
    """Return texts with unambiguous numbers written as in Python, and notes; other texts stay as they are. `by_commas`: beside the table it is
    seen that commas are decimal separators.
    """
    new: dict[str, Values] = dict(columns)
    doubtful = {name: list(values) for name, values in columns.items() if _is_written(values)}
    if not doubtful:
        return new, []
    # A point in any number of the file says that points are its decimals, unless a comma stands behind it.
    points = any(has_point(_numbers_of(values)) for values in columns.values())
    by_commas = by_commas or any(map(has_decimal_comma, doubtful.values()))
    # Of two columns of scores one has `2,859` alone, the other `2,8` as well; `64,64` may be the widths of layers.
    by_commas = by_commas or (
        not points
        and any(_has_short_decimals(own) for name, own in doubtful.items() if SETTINGS.isdisjoint(words(name)))
    )
    notes: list[str] = []
    for name, values in doubtful.items():
        if counts := _counts_beside_shares(values):
            new[name] = counts
            notes.append(f"column {name!r}: of each share and its count, the count is read ({values[0]!r})")
            continue
        texts, sign = _with_signs(values)
        texts, mark = _with_marks(texts, name, by_commas=by_commas, points=points)
        plainer, unit = without_units(texts) if direction(name) else (texts, "")
        if sign or mark or unit.startswith(OF_UNIT):
            new[name] = plainer if unit.startswith(OF_UNIT) else texts
            notes += [f"column {name!r}: {what}" for what in (sign, mark, unit.replace("scores", "numbers")) if what]
    return new, notes


def _counts_beside_shares(values: Values) -> list[str]:
    """Return the counts of cells that have a share and its count, `0.71 (936/1319)`; [] of others, and where one contradicts the other."""
    matches = [SHARE_AND_COUNT.fullmatch(value) for value in values]
    if not any(matches) or not all(_agree(m) if m else is_lost(v) for m, v in zip(matches, values, strict=True)):
        return []
    return [f"{match['won']}/{match['n']}" if match else value for match, value in zip(matches, values, strict=True)]


def _agree(match: re.Match[str]) -> bool:
    """Return whether a share is that of its count, rounded to its digits, as a part of 1 or in percent."""
    written = (match["before"] or match["behind"]).replace(",", ".")
    won, n, half = int(match["won"]), int(match["n"]), 0.5 * 10.0 ** -len(written.partition(".")[2])
    shares = (won / n, 100 * won / n) if n else ()
    return any(abs(float(written) - share) <= half * (1 + 1e-9) for share in shares)


def _is_written(values: Values) -> bool:
    """Return whether a column contains texts that look like numbers but that Python cannot all read."""
    if isinstance(values, RawColumn):
        # Numbers that Python does not read have one of these marks, which are looked for sooner than all are read.
        return values.is_text and _looks(values) and bool(values.series.str.contains(MARKS).any())
    return (
        all(isinstance(value, str) for value in values)
        and _looks(values)
        and any(parsed(v) is None for v in values if v.strip())
    )


def _looks(values: Values) -> bool:
    first = [value for value in values[:64] if not is_lost(value)]
    return bool(first) and all(map(LOOKS.match, first))


def _numbers_of(values: Values) -> list[str]:
    """Return the first texts of a column that looks numeric."""
    texts = [value for value in values[:64] if isinstance(value, str) and not is_lost(value)]
    return texts if texts and all(map(LOOKS.match, texts)) else []


def _with_signs(values: Sequence[str]) -> tuple[list[str], str]:
    """Return numbers with an ASCII minus in place of a Unicode minus or of accountants' parentheses, and a note on it."""
    texts = [value.translate(MINUS) for value in values]
    bare = [FOOTNOTE.sub("", text) for text in texts]
    if bare != texts and all(parsed(text) is not None or is_lost(text) or is_number(text) for text in bare):
        return (
            bare,
            f"marks behind numbers are left out ({next(t for t, b in zip(texts, bare, strict=True) if t != b)!r})",
        )
    if any(map(IN_THREES.fullmatch, texts)):
        plainer = [
            re.sub(r"(?<=\d)[\u00a0\u202f'\u2019 ](?=\d{3})", "", t) if IN_THREES.fullmatch(t) else t for t in texts
        ]
        return plainer, "spaces separate thousands" if "'" not in "".join(texts).replace(
            "\u2019", "'"
        ) else "apostrophes separate thousands"
    negative = [IN_PARENTHESES.fullmatch(text) for text in texts]
    others = [text for text, match in zip(texts, negative, strict=True) if match is None and text.strip()]
    if any(negative) and all(map(is_number, others)):
        texts = [f"-{match[1]}" if match else text for text, match in zip(texts, negative, strict=True)]
        example = next(text for text, match in zip(values, negative, strict=True) if match)
        return texts, f"numbers in parentheses are read as negative, as in accounting ({example!r})"
    return texts, "" if texts == list(values) else "the minus sign of Unicode is one"


def has_decimal_comma(values: Sequence[str]) -> bool:
    """Return whether a number has a comma that can only be decimal, and none a point: then the commas of other columns are it too.

    >>> has_decimal_comma(["12,415", "0,651"]), has_decimal_comma(["12,415"]), has_decimal_comma(["64,64", "0,1"])
    (True, False, False)
    """
    return any(PART_OF_ONE.fullmatch(value.translate(MINUS)) for value in values) and not has_point(values)


def _has_short_decimals(values: Sequence[str]) -> bool:
    """Return whether all values are numbers with a comma, before three digits in some and before others in the rest.

    >>> _has_short_decimals(["2,8", "2,859"]), _has_short_decimals(["2,859", "3,141"]), _has_short_decimals(["64,64", "32,32"])
    (True, False, False)
    """
    matches = [ONE_COMMA.fullmatch(value) for value in values if not is_lost(value)]
    lengths = {len(match[1]) for match in matches if match}
    return bool(lengths) and all(matches) and 3 in lengths and len(lengths) > 1


def has_point(values: Sequence[str]) -> bool:
    """Return whether a number has a point that no comma follows."""
    return any(value.rfind(".") > value.rfind(",") for value in values)


def _with_marks(texts: list[str], name: str, *, by_commas: bool, points: bool) -> tuple[list[str], str]:
    """Return numbers with decimal points and without thousands separators, and a note on it; leave them as they are if this is undecidable."""
    filled = [text for text in texts if not is_lost(text)]
    if not any("," in text for text in filled):
        return texts, ""
    for decimal, other in (("point", ","), ("comma", ".")):
        both = any("," in text and "." in text for text in filled)
        if both and all(map(NUMBERS[decimal].fullmatch, filled)):
            return list(plain(texts, decimal)), f"{'commas' if other == ',' else 'points'} separate thousands"
    if kind(name) == "step" and all(map(THOUSANDS_OF_STEPS.fullmatch, filled)):
        return [text.replace(",", "") for text in texts], "commas separate thousands of steps"
    decimals = [match for text in filled if (match := ONE_COMMA.fullmatch(text))]
    certain = by_commas or any(len(match[1]) != 3 or PART_OF_ONE.fullmatch(match[0]) for match in decimals)
    if decimals and certain and not points and all(map(NUMBERS["comma"].fullmatch, filled)):
        return [
            text.replace(",", ".") for text in texts
        ], "commas are decimal separators, because no number of the file has a point"
    return texts, ""


# ── units behind numbers ──────────

WITH_UNIT = regex(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(\u00b0?[A-Za-z\u00b5\u03bc$\u20ac]{1,8}\.?|\u00b0)\s*")


FRACTION = regex(r"\s*(\d{1,6})\s*(?:/|\bof\b|\bout of\b)\s*(\d{1,6})\s*")
"""The successes of a run and the episodes that it was evaluated on: 17/20, 17 of 20."""
SHARE_AND_COUNT = regex(
    r"\s*(?:(?P<before>\d+(?:[.,]\d+)?)\s*%?\s*\()?\s*(?P<won>\d{1,6})\s*/\s*(?P<n>\d{1,6})\s*"
    r"(?(before)|\(\s*(?P<behind>\d+(?:[.,]\d+)?)\s*%?\s*)\)\s*"
)
"""A share and the count that it comes from: `0.71 (936/1319)`, `936/1319 (71%)`."""
AS_AMOUNTS, OF_UNIT = "scores are amounts", "scores have the unit "


def without_units(values: Values) -> tuple[Values, str]:
    """Return scores without their units, amounts (`11.2k`) as numbers, and a note on it; leave them as they are if they have no units.

    >>> without_units(["1.5 pts", "2 pts"])[0], without_units(["11.2k", "940"])[0]
    (['1.5', '2'], [11200.0, '940'])
    """
    texts = [value for value in values if not is_lost(value)]
    if not texts or not all(isinstance(text, str) for text in texts):
        return values, ""
    shares = [FRACTION.fullmatch(text) for text in texts]
    if all(shares):
        return _as_shares(values, [(int(match[1]), int(match[2])) for match in shares if match])
    matches = [WITH_UNIT.fullmatch(text) for text in texts]
    spelled = {match[2] for match in matches if match}
    units = {unit.casefold() for unit in spelled}
    # Beside `K`, `m` is hardly a million.
    plain_numbers = all(match or parsed(text) is not None for match, text in zip(matches, texts, strict=True))
    if units and units <= AMOUNTS.keys() and plain_numbers and not {"m", "K"} <= spelled:
        numbers = [amount(match) if (match := WITH_UNIT.fullmatch(str(value))) else value for value in values]
        examples = {
            match[2]: f"{text!r} is {amount(match):.12g}" for match, text in zip(matches, texts, strict=True) if match
        }
        return numbers, f"{AS_AMOUNTS}: {', '.join(examples.values())}"
    # One unit behind all: of two, nothing says how they compare.
    if len(units) == 1 and all(matches):
        return [
            match[1] if (match := WITH_UNIT.fullmatch(str(value))) else value for value in values
        ], f"{OF_UNIT}{units.pop()!r}"
    return values, ""


AS_SHARES = "scores are shares of "
MOST_UNLIKE = 2
"""How many times as many episodes as another a run may have; runs of more unequal weight are no sample."""


def _as_shares(values: Values, counts: Sequence[tuple[int, int]]) -> tuple[Values, str]:
    """Return scores such as 17/20 as shares if all are over about the same number of episodes; otherwise leave them."""
    if any(won > n or not n for won, n in counts) or max(n for _, n in counts) > MOST_UNLIKE * min(
        n for _, n in counts
    ):
        return values, ""
    filled = iter([won / n for won, n in counts])
    shares = [None if is_lost(value) else next(filled) for value in values]
    won, n = counts[0]
    numbers = sorted({n for _, n in counts})
    return shares, f"{AS_SHARES}{span(numbers)}: {won}/{n} is {won / n:.6g}"
