"""CSV files as people keep them: comments, empty rows and columns, headers within, percent, missing scores, amounts of steps."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

import runoff as ro

HEADER = "algo,env,seed,return\n"
ROWS = "PPO,Ant,0,1.5\nPPO,Ant,1,2.5\nSAC,Ant,0,3.5\nSAC,Ant,1,4.5\n"
SCORES = {"PPO": {"Ant": [1.5, 2.5]}, "SAC": {"Ant": [3.5, 4.5]}}


@pytest.mark.parametrize(
    "content",
    [
        "# mine, 2024\n" + HEADER + ROWS,
        "# made, by, me, today\n#\n" + HEADER + ROWS,
        "# " + HEADER + ROWS,
        "# mine; 2024\n" + (HEADER + ROWS).replace(",", ";"),
        HEADER + ROWS.replace("SAC", "# from here on, SAC\nSAC", 1),
        HEADER + ROWS.replace("SAC", HEADER + "SAC", 1),
        (HEADER + ROWS).replace("\n", ",,\n"),
        HEADER + ROWS.replace("\n", ",\n", 2),
        HEADER.replace("\n", ",,\n") + ROWS,
        ",,,\n" + HEADER + ROWS + ",,,\n , ,,\n",
    ],
)
def test_comments_empty_rows_and_columns_and_headers_within_are_no_runs(put, content):
    assert ro.read_scores(put("runs.csv", content)).to_dict() == SCORES


def test_lines_that_are_left_out_are_noted(put):
    content = "# mine\n" + HEADER + ROWS + HEADER
    notes = ro.read_scores(put("runs.csv", content)).provenance.notes
    assert {
        "left out: 1 line(s) of comment, which begin with '#'",
        "left out: 1 line(s) that repeat the header line",
    } <= {*notes}


def test_a_row_behind_a_hash_is_refused_until_it_is_removed_or_quoted(put):
    content = HEADER + ROWS + "#1 ours,Ant,0,9\n"
    with pytest.raises(ro.DataError, match=r"line 6: a line that begins with '#' .* in quotes if it is one"):
        ro.read_scores(put("runs.csv", content))
    quoted = ro.read_scores(put("quoted.csv", content.replace("#1 ours", '"#1 ours"')))
    assert quoted.to_dict() == SCORES | {"#1 ours": {"Ant": [9.0]}}


def test_a_hash_inside_a_quoted_field_begins_no_comment(put):
    content = '"name\n#2",score\nPPO,1\n'
    assert ro.read_scores(put("runs.csv", content), columns={"algorithm": "name\n#2"}).algorithms == ("PPO",)


def test_columns_with_content_need_names(put):
    with pytest.raises(ro.DataError, match="the column name '' appears twice"):
        ro.read_scores(put("runs.csv", "algo,,,return\nPPO,a,b,1\n"))


@pytest.mark.parametrize("content", ["algo,success\nPPO,41%\nSAC,57.5 %\n", "PPO,SAC\n41%,57.5%\n"])
def test_percent_is_read_as_it_stands_and_stated(put, content):
    scores = ro.read_scores(put("runs.csv", content))
    assert scores.to_dict() == {"PPO": {"task": [41.0]}, "SAC": {"task": [57.5]}}
    assert "scores are in percent: each is the number before its % sign" in scores.provenance.notes


def test_decimal_commas_of_percent_follow_the_option(put):
    file = put("runs.csv", "algo;success\nPPO;41,5%\nSAC;57,5%\n")
    assert ro.read_scores(file) == ro.read_scores(file, decimal="comma")
    assert ro.read_scores(file, decimal="comma").to_dict() == {"PPO": {"task": [41.5]}, "SAC": {"task": [57.5]}}


@pytest.mark.parametrize("content", ["algo,success\nPPO,41%\nSAC,0.57\n", "PPO,SAC\n41%,0.57\n"])
def test_percent_beside_other_numbers_is_refused(put, content):
    with pytest.raises(ro.DataError, match="give all scores in percent, or none"):
        ro.read_scores(put("runs.csv", content))


def test_files_of_percent_beside_others_are_refused(put):
    files = [put("PPO.csv", "seed,success\n0,41%\n"), put("SAC.csv", "seed,success\n0,0.57\n")]
    with pytest.raises(ro.DataError, match=r"PPO.csv are in percent and those of .*SAC.csv are not"):
        ro.read_scores(files)


@pytest.mark.parametrize("text", ["N/A", "NA", "-", "null", "#N/A", "None"])
def test_texts_for_a_missing_score_lead_to_what_it_counts(put, text):
    file = put("runs.csv", HEADER + ROWS + f"SAC,Ant,2,{text}\n")
    with pytest.raises(
        ro.DataError, match=f"is {text}; if this run failed, enter .* incomplete='drop' or incomplete='worst'"
    ):
        ro.read_scores(file)
    assert ro.read_scores(file, incomplete="drop").to_dict() == SCORES
    assert ro.read_scores(file, incomplete="worst").cell("SAC", "Ant").tolist() == [3.5, 4.5, 1.5]


def test_an_empty_score_leads_to_what_it_counts(put):
    with pytest.raises(
        ro.DataError, match=r"is missing; if this run failed, enter .* incomplete='drop' or incomplete='worst'"
    ):
        ro.read_scores(put("runs.csv", HEADER + ROWS + "SAC,Ant,2,\n"))


def test_amounts_are_steps(put):
    lines = [f"PPO,0,{step},1" for step in ("0", "500k", "1.5M", "2 million")]
    curves = ro.read_curves(put("runs.csv", "algo,seed,steps,return\n" + "\n".join(lines) + "\n"))
    assert curves.steps.tolist() == [0, 500_000, 1_500_000, 2_000_000]


def test_three_digits_after_every_point_beside_semicolons_are_asked_for(put):
    file = put("runs.csv", "algo;return\nPPO;1.234\nSAC;2.345\n")
    with pytest.raises(ro.DataError, match=r"'1\.234' in a table whose columns are separated by semicolons"):
        ro.read_scores(file)
    assert ro.read_scores(file, decimal="point").cell("PPO", "task").tolist() == [1.234]
    assert ro.read_scores(file, decimal="comma").cell("PPO", "task").tolist() == [1234.0]
    other = put("other.csv", "algo;return\nPPO;0.234\nSAC;2.345\n")
    assert ro.read_scores(other).cell("SAC", "task").tolist() == [2.345]


@pytest.mark.parametrize("text", ["2,324"])
def test_commas_that_may_part_thousands_lead_to_the_option(put, text):
    file = put("runs.csv", f'algo,return\nPPO,"{text}"\n')
    with pytest.raises(ro.DataError, match="use decimal='point' if commas separate"):
        ro.read_scores(file)
    assert ro.read_scores(file, decimal="point").cell("PPO", "task").tolist() == [float(text.replace(",", ""))]


@pytest.mark.parametrize("text", ["#", "\n#\n\n", "# algorithm,score\n"])
def test_a_file_of_comments_alone_has_no_rows(tmp_path, text):
    (tmp_path / "runs.csv").write_text(text)
    with pytest.raises(ro.DataError, match="there are no rows of data"):
        ro.read_scores(tmp_path / "runs.csv")


CURVE = "step,return\n100,100\n200,200\n300,300\n400,400\n500,"


@pytest.mark.parametrize("last", ["4", " 4", "4 "])
def test_a_last_score_that_is_cut_off_is_left_out_whatever_blanks_stand_beside_it(put, last):
    with pytest.warns(ro.RunoffWarning, match="its last value, '4', looks cut off: the line is left out"):
        assert ro.load(put("ppo_seed0.csv", CURVE + last)).steps.tolist() == [100, 200, 300, 400]


def test_an_empty_last_field_is_no_word_that_is_cut_off(put):
    rows = "".join(f"{name},{run},1.5,done\n" for name in ("PPO", "SAC") for run in range(4))
    notes = ro.load(put("runs.csv", f"algo,seed,return,status\n{rows}SAC,4,1.5,")).provenance.notes
    assert not any("cut off" in note for note in notes)


@pytest.mark.parametrize("last", ["PPO,x,0,50", "PPO,x,0", "PPO,x"])
def test_a_last_line_that_is_cut_off_before_its_score_is_left_out_with_a_warning(put, last):
    rows = [("algo", "task", "seed", "step", "return"), *(("PPO", "x", 0, k, k / 8) for k in (10, 20, 30, 40))]
    text = "\n".join([*(",".join(map(str, row)) for row in rows), last])
    with pytest.warns(ro.RunoffWarning, match="of 5 fields: it is left out, as cut off"):
        assert ro.load(put("runs.csv", text)).steps.tolist() == [10, 20, 30, 40]
    with pytest.raises(ro.DataError, match="was the file cut off here"):
        ro.load(put("runs.csv", text + "\n"))


@pytest.mark.parametrize("unit", ["mm", " \u00b0C", " s"])
@pytest.mark.parametrize("n", [3, 300])
def test_an_equal_unit_behind_all_costs_is_none_of_their_digits(put, unit, n):
    rows = "".join(f"{a},{i},{i + 0.5}{unit}\n" for a in ("PID", "MPC") for i in range(n))
    scores = ro.load(put("runs.csv", f"controller,trial,RMSE\n{rows}"), columns={"score": "RMSE"})
    assert scores.cell("PID", "task").tolist() == [i + 0.5 for i in range(n)]
    with pytest.raises(ro.DataError):
        ro.load(put("runs.csv", f"controller,trial,RMSE\n{rows}PID,x,1.5 km\n"), columns={"score": "RMSE"})


def test_a_text_that_is_called_a_workbook_is_read_as_text(put):
    text = "controller\ttask\ttrial\treturn\n-\t-\t-\tm\nPID\tx\t1\t3.5\nPID\tx\t2\t4.5\nMPC\tx\t1\t5.5\n"
    assert ro.load(put("runs.xls", text)).to_dict() == {"MPC": {"x": [5.5]}, "PID": {"x": [3.5, 4.5]}}
    with pytest.raises(ro.DataError, match="the workbook is damaged"):
        ro.load(put("runs.xls", "a\0b"))


@pytest.mark.parametrize(("last", "cut"), [("9.5", False), ("9", True), ("10", True), ("123", True), ("1.25", False)])
def test_a_last_number_is_called_cut_off_that_lacks_digits_and_is_shorter_than_all_others(put, last, cut):
    rows = "".join(f"A,{i},{10 + i}.5\n" for i in range(7))
    path = put("runs.csv", f"algo,seed,score\n{rows}A,7,{last}")
    with pytest.warns(ro.RunoffWarning, match="shorter than all others") if cut else nullcontext():
        assert ro.load(path).values.size == 8


def test_a_short_last_line_of_another_kind_is_not_left_out_and_a_score_by_request_may_be_cut_off(put):
    with pytest.raises(ro.DataError, match="was the file cut off here"):
        ro.read_curves(put("a.csv", "step,seed,note,return\n1,0,a,45\n2,0,a,120\n3,0,a,180\nmean,0"))
    text = "step,payoff\n1,145.5\n2,120.5\n3,180.5\n4,218.5\n5,2"
    with pytest.warns(ro.RunoffWarning, match="its last value, '2', looks cut off: the line is left out"):
        assert ro.read_curves(put("b.csv", text), columns={"score": "payoff"}).steps.tolist() == [1, 2, 3, 4]
