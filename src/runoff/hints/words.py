"""What people type first, from other libraries or by guess, and what does it here: names of calls, and of their arguments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from runoff.words.names import NO_SINGLE_RUNS
from runoff.words.numbers import percent
from runoff.words.patterns import regex
from runoff.words.words import vocabulary

HINTS = """
read read_csv read_json read_parquet read_excel read_data read_frame read_logs read_tensorboard read_wandb: ro.load('runs.csv')
load_csv load_runs load_scores load_curves load_data load_results from_csv from_logs from_tensorboard from_wandb: ro.load('runs.csv')
from_dataframe from_pandas from_polars from_dict from_frame DataFrame Dataset Results Runs: ro.load(runs)
load_dataset datasets example examples: ro.load_example('classic_control')
ttest ttest_ind t_test welch welch_ttest student: ro.two_sample_test(x, y, test='welch')
mannwhitneyu mann_whitney ranksums wilcoxon brunnermunzel permutation_test bootstrap_test: ro.two_sample_test(x, y, test='mann_whitney')
test tests significance significance_test hypothesis_test pairwise compare_runs compare_algorithms: ro.compare(runs)
bootstrap bootstrap_ci ci confidence_interval confidence_intervals interval_estimates get_interval_estimates: ro.aggregate(runs)
iqm interquartile_mean aggregate_iqm: ro.aggregate(runs, measure='iqm')
mean aggregate_mean: ro.aggregate(runs, measure='mean')
median aggregate_median: ro.aggregate(runs, measure='median')
optimality_gap aggregate_optimality_gap: ro.aggregate(runs, measure='optimality_gap')
trim_mean trimmed_mean aggregates summary summarize metrics: ro.aggregate(runs)
std sd stdev standard_deviation mean_std std_by_task: ro.aggregate(runs, by='task', errorbar='sd')
improvement poi prob_improvement vargha_delaney a12: ro.probability_of_improvement(runs)
profile profiles performance_profiles score_distribution create_performance_profile: ro.performance_profile(runs)
cohens_d cohen_d hedges_g cliffs_delta effect_size: ro.effect_sizes(runs)
friedman friedmanchisquare anova kruskal nemenyi mack_skillings: ro.rank_test(runs)
ranking ranks rankings: ro.rank(runs)
cd_diagram autorank: ro.critical_difference(runs)
sweep sweeps tune hpo hyperparameters hyperparameter_search grid_search: ro.tuning(sweep, columns={'settings': 'lr,batch'})
sensitivity robustness_to_hyperparameters: ro.tuning(sweep, columns={'settings': 'lr,batch'}, view='sensitivity')
importance fanova hyperparameter_importance: ro.tuning(sweep, columns={'settings': 'lr,batch'}, view='importance')
tost equivalent rope: ro.equivalence(runs, margin=3.0)
sample_size samplesize n_runs how_many_runs required_runs solve_power power_analysis: ro.runs_needed(effect=1.0, std=1.0)
seeds runs_to_add more_runs: ro.next_runs(runs, budget=8)
convert export to_csv: ro.load('runs.csv').to_csv('table.csv')
plot plotting figure figures draw viz: ro.compare(runs).plot().savefig('answer.pdf')
table latex_table to_latex: ro.aggregate(runs).to_latex()
learning_curve learning_curves: ro.curves(curves)
lineplot: ro.plots.curves
forest forest_plot forestplot: ro.compare(runs).plot('pairs')
box boxplot violin violinplot bar barplot strip stripplot swarm swarmplot: ro.plots.tasks(runs)
time_to steps_to time_to_reach steps_to_threshold reach sample_efficiency: ro.time_to_threshold(curves, threshold=150)
early_stopping group_sequential spending adastop: ro.sequential
Design sequential_design plan_sequential design_of_looks: ro.SequentialDesign(looks=(5, 10, 15, 20))
non_inferiority noninferiority not_worse: ro.gate(runs, runs, algorithm='A', candidate_algorithm='B', margin='5%')
regression_test check_regression assert_no_regression: ro.gate
baseline save: ro.save_baseline
proportion wilson success_rate success_rates rates binomial: ro.aggregate(runs, measure='mean')
normalize: ro.load(runs).normalize({'task 1': (0.0, 10.0)})
auc final select rename: ro.Scores
atari published baselines: ro.archive.list()
"""
"""Names, a colon, and the call: a test runs each, `runs` being {algorithm: scores}, `curves` and `sweep` tables, `x` and `y` arrays."""


ARGUMENTS = """
rng: seed random_state generator random_seed
seed: rng random_state random_seed
confidence_level: confidence level conf ci conf_level confidence_interval
alpha: significance significance_level sig_level
n_resamples: reps n_boot n_bootstrap n_bootstraps num_bootstraps bootstrap_reps n_reps resamples draws n_draws n_permutations bootstrap
n_repeats: repeats n_reps reps
control: baseline reference reference_algorithm
correction: adjust adjustment p_adjust method multiple_testing posthoc
effect: difference delta mde diff margin
margin: equivalence_margin rope delta rope_margin equivalence difference mde diff tolerance tol sesoi smallest_effect
measure: metric metrics aggregate aggregation statistic measures center centre estimator
errorbar: spread band ci err error
effect_size: effect effects
effect_unit: unit units
test: tests stat_test method
interval: intervals method
n_runs: n nobs n_seeds seeds runs num_runs num_seeds
cost_per_run: cost
lower_is_better: lower costs minimize
published: as reference_algorithm
single_value: single
width: figsize size
unreferenced: drop_unreferenced missing_reference
time_limit: budget timeout limit
next_runs: next
assume_raw: check_units raw force_raw
series: metric
title: name heading
along: axis x_axis
out: output output_dir outdir path folder save_to
last: window final average
steps: step
up_to: until
at: step until
by: per_task groupby group_by
pairs: pair
algorithms: algorithm algos algo agents agent only pair order hue_order
tasks: task envs env environments environment games game
exclude: drop without skip leave_out
"""
"""An argument, a colon, and what it is called elsewhere."""
TWINS = """
measure: metric metrics statistic
confidence_level: confidence
rng: random_state random_seed seed
seed: random_state random_seed
effect: difference
algorithms: algorithm algo algos agent agents
tasks: task env envs environment environments game games
exclude: exclude_tasks exclude_task exclude_algorithms exclude_algorithm exclude_envs exclude_env ignore without
threshold: target reach
at: at_step
errorbar: spread error_bar errorbars
control: baseline
correction: p_adjust adjust adjustment multiple_testing
margin: tolerance tol max_drop equivalence_margin
"""
"""An argument, a colon, and names of other libraries that mean the same and nothing else: they are understood, and a line says as what."""
OUTS = vocabulary("output output_file output_dir outdir outfile save save_to")
DRAWN = vocabulary("plot figure fig image savefig csv latex tex markdown md pdf png svg")
"""What the command line takes for --out: with a file or a folder as its value, and with a file alone."""
TWIN_FLAGS = """
--to latex: latex tex
--to markdown: markdown md
--to csv: csv
--lower-is-better: minimize minimise lower costs
--pairs: pairwise all_pairs
--last 1: final
--figures pdf: pdf
--figures svg: svg
--figures png: png
"""
"""Options of the command line, a colon, and those without a value that mean them and nothing else."""
TWIN_VALUES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "normalize": dict.fromkeys(("human", "human_normalized", "atari_human", "hns"), "atari"),
        "errorbar": {"std": "sd", "stdev": "sd", "ci": "interval"},
        "over": {"items": "tasks", "questions": "tasks", "seeds": "runs"},
        "measure": {"probability_of_improvement": "improvement", "poi": "improvement"},
    }
)
"""An argument, values of other libraries that mean the same and nothing else, and how they are written here."""
SHARE = regex(r"0?\.\d*[1-9]\d*")
"""A number between 0 and 1, as text."""


def value_meant(name: str, value: Any) -> Any:
    """Return a value of an argument as it is written here, where it can mean one thing only; any other as it is.

    >>> value_meant("last", 0.1), value_meant("last", ".25"), value_meant("last", 3), value_meant("errorbar", "std")
    ('10%', '25%', 3, 'sd')
    """
    if name == "last" and not isinstance(value, bool) and SHARE.fullmatch(str(value)):
        return f"{100 * float(value):g}%"
    return TWIN_VALUES.get(name, {}).get(value.replace("-", "_"), value) if isinstance(value, str) else value


INSTEAD = """
threshold: ro.time_to_threshold(data, threshold=150)
auc summary reduce: ro.load(data).auc()
algorithms algorithm algos algo agents: ro.load(data).select(algorithms=['A', 'B'])
exclude drop without: ro.load(data).select(exclude='A')
names: ro.load(data).rename({'A': 'ours'})
task_names env_names: ro.load({'A': {'Hopper-v4': [1.0, 2.0]}})
tasks task envs env: ro.load(data).select(tasks=['Hopper-v4'])
per_task by groupby: ro.aggregate(data, by='task')
lower_is_better direction minimize: ro.load(data, lower_is_better=True)
incomplete na_action nan_policy: ro.load(data, incomplete='drop')
against published beside: ro.load(data).beside('atari_100k:SPR')
last final at_end: ro.load(data).final(last=1)
normalize reference_scores: ro.load(data).normalize({'Hopper-v4': (0.0, 100.0)})
decimals digits precision float_format: ro.aggregate(data).to_pandas().round(2)
effect_size cohens_d: ro.plan(data, effect=0.8, effect_unit='sd')
looks planned planned_runs max_runs max_looks n_looks: ro.sequential(data, design=ro.SequentialDesign(looks=(4, 8)))
"""
"""Arguments, a colon, and the call that does what they are to do, where a call has none of that meaning; `data` are runs."""
LOOKS = (4, 8)
"""The looks of that call, in place of which it has those that a user names."""


VERBS = """
report: plot plots plotting figure figures draw page html profile profiles performance_profile performance_profiles
curves: threshold auc steps learning time_to_threshold steps_to time_to reach efficiency
tuning: hyperparameters hyperparameter hparams hp hpo sweep sweeps tune
aggregate: summary summarize mean median iqm std stats table tables latex rates
compare: test ttest significance improvement poi winner best
archive: published datasets baselines sets
plan: sample_size power seeds n_seeds how_many runs_needed
scan: load read info show list inspect ls look view peek describe validate lint
sequential: anytime early_stopping stop look looks
check: study studies simulate simulation coverage
convert: export csv
"""
"""A verb, a colon, and what else its work is called."""
ELSEWHERE = """
std sd stdev mean_std: aggregate --by task --errorbar sd, which has the mean ± the standard deviation of runs
decimals digits precision: --to csv, which prints the rows in full; in tables each estimate has the digits that its interval supports
per_task by_task per_env by_env per_game: aggregate --by task, which has a row for each algorithm and task, as compare --where A B has a test
auc area: --last 100%, which takes the mean of all evaluations (the area under the curve up to its ends, where they are evenly spaced)
effect_size cohens_d cohen_d smd: --effect VALUE --effect-unit sd, which counts in standard deviations of runs
params param settings hparams hyperparameters grid: --columns settings=VALUE, which makes configurations of these columns
human_normalized hns: --normalize atari, which maps a random agent to 0 and a human to 1
sensitivity: tuning --view sensitivity, which has what tuning on each task gains over one setting for all
importance fanova: tuning --view importance, which has the share of each setting in the spread of scores
html pdf figure figures plot plots output_dir outdir folder: report, which writes figures, tables and a page
"""
"""Options, a colon, and what does their work: other options, or another verb with its own; then what it does. VALUE is that of the option."""
HIGHER = frozenset(
    {"higher_is_better", "higher_better", "maximize", "maximise", "bigger_is_better", "no_higher_is_better"}
)
PRINTED = """
pdf png svg: -o answer.pdf, .png or .svg draws the figure of the answer
html page: runoff report writes a page
txt text plain: leave it out, for answers are printed as text
xlsx excel: -o answer.csv writes what a spreadsheet opens
junit junit_xml xml: the fixture of pytest writes it, pytest --junitxml=gate.xml; see the guide on gates
"""
"""Formats in which answers are not printed, a colon, and what does their work."""
NEEDLESS = """
paired paired_by_seed match_seeds: runs of two algorithms are independent, whatever their seeds are, and tasks are blocks already
two_sided twosided two_tailed alternative one_sided tail tails: all tests have two sides
verbose v: an answer prints all that it has
smooth smoothing rolling ema: curves are compared and drawn as they were evaluated, for a moving mean moves the step at which they part
bold bold_best bold_max highlight: report writes a folder of tables that have the best in bold, as its tests decide; no other tables have
"""
"""Options and arguments that ask for what is done anyway, or never, a colon, and why."""


MEMBERS = """
to_dataframe to_df as_frame dataframe df: result.to_pandas()
save write export to_excel: result.to_csv('answer.csv')
summary describe report: result.to_markdown()
pair get: result["A", "B"]
n sample_size n_seeds seeds: result.n_runs
record row of loc: result["A"]
p_value p p_values pvalues pval pvals: result["A", "B"].pvalue
significant reject significance passed ok success held regressed failed: result["A", "B"].verdict
reason message text words winner best leader top: result.sentence
effect_size effect mean_difference lead: result["A", "B"].estimate
ci interval confint conf_int: result["A"].confidence_interval
per_task by_task groupby tasks: ro.aggregate(data, by='task')
show figure draw savefig: result.plot().savefig('fig.pdf')
"""
"""What is not there of answers, a colon, and what does it, which a test runs: a row is named by its algorithms."""
DATA_MEMBERS = """
to_dataframe to_df as_frame dataframe df: data.to_pandas()
save write export to_excel: data.to_csv('runs.csv')
filter query keep subset: data.select(algorithms=['A', 'B'])
drop exclude without: data.select(exclude='A')
from_dataframe from_pandas from_polars: data.from_frame(data.to_frame())
interval ci confidence_interval mean median iqm aggregate describe summary: ro.aggregate(data)
std sd var mean_std: ro.aggregate(data, by='task', errorbar='sd')
per_task by_task groupby: ro.aggregate(data, by='task')
scores values runs to_numpy head tail sort_values shape: data.to_pandas()
compare ttest test pvalue: ro.compare(data)
time_to steps_to time_to_threshold time_to_reach reach: ro.time_to_threshold(data, threshold=150)
last average: data.final(last=3)
plot figure: ro.plots.tasks(data)
"""
"""What is not there of data, a colon, and what does it."""
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
    own = list(there)
    call = _called(DATA_MEMBERS if "select" in own else MEMBERS, name)
    if call is None:
        return _meant(name, own)
    pairs, field = "pairs" in own, call.rpartition("].")[2]
    # Of two algorithms alone there are p-values; an answer of one test has its own, and no rows.
    if field in own and not pairs:
        call = f"result.{field}"
    elif ('"B"' in call and not pairs) or ('["A"]' in call and not pairs and "rows" not in own):
        return ""
    elif pairs:
        call = call.replace('["A"].', '["A", "B"].')
    if call.isascii() and (plain := call.removeprefix("result.")).isidentifier() and plain not in own:
        return _meant(name, own)
    # Rows of single runs may be meant.
    reason = f"; {NO_SINGLE_RUNS}" if "select" in own and name in ("drop", *ROWS) else ""
    return f"; ask for {call}{reason}."


def verb_here(name: str, verbs: Collection[str]) -> str | None:
    """Return which of these verbs does what another word, or its own name in capitals, asks for."""
    word = name.replace("-", "_").casefold()
    lines = [line.split(": ") for line in VERBS.strip().splitlines()]
    here = (verb for verb, others in lines if verb in verbs and word in others.split())
    return word if word in verbs else next(here, None)


def elsewhere(name: str) -> tuple[list[str], str] | None:
    """Return the words that do the work of an option, and what they do."""
    call = _called(ELSEWHERE, name)
    if call is None:
        return None
    words, _, does = call.partition(", which ")
    return words.split(), does


def needless(name: str) -> str | None:
    """Return why an option or an argument can be left out; None of others."""
    return "higher is better unless it is said that lower is" if name in HIGHER else _called(NEEDLESS, name)


def format_hint(name: str) -> str:
    """Return what does the work of a format in which answers are not printed; "" of others."""
    call = _called(PRINTED, name.casefold())
    return "" if call is None else f"; {call}"


def figure_here(name: str) -> str:
    """Return the figure that others call so, or the name as it is."""
    return _called(FIGURES, name) or name


def figure_hint(name: str, there: Iterable[str]) -> str:
    """Return the figure that others call so, else the nearest."""
    call = _called(FIGURES, name)
    return _meant(name, there) if call is None else f". Did you mean {call!r}?"


def called_here(name: str, own: Collection[str]) -> list[str]:
    """Return which of these arguments mean what another name does elsewhere."""
    return _meaning(name, own, ARGUMENTS)


def twin_of(name: str, own: Collection[str]) -> str | None:
    """Return which of these arguments another name can only mean.

    >>> twin_of("metric", ("measure", "alpha")), twin_of("method", ("measure", "alpha"))
    ('measure', None)
    """
    return next(iter(_meaning(name, own, TWINS)), None)


def flag_of(name: str) -> list[str]:
    """Return the option, with its value, that another without a value can only mean."""
    lines = [line.split(": ") for line in TWIN_FLAGS.strip().splitlines()]
    return next((meant.split() for meant, others in lines if name in others.split()), [])


def of_role(name: str, value: object) -> list[str]:
    """Return names to leave out with what they are of, for `exclude_tasks=` and its like: "Pong" as "task:Pong"."""
    role = "algorithm:" if "algorithm" in name else "task:" if name.startswith("exclude_") else ""
    names = value.split(",") if isinstance(value, str) else [*value] if isinstance(value, Iterable) else [str(value)]
    return [f"{role}{part.strip()}" for part in map(str, names)]


def _meaning(word: str, own: Collection[str], table: str) -> list[str]:
    """Return those of these words that mean another, by a table with lines of a word, a colon, and what it is called elsewhere."""
    lines = [line.split(": ") for line in table.strip().splitlines()]
    return [meant for meant, others in lines if meant in own and word in others.split()]


ROWS = ("filter", "filters", "query", "rows", "select", "subset", "where")
"""What asks for some rows of a table."""
SINGLE_RUNS = (
    "seeds",
    *ROWS,
    *(
        f"{verb}_{noun}"
        for verb in ("exclude", "drop", "skip", "only", "keep")
        for noun in ("run", "runs", "seed", "seeds")
    ),
)
"""What asks for some of the runs of an algorithm, or may."""


def alpha_of(name: str, value: object) -> str | None:
    """Return the error rate that belongs to a level of confidence: "0.1" to 0.9 and to 90, and where no level is given; 0.05 is one itself."""
    if not called_here(name, ("confidence_level",)) and name != "confidence_level":
        return None
    try:
        level = float(str(value).rstrip("%"))
    except ValueError:
        level = 0.9
    level = level / 100 if 1 < level < 100 else level
    return f"{level if 0 < level < 0.5 else 1 - level if 0 < level < 1 else 0.1:g}"


PARAMETERS = vocabulary("params param parameters settings hparams hyperparameters grid search_space")
"""What asks for configurations made of columns."""
OF_SETTINGS = "; view='importance' has the share of each setting in the spread of scores, view='sensitivity' what tuning on each task gains."
"""What a sweep says of one setting, by which its rows are no one's."""
PER_TASK = ("by", "per_task", "groupby")
PANELS = (*PER_TASK, "panels", "facet", "facets", "col", "row", "subplots")
TASK_BY_TASK = "; ro.where(data, 'A', 'B') tests two task by task, and ro.aggregate(data, by='task') has the estimates."
"""Arguments that ask for a comparison on each task, and what makes it."""


