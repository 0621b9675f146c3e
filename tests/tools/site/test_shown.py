"""A page shows what ran, or is refused."""

from __future__ import annotations

import pytest

from tools.site.shown import NotAsShown, executed

DRAWS = """```python
from matplotlib.figure import Figure

figure = Figure(figsize=(1, 1))
figure.subplots().set_title("a title")
```
"""


def python(code: str, below: str) -> str:
    return f"# Page\n\n```python\n{code}\n```\n{below}"


@pytest.mark.parametrize(
    "below",
    [
        "\n```text\n1\n2\n```\n",
        "\n```\n1\n2\n```\n",
        "\nprints\n\n```text\n1\n2\n```\n",
        "\nprints\n> 1\n> 2\n",
        "\n```text\n1\n…\n```\n",
    ],
)
def test_an_output_may_stand_in_a_fence_or_a_quotation(below):
    page = python("print(1)\nprint(2)", below)
    assert executed(page, "page.md").text == page


def test_the_body_of_a_table_may_be_an_output():
    page = python('print("| 1 | 2 |")', "\n| a | b |\n| --- | --- |\n| 1 | 2 |\n")
    assert executed(page, "page.md").text == page


@pytest.mark.parametrize(
    ("code", "below"),
    [
        ("print(1)", "\n```text\n2\n```\n"),
        ("print(1)", "\n```text\n1\n2\n```\n"),
        ("print(1)\nprint(2)", "\n```text\n1\n```\n"),
        ("print(1)", "\nSome words.\n\n```text\n1\n```\n"),
        ("print(1)", "\n> 2\n"),
        ("x = 1", "\nprints\n\n```text\n1\n```\n"),
        ('print("| 1 |")', "\n| a |\n| --- |\n| 2 |\n"),
    ],
)
def test_an_output_that_did_not_run_is_refused_with_its_line(code, below):
    with pytest.raises(NotAsShown, match=r"page\.md:4"):
        executed(python(code, below), "page.md")


def test_blocks_share_their_names_and_their_folder():
    first = python('import pathlib\n\npathlib.Path("here").write_text("5")', "")
    page = first + python('print(pathlib.Path("here").read_text())', "\n```text\n5\n```\n")
    assert executed(page, "page.md").text == page


def test_an_error_of_the_code_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        executed(python("1 / 0", ""), "page.md")


def test_a_warning_is_an_error():
    with pytest.raises(UserWarning, match="careful"):
        executed(python('import warnings\n\nwarnings.warn("careful")', ""), "page.md")


def test_a_figure_takes_the_place_of_the_image_that_follows():
    page = executed(f"{DRAWS}\n![what it shows](old.png)\n\nMore.\n", "guides/page.md")
    assert page.text == f"{DRAWS.rstrip()}\n\n![what it shows](/made/guides-page-1.png){{width=128px}}\n\n\nMore.\n"
    assert page.pictures["guides-page-1.png"].startswith(b"\x89PNG")


def test_a_wide_figure_is_not_squeezed():
    assert "{width=1280px .wide}" in executed(DRAWS.replace("(1, 1)", "(10, 1)"), "page.md").text


def test_a_figure_without_an_image_is_told_by_its_titles():
    assert "![a title](/made/page-1.png)" in executed(DRAWS, "page.md").text


def test_a_figure_is_shown_once():
    assert len(executed(DRAWS + python("again = figure", ""), "page.md").pictures) == 1


def test_commands_are_executed_in_the_folder_that_a_page_lays_out():
    lines = "\n".join(["algorithm,task,run,score", *(f"{a},t,{i},{i}" for a in "AB" for i in range(3))])
    shown = "A and B have the same mean, 1.\nData: runs.csv (csv)\n…"
    page = f"```csv runs.csv\n{lines}\n```\n\n```console\n$ runoff aggregate runs.csv\n{shown}\n```\n"
    assert executed(page, "page.md").text == page
    with pytest.raises(NotAsShown, match="other"):
        executed(page.replace("(csv)\n…", "(other)\n…"), "page.md")


def test_what_sets_a_page_up_is_not_shown():
    page = '<!-- setup\nimport pathlib\n\npathlib.Path("a").touch()\n-->\n' + python(
        'print(pathlib.Path("a").exists())', "\n```\nTrue\n```\n"
    )
    text = executed(page, "page.md").text
    assert text.startswith("# Page")
    assert "touch" not in text


def test_commands_without_a_folder_show_no_output():
    commands = "```console\n$ runoff demo\n$ runoff scan runs\n```\n"
    assert executed(commands, "page.md").text == commands
    with pytest.raises(NotAsShown, match="does not say in which folder"):
        executed("```console\n$ runoff demo\nReport: report.html\n```\n", "page.md")


def test_fences_of_other_languages_are_left_alone():
    page = "```{toctree}\n:hidden:\n\nguides/*\n```\n\n```py\nprint(1)\n```\n\n```toml\n[a]\n```\n"
    assert executed(page, "page.md").text == page
