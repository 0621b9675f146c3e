"""Rates of the default test and of advice, for docs/tables (improvement_coverage.csv, advice_errors.csv): `python docs/make_default.py`.

Some 15 minutes on two cores, to stdout; files of runs, each followed by its reference, add tables of real pairs. A person puts what is new into
docs/tables. Every number is a share of `REPEATS` experiments, each with a seed of its own.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping

import numpy as np

import runoff as ro
from runoff._inference import advice as rules
from runoff._inference.bootstrap import of_two_values
from runoff._inference.groups import two_groups
from runoff._inference.pairs import PairOptions, about_test, improvement_law, pair_data, run_pair
from runoff.base.random import Streams

REPEATS = 600
TESTS = ("auto", "welch", "mack_skillings", "stratified_permutation")
Draw = Callable[[np.random.Generator, int], np.ndarray]
Cells = dict[str, np.ndarray]

WORLDS: Mapping[str, Draw] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "log-normal": lambda rng, n: rng.lognormal(size=n) - np.exp(0.5),
    "t₃": lambda rng, n: rng.standard_t(3, n),
    "0/1": lambda rng, n: (rng.random(n) < 0.7).astype(float),
}
SHIPPED = ro.load_example("classic_control").final().normalize("classic_control")


def share_differing(make: Callable[[np.random.Generator], tuple[Cells, Cells]], test: str) -> float:
    """Return the share of experiments in which a test finds a difference; those where nothing varies are left out."""
    differing = experiments = 0
    for repeat in range(REPEATS):
        x, y = make(np.random.default_rng([repeat, 7]))
        if all(np.ptp(np.concatenate([x[t], y[t]])) == 0 for t in x):
            continue
        experiments += 1
        options = PairOptions(streams=Streams(repeat), n_resamples=2_000)
        differing += run_pair(test, pair_data(ro.Scores.from_dict({"A": x, "B": y}), 0, 1), options).pvalue <= 0.05
    return differing / max(experiments, 1)


def drawn(
    first: Draw, second: Draw, n_tasks: int, n: int, m: int
) -> Callable[[np.random.Generator], tuple[Cells, Cells]]:
    """Return how two algorithms of given distributions are drawn."""
    return lambda rng: (
        {f"t{t}": first(rng, n) for t in range(n_tasks)},
        {f"t{t}": second(rng, m) for t in range(n_tasks)},
    )


def shipped(n_tasks: int, n: int, m: int, *, same: bool) -> Callable[[np.random.Generator], tuple[Cells, Cells]]:
    """Return how runs of one shipped algorithm, or of two, are drawn without replacement."""

    def make(rng: np.random.Generator) -> tuple[Cells, Cells]:
        a, b = (int(i) for i in rng.choice(SHIPPED.n_algorithms, 2, replace=False))
        tasks = [int(rng.integers(SHIPPED.n_tasks))] if n_tasks == 1 else range(SHIPPED.n_tasks)
        rows = [rng.permutation(SHIPPED.cell(a, t)) for t in tasks]
        others = [row[n:] for row in rows] if same else [rng.permutation(SHIPPED.cell(b, t)) for t in tasks]
        return {str(i): row[:n] for i, row in enumerate(rows)}, {str(i): row[:m] for i, row in enumerate(others)}

    return make


def tests() -> None:
    """Print false alarms with equal and with unequal shapes, and the power on shipped runs."""
    wide: Draw = lambda rng, n: 3 * rng.normal(size=n)  # noqa: E731 (a distribution like those of WORLDS)
    for n_tasks in (1, 6):
        for n, m in ((3, 3), (5, 5), (10, 10), (2, 8), (3, 7), (3, 20)):
            makers = {w: drawn(draw, draw, n_tasks, n, m) for w, draw in WORLDS.items()}
            makers["shipped runs"] = shipped(n_tasks, n, m, same=True)
            for world, make in makers.items():
                tell("one distribution", n_tasks, n, m, world, *(share_differing(make, test) for test in TESTS))
        for n, m in ((3, 3), (5, 5), (10, 10), (3, 10), (10, 3)):
            for world, other in (("sd 1 and 3", wide), ("normal, log-normal", WORLDS["log-normal"])):
                make = drawn(WORLDS["normal"], other, n_tasks, n, m)
                tell("equal means", n_tasks, n, m, world, *(share_differing(make, test) for test in TESTS))
        for n in (3, 5, 10):
            make = shipped(n_tasks, n, n, same=False)
            tell("power", n_tasks, n, n, "shipped algorithms", *(share_differing(make, test) for test in TESTS))


def averages() -> None:
    """Print false alarms where tasks differ and their average does not, and where one task has 30 runs and the others 3."""
    for size in (1.5, 4.0):
        for n in (3, 5, 10):
            signs = [size * (-1) ** t for t in range(6)]

            def opposite(rng: np.random.Generator, signs: list[float] = signs, n: int = n) -> tuple[Cells, Cells]:
                return (
                    {f"t{t}": rng.normal(shift, 1, n) for t, shift in enumerate(signs)},
                    {f"t{t}": rng.normal(0, 1, n) for t in range(len(signs))},
                )

            tell("average zero", f"±{size:g}", n, *(share_differing(opposite, test) for test in TESTS))
    for world, draw in WORLDS.items():

        def ragged(rng: np.random.Generator, draw: Draw = draw) -> tuple[Cells, Cells]:
            sizes = [30, 3, 3, 3, 3, 3]
            return tuple({f"t{t}": draw(rng, n) for t, n in enumerate(sizes)} for _ in range(2))  # type: ignore[return-value]

        tell("30 beside 3", world, *(share_differing(ragged, test) for test in TESTS))


def real(path: str, reference: str) -> None:
    """Print how often two different algorithms of a file of runs, drawn at random, are told apart; the tasks are all, or one."""
    scores = ro.read_scores(path).normalize(reference)
    for n_tasks in (1, scores.n_tasks):
        for n in (3, 5):

            def pair_of(rng: np.random.Generator, n_tasks: int = n_tasks, n: int = n) -> tuple[Cells, Cells]:
                a, b = (int(i) for i in rng.choice(scores.n_algorithms, 2, replace=False))
                tasks = [int(rng.integers(scores.n_tasks))] if n_tasks == 1 else range(scores.n_tasks)
                x, y = ({str(t): rng.permutation(scores.cell(i, t))[:n] for t in tasks} for i in (a, b))
                return x, y

            tell("real pairs", path.rpartition("/")[2], n_tasks, n, *(share_differing(pair_of, test) for test in TESTS))


def improvement() -> None:
    """Print how often an interval of the improvement holds the true one, over normal, log-normal and t₃ runs, equal or shifted on one side."""
    for n_tasks, n, m in (
        (1, 3, 3),
        (1, 5, 5),
        (1, 10, 10),
        (6, 3, 3),
        (6, 5, 5),
        (6, 10, 10),
        (6, 2, 8),
        (26, 3, 3),
        (26, 5, 5),
    ):
        for world, draw in WORLDS.items():
            for shift in (0.0, 1.0, 2.0):
                if world == "0/1" and shift:
                    continue
                rng, covered = np.random.default_rng([n_tasks, n, m]), 0
                big = draw(rng, 4_000) + shift, draw(rng, 4_000)
                true = (np.mean(big[0][:, None] > big[1]) + np.mean(big[0][:, None] >= big[1])) / 2
                for _ in range(REPEATS):
                    x, y = ([draw(rng, size) for _ in range(n_tasks)] for size in (n, m))
                    shifted = [cell + shift for cell in x]
                    low, high = improvement_law(shifted, y).interval(0.95)
                    covered += low <= true <= high
                tell("improvement", n_tasks, n, m, world, shift, covered / REPEATS)


def advice() -> None:
    """Print how often R005 and R006 are given to samples of one distribution on one task, and R303 to one sample."""
    about = about_test("mack_skillings")
    subjects = rules.pair("A", "B")
    for n, m in ((5, 5), (10, 10), (20, 20), (4, 20), (3, 10)):
        makers = {w: drawn(draw, draw, 1, n, m) for w, draw in WORLDS.items()} | {
            "shipped runs": shipped(1, n, m, same=True)
        }
        for world, make in makers.items():
            given = {"R005": 0, "R006": 0, "R303": 0}
            for repeat in range(REPEATS):
                (x,), (y,) = (list(cells.values()) for cells in make(np.random.default_rng([repeat, n])))
                given["R005"] += rules.unequal_shape([x], [y], ["t"], about, subjects) is not None
                given["R006"] += rules.skewed([y], ["t"], subjects, 0.05) is not None
                given["R303"] += not of_two_values([y]) and two_groups(y) is not None
            tell("advice", n, m, world, *(count / REPEATS for count in given.values()))


def tell(*row: object) -> None:
    """Print one row of a table."""
    line = " | ".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row)
    print(f"| {line} |", flush=True)  # noqa: T201 (a command: its lines are its answer)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    tests()
    averages()
    for path, reference in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        real(path, reference)
    improvement()
    advice()
