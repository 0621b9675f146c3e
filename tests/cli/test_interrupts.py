"""Ctrl-C at named points, and (slow) at twenty moments of seven verbs: a sentence, nothing half-written, and the same answer again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest

import runoff as ro
from runoff import cli
from runoff.base import interrupts
from runoff.cli import ending, options
from runoff.cli import sequential as sequential_module
from runoff.cli.app import run
from runoff.methods.sequential import write_design

NOTHING = "interrupted; nothing was written; run the same command again.\n"
VERBS = {
    "report": ["report", "runs.csv", "-o", "rep", "--n-resamples", "500"],
    "compare": ["compare", "runs.csv"],
    "sequential": ["sequential", "d.toml", "look.csv", "--state", "s.json", "-o", "seq"],
    "convert": ["convert", "curves.csv", "-o", "tidy.csv"],
    "plan": ["plan", "runs.csv"],
    "gate": ["gate", "one.csv", "--save", "base.json"],
    "study": ["check", "colas2019/table02", "--n-repeats", "1000", "--store", "store", "--workers", "2", "-o", "st"],
}
MOMENTS = 20

AT_IMPORT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Finder:
    def find_spec(self, name, *rest):
        if name == {point!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
from runoff.cli import main
main(["compare", "none.csv"])
"""


@pytest.mark.parametrize("point", ["runoff.base.interrupts", "typer"])
def test_ctrl_c_while_starting_is_a_sentence(point: str) -> None:
    code = AT_IMPORT.format(point=point)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, NOTHING)


def test_an_end_of_file_is_no_interrupt(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def end_early(*_call: object) -> None:
        raise EOFError("cut off")

    monkeypatch.setattr(options.SourceOptions, "read", end_early)
    with pytest.raises(EOFError, match="cut off"):
        run(["compare", table])


def test_a_call_that_has_written_its_answer_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "WRITTEN_FILES", files := interrupts.WrittenFiles(concluding=True))
    ending.end(signal.SIGINT, None)
    assert not files.concluding  # a second Ctrl-C ends it


def test_a_signal_that_ends_a_call_takes_away_what_is_not_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    codes: list[int] = []
    monkeypatch.setattr(interrupts, "WRITTEN_FILES", interrupts.WrittenFiles())
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(os, "_exit", codes.append)
    with interrupts.unfinished(tmp_path / "hidden") as file:
        file.touch()
        ending.end(signal.SIGTERM, None)
        assert not file.exists()
    assert codes == [128 + signal.SIGTERM]
    assert capfd.readouterr().err == "ended by SIGTERM; nothing was written; run the same command again.\n"


SILENT, DEAF = signal.SIG_DFL, signal.SIG_IGN


