"""The output of --help: the verbs in groups; for a verb its sentence, examples that run on shipped data, and its options by topic."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

import typer
import typer.core

from runoff.cli.options import Beside, Choice, SourceOptions

EVERYDAY = ("normalize", "measure", "algorithms", "tasks", "control", "out", "json")
"""Options that most calls need; the first five of these that a verb has come first in its help."""
OF_VERB = {
    "claims": ("spread", "n_runs", "algorithm", "lower_is_better", "json"),
    "gate": ("margin", "algorithm", "candidate_algorithm", "normalize", "save"),
    "plan": ("effect", "std", "n_runs", "effect_unit", "normalize"),
    "reproduce": ("published", "margin", "algorithms", "tasks", "protocol"),
    "sequential": ("new", "looks", "state", "algorithms", "tasks"),
    "tuning": ("config", "algorithms", "tasks", "normalize", "out"),
}
"""The same for verbs whose own options come first."""
FIRST = 5
OUTPUT = frozenset({"out", "title", "force", "json", "markdown", "figures", "width", "help"})
TOPICS = {
    "Choosing runs": Choice,
    "Reading files": SourceOptions,
    "Published runs": Beside,
}
"""Title of a group of options -> the first class of options that has them."""


class VerbHelp(NamedTuple):
    """The parts of a verb's docstring: one sentence, lines that begin with "$", and the rest."""

    sentence: str
    examples: tuple[str, ...]
    more: str


def parts_of(text: str) -> VerbHelp:
    """Return the parts of the help of a verb.

    >>> parts_of("Do it.\\n\\n$ runoff do x\\n\\nIt is done.")
    VerbHelp(sentence='Do it.', examples=('runoff do x',), more='It is done.')
    """
    sentence, *rest = text.split("\n\n")
    examples = [line.removeprefix("$ ") for part in rest if part.startswith("$ ") for line in part.splitlines()]
    return VerbHelp(sentence, tuple(examples), "\n\n".join(part for part in rest if not part.startswith("$ ")))


def topic_of(name: str) -> str:
    """Return the title of the group of a less common option."""
    if name in OUTPUT:
        return "Output"
    own = (title for title, kind in TOPICS.items() if name in {field.name for field in fields(kind)})
    return next(own, "Question")


class VerbCommand(typer.core.TyperCommand):
    """A verb whose help is a sentence, examples, the common options, and the others by topic."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        text = parts_of(self.help or "")
        self.format_usage(ctx, formatter)
        formatter.write(f"\n{text.sentence}\n\nExamples:\n")
        # Never wrapped: an example is there to be copied.
        formatter.write("".join(f"  {example}\n" for example in text.examples))
        self.format_options(ctx, formatter)
        if text.more:
            formatter.write("\n")
            formatter.write_text(text.more)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words of a call; refuse an option twice that takes one value, of which the first would be lost."""
        given = [word.partition("=")[0] for word in args[: args.index("--") if "--" in args else None]]
        for param in self.params:
            single = param.param_type_name == "option" and not (param.multiple or getattr(param, "is_flag", False))
            if single and sum(map(given.count, param.opts)) > 1:
                raise typer.BadParameter(
                    f"{param.opts[-1]} stands there twice, and takes one value; leave one of them out.", ctx
                )
        return list(super().parse_args(ctx, args))

    def option_groups(self, ctx: Any) -> dict[str, list[tuple[str, str]]]:
        """Return the options with their help by the title of their group, in the order of the help and of the site."""
        params = {param.name: param for param in self.get_params(ctx)}
        first = [name for name in OF_VERB.get(self.name or "", EVERYDAY) if name in params][:FIRST]
        titles = ("Arguments", "Everyday options", "Question", *TOPICS, "Output")
        groups: dict[str, list[tuple[str, str]]] = {title: [] for title in titles}
        for name in dict.fromkeys([*first, *params]):
            argument = params[name].param_type_name == "argument"
            title = "Arguments" if argument else "Everyday options" if name in first else topic_of(name)
            record = params[name].get_help_record(ctx)
            groups[title] += [record] if record is not None else []
        return {title: records for title, records in groups.items() if records}

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for title, records in self.option_groups(ctx).items():
            with formatter.section(title):
                formatter.write_dl(records)


class AllVerbs(typer.core.TyperGroup):
    """The list of verbs, whose help fits a screen of 80 columns and 40 lines without cut lines."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(f"Usage: {ctx.command_path} VERB [OPTIONS]\n{self.help}\n")
        groups: dict[str, list[str]] = {}
        width = max(map(len, self.commands))
        for name, verb in self.commands.items():
            line = f"  {name:<{width}}  {parts_of(verb.help or '').sentence}\n"
            groups.setdefault(getattr(verb, "rich_help_panel", ""), []).append(line)
        for title, lines in groups.items():
            formatter.write(f"\n{title}\n{''.join(lines)}")
        formatter.write(f"\n{self.epilog}\n")
