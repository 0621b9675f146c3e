"""Any shape of data, and any numbers: every public function answers, or refuses in one sentence."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff import lab
from runoff.cli.app import run

Draw = Callable[[np.random.Generator, int], Any]
KINDS: dict[str, Draw] = {
    "normal": lambda g, n: g.normal(size=n),
    "constant": lambda g, n: np.full(n, g.choice([0.0, 1.0, 0.1, -3.0, 1e12 + 0.3])),
    "rates": lambda g, n: (g.random(n) < g.choice([0.02, 0.5, 0.98])).astype(float),
    "one failed": lambda _, n: (np.arange(n) > 0).astype(float),
    "too large": lambda g, n: g.normal(size=n) * 1e300,
    "huge": lambda g, n: g.normal(size=n) * 1e74,
    "tiny": lambda g, n: g.normal(size=n) * 1e-73,
    "subnormal": lambda g, n: g.integers(0, 9, n) * 5e-324,
    "far off": lambda g, n: 1e12 + g.integers(0, 3, n) * 2.0**-12,
    "negative": lambda g, n: -np.exp(3 * g.normal(size=n)),
    "ties": lambda g, n: g.integers(0, 3, n).astype(float),
    "outlier": lambda g, n: np.where(np.arange(n) == 0, 1e70, g.normal(size=n)),
    "rounding": lambda g, n: 0.1 + g.integers(0, 2, n) * 1.4e-17,
    "returns": lambda g, n: np.round(200 + 100 * g.standard_t(2, size=n), 1),
    "mixed": lambda g, n: g.choice([1e-300, 1e74, -1e74, 0.0, 1.0, 5e-324, 1e12], n),
    "the same": lambda _, n: np.arange(n) / 10,
}
"""Names of numbers -> n of them."""
Calls = Iterable[tuple[str, Callable[[], Any]]]


def size(g: np.random.Generator, most: int) -> int:
    """Return 1 to `most`, often a small number or the largest."""
    return min(int(g.choice([1, 2, 3, 5, most, g.integers(1, most + 1)])), most)


def shape(g: np.random.Generator, largest: tuple[int, int, int], affordable: float) -> tuple[int, int, int]:
    while True:
        k, tasks, runs = (size(g, most) for most in largest)
        if k * k * tasks * runs <= affordable:
            return k, tasks, runs


def filled(g: np.random.Generator, k: int, tasks: int, runs: int) -> tuple[dict[str, dict[str, Any]], bool]:
    """Return cells of one kind of numbers, of one by task or of any; and whether all have as many runs."""
    mode, base = g.choice(["one", "task", "cell"]), g.choice([*KINDS])
    by_task, ragged = g.choice([*KINDS], tasks), g.random() < 0.4
    cells: dict[str, dict[str, Any]] = {}
    for a in range(k):
        kinds = [{"one": base, "task": by_task[t], "cell": g.choice([*KINDS])}[mode] for t in range(tasks)]
        counts = [int(g.integers(1, runs + 1)) if ragged else runs for _ in kinds]
        row = {f"t{t}": KINDS[kind](g, n) for t, (kind, n) in enumerate(zip(kinds, counts, strict=True))}
        holes = [t for t in list(row)[1:] if ragged and g.random() < 0.1]
        cells[f"a{a}"] = {t: cell for t, cell in row.items() if t not in holes}
    return cells, not ragged


def scores_of(seed: int, largest: tuple[int, int, int], affordable: float) -> ro.Scores | None:
    """Return scores of any shape, None where their numbers are refused."""
    g = np.random.default_rng(seed)
    cells, even = filled(g, *shape(g, largest, affordable))
    ways = {"runs": "shared" if even and g.random() < 0.3 else "per_task"}
    ways |= {"score_unit": str(g.choice(["per_task", "shared"])), "unit": str(g.choice(["run", "run", "episode"]))}
    return answer(partial(ro.Scores.from_dict, cells, **ways))


def curves_of(seed: int) -> ro.Curves | None:
    g = np.random.default_rng(seed)
    k, tasks, runs, steps = (int(g.integers(1, most + 1)) for most in (3, 3, 6, 12))
    base, any_kind, rows = g.choice([*KINDS]), g.random() < 0.5, []
    for a, t, r in np.ndindex(k, tasks, runs):
        if r == 0 or g.random() < 0.9:
            values = KINDS[g.choice([*KINDS]) if any_kind else base](g, steps)
            rows += [(f"a{a}", f"t{t}", r, 1000 * s, float(value)) for s, value in enumerate(values)]
    frame = pl.DataFrame(rows, ["algorithm", "task", "run", "step", "score"], orient="row")
    return answer(partial(ro.Curves.from_frame, frame))


def answer(call: Callable[[], Any]) -> Any:
    """Return what a call returns, None where it refuses in one sentence; a warning that is not runoff's is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        try:
            return call()
        except ro.RunoffError as error:
            refusal = str(error)
    assert 10 < len(refusal) <= 700
    assert "\n" not in refusal
    assert "must be one of" not in refusal, "a name of this test is none of runoff's"
    return None


