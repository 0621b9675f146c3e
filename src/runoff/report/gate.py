"""What `runoff gate` leaves behind: the calls as Markdown, for the summary of a step."""

from __future__ import annotations

from pathlib import Path

from runoff.errors import OutputError
from runoff.results.gate import GateRecord, GateResult
from runoff.words.numbers import digits, exactly

HEADS = ("task", "runs", "baseline", "candidate", "drop", "at most", "call")
LOUD = ("regressed", "suspect")


def gate_markdown(found: GateResult) -> str:
    """Return the outcome, a table of all calls, and by what they were made."""
    rows = [_row(HEADS), _row(["---", *["---:"] * (len(HEADS) - 2), "---"])]
    rows += [_row(_cells(record)) for record in found.records]
    return "\n".join(
        [
            f"### runoff gate: {found.call}",
            "",
            _plain(found.sentence),
            "",
            *rows,
            "",
            f"{_plain(found.candidate)} beside {_plain(found.baseline)}; margin {exactly(found.margin)}, α = {exactly(found.alpha)} over all "
            f"rows, required power {exactly(found.required)}; scores {found.candidate_sha256[:12]} beside {found.baseline_sha256[:12]}.",
            "",
        ]
    )


def write_markdown(found: GateResult, out: str | Path) -> None:
    """Add the Markdown to a file, as the summary of a step that holds more than this.

    Raises
    ------
    OutputError
        Nothing can be written there.
    """
    try:
        with Path(out).open("a", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            file.write(gate_markdown(found))
    except OSError as error:
        raise OutputError(f"the summary {out} cannot be written: {error.strerror or error}.") from error


def gate_cells(record: GateRecord) -> list[str]:
    """Return what a row of the table says beside the name of the task and the call."""
    numbers = (record.baseline, record.candidate, record.drop, record.drop_high)
    return [f"{record.n_runs_baseline} / {record.n_runs_candidate}", *(digits(value, 4) for value in numbers)]


def _cells(record: GateRecord) -> list[str]:
    task = "**all tasks**" if record.task is None else _plain(record.task)
    call = f"**{record.call}**" if record.call in LOUD else record.call
    return [task, *gate_cells(record), call]


def _row(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    for mark in "\\`*_{}[]<>#|~":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split("\n"))
