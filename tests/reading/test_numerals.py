"""Numbers and tables as people write them: marks, signs, units, titles, totals, merged cells."""

from __future__ import annotations

from itertools import pairwise

import pytest

import runoff as ro
from runoff.errors import DataError
from runoff.tables.values import amounts

ROWS = [(a, t, i, 40 + 3 * i + 10 * (a == "SAC")) for a in ("PPO", "SAC") for t in ("x", "y") for i in range(3)]


def table(written: str = "{}.25", separator: str = ",", head: str = "algorithm,task,seed,score") -> str:
    quoted = '"{}"' if separator in written else "{}"
    lines = [
        f"{a},{t},{i}".replace(",", separator) + separator + quoted.format(written.format(s)) for a, t, i, s in ROWS
    ]
    return "\n".join([head.replace(",", separator), *lines]) + "\n"


@pytest.mark.parametrize(
    ("written", "separator", "scale", "note"),
    [
        ("{}.25", ",", 1, ""),
        ("{},25", ";", 1, "commas are decimal separators"),
        ("{},25", "\t", 1, "commas are decimal separators"),
        ("{},25", ",", 1, "commas are decimal separators"),
        ("1,0{}.25", ",", 1, "commas separate thousands"),
        ("1.0{},25", ";", 1, "points separate thousands"),
        ("{},250", ";", 1, "commas are decimal separators"),
        ("\u2212{}.25", ",", -1, "minus sign"),
        ("({}.25)", ",", -1, "negative, as in accounting"),
        ("{}.25k", ",", 1000, "amounts"),
        ("{}.25 pts", ",", 1, "the unit 'pts'"),
    ],
)
def test_scores_are_read_as_they_are_written_where_that_can_mean_one_thing(put, written, separator, scale, note):
    scores = ro.read_scores(put("runs.tsv" if separator == "\t" else "runs.csv", table(written, separator)))
    more = 1000 if written.startswith("1") else 0
    assert scores.cell("SAC", "y").tolist() == [scale * (more + s + 0.25) for s in (50, 53, 56)]
    assert any(note in said_of for said_of in scores.provenance.notes) or not note


@pytest.mark.parametrize("written", ["{},250", "{}.5 pts|{}.5 m"])
def test_what_may_mean_two_things_is_refused(put, written):
    text = table(written) if "|" not in written else table("{}.5 pts").replace("40.5 pts", "40.5 m")
    with pytest.raises(ro.DataError, match="which is not a number"):
        ro.read_scores(put("runs.csv", text))


def test_a_comma_beside_a_point_elsewhere_in_the_file_is_no_decimal(put):
    text = (
        table("{},25", ";", head="algorithm,task,seed,score")
        .replace(";score", ";loss;score")
        .replace(";x;0;", ";x;0;0.5;")
    )
    rows = [
        line if line.count(";") == 4 else line.replace(";x;", ";x;").replace(";", ";", 1) for line in text.splitlines()
    ]
    full = [rows[0], *(";".join([*line.split(";")[:3], "0.5", line.split(";")[-1]]) for line in rows[1:])]
    with pytest.raises(ro.DataError, match="'40,25', which is not a number"):
        ro.read_scores(put("runs.csv", "\n".join(full)))


def test_steps_with_marks_of_thousands_are_read(put):
    rows = "".join(f'{a},{s},"{1000 * i:,}",{i}.5\n' for a in ("PPO", "SAC") for s in range(2) for i in range(1, 4))
    curves = ro.read_curves(put("runs.csv", "algorithm,seed,step,return\n" + rows))
    assert sorted(set(curves.steps.tolist())) == [1000, 2000, 3000]


@pytest.mark.parametrize("head", ["score [points]", "return (%)", "reward (points)"])
def test_a_unit_in_a_head_is_no_part_of_its_name(put, head):
    scores = ro.read_scores(put("runs.csv", table(head=f"algorithm,task,seed,{head}")))
    assert dict(scores.provenance.columns)["score"] == head


