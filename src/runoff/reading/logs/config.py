"""The configuration of a log, from JSON, YAML and TOML files with usual names.

No file can create Python objects. The folder `.hydra` of a job (configuration, overrides, choices) names the run of any log inside the job's
folder, at any depth.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from runoff.errors import DataError
from runoff.reading._configured import CALLER, arguments_in, flat
from runoff.reading._known import TASK_KEYS
from runoff.reading.logs.base import Happening
from runoff.tables.values import parsed
from runoff.words.labels import KINDS_OF_DATA, run_of
from runoff.words.patterns import regex
from runoff.words.speech import neutral
from runoff.words.words import canonical, ordered

NAMES = (
    *("config.json", "params.json", "args.json", "variant.json", "hyperparameters.json", "flags.json", "cfg.json"),
    *("args.yml", "args.yaml", "config.yml", "config.yaml", "params.yml", "params.yaml", "hparams.yaml", "cfg.yaml"),
    *(
        f"{stem}.{ending}"
        for stem in ordered("hyperparameters hyperparams hparams settings options opts setup metadata")
        for ending in ("json", "yaml", "yml")
        if f"{stem}.{ending}" not in ("hyperparameters.json", "hparams.yaml")
    ),
    *("config.toml", "params.toml", "settings.toml", "meta.json", "args.txt", "command.txt", "cmd.txt"),
    *("cmd.sh", "command.sh", "run.sh"),
)
"""Names of configuration files in the folder of a run, in order of precedence."""
OF_RUNS = frozenset({"results", "runs", "seeds", "trials", "logs", "outputs"})
"""Canonical names of folders that hold the runs, or the results, of the configuration above them."""
OF_SCRIPT = regex(rf"(?!\s*#).*\b{CALLER} \S+")
"""The command of a script, in a text for the shell."""
WITHIN = ("", ".hydra", "config", "configs", "params")
"""Subfolders of a run in which these files may be."""
# A configuration is written by people, or made of dataclasses: what is larger or nested deeper is a table or a list
# of weights.
LARGEST = 1 << 20


def configuration(folders: Iterable[Path]) -> tuple[dict[str, Any], list[str]]:
    """Return the flat configuration in folders, where the first file with a key wins, and the reasons why other files cannot be read."""
    return united(config_files(folders), lambda path: flat(read_config(path)))


def configured_places(folder: Path, parts: Sequence[str]) -> list[Path]:
    """Return the folders whose configuration may be that of a run: its own, and those above folders that are called like one of several seeds
    (`exp_3/seed_1`, `exp_3/1`) or like a part of a run (`eval`). `parts` are the names on the path to the run."""
    places = [folder]
    for part, above in zip(reversed(parts), folder.parents, strict=False):
        if not (part.isdecimal() or run_of(part) is not None or canonical(part) in KINDS_OF_DATA | OF_RUNS):
            break
        places.append(above)
    return places


def united(paths: Iterable[Path], entries: Callable[[Path], dict[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    """Return the entries of several files, where the first file with a key wins, and the refusals of unreadable files."""
    merged: dict[str, Any] = {}
    unread: list[str] = []
    for path in paths:
        try:
            merged = {**entries(path), **merged}
        except DataError as refusal:
            unread.append(neutral(refusal).removesuffix("."))
    return merged, unread


def written_config(path: Path) -> tuple[dict[str, Any], tuple[Happening, ...]]:
    """Return the content of a configuration, empty if there is none or it cannot be read, with the event."""
    there = filter(Path.is_file, [path])
    config, unread = united(there, lambda own: content if isinstance(content := read_config(own), dict) else {})
    return config, tuple(Happening(policy="config_unread", where=text) for text in unread)


def config_files(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the files with a usual name of a configuration, in folders and where loggers keep it inside."""
    for folder in dict.fromkeys(folders):
        there = _listed(folder)
        for within in (folder / name for name in WITHIN if not name or name in there):
            inside = there if within == folder else _listed(within)
            files = (within / inside[name] for name in NAMES if name in inside)
            yield from (path for path in files if path.is_file())


def _listed(folder: Path) -> dict[str, str]:
    """Return the names in a folder by how they are compared: `Config.yaml` is a configuration as `config.yaml` is."""
    try:
        return {name.casefold(): name for name in sorted(os.listdir(folder))}
    except OSError:
        return {}


