"""The verbs, and the handling of refusals: one sentence on stderr and an exit code, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from inspect import getdoc
from itertools import chain
from types import MappingProxyType
from typing import Annotated, Any

import typer

from runoff.base.interrupts import WRITTEN_FILES
from runoff.cli.help import AllVerbs, VerbCommand, parts_of
from runoff.cli.misuse import USAGE, message_of, typed
from runoff.cli.record import recorded_call
from runoff.cli.repair import repairs
from runoff.cli.streams import UNDELIVERED, Undelivered, speak_to_terminal, write_line
from runoff.cli.wording import spaced, understood, valued
from runoff.errors import DataError, DesignError, OptionError, OutputError, RunoffError
from runoff.words.speech import in_shell

INTERRUPTED = 130
REFUSAL = "runoff.refusal/1"
CODES: Mapping[type[RunoffError], str] = MappingProxyType(
    {DesignError: "design", OptionError: "option", OutputError: "output", DataError: "data"}
)
"""The codes by which programs recognise refusals; "usage" is an invalid call."""

HELP = {"help_option_names": ["-h", "--help"]}

VERBS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "Report": ("report", "diff", "demo"),
        "Compare": ("compare", "aggregate", "rank", "curves", "tuning"),
        "Plan and watch": ("plan", "sequential", "watch", "gate", "keep"),
        "Check claims and methods": ("claims", "reproduce", "check"),
        "Data and programs": ("scan", "archive", "convert", "mcp"),
    }
)
"""Title of a group -> its verbs, in the order shown by `runoff --help`."""
EPILOG = """Examples
  runoff demo
  runoff compare atari_100k --normalize atari --control SPR
runoff VERB --help explains a verb; runoff alone, what lies in this folder.
Options: -h, --help, --version (-v for bug reports), --install-completion."""

app = typer.Typer(
    name="runoff",
    cls=AllVerbs,
    help="Turn a handful of reinforcement-learning runs into a claim that survives review.",
    epilog=EPILOG,
    invoke_without_command=True,
    add_completion=True,
    context_settings=HELP,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class VerbCommands(Mapping[str, Any]):
    """The verbs by name, in the order of `VERBS`; a verb is imported, and its signature read, when it is asked for, for a call has one."""

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(VERBS.values())

    def __len__(self) -> int:
        return sum(map(len, VERBS.values()))

    def __contains__(self, name: object) -> bool:
        return any(name in verbs for verbs in VERBS.values())

    def __getitem__(self, name: str) -> Any:
        return _command_of(name)


@cache
def _command_of(name: str) -> Any:
    title = next((title for title, verbs in VERBS.items() if name in verbs), None)
    if title is None:
        raise KeyError(name)
    verb = getattr(import_module(f"runoff.cli.{'report' if name == 'demo' else name}"), name)
    alone = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
    line = parts_of(getdoc(verb) or "").sentence
    alone.command(name, cls=VerbCommand, short_help=line, rich_help_panel=title, context_settings=HELP)(verb)
    return typer.main.get_command(alone)


@app.callback()
def _runoff(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Print all that a bug report needs, with --version.")
    ] = False,
) -> None:
    if version or verbose:
        from runoff.cli import about

        lines = about.lines()
        typer.echo("\n".join(lines) if verbose else next(lines))
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        from runoff.cli.look import look_around

        if not look_around():
            typer.echo(ctx.get_help())


@cache
def command() -> Any:
    """Return the group of all verbs."""
    group: Any = typer.main.get_command(app)
    group.commands = VerbCommands()
    return group


def _refuse(code: str, sentence: str, message: str, words: Sequence[str], also: str = "") -> None:
    """Print why a call was refused, and what would work, as a record if JSON was requested."""
    lines = repairs(message, words, command().commands) if words else []
    write_line(f"error: {sentence}")
    for line in [*([also] if also else []), *lines]:
        write_line(f"  {line}")
    if "--json" in words:
        from runoff.base.signed import strict_json

        _, _, meant = message.partition(" Did you mean ")
        whole = [meant] if meant.startswith("runoff ") else []
        sys.stdout.write(
            strict_json({"schema": REFUSAL, "code": code, "message": sentence, "repair": [*whole, *lines]})
        )
        sys.stdout.flush()


def run(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of a command line."""
    speak_to_terminal()
    WRITTEN_FILES.forget()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with recorded_call() as call:
            listed = spaced(words, command().commands)
            if (words := valued(listed)) != listed:
                words = valued(understood(words, command().commands))  # in one line what is read otherwise
                write_line(f"note: this is read as {typed(words)}")
            code = command()(args=words, standalone_mode=False)
            if code == INTERRUPTED:  # what typer makes of a KeyboardInterrupt
                raise KeyboardInterrupt
            sys.stdout.flush()
    # The order counts: an undelivered answer is a RunoffError too, and has an exit code of its own.
    except Undelivered as failure:
        write_line(f"error: {in_shell(failure.args[0])}")
        return UNDELIVERED
    except RunoffError as refusal:
        # What was refused may be what a file sets.
        code = next((code for kind, code in CODES.items() if isinstance(refusal, kind)), "data")
        _refuse(code, in_shell(refusal.args[0]), refusal.args[0], words, call.defaults and f"({call.defaults})")
        return 2
    except USAGE as misuse:
        # What is read otherwise runs below, where no exception is handled that it could take for its own.
        if (meant := valued(understood(words, command().commands))) == words:
            return _refuse_usage(misuse, words)
    except KeyboardInterrupt:
        write_line(f"interrupted; {WRITTEN_FILES.words()}")
        return INTERRUPTED
    except typer.Abort as abort:  # what typer makes of an EOFError, which is no Ctrl-C
        if isinstance(abort.__cause__, EOFError):
            raise abort.__cause__ from None
        raise
    else:
        return code if isinstance(code, int) else 0
    write_line(f"note: this is read as {typed(meant)}")
    return run(meant)


def _refuse_usage(misuse: Any, words: Sequence[str]) -> int:
    """Print why a call is invalid, and what was probably meant; return the exit code."""
    message = message_of(misuse, words, command().commands)
    verb = next(iter(words), "")
    path = f"runoff {verb}" if verb in command().commands else "runoff"
    _refuse("usage", f"{message}{'?' if ' Did you mean ' in message else f'; see {path} --help.'}", message, words)
    return 2
