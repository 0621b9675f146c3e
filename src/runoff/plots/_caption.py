"""What a figure shows, as the text beneath it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import singledispatch
from math import isinf
from typing import Any

from runoff._inference.bootstrap import cited
from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import about_test
from runoff._inference.power import POWER_FORMULAS, POWER_TESTS
from runoff._inference.sequential import SEQUENTIAL_TESTS, SPENDING
from runoff.answer.aggregate import AggregateResult, AggregateRow, InferentialResult
from runoff.answer.comparison import ComparisonResult, adjusted
from runoff.answer.curves import (
    CurveComparisonResult,
    ReachResult,
    ReliabilityResult,
)
from runoff.answer.describe import DescribeResult
from runoff.answer.effects import EffectsResult
from runoff.answer.plan import PlanResult
from runoff.answer.power import RunsNeededResult
from runoff.answer.rank import CriticalDifferenceResult, RankIntervalsResult, says_best
from runoff.answer.reproduce import ReproduceResult
from runoff.answer.robustness import RobustnessResult
from runoff.answer.sensitivity import SensitivityResult
from runoff.answer.sequential import SequentialResult
from runoff.answer.study import CoverageResult, FalsePositiveResult, StudyResult, repeats_of
from runoff.answer.tuning import TuningResult
from runoff.answer.where import WhereResult
from runoff.base.validate import check_choice
from runoff.data.scores import Scores
from runoff.plots._algorithm_rows import inferential_group, left_out, panel_groups, telling, too_short
from runoff.plots._canvas import MOST_PAIRS
from runoff.plots._figure import PAGE
from runoff.plots._marks import VERDICT_WORDS
from runoff.plots._matrices import HEADS
from runoff.plots._measures import measures_words, rule_words
from runoff.plots._pair_rows import records_of
from runoff.plots._rows import BEYOND, cut_off
from runoff.plots._runs import longer_than_a_page, reproduced_words, runs_words
from runoff.plots._staircases import chance_of
from runoff.plots._text import stand_ins
from runoff.plots._where import where_words
from runoff.plots._words import (
    along_words,
    curves_words,
    efficiency_words,
    profiles_words,
    strips_words,
)
from runoff.words.measures import differences_words
from runoff.words.names import EFFECTS as EFFECT_TITLES
from runoff.words.names import INTERVAL_TITLES, LOWER_IS_BETTER, capital, metric_title
from runoff.words.numbers import counted, listed, percent, span
from runoff.words.shorten import isolated_in

CELLS = "A cell belongs to the name at the end of its row and the name at the top of its column; too narrow for a number, it has a marker only."
SIDES = "blue, with a disc, where the one at the top of the column was found ahead, orange, with a triangle, where it was found behind"
ONE_RUN = " A point without a bar has no interval: one run cannot show how runs vary, nor can runs without spread."


def caption(
    result: object,
    *,
    figure: str | None = None,
    effect_size: str | None = None,
    pair: tuple[str, str] | None = None,
    comparison: CurveComparisonResult | ComparisonResult | None = None,
) -> str:
    """What does the figure of this result show?

    Parameters
    ----------
    result : AggregateResult, ComparisonResult, CriticalDifferenceResult, CurveSummaryResult, DescribeResult, EffectsResult, EfficiencyResult, …
        A result that a figure of `PLOTS` draws.
    figure : "improvement", "pvalue_matrix", "pairs", "measures", "effect_sizes", "tasks" or "runs", optional
        Which of the figures of a ComparisonResult, an EffectsResult or Scores; None takes the first of its kind in this list.
    effect_size : str, optional
        For an EffectsResult, as in `effect_sizes`: the effect that is drawn; None takes the first.
    pair : (a, b), optional
        As in `runs`.
    comparison : CurveComparisonResult or ComparisonResult, optional
        As in `sample_efficiency`, the result that the strips under the axes show; as in `runs`, the result whose difference is drawn.

    Returns
    -------
    str
        Level and kind of the intervals, the n behind them, what a score is, and any name that no font on this machine can draw.

    Raises
    ------
    KeyError
        The result does not have this effect.
    OptionError
        The result has no such figure.
    """
    options = {"effect_size": effect_size, "pair": pair, "comparison": comparison}
    given: dict[str, Any] = {key: value for key, value in options.items() if value is not None}
    if figure is None:
        return named(words_of(result, **given), result)
    # By the class or one that it derives from, as `singledispatch` does it.
    kind = next((kind for kind in type(result).mro() if kind in FIGURES), object)
    words = FIGURES[kind][check_choice("figure", figure, FIGURES[kind])] if kind in FIGURES else words_of
    return named(words(result, **given), result)


def named(words: str, result: Any) -> str:
    """Return a caption that says what stands for which name, with names that are written from right to left isolated."""
    # Names that no font here has are boxes in the figure; the caption is where they can be told.
    groups = (getattr(result, "algorithms", None) or _of_pairs(result), getattr(result, "tasks", ()))
    drawn_as = {name: drawn for names in groups for name, drawn in stand_ins(names).items()}
    note = "; ".join(f"{drawn} for {name}" for name, drawn in drawn_as.items())
    return isolated_in(
        " ".join(filter(None, (words, result.origin.score, f"Drawn in place of names: {note}." if note else "")))
    )


def _of_pairs(result: object) -> tuple[str, ...]:
    rows: Iterable[object] = getattr(result, "pairs", None) or getattr(result, "rows", None) or ()
    both = [row if isinstance(row, tuple) else (getattr(row, "a", ""), getattr(row, "b", "")) for row in rows]
    return tuple(dict.fromkeys(name for pair in both for name in pair if name))


@singledispatch
def words_of(result: object, *, effect_size: str | None = None, comparison: CurveComparisonResult | None = None) -> str:
    """Return the caption of a result's figure, with names not escaped."""
    # The base of `singledispatch`: its signature is the widest, its body is for what is no result of a figure.
    del effect_size, comparison
    raise TypeError(f"there is no figure of a {type(result).__name__}")


