"""The folder: complete, replaced as a whole, left alone by failures and never taken from others."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html import unescape
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest

import runoff as ro
from runoff import plots
from runoff.base.writing import guarded
from runoff.cli.report import show_written
from runoff.exits import csv_text
from runoff.page.files import folder as folder_module
from runoff.page.files.folder import slugs, write_answer
from runoff.page.files.records import data_record, tables
from runoff.page.words.paper import FORMATS, formats_words
from runoff.words.speech import in_python
from tests.places import DOCS
from tests.report.made import HOSTILE, answers_of, few_drawn, hostile, raw_scores, scores

FIGURES = (
    "measures",
    "where",
    "aggregates",
    "improvement",
    "pairs",
    "places",
    "ranks",
    "profiles",
    "tasks",
    "robustness",
)
CONTRACT = (DOCS / "design" / "contract.md").read_text(encoding="utf-8").partition("## results.json")[2]
PROMISED = [line.strip("| ").split(" | ") for line in CONTRACT.splitlines() if line.startswith("| `")]
KEYS = {key for names, _ in PROMISED for key in re.findall(r"`(\w+)`", names)}
INSIDE = {
    key: re.findall(r"`(\w+)`", cell)
    for names, cell in PROMISED
    for key in re.findall(r"`(\w+)`", names)
    if re.fullmatch(r"`\w+`(, `\w+`)+", cell)
}
"""What stands in a key that holds names of its own, or rows."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("w") / "rep"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*few_drawn("tasks"))
        return ro.report(scores(), out, n_resamples=200, figures="all").path.parent


def test_all_files_are_written(written: Path):
    paths = {str(path.relative_to(written)) for path in written.rglob("*") if path.is_file()}
    figures = {f"figures/{n}.{k}" for n in FIGURES for k in ("svg", "pdf", "png")}
    shown = ("aggregates", "tasks", "pairs", "ranks", "profile_pairs")
    tables = {f"tables/{n}{k}" for n in shown for k in (".csv", "_column.tex", "_wide.tex")}
    runs = {f"tables/scores/{n}.csv" for n in ("PPO", "A2C", "SAC")}
    single = {"report.html", "results.json"} | {
        f"tables/{n}.csv" for n in ("advice", "robustness", "profiles", "where")
    }
    assert paths == single | figures | tables | runs | {".runoff-files.json", "figures/captions.txt"}


def test_the_captions_of_figures_are_those_of_the_figures_by_name(written: Path):
    paragraphs = (written / "figures" / "captions.txt").read_text(encoding="utf-8").strip().split("\n\n")
    captions = {name: words for name, _, words in (text.partition(": ") for text in paragraphs)}
    assert {*captions} == {*FIGURES}
    assert captions["tasks"].endswith(plots.caption(scores()))
    assert captions["aggregates"].endswith(plots.caption(ro.aggregate(scores(), n_resamples=200)))
    assert len({*captions.values()}) == len(captions)


@pytest.mark.parametrize(
    ("figures", "formats"),
    [("svg", ["svg"]), pytest.param(["png", "pdf"], ["pdf", "png"], marks=pytest.mark.slow)],
)
def test_figures_come_in_the_formats_that_are_named_and_the_page_says_how_to_get_the_others(figures, formats, tmp_path):
    report = ro.report(scores(("A", "B"), 1), tmp_path / "out", n_resamples=200, figures=figures)
    written = {path.suffix[1:] for path in (tmp_path / "out" / "figures").iterdir()} - {"txt"}
    page = report.path.read_text()
    assert (sorted(written), list(report.formats)) == (formats, formats)
    assert set(re.findall(r'href="figures/\w+\.(\w+)', page)) == written
    assert in_python(formats_words(formats)) in unescape(page)


@pytest.mark.parametrize("size", [1, 2])
def test_the_formats_that_are_written_and_those_that_are_not_are_named_each_in_its_place(size):
    for given in combinations(FORMATS, size):
        written, missing = re.fullmatch(
            "Figures are (.*); figures='all' gives (.*) too.", in_python(formats_words(given))
        ).groups()
        assert sorted(written.lower().split(" and ")) == sorted(given)
        assert sorted(missing.lower().split(" and ")) == sorted(set(FORMATS) - set(given))


