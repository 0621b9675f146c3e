"""Heads of columns in lines of LaTeX."""

from __future__ import annotations

import pytest

from runoff.exits.latex.render import wrapped


@pytest.mark.parametrize("longest", [8, 9, 10])
def test_a_name_with_a_capital_near_its_beginning_is_not_cut_there(longest):
    assert wrapped("McNemar's p", longest)[0] != "Mc"
    assert wrapped("HalfCheetah", 6)[0] == "Half"
