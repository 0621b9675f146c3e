"""A user's function as the measure of `aggregate` and `compare`."""

import copy

import numpy as np
import pytest

import runoff as ro
from runoff._inference.bootstrap import parse_metric


def average(cells):
    return np.mean([cell.mean() for cell in cells])


def middle_half(cells):
    pooled = np.sort(np.concatenate(cells))
    cut = pooled.size // 4
    return pooled[cut : pooled.size - cut].mean()


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(5)
    return ro.Scores.from_dict(
        {
            a: {f"t{t}": rng.normal(0.5 + lead, 0.1, 8).clip(0, 1) for t in range(5)}
            for a, lead in (("A", 0.05), ("B", 0.0))
        }
    )


def test_a_mean_by_hand_is_the_mean(scores):
    own, named = ro.aggregate(scores, measure=["mean", average]).rows[1::2], ro.aggregate(scores, measure="mean").rows
    for mine, theirs in zip(own, named, strict=True):
        assert mine.measure == "average"
        assert (mine.estimate, mine.low, mine.high) == pytest.approx(
            (theirs.estimate, theirs.low, theirs.high), abs=1e-9
        )


def test_a_pair_by_a_mean_by_hand_is_that_by_the_mean(scores):
    own, named = (ro.compare(scores, measure=m, test="jackknife").pairs[0] for m in (average, "mean"))
    assert (own.estimate, own.low, own.high, own.pvalue) == pytest.approx(
        (named.estimate, named.low, named.high, named.pvalue), abs=1e-9
    )
    assert own.verdict == named.verdict
    assert "average" in own.sentence


def test_an_iqm_by_hand_has_the_estimate_of_the_iqm(scores):
    own, named = (ro.aggregate(scores, measure=m).rows[0] for m in (middle_half, "iqm"))
    assert own.estimate == pytest.approx(named.estimate, abs=1e-9)


def test_a_result_is_copied_with_the_name_alone(scores):
    assert type(copy.deepcopy(ro.compare(scores, measure=average)).measure) is str


def mean(cells):
    return 0.0


def nothing(cells):
    return float("nan")


def listed(cells):
    return np.zeros(2)


def broken(cells):
    raise ValueError("no such run")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (mean, "rename it"),
        (nothing, "nothing must return one finite number"),
        (listed, "listed must return one finite number"),
        (broken, "broken fails on all runs: ValueError: no such run"),
        (lambda cells: 0.0, "write it with def"),
    ],
)
@pytest.mark.parametrize("method", [ro.aggregate, ro.compare])
def test_a_function_that_is_no_measure_is_refused(scores, method, function, said):
    with pytest.raises(ro.errors.OptionError, match=said):
        method(scores, measure=function)


@pytest.mark.parametrize("method", [ro.rank_intervals, ro.robustness])
def test_other_methods_refuse_a_function_in_one_sentence(scores, method):
    with pytest.raises(ro.errors.OptionError, match="taken by aggregate and compare alone"):
        method(scores, measure=average)


@pytest.mark.parametrize("options", [{"over": "tasks"}, {"test": "welch"}])
def test_a_pair_has_no_other_test_of_a_function(scores, options):
    with pytest.raises(ro.errors.OptionError):
        ro.compare(scores, measure=average, **options)


def test_a_function_has_no_bootstrap(scores):
    with pytest.raises(ro.errors.OptionError, match="not resampled"):
        ro.aggregate(scores, measure=average, interval="percentile")
    assert parse_metric("mean").own is None