@pytest.mark.parametrize("figures", ["gif", ["svg", "eps"], []])
def test_a_format_that_no_figure_has_is_refused_before_anything_is_computed(figures, tmp_path):
    with pytest.raises(ro.OptionError, match=r"figures must .*svg, pdf, png"):
        ro.report(scores(), tmp_path / "out", figures=figures)
    assert not (tmp_path / "out").exists()


def test_results_json_has_the_contract(written: Path):
    content = json.loads((written / "results.json").read_text())
    assert set(content) == KEYS - {"curves"}
    assert content["schema"] == "runoff.report/3"
    assert content["data"]["n_runs"] == [[6, 6]] * 3
    assert [row["rank"] for row in content["rank"]["algorithms"]] == [1, 2, 3]
    assert len(content["pairs"]) == 3


def test_what_is_known_of_data_stands_under_its_own_name():
    pairs = {"columns": (("score", "r"),), "parts": (("task", "folder 1"),), "steps": (("PPO", "100"),)}
    words = {
        "path": "runs.csv",
        "sha256": "ab",
        "format": "CSV",
        "notes": ("n",),
        "incomplete": "drop",
        "reference": "r",
    }
    origin = replace(scores().provenance, **pairs, **words)
    record = data_record(replace(scores(), provenance=origin))
    for name, own in pairs.items():
        assert record[name] == dict(own)
    for name, own in words.items():
        assert record[name] == (list(own) if isinstance(own, tuple) else own)


def test_what_stands_inside_a_key_of_results_json_is_that_of_the_contract(written: Path):
    content = json.loads((written / "results.json").read_text())
    assert {"data", "rank", "advice", "real"} <= set(INSIDE)
    for key, names in INSIDE.items():
        rows = content[key] if isinstance(content[key], list) else [content[key]]
        assert all(sorted(row) == sorted(names) for row in rows), key


@pytest.mark.slow
def test_the_same_data_give_the_same_bytes_anywhere(written: Path, tmp_path: Path):
    again = ro.report(scores(), tmp_path / "elsewhere", n_resamples=200, figures="all").path.parent
    for path in written.rglob("*.*"):
        assert path.read_bytes() == (again / path.relative_to(written)).read_bytes(), path.name


def test_pdf_fonts_are_embedded_as_truetype_and_nothing_is_dated(written: Path):
    content = (written / "figures" / "tasks.pdf").read_bytes()
    assert b"/FontFile2" in content
    assert re.findall(rb"/Type3|/Type1\b|CreationDate", content) == []
    assert "<dc:date>" not in (written / "figures" / "tasks.svg").read_text()


@pytest.mark.usefixtures("undrawn")
def test_an_old_report_is_replaced_and_other_files_in_it_are_kept(tmp_path: Path):
    out = ro.report(scores(), tmp_path / "rep", n_resamples=200).path.parent
    (out / "notes.txt").write_text("mine")
    ro.report(scores(("A", "B")), out, n_resamples=200)
    assert (out / "notes.txt").read_text() == "mine"
    assert json.loads((out / "results.json").read_text())["data"]["algorithms"] == ["A", "B"]
    assert [path.name for path in tmp_path.iterdir()] == ["rep"]


@pytest.mark.usefixtures("undrawn")
def test_files_of_the_users_inside_a_report_stay_and_those_of_the_old_report_go(tmp_path: Path):
    out = ro.report(scores(), tmp_path / "rep", n_resamples=200).path.parent
    (out / "tables" / "mine.csv").write_text("mine")
    (out / "figures").mkdir()
    (out / "figures" / "mine.svg").write_text("mine")
    ro.report(scores(("A", "B")), out, n_resamples=200)
    assert (out / "tables" / "mine.csv").read_text() == (out / "figures" / "mine.svg").read_text() == "mine"
    assert {path.name for path in (out / "tables" / "scores").iterdir()} == {"A.csv", "B.csv"}


