"""Every number of the README is held: by what a block printed, by a table of simulations, or by what it counts.

A number that is no measurement (a design, a level) stands in `CONDITIONS` with the words about it. Numbers in words are not looked at.
"""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.docs.numbers import FEW, REAL, least, most
from tests.places import DOCS, ROOT
from tools.archive import distinct_runs
from tools.site.shown import PRINTED
from tools.site.tables import read

README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKERS = "".join(path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("make_*.py")))
CONDITIONS = (
    "With 3 runs on each of six tasks",
    "our 95 % intervals",
    "With 3, 5 and 10 runs on each of six tasks",
    "of 1,000 experiments at α = 0.05",
    "[20 rollouts]",
    "`runoff plan PILOT --effect 10%`",
    "--margin 10%`",
    "`A=17/20`",
)
REQUIRES = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
SAME = {row[0]: float(row[1]) for row in read("same_algorithm")[1:]}
MEANS = {"tasks": FEW, "measure": ("mean", "iqm")}
HELD = (
    ("Python {} or newer", REQUIRES.removeprefix(">=")),
    ("the true mean in {:.1f} % of cases", least("intervals_shipped", "t", runs=("3",))),
    ("percentile bootstrap intervals in {:.1f} %", least("intervals_shipped", "percentile", runs=("3",))),
    ("called different by the IQM in {:.1f}, {:.1f} and {:.1f} %", SAME["3"] / 10, SAME["5"] / 10, SAME["10"] / 10),
    ("called different in at most {:.0f} % of experiments", most(REAL, "A/A")),
    ("in each of {} designs", *{len(read(name)) - 1 for name in REAL}),
    (
        "misses the true difference in {:.0f} to {:.0f} % on one to three tasks",
        least("law_reppo", "misses", **MEANS),
        most("law_reppo", "misses", **MEANS),
    ),
    ("`gate` in up to {:.0f} % of nights", most("gate_false_alarms", "10 tasks")),
    ("[{:,} published runs]", distinct_runs()),
)
"""Words with `{}` where a number stands, and the number."""


def loose(page: str) -> list[str]:
    """Return the numbers of a page outside its examples that neither `HELD` nor `CONDITIONS` has."""
    prose = re.sub(rf"^```python\n.*?^```$(?:{PRINTED.pattern})?", " ", page, flags=re.DOTALL | re.MULTILINE)
    prose = re.sub(r"^```(?:csv|console)\b.*?^```$|\]\([^)]*\)", "]", prose, flags=re.DOTALL | re.MULTILINE)
    prose = " ".join(prose.split())
    for words in (*(template.format(*numbers) for template, *numbers in HELD), *CONDITIONS):
        prose = prose.replace(words, "")
    return re.findall(r"(?<![\w.-])[−-]?\.?\d[\d.,]*(?: ?%)?", prose)


@pytest.mark.parametrize(("template", "numbers"), [(words, numbers) for words, *numbers in HELD])
def test_a_number_of_the_readme_is_what_is_measured(template, numbers):
    assert template.format(*numbers) in " ".join(README.split())


def test_every_number_of_the_readme_is_held():
    assert loose(README) == []


def test_every_condition_stands_in_the_readme():
    assert [words for words in CONDITIONS if words not in " ".join(README.split())] == []


@pytest.mark.parametrize(
    "sentence", ["runoff is 2.5 times as fast.", "- in 6 % of cases", "| 12 s |", "[58,239 published runs](a.md)"]
)
def test_a_number_that_nothing_holds_is_seen(sentence):
    assert loose(f"{README}\n{sentence}\n")


def test_every_picture_of_the_readme_is_drawn_by_a_command():
    names = re.findall(r'(?:src|srcset)="([^"]+)"', README) + re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert names
    assert [name for name in names if name.rpartition("/")[2] not in MAKERS] == []


def test_the_readme_is_read_in_three_minutes():
    assert len(README.split()) <= 600
