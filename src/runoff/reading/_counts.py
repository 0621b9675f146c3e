"""Rows that count successes: `7/10`, 7 next to 10 trials, or a rate next to its number of episodes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runoff.base.bounds import refuse_beyond
from runoff.data.provenance import COUNTED
from runoff.errors import DataError
from runoff.reading._open_roles import without_misnamed
from runoff.tables.columns import ROW, UNUSED, listed
from runoff.tables.labels import Labels, Values, cells_alike, labelled
from runoff.tables.likely import Chosen, candidates, plays
from runoff.tables.numerals import FRACTION
from runoff.tables.source import SourceTable
from runoff.tables.values import is_empty, is_lost, parsed
from runoff.words.columns import names_attempts, names_quality
from runoff.words.costs import direction
from runoff.words.labels import has_setting, run_of
from runoff.words.speech import column, option
from runoff.words.words import kind, vocabulary, words

SUCCESSES = vocabulary(
    "success successes successful win wins winrate successrate solved passed passes resolved correct succeeded "
    "성공 성공횟수 successi erfolge gelöst éxitos aciertos succès réussites 成功次数 成功数 成功回数 "
    "erfolgsrate erfolgsquote gewinnrate 成功率 胜率 勝率"
)
TRIALS = vocabulary(
    "trials attempts episodes rollouts games n total problems instances questions puzzles queries cases tests items prompts matches played "
    "시도 시도횟수 prove tentativi versuche episoden aufgaben intentos ensayos episodios problemas essais épisodes problèmes "
    "试验次数 总次数 尝试次数 試行回数"
)
FAILURES = vocabulary("failures failure failed fails unsuccessful losses wrong incorrect unsolved")
FAILING = FAILURES | vocabulary("error errors fehler errores erreurs")
BESIDE_TRIALS = vocabulary("num number no of eval evaluation test count")
EVEN = vocabulary("draw draws drawn tie ties tied")
SHARES = vocabulary(
    "rate rates winrate successrate percent percentage pct share fraction ratio "
    "erfolgsrate erfolgsquote gewinnrate quote taux tasa 成功率 胜率 勝率"
)
"""Words in names of columns whose numbers are shares, so that 1 means all and 0.5 is no misprint."""
PERCENT = vocabulary("percent percentage pct")
CORRECT = vocabulary("accuracy acc em")
"""Qualities that are shares of the attempts that were right; an F1 is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptCounts:
    """The columns of successes and of attempts ("" if one column has both), and their numbers in each row."""

    name: str
    of: str
    won: Sequence[int]
    n: Sequence[int]


def with_attempts(table: SourceTable, chosen: Chosen, unit: str) -> SourceTable:
    """Return a row for each attempt if rows count successes (`7/10`, or 7 next to `trials` 10), in one column or in several, whose headers
    are then algorithms, or tasks if there is a column of algorithms; refuse counts unless rows are episodes.

    If rows are runs, their scores are their shares of successful attempts.
    """
    names = [name for name in table.columns if name not in chosen.values() or name == chosen.get("score")]
    heads = [] if chosen.get("score") else [name for name in names if _are_fractions(table, name)]
    if unit == "episode" and len(heads) > 1:
        table = _one_count_a_row(table, heads, chosen)
        names = [name for name in names if name in table.columns] + [COUNT]
    # Of episodes each attempt becomes a row, so that `run=row` says that equal counts are two.
    by_row = chosen.get("run") == ROW and unit == "episode"
    in_heads = unit != "episode" and len(heads) > 1 and all(map(_is_training, heads))
    named_runs = plays(table.columns, "run", without_misnamed(table.columns, chosen))
    by_run = in_heads or (named_runs and not by_row)
    # Of runs that have another score (`return` beside `wins`), the counts are none.
    score = chosen.get("score")
    named = [score] if score else candidates(names, "score")
    wins = [name for name in names if not by_run or [name] == named]
    written = [name for name in names if not score or name == score]
    fractions = None if by_run else _fractions(table, written)
    counts = fractions or _side_by_side(table, wins, names, named, unit, by_run=by_run)
    # Counts beside the chosen score say that a row is of several attempts, too.
    counts = _fractions(table, names) if counts is None and unit == "episode" and not by_run else counts
    if counts is None:
        return table
    if unit == "episode" and named and counts.name not in named:
        raise _of_several_attempts(table, named[0], counts)
    if by_run:
        return _shares_of_runs(table, counts, unit)
    if unit != "episode":
        raise DataError(
            f"{table.place}: column {counts.name!r} counts the successes of several attempts (in {table.row(0)} {counts.won[0]} of "
            f"{counts.n[0]}), which are not trainings: use {option('unit', 'episode')}, and each is a row of 1 or 0 (answers are "
            f"then about these policies, not about training them again){_or_runs(names)}."
        )
    attempts = _rows_of_attempts(*_without_copies(table, counts, by_row=by_row))
    if chosen.get("score") or candidates([counts.name], "score"):
        return attempts
    # `k` of `n` is no name of a score, which these rows have.
    return replace(attempts, columns={COUNT if n == counts.name else n: x for n, x in attempts.columns.items()})


