"""Tables in texts and several scores in a row: Markdown, blanks, YAML and JSON of a run, lists in cells, steps as columns."""

from __future__ import annotations

import io
import json

import polars as pl
import pytest

import runoff as ro

ROWS = [(a, t, i, 40.25 + 3 * i + len(a)) for a in ("PPO", "SAC2") for t in ("x", "y") for i in range(3)]
HEAD = ("algorithm", "task", "seed", "score")


def lines(mark: str, edge: str = "") -> list[str]:
    return [f"{edge}{mark.join(map(str, row))}{edge}" for row in (HEAD, *ROWS)]


@pytest.fixture
def whole(put):
    return ro.read_scores(put("whole.csv", "\n".join(lines(",")) + "\n"))


@pytest.mark.parametrize("name", ["runs.txt", "runs.dat", "runs"])
def test_columns_parted_by_blanks_are_read(put, whole, name):
    assert ro.read_scores(put(name, "\n".join(lines("   ")) + "\n")) == whole
    head, *rows = lines("  ")
    indexed = "\n".join([head, *(f"{i} {row}" for i, row in enumerate(rows))])
    assert ro.read_scores(put("indexed.txt", indexed)) == whole


@pytest.mark.parametrize("around", ["{}", "# Results\n\nSome text, with commas.\n\n{}\nMore text.\n"])
def test_a_markdown_table_of_runs_is_read(put, whole, around):
    head, *rows = lines(" | ", "|")
    file = put("README.md", around.format("\n".join([head, "|---|:---:|---|--:|", *rows]) + "\n"))
    assert ro.read_scores(file) == whole
    bad = file.read_text().replace("| 0 | 43.25", "| 0 | bad")
    with pytest.raises(ro.DataError, match=f"line {bad[: bad.index('bad')].count(chr(10)) + 1}: the score"):
        ro.read_scores(put("bad.md", bad))


def test_marks_of_markdown_are_no_part_of_names(put):
    table = (
        "## `{}`\n\n| seed | PPO | **Ours** (new) |\n|---|---|---|\n| 0 | 1.5 | **2.5** |\n| 1 | 1.5 | __3.5__ |\n\n"
    )
    scores = ro.load(put("runs.md", table.format("a__b-v4") + table.format("Hop-v4")))
    assert scores.to_dict()["Ours (new)"] == {"Hop-v4": [2.5, 3.5], "a__b-v4": [2.5, 3.5]}


def test_two_markdown_tables_are_asked_for(put):
    text = "|algorithm|score|\n|--|--|\n|PPO|1|\n\n|algorithm|score|\n|--|--|\n|PPO|2|\n"
    file = put("two.md", text)
    with pytest.raises(ro.DataError, match=r"the file has 2 tables \(1, 2\); name the one to read: table='1'"):
        ro.read_scores(file)
    assert [ro.read_scores(file, table=name).to_dict() for name in "12"] == [{"PPO": {"task": [n]}} for n in (1, 2)]
    with pytest.raises(ro.OptionError, match="there is no table '3'"):
        ro.read_scores(file, table="3")


@pytest.mark.parametrize("suffix", ["json", "yaml", "toml"])
def test_a_file_for_each_run_names_it(put, suffix):
    for a, t, i, score in ROWS:
        record = {"algo": a, "env": t, "seed": i, "final_return": score, "config": {"lr": 0.1}}
        texts = {
            "json": json.dumps(record),
            "yaml": f"algo: {a}\nenv: {t}\nseed: {i}\nfinal_return: {score}\nconfig:\n  lr: 0.1\n",
            "toml": f"algo = '{a}'\nenv = '{t}'\nseed = {i}\nfinal_return = {score}\n[config]\nlr = 0.1\n",
        }
        folder = put(f"runs/{a}{t}{i}.{suffix}", texts[suffix]).parent
    assert ro.read_scores(folder).to_dict() == {
        a: {t: [s for b, u, _, s in ROWS if (b, u) == (a, t)] for t in "xy"} for a in ("PPO", "SAC2")
    }


def test_the_returns_of_a_run_in_its_json_are_its_curve(put):
    for a in ("PPO", "SAC"):
        for i in range(2):
            folder = put(
                f"runs/{a}{i}.json", json.dumps({"algo": a, "env": "x", "seed": i, "returns": [1.0, 2.5, 3.0 + i]})
            ).parent
    curves = ro.read_curves(folder)
    assert (curves.run_labels, curves.steps.tolist()[:3]) == (("0", "1", "0", "1"), [1, 2, 3])
    assert any("evaluations of a run, at steps 1, 2" in note for note in curves.provenance.notes)


