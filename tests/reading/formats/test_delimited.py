"""CSV and TSV: what is read, and the line of every refusal."""

from __future__ import annotations

import gzip
import subprocess
import sys

import polars as pl
import pytest

import runoff as ro

TIDY = "algorithm,task,run,score\nPPO,Pong,0,18\nPPO,Pong,1,20\nA2C,Pong,0,9.5\n"


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_comma_tab_and_semicolon_are_told_apart_whatever_the_suffix(put, separator, suffix):
    scores = ro.read_scores(put(f"runs{suffix}", TIDY.replace(",", separator)))
    assert scores.to_dict() == {"A2C": {"Pong": [9.5]}, "PPO": {"Pong": [18.0, 20.0]}}


@pytest.mark.parametrize(
    "content",
    [
        TIDY.replace("\n", "\r\n"),
        TIDY.replace("\n", "\r"),
        "\ufeff" + TIDY,
        TIDY.rstrip("\n"),
        "\n\n" + TIDY + "\n\n",
        TIDY.replace("PPO", '"PPO"'),
        TIDY.replace("algorithm", "Algorithm").replace("score", "SCORE"),
        TIDY.replace("algorithm,task,run,score", "Agent, Env_ID ,Seed,Episodic_Return"),
        gzip.compress(TIDY.encode(), mtime=0),
    ],
)
def test_endings_byte_order_marks_blank_lines_quotes_case_and_gzip_change_nothing(put, content):
    assert ro.read_scores(put("runs.csv", content)) == ro.read_scores(put("plain.csv", TIDY))


def test_the_chosen_columns_are_recorded(put):
    scores = ro.read_scores(put("runs.csv", TIDY.replace("algorithm", "exp_name").replace("score", "return")))
    expected = {"algorithm": "exp_name", "task": "task", "run": "run", "score": "return"}
    assert dict(scores.provenance.columns) == expected


def test_columns_override_what_would_be_recognised(put):
    file = put("runs.csv", "algorithm,task,run,score,success\nPPO,Pong,0,18,0.5\n")
    scores = ro.read_scores(file, columns={"score": "success"})
    assert scores.cell("PPO", "Pong").tolist() == [0.5]
    assert "columns not used: 'score'" in scores.provenance.notes


def test_one_column_an_algorithm_is_read_with_its_row_numbers_ignored(put):
    scores = ro.read_scores(put("wide.csv", ",PPO,DDPG\n0,1,2\n1,3,4\n"))
    assert scores.to_dict() == {"DDPG": {"task": [2, 4]}, "PPO": {"task": [1, 3]}}
    assert any("'PPO', 'DDPG' is taken as an algorithm" in note for note in scores.provenance.notes)


@pytest.mark.parametrize(("head", "role"), [("seed", "run"), ("question", "task")])
def test_a_column_that_names_the_rows_of_a_wide_table_is_noted(put, head, role):
    scores = ro.read_scores(put("wide.csv", f"{head},PPO,DDPG\na,1,2.5\nb,3,4\n"))
    assert f"column {head!r} names the {role}s" in scores.provenance.notes


def test_numbers_may_be_the_names_of_algorithms(put):
    assert ro.read_scores(put("wide.csv", ",0.1,0.01\n0,1,2\n1,3,4\n")).algorithms == ("0.01", "0.1")
    assert ro.read_scores(put("tidy.csv", "algorithm,score\n007,1\n7,2\n")).algorithms == ("007", "7")


def test_a_wide_table_may_end_early_in_a_column_and_says_so(put):
    scores = ro.read_scores(put("wide.csv", "PPO,DDPG\n1,2\n3,\n"))
    assert scores.n_runs.ravel().tolist() == [1, 2]
    assert any("'DDPG' has 1 of 2" in note for note in scores.provenance.notes)


def test_a_hole_in_a_wide_table_is_no_end_and_is_refused(put):
    with pytest.raises(
        ro.DataError, match=r"wide.csv, line 2, column 'DDPG': the score is missing; .* incomplete='drop'"
    ):
        ro.read_scores(put("wide.csv", "PPO,DDPG\n1,\n3,2\n"))


