"""What the names of folders and files say: a task, a seed, and what is left, which may be the algorithm.

A name is cut into pieces. What is a date, a hash or a word that says nothing ("logs", "results") is passed over; then a known task or the
name of an environment is looked for, then a seed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from runoff.io._known import ALGORITHMS, GYMNASIUM
from runoff.words.words import canonical, vocabulary

PASSED_OVER = vocabulary(
    "log logs run runs result results output outputs out exp exps experiment experiments data train training eval "
    "evals evaluation test wandb tb tensorboard tensorboards tblogs tblog events event summaries summary tfsummary "
    "files raytune rayresults tune multirun mlruns latest latestrun default final csv csvs scalars scalar progress "
    "monitor metrics metric history evaluations checkpoint checkpoints models model seeds benchmark benchmarks ale "
    "gym gymnasium dmc dmcontrol formats offline tmp info json mlflow mlflowdb rslrl rlgames skrl tianshou nn lightninglogs version dvclive"
)
"""Canonical names of folders that say nothing of the run."""
NOISE = re.compile(
    r"""(?:(?<=^)|(?<=[_\-. ]))(?:
      # 2024-01-31_10-20-30, with Tune's suffix
      \d{4}[-_.]?\d{2}[-_.]?\d{2}(?:[-_T. ]?\d{2}[-_.:]?\d{2}(?:[-_.:]?\d{2}(?:[.,]\d+)?)?)?(?:[A-Za-z0-9_]{6,8})?
    | [A-Z][a-z]{2}\d{1,2}_\d{2}-\d{2}-\d{2}                  # Jan31_10-20-30
    | 1[0-9]{9}(?:[.]\d+)?|1[0-9]{12}                         # seconds since 1970
    | [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}  # a UUID
    | (?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}         # a hash
    | \d{2}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}(?:-\d{6})?           # 24-01-31_10-20-30-123456 (skrl)
    | (?:\d{2}-)?\d{2}-\d{2}-\d{2}                            # 10-20-30, 31-10-20-30 (rl_games)
    | [0-9a-f]{5,8}_\d{5}(?:_\d+)?                            # Tune's trial
    )(?=$|[_\-. ])""",
    re.VERBOSE,
)
WANDB = re.compile(r"^(?:(?:offline-)?run-\d{8}_\d{6}-\w+|wandb_export[-\dT_.+:Z]*(?: ?\(\d+\))?)$")
SEED = re.compile(
    r"(?:(?<=^)|(?<=[_\-. ,]))(?:(?:random_?|rng_?)?seed|s|run|rng|trial|rep|replicate)[_\-=. ]?(\d{1,12})(?=$|[_\-. ,])",
    re.IGNORECASE,
)
NUMBER = re.compile(r"(?:^|(?<=[_ ])|(?<=[A-Za-z]{2}-)|(?<=\)-))(\d{1,12})$")
VERSIONED = re.compile(
    r"(?:(?<=^)|(?<=[_\-. ]))((?:[A-Za-z]\w*?:)?[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*?-v\d+)(?=$|[_\-. ])"
)
TASK_SUBJECT = re.compile(r"(?:task|env|environment|game|map|scenario|maze)[\s_-]?[A-Za-z]\w{0,2}", re.IGNORECASE)
"""A number instead of the letter may be a run."""
CLEANRL = re.compile(r"(?P<task>.+?)__(?P<rest>.+)__(?P<run>\d{1,12})__1[0-9]{9}")
"""env_id__exp_name__seed__seconds since 1970."""
SEPARATORS = " _-.,;:=+"
DM_CONTROL = vocabulary(
    "acrobot_swingup acrobot_swingup_sparse ball_in_cup_catch cartpole_balance cartpole_balance_sparse "
    "cartpole_swingup cartpole_swingup_sparse cartpole_two_poles cartpole_three_poles cheetah_run dog_fetch dog_run "
    "dog_stand dog_trot dog_walk finger_spin finger_turn_easy finger_turn_hard fish_swim fish_upright hopper_hop "
    "hopper_stand humanoid_run humanoid_run_pure_state humanoid_stand humanoid_walk lqr_lqr_2_1 lqr_lqr_6_2 "
    "manipulator_bring_ball manipulator_bring_peg manipulator_insert_ball manipulator_insert_peg pendulum_swingup "
    "point_mass_easy point_mass_hard quadruped_escape quadruped_fetch quadruped_run quadruped_walk reacher_easy "
    "reacher_hard stacker_stack_2 stacker_stack_4 swimmer_swimmer6 swimmer_swimmer15 walker_run walker_stand "
    "walker_walk"
)
"""Tasks of the DM Control suite; their reference scores have no names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clues:
    """What the folders of a run say.

    left: (depth, text) of what is neither task nor run; loose: the run is a number at the end of a name; weak: the task is a single word.
    """

    task: str | None = None
    weak: bool = False
    run: str | None = None
    loose: bool = True
    left: tuple[tuple[int, str], ...] = ()


def clues(parts: Sequence[str], *, weak: bool = True) -> Clues:
    """Return what the names from the root down to a run say; the deepest name that says something wins, a seed before a mere number.

    A number at the end of a name that is not the run stays part of the name, so that two folders stay two; below a seed it counts
    attempts at one run. `weak`: a single word that is a task counts too, though it may be the name of something else.
    """
    pieces = [_of_one(part, weak) for part in parts]
    told = [i for i, piece in enumerate(pieces) if piece.run is not None]
    seeds = [i for i in told if not pieces[i].loose]
    at = (seeds or told or [-1])[-1]
    left: list[tuple[int, str]] = []
    for depth, piece in enumerate(pieces):
        counted = piece.loose and depth != at and not (seeds and depth > at)
        rest = piece.whole if counted else piece.rest
        if rest and (not left or canonical(left[-1][1]) != canonical(rest)):
            left.append((depth, rest))
    return Clues(
        task=next((piece.task for piece in reversed(pieces) if piece.task), None),
        weak=next((piece.weak for piece in reversed(pieces) if piece.task), False),
        run=pieces[at].run if told else None,
        loose=pieces[at].loose if told else True,
        left=tuple(left),
    )


