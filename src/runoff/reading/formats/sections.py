"""Logs in which steps begin again below a line that stands nowhere else: of another run, or of another algorithm."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runoff.reading.formats.log_lines import ANY_NUMBER, LONGEST, text_of
from runoff.tables.values import parsed
from runoff.words.words import vocabulary, words

RESUMED = vocabulary(
    "restart restarted restarting resume resumed resuming continue continued continuing checkpoint requeue requeued reload reloaded reloading"
)
"""Words of lines that say that the same run goes on."""


def begun_below(lines: Sequence[str], at: Sequence[int], steps: Sequence[str]) -> str:
    """Return why the steps of a log are not those of runs alike: they begin again below a line in words that neither the first run has above it,
    nor the last below it, nor any between its steps; "" if they are. at: the numbers of the lines with steps.

    >>> lines = ["Training PPO...", "step=1 return=2", "step=2 return=3", "Training SAC...", "step=1 return=4"]
    >>> begun_below(lines, [2, 3, 5], ["1", "2", "1"])[:48]
    "line 4: the steps begin again below 'Training SA"
    >>> begun_below(["Seed 0", "step=1 return=2", "step=2 return=3", "Seed 1", "step=1 return=4"], [2, 3, 5], ["1", "2", "1"])
    ''
    """
    numbers = [parsed(step) or 0.0 for step in steps]
    turns = [i for i in range(1, len(at)) if numbers[i] < numbers[i - 1]]
    if not turns:
        return ""
    titles = [number for i in turns for number in range(at[i - 1] + 1, at[i])]
    rest = {*range(1, len(lines) + 1)}.difference(titles, at)
    alike = {*_bare(lines, sorted(rest)).values()}
    for number, bare in _bare(lines, titles).items():
        if bare not in alike and RESUMED.isdisjoint(words(bare)):
            return (
                f"line {number}: the steps begin again below {lines[number - 1].strip()[:60]!r}, which may be of another run or algorithm than "
                "what stands above; save what each printed as a file of its own"
            )
    return ""


def _bare(lines: Sequence[str], numbers: Sequence[int]) -> dict[int, str]:
    """Return the lines in words of these numbers, without the numbers in them."""
    texts = ((number, text_of(lines[number - 1][:LONGEST])) for number in numbers)
    return {
        number: ANY_NUMBER.sub("#", text).casefold().strip()
        for number, text in texts
        if re.search(r"[^\W\d_]{2}", text)
    }
