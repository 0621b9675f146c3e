"""Valid small files of every kind that runoff reads, each with something wrong, and what is asked of them; case i is the same each time."""

from __future__ import annotations

import io
import json
import pickle
import random
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from runoff.cli.app import run
from tests.places import LOGS

ROWS = [
    {"algorithm": a, "task": t, "seed": s, "score": round(10.17 + 31 * i + 7 * j + 1.3 * s, 3)}
    for i, a in enumerate(("PPO", "SAC"))
    for j, t in enumerate(("Hopper-v4", "Ant-v4"))
    for s in range(4)
]
CURVES = [
    {**row, "step": 100 * k, "score": round(row["score"] + 0.37 * k, 3)} for row in ROWS[::2] for k in range(1, 4)
]
HOSTILE = (
    "nan", "inf", "-inf", "1e308", "-1e308", "1e999", "", " ", "null", "None", "N/A", "٣", "ＰＰＯ", "\u200b", "\u202e1", "\x1b[2J", "=1+1",
    "x" * 5000, "9" * 400, '{"a": {"b": [1]}}', "[[[[1]]]]", "true", "1,5", "1.002", "1_000", "0x10", "-0", "5e-324", '"', "'", ";", "\t",
    "mean", "../../x", "seed", "1 ± 2",
)  # fmt: skip
"""What a cell is replaced by."""
HOSTILE_VALUES = (float("nan"), float("inf"), 1e308, None, True, "", "x", [1], {"a": 1}, 10**400, -0.0, [[[]]], "nan")
"""The same of JSON."""
PAPER = "| Method | Hopper | Ant |\n| --- | --- | --- |\n| PPO | 10.1 ± 2.0 | **20.5 ± 1.5** |\n| SAC | 12.0 ± 1.1 | 21.0 ± 0.4 |\n"
LATEX = (
    "\\begin{tabular}{lcc}\nMethod & Hopper & Ant \\\\\n\\midrule\nPPO & 10.1 $\\pm$ 2.0 & 20.5 $\\pm$ 1.5 \\\\\n"
    "SAC & 12.0 $\\pm$ 1.1 & \\textbf{21.0} $\\pm$ 0.4 \\\\\n\\end{tabular}\n"
)


@dataclass(frozen=True)
class Case:
    """A file with something wrong, the folder it lies in, and the command; `scores` are those that must not vanish unsaid."""

    number: int
    what: str
    command: tuple[str, ...]
    path: Path
    scores: tuple[float, ...] = ()


# ── valid files ──────────


def separated(mark: str, rows: list[dict[str, object]]) -> bytes:
    lines = [list(rows[0]), *([*row.values()] for row in rows)]
    return "".join(mark.join(map(str, line)) + "\n" for line in lines).encode()


def framed(write: str, rows: list[dict[str, object]]) -> bytes:
    buffer = io.BytesIO()
    getattr(pl.DataFrame(rows, strict=False), write)(buffer)
    return buffer.getvalue()


def archived(**arrays: object) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def array(values: object) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values)
    return buffer.getvalue()


def workbook() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in ("[Content_Types].xml", "xl/workbook.xml"):
            archive.writestr(name, "<x/>")
    return buffer.getvalue()


def nested(depth: int) -> object:
    return 1 if depth == 0 else {"x": nested(depth - 1)}


