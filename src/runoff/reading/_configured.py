"""What a configuration says of a run: its settings, by dotted names, and the names of its algorithm, its task and itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runoff.data.reference import stem
from runoff.reading._known import ALGORITHM_KEYS, RUN_KEYS, SUITE_NAMES, TASK_KEYS, has_algorithm, says_nothing
from runoff.reading._names import LONGEST, clues
from runoff.words.patterns import regex
from runoff.words.words import canonical

MAYBE_ALGORITHM_KEYS = (
    *("exp_name", "experiment_name", "name", "model", "run_name", "trainable_name", "run"),
    *("model_type", "model_name", "policy_type", "policy_name", "policy", "trainer", "trainer_name", "trainer_type"),
)
"""Keys whose value is an algorithm if it looks like one."""
DATA_KEYS = ("dataset_name", "dataset_id", "dataset", "data")
"""Keys whose value is a task if there is no other: in training on data, the data are the task."""
OF_A_PATH = regex(r"[/~.]|\w+:/|.*\.(?:hdf5|h5|npz|npy|pkl|json|jsonl|csv|parquet|zarr)$", re.IGNORECASE)
"""The name of a file, which is not a task."""
MOST_ENTRIES = 20_000
DEEPEST = 12
"""Entries, and levels, of the largest configuration: what has more is a table or a list of weights."""


def flat(content: Any) -> dict[str, Any]:
    """Return the scalars of nested mappings by dotted names, without unresolved "${…}"; a list of pairs is a mapping, too."""
    scalars: dict[str, Any] = {}
    waiting: list[tuple[str, Any, int]] = [("", content, 0)]
    while waiting and len(scalars) < MOST_ENTRIES:
        name, value, depth = waiting.pop()
        # Weights & Biases writes a setting as `lr: {desc: null, value: 0.1}`, and its own under `_wandb`.
        if isinstance(value, dict) and "value" in value and value.keys() <= {"desc", "value"}:
            value = value["value"]
        inner = _as_mapping(value)
        if inner is None:
            # A list of numbers or words, such as the sizes of layers, is one value.
            value = _listed_value(value) if isinstance(value, list) else value
            if name and (value is None or isinstance(value, str | int | float | bool)) and "${" not in str(value):
                scalars.setdefault(name, value)
        elif depth < DEEPEST:
            waiting += [
                (f"{name}.{key}" if name else str(key), inner[key], depth + 1) for key in inner if key != "_wandb"
            ][: MOST_ENTRIES - len(waiting)]
    return scalars


def _listed_value(values: list[Any]) -> Any:
    """Return a short list of numbers or words as a text, anything else as it is."""
    plain = all(isinstance(value, str | int | float) for value in values)
    text = f"[{', '.join(map(str, values))}]" if plain else ""
    return text if plain and len(text) <= LONGEST else values


def _as_mapping(value: Any) -> dict[Any, Any] | None:
    if isinstance(value, dict):
        return value
    # rl-zoo3 writes an OrderedDict as [[[key, value], …]], a list of pairs inside a list.
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        # A single pair, [[key, value]], is such a list itself.
        value = value[0] if all(isinstance(entry, list) for entry in value[0]) else value
    pairs = (
        isinstance(value, list)
        and value
        and all(isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) for entry in value)
    )
    return dict(value) if pairs else None


def names_in_config(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the algorithm, the task and the run in a configuration: {role: name}."""
    names: dict[str, str] = {}
    by_last = _by_last(config)
    # DeepMind Control names a domain (walker) and a task (walk), which alone is the task of several domains.
    task = _first(by_last, TASK_KEYS, speaking=True)
    data = _first(by_last, DATA_KEYS, speaking=True) if not task else None
    task = data if data and not OF_A_PATH.match(data) else task
    domain = _first(by_last, ("domain", "domain_name", "suite_domain"))
    if task:
        names["task"] = f"{domain}_{task}" if domain and domain not in task else task
    run = _first(by_last, RUN_KEYS)
    if run:
        names["run"] = run
    algorithm = _first(by_last, ALGORITHM_KEYS, speaking=True)
    for key in MAYBE_ALGORITHM_KEYS if not algorithm else ():
        # `ppo_cheetah` beside `env_name: cheetah` is ppo.
        text = _without_task(_first(by_last, (key,)) or "", task or "")
        left = clues(text.split("__")).left if text else ()
        # Names of experiments are free texts: `PPO__seed1__2024` names an algorithm, `final_v3` none. `exp_name` is
        # the one key that scripts of CleanRL and Spinning Up fill with their own name.
        if left and (has_algorithm(left[-1][1]) or key == "exp_name"):
            algorithm = left[-1][1]
            break
    if algorithm:
        # `agent=dmc/sac` of Hydra is the choice of a group: `sac`, as it is for that suite.
        suite, _, bare = algorithm.rpartition("/")
        within = bool(suite) and canonical(suite) in SUITE_NAMES and has_algorithm(bare)
        names["algorithm"] = bare if within else algorithm
        names |= {"task": suite} if within and "task" not in names else {}
    return names