def test_a_single_whole_number_at_the_beginning_of_a_curve_says_nothing_of_its_points(put):
    rows = "".join(f"{1000 * i},{'7' if i == 0 else f'{10 + i}.125'}\n" for i in range(8))
    assert ro.read_curves(put("PPO_Hopper-v4_s0.csv", "step,return\n" + rows)).values.tolist()[:2] == [7, 11.125]


@pytest.mark.parametrize("title", ["Mean over 5 seeds", "Results averaged over 10 runs (1M steps)"])
def test_a_title_that_speaks_of_means_over_runs_makes_no_run_of_a_mean(put, title):
    path = put("table.csv", f"{title}\n\nalgo,Hopper,Ant\nPPO,1,2\nSAC,2,3\n")
    with pytest.raises(DataError, match="says that its numbers are means over runs, and a mean is not a run"):
        ro.read_scores(path)


@pytest.mark.parametrize(
    ("title", "head", "rows"),
    [
        ("Return averaged over 100 episodes", "algo,task,score", ("PPO,Hopper,1", "SAC,Hopper,2")),
        ("Mean over 5 seeds is in the paper", "algo,seed,score", ("PPO,0,1", "SAC,0,2")),
    ],
)
def test_means_of_episodes_and_numbered_runs_are_scores(put, title, head, rows):
    path = put("table.csv", "\n".join([title, "", head, *rows, ""]))
    assert ro.read_scores(path).values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("above", ["Results of March\n", "Results,,,\n,,,\n", "Lab\n\nMarch\n"])
def test_titles_above_the_head_are_left_out_and_lines_keep_their_number(put, above):
    text = above + table()
    scores = ro.read_scores(put("runs.csv", text))
    assert scores.n_runs.sum() == 12
    assert any("above the column names" in note for note in scores.provenance.notes)
    line = text.count("\n")
    with pytest.raises(ro.DataError, match=f"line {line}: the score"):
        ro.read_scores(put("bad.csv", text.rstrip("\n")[:-5] + "bad\n"))


def test_a_row_of_units_is_left_out(put):
    head, rows = table().split("\n", 1)
    scores = ro.read_scores(put("runs.csv", f"{head}\n,,,[points]\n{rows}"))
    assert (scores.n_runs.sum(), any("row of units" in note for note in scores.provenance.notes)) == (12, True)


def test_a_first_row_with_a_word_for_a_score_is_no_row_of_units(put):
    head, rows = table().split("\n", 1)
    with pytest.raises(ro.DataError, match=r"line 2: the score .* is crashed"):
        ro.read_scores(put("runs.csv", f"{head}\nPPO,x,9,crashed\n{rows}"))


@pytest.mark.parametrize("below", ["Mean,,,50.2\n", "\nTotal,,12,602.5\n", "Mean,,,50.2\nStd,,,3.1\n"])
def test_totals_below_a_table_are_left_out_with_a_warning(put, below):
    with pytest.warns(ro.RunoffWarning, match=r"left out: \d row\(s\) of the table that sum up others"):
        assert ro.read_scores(put("runs.csv", table() + below)).n_runs.sum() == 12


@pytest.mark.parametrize("rows", ["Best PPO,1,\n", "Best PPO,0,5\nBest PPO,1,\n", "Best PPO,,5\nBest PPO,1,6\n"])
def test_a_row_that_lacks_its_score_or_has_a_name_of_whole_rows_is_no_total(put, rows):
    with pytest.raises(ro.DataError, match=r"the (score|run) .* is (missing|empty)"):
        ro.read_scores(put("runs.csv", f"algo,seed,score\nPPO,0,1\nPPO,1,2\n{rows}"))


def test_an_unlabelled_row_that_is_no_total_is_refused(put):
    with pytest.raises(ro.DataError, match=r"line 14: the task .* is empty"):
        ro.read_scores(put("runs.csv", table() + "DQN,,0,50.2\n"))