@pytest.mark.usefixtures("undrawn")
def test_a_file_that_was_changed_or_is_anothers_is_overwritten_only_by_force(tmp_path: Path):
    out = ro.report(scores(("A", "B")), tmp_path / "rep", n_resamples=200).path.parent
    for name, sentence in (
        ("tables/pairs.csv", "was changed since"),
        ("tables/scores/C.csv", "is not as runoff wrote it"),
    ):
        (out / name).write_text("mine")
        with pytest.raises(ro.OutputError, match=f"{name} {sentence}.*force=True"):
            ro.report(scores(("A", "C")), out, n_resamples=200)
        assert (out / name).read_text() == "mine"
        assert (out / "tables" / "scores" / "B.csv").is_file()
        ro.report(scores(("A", "B")), out, n_resamples=200, force=True)
    assert ro.report(scores(("A", "C")), out, n_resamples=200, force=True).path.is_file()


@pytest.mark.usefixtures("undrawn")
def test_verbs_share_a_folder(tmp_path: Path):
    texts = {"plan.json": "{}", "README.txt": "of a plan"}
    ro.report(scores(), tmp_path / "rep", n_resamples=200)
    for verb, text in (("plan", "a plan"), ("check", "a check"), ("plan", "a plan")):
        write_answer(tmp_path / "rep", verb, texts | {"README.txt": text}, dict)
        assert (tmp_path / "rep" / "README.txt").read_text() == text


@pytest.mark.usefixtures("undrawn")
def test_a_failing_run_leaves_the_old_report_as_it_was(written: Path, monkeypatch: pytest.MonkeyPatch):
    before = {path: path.read_bytes() for path in written.rglob("*.*")}

    def fail(staging: object, name: str, text: str) -> None:
        raise ro.OutputError("the disk is full.")

    monkeypatch.setattr(folder_module.Staging, "write", fail)
    with pytest.raises(ro.OutputError, match="disk is full"):
        ro.report(scores(("A", "B")), written, n_resamples=200)
    assert {path: path.read_bytes() for path in written.rglob("*.*")} == before
    assert [path.name for path in written.parent.iterdir()] == ["rep"]


def test_a_failing_first_run_leaves_nothing(tmp_path: Path):
    with pytest.raises(ro.DesignError):
        ro.report(scores(("only",)), tmp_path / "rep", n_resamples=200)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_something_else_is_refused(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ro.OutputError, match="left alone"):
        ro.report(scores(), tmp_path, n_resamples=200)
    (tmp_path / "results.json").write_text('{"schema": "other/1"}')
    with pytest.raises(ro.OutputError, match="left alone"):
        ro.report(scores(), tmp_path, n_resamples=200)


