"""A client of the protocol calls each tool, and none reaches beyond the folder that the server was started in."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor

import anyio
import numpy as np
import pytest
from mcp import Client

import runoff as ro
from runoff.cli.app import command, run
from runoff.cli.tools import server


@pytest.fixture
def folder(tmp_path, monkeypatch):
    draw = np.random.default_rng(0)
    root = tmp_path / "root"
    (root / "inner").mkdir(parents=True)
    rows = {name: {task: draw.normal(i, 1.0, 6) for task in "xy"} for i, name in enumerate("AB")}
    ro.Scores.from_dict(rows).to_frame().write_csv(root / "runs.csv")
    ro.Scores.from_dict({"A": draw.normal(0, 1, 8)}).to_frame().write_csv(root / "champion.csv")
    (tmp_path / "secret.csv").write_text((root / "runs.csv").read_text(encoding="utf-8"), encoding="utf-8")
    (root / "link.csv").symlink_to(tmp_path / "secret.csv")
    (tmp_path / "out").mkdir()
    (root / "inner" / "linked").symlink_to(tmp_path / "out")
    return root


def run_alone(ask):
    """Return what a coroutine returns, in a thread of its own: that of a test may have a browser's loop."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(anyio.run, ask).result()


def answer_of(folder, name, **arguments):
    """Return what a client of the SDK gets."""

    async def ask():
        async with Client(server(folder, folder / "out")) as client:
            return (await client.call_tool(name, arguments)).structured_content

    return run_alone(ask)


@pytest.mark.slow
def test_a_client_calls_each_tool(folder):
    (folder / "link.csv").unlink()
    (folder / "inner" / "linked").unlink()
    assert {row["algorithm"] for row in answer_of(folder, "scan", path="inner/..")["records"]} == {"A", "B"}
    answer = answer_of(folder, "compare", data=["runs.csv"], measure="mean", algorithms=["A", "B"])
    expected = ro.compare(ro.read_scores(folder / "runs.csv"), measure="mean")
    assert answer["sentence"] == expected.sentence
    assert answer["records"][0]["pvalue"] == expected[0].pvalue
    assert answer_of(folder, "plan", effect=1.0, std=1.0)["records"][0]["n_runs"] == 17
    assert answer_of(folder, "report", data=["runs.csv"])["leader"] == "B"
    assert (folder / "out" / "report.html").is_file()
    answer = answer_of(folder, "keep", ledger="night.jsonl", champion=["champion.csv"])
    assert answer["sentence"].startswith("The champion A has its runs")
    assert (folder / "night.jsonl").is_file()


def test_the_tools_are_told_apart_as_readers_and_the_one_that_writes(folder):
    async def ask():
        async with Client(server(folder, folder / "out")) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool.annotations.read_only_hint for tool in run_alone(ask)}
    assert tools == {"scan": True, "compare": True, "plan": True, "keep": False, "report": False}


@pytest.mark.parametrize(
    "path",
    [
        "../secret.csv",
        "/etc/passwd",
        "link.csv",
        "inner/../../secret.csv",
        "../*.csv",
        "*/../../*.csv",
        "--help",
        "l*k.csv",
        "?ink.csv",
        "inner",
        "inn*",
        "inner/l*",
        "**",
        "run\0s.csv",
        "",
    ],
)
def test_no_tool_reads_beyond_its_folder(folder, path):
    for name, arguments in (("scan", {"path": path}), ("compare", {"data": ["runs.csv", path]})):
        answer = answer_of(folder, name, **arguments)
        assert (answer["schema"], answer["code"]) == ("runoff.refusal/1", "option")


def test_no_reference_is_read_beyond_the_folder_and_no_report_written_there(folder):
    assert answer_of(folder, "compare", data=["runs.csv"], normalize="../secret.csv")["code"] == "option"
    assert answer_of(folder, "keep", ledger="../night.jsonl", champion=["runs.csv"])["code"] == "option"
    assert answer_of(folder, "keep", ledger="night.jsonl", champion=["../secret.csv"])["code"] == "option"
    with pytest.raises(ro.OptionError, match="leads out of the folder"):
        server(folder, folder / ".." / "elsewhere")


@pytest.mark.slow
def test_a_value_cannot_become_an_option(folder):
    answer = answer_of(folder, "compare", data=["runs.csv"], measure=f"mean --out {folder}")
    assert answer["code"] == "option"
    assert "not 'mean --out" in answer["message"]


def test_values_that_no_command_can_hold_are_refused_as_records(folder):
    assert answer_of(folder, "compare", data=["runs.csv"], normalize="a\0b")["code"] == "option"
    assert answer_of(folder, "report", data=["runs.csv"], title="x\0y")["code"] == "option"
    assert answer_of(folder, "compare", data=[])["message"] == "data names no runs."


def test_the_skill_names_verbs_and_fields_that_are_there(capsys):
    assert run(["mcp", "--skill"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("---\nname: runoff\n")
    assert set(re.findall(r"`runoff ([a-z]+)", text)) - {"mcp"} <= set(command().commands)
    options = {name for verb in command().commands.values() for param in verb.params for name in param.opts}
    assert set(re.findall(r"--[a-z][a-z-]*", text.split("---", 2)[2])) <= options
    fields = json.loads(ro.compare({"A": [1.0, 2, 3], "B": [2.0, 3, 5]}).to_json())
    assert {"sentence", "records", "advice"} <= set(fields)
    assert {"verdict", "estimate", "low", "high", "pvalue_adjusted"} <= set(fields["records"][0])
