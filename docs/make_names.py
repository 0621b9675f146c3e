"""Write docs/names.md, and the table in the docstring of `two_sample_test`, from the registries: `make names`.

A contract test holds both to the registries, so this is run after a name is added or changed.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import runoff as ro
from runoff._inference.about import AboutTest
from runoff._inference.advice import APPLIES, CODES
from runoff._inference.blocked import BLOCKED
from runoff._inference.bootstrap import BANDS, INTERVALS, METRICS
from runoff._inference.family import CORRECTIONS
from runoff._inference.gate import CALLS
from runoff._inference.pairs import JACKKNIFE, PAIR_TESTS
from runoff._inference.planning import PLAN_UNITS
from runoff._inference.power import EFFECT_UNITS, POWER_FORMULAS, POWER_TESTS
from runoff._inference.sequential import SEQUENTIAL_TESTS, SPENDING
from runoff._inference.summaries import LEVELS, READ_AS, SPREADS
from runoff._inference.two_sample import BOTH, TWO_SAMPLE
from runoff.cli.app import command
from runoff.reading.formats import FORMATS
from runoff.reading.logs.tools import TOOLS
from runoff.testing import assert_no_regression
from runoff.words.names import INTERVAL_TITLES

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "names.md"
DOCSTRING = ROOT / "src" / "runoff" / "methods" / "two_sample.py"
HEAD = """# What each name means

<!-- search: options, names of tests, list of metrics, formats -->

The names that options take. `make names` writes this page from the registries of the code ([how to add a name](design/recipes.md));
figures stand in the [gallery](gallery.md), advice codes on [their page](advice.md).
"""
SAID = {"unknown": "not said: both are answered"} | {
    f"ci{level}": f"half width of a {level} % interval: both are answered" for level in LEVELS
}
UNLIKE = {
    "--seed": "rng",
    "--json": "what `to_json()` gives",
    "--markdown": "what `to_markdown()` gives, added to a file",
    "--new": "`SequentialDesign(…)`",
    "--skill": "a text for programs, of the shell alone",
    "--every": "a pause, of the shell alone",
    "--once": "a single look, of the shell alone",
    "--template": "commands, of the shell alone",
    "--to": "`to_latex()`, `to_markdown()`, rows as CSV",
    "--save": "`save_baseline()`",
    "--jobs": "what commands become, of the shell alone",
}
"""Options that Python calls otherwise, or that only a shell needs."""
MANY = 5
"""The most verbs that are listed beside an option."""
DRAWN = {"exact": "exact", "asymptotic": "asymptotic", "monte_carlo": "drawn"}


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *(f"## {title}\n\n{text}\n" for title, text in sections())])


def sections() -> Iterator[tuple[str, str]]:
    """Yield each section's title and text."""
    yield (
        "Tests",
        "`plan` takes the tests of `compare`. The p-value is exact, drawn (Monte Carlo) or asymptotic; the result says which (`method`). "
        "*Least* is the fewest runs of each side. The codes are the [advice](advice.md) that depends on the test.\n\n"
        + _table(
            ["`test=`", "what it is", "finds a difference of", "p-value", "least", "taken by", "advice"], _tests()
        ),
    )
    yield (
        "Metrics",
        _table(
            ["metric", "what it is", "better"],
            [(f"`{m.name}`", m.cited, "higher" if m.higher_is_better else "lower") for m in METRICS.values()]
            + [("`trimmed_mean_P`", "the mean without P % at each end", "higher")],
        ),
    )
    yield (
        "Intervals of an aggregate",
        _table(
            ["`interval=`", "what it is", "`over=`"],
            [(f"`{name}`", INTERVAL_TITLES[name], _quoted(i.over)) for name, i in INTERVALS.items()],
        ),
    )
    yield (
        "Bands of a performance profile",
        _table(
            ["`band=`", "what it is", "its level holds", "`kind=`"],
            [
                (f"`{name}`", b.title, "at each τ" if b.pointwise else "for all τ together", _quoted(b.kinds))
                for name, b in BANDS.items()
            ],
        ),
    )
    yield (
        "Corrections for many comparisons",
        _table(
            ["`correction=`", "what it is", "bounds the false positive rate of the family"],
            [(f"`{name}`", c.cited, "yes" if c.familywise else "no") for name, c in CORRECTIONS.items()],
        ),
    )
    yield (
        "Tests whose power is known",
        _table(["`test=`", "what it is", "power at"], [(f"`{n}`", t.title, t.formula) for n, t in POWER_TESTS.items()]),
    )
    yield (
        "How power is computed",
        _table(
            ["`formula=`", "what it is", "source"], [(f"`{n}`", f.title, f.cited) for n, f in POWER_FORMULAS.items()]
        ),
    )
    yield (
        "Units of an effect",
        _table(
            ["`effect_unit=`", "what it is"],
            [
                (f"`{name}`" + (" (`plan`)" if name not in EFFECT_UNITS else ""), title)
                for name, title in PLAN_UNITS.items()
            ],
        ),
    )
    yield (
        "How a sequential comparison spends its error rate",
        _table(["`spending`", "what it is", "source"], [(f"`{n}`", s.title, s.cited) for n, s in SPENDING.items()]),
    )
    yield (
        "What the gate says",
        _table(["`verdict`", "what it means"], [(f"`{name}`", kind.means) for name, kind in CALLS.items()]),
    )
    yield (
        "What ± of a published table may be",
        _table(
            ["`spread=`", "what it is", "answered as"],
            _spreads(),
        ),
    )
    yield (
        "Formats of files",
        _table(
            ["`format=`", "what it is", "suffixes", "holds"],
            [(f"`{name}`", f.title, _quoted(f.suffixes), f.holds) for name, f in FORMATS.items()],
        ),
    )
    yield (
        "Options of the command line, and what Python calls them",
        "An option is the argument's name with hyphens, or the call of data that does it. `--json` prints the fields of "
        "`to_json()`, with the data, notes, warnings and advice; [its schema](../src/runoff/cli/schema.json) has a definition for each verb.\n\n"
        + _table(["option", "Python", "verbs"], _options()),
    )
    yield (
        "Tools whose training logs are read",
        "Of two tools that logged one run, the first here is read.\n\n"
        + _table(["tool", "what it writes"], [(tool.title, tool.layout) for tool in TOOLS.values()]),
    )


