"""Choice of the series that is the score, and of the series that counts the steps: by name, or the first in a default order.

The order of scores: evaluation before training; returns, rewards and scores before shares of success; means before medians, maxima and
minima; the whole team, episode or environment before its parts. Other measures (losses, lengths, times, spreads) are never a score unless
the user asks for them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from runoff.errors import OptionError, nearest
from runoff.reading.logs.base import Extent
from runoff.tables.columns import listed
from runoff.words.costs import direction
from runoff.words.patterns import regex
from runoff.words.speech import Sentence, column, series_option
from runoff.words.words import canonical, names_training, ordered, vocabulary, words

EVALUATION = vocabulary(
    "eval evals evaluation evaluations evaluator evaluate test testing validation val valid greedy deterministic"
)
VALIDATION = vocabulary("val valid validation")
RETURN = vocabulary("return returns ret reward rewards rew score scores fitness r eprewmean")
SUCCESS = vocabulary("success successes win wins won winrate solved resolved correct pass passed accuracy acc match")
SPREAD_OR_OTHER = vocabulary(
    "std stdev stddev sem stderr error var variance ci lower upper length len lengths loss losses lr learning time "
    "walltime wall sec secs second seconds fps sps hour hours minute minutes entropy kl grad gradient gradients norm "
    "scale scaling coef coefficient weight weights count num number n q critic advantage advantages target predicted "
    "prediction model buffer priority td explained intrinsic extrinsic curiosity rnd bonus penalty temperature alpha "
    "discount gamma threshold baseline iter iteration iterations epoch clip clipped clipping histogram hist q1 q2 v "
    "vf pi value values batch minibatch replay running shift filter cost costs constraint normalizer"
)
STATISTICS = ((), ("median",), ("max", "maximum", "best", "highest"), ("min", "minimum", "lowest"))
"""Words in the order of preference; series with a mean, or with none of these words, come first."""
LESS = vocabulary(
    "raw aux shaped discounted instantaneous step agent per normalized smoothed ema unscaled initial untrained before start"
)
"""Words in names of series that are less usual than the series without them."""
EARLY = vocabulary("initial untrained before start first expert oracle demonstrator opponent reference random")
"""Words in names of scores from before training, and of others than the agent, which come last."""
WHOLE = vocabulary(
    "mean avg average median std min minimum max maximum best highest lowest total sum cumulative rate ratio fraction "
    "percent percentage pct stat stats statistic statistics step steps frame frames env envs environment environments "
    "episode episodes episodic ep all array once at end final last recent online offline raw smoothed smooth ema per "
    "agent agents team global normalized unnormalized scaled undiscounted discounted train training rollout collection "
    "human hns running window interquartile iqm by of s"
)
"""Words after "reward" that describe how the whole reward was measured; other words name a part of it ("rew_torques",
"Episode_Reward/alive")."""
AXIS = regex(r"/(?:step|frame)s?$", re.IGNORECASE)
"""The ending that rl_games gives to a series that it logs on several axes: "rewards/step", as well as "rewards/iter" and "rewards/time"."""
OF_COAX = regex(r"episode/avg_G$")
"""The mean return of coax."""
OF_A_STEP = regex(r"reward/reward_(?:mean|max|min)$")
"""BenchMARL's reward per step, logged in addition to `reward/episode_reward_mean`."""
# Evaluation, return, whole (each False if so), statistic, less usual words, number of words, name.
SeriesOrder = tuple[bool, bool, bool, bool, int, int, int, str]
NEXT = 4


def last_piece(name: str) -> str:
    """Return the part of a name after the last slash or dot."""
    return re.split(r"[/.]", name)[-1] or name


def matches(wanted: str, name: str) -> bool:
    """Return whether a series is the wanted one: by its whole name, or by the pieces after a slash; case does not matter."""
    full, endings = name.casefold(), wanted.strip().casefold()
    if endings == full or full.endswith("/" + endings):
        return True
    if not is_family(wanted):
        return False
    forms = map(str.strip, endings.split(EITHER))
    return any(fnmatchcase(full, form) or fnmatchcase(full, f"*/{form}") for form in forms)


