"""Which claims of a published table survive?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path
from typing import Literal

from runoff._inference import printed_rates, summaries
from runoff._inference.summaries import answers
from runoff.answer.claims import Claim, ClaimReading, ClaimsResult, PublishedCell, PublishedTable, Supported
from runoff.base.bounds import refuse_beyond
from runoff.base.ports import published
from runoff.base.validate import check_alpha, check_choice
from runoff.errors import DataError, DesignError, OptionError, nearest
from runoff.words.names import DecimalName, PublishedSpread
from runoff.words.speech import neutral, option

BEST = ("auto", "bold", "mean")
UNITS = ("run", "item", "episode")
ClaimKey = tuple[str, str, str | None]
"""The winner of a claim, the loser, and the task; None is all tasks."""


def claims(
    table: str | Path,
    *,
    spread: PublishedSpread = "unknown",
    n_runs: int | Mapping[str, int] | None = None,
    unit: Literal["run", "item", "episode"] = "run",
    algorithm: str | None = None,
    best: Literal["auto", "bold", "mean"] = "auto",
    lower_is_better: str | Sequence[str] = "arrows",
    rows: Literal["auto", "algorithms", "tasks"] = "auto",
    decimal: DecimalName = "auto",
    format: Literal["auto", "latex", "markdown", "csv", "tsv"] = "auto",
    leave_out: str | Sequence[str] = (),
    accept_wide: bool = False,
    alpha: float = 0.05,
) -> ClaimsResult:
    """Which claims of a published table survive: of "A is better than B", what do mean, ± and n support?

    Parameters
    ----------
    table : str or Path
        A file with one table in LaTeX, Markdown, CSV or TSV, "-" for standard input, or the text of the table itself (anything with a line
        break). Cells are "mean ± number", also in parentheses, as a subscript, in columns or rows of their own, or "mean [low, high]"; rows are
        algorithms, tasks, or one cell each.
    spread : str
        What ± is. "unknown": both "sd" and "se" are answered. "sd": standard deviation of the runs. "population_sd": the same with n in its
        denominator, as NumPy's default has it. "se": standard error. "ci95": half width of a 95 % interval, both "ci95_t" and "ci95_normal" are
        answered; "ci95_bootstrap": of a bootstrap over runs; so too with 90 and 99. Of [low, high] half the width counts, and intervals
        that are not about their means are those of a bootstrap. Ranges and quartiles are refused. A table that names its spreads (a column
        "std", a caption with the level of [low, high]) needs no word.
    n_runs : int, {algorithm or task: int}, optional
        Runs (items, episodes) of each cell, if the table does not say so ("PPO (n=5)", a column "n"). Without the number of runs each claim
        gets the smallest n that would carry it.
    unit : "run", "item" or "episode"
        What a mean is over. "run": training runs, with their ±. "item": the accuracy of a model on the items of a benchmark, the same for all
        models; "episode": the success rate of a policy over rollouts of its own. Rates have no ±, stand in per cent or from 0 to 1, or as
        counts (17/20), and need `n_runs`.
    algorithm : str, optional
        The algorithm whose claims they are, against each other one: one that was named before the results were seen, such as the authors' own.
    best : "auto", "bold" or "mean"
        Whose claims they are otherwise: of the bold cells of each task against those that are not, or of the best mean against each other;
        over all tasks they are of the best average.
        "auto": "bold" where a number is bold.
    lower_is_better : "arrows", "none", "all", or names of tasks
        Where lower is better. "arrows": where a head, corner, heading or score column has ↓, or no arrow and the name of a cost (Crash rate,
        Regret), which a note says; refused where a name may be either (Episode length), only the caption says so, or bold contradicts it.
        Names: there and nowhere else.
    rows : "auto", "algorithms" or "tasks"
        What the rows are. "auto": by the head, known names, arrows and `algorithm`; refused where they do not say.
    decimal : "auto", "point" or "comma"
        How decimals are parted; "auto" refuses where 1,234 may be either.
    format : str
    leave_out : str or sequence of str
        Algorithms that are no rivals: an oracle, an upper bound, a human. They win and lose no claim, and count in no correction. What the
        text beside the table calls so is offered for it in `table.notes`.
    accept_wide : bool
        Read a ± that is larger than any mean on its task, too.
    alpha : float
        False positive rate over all comparisons of the table.

    Returns
    -------
    ClaimsResult
        Of each claim `verdict` and `sentence`; `table` says how the table was read, `limits` what it does not let anyone say.

    Raises
    ------
    DataError
        The table cannot be read, or in two ways; with line and column.
    DesignError
        One algorithm.
    OptionError
        An unknown name or value; a kind of ± from which no test follows.

    Notes
    -----
    Welch's t test of two means from summaries (`test_from_summary`), two-sided, with Holm's correction over all comparisons of the table. Of an
    algorithm that was named these are its own, against each other one, on each task and over all tasks. Where the best is picked by its results
    (bold, best mean), *every* pair is in the family, since any could have been claimed.

    Over all tasks: the average difference of two algorithms that have all tasks, with squared error Σ(e_a² + e_b²) / T² and the degrees of
    freedom of Welch-Satterthwaite over all cells, which are taken for independent. There is none where tasks differ in direction or unit, nor
    of an algorithm that has no number, or no ±, on a task: it may be shown where it is good.

    Numbers are rounded in print. A claim is "yes" only if it stays so with every mean and every ± moved by half a unit of its last digit in the
    least favourable way, else "cannot_be_said". Where the means of a task, or its ±, are whole numbers that all end in zeros (700, 1300), the
    last digit is the one before these zeros, and a note says so. The smallest n, the same in every cell, is found with the numbers as printed
    and with numbers so moved; if ± is a standard error, n counts by the degrees of freedom only.

    Rates of episodes are compared by Miettinen and Nurminen's score, with its tail over all results of one task (`compare`). Models answered the
    same items, and the table does not say which: of b items that the first alone solves and c that the second alone solves it gives b − c, and
    b + c lies between |b − c| (every item that the one solves, the other solves too) and the smaller of the sums of successes and of failures.
    The paired score (Tango 1998) of both ends is the answer: a claim is "yes" if it stands at the least favourable end, "no" if it fails at the
    most favourable one, and else "depends_on_items". Over all tasks: their mean with equal weights, by MOVER (Zou & Donner 2008). Rounding
    counts as above, by the fewest and the most successes that print so; a rate that no number of successes has is refused.

    A pair without ± on one side is no comparison of the family. Rows or columns without any ± (Random, Human), and those that sum up the others
    (Average), compare them (Improvement, p-value) or cost (Time, #params; unless a direction is told) are left out, and said so. Numbers in
    parentheses that are ranks on every task are refused.

    References
    ----------
    Welch 1947; Satterthwaite 1946; Holm 1979; Efron & Tibshirani 1993, chapter 5 (bootstrap intervals); Tango 1998; Miettinen & Nurminen 1985;
    Zou & Donner 2008; Brown & Heathers 2017 (means that no sum of whole numbers has).

    Examples
    --------
    >>> import runoff as ro
    >>> table = '''
    ... | Task   | PPO        | SAC            |
    ... | ------ | ---------- | -------------- |
    ... | Hopper | 2410 ± 320 | **2950 ± 110** |
    ... '''
    >>> print(ro.claims(table, spread="sd", n_runs=5).claims[0].sentence)
    That SAC is better than PPO on Hopper (2950 ± 110 against 2410 ± 320) is supported: adjusted p = 0.016.
    >>> [(reading.spread, reading.runs_needed) for reading in ro.claims(table).claims[0].readings]
    [('sd', 4), ('se', None)]

    Two models on 1,319 items:

    >>> table = '| Model | GSM8K |\\n| --- | --- |\\n| base | 71.2 |\\n| tuned | **74.4** |'
    >>> print(ro.claims(table, unit="item", n_runs=1319).claims[0].verdict)
    depends_on_items
    """
    _check(spread, best, algorithm, alpha)
    check_choice("unit", unit, UNITS)
    if unit != "run" and spread != "unknown":
        message = f"{option('spread')} says what ± is, and {option('unit', unit)} that the table has none; leave out one of them."
        raise OptionError(message)
    door = published()
    how = door.TableOptions(
        format=format,
        rows=rows,
        decimal=decimal,
        algorithm=algorithm,
        lower=lower_is_better,
        n=n_runs,
        spread=spread,
        accept_wide=accept_wide,
        leave_out=[leave_out] if isinstance(leave_out, str) else list(leave_out),
        unit=unit,
    )
    read: PublishedTable = door.read_table(table, how)
    _check_algorithm(read, algorithm)
    kinds, notes = _kinds(read, spread) if unit == "run" else (printed_rates.READINGS[unit], [])
    options = _ClaimsOptions(unit=unit, kinds=kinds, by=_by(read, best, algorithm), algorithm=algorithm, alpha=alpha)
    pairs = list(_claimed(read, options.by, algorithm))
    if not pairs:
        raise DesignError(f"{read.place}: no algorithm is claimed to be better than another: {NO_CLAIM[options.by]}.")
    # All pairs are corrected for, not only those that are claimed: which ones are was chosen by the numbers. An
    # algorithm that was named before the results has only its own.
    candidates = summaries.all_pairs(read) if algorithm is None else summaries.pairs_with(read, algorithm)
    family = [contrast for contrast in candidates if contrast.testable]
    certain = all(cell.n is not None for cell in read.cells)
    worth: Worth = {contrast.key: [] for contrast in family}
    for kind in kinds if family else ():
        readings = _answers(family, kind, alpha, unit) if certain else _without_runs(family, kind, alpha)
        for contrast, reading in zip(family, readings, strict=True):
            worth[contrast.key].append((contrast, reading))
    return _result(read, options, family=family, pairs=pairs, worth=worth, notes=notes)


def _check(spread: str, best: str, algorithm: str | None, alpha: float) -> None:
    check_alpha(alpha)
    check_choice("best", best, BEST)
    if spread in summaries.REFUSED:
        raise OptionError(f"{option('spread', spread)}: {summaries.REFUSED[spread]}; the runs themselves are needed.")
    check_choice("spread", spread, summaries.READ_AS)
    if algorithm is not None and best != "auto":
        raise OptionError(f"{option('algorithm')} names whose claims they are, and so does {option('best')}; give one.")


def _check_algorithm(table: PublishedTable, algorithm: str | None) -> None:
    names = table.algorithms
    if algorithm is not None and algorithm not in names:
        why = next(
            (f" {neutral(note)}" for note in table.notes if note.startswith("Left out") and algorithm in note), ""
        )
        raise OptionError(
            f"{option('algorithm')} must be one of {', '.join(names)}, not {algorithm!r}.{nearest(algorithm, names)}{why}"
        )
    n_pairs = len(names) * (len(names) - 1) // 2 * len(table.tasks)
    refuse_beyond(
        "pairs", n_pairs, f"{table.place}: {len(names)} algorithms on {len(table.tasks)} tasks make {n_pairs} pairs"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ClaimsOptions:
    unit: str
    kinds: tuple[str, ...]
    by: str
    algorithm: str | None
    alpha: float


def _answers(family: Sequence[summaries.Contrast], kind: str, alpha: float, unit: str) -> list[ClaimReading]:
    return answers(family, kind, alpha) if unit == "run" else printed_rates.rate_answers(family, kind, alpha)


def _kinds(table: PublishedTable, spread: str) -> tuple[tuple[str, ...], list[str]]:
    if table.spread is not None and not _agree(table.spread, spread):
        message = f"{table.place} calls its spreads {table.spread!r}, and {option('spread', spread)} says otherwise; correct one."
        raise OptionError(message)
    if table.doubt is not None and spread == "unknown":
        so = (
            "so ± may be neither the standard deviation nor the standard error of a mean"
            if table.spread is None
            else f"and a label {table.spread!r}"
        )
        raise DataError(
            f"{table.place}: the text beside the table says {table.doubt!r}, {so}; use {option('spread')} to state what it is."
        )
    # The narrower of what the table says and what the caller says counts: "95 % interval" of a table becomes "of a t
    # interval" by the caller's word.
    of_table, stated = (summaries.READ_AS[name] for name in (table.spread or spread, spread))
    kind = spread if spread != "unknown" and len(stated) <= len(of_table) else table.spread or spread
    kinds = summaries.READ_AS[kind]
    if all(cell.n is not None for cell in table.cells):
        return kinds, []
    left = tuple(kind for kind in kinds if not summaries.SPREADS[kind].needs_runs)
    if not left:
        message = f"{option('spread', kind)}: the error that follows from a t interval depends on the runs; use {option('n_runs')}."
        raise OptionError(message)
    dropped = left != kinds
    return left, [
        "Without n the intervals were taken for normal ones; of t intervals nothing follows."
    ] if dropped else []


def _agree(of_table: str, spread: str) -> bool:
    """Return whether the caller's meaning of ± agrees with the table's name for it; either may leave the kind of an interval open."""
    if spread in ("unknown", of_table) or (of_table, spread) == ("sd", "population_sd"):
        return True
    (own, _, kind), (other, _, other_kind) = of_table.partition("_"), spread.partition("_")
    return own == other and own.startswith("ci") and not (kind and other_kind)


def _by(table: PublishedTable, best: str, algorithm: str | None) -> str:
    """Return what marks the winners: the name of an algorithm, bold numbers, or the best mean."""
    if algorithm is not None:
        return "algorithm"
    bold = any(cell.bold for cell in table.cells)
    if best == "bold" and not bold:
        raise OptionError(f"{table.place}: no number is bold; use {option('best', 'mean')} or {option('algorithm')}.")
    return "bold" if bold and best != "mean" else "mean"


NO_CLAIM = {
    "bold": "on each task everything or nothing is bold",
    "mean": "no two means differ",
    "algorithm": "it shares no task with another",
}


def _claimed(table: PublishedTable, by: str, algorithm: str | None) -> Iterator[ClaimKey]:
    for task in table.tasks:
        cells = [cell for name in table.algorithms if (cell := table.cell(name, task)) is not None]
        top = max((table.sign(task) * cell.mean for cell in cells), default=0.0)
        wins: Mapping[str, Callable[[PublishedCell], bool]] = {
            "algorithm": lambda cell: cell.algorithm == algorithm,
            "bold": lambda cell: cell.bold,
            "mean": lambda cell, task=task, top=top: table.sign(task) * cell.mean == top,  # type: ignore[misc]
        }
        winners = [cell.algorithm for cell in cells if wins[by](cell)]
        # Two that share the mark are not claimed to differ, so winners are only compared with those that have it not.
        yield from ((a, cell.algorithm, task) for a in winners for cell in cells if cell.algorithm not in winners)
    firsts = [algorithm] if algorithm is not None else _first_of_all(table)
    for first in firsts:
        for b in table.algorithms:
            # The average of a pair over one task is the claim on that task again.
            if b not in firsts and any(c.joint and len(c.x) > 1 for c in summaries.contrasts(table, first, b)):
                yield first, b, None


def _first_of_all(table: PublishedTable) -> list[str]:
    """Return the algorithm with the best average among those with a ± on all tasks; none if fewer than two have one."""
    # An average over other tasks than those of the others is no average over all.
    whole = [name for name in table.algorithms if not table.missing_spread(name)]
    if len(whole) < 2:
        return []
    averages = {
        name: fsum(table.sign(task) * cell.mean for task in table.tasks if (cell := table.cell(name, task)) is not None)
        for name in whole
    }
    top = max(averages.values())
    return [name for name in whole if averages[name] == top]


Worth = dict[tuple[frozenset[str], str | None], list[tuple[summaries.Contrast, ClaimReading]]]


def _without_runs(family: Sequence[summaries.Contrast], kind: str, alpha: float) -> list[ClaimReading]:
    unknown = dict.fromkeys(("statistic", "df", "pvalue", "pvalue_adjusted", "pvalue_rounded"))
    # Without n the question is turned round: from how many runs on would the claim hold, by the printed digits and by
    # their worst rounding.
    worst, printed = (summaries.smallest_runs(family, kind, alpha, worst=worst) for worst in (True, False))
    return [
        ClaimReading(
            spread=kind,
            **unknown,
            runs_needed=n,
            runs_needed_printed=m,
            # No n carries it; any n does, for two is the least that has a spread; or it depends on an n that the
            # table does not say.
            carried=False if m is None else True if n == 2 else None,
        )
        for n, m in zip(worst, printed, strict=True)
    ]


def _result(
    table: PublishedTable,
    options: _ClaimsOptions,
    *,
    family: Sequence[summaries.Contrast],
    pairs: Sequence[ClaimKey],
    worth: Worth,
    notes: list[str],
) -> ClaimsResult:
    claims = [_claim(table, pair, worth) for pair in pairs]
    runs = [cell.n for cell in table.cells if cell.n is not None]
    notes = list(notes)
    for name in table.algorithms if table.averages and len(table.tasks) > 1 else ():
        what = "number" if (lacking := table.missing(name)) else "±"
        if lacking := lacking or table.missing_spread(name):
            notes.append(f"Over all tasks there is no claim about {name}, which has no {what} on {', '.join(lacking)}.")
    silent = [task for task in table.tasks if not any(claim.task == task for claim in claims)]
    alone = [task for task in silent if sum(cell.task == task for cell in table.cells) < 2]
    alike = "nothing or everything is bold" if options.by == "bold" else "no two means differ"
    for names, why in (
        ([task for task in silent if task not in alone], alike),
        (alone, "one algorithm alone has a number"),
    ):
        if names:
            notes.append(f"No claim is made on {', '.join(names)}: {why} there.")
    average = any(claim.task is None for claim in claims)
    return ClaimsResult(
        claims=tuple(claims),
        table=table,
        spreads=options.kinds,
        claimed_by=options.by,
        family=summaries.family_words(table, family, options.algorithm, options.alpha, options.unit),
        n_compared=len(family),
        alpha=options.alpha,
        limits=summaries.limits(
            options.kinds, lost=_lost(claims, family, options), average=average, fewest=min(runs, default=None)
        )
        if options.unit == "run"
        else printed_rates.limits(options.unit, average=average),
        notes=tuple(notes),
        unit=options.unit,
    )


def _lost(claims: Sequence[Claim], family: Sequence[summaries.Contrast], options: _ClaimsOptions) -> int:
    """Return the number of supported claims that would fall if the standard deviations had n in their denominators."""
    # np.std divides by n, and papers seldom say which they printed; read so, s grows by √(n/(n − 1)), which few runs
    # feel.
    yes = {(frozenset((claim.a, claim.b)), claim.task) for claim in claims if claim.verdict == "yes"}
    if "sd" not in options.kinds or not yes or any(cell.n is None for contrast in family for cell in contrast.cells):
        return 0
    with_n = zip(family, answers(family, "population_sd", options.alpha), strict=True)
    return sum(contrast.key in yes and (reading.pvalue_rounded or 0.0) > options.alpha for contrast, reading in with_n)


def _claim(table: PublishedTable, pair: ClaimKey, worth: Worth) -> Claim:
    a, b, task = pair
    contrast = next(source for source in summaries.contrasts(table, a, b) if source.task == task)
    readings = tuple(_seen_from(contrast, source, reading) for source, reading in worth.get(contrast.key, ()))
    supported = _supported(contrast.difference, readings)
    return Claim(
        a=a,
        b=b,
        task=task,
        tasks=tuple(cell.task for cell in contrast.x),
        mean_a=contrast.side(contrast.x),
        mean_b=contrast.side(contrast.y),
        difference=contrast.difference,
        n_runs_a=_only(cell.n for cell in contrast.x),
        n_runs_b=_only(cell.n for cell in contrast.y),
        verdict=supported,
        sentence=summaries.sentence(contrast, supported, readings),
        readings=readings,
    )


def _only(runs: Iterator[int | None]) -> int | None:
    counts = set(runs)
    return next(iter(counts)) if len(counts) == 1 else None


def _seen_from(contrast: summaries.Contrast, source: summaries.Contrast, reading: ClaimReading) -> ClaimReading:
    """Return a reading from the side of the claim; no n carries a claim that the means contradict."""
    if reading.statistic is not None and source.a != contrast.a:
        reading = replace(reading, statistic=-reading.statistic)
    return (
        reading
        if contrast.difference > 0
        else replace(reading, carried=False, runs_needed=None, runs_needed_printed=None)
    )


def _supported(difference: float, readings: Sequence[ClaimReading]) -> Supported:
    if not readings:
        return "cannot_be_said"
    if difference <= 0:
        return "no"
    if readings[0].spread in summaries.OF_ITEMS:
        return printed_rates.supported(readings)
    answers = {reading.carried for reading in readings}
    if None in answers:
        return "cannot_be_said"
    if len(answers) > 1:
        return "depends_on_spread"
    return "yes" if True in answers else "no"