def test_yaml_with_aliases_or_objects_is_refused(put):
    for text, why in (("a: &x [1]\nb: *x\n", "alias"), ("!!python/object/apply:os.system [echo]\n", "constructor")):
        with pytest.raises(ro.DataError, match=f"cannot be read.*{why}"):
            ro.read_scores(put("runs.yaml", text))


def test_records_by_their_index_are_a_table(put, whole):
    records = {str(i): dict(zip(HEAD, row, strict=True)) for i, row in enumerate(ROWS)}
    assert ro.read_scores(put("runs.json", json.dumps(records))) == whole


def test_curves_below_three_levels_of_names_are_read(put):
    content = {"Hopper-v4": {a: {f"seed_{s}": [1.0, 2.0 + s] for s in range(2)} for a in ("PPO", "SAC")}}
    curves = ro.read_curves(put("runs.json", json.dumps(content)))
    assert (curves.algorithms, curves.tasks) == (("PPO", "SAC"), ("Hopper-v4",))
    assert curves.values.tolist() == [1, 2, 1, 3] * 2


CURVES = [("PPO", 0, [1.0, 2.5]), ("PPO", 1, [1.5, 3.5, 4.5]), ("SAC", 0, [0.5, 0.25])]


@pytest.mark.parametrize("form", ["csv", "parquet", "frame", "numpy"])
def test_lists_in_cells_are_the_curves_of_runs(put, form):
    rows = [{"algorithm": a, "seed": s, "returns": own} for a, s, own in CURVES]
    if form in ("csv", "numpy"):
        text = [f'{a},{s},"{own if form == "csv" else str(own).replace(",", "")}"' for a, s, own in CURVES]
        given = put("runs.csv", "\n".join(["algorithm,seed,returns", *text]) + "\n")
    else:
        given = pl.DataFrame(rows)
        if form == "parquet":
            given.write_parquet(file := put("runs.parquet", b""))
            given = file
    curves = ro.load(given)
    assert curves.values.tolist() == [value for _, _, own in CURVES for value in own]
    assert curves.steps.tolist() == [1, 2, 1, 2, 3, 1, 2]


def test_lists_of_steps_beside_lists_of_scores_are_their_steps(put):
    rows = [
        {"algorithm": a, "seed": s, "steps": [10 * i for i in range(len(own))], "returns": own} for a, s, own in CURVES
    ]
    pl.DataFrame(rows).write_parquet(file := put("runs.parquet", b""))
    assert ro.read_curves(file).steps.tolist() == [0, 10, 0, 10, 20, 0, 10]


@pytest.mark.parametrize(
    "form", ["[{0}, {1}, {2}]", "{0}, {1}, {2}", "{0}; {1}; {2}", "{0} {1} {2}", "{0} / {1} / {2}"]
)
def test_lists_of_unnamed_runs_are_runs_as_in_json(put, form):
    own = {"PPO": {"x": [1.5, 3.5, 2.5], "y": [4.5, 6.5, 5.5]}, "SAC": {"x": [7.5, 9.5, 8.5], "y": [0.5, -2.5, 1.5]}}
    rows = [[task, *(form.format(*own[a][task]) for a in own)] for task in "xy"]
    table = "\n".join(["| Task | PPO | SAC |", "|--|--|--|", *(f"| {' | '.join(row)} |" for row in rows)])
    assert ro.load(put("wide.md", table)).to_dict() == own
    tall = [f'{a},{t},"{form.format(*own[a][t])}"' for a in own for t in "xy"]
    assert ro.load(put("tall.csv", "\n".join(["algo,task,scores", *tall]))).to_dict() == own


@pytest.mark.parametrize(
    "line", ["{0} {1}: {2} {3}", "{0}/{1} = [{2}, {3}]", "- {0}, {1}: {2}; {3}", "{1}_{0}\t{2}\t{3}"]
)
def test_lines_of_names_and_scores_are_the_runs_of_known_algorithms_and_tasks(put, line):
    own = {"PPO": {"Ant": [5.5, 6.5], "Hopper": [2.5, 1.5]}, "SAC": {"Ant": [7.5, 8.5], "Hopper": [4.5, 3.5]}}
    text = "\n".join(["# last evaluation", *(line.format(a, t, *own[a][t]) for a in own for t in own[a])])
    assert ro.load(put("runs.txt", text)).to_dict() == own


