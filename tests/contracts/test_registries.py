"""Every registered name works wherever it can be said: in the library, in studies, in the report, on the command line, in the docs.

A name that is added in one place and missing in another fails here, with the name and the place.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import Literal, get_args, get_origin

import numpy as np
import pytest

import runoff as ro
from docs import make_names
from runoff import plots
from runoff._inference.advice import CODES, SINGLE
from runoff._inference.blocked import BLOCKED
from runoff._inference.blocked.registry import NULL_METHODS, SWAPPED
from runoff._inference.bootstrap import BANDS, CURVE_BANDS, INTERVALS, KINDS, METRICS, parse_metric
from runoff._inference.bootstrap.profile import GRIDS
from runoff._inference.bootstrap.registry import OVER
from runoff._inference.family import CORRECTIONS, OF_PVALUES
from runoff._inference.gate import CALLS
from runoff._inference.inferential import FORMULAS
from runoff._inference.pairs import EFFECTS, PAIR_TESTS, WEIGHTS, about_test
from runoff._inference.pairs import OVER as SAMPLES
from runoff._inference.planning import PLAN_UNITS
from runoff._inference.power import EFFECT_UNITS, POWER_FORMULAS, POWER_TESTS
from runoff._inference.search import LAWS
from runoff._inference.sequential import SEQUENTIAL_TESTS, SPENDING
from runoff._inference.steps import CENTRES, REACH_TESTS, SPREADS, STEP_CORRECTIONS
from runoff._inference.summaries import READ_AS
from runoff._inference.tuning.sweep import SCALES
from runoff._inference.two_sample import INTERVALS as BOOTSTRAP_TEST_INTERVALS
from runoff._inference.two_sample import TWO_SAMPLE
from runoff.answer.aggregate import ERRORBARS
from runoff.answer.base import ORDER
from runoff.cli.app import command, run
from runoff.cli.launch import JOBS
from runoff.cli.verb import ANSWER_FORMATS
from runoff.data.ends import POLICIES
from runoff.data.policy import RULES
from runoff.data.provenance import RUNS, UNITS
from runoff.data.reference import UNREFERENCED
from runoff.exits.latex.render import LAYOUTS
from runoff.lab import CONTENDERS
from runoff.methods.tuning import VIEWS
from runoff.page.words.paper import FORMATS as FIGURE_FORMATS
from runoff.page.words.references import REFERENCES
from runoff.plots._caption import words_of
from runoff.reading.formats import FORMATS
from runoff.tables.numerals import NUMBERS
from runoff.tables.runs import DUPLICATES
from runoff.words import names as _names
from tests.places import DOCS, GOLDEN, SOURCE
from tests.reading.formats.examples import EXAMPLES
from tests.reference.two_sample import TWO_SIDED

RNG = np.random.default_rng(1)
ONE_TASK = ro.Scores.from_dict({name: {"Pong": RNG.normal(m, 1, 6)} for name, m in (("A", 0), ("B", 1))})
SEVERAL = ro.Scores.from_dict({name: RNG.normal(m, 1, (6, 3)) for name, m in (("A", 0), ("B", 1))})
RATES = ro.Scores.from_dict({"A": [0.0, 0.0, 1.0, 0.0, 0.0], "B": [1.0, 1.0, 1.0, 0.0, 1.0]})
FAST = {"n_resamples": 200}
WITHOUT_GOLDEN = {"bootstrap": "it is drawn, and no other software inverts its interval; it has a slow twin"}

NAMES = {
    "WinnerTest": [name for name, test in TWO_SAMPLE.items() if test.about.claim],
    "TwoSampleTestName": TWO_SAMPLE,
    "PairwiseBlockedTest": [name for name, test in BLOCKED.items() if test.pairwise],
    "BlockedTestName": BLOCKED,
    "PairTestName": PAIR_TESTS,
    "Alternative": SWAPPED,
    "NullMethod": NULL_METHODS,
    "BootstrapTestInterval": BOOTSTRAP_TEST_INTERVALS,
    "LatexLayout": LAYOUTS,
    "IntervalName": ("auto", *INTERVALS),
    "RunsName": RUNS,
    "UnitName": UNITS,
    "Resampled": (*OVER, "tasks"),
    "OverName": SAMPLES,
    "StratumWeights": WEIGHTS,
    "ProfileKind": KINDS,
    "ProfileBand": BANDS,
    "PvalueCorrection": OF_PVALUES,
    "CorrectionName": ("auto", *CORRECTIONS),
    "FormulaName": FORMULAS,
    "EffectName": EFFECTS,
    "FormatName": ["auto", *FORMATS],
    "DecimalName": ["auto", *NUMBERS],
    "DuplicatesName": DUPLICATES,
    "JobsName": JOBS,
    "AnswerFormat": ANSWER_FORMATS,
    "FigureFormat": (*FIGURE_FORMATS, "all"),
    "Incomplete": POLICIES,
    "AxisName": ("step", "time", "episodes"),
    "ReachTestName": REACH_TESTS,
    "StepCorrectionName": STEP_CORRECTIONS,
    "CurveBandName": CURVE_BANDS,
    "CentreName": CENTRES,
    "SpreadName": SPREADS,
    "DeviationName": ERRORBARS,
    "PowerTestName": POWER_TESTS,
    "PowerFormulaName": POWER_FORMULAS,
    "EffectUnit": EFFECT_UNITS,
    "SpendingName": SPENDING,
    "SequentialTestName": SEQUENTIAL_TESTS,
    "PlanUnit": PLAN_UNITS,
    "Unreferenced": UNREFERENCED,
    "SingleValue": SINGLE,
    "TuningView": VIEWS,
    "ScaleName": SCALES,
    "VenueName": plots.WIDTHS,
    "PublishedSpread": READ_AS,
    "GateCall": CALLS,
    "GateVerdict": (*CALLS, "passed", "failed"),
    "RuleName": RULES,
    "KeepMode": LAWS,
    "FixedMetric": METRICS,
    "ThresholdsName": GRIDS,
}


def test_every_whole_per_cent_below_a_half_can_be_trimmed_and_no_other_name_passes():
    trimmed = [f"trimmed_mean_{cut}" for cut in range(1, 50)]
    assert [parse_metric(name).trim for name in trimmed] == [cut / 100 for cut in range(1, 50)]
    for name in ("trimmed_mean_50", "trimmed_mean_", "trimmed_mean_1.5", "iqr"):
        with pytest.raises(ro.OptionError, match=r"metrics are iqm, .* and trimmed_mean_P"):
            parse_metric(name)


def suited(test: str) -> ro.Scores:
    if test == "boschloo":
        return RATES
    if test == "miettinen_nurminen":
        return ro.Scores.from_dict({name: SEVERAL.dense(name) > 0 for name in SEVERAL.algorithms})
    return SEVERAL if PAIR_TESTS[test].several_tasks else ONE_TASK


def table_file(tmp_path, scores: ro.Scores) -> str:
    path = tmp_path / "runs.csv"
    scores.to_frame().write_csv(path)
    return str(path)


@pytest.mark.parametrize("kind", NAMES)
def test_the_names_that_a_type_checker_knows_are_those_of_the_registry(kind):
    assert sorted(get_args(getattr(_names, kind))) == sorted(NAMES[kind])


def test_every_type_of_names_is_held_to_a_registry():
    assert {name for name, kind in vars(_names).items() if get_origin(kind) is Literal} == set(NAMES)
    assert Literal is _names.Literal


# ── tests ──────────


@pytest.mark.parametrize("name", TWO_SAMPLE)
def test_a_two_sample_test_answers_has_golden_values_and_a_contender(name):
    answer = ro.two_sample_test([1.0, 2.5, 3.0, 4.2], [0.5, 1.5, 2.2], test=name, **FAST)
    assert 0 < answer.pvalue <= 1
    assert CONTENDERS[name].label == TWO_SAMPLE[name].about.label
    assert f'"test": "{name}"' in (GOLDEN / "two_sample.json").read_text() or name in WITHOUT_GOLDEN


@pytest.mark.parametrize("name", BLOCKED)
def test_a_test_over_tasks_answers_and_has_a_contender(name, tmp_path, capsys):
    assert 0 < ro.rank_test(SEVERAL, test=name, **FAST).pvalue <= 1
    assert CONTENDERS[name].label.startswith(BLOCKED[name].about.label)
    assert run(["rank", table_file(tmp_path, SEVERAL), "--test", name]) == 0
    assert about_test(name).title.removeprefix("the ").casefold() in capsys.readouterr().out.casefold()


@pytest.mark.usefixtures("few_relabellings")
@pytest.mark.parametrize("name", PAIR_TESTS)
def test_a_pair_test_has_a_sentence_intervals_a_report_and_a_verb(name, tmp_path, capsys):
    scores = suited(name)
    pair = ro.compare(scores, test=name, **FAST).pairs[0]
    title = about_test(pair.test).title
    assert title in pair.sentence
    assert ro.inferential_intervals(scores, measure="mean", test=name, **FAST).test == pair.test
    assert run(["compare", table_file(tmp_path, scores), "--test", name, "--n-resamples", "200"]) == 0
    assert title in " ".join(capsys.readouterr().out.split())


SAMPLES = [1.0, 2.5, 3.0, 4.2, 0.7], [0.5, 1.5, 2.2, 0.9]


@pytest.mark.parametrize("name", TWO_SAMPLE)
def test_a_two_sample_test_has_a_slow_twin_that_it_equals(name):
    assert name in TWO_SIDED or name in WITHOUT_GOLDEN
    for x, y in (SAMPLES, SAMPLES[::-1], ([1.0, 2.0, 2.0, 5.0], [2.0, 2.0, 3.0, 3.0, 4.0, 0.5])):
        if name in TWO_SIDED:
            assert ro.two_sample_test(x, y, test=name).pvalue == pytest.approx(TWO_SIDED[name](x, y))


@pytest.mark.parametrize("name", TWO_SAMPLE)
def test_a_two_sample_test_answers_by_each_method_that_it_says_to_know(name):
    for method in TWO_SAMPLE[name].methods:
        answer = ro.two_sample_test(*SAMPLES, test=name, method=method, **FAST)
        assert method in ("auto", answer.method)


@pytest.mark.parametrize("name", TWO_SAMPLE)
def test_the_least_runs_of_a_record_are_enough_and_fewer_are_refused(name):
    least, total = TWO_SAMPLE[name].least, TWO_SAMPLE[name].least_total
    x, y = np.arange(1.0, least + 1), np.arange(max(least, total - least)) + 0.5
    answer = ro.two_sample_test(x, y, test=name, **FAST)
    assert 0 < answer.pvalue <= 1
    assert not np.isnan(answer.statistic)
    if least > 1 or total > 2:
        with pytest.raises(ro.DesignError, match="needs at least"):
            ro.two_sample_test(x[: max(1, least - 1)], y[: max(least, total - least - 1)], test=name)


@pytest.mark.parametrize("name", TWO_SAMPLE)
def test_what_a_record_says_of_means_ranks_and_units_is_true(name):
    about = TWO_SAMPLE[name].about
    x, y = np.array([1.0, 2.0, 3.0, 50.0, 60.0]), np.array([4.0, 5.0, 6.0, 7.0, 8.0])
    run = lambda a, b: ro.two_sample_test(a, b, test=name, rng=1, **FAST)  # noqa: E731
    by_order = run(x, y).pvalue == run(np.log(x), np.log(y)).pvalue
    assert by_order == (about.compares in ("order", "distributions"))
    if about.compares == "means":
        assert run(x, y).statistic > 0 > run(y, x).statistic
    if about.compares == "order":
        assert run(x, y).statistic < run(y, x).statistic
    scaled = run(x * 8, y * 8).statistic / run(x, y).statistic
    in_units = TWO_SAMPLE[name].in_units and name != "bootstrap"  # its default statistic is Welch's t
    assert scaled == pytest.approx(8 if in_units else 1)


@pytest.mark.parametrize("registry", [TWO_SAMPLE, BLOCKED], ids=["two samples", "over tasks"])
def test_labels_and_titles_are_unique_and_stand_in_a_sentence(registry):
    abouts = [test.about for test in registry.values()]
    assert len({about.label for about in abouts}) == len({about.title for about in abouts}) == len(abouts)
    assert [about.title for about in abouts if not re.match(r"the [A-Z\w]|\w+( \w+)?'s ", about.title)] == []


UNCITED = ("permutation", "stratified_permutation", "kolmogorov_smirnov", "bonferroni", "none")
"""What a methods paragraph names without a source."""


@pytest.mark.parametrize("name", [*TWO_SAMPLE, *BLOCKED, *CORRECTIONS])
def test_what_is_cited_has_a_reference(name):
    cited = CORRECTIONS[name].cited if name in CORRECTIONS else about_test(name).cited
    keys = re.findall(r"(?:van )?[A-Z][^();]* \d{4}", cited[cited.find("(") :])
    assert bool(keys) == (name not in UNCITED), f"{cited!r} names no source"
    assert [key for key in keys if key not in REFERENCES] == []


# ── intervals, metrics, corrections ──────────


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("metric", METRICS)
def test_an_interval_is_built_by_its_own_name_and_studies_know_its_coverage(metric, interval):
    record = ro.aggregate(SEVERAL, measure=[metric], interval=interval, **FAST).rows[0]
    assert record.interval == interval
    assert CONTENDERS[f"coverage_{metric}_{interval}"].kind == "coverage"


def test_no_two_intervals_are_the_same_interval_under_two_names():
    def ends(name):
        return tuple((r.low, r.high) for r in ro.aggregate(SEVERAL, measure=["mean"], interval=name, **FAST).rows)

    assert len({ends(name) for name in INTERVALS}) == len(INTERVALS)


@pytest.mark.parametrize("name", CORRECTIONS)
def test_a_correction_adjusts_the_pairs_and_is_named_where_they_are_shown(name, tmp_path, capsys):
    three = ro.Scores.from_dict({a: RNG.normal(0, 1, (5, 2)) for a in "ABC"})
    assert ro.compare(three, correction=name, measure="mean", **FAST).correction == name
    arguments = [
        "compare",
        table_file(tmp_path, three),
        "--correction",
        name,
        "--measure",
        "mean",
        "--n-resamples",
        "200",
    ]
    assert run(arguments) == 0
    assert (
        f"{CORRECTIONS[name].label} correction over 3 pairs" if name != "none" else "not corrected"
    ) in capsys.readouterr().out


# ── formats ──────────


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_reads_its_example_by_suffix_by_name_and_from_the_command_line(name, tmp_path, capsys):
    for suffix in FORMATS[name].suffixes:
        path = tmp_path / f"PPO{suffix}"
        path.write_bytes(EXAMPLES[name])
        read = ro.read_scores(path)
        assert (read.algorithms, read.values.tolist()) == (("PPO",), [1.0, 2.0])
        assert read.provenance.format == name
        assert ro.read_scores(path, format=name) == read
    bare = tmp_path / "PPO"
    bare.write_bytes(EXAMPLES[name])
    assert run(["compare", str(bare), "--format", name]) == 2
    assert "a comparison needs two algorithms" in capsys.readouterr().err


# ── advice ──────────

RAISED = re.compile(r'(?:advise\(\s*|yield |Caveat\(\s*code=|\n +)"(R\d{3})"(?!: (?:Code|lambda))')
"""A code where it is raised: by `advise`, as a caveat of data, or in a table of rules; not where it is declared."""


@cache
def codes_of_rules():
    """Return the codes that the rules give."""
    return {code for file in SOURCE.rglob("*.py") for code in RAISED.findall(file.read_text())}


@cache
def codes_of_tests():
    """Return the codes that a test mentions."""
    tests = [file for file in (SOURCE.parents[1] / "tests").rglob("test_*.py") if "contracts" not in file.parts]
    return {code for file in tests for code in re.findall(r"[A-Z]\d+", file.read_text())}


def test_every_code_has_its_place_in_the_order_of_weight_once():
    assert sorted(ORDER) == sorted(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_raised_somewhere_and_its_section_has_its_title(code):
    assert code in codes_of_rules(), f"no rule gives {code}"
    assert f"\n## {code} {CODES[code].title}\n" in (DOCS / "advice.md").read_text()


def test_the_table_on_top_of_the_page_has_each_code_with_its_title_and_severity():
    rows = re.findall(
        r"^\| \[(R\d{3})\]\([^)]+\) \| ([^|]+) \| (\w+) \|", (DOCS / "advice.md").read_text("utf-8"), re.MULTILINE
    )
    assert [row for row in rows if row[2] in ("warning", "caution", "info")] == [
        (code, advice.title, advice.severity) for code, advice in CODES.items()
    ]


def test_the_page_names_the_codes_that_are_python_warnings_too():
    sentence = (DOCS / "advice.md").read_text("utf-8").partition("## Severities")[2].partition("`RunoffWarning`")[0]
    assert re.findall(r"R\d{3}", sentence.rpartition(";")[2]) == [code for code, a in CODES.items() if a.warns]


def test_only_codes_of_the_registry_are_codes_of_rules():
    assert codes_of_rules() == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_tried_by_a_test(code):
    assert code in codes_of_tests(), f"no test mentions {code}"


# ── figures ──────────


def _types() -> set[tuple[str, str]]:
    """Return (home, name) of what the table of contents tells a type checker."""
    tree = ast.parse((SOURCE / "plots" / "__init__.py").read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and "plots._" in str(node.module)]
    return {(str(node.module).rsplit(".", 1)[1], alias.name) for node in imports for alias in node.names}


@pytest.mark.parametrize("name", plots.PLOTS)
def test_a_plot_has_its_home_its_type_and_a_caption(name):
    plot = plots.PLOTS[name]
    draw = getattr(plots, name)
    assert draw.__module__ == f"runoff.plots.{plot.home}"
    assert (plot.home, name) in _types()
    first = next(iter(draw.__annotations__.values()))
    assert first == " | ".join(plot.of.split("|"))
    assert plot.of.split("|")[0] in {kind.__name__ for kind in words_of.registry}


# ── docs ──────────


def test_the_page_of_names_is_that_of_the_registries():
    assert make_names.page() == make_names.PAGE.read_text(), "run `make names`"


def test_an_option_is_one_argument_of_python_and_an_argument_one_option():
    pythons = {option: python for option, (python, _) in make_names.options().items()}
    shell_alone = set(make_names.UNLIKE) - {"--seed"}
    assert set(pythons.values()) - {pythons[option] for option in shell_alone} <= make_names.arguments()
    assert len(set(pythons.values())) == len(pythons)


def test_the_table_in_the_docstring_is_that_of_the_registry():
    source = make_names.DOCSTRING.read_text()
    assert make_names.docstring_source(source) == source, "run `make names`"


def test_every_verb_is_a_command():
    texts = [file.read_text(encoding="utf-8") for file in (SOURCE / "cli").glob("*.py")]
    written = {name for text in texts for name in re.findall(r"^@verb\ndef (\w+)", text, re.MULTILINE)}
    assert written == {*command().commands}


SCHEMAS = {
    "runoff.baseline/2",
    "runoff.check/1",
    "runoff.claims/1",
    "runoff.compare/1",
    "runoff.curves/1",
    "runoff.ledger/1",
    "runoff.refusal/1",
    "runoff.watch/1",
    "runoff.report/2",  # of 0.2.0, which diff reads
    "runoff.report/3",
    "runoff.reproduce/1",
    "runoff.sequential/1",
}
"""What files say they are: others read them by these texts, which moving a module must not change."""


def test_files_say_what_they_are_by_these_texts():
    texts = (file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py"))
    assert {schema for text in texts for schema in re.findall(r'"(runoff\.[\w.]+/\d+)"', text)} == SCHEMAS
