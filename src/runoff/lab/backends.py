"""The backends that compute blocks: one process, joblib's processes or threads, a Dask or a Ray cluster.

Every backend maps a function over tasks and yields (task, answer) in any order. Tasks are taken lazily, so that a study stops at a block
boundary when the iterator of tasks ends; a backend finishes the tasks that it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any, TypeVar

from runoff.base.validate import check_count
from runoff.errors import OptionError, RunoffError, nearest
from runoff.words.speech import option

Job = TypeVar("Job")
Reply = TypeVar("Reply")

AHEAD = 2
"""The number of tasks that each worker receives ahead of its answers."""
BATCH_SECONDS = 0.3
"""How long Dask computes between two answers, each of which costs it about 5 ms."""
LEAN = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}
"""Settings of a Dask cluster of one's own: its samples of every stack and its clocks, fifty times a second, take a tenth of each worker."""


def check_backend(name: str) -> str:
    """Return the name of a backend; refuse an unknown one."""
    from joblib.parallel import BACKENDS as registered

    if name in BACKENDS or name in registered:
        return name
    accepted = [*BACKENDS, "any backend registered with joblib"]
    raise OptionError(f"backend must be one of {', '.join(accepted)}, not {name!r}.{nearest(name, BACKENDS)}")


def fan_out(
    function: Callable[[Job], Reply], tasks: Iterable[Job], *, workers: int | None, backend: str
) -> Iterator[tuple[Job, Reply]]:
    """Yield (task, function(task)) as tasks complete; workers: processes or threads, None for one per processor (a cluster has its own)."""
    import joblib

    n_workers = int(joblib.cpu_count()) if workers is None else check_count("workers", workers)
    # One worker is this process: nothing is pickled, and an error keeps its traceback.
    if n_workers == 1 and backend in ("loky", "threads"):
        return ((task, function(task)) for task in tasks)
    if check_backend(backend) in BACKENDS:
        return BACKENDS[backend](function, tasks, n_workers)
    return _joblib(backend, function, tasks, n_workers)


# ── one machine ──────────


def _joblib(name: str, function: Callable[[Job], Reply], tasks: Iterable[Job], n: int) -> Iterator[tuple[Job, Reply]]:
    from concurrent.futures.process import BrokenProcessPool

    import joblib

    parallel = joblib.Parallel(
        # Answers come as they are ready: the order of blocks changes no number, for each has a stream of its own.
        n_jobs=n,
        backend=name,
        return_as="generator_unordered",
        pre_dispatch=AHEAD * n,
        batch_size=1,
    )
    try:
        yield from parallel(joblib.delayed(_pair)(function, task) for task in tasks)
    except BrokenProcessPool as error:
        raise _killed() from error


def _killed() -> RunoffError:
    again = f"with {option('store')} the same command continues after the finished blocks, and fewer {option('workers')} need less memory"
    return RunoffError(f"a worker of the study was killed (memory?); {again}.")


def _pair(function: Callable[[Job], Reply], task: Job) -> tuple[Job, Reply]:
    return task, function(task)


# ── clusters ──────────


def _dask(function: Callable[[Job], Reply], tasks: Iterable[Job], n: int) -> Iterator[tuple[Job, Reply]]:
    """Use the current `distributed.Client`, or start a local cluster of `n` processes."""
    distributed = _imported("distributed", "dask")
    try:
        client, own = distributed.get_client(), None
    except ValueError:
        with _imported("dask.config", "dask").set(LEAN):
            client = own = distributed.Client(n_workers=n, threads_per_worker=1, dashboard_address=None)
    waiting = iter(tasks)

    def submitted(size: int) -> list[Any]:
        batch = tuple(islice(waiting, size))
        # A worker that dies takes its batch with it; the same blocks give the same numbers when they are computed
        # again.
        return [client.submit(_pairs, function, batch, pure=False, retries=3)] if batch else []

    try:
        ahead = AHEAD * max(1, sum(client.nthreads().values()))
        done = distributed.as_completed([future for _ in range(ahead) for future in submitted(1)])
        for future in done:
            try:
                pairs, seconds = future.result()
            except distributed.KilledWorker as error:
                raise _killed() from error
            future.release()
            # The next batch has as many tasks as fit `BATCH_SECONDS` at the pace of the one that has just ended.
            done.update(submitted(max(1, int(BATCH_SECONDS * len(pairs) / seconds))))
            yield from pairs
    finally:
        if own is not None:
            own.close()


def _pairs(function: Callable[[Job], Reply], tasks: Iterable[Job]) -> tuple[list[tuple[Job, Reply]], float]:
    start = perf_counter()
    return [_pair(function, task) for task in tasks], perf_counter() - start


def _ray(function: Callable[[Job], Reply], tasks: Iterable[Job], n: int) -> Iterator[tuple[Job, Reply]]:
    ray = _imported("ray", "ray")
    if not ray.is_initialized():
        ray.init(num_cpus=n, include_dashboard=False, log_to_driver=False)
    remote = ray.remote(_pair).options(max_retries=3)
    waiting, ahead = iter(tasks), AHEAD * max(1, int(ray.cluster_resources().get("CPU", n)))
    running = [remote.remote(function, task) for task in islice(waiting, ahead)]
    while running:
        finished, running = ray.wait(running, num_returns=1)
        running += [remote.remote(function, task) for task in islice(waiting, len(finished))]
        yield from ray.get(finished)


def _spark(function: Callable[[Job], Reply], tasks: Iterable[Job], n: int) -> Iterator[tuple[Job, Reply]]:
    _imported("joblibspark", "joblibspark").register_spark()
    return _joblib("spark", function, tasks, n)


def _imported(module: str, package: str) -> Any:
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        raise OptionError(f"this backend needs the package {module!r}: pip install {package}.") from error


BACKENDS: dict[str, Callable[..., Iterator[tuple[Any, Any]]]] = {
    "loky": partial(_joblib, "loky"),
    "threads": partial(_joblib, "threading"),
    "dask": _dask,
    "ray": _ray,
    "spark": _spark,
}