def read_config(path: Path) -> Any:
    """Return the content of a JSON, YAML or TOML file; refuse one larger than 1 MB or not well-formed."""
    try:
        if path.exists() and not path.is_file():
            raise DataError(f"{path}: this is not a file (a pipe, a folder or a device).")
        if path.stat().st_size > LARGEST:
            raise DataError(f"{path}: a configuration of more than {LARGEST >> 20} MB is not read.")
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix == ".toml":
            return tomllib.loads(text)
        if path.suffix == ".txt":
            return {name: own if (n := parsed(own)) is None else n for name, own in arguments_in(text)}
        if path.suffix == ".sh":
            # What the shell puts in, `--seed $SEED`, is said elsewhere.
            commands = [own for own in text.replace("\\\n", " ").splitlines() if OF_SCRIPT.match(own)]
            return {name: own for line in commands[:1] for name, own in arguments_in(line) if "$" not in own}
        if path.suffix == ".json":
            return json.loads(text)
        from runoff.reading._yaml import settings_of

        return settings_of(text)
    except (OSError, ValueError, RecursionError, TypeError) as error:
        if isinstance(error, DataError) and str(error).startswith(str(path)):
            raise
        reason = " ".join(str(error).split())[:120]
        raise DataError(f"{path}: this configuration cannot be read: {reason}.") from error


# ── jobs of Hydra ──────────


HIDDEN = ".hydra"
FILES = ("overrides.yaml", "hydra.yaml")
OVERRIDE = regex(r"^\+{0,2}([\w./-]+)=(.*)$")
"""`key=value`, `+key=value`, `group/inner=choice`; a `~key` names nothing."""


def job(folder: Path, levels: int) -> Iterator[Path]:
    """Yield the nearest folder of a job: this one, or one at most `levels` above it; nothing if there is none."""
    places = (place for place in (folder, *folder.parents[:levels]) if os.path.isdir(os.path.join(place, HIDDEN)))
    yield from islice(places, 1)


def chosen(folders: Iterable[Path], config: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the choices of groups (`algo=ppo`), whose content but not whose name is in a configuration, and the unreadable files.

    The choice of a group of tasks is kept only if the configuration names no task: it may be the name of a suite.
    """
    jobs = (folder / HIDDEN for folder in dict.fromkeys(folders) if os.path.isdir(os.path.join(folder, HIDDEN)))
    paths = (hidden / name for hidden in jobs for name in FILES)
    choices, unread = united(filter(Path.is_file, paths), lambda path: dict(_said(read_config(path))))
    # `env=dmc` chooses a group, and the configuration inside it has the task's own name.
    tasks = any(_last(name) in TASK_KEYS for name in config)
    kept = {
        key: value for key, value in choices.items() if key not in config and not (tasks and _last(key) in TASK_KEYS)
    }
    return kept, unread


def _last(name: str) -> str:
    return name.rpartition(".")[2].casefold()


def _said(content: Any) -> Iterator[tuple[str, str]]:
    """Yield the overrides in a list, or the choices in Hydra's own configuration, including defaults."""
    if isinstance(content, list):
        overrides = [OVERRIDE.match(entry) for entry in content if isinstance(entry, str)]
        yield from (
            (override[1].replace("/", "."), override[2].strip("'\""))
            for override in overrides
            if override and "${" not in override[2]
        )
        return
    prefix = "hydra.runtime.choices."
    for name, value in flat(content).items():
        if name.startswith(prefix) and "hydra/" not in name and isinstance(value, str):
            yield name.removeprefix(prefix).replace("/", "."), value


# ── what configurations tell of how runs were made ──────────


SETTINGS = {
    "actionrepeat": "action_repeat",
    "frameskip": "frame_skip",
    "stickyactions": "sticky_actions",
    "repeatactionprobability": "sticky_actions",
    "nevalepisodes": "episodes",
    "numevalepisodes": "episodes",
    "evalepisodes": "episodes",
    "evaldeterministic": "deterministic",
    "deterministiceval": "deterministic",
}
"""Names of settings, without separators, and their keys in protocols."""
YES_OR_NO = ("sticky_actions", "deterministic")


def protocol_in(configs: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, str], ...]:
    """Return the protocol settings, by key, on which all configurations agree."""
    values: dict[str, list[str]] = {}
    for config in configs:
        for name, value in config.items():
            key = SETTINGS.get(canonical(name.rpartition(".")[2]))
            if key is not None and isinstance(value, int | float):
                # Sticky actions are a probability in most frameworks and a switch in some: above 0 is yes in both.
                values.setdefault(key, []).append(("no", "yes")[value > 0] if key in YES_OR_NO else f"{value:g}")
    # Told by all and told alike: a setting that one run lacks may be another default there.
    return tuple((key, own[0]) for key, own in values.items() if len(own) >= len(configs) and len(set(own)) == 1)