@pytest.mark.parametrize("merged", [("algorithm",), ("task",), ("algorithm", "task")])
def test_merged_cells_have_the_label_above_them(put, merged):
    head, first, *rows = (line.split(",") for line in table().splitlines())
    cells = (zip(head, row, above, strict=True) for above, row in pairwise([first, *rows]))
    shown = [["" if name in merged and cell == old else cell for name, cell, old in row] for row in cells]
    scores = ro.read_scores(put("runs.csv", "\n".join(map(",".join, [head, first, *shown])) + "\n"))
    assert scores == ro.read_scores(put("whole.csv", table()))


@pytest.mark.parametrize("empty", [[4], [1]])
def test_a_label_that_is_missing_is_no_merged_cell(put, empty):
    lines = table().splitlines()
    text = "\n".join("," + line.partition(",")[2] if i in empty else line for i, line in enumerate(lines))
    with pytest.raises(ro.DataError, match=r"the algorithm .* is empty"):
        ro.read_scores(put("runs.csv", text + "\n"))


def test_a_pivot_of_pandas_with_a_head_of_three_lines_is_read(put):
    text = "algorithm,PPO,PPO,SAC,SAC\ntask,x,y,x,y\nseed,,,,\n0,1.5,2.5,3.5,4.5\n1,1.25,2.25,3.25,4.25\n"
    scores = ro.read_scores(put("runs.csv", text))
    assert scores.to_dict() == {
        "PPO": {"x": [1.5, 1.25], "y": [2.5, 2.25]},
        "SAC": {"x": [3.5, 3.25], "y": [4.5, 4.25]},
    }


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be-marked", "utf-32", "cp1252"])
def test_texts_of_other_encodings_are_read_and_a_guess_is_told(put, encoding, recwarn):
    text = table().replace("PPO", "Prüf")
    data = b"\xfe\xff" + text.encode("utf-16-be") if encoding == "utf-16-be-marked" else text.encode(encoding)
    scores = ro.read_scores(put("runs.csv", data))
    assert scores.algorithms == ("Prüf", "SAC")
    assert any("read as Windows-1252" in str(warning.message) for warning in recwarn) == (encoding == "cp1252")


def test_an_empty_line_among_bare_numbers_is_told(put):
    notes = ro.read_scores(put("PPO.txt", "5.1\n6.2\n\n7.5\n")).provenance.notes
    assert "line 3 is empty, and stands for no score (1 such lines)" in notes


def test_non_breaking_spaces_part_thousands(put):
    scores = ro.load(put("runs.csv", "algo,seed,return\nA,0,27\u00a0678\nA,1,1\u202f250.5\nA,2,940\n"))
    assert scores.values.tolist() == [27678, 1250.5, 940]


SAME = [
    ("1k", "1000", "1 thousand"),
    ("1m", "1000k", "1 mio", "1 million"),
    ("1b", "1000m", "1000000k", "1000 million"),
]


@pytest.mark.parametrize("spellings", SAME, ids=lambda spellings: spellings[0])
def test_an_amount_is_one_number_however_it_is_written(spellings):
    numbers = {float(amounts([text, "2k"])[0]) for text in spellings}
    assert len(numbers) == 1


@pytest.mark.parametrize("separator", ["\t", ";", ","])
def test_no_comma_after_a_zero_parts_thousands(put, separator):
    scores = ro.load(put("t.csv", table("0,4{}", separator)))
    assert scores.cell("PPO", "x").tolist() == [0.44, 0.443, 0.446]


@pytest.mark.parametrize("written", ["1,4{}", "10,0{}"])
def test_a_comma_that_may_part_thousands_is_asked_about(put, written):
    with pytest.raises(DataError, match="decimal='point' if commas separate thousands"):
        ro.load(put("t.csv", table(written, "\t")))


