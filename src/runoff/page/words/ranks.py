"""What the ranks say in sentences, how profiles of pairs lie, and the decimals of both. No difference found is never worded as equality."""

from __future__ import annotations

from runoff._inference.bootstrap import cited
from runoff._inference.pairs import about_test
from runoff.answer import Column, Name, Number, Table
from runoff.page.answers.ranking import Ranking, rank_rows
from runoff.results.rank import CriticalDifferenceResult, RankIntervalsResult, RankResult, places_text, says_best
from runoff.words.names import METHODS, capital
from runoff.words.numbers import chance, counted, digits, exactly, listed, p_equals, percent

LISTED = 8
"""The most algorithms, and the most pairs that must not be read by eye, that are listed."""


def omnibus_words(result: RankResult, alpha: float) -> str:
    """Return whether the algorithms differ at all."""
    k, tasks = len(result.algorithms), counted([result.n_tasks], "task")
    algorithms = "both algorithms" if k == 2 else f"all {k} algorithms"
    # A smaller p is printed as "< 0.001", beside which an error says nothing.
    error = f" ± {digits(result.pvalue_error, 1)}" if result.pvalue_error and result.pvalue >= 0.0005 else ""
    freedom = ""
    if result.df is not None and result.method != "exact":
        df = result.df if isinstance(result.df, tuple) else (result.df,)
        freedom = f" with {' and '.join(digits(d, 4) for d in df)} degrees of freedom"
    numbers = (
        f"statistic {digits(result.statistic, 4)}{freedom}, {p_equals(result.pvalue)}{error}, {METHODS[result.method]}"
    )
    lead = f"{capital(about_test(result.test).title)} of {algorithms} over {tasks} ({numbers})"
    if result.pvalue <= alpha:
        return f"{lead} rejects, at α = {exactly(alpha)}, the hypothesis that {'they' if k == 2 else 'all'} are alike: {result.claim}."
    return f"{lead} does not reject at α = {exactly(alpha)}: no difference was found, which does not make them equal."


def critical_words(result: CriticalDifferenceResult) -> str:
    gap = result.critical_average_difference
    control = f" with the control, {result.control}," if result.control is not None else ""
    n, m = sum(pair.rejected for pair in result.pairs), len(result.pairs)
    some = n or ("None" if m > 1 else 0)
    rule = "" if result.control is not None else "; algorithms that share a letter do not"
    return (
        f"{some} of {counted([m], 'pair')}{control} {'differ' if n > 1 else 'differs'} in average rank by the critical difference, "
        f"{digits(gap)} at α = {exactly(result.alpha)}, or more{rule}."
    )


def places_words(result: RankIntervalsResult) -> str:
    """Return for whom rank 1 is possible."""
    metric, level = cited(result.measure), f"{percent(result.confidence_level)}"
    first = [record for record in result.best_first if record.joint_low == 1]
    candidates = "one algorithm only" if len(first) == 1 else f"{len(first)} of {len(result.rows)} algorithms"
    named, more = ", ".join(record.algorithm for record in first[:LISTED]), len(first) - LISTED
    named += f" and {more} more" if more > 0 else ""
    return (
        f"Rank 1 by {metric} is possible for {candidates}: {named}. Possible ranks are {level} "
        "confidence sets of all algorithms at once, by the tests of all pairs, among these algorithms."
    )


def ranking_sentence(ranking: Ranking, alpha: float) -> str:
    """Return who has the best average rank, and whose ranks do not differ from it; with a control, whose ranks differ from its."""
    ranks, critical = ranking.average_ranks, ranking.critical
    if ranking.omnibus is not None and ranking.omnibus.pvalue > alpha:
        return f"No difference was found between these {len(ranks)} algorithms, which does not make them equal."
    if critical is not None and critical.control is not None:
        names = [pair.a for pair in critical.pairs if pair.rejected]
        whose = (
            f"The average {'rank' if len(names) == 1 else 'ranks'} of {listed(names)}" if names else "No average rank"
        )
        return f"{whose} {'differ' if len(names) > 1 else 'differs'} from that of {critical.control}, the control, by the critical difference."
    best = min(ranks, key=ranks.__getitem__)
    pairs = critical.pairs if critical else ()
    near = [pair.b if pair.a == best else pair.a for pair in pairs if best in (pair.a, pair.b) and not pair.rejected]
    near.sort(key=ranks.__getitem__)
    does = "that of {} does not" if len(near) == 1 else "those of {} do not"
    others = does.format(listed(near)) if near else "those of all others do"
    differ = f"; {others} differ from it by the critical difference" if pairs else ""
    return f"{best} has the best average rank, {digits(ranks[best])}{differ}."


def ranking_words(ranking: Ranking, alpha: float) -> list[str]:
    """Return the sentences about ranks, then what was left out and why."""
    sentences = [omnibus_words(ranking.omnibus, alpha)] if ranking.omnibus else []
    sentences += [critical_words(ranking.critical)] if ranking.critical else []
    sentences += [places_words(ranking.places)] if ranking.places else []
    return [*sentences, *ranking.left_out]


def table_of_ranks(ranking: Ranking, caption: str) -> Table:
    """Return one row per algorithm, the best average rank first, with what is known of each: letters or its difference from the control,
    and possible ranks.
    """
    rows, critical = rank_rows(ranking), ranking.critical
    columns = [
        Column(key="algorithm", head="Algorithm", cells=[Name(row["algorithm"]) for row in rows]),
        Column(key="rank", head="Average rank", cells=[Number(row["average_rank"], 4) for row in rows], ordered=True),
    ]
    if critical is not None and critical.control is None:
        columns.append(Column(key="letters", head="Letters", cells=[row["letters"] for row in rows]))
    elif critical is not None:
        answers = {pair.a: "different" if pair.rejected else "no difference found" for pair in critical.pairs}
        columns.append(
            Column(key="control", head="From control", cells=[answers.get(row["algorithm"], "") for row in rows])
        )
    if ranking.places is not None:
        places = [places_text(row["place_joint_low"], row["place_joint_high"]) for row in rows]
        columns.append(Column(key="places", head="Possible ranks", cells=places, numeric=True))
        if says_best(ranking.places):
            best = [chance(row["p_best"]) for row in rows]
            columns.append(Column(key="p_best", head="P(best)", cells=best, numeric=True))
    return Table(
        role="ranks", title="Average ranks and possible ranks; rank 1 is best", caption=caption, columns=tuple(columns)
    )
