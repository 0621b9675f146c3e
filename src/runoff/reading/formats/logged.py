"""Logs that scripts print: a line for each evaluation of one run, or a line for each run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from runoff.reading._known import names_setting
from runoff.reading.formats.base import LOGS
from runoff.reading.formats.described import (
    LEVELS,
    described_in,
    describes,
    is_described,
    is_named_in_words,
    name_several,
    names_in_remarks,
    run_in_words,
    without,
)
from runoff.reading.formats.log_lines import (
    LONGEST,
    NAME,
    NUMBER,
    WORKER,
    LogLine,
    attempts_in,
    called_before,
    line_of,
    pairs_in,
    split_of,
    text_of,
    with_records,
)
from runoff.reading.formats.sections import begun_below
from runoff.reading.formats.stepless import evaluations_in, headed_in, is_cost, is_of_evaluation, scores_among
from runoff.tables.columns import NAMED, columns_of, playing, roles_of
from runoff.tables.likely import candidates, plays
from runoff.tables.values import parsed
from runoff.words.columns import preferred
from runoff.words.labels import KINDS_OF_DATA, is_centre, run_of
from runoff.words.patterns import regex
from runoff.words.words import canonical, kind, vocabulary, words

BESIDE_COSTS = ("step", "iteration", "episode", "time", "rate")
"""Kinds of numbers that are no measure."""


class Logged(NamedTuple):
    """The rows of a log, the names of their columns first, the number of the line of each, the lines that are neither rows nor describe the
    run, and the lines that seem to be evaluations and are no rows; of attempts, what contradicts them and why they cannot be read; beside rows
    of training, the evaluations without a step as a log of their own."""

    rows: list[list[str]]
    at: list[int]
    rest: list[str]
    unread: list[str]
    doubts: tuple[str, ...] = ()
    refusal: str = ""
    evaluated: Logged | None = None


def log_in(lines: Sequence[str], suffix: str = "") -> Logged | None:
    """Return the rows of a log, a run each or an evaluation each; None of another text, and of one with one row whose suffix does not say that
    it is a log: it may be a sentence with two numbers."""
    if len({match[1] for match in map(WORKER.match, lines) if match}) > 1:
        return None  # several processes in turn
    lines = with_records(lines)
    fewest = 1 if suffix in LOGS else 2
    log = _of_attempts(lines) or _of_tasks(lines) or _of_runs(lines, fewest) or _of_evaluations(lines, fewest)
    log = log or _of_mean(lines)
    return log and log._replace(rows=_with_steps(log.rows))


def is_evaluated(log: Logged) -> bool:
    """Return whether the rows of a log are evaluations, by the name of the score or the kind of data of its lines."""
    return "split" in log.rows[0] or is_of_evaluation("", log.rows[0])


def cut_end(lines: Sequence[str], log: Logged) -> str:
    """Return the last value of a log whose last line is a row, if the value looks cut off: it is no number among numbers, or has fewer digits
    than all others; "" if it does not.

    >>> cut_end(lines := ["step=1 return=12.5", "step=2 return=13.5", "step=3 return=1"], log_in(lines))
    '1'
    """
    texts = [_values_in(lines[at - 1]) for at in log.at]
    if not texts[log.at.index(len(lines))]:  # the word of an outcome
        return ""
    (key, last) = list(texts[log.at.index(len(lines))].items())[-1]
    others = [own[key] for at, own in zip(log.at, texts, strict=True) if at != len(lines) and key in own]
    if not others or not lines[-1].rstrip(" \t|,;").replace(",", "").endswith(last.replace(",", "")):
        return ""
    numbers = all(parsed(other) is not None for other in others)
    if parsed(last) is None:
        short = numbers or (last not in others and any(other.startswith(last) for other in others))
    else:
        decimals = [len(text.partition(".")[2]) for text in (last, *others)]
        # Of numbers with more and fewer decimals, `42.5` and `420`, a short one is cut off only where it lies far below all.
        sizes = [abs(parsed(text) or 0.0) for text in (last, *others)]
        below = len({*decimals[1:]}) == 1 or 2 * sizes[0] < min(sizes[1:])
        short = numbers and below and (decimals[0] < min(decimals[1:]) or len(last) < min(map(len, others)))
    return last if short else ""


def beside_cost(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the costs of which one is the score, those of evaluation or validation first, and the names of training's costs, of settings and
    of times beside the only one; none where something is named like a score, or may be another measure.

    >>> beside_cost(["epoch", "train loss", "val RMSE", "lr"]), beside_cost(["step", "policy_loss", "value_loss"])
    ((['val RMSE'], ['train loss', 'lr']), (['policy_loss', 'value_loss'], []))
    >>> beside_cost(["step", "loss", "entropy"]), beside_cost(["step", "loss", "return"])
    ((['loss'], []), ([], []))
    """
    costs = [] if plays(list(names), "score", {}) else preferred(list(filter(is_cost, names)))
    used = {*costs, *_steps(names), *playing(names, NAMED)}
    others = [name for name in names if name not in used and name not in ("step", CLOCK)]
    alone = len(costs) == 1 and all(is_cost(name) or _stands_beside(name) for name in others)
    return costs, others if alone else []