EITHER, ANY = "|", "*"


def is_family(wanted: str) -> bool:
    """Return whether a metric is a family: several names, `acc|exact_match`, or a pattern, `Rollout/Return/*`, of which each run has its own
    series."""
    return EITHER in wanted or ANY in wanted


def own_of_family(wanted: str, names: Iterable[str]) -> list[str]:
    """Return the series of a run that belong to a family: those with the first of its names that the run has."""
    series = sorted(names)
    for form in wanted.split(EITHER):
        if own := [name for name in series if matches(form, name)]:
            return own
    return []


@cache
def order(name: str) -> SeriesOrder | None:
    """Return the position of a series in the default order, None if it is not a score."""
    name_words = words(OF_COAX.sub("episode/avg_return", AXIS.sub("", name)))
    distinct = set(name_words)
    # One such word is enough to be none: `reward_std`, `episode_length_mean`, `value_loss`. A loss is never taken for
    # a score, though a log may hold nothing else.
    if distinct & SPREAD_OR_OTHER or not distinct & (RETURN | SUCCESS):
        return None
    statistic = max(place for place, names in enumerate(STATISTICS) if not place or distinct.intersection(names))
    # words behind the last that means a score may name a part of it
    last = max(i for i, word in enumerate(name_words) if word in RETURN | SUCCESS)
    is_part = any(word not in WHOLE | EVALUATION and not word.isdigit() for word in name_words[last + 1 :])
    # False sorts before True: evaluation, return and whole come first. The name at the end only breaks ties, so that
    # the order of columns decides nothing.
    ahead = bool(distinct & EARLY), not distinct & EVALUATION, not distinct & RETURN, is_part
    less = len(distinct & LESS) + bool(OF_A_STEP.search(name))
    return *ahead, statistic, less, len(name_words), name


def is_evaluation(name: str) -> bool:
    """Return whether a series is of evaluations by its name: `eval/return`, `final_return`."""
    return not (EVALUATION | {"final"}).isdisjoint(words(name))


def unnamed_evaluations(names: Iterable[str]) -> list[str]:
    """Return the series of evaluations of which no word says what they measure: `val/ndcg@10`, `eval/profit`.

    >>> unnamed_evaluations(["epoch", "train/loss", "val/loss", "val/perplexity", "val/ndcg@10"])
    ['val/ndcg@10']
    """
    return [
        name
        for name in names
        if is_evaluation(name)
        and {*words(name)} > EVALUATION.intersection(words(name))
        and SPREAD_OR_OTHER.isdisjoint(words(name))
        and not counts_steps(name)
        and direction(name) is None
    ]


