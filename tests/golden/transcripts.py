"""Transcripts: commands, calls and figures with all that they answer, kept as text in tests/golden/transcripts and compared whole.

A line `$ runoff ...` is a command line and `>>> ...` Python (`...` goes on); what stands indented below is the answer. `@ NAME` writes
the indented lines into a file first. Answers are written anew by

    python -m tests.golden --write [NAME]

after which the difference is read, line by line, before it is committed: that reading is the test.
"""

from __future__ import annotations

import ast
import difflib
import io
import json
import os
import re
import shlex
import warnings
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runoff.cli.app import run
from runoff.errors import RunoffWarning
from tests.golden.shown import shown
from tests.places import GOLDEN

FOLDER = GOLDEN / "transcripts"
WIDTH = 140
LONG_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d{6,}(?:e[-+]?\d+)?(?!\w)")
"""What leaves unrounded, as records do: compared to six digits, because sums differ in the last between processors."""
OF_A_MACHINE = (
    (re.compile(r'("version": )"[^"]*"'), r'\1"x.y.z"'),
    (re.compile(r"runoff \d+\.\d+\.\d+\S*"), "runoff x.y.z"),
    (re.compile(r"(?m)^Usage: (python -m )?\S+"), "Usage: runoff"),
    (re.compile(r'\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?[^\s",]*'), "WHEN"),
)
"""What differs from machine to machine, and what stands in place of it."""


@dataclass(frozen=True)
class Entry:
    """A prompt with what stands below it."""

    sign: str
    """`$`, `>>>`, `@`, or nothing for lines between the prompts."""
    prompt: str
    below: str = ""

    @property
    def text(self) -> str:
        head = self.prompt if not self.sign else f"{self.sign} " + self.prompt.replace("\n", "\n... ")
        return "\n".join([head, *(f"  {line}".rstrip() for line in self.below.split("\n") if self.below)])


def entries(text: str) -> list[Entry]:
    """Return the prompts of a transcript, each with what stands indented below it."""
    parts: list[Entry] = []
    for line in text.rstrip("\n").split("\n"):
        sign = next((s for s in ("$", ">>>", "@", "...") if line.startswith(f"{s} ")), "")
        last = parts[-1] if parts else None
        if sign == "..." and last is not None:
            parts[-1] = Entry(last.sign, f"{last.prompt}\n{line[4:]}")
        elif last is not None and last.sign and (line.startswith("  ") or not line):
            parts[-1] = Entry(last.sign, last.prompt, f"{last.below}\n{line[2:]}" if last.below else line[2:])
        else:
            parts.append(Entry(sign, line[len(sign) + 1 :] if sign else line))
    return [Entry(part.sign, part.prompt, part.below.rstrip("\n")) for part in parts]


def of_any_machine(text: str) -> str:
    """Return an answer without what another machine, or another day, says otherwise."""
    folder = str(Path.cwd().resolve())
    text = text.replace(folder, "FOLDER")
    for pattern, instead in OF_A_MACHINE:
        text = pattern.sub(instead, text)
    text = LONG_NUMBER.sub(lambda number: f"{float(number.group()):.6g}", text)
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


def printed_by(command: str) -> str:
    """Return what a command prints: the answer, then what goes to stderr behind `!`, then the exit code where it is not 0."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(shlex.split(command)[1:])
    lines = [f"! {line}" for line in err.getvalue().splitlines()]
    answer = of_json(out.getvalue()) if "--json" in command else out.getvalue()
    return "\n".join([*answer.splitlines(), *lines, *([f"exit {code}"] if code else [])])


def of_json(text: str) -> str:
    """Return JSON with what fits into a line in one line."""
    try:
        return narrow(json.loads(text))
    except json.JSONDecodeError:
        return text


def narrow(value: Any, indent: str = "") -> str:
    whole = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(whole) <= WIDTH:
        return whole
    inner = f"{indent} "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(key)}: {narrow(own, inner)}" for key, own in value.items()]
    else:
        parts = [f"{inner}{narrow(own, inner)}" for own in value]
    return "\n".join(
        ["{" if isinstance(value, dict) else "[", ",\n".join(parts), indent + ("}" if isinstance(value, dict) else "]")]
    )


def evaluated(source: str, names: dict[str, Any]) -> str:
    """Return what Python answers: the last expression as `shown` writes it, warnings behind `!`, a refusal with its class."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with warnings.catch_warnings(record=True) as heard, redirect_stdout(printed):
        warnings.simplefilter("always", RunoffWarning)
        try:
            exec(compile(ast.Module(body, []), "<transcript>", "exec"), names)
            answer = shown(eval(compile(ast.Expression(last.value), "<transcript>", "eval"), names)) if last else ""  # noqa: S307
        except Exception as refusal:
            answer = f"{type(refusal).__name__}: {refusal}"
    lines = [f"! {type(warning.message).__name__}: {warning.message}" for warning in heard]
    return "\n".join([*printed.getvalue().splitlines(), *([answer] if answer else []), *lines])


def answered(text: str, place: Path) -> str:
    """Return a transcript with all answers anew, given in an empty folder."""
    names: dict[str, Any] = {}
    exec(compile(PREAMBLE, "<preamble>", "exec"), names)
    here = place / "here"  # where nothing else names a task, the folder does
    here.mkdir()
    with chdir(here):
        return "\n".join(part.text for part in _answers(entries(text), names)) + "\n"


PREAMBLE = """
import numpy as np
import runoff as ro
from runoff import plots
from tests.golden.material import *
"""
"""Names that every transcript has."""


def _answers(parts: list[Entry], names: dict[str, Any]) -> Iterator[Entry]:
    for number, part in enumerate(parts):
        if part.sign == "@":
            Path(part.prompt).parent.mkdir(parents=True, exist_ok=True)
            Path(part.prompt).write_text(part.below + "\n", encoding="utf-8", newline="\n")
            answer = part.below
        elif part.sign:
            answer = of_any_machine(printed_by(part.prompt) if part.sign == "$" else evaluated(part.prompt, names))
        else:
            answer = ""
        # A prompt stands apart from the answer before it.
        gap = number and part.sign and parts[number - 1].sign
        yield Entry(part.sign, part.prompt, answer) if not gap else Apart(part.sign, part.prompt, answer)


class Apart(Entry):
    """An entry with an empty line above it."""

    @property
    def text(self) -> str:
        return "\n" + super().text


def names_of_all() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def kept(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def differences(was: str, now: str) -> list[str]:
    """Return the lines in which answers differ, with those about them."""
    return list(difflib.unified_diff(was.split("\n"), now.split("\n"), "kept", "today", n=3, lineterm=""))


ENVIRONMENT = {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}


def quiet_environment() -> None:
    """Take what a person may have set for runoff, or for a terminal, out of the environment."""
    for name in [name for name in os.environ if name.startswith("RUNOFF_") and name != "RUNOFF_THREADS"]:
        del os.environ[name]
    os.environ.update(ENVIRONMENT)
