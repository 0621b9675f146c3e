"""Figures that two processes draw are those that one draws, and no failure of the second is seen."""

from __future__ import annotations

import sys

import pytest

from runoff.report.files import aside
from runoff.report.files.aside import Figures, second_process
from runoff.report.page.drawing import draw
from tests.report.made import answers


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setenv("RUNOFF_THREADS", "2")


@pytest.fixture(scope="module")
def told():
    return answers()


@pytest.fixture(scope="module")
def alone(told):
    return draw(told)


def test_two_processes_draw_the_same_bytes_in_the_same_order_as_one(told, alone):
    with second_process():
        figures = Figures(told)
        figures._thread.join()  # the second process draws all of them
        assert figures.drawn(told) == alone


def test_figures_are_shared_and_none_is_drawn_twice(told, alone, monkeypatch):
    mine = []
    taken = Figures._claimed
    monkeypatch.setattr(Figures, "_claimed", lambda self, name: taken(self, name) and not mine.append(name))
    with second_process():
        assert Figures(told).drawn(told) == alone
    assert sorted(mine) == sorted(figure.name for figure in alone)


@pytest.mark.parametrize("program", ["raise SystemExit(3)", "import sys; sys.stdout.write('no answer')"])
def test_a_second_process_that_fails_leaves_all_figures_to_the_first(told, alone, monkeypatch, program):
    monkeypatch.setattr(aside, "SERVE", program)
    with second_process():
        assert Figures(told).drawn(told) == alone


def test_a_second_process_that_cannot_be_started_is_not_missed(told, alone, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with second_process():
        assert Figures(told).drawn(told) == alone


def test_there_is_no_second_process_on_one_core_or_for_a_call_from_python(told, monkeypatch):
    assert Figures(told)._thread is None
    monkeypatch.setenv("RUNOFF_THREADS", "1")
    with second_process():
        assert Figures(told)._thread is None


def test_the_second_process_has_ended_when_the_report_is_written():
    with second_process():
        helper = aside._helper.get()
        assert helper.poll() is None
    assert helper.poll() is not None
    assert aside._helper.get() is None
