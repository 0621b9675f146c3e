"""What is wrong with a command line that no verb understands, and the command that was probably meant."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from runoff.cli.help import parts_of
from runoff.errors import closest

NUMBERS = {"integer": "a whole number", "float": "a number", "number": "a number"}
"""A word of typer's refusals of a value -> what the value is to be."""
TABLES = (".csv", ".parquet", ".feather", ".tsv", ".npz", ".ndjson")
"""How files of runs end, of which one is named where runs are lacking."""


def message_of(misuse: Any, arguments: Sequence[str] | None, verbs: dict[str, Any]) -> str:
    """Return one sentence on a misuse; where a word is misspelt, with the whole command as it was probably meant."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    ctx = getattr(misuse, "ctx", None)
    name = ctx.info_name if ctx is not None else words[0] if words else None
    name = name if name in verbs else None
    kind, text = type(misuse).__name__, str(misuse.format_message()).rstrip(".")
    if kind == "NoSuchOption":
        return _no_option(misuse, name, words, verbs)
    if name is None and words and text.startswith("No such command"):
        return _no_verb(next(word for word in words if not word.startswith("-")), words, verbs)
    if kind == "MissingParameter" and name is not None and misuse.param is not None:
        return _missing(misuse.param, words, verbs[name])
    if kind == "BadOptionUsage" and text.endswith("requires an argument"):
        option = next(p for p in verbs[name].params if misuse.option_name in p.opts) if name else None
        return f"{misuse.option_name} needs a value{f': {option.help}' if option else ''}".rstrip(".")
    return _bad_value(misuse, text, words)


def _no_verb(word: str, words: list[str], verbs: dict[str, Any]) -> str:
    if Path(word).exists():
        return f"{word} is a file or folder and no verb; {typed(['report', *words])} writes a report of it"
    near = closest(word, verbs)
    meant = f". Did you mean {typed([near if w == word else w for w in words])}" if near else ""
    return f"there is no verb {word!r}{meant}"


def _no_option(misuse: Any, name: str | None, words: list[str], verbs: dict[str, Any]) -> str:
    from runoff.words.hints import alpha_of, called_here

    verb, option = f"runoff {name}" if name else "runoff", misuse.option_name
    # typer itself knows those that begin alike, and the program's own.
    own = [spelled for p in verbs[name].params for spelled in p.opts] if name else misuse.possibilities or []
    having = [other for other, command in verbs.items() if any(option in p.opts for p in command.params)]
    message = f"{verb} has no option {option}"
    # What other libraries, and runoff before, call an option is meant before what is spelled alike.
    named = {flag.removeprefix("--").replace("-", "_"): flag for flag in own}
    spelled = option.removeprefix("--").replace("-", "_")
    meant = next(iter(called_here(spelled, named)), None)
    if meant is None and "alpha" in named and (alpha := alpha_of(spelled, _value_of(option, words))):
        return f"{message}. Did you mean {typed(_in_place(option, ['--alpha', alpha], words))}"
    if having and meant is None:
        return f"{message}; {option} is an option of runoff {', '.join(having)}"
    near = closest(option, own) if meant is None else named[meant]
    if near is None:
        return message
    begun = (near + w.removeprefix(option) if w.split("=")[0] == option else w for w in words)
    return f"{message}. Did you mean {typed(list(begun))}"


def _value_of(option: str, words: Sequence[str]) -> str | None:
    """Return the value that an option was given: behind its sign, or the next word where that is no option."""
    for word, following in zip(words, [*words[1:], "--"], strict=True):
        if word.partition("=")[0] == option:
            return word.partition("=")[2] or (None if following.startswith("--") else following)
    return None


def _in_place(option: str, repair: Sequence[str], words: Sequence[str]) -> list[str]:
    """Return a command with other words in place of an option and its value."""
    at = next(i for i, word in enumerate(words) if word.partition("=")[0] == option)
    end = at + 1 + ("=" not in words[at] and _value_of(option, words) is not None)
    return [*words[:at], *repair, *words[end:]]


def _missing(param: Any, words: list[str], verb: Any) -> str:
    if param.name == "path":
        tables = sorted(str(path) for path in Path().iterdir() if path.suffix in TABLES)
        # The files of this folder are what is probably meant, and the archive has what always runs.
        return f"runoff {verb.name} needs the runs: {typed([words[0], *(tables[:1] or ['atari_100k']), *words[1:]])}"
    what = param.metavar if param.param_type_name == "argument" else param.opts[-1]
    help_text = param.help.rstrip(".")
    return f"runoff {verb.name} needs {what} ({help_text}); for example: {parts_of(verb.help).examples[0]}"


def _bad_value(misuse: Any, text: str, words: list[str]) -> str:
    param = getattr(misuse, "param", None)
    numeric = next((called for kind, called in NUMBERS.items() if kind in text), None)
    if param is None or numeric is None or not text.startswith("Invalid value for "):
        return text.removeprefix("Invalid value: ")
    given = [word.partition("=")[2] for word in words if word.partition("=")[0] in param.opts and "=" in word]
    given += [value for option, value in pairwise(words) if option in param.opts]
    return f"{param.opts[-1]} takes {numeric}, not {given[-1] if given else 'this'}"


def typed(words: Sequence[str]) -> str:
    """Return a command as it is typed."""
    return f"runoff {shlex.join(words)}"
