"""Files that runoff writes to read them again: written whole or not at all, with a digest that tells whether they were changed by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from runoff.errors import OutputError


def write_whole(out: Path, text: str, noun: str) -> None:
    """Write a file whole or not at all; `noun` says in the refusal what could not be written."""
    # The name is changed only once the file is whole: a reader, or a second writer, never meets half of it.
    hidden = out.with_name(f".{out.name}.{token_hex(4)}")
    try:
        hidden.write_bytes(text.encode("utf-8", "surrogatepass"))
        os.replace(hidden, out)
    except OSError as error:
        raise OutputError(f"the {noun} {out} cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            hidden.unlink(missing_ok=True)


def digest_of(content: Mapping[str, Any]) -> str:
    """Return the digest of what a file holds."""
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
