"""CODES: every advice code and all that is known about it; and the one way to make an `Advice`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from runoff._inference.about import AboutTest
from runoff.answer.base import Advice, Severity
from runoff.errors import warn
from runoff.words.numbers import some
from runoff.words.speech import neutral, of_unit

Topic = Literal["comparison", "data", "samples", "tasks", "ranks", "shape", "curves"]
OWN = "runoff, definition"


@dataclass(frozen=True, slots=True)
class Code:
    """An advice code; docs/advice.md has a section for each, headed by its title.

    severity: that of its advice unless the rule says another; source: where the guideline is from; warns: whether `aggregate` and
    `inferential_intervals` also raise a Python warning where they carry it as a warning, for what is missing from their answer.
    """

    title: str
    severity: Severity
    source: str
    topic: Topic
    warns: bool = field(default=False, kw_only=True)


CODES: Mapping[str, Code] = MappingProxyType(
    {
        "R001": Code("fewer than five runs", "warning", "Colas et al. 2019 §5-6", "comparison"),
        "R002": Code("a single run on a task", "warning", "Agarwal et al. 2021 §2", "comparison", warns=True),
        "R003": Code("bootstrap with few runs", "info", "Colas et al. 2018 §5.2; Colas et al. 2019 §4.5", "comparison"),
        "R004": Code("permutation of means with few runs", "caution", "Colas et al. 2019 §4.5", "comparison"),
        "R005": Code(
            "a rank test with unequal variances",
            "caution",
            "Colas et al. 2019 §4.5; Casesa 2024 §3.5",
            "comparison",
        ),
        "R006": Code("skewed scores", "info", "Colas et al. 2018 §6; Colas et al. 2019 §5", "comparison"),
        "R007": Code("several comparisons", "info", "Casesa 2024 §2.6; Holm 1979", "comparison"),
        "R010": Code("fewer runs than the baseline", "info", OWN, "comparison"),
        "R011": Code("runs that do not vary", "warning", OWN, "comparison", warns=True),
        "R012": Code(
            "tasks without runs", "warning", "Skillings & Mack 1981; Casesa 2024 §2.3", "comparison", warns=True
        ),
        "R014": Code("complete separation", "info", "Brunner & Munzel 2000; docs/estimates.md", "comparison"),
        "R015": Code("two spellings of one name", "caution", OWN, "data"),
        "R016": Code(
            "a design that cannot show a difference",
            "warning",
            "Colas et al. 2019 §4.5, quantisation of p-values",
            "comparison",
        ),
        "R018": Code("an interval below its nominal level", "info", f"{OWN}; docs/estimates.md", "comparison"),
        "R019": Code("runs that ended early", "warning", OWN, "data"),
        "R020": Code("algorithms in different units", "warning", OWN, "data"),
        "R021": Code("a single published value", "info", OWN, "data"),
        "R022": Code("runs that are correlated over tasks", "warning", f"{OWN}; docs/comparing.md", "data"),
        "R023": Code("duplicate runs", "warning", OWN, "data"),
        "R024": Code("rows that are serially correlated", "warning", "Bartels 1982, JASA 77", "data"),
        "R025": Code(
            "a candidate with another variance",
            "caution",
            "Janssen 1997; Chung & Romano 2013; docs/guides/gate-your-agent.md",
            "comparison",
        ),
        "R026": Code("one task decides the result", "warning", OWN, "comparison"),
        "R027": Code("published runs that are not tested", "caution", OWN, "data"),
        "R028": Code("a score named like a cost", "warning", OWN, "data"),
        "R029": Code("tasks in different units", "warning", OWN, "data"),
        "R030": Code("run labels in the order of scores", "info", OWN, "data"),
        "R031": Code("two algorithms with the same runs", "warning", OWN, "data"),
        "R032": Code("training of unequal lengths", "warning", OWN, "data"),
        "R033": Code("scores of exactly 0 among large scores", "caution", OWN, "data"),
        "R034": Code("few runs on one task", "caution", f"{OWN}; docs/calibration.md", "comparison"),
        "R035": Code("few clusters", "caution", f"{OWN}; Pustejovsky & Tipton 2018; docs/calibration.md", "comparison"),
        "R036": Code("configurations as algorithms", "warning", f"{OWN}; docs/tuning.md", "data"),
        "R037": Code("several benchmarks pooled as one", "caution", f"{OWN}; Zou & Donner 2008", "comparison"),
        "R101": Code("neither sample varies", "warning", f"{OWN}; a t test would divide by 0", "samples"),
        "R102": Code("one sample is constant", "caution", OWN, "samples"),
        "R103": Code("identical samples", "caution", OWN, "samples"),
        "R104": Code("p cannot reach 0.05", "warning", "Colas 2019, section 4.5, quantisation of p-values", "samples"),
        "R105": Code("a test of distributions names no winner", "warning", "Colas 2018, footnote 3", "samples"),
        "R107": Code("nothing was trimmed", "info", "Yuen 1974", "samples"),
        "R108": Code("a standard error of 0 although a sample varies", "caution", "Neubert & Brunner 2007", "samples"),
        "R109": Code(
            "a continuous distribution for the ranks of too few runs",
            "warning",
            f"{OWN}; Mann & Whitney 1947",
            "samples",
        ),
        "R201": Code("ties on every task", "warning", OWN, "tasks"),
        "R202": Code("tasks left out", "info", "Skillings & Mack 1981", "tasks"),
        "R203": Code("runs averaged within tasks", "caution", "Mack & Skillings 1980; Casesa 2024 §2.3.1", "tasks"),
        "R204": Code("tasks do not connect all algorithms", "warning", "Skillings & Mack 1981", "tasks"),
        "R205": Code("χ² with few runs", "caution", "Casesa 2024 §2.3.3", "tasks"),
        "R206": Code(
            "mean ranks depend on third algorithms", "caution", "Benavoli, Corani & Mangili 2016, JMLR 17", "ranks"
        ),
        "R207": Code(
            "pairs that differ without an omnibus rejection", "caution", "Casesa 2024 §2.3.2, step 6", "ranks"
        ),
        "R301": Code("an effect size that is not defined", "info", OWN, "shape"),
        "R302": Code("scores that are not normal", "info", "Casesa 2024 §2.5.2", "shape"),
        "R303": Code(
            "runs that fall into two groups", "warning", "Colas et al. 2019 §4.1; Engelman & Hartigan 1969", "shape"
        ),
        "R304": Code("too few runs to judge a shape", "info", "D'Agostino 1970", "shape"),
        "R401": Code("the best score so far", "warning", "Agarwal et al. 2021, figure 5", "curves"),
        "R402": Code("steps that go back", "warning", OWN, "curves"),
        "R403": Code("last evaluations over unequal parts of training", "warning", OWN, "curves"),
        "R404": Code("risks without an interval", "info", OWN, "curves"),
        "R405": Code(
            "learning curves of one task", "caution", f"{OWN}; docs/guides/comparing-learning-curves.md", "curves"
        ),
        "R406": Code("the last value is mostly noise", "caution", OWN, "curves"),
    }
)
APPLIES: Mapping[str, Callable[[AboutTest], bool]] = MappingProxyType(
    dict.fromkeys(("R016", "R104"), lambda test: test.relabels)
    | {
        "R109": lambda test: test.by_rank,
        # The law of the improvement allows for unequal spreads.
        "R005": lambda test: test.by_rank and test.name != "jackknife",
        # Relabelled runs of plain means are misled by unequal spreads.
        "R004": lambda test: test.relabels and test.compares == "means" and not test.studentized,
        "R105": lambda test: test.claim is None,
        "R107": lambda test: test.trims,
        "R203": lambda test: test.averages,
        "R205": lambda test: test.by_rank and not test.averages,
    }
)
"""The tests that a code concerns; a code without an entry does not depend on the test."""
USUAL_ALPHA = 0.05
"""Level of the rules that judge a design before any level is chosen."""


def advise(
    code: str, text: str, *, subjects: Iterable[str] = (), severity: Severity | None = None, source: str | None = None
) -> Advice:
    """Return the advice of a code; `subjects` are the algorithms that the text names, severity and source the code's own if None."""
    entry = CODES[code]
    return Advice(
        code=code,
        severity=severity or entry.severity,
        text=text,
        source=source or entry.source,
        subjects=tuple(dict.fromkeys(subjects)),
    )


