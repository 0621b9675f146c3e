"""Figures: results in, matplotlib Axes out; nothing is shown, saved or set globally.

`PLOTS` says what each figure is of and what it shows. Besides the figures: `caption`, what the figure of a result shows, as text; `marks`, the
colour and marker that belong to each algorithm's name; `WIDTHS`, the widths of venues that `width=` may name, and `mm`, a length for it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.hints import Room
from runoff.words.speech import choice

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from runoff.plots._algorithm_rows import aggregates as aggregates
    from runoff.plots._algorithm_rows import inferential_intervals as inferential_intervals
    from runoff.plots._algorithm_rows import rank_intervals as rank_intervals
    from runoff.plots._algorithm_rows import reliability as reliability
    from runoff.plots._caption import caption as caption
    from runoff.plots._figure import WIDTHS as WIDTHS
    from runoff.plots._figure import Venue as Venue
    from runoff.plots._figure import mm as mm
    from runoff.plots._lines import curves as curves
    from runoff.plots._lines import sample_efficiency as sample_efficiency
    from runoff.plots._lines import time_to_threshold as time_to_threshold
    from runoff.plots._lines import tuning as tuning
    from runoff.plots._marks import Mark as Mark
    from runoff.plots._marks import marks as marks
    from runoff.plots._matrices import normality as normality
    from runoff.plots._matrices import robustness as robustness
    from runoff.plots._measures import measures as measures
    from runoff.plots._pair_rows import effect_sizes as effect_sizes
    from runoff.plots._pair_rows import improvement as improvement
    from runoff.plots._plane import sensitivity as sensitivity
    from runoff.plots._power import plan as plan
    from runoff.plots._power import power as power
    from runoff.plots._power import sequential as sequential
    from runoff.plots._profiles import profiles as profiles
    from runoff.plots._ranks import critical_difference as critical_difference
    from runoff.plots._rates import coverage as coverage
    from runoff.plots._rates import error_rates as error_rates
    from runoff.plots._rates import false_positive_rate as false_positive_rate
    from runoff.plots._runs import densities as densities
    from runoff.plots._runs import reproduce as reproduce
    from runoff.plots._runs import runs as runs
    from runoff.plots._runs import tasks as tasks
    from runoff.plots._staircases import pairs as pairs
    from runoff.plots._staircases import pvalue_matrix as pvalue_matrix
    from runoff.plots._where import where as where


@dataclass(frozen=True, slots=True)
class Plot:
    """One figure: the file of this folder that draws it, the types of its first argument, what it shows, and how."""

    home: str
    of: str
    shows: str
    layout: str


_PLOTS = """
measures _measures ComparisonResult the lead by the measure that decides, and by the others | one panel per measure
where _where WhereResult which tasks make a lead, and how far each is ahead on every task | a sum over tasks, and one dot per task
aggregates _algorithm_rows AggregateResult all metrics with intervals | one panel per metric
improvement _pair_rows ComparisonResult probability of improvement | one row per pair
effect_sizes _pair_rows EffectsResult one effect size with intervals | one row per pair
profiles _profiles ProfileResult the share of runs above each score, with bands | one line per algorithm
pvalue_matrix _staircases ComparisonResult adjusted p-values, and which of two is ahead | one cell per pair
pairs _staircases ComparisonResult lead, chance of a win, tasks won, p and adjusted p | one cell per pair
rank_intervals _algorithm_rows RankIntervalsResult possible ranks, and the chance to be best | one row per algorithm
robustness _matrices RobustnessResult what an order survives | one row per pair, one column per kind of variation
critical_difference _ranks CriticalDifferenceResult average ranks, and which differ | one line
inferential_intervals _algorithm_rows InferentialResult intervals that overlap if and only if the test does not reject | one row per algorithm
normality _matrices DescribeResult p-values of normality | one cell per algorithm and task
densities _runs DescribeResult histograms with the best-fitting family | one panel per algorithm and task
tasks _runs Scores the runs themselves | one panel per task
reproduce _runs ReproduceResult every own run beside every published one, and what is predicted | one panel per task
runs _runs Scores every run of two algorithms on one task, with the difference of their means | one column each
sample_efficiency _lines EfficiencyResult a metric with intervals against steps, and where a pair differs | one line per algorithm
curves _lines CurveSummaryResult the runs along training: mean and its 95 % t interval unless others are named, single runs | one panel per task
time_to_threshold _lines ReachResult the share of runs that have reached a score, against steps | one panel per task
tuning _lines TuningResult the best of k configurations, judged on runs that did not select, with intervals | one line per algorithm
sensitivity _plane SensitivityResult performance tuned per task against sensitivity, seen from one algorithm | one point per algorithm
reliability _algorithm_rows ReliabilityResult how steady training is, by every measure, with intervals | one panel per measure
power _power RunsNeededResult power, or the chance to miss, against the number of runs | one line per true difference
sequential _power SequentialResult the statistics so far, and the bounds that they have to exceed | one line per pair
false_positive_rate _rates FalsePositiveResult|CheckResult how often tests find a difference within one algorithm, by runs | one line per test
coverage _rates CoverageResult|CheckResult how often intervals hold the metric of all runs, against the number of runs | one line per interval
plan _power PlanResult power against the number of runs, given a pilot, with Monte Carlo bands | one line as the pilot spread, one with assurance
error_rates _rates StudyResult a rate against the number of runs | one panel per world and effect, one line per method
"""
PLOTS: Mapping[str, Plot] = MappingProxyType(
    {
        name: Plot(home, of, *words.split(" | "))
        for name, home, of, words in (line.split(maxsplit=3) for line in _PLOTS.strip().splitlines())
    }
)
_BESIDE = {"caption": "_caption"} | dict.fromkeys(("marks", "Mark"), "_marks")
_BESIDE |= dict.fromkeys(("WIDTHS", "Venue", "mm"), "_figure")

sys.modules[__name__].__class__ = Room

__all__ = [*PLOTS, *_BESIDE, "PLOTS", "Plot"]


def draw(result: object, figure: str | None = None, **how: Any) -> Figure:
    """Draw a result: its first figure, or the one that is named; `result.plot()` calls this."""
    from runoff.hints.words import figure_here
    from runoff.plots._figure import ANSWERS, PARTS, made_by

    kinds = [kind.__name__ for kind in type(result).__mro__]
    kinds += [inner for (outer, inner), field in PARTS.items() if outer in kinds and getattr(result, field) is not None]
    own = [name for name, plot in PLOTS.items() if {*plot.of.split("|")} & {*kinds}]
    if not own:
        tables = choice("to_frame, to_markdown", "--to, or --out with FILE.csv, .md or .tex")
        answer = choice(f"a {kinds[0]}", "this answer")
        raise OptionError(f"there is no figure of {answer}: its tables are what there is ({tables}).")
    if figure is None and "kind" in how:  # as pandas writes it
        figure = str(how.pop("kind"))
    called = figure if figure is None or figure in PLOTS else figure_here(figure)
    if called in own and called != figure:
        raise OptionError(f"figure must be one of {', '.join(own)}, not {figure!r}. Did you mean {called!r}?")
    figure = called
    # Curves over all tasks and by task have figures of two names, and both are the curves of their answer.
    if figure == "curves" and "sample_efficiency" in own:
        figure = "sample_efficiency"
    if figure is not None and figure in PLOTS and figure not in own:
        call = made_by(kind := PLOTS[figure].of).removeprefix(", ")
        if kind in ANSWERS:
            call = f"ro.{ANSWERS[kind].partition(':')[2]}(data)"
        way = f"{call}.plot({figure!r}).savefig('{figure}.pdf')" if call else f"ro.plots.{figure}(data)"
        raise OptionError(f"{figure!r} is no figure of a {kinds[0]}, but of other answers: {way} draws it.")
    name = own[0] if figure is None else check_choice("figure", figure, own)
    drawn = getattr(import_module(f"runoff.plots.{PLOTS[name].home}"), name)(result, **how)
    figure_of: Figure = (drawn[0] if isinstance(drawn, tuple) else drawn).figure
    return figure_of


def __getattr__(name: str) -> Any:
    if name not in PLOTS and name not in _BESIDE:
        from runoff.hints.words import figure_hint

        hint = figure_hint(name, PLOTS)
        raise AttributeError(f"module 'runoff.plots' has no attribute {name!r}{hint}", name=name, obj=None)
    home = PLOTS[name].home if name in PLOTS else _BESIDE[name]
    return getattr(import_module(f"runoff.plots.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
