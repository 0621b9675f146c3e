"""Configurations: their settings, {name: value}, and their labels; equal values are recognised in any spelling."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from runoff.base.grouping import distinct
from runoff.tables.equal import FALSE, LONGEST, ONE_CONFIG, TRUE, TRUTH, WHOLE, ConfigSettings, key, written
from runoff.tables.labels import Labels, Values, cells_alike, label, labelled
from runoff.tables.values import parsed
from runoff.words.patterns import regex

DIGITS = 12
"""The number of significant digits to which equal values agree: 3 · 0.1 is 0.3."""
EXACT = 1e22
"""Whole floats below this are written without an exponent."""


# ── values ──────────


def spelling(value: object) -> str:
    """Return the text of a setting, the same for equal numbers and for equal JSON objects.

    >>> [spelling(value) for value in ("1e-1", "0.10", 0.1, "1e3", 1000, "adam", "0.30000000000000004", "0.00999999977648")]
    ['0.1', '0.1', '0.1', '1000', '1000', 'adam', '0.3', '0.01']
    """
    text = label(value)
    if text[:1] in ("{", "["):
        return _json(text)
    number = parsed(text)
    if number is None:
        return text
    if WHOLE.fullmatch(text):
        return str(int(text))
    if number.is_integer() and abs(number) < EXACT:
        return str(int(number))
    with np.errstate(over="ignore", under="ignore"):
        single = np.float32(number)
    # What single precision makes of a number of few digits is that number.
    if f"{float(single):.{DIGITS}g}" == f"{number:.{DIGITS}g}":
        number = float(str(single))
    return f"{number:.{DIGITS}g}"


def _json(text: str) -> str:
    try:
        return json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False)
    except ValueError:
        return text


def values_of(column: Values) -> Labels:
    """Return a column of a setting as labels; equal values get the same text, the shortest of their spellings."""
    values = labelled(column).mapped(spelling)
    keys = {text: key(text) for text in values.names}
    if {*keys.values()} & {TRUE, FALSE}:
        keys = {text: TRUTH.get(key, key) for text, key in keys.items()}
    shortest: dict[str, str] = {}
    # `True` before `1`, which says less.
    for text in sorted(keys, key=lambda text: (text in TRUTH and keys[text] != text, len(text))):
        shortest.setdefault(keys[text], text)
    return values.mapped(lambda text: shortest[keys[text]])


# ── configurations ──────────


def configured(
    columns: Mapping[str, Labels],
    owners: Labels,
    before: tuple[str, Labels, Mapping[str, ConfigSettings]] | None = None,
    tuned: Collection[str] | None = None,
    derived: Collection[str] = (),
) -> tuple[Labels, dict[str, ConfigSettings]]:
    """Return the configuration of each row, and the settings of each configuration: those of its algorithm, after those of an existing
    configuration column.

    owners: the algorithm of each row; before: the existing column of configurations, its labels, and their settings. tuned: the algorithms
    with several settings on a task, None if any may have them; the settings of other algorithms, which differ only between tasks, are no
    configurations. derived: settings that follow from others, and are left out of labels.
    """
    parts = [owners, *([before[1]] if before else []), *columns.values()]
    codes = cells_alike(parts, len(owners))
    first = np.unique(codes, return_index=True)[1]
    rows = [tuple(part.names[part.codes[row]] for part in parts) for row in first.tolist()]
    values = {row: row[len(row) - len(columns) :] for row in rows}
    of_owner = distinct((row[0], values[row]) for row in rows)
    combined = []
    for row in rows:
        several = of_owner[row[0]]
        chosen = tuned is None or row[0] in tuned or len(several) == 1
        has = [any(own) and chosen for own in zip(*several, strict=True)]
        own = [(name, value) for name, value, there in zip(columns, values[row], has, strict=True) if there]
        combined.append(_behind(own, row[1], before) if before else ("", dict(own), own))
    plain = [{name: value for name, value in own.items() if value} for _, own, _ in combined]
    shown = [(lead, [setting for setting in own if setting[0] not in derived]) for lead, _, own in combined]
    labels = _distinct(shown, plain)
    of_rows = Labels.of(labels)
    return Labels(of_rows.names, of_rows.codes[codes]), dict(zip(labels, plain, strict=True))


def _behind(
    own: Sequence[tuple[str, str]], label: str, before: tuple[str, Labels, Mapping[str, ConfigSettings]]
) -> tuple[str, ConfigSettings, Sequence[tuple[str, str]]]:
    """Return a configuration of a column with further settings: its label, all settings, and the settings appended to its label."""
    column, _, settings = before
    lead = settings.get(label, {})
    if not lead and label != ONE_CONFIG:
        lead = {column: label}
    return "" if label == ONE_CONFIG else label, {**lead, **dict(own)}, own


def _distinct(parts: Sequence[tuple[str, Sequence[tuple[str, str]]]], settings: Sequence[ConfigSettings]) -> list[str]:
    """Return the labels of configurations, with full values if shortened values would make two labels equal."""
    n = len({tuple(sorted(own.items())) for own in settings})
    for longest in (LONGEST, None):
        labels = [", ".join(filter(None, [lead, written(own, longest)])) or ONE_CONFIG for lead, own in parts]
        if len({*labels}) >= n:
            break
    return labels


PART = regex(r"(\S+) (\S.*)")
"""A setting in a column of configurations in the form of labels: `lr 0.1`."""


def read_configs(labels: Labels, settings: Mapping[str, ConfigSettings]) -> tuple[Labels, dict[str, ConfigSettings]]:
    """Return a column of configurations, and the settings of each; settings that are not given are read from the labels.

    A column of a file may contain JSON objects, or labels such as `lr 0.1, width 64`.

    If one label is not such a list, or names other settings, all labels are only names: `[256, 256]` has a comma too.
    """
    if settings:
        return labels, {name: settings[name] for name in labels.names if name in settings}
    objects = {name: own for name in labels.names if (own := _object(name))}
    if objects and len(objects) == len(labels.names):
        texts = dict(
            zip(
                objects, _distinct([("", [*own.items()]) for own in objects.values()], [*objects.values()]), strict=True
            )
        )
        return labels.mapped(texts.__getitem__), {texts[name]: own for name, own in objects.items()}
    parts = {name: [PART.fullmatch(part) for part in name.split(", ")] for name in labels.names if name != ONE_CONFIG}
    own_settings: dict[str, ConfigSettings] = {
        name: {match[1]: spelling(match[2]) for match in own if match} for name, own in parts.items()
    }
    whole = all(len(own_settings[name]) == len(own) for name, own in parts.items())
    return labels, own_settings if whole and len({tuple(own) for own in own_settings.values()}) == 1 else {}


def _object(text: str) -> ConfigSettings:
    """Return the settings in a JSON object, in the order of their names; none for another text."""
    try:
        read = json.loads(text) if text.startswith("{") else None
    except ValueError:
        return {}
    if not isinstance(read, dict):
        return {}
    plain = {
        name: json.dumps(value, sort_keys=True) if isinstance(value, list | dict) else value
        for name, value in read.items()
    }
    return {name: spelling(plain[name]) for name in sorted(plain) if plain[name] is not None}
