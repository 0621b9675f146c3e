"""Words within names that are tasks elsewhere: what all paths together say of `reach_baseline` beside `baseline` on `push` and `reach`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from runoff.base.grouping import distinct
from runoff.data.reference import stem
from runoff.reading._known import BENCHMARKS, SEPARATORS, WITHIN_NAMES, is_task, run_in, task_in, without_noise
from runoff.words.words import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerWords:
    """The names in which a word is no task, for another name of their path is one; whether of several words in a name the last is it; and what
    is a task because most words in its place are: `td3_walker` beside `td3_hopper` and `td3_ant`."""

    whole: frozenset[str] = frozenset()
    last: bool = False
    more: frozenset[str] = frozenset()


NONE = InnerWords()


def words_within(paths: Sequence[Sequence[str]]) -> InnerWords:
    """Return what all paths say of words within names.

    >>> words_within([["reach_baseline", "push"], ["baseline", "push"]]).whole
    frozenset({'reach_baseline'})
    >>> words_within([["reach_baseline_push"], ["baseline_push"]]).last, words_within([["push_ours"], ["push_reach_ours"]]).last
    (True, False)
    """
    whole = set[str]()
    several, ends, more = False, True, _beside_tasks(paths)
    for path in dict.fromkeys(map(tuple, paths)):
        certain = [canonical(stem(part)) for part in path if _is_certain(part)]
        for part in path:
            words = words_in(part)
            # `ppo_hopper/Hopper-v4` says twice what the task is.
            if certain and any(all(word not in name and name not in word for name in certain) for word in words):
                whole.add(part)
            # `math` ends `qwen_math_gsm8k` and `qwen_math_math` alike.
            pieces = _pieces(part) if more else []
            tasks = [word for word in pieces if word in more or word in words] or [*words]
            several |= len({*tasks}) > 1 or (bool(more) and len(tasks) > 1)
            ends &= not tasks or (tasks[-1] == pieces[-1] if pieces else ends_with_task(part))
    return InnerWords(whole=frozenset(whole), last=several and ends, more=more)


def _beside_tasks(paths: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the words that begin, or end, the names of a level where most words are tasks, each beside two names that all of these share.

    >>> sorted(_beside_tasks([["sac_ant"], ["sac_hopper"], ["sac_maze"], ["td3_ant"], ["td3_hopper"], ["td3_maze"]]))
    ['ant', 'hopper', 'maze']
    """
    more = set[str]()
    for level in zip(*paths, strict=True) if len({*map(len, paths)}) == 1 else ():
        pieces = [re.findall(r"[A-Za-z0-9]+", _bare(part)) for part in dict.fromkeys(level)]
        if min(map(len, pieces), default=0) < 2:
            continue
        for word, rest in ((-1, slice(None, -1)), (0, slice(1, None))):
            beside = distinct((canonical(own[word]), tuple(own[rest])) for own in pieces)
            tasks = [name for name in beside if is_task(name)]
            shared = set.intersection(*(beside[name] for name in tasks)) if tasks else set()
            if 2 * len(tasks) > len(beside) > 1 and all(len(shared & others) > 1 for others in beside.values()):
                more |= {name for name in beside if re.search(r"[a-z]{2}", name)}
    return frozenset(more)


@lru_cache(1 << 14)
def _is_certain(part: str) -> bool:
    """Return whether a task is all that a name holds."""
    return is_task(_bare(part))


@lru_cache(1 << 14)
def words_in(part: str) -> tuple[str, ...]:
    """Return the single words of tasks within a name, `hopper` of `noisy_hopper-v2`; none of a name that holds a known id, or is a task
    itself."""
    bare = re.sub(r"-v\d+$", "", _bare(part))
    span = None if is_task(bare) else task_in(bare, numbered=True)
    if span is None or not span[2]:
        return ()
    return tuple(piece for piece in _pieces(part) if is_task(piece) and piece not in BENCHMARKS - WITHIN_NAMES)


def ends_with_task(name: str) -> bool:
    """Return whether the last word of a name is that of a known task: `noisy_hopper-v2`."""
    return [*words_in(name)[-1:]] == _pieces(name)[-1:]


def _pieces(part: str) -> list[str]:
    return [canonical(piece) for piece in re.findall(r"[A-Za-z0-9]+", re.sub(r"-v\d+$", "", _bare(part)))]


def _bare(part: str) -> str:
    text = without_noise(part)
    run = run_in(text)
    return (text if run is None else run[1]).strip(SEPARATORS)
