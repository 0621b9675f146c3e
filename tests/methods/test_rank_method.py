"""`rank_test` and `critical_difference`: what they refuse, what they advise, what they say."""

import json

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.advice import joint_ranks
from runoff._inference.blocked import control_pvalue, control_quantile, range_pvalue
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.methods.rank import critical_beside, critical_difference, rank_test
from runoff.methods.ranking import critical_words, ranking
from tests.amount import examples
from tests.places import GOLDEN


def scores_of(k=3, n=4, c=5, seed=0, shift=0.0):
    data = np.random.default_rng(seed).normal(size=(k, c, n)) + shift * np.arange(k)[:, None, None]
    return Scores.from_dict({f"algorithm {a}": data[a] for a in range(k)}, tasks=[f"task {t}" for t in range(n)])


def codes(result):
    return [advice.code for advice in result.advice]


def test_the_best_algorithm_has_the_smallest_mean_rank():
    result = rank_test(scores_of(shift=1.0))
    assert np.argmin(result.mean_ranks) == 2
    assert sum(result.mean_ranks) == pytest.approx(3 * (15 + 1) / 2)
    assert np.array(result.rank_sums) == pytest.approx(4 * np.array(result.mean_ranks))


def test_two_algorithms_get_an_exact_p_and_six_a_drawn_one_with_its_error():
    exact, drawn = rank_test(scores_of(k=2)), rank_test(scores_of(k=6), n_resamples=500)
    assert (exact.method, exact.pvalue_error, exact.seed) == ("exact", 0.0, None)
    assert (drawn.method, drawn.n_resamples, drawn.seed) == ("monte_carlo", 500, 0)
    assert drawn.pvalue_error == pytest.approx(np.sqrt(drawn.pvalue * (1 - drawn.pvalue) / 500))


@pytest.mark.parametrize(
    "test", ["mack_skillings", "skillings_mack", "friedman", "iman_davenport", "van_elteren", "stratified_permutation"]
)
def test_scores_that_all_tie_have_p_one_and_an_advice(test):
    tied = Scores.from_dict({"A": np.ones((3, 2)), "B": np.ones((3, 2))})
    result = rank_test(tied, test=test)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)
    assert "R201" in codes(result)


AVERAGING = ["skillings_mack", "friedman", "iman_davenport"]


@pytest.mark.parametrize("test", AVERAGING)
def test_means_of_runs_that_rounding_parts_are_tied_whatever_the_order_of_runs(test):
    """0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are two doubles, and their third is not 0.2."""
    cells = {"A": [0.1, 0.2, 0.3], "B": [0.3, 0.2, 0.1], "C": [0.0, 0.4], "D": [0.2, 0.3, 0.4]}
    of_tenths = rank_test({a: {"x": runs, "y": runs[::-1]} for a, runs in cells.items()}, test=test)
    whole = {a: [round(10 * run) for run in runs] for a, runs in cells.items()}
    of_whole = rank_test({a: {"x": runs, "y": runs} for a, runs in whole.items()}, test=test)
    assert (of_tenths.statistic, of_tenths.pvalue) == (of_whole.statistic, of_whole.pvalue)
    assert of_tenths.mean_ranks == (3.0, 3.0, 3.0, 1.0)


@pytest.mark.parametrize("test", AVERAGING)
def test_the_best_average_rank_is_of_the_means_that_are_ranked(test):
    """B beats A on every task by one high run of three, and A is ahead in most pairs of runs."""
    cells = {
        "A": {f"t{i}": [2.0, 2.5, 3.0 + i] for i in range(6)},
        "B": {f"t{i}": [1.0, 1.5, 99.0 + i] for i in range(6)},
    }
    ranking = ro.rank(cells, test=test)
    assert ranking.average_ranks == {"B": 1.0, "A": 2.0}
    assert ranking.sentence.startswith("B has the better average rank, 1")
    assert ro.rank(cells).sentence.startswith("By the Mack-Skillings test no difference")