def argument_hint(name: str, parameters: Iterable[str], value: object = None) -> str:
    """Return which of the parameters of a call means what another name does, else the nearest; "" where there is none."""
    own = list(parameters)
    if name == "figsize" and "width" in own and isinstance(value, Sequence) and value and not isinstance(value, str):
        return f"; width={value[0]} sets the inches, and the height follows from what is drawn."
    if name in HIGHER:
        return "; lower_is_better=True says so." if value is False else f"; {needless(name)}: leave it out."
    if (reason := needless(name)) is not None:
        return f"; {reason}: leave it out."
    if name in PANELS and "result" in own:
        return "; an answer by task has a panel for each: ro.curves(data, by='task').plot(), and of scores ro.plots.tasks(data)."
    called = called_here(name, own)
    if called:
        return f"; it is called {' or '.join(f'{role}=' for role in called)} here."
    if "curve_to" in own and isinstance(value, int) and (name == "n_runs" or called_here(name, ("n_runs",))):
        return (
            f"; it computes the number of runs, and curve_to={value} has the power of each number up to {value} for one effect, "
            "such as effect='10%'."
        )
    if name in PER_TASK and "threshold" in own:
        return "; it has a row for each algorithm and task as it is: leave it out."
    if name in PER_TASK and "view" in own and value != "task":
        return OF_SETTINGS
    if "pairs" in own and (name in PER_TASK or (name == "where" and not isinstance(value, str) and value is not None)):
        return TASK_BY_TASK
    if "columns" in own and name in PARAMETERS and value is not True:
        names = (
            value if isinstance(value, str) else ",".join(map(str, value)) if isinstance(value, Iterable) else "NAME"
        )
        return f"; columns={{'settings': {names!r}}} makes a configuration of each combination of these columns."
    if name in SINGLE_RUNS:
        rows = "; columns={'rows': 'COLUMN=VALUE'} reads some rows" if "columns" in own and name in ROWS else ""
        return f"{rows}; {NO_SINGLE_RUNS}."
    # Where a call decides, its error rate is the one level: a sentence never has intervals of two.
    if "alpha" in own and (alpha := alpha_of(name, value)) is not None:
        return f"; alpha={alpha} gives {percent(1 - float(alpha))} intervals."
    # `algorithms=` of a call that names the column `algorithm` is no slip.
    if (call := _called(INSTEAD, name)) is not None:
        looks = tuple(value) if name == "looks" and isinstance(value, Sequence | range) and value else LOOKS
        return f"; {call.replace(str(LOOKS), str(looks))} does that."
    near = near_to(name, own)
    return "" if near is None else f". Did you mean {near}=?"


