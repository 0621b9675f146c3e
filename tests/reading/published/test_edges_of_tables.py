"""Laws of printed tables that small slips break: what is bold, what a header leaves of a name, and that orders of names do not matter."""

from __future__ import annotations

from itertools import permutations

import pytest

import runoff as ro

NESTED = r"""
\begin{tabular}{lcc}
Task & PPO & SAC \\
Pong & 1.0 $\pm$ 0.1 & {\bf {2.0 $\pm$ 0.2}} \\
Qbert & 3.0 $\pm$ 0.3 & \textbf{{4.0} $\pm$ 0.4} \\
\end{tabular}
"""
ROWS = {"A": (1.0, 2.0), "B": (3.0, 4.0), "C": (3.0, 4.0)}


def table_of(tmp_path, text, name="table.md", **options):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return ro.claims(path, n_runs=5, **options).table


def printed(rows, heads=("Task", "PPO", "SAC")):
    lines = [" | ".join([name, *(f"{mean} ± 0.1" for mean in means)]) for name, means in rows.items()]
    return "\n".join(f"| {line} |" for line in [" | ".join(heads), "---|---|---", *lines]) + "\n"


def test_a_group_within_a_bold_group_is_bold(tmp_path):
    cells = table_of(tmp_path, NESTED, "table.tex").cells
    assert {(cell.algorithm, cell.task) for cell in cells if cell.bold} == {("SAC", "Pong"), ("SAC", "Qbert")}


@pytest.mark.parametrize("names", list(permutations("AC")))
def test_tasks_where_lower_is_better_stand_in_the_order_of_the_table(names, tmp_path):
    assert table_of(tmp_path, printed(ROWS), lower_is_better=list(names)).lower == ("A", "C")


@pytest.mark.parametrize("gap", [", ", "; ", " "])
def test_what_a_header_says_of_its_numbers_is_no_part_of_the_name(gap, tmp_path):
    rows = {f"{name}{gap}mean ± std": means for name, means in ROWS.items()}
    assert table_of(tmp_path, printed(rows)).tasks == ("A", "B", "C")


@pytest.mark.parametrize("ours", ["Ours", "Baseline", "baseline"])
def test_the_side_that_names_ours_or_a_baseline_is_that_of_the_algorithms(ours, tmp_path):
    rows = {"Thing": (1.0, 2.0), ours: (3.0, 4.0)}
    assert table_of(tmp_path, printed(rows, ("", "Foo", "Bar"))).algorithms == ("Thing", ours)
    turned = {"Foo": (1.0, 3.0), "Bar": (2.0, 4.0)}
    assert table_of(tmp_path, printed(turned, ("", "Thing", ours))).algorithms == ("Thing", ours)


HEAD = r"\begin{tabular}{lcc} Task & PPO & SAC \\ \hline"
PARTS = {name: rf"{HEAD} {name} & 1.0 $\pm$ 0.1 & 2.0 $\pm$ 0.2 \\ \end{{tabular}}" for name in "ABC"}
FIRST, ON = r"\caption{Results.}", (r"\caption{Results (continued).}", r"\ContinuedFloat \caption{Results.}")


@pytest.mark.parametrize("words", ON)
@pytest.mark.parametrize("order", ["1A+B", "1AB+", "A1B+", "A1+B", "1A+B+C", "A1B+C+"])
def test_a_caption_above_or_below_a_part_of_a_table_says_that_it_goes_on(order, words, tmp_path):
    text = "\n".join({**PARTS, "1": FIRST, "+": words}[sign] for sign in order)
    assert "".join(table_of(tmp_path, text, "table.tex").tasks) == order.replace("1", "").replace("+", "")


@pytest.mark.parametrize("words", ON)
@pytest.mark.parametrize("order", ["1A1B", "A1B1", "1A1B+C", "1A+B1C", "A1B1C+", "A1B+C1"])
def test_a_caption_of_another_table_that_goes_on_joins_none(order, words, tmp_path):
    text = "\n".join({**PARTS, "1": FIRST, "+": words}[sign] for sign in order)
    with pytest.raises(ro.DataError, match=f"there are {len({*order} & {*PARTS})} tables, on lines"):
        table_of(tmp_path, text, "table.tex")
