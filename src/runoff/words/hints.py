"""What people type first, from other libraries or by guess, and what does it here: names of calls, and of their arguments."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from runoff.words.numbers import percent

HINTS = """
read read_csv read_json read_parquet read_excel read_data read_frame read_logs read_tensorboard read_wandb: ro.load('runs.csv')
load_csv load_runs load_scores load_curves load_data load_results from_csv from_logs from_tensorboard from_wandb: ro.load('runs.csv')
from_dataframe from_pandas from_polars from_dict from_frame DataFrame Dataset Results Runs: ro.load(runs)
load_dataset datasets example examples: ro.load_example('classic_control')
ttest ttest_ind t_test welch welch_ttest student: ro.two_sample_test(x, y, test='welch')
mannwhitneyu mann_whitney ranksums wilcoxon brunnermunzel permutation_test bootstrap_test: ro.two_sample_test(x, y, test='mann_whitney')
test tests significance significance_test hypothesis_test pairwise compare_runs compare_algorithms: ro.compare(runs)
bootstrap bootstrap_ci ci confidence_interval confidence_intervals interval_estimates get_interval_estimates: ro.aggregate(runs)
mean median iqm interquartile_mean trim_mean aggregate_iqm optimality_gap aggregates summary summarize metrics: ro.aggregate(runs)
improvement poi prob_improvement vargha_delaney a12: ro.probability_of_improvement(runs)
profile profiles performance_profiles score_distribution create_performance_profile: ro.performance_profile(runs)
cohens_d cohen_d hedges_g cliffs_delta effect_size: ro.effect_sizes(runs)
friedman friedmanchisquare anova kruskal nemenyi mack_skillings: ro.rank_test(runs)
cd_diagram autorank: ro.critical_difference(runs)
tost equivalent non_inferiority rope: ro.equivalence(runs, margin=3.0)
sample_size samplesize n_runs how_many_runs required_runs solve_power power_analysis: ro.runs_needed(effect=1.0, std=1.0)
seeds runs_to_add more_runs: ro.next_runs(runs, budget=8)
plot plotting figure figures draw viz: ro.compare(runs).plot()
learning_curve learning_curves lineplot: ro.plots.curves
early_stopping group_sequential spending adastop: ro.sequential
regression_test check_regression assert_no_regression: ro.gate
baseline save: ro.save_baseline
proportion wilson success_rate binomial: ro.aggregate(runs, measure='mean')
auc final normalize select rename: ro.Scores
atari published baselines: ro.archive.list()
"""
"""Names, a colon, and the call: a test runs each, `runs` being {algorithm: scores}, `x` and `y` arrays."""


ARGUMENTS = """
rng: seed random_state generator random_seed
seed: rng random_state random_seed
confidence_level: confidence level conf ci conf_level confidence_interval
alpha: significance significance_level sig_level
n_resamples: reps n_boot n_bootstrap n_bootstraps num_bootstraps bootstrap_reps n_reps resamples draws n_draws n_permutations
n_repeats: repeats n_reps reps
control: baseline reference reference_algorithm
correction: adjust adjustment p_adjust method multiple_testing posthoc
margin: equivalence_margin rope delta rope_margin
measure: metric metrics aggregate aggregation statistic measures center centre estimator
errorbar: spread band ci
effect_size: effect effects
effect_unit: unit units
test: tests stat_test
interval: intervals
n_runs: n nobs n_seeds seeds
cost_per_run: cost
lower_is_better: lower higher_is_better costs minimize
published: as reference_algorithm
single_value: single
unreferenced: drop_unreferenced missing_reference
time_limit: budget timeout limit
next_runs: next
assume_raw: check_units raw force_raw
series: metric
along: axis x_axis
out: output output_dir outdir path folder save_to
last: window
at: step
"""
"""An argument, a colon, and what it is called elsewhere."""


MEMBERS = """
to_dataframe to_df as_frame dataframe df: to_frame()
to_csv save write export to_excel: to_frame(), which writes files
summary describe report: to_markdown(), or print it
pair get: result["A", "B"]
record row of loc: result["A"], by the names of a row
p_value p p_values: pvalue
ci interval confint conf_int: confidence_interval of a row
significant reject significance: verdict of a pair
show figure draw: plot()
drop filter query exclude: select(algorithms=, tasks=)
from_dataframe from_pandas from_polars: from_frame
"""
"""What is not there of answers and data, a colon, and what does it."""
OF_ROWS = {
    **dict.fromkeys(("p_value", "p", "pval", "p_val"), "pvalue"),
    **dict.fromkeys(("ci", "conf_int", "confint", "bounds", "interval"), "confidence_interval"),
    **dict.fromkeys(("significant", "reject", "is_significant"), "verdict"),
    **dict.fromkeys(("diff", "effect", "mean_difference"), "estimate, or difference"),
    **dict.fromkeys(("lower", "ci_low", "lower_bound"), "low"),
    **dict.fromkeys(("upper", "ci_high", "upper_bound"), "high"),
    "value": "estimate",
    "call": "verdict",
    "metric": "measure",
}
"""What is not there of a row, and what is called so."""
FIGURES = """
forest forest_plot: pairs
box boxplot violin strip swarm bar: tasks
learning_curves learning_curve lineplot: curves
performance_profiles profile performance_profile: profiles
cd_diagram: critical_difference
probability_of_improvement poi: improvement
interval_estimates aggregate: aggregates
"""
"""Figures by names that others give them, a colon, and theirs here."""


def _called(table: str, name: str) -> str | None:
    lines = [line.split(": ", 1) for line in table.strip().splitlines()]
    return next((call for names, call in lines if name in names.split()), None)


def member_hint(name: str, there: Iterable[str]) -> str:
    """Return what to ask an answer, or data, for in place of a name; "" where nothing is known."""
    own, call = list(there), _called(MEMBERS, name)
    # Data have no p-value, and answers no select.
    if call is not None and (call.split("(")[0] in own or not call.split("(")[0].isidentifier()):
        return f"; ask for {call}."
    close = get_close_matches(name, own, n=1, cutoff=0.75)
    return f". Did you mean {close[0]!r}?" if close else ""


def figure_hint(name: str, there: Iterable[str]) -> str:
    """Return the figure that others call so, else the nearest."""
    call = _called(FIGURES, name) or next(iter(get_close_matches(name, list(there), n=1, cutoff=0.6)), None)
    return "" if call is None else f". Did you mean {call!r}?"


def called_here(name: str, own: Collection[str]) -> str | None:
    """Return which of these arguments means what another name does elsewhere."""
    lines = [line.split(": ") for line in ARGUMENTS.strip().splitlines()]
    return next((role for role, names in lines if role in own and name in names.split()), None)


def alpha_of(name: str, value: object) -> str | None:
    """Return the error rate that belongs to a level of confidence: "0.1" to 0.9 and to 90, and where no level is given."""
    if called_here(name, ("confidence_level",)) is None and name != "confidence_level":
        return None
    try:
        level = float(str(value))
    except ValueError:
        level = 0.9
    level = level / 100 if 1 < level < 100 else level
    return f"{1 - level if 0 < level < 1 else 0.1:g}"


def argument_hint(name: str, parameters: Iterable[str], value: object = None) -> str:
    """Return which of the parameters of a call means what another name does, else the nearest; "" where there is none."""
    own = list(parameters)
    called = called_here(name, own)
    if called is not None:
        return f"; it is called {called}= here."
    # Where a call decides, its error rate is the one level: a sentence never has intervals of two.
    if "alpha" in own and (alpha := alpha_of(name, value)) is not None:
        return f"; alpha={alpha} gives {percent(1 - float(alpha))} intervals."
    if name == "normalize":
        return "; normalise the data: ro.load(…).normalize('mujoco')."
    close = get_close_matches(name, own, n=1, cutoff=0.6)
    return f". Did you mean {close[0]}=?" if close else ""


def hints() -> dict[str, str]:
    """Return the call for each name."""
    lines = [line.split(": ", 1) for line in HINTS.strip().splitlines()]
    return {name: call for names, call in lines for name in names.split()}


def attribute_hint(name: str, there: Iterable[str]) -> str:
    """Return what to type in place of a name that is not there: the call that does it, else the nearest name; "" where there is none."""
    call = hints().get(name.casefold(), hints().get(name))
    if call is not None:
        return f"; {call} does that." if "(" in call else f"; see {call}."
    close = get_close_matches(name, list(there), n=1, cutoff=0.6)
    return f". Did you mean {close[0]!r}?" if close else ""
