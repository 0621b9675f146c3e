"""runoff curves: how good after how many steps, and where do algorithms differ?"""

from __future__ import annotations

from runoff.cli import options as o
from runoff.cli.verb import verb


@verb
def curves(
    source: o.Source,
    metric: o.OneMetric = None,
    steps: o.StepCount = None,
    up_to: o.UpTo = None,
    along: o.Along = None,
    band: o.Band = None,
    correction: o.StepCorrection = None,
    threshold: o.Threshold = None,
    alpha: o.Alpha = None,
    seed: o.Seed = None,
    out: o.CurvesOut = None,
    json: o.Json = False,
) -> None:
    """How good is each algorithm after how many steps, and where along training do two of them differ?"""
    from json import loads

    from runoff.cli.progress import progress
    from runoff.cli.show_curves import show_curves
    from runoff.cli.told import show_record
    from runoff.report.answers.curves import answer_curves
    from runoff.report.curves import curves_text, write_curves

    with progress() as tell:
        tell("reading", 0.0)
        data = source.curves()
        tell("resampling whole runs", 0.2)
        given = o.given(along=along, steps=steps, up_to=up_to, incomplete=source.incomplete, seed=seed)
        found = answer_curves(
            data,
            **given,
            **o.given(metric=metric, band=band, correction=correction, alpha=alpha, threshold=threshold),
            steadiness=True,
        )
        if out is not None:
            tell("figures", 0.8)
            write_curves(found, out)
    if json:
        show_record(loads(curves_text(found)))
    else:
        show_curves(found, out)