def hints() -> dict[str, str]:
    """Return the call for each name."""
    lines = [line.split(": ", 1) for line in HINTS.strip().splitlines()]
    return {name: call for names, call in lines for name in names.split()}


def attribute_hint(name: str, there: Iterable[str]) -> str:
    """Return what to type in place of a name that is not there: the call that does it, else the nearest name; "" where there is none."""
    call = hints().get(name.casefold(), hints().get(name))
    if call is not None:
        return f"; {call} does that." if "(" in call else f"; see {call}."
    return _meant(name, there)


def _meant(name: str, there: Iterable[str]) -> str:
    near = near_to(name, there)
    return "" if near is None else f". Did you mean {near!r}?"


def near_to(name: str, names: Iterable[str]) -> str | None:
    """Return the name that one is a slip of: with its first letter, and one letter more, less, other or exchanged, two of a long name; or
    the only one that it begins. What is merely spelled alike means something else.
    """
    bare, own = name.lstrip("-"), {candidate.lstrip("-"): candidate for candidate in names}
    allowed = 1 if len(bare) < LONG else 2
    slips = {other: _distance(bare, other) for other in own if other[:1] == bare[:1]}
    best = min(slips, key=lambda other: slips[other], default=None)
    if best is not None and slips[best] <= allowed:
        return own[best]
    begun = [other for other in own if len(bare) >= BEGUN and other.startswith(bare)]
    return own[begun[0]] if len(begun) == 1 else None


LONG = 6
"""Letters from which on two slips are still one name: of four letters two others are another word."""
BEGUN = 4
"""Letters that say which longer name is meant."""


def _distance(a: str, b: str) -> int:
    """Return how many letters are to be added, left out, changed or exchanged with the next (Damerau 1964)."""
    rows = [[i + j if i * j == 0 else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 2 : i] == b[j - 2 : j][::-1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]
