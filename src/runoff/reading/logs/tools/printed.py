"""What loggers print on the console, kept in a text: tables of Stable-Baselines3, Spinning Up and baselines, and lines of TD3's authors.

Each text is one run. A logger often writes files as well, which have all digits: a text beside, above or below other logs is not read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from runoff.reading._known import says_nothing
from runoff.reading.formats.base import LOG
from runoff.reading.formats.encodings import without_colours
from runoff.reading.formats.log_lines import NUMBER
from runoff.reading.formats.logged import log_in
from runoff.reading.logs.base import ClaimedRun, Folder, Happening, Log, Tool, Wish, damage
from runoff.reading.logs.metric import COUNTERS, STEPS, first_of, in_order
from runoff.reading.logs.rows import columns_of, log_of, tabled
from runoff.reading.logs.wire.lines import lines
from runoff.words.patterns import regex
from runoff.words.words import canonical, vocabulary

SUFFIXES = (".log", ".txt", ".out")
CALLED_LIKE_ANY = vocabulary("stdout output out console terminal nohup slurm train training run log logs")
"""Names of texts that say nothing of the run in their folder."""
PrintedReport = dict[str, str]


@dataclass(slots=True)
class ConsoleText:
    """The records of a text, what it says of the run, where its end is cut off, and how many lines are not whole."""

    records: list[PrintedReport] = field(default_factory=list)
    config: dict[str, Any] = field(default_factory=dict)
    torn: str = ""
    malformed: int = 0


def _finder(
    tool: str, reading: Callable[[Iterable[str]], ConsoleText], *signs: bytes
) -> Callable[[Folder], list[ClaimedRun]]:
    """Return the function that claims the texts of a folder whose first lines have a score: the only text of a folder is its run, if its name
    says nothing else."""

    def find(folder: Folder) -> list[ClaimedRun]:
        names = [
            name for name in folder.signed(folder.named(*SUFFIXES), *signs) if _has_score(reading(_first(folder, name)))
        ]
        alone = len(names) == 1 and bool(folder.parts)
        return [_claim(tool, folder, name, alone=alone) for name in names]

    return find


def _first(folder: Folder, name: str) -> list[str]:
    return without_colours(folder.head(name).decode("utf-8", "replace")).splitlines()


def _claim(tool: str, folder: Folder, name: str, *, alone: bool) -> ClaimedRun:
    """Return a text as a run, named by the folder alone if the text is its only one and says nothing, by its number if it says no more."""
    stem = Path(name).stem
    number = re.search(r"\d+", stem)
    word = canonical(re.sub(r"[-_. ]?\d+", "", stem))
    if word and word not in CALLED_LIKE_ANY and not says_nothing(word):
        return folder.file(tool, name, stem)
    claim = folder.file(tool, name, number[0] if number else stem)
    return replace(claim, parts=folder.parts) if alone else claim


def _has_score(printed: ConsoleText) -> bool:
    names = {name for record in printed.records for name in record}
    return bool(in_order(names)) and bool(first_of(sorted(names), (*STEPS, *COUNTERS)) or EVALUATION in names)


def _read(claim: ClaimedRun, wish: Wish, printed: ConsoleText, policies: Sequence[str]) -> list[Log]:
    table = tabled(columns_of(printed.records), wish)
    lost = damage(torn=printed.torn, malformed=printed.malformed)
    happened = (*lost, *(Happening(policy=policy) for policy in policies), *table.happened)
    return [replace(log_of(claim, table, printed.config), happened=happened)]


def _ends(path: Path) -> bool:
    """Return whether a text ends with the end of a line."""
    with open(path, "rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) in b"\r\n"


def _bare(path: Path) -> Iterator[str]:
    return map(without_colours, lines(path))


# ── tables between rules ──────────

LONGEST = 400
"""Letters of a line of a table; the pattern takes long for a line of blanks."""
RULE = regex(r"\s*-{5,}\s*")
ROW = regex(r"\s*\|( *)(\S[^|]*?) *\| *([^|]*?) *\|\s*")
EVALUATED = regex(rf"Eval num_timesteps=(\d{{1,40}}), episode_reward=({NUMBER}) \+/- {NUMBER}\s*")
"""What Stable-Baselines3 prints of an evaluation, with more digits than in its table."""
OF_ZOO = (("env", regex(r"={5,} (\S+) ={5,}")), ("seed", regex(r"Seed: (\d{1,20})")))
"""What rl-zoo3 prints first."""
MEAN, TOTAL, ALONE = "eval/mean_reward", "time/total_timesteps", "num_timesteps"


def _row(text: str) -> re.Match[str] | None:
    return ROW.fullmatch(text) if len(text) <= LONGEST else None


def _tables(texts: Iterable[str]) -> ConsoleText:
    """Return the tables of a text, `| name | number |` between rules, each as a record, and the evaluations between them.

    >>> _tables(["-----", "| time/ | |", "|    total_timesteps | 2048 |", "-----", "Eval num_timesteps=9, episode_reward=1.5 +/- 2"]).records
    [{'time/total_timesteps': '2048'}, {'num_timesteps': '9', 'eval/mean_reward': '1.5'}]
    """
    printed, section, record = ConsoleText(), "", dict[str, str]()
    for text in texts:
        if (row := _row(text)) is None:
            if record and RULE.fullmatch(text):
                printed.records.append(record)
                section, record = "", {}
            elif evaluated := EVALUATED.match(text):
                printed.records.append({ALONE: evaluated[1], MEAN: evaluated[2]})
            else:
                printed.config |= {key: match[1] for key, form in OF_ZOO if (match := form.fullmatch(text))}
            continue
        indent, name, value = row.groups()
        if not value:
            section = name if name.endswith("/") else section
            continue
        name = section + name if len(indent) > 1 else name
        if name in record:  # the rule between two tables was lost
            printed.records.append(record)
            record = {}
        record[name] = value
    printed.torn = "the last table has no end" if record else ""
    return printed


def _united(records: Sequence[PrintedReport]) -> list[PrintedReport]:
    """Return the records with one name for the steps, where a table repeats an evaluation without it."""
    names = {name for record in records for name in record}
    if MEAN not in names or TOTAL not in names:
        return list(records)
    evaluated = {record[ALONE] for record in records if ALONE in record}
    united = [{TOTAL if name == ALONE else name: value for name, value in record.items()} for record in records]
    return [
        own if ALONE in record or own.get(TOTAL) not in evaluated else {k: v for k, v in own.items() if k != MEAN}
        for own, record in zip(united, records, strict=True)
    ]


def _tables_alone(texts: Iterable[str]) -> ConsoleText:
    """Return the tables of a text; none of one with evaluations that a script printed beside them, which it reports."""
    listed = list(texts)
    others = [text for text in listed if not (_row(text) or EVALUATED.match(text))]
    printed = _tables(listed)
    return printed if not _has_score(printed) or log_in(others, LOG) is None else ConsoleText()


def read_tables(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run; a table without an end is left out."""
    (part,) = claim.files
    printed = _tables(_bare(part.path))
    printed.records = _united(printed.records)
    return _read(claim, wish, printed, ["printed"])


