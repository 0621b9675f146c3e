"""The vocabulary of names: algorithms, tasks, runs, settings, dates, hashes, and names without meaning.

Everything that reads names asks here: paths of tables and of training logs (`_names`), heads and keys inside files (`_keys`), configurations,
published tables. Functions whose name ends in `_in` look for a name inside a longer one.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from runoff.data.reference import stem
from runoff.references import load_reference, registered
from runoff.words.labels import KINDS_OF_DATA, SETTINGS, has_setting, is_ablation, is_amount, run_of
from runoff.words.measured import measures_of
from runoff.words.patterns import regex
from runoff.words.words import canonical, kind, ordered, vocabulary

Meaning = Literal["algorithm", "task", "run", "runs_of", "pair", "parts", "number", "amount", "metric"]

_NAMES = tomllib.loads(files("runoff.reading").joinpath("names.toml").read_text(encoding="utf-8"))
ALGORITHMS = vocabulary(_NAMES["algorithms"])
CONTENDERS = vocabulary(_NAMES["contenders"])
GYMNASIUM = vocabulary(_NAMES["gymnasium"])
DM_CONTROL = vocabulary(_NAMES["dm_control"])
DMLAB = vocabulary(_NAMES["dmlab"])
SMAC = vocabulary(_NAMES["smac"])
ROBOSUITE = vocabulary(_NAMES["robosuite"])
PARTICLES = vocabulary(_NAMES["particles"])
"""Tasks that begin with the name of an algorithm, SimPLe."""
SUITES = vocabulary(_NAMES["suites"])
SUITE_NAMES = vocabulary(_NAMES["suite_names"])
BENCHMARKS = vocabulary(_NAMES["benchmarks"])
WITHIN_NAMES = BENCHMARKS - vocabulary("adult arc cb coco copa cora drop glue math race rte zinc")
"""Those that are no other words within a name, as `math` is."""
SUBJECT = regex(
    r"(task|env|environment|game|map|scenario|maze|algo|algorithm|agent|method)(?!s$)[\s_-]?([^\W_]{1,3})",
    re.IGNORECASE,
)
"""Names that contain their role: `env_2`, `maze a`, `method B`, but not `agents`."""
TASK_WITHIN = regex(
    r"(?<![^\W_])(?:task|env|environment|game|map|scenario|maze)[\s_-]?\d{1,3}(?=$|[\s_-])", re.IGNORECASE
)
"""A numbered task inside a name: `ours_env2`."""
ENVIRONMENT_ID = regex(r"(?:[\w.-]+/)?[A-Za-z][\w.]*?(?:-\d*[A-Za-z][\w.]*?)*-v\d+")
BEFORE_ID = regex(r"(?:(?P<run>(?:(?:seed|run|rs|s|rep|trial)[-_=]?)?\d+)|(?P<name>[A-Za-z0-9]+))[-_]+", re.IGNORECASE)
"""What may stand before an id that is spelled as one with it: a run, or the name of an algorithm."""
OF_SUITE = regex(r"(?:(?<=_)|(?<![^/]))(?:mw|myo)-[a-z]+(?:-[a-z0-9]+)*(?=[_/]|$)")
"""A task of MetaWorld or MyoSuite, for nothing else is called so: `mw-basketball`, `myo-pen-twirl`."""
ID_WITHIN = regex(
    r"(?:(?<=^)|(?<=[_\-. ]))((?:[A-Za-z]\w*?:)?[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+|_[a-z0-9]+)*?-v\d+)(?=$|[_\- ]|\.(?!\d))"
)
"""An environment's id inside a name. Ids are in camel case or in snake case: `ours_Maze-v0` is a name and an id, `big_maze-v0` one id;
`Mistral-7B-v0.3` is a version of a model."""
SEED = regex(
    r"(?:(?:(?<=^)|(?<=[\W_]))(?i:(?:random_?|rng_?)?seed|seme|semilla|semente|graine|s(?!\.)|rs|run|rng|slurm|job|trial|rep|repeat|repetition|replica|replicate)|(?<=[a-z\d])(?:Seed|Run))"
    r"[\W_]{0,3}(\d{1,12})(?=$|[\W_])"
)
"""A name that contains a run: `seed_3`, `s3`, `run-2`, `ppoSeed1`."""
ID = regex(r"(?:(?<=^)|(?<=[\W_]))(?:run|job|trial)[-_](?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])([0-9a-f]{4,40})(?=$|[\W_])")
"""A run by an id that a script drew: `run_07d349`."""
NUMBER = regex(r"(?:^|(?<=[_ ])|(?<=[A-Za-z]{2}[.-])|(?<=\)-))(\d{1,12})$")
"""A number at the end of a name, which may be a run."""
CLEANRL = regex(r"(?P<task>.+?)__(?P<rest>.+)__(?P<run>\d{1,12})__(?:[1-9]\d{8,10}|(?:19|20)\d\d[\d_-]*)")
"""The name that CleanRL gives a run: env_id__exp_name__seed__seconds since 1970, or a date; others have the first two the other way round."""
LIGHTNING = regex(r"version_\d+")
"""The folder that Lightning makes for a run."""
SEEDS = regex(r"\w*seed_(\d+)(?:,\w*seed_\d+)+")
"""The name of a folder that lists the seeds of one run: `experiment_seed_1,buffer_seed_1` (Tianshou)."""
SAYS_NOTHING = vocabulary(_NAMES["says_nothing"])
SAYS_LITTLE = vocabulary(_NAMES["says_little"])
NOISE = regex(
    r"""(?:(?<=^)|(?<=[_\-., ]))(?:
      # 2024-01-31_10-20-30, with Tune's suffix, or microseconds
      (?:19|20)\d\d[-_.]?(?:0\d|1[0-2])[-_.]?(?:[0-2]\d|3[01])
      (?:[-_T. ]?\d{2}[-_.:]?\d{2}(?:[-_.:]?\d{2}(?:[.,]\d+)?)?)?(?:_\d{6}|[A-Za-z0-9][A-Za-z0-9_]{5,7})?
    | [0-3]\d[-_.][01]\d[-_.](?:19|20)\d\d(?:[-_T. ]\d{2}[-_.:]\d{2}(?:[-_.:]\d{2})?)?  # 31.01.2024 10.20
    | \d{2}[01]\d[0-3]\d-\d{6}                                # 240131-102030 (Tianshou)
    | [A-Z][a-z]{2}\d{1,2}_\d{2}-\d{2}-\d{2}                  # Jan31_10-20-30
    | [01]\d[0-3]\d20\d\d[0-2]\d[0-5]\d[0-5]\d                  # 11272026224328 (AgileRL)
    | 1[0-9]{9}(?:[.]\d+)?|1[0-9]{12}                         # seconds since 1970
    | [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}  # a UUID
    | (?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}         # a hash
    | \d{2}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}(?:-\d{6})?           # 24-01-31_10-20-30-123456 (skrl)
    | \d{2}_\d{2}_\d{2}-\d{2}_\d{2}_\d{2}                     # 24_01_31-10_20_30 (TorchRL)
    | (?:\d{2}-)?\d{2}-\d{2}-\d{2}                            # 10-20-30, 31-10-20-30 (rl_games)
    | [0-2]\d[.][0-5]\d[.][0-5]\d                             # 10.20.30 (Diffusion Policy)
    | [0-9a-f]{5,8}_\d{5}(?:_\d+)?                            # Tune's trial
    )(?=$|[_\-., ])""",
    re.VERBOSE,
)
"""Dates, times and hashes, which can only name a run."""
WANDB = regex(r"^(?:(?:offline-)?run-\d{8}_\d{6}-\w+|wandb_export[-\dT_.+:Z]*(?: ?\(\d+\))?)$")
"""Folders and exports of Weights & Biases."""
SEPARATORS = " _-.,;:=+{}"
ALGORITHM_KEYS = ordered(
    "algorithm algo alg algo_name alg_name algorithm_name algo_class algorithm_class algo_type algorithm_type agent_name agent_class "
    "agent_type method method_name learner_name agent"
)
TASK_KEYS = ordered(
    "map_name env_key env_id gym_id env_name environment_id environment_name task_name task_id env environment task game "
    "scenario"
)
RUN_KEYS = ("seed", "random_seed", "rng_seed", "env_seed", "seed_id")
KEYS_OF_RUNS = {"algorithm": ALGORITHM_KEYS, "task": TASK_KEYS, "run": RUN_KEYS}
"""The keys for algorithm, task and run in configurations, and in names of folders that list settings."""


# ── algorithms ──────────


@cache
def is_algorithm(name: str) -> bool:
    """Return whether a name begins with a known algorithm: `PPO`, `DrQ(eps)`, `sac_lr0.1`, `TD3+BC`."""
    folded = name.strip().casefold()
    # The first piece alone (`ppo_lr0.1`), for what stands behind may be many things; or all of it without marks
    # (`Double DQN`, `recurrent_ppo`).
    first = re.split(r"[\s_(+,:=/@\[-]", folded, maxsplit=1)[0]
    subject = SUBJECT.fullmatch(name.strip())
    if folded in PARTICLES:
        return False
    return bool({first, re.sub(r"[\s_-]", "", folded)} & ALGORITHMS) or bool(
        subject and subject[1].casefold() in ("algo", "algorithm", "agent", "method")
    )


def is_algorithm_itself(name: str) -> bool:
    """Return whether a whole name is that of a known algorithm: `TD3-BC`, but not `SAC-PPO`."""
    return re.sub(r"[\s_-]", "", name.casefold()) in ALGORITHMS


def is_contender(name: str) -> bool:
    """Return whether a name is what authors call their own algorithm, or the one that it must beat: `ours`, `Our method`, `baseline 2`."""
    return canonical(re.sub(r"[\s_-]*(\d+|\(.*\))$", "", name)) in CONTENDERS


OURS = regex(r"(?:ours|our[\s_-]?method|proposed)(?![^\W_])", re.IGNORECASE)
"""What nobody calls a task."""


def like_algorithms(names: Iterable[str]) -> bool:
    """Return whether one of several names begins with a known algorithm, or with what authors call their own: `ours_no-reg`."""
    return any(is_algorithm(name) or is_contender(re.split(r"[\s_-]", name.strip(), maxsplit=1)[0]) for name in names)


def has_algorithm(text: str) -> bool:
    """Return whether a name begins with a known algorithm, or its last piece is one: `tuned_ppo`."""
    return is_algorithm(text) or ends_with_algorithm(text)


def ends_with_algorithm(text: str) -> bool:
    """Return whether the last piece of a name is a known algorithm, or that of one with a version: `td3-v2`."""
    bare = re.sub(r"(?<=\w)[_-]v\d+$", "", text)
    return canonical(re.split(rf"[{re.escape(SEPARATORS)}]+", bare)[-1]) in ALGORITHMS


JOINED = regex(r"(?:[A-Z][a-z]+){2,}\d{1,2}")
"""Words joined by capitals, and a number of one digit or two."""


def is_setting(name: str) -> bool:
    """Return whether a name holds a number that is not part of a known algorithm: `lr0.1`, `sac_lr1`, but not `td3`; then it is no new task.

    A number before the name or in parentheses behind it counts copies: `0_ppo`, `New folder (2)`. Behind words that are joined by capitals, none
    of which is that of a setting, it is part of the name of an environment: `PointGoal1`.
    """
    if JOINED.fullmatch(name) and not has_setting(name):
        return False
    bare = re.sub(r"^\d+[\s_-]+|\s*\(\d+\)$", "", name)
    first = re.split(r"[\s_(+,:=/\[-]", bare, maxsplit=1)[0]
    return re.search(r"=|\d", bare[len(first) :] if canonical(first) in ALGORITHMS else bare) is not None


def names_setting(text: str) -> bool:
    """Return whether a name ends with the word for a setting, of which a number behind it is a value: `lr`, `batch_size`."""
    return canonical(re.split(r"[\s_-]+", text.rstrip(SEPARATORS))[-1]) in SETTINGS


TUNED = regex(
    rf"(?P<before>.*?[^\W\d_]\d*)[_-](?P<name>{'|'.join(sorted(SETTINGS))})(?P<mark>[_=-]?)(?P<value>\d[\d.]*(?:e-?\d+)?)(?P<after>(?:[_-].*)?)",
    re.IGNORECASE,
)
"""An algorithm followed by a setting: `A_lr0.1_s3`."""


def setting_in(name: str) -> re.Match[str] | None:
    """Return the setting that follows the name of an algorithm.

    >>> setting_in("A_lr0.1_s3")["name"], setting_in("lr0.1"), setting_in("A_b0.1")
    ('lr', None, None)
    """
    return TUNED.fullmatch(name)


BARE = regex(
    rf"(?P<name>[A-Za-z_]\w*)=(?P<value>[^=/{{}}*,]+)|(?P<short>{'|'.join(sorted(SETTINGS))})_?(?P<number>\d[\d.]*(?:e-?\d+)?)",
    re.IGNORECASE,
)
"""A name that is only a setting: `lr=0.1`, `lr0.1`."""


def names_runs(name: str) -> bool:
    """Return whether a key is one for the algorithm, the task or the run."""
    return any(name.casefold() in keys for keys in KEYS_OF_RUNS.values())


# ── tasks ──────────


@cache
def is_task(name: str) -> bool:
    """Return whether a name is that of a known environment: `Pong`, `ALE/Pong-v5`, `Hopper-v4`, `dmc_walker_walk`, `env_2`."""
    # A name that begins with a known algorithm names no task, whatever else it holds: `PPO Pong`.
    if is_algorithm(name):
        return False
    bare = name.strip().casefold()
    suite = re.match(r"(dm_control|[a-z0-9]+)[_/-]", bare)
    bare = bare[suite.end() :] if suite and canonical(suite[1]) in SUITE_NAMES else bare
    return (
        bool({canonical(stem(bare)), canonical(stem(name))} & _environments())
        or OF_SUITE.fullmatch(bare) is not None
        or canonical(name) in BENCHMARKS
        or SUBJECT.fullmatch(name.strip()) is not None
    )


def is_environment_id(name: str) -> bool:
    """Return whether a name is spelled as registered environments are: `Custom-v0`."""
    return ENVIRONMENT_ID.fullmatch(name.strip()) is not None and not is_algorithm(name)


def task_in(
    text: str, *, numbered: bool, last: bool = False, more: frozenset[str] = frozenset()
) -> tuple[int, int, bool] | None:
    """Return the position of a task in a name, and whether it is a single word, which may be another name; numbered: `env_2` is not a second
    run; last: of several words the last is the task; more: words that are tasks, too."""
    # From the certain to the doubtful: ids of Gymnasium, what is spelled as an id, `env_2`, then single words, which
    # may be something else (`boxing`, `walker`).
    listed = OF_SUITE.search(text) or _ids().search(text)
    span = listed.span() if listed else _any_id(text)
    if span is not None:
        return *span, False
    subject = None if is_algorithm(text) else SUBJECT.fullmatch(text.strip())
    if subject is not None and (numbered or not subject[2][0].isdigit()):
        return 0, len(text), True
    within = TASK_WITHIN.search(text) if numbered else None
    if within is not None:
        return *within.span(), True
    words = _known_words(text, last, more)
    return None if words is None else (*words, re.fullmatch(r"[A-Za-z0-9]+", text[words[0] : words[1]]) is not None)


@cache
def _environments() -> frozenset[str]:
    references = {task for name in registered() for task in load_reference(name).scores}
    return frozenset(
        canonical(re.sub(r"-v\d+$", "", task))
        for task in {*references, *GYMNASIUM, *DM_CONTROL, *DMLAB, *SMAC, *PARTICLES, *ROBOSUITE, *SUITES}
    )


@cache
def _ids() -> re.Pattern[str]:
    # Sorted, for a set has another order in every process.
    names = sorted({*GYMNASIUM, *load_reference("atari").scores}, key=lambda name: (-len(name), name))
    kinds = (
        r"(?:Bullet(?:Env)?|PyBullet(?:Env)?|NoFrameskip|Deterministic|-ram(?:NoFrameskip|Deterministic)?|Continuous)?"
    )
    return re.compile(rf"(?:ALE[/_-]|Isaac-)?({'|'.join(map(re.escape, names))}){kinds}-v\d+")


def _any_id(text: str) -> tuple[int, int] | None:
    for match in ID_WITHIN.finditer(text):
        start, end = match.span(1)
        # `PPO-MyEnv-v0` and `s3_MyEnv-v0` are spelled as one id, but begin with an algorithm, or a run
        while before := BEFORE_ID.match(text[start:end]):
            if not (before["run"] or canonical(before["name"]) in ALGORITHMS):
                break
            start += before.end()
        # `td3-v2` is a version of an algorithm, and no task; nor is one within a model's name, `deberta-v3-base`
        of_model = text[start:end].islower() and re.match(r"-[a-z]", text[end:])
        if not re.fullmatch(r"v\d+", text[start:end]) and not of_model:
            return start, end
    return None


def _known_words(text: str, last: bool, more: frozenset[str]) -> tuple[int, int] | None:
    """Return the span of up to four pieces that are a known task ("ms_pacman", "walker-walk"), the longest first."""
    # `adult` and `math` are other words within a name.
    if canonical(text) in BENCHMARKS - WITHIN_NAMES and text.strip().isalnum():
        return len(text) - len(text.lstrip()), len(text.rstrip())
    pieces = [match.span() for match in re.finditer(r"[A-Za-z0-9]+", text)]
    if len(pieces) == 1 and canonical(text[slice(*pieces[0])]) in BENCHMARKS:  # `rte`, a word within other names
        return pieces[0]
    # `walker_walk` before `walker`.
    for n in (4, 3, 2, 1):
        for i in sorted(range(len(pieces) - n + 1), reverse=last and n == 1):
            start, end = pieces[i][0], pieces[i + n - 1][1]
            name = canonical(text[start:end])
            if name in more or name in _environments() or name in WITHIN_NAMES:
                # PettingZoo writes versions as names: `simple_spread_v3`.
                version = re.match(r"_v\d+(?![^\W_])", text[end:]) if name in map(canonical, PARTICLES) else None
                return start, end + (version.end() if version else 0)
    return None


# ── runs, dates, and what says nothing ──────────


def stamped(name: str) -> tuple[str, str, str] | None:
    """Return the task, the rest and the run in a name by CleanRL; None for other names.

    >>> stamped("Pong__ppo__3__1700000001"), stamped("ppo__Pong__3__2024"), stamped("CartPole-v1__cartpole__3__2024")
    (('Pong', 'ppo', '3'), ('Pong', 'ppo', '3'), ('CartPole-v1', 'cartpole', '3'))
    """
    match = CLEANRL.fullmatch(name)
    if match is None:
        return None
    first, second, run = match.groups()
    # CleanRL's own order is task, script, seed, time; its heirs write the script first.
    swapped = is_algorithm(first) or (is_task(second) and not is_task(first))
    return (second, first, run) if swapped else (first, second, run)


def run_in(text: str) -> tuple[str, str] | None:
    """Return the run in a name, and the rest of the name; None without a run.

    >>> run_in("PPO_seed3"), run_in("PPO_3")
    (('3', 'PPO_ '), None)
    """
    match = SEED.search(text) or ID.search(text)
    if match is None:
        return None
    after = text[match.end() :]
    # `job_48213_3`: a job of an array has the number of the array, and its own.
    if re.match(r"(?i)job|slurm", match[0]) and (own := re.fullmatch(r"[_-](\d{1,5})", after)):
        return f"{match[1]}_{own[1]}", f"{text[: match.start()]} "
    # `PPO_seed3_1`: Stable-Baselines3 counts the attempts at a run
    return match[1], f"{text[: match.start()]} {'' if re.fullmatch('_[1-9]', after) else after}"


def named_run(text: str) -> tuple[str, str] | None:
    """Return the name and the run in a text; None if it contains no run, or nothing else.

    >>> named_run("PPO_seed3"), named_run("PPO (run 3)"), named_run("seed 3")
    (('PPO', '3'), ('PPO', '3'), None)
    """
    run = run_in(text)
    name = "" if run is None else re.sub(r"[(\[]\s*[)\]]", " ", run[1]).strip(f"{SEPARATORS}/|")
    return (name, run[0]) if run and name else None


def number_in(text: str) -> tuple[str, str] | None:
    """Return a number at the end of a name or of a word in it, which may be a run, and the rest; None without a number, or after a setting.

    >>> number_in("a2c-1"), number_in("ppo_2"), number_in("lr1e-3")
    (('1', 'a2c-'), ('2', 'ppo_'), None)
    """
    words = text.split()
    for i, word in enumerate(words):
        bare = word.strip(SEPARATORS)
        # Behind a hyphen a number may be an exponent (`1e-3`); behind a known algorithm (`a2c-1`, `td3-1`) it is none.
        behind = re.search(r"(?<=[A-Za-z\d]-)(\d{1,12})$", bare)
        match = NUMBER.search(bare) or (behind if behind and ends_with_algorithm(bare[: behind.start() - 1]) else None)
        if match and not names_setting(" ".join([*words[:i], bare[: match.start()]])):
            return match[1], " ".join([*words[:i], bare[: match.start()], *words[i + 1 :]])
    return None


def without_noise(name: str) -> str:
    """Return a name with dates, times and hashes replaced by spaces."""
    return NOISE.sub(" ", WANDB.sub("", name))


def beyond_noise(name: str) -> str:
    """Return a name without the dates, times and hashes that it begins, or ends, with; "" where there is nothing else."""
    return without_noise(name).strip(SEPARATORS)


def says_nothing(name: str) -> bool:
    """Return whether a name has no meaning, at least on its own."""
    return canonical(name) in SAYS_NOTHING | SAYS_LITTLE


# ── lists of names ──────────


def meaning_of(names: Iterable[str]) -> Meaning | None:
    """Return the role of a list of names, if its members indicate one and do not contradict each other.

    >>> meaning_of(["PPO", "Ours"]), meaning_of(["Pong", "Alien"]), meaning_of(["seed 1", "seed 2"]), meaning_of(["100k", "500k"])
    ('algorithm', 'task', 'run', 'amount')
    """
    labels = list(dict.fromkeys(name.strip() for name in names))
    if not labels:
        return None
    # In the order of certainty: words that say themselves what they are (seeds, metrics, kinds of data), then forms
    # (amounts, numbers), then lists of known names, of which a majority decides.
    if all(run_of(label) is not None for label in labels):
        return "run"
    if any((match := SEED.search(label)) and match.start() > 0 and match.end() == len(label) for label in labels):
        return "runs_of"
    # `PPO (seed 1)`, `s1_PPO`: what stands elsewhere in a name may be part of it, unless each name comes with several.
    split = [named_run(label) for label in labels]
    if all(split) and min(Counter(part[0] for part in split if part).values()) > 1:
        return "runs_of"
    if metrics_among(labels):
        return "metric"
    if len(labels) > 1 and all(canonical(label) in KINDS_OF_DATA for label in labels):
        return "parts"
    if len(labels) > 1 and all(map(_is_pair, labels)):
        return "pair"
    if all(is_amount(label) for label in labels):
        return "amount"
    if len(labels) > 1 and all(re.fullmatch(r"\d+", label) for label in labels):
        # 0, 1, 2 may count anything; 64, 128 are values of something.
        return "number" if min(map(int, labels)) in (0, 1) and are_counted(labels) else "amount"
    # a majority, for benchmarks hold a method or a task that nobody knows
    algorithms, tasks = sum(map(is_algorithm, labels)), sum(map(is_task, labels))
    # None at all, or as many of both: nothing is said.
    if algorithms == tasks:
        return None
    return "algorithm" if algorithms > tasks else "task"


def metrics_among(labels: Sequence[str]) -> list[str]:
    """Return the labels that are named like metrics, steps or times.

    >>> metrics_among(["PPO", "PPO_std", "walltime"])
    ['PPO_std', 'walltime']
    """
    alone, progress = ("metric", "statistic", "time", "rate", "score"), ("step", "iteration", "episode")
    of_others = measures_of(labels)
    return [
        name
        for name in labels
        if not is_ablation(name)
        and (
            kind(name) in alone
            or (kind(name) in progress and not is_amount(name))
            or kind(of_others.get(name, ("", ""))[1]) is not None
        )
    ]


LONGEST_PAIR = 200
"""A number of characters larger than any algorithm and task have together."""


def _is_pair(label: str) -> bool:
    """Return whether a label joins a known algorithm and a known task: `PPO_Hopper`."""
    # Each of its marks is tried, of which a text of thousands of words has too many.
    if len(label) > LONGEST_PAIR:
        return False
    marks = re.finditer(r"[_/:| -]+", label)
    halves = ((label[: mark.start()], label[mark.end() :]) for mark in marks)
    ordered_halves = ((a, b) if canonical(a) in ALGORITHMS else (b, a) for a, b in halves)
    return any(canonical(algorithm) in ALGORITHMS and is_task(task) for algorithm, task in ordered_halves)


def are_counted(labels: Iterable[str]) -> bool:
    """Return whether numbers are consecutive, as for runs: 3, 4, 5; but not 64, 128, the values of a setting."""
    numbers = set(map(int, labels))
    return max(numbers) - min(numbers) + 1 == len(numbers)
