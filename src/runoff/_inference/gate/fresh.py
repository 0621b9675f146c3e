"""Runs that are no candidate: copies of runs that were seen, sets that lost some, second runs that could confirm nothing, are refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import exp, lgamma, log
from operator import itemgetter

import numpy as np

from runoff._inference.gate.family import HALF
from runoff.data.baseline import Baseline
from runoff.data.copies import copied, fine, in_one_precision
from runoff.data.protocol import digest, refuse_other_protocol, refuse_other_tasks
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.numbers import counted, digits, some
from runoff.words.speech import option

ROUNDING = 1e-9
TELLING = 5
"""So many distinct scores, all of them equal, are one set of runs, however short they are."""
MOST = 100_000
"""The largest number of fresh runs that is searched."""


def refuse_unlike(before: Baseline, after: Baseline, new: str, *, items: bool = False) -> None:
    """Refuse what is no candidate of the baseline: other tasks, another protocol, or runs of the baseline itself; items: as of `refuse_seen`."""
    refuse_other_tasks(before.scores.tasks, after.scores.tasks)
    refuse_other_protocol(before.protocol, after.protocol)
    refuse_seen(before.scores, after.scores, ("baseline", new), items=items)


def refuse_seen(before: Scores, after: Scores, sides: tuple[str, str], *, items: bool = False) -> None:
    """Refuse runs that were given before: one file, equal scores that vary and are not 0 or 1, or copies among them; sides: the sets' names.

    items: whether tasks are items, some of which two models may well answer alike, to the last digit of a score.
    """
    old, new = sides
    before, after = _in_one_precision(before, after)
    files = {scores.provenance.sha256 for scores in (before, after)}
    # A file may hold both sets under two names: the same digest is a copy only where the algorithms are the same too.
    one_file = len(files) == 1 and None not in files and before.algorithms == after.algorithms
    # Runs that do not vary, and few scores, as successes and points of a game, may well be equal though they are other runs.
    varied = any(np.ptp(cell) > 0 for cell in before.cells(0)) and not before.binary
    varied = varied and (fine(before.values.tolist()) or np.unique(before.values).size >= TELLING)
    where = f" ({after.provenance.path})" if after.provenance.path else ""
    if one_file or (varied and digest(before) == digest(after)):
        raise DesignError(
            f"the {new}'s scores{where} are those of the {old} to the last digit: one set of runs was given twice, and a gate needs runs of its "
            f"own from the {new}."
        )
    for task in (task for task in after.tasks if task in before.tasks and not items):
        theirs, own = (scores.cell(0, scores.tasks.index(task)).tolist() for scores in (before, after))
        copies = [score for score in own if score in theirs]
        score = copied(copies, [*theirs, *own], len(theirs) * len(own) * after.n_tasks)
        if score is not None:
            raise DesignError(
                f"{len(copies)} of the {new}'s {counted([len(own)], 'score')} on task {task!r}{where} "
                f"{'is' if len(copies) == 1 else 'are'} the {old}'s to the last digit "
                f"({score!r}), as if runs were copied or had one seed: a gate needs runs of its own from the {new}, of other seeds. If they "
                "are other runs, write their scores with fewer digits."
            )


def _in_one_precision(*sets: Scores) -> list[Scores]:
    """Return the sets with scores that are equal where one has single and one has double precision."""
    values = in_one_precision(np.concatenate([scores.values for scores in sets]))
    parts = np.split(values, np.cumsum([scores.values.size for scores in sets])[:-1])
    return [replace(scores, values=part) for scores, part in zip(sets, parts, strict=True)]


def refuse_lost(both: Scores) -> None:
    """Refuse a candidate with fewer runs of a task than of another where the baseline has no fewer: what crashed would be left out unsaid."""
    had, have = both.n_runs.tolist()
    most = int(np.argmax(have))
    few = next((t for t, n in enumerate(have) if n < have[most] and had[t] >= had[most]), None)
    if few is not None:
        raise DesignError(
            f"the candidate has {counted([have[few]], 'run')} on {both.tasks[few]!r} and {have[most]} on {both.tasks[most]!r}, where the "
            "baseline has no fewer: runs seem to be missing, and what crashed would be left out. Run them again, give them as rows without a "
            f"score and say what they count ({option('incomplete', 'worst')}), or give as many runs of every task."
        )


def refuse_stale(after: Scores, fresh: Scores, tasks: Sequence[str]) -> None:
    """Refuse a second run that lacks a task, or holds the scores that were to be confirmed."""
    lacking = [task for task in tasks if task not in fresh.tasks]
    if lacking:
        raise DesignError(
            f"the second run lacks {some(map(repr, lacking))}: what has regressed is to be run again, on all tasks if their mean has; give "
            f"fresh runs of {'it' if len(lacking) == 1 else 'them'}."
        )
    after, fresh = _in_one_precision(after, fresh)
    one_file = after.provenance.sha256 is not None and after.provenance.sha256 == fresh.provenance.sha256
    for task in tasks:
        old, new = (Counter(scores.cell(0, scores.tasks.index(task)).tolist()) for scores in (after, fresh))
        # Two scores, as success and failure, and short ones, as points of a game, may well be those of other runs.
        again = (old <= new or new <= old) if fine(old) else old == new and len(old) >= TELLING
        if one_file or (len(old) > 2 and again):
            raise DesignError(
                f"the second run has the candidate's scores on task {task!r}: only fresh runs, of other seeds and kept apart, confirm a drop."
            )
    refuse_seen(after, fresh, ("candidate", "second run"))


def refuse_unable(before: Scores, fresh: Scores, lost: Sequence[str | None], alarm: float) -> None:
    """Refuse a second run of which no scores would be called at the level of a night: it would clear what it cannot judge.

    lost: the tasks that have regressed, None: their mean; both sets have the tasks that are judged again, in one order.
    """
    short = []
    for task in lost:
        tasks = list(range(before.n_tasks)) if task is None else [before.tasks.index(task)]
        blocks = (
            tasks[:1] if before.sampling.runs == "shared" else tasks
        )  # whole runs are relabelled, on all tasks at once
        # The mean has half of the error rate, a task that is judged alone all of it.
        level = alarm * (HALF if len(tasks) > 1 else 1.0)
        least = log(1 / level) - ROUNDING
        rarest = sum(_rarity(before, fresh, t, fresh.cell(0, t).size) for t in blocks)
        if rarest < least:
            sums = ((m, sum(_rarity(before, fresh, t, m) for t in blocks)) for m in range(2, MOST))
            short.append((next((m for m, most in sums if most >= least), MOST), tasks, task, rarest, level))
    if not short:
        return
    needed, tasks, task, rarest, level = max(short, key=itemgetter(0))
    takes = f"it takes {needed} fresh runs{' on every task' * (len(tasks) > 1)}" if needed < MOST else "give more"
    names = ", ".join(name or "the mean" for name in lost)
    raise DesignError(
        f"the second run could not confirm that {'the mean' if task is None else repr(task)} has regressed, whatever it scored: "
        f"{_sizes(before, fresh, tasks)} reach no p-value below {digits(exp(-rarest), 2)}, and a drop is called at {digits(level, 2)}; "
        f"{takes}. Until then the candidate has regressed ({names})."
    )


def _rarity(before: Scores, fresh: Scores, t: int, m: int) -> float:
    """Return the logarithm of how many labellings there are for each that is as extreme as if the m fresh runs scored lowest of all."""
    n, lowest = before.cell(0, t).size, 0
    if before.binary and fresh.binary:  # a rate falls to 0 at most, and runs of the baseline may be there already
        lowest = int((before.cell(0, t) == 0).sum())
    # log of C(n + m, m) / C(lowest + m, m): labellings that only exchange runs at the lowest score are as extreme.
    return lgamma(n + m + 1) - lgamma(n + 1) - lgamma(lowest + m + 1) + lgamma(lowest + 1)


def _sizes(before: Scores, fresh: Scores, tasks: Sequence[int]) -> str:
    new, old = (min(scores.cell(0, t).size for t in tasks) for scores in (fresh, before))
    return f"{counted([new], 'run')} beside {old} of the baseline"
