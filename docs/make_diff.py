"""What 0.3 changes on the sets of the archive, by `runoff diff`, for tables/versions.csv and tables/changes_by_reason.csv.

    PYTHONPATH=OTHER/src python -m docs.make_diff results OLD   # under either version: results of all sets, in a folder (a minute)
    python -m docs.make_diff results NEW
    python -m docs.make_diff tables OLD NEW

A set whose algorithms share no task is split into the tasks that the same algorithms have. The rows of `make_archive`, normalised where there
are reference scores, follow. Results of 0.2.0 are those of commit 826b48a2.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import runoff as ro
from docs.make_archive import ROWS

if TYPE_CHECKING:
    from runoff.answer.diff import DiffPair, DiffResult

BENCHMARKS = "15 comparisons of one benchmark"
"""The rows of `make_archive`."""
LAWS = {
    "single runs": "a pair of single runs alone has no verdict",
    "same runs": "a pair of the same runs has no verdict (R031)",
    "left out": "a task on which one of two has a single run is left out",
    "family": "another pair of the family has another p-value",
    "iqm": "the IQM is the default from four tasks on",
    "df": "degrees of freedom are those of tasks on which runs vary",
}


def write_results(folder: Path) -> None:
    """Write what the report of each set, and of each row of `make_archive`, says; those that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for card in ro.archive.list():
        scores = ro.archive.load(card.name)
        there = [*folder.glob(f"{card.name}.json"), *folder.glob(f"{card.name}, part *.json")]
        if card.kind == "tuning" or scores.n_algorithms == 1 or there:
            continue
        if not written(scores, folder / f"{card.name}.json"):
            for at, part in enumerate(split(scores), 1):
                written(part, folder / f"{card.name}, part {at}.json")
    for row in ROWS:
        if not (place := folder / f"{row.set}, {row.benchmark}.json").exists():
            written(row.scores(), place)


def split(scores: ro.Scores) -> Iterator[ro.Scores]:
    """Yield the scores of the tasks that the same algorithms, and no others, have; of two algorithms or more."""
    groups = defaultdict(list)
    for task, present in zip(scores.tasks, (scores.n_runs > 0).T, strict=True):
        groups[tuple(present.tolist())].append(task)
    for present, tasks in groups.items():
        if sum(present) > 1:
            yield scores.select(
                algorithms=[scores.algorithms[a] for a, there in enumerate(present) if there], tasks=tasks
            )


def written(scores: ro.Scores, place: Path) -> bool:
    """Write what a report says, without its page; return whether the scores can be compared."""
    from runoff.page.answers.all import answer
    from runoff.page.files.records import json_text

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        try:
            text = json_text(answer(scores, alpha=0.05, seed=0, n_resamples=50_000, command=place.stem))
        except ro.DesignError:
            return False
    place.write_text(text, encoding="utf-8")
    return True


def write_tables(old: Path, new: Path) -> None:
    """Write what changed by set, and by what."""
    from tools.site.tables import write

    sets: dict[str, Counter[str]] = defaultdict(Counter)
    laws: dict[str, Counter[str]] = {law: Counter() for law in LAWS}
    for place in sorted(old.glob("*.json")):
        result = ro.diff(place, new / place.name)
        name, _, part = place.stem.partition(", ")
        own = sets[name if not part or part.startswith("part ") else BENCHMARKS]
        came = sum(row.old_severity is None for row in result.cautions)
        changes = Counter(row.change for row in result.pairs)
        own.update(verdicts=result.n_verdicts, came=came, went=len(result.cautions) - came, **changes)
        own["leaders"] += result.old_leader != result.new_leader
        for row, law in laws_of(result, json.loads(place.read_bytes()), json.loads((new / place.name).read_bytes())):
            laws[law][row.change] += 1
    heads = {
        "verdicts": "verdicts",
        "verdict": "other verdicts",
        "numbers": "same verdict, other numbers",
        "leaders": "other leaders",
        "came": "cautions that came",
        "went": "cautions that went",
    }
    lines = [f"| set | {' | '.join(heads.values())} |"]
    # The sets by name, and the comparisons of benchmarks last.
    order = sorted(sets, key=lambda name: (name == BENCHMARKS, name))
    write(
        "versions", [*lines, *(f"| {name} | {' | '.join(str(sets[name][key]) for key in heads)} |" for name in order)]
    )
    lines = ["| change | other verdicts | same verdict, other numbers |"]
    lines += [f"| {LAWS[law]} | {own['verdict']} | {own['numbers']} |" for law, own in laws.items()]
    write("changes_by_reason", lines)


def laws_of(result: DiffResult, old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[DiffPair, str]]:
    """Yield each changed pair with the change of law that it is due to: old and new have the pairs with all their fields."""
    before, after = ({frozenset((pair["a"], pair["b"])): pair for pair in side["pairs"]} for side in (old, new))
    for row in result.pairs:
        x, y = (side[frozenset((row.a, row.b))] for side in (before, after))
        if y["unjudged"]:
            yield row, "same runs" if "same numbers" in y["unjudged"] else "single runs"
        elif x["measure"] != y["measure"]:
            yield row, "iqm"
        elif y["left_out"]:
            yield row, "left out"
        else:
            yield row, "family" if x["pvalue"] == y["pvalue"] else "df"


if __name__ == "__main__":
    if sys.argv[1] == "results":
        write_results(Path(sys.argv[2]))
    else:
        write_tables(Path(sys.argv[2]), Path(sys.argv[3]))
