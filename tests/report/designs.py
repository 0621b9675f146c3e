"""Five designs whose reports are kept as text, word for word, in tests/golden/report.

After an intended change of words (or of numbers: then CHANGELOG.md says so) look at the difference and write them again:

    python -m tests.report.designs --write
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import runoff as ro
from runoff.page import build
from runoff.page.answers.all import Answers, answer
from runoff.page.files.records import tables
from tests.places import GOLDEN

FOLDER = GOLDEN / "report"
VERSIONS = (("runoff", "x.y.z"), ("numpy", "u.v.w"))
"""In place of those installed, so that a new version of anything changes no text."""


def two_on_one_task() -> ro.Scores:
    """Two algorithms, one task, five runs each; the second is better."""
    return ro.Scores.from_dict(
        {
            "DQN": {"Pong": [2.1, 3.4, 2.9, 7.3, 3.8]},
            "PPO": {"Pong": [11.2, 9.6, 10.1, 18.4, 12.7]},
        }
    )


def ragged_with_gaps() -> ro.Scores:
    """Two algorithms, several tasks, unequal runs, a cell of one run, a missing cell."""
    return ro.Scores.from_dict(
        {
            "SAC": {
                "Ant": [812.0, 955.0, 1230.0, 870.0, 2410.0],
                "Hopper": [31.5, 40.2, 28.8, 35.0],
                "Walker": [410.0],
                "Humanoid": [95.0, 88.0, 120.0],
                "Swimmer": [96.0, 121.0, 88.0, 104.0],
            },
            "DDPG": {
                "Ant": [640.0, 912.0, 575.0, 801.0, 1105.0, 733.0],
                "Hopper": [22.4, 36.1, 25.9],
                "Walker": [388.0, 295.0],
                "Swimmer": [61.0, 72.0, 55.0, 83.0, 66.0],
            },
        }
    )


def four_with_ties() -> ro.Scores:
    """Four algorithms, four tasks, many ties, normalised by a mapping."""
    runs = {
        "DQN": {"Pong": [-11, -4, -11, 3, -7], "Breakout": [3, 6, 6, 9, 3], "Seaquest": [40, 60, 60, 20, 80]},
        "PPO": {"Pong": [18, 20, 20, 15, 19], "Breakout": [24, 27, 30, 21, 27], "Seaquest": [220, 260, 240, 300, 180]},
        "SAC": {"Pong": [15, 18, 20, 20, 9], "Breakout": [21, 27, 18, 30, 24], "Seaquest": [280, 220, 180, 300, 220]},
        "Rainbow": {"Pong": [3, 9, -4, 12, 9], "Breakout": [12, 18, 15, 9, 21], "Seaquest": [100, 140, 120, 180, 100]},
    }
    boxing = {
        "DQN": [8, 12, 4, 12, 8],
        "PPO": [80, 92, 80, 96, 88],
        "SAC": [84, 76, 88, 92, 80],
        "Rainbow": [40, 52, 40, 64, 48],
    }
    runs = {name: cells | {"Boxing": boxing[name]} for name, cells in runs.items()}
    scale = {"Pong": (-20, 20), "Breakout": (0, 30), "Seaquest": (0, 400), "Boxing": (0, 100)}
    return ro.Scores.from_dict(runs).normalize(scale)


def nothing_differs() -> ro.Scores:
    """Three algorithms, two tasks, and no difference to be found."""
    return ro.Scores.from_dict(
        {
            "CURL": {"Cheetah": [0.41, 0.57, 0.62, 0.35, 0.50, 0.71], "Reacher": [0.52, 0.66, 0.43, 0.81, 0.59, 0.37]},
            "DrQ": {"Cheetah": [0.47, 0.69, 0.38, 0.55, 0.60, 0.44], "Reacher": [0.48, 0.74, 0.61, 0.33, 0.92, 0.57]},
            "SPR": {"Cheetah": [0.53, 0.36, 0.64, 0.49, 0.58, 0.82], "Reacher": [0.55, 0.41, 0.70, 0.63, 0.46, 0.88]},
        }
    )


def fully_apart() -> ro.Scores:
    """Three algorithms of which every run of one is ahead of every run of the next; a cell without spread; two gaps of 0."""
    return ro.Scores.from_dict(
        {
            "Solved": {"Cart": [1.31, 1.42, 1.25, 1.37], "Lake": [1.20, 1.20, 1.20, 1.20]},
            "Nearly": {"Cart": [1.11, 1.02, 1.07, 1.15], "Lake": [1.08, 1.01, 1.04, 1.12]},
            "Lost": {"Cart": [0.21, 0.35, 0.12, 0.48], "Lake": [0.05, 0.19, 0.31, 0.10]},
        }
    )


DESIGNS: dict[str, Callable[[], ro.Scores]] = {
    function.__name__: function
    for function in (two_on_one_task, ragged_with_gaps, four_with_ties, nothing_differs, fully_apart)
}


@cache
def answers(design: str) -> Answers:
    """The answers about a design, once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        results = answer(DESIGNS[design](), alpha=0.05, seed=0, n_resamples=2_000, command="runoff report runs.csv")
    return replace(results, versions=VERSIONS)


# ── the text of a page ──────────


LINES = frozenset(
    {"h1", "h2", "h3", "p", "li", "dt", "dd", "caption", "figcaption", "tr", "summary", "pre", "title", "g"}
)
LEFT_OUT = frozenset({"head", "nav", "script"})
VOID = frozenset({"meta", "input", "br"})
BEFORE = {"h1": "# ", "h2": "## ", "h3": "### ", "li": "- ", "title": "figure: ", "caption": "table: ", "dt": "* "}
APART = ("#", "figure:", "table:", "* ")
"""Lines that begin so have an empty line above them."""


class Text(HTMLParser):
    """The text of a page as lines: one a heading, paragraph, item, caption or row of a table or of the drawing of a task.

    What is hidden without a script is left out, and so are the numbers on axes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.inside: list[tuple[str, bool]] = []

    @property
    def left_out(self) -> bool:
        return any(out for _, out in self.inside)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in VOID:
            on_axis = tag == "text" and "g" not in {name for name, _ in self.inside}
            self.inside.append((tag, tag in LEFT_OUT or on_axis or "hidden" in given))
        if not self.left_out and "popover" in given:
            self.text += ": "
        if not self.left_out and tag in LINES:
            self.text += f"\n{BEFORE.get(tag, '')}"
        elif not self.left_out and tag in ("td", "th", "text") and not self.text.endswith("\n"):
            self.text += " | "

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.left_out:
            self.text += re.sub("[ \n]+", " ", data)


def page_text(design: str) -> str:
    """What a reader of the page of a design reads, and the tables for a paper."""
    reader = Text()
    reader.feed(build(answers(design), title=design.replace("_", " ")))
    lines = [re.sub(" +", " ", line).strip(" ") for line in reader.text.split("\n")]
    page = "".join("\n" * line.startswith(APART) + line + "\n" for line in lines if line).lstrip("\n")
    return page + "".join(f"\n# {path}\n{text}" for path, text in tables(answers(design)) if path.endswith(".tex"))


def golden(design: str) -> Path:
    """Where the text of a design is kept."""
    return FOLDER / f"{design}.txt"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    for name in DESIGNS:
        golden(name).write_text(page_text(name), encoding="utf-8", newline="\n")
        print(f"written: {golden(name)}")
