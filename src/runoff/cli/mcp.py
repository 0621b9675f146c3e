"""runoff mcp: the verbs as tools for a program, by the Model Context Protocol."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

from runoff.cli.verb import verb
from runoff.errors import OptionError

ABOUT = """
-o --out OUT: Folder that the tool report writes to, in this one (default runoff-report).
--skill: Print the text that explains runoff to a program, and exit.
"""


@verb
def mcp(*, out: Path = Path("runoff-report"), skill: bool = False) -> None:
    """Serve the commands as tools for a program (MCP).

    $ runoff mcp --skill
    $ runoff mcp --out reports

    Its tools (scan, compare, plan, keep, report) read only the folder in which it is started; keep adds to its ledger, and report writes to the
    folder --out.
    """
    if skill:
        sys.stdout.write(files("runoff.cli").joinpath("SKILL.md").read_text(encoding="utf-8"))
        return
    try:
        from runoff.cli.tools import server
    except ImportError:
        message = "runoff mcp needs the package mcp: pip install 'mcp>=2'."
        raise OptionError(message) from None
    server(Path.cwd(), out).run("stdio")
