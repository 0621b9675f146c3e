"""Values of options that are more than a word or a number: lists, assignments, columns, weights, protocols, new names."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runoff.errors import DataError, OptionError, nearest

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores


def protocol_of(texts: list[str] | None) -> dict[str, Any]:
    """Return {key: value} from KEY=VALUE texts and TOML files; a text takes precedence over a file."""
    protocol: dict[str, Any] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if equals:
            protocol[key.strip()] = value.strip()
        elif text.casefold().endswith(".toml"):
            protocol = _toml(Path(text)) | protocol
        else:
            raise typer.BadParameter(f"--protocol takes KEY=VALUE or FILE.toml, not {text!r}")
    return protocol


def _toml(path: Path) -> dict[str, Any]:
    """Return the keys and values in a file that describes a protocol."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"{path}: this protocol cannot be read: {reason}.") from error
    for key, value in content.items():
        if not isinstance(value, str | int | float):
            raise DataError(f"{path}: {key} is a {type(value).__name__}; a protocol has lines like action_repeat = 2.")
    return content


def weights_of(text: str | None) -> str | dict[str, float] | None:
    """Return the weights of strata: a word, or numbers of STRATUM=WEIGHT,… ."""
    if text is None or "=" not in text:
        return text
    pairs = [part.rpartition("=") for part in text.split(",")]
    try:
        return {name.strip(): float(weight) for name, _, weight in pairs}
    except ValueError:
        raise OptionError(
            f"--weights takes equal, tasks or STRATUM=WEIGHT,…, as gsm8k=2,math=1, not {text!r}."
        ) from None


def roles(columns: list[str] | None) -> dict[str, str] | None:
    """Return {role: column} of ROLE=NAME texts."""
    if not columns:
        return None
    parts = assignments(columns)
    for part in parts:
        if "=" not in part:
            raise typer.BadParameter(f"--columns takes ROLE=NAME, as score=return, not {part!r}")
    from runoff.tables.columns import ALSO, ROLES, ROWS, SETTINGS, UNUSED, by_role

    chosen: dict[str, str] = {}
    for part in parts:
        role, name = map(str.strip, part.split("=", 1))
        if ROWS in chosen and role not in (*ROLES, *ALSO, SETTINGS, ROWS, UNUSED):
            role, name = ROWS, part  # `rows=split=test,lr=0.1`
        if role in (ROWS, UNUSED) and role in chosen:
            chosen[role] += f",{name}"  # a repair adds a column to those that are left out already
        elif chosen.setdefault(role, name) != name:
            raise typer.BadParameter(f"--columns names the {role} twice: {chosen[role]!r} and {name!r}")

    return by_role(chosen)


def names_in(texts: Sequence[str] | None, names: Sequence[str]) -> list[str] | None:
    """Return the names of comma-separated texts; a text that is a name as a whole may contain commas."""
    if not texts:
        return None
    parts = (part.strip() for text in texts for part in ([text] if text in names else text.split(",")))
    return [part for part in parts if part]


def parts_of(texts: Sequence[str] | None) -> list[str]:
    """Return the names that comma-separated texts may hold: the texts, and their parts."""
    return [part.strip() for text in texts or () for part in (text, *text.split(","))]


def assignments(texts: Sequence[str]) -> list[str]:
    """Return the A=B of texts, of which one may hold several, comma-separated."""
    parts: list[str] = []
    for text in texts:
        # A comma may belong to a name: only a text of which every part is an assignment is several of them.
        split = text.split(",")
        parts += split if all("=" in part for part in split) else [text]
    return parts


def renamed(runs: Scores | Curves, texts: Sequence[str] | None, *, merge: bool) -> Scores | Curves:
    """Return the runs under other names, of OLD=NEW texts."""
    if not texts:
        return runs
    new: dict[str, dict[str, str]] = {"algorithm": {}, "task": {}}
    names = {"algorithm": runs.algorithms, "task": runs.tasks}
    for text in assignments(texts):
        noun, old, to = _renaming(text, names)
        if new[noun].setdefault(old, to) != to:
            raise OptionError(f"--rename gives the {noun} {old!r} two names, {new[noun][old]!r} and {to!r}.")
    return runs.rename(algorithms=new["algorithm"], tasks=new["task"], merge=merge)


def _renaming(text: str, names: dict[str, tuple[str, ...]]) -> tuple[str, str, str]:
    """Return what is renamed, its old name and its new one; a name may contain "=" where that is the only reading."""
    # Every "=" may be the one that parts old from new, for names may hold some: "lr=0.1=PPO".
    splits = [(text[:i].strip(), text[i + 1 :].strip()) for i, letter in enumerate(text) if letter == "="]
    if not splits:
        raise typer.BadParameter(f"--rename takes OLD=NEW, not {text!r}")
    readings = [
        (noun, name, to)
        for old, to in splits
        for noun, of_noun in names.items()
        for name in of_noun
        if old in (name, f"{noun}:{name}")
    ]
    if len(readings) == 1:
        return readings[0]
    old = splits[0][0]
    if not readings:
        message = f"--rename {text!r}: there is no algorithm or task {old!r}.{nearest(old, [*names['algorithm'], *names['task']])}"
        raise OptionError(message)
    meanings = " or ".join(f"the {noun} {name!r}" for noun, name, _ in readings)
    raise OptionError(f"--rename {text!r} could mean {meanings}; write algorithm:OLD=NEW or task:OLD=NEW.")


def number_in(text: str) -> float | str:
    """Return a number that a text is, or the text: "1sd", "10%"."""
    try:
        return float(text)
    except ValueError:
        return text
