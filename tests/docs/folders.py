"""A page about a folder of logs: the folder, its trees, and its commands with what they print.

What lies in the folder stands in a comment `<!-- folder` of the page, one line an entry:

    runs/PPO_0 <- tensorboard/torch/PPO_Hopper-v4_0     a copy of that sample of `tests/data/logs`
    runs/PPO_1 <- made skrl 10                           event files of a framework, with returns about 10
    runs/.hydra/overrides.yaml: [seed=1]                 a file; \\n and \\x80 are a line's end and a byte

A block whose fence names a file after the language (```toml names.toml) is that file, a ```text block a tree of what lies there, a ```console
block commands (`$ runoff …`, `$ pytest …`) with what they print. "…" stands for lines, or for a part of a line.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from runoff._kernels._jit import MESSAGE
from runoff.cli.app import run
from tests.places import LOGS
from tests.reading.logs.frameworks import FRAMEWORKS

FOLDER = re.compile(r"<!-- folder\n(.*?)-->", re.DOTALL)
BLOCK = re.compile(r"^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ELIDED = "…"


def laid_out(page: str, root: Path) -> None:
    """Write the folder that a page speaks of."""
    for line in "".join(FOLDER.findall(page)).splitlines():
        name, sign, what = re.split(r"( <- |: )", line, maxsplit=1)
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if sign == ": ":
            target.write_bytes(what.encode().decode("unicode_escape").encode("latin-1") + b"\n")
        elif what.startswith("made "):
            _, framework, level = what.split()
            _framed(root, name, framework, float(level))
        elif (LOGS / what).is_dir():
            shutil.copytree(LOGS / what, target, dirs_exist_ok=True)
        else:
            shutil.copy(LOGS / what, target)
    for _, name, text in BLOCK.findall(page):
        if name:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")


def _framed(root: Path, folder: str, framework: str, level: float) -> None:
    def put(name: str, data: bytes) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)

    FRAMEWORKS[framework](put, folder, level)


def trees(page: str) -> Iterator[str]:
    """Yield the paths of all trees of a page, with * for what is elided."""
    for kind, _, text in BLOCK.findall(page):
        above: list[str] = []
        for line in text.splitlines() if kind == "text" else ():
            name = line.split("  # ")[0].strip()
            above = [*above[: (len(line) - len(line.lstrip())) // 2], name.rstrip("/")]
            if name != ELIDED:
                yield "/".join(above).replace(ELIDED, "*")


def commands(page: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a page, each with what the page says that it prints."""
    for kind, _, text in BLOCK.findall(page):
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield command, output


def printed(command: str) -> tuple[int, str]:
    """Return the exit code of a command, and what it prints on both streams."""
    name, *arguments = shlex.split(command)
    if name == "pytest":
        session = [sys.executable, "-m", "pytest", "-p", "runoff.pytest_plugin", *arguments]
        env = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "80"}
        done = subprocess.run(
            session, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        return done.returncode, plain(done.stdout)
    assert name == "runoff"
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        code = run(arguments)
    return code, plain(stream.getvalue().replace(f"{MESSAGE}\n", ""))


def shows(output: str, text: str) -> bool:
    """Return whether what a page shows is what was said, but for what it elides."""
    lines = (re.escape(line).replace(ELIDED, ".*") for line in plain(output).splitlines())
    pattern = "".join("(?:.*\n)*" if line == ".*" else f"{line.strip()}\n" for line in lines)
    return re.fullmatch(pattern, text) is not None


def plain(text: str) -> str:
    """Return the lines that are not empty, without spaces at their ends; a space that does not break is one."""
    return "".join(f"{line.strip()}\n" for line in text.replace("\xa0", " ").splitlines() if line.strip())
