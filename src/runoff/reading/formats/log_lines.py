"""One line of a log: the clock and the level of its logger, then names and values between blanks, bars or commas; and the lines of attempts, as
whoever stands beside a robot keeps them: `Rollout 01: success (30.6 s)`."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Sequence
from typing import NamedTuple

from runoff.reading._configured import flat
from runoff.reading._crossed import names_part
from runoff.reading._known import meaning_of
from runoff.tables.columns import NAMED, roles_of
from runoff.tables.likely import candidates
from runoff.words.patterns import regex
from runoff.words.words import kind, vocabulary

LONGEST = 2000
"""Letters of a line that is looked at."""
NAME = r"[^\W\d][\w./@-]{0,60}"
NUMBER = r"(?:[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,9})?|nan|NaN|-?inf)"
MEASURED = (
    rf"({NAME}(?: {NAME}){{0,3}})(?:\s*[:=]\s*|\s+)({NUMBER})(?:/\d+)?(?:\s*(?:\+/-|±)\s*{NUMBER})?\s*(?:%|s|ms|it/s)?"
)
MEASURE = regex(MEASURED)
"""A name and its number; of `epoch 3/100` the first."""
IN_A_ROW = regex(
    rf"({NAME}(?: {NAME}){{0,3}}?)(?:\s?[:=]\s?|[ \t]{{1,20}})({NUMBER})(?:/\d+)?(?:%|m?s|it/s)?(?:[ \t]{{1,20}}(?=[^\W\d])|$)"
)
"""A name and its number before the next name."""
REMARKED = regex(rf"{MEASURED}(?:\s*[(\[*!<#]|\s+(?![kmbg]\b)[^\W\d]).*", re.IGNORECASE)
"""The same before words, `return 3.5 (new best)`, which are no unit of thousands (`step 5 k`)."""
LAST_WORD = regex(rf"(?:^|.*[\s\]])({NAME})(?:\s*[:=]\s*|\s+)({NUMBER})(?:/\d+)?")
"""The same behind words."""
CLOCK = r"\[\d{1,2}:\d\d(?::\d\d)?\]|\[?\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?\]?"
CALLER = r"[\w.<>]{1,60}:[\w.<>]{1,60}:\d{1,9}\s+-"
"""Where loguru was called: `__main__:main:12 -`."""
LEVEL = rf"[\[(]?(?<!\w)(?:INFO|DEBUG)[\])]?(?::[\w.]{{1,60}}:\s*|:?\s+(?:[|-]\s+)?(?:{CALLER}\s+)?)"
LOGGER = r"(?:\[[\w.]{1,60}\](?=\[)|[\s|-]+[\w.]{1,60}[\s|-]+|[\s|-]*)"
"""The name of a logger before the level: `- train -`, `[__main__][INFO]`."""
WORKER = regex(r"\s*\(([\w ]{0,60}\bpid=\d{1,20})[^()]{0,60}\)\s")
"""The process that printed a line, as Ray writes it: `(train pid=7, ip=10.0.0.1)`."""
PREFIX = regex(
    rf"\s*(?:\([\w ]{{0,60}}\bpid=\d{{1,20}}[^()]{{0,60}}\)\s|(?:{CLOCK})(?:{LOGGER}{LEVEL}|\s*(?:[|-]\s+)?)|{LEVEL})",
    re.IGNORECASE,
)
"""What loggers print before a line."""
SPLIT = regex(
    r"\s*\[?(train|eval)\]?:?\s+(?:\|\s*)?|\s*[\[(]?(test|testing|val|valid|validation|evaluation)(?:\s(?:set|results?))?(?:[\])]:?|:|\s*\|)\s*"
    rf"|\s*(test|val|valid|validation)\s+(?={NAME}\s?[:=]\s?{NUMBER})"
    r"|\s*(evaluation|test|validation)\s+(?=(?:at|after|@)\s(?:step|epoch|iter|update|timestep))",
    re.IGNORECASE,
)
"""The kind of data that a line is of, before its first name."""
SHORT = {"val": "validation", "eval": "eval", "test": "test"}
"""How a kind of data is called, by how its words begin."""
WINDOW = regex(r"(?<=\w)\s?\((?:[a-z]{1,9}\s){0,3}\d{1,9}(?:\s[a-z]{1,12})?\)(?=\s{0,9}[:=])", re.IGNORECASE)
"""What a mean is over, behind its name: `Avg Reward (last 100): 2.5`."""
ENTRY = regex(rf"(?<=[=:])(\s{{0,9}})\[\s{{0,9}}({NUMBER})\s{{0,9}}\](?![^\s,;|])")
"""A number in brackets, as NumPy prints an array of one: `episodic_return=[12.]`."""
HEADED = regex(rf"\s*\[?({NAME})\s+\[?(\d{{1,40}})(?:/\d+)?(\s?\]\s?[:,|-]?|\s?:|\s-)?\s+(?=\S)")
"""A number before the names of a line: `Step 5: return=2`, `[Epoch 5/9] return 2`."""
DASH = regex(r"(?<!\s)\s+[-\u2013]\s+(?=[^\W\d])")
"""What may stand between pairs, `epoch 3 - loss 0.2`, where no bar and no comma does."""
PAIR = regex(
    r"(?<!\S)([^\W\d][\w./@-]{0,60})"
    rf"(?:=|\s{{0,9}}=\s{{0,9}}(?=[^\s,;=]{{1,200}}[,;]?(?!\S|\s*=))|\s{{0,9}}:\s{{0,9}}(?={NUMBER}[,;]?(?!\S)))"
    r"(\"[^\"]{0,200}\"|[^\s,;]{1,200})[,;]?(?!\S)"
)
"""A key and its value between blanks, `return=1.5`, `return = 1.5`, `return: 1.5`, `msg=\"run finished\"`."""


ENTRIES = regex(r"(\{\s*['\"].*\})\s*")
"""A dictionary as Python or JSON prints it, at the end of a line."""
WRAPPED = regex(r"\b(?:[a-z]{2,5}\.)?(?:u?int|b?float|tensor|array|Array)\d{0,2}\(\s*([^\s(),]+)(?:,[^()]*)?\)")
"""A number as NumPy, PyTorch and JAX print it in a dictionary: `np.float32(2.5)`, `tensor(2.5, device='cuda:0')`."""
OF_JSON = {"true": "True", "false": "False", "null": "None", **dict.fromkeys(("nan", "NaN"), "'nan'")}
GROUPED = regex(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d]|,\S)(?=\.(?!\d{3}(?!\d))|[^.]|$)")
DECIMAL = regex(r"\d\.(?!\d{3}(?!\d))\d")
"""A number with a point that is no mark of thousands, beside which `50,000` is no decimal."""
ANY_NUMBER = regex(rf"\s{{0,9}}(?<!\w){NUMBER}(?!\w)")
ARROW = regex(r"\s(?:->|=>|\u2192|@)\s(?=[^\W\d])")
"""What may stand between the step and the score: `step 5 -> return 2`."""
MARKED_STEP = regex(
    r"(?:\(|(?:at|after|@)\s)(step|steps|epoch|iteration|iter|update|timestep)\s?[:=]?\s?(\d{1,40})\)?\s?[:,|-]?\s(?=[^\W\d])",
    re.IGNORECASE,
)
"""A step in brackets or words before what was measured: `(step 5) return=2`, `Evaluation at step 5: return 2`."""
UNQUOTED = regex(r"(?<=:\s)(true|false|null|nan|NaN)(?=\s*[,}])")


WHOLE = regex(r'"([^"]+)"')
"""A value between quotation marks."""


class LogLine(NamedTuple):
    """The names and the values of a line, whether it holds nothing else behind its first, and the kind of data that it says it is of."""

    pairs: dict[str, str]
    bare: bool
    split: str


def pairs_in(line: str) -> list[tuple[str, str]]:
    """Return the keys and values of a line.

    >>> pairs_in("INFO:root:step=5 return = 1.5 lr: 0.1 note: none"), pairs_in("a == b")
    ([('step', '5'), ('return', '1.5'), ('lr', '0.1')], [])
    >>> pairs_in('msg="run finished" return=1')
    [('msg', 'run finished'), ('return', '1')]
    """
    return [(key, WHOLE.sub(r"\1", value)) for key, value in PAIR.findall(text_of(line))]


def called_before(lines: Sequence[str], at: Sequence[int], keys: Sequence[str]) -> tuple[dict[str, Sequence[str]], str]:
    """Return what the words before the first keys of lines name, by its role, and why the lines cannot be read: nothing says what their words
    name, nor which algorithm they are of. at: the numbers of the lines; keys: those of the algorithm, the task and the run, "" without one.

    >>> called_before(["PPO Pong seed=0 return=1", "DQN Pong seed=0 return=2"], [1, 2], ["", "", "seed"])
    ({'algorithm': ('PPO', 'DQN'), 'task': ('Pong', 'Pong')}, '')
    >>> called_before(["fast blue seed=0 return=1", "slow red seed=0 return=2"], [4, 5], ["", "", "seed"])[1][:45]
    "line 4: nothing says what the words 'fast blu"
    """
    texts = [(text, PAIR.search(text)) for text in map(text_of, lines)]
    words = [tuple(re.findall(r"[^\W\d_][^\s|,;]*", text[: match.start()])) for text, match in texts if match]
    free = [role for role, key in zip(NAMED, keys, strict=False) if not key]
    levels = [*zip(*words, strict=False)] if len({*words}) > 1 and len({*map(len, words)}) == 1 else []
    named = [tuple(pair for pair in PAIR.findall(text) if roles_of(pair[0])) for text, _ in texts]
    # `done` and `finished` before runs with names of their own are no names, and workers are those of one run.
    needed = len({*named}) < len(named) and not any(map(names_part, (word for own in words for word in own)))
    shown = [meaning_of(level) for level in levels]
    # One word that nobody knows is that of the algorithm; of two the other may say it.
    # `(pid=7)` is no name.
    whole = all(word.isalnum() or not re.search(r"[=()]", word) for level in levels for word in level)
    sure = whole and (any(shown) or (len(levels) == 1 and needed and not keys[0]))
    roles = [str(own) if own else next((role for role in free[:2] if role not in shown), "") for own in shown]
    if levels and sure and {*roles} <= {*free} and len({*roles}) == len(roles):
        return dict(zip(roles, levels, strict=True)), ""
    if len({*words}) < 2 or keys[0] or not needed:
        return {}, ""
    return (
        {},
        f"line {at[0]}: nothing says what the words {' '.join(words[0])[:60]!r} name; write keys before them: algorithm=, task=",
    )


def are_alike(lines: Sequence[str]) -> bool:
    """Return whether the first two lines with text differ in nothing but their numbers, as those of a log do, and a head and its rows do not.

    >>> are_alike(["Episode 1: return 2.5", "Episode 2: return -3"]), are_alike(["step,run 1,run 2", "100,2,3"]), are_alike(["1,2", "3,4"])
    (True, False, False)
    """
    bare = [ANY_NUMBER.sub("#", line.strip()) for line in lines if line.strip()][:2]
    return len(bare) == 2 and bare[0] == bare[1] and "#" in bare[0] and bool(re.search(r"[^\W\d_]{2}", bare[0]))


def text_of(line: str) -> str:
    """Return a line without the clock and the level of a logger, and the kind of data."""
    return _parted(line)[1]


def line_of(line: str) -> LogLine:
    """Return the names and the numbers of a line that begins with one and holds two or more; none of another line."""
    if len(line) > LONGEST:
        return LogLine({}, bare=False, split="")
    split, text = _parted(line)
    pairs, bare = _in_a_row(text) or _pairs_between_blanks(text) or _between_bars(text)
    if not pairs and DASH.search(text):
        pairs, bare = _between_bars(DASH.sub(", ", text))
    return LogLine(pairs, bare=bare, split=split)


def split_of(line: str) -> str:
    """Return the kind of data that a line says it is of; "" if it says none.

    >>> split_of("[INFO] eval | step 5 | return 2"), split_of("val: loss 2"), split_of("step 5 | eval_return 2")
    ('eval', 'validation', '')
    """
    return _parted(line[:LONGEST])[0]


def _parted(line: str) -> tuple[str, str]:
    """Return the kind of data of a line, and what stands behind it, the clock and the level of the logger."""
    line = line.rstrip()
    text = line[match.end() :] if (match := PREFIX.match(line)) else line
    part = SPLIT.match(text)
    word = next(filter(None, part.groups())).casefold() if part else ""
    rest = text[part.end() :] if part else text
    # A line that is nothing but JSON is a record.
    rest = rest if line.lstrip().startswith('{"') else with_entries(rest)
    rest = ENTRY.sub(r"\1\2", WRAPPED.sub(r"\1", rest) if "(" in rest else rest)
    rest = WINDOW.sub("", rest)
    rest = MARKED_STEP.sub(r"\1=\2, ", rest) if MARKED_STEP.match(rest) else ARROW.sub(", ", rest)
    rest = GROUPED.sub(lambda own: own[0].replace(",", ""), rest) if DECIMAL.search(rest) else rest
    return next((own for start, own in SHORT.items() if word.startswith(start)), word), _with_step(rest)


def with_entries(text: str) -> str:
    """Return a line with the entries of the dictionary at its end as `key=value`; as it is if one is a list or has several words.

    >>> with_entries("Step 5: {'eval': {'return': np.float32(2.5)}, 'env': 'Pong'}"), with_entries("{'a': [1, 2]}")
    ('Step 5: eval.return=2.5 env=Pong', "{'a': [1, 2]}")
    """
    match = ENTRIES.search(text) if len(text) <= LONGEST and text.rstrip().endswith("}") else None
    if match is None:
        return text
    try:
        content = literal_eval(UNQUOTED.sub(lambda own: OF_JSON[own[1]], WRAPPED.sub(r"\1", match[1])))
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return text
    entries = {re.sub(r"\s", "_", key): str(value) for key, value in reversed(flat(content).items())}
    if any(re.search(r"[\s,;]|^$", own) for own in entries.values()):
        return text
    return re.sub(r"[\w.]+=$", "", text[: match.start()]) + " ".join(f"{key}={own}" for key, own in entries.items())


def with_records(lines: Sequence[str]) -> Sequence[str]:
    """Return lines with records of JSON among others as `key=value`; where all are records, they are those of another format."""
    records = [line.startswith('{"') for line in lines]
    if not any(records) or all(record or not line.strip() for record, line in zip(records, lines, strict=True)):
        return lines
    return [with_entries(line) if record else line for record, line in zip(records, lines, strict=True)]


def _with_step(text: str) -> str:
    """Return a line with the step before its names written as these are.

    >>> _with_step("Epoch [5/9], loss 3"), _with_step("step 5 - return=2 loss=3"), _with_step("step 5 k | return 2")
    ('Epoch=5, loss 3', 'step=5 return=2 loss=3', 'step 5 k | return 2')
    """
    match = HEADED.match(text)
    rest = text[match.end() :] if match else ""
    paired = PAIR.match(rest)
    if match is None or not (match[3] or paired) or not (candidates([match[1]], "step") or kind(match[1]) == "episode"):
        return text
    return f"{match[1]}={match[2]}{' ' if paired and not re.search('[|;,]', rest) else ', '}{rest}"


def _pairs_between_blanks(text: str) -> tuple[dict[str, str], bool] | None:
    """Return the pairs of `step=1 return=2`, and whether nothing stands behind them; None of a line with bars or commas, or of one pair."""
    texts = [] if re.search(r"[|;]|,\s", text) else list(PAIR.finditer(text))
    pairs = {match[1]: WHOLE.sub(r"\1", match[2]) for match in texts}
    return (pairs, not text[texts[-1].end() :].strip()) if len(pairs) == len(texts) > 1 else None


def _in_a_row(text: str) -> tuple[dict[str, str], bool] | None:
    """Return the pairs of a line that is nothing but names and numbers one after the other, `episode 1 score 2.5\\tlr: 0.1`; None of others.

    >>> _in_a_row("Episode 100\\tAverage Score: 5.32"), _in_a_row("saved 3 models in 2 places")
    (({'Episode': '100', 'Average Score': '5.32'}, True), None)
    """
    texts, at = [], 0
    text = text.strip()
    while (match := IN_A_ROW.match(text, at)) and at < len(text):
        texts.append((match[1], match[2]))
        at = match.end()
    pairs = dict(texts)
    return (pairs, True) if at == len(text) and len(pairs) == len(texts) > 1 else None


def _between_bars(text: str) -> tuple[dict[str, str], bool]:
    """Return the names and the numbers between bars or commas, and whether there is nothing else behind the first; none if one stands twice."""
    first, *others = [part for part in re.split(r"\s*[|,;]\s*", text.strip(" \t|,;")) if part] or [""]
    begins = MEASURE.fullmatch(first) or LAST_WORD.fullmatch(first) or REMARKED.fullmatch(first)
    # Lines of a table, of which there are many, begin with no name and number; of `return 1,234` the score is not 1.
    if not begins or any(re.match(r"[-+.]?\d", part) for part in others):
        return {}, False
    alone = list(map(MEASURE.fullmatch, others))
    matches = [begins, *(match or REMARKED.fullmatch(part) for match, part in zip(alone, others, strict=True))]
    pairs = {match[1]: match[2] for match in matches if match}
    return (pairs, all(alone)) if len(pairs) == sum(map(bool, matches)) > 1 else ({}, False)


# ── attempts ──────────


WELL = vocabulary("\u2713 success succeeded successful successfully solved passed")
ILL = vocabulary("\u2717 failure fail failed fails unsuccessful unsolved timeout crashed")
ATTEMPT = regex(
    r"[\s*-]{0,9}(rollout|trial|attempt|episode|demo)\s?#?\s?(\d{1,9})(?:/\d{1,9})?\s?[:.)|=-]{1,2}>?\s{0,9}([^\W\d_]+|\u2713|\u2717)"
    r"(?:\s?[,;|(\[].{0,200}|\s+in\s.{0,200})?\s*",
    re.IGNORECASE,
)
"""The number of an attempt and its outcome in a word, before a remark in brackets or behind a comma."""
TOTAL = regex(
    r"[\s*#=-]{0,9}(?:(?:total|overall|final)\s)?(?:success(?:es|ful)?|succeeded|solved|passed)(?:\s(?:rate|rollouts|trials|attempts|episodes))?"
    r"\s?[:=]?\s{0,9}(\d{1,9})\s?(?:/|of|out of)\s?(\d{1,9})(?:\W.{0,200})?",
    re.IGNORECASE,
)
"""The sum of the outcomes: `Success: 14/20 (70%)`."""


class Attempts(NamedTuple):
    """The attempts of a log: their kind (`Rollout`), the number and the outcome of each as 1 and 0, the numbers of their lines, those of lines
    with another outcome, and the sums that lines state."""

    kind: str
    outcomes: list[tuple[str, str]]
    at: list[int]
    unclear: list[int]
    totals: dict[int, tuple[int, int]]


def attempts_in(lines: Sequence[str]) -> Attempts | None:
    """Return the attempts of a log; None of a text with fewer than two, with attempts of two kinds, or with a number twice.

    >>> attempts_in(["Rollout 01: success (30.6 s)", "Rollout 02: fail", "Success: 1/2 (50%)"])
    Attempts(kind='Rollout', outcomes=[('1', '1'), ('2', '0')], at=[1, 2], unclear=[], totals={3: (1, 2)})
    """
    kinds: dict[str, str] = {}
    read = Attempts("", [], [], [], {})
    for number, line in enumerate(lines, start=1):
        if match := ATTEMPT.fullmatch(line[:LONGEST]):
            kinds[match[1].casefold()] = match[1]
            word = match[3].casefold()
            if word in WELL | ILL:
                read.outcomes.append((str(int(match[2])), str(int(word in WELL))))
                read.at.append(number)
            else:
                read.unclear.append(number)
        elif total := TOTAL.fullmatch(line[:LONGEST]):
            read.totals[number] = int(total[1]), int(total[2])
    twice = len({number for number, _ in read.outcomes}) < len(read.outcomes)
    return None if len(read.outcomes) < 2 or len(kinds) > 1 or twice else read._replace(kind=next(iter(kinds.values())))
