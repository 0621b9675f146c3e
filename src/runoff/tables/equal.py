"""When two values of a setting are one, and what a configuration has: read by tables and statistics alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import inf, isfinite

ConfigSettings = Mapping[str, str]
"""The settings of a configuration that its algorithm has: names, and values as texts."""
ONE_CONFIG = "the only one"
"""What the configuration of an algorithm is called that has one."""
WHOLE = re.compile(r"[-+]?\d{1,30}")
SINGLE_DIGITS = 7
"""Significant digits that single precision holds: 0.01 comes out of it as 0.0099999998."""
TRUE, FALSE = "true", "false"
TRUTH = {TRUE: TRUE, FALSE: FALSE, "1": TRUE, "0": FALSE}


def key(text: str) -> str:
    """Return what is equal of two values that are one."""
    try:
        number = inf if "_" in text else float(text)
    except ValueError:
        number = inf
    if not isfinite(number):
        return truth if (truth := text.casefold()) in (TRUE, FALSE) else text
    return text if WHOLE.fullmatch(text) else f"{number:.{SINGLE_DIGITS}g}"


def same_value(first: str, second: str) -> bool:
    """Return whether two texts are one value: equal numbers to the digits of single precision, true and True, 1 beside True.

    >>> same_value("0.01", "0.0099999998"), same_value("True", "1"), same_value("1", "2"), same_value("Adam", "adam")
    (True, True, False, False)
    """
    keys = key(first), key(second)
    if {*keys} & {TRUE, FALSE}:
        return TRUTH.get(keys[0], keys[0]) == TRUTH.get(keys[1], keys[1])
    return keys[0] == keys[1]
