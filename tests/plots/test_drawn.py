"""What a figure draws is what its answer says: position, colour, order and label of every artist, for every figure of the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from runoff import plots
from tests.plots.drawn import in_reading_order, rounded
from tests.plots.laws import ELSEWHERE, LAWS

pytestmark = pytest.mark.usefixtures("few_relabellings")
CASES = [
    pytest.param(name, n, marks=[pytest.mark.slow] if law.slow and n == 30 else [])
    for name, law in LAWS.items()
    for n in (2, 7, *([9] if law.cells else []), 30)
]


def test_every_figure_has_a_law_here_or_in_the_file_that_is_named():
    assert {*LAWS, *ELSEWHERE} == {*plots.PLOTS}
    for name, file in ELSEWHERE.items():
        assert f"plots.{name}(" in (Path(__file__).parent / f"{file}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "n"), CASES)
def test_a_figure_draws_the_cells_of_its_answer_in_their_order_and_colours(name, n):
    law = LAWS[name]
    answer = law.ask(n)
    given = getattr(plots, name)(answer, width=law.wide if n == 30 else None)
    axes = given if isinstance(given, tuple) else (given,)
    assert list(axes) == in_reading_order(axes)
    assert rounded(law.read(axes)) == rounded(law.of(answer))