def test_perfect_agreement_of_all_tasks_makes_the_f_ratio_infinite_and_p_positive():
    scores = Scores.from_dict({"A": np.ones((1, 5)), "B": 2 * np.ones((1, 5)), "C": 3 * np.ones((1, 5))})
    result = rank_test(scores, test="iman_davenport")
    assert result.statistic == np.inf
    assert result.pvalue == pytest.approx(6 / 6**5)
    assert rank_test(scores, test="iman_davenport", method="asymptotic").pvalue == pytest.approx(6 / 6**5)


@pytest.mark.parametrize("test", ["mack_skillings", "skillings_mack", "friedman", "stratified_permutation"])
def test_threads_change_nothing_and_inputs_and_global_state_stay(test, monkeypatch):
    scores, state = scores_of(k=2, n=3, c=6, shift=0.3), np.random.get_state()[1].tolist()  # noqa: NPY002
    before = scores.values.tolist()
    monkeypatch.setenv("RUNOFF_THREADS", "1")
    result = rank_test(scores, test=test, method="monte_carlo", n_resamples=1_000, rng=5)
    monkeypatch.setenv("RUNOFF_THREADS", "3")
    assert rank_test(scores, test=test, method="monte_carlo", n_resamples=1_000, rng=5) == result
    assert scores.values.tolist() == before
    assert np.random.get_state()[1].tolist() == state  # noqa: NPY002


def test_one_algorithm_is_refused():
    with pytest.raises(DesignError, match="at least two algorithms, but there is 1"):
        rank_test(scores_of(k=1))


def test_algorithms_without_a_shared_task_are_refused():
    disjoint = Scores.from_dict({"A": {"Pong": [1, 2]}, "B": {"Hero": [1, 2]}})
    with pytest.raises(DesignError, match="no task has runs of at least two"):
        rank_test(disjoint)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "mack_skilling"}, "Did you mean 'mack_skillings'"),
        ({"method": "bayes"}, "auto, exact, monte_carlo, asymptotic"),
        ({"alternative": "larger"}, "two-sided, less, greater"),
        ({"n_resamples": 0}, "n_resamples must be a whole number"),
        ({"rng": -1}, "rng must be"),
    ],
)
def test_unknown_options_are_refused_with_the_known_ones(options, message):
    with pytest.raises(OptionError, match=message):
        rank_test(scores_of(), **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "less"}, "needs two algorithms, but there are 3"),
        ({"test": "van_elteren"}, "compares two algorithms, but there are 3"),
        ({"test": "stratified_permutation"}, "compares two algorithms, but there are 3"),
    ],
)
def test_questions_for_two_algorithms_are_refused_for_three(options, message):
    with pytest.raises(DesignError, match=message):
        rank_test(scores_of(), **options)


def test_an_exact_p_that_does_not_fit_is_refused_with_the_alternative():
    with pytest.raises(DesignError, match="use method='monte_carlo'"):
        rank_test(scores_of(k=6, n=10, c=10), method="exact")


def test_friedman_names_the_missing_cell_and_the_test_that_allows_it():
    missing = Scores.from_dict({"A": {"Pong": [1], "Hero": [2]}, "B": {"Pong": [2], "Hero": [1]}, "C": {"Pong": [3]}})
    with pytest.raises(DesignError, match=r"but 'C' has none on 'Hero'; use test='skillings_mack'"):
        rank_test(missing, test="friedman")


def test_a_studentised_test_of_single_runs_is_refused():
    with pytest.raises(DesignError, match="needs two runs per cell"):
        ro.compare(scores_of(k=2, c=1), test="studentized_permutation")


def test_left_out_tasks_averaged_runs_and_separate_groups_are_told():
    cells = {"A": {"x": [1, 2]}, "B": {"x": [3, 4]}, "C": {"y": [1, 2]}, "D": {"y": [3, 5], "z": [1, 2]}}
    result = rank_test(Scores.from_dict(cells), test="skillings_mack", method="asymptotic")
    assert codes(result) == ["R202", "R203", "R204", "R016", "R012"]
    assert result.df == 2.0


def test_the_asymptotic_law_with_three_runs_is_called_into_question():
    assert codes(rank_test(scores_of(c=3), method="asymptotic")) == ["R205"]
    assert codes(rank_test(scores_of(c=4), method="asymptotic")) == []


