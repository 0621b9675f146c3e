from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import runoff as ro
from runoff.base import interrupts, locks, writing
from runoff.base.arrays import Floats
from runoff.base.random import Streams, streams
from runoff.lab import blocks
from runoff.lab.backends import fan_out
from runoff.lab.contenders import CONTENDERS
from runoff.lab.contenders.registry import Batch
from tests.lab.makers import killed, small_study
from tests.places import ROOT

MANY = small_study(n_repeats=10_000)
KILLED = """
import runoff as ro
from tests.lab.makers import small_study
ro.run_study(small_study(n_repeats=10_000), workers=1, store={store!r})
"""


@pytest.fixture(scope="module")
def whole() -> ro.StudyResult:
    """The table of many repetitions, made in one go."""
    return ro.run_study(MANY, workers=1)


def parts(store: Path) -> list[Path]:
    return sorted((store / "parts").glob("*.parquet"))


def test_methods_draw_by_the_seed_of_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Streams] = []

    def decide(batch: Batch) -> Floats:
        seen.append(batch.streams)
        return np.zeros(batch.n_batch)

    welch = replace(CONTENDERS["welch"], decide=decide)
    monkeypatch.setattr(blocks, "CONTENDERS", {"welch": welch})
    study = small_study(contenders=("welch",), seed=7)
    blocks.run_block(study, next(study.cells()), 0)
    assert seen == [streams(7)]


def test_a_store_keeps_every_block_and_changes_nothing(tmp_path: Path) -> None:
    kept = ro.run_study(small_study(), workers=1, store=tmp_path)
    assert len(parts(tmp_path)) == 2 * 3
    assert kept == ro.run_study(small_study(), workers=1)


def test_a_second_call_reads_the_store_and_computes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ro.run_study(small_study(), workers=1, store=tmp_path)
    monkeypatch.setattr("runoff.lab.run.run_block", None)
    assert ro.run_study(small_study(), workers=1, store=tmp_path) == first


@pytest.mark.slow
def test_an_interrupted_study_continues_to_the_same_table(tmp_path: Path, whole: ro.StudyResult) -> None:
    ro.run_study(MANY, workers=1, store=tmp_path, time_limit="0.05s")
    done = len(parts(tmp_path))
    assert 0 < done < 40
    assert ro.run_study(MANY, workers=2, store=tmp_path) == whole


@pytest.mark.slow
def test_a_study_killed_with_signal_9_continues_to_the_same_table(tmp_path: Path, whole: ro.StudyResult) -> None:
    command = [sys.executable, "-c", KILLED.format(store=str(tmp_path))]
    process = subprocess.Popen(command, cwd=ROOT)
    deadline = time.monotonic() + 60
    while len(parts(tmp_path)) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert 3 <= len(parts(tmp_path)) < 40
    assert ro.run_study(MANY, workers=1, store=tmp_path) == whole


@pytest.mark.slow
def test_a_killed_worker_is_a_sentence_and_the_same_call_continues() -> None:
    with pytest.raises(
        ro.RunoffError, match=r"^a worker of the study was killed .* with store= the same command continues"
    ):
        list(fan_out(killed, range(8), workers=2, backend="loky"))
    assert sorted(fan_out(killed, range(3), workers=2, backend="loky")) == [(0, 0), (1, 1), (2, 2)]


def test_a_changed_study_is_refused_with_what_changed(tmp_path: Path) -> None:
    ro.run_study(small_study(), workers=1, store=tmp_path)
    with pytest.raises(ro.OptionError, match=r"alpha was 0\.05 and is 0\.01; n_runs was \[3, 10\] and is \[3\]"):
        ro.run_study(small_study(alpha=0.01, n_runs=(3,)), workers=1, store=tmp_path)


@pytest.mark.parametrize("content", [b"", b"PAR1 this is no table PAR1"])
def test_a_corrupt_part_is_named_and_computed_again(tmp_path: Path, content: bytes) -> None:
    first = ro.run_study(small_study(), workers=1, store=tmp_path)
    torn = parts(tmp_path)[2]
    torn.write_bytes(content)
    with pytest.warns(ro.RunoffWarning, match=torn.name):
        again = ro.run_study(small_study(), workers=1, store=tmp_path)
    assert again == first
    assert ro.run_study(small_study(), workers=1, store=tmp_path) == first


def test_a_part_of_other_methods_counts_as_corrupt(tmp_path: Path) -> None:
    ro.run_study(small_study(), workers=1, store=tmp_path)
    other = tmp_path / "other"
    ro.run_study(small_study(contenders=("welch",)), workers=1, store=other)
    first = parts(tmp_path)[0]
    first.write_bytes((other / "parts" / first.name).read_bytes())
    with pytest.warns(ro.RunoffWarning, match="contenders or repetitions"):
        ro.run_study(small_study(), workers=1, store=tmp_path)


def test_a_store_whose_declaration_is_torn_is_refused(tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text("{")
    with pytest.raises(ro.OutputError, match=r"study\.json is not readable"):
        ro.run_study(small_study(), workers=1, store=tmp_path)


def test_a_half_written_part_is_never_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("runoff.base.writing.os.replace", torn)
    with pytest.raises((ro.OutputError, OSError)):
        ro.run_study(small_study(), workers=1, store=tmp_path)
    assert parts(tmp_path) == []


@pytest.mark.parametrize("link", ["store", "store/parts", "store/study.json"])
def test_no_block_is_kept_through_a_link(link: str, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / link).parent.mkdir(exist_ok=True)
    (tmp_path / link).symlink_to(tmp_path / "outside")
    with pytest.raises(ro.OutputError, match=f"{link} is a link to .*outside"):
        blocks.Store(tmp_path / "store", small_study()).open()
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_store_for_which_the_disk_has_no_room_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: Path, _content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ro.OutputError, match=r"study\.json cannot be written: No space left"):
        blocks.Store(tmp_path / "deep" / "store", small_study()).open()
    assert list(tmp_path.iterdir()) == []


def test_a_store_whose_declaration_another_call_writes_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = blocks.Store(tmp_path / "store", small_study())
    store.open()
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    with (
        locks.locked(tmp_path / "store" / "study.json", "declaration"),
        pytest.raises(ro.OutputError, match="another call of runoff is changing the declaration"),
    ):
        store.open()


def test_a_store_with_a_block_is_not_yet_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = interrupts.WrittenFiles()
    for module in (interrupts, writing, blocks):
        monkeypatch.setattr(module, "WRITTEN_FILES", files)
    store, study = blocks.Store(tmp_path / "store", small_study()), small_study()
    store.open()
    store.save(
        next(study.cells()),
        0,
        blocks.Tally(n=1, total=np.zeros(len(study.contenders)), squares=np.zeros(len(study.contenders))),
    )
    assert list(files.written) == [f"the store {tmp_path / 'store'}, with its finished blocks"]
    assert not files.concluding
