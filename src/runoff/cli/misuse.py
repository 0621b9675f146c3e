"""Messages on invalid command lines: the error, and the command that was probably meant."""

from __future__ import annotations

import re
import shlex
import warnings
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

import typer

from runoff.cli.answer_file import ENDINGS, PICTURES
from runoff.cli.help import parts_of
from runoff.cli.repair import ROLES, carried, is_option
from runoff.errors import RunoffError
from runoff.hints.words import (
    ROWS,
    SINGLE_RUNS,
    alpha_of,
    called_here,
    elsewhere,
    figure_here,
    format_hint,
    near_to,
    needless,
    value_meant,
    verb_here,
)
from runoff.tables.likely import candidates
from runoff.words.names import (
    NO_SINGLE_RUNS,
    AnswerFormat,
    CorrectionName,
    DecimalName,
    IntervalName,
    TuningView,
    value_here,
)
from runoff.words.words import kind

USAGE: Any = typer.BadParameter.__mro__[2]
"""click's ClickException, which newer versions of typer vendor."""

NUMBERS = {"integer": "a whole number", "float": "a number", "number": "a number"}
"""A word in typer's refusals of a value -> the expected kind of value."""
TABLES = (".csv", ".parquet", ".feather", ".tsv", ".npz", ".ndjson")
"""Endings of files of runs, one of which is suggested if runs are missing."""


def message_of(misuse: Any, words: Sequence[str], verbs: dict[str, Any]) -> str:
    """Return one sentence on a misuse; for a misspelt word, with the whole command that was probably meant."""
    words, ctx = list(words), getattr(misuse, "ctx", None)
    name = ctx.info_name if ctx is not None else words[0] if words else None
    name = name if name in verbs else None
    sort, text = type(misuse).__name__, str(misuse.format_message()).rstrip(".")
    if sort == "NoSuchOption":
        return _no_option(misuse, name, words, verbs)
    if name is None and words and text.startswith("No such command"):
        return _no_verb(next(word for word in words if not word.startswith("-")), words, verbs)
    if sort == "MissingParameter" and name is not None and misuse.param is not None:
        return _missing(misuse.param, words, verbs[name])
    if sort == "BadOptionUsage" and "requires " in text and name is not None:
        return _lacking(misuse.option_name, words, verbs)
    return _bad_value(misuse, text, words)


def _no_verb(word: str, words: list[str], verbs: dict[str, Any]) -> str:
    if Path(word).exists():
        return f"{word} is a file or folder and no verb; {typed(['report', *words])} writes a report of it"
    message, rest = f"there is no verb {word!r}", [w for w in words if w != word]
    names = [w for w in rest if not Path(w).exists()]
    if word == "where" and len(names) == 2:  # what Python calls so; the files, and then two algorithms
        return f"{message}. Did you mean {typed(['compare', *(w for w in rest if w not in names), '--where', *names])}"
    if word == "where":
        return f"{message}: {_lead_of([w for w in rest if w not in names], names)}"
    if word.replace("-", "_") in NEXT:
        return f"{message}. Did you mean {typed(['plan', '--next-runs', *(rest or ['RUNS.csv'])])}"
    near = near_to(word, verbs)
    if near is not None:
        return f"{message}. Did you mean {typed([near, *rest])}"
    if (view := word.replace("-", "_")) in get_args(TuningView):
        word, rest = "sweep", [*rest, "--view", view]
    if (near := verb_here(word, verbs)) is None:
        return message
    rest = _of_kind(rest, verbs) if near == "report" else rest
    of_profiles = near == "report" and PROFILES in (
        figure_here(name.replace("-", "_")) for name in (word, value_of(KIND, rest) or "")
    )
    rest = _as_printed(rest)
    near, rest = (near, _profiled(rest)) if of_profiles else _drawn(near, rest, verbs)
    whole, left_out = _repaired([near, *rest], verbs)
    if whole is None or not all(w.startswith("-") for w in rest[1:2]):
        # Of another verb's words those that are no files, and its names of files, mean nothing here.
        whole, left_out = [near, *(w for w in rest if Path(w).exists())], {}
    without = "".join(f", and {option} is left out: {why}" for option, why in left_out.items())
    return f"{message}{PROFILED * of_profiles}{without}. Did you mean {typed(whole)}"


NEXT = ("next", "next_run", "next_runs", "more_runs")
"""Verbs of what to run next, a question of plans."""
OUTS = ("-o", "--out")
PROFILES = "profiles"
PROFILED = "; profiles are figures of a report, of tasks in one unit (--normalize, --score-unit shared)"
KIND = "--kind"
"""The option by which other libraries choose a figure."""


