"""Real clusters on this machine, one worker killed mid-study: the same table."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import runoff as ro
from runoff.lab import backends
from runoff.lab.backends import fan_out
from tests.lab.makers import killed, small_study

STUDY = small_study(contenders=("welch", "stratified_permutation_iqm"), n_repeats=20_000, n_resamples=500)


@pytest.fixture
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what clusters say of sockets and ports is not ours
        yield


@pytest.mark.slow
def test_a_dask_cluster_that_loses_a_worker_gives_the_same_table(quiet: None, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        done_at_kill: list[int] = []
        killer = threading.Thread(target=_kill_one, args=(client, tmp_path / "parts", done_at_kill))
        killer.start()
        result = ro.run_study(STUDY, backend="dask", store=tmp_path)
        killer.join()
    assert 5 <= done_at_kill[0] < 2 * STUDY.n_blocks
    assert result == ro.run_study(STUDY, workers=1)


def _kill_one(client: Any, parts: Path, done_at_kill: list[int]) -> None:
    pid = next(iter(client.run(os.getpid).values()))
    deadline = time.monotonic() + 60
    while not parts.exists() or len(list(parts.glob("*.parquet"))) < 5:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    done_at_kill.append(len(list(parts.glob("*.parquet"))))


@pytest.mark.slow
def test_a_task_that_kills_every_worker_of_dask_is_a_sentence(quiet: None) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        pytest.raises(ro.RunoffError, match="a worker of the study was killed"),
    ):
        list(fan_out(killed, range(8), workers=None, backend="dask"))


class Completed(list[Any]):
    """Futures that are done when they are submitted, the last one first."""

    update = list.extend

    def __iter__(self) -> Iterator[Any]:
        while self:
            yield self.pop()


def test_quick_tasks_go_to_dask_in_large_batches_and_come_back_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def submit(function: Callable[..., Any], work: Any, tasks: tuple[int, ...], **_: object) -> SimpleNamespace:
        sizes.append(len(tasks))
        answer = function(work, tasks)
        return SimpleNamespace(result=lambda: answer, release=lambda: None)

    client = SimpleNamespace(submit=submit, nthreads=lambda: {"worker": 2})
    fake = SimpleNamespace(get_client=lambda: client, as_completed=Completed, KilledWorker=RuntimeError)
    monkeypatch.setattr(backends, "_imported", lambda *_: fake)
    answers = list(fan_out(abs, range(-1000, 0), workers=None, backend="dask"))
    assert sorted(answers) == [(i, -i) for i in range(-1000, 0)]
    assert len(sizes) < 50


def test_a_dask_cluster_of_ones_own_has_a_process_of_one_thread_for_each_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import dask.config

    own: dict[str, Any] = {}

    def started(**options: Any) -> SimpleNamespace:
        own.update(options, profiled=dask.config.get("distributed.worker.profile.enabled"))
        raise KeyboardInterrupt

    def unconnected() -> None:
        raise ValueError

    fake = SimpleNamespace(get_client=unconnected, Client=started, set=dask.config.set)
    monkeypatch.setattr(backends, "_imported", lambda *_: fake)
    with pytest.raises(KeyboardInterrupt):
        list(fan_out(abs, range(3), workers=3, backend="dask"))
    assert own == {"n_workers": 3, "threads_per_worker": 1, "dashboard_address": None, "profiled": False}


@pytest.mark.slow
def test_a_dask_cluster_is_started_where_none_is_connected(quiet: None) -> None:
    pytest.importorskip("distributed")
    assert ro.run_study(small_study(), backend="dask", workers=2) == ro.run_study(small_study(), workers=1)


@pytest.mark.slow
def test_a_ray_cluster_gives_the_same_table(quiet: None) -> None:
    ray = pytest.importorskip("ray")
    try:
        assert ro.run_study(small_study(), backend="ray", workers=2) == ro.run_study(small_study(), workers=1)
    finally:
        ray.shutdown()
