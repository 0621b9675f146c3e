"""runoff scan: what runs are there?"""

from __future__ import annotations

from runoff.cli import options as o
from runoff.cli.verb import verb


@verb
def scan(path: o.Tree, pattern: o.Pattern = None, json: o.Json = False) -> None:
    """What runs lie in a folder of training logs, and what would be read of them?"""
    from runoff.cli.progress import progress
    from runoff.cli.show import show_json
    from runoff.cli.show_scan import show_scan
    from runoff.io import scan as scan_path
    from runoff.report.files.strict import strict_json

    with progress() as tell:
        tell("looking at the files", 0.0)
        found = scan_path(path, **o.given(pattern=pattern))
    if json:
        show_json(strict_json(found.to_records()))
    else:
        show_scan(found)
