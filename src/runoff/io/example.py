"""The data sets shipped in the package, each a folder of `runoff/data`."""

from __future__ import annotations

import hashlib
import io
from importlib.resources import files
from importlib.resources.abc import Traversable

from runoff.base.validate import check_choice
from runoff.data.curves import Curves
from runoff.data.provenance import Provenance
from runoff.errors import OptionError
from runoff.tables.tidy import table_of

FILE = "curves.parquet"


def load_example(name: str) -> Curves:
    """Return the learning curves of a shipped data set: real runs, made by the script its README names.

    Parameters
    ----------
    name : str
        "classic_control": algorithms × tasks × runs with offline evaluations.

    Raises
    ------
    OptionError
        There is no such data set; those found are listed.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control")
    >>> scores = curves.final()
    """
    import polars as pl

    shipped = _shipped()
    if not shipped:
        raise OptionError(f"no data set named {name!r} is shipped: this installation has no data sets.")
    data = shipped[check_choice("name", name, shipped)].read_bytes()
    origin = Provenance(path=f"runoff/data/{name}/{FILE}", sha256=hashlib.sha256(data).hexdigest(), format="parquet")
    return Curves.from_table(table_of(pl.read_parquet(io.BytesIO(data))), chosen={}, provenance=origin)


def _shipped() -> dict[str, Traversable]:
    data = files("runoff").joinpath("data")
    folders = sorted(data.iterdir(), key=lambda folder: folder.name) if data.is_dir() else []
    return {folder.name: folder / FILE for folder in folders if (folder / FILE).is_file()}