@words_of.register
def _aggregates(result: AggregateResult) -> str:
    shown = telling(result)
    records = [record for record in result.rows if record.task is None and record.measure in shown]
    # Each kind once, in the order of the records: metrics of one result may have intervals of several kinds.
    kinds = dict.fromkeys(_kind(record) for record in records if record.interval)
    intervals = "; ".join(kinds) if kinds else "none"
    missing = any(record.interval is None for record in records)
    of = result.nouns
    n = counted([record.n_scores for record in records], of.score)
    tasks = counted([record.n_tasks for record in records], of.task)
    lower = "" if LOWER_IS_BETTER.isdisjoint(shown) else "; ↓ means that lower is better"
    beyond = BEYOND if cut_off(panel_groups(result, shown)) else ""
    gone = [f"{metric_title(m)} ({left_out(result, m)})" for m in result.measures if m not in shown]
    left = f"Left out: {'; '.join(gone)}. " if gone else ""
    return (
        f"Aggregates over {tasks}, {n} per {of.algorithm}; {of.algorithms} are ordered by the first panel{lower}. "
        f"Ticks: estimates. Bars: {intervals}.{ONE_RUN if missing and kinds else ''} {beyond}{left}"
        f"Each bar describes one {of.algorithm}: whether two differ is decided by the test of the pair, not by the overlap of their bars."
    )


@words_of.register
def _improvement(result: ComparisonResult) -> str:
    level = f"{100 * result.confidence_level:g}\u00a0%"
    if len(result.pairs) > MOST_PAIRS:
        return (
            f"How often, in percent, a score of the algorithm that stands higher on the diagonal beats one of the other. {CELLS} Bold: the "
            f"chance was found to differ from 50 % ({rule_words(result)}); {SIDES}."
        )
    chances = [chance_of(pair) for pair in result.standing.pairs]
    missing = any(chance.low is None for chance in chances)
    verdicts = {chance.verdict for chance in chances}
    alone = f"{level} intervals, each on its own"
    bars = alone if verdicts == {"no_verdict"} else f"the intervals that decide ({rule_words(result)})"
    if "no_verdict" in verdicts and bars != alone:
        bars += f", dotted: {alone}"
    colors = "; ".join(text for verdict, text in VERDICT_WORDS.items() if verdict in verdicts)
    marked = " A row begins with the marker of who was found ahead, or a circle." if len(verdicts) > 1 else ""
    colors = f"Colours say what is found of the first ({colors}).{marked}"
    if all(pair.unjudged for pair in result.pairs):
        colors = "They are dotted, for no verdict is given."
    n = counted([n for pair in result.pairs for n in pair.n_runs_a + pair.n_runs_b], result.pairs[0].unit)
    why = f" A point without a bar has no interval: the {result.pairs[0].nouns.tasks} are the sample."
    why = why if result.over == "tasks" else ONE_RUN
    return (
        f"Probability that a random score of the first algorithm beats one of the second, ties counting half, averaged over tasks "
        f"({n} per cell). Bars: {bars}. {colors}{why if missing else ''}"
    )


