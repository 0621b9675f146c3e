"""A tree of 1,000 runs with 1,000 points each (100 MB of event files): `runoff.read_curves`, and tbparse in an environment of its own.

The better of two calls each. And ten such trees as one, which runoff alone reads; and a .wandb file of 1 GB, twenty series a row. Each in a
process of its own, after the first of the files was read: libraries are loaded, kernels compiled, and not counted in seconds or memory. Run as
`python -m benchmarks.logs`.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np

from benchmarks.aggregate import PEAK

ROOT = Path(__file__).parents[1]
BENCH = ROOT / ".venv-bench-logs"
N_RUNS, N_POINTS = 1_000, 1_000
TAG = b"evaluation/episodes/of/the/policy/mean_episode_return_of_ten_eps"
GIGABYTE = 1 << 30

OURS = f"""
import sys, time, runoff as ro
{PEAK}
ro.read_curves(sys.argv[2])
before, seconds = peak(), []
for _ in range(int(sys.argv[3])):
    start = time.perf_counter(); curves = ro.read_curves(sys.argv[1]); seconds.append(time.perf_counter() - start)
print(min(seconds), curves.steps.size, peak() - before)
"""
THEIRS = """
import sys, time, warnings
warnings.simplefilter("ignore")
from tbparse import SummaryReader
seconds = []
for _ in range(2):
    start = time.perf_counter(); scalars = SummaryReader(sys.argv[1]).scalars; seconds.append(time.perf_counter() - start)
print(min(seconds), len(scalars))
"""


def tbparse_python() -> Path:
    """Return the interpreter of tbparse's environment, which is made on the first call."""
    python = BENCH / "bin" / "python"
    if not (BENCH / "stamp").exists():
        subprocess.run([sys.executable, "-m", "venv", BENCH], check=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "tbparse", "tensorboard"], check=True, stderr=subprocess.DEVNULL
        )
        (BENCH / "stamp").touch()
    return python


def write_tree(root: Path) -> None:
    """Write the tree: 10 algorithms × 10 tasks × 10 runs."""
    rng = np.random.default_rng(0)
    for i in range(N_RUNS):
        folder = root / f"algorithm{i // 100}" / f"Task{i // 10 % 10}-v0" / f"seed_{i % 10}"
        folder.mkdir(parents=True)
        with open(folder / "events.out.tfevents.1000000000.host.0", "wb") as stream:
            stream.writelines(map(_frame, _events(rng)))


def write_ten(tree: Path, root: Path) -> None:
    """Make a tree of 100 algorithms, each tenth of which is a tree: the files are links to its files."""
    for file in sorted(tree.rglob("events.*")):
        algorithm, *inner = file.relative_to(tree).parts
        for copy in range(10):
            link = Path(root, f"{algorithm}x{copy}", *inner)
            link.parent.mkdir(parents=True)
            os.link(file, link)


def _events(rng: np.random.Generator) -> Iterator[bytes]:
    yield b"\x09" + struct.pack("<d", 1e9) + _chunk(3, b"brain.Event:2")
    for i, value in enumerate(np.cumsum(rng.normal(size=N_POINTS))):
        scalar = _chunk(1, _chunk(1, TAG) + b"\x15" + struct.pack("<f", value))
        yield b"\x09" + struct.pack("<d", 1e9 + i) + b"\x10" + _varint(1000 * (i + 1)) + _chunk(5, scalar)


def _frame(message: bytes) -> bytes:
    size = struct.pack("<Q", len(message))
    return size + _masked(size) + message + _masked(message)


def _masked(data: bytes) -> bytes:
    from runoff._kernels.logs.wire import checksum

    word = checksum(np.frombuffer(data, np.uint8), 0, len(data), _rows(), 0)
    return struct.pack("<I", ((word >> 15 | word << 17) + 0xA282EAD8) & 0xFFFFFFFF)


@cache
def _rows() -> np.ndarray:
    from runoff._kernels.logs.wire import CASTAGNOLI, tables

    return tables(CASTAGNOLI)


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def _chunk(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def write_wandb(path: Path, size: int) -> None:
    """Write a .wandb file of a given size: twenty series in every row of its history."""
    with open(path, "wb") as stream:
        stream.write(b":W&B\xe1\xbe\x00")
        at = 7
        for step in count():
            for piece in _blocks(_history(step), at):
                at += stream.write(piece)
            if at >= size:
                return


def _history(step: int) -> bytes:
    losses = {f"losses/part_{i}": step / (i + 1.7) for i in range(18)}
    values = {"global_step": 1000 * step, "charts/episodic_return": step * 0.37, **losses}
    items = b"".join(
        _chunk(1, _chunk(2, key.encode()) + _chunk(16, repr(value).encode())) for key, value in values.items()
    )
    return _chunk(2, items + _chunk(2, b"\x08" + _varint(step)))


def _blocks(record: bytes, at: int) -> Iterator[bytes]:
    """Yield a record as pieces that end where blocks of 32768 bytes do."""
    first = True
    while first or record:
        left = 32768 - at % 32768
        if left < 7:
            yield bytes(left)
            at, left = at + left, 32768
        piece, record = record[: left - 7], record[left - 7 :]
        kind = bytes([(2 if record else 1) if first else (3 if record else 4)])
        yield struct.pack("<IH", zlib.crc32(kind + piece), len(piece)) + kind + piece
        at, first = at + 7 + len(piece), False


def measure() -> dict[str, float]:
    """Return seconds, MB and the ratio."""
    with tempfile.TemporaryDirectory() as folder:
        write_tree(Path(folder, "tree"))
        write_ten(Path(folder, "tree"), Path(folder, "ten"))
        write_wandb(Path(folder, "run.wandb"), GIGABYTE)
        write_wandb(Path(folder, "small.wandb"), 1)
        first = folder + "/tree/algorithm0/Task0-v0/seed_0"
        ours, n_ours, megabytes = _child(sys.executable, OURS, folder + "/tree", first, "2")
        ten, n_ten, ten_megabytes = _child(sys.executable, OURS, folder + "/ten", first, "2")
        theirs, n_theirs = _child(tbparse_python(), THEIRS, folder + "/tree")
        wandb, n_rows, wandb_megabytes = _child(
            sys.executable, OURS, folder + "/run.wandb", folder + "/small.wandb", "1"
        )
    assert n_ours == n_theirs == N_RUNS * N_POINTS
    assert n_ten == 10 * n_ours
    assert n_rows > 100_000
    return {
        "1,000 event files: tbparse_s": theirs,
        "1,000 event files: runoff_s": ours,
        "1,000 event files: ratio": theirs / ours,
        "memory beside the libraries_MB": megabytes,
        "10,000 event files: runoff_s": ten,
        "10,000 event files: memory beside the libraries_MB": ten_megabytes,
        "a .wandb file of 1 GB_s": wandb,
        "its memory beside the libraries_MB": wandb_megabytes,
        "its points": n_rows,
    }


def _child(python: str | Path, code: str, *paths: str) -> list[float]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    answer = subprocess.run([python, "-c", code, *paths], check=True, capture_output=True, text=True, env=env)
    return [float(word) for word in answer.stdout.split()]


if __name__ == "__main__":
    for label, value in measure().items():
        print(f"{label:50} {value:.3g}")
