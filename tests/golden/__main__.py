"""Compare the transcripts with the answers of today, or write them anew: `python -m tests.golden [--write] [NAME ...]`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.golden.transcripts import FOLDER, answered, differences, kept, names_of_all, quiet_environment


def main(words: list[str]) -> int:
    """Return 1 where an answer differs, or was written anew."""
    quiet_environment()
    chosen = [word for word in words if not word.startswith("-")] or names_of_all()
    changed = []
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            now = answered(kept(name), Path(folder))
        changed += [name] * (now != kept(name))
        if "--write" in words:  # git shows what is new, and the lines of a whole set of files take difflib minutes
            (FOLDER / f"{name}.txt").write_text(now, encoding="utf-8", newline="\n")
        else:
            print("\n".join(differences(kept(name), now)))
    print(f"{len(changed)} of {len(chosen)} transcripts differ", *changed)
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
