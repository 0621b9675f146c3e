"""The process that reads Parquet and Feather: run as a script, it answers one request after another, and imports nothing of runoff.

Polars stops its whole process at some damaged files, so that they are read where that does no harm. A request is a line of JSON, then the
bytes of a file; an answer is a line of JSON, then the table as an Arrow stream, if it could be read and is within the bounds.
"""

import io
import json
import sys

import polars as pl
from polars.exceptions import PanicException, PolarsError


def table(content: bytes, kind: str, most_columns: int, most_values: int) -> tuple[dict[str, object], bytes]:
    """Return what is to be said of a file, and its table."""
    scan = pl.scan_parquet if kind == "Parquet" else pl.scan_ipc
    try:
        # The size is read from the file's description first, so that a table beyond the bounds is never unpacked.
        lazy = scan(io.BytesIO(content))
        width, height = len(lazy.collect_schema()), int(lazy.select(pl.len()).collect().item())
        answer: dict[str, object] = {"columns": width, "rows": height}
        if width > most_columns or width * height > most_values:
            return answer, b""
        buffer = io.BytesIO()
        scan(io.BytesIO(content)).collect().write_ipc_stream(buffer)
    except (PolarsError, PanicException, OSError, ValueError, OverflowError) as error:
        return {"error": str(error).splitlines()[0] if str(error) else type(error).__name__}, b""
    return answer, buffer.getvalue()


def main() -> None:
    while line := sys.stdin.buffer.readline():
        request = json.loads(line)
        content = sys.stdin.buffer.read(request.pop("bytes"))
        answer, frame = table(content, **request)
        sys.stdout.buffer.write(json.dumps({**answer, "bytes": len(frame)}).encode() + b"\n" + frame)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
