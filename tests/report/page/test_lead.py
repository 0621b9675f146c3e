"""Where the lead comes from: a dot for each task on its side of 0, filled where a difference was found."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

import runoff as ro
from runoff.answer.where import WhereResult
from runoff.page.sheet.lead import lead_of, moved

RNG = np.random.default_rng(3)
LEADS = {f"t{k}": lead for k, lead in enumerate([2.0, 0.7, 0.05, -0.02, -0.6, 0.3, 0.2, 0.1])}


@cache
def result(scale: float = 1.0) -> WhereResult:
    runs = {
        name: {t: (a * lead * scale + RNG.normal(0, 0.1, 6)).tolist() for t, lead in LEADS.items()}
        for a, name in enumerate("BA")
    }
    return ro.where(ro.Scores.from_dict(runs), "A", "B", measure="mean", n_resamples=200)


def drawn(results):
    tasks = [record.task for record in results.rows]
    lead = lead_of(results, {task: k for k, task in enumerate(tasks)}, {task: task for task in tasks})
    dots = re.findall(r'href="#runs-(\d+)"[^>]*><circle class="(\w+)" cx="(\d+)"', lead.dots)
    return lead, {tasks[int(k)]: (kind, int(x)) for k, kind, x in dots}


@pytest.mark.parametrize("scale", [1.0, 40.0])
def test_every_task_is_a_dot_of_the_kind_of_its_verdict(scale):
    results = result(scale)
    lead, dots = drawn(results)
    for record in results.rows:
        assert dots[record.task][0] == {"a_better": "up", "b_better": "down"}.get(record.verdict, "open")
    order = sorted(results.rows, key=lambda record: record.estimate)
    assert [dots[r.task][1] for r in order] == sorted(x for _, x in dots.values())
    assert (lead.ahead, lead.behind) == tuple(sum(sign * r.estimate > 0 for r in order) for sign in (1, -1))


def test_the_bars_of_a_waterfall_follow_on_each_other_up_to_the_lead():
    lead, _ = drawn(result())
    bars = re.findall(r'<rect class="(\w+)" x="([\d.]+)" y="\d+" width="([\d.]+)"', lead.waterfall)
    assert [kind for kind, *_ in bars] == ["up", "net", "whole", "trimmed"]
    ends = [(float(x), float(x) + float(wide)) for _, x, wide in bars]
    assert ends[0][1] == pytest.approx(ends[1][0], abs=0.2)
    assert ends[2] == pytest.approx((ends[0][0], ends[1][1]), abs=0.2)
    mean = np.mean([record.estimate for record in result().rows])
    assert f">{mean:.3f}<" in lead.waterfall


def test_a_task_on_which_a_difference_was_found_has_its_name_though_others_lie_further_out():
    noise, leads = np.array([-30.0, -10.0, 10.0, 30.0]), {"a": 9.0, "b": 7.0, "c": -7.0, "d": -9.0}
    runs = {"A": {task: noise + lead for task, lead in leads.items()}, "B": dict.fromkeys(leads, noise)}
    both = {name: {**cells, "near": noise / 1e3 + (name == "A")} for name, cells in runs.items()}
    lead, dots = drawn(ro.where(ro.Scores.from_dict(both), "A", "B", measure="mean", n_resamples=200))
    assert [task for task, (kind, _) in dots.items() if kind != "open"] == ["near"]
    assert ">near<" in lead.dots


def test_hundreds_of_tasks_of_one_lead_are_no_taller_than_a_waterfall():
    level = {f"t{k}": [0.0, 1.0] for k in range(300)}
    results = ro.where(
        {"A": {"lead": [2.0, 3.0], **level}, "B": {"lead": [0.0, 1.0], **level}},
        "A",
        "B",
        measure="mean",
        n_resamples=100,
    )
    tasks = ["lead", *level]
    drawings = moved([results], tasks, {task: task for task in tasks})
    heights = [
        float(re.search(r'viewBox="0 0 \d+ (\d+)"', drawn(results)[0].dots)[1]),
        float(drawings["view"].split()[-1]),
    ]
    ys = [float(dot.split()[1]) for dot in drawings["moved"][0][2].split("|")]
    assert max(heights) < 300
    assert 5 <= min(ys) < max(ys) <= heights[1] - 24
    assert len({*ys}) > 100


@pytest.mark.parametrize(("measure", "even"), [("mean", 0.0), ("improvement", 0.5)])
def test_a_dot_of_another_pair_lies_on_the_side_of_the_line_on_which_its_task_is(measure, even):
    runs = {"A": {t: RNG.normal(lead, 1, 6) for t, lead in LEADS.items()}, "B": {t: RNG.normal(0, 1, 6) for t in LEADS}}
    runs["B"]["t3"] = runs["A"]["t3"][::-1]  # a task on which they are level
    results = [ro.where(runs, *pair, measure=measure, n_resamples=100) for pair in ("AB", "BA")]
    drawings = moved(results, list(LEADS), {task: task for task in LEADS})
    zero = float(re.search(r'class="z" d="M([\d.]+)', drawings["axis"])[1])
    for result_of_pair, (ahead, behind, dots, _) in zip(results, drawings["moved"], strict=True):
        places = {task: float(dot.split()[0]) for task, dot in zip(LEADS, dots.split("|"), strict=True)}
        leads = {row.task: row.estimate - even for row in result_of_pair.rows if abs(row.estimate - even) > 0.05}
        assert leads
        assert (ahead, behind) == tuple(
            sum(s * (row.estimate - even) > 0 for row in result_of_pair.rows) for s in (1, -1)
        )
        assert {task: np.sign(places[task] - zero) for task in leads} == {t: np.sign(lead) for t, lead in leads.items()}