def test_lines_of_scores_below_titles_are_those_of_the_titles(put):
    text = "Hopper:\n  PPO: 2.5 1.5\n  SAC: 4.5 3.5\n\nAnt:\n  PPO: 5.5 6.5\n  SAC: 7.5 8.5\n"
    assert ro.load(put("runs.txt", text)).to_dict()["SAC"] == {"Ant": [7.5, 8.5], "Hopper": [4.5, 3.5]}
    with pytest.raises(ro.DataError, match="nothing says whether the outer names"):
        ro.load(
            put("unknown.txt", text.replace("PPO", "x").replace("SAC", "y").replace("Hopper", "u").replace("Ant", "v"))
        )


def test_a_file_of_settings_is_no_list_of_scores(put):
    with pytest.raises(ro.DataError, match="is not a number"):
        ro.load(put("notes.txt", "lr: 0.1\nseed: 3\nlayers: 64 64\n"))


def test_lists_of_unlike_lengths_are_unlike_numbers_of_runs(put):
    text = "|Task|PPO|SAC|\n|--|--|--|\n|x|1.5, 0.5, 2.5|3.5, 2.5|\n|y|4.5, 3.5, 5.5|6.5, 5.5, 7.5|\n"
    assert ro.load(put("wide.md", text)).to_dict()["SAC"] == {"x": [3.5, 2.5], "y": [6.5, 5.5, 7.5]}


@pytest.mark.parametrize("short", [0, 2, 5])
def test_lists_of_steps_and_of_scores_of_a_run_are_equally_long(short):
    runs = {"algo": list("AAABBB"), "seed": [0, 1, 2] * 2, "steps": [[0, 10, 20]] * 6}
    whole = [[1.0, 2.0, 3.0]] * 6
    assert ro.load(pl.DataFrame({**runs, "returns": whole})).curve(0)[0].tolist() == [0, 10, 20]
    cut = [own[:2] if i == short else own for i, own in enumerate(whole)]
    with pytest.raises(
        ro.DataError, match=rf"row {short}: column 'steps' holds 3 entries and column 'returns' 2: give"
    ):
        ro.load(pl.DataFrame({**runs, "returns": cut}))
    by_number = ro.load(pl.DataFrame({**runs, "returns": cut}).drop("steps"))
    assert by_number.curve(0)[0].tolist() == [1, 2, 3][: len(cut[0])]


def test_lists_of_unnamed_runs_that_only_rise_are_asked_for(put):
    with pytest.raises(ro.DataError, match=r"'returns' holds lists that rise .* no column names the runs"):
        ro.load(pl.DataFrame({"algorithm": ["PPO", "SAC"], "returns": [[1.0, 2.0, 3.5], [1.0, 3.0, 4.0]]}))


@pytest.mark.parametrize("cell", ["17/20", "1,234", "1 234", "2412 ± 103", "2412 (103)", "3 of 4"])
def test_what_only_looks_like_a_list_is_none(put, cell):
    try:
        notes = ro.load(put("wide.md", f"|Task|PPO|SAC|\n|--|--|--|\n|x|{cell}|{cell}|\n")).provenance.notes
    except ro.DataError as refusal:
        notes = (str(refusal),)
    assert not any("lists" in note for note in notes)


@pytest.mark.parametrize(
    "heads", [("10000", "20000", "50000"), ("step_1000", "step_2000", "step_3000"), ("100k", "200k", "1M")]
)
def test_heads_that_are_rising_steps_make_curves(put, heads):
    rows = "".join(f"{a},{s},{s + 1},{s + 2},{s + 4.5}\n" for a in ("PPO", "SAC") for s in range(2))
    curves = ro.read_curves(put("runs.csv", f"algorithm,seed,{','.join(heads)}\n{rows}"))
    assert curves.values.tolist() == [1, 2, 4.5, 2, 3, 5.5] * 2
    assert any("is a step of training" in note for note in curves.provenance.notes)


def test_heads_that_count_are_no_steps(put):
    text = "algorithm,0,1,2\nPPO,1.5,2.5,3.5\nSAC,1.25,2.25,3.25\n"
    with pytest.raises(ro.DataError):
        ro.read_curves(put("runs.csv", text))


WIDE = {"PPO": [1.5, 3.5, 2.0], "SAC": [2.5, 4.5, 5.0]}