def collected(*rules: Advice | None, unit: str = "run") -> tuple[Advice, ...]:
    """Return the advice that applies, each once; of episodes where a row is one."""
    # Once more after the words have changed: two rules may read alike of episodes. A dictionary keeps the order of the rules.
    given = dict.fromkeys(advice for advice in rules if advice is not None)
    return tuple(dict.fromkeys(replace(advice, text=of_unit(advice.text, unit)) for advice in given))


def warn_of(advice: Iterable[Advice], *, besides: Iterable[str] = ()) -> None:
    """Give a Python warning for each warning about what is missing, at the method's caller; `besides`: codes reported in other words."""
    for item in advice:
        if item.severity == "warning" and CODES[item.code].warns and item.code not in besides:
            # Up to the caller of the method, whose line a person can change.
            warn(f"{item.code} {neutral(item.text)} ({item.source})")


def listed(names: Iterable[object]) -> str:
    """Return the first names, quoted, and how many more there are."""
    return some(repr(name) for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The algorithms that a text is about: in words, and their names as data."""

    words: str
    names: tuple[str, ...]

    @property
    def quoted(self) -> str:
        """Return the bare names: "'A' and 'B'"."""
        return " and ".join(repr(name) for name in self.names)


def algorithm(name: str) -> Subject:
    return Subject(words=f"algorithm {name!r}", names=(name,))


def pair(a: str, b: str) -> Subject:
    return Subject(words=f"the pair {a!r} and {b!r}", names=(a, b))