def _is_training(head: str) -> bool:
    """Return whether a head names a run, `seed 1`, and no attempt of a trained policy, `trial 1`."""
    return run_of(head) is not None and not names_attempts(words(head)[0])


WHOLE = 100
COUNT = "score"
"""The name of the column that joins several columns of counts."""


def _are_fractions(table: SourceTable, name: str) -> bool:
    # One by one, for the first number tells.
    parts = (FRACTION.fullmatch(str(value)) for value in table.columns[name] if not is_lost(value))
    return next(parts, None) is not None and all(parts)


def _one_count_a_row(table: SourceTable, heads: Sequence[str], chosen: Chosen) -> SourceTable:
    """Return a table with several columns of counts reshaped to one row per count."""
    free = [name for name in table.columns if name not in heads]
    role = "task" if chosen.get("algorithm") or candidates(free, "algorithm") else "algorithm"
    rows = np.tile(np.arange(table.n_rows), len(heads))
    tall = table.some_rows(rows, f"the headers of counts are {role}s: {listed(heads)}")
    columns = tall.others(*heads)
    columns |= {
        role: Labels(tuple(heads), np.repeat(np.arange(len(heads)), table.n_rows)),
        COUNT: [value for head in heads for value in table.columns[head]],
    }
    return replace(tall, columns=columns)


def _rows_of_attempts(table: SourceTable, counts: AttemptCounts) -> SourceTable:
    """Return a row of 1 or 0 for each attempt."""
    # A count of a billion attempts would become as many rows.
    refuse_beyond("values", sum(counts.n), f"{table.place}: the table counts {sum(counts.n)} attempts")
    rows = np.repeat(np.arange(table.n_rows), counts.n)
    scores = np.concatenate([np.arange(n) < won for won, n in zip(counts.won, counts.n, strict=True)])
    attempts = table.some_rows(rows, f"column {counts.name!r} {COUNTED}")
    columns = attempts.others(counts.name, counts.of)
    return replace(attempts, columns={**columns, counts.name: scores.astype(np.float64)})


def _or_runs(names: Sequence[str]) -> str:
    """Return the other way to read counts beside a column that numbers attempts: each row as a run, `156` of `500` in `attempt` 1."""
    numbered = next(filter(names_attempts, names), "")
    return f", or {column('run', numbered)} if each row is a run" if numbered else ""


def _shares_of_runs(table: SourceTable, counts: AttemptCounts, unit: str) -> SourceTable:
    """Return the table with the share of successes for each count of a run; a count of no attempts is missing."""
    if unit == "episode":
        raise DataError(
            f"{table.place}: column {counts.name!r} counts the successes of each run, and {option('unit', 'episode')} makes each attempt a row; "
            f"leave out {option('unit', 'episode')}, and the score of a run is its share of successes, or leave out the column of runs: "
            f"{column(UNUSED, 'NAME')}."
        )
    n = np.array(counts.n, dtype=np.float64)
    shares = np.divide(counts.won, n, out=np.full(n.size, np.nan), where=n > 0)
    what = "succeeded" if FAILING.isdisjoint(words(counts.name)) else "failed"
    note = (
        f"the score of a run is the share of its attempts that {what}, {counts.won[0]} of {counts.n[0]} in {table.row(0)} "
        f"(columns {counts.name!r} and {counts.of!r})"
    )
    return table.noted(note, columns={**table.others(counts.of), counts.name: shares})