def _stands_beside(name: str) -> bool:
    return kind(name) in BESIDE_COSTS or (kind(name) != "metric" and names_setting(name))


# ── a line for each evaluation ──────────


def _of_evaluations(lines: Sequence[str], fewest: int) -> Logged | None:
    """Return the evaluations of the run that a log is of, with what lines of keys and values say of it; None of another text, and of one that
    describes several runs.

    A line with the names of the others and more words is an evaluation too: `(new best)` stands where a score is high.

    >>> _of_evaluations(["env: Pong  algo: ppo", "epoch 1 | return 2", "epoch 2 | return 3 (best)", "finished"], 2).rows
    [['env', 'algo', 'epoch', 'return'], ['Pong', 'ppo', '1', '2'], ['Pong', 'ppo', '2', '3']]
    >>> _of_evaluations(["step=1 return=2", "WARNING: slow", "step = 2 return = 3 best=True"], 2).rows
    [['step', 'return'], ['1', '2'], ['2', '3']]
    """
    own = _spelled_alike([line_of(line) for line in lines])
    names = _names_of(own)
    if names is None:
        return _below_heads(lines)
    # Only a line with all names is an evaluation; one with a name twice is of two writes.
    wanted, again = {*names}, _before_number(names)
    at = [i for i, line in enumerate(own) if line.pairs.keys() >= wanted and not _has_twice(lines[i], again)]
    rows = [[own[i].pairs[name] for name in names] for i in at]
    others = without(lines, [i + 1 for i in at])
    described = described_in(others)
    # One row is an evaluation of the log where its line holds nothing else, and no other line names a score, or a cost if it has no score.
    scored = [i for i, line in enumerate(own) if line.bare and scores_among(list(line.pairs))]
    of_score = [i for i in scored if not all(map(is_cost, scores_among(list(own[i].pairs))))]
    sure = len(rows) > 1 or at == (of_score or scored)
    several = _of_several_tags([lines[i] for i in at if not own[i].split]) or not _of_one_run(names, rows)
    several = several or (_steps(names) == [CLOCK] and not _counts([own[i].pairs[CLOCK] for i in at]))
    several = several or name_several([line for i, line in enumerate(own) if i not in {*at}])
    if len(rows) < fewest or not sure or several or described is None:
        return None
    # What a script says of its settings stands above its evaluations: `checkpoint=7.pt` below one is no setting.
    settings = described_in(lines[: at[0]]) or {}
    described = {**run_in_words(lines[: at[0]]), **names_in_remarks(own[: at[0]]), **described}
    beside = {
        key: value
        for key, value in described.items()
        if key not in names and describes(key) and (key in settings or roles_of(key))
    }
    # Lines that say nothing of their data are of training beside those of evaluation.
    splits = [[own[i].split or "train"] for i in at] if len({own[i].split for i in at}) > 1 else [[] for _ in at]
    body = [[*beside.values(), *split, *row] for split, row in zip(splits, rows, strict=True)]
    rest = [line for line in others if not (is_described(line) or is_named_in_words(line))]
    head = [*beside, *(["split"] if splits[0] else []), *names]
    # Lines of training beside those of evaluation are none.
    trained = own[at[0]].split not in ("", "train")
    unread = [line for line in others if _seems_one(line, names) and not (trained and split_of(line) == "train")]
    steps = [own[i].pairs[name] for name in _steps(names)[:1] for i in at]
    log = Logged(
        [head, *body], [i + 1 for i in at], rest, unread, refusal=begun_below(lines, [i + 1 for i in at], steps)
    )
    return log._replace(evaluated=None if log.refusal else _evaluated(lines, own, log, beside))