def test_more_algorithms_than_runs_are_fine():
    result = rank_test(scores_of(k=5, n=3, c=1), n_resamples=200)
    assert 0.0 < result.pvalue <= 1.0


def test_sides_of_two_algorithms_mirror_each_other():
    scores = scores_of(k=2, shift=0.7)
    swapped = scores.select(algorithms=scores.algorithms[::-1])
    for test in ("mack_skillings", "van_elteren", "stratified_permutation"):
        result = rank_test(scores, test=test, alternative="less", method="auto", n_resamples=2_000)
        two = rank_test(swapped, test=test, alternative="greater", n_resamples=2_000)
        assert abs(result.pvalue - two.pvalue) <= 4 * (result.pvalue_error + two.pvalue_error) + 1e-12
        assert result.pvalue < 0.5


def test_results_leave_by_records_frames_and_html():
    result = rank_test(scores_of(k=2))
    (record,) = result.to_records()
    assert json.loads(json.dumps(record))["test"] == "mack_skillings"
    assert result.to_frame().height == 1
    assert "The Mack-Skillings test of 2 algorithms over 4 tasks (exact)" in result._repr_html_()


def test_critical_difference_is_that_of_equation_2_23():
    result = critical_difference(scores_of(k=4, n=6, c=5))
    q = stats.studentized_range.ppf(0.95, 4, np.inf)
    assert result.critical_difference == pytest.approx(q * np.sqrt(4 * (4 * 6 * 5 + 6) / 12))


def test_with_one_run_per_cell_it_is_nemenyis():
    golden = json.loads((GOLDEN / "friedman.json").read_text())["cases"]
    (case,) = [c for c in golden if c["name"] == "demsar2006_table6_untied_voting"]
    rows = [np.ravel(row) for row in case["cells"]]
    result = critical_difference(Scores.from_dict({f"a{i}": row[None] for i, row in enumerate(rows)}))
    tied = case["expected"]["statistic"] / case["expected"]["statistic_uncorrected"]
    assert result.critical_difference / 14 == pytest.approx(
        case["expected"]["nemenyi_cd"]["0.05"] / np.sqrt(tied), rel=1e-9
    )
    assert result.mean_ranks == pytest.approx(case["expected"]["mean_ranks"])


def test_pairs_groups_and_letters_tell_the_same():
    result = critical_difference(scores_of(k=5, n=4, c=6, shift=0.6))
    shown = dict(zip(result.algorithms, map(set, result.letters), strict=True))
    for pair in result.pairs:
        together = any({pair.a, pair.b} <= set(group) for group in result.groups)
        assert pair.rejected == (abs(pair.difference) >= result.critical_difference)
        assert pair.rejected == (not together) == (not shown[pair.a] & shown[pair.b])


def test_against_a_control_fewer_comparisons_need_a_smaller_difference():
    scores = scores_of(k=5, shift=0.3)
    result = critical_difference(scores, control="algorithm 4")
    assert [pair.b for pair in result.pairs] == ["algorithm 4"] * 4
    assert result.critical_difference < critical_difference(scores).critical_difference
    assert (result.groups, result.letters) == ((), ())


def test_unequal_runs_within_a_task_are_refused_with_what_to_do():
    scores = Scores.from_dict({"A": {"Pong": [1, 2, 3]}, "B": {"Pong": [4, 5]}})
    with pytest.raises(DesignError, match=r"subsample.*mack_skillings"):
        critical_difference(scores)


def test_scores_that_all_tie_are_never_apart():
    result = critical_difference(Scores.from_dict({a: np.ones((3, 2)) for a in "ABC"}))
    assert result.critical_difference == 0.0
    assert not any(pair.rejected for pair in result.pairs)
    assert result.groups == (("A", "B", "C"),)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, float("nan")])
def test_alpha_outside_zero_and_one_is_refused(alpha):
    with pytest.raises(OptionError, match="strictly between 0 and 1"):
        critical_difference(scores_of(), alpha=alpha)


def test_an_unknown_control_is_refused_with_the_nearest():
    with pytest.raises(OptionError, match="Did you mean 'algorithm 1'"):
        critical_difference(scores_of(), control="algoritm 1")