def in_order(names: Iterable[str]) -> list[str]:
    """Return the possible score series, the preferred first."""
    return sorted((name for name in names if order(name) is not None), key=lambda name: order(name) or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesChoice:
    """The series that is the score of a tool's runs (None if there is none), and the sentence on it.

    mixed: the words if no series is in all runs; doubt: the words if another series would be taken if all runs had it, or if several are
    equally good; instead: the series of runs without an evaluation, which have no score.
    """

    name: str | None
    sentence: str = ""
    mixed: str = ""
    doubt: str = ""
    instead: str = ""


def choose(
    title: str, runs: Sequence[Mapping[str, Extent]], wanted: str | None, cells: Sequence[object] = ()
) -> SeriesChoice:
    """Return the score of all runs of a tool, given the series of each: the first in the order that all runs with any score have, or the
    evaluation that most of them have, and some in each of the `cells` of the runs.

    A series with a single point in every run comes after those with more, because it is one episode at the end. A name that matches two
    series is refused.
    """
    counts = Counter(name for names in runs for name in names)
    if wanted is not None and wanted not in counts and is_family(wanted):
        return SeriesChoice(name=wanted if any(matches(wanted, name) for name in counts) else None)
    if wanted is not None:
        matching = [wanted] if wanted in counts else sorted(name for name in counts if matches(wanted, name))
        if len(matching) > 1:
            raise OptionError(
                f"the metric {wanted!r} may be {', '.join(map(repr, matching[:NEXT]))} ({title}); give the whole name."
            )
        return SeriesChoice(name=matching[0] if matching else None)
    # Scripts that evaluate once, at the end, log one point under a better name: as the score it would leave no curve.
    several = {name for series in runs for name, extent in series.items() if extent.points > 1}
    ranked = sorted(in_order(counts), key=lambda name: name not in several)
    if not ranked:
        return SeriesChoice(name=None)
    with_any = [names for names in map(in_order, runs) if names]
    # One series for all runs of a tool, for a mixture would compare returns of evaluations with returns of training.
    # Runs without any score do not forbid it; they are left out by name.
    of_all = [name for name in ranked if counts[name] == len(with_any)]
    if without := _without_evaluation(ranked[0], runs, cells):
        sentence = Sentence(_said(title, ranked, ranked[0], counts, len(with_any)))
        return SeriesChoice(name=ranked[0], sentence=sentence, instead=in_order(without[0])[0])
    if of_all:
        sentence = Sentence(_said(title, ranked, of_all[0], counts, len(with_any)))
        return SeriesChoice(
            name=of_all[0], sentence=sentence, doubt=Sentence(_doubt(title, ranked, of_all, counts, len(with_any)))
        )
    # Only for the sentence: nothing is read where no series is common.
    most = max(ranked, key=lambda name: (counts[name], -ranked.index(name)))
    other = next(names[0] for names in with_any if most not in names)
    mixed = (
        f"{title}: no series that looks like the score is in all runs: {counts[most]} of {len(with_any)} have {most!r}, others {other!r} "
        "instead"
    )
    if family := _family(with_any, most):
        mixed += f" (if these measure the same thing, each task in its own way: {column('score', family)})"
    return SeriesChoice(name=most, mixed=mixed)


def _without_evaluation(
    evaluation: str, runs: Sequence[Mapping[str, Extent]], cells: Sequence[object]
) -> list[Mapping[str, Extent]]:
    """Return the few runs that were trained and never evaluated, as one that crashed, where most of all runs, and some of each cell, were; none
    where an algorithm logs no evaluation at all."""
    # Returns of training in place of all evaluations, for one run that has none, would answer another question.
    pairs = [(names, cell) for names, cell in zip(runs, cells, strict=False) if in_order(names)]
    lacking = [(names, cell) for names, cell in pairs if evaluation not in names]
    with_it = {cell for names, cell in pairs if evaluation in names}
    few = 2 * len(lacking) < len(pairs) and all(cell in with_it for _, cell in lacking)
    evaluated = any(_is_evaluation(name) for names, _ in lacking for name in in_order(names))
    return [names for names, _ in lacking] if _is_evaluation(evaluation) and few and not evaluated else []


def _is_evaluation(name: str) -> bool:
    return not EVALUATION.isdisjoint(words(name))


def _family(runs: Sequence[Sequence[str]], most: str) -> str:
    """Return the first score series of every run as one family; "" if there are too many to be read."""
    names = dict.fromkeys([most, *(own[0] for own in runs if most not in own)])
    return EITHER.join(names) if len(names) <= NEXT else ""


def _doubt(title: str, ranked: Sequence[str], of_all: Sequence[str], counts: Mapping[str, int], n_runs: int) -> str:
    """Return the doubt about a choice: most runs have a better series, or several series differ in a word without a preference."""
    chosen, first = of_all[0], ranked[0]
    # One evaluation at the end is what a claim is about; returns of training have curves.
    once = next((name for name in in_order(of_all) if is_evaluation(name)), "")
    if once and names_training(chosen):
        return (
            f"{title}: the score is {chosen!r}, the return of training episodes, which has a curve; {column('score', once)} reads the one "
            "evaluation of each run"
        )
    tested = next((name for name in in_order(of_all) if "test" in words(name)), "")
    if tested and VALIDATION.intersection(words(chosen)):
        return f"{title}: the score is {chosen!r}, that of validation; {column('score', tested)} reads that of the test"
    if first != chosen and 2 * counts[first] > n_runs:
        return (
            f"{title}: the score is {chosen!r}, because {n_runs - counts[first]} of {n_runs} run(s) lack {first!r}, which is preferred; "
            f"leave those runs out, or name the score ({series_option()})"
        )
    like = [name for name in of_all if (order(name) or ())[:-1] == (order(chosen) or ())[:-1]]
    if len(like) > 1 and last_piece(like[0]) == last_piece(like[1]):
        return f"{title}: {', '.join(map(repr, like[:NEXT]))} are equally likely scores, and the first is used; {series_option()} names another"
    return ""


def _said(title: str, ranked: Sequence[str], chosen: str, counts: Mapping[str, int], n_runs: int) -> str:
    others = [name for name in ranked if name != chosen]
    also = f"; there are also {listed(others, NEXT)}" if others else ""
    fewer = f", which only {counts[ranked[0]]} of {n_runs} runs have" if ranked[0] != chosen else ""
    before = f" (preferred: {ranked[0]!r}{fewer})" if fewer else ""
    return f"{title}: the score is {chosen!r}{before}{also}; {series_option()} names another"


def unknown_metric(wanted: str, names: Iterable[str]) -> OptionError:
    """Return the refusal for a metric that no run has."""
    series = sorted(set(names))
    likely = in_order(series) or series
    more = f" and {len(series) - len(likely[:8])} more" if len(series) > len(likely[:8]) else ""
    return OptionError(
        f"no run has a series {wanted!r}; there are {', '.join(map(repr, likely[:8]))}{more}.{nearest(wanted, series)}"
    )


# ── which series counts the steps ──────────


STEPS = ordered(
    "globalstep globalsteps envstep envsteps environmentstep environmentsteps numenvsteps totalenvsteps "
    "numenvstepssampledlifetime numenvstepssampled timestepstotal totaltimesteps numtimesteps totalenvinteracts "
    "envinteracts timesteps timestepssofar timestep numframes totalframes envframes frames frame totalsteps totalnumsteps "
    "numsteps nbsteps cumsteps tenv stepcount actorsteps learnersteps steps step"
)
"""Canonical last pieces of names of series that count steps of the environment."""
COUNTERS = ("trainingiteration", "iteration", "iterations", "iter", "nupdates", "updates", "epoch", "epochs")
"""Canonical names of series that count updates, used as a last resort."""
TIMES = ordered("timetotals timeelapsed elapsedtime walltime wallclocktime totaltime runtime timesincerestore time t")
EPISODES = ordered(
    "episodestotal totalepisodes numepisodes numepisodeslifetime numberofepisodes episodes episode totalepisodenum"
)


def steps_of(names: Iterable[str], wanted: str | None) -> str | None:
    """Return the series that counts the steps, None if there is none."""
    series = list(names)
    if wanted is None:
        return first_of(series, STEPS) or first_of(series, COUNTERS)
    # `global_step` is also the end of `charts/global_step`: the whole name wins, then the shortest.
    matching = [name for name in series if name == wanted] or [name for name in series if matches(wanted, name)]
    if not matching:
        raise OptionError(f"there is no series {wanted!r} to count the steps.{nearest(wanted, series)}")
    return min(matching, key=lambda name: (len(name), name))


def first_of(names: Sequence[str], usual: Sequence[str]) -> str | None:
    """Return the name that comes first in a list of usual names; of several, the shortest."""
    places = {name: canonical(last_piece(name)) for name in names}
    usual_ones = [name for name in names if places[name] in usual]
    return min(usual_ones, key=lambda name: (usual.index(places[name]), len(name), name), default=None)


def counts_steps(name: str) -> bool:
    """Return whether a series counts steps, iterations, seconds or episodes, and so is not a score."""
    return canonical(last_piece(name)) in {*STEPS, *COUNTERS, *TIMES, *EPISODES}
