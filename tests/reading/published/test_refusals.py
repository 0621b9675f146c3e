"""What can be read in two ways is refused in one sentence, with line and column where there is one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from runoff.errors import RunoffError
from runoff.reading.published.parentheses import are_ranks
from runoff.reading.published.read import TableOptions, read_table

HEAD = "| Task | PPO | SAC |\n|---|---|---|\n"


def rows(*cells: str) -> str:
    return HEAD + "".join(f"| {line} |\n" for line in cells)


CELLS = {
    "a thousand or a decimal": (
        rows("Hopper | 1,234 ± 1,100 | 1,300 ± 1,200"),
        "line 3, column 2: '1,234' may be a thousand or a decimal",
    ),
    "points and commas": (
        rows("Hopper | 12.5 ± 1 | 13,5 ± 1"),
        "'12.5' has a decimal point, but '13,5' on line 3, column 3",
    ),
    "a spread of all of it": (
        rows("Hopper | 12.5 ± 1.0 | 13.5 ± 99.0"),
        "line 3, column 3: the ± of '13.5 ± 99.0' is larger than any mean on 'Hopper'",
    ),
    "no number at all": (rows("Hopper | | ", "Pong | | "), "there is a header but no row of numbers below it"),
    "two forms": (rows("Hopper | 12.5 ± 1.0 | 13.5 (1.0)"), "differ in form"),
    "an uncertain digit": (rows("Hopper | 12.5(3) | 13.5(4)"), "line 3, column 2: the parentheses of '12.5(3)'"),
    "an interval": (
        rows("Hopper | 12.5 [11.0, 14.0] | 13.5 [12.5, 14.5]"),
        "line 3, column 2: '12.5 [11.0, 14.0]' has an interval with two ends",
    ),
    "an interval beside ±": (rows("Hopper | 12.5 [11.0, 14.0] | 13.5 ± 1.0"), "differ in form"),
    "an interval without its mean": (
        rows("Hopper | 12.5 [13.0, 14.0] | 13.5 [13.0, 14.0]"),
        "does not contain its mean",
    ),
    "an interval backwards": (rows("Hopper | 12.5 [14.0, 11.0] | 13.5 [13.0, 14.0]"), "does not contain its mean"),
    "ends that commas part thrice": (
        rows("Hopper | 12 [8,164,8,852] | 13 [12, 14]"),
        "'12 [8,164,8,852]' has an interval whose ends are ambiguous",
    ),
    "a comma that parts ends or decimals": (rows("Hopper | 12 (11,14) | 13 (12,15)"), "whose ends are ambiguous"),
    "a dash between signed ends": (rows("Hopper | -15 (-20--10) | -12 (-14--10)"), "whose ends are ambiguous"),
    "a k behind one number": (
        rows("Hopper | 121K ± 15 | 150K ± 12"),
        "the k or M may apply to both numbers or to one",
    ),
    "a k behind the spread": (
        rows("Hopper | 2.4 ± 0.3k | 2.5 ± 0.3k"),
        "the k or M may apply to both numbers or to one",
    ),
    "two spreads": (rows("Hopper | 12.5 ± 1.0 ± 2.0 | 13.5 ± 1.0"), "is not a mean, a mean ± a number"),
    "no number": (rows("Hopper | 12.5 ± 1.0 | fast"), "line 3, column 3: 'fast' is not a mean"),
    "a cross": (rows("Hopper | 12.5 ± 1.0 | ×"), "'×' is not a mean"),
    "NaN": (rows("Hopper | 12.5 ± 1.0 | NaN"), "'NaN' is not a score"),
    "a spread below 0": (rows("Hopper | 12.5 ± -1.0 | 13.5 ± 1.0"), "is below 0"),
    "a spread alone": (rows("Hopper | ± 1.0 | 13.5 ± 1.0"), "is a ± without a mean"),
    "spaced digits": (rows("Hopper | 1 2 . 5 ± 1.0 | 13.5 ± 1.0"), "is not a mean"),
    "digits of two sizes": (rows("Hopper | $12{\\tiny 4}$ | 13.5 ± 1.0"), "'12 4' is not a mean"),
    "a superscript": (rows("Hopper | 12<sup>345</sup> | 13.5 ± 1.0"), "'12 345' is not a mean"),
    "a subscript": (rows("Hopper | $95_100$ | 13.5 ± 1.0"), "'95_100' is not a mean"),
    "no spread at all": (rows("Hopper | 12.5 | 13.5"), "no cell has a ±"),
    "bold that does not end": (
        rows("Hopper | **12.5 ± 1.0 | 13.5 ± 1.0"),
        "line 3, column 2: bold text is not closed",
    ),
    "only the spread bold": (rows("Hopper | 12.5 ± **1.0** | 13.5 ± 1.0"), "the ± is bold and the mean is not"),
    "two units": (rows("Hopper | 85.0% ± 1.0% | 86.0 ± 1.0"), "is a percentage, and '86.0 ± 1.0'"),
    "a row too short": (rows("Hopper | 12.5 ± 1.0"), "line 3: this row has 2 cells and the first row 3"),
    "a task twice": (
        rows("Hopper | 1.0 ± 0.1 | 2.0 ± 0.1", "Hopper | 1.0 ± 0.1 | 2.0 ± 0.1"),
        "line 4, column 1: the task 'Hopper' is there twice, first on line 3",
    ),
    "an algorithm twice": (
        "| Task | PPO | PPO |\n|---|---|---|\n| Hopper | 1.0 ± 0.1 | 2.0 ± 0.1 |\n",
        "the algorithm 'PPO' is there twice",
    ),
    "one algorithm": ("| Task | PPO |\n|---|---|\n| Hopper | 1.0 ± 0.1 |\n", "there is one algorithm with a ±, 'PPO'"),
    "one run": (
        "| Task | PPO (n=1) | SAC (n=5) |\n|---|---|---|\n| Hopper | 1.0 ± 0.1 | 2.0 ± 0.1 |\n",
        "line 3, column 2: n = 1: a single run has no spread",
    ),
    "some runs": (
        "| Task | PPO (n=3) | SAC |\n|---|---|---|\n| Hopper | 1.0 ± 0.1 | 2.0 ± 0.1 |\n",
        "this entry has no number of runs",
    ),
    "half a run": (
        "| Method | n | Hopper |\n|---|---|---|\n| PPO | 2.5 | 1.0 ± 0.1 |\n| SAC | 3 | 1.0 ± 0.1 |\n",
        "must be whole, not '2.5'",
    ),
    "two tables": (
        rows("Hopper | 1.0 ± 0.1 | 2.0 ± 0.1") + "\n## Ants\n\n" + rows("Ant | 1.0 ± 0.1 | 2.0 ± 0.1"),
        "there are 2 Markdown tables, on lines 1, 7",
    ),
    "a cost or a score": (
        "| Method | Episode length | Falls |\n|---|---|---|\n| PPO | 1.0 ± 0.1 | 2.0 ± 0.1 |\n| SAC | 2.0 ± 0.1 | 3.0 ± 0.1 |\n",
        "'Episode length' may be a cost or a score, and no arrow shows which direction is better; use "
        "lower_is_better=['Episode length', 'Falls'], or lower_is_better='Falls' if higher is better.",
    ),
    "a cost with its highest mean bold": (
        "| Method | Crash rate |\n|---|---|\n| PPO | 1.0 ± 0.1 |\n| SAC | **2.0 ± 0.1** |\n",
        "the bold means of 'Crash rate' are its highest, and the name is that of a cost",
    ),
    "ranks": (
        rows("Hopper | 2410 (2) | 2950 (1)", "Ant | 3905 (2) | 4200 (1)"),
        "line 3, column 2: the parentheses, here '2410 (2)', are 1, 2, … on every task, like ranks",
    ),
    "tied ranks": (
        "| Task | PPO | SAC | TD3 |\n|---|---|---|---|\n| Hopper | 24 (2.5) | 29 (1) | 24 (2.5) |\n| Ant | 1 (1) | 1 (1) | 0 (3) |\n",
        "like ranks",
    ),
    "tied ranks of costs and scores": (
        "| Task | PPO | SAC | TD3 |\n|---|---|---|---|\n| Cost ↓ | 29 (2.5) | 24 (1) | 29 (2.5) |\n| Ant ↑ | 1 (1) | 1 (1) | 0 (3) |\n",
        "like ranks",
    ),
    "ranks beside references": (
        "| Task | Human | PPO | SAC |\n|---|---|---|---|\n| Ant | 9 | 24 (2) | 29 (1) |\n| Average | 9 | 24 (1.8) | 29 (1.2) |\n",
        "like ranks",
    ),
    "numbers of runs in parentheses": (
        rows("Hopper | 2410 (5) | 2950 (5)", "Ant | 3905 (5) | 4200 (5)"),
        "are the same in every cell, like numbers of runs; use n_runs= for them",
    ),
    "citations": (
        rows("Hopper | 2410 (12) | 2950 (7)", "Ant | 3905 (12) | 4200 (7)"),
        "the parentheses, here '2410 (12)', are the same for each algorithm, like citations; leave them out, or write ±",
    ),
    "numbers of episodes": (
        rows("Hopper | 2410 (50) | 2950 (50)", "Ant | 3905 (100) | 4200 (100)"),
        "are the same for each task, like numbers of episodes",
    ),
    "years": (rows("Hopper | 2410 (2017) | 2950 (2021)"), "the parentheses, here '2410 (2017)', are years"),
    "mean ranks": (
        rows("Hopper | 2410.2 (1.3) | 2950.1 (1.7)", "Ant | 3905.2 (1.2) | 4200.1 (1.8)"),
        "have the sum of mean ranks on every task",
    ),
    "a spread in per cent of its mean": (
        rows("Hopper | 5120 ± 8% | 4372 ± 2%"),
        "the ± of '5120 ± 8%' is a percentage of its mean; write both in one unit, as 5120 ± 409.6",
    ),
    "a share beside per cent": (rows("Hopper | 52% ± 0.08 | 43% ± 0.02"), "may be 0.08 or 8 per cent"),
    "a thousand with a point": (
        rows("Hopper | 980 ± 51 | 1.234 ± 62"),
        "line 3, column 3: '1.234' with a ± of 62 may be a thousand or a decimal",
    ),
    "bold is lowest": (rows("Hopper | **1.0 ± 0.1** | 2.0 ± 0.1"), "the bold means of 'Hopper' are its lowest"),
    "unknown sides": (
        "| x | a | b |\n|---|---|---|\n| c | 1.0 ± 0.1 | 2.0 ± 0.1 |\n",
        "are algorithms or tasks; use",
    ),
    "sides that disagree": (
        "| Method | PPO | SAC |\n|---|---|---|\n| Hopper | 1.0 ± 0.1 | 2.0 ± 0.1 |\n",
        "the header says 'Method', so algorithms; rows have names of tasks, so tasks",
    ),
    "an empty head": (
        "| Task | PPO | |\n|---|---|---|\n| Hopper | 1.0 ± 0.1 | 2.0 ± 0.1 |\n",
        "line 1, column 3: this column of numbers has no head",
    ),
    "no rows": (HEAD, "no table with a header and a row"),
}
LATEX = {
    "heads of three levels": (
        r"""\begin{tabular}{lcccc} \hline
        & \multicolumn{2}{c}{Hopper} & \multicolumn{2}{c}{Ant} \\
        & PPO & SAC & PPO & SAC \\ \hline
        100k & 1.0 $\pm$ 0.1 & 1.0 $\pm$ 0.1 & 1.0 $\pm$ 0.1 & 1.0 $\pm$ 0.1 \\ \hline
        \end{tabular}""",
        "line 3, column 2: the header 'PPO' stands in several columns, below 'Hopper' and others",
    ),
    "an unknown command": (
        "\\begin{tabular}{lc}\n\\hline Task & PPO & SAC \\\\ \\hline\nAnt & \\best{1.0} $\\pm$ 0.1 & 2.0 $\\pm$ 0.1 \\\\\n\\end{tabular}",
        r"line 3, column 2: what \best prints is unknown",
    ),
    "two tables": (
        "\\begin{tabular}{lc}\na & b \\\\\n\\end{tabular}\n\\caption{B}\n\\begin{tabular}{lc}\na & b \\\\\n\\end{tabular}",
        "there are 2 tables, on lines 1, 5",
    ),
    "a table without an end": ("\\begin{tabular}{lc}\na & b \\\\\n", "the table that begins on line 1 does not end"),
    "headings over the same algorithms": (
        r"""\begin{tabular}{lcc} \hline
        Method & Hopper & Ant \\ \hline
        \multicolumn{3}{c}{100k steps} \\
        PPO & 1.0 $\pm$ 0.1 & 1.0 $\pm$ 0.1 \\
        \multicolumn{3}{c}{500k steps} \\
        PPO & 1.0 $\pm$ 0.1 & 1.0 $\pm$ 0.1 \\
        \end{tabular}""",
        "line 4, column 1: the algorithm '100k steps / PPO' is there several times",
    ),
    "a brace too many": (
        "\\begin{tabular}{lc}\nTask & PPO \\\\ \\hline\nAnt & {1.0 $\\pm$ 0.1 \\\\\n\\end{tabular}",
        "a brace is not closed",
    ),
}
DELIMITED = {
    "a second table": (
        "task,PPO,SAC\nAnt,1 ± 0.1,2 ± 0.1\n\ntask,TD3\n",
        "line 4: a second table begins here, after the empty line 3",
    ),
    "several scores": (
        "algorithm,task,100k,500k\nPPO,Ant,1 ± 0.1,2 ± 0.1\n",
        "there are 2 columns of scores for each algorithm and task",
    ),
    "a cell twice": (
        "algorithm,task,score\nPPO,Ant,1 ± 0.1\nPPO,Ant,2 ± 0.1\nSAC,Ant,2 ± 0.1\n",
        "'PPO' on 'Ant' is there twice",
    ),
    "spreads without means": (
        "task,PPO_mean,SAC_std\nAnt,1,0.1\n",
        "no column is named as the spreads of 'PPO_mean' (for example 'PPO_std'; columns of spreads: 'SAC_std')",
    ),
    "a decimal comma": ("task,PPO,SAC\nAnt,1,5 ± 0,1,2,5 ± 0,1\n", "line 2: this row has 7 cells and the first row 3"),
    "an open quote": ('task,PPO,SAC\nAnt,"1 ± 0.1,2 ± 0.1\n', "this is not CSV"),
    "runs of a task": (
        "algorithm,task,seed,return\nPPO,Ant,0,5120\nPPO,Ant,1,5100\n",
        "the column 'seed' numbers runs, so rows are runs, not means; compare() reads them",
    ),
    "a variance": (
        "algorithm,task,mean,var\nPPO,Ant,5,1\nSAC,Ant,6,1\n",
        "the column 'var' is not a standard deviation or error",
    ),
    "grids of reStructuredText": (
        "===== =====\nEnv   SAC\n===== =====\nAnt   5 ± 1\n",
        "runoff does not read reStructuredText",
    ),
    "runs": ("algorithm,seed,score\nPPO,1,5.0\nPPO,2,6.0\nSAC,1,5.0\n", "no cell has a ±"),
}
EVERY = {**CELLS, **LATEX, **{f"csv: {name}": case for name, case in DELIMITED.items()}}


@pytest.mark.parametrize(("text", "message"), EVERY.values(), ids=EVERY)
def test_what_may_be_read_in_two_ways_is_refused(text, message):
    with pytest.raises(RunoffError) as refusal:
        read_table(text, TableOptions())
    assert message in str(refusal.value)
    assert str(refusal.value).startswith("the text")


@pytest.mark.parametrize(
    ("reading", "mean"),
    [
        (TableOptions(decimal="point", accept_wide=True), 1234.0),
        (TableOptions(decimal="comma", accept_wide=True), 1.234),
    ],
)
def test_who_says_what_a_comma_is_has_it_read_so(reading, mean):
    assert read_table(CELLS["a thousand or a decimal"][0], reading).cells[0].mean == mean


@pytest.mark.parametrize(("decimal", "mean"), [("comma", 1234.0), ("point", 1.234)])
def test_who_says_what_a_point_is_has_it_read_so(decimal, mean):
    assert read_table(CELLS["a thousand with a point"][0], TableOptions(decimal=decimal)).cells[1].mean == mean


@pytest.mark.parametrize("cells", ["85.3 ± 1.2% | 90.1 ± 1.0%", "85% ± 2 | 90% ± 1", "52.3% ± 0.4 | 43.1% ± 0.2"])
def test_percentages_of_which_one_number_has_the_sign_are_read(cells):
    table = read_table(rows(f"Hopper | {cells}"), TableOptions())
    assert [cell.spread for cell in table.cells] == [float(cell.split("±")[1].strip(" %")) for cell in cells.split("|")]


def test_parentheses_that_are_taken_for_spreads_are_said():
    notes = read_table(rows("Hopper | 24.1 (3.2) | 29.0 (4.1)"), TableOptions()).notes
    assert "The numbers in parentheses, as in '24.1 (3.2)', were read as ±." in notes


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        ("a spread of all of it", TableOptions(accept_wide=True)),
        ("bold is lowest", TableOptions(lower="none")),
        ("bold is lowest", TableOptions(lower=["Hopper"])),
        ("a cost or a score", TableOptions(lower=["Episode length", "Falls"])),
        ("a cost or a score", TableOptions(lower="Falls")),
        ("a cost with its highest mean bold", TableOptions(lower="none")),
        ("unknown sides", TableOptions(rows="tasks")),
        ("sides that disagree", TableOptions(rows="tasks")),
        ("some runs", TableOptions(n={"SAC": 4})),
    ],
)
def test_the_repair_that_a_refusal_names_repairs(name, reading):
    assert len(read_table(CELLS[name][0], reading).cells) >= 2


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        (TableOptions(rows="columns"), "rows must be one of auto, algorithms, tasks"),
        (TableOptions(lower=["Hoper"]), "no task of the table (Hopper). Did you mean 'Hopper'?"),
        (TableOptions(n={"PO": 3}), "which the table does not have. Did you mean 'PPO'?"),
        (TableOptions(n=1), "n = 1: a single run has no spread"),
        (TableOptions(n=0), "n must be a whole number of at least 1"),
        (TableOptions(n={"PPO": 3, "Hopper": 4}), "is given as 3 and 4"),
    ],
)
def test_options_that_fit_no_table_are_refused(reading, message):
    with pytest.raises(RunoffError) as refusal:
        read_table(rows("Hopper | 1.0 ± 0.1 | 2.0 ± 0.1"), reading)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    "cells",
    [
        ("24 (2) | 29 (3)", "39 (2) | 42 (1)"),
        ("24 (20) | 29 (11)", "39 (2) | 42 (1)"),
        ("24 (1) | 29 (1)", "39 (1) | 42 (1)"),
        ("24 ± 2 | 29 ± 1", "39 ± 2 | 42 ± 1"),
    ],
)
def test_spreads_that_are_no_ranks_on_some_task_or_stand_behind_plus_minus_are_read(cells):
    text = rows(*(f"{task} | {row}" for task, row in zip(("Hopper", "Ant"), cells, strict=True)))
    assert len(read_table(text, TableOptions()).cells) == 4


@pytest.mark.parametrize("method", ["min", "max", "average", "dense"])
def test_ranks_of_any_kind_are_known_and_ties_against_the_means_are_none(method):
    rng = np.random.default_rng(5)
    for values in (rng.integers(0, 4, size) for size in (2, 3, 4, 6) for _ in range(25)):
        ranks = stats.rankdata(values, method).tolist()
        assert are_ranks(list(zip(ranks, values.tolist(), strict=True)))
        upside_down = list(zip(ranks, (-values).tolist(), strict=True))
        assert are_ranks(upside_down) == (len(set(ranks)) in (1, len(values)))


def test_a_cost_that_the_caller_forgets_is_asked_for():
    text = CELLS["a cost or a score"][0]
    with pytest.raises(
        RunoffError, match="lower_is_better= names 'Episode length' and not 'Falls', which is the name of a cost"
    ):
        read_table(text, TableOptions(lower="Episode length"))
    assert read_table(text.replace("Falls", "Falls ↑"), TableOptions(lower="Episode length")).lower == (
        "Episode length",
    )


def test_an_arrow_and_the_caller_must_agree():
    text = "| Method | Return ↑ |\n|---|---|\n| PPO | 1.0 ± 0.1 |\n| SAC | 2.0 ± 0.1 |\n"
    with pytest.raises(RunoffError, match="the arrow at 'Return' says that higher is better"):
        read_table(text, TableOptions(lower="all"))


@pytest.mark.parametrize("path", ["no/such/table.tex", "no_such_table.md"])
def test_a_file_that_is_not_there_is_refused(path):
    with pytest.raises(RunoffError, match="no such file"):
        read_table(path, TableOptions())
