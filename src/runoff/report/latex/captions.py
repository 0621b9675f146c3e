"""Words that the captions share: what an interval is, how many runs, which test."""

from __future__ import annotations

from collections.abc import Iterable

from runoff._inference.bootstrap import interval_title, parse_metric
from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import about_test
from runoff.report.answers.all import Answers
from runoff.report.answers.standing import standing_of
from runoff.report.latex.glyphs import shown_names
from runoff.results.aggregate import AggregateRecord
from runoff.words.numbers import counted, span


def metric_words(metric: str) -> str:
    """Return a metric inside a sentence: "IQM", "optimality gap"."""
    title = parse_metric(metric).title
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


def listed(words: list[str]) -> str:
    """Return "a", "a and b" or "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def interval_words(records: Iterable[AggregateRecord]) -> str:
    """Return "95 % t intervals, each on its own", or that there are none."""
    kinds = dict.fromkeys(
        f"{100 * r.confidence_level:g}\u00a0% {interval_title(r.interval)}" for r in records if r.interval
    )
    return f"{' or '.join(kinds)} intervals, each on its own" if kinds else "without intervals"


def unit(answers: Answers) -> str:
    """Return what is replicated: "run" or "episode"."""
    return "episode" if answers.scores.sampling.unit == "episode" else "run"


def runs_words(answers: Answers) -> str:
    """Return "5 runs per algorithm and task (N = 35 scores per algorithm)"."""
    counts = answers.scores.n_runs
    per_cell = f"{counted(counts[counts > 0].tolist(), unit(answers))} per algorithm and task"
    return f"{per_cell} (N = {span(counts.sum(axis=1).tolist())} scores per algorithm)"


def test_words(answers: Answers) -> str:
    """Return the test of each pair, its correction and α."""
    comparison = answers.comparison
    tests = dict.fromkeys(about_test(pair.test).title for pair in comparison.pairs)
    n = len(comparison.pairs)
    if n == 1:
        corrected = "one pair, so no correction"
    elif comparison.correction == "none":
        corrected = f"{n} pairs, not corrected"
    else:
        corrected = f"{CORRECTIONS[comparison.correction].label} correction over {n} pairs"
    return f"{listed(list(tests))}, {corrected}, α = {comparison.alpha:g}"


def bold_words(answers: Answers, best: frozenset[str]) -> str:
    """Return what bold means; nothing where nothing is bold."""
    if not best:
        return ""
    metric = metric_words(answers.aggregates.metrics[0])
    bold = f" Bold: the best {metric} that no test of pairs finds worse than another, and all that are not found worse than it"
    return f"{bold} ({test_words(answers)}).{_reversed(answers)}"


def _reversed(answers: Answers) -> str:
    """Return which algorithms have a better measure than the leader, and why they do not lead all the same."""
    standing = standing_of(answers)
    shown = shown_names(answers.scores.algorithms, "Algorithm")
    before = standing.order[: standing.order.index(standing.leader)]
    lines = [shown[name] for name in before if standing.places[name] == "not compared"]
    lacking = {
        name for name, counts in zip(answers.scores.algorithms, answers.scores.n_runs, strict=True) if not counts.all()
    }
    worse = [name for name in before if name not in standing.best and shown[name] not in lines]
    fewer, other = ([shown[name] for name in worse if (name in lacking) is wanted] for wanted in (True, False))
    clauses = (
        (lines, f"{_verb(lines, 'has', 'have')} single values, which are not tested"),
        (
            fewer,
            f"{_verb(fewer, 'lacks', 'lack')} tasks, and {_verb(fewer, 'is', 'are')} found worse on those that both have",
        ),
        (other, f"{_verb(other, 'is', 'are')} found worse: the order depends on the measure"),
    )
    return "".join(f" {listed(names)} {words}." for names, words in clauses if names)


def _verb(names: list[str], singular: str, several: str) -> str:
    return singular if len(names) == 1 else several
