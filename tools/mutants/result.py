"""What a run has found: the score of each package and the survivors, as lines, as JSON and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tools.mutants.mutant import Mutant
from tools.mutants.targets import PACKAGES, package_of
from tools.mutants.trial import Verdict


@dataclass(slots=True)
class Result:
    """The trials of a run.

    Attributes
    ----------
    settings : what was asked
    verdicts : of each mutant tried
    justified : mutants that were not tried, with the reason
    seconds : of all trials, without the measuring of the tests before
    doubtful : tests that killed a mutant, but fail on the unchanged tree too, when run together with the other killers
    """

    settings: dict[str, Any]
    verdicts: dict[Mutant, Verdict] = field(default_factory=dict)
    justified: list[tuple[Mutant, str]] = field(default_factory=list)
    seconds: float = 0.0
    doubtful: list[str] = field(default_factory=list)

    @property
    def counted(self) -> list[tuple[Mutant, Verdict]]:
        """The trials that the score is made of."""
        return [(mutant, verdict) for mutant, verdict in self.verdicts.items() if verdict.by not in self.doubtful]

    @property
    def survivors(self) -> list[tuple[Mutant, Verdict]]:
        """The survivors in the order of the code."""
        return sorted(
            (one for one in self.verdicts.items() if one[1].survived), key=lambda one: (one[0].path, one[0].line)
        )


def line(mutant: Mutant, verdict: Verdict) -> str:
    """Return a survivor in one line."""
    return f"{mutant.path}:{mutant.line} [{mutant.what}] {mutant.before} → {mutant.after} — {_ran(verdict)}"


def _ran(verdict: Verdict) -> str:
    more = f"; {verdict.n_together} more tried on all survivors together" if verdict.n_together else ""
    if not verdict.n_run:
        return f"no test runs this line{more}"
    alone = "all" if verdict.n_alone == verdict.n_run else f"the {verdict.n_alone} quickest"
    return f"{verdict.n_run} tests run it, {alone} tried alone{more}"


def table(result: Result) -> str:
    """Return the score per package and in total."""
    tried = [name for name in PACKAGES if any(package_of(mutant) == name for mutant in result.verdicts)]
    rows = [_row(name, result, [name]) for name in tried] + [_row("total", result, PACKAGES)]
    head = "| package | mutants | killed | of these by time or crash | survived | of these run by no test | score |"
    return "\n".join([head, "| --- " + "| ---: " * 6 + "|", *rows])


def _row(name: str, result: Result, packages: Sequence[str]) -> str:
    verdicts = [verdict for mutant, verdict in result.counted if package_of(mutant) in packages]
    survived = [verdict for verdict in verdicts if verdict.survived]
    killed = len(verdicts) - len(survived)
    hard = sum(verdict.state in ("timeout", "crash") for verdict in verdicts)
    score = f"{100 * killed / len(verdicts):.0f} %" if verdicts else "—"
    unrun = sum(not verdict.n_run for verdict in survived)
    return f"| {name} | {len(verdicts)} | {killed} | {hard} | {len(survived)} | {unrun} | {score} |"


def remarks(result: Result) -> list[str]:
    """Return what else must be known to judge the score."""
    each = result.seconds / max(1, len(result.verdicts))
    late = [mutant.key for mutant, verdict in result.verdicts.items() if not verdict.expected]
    return [
        f"{len(result.verdicts)} mutants tried in {result.seconds / 60:.1f} min, {each:.1f} s each.",
        *([f"{len(late)} killed only by a test that was not known to run it: {'; '.join(late)}"] if late else []),
        *(f"Justified, not tried: {mutant.key} | {reason}" for mutant, reason in result.justified),
        *(f"Not counted: killed by {name}, which fails on the unchanged tree too." for name in result.doubtful),
    ]


def write(result: Result, folder: Path) -> list[Path]:
    """Write the result as JSON and Markdown and return where."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / "mutants.json", folder / "mutants.md"]
    trials = [_record(mutant) | asdict(verdict) for mutant, verdict in result.verdicts.items()]
    told = {"settings": result.settings, "seconds": result.seconds, "doubtful": result.doubtful, "trials": trials}
    paths[0].write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    lines = [f"- `{line(*one)}`" for one in result.survivors]
    page = ["# Mutants", table(result), "\n".join(remarks(result)), "## Survivors", "\n".join(lines)]
    paths[1].write_text("\n\n".join(page) + "\n", encoding="utf-8")
    return paths


def survivors_in(path: Path) -> set[str]:
    """Return the keys of the survivors of an earlier run."""
    return {
        trial["key"] for trial in json.loads(path.read_text(encoding="utf-8"))["trials"] if trial["state"] == "survived"
    }


def _record(mutant: Mutant) -> dict[str, Any]:
    return {name: getattr(mutant, name) for name in ("key", "path", "line", "what", "before", "after")}
