"""Names that people know from elsewhere are answered with what does it here, and every call that a hint names works."""

from __future__ import annotations

import pathlib
import pickle
import re
import traceback
import warnings
from contextlib import nullcontext
from inspect import signature

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import command
from runoff.data.given import DataOptions, DataReading
from runoff.hints.arguments import OF_DATA
from runoff.hints.words import (
    ARGUMENTS,
    DATA_MEMBERS,
    FIGURES,
    INSTEAD,
    MEMBERS,
    NEEDLESS,
    ROWS,
    argument_hint,
    hints,
    near_to,
)

RUNS = {"A": [1.0, 2.0, 3.0, 4.0], "B": [3.0, 5.0, 6.0, 9.0]}
PONG = {name: {"Pong": runs} for name, runs in RUNS.items()}
HOPPER = {name: {"Hopper-v4": [500 * score for score in runs]} for name, runs in RUNS.items()}
SWEEP = {
    "algorithm": ["A"] * 8,
    "lr": [1, 1, 1, 1, 2, 2, 2, 2],
    "batch": [8, 8, 9, 9] * 2,
    "score": [1.0, 2.0, 4.0, 3.5, 6.0, 5.0, 9.0, 7.0],
}
SWEEP_OF_TASKS = {name: 2 * column for name, column in SWEEP.items()} | {"task": ["hop"] * 8 + ["walk"] * 8}
STEPS = {
    "algorithm": ["A"] * 6 + ["B"] * 6,
    "run": [0, 0, 0, 1, 1, 1] * 2,
    "step": [1, 2, 3] * 4,
    "score": [0.1, 0.5, 0.9, 0.2, 0.4, 0.8, 0.3, 0.5, 0.6, 0.4, 0.4, 0.7],
}


def followed(call, **given):
    """What a call gives that a hint names."""
    return eval(call, {"ro": ro, "pathlib": pathlib, **given})  # noqa: S307  # data of this package


def tables_of(*texts):
    """Each name of these tables with the call that stands behind it."""
    lines = [line.split(": ", 1) for text in texts for line in text.strip().splitlines()]
    return [(name, call) for names, call in lines for name in names.split()]


