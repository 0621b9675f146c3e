"""The notebook of `examples/` shows what it prints, and is small enough for a page of GitHub (`tools/notebook.py`)."""

from __future__ import annotations

import re

import pytest

from tools.notebook import NOTEBOOK, executed, outputs, stored, words

LARGEST = 300_000
"""Bytes of the notebook, its figure among them."""


def texts(notebook):
    """Return what a reader sees below each cell."""
    return [list(map(words, cell.get("outputs", ()))) for cell in notebook["cells"]]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the kernel's messages
def test_the_notebook_shows_what_it_prints_in_a_fresh_kernel():
    assert texts(executed(stored())) == texts(stored())


def test_the_notebook_is_stored_whole_and_without_warnings_or_places_of_a_machine():
    notebook = stored()
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert {output.get("name", "stdout") for output in outputs(notebook)} == {"stdout"}
    assert not any(place in str(outputs(notebook)) for place in ("/tmp", "/home", "/work"))
    assert NOTEBOOK.stat().st_size < LARGEST


def test_every_tool_of_the_notebook_ends_in_the_sentence_of_the_frame():
    sentences = [words(output) for output in outputs(stored()) if words(output).startswith("Q(λ) has a higher IQM")]
    assert len(sentences) == 4
    assert len(set(sentences)) == 1


def test_links_of_the_notebook_lead_to_files():
    targets = re.findall(r"\]\(([^)]+)\)", "".join(line for cell in stored()["cells"] for line in cell["source"]))
    assert len(targets) == 4
    assert all((NOTEBOOK.parent / target).is_file() for target in targets)


def test_the_figure_of_the_notebook_is_stored():
    assert [words(output) for output in outputs(stored())].count("image/png") == 1
