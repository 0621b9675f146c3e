"""Tasks as the sample on the command line, and the clusters that a column of the table names."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import runoff as ro
from runoff.cli.app import run

N = 24
RIGHT = {"big": [q % 4 > 0 for q in range(N)], "small": [q % 3 > 0 for q in range(N)]}


@pytest.fixture
def table(tmp_path):
    rows = [f"{model},q{q},topic{q % 6},{int(hits[q])}" for model, hits in RIGHT.items() for q in range(N)]
    path = tmp_path / "items.csv"
    path.write_text("\n".join(["algorithm,task,topic,score", *rows]))
    return str(path)


def pair_of(capsys):
    return json.loads(capsys.readouterr().out)["records"][0]


@pytest.mark.parametrize("rename", [[], ["--rename", "q0=first", "--rename", "big=large"]])
def test_a_column_names_the_clusters(table, rename, capsys):
    assert run(["compare", table, "--over", "tasks", "--cluster", "topic", "--json", *rename]) == 0
    scores = ro.Scores.from_dict({model: [[float(hit) for hit in hits]] for model, hits in RIGHT.items()})
    clusters = {f"task {q + 1}": f"topic{q % 6}" for q in range(N)}
    (pair,) = ro.compare(scores, over="tasks", cluster=clusters).pairs
    record = pair_of(capsys)
    assert (record["pvalue"], record["low"], record["df"]) == pytest.approx((pair.pvalue, pair.own_low, pair.df))


def test_both_models_in_one_file_with_several_attempts_have_clusters(tmp_path, capsys):
    rows = [
        f"{m},q{q},topic{q % 6},{k},{int(RIGHT[m][(q + k) % N])}" for m in RIGHT for q in range(N) for k in range(3)
    ]
    path = tmp_path / "samples.csv"
    path.write_text("\n".join(["model,question,topic,sample,correct", *rows]))
    call = ["compare", str(path), "--unit", "episode", "--over", "tasks", "--cluster", "topic"]
    assert run(call) == 0
    assert "the scaled score test of 6 clusters" in " ".join(capsys.readouterr().out.split())


def test_a_field_of_the_samples_of_lm_eval_names_clusters(tmp_path, capsys):
    for model, hits in RIGHT.items():
        folder = tmp_path / "logs" / model
        folder.mkdir(parents=True)
        results = {"results": {"quiz": {"acc,none": sum(hits) / N}}, "model_name": model}
        (folder / "results_2026-01-02T03-04-05.6.json").write_text(json.dumps(results))
        docs = [{"topic": f"t{q % 6}", "benchmark": f"b{q % 8}"} for q in range(N)]  # its own, not that of the file
        lines = [{"doc_id": q, "doc": docs[q], "filter": "none", "acc": int(hits[q])} for q in range(N)]
        (folder / "samples_quiz_2026-01-02T03-04-05.6.jsonl").write_text("\n".join(map(json.dumps, lines)))
    call = ["compare", str(tmp_path / "logs"), "--unit", "episode", "--over", "tasks", "--cluster"]
    for field, n_clusters in (("topic", 6), ("benchmark", 8)):
        assert run([*call, field]) == 0
        assert f"the scaled score test of {n_clusters} clusters" in " ".join(capsys.readouterr().out.split())
    assert run([*call, "topics"]) == 2
    assert "no sample of these logs has such a field. Did you mean 'topic'?" in capsys.readouterr().err


def test_without_a_column_each_task_is_its_own_cluster(table, capsys):
    assert run(["compare", table, "--over", "tasks"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "over items like these 24" in printed
    assert "Tango's score test, p" in printed
    assert "each row is taken as one independent run, or attempt, of its task" in printed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cluster", "algorithm"], "--cluster algorithm: task 'q0' is in two clusters, 'big' and 'small' ("),
        (["--cluster", "topics"], "Did you mean 'topic'?"),
        (["--test", "welch"], "--test welch is about runs"),
    ],
)
def test_a_column_that_is_no_cluster_is_refused(table, options, message, capsys):
    assert run(["compare", table, "--over", "tasks", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("cell", ["", " ", "NA", "n/a", "None", "nan", "-"])
def test_a_task_whose_cluster_is_missing_is_refused_with_its_line(table, cell, capsys):
    path = Path(table)
    path.write_text("\n".join(line.replace("q7,topic1", f"q7,{cell}") for line in path.read_text().splitlines()))
    for verb in ("compare", "aggregate", "report"):
        assert run([verb, table, "--over", "tasks", "--cluster", "topic"]) == 2
        printed = capsys.readouterr().err
        assert "--cluster topic: the cluster of task 'q7' is missing (" in printed
        assert "line 9)" in printed


@pytest.fixture
def benchmarks(tmp_path):
    of = {q: "quiz" if q < 14 else "exam" for q in range(N)}
    rows = [f"{model},{of[q]},{q % 14},{int(hits[q])}" for model, hits in RIGHT.items() for q in range(N)]
    path = tmp_path / "benchmarks.csv"
    path.write_text("\n".join(["model,benchmark,item,success", *rows]))
    return str(path)


@pytest.mark.parametrize(
    ("weights", "share"), [([], 0.5), (["--weights", "tasks"], 14 / 24), (["--weights", "quiz=3,exam=1"], 0.75)]
)
def test_a_column_names_the_benchmarks_that_are_compared_by_themselves(benchmarks, weights, share, capsys):
    assert run(["compare", benchmarks, "--strata", "benchmark", "--json", *weights]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [line["stratum"] for line in answer["by_stratum"]] == ["exam", "quiz"]
    assert dict(answer["records"][0]["weights"])["quiz"] == pytest.approx(share)
    assert not [note for note in answer["notes"] if "not used" in note]


def test_the_terminal_has_a_line_for_each_benchmark(benchmarks, capsys):
    assert run(["compare", benchmarks, "--strata", "benchmark"]) == 0
    printed = capsys.readouterr().out
    assert "Stratum" in printed
    assert "over items like these 24 in 2 strata of equal weight" in " ".join(printed.split())
    assert run(["compare", benchmarks]) == 0
    assert "R037" in capsys.readouterr().out


def test_accuracies_and_a_report_have_each_benchmark_too(benchmarks, tmp_path, capsys):
    assert (
        run(["aggregate", benchmarks, "--over", "tasks", "--strata", "benchmark", "--weights", "tasks", "--json"]) == 0
    )
    answer = json.loads(capsys.readouterr().out)
    assert [row["stratum"] for row in answer["by_stratum"]] == ["exam", "exam", "quiz", "quiz"]
    assert dict(answer["weights"])["exam"] == pytest.approx(10 / 24)
    out = tmp_path / "report"
    assert run(["report", benchmarks, "--strata", "benchmark", "--weights", "quiz=2,exam=1", "-o", str(out)]) == 0
    assert "in strata that weigh exam 33" in " ".join(capsys.readouterr().out.split())
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "--strata benchmark --weights quiz=2,exam=1" in page
    assert {"lines.csv", "strata.csv", "lines_wide.tex", "strata_wide.tex"} <= {
        p.name for p in (out / "tables").iterdir()
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--strata", "benchmarks"], "--strata benchmarks: no table has such a column. Did you mean 'benchmark'?"),
        (["--strata", "success"], "is in two strata, '1' and '0'"),
        (["--strata", "benchmark", "--weights", "quiz=a"], "STRATUM=WEIGHT"),
        (["--weights", "tasks"], "use --strata with them"),
        (["--where", "big", "small", "--strata", "benchmark"], "leave out --strata"),
    ],
)
def test_a_column_that_holds_no_strata_is_refused(benchmarks, options, message, capsys):
    assert run(["compare", benchmarks, *options]) == 2
    assert message in capsys.readouterr().err


def lm_eval_logs(folder, model, hits):
    folder.mkdir(parents=True)
    halves = {"quiz": hits[:12], "exam": hits[12:]}
    results = {name: {"acc,none": sum(own) / 12} for name, own in halves.items()}
    (folder / "results_2026-01-02T03-04-05.6.json").write_text(json.dumps({"results": results, "model_name": model}))
    for name, own in halves.items():
        lines = [{"doc_id": q, "doc": {}, "filter": "none", "acc": int(hit)} for q, hit in enumerate(own)]
        (folder / f"samples_{name}_2026-01-02T03-04-05.6.jsonl").write_text("\n".join(map(json.dumps, lines)))


def test_the_benchmark_of_a_sample_of_lm_eval_names_strata(tmp_path, capsys):
    for model, hits in RIGHT.items():
        lm_eval_logs(tmp_path / "logs" / model, model, hits)
    call = [
        "compare",
        str(tmp_path / "logs"),
        "--unit",
        "episode",
        "--over",
        "tasks",
        "--strata",
        "benchmark",
        "--json",
    ]
    assert run(call) == 0
    assert [line["stratum"] for line in json.loads(capsys.readouterr().out)["by_stratum"]] == ["exam", "quiz"]


def test_a_column_of_clusters_is_no_unused_one(table, capsys):
    assert run(["compare", table, "--over", "tasks", "--cluster", "topic"]) == 0
    assert "columns not used" not in capsys.readouterr().out
    assert run(["compare", table, "--over", "tasks"]) == 0
    assert "columns not used: 'topic'" in capsys.readouterr().out


def test_clusters_are_not_read_from_standard_input(capsys):
    assert run(["compare", "-", "--over", "tasks", "--cluster", "topic"]) == 2
    assert "name a file" in capsys.readouterr().err


def test_every_exit_says_alike_what_a_row_without_a_run_is(table, tmp_path, capsys):
    words = "each row is taken as one independent run, or attempt, of its task"
    out = tmp_path / "report"
    for call in (["compare", table], ["compare", table, "--json"], ["report", table, "-o", str(out)]):
        assert run([*call, "--over", "tasks"]) == 0
        assert words in " ".join(capsys.readouterr().out.split())
    assert words in (out / "report.html").read_text(encoding="utf-8")


def test_few_items_in_percent_are_not_offered_the_sample_that_was_refused(tmp_path, capsys):
    path = tmp_path / "percent.csv"
    path.write_text("\n".join(["model,item,success", *(f"{m},q{q},{100 * (q % 2)}" for m in "AB" for q in range(9))]))
    assert run(["compare", str(path)]) == 2
    printed = capsys.readouterr().err
    assert "--score-unit shared" in printed
    assert "--over tasks" not in printed


def test_a_report_names_the_items_that_flipped_wherever_it_is_read(table, tmp_path, capsys):
    out = tmp_path / "report"
    assert run(["report", table, "--over", "tasks", "-o", str(out)]) == 0
    assert "Only big solved q15, q18, q21, q3, q6, q9." in capsys.readouterr().out
    page, paper = ((out / name).read_text(encoding="utf-8") for name in ("report.html", "tables/flips_wide.tex"))
    assert "q15, q18, q21, q3, q6, q9" in page
    assert "Items that only one of the two solved, of 24." in paper
    assert "Runs per task to decide" not in page


def test_of_pairs_with_unlike_tasks_the_table_says_how_many_they_have(tmp_path, capsys):
    tasks = {"A": range(7), "B": range(7), "C": range(2, 8)}
    rows = [f"{name},t{t},0,{(7 * t + ord(name)) % 10 / 10}" for name, own in tasks.items() for t in own]
    path = tmp_path / "lines.csv"
    path.write_text("\n".join(["algorithm,task,run,score", *rows]))
    assert run(["compare", str(path), "--over", "tasks"]) == 0
    assert "over tasks like these 5 to 7" in " ".join(capsys.readouterr().out.split())


@pytest.fixture
def alike(tmp_path) -> str:
    """Questions and passages that begin anew in each of two subsets."""
    head = "subset,passage,model,question,success"
    cells = [(s, q, m) for s, n in (("gpqa", 20), ("math", 60)) for q in range(n) for m in RIGHT]
    rows = [f"{s},{q % 10},{m},q{q},{int((q * 7 + len(s) * len(m)) % 5 > (m == 'old'))}" for s, q, m in cells]
    path = tmp_path / "alike.csv"
    path.write_text("\n".join([head, *rows]))
    return str(path)


@pytest.mark.parametrize("verb", [["compare"], ["aggregate", "--over", "tasks"]])
def test_the_column_of_strata_tells_items_of_one_name_apart(alike, verb, capsys):
    columns = ["--columns", "unused=passage"]
    assert run([*verb, alike, "--strata", "subset", "--json", *columns]) == 0
    lines = json.loads(capsys.readouterr().out)["by_stratum"]
    assert {line["stratum"] for line in lines} == {"gpqa", "math"}
    assert run([*verb, alike, "--strata", "subset", "--json", *columns, "--columns", "task=question/subset"]) == 0
    joined = json.loads(capsys.readouterr().out)["by_stratum"]
    assert [line["estimate"] for line in joined] == [line["estimate"] for line in lines]


def test_clusters_of_one_name_in_two_benchmarks_are_two(alike, capsys):
    how = ["--columns", "task=subset/question", "--json"]
    assert run(["compare", alike, "--cluster", "passage", *how]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "of 20 clusters" in answer["records"][0]["sentence"]
    assert [
        "clusters with the same name in two benchmarks are two clusters" in text for text in answer["warnings"]
    ] == [True]


@pytest.mark.parametrize("verb", [["aggregate"], ["plan", "--effect", "0.1"], ["compare"]])
@pytest.mark.parametrize("names", ["subset/question", "question/subset"])
def test_benchmarks_as_one_are_named_by_every_verb_over_tasks(alike, verb, names, capsys):
    columns = ["--columns", f"task={names}", "--columns", "unused=passage"]
    assert run([*verb, alike, "--over", "tasks", *columns, "--json"]) == 0
    texts = [a["text"] for a in json.loads(capsys.readouterr().out)["advice"] if a["code"] == "R037"]
    assert len(texts) == 1
    assert "80 tasks are of 2, and 60 of them of 'math'" in texts[0]


def test_a_benchmark_is_left_out_by_its_name_where_strata_are(benchmarks, capsys):
    assert run(["aggregate", benchmarks, "--over", "tasks", "--strata", "benchmark", "--exclude", "quiz"]) == 2
    assert "all 10 tasks are in one stratum, 'exam'" in capsys.readouterr().err


def test_a_csv_has_a_row_for_each_stratum_below_their_mean(benchmarks, capsys):
    assert run(["compare", benchmarks, "--strata", "benchmark", "--to", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["stratum"] for row in rows] == ["", "exam", "quiz"]


def test_few_clusters_have_no_verdict_and_no_margin(tmp_path, capsys):
    rows = [f"{m},q{q},{q % 4},{int(hits[q])}" for m, hits in RIGHT.items() for q in range(N)]
    path = tmp_path / "few.csv"
    path.write_text("\n".join(["model,item,passage,success", *rows]))
    assert run(["compare", str(path), "--cluster", "passage", "--margin", "0.9"]) == 0
    printed = capsys.readouterr().out
    assert "No verdict is given" in printed
    assert "margin" not in printed