def _below_heads(lines: Sequence[str]) -> Logged | None:
    """Return the evaluations below lines that are steps alone, `Epoch 3/9`, with what is said of the run; None of a log without any."""
    read, described = headed_in(lines), described_in(lines)
    if read is None or described is None:
        return None
    beside = {key: value for key, value in described.items() if roles_of(key) and key not in read.names}
    rest = [line for line in without(lines, read.lines) if not is_described(line)]
    rows = [[*beside.values(), *row] for row in read.rows]
    return Logged([[*beside, *read.names], *rows], read.at, rest, [], refusal=read.refusal)


def _spelled_alike(lines: Sequence[LogLine]) -> list[LogLine]:
    """Return lines with names that differ in capitals alone spelled as the first of them."""
    first: dict[str, str] = {}
    spelled = [{first.setdefault(name.casefold(), name): own for name, own in line.pairs.items()} for line in lines]
    return [
        line._replace(pairs=own) if len(own) == len(line.pairs) else line
        for line, own in zip(lines, spelled, strict=True)
    ]


def _evaluated(lines: Sequence[str], own: Sequence[LogLine], log: Logged, beside: dict[str, str]) -> Logged | None:
    """Return the evaluations without a step of a log as one of their own, with what is said of the run; None of a log without any."""
    names = log.rows[0][len(beside) :]
    read = evaluations_in(lines, own, _steps(names))
    if read is None or (all(map(is_cost, scores_among(read.names))) and not all(map(is_cost, scores_among(names)))):
        return None
    others = without(lines, [*read.lines, *log.at])
    rest = [line for line in others if not (is_described(line) or is_named_in_words(line))]
    rows = [[*beside.values(), *row] for row in read.rows]
    return Logged([[*beside, *read.names], *rows], read.at, rest, [], refusal=read.refusal)


def _names_of(lines: Sequence[LogLine]) -> list[str] | None:
    """Return the names of steps and of one score, or of costs, that all lines of evaluations have; None if there are none, or lines of two
    kinds."""
    stepped = [line for line in lines if CLOCK in line.pairs or plays(list(line.pairs), "step", {})]
    # Whether episodes are the progress of training is asked.
    stepped = stepped or [line for line in lines if any(map(_is_episode, line.pairs))]
    scored = [line for line in stepped if plays(list(line.pairs), "score", {})]
    evaluations = scored or [line for line in stepped if any(map(is_cost, line.pairs))]
    # A sentence with two numbers is a line of another kind only where no line holds numbers alone.
    bare = [line for line in evaluations if line.bare] or evaluations
    names = _common_names(bare)
    # Lines of training have other names, `iter 100: loss 4.8, time 132ms`, beside those of evaluation.
    return names or _common_names([line for line in bare if is_of_evaluation(line.split, [*line.pairs])])


def _common_names(lines: Sequence[LogLine]) -> list[str] | None:
    """Return the names that lines of one kind have in common; None of lines of several kinds, or of none."""
    kinds = sorted({tuple(line.pairs) for line in lines}, key=len)
    steps = {tuple(_steps(names)) for names in kinds}
    scores = {tuple(scores_among(names)) for names in kinds}
    # Which of several scores, or costs, counts is asked.
    alone = len(steps) == len(scores) == 1
    return list(kinds[0]) if alone and all({*kinds[0]} <= {*names} for names in kinds) else None


CLOCK = "t"
"""A name of the time of an episode or of the clock, which is the step where it counts."""


def _steps(names: Sequence[str]) -> list[str]:
    """Return the names that are named like a step; the clock, or the episode, if there are none."""
    clock = [name for name in names if name == CLOCK]
    return candidates(list(names), "step") or clock or list(filter(_is_episode, names))[:1]


def _is_episode(name: str) -> bool:
    return kind(name) == "episode"


def _with_steps(rows: list[list[str]]) -> list[list[str]]:
    """Return the rows of a log with `t` as their step, which stays beside it, if it rises from row to row and there is no other step."""
    head, *body = rows
    if CLOCK not in head or plays(head, "step", {}) or not _of_one_run(head, body):
        return rows
    clocks = [row[head.index(CLOCK)] for row in body]
    return [[own, *row] for own, row in zip(["step", *clocks], rows, strict=True)] if _counts(clocks) else rows


