"""A second run: what has regressed must regress again in fresh runs, judged by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from runoff._inference.gate.fresh import refuse_stale, refuse_unable, refuse_unlike
from runoff.answer.base import most_severe_first
from runoff.answer.gate import GateResult, GateRow
from runoff.data.baseline import Baseline
from runoff.words.numbers import digits, p_equals
from runoff.words.speech import Sentence, neutral


def confirmed(
    first: GateResult,
    before: Baseline,
    after: Baseline,
    fresh: Baseline,
    judged: Callable[..., GateResult],
) -> GateResult:
    """Return the answer where only what has regressed in the fresh runs too, by themselves, has regressed."""
    lost = [record for record in first.rows if record.verdict == "regressed"]
    if not lost:
        return replace(first, notes=(*first.notes, "Nothing has regressed, so that the second run is not judged."))
    # The record of the mean is the last: where it has regressed, all tasks are judged again, for it is of all.
    tasks = [record.task for record in lost if record.task is not None and lost[-1].task is not None]
    tasks = tasks or list(before.scores.tasks)
    # Runs that were judged once cannot confirm themselves.
    refuse_stale(after.scores, fresh.scores, tasks)
    spare = [task for task in fresh.scores.tasks if task not in tasks]
    are = "is" if len(spare) == 1 else "are"
    unused = (
        f"{', '.join(spare[:3])}{', …' * (len(spare) > 3)} had not regressed, and {are} not judged in the second run."
    )
    kept, rerun = (replace(side, scores=side.scores.select(tasks=tasks)) for side in (before, fresh))
    refuse_unlike(kept, rerun, "second run")
    # A second run of so few runs that no p-value could reach the level would turn every alarm into "suspect".
    refuse_unable(kept.scores, rerun.scores, [record.task for record in lost], first.alpha / first.nights)
    own = {str(record.task): record.margin for record in first.rows if record.task in tasks}
    second = judged(kept, rerun, own if first.overall.drop_unit == "margin" else first.margin)
    again = {record.task: record for record in second.rows}
    records = tuple(_seen_again(record, again[record.task]) if record in lost else record for record in first.rows)
    return replace(
        first,
        verdict="regressed" if any(r.verdict == "regressed" for r in records) else "suspect",
        rows=records,
        confirmation=second,
        notes=(*first.notes, *[unused] * bool(spare)),
        sentence=Sentence(_twice_words(first, records, second)),
        advice=most_severe_first((*first.advice, *second.advice)),
    )


def _seen_again(record: GateRow, again: GateRow) -> GateRow:
    if again.verdict == "regressed":
        words = f"{neutral(record.sentence)} Fresh runs confirm it: {digits(again.drop, 4)} lower."
        return replace(record, sentence=Sentence(words))
    where = "Over all tasks" if record.task is None else f"On {record.task!r}"
    sentence = (
        f"{where} the candidate is suspect: it had regressed ({digits(record.drop, 4)} lower, adjusted {p_equals(record.pvalue_adjusted)}), and "
        f"fresh runs do not confirm it. {_of_second(again)}"
    )
    return replace(record, verdict="suspect", sentence=Sentence(sentence))


def _of_second(answer: GateRow | GateResult) -> str:
    return f"The second run: {neutral(answer.sentence)}"


def _twice_words(first: GateResult, records: Sequence[GateRow], second: GateResult) -> str:
    by_call: dict[str, list[str]] = {"regressed": [], "suspect": []}
    for before, record in zip(first.rows, records, strict=True):
        if before.verdict == "regressed":
            by_call[record.verdict].append(record.task or "the mean")
    again, not_again = (", ".join(by_call[call]) for call in ("regressed", "suspect"))
    if not again:
        return f"The candidate is suspect: it had regressed ({not_again}), and fresh runs do not confirm it. {_of_second(second)}"
    rest = f"; {not_again} not, suspect" if not_again else ""
    return f"{neutral(first.sentence)} Fresh runs confirm it ({again}{rest})."