PLAIN = ["probability_of_improvement", "critical_difference", "robustness", "effect_sizes", "describe"]
TWO_SAMPLE = ["welch", "student", "yuen", "permutation", "studentized_permutation", "ranked_t", "bootstrap"]


def calls_on(s: ro.Scores) -> Calls:
    few: dict[str, Any] = {"n_resamples": 100}
    for interval in ("auto", "percentile", "basic", "bca"):
        yield f"aggregate {interval}", partial(ro.aggregate, s, interval=interval, **few)
    yield "aggregate over tasks", partial(ro.aggregate, s, over="runs_and_tasks", **few)
    yield "aggregate metrics", partial(ro.aggregate, s, measure=["mean", "median", "iqm", "optimality_gap"], **few)
    for measure in ("auto", "mean", "iqm", "median", "improvement", "trimmed_mean_10"):
        yield f"compare {measure}", partial(ro.compare, s, measure=measure, over="runs", margin=0.2, **few)
    for test in ("welch", "student", "mann_whitney", "brunner_munzel", "yuen", "mack_skillings", "jackknife"):
        yield f"compare {test}", partial(ro.compare, s, test=test, **few)
    yield "compare over tasks", partial(ro.compare, s, over="tasks", **few)
    for band in ("exact", "wilson", "bootstrap", "simultaneous"):
        yield f"profile {band}", partial(ro.performance_profile, s, band=band, **few)
    yield "profile of averages", partial(ro.performance_profile, s, kind="average_scores", band="bootstrap", **few)
    for blocked in ("mack_skillings", "skillings_mack", "friedman", "iman_davenport", "van_elteren"):
        yield f"rank_test {blocked}", partial(ro.rank_test, s, test=blocked, **few)
    yield "compare with a margin", partial(ro.compare, s, margin=0.25, **few)
    yield "anytime", partial(ro.anytime, [s], **few)
    yield "next_runs", partial(ro.next_runs, s, budget=10)
    yield "coverage", partial(lab.coverage, s, n_repeats=10, **few)
    yield "false_positive_rate", partial(lab.false_positive_rate, s, n_repeats=10, **few)
    for name in ("rank_intervals", "inferential_intervals"):
        yield name, partial(getattr(ro, name), s, **few)
    for name in PLAIN:
        yield name, partial(getattr(ro, name), s)
    yield "variance", partial(ro.variance, s)
    if s.n_algorithms > 1:
        yield from calls_on_two(s, *s.algorithms[:2])


def calls_on_two(s: ro.Scores, a: str, b: str) -> Calls:
    few: dict[str, Any] = {"n_resamples": 100}
    for measure in ("mean", "improvement"):
        yield f"where {measure}", partial(ro.where, s, a, b, measure=measure, **few)
    few_repeats = {"effect": 1.0, "n_repeats": 100, "n_resamples": 100, "curve_to": 3}
    yield "plan", lambda: ro.plan(s.select(algorithms=[a, b]), **few_repeats)
    yield "gate", partial(ro.gate, s, s, margin=0.5, algorithm=a, candidate_algorithm=b, **few)
    x, y = s.cell(a, s.tasks[0]), s.cell(b, s.tasks[0])
    for test in [*TWO_SAMPLE, "brunner_munzel", "mann_whitney", "kolmogorov_smirnov"]:
        yield f"two_sample_test {test}", partial(ro.two_sample_test, x, y, test=test, **few)
    if x.size and y.size:
        ends = {"mean_x": x[0], "std_x": abs(x[-1]), "mean_y": y[0], "std_y": abs(y[-1])}
        yield "test_from_summary", partial(ro.test_from_summary, n_x=x.size + 1, n_y=y.size + 1, **ends)