def of_format(name: str) -> bytes:
    """Return a table with a column for each algorithm."""
    frame, rows = pl.DataFrame(WIDE), [[*map(str, row)] for row in zip(*WIDE.values(), strict=True)]
    if name in ("parquet", "feather"):
        (frame.write_parquet if name == "parquet" else frame.write_ipc)(buffer := io.BytesIO())
        return buffer.getvalue()
    if name in ("md", "markdown"):
        lines = [f"| {' | '.join(row)} |" for row in (list(WIDE), ["---"] * 2, *rows)]
    else:
        lines = [{"csv": ",", "tsv": "\t"}[name].join(row) for row in (list(WIDE), *rows)]
    return "\n".join([*lines, ""]).encode()


@pytest.mark.parametrize("name", ["csv", "tsv", "md", "markdown", "parquet", "feather"])
def test_a_column_for_each_algorithm_is_read_in_every_format_of_tables(put, name):
    scores = ro.read_scores(put(f"runs.{name}", of_format(name)))
    assert {a: scores.cell(a, 0).tolist() for a in scores.algorithms} == WIDE


SWEEP = """[2024-04-23 18:02:09] INFO  host=gpu07 cuda=12.1
[2024-04-23 18:02:11] INFO  start algo=dqn env=Pong seed=0
[2024-04-23 18:09:28] INFO  done  algo=dqn env=Pong seed=0 return=1.5 time=437s
[2024-04-23 18:09:31] WARN  replay buffer not full
[2024-04-23 18:11:28] INFO  done  algo=c51 env=Pong seed=0 return=2.5 time=437s
[2024-04-23 18:12:11] INFO  start algo=dqn env=Pong seed=1
[2024-04-23 18:19:28] INFO  done  algo=dqn env=Pong seed=1 return=3.5 time=437s
"""


def test_lines_with_a_score_of_the_log_of_a_sweep_are_its_runs(put):
    scores = ro.load(put("sweep.log", SWEEP))
    assert scores.to_dict() == {"dqn": {"Pong": [1.5, 3.5]}, "c51": {"Pong": [2.5]}}
    assert any(note.startswith("left out: 4 line(s) of text beside the scores") for note in scores.provenance.notes)


def test_a_run_that_such_a_log_begins_and_does_not_end_has_no_score(put):
    text = SWEEP + "[2024-04-23 18:19:31] INFO  start algo=c51 env=Pong seed=1\n"
    with pytest.raises(ro.DataError, match=r"the score .* is missing"):
        ro.load(put("sweep.log", text))
    assert ro.load(put("sweep.log", text), incomplete="drop").to_dict()["c51"] == {"Pong": [2.5]}


def test_a_setting_in_the_lines_that_begin_runs_is_one_of_these_runs(put):
    runs = [("A", 0, 0.1), ("A", 1, 0.1), ("A", 2, 0.01), ("A", 3, 0.01), ("B", 0, 0.1), ("B", 1, 0.1)]
    lines = [f"start algo={a} env=P seed={s} lr={lr}\ndone algo={a} env=P seed={s} return={s}.5" for a, s, lr in runs]
    table = "\n".join(["algo,env,seed,return,lr", *(f"{a},P,{s},{s}.5,{lr}" for a, s, lr in runs)])
    own, tall = (ro.load(put(name, text)) for name, text in (("sweep.log", "\n".join(lines)), ("t.csv", table)))
    assert own.variants().to_dict() == tall.variants().to_dict()
    assert len(own.variants().algorithms) == 3


@pytest.mark.parametrize(
    "more", ["eval algo=dqn env=Pong seed=0 step=9 return=1", "INFO done  algo=dqn env=Pong seed=1 return=9 time=1s"]
)
def test_a_log_with_two_kinds_of_scores_or_two_of_one_run_is_refused(put, more):
    with pytest.raises(ro.DataError):
        ro.load(put("sweep.log", SWEEP + more + "\n"))


def test_lines_beside_scores_that_name_no_runs_are_no_table(put):
    with pytest.raises(ro.DataError):
        ro.load(put("train.log", "loading data\nlr=1 return=1.5\nlr=2 return=2.5\n"))


@pytest.mark.parametrize("words", ["3 runs each", "3 seeds each", "3 trials per method"])
def test_a_number_of_runs_beside_scores_between_slashes_says_that_they_are_runs(put, words):
    text = f"PPO: 1.5 / 2.5 / 3.5\nSAC: 2.5 / 3.5 / 4.5\n\n{words}\n"
    assert ro.load(put("runs.txt", text)).to_dict() == {
        "PPO": {"task": [1.5, 2.5, 3.5]},
        "SAC": {"task": [2.5, 3.5, 4.5]},
    }
