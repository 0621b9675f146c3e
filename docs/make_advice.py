"""How often each advice code fires, and how often doing what it says changes a verdict: `python -m docs.make_advice` (a minute).

Two hundred reports of published runs: two to five algorithms of one set of the archive on 1 to 16 of its tasks, with 3, 5, 10 or all of their
runs, every other one normalised. What a code says is done to the data or the options where a machine can do it: "add runs" takes more of the
published runs, as many again. A verdict has changed if a pair is called otherwise, or is not called any more.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, islice

import numpy as np

import runoff as ro
from docs.make_guards import SETS, TASKS, Cells, normalised, pool
from runoff._inference.advice import CODES
from runoff.answer.comparison import ComparisonResult
from runoff.page.answers.all import Answers, answer
from tools.site.tables import write

REPORTS, COUNTS = 200, (3, 5, 10, 1_000)


def design(i: int) -> tuple[Cells, Cells]:
    """Return the runs of the i-th report, and all that were published of the same cells."""
    rng = np.random.default_rng([53, i])
    every = pool(SETS[i % len(SETS)])
    names = rng.permutation(sorted(every))[: int(rng.integers(2, 6))].tolist()
    tasks = sorted(set.union(*(set(every[name]) for name in names)))
    chosen = rng.permutation(tasks)[: int(rng.choice(TASKS))].tolist()
    published = {a: {t: rng.permutation(every[a][t]) for t in chosen if t in every[a]} for a in names}
    published = {a: own for a, own in published.items() if own}
    if i % 2:
        published = normalised_where_shared(published)
    n = COUNTS[i % len(COUNTS)]
    return {a: {t: runs[:n] for t, runs in own.items()} for a, own in published.items()}, published


def normalised_where_shared(cells: Cells) -> Cells:
    """Return scores in the range of each task, on the tasks that all algorithms have, if there are any."""
    shared = set.intersection(*(set(own) for own in cells.values()))
    kept = {a: {t: runs for t, runs in own.items() if t in shared} for a, own in cells.items()}
    return normalised(kept, kept) if shared else cells


def compared(scores: ro.Scores, **options: object) -> ComparisonResult:
    return ro.compare(scores, n_resamples=200, **options)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Report:
    """The answers of a report, with all runs that were published of its cells."""

    scores: ro.Scores
    published: Cells
    answers: Answers

    def with_more_runs(self) -> ComparisonResult:
        cells = {(a, t): self.scores.cell(a, t).size for a in self.published for t in self.published[a]}
        more = {a: {t: runs[: 2 * cells[a, t]] for t, runs in own.items()} for a, own in self.published.items()}
        return compared(ro.Scores.from_dict(more))

    def without_tasks(self, tasks: set[str]) -> ComparisonResult:
        return compared(self.scores.select(tasks=[task for task in self.scores.tasks if task not in tasks]))

    def read_as(self, **options: str) -> ComparisonResult:
        return compared(ro.Scores.from_frame(self.scores.to_frame(), **options))  # type: ignore[arg-type]

    def missing(self) -> set[str]:
        """Return the tasks that some algorithm lacks."""
        return {task for t, task in enumerate(self.scores.tasks) if not self.scores.n_runs[:, t].all()}

    def tasks_in(self, code: str) -> set[str]:
        """Return the tasks that the texts of a code name."""
        texts = [item.text for item in self.answers.advice if item.code == code]
        return {task for task in self.scores.tasks for text in texts if repr(task) in text}


FOLLOWED: Mapping[str, Callable[[Report], ComparisonResult]] = {
    "R001": Report.with_more_runs,
    "R002": Report.with_more_runs,
    "R003": Report.with_more_runs,
    "R006": lambda report: compared(report.scores, alpha=0.01),
    "R007": lambda report: compared(report.scores, control=report.answers.comparison.standing.leader),
    "R012": lambda report: report.without_tasks(report.missing()),
    "R016": Report.with_more_runs,
    "R022": lambda report: report.read_as(runs="shared"),
    "R026": lambda report: report.without_tasks(report.tasks_in("R026")),
    "R029": lambda report: report.read_as(score_unit="shared"),
    "R206": lambda report: compared(report.scores, test="mack_skillings"),
}
"""What each code says to do, where a machine can do it."""


def verdicts(result: ComparisonResult) -> dict[frozenset[str], str]:
    """Return who was found better of each pair, "=" where they are equivalent, "" where nothing was found."""
    return {
        frozenset((pair.a, pair.b)): "=" if pair.verdict == "equivalent" else pair.winner or "" for pair in result.pairs
    }


def of_ranks(answers: Answers) -> dict[frozenset[str], str]:
    """Return what the critical difference says of each pair."""
    critical = answers.ranking.critical
    pairs = () if critical is None else critical.pairs
    return {frozenset((p.a, p.b)): (p.a if p.difference > 0 else p.b) if p.rejected else "" for p in pairs}


def answered() -> Iterator[Report]:
    """Yield the designs that have a report: algorithms of the archive that share no task have none."""
    for i in count():
        cells, published = design(i)
        scores = ro.Scores.from_dict(cells)
        with suppress(ro.RunoffError):
            yield Report(scores, published, answer(scores, alpha=0.05, seed=0, n_resamples=200, command=""))


def reports() -> Iterator[tuple[set[str], set[str], set[str]]]:
    """Yield of each report the codes that it shows, those that could be followed, and those after which a verdict is another."""
    for report in islice(answered(), REPORTS):
        codes = {item.code for item in report.answers.advice}
        done, changed = set(), set()
        for code in codes & FOLLOWED.keys():
            try:
                after = verdicts(FOLLOWED[code](report))
            except ro.RunoffError:  # as where no task is left
                continue
            before = of_ranks(report.answers) if code == "R206" else verdicts(report.answers.comparison)
            done.add(code)
            if any(after.get(pair, verdict) != verdict for pair, verdict in before.items()):
                changed.add(code)
        yield codes, done, changed


def main() -> None:
    warnings.simplefilter("ignore", ro.RunoffWarning)
    shown, done, changed = Counter[str](), Counter[str](), Counter[str]()
    for codes, followed, turned in reports():
        shown.update(codes)
        done.update(followed)
        changed.update(turned)
    lines = [f"| code | what it says | severity | of {REPORTS} reports | could be followed | a verdict changed |"]
    for code, about in CODES.items():
        if shown[code]:
            after = f"{done[code]} | {changed[code]}" if done[code] else "– | –"
            lines.append(f"| {code} | {about.title} | {about.severity} | {shown[code]} | {after} |")
    write("advice_codes", lines)


if __name__ == "__main__":
    main()
