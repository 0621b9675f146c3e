"""The steps of `action.yml` are run by bash, as by a runner: inputs in the environment, files for the summary and the outputs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import yaml

import runoff as ro
from runoff.cli.summary import gate_markdown
from tests.places import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
SHELL = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]
PYTHON = f"""#!/bin/sh
printf '%s\\n' "$@" > "$RUNNER_TEMP/arguments"
if [ "$3" = pip ]; then exit 0; fi
PYTHONPATH="{ROOT / "src"}" exec "{sys.executable}" "$@"
"""
"""A Python that installs nothing, and runs the package of this checkout."""


@dataclass
class Job:
    """What a job of a workflow leaves."""

    code: int
    talk: str
    summary: str
    outputs: dict[str, str]


class Runner:
    """What runs the steps of the action in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temp = folder / "temp"
        self.temp.mkdir()
        self.python = self.temp / "python"
        self.python.write_text(PYTHON, encoding="utf-8")
        self.python.chmod(0o755)

    def step(self, name: str, **inputs: str) -> Job:
        step = next(step for step in STEPS if step.get("id") == name)
        script, summary, outputs = (self.temp / file for file in ("step.sh", "summary", "outputs"))
        script.write_text(step["run"], encoding="utf-8")
        defaults = {key: entry.get("default", "") for key, entry in ACTION["inputs"].items()}
        values = {f"inputs.{key}": value for key, value in (defaults | inputs).items()}
        values["steps.python.outputs.python-path"] = str(self.python)
        env = {key: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: values[m[1]], text) for key, text in step["env"].items()}
        files = {"RUNNER_TEMP": self.temp, "GITHUB_STEP_SUMMARY": summary, "GITHUB_OUTPUT": outputs}
        done = subprocess.run(
            [*SHELL, str(script)],
            cwd=self.folder,
            env=os.environ | env | {key: str(path) for key, path in files.items()} | {"GITHUB_ACTION_PATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        texts = [path.read_text(encoding="utf-8") if path.exists() else "" for path in (summary, outputs)]
        pairs = dict(line.split("=", 1) for line in texts[1].splitlines())
        return Job(code=done.returncode, talk=done.stdout + done.stderr, summary=texts[0], outputs=pairs)


@pytest.fixture
def runner(tmp_path):
    rng = np.random.default_rng(0)
    for name, mean in {"base": 15, "same runs": 15, "worse": 9}.items():
        rows = [("PPO", t, i, m + rng.normal()) for t, m in {"Pong": 20, "Qbert": mean}.items() for i in range(6)]
        text = "".join(f"{a},{t},{i},{score}\n" for a, t, i, score in rows)
        (tmp_path / f"{name}.csv").write_text(f"algorithm,task,seed,return\n{text}", encoding="utf-8")
    (tmp_path / "numpy.py").write_text("raise ImportError('this is a file of the project')\n", encoding="utf-8")
    return Runner(tmp_path)


FAST = {"baseline": "base.csv", "margin": "3", "args": "--n-resamples 2000"}


@pytest.mark.slow
def test_a_candidate_that_holds_passes_with_its_summary(runner):
    job = runner.step("gate", candidate="same runs.csv", **FAST)
    result = ro.gate(runner.folder / "base.csv", runner.folder / "same runs.csv", margin=3.0, n_resamples=2000)
    assert job.code == 0
    assert job.summary == gate_markdown(result)
    assert (job.outputs["verdict"], job.outputs["exit-code"]) == ("held", "0")
    assert Path(job.outputs["summary"]).read_text(encoding="utf-8") == job.summary


@pytest.mark.slow
def test_a_candidate_that_has_regressed_fails_the_step_and_is_shown(runner):
    job = runner.step("gate", candidate="worse.csv", **FAST)
    assert (job.code, job.outputs["verdict"], job.outputs["exit-code"]) == (1, "regressed", "1")
    assert job.summary.startswith("### runoff gate: regressed\n")
    assert "\n- Qbert " in job.summary
    assert "On 'Qbert' the candidate has regressed" in job.talk


@pytest.mark.slow
def test_alpha_and_fail_on_reach_the_gate(runner):
    job = runner.step("gate", candidate="same runs.csv", **FAST | {"margin": "0.1", "alpha": "0.01"})
    assert (job.code, job.outputs["verdict"]) == (0, "underpowered")
    assert "α = 0.01 over all rows" in job.summary
    strict = {"margin": "0.1", "fail-on": "suspect,underpowered"}
    assert runner.step("gate", candidate="same runs.csv", **FAST | strict).code == 1


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        pytest.param({"candidate": "none.csv"}, "none.csv: there is no such file", marks=pytest.mark.slow),
        pytest.param({"candidate": ""}, "error: ", marks=pytest.mark.slow),
        pytest.param({"candidate": "--help"}, "--help: there is no such file or folder", marks=pytest.mark.slow),
        pytest.param({"margin": ""}, "a gate needs a margin, the smallest drop that matters", marks=pytest.mark.slow),
        pytest.param({"margin": "much"}, "much", marks=pytest.mark.slow),
        pytest.param({"args": "--drawn 3"}, "--drawn", marks=pytest.mark.slow),
        ({"args": "--algorithm 'PPO"}, "quote"),
        pytest.param({"candidate": "base.csv"}, "one set of runs was given twice", marks=pytest.mark.slow),
    ],
)
def test_a_question_that_cannot_be_asked_ends_with_2_and_says_so(runner, inputs, words):
    job = runner.step("gate", **{"candidate": "same runs.csv"} | FAST | inputs)
    assert (job.code, job.outputs["exit-code"], job.outputs["verdict"]) == (2, "2", "")
    assert job.summary.startswith("### runoff gate: no answer\n\n    ")
    assert words in job.summary
    assert words in job.talk
    assert "Traceback" not in job.talk


