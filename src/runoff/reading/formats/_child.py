"""The child process that tries Parquet and Feather files: run as a script, it answers one request after another, and imports nothing from
runoff.

Polars aborts the whole process at some damaged files, so that files are first read where that does no harm. A request is a line of JSON
followed by the bytes of a file; an answer is a line of JSON: the error, or the size of the table, which is unpacked if it is within the
bounds.
"""

import io
import json
import sys

import polars as pl
from polars.exceptions import PanicException, PolarsError


def tried(content: bytes, kind: str, most_columns: int, most_fields: int) -> dict[str, object]:
    """Return the answer about a file."""
    scan = pl.scan_parquet if kind == "Parquet" else pl.scan_ipc
    try:
        # The size is read from the file's description first, so that a table beyond the bounds is never unpacked.
        if kind == "Arrow stream":
            frame = pl.read_ipc_stream(io.BytesIO(content))
            return {"columns": frame.width, "rows": frame.height}
        lazy = scan(io.BytesIO(content))
        width, height = len(lazy.collect_schema()), int(lazy.select(pl.len()).collect().item())
        if width <= most_columns and width * height <= most_fields:
            scan(io.BytesIO(content)).collect()
    except (PolarsError, PanicException, OSError, ValueError, OverflowError) as error:
        return {"error": str(error).splitlines()[0] if str(error) else type(error).__name__}
    return {"columns": width, "rows": height}


def main() -> None:
    while line := sys.stdin.buffer.readline():
        request = json.loads(line)
        answer = tried(sys.stdin.buffer.read(request.pop("bytes")), **request)
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
