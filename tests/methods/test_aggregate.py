import statistics
import warnings

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff.errors import OptionError, RunoffWarning
from runoff.exits.text import text_of
from tests.reference import bootstrap as slow


def ends(result, algorithm="A", metric="mean"):
    record = result[algorithm, metric]
    return record.low, record.high


def test_records_come_algorithm_by_algorithm_in_the_order_of_the_metrics(scores):
    records = ro.aggregate(scores, measure=["mean", "iqm"], n_resamples=200).to_records()
    assert [(r["algorithm"], r["measure"]) for r in records[:3]] == [("A", "mean"), ("A", "iqm"), ("B", "mean")]
    assert {"estimate", "low", "high", "interval", "confidence_level", "n_resamples"} <= set(records[0])


def test_all_metrics_of_a_call_come_from_the_same_draws(scores):
    together = ro.aggregate(scores, n_resamples=1000)
    alone = ro.aggregate(scores, measure=["median"], n_resamples=1000)
    assert ends(together, metric="median") == ends(alone, metric="median")


def test_an_algorithm_keeps_its_numbers_whoever_else_is_present(scores):
    alone = ro.aggregate(scores.select(algorithms=["B"]), n_resamples=1000)
    assert ends(ro.aggregate(scores, n_resamples=1000), "B") == ends(alone, "B")


TRIMS = {"trimmed_mean_10": 0.1, "iqm": 0.25, "trimmed_mean_40": 0.4}


@pytest.mark.parametrize("interval", ["auto", "percentile"])
def test_the_iqm_of_whole_runs_is_scipys_trimmed_mean_on_rectangular_data(interval):
    rng = np.random.default_rng(8)
    scores = ro.Scores.from_dict({name: rng.normal(size=(5, 3)) for name in ("A", "B")})
    result = ro.aggregate(scores, measure=["iqm", "iqm_whole"], interval=interval, n_resamples=200)
    for name in scores.algorithms:
        whole, exact = (result[name, metric].estimate for metric in ("iqm_whole", "iqm"))
        assert whole == pytest.approx(stats.trim_mean(scores.dense(name), 0.25, axis=None))
        assert whole != pytest.approx(exact)  # a quarter of 15 runs is no whole number


@pytest.mark.parametrize("design", ["scores", "ragged"])
def test_trimmed_means_cut_the_exact_share(design, request):
    data = request.getfixturevalue(design)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        result = ro.aggregate(data, measure=list(TRIMS), n_resamples=200)
    for record in result.rows:
        cells = [cell for cell in data.cells(record.algorithm) if cell.size]
        expected = slow.iqm(cells, TRIMS[record.measure])
        assert record.estimate == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("interval", ["percentile", "basic", "bca"])
def test_every_interval_holds_the_estimate_and_widens_with_the_level(scores, interval):
    low = scores.select(algorithms=["A", "B"])
    narrow, wide = (
        ro.aggregate(low, interval=interval, confidence_level=level, n_resamples=2000) for level in (0.8, 0.99)
    )
    for a, b in zip(narrow.rows, wide.rows, strict=True):
        assert b.low < a.low < a.estimate < a.high < b.high


def test_the_welch_interval_of_one_task_is_students(scores):
    single = scores.select(tasks=["task 2"])
    x = single.cell("A", "task 2")
    expected = stats.t.interval(0.95, x.size - 1, x.mean(), stats.sem(x))
    assert ends(ro.aggregate(single, measure=["mean"], interval="t")) == pytest.approx(expected)


def test_the_welch_interval_of_two_tasks_is_that_of_welchs_difference(scores):
    x, y = scores.cell("A", "task 1"), scores.cell("A", "task 2")
    two = ro.Scores.from_dict({"A": {"x": x, "y": -y}})
    test = stats.ttest_ind(x, y, equal_var=False).confidence_interval()
    interval = ends(ro.aggregate(two, measure=["mean"], interval="t"))
    assert interval == pytest.approx((test.low / 2, test.high / 2))


@pytest.mark.slow
def test_resampling_tasks_widens_the_interval_when_tasks_differ():
    data = ro.Scores.from_dict({"A": np.arange(6)[None, :] + np.linspace(0, 0.1, 5)[:, None]})
    runs, tasks = (
        ro.aggregate(data, measure=["iqm"], over=over, n_resamples=2000) for over in ("runs", "runs_and_tasks")
    )
    (low, high), (least, most) = (ends(result, metric="iqm") for result in (runs, tasks))
    assert most - least > 5 * (high - low)


