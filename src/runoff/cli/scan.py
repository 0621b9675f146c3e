"""runoff scan: what runs are there?"""

from __future__ import annotations

from runoff.cli import options as o
from runoff.cli.verb import verb


@verb
def scan(path: o.Tree, pattern: o.Pattern = None, json: o.Json = False) -> None:
    """What runs lie in a folder of training logs, and what would be read of them?"""
    from runoff.cli.progress import progress
    from runoff.cli.show_scan import show_scan
    from runoff.cli.told import show_record
    from runoff.io import scan as scan_path

    with progress() as tell:
        tell("looking at the files", 0.0)
        found = scan_path(path, **o.given(pattern=pattern))
    if json:
        left = [found.not_understood] if found.not_understood else []
        show_record(found.to_records(), notes=[*found.notes, *left])
    else:
        show_scan(found)