def undrawn(scores, control):
    """Return the critical difference beside a test of all whose p-value is not drawn, of which no caution on pairs is made."""
    return critical_beside(scores, rank_test(scores, method="asymptotic"), 0.05, control)


def turned_by_a_third(scores, result, control):
    """Return the pairs that are called otherwise where an algorithm is left out, whether by the critical value of all or of those left."""
    differ, turned = {(p.a, p.b): p.rejected for p in result.pairs}, set()
    for third in set(scores.algorithms) - {control}:
        rest = undrawn(scores.select(algorithms=[a for a in scores.algorithms if a != third]), control)
        unit = rest.critical_difference / rest.critical_value
        for p in rest.pairs:
            least = rest.critical_value if differ[p.a, p.b] else result.critical_value
            if (abs(p.difference) / unit >= least) != differ[p.a, p.b]:
                turned.add((p.a, p.b))
    return turned


@pytest.mark.parametrize(
    ("control", "n"), [(None, 1), *(pytest.param(name, 20, marks=pytest.mark.slow) for name in (None, "algorithm 0"))]
)
def test_joint_ranks_have_a_caution_exactly_where_a_third_algorithm_makes_or_hides_a_difference(control, n):
    fired = set()
    for seed in range(3, 3 + examples(n, 6)):
        scores = scores_of(k=4, c=3, seed=seed, shift=0.45)
        result = undrawn(scores, control)
        turned = turned_by_a_third(scores, result, control)
        notes = [a for a in result.advice if a.code == "R206"]
        assert [set(note.subjects) for note in notes] == [{name for pair in turned for name in pair}] * bool(turned)
        fired.add(bool(turned))
    assert fired == {True, False} or n == 1
    assert "R206" not in codes(undrawn(scores_of(k=2, shift=9.0), None))


def test_the_caution_on_joint_ranks_says_which_way_a_third_algorithm_turns_a_pair():
    pair, rest = (
        {("A", "B"): True, ("A", "C"): True, ("B", "C"): False},
        {"C": {("A", "B"): False}, "B": {("A", "C"): False}},
    )
    words = "all algorithms were ranked together, and 'A' and 'B' differ beside 'C' and do not without it (1 other pair depends"
    assert words in joint_ranks(pair, rest).text
    assert joint_ranks({("A", "B"): False}, {"C": {("A", "B"): True}}).text.endswith(
        "'A' and 'B' do not differ beside 'C' and do without it."
    )


def test_pairs_apart_without_an_omnibus_rejection_are_told():
    draw = np.random.default_rng(11)
    cells = {name: draw.normal(mean, 1, (4, 3)) for name, mean in zip("ABCDE", (1, 0.5, 0.5, 0.5, 0), strict=True)}
    result = critical_difference(Scores.from_dict(cells))
    assert result.omnibus_pvalue > 0.05
    assert any(pair.rejected for pair in result.pairs)
    assert "R207" in codes(result)


def test_tasks_that_are_left_out_do_not_count_as_few_runs():
    cells = {"A": {"Pong": [1, 2, 3, 4], "Hero": [5]}, "B": {"Pong": [2, 3, 4, 5]}}
    advised = codes(rank_test(Scores.from_dict(cells), method="asymptotic"))
    assert advised == ["R202"]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_an_asymptotic_p_value_has_no_monte_carlo_error(alternative):
    result = rank_test(scores_of(k=2), method="asymptotic", alternative=alternative)
    assert (result.method, result.pvalue_error) == ("asymptotic", 0.0)


@pytest.mark.parametrize(("k", "tasks", "runs"), [(4, 30, 8), (3, 57, 25), (8, 6, 50)])
def test_a_design_whose_exact_null_is_too_large_is_drawn_and_refused_when_asked_for(k, tasks, runs):
    big = scores_of(k=k, n=tasks, c=runs)
    assert rank_test(big, n_resamples=200).method == "monte_carlo"
    with pytest.raises(DesignError, match="does not fit the memory or time"):
        rank_test(big, method="exact")


