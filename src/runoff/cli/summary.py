"""The summary of a gate as Markdown: the decision, a picture of the drops, the table, and cautions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from runoff.cli.record import defaults_named
from runoff.cli.terminal import fitted
from runoff.exits.markdown import escaped, markdown_of
from runoff.words.names import BLOCKING, FAILING, GateVerdict
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from runoff.answer.gate import GateResult, GateRow

SIGNS: Mapping[GateVerdict, str] = {
    "regressed": "-", "suspect": "!", "underpowered": "#", "held": "+", "improved": "+",
    "passed": "+", "failed": "-",
}  # fmt: skip
"""The first characters that make a line of a diff red, orange, grey and green."""
HALF = 16
"""The number of columns of the picture on either side of no drop."""
REACHES = 2, 4, 8
"""The possible ranges of the picture in margins: the first beyond all drops, or the last."""


def _deciding(result: GateResult, fails: Sequence[GateVerdict]) -> GateVerdict:
    """Return the worst failing verdict, or the verdict of the answer."""
    calls = {record.verdict for record in result}
    return next((call for call in (*BLOCKING, *FAILING) if call in fails and call in calls), result.verdict)


def gate_markdown(result: GateResult, fails: Sequence[GateVerdict] = ()) -> str:
    """Return the outcome, a picture, the table of verdicts, cautions, and the digests of the scores; fails: the verdicts that fail."""
    return "\n".join(
        [
            f"### runoff gate: {_deciding(result, fails)}",
            "",
            escaped(in_shell(result.sentence)),
            "",
            *gate_picture(result),
            "",
            *map(markdown_of, result.tables()),
            "",
            *(
                f"- {escaped(f'{advice.code} {in_shell(advice.text)} ({advice.source})')}"
                for advice in result.advice
                if advice.severity != "info"
            ),
            "",
            f"{escaped(result.candidate)} against {escaped(result.baseline)}; scores {result.candidate_sha256[:12]} against "
            f"{result.baseline_sha256[:12]}. {escaped(' '.join([*map(in_shell, result.notes), *defaults_named()]))}",
            "",
        ]
    )


def gate_picture(result: GateResult) -> list[str]:
    """Return each drop and its limit, in margins, as lines of a diff, because GitHub shows no images in a summary but colours these lines."""
    from rich.cells import cell_len

    labels = fitted([record.task for record in result.tasks if record.task is not None], 34)
    names = [labels.get(record.task or "", result.called(record)) for record in result.rows]
    width = max(map(cell_len, names))
    largest = max(abs(record.drop / _scale(record)) for record in result.rows)
    reach = next((margins for margins in REACHES if margins > largest), REACHES[-1])
    scale = "".join(f"{step * reach // 2:2d}".ljust(HALF // 2) for step in range(-2, 3)).replace("-", "−").rstrip()
    rows = [
        f"{SIGNS[record.verdict]} {name}{'':{width - cell_len(name)}}  {picture_bar(record, reach)}  {record.verdict}"
        for name, record in zip(names, result.rows, strict=True)
    ]
    # Who must win has no margin, and rows of several units no common scale but their own widths.
    winning = "; a required win in interval widths" * any(record.margin == 0 for record in result.rows)
    return [
        "```diff",
        f"@@ the drop ├──┤ at most, in margins (┃){winning} @@",
        f"{'':{width + 4}}{scale}",
        *rows,
        "```",
    ]


def _scale(record: GateRow) -> float:
    """Return the unit of the picture: the margin, or the distance of the limit from the drop if there is no margin."""
    width = 0.0 if record.drop_high is None else record.drop_high - record.drop
    return record.margin or width or abs(record.drop) or 1.0


def picture_bar(record: GateRow, reach: int) -> str:
    """Return the line of a record; an arrow marks what lies beyond the scale."""
    # From the middle (a drop of 0) `HALF` columns to either side make `reach` margins; −1 and 2 · HALF + 1 lie just
    # beyond.
    low, high = (
        round(min(max((drop / _scale(record) / reach + 1) * HALF, -1), 2 * HALF + 1))
        for drop in (record.drop, float("inf") if record.drop_high is None else record.drop_high)
    )
    ends = {low: "├", high: "┤"} if low < high else {low: "┼"}
    marks = {HALF: "│"} | ({HALF + HALF // reach: "┃"} if record.margin else {})
    line = "".join(ends.get(i) or marks.get(i) or ("─" if low < i < high else " ") for i in range(2 * HALF + 1))
    return f"{'‹' if low < 0 else ' '}{line}{'›' if high > 2 * HALF else ' '}"
