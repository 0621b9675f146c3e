"""runoff compare: which pairs differ?"""

from __future__ import annotations

from runoff.cli import options as o
from runoff.cli.answer import answer
from runoff.cli.verb import verb


@verb
def compare(
    source: o.Source,
    statistics: o.Statistics,
    test: o.Test = None,
    correction: o.Correction = None,
    control: o.Control = None,
    single: o.Single = None,
    json: o.Json = False,
) -> None:
    """Which algorithms differ, in which direction, and how sure is that?"""
    from runoff.cli.show import show_comparison
    from runoff.methods.compare import compare as compare_scores
    from runoff.results.comparison import ComparisonResult

    s = statistics
    asked = o.given(
        test=test,
        correction=correction,
        control=control,
        single=single,
        alpha=s.alpha,
        rng=s.seed,
        n_resamples=s.resamples,
    )
    answer(
        source,
        "comparing the pairs",
        lambda scores: compare_scores(scores, **asked),
        show=show_comparison,
        records=ComparisonResult.to_records,
        advice=lambda found: found.advice,
        json=json,
    )
