"""The verbs, and what becomes of refusals: one sentence on stderr and an exit code, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Annotated, Any

import typer
import typer.core

from runoff.base.interrupts import WRITTEN_FILES
from runoff.cli.aggregate import aggregate
from runoff.cli.anytime import anytime
from runoff.cli.archive import archive
from runoff.cli.check import check
from runoff.cli.claims import claims
from runoff.cli.compare import compare
from runoff.cli.curves import curves
from runoff.cli.diff import diff
from runoff.cli.gate import gate
from runoff.cli.import_runs import import_runs
from runoff.cli.options import Beside
from runoff.cli.plan import plan
from runoff.cli.rank import rank
from runoff.cli.record import recorded_call
from runoff.cli.report import demo, report
from runoff.cli.reproduce import reproduce
from runoff.cli.scan import scan
from runoff.cli.sequential import sequential
from runoff.cli.streams import UNDELIVERED, Undelivered, speak_to_terminal, write_line
from runoff.cli.study import study
from runoff.cli.tuning import tuning
from runoff.errors import RunoffError
from runoff.words.speech import in_shell

USAGE: Any = typer.BadParameter.__mro__[2]
"""click's ClickException, which newer typers carry inside themselves."""

INTERRUPTED = 130

HELP = {"help_option_names": ["-h", "--help"]}

EVERYDAY = ("normalize", "measure", "algorithms", "tasks", "control", "out", "json")
"""Options that most calls need: of these the first five that a verb has stand first in its help."""
FIRST = 5
OUTPUT = frozenset({"out", "title", "force", "json", "state", "help"})


class Grouped(typer.core.TyperCommand):
    """A verb whose help has its options in groups: those of every day, then those of the data, the question and the output."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        params = {param.name: param for param in self.get_params(ctx)}
        first = [name for name in EVERYDAY if name in params][:FIRST]
        data = {field.name for field in fields(Beside)}
        titles = ("Arguments", "Everyday options", "Data", "Question", "Output")
        groups: dict[str, list[tuple[str, str]]] = {title: [] for title in titles}
        for name in dict.fromkeys([*first, *params]):
            param = params[name]
            kind = "Output" if name in OUTPUT else "Data" if name in data else "Question"
            title = (
                "Arguments" if param.param_type_name == "argument" else "Everyday options" if name in first else kind
            )
            record = param.get_help_record(ctx)
            groups[title] += [record] if record is not None else []
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


app = typer.Typer(
    name="runoff",
    help="From a handful of reinforcement-learning runs to a claim that survives review.",
    no_args_is_help=True,
    add_completion=True,
    context_settings=HELP,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for verb in (
    report,
    aggregate,
    compare,
    diff,
    rank,
    plan,
    sequential,
    anytime,
    gate,
    check,
    claims,
    curves,
    scan,
    archive,
    reproduce,
    tuning,
    demo,
    study,
):
    app.command(cls=Grouped, context_settings=HELP)(verb)
app.command("import", cls=Grouped, context_settings=HELP)(import_runs)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"runoff {version('runoff')}")
        raise typer.Exit


@app.callback()
def _runoff(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


@cache
def command() -> Any:
    """Return the verbs with their options; typer reads all of their signatures for it, which takes longer than to refuse a file."""
    return typer.main.get_command(app)


def _elsewhere(misuse: Any) -> str:
    """Return which verbs have an option that one of them has not."""
    name = getattr(misuse, "option_name", "")
    verbs: Any = command().commands
    having = [verb for verb, command in verbs.items() if any(name in option.opts for option in command.params)]
    return f"; {name} is an option of runoff {', '.join(having)}" if having else ""


def run(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of a command line."""
    speak_to_terminal()
    WRITTEN_FILES.forget()
    try:
        with recorded_call():
            code = command()(args=arguments, standalone_mode=False)
            if code == INTERRUPTED:  # what typer makes of a KeyboardInterrupt
                raise KeyboardInterrupt
            sys.stdout.flush()
    # The order counts: an undelivered answer is a RunoffError too, and has an exit code of its own.
    except Undelivered as failure:
        write_line(f"error: {in_shell(failure.args[0])}")
        return UNDELIVERED
    except RunoffError as refusal:
        write_line(f"error: {in_shell(refusal.args[0])}")
        return 2
    except USAGE as misuse:
        message = misuse.format_message()
        path = misuse.ctx.command_path if getattr(misuse, "ctx", None) else "runoff"
        # `runoff` alone: click raises its help as an error, which is no error here.
        helpful = type(misuse).__name__ == "NoArgsIsHelpError"
        write_line(message if helpful else f"error: {message.rstrip('.')}{_elsewhere(misuse)}; see {path} --help.")
        return 2
    except KeyboardInterrupt:
        write_line(f"interrupted; {WRITTEN_FILES.words()}")
        return INTERRUPTED
    except typer.Abort as abort:  # what typer makes of an EOFError, which is no Ctrl-C
        if isinstance(abort.__cause__, EOFError):
            raise abort.__cause__ from None
        raise
    return code if isinstance(code, int) else 0
