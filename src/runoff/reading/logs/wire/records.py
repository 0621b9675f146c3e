"""Reading of .wandb files: the numbers of the history by key and row, and the other records. Loops: `_kernels/logs/blocks.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from runoff._kernels.logs import blocks as kernels
from runoff._kernels.logs import wire
from runoff._kernels.logs.wire import IEEE, tables
from runoff.base.arrays import Bytes, Floats, Ints
from runoff.errors import DataError
from runoff.reading.logs.rows import LoggedColumn
from runoff.reading.logs.wire.binary import NameTable, blocks, fields, text

HEAD = b":W&B\xe1\xbe\x00"
"""The first bytes of a file: a name, a magic number, version 0."""
LONGEST = 1 << 26
MOST_KEYS, NAMES = 1 << 15, 1 << 22
MOST_OTHERS = 4096
REASONS = {
    kernels.BROKEN_CHECK: "the checksum of a record is wrong",
    kernels.BROKEN_ORDER: "a record is not continued where it should be",
    wire.TOO_MANY_TAGS: f"it holds more than {MOST_KEYS:,} keys",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A key whose values are not kept."""

    points: int
    last_row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WireRecords:
    """The content of a file: kept columns, keys that were only counted, the step of every history row, and other records as bytes."""

    columns: dict[str, LoggedColumn]
    counted: dict[str, Counted]
    steps: Ints
    others: list[bytes]
    n_records: int
    n_broken: int
    broken_off: str


def joined(files: Sequence[WireRecords]) -> WireRecords:
    """Return the records of a run that was resumed, one file after the other."""
    if len(files) == 1:
        return files[0]
    before = np.cumsum([0, *(file.steps.size for file in files)]).tolist()
    pieces: dict[str, list[tuple[Ints, Floats]]] = {}
    counted: dict[str, Counted] = {}
    for start, file in zip(before, files, strict=False):
        for key, column in file.columns.items():
            pieces.setdefault(key, []).append((column.rows + start, column.values))
        for key, own in file.counted.items():
            points = own.points + (counted[key].points if key in counted else 0)
            counted[key] = Counted(points=points, last_row=own.last_row + start)
    return WireRecords(
        columns={key: _column(own) for key, own in pieces.items()},
        counted=counted,
        steps=np.concatenate([file.steps for file in files]),
        others=[record for file in files for record in file.others],
        n_records=sum(file.n_records for file in files),
        n_broken=sum(file.n_broken for file in files),
        broken_off=files[-1].broken_off,
    )


def read_records(path: Path, keep: Callable[[str], bool]) -> WireRecords:
    """Return the records of a file up to its end or break; blocks are counted from its start or, for older writers, after 7 bytes."""
    records = _read(path, keep, origin=0)
    # A wrong origin shows within the first block of 32 kB as a break, so that the second look costs nothing for sound
    # files; the reading that got farther is the right one.
    if records.broken_off:
        other = _read(path, keep, origin=len(HEAD))
        records = other if other.n_records > records.n_records else records
    return records


def _read(path: Path, keep: Callable[[str], bool], *, origin: int) -> WireRecords:
    scan = _RecordScan(path=path, keep=keep, origin=origin)
    rest = blocks(path, scan.use)
    return scan.records(rest)