@pytest.mark.parametrize("name", hints())
def test_a_hint_names_a_call_that_works(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.csv").write_text("algorithm,score\nA,1\nA,2\nB,4\n")
    with pytest.raises(AttributeError) as caught:
        getattr(ro, name)
    call = hints()[name]
    assert call in str(caught.value)
    assert (
        followed(call, x=RUNS["A"], y=RUNS["B"], runs=RUNS, curves=STEPS, sweep=SWEEP_OF_TASKS) is not None
        or "savefig" in call
    )


def test_a_misspelt_name_has_the_nearest_and_an_unknown_one_has_none():
    with pytest.raises(AttributeError, match="Did you mean 'compare'"):
        ro.comparee  # noqa: B018
    for name in ("qqq", "_compare"):
        with pytest.raises(AttributeError, match=rf"no attribute '{name}'$"):
            getattr(ro, name)


@pytest.mark.parametrize(
    ("call", "options", "words"),
    [
        (ro.compare, {"reference": "A"}, "it is called control= here."),
        (ro.compare, {"by": "task"}, "; ro.where(data, 'A', 'B') tests two task by task"),
        (ro.compare, {"where": ("A", "B")}, "; ro.where(data, 'A', 'B') tests two task by task"),
        (
            ro.sequential,
            {},
            "design=ro.SequentialDesign(looks=(5, 10, 15, 20)); without planned looks, ro.anytime([data])",
        ),
        (ro.compare, {"threshold": 0.5}, "; ro.time_to_threshold(data, threshold=150) does that."),
        (ro.compare, {"confidence": 0.05}, "; alpha=0.05 gives 95\xa0% intervals."),
        (ro.equivalence, {"ci": 99, "margin": 1.0}, "; alpha=0.01 gives 99\xa0% intervals."),
        (ro.rank, {"confidence_level": "high"}, "; alpha=0.1 gives 90\xa0% intervals."),
        (ro.compare, {"alphaa": 0.1}, "Did you mean alpha=?"),
        (ro.compare, {"method": "welch"}, "it is called correction= or test= here."),
        (ro.aggregate, {"per_task": True}, "it is called by= here."),
        (ro.aggregate, {"method": "bootstrap"}, "it is called interval= here."),
        (ro.runs_needed, {"delta": 1.0}, "it is called effect= here."),
        (
            ro.load(RUNS).select,
            {"task": "ant"},
            "select() got an unexpected keyword argument 'task'; it is called tasks=",
        ),
        (ro.load(RUNS).select, {"algos": "A"}, "it is called algorithms= here."),
        (
            ro.time_to_threshold,
            {"threshold": 1.0, "by": "task"},
            "it has a row for each algorithm and task as it is: leave it out.",
        ),
        (ro.tuning, {"by": "lr"}, "view='importance' has the share of each setting"),
        (ro.sequential, {"planned": 5}, "ro.sequential(data, design=ro.SequentialDesign(looks=(4, 8))) does that."),
    ],
)
def test_an_argument_of_another_name_is_answered_with_what_it_is_called(call, options, words):
    with pytest.raises(TypeError) as refusal:
        call(*[RUNS] * (call.__name__ not in ("select", "runs_needed")), **options)
    assert words in str(refusal.value)


@pytest.mark.parametrize(("name", "call"), tables_of(INSTEAD))
def test_what_no_argument_does_is_answered_with_a_call_that_does_it(name, call):
    assert argument_hint(name, ("data", "n_resamples")) == f"; {call} does that."
    table = {"algorithm": ["A", "A", "A"], "score": [2.0, 1.0, None if "incomplete" in call else 3.0]}
    data = (
        STEPS if ".auc(" in call or ".final(" in call or "threshold" in name else PONG if "beside" in call else HOPPER
    )
    assert followed(call, data=table if "ro.load(data, " in call else data) is not None


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: ro.load(RUNS).select(["A"]),
            "select() takes no argument by its place, the others by name: algorithms=",
        ),
        (lambda: ro.load(RUNS).to_frame("x"), "to_frame() takes no argument by its place."),
        (lambda: ro.load(RUNS).normalize(), "normalize() missing 1 required positional argument: 'reference'"),
        (
            lambda: ro.load(RUNS)["A"],
            "Scores are not indexed: select(algorithms='A') keeps these runs, cell('A', 'task 1') is an array of them",
        ),
        (lambda: ro.detectable_effect(RUNS), "of runs ro.compare(data)[0].detectable_difference says it."),
        (
            lambda: ro.plots.profiles(ro.performance_profile(HOPPER), tasks=["t"]),
            "ro.load(data).select(tasks=['Hopper-v4']) does that.",
        ),
    ],
)
def test_a_call_that_takes_no_such_arguments_says_what_it_takes_and_names_no_class_within(call, words):
    with pytest.raises(TypeError) as refusal:
        call()
    assert words in str(refusal.value)
    assert ro.compare(RUNS)[0].detectable_difference is not None


@pytest.mark.parametrize(
    ("typed", "meant", "words"),
    [
        ({"metric": "mean"}, {"measure": "mean"}, "compare() reads metric='mean' as measure='mean'"),
        ({"measure": "poi"}, {"measure": "improvement"}, "compare() reads measure='poi' as measure='improvement'"),
        ({"metric": "poi"}, {"measure": "improvement"}, "compare() reads metric='poi' as measure='improvement'"),
        (
            {"measure": "poi", "seed": 7},
            {"measure": "improvement", "rng": 7},
            "measure='poi', seed=7 as measure='improvement', rng=7",
        ),
        ({"seed": 7, "confidence": 0.9}, {"rng": 7, "alpha": 0.1}, "seed=7, confidence=0.9 as rng=7, alpha=0.1"),
    ],
)
def test_an_argument_that_can_mean_one_thing_only_is_understood_and_a_warning_says_how(typed, meant, words):
    with pytest.warns(ro.RunoffWarning) as heard:
        result = ro.compare(RUNS, **typed)
    assert [words in str(line.message) for line in heard if " reads " in str(line.message)] == [True]
    assert heard[0].filename == __file__
    assert result.to_json() == ro.compare(RUNS, **meant).to_json()


def test_what_a_call_takes_beside_data_is_known_to_the_hints():
    assert {*OF_DATA.split(), "seed"} == {*DataOptions.__annotations__}
    reads = {*signature(ro.load).parameters} - {"data", "incomplete"}
    assert reads == {*DataReading.__annotations__} - {"algorithms", "tasks", "exclude", "rename", "merge"}


def test_two_words_for_one_argument_are_refused_for_one_value_would_be_lost():
    for words in ({"metric": "iqm", "statistic": "mean"}, {"confidence": 0.9, "conf_level": 0.95}):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            ro.compare(RUNS, **words)


