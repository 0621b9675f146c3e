"""One ledger under several processes that are killed (`kill -9`) at any moment: nothing is lost, and no share of the error is spent twice."""

from __future__ import annotations

import json
import os
import signal
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TextIO

import numpy as np
import pytest

import runoff as ro
from runoff._inference.search import level_of
from runoff.data.ledger import LedgerCall, read_ledger

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
ALPHA = 0.1


def work(path: Path, own: str, seed: int) -> None:
    """Propose candidates until the process is killed; what was given and what was heard stands in files of its own."""
    rng, night, notes = np.random.default_rng(seed), ro.Ledger(path), path.with_name(f"{own}.notes")
    heard = rows_of(notes)
    # A killed process asks again with the runs that it had given last.
    name, runs = (heard[-1]["name"], heard[-1]["runs"]) if heard else (f"{own}-{seed}", [])
    with notes.open("a") as file:
        for k in range(10**6):
            note(file, name, runs)
            answer = night.propose(runs, name=name)
            note(file, name, runs, answer.decision)
            if answer.decision == "run_more":
                runs = runs + rng.normal(rng.choice([0.0, 1.0, 3.0]), 1.0, answer.n_candidate).tolist()
                champion_runs(night, answer, rng, f"{own}-{seed}-{k}")
            else:
                name, runs = f"{own}-{seed}-{k}", []


def note(file: TextIO, name: str, runs: list[float], decision: str | None = None) -> None:
    """Write down what is given, and once it is heard what was decided."""
    file.write(json.dumps({"name": name, "runs": runs, "decision": decision}) + "\n")
    file.flush()


def rows_of(notes: Path) -> list[dict]:
    """Return the whole lines of the notes of a process; the last may have been cut off."""
    return [json.loads(line) for line in notes.read_text().split("\n")[:-1]] if notes.exists() else []


def champion_runs(night: ro.Ledger, answer: ro.Ledger, rng: np.random.Generator, label: str) -> None:
    """Give the champion the runs that it lacks, unless another one reigns by now."""
    if not answer.n_champion:
        return
    n = answer.n_champion
    rows = {"algorithm": [answer.champion] * n, "run": [f"{label}-{i}" for i in range(n)], "score": rng.normal(size=n)}
    try:
        night.champion({key: list(values) for key, values in rows.items()})
    except ro.DesignError:
        return


def forked(path: Path, own: str, seed: int) -> int:
    child = os.fork()
    if not child:
        try:
            work(path, own, seed)
        except BaseException:
            path.with_name("failures").write_text(traceback.format_exc())
        finally:
            os._exit(1)
    return child


def killed_often(path: Path, n: int, seed: int) -> None:
    """Let two processes work, and kill one after the other at random moments; each that is killed is started again."""
    rng = np.random.default_rng(seed)
    children = {own: forked(path, own, k) for k, own in enumerate("ab")}
    try:
        for k in range(n):
            own = "ab"[k % 2]
            time.sleep(float(rng.uniform(0.002, 0.04)))
            os.kill(children[own], signal.SIGKILL)
            failures = path.with_name("failures")
            assert os.waitpid(children.pop(own), 0)[1] == signal.SIGKILL, failures.exists() and failures.read_text()
            children[own] = forked(path, own, k + 2)
    finally:
        # A child that outlives its test works on for ever, and the worker of pytest waits for it.
        for child in children.values():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def shares(calls: list[LedgerCall]) -> dict[tuple[str, int], tuple[int, float]]:
    """Return the confirmations by candidate and number, each with its number and level."""
    return {(call.candidate or "", call.number): (call.number, call.level) for call in calls if call.number}


def begun(tmp_path: Path) -> Path:
    path = tmp_path / "night.jsonl"
    ro.Ledger(path, alpha=ALPHA).champion(np.random.default_rng(10**6).normal(size=8).tolist(), name="base")
    return path


def assert_nothing_is_lost(path: Path) -> list[LedgerCall]:
    """Assert that every answer that was heard stands in the ledger with its runs, and that each run stands there once."""
    ledger = read_ledger(path)
    given = Counter((call.candidate, run.run, run.scores) for call in ledger.calls for run in call.runs)
    assert max(given.values()) == 1
    rows = [row for own in "ab" for row in rows_of(path.with_name(f"{own}.notes")) if row["decision"]]
    heard = {(row["name"], str(k), (score,)) for row in rows for k, score in enumerate(row["runs"], start=1)}
    champions = {(call.candidate, run.run, run.scores) for call in ledger.calls for run in (*call.runs, *call.champion)}
    names = {call.candidate for call in ledger.calls if call.decision == "keep"}
    assert {row for row in heard if row[0] not in names} <= champions
    assert rows
    return ledger.calls


@pytest.mark.slow
def test_a_few_kills_lose_nothing(tmp_path):
    path = begun(tmp_path)
    killed_often(path, 20, 0)
    assert_no_share_is_spent_twice(path, assert_nothing_is_lost(path))


@pytest.mark.slow
def test_five_hundred_kills_lose_nothing_and_spend_no_share_twice(tmp_path):
    path = begun(tmp_path)
    killed_often(path, 500, 1)
    assert_no_share_is_spent_twice(path, assert_nothing_is_lost(path))


def assert_no_share_is_spent_twice(path: Path, calls: list[LedgerCall]) -> None:
    """Assert that each confirmation has a number of its own and its level, and that all levels sum to what was spent, below alpha."""
    confirmations = shares(calls)
    numbers = sorted(number for number, _ in confirmations.values())
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(level == level_of(ALPHA, number) for number, level in confirmations.values())
    assert numbers
    spent = sum(level for _, level in confirmations.values())
    assert spent == pytest.approx(ro.Ledger(path).record().alpha_spent)
    assert spent < ALPHA