@words_of.register
def _effects(result: EffectsResult, *, effect_size: str | None = None) -> str:
    wanted, shown = records_of(result, effect_size)
    if len(shown) > MOST_PAIRS:
        return (
            f"{EFFECT_TITLES[wanted]} of each pair, of the algorithm that stands higher on the diagonal relative to the other. {CELLS} Bold: "
            f"the {100 * shown[0].confidence_level:g}\u00a0% interval leaves out no effect; {SIDES}."
        )
    missing = any(record.low is None for record in shown)
    return (
        f"{EFFECT_TITLES[wanted]} of each pair, of the first algorithm relative to the second, over "
        f"{counted([record.n_tasks for record in shown], 'task')}. Bars: {100 * shown[0].confidence_level:g}\u00a0% intervals, each on its own. "
        "Dashed line: no effect. Blue: the interval shows the first ahead of it; orange: behind; grey: it holds no effect."
        f"{ONE_RUN if missing else ''}"
    )


@words_of.register
def _ranks(result: CriticalDifferenceResult) -> str:
    tasks = counted([result.n_tasks], "task")
    bar = (
        "Bars join algorithms whose average ranks differ by less than CD"
        if result.control is None
        else f"The bar covers average ranks that differ from that of the control, {result.control}, by less than CD"
    )
    return (
        f"Average ranks over {tasks}, from 1 to {len(result.algorithms)}: the rank of a score in a draw of one score of each algorithm, "
        f"averaged; lower ranks are better and lie on the right. {bar}, the critical difference at α = {result.alpha:g} over the family. CD "
        "controls the false positive rate only when all algorithms are equal; the verdict on a pair is that of the pair's own test."
    )


@words_of.register
def _inferential(result: InferentialResult) -> str:
    tests = f"{about_test(result.test).title}, α = {result.alpha:g}"
    by = f", {CORRECTIONS[result.correction].label} correction" if len(result.rows) > 2 else ""
    differ = any(row.thin for row in inferential_group(result).rows)
    thin = "Thin lines, where they differ, are" if differ else "They are also the"
    not_by_eye = "† Not to be compared by eye: " + " ".join(d.sentence for d in result.disagreements)
    missing = any(record.low is None for record in result.rows)
    slivers = [record.algorithm for record in result.rows if too_short(record)]
    verb, theirs = ("has", "its") if len(slivers) == 1 else ("have", "their")
    none = (
        f" {listed(slivers)} {verb} no thick bar: to agree with the tests it would be shorter than a fifth of {theirs} own interval."
        if slivers
        else ""
    )
    return (
        f"Thick bars overlap if and only if the test of the two does not reject ({tests}{by}): compare these with each other. "
        f"{thin} {100 * result.confidence_level:g}\u00a0% {INTERVAL_TITLES[result.interval]} intervals of each algorithm alone, over "
        f"{counted([len(result.tasks)], 'task')}.{none}{ONE_RUN if missing else ''} "
        f"{BEYOND if cut_off([inferential_group(result)]) else ''}{not_by_eye if result.disagreements else ''}".rstrip()
    )


@words_of.register
def _describe(result: DescribeResult) -> str:
    runs = counted([record.n_runs for record in result.rows], "run")
    groups = sum(bool(record.bimodal) for record in result.rows)
    drawn = (
        " Densities: the best-fitting family by AICc; the normal is kept where it is not rejected."
        if result.fitted
        else ""
    )
    return (
        f"p-values of normality by algorithm and task ({runs} per cell; D'Agostino and Pearson's test, Shapiro and Wilk's below 8 runs), "
        f"each on its own: {100 * result.alpha:g}\u00a0% of normal cells fall below {result.alpha:g}. "
        f"{f'◆ {groups} cell(s) whose runs fall into two groups. ' if groups else ''}A dot: too few runs, or no spread.{drawn}"
    )


