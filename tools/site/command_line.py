"""The pages of the command line, from the verbs themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from runoff.cli.app import VERBS, command
from runoff.cli.help import parts_of

PLACE = "reference/command-line.md"
HEAD = """# Command line

<!-- search: command line, cli, verbs, options, flags, terminal, exit codes -->

A page for each verb, made from the program itself, as `runoff --help` and `runoff VERB --help` are. An option without a default here has that
of the function that it calls. The answer goes to stdout, talk to stderr. Exit codes: 0 answered; 2 bad usage or bad data, with one sentence,
and below it the commands that work; 130 interrupted. A verb with other exit codes has them in its guide. A file runoff.toml sets
[defaults](../guides/questions.md#i-type-the-same-options-every-time).
"""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of the page of all verbs, in the groups of `runoff --help`, and of each verb's own."""
    verbs, parts = command().commands, [HEAD]
    for title, names in VERBS.items():
        parts.append(f"\n## {title}\n\n| verb | what it does |\n| --- | --- |")
        parts += [
            f"| [`runoff {name}`]({_name(name)}.md) | {_plain(parts_of(verbs[name].help).sentence)} |" for name in names
        ]
    listed = "".join(f"{_name(name)}\n" for name in verbs)
    yield PLACE, "\n".join([*parts, f"\n```{{toctree}}\n:hidden:\n\n{listed}```\n"])
    for name, verb in verbs.items():
        yield f"reference/{_name(name)}.md", "\n".join(_verb(name, verb))


def labels() -> dict[str, str]:
    """Return the page of every `runoff VERB`, without its suffix."""
    return {f"runoff {name}": f"reference/{_name(name)}" for name in command().commands}


def _name(verb: str) -> str:
    return f"verb-{verb}"


def _verb(name: str, verb: Any) -> Iterator[str]:
    context = verb.context_class(verb, info_name=f"runoff {name}", **verb.context_settings)
    text = parts_of(verb.help)
    needed = [
        parameter.metavar for parameter in verb.params if parameter.param_type_name == "argument" and parameter.metavar
    ]
    yield f"# runoff {name}\n\n{_plain(text.sentence)}\n"
    yield f"```text\n{' '.join(['runoff', name, *needed, '[OPTIONS]'])}\n```\n"
    shown = "\n".join(text.examples)
    yield f"## Examples\n\n```text\n{shown}\n```\n\n{_plain(text.more)}\n"
    for title, records in verb.option_groups(context).items():
        yield f"## {title}\n\n| {'argument' if title == 'Arguments' else 'option'} | what it does |\n| --- | --- |"
        yield from (f"| {_code(spelled)} | {_plain(help_text)} |" for spelled, help_text in records)
        yield ""


def _plain(text: str | None) -> str:
    """Return a help text as Markdown that shows every character of it."""
    joined = " ".join((text or "").split())
    return "".join(f"\\{character}" if character in r"\`*_{}[]<>|#" else character for character in joined)


def _code(spelled: str) -> str:
    """Return what is typed as code in a table; the type of an argument is left out."""
    typed = re.sub(r" <[^>]*>$", "", spelled).replace("|", r"\|")
    return f"`{typed}`"
