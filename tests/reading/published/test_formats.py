"""One table says the same in every format, either way round."""

from __future__ import annotations

import pytest

from runoff.errors import RunoffError
from runoff.reading.printed.grids import columns_behind_sign, read_grid
from runoff.reading.published.read import TableOptions, read_table
from tests.reading.published.tables import LATEX, MARKDOWN, SAID, TABLES


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_a_table_says_the_same_in_every_format(text):
    table = read_table(text, TableOptions())
    assert {(c.algorithm, c.task): (c.mean, c.spread, c.bold) for c in table.cells} == SAID
    assert table.cell("A2C", "Hopper-v4") is None
    assert set(table.algorithms) == {"PPO", "Ours", "A2C"}


@pytest.mark.parametrize(
    ("name", "kind"), [("tidy", "sd"), ("paired", "sd"), ("csv", None), ("pandas", "sd"), ("zoo", "sd")]
)
def test_a_table_that_names_its_spreads_says_what_they_are(name, kind):
    assert read_table(TABLES[name], TableOptions()).spread == kind


@pytest.mark.parametrize(
    ("suffix", "name"), [(".tex", "latex"), (".md", "markdown"), (".csv", "csv"), (".tsv", "tabs")]
)
def test_a_file_is_read_by_its_suffix(tmp_path, suffix, name):
    path = tmp_path / f"table{suffix}"
    path.write_text(TABLES[name], encoding="utf-8")
    table = read_table(path, TableOptions())
    assert table.place == str(path)
    assert table.format == (name if name != "tabs" else "tsv")
    assert len(table.cells) == len(SAID)


def test_a_page_of_markdown_may_hold_its_table_in_latex(tmp_path):
    path = tmp_path / "README.md"
    path.write_text(f"# Results\n\n```\n{TABLES['latex']}```\n", encoding="utf-8")
    assert len(read_table(path, TableOptions()).cells) == len(SAID)
    path.write_text("# Results\n\nNone.\n", encoding="utf-8")
    with pytest.raises(RunoffError, match="there is no Markdown table"):
        read_table(path, TableOptions())


def test_a_cell_knows_its_line_its_column_and_its_last_digit():
    cell = read_table(MARKDOWN, TableOptions()).cell("Ours", "Pong")
    assert (cell.line, cell.column, cell.text) == (7, 3, "18.2 ± 1.1")
    assert (cell.mean_unit, cell.spread_unit) == (0.1, 0.1)
    assert read_table(LATEX, TableOptions()).cell("A2C", "Pong").line == 10


def test_a_file_of_a_program_is_as_precise_as_its_most_precise_number():
    table = read_table(TABLES["tidy"], TableOptions())
    assert {cell.mean_unit for cell in table.cells if cell.task == "Hopper-v4"} == {0.1}
    assert table.cell("Ours", "Hopper-v4").text == "2950 ± 110"


def test_what_stands_beside_the_table_is_told_and_decides_nothing():
    table = read_table(MARKDOWN.replace("std.", "standard error over 5 seeds."), TableOptions())
    assert table.spread is None
    assert table.cells[0].n is None
    assert (
        "The text beside the table says “standard error”; captions are not used; spread= states what ± is."
        in table.notes
    )
    assert (
        "The text beside the table says “5 seeds”; use n_runs= if these are the runs behind each cell." in table.notes
    )


@pytest.mark.parametrize("empty", ["| |", "||"])
def test_labels_in_several_columns_are_joined_and_averages_left_out(empty):
    table = read_table(
        "| Dataset | Environment | BC | CQL |\n|---|---|---|---|\n| Medium | Hopper | 5.0 ± 1.0 | 6.0 ± 1.0 |\n| | Ant | 7.0 ± 1.0 | 4.0 ± "
        "1.0 |\n"
        "| Average | | 6.0 | 5.0 |\n".replace("| |", empty),
        TableOptions(),
    )
    assert table.tasks == ("Medium / Hopper", "Medium / Ant")
    assert "Left out, since it sums up the others: Average." in table.notes


def test_headings_between_rows_are_told_and_no_rows():
    text = r"""\begin{tabular}{lcc} \toprule
    Method & Hopper & Ant \\ \midrule
    \multicolumn{3}{l}{\textit{Model-free}} \\
    PPO & 5.0 $\pm$ 1.0 & 6.0 $\pm$ 1.0 \\
    \multicolumn{3}{l}{\textit{Model-based}} \\
    MBPO \cite{someone} & 5.0 $\pm$ 1.0 & 6.0 $\pm$ 1.0 \\ \bottomrule \end{tabular}
    """
    table = read_table(text, TableOptions())
    assert table.algorithms == ("PPO", "MBPO")
    assert "Rows without any number were read as headings: Model-free; Model-based." in table.notes


