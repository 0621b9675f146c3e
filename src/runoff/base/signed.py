"""JSON: what is printed as it, and files that runoff wrote (`base/writing.py`) and reads again, of which a digest tells whether one was
changed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.words.speech import in_python


def read_json(where: Path, noun: str) -> Any:
    """Return what a file of JSON holds; refuse one that is unreadable, too large or too deep."""
    try:
        refuse_beyond(
            "bytes", where.stat().st_size, f"the {noun} {where} is large: it has {where.stat().st_size} bytes"
        )
        return json.loads(where.read_bytes().decode("utf-8", "surrogatepass"))
    except OSError as error:
        raise DataError(f"the {noun} {where} cannot be read: {error.strerror or error}.") from error
    except RecursionError:
        raise DataError(
            f"the {noun} {where} is no file of runoff: it is nested too deep; take a copy that is whole."
        ) from None
    except ValueError as error:
        raise DataError(
            f"the {noun} {where} is damaged and cannot be read as JSON ({error}); take a copy that is whole."
        ) from error


def read_signed(where: Path, schema: str, noun: str) -> dict[str, Any]:
    """Return what a file that runoff wrote holds; refuse what `read_json` does, no `noun`, or one with another digest."""
    content = read_json(where, noun)
    if not isinstance(content, dict) or content.get("schema") != schema:
        message = f"{where} is no {noun} that this version of runoff wrote ({schema}); write it anew with this version, or name another file."
        raise DataError(message)
    # The digest is of all other keys in alphabetical order, so that a file that was only written anew is still whole.
    digest = content.pop("sha256", None)
    if digest != digest_of(content):
        message = f"the {noun} {where} was changed or damaged after it was saved: its digest does not match its content; restore it."
        raise DataError(message)
    return content


def digest_of(content: Mapping[str, Any]) -> str:
    """Return the digest of what a file holds."""
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def strict_json(value: Any, indent: int | None = 1) -> str:
    """Return plain values (dicts, lists, texts, numbers) as JSON text with a line end.

    JSON has no infinity, so an infinite number (a statistic of samples without spread that differ) is the string "Infinity" or
    "-Infinity", which Python's `float` and JavaScript's `Number` read back.
    """
    return json.dumps(_finite(value), indent=indent, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, str):
        return in_python(value)
    # NaN does not occur in results; were it to, null would read as "none".
    if isinstance(value, float) and not isfinite(value):
        return json.dumps(value)  # NaN, Infinity or -Infinity
    return value