def _without_copies(table: SourceTable, counts: AttemptCounts, *, by_row: bool) -> tuple[SourceTable, AttemptCounts]:
    """Return the counts without rows that equal an earlier row in every column, if the user says that these are mistakes."""
    alike = cells_alike([labelled(values) for values in table.columns.values()], table.n_rows)
    kept = np.sort(np.unique(alike, return_index=True)[1])
    again = np.setdiff1d(np.arange(table.n_rows), kept)
    if by_row or not again.size:
        return table, counts
    if table.duplicates in ("auto", "error"):
        first = int(np.argmax(alike == alike[again[0]]))
        more = f" ({again.size} such rows)" if again.size > 1 else ""
        raise DataError(
            f"{table.place}: {table.row(first)} and {table.row(int(again[0]))} are equal, with {counts.won[first]} successes of "
            f"{counts.n[first]} attempts{more}: use {option('duplicates', 'first')} if that is a mistake, or {column('run', ROW)} if each row "
            "counts attempts of its own."
        )
    note = f"left out: {again.size} row(s) that are equal to another row, by request"
    won, n = ([values[row] for row in kept.tolist()] for values in (counts.won, counts.n))
    return table.some_rows(kept).warned(note), replace(counts, won=won, n=n)


def _fractions(table: SourceTable, names: Sequence[str]) -> AttemptCounts | None:
    """Return the counts that a column writes as fractions; refuse a column in which most rows are counts and others are not."""
    for name in names:
        values = table.columns[name]
        if FRACTION.fullmatch(str(values[0])) is None:
            continue
        read = [(int(part[1]), int(part[2])) if part else (1, 0) for part in map(FRACTION.fullmatch, map(str, values))]
        counts = [pair if pair[0] <= pair[1] else None for pair in read]
        if 2 * sum(pair is not None for pair in counts) > len(counts) and max(n for _, n in read) > 1:
            return _checked(table, name, "", counts, "count of successes and attempts")
    return None


def _side_by_side(
    table: SourceTable, wins: Sequence[str], names: Sequence[str], named: Sequence[str], unit: str, *, by_run: bool
) -> AttemptCounts | None:
    """Return the counts in two columns; refuse columns in which most rows are counts and others are not.

    named: the columns that could be the score by their names, or by choice.
    """
    # Robot papers give 7 successes of 10 trials for each policy; where no number is above 1, each row is an attempt
    # already.
    # `k` of `n`, as binomial counts are written; `pass@k` is something else.
    of_n = any(name.strip().casefold() == "n" for name in names)
    scores = [name for name in wins if kind(name) in ("score", None) or _is_accuracy(name)]
    wins = [n for n in scores if _counts_successes(n) or (of_n and n.strip().casefold() == "k")]
    wins = [name for name in wins if name in named] if len(wins) > 1 else wins
    others = [name for name in names if name not in wins and _is_short(name)]
    tries = [name for name in others if _counts_attempts(name) and not FAILURES.intersection(words(name))]
    failures = [] if tries else [name for name in others if FAILURES.intersection(words(name))]
    if unit == "episode" and not wins:
        _refuse_counts_of_what(
            table, named or [name for name in scores if not has_setting(name)], tries or failures, by_run=by_run
        )
    if unit == "episode" and len(wins) == 1:
        tries = _one_of(table, wins[0], tries)
    # 5 errors of 20 attempts are fewer than 3 of 10.
    wins = [name for name in named if FAILING.intersection(words(name))] if by_run and tries and not wins else wins
    tries = tries or failures
    if len(wins) != 1 or len(tries) != 1:
        return None
    name, of = wins[0], tries[0]
    if failures:
        _refuse_draws(table, others)
    won, n = [_share(value) for value in table.columns[name]], [parsed(value) for value in table.columns[of]]
    if failures:
        n = [None if a is None or b is None else a + b for a, b in zip(won, n, strict=True)]
    numbers = [number for number in won if number is not None and math.isfinite(number)]
    if max(map(_whole, n), default=0) <= 1 or not numbers:
        return None
    rates = _says_rates(table, name) or (max(numbers) <= 1 and any(number % 1 for number in numbers))
    if rates and (unit != "episode" or failures):
        return None
    counts = None if rates else _of_counts(table, name, of, list(zip(won, n, strict=True)), unit, by_run=by_run)
    # 80 beside 10 attempts is no count, and may be a rate in percent.
    beyond = unit == "episode" and not failures and 1 < max(numbers) <= WHOLE and min(numbers) >= 0
    return _of_rates(table, name, of, won, n, by_run=by_run) if rates or (counts is None and beyond) else counts


