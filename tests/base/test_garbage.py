"""Collections of garbage are put off, and never for longer than the work."""

from __future__ import annotations

import gc

import pytest

from runoff.base.garbage import uncollected


@uncollected
def state(fails: bool = False) -> bool:
    if fails:
        raise ValueError("refused")
    return gc.isenabled()


def test_nothing_is_collected_during_the_work_and_again_after_it():
    assert (state(), gc.isenabled()) == (False, True)


def test_a_refusal_switches_collections_on_again():
    with pytest.raises(ValueError, match="refused"):
        state(fails=True)
    assert gc.isenabled()


def test_collections_that_the_caller_switched_off_stay_off():
    gc.disable()
    try:
        assert not state()
        assert not gc.isenabled()
    finally:
        gc.enable()
