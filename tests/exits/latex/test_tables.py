"""What the tables hold: captions, bold sets, the winner first, heads in order."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import runoff as ro
from runoff.page.answers.all import standing_of
from runoff.page.tables import latex_tables
from runoff.page.words.headline import sentences
from tests.exits.latex.made import demo, files, grid
from tests.report.designs import DESIGNS, answers
from tests.report.made import answers_of, scores

EVERY = pytest.mark.parametrize("design", DESIGNS)


def table(results, name):
    return next(table for table in latex_tables(results) if table.name == name)


def bold(column):
    return [cell.text for cell in column.cells if cell.bold]


def told_apart(results, leader):
    """The algorithms that the leader was found better than, read from the pairs."""
    verdicts = {(p.a, p.b): p.verdict for p in results.comparison.pairs}
    return {
        other
        for (a, b), verdict in verdicts.items()
        for this, other, wins in ((a, b, "a_better"), (b, a, "b_better"))
        if this == leader and verdict == wins
    }


@EVERY
def test_the_best_set_is_all_that_the_leader_was_not_found_better_than(design):
    results = answers(design)
    leader = standing_of(results).leader
    assert standing_of(results).best == set(results.scores.algorithms) - told_apart(results, leader)
    assert leader in standing_of(results).best


@EVERY
def test_the_first_metric_of_the_best_set_is_bold_and_nothing_else(design):
    results = answers(design)
    shown = table(results, "aggregates")
    first, *others = shown.values
    best = [place for place, name in enumerate(standing_of(results).order) if name in standing_of(results).best]
    assert [place for place, cell in enumerate(first.cells) if cell.bold] == best
    assert bold(shown.names[0]) == []
    assert [cell for column in others for cell in bold(column)] == []


def test_the_shipped_data_have_three_leaders_that_are_not_told_apart():
    shown = table(demo(), "aggregates")
    best = [name.text for name, value in zip(shown.names[0].cells, shown.values[0].cells, strict=True) if value.bold]
    assert best == ["Q(λ)", "Sarsa(λ) twin", "Sarsa(λ)"]


def test_names_are_bold_where_no_column_has_what_was_judged():
    runs = {
        "A": {f"t{at}": [at, at + 1.0] for at in range(6)},
        "B": {f"t{at}": [at + 9.0, at + 9.5] for at in range(6)},
    }
    shown = table(answers_of(ro.Scores.from_dict(runs, score_unit="shared"), over="tasks"), "aggregates")
    assert "the best Hodges-Lehmann difference" in shown.caption
    assert bold(shown.names[0]) == ["B"]
    assert [cell for column in shown.values for cell in bold(column)] == []


def test_a_caption_says_where_the_tests_find_another_better_than_the_leader():
    """DDPG has not run on the hard tasks, so that its IQM is higher; on the tasks of both it is worse."""
    a = {
        "easy": [0.91, 0.92, 0.90],
        "even": [0.81, 0.80, 0.82],
        "hard": [0.1, 0.12, 0.11],
        "harder": [0.05, 0.06, 0.04],
    }
    data = ro.Scores.from_dict({"SAC": a, "DDPG": {"easy": [0.70, 0.71, 0.72], "even": [0.61, 0.60, 0.62]}})
    results = answers_of(data)
    caption = table(results, "aggregates").caption
    assert sentences(results)[0] == (
        "DDPG has the higher IQM over its own tasks, yet was found below SAC, on the tasks that both have."
    )
    assert caption.endswith("DDPG lacks tasks or runs, and is found worse on the tasks where both have them.")
    assert "the order depends" not in table(demo(), "aggregates").caption


def test_an_algorithm_of_single_values_is_never_bold():
    data = {"A": {"x": [1.0, 2.0, 3.0, 2.5]}, "B": {"x": [7.0, 8.0, 9.0, 8.5]}, "HUMAN": {"x": [99.0]}}
    assert standing_of(answers_of(ro.Scores.from_dict(data))).best == {"B"}


def test_without_tests_nothing_is_bold():
    results = grid(2, 1, 3)
    bare = replace(results, comparison=replace(results.comparison, pairs=()))
    assert standing_of(bare).best == frozenset()
    assert "Bold" not in table(bare, "aggregates").caption


def test_tasks_are_bold_only_where_the_pairs_were_compared_on_one_task():
    assert not any(bold(column) for column in table(demo(), "tasks").values)
    assert "Nothing is bold, for tests" in table(demo(), "tasks").caption
    single = answers("two_on_one_task")
    assert {c.head for c in table(single, "tasks").values if bold(c)} == standing_of(single).best == {"PPO"}


@EVERY
def test_pairs_name_the_winner_first_and_follow_the_places(design):
    results = answers(design)
    place, shown = {name: at for at, name in enumerate(standing_of(results).order)}, table(results, "pairs")
    pairs = [(cell.text, cell.below) for cell in shown.names[0].cells]
    keys = [(place[first], place[second]) for first, second in pairs]
    assert keys == sorted(keys)
    verdicts = {(pair.a, pair.b): pair for pair in standing_of(results).pairs}
    assert all(verdicts[pair].winner in (pair[0], None) for pair in pairs)


def test_differences_and_chances_are_turned_with_the_pair():
    (difference, chance) = (table(answers("two_on_one_task"), "pairs").values[at].cells[0] for at in (0, 1))
    assert (difference.text, difference.below) == ("8.5", "[4.1, 12.9]")
    assert (chance.text, chance.below) == ("100\N{NO-BREAK SPACE}%", "[59, 100]")


def test_runs_test_and_alpha_of_pairs_stand_in_the_caption_and_not_on_every_row():
    shown = table(demo(), "pairs")
    assert [column.head for column in shown.values] == ["Difference", "Chance", "Adjusted p"]
    for part in ("50 runs per algorithm and task", "the jackknife t test, Holm correction over 21 pairs", "α = 0.05"):
        assert part in shown.caption


def test_the_pairs_of_seven_algorithms_are_two_floats_of_a_column_with_no_name_in_pieces():
    # Of two lines each they fill the lowest page in use, but for their caption.
    text = files(demo())["pairs_column.tex"]
    assert text.count(r"\begin{table}") == text.count(r"\begin{tabular}{@{}lrrr@{}}") == 2
    assert (
        "Q($\\lambda$) & 0.069 & 68~\\% & \\textless{} 0.001 \\\\*[-1pt]\nExpected Sarsa & {[}0.044, 0.094{]} & "
        in text
    )


def test_aggregates_of_four_metrics_are_one_block_as_wide_as_the_text():
    text = files(demo())["aggregates_wide.tex"]
    assert text.count(r"\begin{tabular}{@{}lrrrr@{}}") == 1


@pytest.mark.slow
def test_algorithms_become_rows_where_they_are_many_and_tasks_are_fewer():
    few, many = (table(grid(n, 2, 3), "tasks") for n in (2, 12))
    assert (few.names[0].head, [column.head for column in few.values]) == ("Task", ["Algo0", "Algo1"])
    assert (many.names[0].head, [column.head for column in many.values]) == ("Algorithm", ["Task0", "Task1"])
    assert [cell.text for cell in many.names[0].cells] == [f"Algo{n}" for n in range(12)]
    means = {r.algorithm: r.estimate for r in grid(12, 2, 3).task_means.rows if r.task == "Task1"}
    shown = [float(cell.text.replace("−", "-")) for cell in many.values[1].cells]
    assert shown == [round(means[f"Algo{n}"], 1) for n in range(12)]


@pytest.mark.parametrize("layout", ["column", "wide", "long"])
def test_an_answer_is_its_own_table(layout):
    data = {"A": [[0.1, 0.4], [0.2, 0.6], [0.3, 0.8]], "B": [[0.2, 0.5], [0.3, 0.9], [0.4, 0.8]]}
    for result in (ro.aggregate(data), ro.compare(data)):
        assert result.to_latex(layout=layout).count(r"\caption{") == 1
    with pytest.raises(ro.OptionError, match="layout must be one of column, wide, long"):
        ro.compare(data).to_latex(layout="narrow")


@EVERY
def test_captions_have_level_kind_runs_tests_and_correction(design):
    results = answers(design)
    captions = {table.name: table.caption for table in latex_tables(results)}
    single = all(record.low is None for record in results.aggregates.rows)
    assert ("without intervals" if single else "95\u00a0% t intervals") in captions["aggregates"]
    assert "95\u00a0% t intervals" in captions["tasks"]
    decided = any(pair.low is not None for pair in results.comparison.pairs)
    assert ("with the interval at the level of the test" if decided else "with its own 95\u00a0% interval") in captions[
        "pairs"
    ]
    assert all(" per algorithm" in caption for caption in captions.values())
    kind = "Holm" if results.comparison.measure == "improvement" else "Shaffer"
    correction = f"{kind} correction over 3 pairs" if len(results.scores.algorithms) == 3 else ""
    assert correction in captions["pairs"]
    assert "α = 0.05" in captions["pairs"]


def test_columns_of_names_are_in_natural_order():
    results = answers_of(scores(("Algo1", "Algo10", "Algo2")))
    assert [column.head for column in table(results, "tasks").values] == ["Algo1", "Algo2", "Algo10"]


def test_two_algorithms_have_no_table_of_ranks():
    assert {table.name for table in latex_tables(grid(2, 1, 3))} == {"aggregates", "tasks", "pairs", "profile_pairs"}


def test_very_large_numbers_are_powers_of_ten():
    text = files(grid(3, 2, 4, 1e70))["aggregates_column.tex"]
    assert re.search(r"\d\.\d\d \$\\times\$ 10(\$\^\{\d\}\$){2,3}", text)
    assert not re.search(r"\d{20}", text)


def test_means_of_single_tasks_have_a_row_for_each_task():
    text = ro.aggregate({"A": [[0.1, 0.4], [0.2, 0.6]]}, by="task").to_latex()
    assert r"task 1 & 0.15 {[}$-$0.49, 0.79{]} \\" in text


@pytest.mark.parametrize("factor", [1e12, 1e15, 1e70])
def test_an_interval_of_very_large_numbers_has_its_two_ends(factor):
    data = {"A": {"x": [1.25 * factor, 2.5 * factor, 4.0 * factor]}}
    (row,) = ro.aggregate(data, by="task")
    text = ro.aggregate(data, by="task").to_latex().replace("}$$^{", "")
    powers = re.findall(r"(\$-\$|)(\d\.\d\d) \$\\times\$ 10\$\^\{(\d+)\}\$", text)
    shown = [(float(sign.replace("$-$", "-") + digits), int(power)) for sign, digits, power in powers]
    assert [digits * 10.0**power for digits, power in shown] == pytest.approx(
        [row.estimate, row.low, row.high], rel=0.01
    )


@pytest.mark.parametrize(("size", "step"), [(1e7, 1.0), (1e6, 0.1), (1e12, 1.0), (0.999999996, 1e-10)])
def test_long_numbers_that_differ_stay_different_as_powers_of_ten(size, step):
    data = {name: {"t": [size + step * (at + x) for x in (1, 2, 3, 2)]} for at, name in ((0, "A"), (4, "B"), (9, "C"))}
    lines = [line for line in ro.aggregate(data, measure=["mean"]).to_latex().splitlines() if " & " in line][1:]
    values = [line.partition(" & ")[2].partition("{[}")[0] for line in lines]
    assert len({*values}) == 3
    for line in lines:
        low, high = line.partition("{[}")[2].partition("{]}")[0].split(", ")
        assert low != high
    assert not any("10.00 $" in line for line in lines)
