"""What ran is written into a page, and nothing else of it is changed."""

from __future__ import annotations

import pytest

from tools.site.refresh import refreshed
from tools.site.shown import NotAsShown

CODE = "```python\nprint(1)\nprint(2)\n```\n"
TABLE = "```python\nprint('| 1 |')\n```\n\n| head |\n| --- |\n{}\n\nMore.\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"{CODE}\nprints\n\n```text\n1\n3\n```\n\nMore.\n", f"{CODE}\nprints\n\n```text\n1\n2\n```\n\nMore.\n"),
        (f"{CODE}\n> 5\n\nMore.\n", f"{CODE}\n> 1\n> 2\n\nMore.\n"),
        (f"{CODE}\nMore.\n", f"{CODE.rstrip()}\n\n```text\n1\n2\n```\n\nMore.\n"),
        (TABLE.format("| 2 |"), TABLE.format("| 1 |")),
        (f"{CODE}\n> 5\n\n{CODE}\n```\n6\n```\n", f"{CODE}\n> 1\n> 2\n\n{CODE}\n```\n1\n2\n```\n"),
    ],
)
def test_what_ran_takes_the_place_of_what_is_shown(old, new):
    assert refreshed(old, "page.md") == new
    assert refreshed(new, "page.md") == new


def test_an_output_with_a_part_left_out_is_left_to_a_person():
    with pytest.raises(NotAsShown, match="1\n…\n4"):
        refreshed(f"{CODE}\n```text\n1\n…\n4\n```\n", "page.md")