@pytest.mark.parametrize(
    ("head", "n"), [("PPO (n=5)", 5), ("PPO (n = 12)", 12), ("PPO, n=5", 5), ("PPO (10 seeds)", 10), ("PPO", None)]
)
def test_a_head_may_say_the_runs(head, n):
    text = (
        f"| Task | {head} | SAC{'' if n is None else ' (n=3)'} |\n|---|---|---|\n| Hopper | 5.0 ± 1.0 | 6.0 ± 1.0 |\n"
    )
    table = read_table(text, TableOptions())
    assert table.cell("PPO", "Hopper").n == n


@pytest.mark.parametrize("head", ["n", "N", "seeds", "n_runs", "# seeds"])
def test_a_column_may_say_the_runs(head):
    text = f"| Method | {head} | Hopper |\n|---|---|---|\n| PPO | 5 | 5.0 ± 1.0 |\n| SAC | 7 | 6.0 ± 1.0 |\n"
    table = read_table(text, TableOptions())
    assert [cell.n for cell in table.cells] == [5, 7]
    assert table.tasks == ("Hopper",)


@pytest.mark.parametrize(
    ("head", "lower"), [("Steps ↓", True), ("Cost ($\\downarrow$)", True), ("Return ↑", False), ("Return", False)]
)
def test_arrows_say_which_direction_is_better(head, lower):
    text = f"| Method | {head} |\n|---|---|\n| PPO | 5.0 ± 1.0 |\n| SAC | 6.0 ± 1.0 |\n"
    table = read_table(text, TableOptions())
    assert bool(table.lower) is lower


def test_a_single_column_of_means_is_the_score():
    table = read_table("algorithm,mean,std,n\nPPO,10.5,1.2,5\nSAC,12.5,1.1,5\n", TableOptions())
    assert table.tasks == ("score",)
    assert [cell.n for cell in table.cells] == [5, 5]


@pytest.mark.parametrize("head", ["N", "count", "Count", "runs", "seeds", "# runs"])
def test_a_column_of_numbers_of_runs_is_no_score_wherever_it_stands(head):
    for heads, row in (
        (f"mean,std,{head}", "{m},1.2,5"),
        (f"{head},mean,std", "5,{m},1.2"),
        (f"Pong,Pong_std,{head}", "{m},1.2,5"),
    ):
        lines = [f"algorithm,{heads}", *(f"{name},{row.format(m=m)}" for name, m in (("PPO", 10.5), ("SAC", 12.5)))]
        table = read_table("\n".join(lines), TableOptions())
        assert [(cell.mean, cell.n) for cell in table.cells] == [(10.5, 5), (12.5, 5)]


@pytest.mark.parametrize("mark", [",", "\t", "|"], ids=["csv", "tsv", "markdown"])
def test_a_task_without_any_spread_is_left_out_whatever_the_format(mark):
    rows = [["task", "PPO", "A2C"], ["Hopper", "1", "2"], ["Pong", "1.5 ± 0.1", "2.5 ± 0.1"]]
    lines = [mark.join(row) for row in rows]
    text = "\n".join([lines[0], *(["---|---|---"] if mark == "|" else []), *lines[1:], ""])
    table = read_table(text, TableOptions())
    assert table.tasks == ("Pong",)
    assert "Left out, since none of its cells has a ±: Hopper." in table.notes


@pytest.mark.parametrize(("mark", "unit"), [(",", 0.001), ("\t", 0.001), ("|", 0.1)], ids=["csv", "tsv", "markdown"])
def test_programs_drop_zeros_of_a_column_and_print_keeps_them(mark, unit):
    rows = [
        ["task", "PPO", "A2C"],
        *(["---"] * 3 for _ in mark if mark == "|"),
        ["Hopper", "0.5 ± 0.1", "0.512 ± 0.034"],
    ]
    table = read_table("\n".join(mark.join(row) for row in rows), TableOptions())
    cell = table.cell("PPO", "Hopper")
    assert cell is not None
    assert (cell.mean_unit, cell.spread_unit) == pytest.approx((unit, unit))


SPANS = {
    "the first row": ("999999999", "1 ± 1", "the table has 1000000000 columns"),
    "another row": ("1", r"\multicolumn{999999999}{c}{1 ± 1}", "this row has 1000000000 cells and the first row 2"),
    "no number": ("9" * 5000, "a", "'a' is not a mean"),
}


@pytest.mark.parametrize(("across", "cell", "sentence"), SPANS.values(), ids=SPANS)
def test_a_cell_that_spans_more_columns_than_there_can_be_is_refused_at_once(across, cell, sentence):
    rows = [rf"Task & \multicolumn{{{across}}}{{c}}{{PPO}} \\ \hline", rf"Hopper & {cell} \\", r"Ant & 1 ± 1 \\"]
    text = "\n".join([r"\begin{tabular}{lc}", *rows, r"\end{tabular}"])
    with pytest.raises(RunoffError, match=sentence):
        read_table(text, TableOptions())


def test_columns_of_columns_of_columns_end():
    assert columns_behind_sign("{" + "*{99}{" * 6 + "c" + "}" * 7) == frozenset()


