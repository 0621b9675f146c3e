"""The tools of `runoff mcp`: each is a verb, called with `--json` in its own process, on paths within one folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

from runoff.errors import OptionError
from runoff.words.patterns import regex

Printed: TypeAlias = dict[str, Any]
SECONDS = 600
"""The longest time that a tool may take."""
WILD = regex(r"[*?\[]")
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
ABOUT = (
    "Statistics for a handful of reinforcement-learning runs, or of evaluations of models and policies: which is better, how sure that is, how "
    "many more runs it takes. Ask `scan` what a folder holds, `compare` who is better, `plan` how many runs find a difference, `report` for a "
    "page. An answer is what `runoff VERB --json` prints: `sentence` is the claim that the data carry, `verdict` is of one pair, `advice` has "
    "cautions. With `code`, `message` and `repair` in place of an answer a call was refused; `repair` has commands that work. Never call two "
    "equal because no difference was found, and never choose the measure after seeing the answers."
)


class Tools:
    """The tools, confined to a folder; reports go to one within it."""

    def __init__(self, root: Path, out: Path) -> None:
        self.root = root.resolve()
        self.out = self.inside(str(out))

    def scan(self, path: str = ".") -> Printed:
        """List the runs of a folder of training logs, or of a table: algorithms, tasks, runs, steps, scores."""
        return self._answer("scan", [path], {})

    def compare(
        self,
        *,
        data: list[str],
        measure: str | None = None,
        algorithms: list[str] | None = None,
        tasks: list[str] | None = None,
        control: str | None = None,
        normalize: str | None = None,
        margin: float | None = None,
        over: str | None = None,
        unit: str | None = None,
        score_unit: str | None = None,
        columns: list[str] | None = None,
        lower_is_better: bool = False,
        alpha: float | None = None,
    ) -> Printed:
        """Test which algorithms differ, and by how much. data: tables, folders of logs, globs, or names of shipped sets."""
        return self._answer("compare", data, locals())

    def plan(
        self,
        *,
        data: list[str] | None = None,
        effect: float | None = None,
        std: float | None = None,
        n_runs: int | None = None,
        power: float | None = None,
        measure: str | None = None,
        normalize: str | None = None,
        algorithms: list[str] | None = None,
        tasks: list[str] | None = None,
        columns: list[str] | None = None,
    ) -> Printed:
        """Compute how many runs find a true difference `effect`, from pilot runs (data) or from their standard deviation (std)."""
        return self._answer("plan", data or [], locals())

    def keep(
        self,
        *,
        ledger: str,
        candidate: list[str] | None = None,
        champion: list[str] | None = None,
        name: str | None = None,
        mode: str | None = None,
        budget: int | None = None,
        lower_is_better: bool = False,
        columns: list[str] | None = None,
    ) -> Printed:
        """Judge whether a search keeps a change: keep, discard, or run more. ledger: a file that this adds to; champion: its runs, at first."""
        return self._answer("keep", [ledger, *(candidate or [])], locals())

    def report(
        self,
        *,
        data: list[str],
        measure: str | None = None,
        normalize: str | None = None,
        title: str | None = None,
        algorithms: list[str] | None = None,
        tasks: list[str] | None = None,
        columns: list[str] | None = None,
        score_unit: str | None = None,
        lower_is_better: bool = False,
    ) -> Printed:
        """Write everything about the runs as one HTML page with tables; an earlier report of this server is replaced."""
        return self._answer("report", data, {**locals(), "out": self.out, "force": True})

    def inside(self, text: str) -> str:
        """Return a path, a glob or the name of a shipped set in the form that a verb accepts.

        Raises
        ------
        OptionError
            The path, or a file that it matches or contains, leads out of the folder by its parts or by a link, or it looks like an option.
        """
        if text.startswith("-") or not text:
            raise OptionError(f"{text!r} is no path.")
        if "\0" in text:
            raise OptionError(f"{text!r} holds a null character.")
        # The part before the first sign of a glob says where it searches; what comes after must not lead back.
        wild = WILD.search(text)
        fixed = text if wild is None else text[: wild.start()].rpartition("/")[0] or "."
        if self._leads_out(self.root / fixed) or (wild is not None and ".." in text[wild.start() :]):
            raise OptionError(f"{text!r} leads out of the folder that runoff mcp was started in.")
        places = [self.root / fixed] if wild is None else self.root.glob(text)
        for place in places:
            for path in (place, *_links_below(place)):
                if self._leads_out(path):
                    raise OptionError(
                        f"{text!r} takes in {path.relative_to(self.root)}, a link that leads out of the folder of runoff mcp."
                    )
        return text

    def _leads_out(self, path: Path) -> bool:
        return not path.resolve().is_relative_to(self.root)

    def _answer(self, verb: str, paths: Sequence[str], given: dict[str, Any]) -> Printed:
        """Return the output of a verb for paths and the arguments of a tool (name → value, None if not given)."""
        options = {name: value for name, value in given.items() if name not in ("self", "data", "ledger", "candidate")}
        try:
            # A file of references, or the name of a benchmark; the runs of a champion.
            for path in filter(None, (options.get("normalize"), *(options.get("champion") or ()))):
                self.inside(path)
            if any("\0" in str(value) for value in options.values()):
                raise OptionError("a value holds a null character.")
            if verb != "plan" and not paths:
                raise OptionError("data names no runs.")
            words = [verb, *_spelled(options), "--json", "--", *map(self.inside, paths)]
        except OptionError as refused:
            return refusal("option", str(refused))
        try:
            # By a process: a tool that is stopped, or takes too much, leaves the server as it was.
            run = subprocess.run(
                [sys.executable, "-m", "runoff", *words],
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return refusal("data", f"runoff {verb} took more than {SECONDS} seconds and was stopped.")
        try:
            return dict(json.loads(run.stdout))
        except ValueError:
            return refusal(
                "usage", run.stderr.strip() or f"runoff {verb} printed nothing (exit code {run.returncode})."
            )


def _links_below(folder: Path) -> Iterator[Path]:
    """Yield the links below a folder that a reader of runs may follow: to folders, and to files that are no programs."""
    if not folder.is_dir():
        return
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            if path.is_symlink() and (path.is_dir() or not os.access(path, os.X_OK)):
                yield path


def _spelled(options: dict[str, Any]) -> list[str]:
    """Return options as words of the command line: with "=", so that no value can be an option of its own."""
    words = []
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [f"{option}={part}" for part in (value if isinstance(value, list) else [value])]
    return words


def refusal(code: str, message: str) -> Printed:
    return {"schema": "runoff.refusal/1", "code": code, "message": message, "repair": []}


def server(root: Path, out: Path) -> MCPServer[Any]:
    """Return the server of the tools, which read within `root`, and write reports to `out` there."""
    tools = Tools(root, out)
    served = MCPServer("runoff", instructions=ABOUT, version=version("runoff"))
    readers: tuple[Callable[..., Printed], ...] = (tools.scan, tools.compare, tools.plan)
    writers: tuple[Callable[..., Printed], ...] = (tools.keep, tools.report)
    for tool in (*readers, *writers):
        served.add_tool(tool, annotations=WRITES if tool in writers else READS)
    return served