# The page has these captions too, without the figures (and matplotlib).
for _words in (profiles_words, efficiency_words, curves_words):
    words_of.register(_words)


@words_of.register
def _tuning(result: TuningResult) -> str:
    n = span(result.n_configs.values())
    return (
        f"Expected score of the best of k of {n} configurations, selected for each task and judged on runs that did not select it; bands are "
        f"{percent(result.confidence_level)} intervals over runs, the configurations being fixed ({counted([len(result.tasks)], 'task')})."
    )


@words_of.register
def _sensitivity(result: SensitivityResult) -> str:
    bare = [row.algorithm for row in result.rows if row.estimate is None]
    bars = "" if len(bare) == len(result.rows) else f"; bars are {percent(result.confidence_level)} intervals"
    # Without an estimate the plug-in value is drawn, which noise moves.
    plug_in = f" Without a bar, by the means of single runs as they are: {listed(bare)}." if bare else ""
    return (
        f"Performance with the best setting of each of {counted([len(result.tasks)], 'task')} against sensitivity, what that gains over one "
        f"setting for all{bars}.{plug_in} On the dashed line performance with one setting is that of the reference."
    )


@words_of.register
def _reach(result: ReachResult) -> str:
    scores = dict.fromkeys(f"{record.threshold:g}" for record in result.rows)
    what = f"a score of {next(iter(scores))}" if len(scores) == 1 else "the score of each task"
    runs = counted([record.n_runs for record in result.rows], result.unit)
    return (
        f"Share of {result.unit}s that have reached {what}, against {along_words(result.along)} ({runs} per algorithm and task; one minus "
        f"Kaplan-Meier). Ticks: last evaluations of {result.unit}s that never do. A line crosses the dashed half at the median."
    )


@words_of.register
def _reliability(result: ReliabilityResult) -> str:
    level = f"{100 * result.rows[0].confidence_level:g}\u00a0%"
    bare = [record.measure for record in result.rows if record.low is None]
    risks = [measure for measure in bare if "risk" in measure]
    none = (
        " Risks have no bars: they rest on rare falls, which these runs need not show, so no interval holds its level."
        if risks
        else ""
    )
    none += ONE_RUN if len(bare) > len(risks) else ""
    bars = f"{level} t intervals from whole {result.unit}s" if len(bare) < len(result.rows) else "none"
    return (
        f"Steadiness of training (Chan et al. 2020) over {counted([r.n_tasks for r in result.rows], 'task')} "
        f"({counted([r.n_scores for r in result.rows], result.unit)} per algorithm), in units of the scores; ↓: lower is steadier. "
        f"Bars: {bars}.{none}"
    )


@words_of.register
def _power(result: RunsNeededResult) -> str:
    stds = dict.fromkeys(f"{std:.6g}" for std in (result.std, result.std_b) if std is not None)
    priced = any(record.cost is not None and record.n_runs_b not in (None, record.n_runs) for record in result.rows)
    return (
        f"Power of {POWER_TESTS[result.test].title} ({result.alternative}, α = {result.alpha:g}) against the number of runs, for normal runs "
        f"with standard deviation {' and '.join(stds)}; a line for each true difference. Markers: the fewest runs that have "
        f"{100 * result.power:g}\u00a0% power{', at least cost' if priced else ''}. Dashed: the requirement. Computed by "
        f"{POWER_FORMULAS[result.formula].title}."
    )


@words_of.register
def _sequential(result: SequentialResult) -> str:
    looks = _looks_words([look.n_runs for look in result.looks])
    if result.counted:
        return _counts_words(result, looks)
    dashed = " Dashed: the bounds of looks to come, for a single pair of normal runs of known spread."
    dashed *= any(look.boundary is not None for look in result.looks[result.look :])
    rule = (
        f"by {SEQUENTIAL_TESTS[result.test].title}, so that the false positive rate over all pairs and looks is at most {result.alpha:g} "
        f"({SPENDING[result.spending].title})"
    )
    return (
        f"Difference of mean scores over its standard error, of all runs so far, at looks after {looks} runs of each algorithm on each task. "
        f"{_bars_words(result, 'what a pair has to exceed at a look', rule)} A difference is "
        f"claimed only where the comparison of the same runs finds it too.{dashed} A line ends at the look of the decision."
    )