def test_a_one_run_cell_gives_no_interval_and_a_named_warning():
    data = ro.Scores.from_dict({"A": {"t1": [1.0, 2.0], "t2": [3.0]}}, score_unit="shared")
    with pytest.warns(RunoffWarning, match="R002.*'t2'"):
        result = ro.aggregate(data, n_resamples=200)
    assert ends(result) == (None, None)
    assert result.rows[0].interval is None


def test_runs_without_spread_give_no_interval_of_no_width():
    with pytest.warns(RunoffWarning, match="R011"):
        result = ro.aggregate(ro.Scores.from_dict({"A": [2.0, 2.0, 2.0]}), n_resamples=200)
    assert ends(result) == (None, None)


def test_missing_cells_are_warned_of(ragged):
    with pytest.warns(RunoffWarning, match="R012 do not compare the aggregates of 'B' with the others'"):
        result = ro.aggregate(ragged, n_resamples=200)
    assert (result["B", "iqm"].n_tasks, result["A", "iqm"].n_tasks) == (2, 3)


def test_ragged_means_weigh_every_task_the_same(ragged):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        result = ro.aggregate(ragged, measure=["mean"], n_resamples=200)
    expected = np.mean([ragged.cell("A", task).mean() for task in ragged.tasks])
    assert result["A", "mean"].estimate == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"measure": ["iqn"]}, "Did you mean 'iqm'"),
        ({"measure": []}, "measure names none"),
        ({"interval": "percentil"}, "Did you mean 'percentile'"),
        ({"over": "evaluations"}, "over must be one of"),
        ({"over": "runs_and_tasks", "interval": "bca"}, "resamples runs only"),
        ({"confidence_level": 5}, "strictly between 0 and 1"),
        ({"n_resamples": 10}, "at least 100"),
        ({"gamma": float("nan")}, "finite"),
        ({"rng": -1}, "non-negative"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(scores, options, words):
    with pytest.raises(OptionError, match=words):
        ro.aggregate(scores, **options)


def test_one_metric_may_be_named_alone(scores):
    assert ro.aggregate(scores, measure="iqm") == ro.aggregate(scores, measure=["iqm"])


def test_task_means_have_students_intervals(scores):
    record = ro.aggregate(scores, by="task")["B", "mean", "task 3"]
    x = scores.cell("B", "task 3")
    expected = stats.t.interval(0.95, x.size - 1, x.mean(), stats.sem(x))
    assert (record.low, record.high) == pytest.approx(expected)


@pytest.mark.parametrize("method", [ro.aggregate, ro.inferential_intervals])
def test_a_warning_points_at_the_line_that_asked(method):
    single = ro.Scores.from_dict(
        {"A": {"t": [1.0], "u": [2.0, 3.0]}, "B": {"t": [2.0], "u": [2.5, 4.0]}}, score_unit="shared"
    )
    with pytest.warns(ro.RunoffWarning) as caught:
        method(single, n_resamples=100)
    assert {warning.filename for warning in caught} == {__file__}


def test_a_record_that_is_not_there_is_answered_with_those_that_are():
    result = ro.aggregate(ro.Scores.from_dict({"A": [1.0, 2.0]}), measure=["mean"], n_resamples=100)
    with pytest.raises(KeyError, match="there is no 'iqmm' in this answer; its rows are named by 'A', 'mean'"):
        result["A", "iqmm"]


def advice_codes(n_tasks, n_runs, **options):
    data = ro.Scores.from_dict({"A": np.random.default_rng(0).normal(size=(n_runs, n_tasks))}, score_unit="shared")
    return {advice.code: advice.text for advice in ro.aggregate(data, n_resamples=100, **options).advice}


def test_an_interval_that_is_known_to_cover_less_says_so():
    assert "2 runs of one task, from which 95 % intervals of a mean cover less (92 %" in advice_codes(1, 2)["R034"]
    assert "the interval of an IQM over 1 task is approximate" in advice_codes(1, 5, measure=["iqm"])["R018"]
    assert "R018" not in advice_codes(1, 5)
    assert "the median of task means is approximate" in advice_codes(4, 10, measure=["median"])["R018"]
    assert "R018" not in advice_codes(4, 10, measure=["iqm", "mean"]) | advice_codes(1, 5, measure=["mean"])
    assert not {"R003"} & set(advice_codes(4, 3, measure=["iqm"]))


@pytest.mark.parametrize("n_tasks", range(1, 6))
def test_the_median_of_two_tasks_is_their_mean_and_pulled_by_none(n_tasks):
    codes = advice_codes(n_tasks, 10, measure=["median"])
    assert ("noisy task means pull the median" in codes.get("R018", "")) == (n_tasks > 2)


def test_the_median_of_success_rates_has_no_interval_and_says_why():
    data = ro.Scores.from_dict({"A": np.random.default_rng(0).integers(0, 2, (5, 4)).astype(float)})
    result = ro.aggregate(data, measure=["median", "mean"])
    assert ends(result, metric="median") == (None, None) != ends(result)
    assert [a.code for a in result.advice if "moves in steps" in a.text] == ["R018"]


def test_the_measure_of_the_design_comes_first():
    rng = np.random.default_rng(1)
    raw = {name: rng.normal(3, 1, (4, 4)) for name in "AB"}
    shared = ro.Scores.from_dict(raw, score_unit="shared")
    assert ro.aggregate(raw).measures == ("improvement",)
    assert ro.aggregate(shared).measures == ("iqm", "median", "mean")
    assert ro.aggregate({name: cells[:, :2] for name, cells in raw.items()}, measure=["mean"]).measures == ("mean",)
    assert ro.aggregate({name: cells[:, 0] for name, cells in raw.items()}).measures == ("mean", "iqm")
    assert ro.aggregate({name: cells > 3 for name, cells in raw.items()}).measures == ("mean", "optimality_gap")


def test_a_chance_to_beat_others_is_the_mean_of_those_of_the_pairs():
    rng = np.random.default_rng(2)
    scores = ro.Scores.from_dict(
        {
            name: {t: rng.normal(5 + s, 1, 4) for t in "xyz" if (name, t) != ("C", "z")}
            for name, s in {"A": 0, "B": 1, "C": 1}.items()
        }
    )
    pairs = {frozenset((p.a, p.b)): p for p in ro.compare(scores, measure="improvement").pairs}
    with pytest.warns(RunoffWarning, match="R012"):
        result = ro.aggregate(scores)
    own = [pairs[frozenset("AB")].estimate, pairs[frozenset("AC")].estimate]
    record = result["A", "improvement"]
    assert record.estimate == pytest.approx(np.mean(own))
    assert 0 <= record.low < record.estimate < record.high <= 1


def test_of_two_algorithms_the_chance_has_the_law_of_the_pair():
    rng = np.random.default_rng(3)
    scores = ro.Scores.from_dict({name: rng.normal(5, 1, (4, 3)) for name in "AB"})
    pair = ro.compare(scores).pairs[0]
    assert ends(ro.aggregate(scores), metric="improvement") == pytest.approx((pair.own_low, pair.own_high))


def test_over_tasks_a_mean_is_bounded_or_refused():
    rng = np.random.default_rng(4)
    few, many = (ro.Scores.from_dict({"A": rng.random((3, n))}) for n in (9, 10))
    assert ends(ro.aggregate(many, measure=["mean"], over="runs_and_tasks"))[0] is not None
    assert ro.aggregate(few, over="runs_and_tasks").measures == ("iqm", "median")
    with pytest.raises(OptionError, match=r"has no interval of the mean .* take the IQM .* Hodges-Lehmann"):
        ro.aggregate(few, measure=["mean"], over="runs_and_tasks")
    with pytest.raises(OptionError, match="has no interval of the mean"):  # of success rates nothing else is asked
        ro.aggregate({"A": {"x": [0.0, 1.0], "y": [1.0, 1.0]}}, over="runs_and_tasks")


def test_one_algorithm_on_tasks_of_their_own_units_is_refused_with_the_repair():
    with pytest.raises(ro.RunoffError, match=r"'A' is alone, and its 2 tasks have units of their own"):
        ro.aggregate({"A": [[5.0, 100.0], [6.0, 120.0]]})
    assert ro.aggregate({"A": [[5.0, 100.0], [6.0, 120.0]]}, measure=["mean"]).measures == ("mean",)


def test_a_percentile_interval_tells_its_measured_coverage():
    assert "those of 95 % covered 78 to 91 %" in advice_codes(4, 4, interval="percentile")["R003"]
    assert "those of 95 % covered 45 to 52 %" in advice_codes(1, 2, interval="bca")["R003"]


@pytest.mark.parametrize(
    ("interval", "sentence"),
    [
        ("percentile", "take the default, or add runs: percentile bootstrap intervals from 4 runs per task"),
        ("basic", "take the default, or add runs: basic bootstrap intervals from 4 runs per task"),
        ("bca", "take the default, or add runs: BCa bootstrap intervals from 4 runs per task"),
        ("auto", None),
    ],
)
def test_an_interval_that_is_too_narrow_tells_its_own_coverage(interval, sentence):
    result = ro.aggregate(
        ro.Scores.from_dict({"A": {"x": [1.0, 2.0, 4.0, 4.5], "y": [3.0, 5.0, 1.0, 2.5]}}, score_unit="shared"),
        interval=interval,
        n_resamples=500,
    )
    texts = [note.text for note in result.advice if note.code == "R003"]
    assert [text.startswith(sentence or "") for text in texts] == ([True] if sentence else [])


def test_scores_of_0_and_1_are_rates_only_where_those_of_all_algorithms_are():
    table = {"Solved": {"x": [1.0] * 6}, "Near": {"x": [0.7, 0.8, 0.9, 0.95, 0.85, 0.6]}}
    among_scores, alone = ro.Scores.from_dict(table), ro.Scores.from_dict({"Solved": table["Solved"]})
    with pytest.warns(ro.RunoffWarning, match="no interval is given"):
        (record,) = [r for r in ro.aggregate(among_scores, measure=["mean"]).rows if r.algorithm == "Solved"]
    assert (record.low, ro.aggregate(among_scores, by="task").rows[0].low) == (None, None)
    assert ro.aggregate(alone, measure=["mean"]).rows[0].low == ro.aggregate(alone, by="task").rows[0].low > 0.5


def test_a_rate_of_one_run_has_no_interval():
    single, several = ro.aggregate({"A": {"x": [1.0], "y": [0.0, 1.0]}}, by="task").rows
    assert (single.low, single.high, single.interval) == (None, None, None)
    assert several.interval == "wilson"


def test_the_median_of_tasks_is_given_from_two_tasks_on():
    for n_tasks in (1, 2, 3):
        scores = np.random.default_rng(0).uniform(size=(5, n_tasks))
        assert ("median" in ro.aggregate({"A": scores, "B": scores / 2}).measures) == (n_tasks > 1)


def test_by_task_there_is_the_mean_of_each_at_the_level_that_was_named():
    cells = {"A": {"x": [1.0, 2.0, 4.0], "y": [5.0, 7.0, 6.0]}}
    rows = ro.aggregate(cells, by="task", confidence_level=0.8)
    for row in rows:
        ends = stats.ttest_1samp(cells["A"][row.task], 0).confidence_interval(0.8)
        assert (row.low, row.high) == pytest.approx(tuple(ends))
    with pytest.raises(ro.OptionError, match="by= gives the mean of each task, not iqm: leave out measure="):
        ro.aggregate(cells, by="task", measure="iqm")


@pytest.mark.parametrize("measure", ["mean", "iqm", "optimality_gap", "improvement"])
def test_tables_begin_with_the_best_by_the_first_measure_whether_high_or_low_is_better(measure):
    cells = {
        name: np.add.outer([0.0, 0.1, 0.3], [at, at / 2])
        for name, at in (("A", 0.3), ("B", 0.1), ("C", 0.6), ("D", 0.5))
    }
    result = ro.aggregate(ro.Scores.from_dict(cells, score_unit="shared"), measure=[measure, "median"], n_resamples=100)
    (table,) = result.tables()
    column = {column.key: column for column in table.columns}
    assert [cell.text for cell in column["algorithm"].cells] == list("CDAB")
    assert [cell.value for cell in column[measure].cells] == [result[name, measure].estimate for name in "CDAB"]
    assert [line[0] for line in result.to_latex().splitlines() if line[:4] in ("A & ", "B & ", "C & ", "D & ")] == list(
        "CDAB"
    )


def test_a_mean_by_task_has_the_standard_deviation_of_its_runs_and_no_other_row_has():
    data = {"A": {"x": [1.0, 2.0, 6.0], "y": [4.0]}}
    assert [row.std for row in ro.aggregate(data, by="task").rows] == [pytest.approx(7**0.5), None]
    assert {row.std for row in ro.aggregate({"A": {"x": [1.0, 2.0, 6.0]}}).rows} == {None}


@pytest.mark.filterwarnings("ignore::runoff.errors.RunoffWarning")
def test_a_leader_is_named_among_those_with_scores_on_all_tasks():
    cells = {a: {t: [m, m + 0.1, m - 0.1, m] for t in "xyz"} for a, m in (("A", 0.5), ("B", 0.4), ("easy", 0.9))}
    del cells["easy"]["x"]
    three = ro.aggregate(ro.load(cells, score_unit="shared"), measure="mean")
    assert three.sentence.startswith("A has the higher mean of the 2 algorithms with scores on all tasks, 0.5")
    two = ro.aggregate(ro.load(cells, score_unit="shared").select(algorithms=["A", "easy"]), measure="mean")
    assert two.sentence == "No leader is named: no two algorithms have scores on all tasks."
    assert [row.algorithm for row in two] == ["A", "easy"]
    chances = ro.aggregate(ro.load(cells), measure="improvement")
    assert chances.sentence.startswith(
        "A has the higher chance to beat a run of the other of the 2 algorithms with scores on all tasks, "
    )


@pytest.mark.parametrize(
    "options",
    [
        {"interval": "bca"},
        {"over": "tasks"},
        {"weights": "tasks"},
        {"cluster": {"Pong": "a"}},
        {"strata": {"Pong": "a"}},
        {"gamma": 0.5},
    ],
)
def test_means_by_task_refuse_what_is_of_all_tasks(options):
    (name,) = options
    with pytest.raises(ro.OptionError, match=f"^{name}= means nothing beside by=, which has the mean of each task"):
        ro.aggregate({"A": {"Pong": [1.0, 2.0]}}, by="task", **options)
    with pytest.raises(ro.OptionError, match="n_resamples"):
        ro.aggregate({"A": {"Pong": [1.0, 2.0]}}, by="task", n_resamples=-3)


@pytest.mark.parametrize("runs", [[1.0, 2.0, 4.0, 9.0], [0.1234, 0.1255], [5.0, 5.0, 5.0], [3.0]])
def test_a_table_of_tasks_shows_the_standard_deviation_of_runs_on_request(runs):
    data = {"A": {"x": runs, "y": [100.0, 300.0]}}
    usual, result = ro.aggregate(data, by="task"), ro.aggregate(data, by="task", errorbar="sd")
    assert result.rows == usual.rows  # both are there, whatever is shown
    assert usual.errorbar == "interval"
    (cell, _) = result.tables()[0].columns[1].cells
    if len(runs) == 1:
        assert (cell.value, cell.low, cell.high) == (3.0, None, None)
        return
    deviation = statistics.stdev(runs)
    assert (cell.high - cell.low) / 2 == pytest.approx(deviation)
    assert (cell.high + cell.low) / 2 == pytest.approx(statistics.fmean(runs))
    mean, shown = text_of(cell).replace("\u202f", "").split(" ±\xa0")
    assert float(mean) == pytest.approx(statistics.fmean(runs), abs=max(deviation, 0.01) / 5)
    assert float(shown) == pytest.approx(deviation, rel=0.1)


def test_a_table_of_standard_deviations_says_so_in_every_exit():
    result = ro.aggregate({"A": {"x": [1.0, 2.0, 4.0]}, "B": {"x": [1.0, 2.0, 6.0]}}, by="task", errorbar="sd")
    for text, sign in (
        (result.to_latex(), "$\\pm$"),
        (result.to_markdown(), "±"),
        (str(result.tables()[0].caption), "±"),
    ):
        assert f"Mean score by task {sign} the standard deviation of its runs" in text
        assert "interval" not in text
    assert "$\\pm$~1.5" in result.to_latex()
    assert "2.3 ± 1.5" in result.to_markdown().replace("\u2009", " ").replace("\xa0", " ")


def test_standard_deviations_are_of_tasks_alone():
    with pytest.raises(ro.OptionError, match="errorbar='sd' is of the means of tasks: give by='task' too"):
        ro.aggregate({"A": {"x": [1.0, 2.0]}}, errorbar="sd")
    with pytest.raises(ro.OptionError, match="errorbar must be one of interval, sd, not 'se'"):
        ro.aggregate({"A": {"x": [1.0, 2.0]}}, by="task", errorbar="se")


def test_an_answer_by_task_is_a_frame_of_the_kind_that_was_given():
    frame = pytest.importorskip("pandas").DataFrame({"algorithm": ["A", "A"], "score": [1.0, 2.0]})
    assert type(ro.aggregate(frame, by="task", errorbar="sd").to_frame()) is type(frame)


def test_chances_are_of_the_tasks_on_which_all_have_several_runs_and_say_so(recwarn):
    rng = np.random.default_rng(2)
    cells = {a: {f"t{t}": rng.normal(t, 1, 4).tolist() for t in range(4)} for a in "AB"}
    cells["A"]["t1"] = cells["A"]["t1"][:1]
    result = ro.aggregate(ro.Scores.from_dict(cells))
    assert [(row.n_tasks, row.n_scores) for row in result] == [(3, 12), (3, 12)]
    assert "'A' has a single run on 't1', where" in str(recwarn[0].message)
    assert "so it is compared on the other 3 tasks" in str(recwarn[0].message)
    whole = ro.compare(ro.Scores.from_dict(cells)).pairs[0]
    assert {row.algorithm: row.estimate for row in result}["A"] == pytest.approx(whole.estimate)