def _of_kind(rest: list[str], verbs: Collection[str]) -> list[str]:
    """Return the words behind `plot` with the figure among them under its option: `runs.csv profile` as `runs.csv --kind profile`."""
    for at, (before, word) in enumerate(pairwise(["", *rest])):
        of_an_option, name = is_option(before) or is_option(word), word.replace("-", "_")
        if not (of_an_option or Path(word).exists()) and (name in verbs or verb_here(name, verbs)):
            return [*rest[:at], KIND, *rest[at:]]
    return rest


def _drawn(verb: str, rest: list[str], verbs: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the verb that draws what is meant, and the words behind it without the kind of figure: the first figure of what the files hold,
    where one is named, else those of a report."""
    figure = value_of(KIND, rest)
    if verb != "report":
        return verb, rest
    smoothed = any(w.startswith("--") and needless(bare(w.partition("=")[0])) == needless("smooth") for w in rest)
    if figure is not None and (own := figure if figure in verbs else verb_here(figure, verbs)) is not None:
        verb = own
    elif smoothed or (_names_answer(rest) and any(kind(head) == "step" for head in heads_of(["", *rest]))):
        verb = "curves"
    elif _names_answer(rest):
        verb = "compare"
    return verb, rest if figure is None else in_place(KIND, [], rest)


def _profiled(rest: list[str]) -> list[str]:
    """Return the words behind the verb that draws performance profiles: with the format of a figure in place of its file, for it writes a
    folder."""
    picture = next(
        (value for option, value in pairwise(rest) if option in OUTS and Path(value).suffix in PICTURES), ".pdf"
    )
    for option in (KIND, *(OUTS if _names_answer(rest) else ())):
        rest = rest if value_of(option, rest) is None else in_place(option, [], rest)
    return rest if "--figures" in rest else [*rest, "--figures", Path(f"x{picture}").suffix[1:]]


def _lead_of(files: list[str], names: Sequence[str]) -> str:
    """Return the command that says where a lead comes from, of two algorithms of the files, that are named first, where these can be read."""
    algorithms: Sequence[str] = ()
    if files:
        from runoff.reading import load

        with warnings.catch_warnings(), suppress(RunoffError):
            warnings.simplefilter("ignore")
            algorithms = sorted(load(files).algorithms, key=lambda name: name not in names)
    pair = [*algorithms[:2]] if len(algorithms) > 1 else ["A", "B"]
    what = "tells where the lead of one comes from" if len(algorithms) > 1 else "needs the names of two algorithms"
    return f"{typed(['compare', *(files or ['RUNS.csv']), '--where', *pair])} {what}"


def _names_answer(words: list[str]) -> bool:
    """Return whether a file for an answer or its figure is named, `-o lead.png`, `-o lead.csv`."""
    return any(option in OUTS and Path(value).suffix in ENDINGS for option, value in pairwise(words))


def _as_printed(words: list[str]) -> list[str]:
    """Return options with the format of an answer under its own name: `--format latex` as `--to latex`."""
    for at, (option, value) in enumerate(pairwise(words)):
        if option == "--format" and value in get_args(AnswerFormat):
            return [*words[:at], "--to", value, *words[at + 2 :]]
    return words


def _no_option(misuse: Any, name: str | None, words: list[str], verbs: dict[str, Any]) -> str:
    option = misuse.option_name
    if name in verbs and (columns := columns_of(words, _flags(name, verbs))) is not None:
        # `--score return` is no mistake, and what else is wrong is named.
        again = context_of(columns, verbs)
        if isinstance(again, type(misuse)) and again.option_name != option:
            return _no_option(again, name, columns, verbs)
    message = f"{f'runoff {name}' if name else 'runoff'} has no option {option}"
    if name is None or words[0] != name:
        # typer itself knows those that begin alike, and the program's own.
        near = near_to(option, misuse.possibilities or [])
        return (
            message if near is None else f"{message}. Did you mean {typed([near if w == option else w for w in words])}"
        )
    if (reason := needless(bare(option))) is not None:
        meant, left_out = _repaired(words, verbs)
        others = "".join(f"; {other}: {why}" for other, why in left_out.items() if other != option)
        return f"{message}: {reason}{others}: leave it out, {typed(meant or _without(option, words))}"
    counts = "n_runs" in called_here(bare(option), _flags(name, verbs)) and (value_of(option, words) or "").isdecimal()
    if counts and name == "plan" and any(Path(word).exists() for word in words[1:]):
        return f"{message}: the table of a plan has the power of each number of runs, {typed(_without(option, words))}"
    if bare(option) in SINGLE_RUNS and not counts:
        rows = "--columns" in _flags(name, verbs).values() and bare(option) in ROWS
        return f"{message}: {'--columns rows=COLUMN=VALUE reads some rows; ' if rows else ''}{NO_SINGLE_RUNS}"
    if (done := _elsewhere(option, words, verbs)) is not None:
        return f"{message}; {done}"
    meant, left_out = _repaired(words, verbs)
    if meant is not None:
        without = "".join(f"; {other} is left out: {why}" for other, why in left_out.items())
        return f"{message}{without}. Did you mean {typed(meant)}"
    called = called_here(bare(option), own := _flags(name, verbs))
    if called:  # and its value is lacking, or something else is wrong too
        return f"{message}; it is called {' or '.join(own[role] for role in called)} here"
    having = [other for other, command in verbs.items() if any(option in p.opts for p in command.params)]
    return (
        f"{message}; {option} is an option of runoff {', '.join(having)}{BY.get(name, '') if option == '--by' else ''}"
        if having
        else f"{message}{format_hint(bare(option))}"
    )


BY = {
    "curves": ", and -o FOLDER draws curves with a panel for each task",
    "compare": ", and --where A B tests two algorithms task by task",
    "tuning": ", and --view importance has the share of each setting in the spread of scores, --view sensitivity what tuning on each task gains",
}
"""What else does the work of --by, by the verb that has none."""
NOT_WORSE = frozenset(
    (
        "non_inferiority",
        "noninferiority",
        "non_inferior",
        "non_inferiority_margin",
        "noninferiority_margin",
        "not_worse",
    )
)
"""Options that ask by how much an algorithm is worse at most, which is one-sided."""
REFUSED = {"curves": ("last", "at")}
"""Options that a verb shares with others but refuses: learning curves have no end score."""
EXAMPLES = {"average": "10%"}
"""Values for options that were given without one, but mean an option that takes it."""
MOST = 8
"""The largest number of words that are corrected in a command."""


def bare(option: str) -> str:
    return option.lstrip("-").replace("-", "_")


def _flags(verb: str, verbs: Mapping[str, Any]) -> dict[str, str]:
    """Return the options with which a command of a verb can be corrected, by their bare names."""
    flags = (flag for p in verbs[verb].params for flag in p.opts if flag.startswith("--"))
    return {name: flag for flag in flags if (name := bare(flag)) not in REFUSED.get(verb, ())}


def context_of(words: Sequence[str], verbs: Mapping[str, Any]) -> Any:
    """Return the parsed command, or the misuse; what asks for help is not answered while it is parsed."""
    try:
        return verbs[words[0]].make_context(words[0], [word for word in words[1:] if word != "--help"])
    except USAGE as misuse:
        return misuse


def _whole(words: Sequence[str], verbs: Mapping[str, Any]) -> bool:
    """Return whether a command is valid."""
    return not isinstance(context_of(words, verbs), USAGE)


def _repaired(words: list[str], verbs: Mapping[str, Any]) -> tuple[list[str] | None, dict[str, str]]:
    """Return the command with all options corrected that the verb does not have, None if one remains, or another error; and options that are
    left out, with why."""
    left_out: dict[str, str] = {}
    for _ in range(MOST):
        pairs = zip(words, ["", *words[:-1]], strict=True)
        words = [str(value_meant(bare(before), word)) if before.startswith("--") else word for word, before in pairs]
        wrong = context_of(words, verbs)
        if not isinstance(wrong, USAGE):
            # Of two values for one option the first would be lost.
            once = [flag for p in verbs[words[0]].params if not getattr(p, "multiple", False) for flag in p.opts]
            given = [word.partition("=")[0] for word in words]
            return None if any(given.count(flag) > 1 for flag in once) else words, left_out
        option = getattr(wrong, "option_name", "")
        if type(wrong).__name__ != "NoSuchOption":
            break
        reason = needless(bare(option))
        meant = _put_right(option, words, verbs) if reason is None else _without(option, words)
        if meant is None:
            break
        if reason is not None:
            left_out[option] = reason
        words = meant
    return None, left_out


def _put_right(option: str, words: list[str], verbs: Mapping[str, Any]) -> list[str] | None:
    """Return a command with an option replaced by what it means; None if that is not known."""
    name, value = bare(option), value_of(option, words)
    # What has a value behind it means no flag.
    possible = [p for p in verbs[words[0]].params if value is None or not getattr(p, "is_flag", False)]
    own = {bare(flag): flag for p in possible for flag in p.opts if flag.startswith("--") and _takes(p, value)}
    if "columns" in own and (columns := columns_of(words, own)) is not None:
        return columns
    meant = next((role for role in called_here(name, own) if _can_be(role, value)), None)
    if meant is None and "alpha" in own and (alpha := alpha_of(name, value)):
        return in_place(option, ["--alpha", alpha], words)
    near = near_to(option, own.values()) if meant is None else own[meant]
    if near is not None and not _can_be(bare(near), value):
        return None
    if near in ("--algorithms", "--tasks", "--exclude"):
        return _listed(option, near, words)
    if near is not None and value is None and name in EXAMPLES:
        return in_place(option, [near, EXAMPLES[name]], words)
    if near == "--margin" and words[0] == "compare" and "--measure" not in words and _beyond_half(value):
        # Of a chance a margin is below ½: this one is of means.
        words = [*words, "--measure", "mean"]
    return None if near is None else [near + w.removeprefix(option) if w.split("=")[0] == option else w for w in words]


VALUES = MappingProxyType({"correction": CorrectionName, "interval": IntervalName, "decimal": DecimalName})
"""Options that take a few names, each unlike the names of others that are called so elsewhere (`--method bootstrap`)."""


def _takes(param: Any, value: str | None) -> bool:
    """Return whether an option can take a value: a verb without a folder takes the name of a file, `--output x.csv`."""
    return (param.name, param.metavar) != ("out", "FILE") or value is None or Path(value).suffix in ENDINGS


def _can_be(role: str, value: str | None) -> bool:
    """Return whether an option takes a value."""
    names = get_args(VALUES[role]) if role in VALUES and value is not None else ()
    return not names or value in names or value_here(str(value), names) is not None


def _beyond_half(value: str | None) -> bool:
    try:
        return float(value or "") >= 0.5
    except ValueError:
        return False


def columns_of(words: list[str], own: Collection[str]) -> list[str] | None:
    """Return a command in which `--algorithm NAME --score NAME …` are turned into columns; None if they do not name columns."""
    given = {role: value for role in ROLES if role not in own and (value := value_of(f"--{role}", words))}
    heads = heads_of(words)
    for alias, role in ALIASES.items():
        flag = f"--{alias.replace('_', '-')}"
        value = value_of(flag, words)
        other = any(candidates([value or ""], usual) for usual in ("task", "run", "score") if usual != role)
        setting = alias == "by" and "view" in own  # of a sweep, whose rows are by algorithm
        if alias not in own and value in heads and not other and not setting:
            return in_place(flag, ["--columns", f"{role}={value}"], words)
    # A name that heads no column of files whose heads are known is one to keep, and so are several for one role.
    for role in ("algorithm", "task"):
        if role in given and given[role] not in heads and (heads or _times(f"--{role}", words) > 1):
            del given[role]
    if "seed" in own and not (seed := value_of("--seed", words) or "0").isdigit():
        given["seed"] = seed
    # Without scores or runs `--algorithm PPO --task Pong` names those to keep, unless they head a file; a step is a number.
    columns = {"run", "seed", "score"} & given.keys() or {*given.values()} & heads
    if not columns or given.get("step", "").isdigit():
        return None
    for role, value in given.items():
        words = in_place(f"--{role}", ["--columns", f"{role}={value}"], words)
    return words


ALIASES = dict.fromkeys(("env", "environment", "game"), "task") | dict.fromkeys(
    ("algo", "agent", "by", "compare_by", "group_by", "groupby", "hue"), "algorithm"
)
"""Options that are columns where they name one of a file, and else names to keep."""


def _times(option: str, words: Sequence[str]) -> int:
    return sum(word.partition("=")[0] == option for word in words)


def heads_of(words: Sequence[str]) -> set[str]:
    """Return the names in the first line of the files of a call."""
    heads: set[str] = set()
    for path in map(Path, words[1:]):
        if path.is_dir():  # of logs the first table
            path = next(path.rglob("*.csv"), path)
        if path.suffix in (".csv", ".tsv", ".txt") and path.is_file():
            with path.open("rb") as file:
                line = file.readline(1 << 16).decode("utf-8", "replace")
            heads |= {name.strip(' \t"') for name in re.split(r"[,;\t|]", line.strip())}
    return heads


def _listed(option: str, flag: str, words: list[str]) -> list[str]:
    """Return a command with the names after an option as one list: `--pair A B` as `--algorithms A,B`."""
    at = next(i for i, word in enumerate(words) if word.partition("=")[0] == option)
    names = words[at].split("=", 1)[1:]
    end = at + 1
    while end < len(words) and not is_option(words[end]) and not Path(words[end]).exists():
        names.append(words[end])
        end += 1
    return [*words[:at], flag, ",".join(names), *words[end:]]


def _elsewhere(option: str, words: list[str], verbs: Mapping[str, Any]) -> str | None:
    """Return the command in which other words replace an option, and its purpose."""
    name, value = bare(option), value_of(option, words) or ""
    if name == "to" and any("--out" in p.opts for p in verbs[words[0]].params) and value:
        call = in_place(option, ["-o", value], words)
        return f"{typed(call)} writes the file" if _whole(call, verbs) else None
    if name in NOT_WORSE:
        files = [word for word in words[1:] if Path(word).exists()][:1] or ["RUNS.csv"]
        candidate, *_, baseline = f"{value_of('--algorithms', words) or 'B,A'},A".split(",")[:2]
        sides = ["--algorithm", baseline, "--candidate-algorithm", candidate]
        return f"{typed(['gate', *files, *files, *sides, '--margin', value or '5%'])} tells whether {candidate} is not worse than {baseline}"
    words_instead, does = elsewhere(name) or ([], "")
    words_instead = [word.replace("VALUE", value) if value else word for word in words_instead]
    instead = _instead(option, words_instead, words, verbs) if words_instead else None
    return None if instead is None else f"{typed(instead)} {does}"


def _instead(option: str, does: list[str], words: list[str], verbs: Mapping[str, Any]) -> list[str] | None:
    """Return the command in which other words replace an option; None if they cannot."""
    value = value_of(option, words)
    if value is not None and Path(value).exists():  # the runs, behind an option that has no value
        at = words.index(option)
        words = [*words[:at], value, option, *words[at + 2 :]]
    if does[0] not in verbs and bare(does[0]) not in _flags(words[0], verbs):
        return None
    call = in_place(option, [] if does[0] in verbs else does, words)
    if does[0] in verbs:
        # Another verb has the same runs and ways to read them, and nothing else of this one.
        call = [does[0], *carried(call[1:], verbs[words[0]]), *does[1:]]
    return call if _whole(call, verbs) else None


def value_of(option: str, words: Sequence[str]) -> str | None:
    """Return the value given to an option: after its equals sign, or the next word if that is not an option."""
    for word, following in zip(words, [*words[1:], "--"], strict=True):
        if word.partition("=")[0] == option:
            return word.partition("=")[2] or (None if is_option(following) else following)
    return None


def _without(option: str, words: Sequence[str]) -> list[str]:
    """Return a command without an option that is none here: with what stands behind it, unless these may be the runs."""
    value = value_of(option, words)
    others = any(Path(word).exists() for word in words[1:] if word != value)
    alone = value is None or Path(value).exists() or not (others or value[:1].isdigit())
    return [w for w in words if w.partition("=")[0] != option] if alone else in_place(option, [], words)


def in_place(option: str, repair: Sequence[str], words: Sequence[str]) -> list[str]:
    """Return a command with an option and its value replaced by other words."""
    at = next(i for i, word in enumerate(words) if word.partition("=")[0] == option)
    end = at + 1 + ("=" not in words[at] and value_of(option, words) is not None)
    return [*words[:at], *repair, *words[end:]]


def _lacking(flag: str, words: list[str], verbs: Mapping[str, Any]) -> str:
    """Return the words for the missing value of an option that was given none, or one of two."""
    option = next(p for p in verbs[words[0]].params if flag in p.opts)
    about = (option.help or "").rstrip(".")
    if option.nargs == 1:
        return f"{flag} needs a value: {about}"
    return f"{flag} needs {option.nargs} values, {flag} {option.metavar}: {about}"


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
    numeric = next((called for noun, called in NUMBERS.items() if noun in text), None)
    if param is None or numeric is None or not text.startswith("Invalid value for "):
        return text.removeprefix("Invalid value: ")
    given = [word.partition("=")[2] for word in words if word.partition("=")[0] in param.opts and "=" in word]
    given += [value for option, value in pairwise(words) if option in param.opts]
    return f"{param.opts[-1]} takes {numeric}, not {given[-1] if given else 'this'}"


def typed(words: Sequence[str]) -> str:
    """Return a command as typed in a shell."""
    return f"runoff {shlex.join(words)}"
