"""`sequential` on successes and failures of one task: counts decide, in the sentence, the tables, the figure and the shell."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import runoff as ro
from runoff import plots
from runoff.answer.sequential import COUNTS
from runoff.cli.app import run

EVERY = ro.SequentialDesign(looks=range(1, 31))
RNG = np.random.default_rng(6)
RUNS = {name: (RNG.random(30) < rate) * 1.0 for name, rate in (("A", 0.3), ("B", 0.9), ("C", 0.35))}


def look(k, names="AB", unit="episode", step=1, **scores):
    cells = {name: {"push": scores.get(name, RUNS[name][step * k : step * (k + 1)])} for name in names}
    return ro.Scores.from_dict(cells, unit=unit)


def looks(n, names="AB"):
    return [look(k, names) for k in range(n)]


def answer(n, names="AB", design=EVERY):
    *before, last = looks(n, names)
    return ro.sequential(last, design=design, earlier=before)


def played(names="AB", step=1):
    """Return the answer at the end: each look has the episodes of those who go on, as many as the step."""
    design, seen = ro.SequentialDesign(looks=range(step, 31, step)), [look(0, names, step=step)]
    result = ro.sequential(seen[0], design=design)
    while result.next_look is not None:
        new = look(result.look, "".join(result.next_algorithms), step=step)
        result = ro.sequential(new, design=design, earlier=seen)
        seen.append(new)
    return result


def test_a_pair_ends_at_the_first_look_at_which_its_lead_is_enough():
    result = played()
    (pair,) = result.pairs
    assert (result.test, result.spending, pair.decision) == (COUNTS, "quadratic", "b_better")
    assert [abs(point.statistic) >= (point.critical or np.inf) for point in result.trajectory] == [
        point.look == pair.look for point in result.trajectory
    ]
    of_a, of_b = (int(RUNS[name][: pair.look].sum()) for name in "AB")
    assert pair.statistic == of_a - of_b
    assert pair.low <= pair.difference <= pair.high < 0


@pytest.mark.parametrize(("unit", "spending"), [("episode", "quadratic"), ("run", "pocock")])
def test_episodes_of_several_tasks_and_partial_credit_spend_like_success_counts(unit, spending):
    draw = np.random.default_rng(3)
    cells = {name: {task: draw.integers(0, top, 4) / 4 for task in "xy"} for name, top in (("A", 3), ("B", 5))}
    result = ro.sequential(ro.Scores.from_dict(cells, unit=unit), design=ro.SequentialDesign(looks=(4, 8)))
    assert (result.spending, result.counted) == (spending, False)
    assert result.alpha_spent == (0.0125 if unit == "episode" else ro.SequentialDesign(looks=(4, 8)).spent[0])


def test_the_sentence_speaks_of_success_rates_and_episodes():
    (pair,) = played().pairs
    assert pair.sentence.startswith("B has a higher success rate than A: decided at look ")
    assert f"with {pair.look} episodes of each (difference of success rates " in pair.sentence
    assert "95\xa0% interval" in pair.sentence
    (early,) = answer(3).pairs
    assert "not decided yet at look 3 of 30, with 3 episodes of each" in early.sentence
    assert early.low is early.high is None


def test_the_tables_have_leads_and_episodes():
    pairs, planned = played().tables()
    assert {"Lead", "Enough", "Episodes"} <= {column.head for column in pairs.columns}
    assert {"Widest lead", "Episodes of each"} <= {column.head for column in planned.columns}
    assert "decided by success counts" in planned.caption


def test_a_difference_that_is_not_there_ends_with_an_interval_around_0():
    (pair,) = played("AC", step=10).pairs
    assert (pair.decision, pair.reason) == ("inconclusive", "last_look")
    assert pair.low < 0 < pair.high


def test_of_three_algorithms_the_tests_are_closed_and_ends_have_no_interval():
    result = played("ABC", step=5)
    decided = {(pair.a, pair.b): pair.decision for pair in result.pairs}
    assert decided == {("A", "B"): "b_better", ("A", "C"): "inconclusive", ("B", "C"): "a_better"}
    assert all(pair.low is pair.high is None for pair in result.pairs)
    ends = {(pair.a, pair.b): pair.look for pair in result.pairs if pair.decision != "inconclusive"}
    for p in result.trajectory:
        assert (abs(p.statistic) >= (np.inf if p.critical is None else p.critical)) == (ends.get((p.a, p.b)) == p.look)
    alone = {point.look: point.critical for point in played(step=5).trajectory}
    shared = {p.look: p.critical for p in result.trajectory if (p.a, p.b) == ("A", "B")}
    # The three together share α out, so that each pair needs as much as alone, or more.
    assert all(alone[k] <= (bound or np.inf) for k, bound in shared.items() if alone.get(k) is not None)


def test_an_own_spending_is_kept():
    result = answer(3, design=ro.SequentialDesign(looks=range(1, 31), spending="pocock"))
    assert (result.test, result.spending) == (COUNTS, "pocock")
    assert result.alpha_spent == pytest.approx(0.05 * np.log(1 + (np.e - 1) * 3 / 30))


@pytest.mark.parametrize(
    ("unit", "tasks", "last"), [("run", ["push"], 20), ("episode", ["push", "pull"], 20), ("episode", ["push"], 201)]
)
def test_runs_and_several_tasks_and_more_than_200_episodes_are_relabelled(unit, tasks, last):
    cells = {name: dict.fromkeys(tasks, RUNS[name][:10]) for name in "AB"}
    design = ro.SequentialDesign(looks=(10, last), n_resamples=199)
    result = ro.sequential(ro.Scores.from_dict(cells, unit=unit, score_unit="shared"), design=design)
    assert (result.test, result.spending) == ("studentized_permutation", "quadratic" if unit == "episode" else "pocock")


def test_partial_credit_after_successes_is_refused_with_the_way_out():
    with pytest.raises(ro.DesignError, match=r"look 2 has a score 0.5 of 'A', and look 1 had successes and failures"):
        ro.sequential(look(1, A=[0.5]), design=EVERY, earlier=looks(1))


def test_a_first_look_after_one_run_is_for_success_counts_alone():
    with pytest.raises(ro.DesignError, match="looks begin at 1 only for successes and failures of one task"):
        ro.sequential(look(0, A=[0.5], B=[0.7]), design=EVERY)
    with pytest.raises(ro.DesignError, match="write a design whose first look is 2 or more"):
        ro.sequential(look(0, unit="run"), design=EVERY)


def test_a_margin_shows_no_equivalence_of_counts():
    design = ro.SequentialDesign(looks=range(1, 31), margin=0.9)
    (pair,) = answer(6, "AC", design).pairs
    assert "runs with at most two different scores on a task show no equivalence" in pair.sentence


def test_a_state_keeps_what_counts_decided_and_refuses_another_spending(tmp_path):
    state = tmp_path / "state.json"
    for k in range(3):
        ro.sequential(look(k), design=EVERY, state=state)
    assert ro.sequential(design=EVERY, state=state).pairs == answer(3).pairs
    with pytest.raises(ro.DesignError, match="spending was None and is 'pocock'"):
        ro.sequential(design=ro.SequentialDesign(looks=range(1, 31), spending="pocock"), state=state)


def test_a_spending_that_is_left_to_the_scores_has_the_digest_of_before():
    assert EVERY.sha256 == ro.SequentialDesign(looks=range(1, 31), spending="pocock").sha256
    assert EVERY.sha256 != ro.SequentialDesign(looks=range(1, 31), spending="quadratic").sha256


def test_before_the_first_look_it_is_said_that_counts_have_their_own_bounds():
    (note,) = (note for note in ro.sequential(design=EVERY).notes if "counts" in note)
    assert "judged by their counts" in note
    assert "α of episodes is spent as (n/N)²" in note
    assert not any("bounds above" in note for note in answer(1).notes)


def test_the_figure_has_leads_against_what_is_enough():
    result = answer(4)
    ax = plots.sequential(result)
    assert ax.get_ylabel() == "lead in successes"
    (line,) = (line for line in ax.get_lines() if str(line.get_label()).startswith("A − B"))
    assert line.get_ydata().tolist() == [point.statistic for point in result.trajectory]
    dashed = ax.get_lines()[0].get_ydata().tolist()
    assert dashed == [of.boundary for of in result.looks[4:] if of.boundary is not None]
    assert "No bars" in plots.caption(result)
    assert "Bars: the lead that is enough" in plots.caption(answer(6))
    assert len(ax.get_xticks()) <= 12


def test_the_shell_takes_a_look_after_every_pair(tmp_path, capsys):
    design, rows = tmp_path / "design.toml", tmp_path / "look1.csv"
    assert run(["sequential", str(design), "--new", "--looks", "1..30"]) == 0
    with rows.open("w", newline="", encoding="utf-8") as file:
        table = [("policy", "task", "episode", "success"), ("A", "push", 0, 1), ("B", "push", 0, 0)]
        csv.writer(file).writerows(table)
    state = ["--state", str(tmp_path / "state.json")]
    assert run(["sequential", str(design), str(rows), "--unit", "episode", *state, "-o", str(tmp_path / "out")]) == 0
    assert "After look 1 of 30 (1 episode of each) it goes on" in " ".join(capsys.readouterr().out.split())
    assert json.loads((tmp_path / "out" / "sequential.json").read_text(encoding="utf-8"))["test"] == COUNTS
    assert run(["sequential", str(design), *state, "--json"]) == 0
    assert "success_counts" in capsys.readouterr().out
