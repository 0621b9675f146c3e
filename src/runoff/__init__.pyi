"""The public names of runoff, each once, in the order of docs/design/contract.md: type checkers read this file, and so does `__init__.py`."""

# ruff: noqa: I001 (sections, not the alphabet)

# the data
from runoff.data.scores import Scores as Scores
from runoff.data.curves import Curves as Curves
from runoff.reading import load as load
from runoff.reading import read_scores as read_scores
from runoff.reading import read_curves as read_curves
from runoff.reading import scan as scan
from runoff.reading import load_example as load_example
from runoff import archive as archive

# the answers
from runoff.methods.aggregate import aggregate as aggregate
from runoff.methods.compare import compare as compare
from runoff.methods.where import where as where
from runoff.methods.diff import diff as diff
from runoff.methods.effects import probability_of_improvement as probability_of_improvement
from runoff.methods.profile import performance_profile as performance_profile
from runoff.methods.two_sample import two_sample_test as two_sample_test
from runoff.methods.two_sample import test_from_summary as test_from_summary
from runoff.methods.claims import claims as claims
from runoff.methods.ranking import rank as rank
from runoff.methods.rank import rank_test as rank_test
from runoff.methods.rank import critical_difference as critical_difference
from runoff.methods.rank_intervals import rank_intervals as rank_intervals
from runoff.methods.robustness import robustness as robustness
from runoff.methods.inferential import inferential_intervals as inferential_intervals
from runoff.methods.equivalence import equivalence as equivalence
from runoff.methods.reproduce import reproduce as reproduce
from runoff.methods.tuning import tuning as tuning
from runoff.methods.effects import effect_sizes as effect_sizes
from runoff.methods.describe import describe as describe
from runoff.methods.describe import variance as variance

# along training
from runoff.methods.curves import curves as curves
from runoff.methods.compare_curves import compare_curves as compare_curves
from runoff.methods.time_to_threshold import time_to_threshold as time_to_threshold
from runoff.methods.reliability import reliability as reliability

# how many runs
from runoff.methods.power import power as power
from runoff.methods.power import runs_needed as runs_needed
from runoff.methods.power import detectable_effect as detectable_effect

# when to stop
from runoff.methods.anytime import anytime as anytime
from runoff.methods.sequential import sequential as sequential
from runoff.methods.sequential import SequentialDesign as SequentialDesign
from runoff.methods.plan import plan as plan
from runoff.methods.sequential import next_runs as next_runs

# may this change be merged
from runoff.methods.gate import gate as gate
from runoff.methods.gate import save_baseline as save_baseline

# keep this change, inside a search
from runoff.methods.keep import Ledger as Ledger

# the truth is known
from runoff.lab import Study as Study
from runoff.lab import run_study as run_study
from runoff.lab import check as check
from runoff.page import report as report

# the refusals
from runoff.errors import RunoffError as RunoffError
from runoff.errors import DataError as DataError
from runoff.errors import DesignError as DesignError
from runoff.errors import OptionError as OptionError
from runoff.errors import OutputError as OutputError
from runoff.errors import RunoffWarning as RunoffWarning

# the figures
from runoff import plots as plots

__version__: str