@pytest.mark.parametrize(("k", "n"), [(2, 5), (3, 4), (4, 7)])
def test_the_f_of_iman_and_davenport_has_k_less_one_and_n_less_one_times_that_degrees_of_freedom(k, n):
    assert rank_test(scores_of(k=k, n=n), test="iman_davenport").df == (k - 1, (n - 1) * (k - 1))


def test_the_advice_on_the_chi_square_law_says_from_when_on_it_is_adequate():
    (note,) = rank_test(scores_of(c=3), method="asymptotic").advice
    assert "is adequate with more than 3 runs per cell" in note.text


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.5, 0.99])
def test_a_critical_difference_from_a_control_is_where_its_p_value_is_alpha(alpha):
    for k in (2, 5):
        assert control_pvalue(control_quantile(alpha, k), k) == pytest.approx(alpha)


def test_more_draws_than_are_affordable_give_the_asymptotic_law():
    assert rank_test(scores_of(k=8, n=6, c=50), n_resamples=10**10).method == "asymptotic"


def test_one_pair_is_counted_as_one():
    words = critical_words(critical_difference(scores_of(k=2, shift=3.0)))
    assert words.startswith("1 of 1 pair differs in average rank")
    assert "of 3 pairs " in critical_words(critical_difference(scores_of(k=3)))


def test_scores_that_all_tie_have_one_advice_and_no_chi_square_to_doubt():
    data = ro.Scores.from_dict({a: {"t": [1.0, 1.0], "u": [2.0, 2.0]} for a in "ABC"})
    assert [advice.code for advice in rank_test(data, method="asymptotic").advice] == ["R201"]


@pytest.mark.parametrize(("lone", "words"), [(5, "u0, u1, u2, u3, u4."), (6, "u0, u1, u2, u3, u4, ….")])
def test_five_tasks_that_are_left_out_are_named_and_more_are_hinted_at(lone, words):
    rows = {"A": {"t": [1.0, 2.0], **{f"u{i}": [1.0] for i in range(lone)}}, "B": {"t": [2.0, 3.0]}}
    (left,) = [a for a in rank_test(ro.Scores.from_dict(rows)).advice if a.code == "R202"]
    assert left.text.endswith(f"{lone} left out: {words}")


@pytest.mark.parametrize(("k", "pairs"), [(2, 1), (4, 6)])
def test_far_out_the_range_has_the_tail_of_all_its_pairs(k, pairs):
    assert range_pvalue(11.0, k) == pytest.approx(pairs * 2 * stats.norm.sf(11 / 2**0.5), rel=1e-3)
    assert range_pvalue(8.3, k) == pytest.approx(pairs * 2 * stats.norm.sf(8.3 / 2**0.5), rel=2e-3)


def test_one_task_has_no_f_law():
    assert rank_test(scores_of(k=3, n=1), test="iman_davenport", method="asymptotic").pvalue == 1.0


def test_cells_without_spread_that_are_apart_have_an_infinite_statistic_of_the_right_sign():
    for high, low, sign in ((2.0, 1.0, 1), (1.0, 2.0, -1)):
        data = ro.Scores.from_dict({"A": [high] * 3, "B": [low] * 3})
        pair = ro.compare(data, test="studentized_permutation").pairs[0]
        assert (pair.statistic, pair.pvalue) == (sign * np.inf, pytest.approx(0.1))