@pytest.mark.parametrize(("before", "while_answering"), [(SILENT, ending.end), (DEAF, DEAF)])
def test_a_job_in_the_background_heeds_no_ctrl_c_and_no_call_does_once_it_has_answered(
    before: signal.Handlers, while_answering: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    handlers = []
    monkeypatch.setattr(cli, "gc", SimpleNamespace(set_threshold=int, freeze=int))
    monkeypatch.setattr(cli, "_code_of", lambda _arguments: handlers.append(signal.getsignal(signal.SIGINT)) or 0)
    shell = {number: signal.signal(number, before) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with pytest.raises(SystemExit):
            cli.main([])
        handlers += [signal.getsignal(number) for number in shell]
    finally:
        for number, handler in shell.items():
            signal.signal(number, handler)
    assert handlers == [while_answering, DEAF, DEAF]


def write_looks(folder: Path) -> None:
    """Write a design, and the runs of its looks."""
    design = ro.SequentialDesign(looks=(5, 10, 15), algorithms=("A", "B"), n_resamples=500)
    write_design(design, folder / "d.toml")
    for name, first in (("look.csv", 0), ("second.csv", 5), ("third.csv", 10)):
        rows = [f"{a},x,{i},{i * 7 % 11}.{i:02d}{a == 'A':d}" for a in "AB" for i in range(first, first + 5)]
        (folder / name).write_text("\n".join(["algorithm,task,run,score", *rows]) + "\n")


def test_the_state_is_written_after_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_call: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    write_looks(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(sequential_module, "write_sequential", interrupted)
        assert run(VERBS["sequential"]) == 130
    assert capsys.readouterr().err == NOTHING
    assert not {"s.json", ".s.json.lock"} & set(os.listdir(tmp_path))
    assert run(VERBS["sequential"][:-2]) == 0
    assert capsys.readouterr().out.startswith("After look 1 of 3")


def test_two_looks_at_once_are_both_kept(tmp_path: Path) -> None:
    write_looks(tmp_path)
    design, state = tmp_path / "d.toml", tmp_path / "s.json"
    ro.sequential(tmp_path / "look.csv", design=design, state=state)
    with ThreadPoolExecutor(2) as pool:
        looks = [
            pool.submit(ro.sequential, tmp_path / f"{name}.csv", design=design, state=state)
            for name in ("second", "third")
        ]
        assert sorted(look.result().look for look in looks) == [2, 3]
    assert ro.sequential(design=design, state=state).look == 3


# ── twenty moments of seven verbs ──────────


def write_data(folder: Path) -> None:
    """Write what the seven verbs read."""
    write_looks(folder)
    scores = [f"{a},{t},{i},{i * 37 % 101 / 10 + (a == 'B')}" for a in "AB" for t in "xy" for i in range(10)]
    single = [row for row in scores if row.startswith("A")]
    curves = [f"{row.rpartition(',')[0]},{step},{row.rpartition(',')[2]}" for row in scores for step in range(9)]
    (folder / "runs.csv").write_text("\n".join(["algorithm,task,run,score", *scores]) + "\n")
    (folder / "one.csv").write_text("\n".join(["algorithm,task,run,score", *single]) + "\n")
    (folder / "curves.csv").write_text("\n".join(["algorithm,task,run,step,score", *curves]) + "\n")


def start(arguments: list[str], folder: Path) -> subprocess.Popen[str]:
    """Start a verb in a folder, which heeds Ctrl-C also where the tests run in the background."""
    command, pipe = [sys.executable, "-m", "runoff", *arguments], subprocess.PIPE
    heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    return subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True, preexec_fn=heed)


def wait_for_runoff(pid: int) -> None:
    """Wait until runoff handles signals: SIGTERM is one that Python itself, while it starts, does not handle."""
    handled = 0
    while not handled >> (signal.SIGTERM - 1) & 1:
        time.sleep(0.001)
        handled = int(Path(f"/proc/{pid}/status").read_text().partition("SigCgt:")[2].split()[0], 16)


def digests(folder: Path) -> dict[str, str]:
    """Return each file's digest; parts of the store and hidden files count as any other."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(params=VERBS)
def verb(request: pytest.FixtureRequest) -> list[str]:
    return VERBS[request.param]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says which signals a process handles")
def test_ctrl_c_at_any_moment_leaves_whole_files_and_the_same_answer(verb: list[str], tmp_path: Path) -> None:
    start(verb, new_folder(tmp_path, "compiles")).communicate()
    process = start(verb, whole_folder := new_folder(tmp_path, "whole"))
    wait_for_runoff(process.pid)
    began = time.monotonic()
    answer, _ = process.communicate()
    seconds, whole = time.monotonic() - began, digests(whole_folder)
    for i in range(MOMENTS):
        process = start(verb, folder := new_folder(tmp_path, f"{i}"))
        wait_for_runoff(process.pid)
        time.sleep(seconds * i / MOMENTS)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        assert ended_well(process.returncode, out, err, answer), (i, process.returncode, err)
        assert digests(folder).items() <= whole.items()
        if process.returncode:
            assert start(verb, folder).communicate()[0] == answer
            assert digests(folder) == whole


def new_folder(parent: Path, name: str) -> Path:
    """Return a folder that holds what the seven verbs read."""
    folder = parent / name
    folder.mkdir()
    write_data(folder)
    return folder


def ended_well(code: int, out: str, err: str, answer: str) -> bool:
    """Return whether a call ended with its answer, or with one sentence."""
    if code == 0:
        return out == answer
    return code == 130 and err.startswith("interrupted; ") and err.count("\n") == 1