MATRIX = np.random.default_rng(0).normal(size=(4, 2)).round(3)
BY_NAME = {
    "PPO": {"Hopper-v4": [1.5, 2.5, 3.25], "Ant-v4": [4.5, 5.5, 6.75]},
    "SAC": {"Hopper-v4": [2.5, 3.5], "Ant-v4": [9, 8]},
}
WIDE = [{"PPO": 1.5 + s, "SAC": 2.75 + 2 * s, "TD3": 0.5 * s} for s in range(5)]
SCORES, STEPPED = (
    ("compare", "rank", "aggregate", "plan", "sequential", "gate", "report", "check"),
    ("curves", "report"),
)
FILES: dict[str, tuple[Callable[[], bytes], tuple[str, ...]]] = {
    "runs.csv": (lambda: separated(",", ROWS), SCORES),
    "curves.csv": (lambda: separated(",", CURVES), STEPPED),
    "runs.tsv": (lambda: separated("\t", ROWS), SCORES),
    "wide.csv": (lambda: separated(",", WIDE), SCORES),
    "runs.json": (lambda: json.dumps(ROWS).encode(), SCORES),
    "nested.json": (lambda: json.dumps(BY_NAME).encode(), SCORES),
    "runs.jsonl": (lambda: "".join(json.dumps(row) + "\n" for row in ROWS).encode(), SCORES),
    "PPO.npy": (lambda: array(MATRIX), SCORES),
    "runs.npz": (lambda: archived(PPO=MATRIX, SAC=MATRIX + 1), SCORES),
    "PPO.txt": (lambda: b"1.5\n2.5\n3.25\n", SCORES),
    "runs.parquet": (lambda: framed("write_parquet", ROWS), SCORES),
    "curves.parquet": (lambda: framed("write_parquet", CURVES), STEPPED),
    "runs.feather": (lambda: framed("write_ipc", ROWS), SCORES),
    "runs.xlsx": (workbook, SCORES),
    "runs.pkl": (lambda: pickle.dumps(ROWS), SCORES),
    "paper.md": (PAPER.encode, ("claims",)),
    "paper.tex": (LATEX.encode, ("claims",)),
    "paper.csv": (
        lambda: b"method,Hopper,Ant\nPPO,10.1 \xc2\xb1 2.0,20.5 \xc2\xb1 1.5\nSAC,12.0 \xc2\xb1 1.1,21 \xc2\xb1 1\n",
        ("claims",),
    ),
    "baseline.json": (lambda: signed("baseline"), ("gate",)),
    "state.json": (lambda: signed("state"), ("sequential",)),
    "design.toml": (lambda: DESIGN.encode(), ("sequential",)),
    "names.toml": (lambda: b'[names]\nPPO = "ppo"\n[pattern]\npath = "{algorithm}/{run}"\n', ("scan",)),
    "reference.json": (lambda: b'{"Hopper-v4": [0, 100], "Ant-v4": [0, 50]}', ("aggregate",)),
}
"""Name -> what it holds, and the verbs that read it."""
TIDY = (
    "runs.csv",
    "curves.csv",
    "runs.tsv",
    "runs.json",
    "runs.jsonl",
    "runs.parquet",
    "curves.parquet",
    "runs.feather",
)
DESIGN = 'looks = [4, 6]\nalgorithms = ["PPO", "SAC"]\n'


