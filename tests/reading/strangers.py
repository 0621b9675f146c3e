"""Folders and tables that strangers made before they had seen what runoff does with them, each with what its maker reads in it.

`tests/data/strangers/*.tar.xz` hold seven sets (12, 12b, 13 to 17: those that docs/design/open.md counts); `truth.json` in each says for each
path what a person would do (`read`, `ask`, `refuse`), and the scores of each algorithm on each task, written before the first look at an answer.
"""

from __future__ import annotations

import json
import re
import tarfile
import tempfile
from collections.abc import Sequence
from contextlib import chdir
from functools import cache
from typing import Any

from tests.places import ROOT

ARCHIVES = sorted((ROOT / "tests" / "data" / "strangers").glob("*.tar.xz"))

FEW = 12
"""Scores of a cell that are compared one by one; of more the number and the mean are."""

Cells = dict[str, dict[str, list[float]]]
"""The scores of each algorithm on each task, in order."""


@cache
def truths() -> dict[str, dict[str, Any]]:
    """Return what the strangers read, by path."""
    result: dict[str, dict[str, Any]] = {}
    for path in ARCHIVES:
        with tarfile.open(path) as archive:
            text = archive.extractfile("truth.json")
            assert text is not None
            result |= json.load(text)
    return result


@cache
def unpacked() -> tempfile.TemporaryDirectory:
    """Return a folder with all sets, which is gone when the tests end."""
    folder = tempfile.TemporaryDirectory()
    for path in ARCHIVES:
        with tarfile.open(path) as archive:
            archive.extractall(folder.name, filter="data")
    return folder


def beside_the_sets() -> chdir:
    """Return a context in which the sets lie in the working directory."""
    return chdir(unpacked().name)


def difference(truth: dict[str, Any], read: Cells) -> str:
    """Return in what a reading differs from what the stranger reads, or nothing."""
    ours = list(next(iter(read.values())))
    algorithms, tasks = pairs(list(truth["runs"]), list(read)), pairs(truth["tasks"], ours)
    if not algorithms or not tasks:
        return f"{list(read)} on {ours} for {list(truth['runs'])} on {truth['tasks']}"
    cells = [
        (f"{algorithm} on {task}", scores, read[algorithms[algorithm]].get(tasks[task], []))
        for algorithm, own in truth["runs"].items()
        for task, scores in own.items()
    ]
    sign = -1 if truth.get("lower") else 1
    # A rate is as right in percent.
    return min((_unlike(cells, sign * scale, truth["tolerance"]) for scale in (1, 100, 0.01)), key=len)


def _unlike(cells: Sequence[tuple[str, Any, list[float]]], factor: float, tolerance: float) -> str:
    for cell, truth, ours in cells:
        own, ours = _comparable(truth, ours)
        own = sorted(score * factor for score in own)
        far = [a for a, b in zip(own, ours, strict=False) if abs(a - b) > tolerance * max(1e-3, abs(a)) + 1e-9]
        if far or len(own) != len(ours):
            return f"{cell}: {len(ours)} scores {ours[:4]} for {len(own)} {own[:4]}"
    return ""


def _comparable(truth: Any, ours: list[float]) -> tuple[list[float], list[float]]:
    """Return what the stranger says of a cell and the like of ours: all scores, the mean, or of runs that he only counts their number."""
    mean = sum(ours) / max(len(ours), 1)
    if isinstance(truth, int):
        return [0.0] * truth, [0.0] * len(ours)
    if isinstance(truth, dict):
        return [truth["mean"]], [mean]
    return (truth, ours) if len(truth) <= FEW else ([sum(truth) / len(truth)] * len(truth), [mean] * len(ours))


def pairs(names: Sequence[str], ours: Sequence[str]) -> dict[str, str]:
    """Return our name for each of the stranger's: a lone one, one equal but for case and signs, or one within the other; else nothing."""
    if len(names) != len(ours):
        return {}
    if len(names) == 1:
        return {names[0]: ours[0]}
    result: dict[str, str] = {}
    for alike in (_equal, _within):
        for name in sorted(set(names) - set(result), key=len, reverse=True):
            fits = [own for own in ours if own not in result.values() and alike(plain(name), plain(own))]
            result |= {name: fits[0]} if len(fits) == 1 else {}
    return result if len(result) == len(names) else {}


def _equal(a: str, b: str) -> bool:
    return a == b


def _within(a: str, b: str) -> bool:
    return bool(a and b) and (a in b or b in a)


def plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())