def arguments() -> set[str]:
    """Return what Python calls an argument, or a call of data: `last`, `normalize`."""
    functions = [thing for name in ro.__all__ if inspect.isfunction(thing := getattr(ro, name))]
    functions += [assert_no_regression, ro.Ledger]
    methods = {
        name: thing for kind in (ro.Scores, ro.Curves, ro.Ledger) for name, thing in inspect.getmembers(kind, callable)
    }
    fields = [field.name for kind in (ro.Study, ro.SequentialDesign) for field in dataclasses.fields(kind)]
    named = [name for thing in (*functions, *methods.values()) for name in parameters(thing)]
    return {*named, *fields, *ro.__all__, *(name for name in methods if not name.startswith("_"))}


def parameters(thing: Callable[..., object]) -> Iterable[str]:
    """Return the names of the arguments of a callable; those of C have none that are known."""
    try:
        return inspect.signature(thing).parameters
    except ValueError:
        return ()


def options() -> dict[str, tuple[str, list[str]]]:
    """Return each long option with its argument in Python, and the verbs that have it."""
    named: dict[str, list[str]] = {}
    for verb, called in sorted(command().commands.items()):
        for name in (name for param in called.params for name in param.opts if name.startswith("--")):
            named.setdefault(name, []).append(verb)
    return {name: (UNLIKE.get(name, name[2:].replace("-", "_")), of) for name, of in sorted(named.items())}


