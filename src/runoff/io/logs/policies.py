"""What may happen to a log, and what is then done: each policy has a name and a sentence, and is counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from runoff.io.logs.base import Happening


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What is said of something that happened; {runs} and {count} stand for how often. `warns`: the answer may not be what the user thinks."""

    sentence: str
    warns: bool = False


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "torn": Policy(
            sentence="{runs} log(s) end or break in the middle of a record: what was written before is read", warns=True
        ),
        "unreadable": Policy(sentence="{runs} log(s) cannot be read and are left out", warns=True),
        "not_understood": Policy(
            sentence="{runs} file(s) are called like logs or tables, but are empty or no log of a tool that runoff knows: if runs, they "
            "are missing",
            warns=True,
        ),
        "unsearched": Policy(sentence="{runs} folder(s) cannot be searched: runs in them are missing", warns=True),
        "malformed": Policy(
            sentence="{count} record(s) of {runs} log(s) cannot be understood and are left out", warns=True
        ),
        "no_number": Policy(
            sentence="{count} value(s) of {runs} log(s) are no numbers, in series that may be the score, and are left out",
            warns=True,
        ),
        "restarted": Policy(
            sentence="{runs} run(s) go back in steps: the later part replaces the earlier from there on ({count} points left out)"
        ),
        "mostly_replaced": Policy(
            sentence="{runs} run(s) go back in steps so far that two fifths or more of their points ({count}) are replaced by later ones: are "
            "these several runs in one folder?",
            warns=True,
        ),
        "ends_earlier": Policy(
            sentence="{runs} run(s) go back in steps and end before the step that they had reached: the later part replaces the earlier from "
            "there on ({count} points left out), and the last score is that of an earlier step; were steps logged out of order?",
            warns=True,
        ),
        "averaged": Policy(
            sentence="{runs} run(s) hold several values at one step ({count} in all): their mean is taken"
        ),
        "all_at_one_step": Policy(
            sentence="{runs} run(s) hold all their values at one step ({count} in all): their mean is taken; values that were logged without a "
            "step look the same",
            warns=True,
        ),
        "no_value_yet": Policy(
            sentence="{runs} run(s) begin with NaN, before the first value ({count} points left out)"
        ),
        "no_value_between": Policy(sentence="{runs} run(s) hold NaN between values ({count} points left out)"),
        "no_value_at_end": Policy(
            sentence="{runs} run(s) end with NaN ({count} points left out): did they diverge?", warns=True
        ),
        "step_filled": Policy(
            sentence="{count} value(s) of {runs} run(s) stand in rows that tell no step: they take the step of the row before"
        ),
        "one_after_another": Policy(
            sentence="{runs} numbered monitors of one folder were recorded one after another, not together as those of "
            "the environments of one run: each is taken as a run of its own",
            warns=True,
        ),
        "continued": Policy(
            sentence="{runs} run(s) were continued in the same monitor, whose clock begins at 0 again ({count} times): the parts follow one "
            "another"
        ),
        "no_step": Policy(sentence="{runs} run(s) tell one score and no steps: it stands at step 0"),
        "chart": Policy(
            sentence="{runs} run(s) are columns of an exported chart, which may hold a sample of their points"
        ),
        "sampled": Policy(
            sentence="{count} value(s) of {runs} run(s) of an exported chart stand for several points, whose smallest and largest differ: "
            "export the history of the runs",
            warns=True,
        ),
        "episodes_averaged": Policy(
            sentence="{runs} log(s) tell {count} episodes or questions: a score is their mean; --unit episode makes each a row, "
            "which speaks of the policy, not of its training"
        ),
        "episodes_lacking": Policy(
            sentence="{count} series of {runs} evaluation(s) have no value for some episodes or questions, and so no mean",
            warns=True,
        ),
        "several_sources": Policy(
            sentence="{runs} run(s) are validated on several sources of data: the score is that of one of them; metric= "
            "(--columns score=) names another",
            warns=True,
        ),
        "evaluated_again": Policy(
            sentence="{runs} folder(s) hold several evaluations of one model on one task: the latest is read ({count} left out)",
            warns=True,
        ),
        "unfinished": Policy(sentence="{count} evaluation(s) did not end well and are left out", warns=True),
        "other_tool": Policy(sentence="{runs} run(s) were logged by two tools: the second log is left out"),
        "without_metric": Policy(
            sentence="{runs} run(s) do not have the series that is read and are left out", warns=True
        ),
        "without_values": Policy(
            sentence="{runs} run(s) have no value of the series that is read and are left out", warns=True
        ),
        "left_out": Policy(sentence="{runs} run(s) are left out as asked"),
        "deleted": Policy(sentence="{count} run(s) were deleted in the tool that logged them and are left out"),
        "config_unread": Policy(sentence="{runs} configuration(s) cannot be read"),
        "lacks_name": Policy(
            sentence="{runs} run(s) lack what names the others, and their folders name something else: they are left out",
            warns=True,
        ),
        "settings_differ": Policy(
            sentence="the runs of {runs} algorithm(s) have different settings: are these variants, to be told apart by a pattern?",
            warns=True,
        ),
        "seed_repeated": Policy(
            sentence="{runs} run(s) share a seed in their configuration: the numbers in the names of their folders tell them apart"
        ),
    }
)
"""Name -> policy, in the order in which they are told."""
EXAMPLES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One sentence for all runs to which one thing happened."""

    policy: str
    runs: int
    count: int
    text: str

    @property
    def warns(self) -> bool:
        return POLICIES[self.policy].warns


def tell(happened: Iterable[tuple[str, Happening]]) -> list[Told]:
    """Return a sentence for each policy that was needed, of (place, what happened), with the first places."""
    by_policy: dict[str, list[tuple[str, Happening]]] = {}
    for place, one in happened:
        by_policy.setdefault(one.policy, []).append((place, one))
    return [_told(policy, sorted(by_policy[policy], key=_order)) for policy in POLICIES if policy in by_policy]


def _order(entry: tuple[str, Happening]) -> tuple[str, str]:
    return entry[0], entry[1].where


def _told(policy: str, entries: list[tuple[str, Happening]]) -> Told:
    runs, count = len({place for place, _ in entries}), sum(one.count for _, one in entries)
    examples = [f"{place}: {one.where}" if one.where else place for place, one in entries[:EXAMPLES]]
    more = "for example " if len(entries) > EXAMPLES else ""
    said = POLICIES[policy].sentence.format(runs=runs, count=f"{count:,}")
    return Told(policy=policy, runs=runs, count=count, text=f"{said} ({more}{'; '.join(examples)})")