def test_two_arrays_and_data_that_were_read_take_no_options_of_reading():
    x, y = [1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 14.0, 15.5]
    for call in (ro.compare, ro.probability_of_improvement, ro.effect_sizes):
        with pytest.raises(ro.OptionError, match="bare arrays are taken as they are"):
            call(x, y, lower_is_better=True)
        with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
            call(x, y, nonsense=1)
    for pilot in (x, (x, y)):
        with pytest.raises(ro.OptionError, match="bare arrays are taken as they are"):
            ro.plan(pilot, effect=1.0, lower_is_better=True)
    with pytest.raises(ro.OptionError, match="lower_is_better= cannot be used for a Scores"):
        ro.compare(ro.load(RUNS), lower_is_better=True)


def test_the_last_evaluations_count_however_curves_are_given():
    curves = ro.load(STEPS)
    assert ro.robustness(STEPS, measure="mean", last=2) == ro.robustness(curves, measure="mean", last=2)
    assert ro.robustness(STEPS, measure="mean", last=2) != ro.robustness(STEPS, measure="mean")
    assert ro.compare(STEPS, last=2).to_json() == ro.compare(curves.final(last=2)).to_json()
    with pytest.raises(ro.OptionError, match="is of Curves"):
        ro.variance(STEPS, last=2)


def test_a_share_of_training_is_written_as_a_number_or_in_percent():
    curves = ro.load(STEPS)
    assert curves.final(last=0.5) == curves.final(last="50%") != curves.final()
    with pytest.warns(ro.RunoffWarning, match="compare\\(\\) reads last=0.5 as last='50%'"):
        assert ro.compare(STEPS, last=0.5).to_json() == ro.compare(STEPS, last="50%").to_json()
    for wrong in (1.5, -0.5, 0.0, True):
        with pytest.raises(ro.OptionError, match="last"):
            curves.final(last=wrong)


def test_several_columns_of_settings_are_named_as_a_list_or_a_text():
    named = ro.tuning(SWEEP, columns={"settings": "lr,batch"})
    assert len({row.k for row in named.rows}) == 4
    names = ["lr", "batch"]
    for how in ({"config": names}, {"columns": {"settings": names}}, {"columns": {"config": names}}):
        assert ro.tuning(SWEEP, **how).to_json() == named.to_json()
    with pytest.raises(
        TypeError, match=r"; columns=\{'settings': 'lr,batch'\} makes a configuration of each"
    ) as refusal:
        ro.tuning(SWEEP, params=names)
    assert ro.tuning(SWEEP, **followed(f"dict({re.search('columns={.*?}', str(refusal.value))[0]})")) == named
    fresh = {name: column[-2:] for name, column in SWEEP.items()} | {"score": [9.5, 8.0]}
    assert ro.tuning(SWEEP, judged=fresh, config=names) == ro.tuning(SWEEP, judged=fresh, columns={"settings": names})


def test_several_columns_for_one_role_are_refused_in_the_words_that_were_typed():
    for how, typed in (
        ({"algorithm": ["lr", "batch"]}, "algorithm="),
        ({"columns": {"score": ("lr", "batch")}}, "columns={'score': …}"),
    ):
        with pytest.raises(ro.OptionError) as refusal:
            ro.load(SWEEP, **how)
        assert str(refusal.value).startswith(f"{typed} takes one column, and ")
        assert "columns={'settings': 'lr,batch'}" in str(refusal.value)
    assert ro.load(SWEEP, task=["lr", "batch"]) == ro.load(SWEEP, task="lr/batch")
    assert ro.compare(STEPS, algorithm=["algorithm"], at=2).to_json() == ro.compare(STEPS, at=2).to_json()


def test_an_argument_and_its_twin_together_are_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'metric'"):
        ro.compare(RUNS, measure="mean", metric="mean")


@pytest.mark.parametrize("name", ["to_csv", "to_json", "to_latex", "to_markdown"])
def test_an_answer_is_written_to_the_file_that_is_named_and_no_other_file_is_overwritten(tmp_path, name):
    write = getattr(ro.compare(RUNS), name)
    file = tmp_path / "new" / "x"
    text = write(str(file))
    assert text == write()
    assert file.read_text() == text.rstrip("\n") + "\n"
    file.write_text("mine")
    with pytest.raises(ro.OutputError, match="there already"):
        write(file)
    assert file.read_text() == "mine"
    write(file, force=True)
    assert file.read_text().rstrip("\n") == text.rstrip("\n")