def _bars_words(result: SequentialResult, what: str, rule: str) -> str:
    """Return what the bars are, and why points have none."""
    bounds = [point.critical for point in result.trajectory]
    if not bounds:
        return f"No look was made yet; decisions will be {rule}."
    edge = " A point at the edge: no run varies." * any(isinf(point.statistic) for point in result.trajectory)
    if all(bound is None for bound in bounds):
        none = f"at these looks no difference can be found, {rule}: no result of these runs is rare enough"
        return f"No bars: {none if len(result.looks) > 1 else 'a single look has no bound of its own'}.{edge}"
    few = " A point without a bar: no result of these runs is rare enough." * (None in bounds)
    return f"Bars: {what}, {rule}; other pairs can lower it.{few}{edge}"


def _looks_words(runs: Sequence[int]) -> str:
    return (
        f"{runs[0]}, {runs[1]}, …, {runs[-1]}"
        if runs == list(range(runs[0], runs[-1] + 1)) and len(runs) > 3
        else ", ".join(map(str, runs))
    )


def _counts_words(result: SequentialResult, looks: str) -> str:
    dashed = " Dashed: at looks to come the most that any number of successes asks for, of a single pair."
    dashed *= any(look.boundary is not None for look in result.looks[result.look :])
    rule = (
        f"by enumeration of all counts, so that the false positive rate over all pairs and looks is at most {result.alpha:g} "
        f"({SPENDING[result.spending].title})"
    )
    return (
        f"Lead in successes, of all episodes so far, at looks after {looks} episodes of each algorithm. "
        f"{_bars_words(result, 'the lead that is enough with so many successes of both', rule)} A difference is claimed only where the "
        f"comparison of the same episodes finds it too.{dashed} A line ends at the look of the decision."
    )


@words_of.register
def _plan(result: PlanResult) -> str:
    answers = {"pilot": result.n_runs_naive, "upper": result.n_runs}
    beyond = any(result.points(spread)[-1].n_runs < answer for spread, answer in answers.items())
    bands = {
        "simulated": f" Bands: 95\u00a0% intervals of the power from {result.n_repeats:,} simulated experiments.",
        "exact": " Computed over all results.",
        "closed_form": " Computed for normal runs.",
    }
    return (
        f"Power of {result.title} (two-sided, α = {result.alpha:g}) to find a true difference of {result.effect:.4g}, against the number of "
        f"runs. Solid: runs spread as in the pilot ({counted([result.n_pilot, result.n_pilot_most], 'run')} a cell); dashed: as far as "
        f"{100 * result.assurance:g}\u00a0% assurance allows. Markers: the fewest runs that have {100 * result.required:g}\u00a0% power"
        f"{'; a line without one ends before them' * beyond}.{bands[result.method]}"
    )


@words_of.register
def _tasks(result: Scores) -> str:
    counts, of = result.n_runs[result.n_runs > 0], result.nouns
    if longer_than_a_page(result, PAGE):
        return (
            f"Means of {of.runs} by {of.task} ({counted(counts.tolist(), of.run)} per cell). The darker a cell, the nearer its mean lies to the "
            f"highest {of.run} of the {of.task}, and the lighter, to the lowest."
        )
    return strips_words(result, f"Points: {of.runs}, spread vertically only to tell them apart.", of)


def _matrix(result: ComparisonResult) -> str:
    pairs = counted([len(result.pairs)], "pair")
    return (
        f"{'Adjusted p-values' if adjusted(result) else 'p-values'} of {pairs} ({rule_words(result)}). {CELLS} Where a difference was found, "
        f"it is {SIDES}; a cell without colour is not a finding of equality."
    )


