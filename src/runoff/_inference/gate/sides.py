"""A baseline and its candidate as one set of scores, and the answer that their calls make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

import numpy as np

from runoff._inference import advice as rules
from runoff._inference.gate.calls import call_words
from runoff._inference.gate.fresh import refuse_lost, refuse_unlike
from runoff._inference.gate.policy import Ruling
from runoff._inference.gate.unit import Terms, UnitCall
from runoff._inference.pairs import PairData, TaskPair, measure_over_tasks, tasks_as_sample
from runoff.answer.base import Advice, filled
from runoff.answer.gate import GateResult, GateRow
from runoff.data.baseline import Baseline
from runoff.data.protocol import digest
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.names import OverName
from runoff.words.speech import Sentence

SIDES = "baseline", "candidate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The baseline and the candidate, both as algorithms of one set of scores, and what is the sample; cluster: of each item."""

    before: Baseline
    after: Baseline
    both: Scores
    over: OverName
    cluster: Mapping[str, str] | None = None

    @classmethod
    def of(
        cls,
        before: Baseline,
        after: Baseline,
        *,
        over: OverName,
        cluster: Mapping[str, str] | None = None,
        rates: bool = False,
    ) -> Sides:
        """Return both; refuse what is no candidate of the baseline, and single runs. rates: single successes are no such, as of rollouts."""
        refuse_unlike(before, after, "candidate", items=over == "tasks")
        both = _beside(before, after)
        if over == "runs" and not (rates and both.rates):
            refuse_single_runs(both)
        refuse_lost(both)
        return cls(before=before, after=after, both=rules.comparable(both), over=over, cluster=cluster)

    @property
    def names(self) -> tuple[str, str]:
        return self.before.scores.algorithms[0], self.after.scores.algorithms[0]

    def pair(self, scores: Scores | None = None) -> PairData:
        """Return baseline and candidate as a pair, on all tasks or on those of some of the scores, with what is the sample."""
        pair = PairData.of(self.both if scores is None else scores, 0, 1)
        return self.of_tasks(self.both if scores is None else scores, pair) if self.over == "tasks" else pair

    def of_tasks(self, scores: Scores, pair: PairData) -> TaskPair:
        """Return a pair with its tasks as the sample; refuse tasks whose mean has no interval that holds."""
        sample = tasks_as_sample(scores, [pair], self.cluster)
        measure_over_tasks(scores, sample, "mean")
        return sample[0]

    def answer(self, terms: Terms, rows: Sequence[GateRow], sentence: str, **own: Any) -> GateResult:
        """Return the answer made of rows; its sentence names the two sides if they have different names."""
        baseline, candidate = self.names
        costs = self.after.scores.provenance.of_costs
        negated = " Scores are negated costs: a lower mean is a higher cost." if costs else ""
        other = f" The candidate is {candidate!r}, the baseline {baseline!r}." if baseline != candidate else ""
        return filled(
            GateResult,
            terms,
            rows=tuple(rows),
            required=terms.power,
            baseline=baseline,
            candidate=candidate,
            baseline_sha256=digest(self.before.scores),
            candidate_sha256=digest(self.after.scores),
            seed=terms.streams.seed,
            over=self.over,
            sentence=Sentence(f"{sentence}{negated}{other}"),
            **own,
        )

    def advice(self, pairs: Sequence[PairData], *more: Advice | None) -> tuple[Advice, ...]:
        """Return what is to be minded of the data, and of these pairs."""
        both, who = self.both, rules.pair(*SIDES)
        about = rules.about_data(both)
        if self.over == "tasks":
            clusters = [rules.few_clusters(pair.n_clusters, who) for pair in pairs if isinstance(pair, TaskPair)]
            return rules.collected(*clusters, *more, *about, unit=pairs[0].unit)
        return rules.collected(
            *(rules.few_runs(chain.from_iterable(pair.sizes), who) for pair in pairs),
            *(rules.spreads_otherwise(pair.x, pair.y, pair.tasks, who) for pair in pairs if not pair.rates),
            rules.fewer_runs([[both.labelled(a, t)[0] for a in range(2)] for t in range(both.n_tasks)]),
            rules.in_groups(rules.cells_in_groups(both), both.n_tasks),
            *more,
            *about,
            unit=pairs[0].unit,
        )


def row_of(call: UnitCall, pair: PairData, terms: Terms, *, n_tasks: int, ruling: Ruling | None = None) -> GateRow:
    """Return a call as a row, of a benchmark with its rule."""
    drop_unit: Literal["score", "margin"] = "margin" if terms.units and call.task is None else "score"
    items = pair.over == "tasks"
    own: dict[str, Any] = {}
    if ruling is not None:
        own = {"verdict": "passed" if ruling.holds else "failed", "rule": ruling.rule.rule}
    return filled(
        GateRow,
        call,
        **own,
        drop=call.drop.estimate,
        drop_high=call.high,
        drop_unit=drop_unit,
        detectable_drop=None if np.isinf(call.detectable) else call.detectable,
        n_runs_baseline=call.sizes[0],
        n_runs_candidate=call.sizes[1],
        n_items=len(pair.tasks) if items else None,
        runs_needed=None if items else call.runs_needed,
        items_needed=call.runs_needed if items else None,
        quantity=call.speech.what,
        sentence=Sentence(call_words(call, terms, n_tasks) if ruling is None else ruling.words),
    )


def refuse_single_runs(scores: Scores) -> None:
    for a, name in enumerate(scores.algorithms):
        for t, task in enumerate(scores.tasks):
            if scores.cell(a, t).size < 2:
                whose = f"the {name}" if name in SIDES else repr(name)
                raise DesignError(
                    f"{whose} has a single run on task {task!r}: one run shows no spread, so no drop could be distinguished from chance; "
                    "give at least two of each, better five or more."
                )


def _beside(baseline: Baseline, candidate: Baseline) -> Scores:
    """Return both as algorithms of one set of scores, on the tasks of the baseline."""
    before, after = baseline.scores, candidate.scores
    named = [
        scores.rename(algorithms={scores.algorithms[0]: side}).select(tasks=before.tasks)
        for scores, side in zip((before, after), SIDES, strict=True)
    ]
    grid = {(a, t): scores.labelled(0, t) for a, scores in enumerate(named) for t in range(before.n_tasks)}
    caveats = [caveat for scores in named for caveat in scores.provenance.caveats]
    origin = replace(before.provenance, caveats=tuple(dict.fromkeys(caveats)))
    return Scores.from_grid(SIDES, before.tasks, grid, origin, before.sampling)