def test_a_file_and_an_unwritable_place_are_refused(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("")
    for place in (file, file / "below"):
        with pytest.raises(ro.OutputError, match="file"):
            ro.report(scores(), place, n_resamples=200)


def test_options_are_refused_before_anything_is_computed(tmp_path: Path):
    with pytest.raises(ro.OptionError, match="alpha"):
        ro.report(scores(), tmp_path / "rep", alpha=5)
    with pytest.raises(ro.DataError, match="expected a pandas, polars or pyarrow table"):
        ro.report(3, tmp_path / "rep")  # type: ignore[arg-type]


def test_hostile_names_are_intact_in_csv_and_no_spreadsheet_runs_them():
    files = dict(tables(hostile()))
    rows = list(csv.DictReader(io.StringIO(files["aggregates.csv"])))
    cells = {row["algorithm"] for row in rows}
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert {cell[1:] if cell.startswith("'") else cell for cell in cells} == set(HOSTILE)


def test_the_guard_can_be_undone_and_leaves_numbers_alone():
    for text in ("=1", "'quoted", "plain", "-x", "@me", "\tx"):
        shown = guarded(text)
        assert (shown[1:] if shown.startswith("'") else shown) == text
    assert csv_text([{"a": -0.1, "b": None, "c": "-0.1"}]) == "a,b,c\n-0.1,,-0.1\n"


def test_hostile_names_are_escaped_in_latex():
    text = dict(tables(hostile()))["aggregates_wide.tex"]
    assert r"\$x\_1\$ \&" in text
    assert r"\textless{}script\textgreater{}" in text
    assert f"stands for '{'long ' * 100}name'" in text


def test_hostile_names_become_safe_unique_stable_file_names():
    names = slugs([*HOSTILE, "PPO", "ppo", "con", "..", "x" * 500])
    assert len({slug.casefold() for slug in names.values()}) == len(names)
    for slug in names.values():
        assert slug.isascii()
        assert len(slug) <= 69
        assert not set(slug) & set("/\\:*?<>|\" '")
        assert not slug.startswith(".")
    assert slugs(["PPO"]) == {"PPO": "PPO"}
    assert names["../../x"] == slugs(["../../x"])["../../x"]


def test_scores_are_written_at_full_precision(written: Path):
    rows = list(csv.DictReader(io.StringIO((written / "tables" / "scores" / "PPO.csv").read_text(encoding="utf-8"))))
    assert [float(row["score"]) for row in rows] == scores().values[:12].tolist()


def test_the_table_of_pairs_has_the_fewest_and_the_most_runs_of_a_cell():
    ragged = {"A": {"x": [1.0, 2.0, 4.0], "y": [1.0, 3.0]}, "B": {"x": [2.0, 3.0], "y": [4.0, 5.0, 6.0, 9.0]}}
    (row,) = csv.DictReader(io.StringIO(dict(tables(answers_of(ro.Scores.from_dict(ragged))))["pairs.csv"]))
    assert [row[f"n_runs_{name}"] for name in ("a_fewest", "a_most", "b_fewest", "b_most")] == ["2", "3", "2", "4"]


@pytest.mark.usefixtures("undrawn")
def test_the_folders_above_a_report_are_made(tmp_path):
    assert ro.report(scores(), tmp_path / "a" / "b" / "rep", n_resamples=200).path.is_file()


@pytest.mark.usefixtures("undrawn")
def test_the_terminal_ranks_by_the_chance_to_beat_where_that_is_the_measure(tmp_path: Path, capsys):
    report = ro.report(raw_scores(), tmp_path / "out", n_resamples=200)
    show_written(report, json=False)
    shown = capsys.readouterr().out
    assert "Ranking by chance to beat others" in shown
    names = [name for name, _ in report.answers.comparison.values]
    table = shown.partition("Ranking by")[2]
    assert [table.index(name) for name in names] == sorted(table.index(name) for name in names)
    for name, value in report.answers.comparison.values:
        assert re.search(rf"{name} +{100 * value:.0f}\s%", table)


@pytest.mark.slow
def test_figures_of_a_report_have_the_width_of_a_venue_or_a_length(tmp_path):
    for width, columns in (("neurips", (5.5, 5.5)), ("icml", (3.25, 6.75)), ("85mm", (85 / 25.4, 85 / 25.4))):
        folder = ro.report(scores(), tmp_path / width, n_resamples=200, figures="svg", width=width).path.parent
        for name, inches in zip(("improvement", "measures"), columns, strict=True):
            svg = (folder / "figures" / f"{name}.svg").read_text(encoding="utf-8")
            assert float(re.search(r'width="([\d.]+)pt"', svg)[1]) == pytest.approx(72 * inches)


@pytest.mark.parametrize(("width", "figures", "words"), [("nature", "svg", "neurips"), ("icml", None, "figures='pdf'")])
def test_a_width_that_is_none_or_of_no_figure_is_refused_before_anything_is_computed(tmp_path, width, figures, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.report(scores(), tmp_path / "out", figures=figures, width=width)
    assert not (tmp_path / "out").exists()


def test_learning_curves_are_normalised_with_the_scores_and_as_they_are(tmp_path):
    rows = [
        {"algorithm": a, "task": t, "run": r, "step": step, "score": 4.0 * step + r / 10 + 0.5 * (a == "A")}
        for a in "AB" for t in "xyz" for r in range(3) for step in (1, 2)
    ]  # fmt: skip
    # So small that they look normalised, and without a reference on z.
    how = {"normalize": {"x": (0, 1000), "y": (0, 1000)}, "assume_raw": True, "unreferenced": "drop"}
    ro.report(pl.DataFrame(rows), tmp_path / "r", n_resamples=100, **how)
    results = json.loads((tmp_path / "r" / "results.json").read_text(encoding="utf-8"))
    ends = {row["algorithm"]: row["estimate"] for row in results["curves"]["sample_efficiency"] if row["step"] == 2}
    assert ends == pytest.approx({"A": 0.0086, "B": 0.0081})