@pytest.mark.parametrize("name", ["pandas", "unstacked pandas"])
@pytest.mark.parametrize("labelled", [True, False], ids=["names of labels", "none"])
def test_heads_of_two_levels_are_read_whatever_number_of_rows_stands_below(name, labelled):
    lines = TABLES[name].splitlines(keepends=True)
    heads, rows = lines[:3] if labelled or name == "pandas" else lines[:2], lines[3:]
    for n in range(3 if name == "pandas" else 1, len(rows) + 1):
        read = read_table("".join([*heads, *rows[:n]]), TableOptions())
        there = {(c.algorithm, c.task) for c in read.cells}
        assert {(c.algorithm, c.task): (c.mean, c.spread, c.bold) for c in read.cells} == {at: SAID[at] for at in there}
        assert len(there) == (n if name == "pandas" else {1: 2, 2: 5}[n])


@pytest.mark.parametrize(
    ("heads", "named"), [("score | std", True), ("Hopper | Pong | std", False), ("std | Hopper | Pong", False)]
)
def test_a_column_of_spreads_belongs_to_the_only_column_of_means_and_to_none_of_several(heads, named):
    n = heads.count("|") + 1
    rows = "".join(f"| {name} |{' 1.5 |' * n}\n" for name in ("PPO", "SAC"))
    table = f"| method | {heads} |\n|---|{'---|' * n}\n{rows}"
    if named:
        assert {cell.spread for cell in read_table(table, TableOptions()).cells} == {1.5}
    else:
        with pytest.raises(RunoffError, match="no column is named as the spreads of 'Hopper'"):
            read_table(table, TableOptions())


ROW = "| {} | 12.5 ± 1.0 | 13.5 ± 1.0 |\n"
HEAD = "| Task | PPO | SAC |\n|---|---|---|\n"


@pytest.mark.parametrize("form", ["{}---\n", "{}-----\n\nWords\n", "---\ntitle: a | b\n---\n\n{}"])
def test_a_rule_without_bars_begins_no_table(form):
    assert read_table(form.format(HEAD + ROW.format("Hopper")), TableOptions()).tasks == ("Hopper",)


@pytest.mark.parametrize("gap", ["\n", "  \n", "\t\n", " \nTable 1 (continued)\n \n"])
def test_a_table_goes_on_behind_a_line_of_blanks(gap):
    text = HEAD + ROW.format("Hopper") + gap + HEAD + ROW.format("Pong")
    assert read_table(text, TableOptions()).tasks == ("Hopper", "Pong")


def test_a_bar_that_is_escaped_at_the_end_of_a_line_is_part_of_its_name():
    text = "Task | PPO | SAC \\|\n---|---|---\nHopper | 12.5 ± 1.0 | 13.5 ± 1.0\n"
    assert read_table(text, TableOptions()).algorithms == ("PPO", "SAC |")


@pytest.mark.parametrize("head", ["PPO_(std)", "PPO - (std)", "PPO: (std)", "PPO-[std]", "PPO (std)"])
def test_marks_between_a_name_and_its_statistic_in_brackets_are_no_part_of_the_name(head):
    text = f"task,PPO,{head},SAC,SAC_std\nHopper,12.5,1.0,13.5,1.0\nPong,2.5,1.0,3.5,1.0\n"
    assert [cell.spread for cell in read_table(text, TableOptions()).cells] == [1.0] * 4


@pytest.mark.parametrize("head", ["PPO_IQM", "PPO_IQM_", "PPO IQM"])
def test_a_centre_at_the_end_of_a_name_is_one_whatever_stands_around_it(head):
    with pytest.raises(RunoffError, match="says 'IQM', and only means can be tested"):
        read_table((HEAD + ROW.format("Hopper")).replace("PPO", head), TableOptions())


@pytest.mark.parametrize("mean", ["18", "18.2", "18.16"])
@pytest.mark.parametrize("spread", ["2", "1.1", "1.12"])
def test_the_mean_and_the_spread_of_a_cell_are_rounded_each_to_its_own_last_digit(mean, spread):
    text = f"| Task | Ours | PPO |\n| --- | --- | --- |\n| Pong | {mean} ± {spread} | 17.3 ± 1.5 |\n"
    cell = read_table(text, TableOptions()).cell("Ours", "Pong")
    assert (cell.mean, cell.spread) == (float(mean), float(spread))
    units = [10.0 ** -len(number.partition(".")[2]) for number in (mean, spread)]
    assert [cell.mean_unit, cell.spread_unit] == pytest.approx(units)


def test_a_first_line_with_semicolons_is_parted_at_these_and_not_at_its_commas():
    grid = read_grid("t", "Method; return, last\nppo; 12,5\nsac; 13,5\n", "auto")
    assert [[entry.text.strip() for entry in row] for row in grid.rows] == [
        ["Method", "return, last"],
        ["ppo", "12,5"],
        ["sac", "13,5"],
    ]