@cache
def signed(kind: str) -> bytes:
    """Return a file that runoff wrote with its digest."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        runs, out, design = (Path(folder, name) for name in ("runs.csv", "out.json", "design.toml"))
        runs.write_bytes(separated(",", ROWS))
        design.write_text(DESIGN)
        saving = ["gate", str(runs), "--algorithm", "PPO", "--save", str(out)]
        looking = ["sequential", str(design), str(runs), "--state", str(out)]
        code = run(saving if kind == "baseline" else looking)
        if code == 2:
            raise AssertionError(kind)
        return out.read_bytes()


# ── what goes wrong ──────────


def bytes_wrong(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    """Return a file with bytes changed, cut, put in or repeated."""
    kind = chance.choice(("flip", "cut", "insert", "repeat", "end"))
    raw = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(raw) + 1)
        if kind == "flip" and at < len(raw):
            raw[at] ^= 1 << chance.randrange(8)
        elif kind == "cut":
            del raw[at : at + chance.randint(1, 40)]
        elif kind == "insert":
            raw[at:at] = bytes(chance.choices(range(256), k=chance.randint(1, 9)))
        elif kind == "repeat":
            raw[at:at] = raw[max(0, at - 60) : at]
        else:
            del raw[at:]
            break
    return kind, bytes(raw)


def lines_wrong(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    """Return a text with lines doubled, left out, moved, or fields of a line replaced."""
    lines = data.split(b"\n")
    kind, at = chance.choice(("double", "drop", "swap", "head", "field")), chance.randrange(len(lines))
    if kind == "double":
        lines.insert(at, lines[at])
    elif kind == "drop":
        del lines[at]
    elif kind == "swap":
        chance.shuffle(lines)
    else:
        at = 0 if kind == "head" else at
        mark = b"," if b"," in lines[at] else b"\t" if b"\t" in lines[at] else b" "
        fields = lines[at].split(mark)
        fields[chance.randrange(len(fields))] = chance.choice(HOSTILE).encode()
        lines[at] = mark.join(fields)
    return kind, b"\n".join(lines)


def json_wrong(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    """Return JSON with a value of any depth replaced, renamed, doubled or wrapped; what runoff signs has its right digest again."""
    from runoff.base.signed import digest_of

    content = json.loads(data)
    places = [
        (holder, key)
        for holder in holders(content)
        for key in (holder if isinstance(holder, dict) else range(len(holder)))
    ]
    holder, key = chance.choice(places)
    kind = chance.choice(("value", "value", "value", "rename", "delete", "deep"))
    if kind == "rename" and isinstance(holder, dict):
        holder[chance.choice(HOSTILE)] = holder.pop(key)
    elif kind == "delete":
        del holder[key]
    elif kind == "deep":
        holder[key] = nested(chance.choice((3, 30, 900)))
    else:
        holder[key] = chance.choice(HOSTILE_VALUES)
    if isinstance(content, dict) and "sha256" in content and chance.random() < 0.9:
        del content["sha256"]
        content["sha256"] = digest_of(content)
    text = json.dumps(content)
    return kind, (text.replace("{", '{"a": 1, "a": 2, ', 1) if chance.random() < 0.05 else text).encode()


def holders(content: object) -> list[dict | list]:
    inner = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    own = [content] if isinstance(content, dict | list) and content else []
    return [*own, *(holder for value in inner for holder in holders(value))]


def cells_wrong(name: str, chance: random.Random) -> tuple[str, bytes, tuple[float, ...]]:
    """Return a tidy table with a cell or a column replaced, and the scores that it still holds."""
    rows = [dict(row) for row in (CURVES if name.startswith("curves") else ROWS)]
    kind, column = chance.choice(("cell", "column", "rename", "more")), chance.choice(list(rows[0]))
    row, value = chance.randrange(len(rows)), chance.choice(HOSTILE)
    if kind == "cell":
        rows[row][column] = value
    elif kind == "column":
        rows = [{**own, column: value} for own in rows]
    elif kind == "rename":
        rows = [{(value if key == column else key): cell for key, cell in own.items()} for own in rows]
    else:
        rows = [{**own, value: chance.choice(HOSTILE)} for own in rows]
    kept = tuple(own["score"] for own in rows if isinstance(own.get("score"), float))
    if name.endswith(("csv", "tsv")):
        data = separated("," if name.endswith("csv") else "\t", rows)
    elif name.endswith("json"):
        data = json.dumps(rows).encode()
    elif name.endswith("jsonl"):
        data = "".join(json.dumps(own) + "\n" for own in rows).encode()
    else:
        data = framed("write_ipc" if name.endswith("feather") else "write_parquet", rows)
    return f"{kind} {column} {value[:20]!r}", data, kept


# ── cases ──────────


def case(number: int, folder: Path) -> Case:
    """Return case `number`, made in an empty folder."""
    chance = random.Random(number)
    return of_log(number, folder, chance) if chance.random() < 0.2 else of_file(number, folder, chance)


def of_log(number: int, folder: Path, chance: random.Random) -> Case:
    """Return a case of a training log, one file of which is damaged."""
    tool = chance.choice(sorted(path for path in LOGS.iterdir() if path.is_dir()))
    root = folder / tool.name
    shutil.copytree(tool, root)
    path = chance.choice(sorted(path for path in root.rglob("*") if path.is_file()))
    data = path.read_bytes()
    text = path.suffix not in (".wandb", ".db", ".parquet") and "tfevents" not in path.name
    wrong = chance.choice((bytes_wrong, lines_wrong) if text else (bytes_wrong,))
    what, data = wrong(data, chance)
    path.write_bytes(data)
    verb = chance.choice(("scan", "scan", "curves", "import"))
    command = (verb, str(root), *(("-o", str(folder / "out.csv")) if verb == "import" else ()))
    return Case(number, f"{tool.name}/{path.name} {what}", command, root)


def of_file(number: int, folder: Path, chance: random.Random) -> Case:
    """Return a case of one file."""
    name = chance.choice(list(FILES))
    make, verbs = FILES[name]
    scores: tuple[float, ...] = ()
    if name in TIDY and chance.random() < 0.5:
        what, data, scores = cells_wrong(name, chance)
    else:
        ways = [
            bytes_wrong,
            *([lines_wrong] * 2 if name.endswith(("csv", "tsv", "jsonl", "txt", "md", "tex", "toml")) else []),
        ]
        ways += [json_wrong] * 3 if name.endswith(".json") else []
        what, data = chance.choice(ways)(make(), chance)
    path = folder / name
    path.write_bytes(data)
    own = Case(number, f"{name} {what}", (), path, scores)
    return replace(own, command=command_of(own, chance.choice(verbs), chance, folder))


def command_of(own: Case, verb: str, chance: random.Random, folder: Path) -> tuple[str, ...]:
    path, runs = str(own.path), folder / "sound.csv"
    runs.write_bytes(separated(",", ROWS))
    if own.path.suffix == ".toml" or own.path.name in ("state.json", "reference.json"):
        design = folder / "sound.toml"
        design.write_text(DESIGN)
        return {
            "state.json": ("sequential", str(design), str(runs), "--state", path),
            "design.toml": ("sequential", path, str(runs)),
            "names.toml": ("scan", str(LOGS / "spinningup"), "--pattern", path),
            "reference.json": ("aggregate", str(runs), "--reference", path),
        }[own.path.name]
    if verb in ("claims", "gate"):
        candidate = ("gate", path, str(runs), "--algorithm", "PPO", "--candidate-algorithm", "SAC", "--margin", "1")
        return candidate if verb == "gate" else ("claims", path)
    if verb in ("report", "check", "plan") and chance.random() < 0.9:
        verb = "import"  # the others take long, and read in the same way
    out = (
        ("-o", str(folder / "out.csv")) if verb == "import" else ("-o", str(folder / "out")) if verb == "report" else ()
    )
    amount = {"plan": ("--effect", "1"), "check": ("--n-repeats", "20", "--n-resamples", "100")}
    return (verb, path, *out, *amount.get(verb, ()))
