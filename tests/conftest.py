"""Hypothesis runs the same examples everywhere (HYPOTHESIS_PROFILE=explore looks further, by hand), and no test depends on those before it."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from tests.amount import THOROUGH, examples

pytest_plugins = ["pytester"]  # for the tests of runoff.pytest_plugin

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=False, max_examples=examples(60))
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

if "PYTEST_XDIST_WORKER" in os.environ:  # the workers fill the cores already, and more threads only wait for each other
    os.environ.setdefault("RUNOFF_THREADS", "1")

STATES: dict[ModuleType, list[tuple[np.random.Generator, Any]]] = {}
"""The generators that a module of tests holds, each with its state after the module was loaded."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note the generators of all modules; leave out what is too slow where there is no numba, and most cases of a sampled test."""
    leave_out_what_is_too_slow(items)
    for item in items:
        if "tests/calibration/" in item.nodeid and item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.calibration)
    if not THOROUGH:
        leave_out_most_cases(config, items)
    for module in {item.module for item in items if isinstance(item, pytest.Function)}:
        generators = [value for value in vars(module).values() if isinstance(value, np.random.Generator)]
        STATES[module] = [(generator, generator.bit_generator.state) for generator in generators]


def leave_out_most_cases(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep n cases, evenly spread, of a test that is marked `sampled(n)`."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out: set[pytest.Item] = set()
    for own in cases.values():
        n = own[0].get_closest_marker("sampled").args[0]  # type: ignore[union-attr]
        kept = {i * len(own) // n for i in range(n)}
        left_out |= {item for i, item in enumerate(own) if i not in kept}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Send one report of a test that passes from a worker, not three and its start and end: what is sent is work of both sides."""
    if not hasattr(item.config, "workerinput"):
        return None
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        if report.when == "call":
            report.duration = sum(part.duration for part in reports)
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Turn the generators of a test's module back, so that it draws the same numbers whichever tests ran before it."""
    for generator, state in STATES.get(getattr(item, "module", None), ()):
        generator.bit_generator.state = state


def pytest_configure() -> None:
    """Collect no garbage while tests are collected: what is made then stays, and is looked through again and again in vain."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave what was collected out of all later searches for garbage, which take a tenth of the time otherwise."""
    gc.freeze()
    gc.enable()


STUDENTIZED = "intervals of studentized_permutation draw 20,000 relabellings, again and again"
TOO_SLOW_WITHOUT_NUMBA = {
    "tests/cli/test_study.py::test_a_study_writes_the_table_the_figure_and_the_comparison": "studies simulate in loops",
    "tests/contracts/test_pvalues.py::test_no_comparison_says_that_separation_is_impossible[studentized": STUDENTIZED,
    "tests/contracts/test_registries.py::test_a_pair_test_has_a_sentence_intervals_a_report_and_a_verb[studentized": STUDENTIZED,
    "tests/contracts/test_seeds.py::test_a_generator_in_the_same_state_gives_the_same_bits[compare]": STUDENTIZED,
    "tests/contracts/test_seeds.py::test_another_seed_gives_other_numbers[compare]": STUDENTIZED,
    "tests/contracts/test_seeds.py::test_blocks_pairs_tasks_and_batches_draw_differently[compare]": STUDENTIZED,
    "tests/contracts/test_seeds.py::test_the_number_of_threads_changes_nothing": STUDENTIZED,
    "tests/contracts/test_seeds.py::test_the_same_seed_gives_the_same_bits_and_changes_no_input_or_global_state[compare]": STUDENTIZED,
    "tests/docs/test_examples.py::test_docstring_examples_of[runoff.lab.own_runs.false_positives]": "studies simulate in loops",
    "tests/inference/two_sample/test_golden.py::test_drawn_studentized_tests_of_many_runs_approach_their_t_approximations[b": (
        "the ranks of 120 runs, relabelling by relabelling"
    ),
    "tests/kernels/blocked/test_kernels.py::test_studentised_draws_agree_with_enumeration": "50,000 relabellings run by run",
    "tests/kernels/test_study.py::test_sharing_resamples_widens_a_rate_by_no_more_than_it_says": "studies simulate in loops",
    "tests/methods/test_compare.py::test_several_tasks_are_compared_task_by_task[studentized": STUDENTIZED,
}
"""Tests that take more than some 20 s where kernels are interpreted, by the beginning of their names, and what takes the time."""


def leave_out_what_is_too_slow(items: list[pytest.Item]) -> None:
    """Skip the tests above where there is no numba."""
    if find_spec("numba") is not None:
        return
    for item in items:
        for name, reason in TOO_SLOW_WITHOUT_NUMBA.items():
            if item.nodeid.startswith(name):
                item.add_marker(pytest.mark.skip(reason=f"too slow without numba: {reason}"))


@pytest.fixture
def few_relabellings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In `make test` relabel runs a fifth as often, or a tenth, for laws that hold however often that is."""
    from runoff._inference.pairs import small, tests

    if not THOROUGH:
        small._labels.cache_clear()
        monkeypatch.setattr(small, "EVERY", 4_000)
        monkeypatch.setattr(small, "DRAWS", 1_999)
        monkeypatch.setattr(tests, "LEAST_DRAWS", 2_000)
    yield
    if not THOROUGH:
        small._labels.cache_clear()


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave figures out of a report of which a test reads the words and the records."""
    from tests.report.made import UNDRAWN

    monkeypatch.setattr(*UNDRAWN)