@pytest.mark.parametrize("gap", ["", "-", "n/a", "nan"])
def test_runs_of_a_wide_table_that_have_no_score_count_as_the_user_says(put, gap):
    file = put("wide.csv", f"task,seed,PPO,DDPG\nx,0,1.5,{gap}\nx,1,3,2\nx,2,4,2.5\n")
    with pytest.raises(ro.DataError, match=r"line 2, column 'DDPG': the score is missing; .* incomplete='drop'"):
        ro.read_scores(file)
    assert ro.read_scores(file, incomplete="drop").to_dict() == {"DDPG": {"x": [2, 2.5]}, "PPO": {"x": [1.5, 3, 4]}}
    assert ro.read_scores(file, incomplete="worst").cell("DDPG", "x").tolist() == [1.5, 2, 2.5]


def test_a_wide_table_may_have_task_and_seed_columns(put):
    scores = ro.read_scores(put("wide.csv", "task,seed,PPO,A2C\nPong,7,1,2\nAlien,7,3,4\n"))
    assert scores.tasks == ("Alien", "Pong")
    assert set(scores.run_labels) == {"7"}


def test_a_file_without_algorithm_column_is_one_algorithm_named_by_the_file(put):
    scores = ro.read_scores(put("My Agent.v2.csv.gz", gzip.compress(b"game,seed,return\nPong,1,2\n", mtime=0)))
    assert scores.algorithms == ("My Agent.v2",)
    assert scores.provenance.parts == (("algorithm", "the file name"),)


def test_a_text_column_that_may_be_the_algorithm_is_not_pooled(put):
    with pytest.raises(ro.DataError, match="'machine' holds text: is it the algorithm"):
        ro.read_scores(put("runs.csv", "machine,seed,return\nPPO,0,1\nA2C,1,2\n"))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "the file is empty"),
        ("\n\n", "no header line and no rows"),
        ("algorithm,task,run,score\n", "no rows of data"),
        ("1,2,3\n4,5,6\n", "line 1: a header line with column names is needed"),
        (TIDY.replace("score", "payoff"), r"no column is recognised as the score .*found 'algorithm'"),
        (TIDY.replace("score", "run"), "line 1: the column name 'run' appears twice"),
        ("algorithm,run,score,score\n", "line 1: the column name 'score' appears twice"),
        (TIDY.replace("run", "value"), r"the columns '(value', 'score|score', 'value)' could each be the score"),
        (TIDY.replace("20", "twenty"), r"line 3: the score \(column 'score'\) is 'twenty', which is not a number"),
        (TIDY.replace("20", "1_000"), "line 3: .*'1_000', which is not a number"),
        (TIDY.replace("20", ""), "line 3: the score .* is missing"),
        (TIDY.replace("20", "nan"), "line 3: the score .* is nan; if this run failed, enter the score that counts"),
        (TIDY.replace("20", "-inf"), "line 3: the score .* is -inf"),
        (TIDY.replace("20", "1e999"), "line 3: the score .* is inf"),
        (TIDY.replace("1,20", "0,20"), "algorithm 'PPO', task 'Pong', run '0' appears twice, in line 2 and line 3"),
        (TIDY.replace("PPO,Pong,1", ",Pong,1"), r"line 3: the algorithm \(column 'algorithm'\) is empty"),
        (TIDY.replace(",20", ""), "line 3: 3 field.s. where the header has 4; was the file cut off here"),
        (TIDY.replace("20", "20,5"), "line 3: 5 fields where the header has 4; .* not a comma"),
        (
            TIDY.replace(",", ";").replace("9.5", "9,5").replace("18", "1.8"),
            "line 4: .*'9,5', which is not a number beside '1.8'; write all decimals",
        ),
        (TIDY.replace("Pong,1", '"Pong,1'), "line 3: this is not well-formed CSV: a quote is opened and never closed"),
        (
            TIDY.encode().replace(b"Pong,1", b"P\xf6ng,1").replace(b"A2C", "Ä2C".encode()),
            r"line 3: byte 44 \(0xf6\) is not UTF-8",
        ),
        (
            # A mark of the order of bytes is counted, as editors count it.
            b"\xef\xbb\xbf"
            + TIDY.replace("\n", "\r\n").encode().replace(b"Pong,1", b"P\xf6ng,1").replace(b"A2C", "Ä2C".encode()),
            r"line 3: byte 49 \(0xf6\) is not UTF-8",
        ),
        (TIDY.encode("utf-16")[:-1], "marked as UTF-16, but is not"),
        (b"\x00\x01\x02" * 50, "binary file"),
        (b"PAR1" + b"\x00" * 50, "the name ends in .csv, the content is parquet"),
        (gzip.compress(TIDY.encode(), mtime=0)[:-12], "the gzip file is cut off before its end"),
        (gzip.compress(TIDY.encode(), mtime=0)[:14] + b"\xff" * 30, "the gzip file is"),
    ],
)
def test_bad_files_are_refused_in_one_sentence_with_file_and_line(put, content, sentence):
    with pytest.raises(ro.DataError, match=sentence) as refusal:
        ro.read_scores(put("runs.csv", content))
    assert "runs.csv" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_lines_are_counted_over_blank_lines_and_quoted_line_breaks(put):
    content = 'algorithm,score\n\n"two\nlines",1\nPPO,bad\n'
    with pytest.raises(ro.DataError, match=r"line 5: .*'bad'"):
        ro.read_scores(put("runs.csv", content))