@pytest.mark.parametrize("data", [RUNS, STEPS])
def test_data_as_csv_are_read_as_the_same_data_and_names_are_no_formulas(tmp_path, data):
    own = ro.load(data).rename({"A": "=A"})
    own.to_csv(tmp_path / "runs.csv")
    read = ro.load(tmp_path / "runs.csv")
    assert read.to_dict() == own.to_dict() if isinstance(own, ro.Scores) else read.to_frame().equals(own.to_frame())
    assert "'=A," in (tmp_path / "runs.csv").read_text()


@pytest.mark.parametrize("by", [["algo", "env"], ("task", "algorithm"), ["env"], "env"])
def test_rows_by_algorithm_and_task_are_those_by_task(by):
    frame = {"algo": ["A", "A", "A", "A"], "env": ["x", "x", "y", "y"], "score": [1.0, 2.0, 3.0, 5.0]}
    assert ro.aggregate(frame, by=by).to_json() == ro.aggregate(frame, by="task").to_json()


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("algo", "leave out by="),
        (["algorithm"], "leave out by="),
        (["seed", "task"], "must be one of task"),
        (3, "not '3'"),
        ([], "of task"),
    ],
)
def test_rows_by_anything_else_are_refused(by, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.aggregate({"algo": ["A", "A"], "env": ["x", "x"], "score": [1.0, 2.0]}, by=by)


def test_a_published_set_in_the_place_of_an_array_is_to_stand_beside_the_runs():
    with pytest.raises(ro.OptionError, match=re.escape("load(data).beside('atari_100k:SPR') has published runs")):
        ro.compare([1.0, 2.0], "atari_100k:SPR")


def test_a_name_that_stands_where_an_array_is_asked_for_is_told_to_be_the_control():
    with pytest.raises(ro.OptionError, match="control='B' compares all others with that one"):
        ro.compare(RUNS, "B")
    assert ro.equivalence({**RUNS, "C": [2.0, 3.0]}, "A", "B", margin=1.0).pairs[0].a == "A"
    for wrong in ({"b": None}, {"control": "A"}):
        with pytest.raises(ro.OptionError):
            ro.equivalence(RUNS, "A", **{"b": "B", "margin": 1.0} | wrong)


def test_other_type_errors_stay_as_they_are():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'data'"):
        ro.compare()
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'qqq'$"):
        ro.compare(RUNS, qqq=1)


def test_every_argument_that_a_hint_names_is_one_of_a_public_function_or_an_option():
    functions = [value for name in dir(ro) if type(value := getattr(ro, name)).__name__ == "function"]
    there = {name for function in functions for name in signature(function).parameters}
    lines = [line.split(": ") for line in ARGUMENTS.strip().splitlines()]
    options = {p.name for verb in command().commands.values() for p in verb.params}
    assert {role for role, _ in lines} <= there | options
    # Nothing is called by a name that the function has itself.
    for function in functions:
        own = list(signature(function).parameters)
        assert all(
            argument_hint(name, own)
            for role, names in lines
            if role in own
            for name in names.split()
            if name not in own
        )


def test_a_call_is_found_again_by_pickle_and_keeps_its_signature():
    assert pickle.loads(pickle.dumps(ro.compare)) is ro.compare  # noqa: S301
    assert list(signature(ro.compare).parameters)[:2] == ["data", "y"]


def test_warnings_name_the_line_of_the_caller_however_deep_they_are():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ro.aggregate({"A": [1.0], "B": [2.0]})
        ro.load(
            {"algorithm": ["A"] * 6, "step": [1, 2, 3] * 2, "run": [0, 0, 0, 1, 1, 1], "score": [1.0, 2, 3, 1, 2, 4]}
        )
        ro.compare(
            {
                "algorithm": ["A"] * 5 + ["B"] * 6,
                "step": [1, 20, 1, 20, 15, *[1, 20] * 3],
                "run": [0, 0, 1, 1, 2, *"001122"],
                "score": range(11),
            }
        )
    assert {warning.filename for warning in caught} == {__file__}
    assert len(caught) >= 2


ANSWERS = {
    "a comparison": lambda: ro.compare(HOPPER),
    "aggregates": lambda: ro.aggregate(HOPPER, by="task"),
    "a test": lambda: ro.two_sample_test(RUNS["A"], RUNS["B"]),
}


@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize("name", dict(tables_of(MEMBERS)))
def test_what_an_answer_does_not_have_is_answered_with_a_call_that_works(kind, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = ANSWERS[kind]()
    if hasattr(type(result), name):
        return
    with pytest.raises(AttributeError) as refusal:
        getattr(result, name)
    call = str(refusal.value).partition("; ask for ")[2].removesuffix(".")
    if not call:  # what is asked for is said of two algorithms alone
        assert kind != "a comparison" or dict(tables_of(MEMBERS))[name] == "result.n_runs"
        return
    with pytest.raises(ro.OptionError, match="no figure of") if ".plot" in call and kind == "a test" else nullcontext():
        followed(call, result=result, data=HOPPER)


@pytest.mark.parametrize(("name", "call"), tables_of(DATA_MEMBERS))
def test_what_data_do_not_have_is_answered_with_a_call_that_works(name, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = ro.load(STEPS if "final" in call or "threshold" in call else RUNS)
    if hasattr(type(data), name):
        return
    reason = "; algorithms and tasks are chosen here, and single runs never.*" if name in ("drop", *ROWS) else ""
    with pytest.raises(AttributeError, match=rf"; ask for {re.escape(call)}{reason}\.$"):
        getattr(data, name)
    followed(call, data=data)


def test_a_single_run_is_left_out_by_no_name_and_a_slip_is_still_one():
    data = ro.load(RUNS)
    for runs in ("A/x/3", "seed:3", {"algorithm": "A", "run": 3}):
        with pytest.raises(ro.RunoffError, match=r"single runs never.* Take the rows out of the data"):
            data.select(exclude=runs)
    with pytest.raises(ro.DesignError, match=r"these scores\. Did you mean 'random'"):
        ro.load({**RUNS, "random": RUNS["A"]}).select(exclude="randon")


def test_panels_by_task_are_those_of_an_answer_by_task():
    for name in ("by", "panels", "facet"):
        with pytest.raises(TypeError, match=r"a panel for each: ro\.curves\(data, by='task'\)\.plot\(\)"):
            ro.curves(ro.load(STEPS)).plot(**{name: "task"})
    two = {name: column * 2 for name, column in STEPS.items()} | {"task": ["x"] * 12 + ["y"] * 12}
    assert [axes.get_title() for axes in ro.curves(two, by="task").plot().axes] == ["x", "y"]


def test_the_runs_of_a_plan_are_answered_with_their_name():
    plan = ro.plan([10.1, 11.0, 9.2, 10.4, 9.8], effect=1.5)
    with pytest.raises(AttributeError, match=r"; ask for result.n_runs.$"):
        plan.n  # noqa: B018
    with pytest.raises(
        ro.DesignError, match=r"ask for a larger effect: 1e−05 is in the units of the scores, and 10% would be a share"
    ):
        ro.plan([10.1, 11.0, 9.2, 10.4, 9.8], effect=1e-5)
    with pytest.raises(ro.DesignError, match=r"ask for a larger effect.$"):
        ro.plan([10.1, 11.0, 9.2, 10.4, 9.8], effect="0.0001%")


def test_python_adds_no_guess_of_its_own_to_a_hint():
    for given, name in ((ro, "plot"), (ro.plots, "profil"), (ro.load(RUNS), "taskss")):
        with pytest.raises(AttributeError) as refusal:
            getattr(given, name)
        assert "".join(traceback.format_exception_only(refusal.value)).count("id you mean") <= (name != "plot")


@pytest.mark.parametrize("value", ["fdr", "bootstrap", "ttest", "average", "atari_human"])
def test_a_value_by_another_name_is_answered_with_its_name_here(value):
    calls = {
        "fdr": lambda v: ro.compare({**RUNS, "C": [2.0, 3.0, 5.0]}, correction=v),
        "bootstrap": lambda v: ro.aggregate(RUNS, interval=v, n_resamples=100),
        "ttest": lambda v: ro.compare(RUNS, test=v),
        "average": lambda v: ro.compare(RUNS, measure=v),
        "atari_human": lambda v: ro.load({"A": {"Pong": [1.0, 2.0]}}).normalize(v),
    }
    with pytest.raises(ro.OptionError, match="Did you mean") as refusal:
        calls[value](value)
    assert calls[value](str(refusal.value).rpartition("Did you mean '")[2].removesuffix("'?")) is not None


def test_nothing_else_is_said_where_nothing_is_known():
    for given, name in (
        (ro.compare(RUNS), "drop"),
        (ro.aggregate(RUNS), "pvalue"),
        (ro.load(RUNS), "qqq"),
        (ro.plots, "qqq"),
    ):
        with pytest.raises(AttributeError, match=f"'{name}'$"):
            getattr(given, name)
    assert not hasattr(ro.load(RUNS), "_qqq")


@pytest.mark.parametrize("line", FIGURES.strip().splitlines())
def test_a_figure_of_another_name_is_answered_with_its_name_here(line):
    names, figure = line.split(": ")
    assert figure in ro.plots.PLOTS
    for name in names.split():
        with pytest.raises(AttributeError, match=f"Did you mean '{figure}'"):
            getattr(ro.plots, name)


def test_where_a_call_decides_alpha_is_its_one_level():
    functions = {name: signature(getattr(ro, name)).parameters for name in dir(ro) if callable(getattr(ro, name))}
    both = {name for name, own in functions.items() if {"alpha", "confidence_level"} <= set(own)}
    assert both == {"check", "inferential_intervals"}  # their intervals are not those of what is decided


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("comapre", "compare"),
        ("agregate", "aggregate"),
        ("plann", "plan"),
        ("compa", "compare"),
        ("plot", None),
        ("steps", None),
        ("lan", None),
    ],
)
def test_a_name_is_offered_for_a_slip_alone(name, meant):
    assert near_to(name, ["aggregate", "compare", "plan", "report", "scan"]) == meant


@pytest.mark.parametrize("name", ["seeds", "exclude_runs", "filter", "keep_seeds"])
@pytest.mark.parametrize("function", [ro.load, ro.compare])
def test_single_runs_are_never_chosen_by_an_argument(function, name):
    with pytest.raises(TypeError, match=f"'{name}'; .*single runs never: .*Take the rows out of the data"):
        function(RUNS, **{name: [1]})


def test_names_of_what_is_left_out_are_understood():
    tasks = {"A": {"x": [1.0, 2.0], "y": [3.0, 4.0]}}
    with pytest.warns(ro.RunoffWarning, match="reads exclude_tasks='y' as exclude=\\['task:y'\\]"):
        result = ro.aggregate(tasks, measure="mean", exclude_tasks="y")
    assert result.to_json() == ro.aggregate(tasks, measure="mean", exclude="y").to_json()


@pytest.mark.parametrize("field", ["estimate", "low", "high", "confidence_interval"])
def test_an_answer_with_one_row_has_its_numbers_and_one_with_several_says_where_they_are(field):
    single = ro.aggregate([3.1, 3.2, 3.9], measure="mean")
    assert getattr(single, field) == getattr(single[0], field)
    with pytest.raises(AttributeError, match=rf"has 2 rows, each with its {field}: result\[0\].{field}"):
        getattr(ro.aggregate([3.1, 3.2, 3.9], measure=["mean", "iqm"]), field)


def test_of_two_algorithms_a_difference_is_asked_for_in_its_direction():
    result = ro.compare(RUNS, measure="mean")
    with pytest.raises(AttributeError, match=r"result\['A', 'B'\]\.estimate is of A − B"):
        result.estimate  # noqa: B018
    assert result["A", "B"].estimate == -result["B", "A"].estimate


def test_bare_numbers_are_the_runs_of_one_algorithm():
    for numbers in ([3, 4.0, 8], (3.0, 4.0, 8.0), np.array([3, 4, 8])):
        assert ro.load(numbers).to_dict()["x"]["task 1"] == [3.0, 4.0, 8.0]
    for outcomes in ([True, False, True], np.array([True, False, True])):
        assert ro.load(outcomes).to_dict()["x"]["task 1"] == [1.0, 0.0, 1.0]
    for grid in ([[1.0, 2.0], [3.0, 4.0]], np.array([[1.0, 2.0], [3.0, 4.0]])):
        with pytest.raises(ro.RunoffError):
            ro.load(grid)


def test_a_verdict_is_no_condition():
    night = ro.gate([1.0, 2.0, 3.0, 2.5], [0.1, 0.2, 0.3, 0.25], margin=0.5)
    with pytest.raises(TypeError, match=r"ask for result.verdict, which is 'regressed'"):
        assert night
    with pytest.raises(AttributeError, match=r"ask for result\.verdict"):
        night.ok  # noqa: B018
    with pytest.raises(AttributeError, match=r"ask for result\.sentence"):
        night.reason  # noqa: B018


def test_the_area_of_curves_that_is_taken_for_a_column_or_a_measure_is_answered_by_what_it_is():
    for call in (
        lambda: ro.compare(STEPS, score="auc"),
        lambda: ro.aggregate(STEPS, measure="auc"),
        lambda: ro.compare(STEPS, measure="auc"),
    ):
        with pytest.raises(
            ro.OptionError, match=r"last='100%' takes the mean of all evaluations.* ro\.load\(data\)\.auc\(\)"
        ):
            call()


def test_a_name_to_keep_is_told_from_a_column_of_the_data_by_its_being_there():
    rows = [("A", "x", 1.0), ("A", "x", 2.5), ("B", "x", 3.0), ("B", "x", 4.5), ("A", "y", 1.0), ("B", "y", 2.0)]
    table = dict(zip(("agent", "level", "score"), map(list, zip(*rows, strict=True)), strict=True))
    with pytest.warns(ro.RunoffWarning, match="reads env='level' as task='level'"):
        assert (
            ro.aggregate(table, env="level", by="task").to_json()
            == ro.aggregate(table, task="level", by="task").to_json()
        )
    with pytest.warns(ro.RunoffWarning, match="reads env='x' as tasks='x'"):
        kept = ro.aggregate(table, task="level", env="x", by="task")
    assert {row.task for row in kept} == {"x"}
    with pytest.raises(TypeError, match="unexpected keyword argument 'pdf'"):
        ro.report(table, pdf=True)


def test_a_column_that_is_taken_for_the_sample_is_answered_by_rows_of_tasks():
    for call in (ro.compare, ro.aggregate):
        with pytest.raises(ro.OptionError, match=r"not 'env': it says what claims .* aggregate\(by='task'\) has a row"):
            call(RUNS, over="env")
    with pytest.raises(ro.OptionError, match="not 2 at once: call once for each"):
        ro.compare(RUNS, test=["welch", "yuen"])


def test_the_best_in_bold_is_in_the_files_of_a_report_as_the_hint_says(tmp_path):
    with pytest.raises(TypeError, match="report writes a folder of tables that have the best in bold"):
        ro.compare(RUNS).to_latex(bold=True)
    ro.report(RUNS, tmp_path / "rep")
    assert any("bfseries" in path.read_text() for path in (tmp_path / "rep" / "tables").glob("*.tex"))


def test_a_size_of_two_numbers_is_answered_by_its_width_and_an_adjusted_p_value_by_its_name():
    with pytest.raises(TypeError, match="width=4 sets the inches"):
        ro.compare(RUNS).plot(figsize=(4, 3))
    ro.compare(RUNS).plot(width=4)
    with pytest.raises(AttributeError, match="ask for pvalue_adjusted"):
        _ = ro.compare(RUNS)[0].p_adj


def test_algorithms_and_tasks_that_are_left_out_by_their_role_are_left_out_together():
    tasks = {"A": {"x": [1.0, 2.0], "B": [3.0, 4.0]}, "B": {"x": [1.0, 2.0]}}
    with pytest.warns(ro.RunoffWarning, match=r"as exclude=\['task:B', 'algorithm:B'\]"):
        result = ro.aggregate(tasks, measure="mean", exclude_tasks="B", exclude_algorithms=["B"])
    assert [row.algorithm for row in result] == ["A"]
    assert result[0].estimate == 1.5


def test_higher_is_better_is_no_name_for_lower_is_better():
    with pytest.raises(TypeError, match="higher is better unless it is said that lower is: leave it out"):
        ro.compare({"A": [1.0, 2.0], "B": [2.0, 3.0]}, higher_is_better=True)
    with pytest.raises(TypeError, match="lower_is_better=True says so"):
        ro.compare({"A": [1.0, 2.0], "B": [2.0, 3.0]}, higher_is_better=False)


@pytest.mark.parametrize(("name", "why"), tables_of(NEEDLESS))
def test_what_is_done_anyway_or_never_is_answered_with_why(name, why):
    with pytest.raises(TypeError, match=f"; {why}: leave it out"):
        ro.compare(RUNS, **{name: True})


def test_a_choice_of_rows_is_a_column_of_rows_where_data_have_columns():
    with pytest.raises(TypeError, match=r"columns=\{'rows': 'COLUMN=VALUE'\} reads some rows; algorithms and tasks"):
        ro.load("runs.csv", where="split=test")
    with pytest.raises(TypeError, match="'where'; algorithms and tasks are chosen here"):
        ro.power(effect=1.0, std=1.0, n_runs=5, where="split=test")


@pytest.mark.parametrize("name", ["n", "n_runs", "n_seeds", "seeds"])
def test_a_number_of_runs_for_a_plan_is_answered_by_what_has_its_power(name):
    with pytest.raises(TypeError, match="it computes the number of runs, and curve_to=3 has the power"):
        ro.plan(PONG, effect=1.0, **{name: 3})
    assert [row.n_runs for row in ro.plan(PONG, effect=9.0, curve_to=3).curve if row.assumed_spread == "pilot"][-1] >= 3
    with pytest.raises(ro.OptionError, match=r"runs= takes per_task or shared, .* and 3 is neither: leave it out"):
        ro.plan(PONG, effect=1.0, runs=3)


def test_the_hint_on_a_curve_of_power_has_the_effect_that_it_needs():
    with pytest.raises(TypeError, match=r"curve_to=5 .*such as effect='10%'\."):
        ro.plan(PONG, n_runs=5)
    with pytest.raises(ro.OptionError, match=r"^curve_to=5 belongs to one effect: state it \(effect='10%'\)"):
        ro.plan(PONG, curve_to=5)
    assert ro.plan(PONG, curve_to=5, effect="10%").curve


@pytest.mark.parametrize("looks", [[5, 10], (3,), range(2, 8, 2)])
def test_the_design_of_planned_looks_has_those_of_the_user(looks):
    with pytest.raises(TypeError, match=re.escape(f"design=ro.SequentialDesign(looks={tuple(looks)})) does that")):
        ro.sequential(PONG, looks=looks)


def test_data_that_a_power_does_not_take_are_answered_by_the_plan_of_these():
    with pytest.raises(TypeError, match=r"takes effect=.* by name; of runs ro\.plan\(data, effect=5\.0, curve_to=10\)"):
        ro.power(PONG, n=10, effect=5.0)
    assert followed("ro.plan(data, effect=5.0, curve_to=10)", data=PONG).curve


@pytest.mark.parametrize(
    ("room", "call"), [(ro.archive, "ro.archive.load('atari_100k')"), (ro.plots, "ro.plots.tasks(data)")]
)
def test_a_room_that_is_called_says_what_does_its_work(room, call):
    with pytest.raises(TypeError, match=re.escape(call)):
        room("x")
    assert followed(call, data=PONG) is not None


@pytest.mark.parametrize(
    ("name", "call"), tables_of("\n".join(f"{n}: {c}" for n, c in hints().items()), INSTEAD, DATA_MEMBERS)
)
def test_no_example_of_a_threshold_looks_like_a_share(name, call):
    assert "time_to_threshold(" not in call or re.search(r"threshold=\d{2,}\)", call), name


@pytest.mark.parametrize("name", ["compare", "probability_of_improvement"])
def test_two_names_behind_the_data_are_the_pair(name):
    call, runs = getattr(ro, name), {a: [i + 0.5 * s**2 for s in range(5)] for i, a in enumerate("ABC")}
    with pytest.warns(ro.RunoffWarning, match=r"reads 'C', 'A' as pairs=\[\('C', 'A'\)\]"):
        pair = call(runs, "C", "A")
    assert pair.to_json() == call(runs, pairs=[("C", "A")]).to_json()
    for third in ("B", 0.1):
        with pytest.raises(TypeError, match="by place"):
            call(runs, "C", "A", third)


@pytest.mark.parametrize("word", ["std", "sd", "se", "sem"])
def test_a_spread_is_no_interval_and_its_option_is_named(word):
    with pytest.raises(ro.OptionError, match="errorbar='sd'"):
        ro.aggregate(HOPPER, interval=word)
    assert ro.aggregate(HOPPER, by="task", errorbar="sd").rows


def test_a_figure_is_named_as_pandas_names_it():
    result = ro.compare(HOPPER)
    drawn = [result.plot(**how).get_size_inches().tolist() for how in ({"kind": "pairs"}, {"figure": "pairs"})]
    assert drawn[0] == drawn[1] != result.plot().get_size_inches().tolist()
    with pytest.raises(ro.OptionError, match="Did you mean 'pairs'"):
        result.plot(kind="forest")


def test_runs_asked_for_by_place_are_named_by_their_array():
    data = ro.load({"A": {"x": [1.0, 2.0], "y": [3.0, 5.0]}})
    with pytest.raises(TypeError) as refusal:
        data["A", "y"]
    call = re.search(r"cell\(.*?\)", str(refusal.value))
    assert followed(f"data.{call[0]}", data=data).tolist() == [3.0, 5.0]
