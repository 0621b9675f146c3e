"""The reference has every public name, every verb and every option."""

from __future__ import annotations

import importlib
import re
from functools import cache

import pytest

import runoff
from runoff.cli.app import command
from runoff.plots import PLOTS
from tools.site import command_line, reference

VERBS = command().commands


@cache
def pages():
    """Return the text of each page of the reference by its place."""
    return dict(reference.pages())


def test_every_public_name_has_its_page_and_stands_in_the_index():
    names = [name for name in runoff.__all__ if name not in (*reference.ROOMS, "__version__")]
    assert [
        name for name in names if f":: runoff.{name}\n" not in pages().get(f"reference/runoff.{name}.rst", "")
    ] == []
    assert [name for name in names if f"<runoff.{name}>" not in pages()["reference/index.rst"]] == []


@pytest.mark.parametrize("module", ["runoff.archive", "runoff.plots", "runoff.lab"])
def test_every_name_of_a_public_module_is_described(module):
    own = set(reference.own_names()) if module == "runoff.lab" else set()
    text = pages()[f"reference/{module}.rst"]
    assert [
        name
        for name in importlib.import_module(module).__all__
        if f":: {module}.{name}\n" not in text and name not in own
    ] == []


def test_what_an_answer_is_made_of_is_described():
    text = pages()["reference/results.rst"]
    assert [name for name in ("ComparisonResult", "Pair", "AggregateRow", "Advice") if f".{name}\n" not in text] == []


def test_every_name_of_the_index_says_what_it_answers():
    assert [
        name
        for name in reference.own_names()
        if not reference.question(getattr(runoff, name)).endswith((".", "?", ":"))
    ] == []


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_of_a_verb_is_on_the_page(verb):
    text = dict(command_line.pages())[f"reference/verb-{verb}.md"]
    options = [
        name
        for parameter in VERBS[verb].params
        if not getattr(parameter, "hidden", False)
        for name in parameter.opts
        if name.startswith("-")
    ]
    assert [name for name in options if name not in text.replace("\\", "")] == []


def test_every_verb_stands_once_in_the_groups_of_the_help():
    listed = re.findall(r"^\| \[`runoff (\w+)`\]", dict(command_line.pages())[command_line.PLACE], re.MULTILINE)
    assert listed == list(VERBS)


def test_every_public_name_has_one_task_and_sees_others():
    tasks = [name for names in reference.TASKS.values() for name in names]
    assert sorted(tasks) == sorted(reference.own_names())
    assert "``See also``" in pages()["reference/runoff.plan.rst"]


def test_every_figure_of_the_reference_has_its_picture():
    text = pages()["reference/runoff.plots.rst"]
    assert re.findall(r"image:: /gallery/(\w+)\.png", text) == list(PLOTS)
