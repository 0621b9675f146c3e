"""Equality of setting values, and the contents of a configuration, for tables and statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, isfinite

from runoff.words.patterns import regex

ConfigSettings = Mapping[str, str]
"""The settings of a configuration: names, and values as texts."""
ONE_CONFIG = "the only one"
"""The label of the configuration of an algorithm that has only one."""
LONGEST = 30
"""The number of characters of a value that a label shows."""
WHOLE = regex(r"[-+]?\d{1,30}")
SINGLE_DIGITS = 7
"""The number of significant digits of single precision: 0.01 becomes 0.0099999998."""
TRUE, FALSE = "true", "false"
TRUTH = {TRUE: TRUE, FALSE: FALSE, "1": TRUE, "0": FALSE}


ALIASES = (
    ("lr", "learning_rate", "step_size"),
    ("batch_size", "minibatch_size", "bs"),
    ("gamma", "discount", "discount_factor"),
    ("ent_coef", "entropy_coef", "entropy_coefficient"),
    ("tau", "polyak"),
    ("clip", "clip_range", "clip_param", "clip_ratio", "clip_eps", "clip_coef"),
    ("optimizer", "optimiser", "optim", "opt"),
    ("gae_lambda", "lam", "lambda"),
    ("n_envs", "num_envs"),
    ("n_epochs", "num_epochs", "epochs"),
    ("hidden", "hidden_size", "hidden_dim", "hidden_sizes", "width"),
)
"""Names of the same setting in different tools."""


def aliases(name: str) -> tuple[str, ...]:
    """Return the other names of a setting.

    >>> aliases("lr")
    ('learning_rate', 'step_size')
    """
    return tuple(other for own in ALIASES if name in own for other in own if other != name)


def key(text: str) -> str:
    """Return a key that is the same for equal values."""
    try:
        number = inf if "_" in text else float(text)
    except ValueError:
        number = inf
    if not isfinite(number):
        return truth if (truth := text.casefold()) in (TRUE, FALSE) else text
    return text if WHOLE.fullmatch(text) else f"{number:.{SINGLE_DIGITS}g}"


def same_value(first: str, second: str) -> bool:
    """Return whether two texts are the same value: numbers equal in single precision, true and True, or 1 and True.

    >>> same_value("0.01", "0.0099999998"), same_value("True", "1"), same_value("1", "2"), same_value("Adam", "adam")
    (True, True, False, False)
    """
    keys = key(first), key(second)
    if {*keys} & {TRUE, FALSE}:
        return TRUTH.get(keys[0], keys[0]) == TRUTH.get(keys[1], keys[1])
    return keys[0] == keys[1]


def written(settings: Iterable[tuple[str, str]], longest: int | None = LONGEST) -> str:
    """Return the label of settings; an empty value means that none was set.

    >>> written([("lr", "0.1"), ("clip", "")])
    'lr 0.1, no clip'
    """
    return ", ".join(f"{name} {value[:longest]}" if value else f"no {name}" for name, value in settings)