def _one_of(table: SourceTable, name: str, tries: Sequence[str]) -> list[str]:
    """Return the column of attempts; refuse several that differ, none of which could be taken without ignoring the others."""
    several = [of for of in tries if max(_whole(parsed(value)) for value in table.columns[of]) > 1]
    numbers = {tuple(map(parsed, table.columns[of])) for of in several}
    if len(numbers) > 1:
        raise DataError(
            f"{table.place}: columns {listed(several)} could each be the number of attempts of column {name!r}; leave the others out: "
            f"{column(UNUSED, ','.join(several[1:]))}, or {column(UNUSED, ','.join(several[:-1]))}."
        )
    return several[:1]


def _refuse_draws(table: SourceTable, names: Sequence[str]) -> None:
    for even in (name for name in names if EVEN.intersection(words(name))):
        raise DataError(
            f"{table.place}: column {even!r} counts attempts that were neither won nor lost, and nothing says how much of them counts as won: "
            f"write the score of each row (wins + ½ draws over all games is usual), or use {column(UNUSED, even)} to leave such games out."
        )


def _of_counts(
    table: SourceTable,
    name: str,
    of: str,
    pairs: Sequence[tuple[float | None, float | None]],
    unit: str,
    *,
    by_run: bool,
) -> AttemptCounts | None:
    """Return the counts of a column of successes and one of attempts, None where `success` is that of one attempt, or few rows are counts."""
    several = bool((FAILING | {"successes", "wins", "k"}).intersection(words(name)))
    # One success of a run is a count where the name says several; `success` 1 may be of one attempt.
    if max((won for won, _ in pairs if won is not None), default=0) <= 1 and not several:
        return None
    read = [(_whole(a), _whole(b)) for a, b in pairs]
    counts = [pair if 0 <= pair[0] <= pair[1] else None for pair in read]
    if by_run:
        # A run without a count failed, and what it counts is for others to say.
        counts = [(0, 0) if is_empty(cell) else pair for cell, pair in zip(table.columns[name], counts, strict=True)]
    # Of scores beside a number of something else few rows are counts, by chance; of what is called successes half are no chance.
    most = 2 * sum(pair is not None for pair in counts) > len(counts) - several
    most |= several and unit == "episode"
    return _checked(table, name, of, counts, "count of successes and attempts") if most else None


def _refuse_counts_of_what(table: SourceTable, scores: Sequence[str], tries: Sequence[str], *, by_run: bool) -> None:
    """Ask of counts and of rates beside attempts what they count: as scores of one episode each they would ignore the attempts."""
    for of in tries[:1]:
        n = [parsed(value) for value in table.columns[of]]
        for name in (own for own in scores if own not in tries and own in table.columns):
            numbers = [_share(value) for value in table.columns[name]]
            pairs = [(_whole(a), _whole(b)) for a, b in zip(numbers, n, strict=True)]
            cost = direction(name) is not None
            counts = all(0 <= a <= b for a, b in pairs) and max(a for a, _ in pairs) > 1
            # One failure may be that of one attempt, as one success may; of several attempts it is a count.
            failures = not FAILING.isdisjoint(words(name)) and min(b for _, b in pairs) > 1
            if counts or failures or _may_be_rates(table, name, numbers, n):
                raise _asked_of_counts(table, name, of, pairs, cost=cost, by_run=by_run)