def _without_task(name: str, task: str) -> str:
    """Return the name of an experiment without that of its task, `bench_ppo_halfcheetah-v2` beside `HalfCheetah-v2`."""
    marks = [(name[: mark.start()], name[mark.end() :]) for mark in re.finditer(r"[\s_/-]+", name)]
    sides = [side for before, behind in marks for side in ((before, behind), (behind, before))]
    for own in filter(None, (canonical(task), stem(task))):
        if left := [rest for rest, part in sides if rest and canonical(part) == own]:
            return left[0]
    return name


def model_in(config: Mapping[str, Any]) -> str | None:
    """Return the model in a configuration, whatever it looks like."""
    return _first(_by_last(config), ("model", "model_name"), speaking=True)


OF_CLASS = regex(r"(?<=\w)_?(?:Agent|Learner|Trainer|Algorithm)$", re.IGNORECASE)
"""What follows the name of an algorithm in that of its class."""


def _by_last(config: Mapping[str, Any]) -> dict[str, list[tuple[int, str, Any]]]:
    """Return the entries of a configuration by the last piece of their names: how nested each is, its name, its value."""
    by_last: dict[str, list[tuple[int, str, Any]]] = {}
    for name, value in config.items():
        pieces = name.casefold().replace("-", "_").split(".")
        entry = len(pieces), name, value
        by_last.setdefault(pieces[-1], []).append(entry)
        # {env: {id: Ant-v4}} says env_id, {algorithm: {class_name: PPO}} algorithm_class
        if len(pieces) > 1 and pieces[-1] in ("id", "name", "key", "class_name", "type"):
            part = pieces[-1].removesuffix("_name")
            by_last.setdefault(f"{pieces[-2].removesuffix('_args')}_{part}", []).append(entry)
        # {agent: {_target_: agents.sac.SACAgent}} of Hydra says SAC, and so does {agent: {class: SAC}}; the choice `agent=sac_small` says more.
        if len(pieces) > 1 and pieces[-1] in ("_target_", "class", "cls") and name.rpartition(".")[0] not in config:
            bare = OF_CLASS.sub("", str(value).rpartition(".")[2])
            by_last.setdefault(f"{pieces[-2]}_class", []).append((len(pieces), name, bare))
    return by_last


def _first(
    by_last: Mapping[str, list[tuple[int, str, Any]]], keys: Sequence[str], *, speaking: bool = False
) -> str | None:
    """Return the value of the first key that occurs, the least nested first; if `speaking`, only a value with a meaning."""
    for key in keys:
        # `seed` at the top is that of the run, `eval_env.seed` that of a part; by name where two are as deep, so that
        # the order in the file decides nothing.
        for _, _, value in sorted(by_last.get(key, []), key=lambda entry: entry[:2]):
            text = _as_name(value)
            # `task_name: train` of templates names what the script does
            if text and not (speaking and says_nothing(text)):
                return text
    return None


def _as_name(value: Any) -> str | None:
    """Return a scalar as a name; None for values that are not names: nothing, objects, texts that are too long."""
    if isinstance(value, bool):
        return None
    # A seed that went through JSON or pandas is 3.0. Texts that begin with < are reprs of objects, whose addresses
    # differ in every run.
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()
    sound = (
        text
        and len(text) <= LONGEST
        and text.isprintable()
        and not text.startswith(("<", "["))
        and text.casefold() not in ("none", "null", "nan")
    )
    return text if sound else None


QUOTED = r"""'[^']*'|"[^"]*"|\[[^\]]*\]"""
ARGUMENT = regex(
    rf"""(?:(?<=\s)--?(?P<flag>[A-Za-z][\w.-]*)(?:=|\s+)|(?<=[(\s])\+{{0,2}}(?P<name>[A-Za-z_][\w.]*)=)(?P<value>{QUOTED}|-?[\d.][^\s,)]*|[^\s,()'"\[-][^\s,()]*)"""
)
"""An argument of `Namespace(algo='ppo', lr=0.1)`, or of `python train.py --algo ppo --lr=0.1 +seed=1`."""
CALLER = r"(?:python[\d.]{0,5}|torchrun|deepspeed|accelerate launch|uv run)"
CALL = CALLER + r" (?:-{1,2}\w[\w-]{0,40}(?:[= ][^\s-]\S{0,200})? ){0,9}?(?:-m [\w.]+|[^\s-]\S{0,400}\.py)"
"""A script that was called, with the options of what called it: `torchrun --nproc_per_node=4 train.py`."""
SCRIPT = regex(rf"{CALL} ")
"""What stands before the arguments of a script; variables of the shell stand before it."""


def arguments_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the arguments in a text, of argparse or of a command line; a line of prose has none."""
    script = SCRIPT.search(text)
    named = text.lstrip().startswith("Namespace(") or script
    for match in ARGUMENT.finditer(f" {text[script.end() :] if script else text}"):
        name = match["flag"] or (match["name"] if named else None)
        if name:
            yield name.replace("-", "_"), match["value"].strip("'\"")
