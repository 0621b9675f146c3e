"""runoff compare: which pairs differ?"""

from __future__ import annotations

from typing import Any

from runoff.cli import options as o


def compare(
    path: o.Where,
    test: o.Test = None,
    correction: o.Correction = None,
    control: o.Control = None,
    normalize: o.Normalize = None,
    format: o.Format = None,
    columns: o.Columns = None,
    lower_is_better: o.LowerIsBetter = False,
    assume_raw: o.AssumeRaw = False,
    alpha: o.Alpha = None,
    seed: o.Seed = None,
    resamples: o.Resamples = None,
    json: o.Json = False,
) -> None:
    """Which algorithms differ, in which direction, and how sure is that?"""
    from runoff.cli.progress import progress
    from runoff.cli.show import show_comparison, show_json
    from runoff.methods.compare import compare as compare_scores
    from runoff.report.files.strict import strict_json

    source: dict[str, Any] = {"format": format, "columns": columns, "lower_is_better": lower_is_better}
    settings = o.given(test=test, correction=correction, control=control, alpha=alpha, rng=seed, n_resamples=resamples)
    with progress() as tell:
        tell("reading", 0.0)
        scores = o.read(path, **source, normalize=normalize, assume_raw=assume_raw)
        tell("comparing the pairs", 0.2)
        result = compare_scores(scores, **settings)
    if json:
        show_json(strict_json(result.to_records()))
    else:
        show_comparison(scores, result)
