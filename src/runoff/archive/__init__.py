"""The archive: runs of published algorithms that the package ships, with their protocol, licence and citation.

Each folder is a set: `set.toml` describes it, `runs.parquet` has a row for each run, LICENSE is its licence.
`python -m tools.archive` makes them.
"""

import sys

from runoff.archive.load import load, table
from runoff.archive.sets import ArchiveSet, info, listed, matched
from runoff.errors import warn
from runoff.hints import Room, hinted

sys.modules[__name__].__class__ = Room
list, load = hinted(listed, note=warn), hinted(load, note=warn)

__all__ = ["list", "load", "info", "matched", "table", "ArchiveSet"]
