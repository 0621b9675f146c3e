"""Names that people try first answer with where to go."""

from __future__ import annotations

import pytest

import runoff as ro


@pytest.mark.parametrize("name", ["read", "load"])
def test_a_name_that_is_not_there_says_which_ones_are(name):
    with pytest.raises(AttributeError, match=r"ro\.read_scores\(path\)") as refusal:
        getattr(ro, name)
    assert all(hasattr(ro, other) for other in ("read_scores", "read_curves", "scan", "load_example"))
    assert f"no {name!r}" in str(refusal.value)