def test_no_input_is_a_command(runner):
    text = 'x" && touch pwned "; touch pwned; `touch pwned` $(touch pwned)'
    job = runner.step("gate", **dict.fromkeys([*FAST, "candidate", "alpha", "fail-on"], text))
    assert job.code == 2
    assert not (runner.folder / "pwned").exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("--help", "nothing was judged, for args (--help) ask for something else"),
        pytest.param("--markdown -", "--markdown stands there twice", marks=pytest.mark.slow),
    ],
)
def test_a_gate_that_judged_nothing_does_not_pass(runner, args, words):
    job = runner.step("gate", candidate="same runs.csv", **FAST | {"args": args})
    assert (job.code, job.outputs["verdict"]) == (2, "")
    assert f"    error: {words}" in job.summary


@pytest.mark.slow
def test_an_option_without_its_value_is_named(runner):
    job = runner.step("gate", candidate="same runs.csv", **FAST | {"args": "--confirm"})
    assert job.code == 2
    assert "--confirm needs the fresh runs" in job.summary


@pytest.mark.slow
def test_a_margin_for_each_task_stands_on_a_line_of_its_own(runner):
    job = runner.step("gate", candidate="worse.csv", **FAST | {"margin": "Pong=2sd\n  Qbert=3 \n"})
    assert (job.code, job.outputs["verdict"]) == (1, "regressed")
    assert "margins by task" in job.summary


@pytest.mark.slow
def test_options_may_have_spaces_in_quotes(runner):
    rows = (runner.folder / "worse.csv").read_text(encoding="utf-8").replace("PPO", "PPO new")
    (runner.folder / "new.csv").write_text(rows, encoding="utf-8")
    args = "--algorithm PPO\n--candidate-algorithm 'PPO new' --n-resamples 2000"
    job = runner.step("gate", candidate="new.csv", **FAST | {"args": args})
    assert (job.code, job.outputs["verdict"]) == (1, "regressed")


@pytest.mark.slow
def test_an_earlier_answer_is_not_shown_again(runner):
    runner.step("gate", candidate="same runs.csv", **FAST)
    job = runner.step("gate", candidate="none.csv", **FAST)
    assert [line for line in job.summary.splitlines() if line.startswith("#")][-1] == "### runoff gate: no answer"
    assert job.outputs["verdict"] == ""


def test_what_is_installed_is_the_runoff_of_the_action_in_a_folder_of_its_own(runner):
    assert runner.step("install").code == 0
    arguments = (runner.temp / "arguments").read_text(encoding="utf-8").splitlines()
    assert arguments[:4] == ["-P", "-m", "pip", "install"]
    assert arguments[-3:] == ["--target", str(runner.temp / "runoff"), str(ROOT)]


def test_no_script_has_an_expression_and_every_input_that_is_used_is_declared():
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert scripts
    assert [script for script in scripts if "${{" in script] == []
    named = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", str(STEPS)))
    assert named == set(ACTION["inputs"])
    assert all(step.get("shell") == "bash" for step in STEPS if "run" in step)
