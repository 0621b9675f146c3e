"""runoff rank: do many algorithms differ at all, and which ranks are apart?"""

from __future__ import annotations

from typing import Any

from runoff.cli import options as o


def rank(
    path: o.Where,
    test: o.RankTest = None,
    method: o.Method = None,
    control: o.Control = None,
    normalize: o.Normalize = None,
    format: o.Format = None,
    columns: o.Columns = None,
    lower_is_better: o.LowerIsBetter = False,
    assume_raw: o.AssumeRaw = False,
    alpha: o.Alpha = None,
    seed: o.Seed = None,
    draws: o.Draws = None,
    json: o.Json = False,
) -> None:
    """Do the algorithms differ at all, task by task, and which of their ranks are apart?"""
    from runoff.cli.progress import progress
    from runoff.cli.show import show_json
    from runoff.cli.show_rank import show_ranks
    from runoff.report.answers.ranking import rank_answers, record_of_ranking
    from runoff.report.files.strict import strict_json

    source: dict[str, Any] = {"format": format, "columns": columns, "lower_is_better": lower_is_better}
    settings = o.given(test=test, method=method, control=control, alpha=alpha, rng=seed, n_resamples=draws)
    with progress() as tell:
        tell("reading", 0.0)
        scores = o.read(path, **source, normalize=normalize, assume_raw=assume_raw)
        tell("ranking", 0.5)
        level, ranking = rank_answers(scores, **settings)
    if json:
        show_json(strict_json(record_of_ranking(ranking)))
    else:
        show_ranks(scores, ranking, level)
