"""runoff rank: do many algorithms differ at all, and which ranks are apart?"""

from __future__ import annotations

from runoff.cli import options as o
from runoff.cli.answer import answer
from runoff.cli.verb import verb


@verb
def rank(
    source: o.Source,
    test: o.RankTest = None,
    method: o.Method = None,
    control: o.Control = None,
    single: o.Single = None,
    alpha: o.Alpha = None,
    seed: o.Seed = None,
    draws: o.Draws = None,
    json: o.Json = False,
) -> None:
    """Do the algorithms differ at all, task by task, and which of their ranks are apart?"""
    from runoff.cli.show_rank import show_ranks
    from runoff.report.answers.ranking import rank_answers, record_of_ranking

    asked = o.given(test=test, method=method, control=control, single=single, alpha=alpha, rng=seed, n_resamples=draws)
    answer(
        source,
        "ranking",
        lambda scores: rank_answers(scores, **asked),
        show=lambda scores, told: show_ranks(scores, told[1], told[0]),
        records=lambda told: record_of_ranking(told[1]),
        advice=lambda told: told[1].advice,
        json=json,
    )
