"""The page of the command line, from the verbs themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from runoff.cli.app import command
from runoff.cli.help import parts_of

PLACE = "reference/command-line.md"
HEAD = """# Command line

Made from the program itself, as `runoff --help` and `runoff VERB --help` are. An option without a default here has that of the function that
it calls. The answer goes to stdout, talk to stderr. Exit codes: 0 answered; 2 bad usage or bad data, with one sentence,
and below it the commands that work; 130 interrupted.
A verb with other exit codes has them in its guide. A file runoff.toml sets
[defaults](../guides/questions.md#i-type-the-same-options-every-time).
"""


def page() -> str:
    """Return the page."""
    verbs = command().commands
    return "\n".join([HEAD, *(part for name, verb in verbs.items() for part in _verb(name, verb))])


def labels() -> dict[str, str]:
    """Return the label on the page of every `runoff VERB`."""
    return {f"runoff {name}": f"runoff-{name}" for name in command().commands}


def _verb(name: str, verb: Any) -> Iterator[str]:
    context = verb.context_class(verb, info_name=f"runoff {name}")
    text = parts_of(verb.help)
    examples = "\n".join(text.examples)
    yield f"(runoff-{name})=\n\n## runoff {name}\n\n{_plain(text.sentence)}\n\n```text\n{examples}\n```\n\n{_plain(text.more)}\n"
    needed = [
        parameter.metavar for parameter in verb.params if parameter.param_type_name == "argument" and parameter.metavar
    ]
    yield f"```text\n{' '.join(['runoff', name, *needed, '[OPTIONS]'])}\n```\n"
    yield "| argument or option | what it does |\n| --- | --- |"
    for spelled, help_text in filter(None, (parameter.get_help_record(context) for parameter in verb.params)):
        yield f"| {_code(spelled)} | {_plain(help_text)} |"
    yield ""


def _plain(text: str | None) -> str:
    """Return a help text as Markdown that shows every character of it."""
    joined = " ".join((text or "").split())
    return "".join(f"\\{character}" if character in r"\`*_{}[]<>|#" else character for character in joined)


def _code(spelled: str) -> str:
    """Return what is typed as code in a table; the type of an argument is left out."""
    typed = re.sub(r" <[^>]*>$", "", spelled).replace("|", r"\|")
    return f"`{typed}`"
