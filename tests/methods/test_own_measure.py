"""A user's function as the measure: what it gets, as measures of runoff do, and what refuses it."""

import copy
import functools
import warnings

import numpy as np
import pytest

import runoff as ro
from runoff._inference.bootstrap import METRICS, estimate_of, named_measure, parse_metric
from runoff.errors import OptionError


def average(cells):
    return np.mean([cell.mean() for cell in cells])


def middle_half(cells):
    pooled = np.sort(np.concatenate(cells))
    cut = pooled.size // 4
    return pooled[cut : pooled.size - cut].mean()


def worst_task(cells):
    return min(cell.mean() for cell in cells)


def share_solved(cells):
    return np.mean([cell.mean() > 0.1 for cell in cells])


def made_up(n_tasks=5, n_runs=8, **options):
    rng = np.random.default_rng(5)
    leads = {"A": 0.05, "B": 0.0, "C": 0.02}
    draws = {a: {f"t{t}": rng.normal(0.5 + lead, 0.1, n_runs) for t in range(n_tasks)} for a, lead in leads.items()}
    return ro.Scores.from_dict(draws, **options)


@pytest.fixture(scope="module")
def scores():
    return made_up()


@pytest.fixture(autouse=True)
def _unwarned():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.errors.RunoffWarning)
        yield


# ── it agrees with the measures of runoff ──────────


@pytest.mark.parametrize(("function", "name"), [(average, "mean"), (middle_half, "iqm")])
@pytest.mark.parametrize("runs", ["per_task", "shared"])
def test_a_function_by_hand_has_the_interval_of_the_measure_by_name(function, name, runs):
    rows = ro.aggregate(made_up(runs=runs), measure=[function, name]).rows
    for by_hand, by_name in zip(rows[::2], rows[1::2], strict=True):
        assert by_hand.measure == function.__name__
        assert by_hand.estimate == pytest.approx(by_name.estimate, abs=1e-12)
        ratio = (by_hand.high - by_hand.low) / (by_name.high - by_name.low)
        # Without a run an IQM by hand cuts anew, which may make its error larger, and by itself made it smaller by a fifth.
        assert ratio >= 1 - 1e-9
        assert name == "iqm" or ratio == pytest.approx(1)


def test_a_pair_by_a_mean_by_hand_is_that_by_the_mean(scores):
    by_hand, by_name = (ro.compare(scores, measure=m).pairs[0] for m in (average, "mean"))
    assert (by_hand.estimate, by_hand.low, by_hand.high, by_hand.pvalue) == pytest.approx(
        (by_name.estimate, by_name.low, by_name.high, by_name.pvalue), abs=1e-9
    )
    assert by_hand.verdict == by_name.verdict
    assert by_hand.detectable_difference == pytest.approx(by_name.detectable_difference)


def test_the_order_of_runs_changes_no_digit():
    rng, metric = np.random.default_rng(3), parse_metric(named_measure(middle_half))
    cells = [rng.normal(size=n) for n in (3, 7, 12)]
    first, second = (estimate_of(some, metric) for some in (cells, [rng.permutation(cell) for cell in cells]))
    assert (first.value, first.parts.tolist()) == (second.value, second.parts.tolist())


def test_of_many_runs_the_weight_of_one_is_shared_at_even_places(scores):
    cells = [np.random.default_rng(t).normal(size=400) for t in range(3)]
    by_hand = estimate_of(cells, parse_metric(named_measure(average)))
    assert by_hand.law().error == pytest.approx(estimate_of(cells, METRICS["mean"]).law().error, rel=0.02)


# ── what is said of it ──────────


def test_sentences_tables_and_files_have_its_name(scores):
    result = ro.compare(scores, measure=worst_task)
    assert "has the highest worst task" in result.sentence
    assert "difference of worst task values" in result.pairs[0].sentence
    for text in (result.to_markdown(), result.to_latex(), ro.aggregate(scores, measure=worst_task).to_markdown()):
        assert "orst task" in text
    assert '"measure": "worst_task"' in result.to_json()
    assert type(copy.deepcopy(result).measure) is str


def test_robustness_and_ranks_are_by_a_function_too(scores):
    result = ro.robustness(scores, measure=worst_task, other_measures=["mean", middle_half])
    assert result.sentence.startswith("By the measure worst_task, ")
    assert ro.rank_intervals(scores, measure=worst_task)["A"].estimate == pytest.approx(worst_task(scores.cells("A")))


@pytest.mark.parametrize(("function", "cautious"), [(average, False), (middle_half, False), (worst_task, True)])
@pytest.mark.parametrize("runs", ["per_task", "shared"])
def test_a_function_that_few_tasks_move_has_a_caution(function, cautious, runs):
    pair = ro.compare(made_up(runs=runs), measure=function).pairs[0].advice
    alone = ro.aggregate(made_up(runs=runs), measure=function).advice
    for advice in (pair, alone):
        assert any("changes on only 1 of 5 tasks" in item.text for item in advice if item.code == "R018") == cautious


def test_a_function_that_moves_in_steps_has_no_interval_and_no_verdict(scores):
    result = ro.aggregate(scores, measure=share_solved)
    assert [row.low for row in result.rows] == [None] * 3
    assert "it is the same whichever run is left out" in result.advice[0].text
    pair = ro.compare(scores, measure=share_solved).pairs[0]
    assert pair.verdict == "no_verdict"
    assert "whichever run is left out, their share solved values stay the same" in pair.sentence


