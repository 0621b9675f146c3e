"""`python -m tools.mutants`: put small faults into the code and see whether the fast tests notice."""

# ruff: noqa: T201 (a command: its lines are its answer)
from __future__ import annotations

import argparse
import fcntl
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from time import monotonic

from tools.mutants import justified, mapping, result, sampling, scratch, targets, testmap
from tools.mutants.fork import in_child
from tools.mutants.mutant import Mutant, is_valid
from tools.mutants.names import names_of
from tools.mutants.pool import Job, trials
from tools.mutants.result import Result
from tools.mutants.selection import chosen
from tools.mutants.session import import_libraries
from tools.mutants.together import Survivor, groups, tried_together
from tools.mutants.trial import Bench

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mutants"
LONGEST = 300.0
"""A test that is silent for so long while all tests are watched hangs."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants that were asked for and tell which survived."""
    options = _options(arguments)
    picked = _picked(options)
    reasons = justified.read(ROOT)
    if options.list:
        print("\n".join(mutant.key + (" | justified" if mutant.key in reasons else "") for mutant in picked))
        return 0
    with _alone():
        import_libraries()
        bench = _bench()
        found = Result({name: str(value) for name, value in vars(options).items()})
        found.justified = [(mutant, reasons[mutant.key]) for mutant in picked if mutant.key in reasons]
        _try_all(bench, [mutant for mutant in picked if mutant.key not in reasons], options, found)
        killers = {verdict.by for verdict in found.verdicts.values()} & set(bench.tests.work)
        found.doubtful = bench.failures(sorted(killers))
    _tell(found)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--n", type=int, default=300, help="so many mutants (300)")
    parser.add_argument("--seed", type=int, default=0, help="draws them (0)")
    parser.add_argument("--minutes", type=float, default=inf, help="stop after so many minutes")
    parser.add_argument("--only", default="", metavar="PATH", help="only files whose path begins so: src/runoff/io")
    parser.add_argument("--only-survivors", type=Path, metavar="JSON", help="those that survived an earlier run")
    parser.add_argument("--list", action="store_true", help="show the keys of the mutants and try none")
    parser.add_argument("--workers", type=int, default=1, help="so many side by side (1)")
    parser.add_argument(
        "--within", type=float, default=5, help="seconds of the quickest tests for each mutant alone (5)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="do not put the survivors to the other tests, all together"
    )
    return parser.parse_args(arguments)


def _picked(options: argparse.Namespace) -> list[Mutant]:
    every = targets.all_mutants(ROOT, options.only)
    if options.only_survivors:
        keys = result.survivors_in(options.only_survivors)
        return [mutant for found in every.values() for mutant in found if mutant.key in keys]
    if not options.only:
        keys = (mutant.key for found in every.values() for mutant in found)
        for key in justified.unknown(justified.read(ROOT), keys):
            print(f"{justified.PLACE} names no mutant of today's code: {key}", file=sys.stderr)
    return sampling.sample(every, options.n, options.seed, lambda one: is_valid(one, (ROOT / one.path).read_bytes()))


@contextmanager
def _alone() -> Iterator[None]:
    """Refuse a second run on the same copies."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"Another run works in {BUILD}.") from None
        yield


def _bench() -> Bench:
    """Return the copy of the tree with the map of its tests, which is measured where it is not known yet."""
    copy = scratch.prepared(ROOT, BUILD)
    path = copy.folder / "map.json"
    if not path.exists():
        _measure(copy, path)
    bench = Bench(copy, testmap.read(path))
    failing = bench.failures(bench.tests.failed)
    if failing:
        path.unlink()
        raise SystemExit("These tests fail on the unchanged tree:\n" + "\n".join(failing))
    return bench


def _measure(copy: scratch.Scratch, path: Path) -> None:
    print(
        "running all fast tests once, to see what each of them runs (minutes; kept until the tree changes) …",
        flush=True,
    )
    log = copy.folder / "map.log"
    in_child(lambda tell: mapping.measure(copy, path, tell), log, lambda _: LONGEST)
    if not path.exists():
        raise SystemExit(f"The tests could not be run; see {log}.")


def _try_all(bench: Bench, mutants: Sequence[Mutant], options: argparse.Namespace, found: Result) -> None:
    start, names = monotonic(), names_of(targets.source_files(ROOT))
    jobs = {one.key: Job(one, chosen(one, bench.tests, names), options.within) for one in mutants}
    # Who loses patience keeps what was found.
    with suppress(KeyboardInterrupt):
        for mutant, verdict in trials(bench, list(jobs.values()), options.workers):
            found.verdicts[mutant] = verdict
            _say(found, mutant, len(jobs))
            if monotonic() - start > 60 * options.minutes:
                break
        if not options.quick:
            _try_together(bench, jobs, found)
    found.seconds = monotonic() - start


def _try_together(bench: Bench, jobs: Mapping[str, Job], found: Result) -> None:
    survivors = [Survivor(mutant, jobs[mutant.key].chosen, verdict) for mutant, verdict in found.survivors]
    for group in groups(survivors):
        print(f"{len(group)} survivors together …", flush=True)
        for mutant, verdict in tried_together(bench, group):
            found.verdicts[mutant] = verdict
            if not verdict.survived:
                _say(found, mutant, len(jobs))


def _say(found: Result, mutant: Mutant, n: int) -> None:
    verdict = found.verdicts[mutant]
    told = result.line(mutant, verdict) if verdict.survived else mutant.key
    print(f"[{len(found.verdicts)}/{n}] {verdict.state} {verdict.seconds:.1f} s {told}", flush=True)


def _tell(found: Result) -> None:
    for one in found.survivors:
        print(result.line(*one))
    print(result.table(found))
    print("\n".join(result.remarks(found)))
    print("Written to", *(path.relative_to(ROOT) for path in result.write(found, BUILD.parent)))


if __name__ == "__main__":
    sys.exit(main())
