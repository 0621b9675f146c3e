"""runoff compare: which pairs differ?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from runoff.cli import options as o

Test = Annotated[
    str | None, typer.Option("--test", help="Test of a pair: auto, mack_skillings, welch, … (default auto).")
]
Correction = Annotated[
    str | None,
    typer.Option("--correction", help="Correction over the pairs: holm, bonferroni, bh, none, … (default holm)."),
]
Control = Annotated[
    str | None, typer.Option("--control", metavar="ALGORITHM", help="Compare the others with this one only.")
]


def compare(
    path: o.Where,
    test: Test = None,
    correction: Correction = None,
    control: Control = None,
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
    from json import dumps

    from runoff.cli.progress import progress
    from runoff.cli.show import show_comparison, show_json
    from runoff.methods.compare import compare as compare_scores

    source: dict[str, Any] = {"format": format, "columns": columns, "lower_is_better": lower_is_better}
    settings = o.given(test=test, correction=correction, control=control, alpha=alpha, rng=seed, n_resamples=resamples)
    with progress() as tell:
        tell("reading", 0.0)
        scores = o.read(path, **source, normalize=normalize, assume_raw=assume_raw)
        tell("comparing the pairs", 0.2)
        result = compare_scores(scores, **settings)
    if json:
        show_json(dumps(result.to_records(), indent=1, allow_nan=False) + "\n")
    else:
        show_comparison(scores, result)