PRINTED_TABLES = Tool(
    title="Printed tables",
    layout="the console's text (`.txt`, `.log`, `.out`) of Stable-Baselines3, Spinning Up or baselines: tables between rules",
    find=_finder("printed_tables", _tables_alone, b"\n|", b"Eval num_timesteps="),
    read=read_tables,
)

# ── lines of TD3's authors ──────────

EVALUATION, MARK = "eval/return", "Evaluation over "
OF_RUN = regex(r"Policy: ([^,]{1,200}), Env: ([^,]{1,200}), Seed: (\d{1,20})\s*")
EPISODE = regex(rf"Total T: (\d{{1,40}}),? Episode Num: (\d{{1,40}}),? Episode T: (\d{{1,40}}),? Reward: ({NUMBER})\s*")
STEP = regex(r"(?:Time steps|Training iterations): (\d{1,40})\s*")
"""The step of what is trained on given data (TD3+BC, BCQ)."""
MEASURED = regex(rf"Evaluation over (\d{{1,9}}) episodes: ({NUMBER})(?:, D4RL score: ({NUMBER}))?\s*")


def _lines(texts: Iterable[str]) -> ConsoleText:
    """Return the episodes and the evaluations of a run, each at the last step above it; before any step, an evaluation is at step 0.

    >>> _lines(["Evaluation over 10 episodes: 3.5", "Total T: 50 Episode Num: 1 Episode T: 50 Reward: 2"]).records[0]
    {'timesteps': '0', 'eval/return': '3.5'}
    """
    printed, step, stepped, lost = ConsoleText(), "0", False, False
    for text in texts:
        if run := OF_RUN.fullmatch(text):
            printed.config |= dict(zip(("algo", "env", "seed"), run.groups(), strict=True))
        elif episode := EPISODE.fullmatch(text):
            (step, number, length, reward), stepped, lost = episode.groups(), True, False
            record = {"timesteps": step, "episode": number, "train/episode_length": length, "train/return": reward}
            printed.records.append(record)
        elif at := STEP.fullmatch(text):
            step, stepped, lost = at[1], True, False
        elif (score := MEASURED.fullmatch(text)) and not lost:
            printed.config["n_eval_episodes"] = int(score[1])
            normalized = {"eval/normalized_score": score[3]} if score[3] else {}
            printed.records.append({"timesteps": step, EVALUATION: score[2], **normalized})
        elif score or "Total T: " in text or MARK in text:
            # Two writes in one line: of what follows nobody knows the step.
            lost, printed.malformed = lost or stepped, printed.malformed + 1
    if not stepped:
        printed.records = [
            {name: own for name, own in record.items() if name != "timesteps"} for record in printed.records
        ]
    return printed


def read_lines(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the runs, which their first lines name, one after another in a text; without any line of a step, evaluations are counted from 1."""
    (part,) = claim.files
    runs: dict[str, list[str]] = {}
    own = runs.setdefault("", [])
    listed, torn = list(_bare(part.path)), ""
    if listed and not _ends(part.path) and (MARK in listed[-1] or "Total T: " in listed[-1]):
        torn = f"the line {listed.pop()!r} has no end"
    for text in listed:
        # A run that was started again has its name twice.
        own = runs.setdefault(text, []) if OF_RUN.fullmatch(text) else own
        own.append(text)
    logs = []
    for name, texts in runs.items():
        if (printed := _lines(texts)).records:
            stepped = any("timesteps" in record for record in printed.records)
            printed.torn = torn if texts is own else ""
            (log,) = _read(claim, wish, printed, [] if stepped else ["counted"])
            logs.append(replace(log, inner=name if len(runs) > 2 else ""))
    return logs


PRINTED_LINES = Tool(
    title="Printed lines of TD3",
    layout="the console's text (`.txt`, `.log`, `.out`) of TD3's authors, TD3+BC and code after it: `Evaluation over 10 episodes: 37.458`",
    find=_finder("printed_lines", _lines, b"Evaluation over "),
    read=read_lines,
)