def _counts(texts: Sequence[str]) -> bool:
    """Return whether texts are three or more whole numbers, each above the one before it, which two may be by chance."""
    return (
        len(texts) > 2
        and all(text.isascii() and text.isdigit() and len(text) < 16 for text in texts)
        and all(a < b for a, b in pairwise(map(int, texts)))
    )


def _before_number(names: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of the run, the step or a score before a number, at the start of a line or behind another number."""
    own = [*scores_among(names), *candidates(list(names), "run"), *_steps(names)]
    wanted = "|".join(map(re.escape, own))
    return re.compile(rf"(?:^|[\d.|,;\])\[]\s*)({wanted})\s*[:=\s]\s*(?=[-+.]?\d)")


def _has_twice(line: str, pattern: re.Pattern[str]) -> bool:
    """Return whether a name stands twice in a line, as where the end of a line got lost."""
    again = pattern.findall(line)
    return len({*again}) < len(again)


def _of_one_run(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether no column that names runs varies."""
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    named = playing(names, NAMED)
    return all(len({*columns[name]}) == 1 for name in named)


def _of_several_tags(lines: Sequence[str]) -> bool:
    """Return whether all lines are of a name in brackets, `[PPO]`, and not of one."""
    tags = [re.sub(r"\d+", "", tag[1]) for line in lines if (tag := TAG.search(line))]
    return len(tags) == len(lines) and len({*tags}) > 1


def _seems_one(line: str, names: Sequence[str]) -> bool:
    """Return whether a line has a number and the names of a step and a score, so that it may be an evaluation."""
    wanted = [*scores_among(names), *_steps(names)]
    return any(map(str.isdigit, line)) and all(
        re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line[:LONGEST], re.IGNORECASE) for name in wanted
    )


def _values_in(line: str) -> dict[str, str]:
    pairs = line_of(line).pairs or dict(pairs_in(line))
    return {match[2]: match[3]} if not pairs and (match := OF_TASK.fullmatch(line[:LONGEST])) else pairs


# ── one line for the run ──────────

MEAN = regex(
    rf"[\s*>-]{{0,9}}({NAME}(?: {NAME}){{0,3}}?)(?: over \d+ (?:{NAME} )?episodes)?\s?[:=]\s*({NUMBER}%?)(?:\s*(?:\+/-|±)\s*{NUMBER}%?)?\s*"
)
"""What a script prints of an evaluation at its end: `Mean reward: 8.2 +/- 1.3`."""
OF_MEANS = vocabulary("final rate")


def _of_mean(lines: Sequence[str]) -> Logged | None:
    """Return the only mean of a score, or rate of success, of a text; None of one with several, with evaluations, or with headings.

    >>> _of_mean(["Loading a2c.zip", "Episode Reward: 7", "Mean reward: 8.5 +/- 1.5", "Mean episode length: 50 +/- 0"]).rows
    [['Mean reward'], ['8.5']]
    """
    own = [(at, match) for at, line in enumerate(lines, start=1) if (match := MEAN.fullmatch(text_of(line[:LONGEST])))]
    own = [(at, match) for at, match in own if scores_among([match[1]]) and not is_cost(match[1])]
    means = [(at, match) for at, match in own if is_centre(match[1]) or not OF_MEANS.isdisjoint(words(match[1]))]
    others = without(lines, [at for at, _ in means])
    described = described_in(others)
    stepped = any(
        plays([*pairs], "step", {}) and scores_among([*pairs]) for pairs in (line_of(line).pairs for line in others)
    )
    if len(means) != 1 or described is None or stepped or any(line.startswith("#") for line in others):
        return None
    beside = {key: value for key, value in described.items() if roles_of(key)}
    ((at, match),) = means
    rest = [line for line in others if not is_described(line)]
    return Logged([[*beside, match[1]], [*beside.values(), match[2]]], [at], rest, [])


# ── a line for each attempt ──────────


DAYS = vocabulary("session day date block")


