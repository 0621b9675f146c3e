"""python -m tools.site.refresh PAGE...: what ran is written into pages that show something else; read the difference before committing it.

Outputs of which a part is left out (…), and those of commands, are told and left to a person.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.site.shown import NotAsShown, executed


def refreshed(page: str, name: str) -> str:
    """Return a page whose outputs are what ran."""
    while True:
        try:
            executed(page, name)
        except NotAsShown as refusal:
            if refusal.mended is None or refusal.mended == page:
                raise
            page = refusal.mended
        else:
            return page


def main() -> int:
    """Write what ran into the pages that are named, and return the exit code."""
    wrong = False
    for name in sys.argv[1:]:
        path = Path(name)
        page = path.read_text(encoding="utf-8")
        try:
            path.write_text(refreshed(page, name), encoding="utf-8")
        except NotAsShown as refusal:
            sys.stderr.write(f"error: {refusal}\n")
            wrong = True
    return 2 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