def _may_be_rates(table: SourceTable, name: str, numbers: Sequence[float | None], n: Sequence[float | None]) -> bool:
    """Return whether numbers are rates of several attempts by their name, or each is the share of one count."""
    shares = [number for number in numbers if number is not None]
    if max(map(_whole, n)) <= 1 or len(shares) < len(numbers):
        return False
    if _says_rates(table, name) or names_quality(name):
        return True
    between = all(0 <= share <= 1 for share in shares)
    fractions = any(share % 1 for share in shares)
    return between and fractions and None not in _of_shares(table.columns[name], n, percent=False)


def _asked_of_counts(
    table: SourceTable, name: str, of: str, pairs: Sequence[tuple[int, int]], *, cost: bool, by_run: bool
) -> DataError:
    """Return the question what a column beside one of attempts counts."""
    # A command to copy would compare 40 of 100 with 16 of 20 as 40 with 16.
    differ = len({b for _, b in pairs}) > 1
    leave_out = f"leave {of!r} out of the data" if differ else f"use {column(UNUSED, of)}"
    rates = _says_rates(table, name) or not all(0 <= a <= b for a, b in pairs)
    first = str(table.columns[name][0])
    holds = f"{first} beside {pairs[0][1]}" if rates else f"{pairs[0][0]} of {pairs[0][1]}"
    of_failures = f"{of} − {'the number of failures' if rates else name}"
    write = (
        f"write a column `successes`, {of_failures}, in place of {name!r} if it {'is a share of' if rates else 'counts'} failures"
        if cost
        else f"name it {'`success_rate` if it is the share of' if rates else '`successes` if it counts'} attempts that succeeded"
    )
    runs = f"leave out {option('unit', 'episode')} if each row is a run, " if by_run else ""
    return DataError(
        f"{table.place}: column {name!r} may count what happened in the attempts of column {of!r} ({holds} in {table.row(0)}), and a "
        f"row is then no single episode: {runs}{write}, give the score of every episode if it is their mean, or {leave_out} if it is the "
        "score of one episode."
    )


def _of_several_attempts(table: SourceTable, score: str, counts: AttemptCounts) -> DataError:
    """Return the refusal of a score beside counts: of several attempts it is a mean, which would stand there as often as there are attempts."""
    columns = f"columns {counts.name!r} and {counts.of!r} count" if counts.of else f"column {counts.name!r} counts"
    return DataError(
        f"{table.place}: {columns} the successes of several attempts ({counts.won[0]} of {counts.n[0]} in "
        f"{table.row(0)}), so that {score!r} is not the score of a single one: use {column('score', counts.name)} to judge the successes, give "
        f"{score!r} of every attempt, or leave {counts.of or counts.name!r} out of the data if it is the score of one."
    )


def _says_rates(table: SourceTable, name: str) -> bool:
    """Return whether a column holds shares by its name, or by signs of percent."""
    return bool(SHARES.intersection(words(name))) or _is_accuracy(name) or _in_percent(table, name)


def _in_percent(table: SourceTable, name: str) -> bool:
    signs = "%" in name or any("%" in str(value) for value in table.columns[name])
    return signs or not PERCENT.isdisjoint(words(name))


def _is_accuracy(name: str) -> bool:
    return names_quality(name) and not CORRECT.isdisjoint(words(name))


def _counts_successes(name: str) -> bool:
    return not SUCCESSES.isdisjoint(words(name)) or _is_accuracy(name)


def _counts_attempts(name: str) -> bool:
    return bool(TRIALS.intersection(words(name))) or words(name) in (("of",), ("out", "of"), ("count",), ("counts",))


def _is_short(name: str) -> bool:
    """Return whether a name has few words beside that for attempts: `num_eval_episodes`, `n_games`."""
    return len(words(name)) < 3 or (TRIALS | BESIDE_TRIALS).issuperset(words(name))