@pytest.mark.parametrize(
    "name",
    ["<script>alert(1)</script>", "=cmd()", "../../x", "🤖", "x" * 500, "a,b", 'say "hi"', "λ & σ", "NA", "null"],
)
def test_names_survive_intact(put, name):
    quoted = '"' + name.replace('"', '""') + '"'
    for field in (quoted, name) if "," not in name and '"' not in name else (quoted,):
        scores = ro.read_scores(put("runs.csv", f"algorithm,task,score\n{field},{field},1\n"))
        assert (scores.algorithms, scores.tasks) == ((name,), (name,))


def test_hundreds_of_columns_are_read_and_their_number_is_said(put):
    extra = [f"x{i}" for i in range(300)]
    header, row = ",".join(["algorithm", "score", *extra]), ",".join(["PPO", "1", *["0"] * 300])
    scores = ro.read_scores(put("runs.csv", f"{header}\n{row}\n"))
    assert any("292 more" in note for note in scores.provenance.notes)


def test_the_quick_and_the_careful_parser_agree(put):
    rows = "".join(f"A{i % 3},T{i % 5},{i},{i / 7}\n" for i in range(300))
    plain = ro.read_scores(put("plain.csv", "algorithm,task,run,score\n" + rows))
    quoted = ro.read_scores(put("quoted.csv", '"algorithm",task,run,score\n' + rows))
    assert plain == quoted


def test_another_separator_than_the_suffix_says_is_noted(put):
    read = ro.read_scores(put("runs.csv", "algorithm\tscore\nPPO\t1\nA2C\t2\n"))
    assert "columns are separated by tabs" in read.provenance.notes


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.csv",
            "algorithm,score\nPPO,1\nPPO\n",
            "line 3: 1 field(s) where the header has 2; was the file cut off here?",
        ),
        (
            "a.csv",
            "algorithm,score\nPPO,1,5\n",
            "line 2: 3 fields where the header has 2; quote fields that hold the separator and write decimals with a point, not a comma.",
        ),
        (
            "a.tsv",
            "algorithm\tscore\nA\tB\t1\n",
            "line 2: 3 fields where the header has 2; quote fields that hold the separator.",
        ),
    ],
)
def test_a_line_of_another_length_is_told_with_its_likely_cause(put, name, text, message):
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(put(name, text))
    assert str(refusal.value).endswith(message)


def test_the_usual_separator_is_not_noted(put):
    notes = ro.read_scores(put("runs.csv", "algorithm,score\nPPO,1\nA2C,2\n")).provenance.notes
    assert not any("separated" in note for note in notes)


def test_blank_lines_of_a_single_column_are_no_runs_and_keep_the_line_numbers(put):
    assert ro.read_scores(put("PPO.csv", "score\n1\n\n2\n")).values.tolist() == [1.0, 2.0]
    with pytest.raises(ro.DataError, match="line 4"):
        ro.read_scores(put("SAC.csv", "score\n1\n\nbad\n"))


def test_a_bare_file_whose_only_head_is_score_is_no_table(put):
    with pytest.raises(ro.DataError, match="not in a format that runoff reads"):
        ro.read_scores(put("bare", "score\n1\n2\n"))


def test_a_column_of_one_text_beside_the_scores_is_not_the_algorithm(put):
    scores = ro.read_scores(put("PPO.csv", "env,run,score,host\nPong,0,1,cluster\nPong,1,2,cluster\n"))
    assert scores.to_dict() == {"PPO": {"Pong": [1.0, 2.0]}}


def test_a_bare_file_with_heads_is_a_table(put):
    assert ro.read_scores(put("runs", TIDY)) == ro.read_scores(put("runs.csv", TIDY))


