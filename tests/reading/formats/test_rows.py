"""The row that a refusal names is the one that an editor, or the file itself, shows: first, middle and last, over blank lines."""

from __future__ import annotations

import gzip
import io
import json
import re

import polars as pl
import pytest

import runoff as ro

N = 5
"""Rows of data; the bad one is the first, a middle one or the last, counted from 0."""
PLACES = pytest.mark.parametrize("bad", [0, 2, N - 1])
BAD = {"text": "bad", "nothing": "", "not a number": "nan", "infinite": "inf", "a decimal comma": '"1,5"'}


def row_in(refusal):
    """The number behind "line", "row", "record" or "entry" in a refusal."""
    return int(re.search(r"\b(?:line|row|record|entry) (\d+)", str(refusal.value))[1])


def refused(path, **options):
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(path, **options)
    return refusal


def tidy(bad, value="bad", separator=","):
    """The lines of a tidy table with one bad score."""
    scores = [value if i == bad else str(float(i)) for i in range(N)]
    rows = [f"A,Pong,{i},{score}" for i, score in enumerate(scores)]
    return [line.replace(",", separator) for line in ("algorithm,task,run,score", *rows)]


def editor_line(text, fragment):
    """Where an editor shows a fragment, counted from 1."""
    return next(at for at, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1) if fragment in line)


# ── delimited ──────────


@PLACES
@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_a_bad_score_of_a_tidy_table_is_named_by_its_line_the_header_counting(put, bad, value):
    text = "\n".join(tidy(bad, value)) + "\n"
    assert row_in(refused(put("runs.csv", text))) == editor_line(text, f"A,Pong,{bad},") == bad + 2


@PLACES
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n\n"], ids=["no end", "an end", "blank lines"])
def test_line_ends_and_a_missing_or_repeated_last_one_change_no_line(put, bad, end, last):
    text = end.join(tidy(bad)) + last.replace("\n", end)
    assert row_in(refused(put("runs.csv", text))) == editor_line(text, "bad")


@PLACES
@pytest.mark.parametrize("before", [0, 1, 3])
def test_blank_lines_above_the_header_and_between_rows_are_counted(put, bad, before):
    text = "\n" * before + "\n\n".join(tidy(bad))
    assert row_in(refused(put("runs.csv", text))) == editor_line(text, "bad") == before + 2 * bad + 3


@PLACES
def test_a_name_over_two_lines_is_counted_as_two_and_named_by_the_first_of_its_own(put, bad):
    lines = [line.replace("Pong", '"Po\nng"') for line in tidy(bad)]
    assert row_in(refused(put("runs.csv", "\n".join(lines)))) == 2 + 2 * bad


@PLACES
def test_a_table_of_tabs_and_a_compressed_one_are_counted_alike(put, bad):
    text = "\n".join(tidy(bad, separator="\t"))
    assert row_in(refused(put("runs.tsv", text))) == bad + 2
    assert row_in(refused(put("more.tsv.gz", gzip.compress(text.encode(), mtime=0)))) == bad + 2


@PLACES
def test_a_line_with_too_few_fields_and_one_that_is_no_utf8_are_named_by_their_line(put, bad):
    short = [line.replace(",bad", "") for line in tidy(bad)]
    assert row_in(refused(put("short.csv", "\n".join(short)))) == bad + 2
    mixed = (
        "\n".join(tidy(bad, "1.0")).replace(f"Pong,{bad}", f"Pöng,{bad}").encode("latin-1") + "\nÄ,Pong,99,1".encode()
    )
    assert row_in(refused(put("mixed.csv", mixed))) == bad + 2


def test_a_line_that_is_no_utf8_is_named_by_its_line_where_lines_end_as_on_old_macs_too(put):
    assert row_in(refused(put("old.csv", b"algorithm,score\rA,1\rB\xf6,2\r" + "Ä,3\r".encode()))) == 3


def test_a_repeated_run_is_named_by_both_its_lines(put):
    text = "algorithm,run,score\nA,0,1\n\nB,0,2\nA,1,3\n\nA,0,4\n"
    with pytest.raises(ro.DataError, match="in line 2 and line 7"):
        ro.read_scores(put("runs.csv", text))


@PLACES
@pytest.mark.parametrize("value", ["bad", "nan", "inf"])
def test_a_bad_score_of_a_wide_table_is_named_by_line_and_column(put, bad, value):
    rows = [f"{i},{value if i == bad else i}" for i in range(N)]
    text = "\n".join(["PPO,DQN", *rows])
    with pytest.raises(ro.DataError, match=rf"line {bad + 2}(: the score \(column 'DQN'\)|, column 'DQN': the score)"):
        ro.read_scores(put("wide.csv", text))


@PLACES
@pytest.mark.parametrize("gap", ["\n", "\n\n"], ids=["plain", "blank lines between"])
def test_an_empty_task_of_a_wide_table_is_named_by_its_line_and_column(put, bad, gap):
    rows = [f"{'' if i == bad else 'Pong'},{i},{i},{2 * i}" for i in range(N)]
    text = gap.join(["task,seed,PPO,DQN", *rows])
    with pytest.raises(ro.DataError, match=f"line {editor_line(text, f',{bad},')}, column 'PPO': the task"):
        ro.read_scores(put("wide.csv", text))


