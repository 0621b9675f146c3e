"""A series made clean: NaN, restarts, several values at one step; each is counted."""

from __future__ import annotations

from itertools import pairwise, permutations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.reading.logs.base import POLICIES, Extent, Happening, Series, Wish, tell
from runoff.reading.logs.rows import Tabled, clean, merged
from runoff.reading.logs.tools.stable_baselines3 import _LoggedRun
from runoff.words.speech import in_python, option, series_option
from tests.amount import examples

NAN = float("nan")


def cleaned(steps, values):
    series, happened = clean(Series(step=np.array(steps, float), value=np.array(values, float)))
    return series.step.tolist(), series.value.tolist(), {happening.policy: happening.count for happening in happened}


CASES = {
    "clean": ([1, 2, 3], [5, 6, 7], ([1, 2, 3], [5, 6, 7], {})),
    "nothing": ([], [], ([], [], {})),
    "only NaN": ([1, 2], [NAN, NAN], ([], [], {})),
    "NaN first": ([1, 2, 3], [NAN, 6, 7], ([2, 3], [6, 7], {"no_value_yet": 1})),
    "NaN between": ([1, 2, 3], [5, NAN, 7], ([1, 3], [5, 7], {"no_value_between": 1})),
    "NaN last": ([1, 2, 3], [5, NAN, NAN], ([1], [5], {"no_value_at_end": 2})),
    "no step": ([NAN, 2], [5, 6], ([2], [6], {"no_value_yet": 1})),
    "restart": ([1, 2, 3, 2, 3, 4], [1, 2, 3, 20, 30, 40], ([1, 2, 3, 4], [1, 20, 30, 40], {"restarted": 2})),
    "restart at the same step": (
        [1, 2, 3, 3, 2, 3],
        [1, 2, 3, 4, 5, 6],
        ([1, 2, 3], [1, 5, 6], {"mostly_replaced": 3}),
    ),
    "shorter restart": ([1, 2, 3, 4, 2], [1, 2, 3, 4, 20], ([1, 2], [1, 20], {"mostly_replaced": 3})),
    "two restarts": (
        [1, 2, 3, 4, 5, 6, 5, 6, 3],
        [1, 2, 3, 4, 5, 6, 50, 60, 30],
        ([1, 2, 3], [1, 2, 30], {"mostly_replaced": 6}),
    ),
    "one step": ([1, 1, 2, 2, 2], [1, 3, 1, 2, 6], ([1, 2], [2, 3], {"averaged": 3})),
    "two runs": ([1, 2, 1, 2], [1, 2, 3, 4], ([1, 2], [3, 4], {"trainings": 2})),
    "two runs and a part": ([1, 2, 1, 2, 1], [1, 2, 3, 4, 5], ([1], [5], {"mostly_replaced": 4})),
    "no steps at all": ([0, 0, 0], [1, 2, 6], ([0], [3], {"all_at_one_step": 2})),
    "infinite": ([1, 2], [np.inf, 1], ([1, 2], [np.inf, 1], {})),
}


@pytest.mark.parametrize("name", CASES)
def test_a_series_is_made_clean_and_what_was_done_is_counted(name):
    steps, values, expected = CASES[name]
    assert cleaned(steps, values) == expected


def test_time_and_episodes_of_several_values_at_one_step_are_the_last():
    series = Series(
        step=np.array([1.0, 1, 2]),
        value=np.array([1.0, 3, 5]),
        time=np.array([1.0, 2, 3]),
        episodes=np.array([4.0, 5, 6]),
    )
    last, _ = clean(series)
    assert (last.time.tolist(), last.episodes.tolist()) == ([2.0, 3.0], [5.0, 6.0])


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.sampled_from([NAN, 1.0, 2.0, 5.0])), max_size=25))
def test_steps_rise_and_no_point_is_lost_without_being_counted(points):
    steps, values = [p[0] for p in points], [p[1] for p in points]
    found_steps, found_values, happened = cleaned(steps, values)
    assert all(a < b for a, b in pairwise(found_steps))
    assert not np.isnan(found_values).any()
    if found_steps:
        assert len(found_steps) + sum(happened.values()) == len(points)
        last = next(point for point in reversed(points) if not np.isnan(point[1]))
        assert found_steps[-1] == last[0]


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_has_a_sentence_with_its_count_and_places(policy):
    happened = [(f"run{i}", Happening(policy=policy, count=1000 * i, where=f"at {i}")) for i in (3, 1, 2)]
    (sentence,) = tell(happened)
    options = {"series": series_option(), "episode": option("unit", "episode")}
    assert in_python(sentence.text).startswith(in_python(POLICIES[policy].format(runs=3, count="6,000", **options)))
    assert sentence.text.endswith("(for example run1: at 1; run2: at 2)")
    assert "{" not in sentence.text
    assert len(sentence.text) < 400


def test_of_a_series_that_several_tables_of_a_run_have_the_first_is_taken():
    first, second = (
        Tabled(
            extents={"return": Extent(points=points, last=1.0)},
            series={"return": Series(step=np.arange(points), value=np.zeros(points))},
            axis=axis,
        )
        for points, axis in ((2, None), (3, "steps"))
    )
    both = merged([first, second])
    assert both.extents["return"].points == 2
    assert both.series["return"].step.size == 2
    assert both.axis == "steps"


@pytest.mark.parametrize("kept", [True, False])
def test_the_first_file_of_a_run_that_has_a_series_is_the_one_whose_counts(kept):
    run, wish = _LoggedRun(), Wish(keep=lambda _: kept)
    first, later = SimpleNamespace(extent="first"), SimpleNamespace(extent="later")
    for series in (first, later):
        run.enter("eval/reward", series, wish)
    assert (run.extents, run.series) == ({"eval/reward": "first"}, {"eval/reward": first} if kept else {})


def test_events_of_one_place_are_told_in_one_order_whichever_was_read_first():
    happened = [("run1", Happening(policy="failed", where=where)) for where in ("b", "a", "c")]
    assert {message.text for own in permutations(happened) for message in tell(own)} == {tell(happened)[0].text}
    assert tell(happened)[0].text.endswith("(for example run1: a; run1: b)")