def _whole(number: float | None) -> int:
    """Return a count as an integer, -1 for other numbers."""
    return int(number) if number is not None and number >= 0 and float(number).is_integer() else -1


def _of_rates(
    table: SourceTable, name: str, of: str, won: Sequence[float | None], n: Sequence[float | None], *, by_run: bool
) -> AttemptCounts:
    """Return the counts that rates of several attempts are, in percent or as shares; refuse those of runs."""
    if by_run:
        raise DataError(
            f"{table.place}: column {name!r} holds a rate of several attempts for each run ({table.columns[name][0]} of "
            f"{table.columns[of][0]} in {table.row(0)}), and {option('unit', 'episode')} is of single attempts of one trained "
            f"policy: leave out {option('unit', 'episode')}, and the rate is the score of its run, or leave out the column of runs: "
            f"{column(UNUSED, 'NAME')}."
        )
    # 15 of 20 may be a count or a rate in percent; a number that is larger than its attempts is no count, and 82.5 is none.
    beyond = any(
        a is not None and b is not None and (a > max(b, 1) or (a > 1 and a % 1)) for a, b in zip(won, n, strict=True)
    )
    stated = _in_percent(table, name)
    # Below a head in percent .8 may be 80 % nevertheless; behind a sign it is what it says.
    signs = any("%" in str(value) for value in table.columns[name])
    small = max((a for a in won if a is not None), default=0) <= 1
    doubtful = stated and not signs and small and any(won)
    counts = _of_shares(table.columns[name], n, percent=beyond or stated or (_is_accuracy(name) and not small))
    what = "rate that one number of successes alone has (write the successes themselves)"
    return _checked(table, name, of, [None] * len(counts) if doubtful else counts, what)


def _share(value: Any) -> float | None:
    """Return a number, of `60 %` the number before the sign."""
    return parsed(value.strip().removesuffix("%").rstrip() if isinstance(value, str) else value)


def _of_shares(values: Values, n: Sequence[float | None], *, percent: bool) -> list[tuple[int, int] | None]:
    """Return the successes and the attempts of each row whose rounded rate belongs to exactly one count."""
    whole = 100.0 if percent else 1.0
    shares = [None if (number := _share(value)) is None else number / whole for value in values]
    tries = [_whole(number) for number in n]
    # Of the whole column, for .80 is written .8; half a unit of the last place, and no less than 32 bits are off by.
    places = max(map(_places, values), default=0) + 2 * percent
    off = max(0.5 * 10.0**-places, 1e-7) + 1e-12
    counts: list[tuple[int, int] | None] = []
    for share, total in zip(shares, tries, strict=True):
        if share is None or not 0 <= share <= 1 or total < 0 or 2 * off * total > 1 + 1e-6:
            counts.append(None)
            continue
        won = round(share * total)
        counts.append((won, total) if abs(won - share * total) <= off * total else None)
    return counts


def _places(value: Any) -> int:
    """Return the number of decimals with which a number is written; all of a float's if it has an exponent."""
    text = str(value).strip().casefold()
    return 16 if "e" in text else len(text.removesuffix("%").rstrip().partition(".")[2])


def _checked(
    table: SourceTable, name: str, of: str, counts: Sequence[tuple[int, int] | None], what: str
) -> AttemptCounts:
    """Return the counts; refuse a row that is not a count, naming its place."""
    for i, pair in enumerate(counts):
        if pair is None:
            columns = [own for own in (name, of) if own]
            holds = ", ".join(
                f"column {own!r} holds {str(table.columns[own][i]).strip() or 'nothing'}" for own in columns
            )
            unused = (
                f", or use {column(UNUSED, of)} if {name!r} is the score of one attempt, whatever {of!r} counts"
                if of
                else ""
            )
            raise DataError(f"{table.place}, {table.row(i)}: {holds}, which is no {what}; correct the row{unused}.")
    read = [pair for pair in counts if pair is not None]
    return AttemptCounts(name=name, of=of, won=[won for won, _ in read], n=[n for _, n in read])