@pytest.mark.parametrize("cells", [("0,464", "12.5"), ("0.464", "1,5")])
@pytest.mark.parametrize("decimal", ["auto", "point", "comma"])
def test_a_zero_before_thousands_is_no_reading_of_a_mixed_column(put, cells, decimal):
    with pytest.raises(DataError, match="write all decimals of the column with a point"):
        ro.load(
            put("t.tsv", "algo\tseed\tscore\n" + "".join(f"A\t{k}\t{c}\n" for k, c in enumerate(cells))),
            decimal=decimal,
        )


def parts(first, second):
    rows = ["| {0} | {1}50 | {1}70 |".format(seed, "{}") for seed in range(3)]
    tables = ["\n".join(["| seed | PPO | SAC |", "|---|---|---|", *rows]).format(*[own] * 6) for own in (first, second)]
    return f"## Hopper\n\n{tables[0]}\n\n## Ant\n\n{tables[1]}\n"


@pytest.mark.parametrize("order", [("0,6", "12,4"), ("12,4", "0,6"), ("-0,6", "12,4"), ("0,6", "-112,4")])
def test_a_comma_that_can_only_be_decimal_in_one_table_is_that_in_the_others(put, order):
    scores = ro.load(put("notes.md", parts(*order)))
    for task, written in zip(("Hopper", "Ant"), order, strict=True):
        assert scores.cell("SAC", task).tolist() == [float(f"{written}70".replace(",", "."))] * 3


@pytest.mark.parametrize("order", [("12,4", "64,64,"), ("12,4", "0."), ("12,4", "12.4")])
def test_a_comma_beside_points_or_lists_in_another_table_stays_a_question(put, order):
    with pytest.raises(ro.DataError, match=r"is not a number|holds no numbers"):
        ro.load(put("notes.md", parts(*order)))


def test_a_comma_that_can_only_be_decimal_in_one_column_is_that_in_the_others_of_its_table(put):
    wide = "seed;PPO;SAC\n0;0,65;12,415\n1;0,70;13,814\n".replace(";", "\t")
    assert ro.load(put("runs.tsv", wide)).cell("SAC", "task").tolist() == [12.415, 13.814]
    with pytest.raises(ro.DataError, match="may separate thousands or"):
        ro.load(put("runs.tsv", wide.replace("0,65", "64,64").replace("0,70", "0,1")))


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("1.5m", "2.5K", "'1.5m', which is not a number; write amounts as plain numbers"),
        ("21/20", "3/20", "'21/20', which is not a number"),
        ("0.5 (3/6)", "0.7 (1/6)", "'0.5 (3/6)', which is not a number"),
        ("dns", "1.5", "is dns .2 such rows.; if this run failed"),
    ],
)
def test_numbers_that_contradict_each_other_are_refused(put, first, second, words):
    path = put("r.csv", "algo,seed,score\n" + "".join(f"{a},0,{first}\n{a},1,{second}\n" for a in "AB"))
    with pytest.raises(ro.DataError, match=words.replace("(", r"\(").replace(")", r"\)")):
        ro.load(path)


@pytest.mark.parametrize(
    ("well", "ill"), [("correct", "wrong"), ("correct", "incorrect"), ("Won", "lost"), ("ja", "nee")]
)
def test_words_of_outcomes_are_1_and_0(put, well, ill):
    text = "algo,seed,score\n" + "".join(f"{a},0,{well}\n{a},1,{ill}\n" for a in "AB")
    assert ro.load(put("r.csv", text)).to_dict() == {a: {"task": [1, 0]} for a in "AB"}


@pytest.mark.parametrize(("other", "head", "score"), [("2,8", "UCB", 1.104), ("2,888", "UCB", None)])
def test_decimals_of_one_column_tell_those_of_the_others(put, other, head, score):
    rows = [f"Pub\t{i}\t1,10{i}\t{value}" for i, value in ((4, other), (5, "2,859"))]
    path = put("g.tsv", "\n".join([f"Jeu\tEssai\tBandit\t{head}", *rows]))
    if score is None:
        with pytest.raises(DataError, match="separate thousands or decimals"):
            ro.load(path)
    else:
        assert ro.load(path).cell("Bandit", "Pub").tolist() == [1.104, 1.105]