def _of_attempts(lines: Sequence[str]) -> Logged | None:
    """Return the attempts of a policy, with the names that lines of keys and values give it, and the sums that contradict them.

    >>> _of_attempts(["# policy=octo task=cup", "Trial 1: success", "Trial 2: fail", "Success: 2/2"])[0::4]
    ([['policy', 'task', 'trial', 'success'], ['octo', 'cup', '1', '1'], ['octo', 'cup', '2', '0']], ("line 4: 'Success: 2/2' says 2 of 2, and \
the lines above hold 1 of 2",))
    """
    read = attempts_in(lines)
    if read is None or (described := described_in(without(lines, read.at))) is None:
        return None
    beside = {key: value for key, value in described.items() if roles_of(key)}
    well, n = sum(outcome == "1" for _, outcome in read.outcomes), len(read.outcomes)
    doubts = tuple(
        f"line {at}: {lines[at - 1][:60]!r} says {k} of {of}, and the lines above hold {well} of {n}"
        for at, (k, of) in read.totals.items()
        if (k, of) != (well, n)
    )
    refusal = "".join(
        f"line {at}: {lines[at - 1][:60]!r} is neither a success nor a failure; write one of them, or remove the line"
        for at in read.unclear[:1]
    )
    # Another day's attempts have the same numbers.
    day = "".join(f"{value} " for key, value in described.items() if canonical(key) in DAYS)
    rows = [[*beside.values(), f"{day}{number}", outcome] for number, outcome in read.outcomes]
    rest = [line for line in without(lines, [*read.at, *read.totals]) if not is_described(line)]
    return Logged([[*beside, read.kind.casefold(), "success"], *rows], read.at, rest, [], doubts, refusal)


# ── a line for each task ──────────

OF_TASK = regex(
    rf"\s*([^\s:=|,#][^:=|,#]{{0,60}}):\s+({NAME}(?: {NAME}){{0,2}})(?:\s?[:=]\s*|\s+)({NUMBER})\s?(%?)(?:\s+\(.{{0,100}}\))?\s*"
)
"""A task, a measure and its number: `gsm8k: accuracy 0.71 (936/1319)`."""
OVER_ALL = vocabulary("average avg mean overall total all macro micro")


def _of_tasks(lines: Sequence[str]) -> Logged | None:
    """Return the scores of a model on tasks; None of a text that names no model, for then the names may be those of algorithms.

    >>> _of_tasks(["model: qwen", "sampling seed: 1, temperature 0.7", "gsm8k: accuracy 0.71 (936/1319)", "math: accuracy 0.5"]).rows[:2]
    [['model', 'sampling seed', 'temperature', 'task', 'accuracy'], ['qwen', '1', '0.7', 'gsm8k', '0.71']]
    """
    matching = [(i, match) for i, line in enumerate(lines) if (match := OF_TASK.fullmatch(line[:LONGEST]))]
    own = [(i, match) for i, match in matching if scores_among([match[2]]) and canonical(match[1]) not in OVER_ALL]
    tasks, measures, units = ({match[group] for _, match in own} for group in (1, 2, 4))
    if (
        len(own) < 2
        or len(tasks) < len(own)
        or len(measures) > 1
        or len(units) > 1
        or not all(map(_may_be_task, tasks))
    ):
        return None
    others = without(lines, [i + 1 for i, _ in matching])
    described, stated = described_in(others), dict(pair for line in others for pair in line_of(line).pairs.items())
    if described is None or len({re.sub(r"\d+", "", task) for task in tasks}) == 1:
        return None
    roles = [role for role in NAMED if playing([*described], [role])]
    if roles not in (["algorithm"], ["algorithm", "run"]):
        return None
    beside = {key: value for key, value in {**described, **stated}.items() if describes(key)}
    beside = {key: value for key, value in beside.items() if names_setting(key) or roles_of(key)}
    rows = [[*beside.values(), match[1], match[3]] for _, match in own]
    rest = [line for line in others if not is_described(line) and not line_of(line).pairs]
    return Logged([[*beside, "task", *measures], *rows], [i + 1 for i, _ in own], rest, [])


def _may_be_task(name: str) -> bool:
    """Return whether a name before a colon may be a task's, and not that of a step, a run, a kind of data or a logger."""
    return kind(name) is None and run_of(name) is None and canonical(name) not in {*KINDS_OF_DATA, *LEVELS}


# ── a line for each run ──────────

TAG = regex(r"\[(?!(?:INFO|DEBUG|WARN|WARNING|ERROR)\])([^\W\d][^\[\]]{0,60})\]")
"""A name in brackets before the pairs of a line, which is no level of a logger."""


