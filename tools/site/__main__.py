"""python -m tools.site [OUT] [--unexecuted]: the site, from nothing; a warning is an error.

Unexecuted it shows what the pages say, without the figures of their code, in half the time: to look at pages, and to test the search.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from time import perf_counter

from tools.site import crawl, tree
from tools.site.pages import ROOT
from tools.site.shown import NotAsShown


def main() -> int:
    """Build the site, and return the exit code."""
    from sphinx.cmd.build import main as sphinx

    given = [argument for argument in sys.argv[1:] if argument != "--unexecuted"]
    out = Path(given[0] if given else ROOT / "build" / "site").resolve()
    pages, begun = out.with_name(f"{out.name}-pages"), perf_counter()
    try:
        tree.write(pages, execute="--unexecuted" not in sys.argv)
    except NotAsShown as refusal:
        sys.stderr.write(f"error: {refusal}\n")
        return 2
    executed = perf_counter()
    shutil.rmtree(out, ignore_errors=True)
    code = sphinx(
        [
            "-W",
            "--keep-going",
            "-n",
            "-q",
            "-E",
            "-j",
            "auto",
            "-c",
            str(Path(__file__).parent),
            "-d",
            f"{pages}-doctrees",
            str(pages),
            str(out),
        ]
    )
    problems = list(crawl.broken(out)) if code == 0 else []
    sys.stderr.writelines(f"error: {problem}\n" for problem in problems)
    if code or problems:
        return code or 2
    spent = perf_counter()
    sys.stdout.write(
        f"{out / 'index.html'}: {executed - begun:.0f} s of executing what is shown, {spent - executed:.0f} s of Sphinx\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