def _pairs(result: ComparisonResult) -> str:
    over = counted([len(result.pairs)], "pair")
    difference = differences_words(result.measure, binary=any(pair.rates for pair in result.pairs))
    lead = "its chance to win over 50 %, in points" if result.measure == "improvement" else f"the {difference}"
    return (
        f"{CELLS} Its marker is that of the one that leads, and the lines are read from its side: {lead}, the chance that "
        "a score of it beats one of the other, the tasks on which its mean is higher, equal and lower; then p, and p adjusted "
        f"({rule_words(result)}, {over}), the only number of a cell that other algorithms change, unless "
        "the test was chosen by how many pairs there are. Where a difference was found the cell is blue if the one at the top of the column was "
        "found ahead, orange if it was found behind; a cell without colour is not a finding of equality."
    )


@words_of.register
def _rank_intervals(result: RankIntervalsResult) -> str:
    level = f"{100 * result.confidence_level:g}\u00a0%"
    best = " P(best): share of draws in which the algorithm is best, which is no p-value." if says_best(result) else ""
    return (
        f"Possible ranks by {cited(result.measure)} over {counted([result.n_tasks], 'task')}, 1 being best. Bars: possible ranks, "
        f"{level} confidence sets of all algorithms at once by the tests of all pairs. "
        f"Ticks: ranks of the estimates.{best} Ranks are among these algorithms: a further one changes them."
    )


@words_of.register
def _robustness(result: RobustnessResult) -> str:
    tried = "".join(f" {capital(' '.join(HEADS[kind]))}: {', '.join(names)}." for kind, names in result.variations)
    if len(result.pairs) > MOST_PAIRS:
        return (
            f"In which percentage of all variations the order by {cited(result.measure)} stays the same. {CELLS} Grey: in "
            f"all.{tried} A description of these data, not a test."
        )
    return (
        f"Whether the order by {cited(result.measure)} stays the same under other choices. Each cell: in how many of how many "
        f"variations the algorithm named first stays ahead; bold where not in all.{tried} A description of these data, not a test."
    )


def _kind(record: AggregateRow) -> str:
    level = f"{100 * record.confidence_level:g}\u00a0%"
    kind = INTERVAL_TITLES[record.interval] if record.interval else None
    draws = f", {record.n_resamples:,} resamples of {record.over.replace('_', ' ')}" if record.n_resamples else ""
    return f"{level} {kind} intervals{draws}"


@words_of.register
def _error_rates(result: StudyResult) -> str:
    done = counted([record.n_repeats for record in result.rows], "simulated experiment")
    return (
        f"{result.title or result.name}. Lines: share of experiments in which each method rejects at α = {result.alpha:g} ({done} per point, "
        f"{result.n_resamples:,} resamples, seed {result.seed}). Dashed: the nominal level; band: where 95\u00a0% of the rates of a test of "
        f"exactly that level would lie. {result.source}"
    ).strip()


@words_of.register
def _false_positives(result: FalsePositiveResult) -> str:
    return (
        f"How often tests at α = {100 * result.alpha:g}\u00a0% find a difference between two disjoint groups of one algorithm's own runs, where "
        f"there is none ({repeats_of(result.rows)} splits per point, seed {result.seed}). Bars: 95\u00a0% binomial error of the draws, none "
        "where all splits were counted; other runs would give other rates. Dashed: what the tests promise."
    )


@words_of.register
def _covering(result: CoverageResult) -> str:
    return (
        f"How often {100 * result.confidence_level:g}\u00a0% intervals from groups of runs hold the metric of all runs of the algorithm "
        f"({repeats_of(result.rows)} groups per point, {result.n_resamples:,} resamples, seed {result.seed}), distances widened by "
        "1/√(1 − n/M) for the share drawn. Bars: 95\u00a0% binomial error of the draws. Dashed: what the intervals promise."
    )


words_of.register(WhereResult, where_words)
words_of.register(ReproduceResult, reproduced_words)
FIGURES: Mapping[type, Mapping[str, Callable[..., str]]] = {
    ComparisonResult: {
        "improvement": _improvement,
        "pvalue_matrix": _matrix,
        "pairs": _pairs,
        "measures": measures_words,
    },
    EffectsResult: {"effect_sizes": _effects},
    Scores: {"tasks": _tasks, "runs": runs_words},
}
"""The captions of what more than one figure draws, by the figure."""