def _of_runs(lines: Sequence[str], fewest: int) -> Logged | None:
    """Return the rows of lines that end in `key=value`, as loggers print a finished run, the same keys in each line with a score; None of
    another text, and of one with lines of training beside those of evaluations. A run that another line names alone has no score; what other
    lines say once of every run (`lr=0.1`) stands beside it.

    >>> _of_runs(["12:00 [PPO] env=Pong seed=0 return=1.5", "12:05 [SAC] env=Pong seed=0 return=2.5"], 2).rows
    [['algorithm', 'env', 'seed', 'return'], ['PPO', 'Pong', '0', '1.5'], ['SAC', 'Pong', '0', '2.5']]
    >>> _of_runs(["start algo=A seed=0", "done algo=A seed=0 return=1", "start algo=A seed=1", "done algo=B seed=0 return=2"], 2)[:2]
    ([['algo', 'seed', 'return'], ['A', '0', '1'], ['B', '0', '2'], ['A', '1', '']], [2, 4, 3])
    """
    own = [(number, dict(texts), len(texts)) for number, line in enumerate(lines, start=1) if (texts := pairs_in(line))]
    kinds = {tuple(pairs) for _, pairs, _ in own if plays(list(pairs), "score", {})}
    kinds = kinds or {tuple(pairs) for _, pairs, _ in own if any(map(is_cost, pairs))}
    (keys, *others) = kinds or {()}
    at = [number for number, pairs, _ in own if tuple(pairs) == keys]
    scored = [pairs for _, pairs, _ in own if tuple(pairs) == keys]
    # A key twice, or a value in quotes, which may go on behind a blank, is for others to read.
    quoted = any(value[0] in "\"'" for pairs in scored for value in pairs.values())
    again = _before_number(keys)
    twice = any(n > len(keys) or _has_twice(lines[at - 1], again) for at, pairs, n in own if tuple(pairs) == keys)
    two_kinds = len({split_of(lines[number - 1]) for number in at}) > 1
    if others or len(scored) < fewest or len(keys) < 2 or quoted or two_kinds or twice:
        return None
    named = [*columns_of(NAMED, keys, {}).values()]
    if not any(named) and {*line_of(lines[at[0] - 1]).pairs} > {*keys}:
        return None  # `Episode 3/9 | Reward: 2.5` has one number more
    tags = [tag[1] for number in at if (tag := TAG.search(text_of(lines[number - 1])))]
    tagged = len(tags) == len(at) and not named[0]
    called, refusal = ({}, "") if tags else called_before([lines[number - 1] for number in at], at, named)
    rest = without(lines, at)
    if rest and not all((named[0], named[2])):
        return None  # remarks stand beside runs that are named
    called = {"algorithm": tags} if tagged else called
    before = list(zip(*called.values(), strict=True)) or [()] * len(at)
    rows = [[*own, *pairs.values()] for own, pairs in zip(before, scored, strict=True)]
    more: list[str] = []
    if rest:
        names = [key for key in named if key]
        more, beside = _beside([pairs for _, pairs, _ in own], scored, names)
        rows += [[pairs.get(key, "") for key in keys] for pairs in beside[len(rows) :]]
        rows = [[*row, *(pairs[key] for key in more)] for row, pairs in zip(rows, beside, strict=True)]
        at += [_first_line_of(lines, {key: pairs[key] for key in names}) for pairs in beside[len(at) :]]
    return Logged([[*called, *keys, *more], *rows], at, rest, [], refusal=refusal)


def _first_line_of(lines: Sequence[str], run: dict[str, str]) -> int:
    """Return the number of the first line that names a run."""
    return next(number for number, line in enumerate(lines, start=1) if run.items() <= dict(pairs_in(line)).items())


def _beside(
    lines: Sequence[dict[str, str]], scored: Sequence[dict[str, str]], names: Sequence[str]
) -> tuple[list[str], list[dict[str, str]]]:
    """Return the keys of which lines without a score say one value of every run, and these, with its names, of each run: those with a score
    in their order, then the others."""
    runs: dict[tuple[str, ...], dict[str, set[str]]] = {}
    for pairs in lines:
        if {*names} <= pairs.keys():
            own = runs.setdefault(tuple(pairs[key] for key in names), {})
            for key, value in pairs.items():
                own.setdefault(key, set()).add(value)
    keys = [key for key in dict.fromkeys(key for own in runs.values() for key in own) if key not in scored[0]]
    keys = [key for key in keys if all(len(own.get(key, ())) == 1 for own in runs.values())]
    ended = [tuple(pairs[key] for key in names) for pairs in scored]
    order = (*ended, *(run for run in runs if run not in {*ended}))
    return keys, [{key: next(iter(runs[run][key])) for key in (*names, *keys)} for run in order]
