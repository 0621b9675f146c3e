"""Figures: results in, matplotlib Axes out; nothing is shown, saved or set globally.

intervals     one metric, an interval an algorithm      one panel
aggregates    all metrics of an AggregateResult         one panel a metric
improvement   probability of improvement                one row a pair
pvalue_matrix         adjusted p-values and who is better      one cell a pair
critical_difference   mean ranks and which are apart           one line
inferential   intervals whose overlap is the test's answer     one row an algorithm
heatmap       p-values of normality                            one cell an algorithm and task
densities     histograms with the best-fitting family          one panel an algorithm and task
tasks         the runs themselves, task by task         one panel a task
error_rates   a study: rate against the number of runs         one panel
caption       what the figure of a result shows, as text
marks         the colour and marker that belong to each algorithm's name
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runoff.plots._aggregates import aggregates as aggregates
    from runoff.plots._aggregates import intervals as intervals
    from runoff.plots._caption import caption as caption
    from runoff.plots._densities import densities as densities
    from runoff.plots._error_rates import error_rate_panels as error_rate_panels
    from runoff.plots._error_rates import error_rates as error_rates
    from runoff.plots._heatmap import heatmap as heatmap
    from runoff.plots._improvement import improvement as improvement
    from runoff.plots._inferential import inferential as inferential
    from runoff.plots._marks import Mark as Mark
    from runoff.plots._marks import marks as marks
    from runoff.plots._pvalues import pvalue_matrix as pvalue_matrix
    from runoff.plots._ranks import critical_difference as critical_difference
    from runoff.plots._tasks import tasks as tasks

_HOME = {
    "aggregates": "runoff.plots._aggregates",
    "intervals": "runoff.plots._aggregates",
    "improvement": "runoff.plots._improvement",
    "pvalue_matrix": "runoff.plots._pvalues",
    "critical_difference": "runoff.plots._ranks",
    "tasks": "runoff.plots._tasks",
    "error_rates": "runoff.plots._error_rates",
    "error_rate_panels": "runoff.plots._error_rates",
    "inferential": "runoff.plots._inferential",
    "heatmap": "runoff.plots._heatmap",
    "densities": "runoff.plots._densities",
    "caption": "runoff.plots._caption",
    "marks": "runoff.plots._marks",
    "Mark": "runoff.plots._marks",
}

__all__ = [
    "intervals",
    "aggregates",
    "improvement",
    "pvalue_matrix",
    "critical_difference",
    "tasks",
    "error_rates",
    "error_rate_panels",
    "inferential",
    "heatmap",
    "densities",
    "caption",
    "marks",
    "Mark",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'runoff.plots' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