@pytest.mark.parametrize(
    ("k", "n", "c", "smallest"),
    [(2, 1, 3, 2 / 20), (2, 4, 1, 2 / 16), (3, 1, 1, 1.0), (3, 2, 1, 6 / 36), (2, 1, 4, None), (3, 3, 1, None)],
)
def test_a_design_that_no_runs_could_tell_apart_is_told(k, n, c, smallest):
    """The smallest p-value is that of runs that are as far apart as can be: every algorithm above the next on every task."""
    data = ro.Scores.from_dict(
        {f"a{i}": {f"t{t}": [10.0 * i + r for r in range(c)] for t in range(n)} for i in range(k)}
    )
    result = rank_test(data, method="exact")
    texts = [a.text for a in result.advice if a.code == "R016"]
    assert (len(texts) == 1) == (smallest is not None)
    if smallest is not None:
        assert result.pvalue == pytest.approx(smallest)
        assert f"the smallest exact p-value is {smallest:.2g}." in texts[0]


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_ties_can_make_a_p_value_as_small_as_one_arrangement_so_it_is_not_called_impossible(alternative):
    data = ro.Scores.from_dict({"A": [-2.0, -1.0], "B": [2.0] * 5})
    result = rank_test(data, alternative=alternative)
    assert result.pvalue == pytest.approx(1 / 21)
    assert "R016" not in codes(result)
    assert ro.compare(data, test="mann_whitney", n_resamples=100).pairs[0].verdict == "b_better"
    one_sided = {
        a: rank_test(ro.Scores.from_dict({"A": [1.0, 2, 3], "B": [4.0, 5, 6]}), alternative=a)
        for a in ("two-sided", "less")
    }
    assert [("R016" in codes(r), round(r.pvalue, 3)) for r in one_sided.values()] == [(True, 0.1), (False, 0.05)]


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n"), [(80, 2), (100, 1)])
def test_designs_whose_exact_law_no_float_can_count_are_drawn(k, n):
    """100 algorithms of 5 runs have some 10⁴⁰⁰ states."""
    scores = scores_of(k=k, n=n)
    assert rank_test(scores, n_resamples=99).method == "monte_carlo"
    assert 0 < critical_difference(scores).omnibus_pvalue <= 1


def test_a_ranking_puts_its_answers_together_at_one_level():
    draw = np.random.default_rng(5)
    runs = {name: draw.normal(0.4 * at, 1, (5, 4)) for at, name in enumerate("ABC")}
    scores = ro.Scores.from_dict(runs, score_unit="shared")
    result = ro.rank(scores, alpha=0.2)
    assert (result.critical, result.omnibus) == (ro.critical_difference(scores, alpha=0.2), ro.rank_test(scores))
    assert result.places == ro.rank_intervals(scores, confidence_level=0.8, single_value="tested")
    assert [row.average_rank for row in result] == sorted(result.average_ranks.values())


def test_a_single_value_has_no_average_rank():
    draw = np.random.default_rng(5)
    runs = {name: draw.normal(size=(5, 4)).tolist() for name in "ABC"} | {"Paper": [[1.0, 2.0, 0.5, 1.5]]}
    result = ro.rank(ro.Scores.from_dict(runs))
    assert "Paper" not in result.critical.algorithms
    assert [row.algorithm for row in result if row.letters] == [row.algorithm for row in result]


@pytest.mark.parametrize(
    ("k", "words"),
    [(2, "; that of algorithm 0 differs from it"), (3, "; those of all others differ from it")],
)
def test_the_sentence_of_a_ranking_counts_the_others(k, words):
    assert words in ro.rank(scores_of(k=k, shift=3.0)).sentence


@pytest.mark.parametrize("control", [None, "B"])
def test_no_pair_differs_by_ranks_where_the_test_of_all_algorithms_does_not_reject(control):
    scores = ro.Scores.from_dict({"A": {"t": [1.0] * 17 + [0.0] * 3}, "B": {"t": [1.0] * 11 + [0.0] * 9}})
    assert critical_difference(scores).pairs[0].rejected
    result = ro.rank(scores, control=control)
    assert result.omnibus.pvalue > 0.05
    assert (result.critical, {row.letters for row in result}) == (None, {None})
    assert "does not reject" in " ".join(result.left_out)


@pytest.mark.parametrize("seed", [13, 1])
def test_the_sentence_counts_the_pairs_that_differ_where_the_test_of_all_finds_nothing(seed):
    runs = np.random.default_rng(seed)
    data = {
        a: {f"t{t}": runs.normal(m, 1, 5).tolist() for t in range(4)}
        for a, m in zip("ABC", (0, 0.3, 0.75), strict=True)
    }
    result, differ = ro.rank(data), sum(pair.verdict != "no_difference_found" for pair in ro.compare(data).pairs)
    assert result.omnibus.pvalue > 0.05
    assert differ == (seed == 13)
    assert result.sentence.startswith("By the Mack-Skillings test no difference was found between these 3 algorithms")
    assert result.sentence.endswith("find 1 of 3 different." if differ else "does not make them equal.")


