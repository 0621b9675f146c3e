"""A design as TOML: written once, read at every look."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from runoff._inference.sequential.design import SCHEMA, SequentialDesign
from runoff.errors import OptionError, OutputError, nearest

KEYS = tuple(f.name for f in fields(SequentialDesign))
NEEDED = tuple(f.name for f in fields(SequentialDesign) if f.default is MISSING)
MEANINGS: Mapping[str, str] = {
    "looks": "runs of each algorithm on each task, counted from the start",
    "alpha": "chance of any wrong claim, over all pairs and looks",
    "spending": "how alpha is spread over the looks",
    "test": "what is computed at each look",
    "margin": "mean scores that differ by less are equivalent",
    "effect": "a difference worth finding",
    "futility": "stop where the chance to find it falls below this",
    "cost_per_run": "in any unit",
    "budget": "in the same unit",
}


def read_design(path: str | Path) -> SequentialDesign:
    """Return the design of a TOML file.

    Raises
    ------
    OptionError
        The file is not TOML, has an unknown or missing key, or a value that means nothing.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise OptionError(f"the design {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise OptionError(f"the design {path} is not a text file.") from error
    try:
        declared = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"the design {path} is not valid TOML: {error}.") from error
    return _design_of(declared, str(path))


def _design_of(declared: dict[str, Any], where: str) -> SequentialDesign:
    schema = declared.pop("schema", SCHEMA)
    if schema != SCHEMA:
        raise OptionError(f"the design {where} is of schema {schema!r}; this version of runoff reads {SCHEMA!r}.")
    for key in declared:
        if key not in KEYS:
            raise OptionError(
                f"the design {where} has an unknown key {key!r}; known are {', '.join(KEYS)}.{nearest(key, KEYS)}"
            )
    missing = [key for key in NEEDED if key not in declared]
    if missing:
        raise OptionError(f"the design {where} lacks {', '.join(missing)}.")
    return SequentialDesign(**declared)


def design_text(design: SequentialDesign) -> str:
    """Return a design as TOML, every value with what it means."""
    lines = ["# A sequential comparison. Not changed after the first look: the state holds its digest."]
    for key, value in design.to_dict().items():
        if value is not None and value != []:
            comment = f"  # {MEANINGS[key]}" if key in MEANINGS else ""
            # A JSON string, number or list of them is one of TOML too.
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}{comment}")
    return "\n".join(lines) + "\n"


def write_design(design: SequentialDesign, path: str | Path) -> None:
    """Write a design to a new file.

    Raises
    ------
    OutputError
        There is such a file already, or it cannot be written.
    """
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(design_text(design))
    except FileExistsError as error:
        raise OutputError(f"{path} is there already; a design is not changed, so name a new file.") from error
    except OSError as error:
        raise OutputError(f"the design {path} cannot be written: {error.strerror}.") from error
