"""runoff: from a handful of reinforcement-learning runs to a claim that survives review.

This is the table of contents; each name is loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runoff import plots as plots
    from runoff.data.curves import Curves as Curves
    from runoff.data.scores import Scores as Scores
    from runoff.errors import DataError as DataError
    from runoff.errors import DesignError as DesignError
    from runoff.errors import OptionError as OptionError
    from runoff.errors import OutputError as OutputError
    from runoff.errors import RunoffError as RunoffError
    from runoff.errors import RunoffWarning as RunoffWarning
    from runoff.io import load_example as load_example
    from runoff.io import read_curves as read_curves
    from runoff.io import read_scores as read_scores
    from runoff.io import scan as scan
    from runoff.methods.aggregate import aggregate as aggregate
    from runoff.methods.aggregate import task_means as task_means
    from runoff.methods.anytime import anytime as anytime
    from runoff.methods.claims import claims as claims
    from runoff.methods.compare import compare as compare
    from runoff.methods.compare_curves import compare_curves as compare_curves
    from runoff.methods.describe import average_episodes as average_episodes
    from runoff.methods.describe import describe as describe
    from runoff.methods.describe import variance as variance
    from runoff.methods.effects import effect_sizes as effect_sizes
    from runoff.methods.effects import probability_of_improvement as probability_of_improvement
    from runoff.methods.equivalence import equivalence as equivalence
    from runoff.methods.gate import gate as gate
    from runoff.methods.gate import save_baseline as save_baseline
    from runoff.methods.inferential import inferential_intervals as inferential_intervals
    from runoff.methods.plan import plan as plan
    from runoff.methods.power import detectable_effect as detectable_effect
    from runoff.methods.power import power as power
    from runoff.methods.power import runs_needed as runs_needed
    from runoff.methods.profile import performance_profile as performance_profile
    from runoff.methods.rank import critical_difference as critical_difference
    from runoff.methods.rank import rank_test as rank_test
    from runoff.methods.rank_intervals import rank_intervals as rank_intervals
    from runoff.methods.reliability import reliability as reliability
    from runoff.methods.robustness import robustness as robustness
    from runoff.methods.sample_efficiency import sample_efficiency as sample_efficiency
    from runoff.methods.sample_efficiency import summarize_curves as summarize_curves
    from runoff.methods.sequential import SequentialDesign as SequentialDesign
    from runoff.methods.sequential import next_runs as next_runs
    from runoff.methods.sequential import sequential as sequential
    from runoff.methods.time_to_threshold import time_to_threshold as time_to_threshold
    from runoff.methods.two_sample import test_from_summary as test_from_summary
    from runoff.methods.two_sample import two_sample_test as two_sample_test
    from runoff.report import write_report as write_report
    from runoff.studies import Study as Study
    from runoff.studies import coverage as coverage
    from runoff.studies import false_positive_rate as false_positive_rate
    from runoff.studies import run_study as run_study

_HOME: dict[str, str] = {
    # the data
    "Scores": "runoff.data.scores",
    "Curves": "runoff.data.curves",
    "read_scores": "runoff.io",
    "read_curves": "runoff.io",
    "scan": "runoff.io",
    "load_example": "runoff.io",
    # the answers
    "aggregate": "runoff.methods.aggregate",
    "task_means": "runoff.methods.aggregate",
    "compare": "runoff.methods.compare",
    "probability_of_improvement": "runoff.methods.effects",
    "performance_profile": "runoff.methods.profile",
    "two_sample_test": "runoff.methods.two_sample",
    "test_from_summary": "runoff.methods.two_sample",
    "claims": "runoff.methods.claims",
    "rank_test": "runoff.methods.rank",
    "critical_difference": "runoff.methods.rank",
    "rank_intervals": "runoff.methods.rank_intervals",
    "robustness": "runoff.methods.robustness",
    "inferential_intervals": "runoff.methods.inferential",
    "equivalence": "runoff.methods.equivalence",
    "effect_sizes": "runoff.methods.effects",
    "describe": "runoff.methods.describe",
    "variance": "runoff.methods.describe",
    "average_episodes": "runoff.methods.describe",
    # along training
    "sample_efficiency": "runoff.methods.sample_efficiency",
    "compare_curves": "runoff.methods.compare_curves",
    "summarize_curves": "runoff.methods.sample_efficiency",
    "time_to_threshold": "runoff.methods.time_to_threshold",
    "reliability": "runoff.methods.reliability",
    # how many runs
    "power": "runoff.methods.power",
    "runs_needed": "runoff.methods.power",
    "detectable_effect": "runoff.methods.power",
    # when to stop
    "anytime": "runoff.methods.anytime",
    "sequential": "runoff.methods.sequential",
    "SequentialDesign": "runoff.methods.sequential",
    "plan": "runoff.methods.plan",
    "next_runs": "runoff.methods.sequential",
    # may this change be merged
    "gate": "runoff.methods.gate",
    "save_baseline": "runoff.methods.gate",
    # the truth is known
    "Study": "runoff.studies",
    "run_study": "runoff.studies",
    "false_positive_rate": "runoff.studies",
    "coverage": "runoff.studies",
    "write_report": "runoff.report",
    # the refusals
    "RunoffError": "runoff.errors",
    "DataError": "runoff.errors",
    "DesignError": "runoff.errors",
    "OptionError": "runoff.errors",
    "OutputError": "runoff.errors",
    "RunoffWarning": "runoff.errors",
}

__all__ = [*_HOME, "plots", "__version__"]
__version__ = _version("runoff")


def __getattr__(name: str) -> Any:
    if name == "plots":
        return import_module("runoff.plots")
    if name not in _HOME:
        raise AttributeError(f"module 'runoff' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