@pytest.mark.parametrize(("n_tasks", "n_runs"), [(3, 2), (4, 3), (2, 8)])
def test_the_critical_difference_of_a_ranking_is_that_which_is_asked_for_alone(n_tasks, n_runs):
    rng = np.random.default_rng(3)
    scores = ro.Scores.from_dict({name: rng.normal(k, 1.0, (n_runs, n_tasks)) for k, name in enumerate("ABCD")})
    assert ro.rank(scores).critical.to_json() == critical_difference(scores).to_json()


def test_an_average_rank_over_fewer_tasks_is_not_the_best_and_says_so():
    draws = np.random.default_rng(0)
    cells = {
        name: {task: draws.normal(mean, 1, 5) for task in tasks}
        for name, mean, tasks in (("A", 9, "xy"), ("B", 5, "xyz"), ("C", 1, "xyz"))
    }
    ranking = ro.rank(Scores.from_dict(cells))
    assert min(ranking.average_ranks, key=ranking.average_ranks.get) == "A"
    assert ranking.sentence.startswith("B has the better average rank of the 2 algorithms with scores on all tasks")
    (gaps,) = [advice for advice in ranking.advice if advice.code == "R012"]
    assert gaps.subjects == ("A",)
    assert "average ranks" in gaps.text
    del cells["B"]["x"], cells["C"]["y"]
    assert "no two algorithms have scores on all tasks" in ro.rank(Scores.from_dict(cells)).sentence


def test_ranks_say_that_tasks_weigh_by_their_runs_where_they_have_others():
    rng = np.random.default_rng(1)
    data = {"A": {"t0": rng.normal(5, 1, 20)}, "B": {"t0": rng.normal(0, 1, 20)}}
    for name, centre in (("A", 0), ("B", 5)):
        data[name] |= {f"t{i}": rng.normal(centre, 1, 3) for i in range(1, 4)}
    words = "In average ranks tasks weigh by their runs: t0 has 40 of 58."
    assert ro.rank(data).sentence.endswith(words)
    even = {name: {task: runs[:3] for task, runs in own.items()} for name, own in data.items()}
    assert "weigh" not in ro.rank(even).sentence
    assert "weigh" not in ro.rank(data, test="friedman").sentence


def test_an_algorithm_that_is_alone_on_its_tasks_has_no_average_rank():
    rng = np.random.default_rng(4)
    runs = {
        name: {task: rng.normal(size=4).tolist() for task in tasks}
        for name, tasks in (("A", "xy"), ("B", "xy"), ("C", "zw"))
    }
    ranking = ro.rank(runs)
    assert [(row.algorithm, row.average_rank is None) for row in ranking.rows][2:] == [("C", True)]
    assert set(ranking.average_ranks) == {"A", "B"}
    assert sorted(filter(None, ro.rank_test(runs).average_ranks)) == sorted(ranking.average_ranks.values())
    assert not any("weigh by their runs" in words for words in (ranking.sentence, *ranking.sentences))
    # as many runs on z and w as one likes: they rank nothing
    runs["C"]["z"] *= 5
    assert not any("weigh by their runs" in words for words in ro.rank(runs).sentences)


def test_runs_that_weigh_are_those_of_tasks_that_rank():
    runs = {
        "A": {"x": [1.0, 2, 3], "y": [2.0, 3, 4, 5, 6]},
        "B": {"x": [2.0, 2.5, 3], "y": [1.0, 3, 4, 5, 6.5]},
        "C": {"z": [1.0] * 9},
    }
    assert "y has 10 of 16." in ro.rank(runs).sentence


def test_shared_runs_of_unlike_tasks_are_not_ranked_and_the_report_says_why():
    rng = np.random.default_rng(0)
    cells = {
        name: {task: rng.normal(size=5) for task in tasks} for name, tasks in zip("ABC", ("tu", "t", "tu"), strict=True)
    }
    scores = ro.Scores.from_dict(cells, runs="shared")
    with pytest.raises(ro.DesignError, match="all algorithms need the same tasks: choose those that all have"):
        rank_test(scores)
    answer = ranking(scores, ro.compare(scores))
    assert (answer.rows, answer.sentence, len(answer.left_out)) == ((), "", 3)
