"""runoff claims: what of a published table survives?"""

from __future__ import annotations

from pathlib import Path

from runoff.cli import claims_options as c
from runoff.cli import options as o
from runoff.cli.verb import verb


@verb
def claims(
    table: c.Table,
    spread: c.Spread = None,
    n: c.Runs = None,
    algorithm: c.Own = None,
    best: c.Best = None,
    lower: c.Lower = None,
    rows: c.Rows = None,
    decimal: c.Decimal = None,
    format: c.Format = None,
    accept_wide: c.Wide = False,
    alpha: o.Alpha = None,
    out: c.Out = None,
    json: o.Json = False,
) -> None:
    """Which claims of a published table survive: mean, ± and n are tested, and what they do not say is said."""
    from runoff.cli.show import show_json
    from runoff.cli.show_claims import runs_of, show_claims
    from runoff.methods.claims import claims as ask
    from runoff.report.claims import claims_text, write_claims

    wanted = lower[0] if lower and len(lower) == 1 else lower or None
    asked = o.given(
        spread=spread,
        n=runs_of(n),
        algorithm=algorithm,
        best=best,
        lower=wanted,
        rows=rows,
        decimal=decimal,
        format=format,
        alpha=alpha,
    )
    found = ask(Path(table), accept_wide=accept_wide, **asked)
    if out is not None:
        write_claims(found, out)
    if json:
        show_json(claims_text(found))
    else:
        show_claims(found, out)
