"""May we stop now, and which runs should come next?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from runoff._inference import planning
from runoff._inference import sequential as planned
from runoff._inference.advice import comparable, comparable_in_all
from runoff._inference.pairs import IMPROVEMENT, PairData, all_pairs, chosen_pairs, measure_of, run_means, widest
from runoff._inference.power import detectable, required_power
from runoff._inference.sequential import SequentialDesign as SequentialDesign
from runoff._inference.sequential import read_design as read_design
from runoff._inference.sequential import write_design as write_design
from runoff.answer.base import filled
from runoff.answer.plan import NextRunsResult, NextRunsRow
from runoff.answer.sequential import COUNTS, SequentialLook, SequentialPair, SequentialPoint, SequentialResult
from runoff.base.arrays import Floats, Ints
from runoff.base.locks import locked
from runoff.base.validate import check_alpha, is_number
from runoff.base.writing import refuse_link
from runoff.data.given import DataOptions, ScoresLike, as_scores, as_sweep
from runoff.data.scores import Scores
from runoff.data.sweeps import configs_of
from runoff.errors import DesignError, OptionError
from runoff.methods.confirm import MOST, price_of, runs_to_confirm
from runoff.words.measures import differences_words
from runoff.words.names import MeasureName
from runoff.words.speech import Sentence, choice, option


def sequential(
    data: ScoresLike | None = None,
    *,
    design: SequentialDesign | str | Path,
    state: str | Path | None = None,
    earlier: Sequence[ScoresLike] = (),
) -> SequentialResult:
    """May we stop now, or are more runs needed?

    Parameters
    ----------
    data : Scores, frame, dictionary or path, optional
        The runs that are new at this look, and only these: as many of each algorithm on each task as the design adds. None: the answer from
        the earlier looks.
    design : SequentialDesign or path
        What was decided before the first run; a TOML file, or the design itself.
    state : path, optional
        A JSON file that keeps runs and decisions from look to look. The first look creates it; it is written only if the look succeeds.
    earlier : sequence of Scores, frames, dictionaries or paths
        Without a state: the runs that were new at each look before, in order.

    Returns
    -------
    SequentialResult
        A decision for each pair: "a_better", "b_better", "equivalent", "go_on" or "inconclusive".

    Raises
    ------
    OptionError
        The design is not valid, or both `state` and `earlier` are given.
    DesignError
        The runs are not those of the next look, the state belongs to another design, or the experiment has ended.
    DataError
        A run was given before, or the state file is damaged.

    Notes
    -----
    **A difference.** The statistic of a pair is the difference of mean scores, averaged over tasks, divided by its standard error, on all
    runs so far. Runs are permuted within every task of every look, and each permutation gives a path over the looks. By look k at most the
    highest share α(k) of all paths has crossed. The data's path is among them, so for equal distributions the chance of crossing at any look
    is at most α. With several pairs, every partition of the algorithms into groups of equal ones is tested in this way, and a pair differs
    when every partition with the two in one group has crossed. The false positive rate is then at most α, whichever algorithms are equal.
    Where means are equal and spreads differ, this holds approximately; if runs are skewed as well, it does not (up to 0.20 instead of 0.05
    for lognormal runs). A crossing is claimed only where `compare(measure="mean")` at α finds the difference in all runs so far too. This
    can only remove claims, and no claim contradicts that comparison. A design of one look is that comparison, and nothing is permuted.
    **Equivalence.** Two one-sided tests of the same kind, with the scores of one algorithm shifted by the margin, both reject at α divided
    by the number of pairs, and `compare(margin=...)` agrees. A pair that differs, but by less than the margin, is equivalent. Runs with at
    most two scores on a task show no equivalence: a shift does not describe them, and five successes in five runs do not rule out a rate of
    0.9.
    **Success rates of one task.** Where all scores are 0 and 1, each an episode (`unit="episode"`) of one task, and the last look comes
    after N ≤ 200 episodes, success counts decide in place of permutations; there may be a look after every pair, `looks=range(1, N + 1)`.
    The lead that is enough at a look depends on the successes of both together. All counts are enumerated to set it, so that at every common
    rate at most α(k) of experiments have ended in a claim by look k; α(k) = α (n/N)² unless `spending` says otherwise. Where no last look
    can be named, `spending="open"` has α(k) = α n² / (n² + 30²). With several pairs each partition divides its α evenly (Bonferroni). Pairs
    that have ended have the stage-wise interval (Tsiatis, Rosner & Mehta 1984).
    **Futility.** A pair stops as inconclusive if a difference of `effect`, in either direction, would be found by the last look with a
    chance below `futility`, as computed from a normal statistic and the boundaries of the design. The tests ignore this stop, so
    the error rate holds whether one stops or not.
    **Leaving.** An algorithm is run as long as a partition that is not rejected puts it into a group with others and groups a pair that is
    still open.

    The bounds are checked against rpact (1e-7), Jennison & Turnbull (2000, tables 2.1 and 2.3) and a multivariate normal, error rates by
    simulation.

    References
    ----------
    Lan & DeMets 1983; Jennison & Turnbull 2000; Marcus, Peritz & Gabriel 1976; Tang & Geller 1999; Chung & Romano 2016.

    Examples
    --------
    >>> import numpy as np, runoff as ro
    >>> runs = np.random.default_rng(1)
    >>> design = ro.SequentialDesign(looks=(5, 10, 15), algorithms=("PPO", "SAC"))
    >>> looks = [{"PPO": runs.normal(0, 1, 5), "SAC": runs.normal(1, 1, 5)} for _ in range(3)]
    >>> print(ro.sequential(looks[0], design=design).sentence)
    After look 1 of 3 (5 runs per task) it goes on: the next look takes 5 more runs of PPO and SAC on the task.
    >>> print(ro.sequential(looks[1], design=design, earlier=looks[:1]).sentence)
    After look 2 of 3 (10 runs per task) the experiment has ended: SAC is better than PPO.
    """
    with judged_look(data, design=design, state=state, earlier=earlier) as result:
        return result


@contextmanager
def judged_look(
    scores: ScoresLike | None,
    *,
    design: SequentialDesign | str | Path,
    state: str | Path | None = None,
    earlier: Sequence[ScoresLike] = (),
) -> Iterator[SequentialResult]:
    """Yield the answer at a look; the state is replaced once the block has ended well, and no other call changes it before."""
    if not isinstance(design, (SequentialDesign, str, Path)):
        raise OptionError(
            f"design= takes what was decided before the first run, ro.SequentialDesign(looks=(5, 10, 15, 20)), or the path of its file; not "
            f"{design!r}."
        )
    plan = design if isinstance(design, SequentialDesign) else read_design(design)
    if state is not None and len(earlier):
        raise OptionError("state= keeps the runs of earlier looks; earlier= gives them again: name one of the two.")
    new = None if scores is None else comparable_in_all(as_scores(scores))
    if state is not None and new is not None:
        refuse_link(Path(state))  # now, for other files of this call are written before the state
    # Only who adds runs needs the lock; a state is replaced whole, so that a reader meets the old or the new one.
    with nullcontext() if state is None or new is None else locked(Path(state), "state"):
        now = _so_far(plan, state, earlier)
        if new is not None and not now.looks:  # an experiment that has begun goes on
            planned.refuse_unlike_tasks(new)
        now = now if new is None else planned.fed(now, new)
        judged = _judged(now)
        # The state keeps verdicts, not only runs: a later call must not decide an early look otherwise.
        decided = _with_verdicts(now, judged)
        yield _result(decided, judged).with_origin(scores)
        if state is not None and new is not None:
            decided.write(state)


def _so_far(plan: SequentialDesign, state: str | Path | None, earlier: Sequence[ScoresLike]) -> planned.State:
    if state is not None:
        return planned.read_state(state, plan)
    now = planned.State(design=plan, algorithms=plan.algorithms, tasks=plan.tasks)
    for scores in earlier:
        now = planned.fed(now, comparable_in_all(as_scores(scores)))
        now = _with_verdicts(now, _judged(now))
    return now


def _judged(now: planned.State) -> tuple[planned.Judged, ...]:
    cells, n_tasks = now.cells()
    by = planned.CountedClosed if now.counted else planned.Closed
    return planned.judge(now.plan, cells, len(now.algorithms), n_tasks, by)


def _with_verdicts(now: planned.State, judged: Sequence[planned.Judged]) -> planned.State:
    names = now.algorithms
    return now.with_verdicts(
        [tuple((names[f.pair[0]], names[f.pair[1]], f.decision) for f in look.findings) for look in judged],
        [tuple(names[a] for a in look.needed) for look in judged],
    )


def _result(now: planned.State, judged: Sequence[planned.Judged]) -> SequentialResult:
    design, look = now.plan, len(judged)
    latest = {finding.pair: finding for look in judged for finding in look.findings}
    pairs = tuple(_pair(now, latest[pair]) for pair in sorted(latest))
    going = bool(now.needed)
    # Looks are counted in runs so far, and what is asked for is what to add to them.
    more = design.looks[look] - (design.looks[look - 1] if look else 0) if going else 0
    path = tuple(
        SequentialPoint(
            a=now.algorithms[finding.pair[0]],
            b=now.algorithms[finding.pair[1]],
            look=finding.look + 1,
            statistic=finding.statistic,
            critical=planned.finite_bound(finding.critical),
        )
        for look_of in judged
        for finding in look_of.findings
    )
    return filled(
        SequentialResult,
        design,
        pairs=pairs,
        trajectory=path,
        looks=_looks(now),
        look=look,
        alpha_spent=design.spent[look - 1] if look else 0.0,
        spending=design.spending or planned.DEFAULT,
        test=COUNTS if now.counted else design.test,
        next_look=design.looks[look] if going else None,
        next_runs=more,
        next_algorithms=now.needed,
        cost=design.cost(now.n_runs),
        next_cost=design.cost(more * len(now.needed) * len(now.tasks)),
        design_sha256=now.design.sha256,
        sentence=planned.answer_words(
            design, look, [(p.a, p.b, p.decision) for p in pairs], now.needed, len(now.tasks), counted=now.counted
        ),
        notes=_notes(now),
    )


def _looks(now: planned.State) -> tuple[SequentialLook, ...]:
    design = now.plan
    bounds = planned.widest_leads(design) if now.counted else design.boundaries
    return tuple(
        SequentialLook(look=k, n_runs=n, alpha_spent=spent, boundary=planned.finite_bound(bound))
        for k, (n, spent, bound) in enumerate(zip(design.looks, design.spent, bounds, strict=True), 1)
    )


def _notes(now: planned.State) -> tuple[str, ...]:
    sizes = len(now.algorithms), len(now.tasks)
    if now.counted:
        return (*planned.blind_notes(now.plan), *planned.budget_notes(now.plan, *sizes))
    notes = (*planned.unit_notes(not now.looks or now.one_unit), *now.design.notes_for(*sizes))
    if now.looks or not planned.may_count(now.design, len(now.tasks) or 1):
        return notes
    # Before the first look nobody knows of which scores the table of looks has to speak.
    spent = "" if now.design.spending else "; α of episodes is spent as (n/N)²"
    unit = option("unit", "episode")
    return (
        *notes,
        Sentence(
            f"Successes and failures of one task ({unit}) will be judged by their counts, and the bounds above are those of other scores{spent}."
        ),
    )


def _pair(now: planned.State, finding: planned.LookFinding) -> SequentialPair:
    names = now.algorithms[finding.pair[0]], now.algorithms[finding.pair[1]]
    return filled(
        SequentialPair,
        finding,
        a=names[0],
        b=names[1],
        look=finding.look + 1,
        n_runs=now.design.looks[finding.look],
        critical=planned.finite_bound(finding.critical),
        standard_error=finding.error,
        pvalue_adjusted=finding.pvalue,
        sentence=Sentence(planned.pair_words(finding, names, now.plan, counted=now.counted)),
    )


def next_runs(
    data: ScoresLike,
    *,
    budget: float | None = None,
    cost_per_run: float | Mapping[str, float] = 1.0,
    measure: MeasureName = "auto",
    control: str | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    **of_data: Unpack[DataOptions],
) -> NextRunsResult:
    """Which runs should come next, to know the difference of a measure best within a budget, and what do they gain?

    Parameters
    ----------
    data : Scores, or whatever `compare` takes
        Two algorithms or more, each with at least two runs on every task. After a sweep, give the fresh runs that confirm the setting with
        the best mean over all tasks; `tuning(judged=)` judges by these alone.
    budget : float
        In the unit of `cost_per_run`; without that, in runs. Without a budget the error names how many runs the lead that matters would
        take.
    cost_per_run : float or mapping of task to float
        The cost of a run, in hours for example.
    measure : str
        "auto" is the measure by which `compare` judges such runs.
    control : str, optional
        Only differences from this algorithm count, so it gets more runs.
    power, alpha : float
        The power and level at which the detectable difference is computed, before and after.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    NextRunsResult
        `rows` hold how many runs each cell gets.

    Raises
    ------
    DesignError
        There is one algorithm, a cell is missing or has one run, or the runs do not vary.
    OptionError
        There is no budget, the budget buys no run, or a cost is not above 0.

    Notes
    -----
    The squared error of a difference is a sum over cells (see `compare`; for means each cell adds s² / (n T²)), and each term falls with
    1/n. Over several pairs, errors and detectable differences are the roots of mean squares. Each run goes where it lowers the error most
    for its price; or all algorithms of a task get equally many, or all cells take turns, where `compare`, cautious with unequal numbers of
    runs, then finds a smaller difference. Shared runs are one cell for each algorithm. `detectable_after` is the difference for which `plan`
    takes so many runs on average, with the spread of the runs so far.

    What a cell adds is shrunk towards what the others add, by as much as the spreads of so few runs would differ by chance (Smyth 2004);
    otherwise runs would go where the spread is high by luck. Skewed runs bring less than predicted: on six games of Atari 100k the error was
    predicted to fall by .40 and fell by .33; with runs spread evenly it fell by .225.

    The errors are estimated from the runs so far: ask again after some of the new runs. A test keeps its level only if it is done once,
    after the planned runs.

    Examples
    --------
    >>> import runoff as ro
    >>> runs = {"A": {"Pong": [18, 20, 19], "Breakout": [30, 90, 60]}, "B": {"Pong": [12, 13, 12], "Breakout": [20, 50, 80]}}
    >>> result = ro.next_runs(runs, budget=8, measure="mean")
    >>> [(r.algorithm, r.task, r.more) for r in result.rows if r.more]
    [('A', 'Breakout', 4), ('B', 'Breakout', 4)]
    """
    given, required = as_sweep(data, **of_data), required_power(power, check_alpha(alpha))
    if configs_of(given):
        return runs_to_confirm(given, measure, control, budget, cost_per_run, power=required, alpha=float(alpha))
    scores = comparable(as_scores(given))
    pairs = chosen_pairs(scores, "all", control)
    kind, data = measure_of(scores, measure), all_pairs(scores, pairs)
    named = _cells(scores, pairs, data, kind, cost_per_run)
    if budget is None:
        lacks = planning.budget_words(scores, kind, power=required, alpha=float(alpha), control=control)
        raise OptionError(f"next_runs needs a budget ({choice('budget=40', '--budget 40')}): {lacks}.")
    budget = _budget(budget, float(named.cells.prices.min()))
    seen = _Seen(pairs=pairs, data=data, measure=kind, alpha=float(alpha), power=required, named=named)
    more = seen.placed(scores.n_algorithms, float(budget))
    nothing = np.zeros_like(more)
    errors = [seen.error(added) for added in (nothing, more, planning.evenly(named.cells, budget))]
    sees = [seen.shown(added) for added in (nothing, more)]
    columns = (named.names, more.tolist(), named.stds.tolist(), named.cells.sizes.tolist(), named.cells.prices.tolist())
    records = tuple(
        NextRunsRow(algorithm=algorithm, task=task, n_runs=n, more=added, std=std, cost=added * price)
        for (algorithm, task), added, std, n, price in zip(*columns, strict=True)
    )
    spent, unit = sum(record.cost for record in records), scores.sampling.unit
    return NextRunsResult(
        rows=records,
        measure=kind,
        budget=float(budget),
        spent=spent,
        error=errors[0],
        error_after=errors[1],
        error_even=errors[2],
        detectable=sees[0],
        detectable_after=sees[1],
        power=required,
        alpha=float(alpha),
        sentence=planning.next_words(records, kind, errors, sees, power=required, unit=unit),
        notes=planning.next_notes(
            named.cells.sizes, len(pairs), several_prices=len(set(named.cells.prices.tolist())) > 1, unit=unit
        ),
    ).with_origin(scores)


def _budget(budget: Any, least: float) -> float:
    if not is_number(budget) or budget < least:
        raise OptionError(f"budget must buy a run, which costs {least:g}, not {budget!r}.")
    if budget / least > MOST:
        raise OptionError(f"budget must buy at most {MOST:,} runs, not {budget / least:,.0f}.")
    return float(budget)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The pairs, what of them is detected with a power, and their cells."""

    pairs: Sequence[tuple[int, int]]
    data: Sequence[PairData]
    measure: str
    alpha: float
    power: float
    named: _Named

    def placed(self, n_algorithms: int, budget: float) -> Ints:
        """Return the runs that the budget adds to each cell."""
        likely = self.named.likely
        bought = planning.cheapest_gain(likely, budget), planning.alike_gain(likely, n_algorithms, budget)
        allocations = [added for added in bought if added.any()]
        if not allocations:
            raise DesignError(
                f"no run that the budget buys would lower the error of the {differences_words(self.measure)}: the runs that count in it do not "
                f"vary; choose another measure ({option('measure', 'mean')}), or a larger budget."
            )
        # Greedy steps lower the error most, but may leave a side with few degrees of freedom; grown alike, which may leave
        # some of the budget, or in turns, all sides may then detect a smaller difference.
        return min([*allocations, planning.evenly(self.named.cells, budget)], key=self.detectable)

    def error(self, added: Ints) -> float:
        """Return the error of the runs so far, less the share that added runs are likely to take from it."""
        nothing, likely = np.zeros_like(added), self.named.likely
        return self.named.cells.error(nothing) * likely.error(added) / likely.error(nothing)

    def _by_pair(self, sizes: Ints) -> Iterator[tuple[PairData, Ints, Ints]]:
        """Yield each pair with its runs on each task, of so many in every cell."""
        runs = sizes.reshape(1 + max(map(max, self.pairs)), -1)
        for (a, b), pair in zip(self.pairs, self.data, strict=True):
            yield pair, runs[a], runs[b]

    def _errors(self, sizes: Ints) -> list[tuple[float, float | None]]:
        """Return the error of each pair with so many runs, and its degrees of freedom."""
        return [widest(pair.law_at(self.measure, n, m), 1 - self.alpha) for pair, n, m in self._by_pair(sizes)]

    def shown(self, added: Ints) -> float | None:
        """Return what is detected, of so many runs more of each cell; None where it is nothing, or of chances on one task or of whole runs."""
        pair = self.data[0]
        if self.measure == IMPROVEMENT and not pair.rates and (pair.shared or len(pair.tasks) == 1):
            return None
        return least if isfinite(least := self.detectable(added)) else None

    def detectable(self, added: Ints) -> float:
        """Return the root of the mean square of the detectable differences, of so many runs more of each cell; inf where one has none.

        As in a plan on average, the test has the degrees of freedom of all runs, and the spread is known by those so far.
        """
        cells = self.named.cells
        leads = [
            pair.lead_found(self.measure, self.alpha, self.power, zip(n.tolist(), m.tolist(), strict=True))
            for pair, n, m in self._by_pair(cells.sizes + added)
        ]
        if chances := [lead for lead, _ in filter(None, leads)]:
            return float(np.sqrt(np.mean(np.square(chances))))
        then, now = (self._errors(cells.sizes + more) for more in (added, np.zeros_like(added)))
        squares = [
            detectable(error, df or 1.0, self.alpha, self.power, own_df=own or 1.0) ** 2
            for (error, df), (_, own) in zip(then, now, strict=True)
        ]
        return float(np.sqrt(np.mean(squares))) * self.error(added) / cells.error(added)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """The cells with their names, (algorithm, task); the task is None where runs are shared. `likely`: with moderated variances."""

    names: tuple[tuple[str, str | None], ...]
    stds: Floats
    cells: planning.AllocationCells
    likely: planning.AllocationCells