@dataclass(slots=True)
class _RecordScan:
    """The state of a scan from block to block."""

    path: Path
    keep: Callable[[str], bool]
    origin: int
    offset: int = 0
    n_rows: int = 0
    table: NameTable = field(default_factory=lambda: NameTable.of(MOST_KEYS, NAMES, kernels.N_COUNTS))
    keys: dict[str, int] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=list)
    kept: list[bool] = field(default_factory=list)
    points: Ints = field(default_factory=lambda: np.zeros(MOST_KEYS, np.int64))
    last_row: Ints = field(default_factory=lambda: np.zeros(MOST_KEYS, np.int64))
    pieces: dict[int, list[tuple[Ints, Floats]]] = field(default_factory=dict)
    steps: list[Ints] = field(default_factory=list)
    others: list[bytes] = field(default_factory=list)

    def use(self, data: Bytes) -> int:
        """Process a block; return the number of bytes consumed, -1 at a break."""
        head = 0
        # Seven bytes that LevelDB's own format does not have stand before the first block.
        if self.offset == 0:
            if data.size < len(HEAD):
                return 0
            if data[: len(HEAD)].tobytes() != HEAD:
                raise DataError(f"{self.path}: the file does not begin like a .wandb file.")
            head = len(HEAD)
        body = data[head:]
        payload, ends = np.empty(body.size, np.uint8), np.empty(body.size // kernels.HEAD + 1, np.int64)
        done, n = kernels.unwrap(body, self.offset + head - self.origin, tables(IEEE), payload, ends, self.table.counts)
        if n:
            self._take(payload[: ends[n - 1]], ends[:n])
        self.offset += head + done
        # Without a whole record in all these bytes, the length of one is damaged: more bytes would only be piled up.
        too_long = not n and data.size > LONGEST
        return -1 if self.table.counts[wire.STATUS] or too_long else head + done

    def _take(self, payload: Bytes, ends: Ints) -> None:
        items, steps = np.empty((6, payload.size // 4 + 1), np.int64), np.empty(ends.size, np.int64)
        others = np.empty((MOST_OTHERS, 2), np.int64)
        counts = self.table.counts
        counts[[wire.N_VALUES, kernels.N_ROWS, kernels.N_OTHERS]] = 0
        kernels.scan_records(payload, ends, items, steps, others, counts)
        n_items = self.table.number(payload, items)
        n_rows, n_others = int(counts[kernels.N_ROWS]), int(counts[kernels.N_OTHERS])
        self._name_keys()
        self._enter(items[:, :n_items], payload)
        self.steps.append(steps[:n_rows].copy())
        self.n_rows += n_rows
        self.others += [payload[s:e].tobytes() for s, e in others[:n_others][: MOST_OTHERS - len(self.others)]]

    def _name_keys(self) -> None:
        """Name the new keys; two spellings of the same name are one key."""
        for key in self.table.after_first(len(self.numbers)):
            # nested keys have points between
            name = ".".join(text(value) for _, value in fields(key) if isinstance(value, bytes))
            if name not in self.keys:
                self.keys[name] = len(self.keys)
                self.kept.append(self.keep(name))
            self.numbers.append(self.keys[name])

    def _enter(self, items: Ints, payload: Bytes) -> None:
        rows, keys = items[0] + self.n_rows, np.array(self.numbers, np.int64)[items[wire.START]]
        self.points += np.bincount(keys, minlength=MOST_KEYS)
        self.last_row[keys] = rows
        wanted = np.flatnonzero(np.array(self.kept, bool)[keys])
        # Stable, so that within a key the rows stay in the order of writing, which `_column` needs.
        order = wanted[np.argsort(keys[wanted], kind="stable")]
        values = _values(items[:, order], payload)
        bounds: Ints = np.flatnonzero(np.diff(keys[order], prepend=-1, append=-1))
        for start, end in pairwise(bounds):
            # Half of the memory, of which long histories need most here; no history has two billion rows.
            piece = rows[order[start:end]].astype(np.int32), values[start:end]
            self.pieces.setdefault(int(keys[order[start]]), []).append(piece)

    def records(self, rest: int) -> WireRecords:
        """Return everything that was read; `rest` bytes at the end were not used."""
        names = list(self.keys)
        places = {key: i for i, key in enumerate(names) if not self.kept[i]}
        counted = {k: Counted(points=int(self.points[i]), last_row=int(self.last_row[i])) for k, i in places.items()}
        return WireRecords(
            columns={names[i]: _column(self.pieces.pop(i)) for i in sorted(self.pieces)},
            counted=counted,
            steps=np.concatenate(self.steps) if self.steps else np.empty(0, np.int64),
            others=self.others,
            n_records=int(self.table.counts[kernels.N_RECORDS]),
            n_broken=int(self.table.counts[kernels.N_BROKEN]),
            broken_off=self.table.broken_off(REASONS, rest),
        )


def _column(pieces: list[tuple[Ints, Floats]]) -> LoggedColumn:
    """Return one column; if a row has a key twice, the last value counts."""
    rows, values = (np.concatenate([piece[i] for piece in pieces]) for i in (0, 1))
    last = np.append(np.diff(rows) > 0, True)
    return LoggedColumn(rows=rows[last], values=values[last])


def _values(items: Ints, payload: Bytes) -> Floats:
    _, first, last, kinds, _, _ = items
    values = np.full(kinds.size, np.nan)
    # The JSON of a history writes NaN and infinities as words, in quotation marks or not; Python reads these, and
    # decimals, to the last bit.
    texts = np.flatnonzero((kinds == kernels.JSON) | (kinds == kernels.WORD))
    if texts.size:
        whole = payload.tobytes()
        values[texts] = [_number(whole[a:b]) for a, b in zip(first[texts].tolist(), last[texts].tolist(), strict=True)]
    values[kinds == kernels.INTEGER] = first[kinds == kernels.INTEGER]
    values[kinds == kernels.NUMBER] = first[kinds == kernels.NUMBER].view(np.float64)
    return values


def _number(text: bytes) -> float:
    try:
        return float(text.strip(b'"'))
    except ValueError:  # it begins as a number and goes on otherwise
        return np.nan