def _options() -> list[tuple[str, ...]]:
    rows, n_verbs = [], len(command().commands)
    for name, (python, verbs) in options().items():
        whose = "all" if len(verbs) == n_verbs else _quoted(verbs) if len(verbs) <= MANY else f"{len(verbs)} verbs"
        rows.append((f"`{name}`", f"`{python}`" if python.isidentifier() else python, whose))
    return rows


def docstring_table() -> str:
    """Return the table of the docstring of `two_sample_test`, indented."""
    rows = [
        (name, test.null.format(both=BOTH), ", ".join(DRAWN[m] for m in test.methods if m != "auto"), f"{test.least}")
        for name, test in TWO_SAMPLE.items()
    ]
    heads = ("test", "null hypothesis", "methods", "least n")
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    rule = " ".join("=" * width for width in widths)
    lines = [rule, _padded(heads, widths), rule, *(_padded(row, widths) for row in rows), rule]
    return "".join(f"        {line}\n" for line in lines)


def docstring_source(text: str) -> str:
    """Return the source of `two_sample_test` with its table replaced."""
    return re.sub(r"(?ms)^ {8}=+ =+ .*^ {8}=+ =[= ]+\n", lambda _: docstring_table(), text, count=1)


def _padded(row: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _anchor(head: str) -> str:
    """Return the anchor of a heading, as GitHub and the site make it."""
    return re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _tests() -> Iterator[tuple[str, ...]]:
    """Yield a row for every test by name: what two samples, tasks or `compare` take."""
    named = [name for name, test in PAIR_TESTS.items() if test.about is not None]
    for name in dict.fromkeys([*named, *TWO_SAMPLE, *BLOCKED]):
        sample, tasks, pair = TWO_SAMPLE.get(name), BLOCKED.get(name), PAIR_TESTS.get(name)
        about = next(kind.about for kind in (sample, tasks, pair) if kind is not None and kind.about is not None)
        takers = {
            "`two_sample_test`": sample is not None,
            "`rank_test`": tasks is not None,
            "`compare`": pair is not None and pair.several_tasks,
            "`compare` of one task": pair is not None and not pair.several_tasks,
            "`SequentialDesign`": name in SEQUENTIAL_TESTS,
        }
        topics = {"samples": sample, "tasks": tasks, "comparison": pair}
        codes = dict.fromkeys(
            code for topic, kind in topics.items() if kind is not None for code in _codes(about, topic)
        )
        yield (
            f"`{name}`",
            about.cited,
            "the measure" if name == JACKKNIFE else about.compares.replace("_", " "),
            _methods(sample.methods) if sample is not None else "",
            f"{sample.least}" if sample is not None else "",
            ", ".join(taker for taker, takes in takers.items() if takes),
            ", ".join(f"[{code}](advice.md#{_anchor(f'{code} {CODES[code].title}')})" for code in codes),
        )


def _spreads() -> Iterator[tuple[str, str, str]]:
    """Yield a row for every kind of ±; names that differ in a level alone share the row of the first."""
    first, *others = LEVELS
    for name, kinds in READ_AS.items():
        if not any(f"ci{level}" in name for level in others):
            names = [name.replace(f"ci{first}", f"ci{level}") for level in LEVELS] if f"ci{first}" in name else [name]
            title = SAID.get(name) or SPREADS[name].title
            answers = _quoted(kinds).replace(f"ci{first}", "ciL")
            yield _quoted(names), title.replace(f"a {first} %", "the"), answers


def _methods(methods: Sequence[str]) -> str:
    return ", ".join(DRAWN[method] for method in methods if method != "auto")


def _codes(about: AboutTest, topic: str) -> list[str]:
    """Return the codes of a topic that depend on the test, and can apply to this one."""
    return [
        code for code, advice in CODES.items() if advice.topic == topic and code in APPLIES and APPLIES[code](about)
    ]


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    DOCSTRING.write_text(docstring_source(DOCSTRING.read_text(encoding="utf-8")), encoding="utf-8")
