"""The fast tests once more, in random order and strange surroundings: all of it follows from one seed, which is printed.

    python -m tools.shuffled          a new seed
    python -m tools.shuffled 7        seed 7 again

A test must depend neither on those that ran before it, nor on the seed of hashes, the time zone, the language, the folder or the number of
workers.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ZONES = ("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati")
"""Two of them differ from UTC by parts of an hour, one by more than half a day."""
LANGUAGES = ("C", "C.UTF-8", "POSIX")
"""What every Debian has; Python reads files as UTF-8 in none of them unless it is told so."""


@dataclass(frozen=True)
class Surroundings:
    seed: int
    hashes: int
    zone: str
    language: str
    workers: int

    @classmethod
    def drawn(cls, seed: int) -> Surroundings:
        rng = random.Random(seed)
        return cls(seed, rng.randrange(1, 2**32), rng.choice(ZONES), rng.choice(LANGUAGES), rng.choice((1, 2, 3)))

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: PYTHONHASHSEED={self.hashes} TZ={self.zone} LC_ALL={self.language}, {self.workers} workers; "
            f"again by: make test-random SEED={self.seed}"
        )

    def environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONHASHSEED": str(self.hashes), "TZ": self.zone, "LC_ALL": self.language}

    def command(self) -> list[str]:
        order = ["-p", "pytest_randomly", f"--randomly-seed={self.seed % 2**32}"]
        place = [str(ROOT / "tests"), f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml")]
        return [sys.executable, "-m", "pytest", "-q", "-n", str(self.workers), *order, *place]


def main(arguments: list[str]) -> int:
    seed = int(arguments[0]) if arguments else random.SystemRandom().randrange(10**6)
    surroundings = Surroundings.drawn(seed)
    print(surroundings, flush=True)
    with tempfile.TemporaryDirectory() as elsewhere:
        code = subprocess.run(
            [*surroundings.command(), *arguments[1:]], cwd=elsewhere, env=surroundings.environment(), check=False
        ).returncode
    print(surroundings)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