@pytest.mark.parametrize(
    "text",
    [
        'algo,env,seed,score\n"PPO","Hopper",0,1.5\n"A2C","Hopper",0,2\n',
        '"algo","env","seed","score"\nPPO,Hopper,"0","1.5"\nA2C,"Hopper",0,2',
        'algo,env,seed,score,note\n"PPO",Hopper,0,1.5,""\nA2C,Hopper,0,2,"a ""b"", c"\n',
        'algo,env,seed,score,note\r\nPPO,Hopper,0,1.5,"two\nlines"\r\nA2C,Hopper,0,2,x"y\r\n',
    ],
)
def test_quotes_part_no_fields(put, text):
    scores = ro.read_scores(put("runs.csv", text))
    assert (scores.algorithms, scores.tasks, scores.values.tolist()) == (("A2C", "PPO"), ("Hopper",), [2.0, 1.5])


@pytest.mark.parametrize(("opened", "closed"), [(1, 3), (2, 4)])
def test_rows_between_two_lone_quotes_are_not_swallowed(put, opened, closed):
    lines = ["algo,seed,score,", "PPO,0,1.5,", "PPO,1,2.5,", "PPO,2,3.5,", "PPO,3,4.5,"]
    quoted = [f'{line}"' if i in (opened, closed) else line for i, line in enumerate(lines, 1)]
    with pytest.raises(ro.DataError, match=f"line {opened}: a quote is opened here and closed in line {closed}"):
        ro.read_scores(put("runs.csv", "\n".join(quoted)))
    assert ro.read_scores(put("runs.csv", "\n".join(lines))).values.tolist() == [1.5, 2.5, 3.5, 4.5]


@pytest.mark.parametrize("number", ["٣", " 3 ", "+3.", "0.3e1", "\u20093"])
def test_a_number_is_what_python_reads_as_one(put, number):
    assert ro.read_scores(put("runs.csv", f"algo,score\nPPO,1.5\nPPO,{number}\n")).values.tolist() == [1.5, 3.0]


@pytest.mark.parametrize("text", ["1_0", "3f", "0x3", "--3", "1 2", "e5", "TRUE"])
def test_no_other_text_is_a_number(put, text):
    with pytest.raises(ro.DataError, match=r"line 3: the score .* is not a number"):
        ro.read_scores(put("runs.csv", f"algo,score\nPPO,1.5\nPPO,{text}\n"))


@pytest.mark.slow
@pytest.mark.long
def test_ten_million_rows_of_curves_fit_in_4_gb(tmp_path):
    rows = pl.int_range(10_000_000, eager=True)
    frame = pl.DataFrame(
        {"step": rows % 10_000, "seed": rows // 10_000 % 10, "task": rows // 100_000, "return": rows * 0.37}
    )
    frame.with_columns(algo=pl.lit("PPO")).write_csv(tmp_path / "runs.csv")
    code = (
        "import resource, sys, runoff as ro\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (1 << 32, 1 << 32))\n"
        "print(ro.read_curves(sys.argv[1]).values.size)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "runs.csv"], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == ["10000000"]


@pytest.mark.parametrize("before", ["", "\n", "\r\n\r\n"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_table_without_a_telling_suffix_is_known_by_its_first_line_that_is_not_empty(put, before, separator):
    text = "algorithm,run,score\nA,1,1\nA,2,2\nB,1,3\nB,2,5\n".replace(",", separator)
    assert ro.load(put("runs.out", before + text)).cell("B", 0).tolist() == [3.0, 5.0]


@pytest.mark.parametrize(("suffix", "mark", "other"), [(".csv", ",", ";"), (".csv", ",", "|"), (".tsv", "\t", ";")])
def test_the_mark_of_the_suffix_separates_whatever_other_marks_its_heads_hold(put, suffix, mark, other):
    heads = ["algorithm", f"note{other}a{other}b{other}c", "score"]
    rows = [mark.join([name, f"x{other}y", str(score)]) for name in "AB" for score in (1, 2)]
    scores = ro.read_scores(put(f"runs{suffix}", "\n".join([mark.join(heads), *rows, ""])))
    assert scores.to_dict() == {"A": {"task": [1.0, 2.0]}, "B": {"task": [1.0, 2.0]}}


def test_the_line_of_a_refusal_is_counted_in_long_files_too(put):
    lines = [f"PPO,Pong,{run},{run}.5" for run in range(1000)]
    lines[700] = "PPO,Pong,700,abc"
    with pytest.raises(ro.DataError, match=r"line 702: the score \(column 'score'\) is 'abc'"):
        ro.load(put("runs.csv", "algorithm,task,run,score\n" + "\n".join(lines) + "\n"))