def test_a_repeated_run_of_a_wide_table_is_named_by_both_its_lines_in_the_later_column_too(put):
    text = "seed,PPO,DQN\n0,5,1\n1,6,1\n\n2,,2\n0,,3\n"
    with pytest.raises(ro.DataError, match=r"'DQN', .* in line 2, column 'DQN' and line 6, column 'DQN'"):
        ro.read_scores(put("wide.csv", text))


# ── records, arrays, numbers ──────────


@PLACES
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\r\n"])
def test_a_bad_record_of_a_line_each_is_named_by_its_line_there_being_no_header(put, bad, gap):
    records = [json.dumps({"agent": "A", "seed": i, "score": "bad" if i == bad else i}) for i in range(N)]
    text = gap + gap.join(records)
    assert row_in(refused(put("runs.ndjson", text))) == editor_line(text, "bad")


@PLACES
def test_a_line_that_is_no_record_is_named_by_its_line(put, bad):
    lines = ["{" if i == bad else json.dumps({"agent": "A", "score": i}) for i in range(N)]
    assert row_in(refused(put("runs.jsonl", "\n".join(lines)))) == bad + 1


@PLACES
@pytest.mark.parametrize("value", [None, "bad", float("nan"), True])
def test_a_bad_record_of_a_list_and_a_bad_entry_of_columns_are_counted_from_one(put, bad, value):
    scores = [value if i == bad else float(i) for i in range(N)]
    records = [{"agent": "A", "seed": i, "score": score} for i, score in enumerate(scores)]
    columns = {"agent": ["A"] * N, "seed": list(range(N)), "score": scores}
    assert f"record {bad + 1}:" in str(refused(put("records.json", json.dumps(records))).value)
    assert f"entry {bad + 1}:" in str(refused(put("columns.json", json.dumps(columns))).value)


@PLACES
def test_json_without_rows_names_algorithm_task_and_run(put, bad):
    cells = {"A": {"Pong": [1, 2]}, "B": {"Pong": [1], "Hero": ["bad" if i == bad else i for i in range(N)]}}
    message = str(refused(put("runs.json", json.dumps(cells))).value)
    assert f"algorithm 'B', task 'Hero', run '{bad}': the score is 'bad'" in message


@PLACES
@pytest.mark.parametrize("value", [None, float("nan"), float("-inf")])
def test_a_bad_row_of_parquet_is_counted_from_one_there_being_no_header(put, bad, value):
    scores = [value if i == bad else float(i) for i in range(N)]
    for columns in ({"algo": ["A"] * N, "score": scores}, {"PPO": [*scores, 9.0], "DQN": [1.0] * (N + 1)}):
        buffer = io.BytesIO()
        pl.DataFrame(columns).write_parquet(buffer)
        assert row_in(refused(put("runs.parquet", buffer.getvalue()))) == bad + 1


@PLACES
@pytest.mark.parametrize("value", ["nan", "inf"])
def test_bare_numbers_are_named_by_line_and_column_comments_and_blank_lines_counting(put, bad, value):
    vector = "# runs\n\n" + "\n\n".join(value if i == bad else str(i) for i in range(N))
    matrix = "# runs\n\n" + "\n".join(f"{i} {value if i == bad else i} {i}" for i in range(N))
    assert f"line {editor_line(vector, value)}:" in str(refused(put("one.txt", vector)).value)
    assert f"line {bad + 3}, column 2:" in str(refused(put("two.txt", matrix)).value)


# ── a frame, several files, steps ──────────


@PLACES
@pytest.mark.parametrize("make", [dict, pl.DataFrame])
def test_a_row_of_a_frame_is_counted_from_zero_as_frames_are(bad, make):
    frame = make({"algo": ["A"] * N, "score": ["bad" if i == bad else str(i) for i in range(N)]})
    with pytest.raises(ro.DataError, match=f"the frame, row {bad}: the score"):
        ro.Scores.from_frame(frame)


def test_of_several_files_a_repeated_run_is_named_by_each_file_and_the_line_in_it(put):
    header = "algorithm,task,run,score\n"
    put("b.csv", header + "A,Hero,0,1\nA,Hero,1,1\n")
    put("c.csv", header + "\nA,Pong,0,1\n")
    folder = put("d.csv", header + "B,Pong,0,1\nA,Hero,0,1\n").parent
    with pytest.raises(ro.DataError, match=r"in b\.csv line 2 and d\.csv line 3"):
        ro.read_scores(folder)
    put("d.csv", header + "B,Pong,0,1\n\n\nA,Pong,0,1\n")
    with pytest.raises(ro.DataError, match=r"in c\.csv line 3 and d\.csv line 5"):
        ro.read_scores(folder)


@PLACES
@pytest.mark.parametrize("column", [2, 3])
def test_a_bad_step_and_a_bad_score_of_a_curve_are_named_by_their_line(put, bad, column):
    rows = [["A", "0", str(100 * i), str(i)] for i in range(N)]
    rows[bad][column] = "bad"
    text = "\n".join(map(",".join, [["algo", "seed", "step", "score"], *rows]))
    with pytest.raises(ro.DataError, match=f"line {bad + 2}: the {('step', 'score')[column - 2]}"):
        ro.read_curves(put("curves.csv", text))