def is_algorithm(text: str) -> bool:
    """Return whether a name is an algorithm wherever it stands."""
    return canonical(text) in ALGORITHMS


def has_algorithm(text: str) -> bool:
    """Return whether a name, or its first or last piece, is an algorithm wherever it stands."""
    pieces = re.split(rf"[{re.escape(SEPARATORS)}]+", text)
    return any(map(is_algorithm, (text, pieces[0], pieces[-1])))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """What one name says: a task, a run, what is left, and what would be left with a loose number."""

    task: str | None = None
    weak: bool = False
    run: str | None = None
    loose: bool = False
    rest: str = ""
    whole: str = ""


@cache
def _of_one(part: str, weak: bool) -> _Piece:
    if canonical(part) in PASSED_OVER:
        return _Piece()
    named = CLEANRL.fullmatch(part)
    if named:
        task, rest, run = named.group("task", "rest", "run")
        return _Piece(task=task, run=run, rest=rest, whole=rest)
    task, text, alone = _cut_task(NOISE.sub(" ", WANDB.sub("", part)), weak)
    run, loose, rest = _cut_run(text)
    return _Piece(task=task, weak=alone, run=run, loose=loose and run is not None, rest=_left(rest), whole=_left(text))


def _left(text: str) -> str:
    pieces = [piece.strip(SEPARATORS) for piece in text.split() if canonical(piece) not in PASSED_OVER]
    return " ".join(piece for piece in pieces if piece)


def _cut_task(text: str, weak: bool) -> tuple[str | None, str, bool]:
    """Return the task that a name holds, what is left of it, and whether the task is a single word."""
    for find in (_known_versioned, _versioned, _subject, _known_words):
        span = find(text)
        if span is not None:
            task = text[span[0] : span[1]]
            alone = find is _subject or (find is _known_words and re.fullmatch(r"[A-Za-z0-9]+", task) is not None)
            if weak or not alone:
                return task, f"{text[: span[0]]} {text[span[1] :]}", alone
    return None, text, False


@cache
def _tasks() -> frozenset[str]:
    from runoff.references import load_reference, registered

    known = {task for name in registered() for task in load_reference(name).scores}
    return frozenset(canonical(re.sub(r"-v\d+$", "", task)) for task in {*known, *GYMNASIUM, *DM_CONTROL})


@cache
def _bases() -> re.Pattern[str]:
    names = sorted({*GYMNASIUM, *_cased()}, key=lambda name: (-len(name), name))
    kinds = (
        r"(?:Bullet(?:Env)?|PyBullet(?:Env)?|NoFrameskip|Deterministic|-ram(?:NoFrameskip|Deterministic)?|Continuous)?"
    )
    return re.compile(rf"(?:ALE/)?({'|'.join(map(re.escape, names))}){kinds}-v\d+")


def _cased() -> set[str]:
    from runoff.references import load_reference

    return set(load_reference("atari").scores)


def _known_versioned(text: str) -> tuple[int, int] | None:
    found = _bases().search(text)
    return found.span() if found else None


def _versioned(text: str) -> tuple[int, int] | None:
    found = VERSIONED.search(text)
    if found is None:
        return None
    start, end = found.span(1)
    first = re.match(r"[A-Za-z0-9]+(?=[-_])", text[start:end])
    if first and canonical(first.group()) in ALGORITHMS:
        start += first.end() + 1
    return start, end


def _subject(text: str) -> tuple[int, int] | None:
    """Return the span of a name that says itself that it is a task: `maze_a`, `env-B`."""
    found = TASK_SUBJECT.fullmatch(text.strip())
    return (0, len(text)) if found else None


def _known_words(text: str) -> tuple[int, int] | None:
    """Return the span of up to four pieces that are a known task ("ms_pacman", "walker-walk"), the longest first."""
    pieces = [match.span() for match in re.finditer(r"[A-Za-z0-9]+", text)]
    for n in (4, 3, 2, 1):
        for i in range(len(pieces) - n + 1):
            start, end = pieces[i][0], pieces[i + n - 1][1]
            if canonical(text[start:end]) in _tasks() and not (n == 1 and text[start:end].isdigit()):
                return start, end
    return None


def _cut_run(text: str) -> tuple[str | None, bool, str]:
    named = SEED.search(text)
    if named:
        return named.group(1), False, f"{text[: named.start()]} {text[named.end() :]}"
    for i, piece in enumerate(text.split()):
        bare = piece.strip(SEPARATORS)
        found = NUMBER.search(bare)
        if found and (i or bare):
            return found.group(1), True, " ".join([*text.split()[:i], bare[: found.start()], *text.split()[i + 1 :]])
    return None, True, text


def hints_of(run_name: str) -> tuple[str, ...]:
    """Return the name of a run if a script gave it, nothing if it was drawn at random ("sunny-wood-5")."""
    clue = clues(run_name.split("__"))
    return (run_name,) if clue.task is not None or any(has_algorithm(text) for _, text in clue.left) else ()