@pytest.mark.parametrize("n_runs", [(1, 1), (2, 1), (2, 5)])
def test_cells_of_other_sizes_are_no_error(n_runs):
    n, m = n_runs
    ragged = ro.Scores.from_dict(
        {a: {"t": np.arange(n) / 9 + lead, "u": np.arange(m) / 8} for a, lead in (("A", 0), ("B", 0.1))}
    )
    assert ro.aggregate(ragged, measure=average)["A", "average"].estimate == pytest.approx(
        ro.aggregate(ragged, measure="mean")["A", "mean"].estimate
    )
    assert ro.compare(ragged, measure=average).measure == "average"


@pytest.mark.slow
def test_a_report_is_by_a_function(scores, tmp_path):
    ro.report(scores, tmp_path / "report", measure=worst_task, n_resamples=200)
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    for words in (
        "measure=worst_task)",
        "summarised by the measure worst_task",
        "and left out with the others in its place",
    ):
        assert words in page
    assert '"worst_task"' in (tmp_path / "report" / "results.json").read_text(encoding="utf-8")


# ── what is refused ──────────


def mean(cells):
    return 0.0


def nothing(cells):
    return float("nan")


def silent(cells):
    pass


def written(cells):
    return "0.3"


def too_large(cells):
    return 10**400


def per_task(cells):
    return np.zeros(2)


def complex_number(cells):
    return np.complex128(1j)


def broken(cells):
    raise ValueError("no such run.")


def of_two(cells, others):
    return 0.0


def of_five(cells):
    assert min(map(len, cells)) >= 8
    return 0.0


def first_run(cells):
    return cells[0][0]


def noise(cells):
    return np.random.default_rng().normal()


def total(cells):
    return sum(cell.sum() for cell in cells)


REFUSED = (
    (mean, "take measure='mean', or rename the function"),
    (nothing, "measure=nothing must return one finite number, and returns nan on all runs"),
    (silent, "returns None"),
    (written, "returns '0.3'"),
    (too_large, "must return one finite number"),
    (per_task, r"returns array\(\[0., 0.\]\)"),
    (complex_number, "must return one finite number"),
    (broken, "measure=broken fails on all runs, ValueError: no such run. broken.cells. is given a list of arrays"),
    (of_two, "missing 1 required positional argument"),
    (of_five, "fails on the runs without one of task 1 of 5"),
    (first_run, "must not depend on the order of runs"),
    (noise, "nor on chance"),
    (total, "must not grow with the number of runs"),
    (np.std, "numbers of runs may differ"),
    (lambda cells: 0.0, r"this function has none: write it as def my_measure\(cells\)"),
    (functools.partial(of_two, []), "this partial has none"),
)


@pytest.mark.parametrize(("function", "why"), REFUSED)
@pytest.mark.parametrize("method", [ro.aggregate, ro.compare])
def test_a_function_that_is_no_measure_is_refused(scores, method, function, why):
    with pytest.raises(OptionError, match=why):
        method(scores, measure=function)


def test_two_functions_of_one_name_are_refused(scores):
    other = {}
    exec("def worst_task(cells): return 0.0", other)
    with pytest.raises(OptionError, match="two functions have one name"):
        ro.aggregate(scores, measure=[worst_task, other["worst_task"]])


BY_NAME_ALONE = (
    (lambda scores: ro.next_runs(scores, measure=average), "takes the name of a measure"),
    (lambda scores: ro.plan(scores, effect=0.1, measure=average), "takes the name of a measure"),
    (lambda scores: ro.gate(scores, scores, measure=average), "takes the name of a measure"),
    (lambda scores: ro.anytime(scores, measure=average), "takes the name of a measure"),
    (lambda scores: ro.inferential_intervals(scores, measure=average), "takes the name of a measure"),
    (lambda scores: ro.check(scores, measure=average, test="welch", n_repeats=10), "takes the name of a measure"),
    (lambda scores: ro.where(scores, "A", "B", measure=average), "measure must be one of auto, mean, improvement"),
    (lambda scores: ro.compare(scores, measure=average, over="tasks"), "hodges_lehmann, improvement, not average"),
    (lambda scores: ro.compare(scores, measure=average, test="welch"), "is about means, not about the average"),
    (lambda scores: ro.aggregate(scores, measure=average, by="task"), "gives the mean of each task, not average"),
    (lambda scores: ro.aggregate(scores, measure=average, interval="percentile"), "not resampled; use interval='t'"),
    (lambda scores: ro.aggregate(scores, measure=average, over="runs_and_tasks"), "not resampled; use interval='t'"),
    (
        lambda scores: ro.compare(scores, measure="average"),
        "and for compare in Python a function of your own, not 'average'",
    ),
)


@pytest.mark.parametrize(("call", "why"), BY_NAME_ALONE)
def test_what_a_function_cannot_have_is_refused_in_a_sentence(scores, call, why):
    with pytest.raises(OptionError, match=why):
        call(scores)


@pytest.mark.parametrize("n_tasks", range(1, 7))
def test_an_iqm_of_fewer_tasks_than_those_of_which_it_is_the_default_is_told(n_tasks):
    rng = np.random.default_rng(n_tasks)
    cells = {name: {f"t{t}": rng.normal(size=6) for t in range(n_tasks)} for name in "AB"}
    scores = ro.Scores.from_dict(cells, score_unit="shared")
    result = ro.compare(scores, measure="iqm", n_resamples=1000)
    advice = [*result.advice, *result.pairs[0].advice]
    by_default = ro.compare(scores, n_resamples=1000).measure == "iqm"
    assert any(item.text.startswith("compare by the mean") for item in advice) == (not by_default)