def calls_on_curves(c: ro.Curves) -> Calls:
    few: dict[str, Any] = {"n_resamples": 100}
    for band in ("pointwise", "simultaneous"):
        yield f"sample_efficiency {band}", partial(ro.curves, c, measure="mean", band=band, **few)
    yield "compare_curves", partial(ro.compare_curves, c, **few)
    for spread in ("interval", "sd", "percentiles", "tolerance"):
        yield f"summarize_curves {spread}", partial(ro.curves, c, by="task", errorbar=spread)
    yield "time_to_threshold", partial(ro.time_to_threshold, c, 0.5, **few)
    yield "reliability", partial(ro.reliability, c, window=2, **few)
    yield "variance", partial(ro.variance, c)
    yield "robustness", partial(ro.robustness, c)
    for reduced in (c.final, c.auc, partial(c.at, 500)):
        yield "aggregate curves", lambda reduced=reduced: ro.aggregate(reduced(), **few)


MAY_BE_INFINITE = ("statistic",)


def numbers(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, float):
        yield name, value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from numbers(entry, str(key))
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from numbers(entry, name)


def faults(calls: Calls) -> Iterator[str]:
    """Yield what is wrong with each answer: an exception that is no refusal, a number that is none, ends in the wrong order."""
    for name, call in calls:
        try:
            result = answer(call)
            records = result.to_records() if hasattr(result, "to_records") else []
            text = str(result) + getattr(result, "_repr_html_", str)()
        except Exception as error:
            yield f"{name}: {error!r}"
            continue
        yield from (f"{name}: {field} is {number}" for field, number in numbers(records) if wrong(field, number))
        ends = [(row.get("low"), row.get("high")) for row in records if isinstance(row, dict)]
        yield from (f"{name}: [{low}, {high}]" for low, high in ends if None not in (low, high) and low > high)
        yield from (f"{name}: {match}" for match in re.findall(r"\bnan\b.{,40}", text))


def wrong(field: str, number: float) -> bool:
    return math.isnan(number) or (math.isinf(number) and field not in MAY_BE_INFINITE)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", [5, 8, 12, 18])
def test_small_designs_of_any_numbers_are_answered_or_refused(seed: int) -> None:
    assert faults_of(scores_of(seed, (3, 3, 6), 120), curves_of(seed)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_designs_of_any_shape_are_answered_or_refused(seed: int) -> None:
    assert faults_of(scores_of(seed, (100, 60, 50), 3000), curves_of(1000 + seed)) == []


def faults_of(scores: ro.Scores | None, curves: ro.Curves | None) -> list[str]:
    return [*faults(calls_on(scores) if scores else ()), *faults(calls_on_curves(curves) if curves else ())]


VERBS = "aggregate FILE|compare FILE|compare FILE --over tasks|rank FILE|gate FILE FILE --margin 0.5|scan FILE|check FILE --n-repeats 20"


def refusals(verbs: str, file: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """Run verbs on a file; yield the standard error of those that answer with neither 0, nor 1, nor a sentence and 2."""
    for verb in verbs.split("|"):
        code = run(verb.replace("FILE", str(file)).split())
        spoken = capsys.readouterr().err
        if code not in (0, 1) and not (code == 2 and re.fullmatch(r"(.*\n)*error: .*\n(  .*\n)*", spoken)):
            yield f"{verb}: {code}: {spoken}"


@pytest.mark.parametrize("seed", [8, 18, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(100, 140))])
def test_verbs_answer_or_refuse_whatever_a_file_holds(seed: int, tmp_path: Path, capsys: Any) -> None:
    g = np.random.default_rng(seed)
    cells, _ = filled(g, *shape(g, (3, 3, 6), 120))
    rows = [(a, t, r, x) for a, row in cells.items() for t, cell in row.items() for r, x in enumerate(cell.tolist())]
    pl.DataFrame(rows, ["algorithm", "task", "run", "score"], orient="row").write_csv(tmp_path / "runs.csv")
    report = f"|report FILE -o {tmp_path / 'report'} --n-resamples 200" if seed >= 100 else ""
    assert list(refusals(VERBS + report, tmp_path / "runs.csv", capsys)) == []