def _cells(
    scores: Scores, pairs: list[tuple[int, int]], data: list[PairData], measure: str, cost: float | Mapping[str, float]
) -> _Named:
    shared = scores.sampling.shared and scores.n_tasks > 1
    if (scores.n_runs == 0).any():
        a, t = np.argwhere(scores.n_runs == 0)[0].tolist()
        raise DesignError(
            f"{scores.algorithms[a]!r} has no runs on task {scores.tasks[t]!r}: where nothing was run nothing is known of the spread; run 2 "
            "there first, or select the tasks that all have."
        )
    names: list[tuple[str, str | None]] = []
    samples: list[Floats] = []
    for a, name in enumerate(scores.algorithms):
        if shared:
            names.append((name, None))
            samples.append(run_means(scores.cells(a)))
        else:
            names += [(name, task) for task in scores.tasks]
            samples += scores.cells(a)
    for (algorithm, task), sample in zip(names, samples, strict=True):
        if sample.size < 2:
            where = "" if task is None else f" on task {task!r}"
            raise DesignError(f"{algorithm!r} has one run{where}: one run shows no spread; add a second there first.")
    if all(float(np.ptp(sample)) == 0 for sample in samples):
        raise DesignError(
            "all scores of each cell are equal, so their spread does not say where more of them would help most: spread them evenly."
        )
    stds = np.array([float(sample.std(ddof=1)) for sample in samples])
    sizes = np.array([sample.size for sample in samples], np.int64)
    weights = np.zeros((scores.n_algorithms, len(names) // scores.n_algorithms))
    for ends, pair in zip(pairs, data, strict=True):
        for a, parts in zip(ends, pair.parts(measure), strict=True):
            weights[a] += parts / len(pairs)
    cells = planning.AllocationCells(
        # `parts` are variances of means, v/n: times n they are what a run adds, however many there are.
        weights=weights.ravel() * sizes,
        sizes=sizes,
        prices=np.array([price_of(cost, task, scores.tasks) for _, task in names]),
    )
    # An algorithm is in as many terms as it has pairs: variances are moderated without that count.
    times = np.repeat([sum(a in ends for ends in pairs) for a in range(scores.n_algorithms)], weights.shape[1])
    likely = replace(cells, weights=planning.moderated(cells.weights / times, np.asarray(sizes - 1.0)) * times)
    return _Named(names=tuple(names), stds=stds, cells=cells, likely=likely)
