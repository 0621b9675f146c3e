"""Write docs/names.md, and the table in the docstring of `two_sample_test`, from the registries: `make names`.

A contract test holds both to the registries, so this is run after a name is added or changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from runoff._inference.about import AboutTest
from runoff._inference.advice import APPLIES, CODES
from runoff._inference.blocked import BLOCKED
from runoff._inference.bootstrap import BANDS, INTERVALS, METRICS
from runoff._inference.family import CORRECTIONS
from runoff._inference.gate import CALLS
from runoff._inference.pairs import PAIR_TESTS
from runoff._inference.planning import PLAN_TESTS, PLAN_UNITS
from runoff._inference.power import EFFECT_UNITS, POWER_FORMULAS, POWER_TESTS
from runoff._inference.sequential import SEQUENTIAL_TESTS, SPENDING
from runoff._inference.summaries import LEVELS, READ_AS, SPREADS
from runoff._inference.two_sample import TWO_SAMPLE
from runoff.io.formats import FORMATS
from runoff.io.logs.tools import TOOLS
from runoff.plots import PLOTS
from runoff.words.names import INTERVAL_TITLES

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "names.md"
DOCSTRING = ROOT / "src" / "runoff" / "methods" / "two_sample.py"
HEAD = """# What each name means

This page is written by `make names` from the registries of the code; [how to add a name](design/recipes.md).
"""
SAID = {"unknown": "not said: both are answered"} | {
    f"ci{level}": f"half width of a {level} % interval: both are answered" for level in LEVELS
}
DRAWN = {"exact": "exact", "asymptotic": "asymptotic", "monte_carlo": "drawn"}


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *(f"## {title}\n\n{text}\n" for title, text in sections())])


def sections() -> Iterator[tuple[str, str]]:
    """Yield each section's title and text."""
    yield "Tests of two samples", _table(
        ["`test=`", "in a sentence", "label", "in a methods paragraph", "compares", "null distribution", "least runs", "advice"],
        [
            (f"`{name}`", *_told(test.about), _compared(test.about), _methods(test.methods), f"{test.least}", _codes(test.about, "samples"))
            for name, test in TWO_SAMPLE.items()
        ],
    )  # fmt: skip
    yield (
        "Tests over tasks",
        _table(
            ["`test=`", "in a sentence", "label", "in a methods paragraph", "compares", "algorithms", "sees", "advice"],
            [
                (
                    f"`{name}`",
                    *_told(test.about),
                    _compared(test.about),
                    str(test.n_algorithms or "any number"),
                    "cell means" if test.about.averages else "all runs",
                    _codes(test.about, "tasks"),
                )
                for name, test in BLOCKED.items()
            ],
        ),
    )
    yield "Tests of `compare`", _table(
        ["`test=`", "a rejection says", "several tasks", "advice"],
        [
            (f"`{name}`", f"A {test.about.claim} B", "yes" if test.several_tasks else "no", _codes(test.about, "comparison"))
            for name, test in PAIR_TESTS.items()
            if test.about is not None
        ],
    )  # fmt: skip
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
            ["`correction=`", "what it is", "bounds the chance of any wrong claim"],
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
        _table(["`unit=`", "what it is"], [(f"`{name}`", unit.title) for name, unit in EFFECT_UNITS.items()]),
    )
    yield (
        "How a sequential comparison spends its error rate",
        _table(["`spending`", "what it is", "source"], [(f"`{n}`", s.title, s.cited) for n, s in SPENDING.items()]),
    )
    yield (
        "Tests of a sequential comparison",
        _table(["`test`", "what it is"], [(f"`{name}`", test.title) for name, test in SEQUENTIAL_TESTS.items()]),
    )
    yield (
        "What the gate says",
        _table(["`call`", "what it means"], [(f"`{name}`", kind.means) for name, kind in CALLS.items()]),
    )
    yield (
        "Units of the effect of a plan",
        _table(["`unit=`", "what it is"], [(f"`{name}`", title) for name, title in PLAN_UNITS.items()]),
    )
    yield (
        "Tests that an experiment can be planned for",
        _table(["`test=`", "what it is"], [(f"`{name}`", test.title) for name, test in PLAN_TESTS.items()]),
    )
    yield (
        "What ± of a published table may be",
        _table(
            ["`spread=`", "what it is", "answered as"],
            [(f"`{name}`", SAID.get(name) or SPREADS[name].title, _quoted(kinds)) for name, kinds in READ_AS.items()],
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
        "Tools whose training logs are read",
        "Of two tools that logged one run, the first here is read.\n\n"
        + _table(["tool", "what it writes"], [(tool.title, tool.layout) for tool in TOOLS.values()]),
    )
    yield (
        "Figures",
        _table(
            ["`ro.plots.`", "of", "shows", "layout"],
            [(f"`{name}`", f"`{p.of}`", p.shows, p.layout) for name, p in PLOTS.items()],
        ),
    )
    yield (
        "Advice codes",
        _table(
            ["code", "what it says", "severity", "also a Python warning", "source"],
            [
                (
                    f"[{code}](advice.md#{_anchor(f'{code} {advice.title}')})",
                    advice.title,
                    advice.severity,
                    "yes" if advice.warns else "",
                    advice.source,
                )
                for code, advice in CODES.items()
            ],
        ),
    )


def docstring_table() -> str:
    """Return the table of the docstring of `two_sample_test`, indented."""
    rows = [
        (name, test.null, ", ".join(DRAWN[m] for m in test.methods if m != "auto"), f"{test.least}")
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


def _told(about: AboutTest) -> tuple[str, str, str]:
    return about.title, about.label, about.cited


def _compared(about: AboutTest) -> str:
    return about.compares.replace("_", " ")


def _methods(methods: Sequence[str]) -> str:
    return ", ".join(DRAWN[method] for method in methods if method != "auto")


def _codes(about: AboutTest, topic: str) -> str:
    """Return the codes of a topic that depend on the test, and can apply to this one."""
    mine: Mapping[str, object] = {
        code: advice
        for code, advice in CODES.items()
        if advice.topic == topic and code in APPLIES and APPLIES[code](about)
    }
    return ", ".join(mine)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    DOCSTRING.write_text(docstring_source(DOCSTRING.read_text(encoding="utf-8")), encoding="utf-8")
