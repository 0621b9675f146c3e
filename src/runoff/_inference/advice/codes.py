"""CODES: every advice code and all that is known about it; and the one way to make an `Advice`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from runoff._inference.about import AboutTest
from runoff.errors import RunoffWarning
from runoff.results.advice import Advice, Severity

Topic = Literal["comparison", "data", "samples", "tasks", "ranks", "shape", "curves"]
OWN = "runoff, definition"


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One code; docs/advice.md has a section for each, headed by its title.

    Attributes
    ----------
    title : str
    severity : "warning", "caution" or "info"
        Unless the rule finds it more serious, or less.
    source : str
        Where the guideline is from.
    topic : str
        What it is about: any comparison, the data before it, two samples, tests over tasks, comparisons of mean ranks, the shape of runs,
        learning curves.
    warns : bool
        Whether `aggregate` and `inferential_intervals` also raise a Python warning where they carry it as a warning: for what is
        missing from their answer.
    applies : function of AboutTest, optional
        The tests it concerns; None where it does not depend on the test.
    """

    title: str
    severity: Severity
    source: str
    topic: Topic
    warns: bool = False
    applies: Callable[[AboutTest], bool] | None = None

    def concerns(self, test: AboutTest) -> bool:
        """Return whether the code can apply to a test."""
        return self.applies is None or self.applies(test)


def _by_rank(test: AboutTest) -> bool:
    return test.by_rank


CODES: Mapping[str, Code] = MappingProxyType(
    {
        "R001": Code(
            title="fewer than five runs", severity="warning", source="Colas et al. 2019 §5-6", topic="comparison"
        ),
        "R002": Code(
            title="a single run in a cell",
            severity="warning",
            source="Agarwal et al. 2021 §2",
            topic="comparison",
            warns=True,
        ),
        "R003": Code(
            title="bootstrap with few runs",
            severity="info",
            source="Colas et al. 2018 §5.2; Colas et al. 2019 §4.5",
            topic="comparison",
        ),
        "R004": Code(
            title="permutation of means with few runs",
            severity="caution",
            source="Colas et al. 2019 §4.5",
            topic="comparison",
            applies=lambda test: test.swaps_means,
        ),
        "R005": Code(
            title="a rank test on cells of unequal spread",
            severity="caution",
            source="Colas et al. 2019 §4.5; Casesa 2024 §3.5",
            topic="comparison",
            applies=_by_rank,
        ),
        "R006": Code(
            title="skewed cells",
            severity="info",
            source="Colas et al. 2018 §6; Colas et al. 2019 §5",
            topic="comparison",
        ),
        "R007": Code(
            title="several comparisons", severity="info", source="Casesa 2024 §2.6; Holm 1979", topic="comparison"
        ),
        "R008": Code(
            title="units of the tasks",
            severity="info",
            source="Agarwal et al. 2021 §4; Casesa 2024 §2.2",
            topic="comparison",
        ),
        "R009": Code(
            title="ties", severity="info", source="Casesa 2024 §2.3.2 step 1", topic="comparison", applies=_by_rank
        ),
        "R010": Code(
            title="unequal numbers of runs", severity="info", source="Casesa 2024 eqs. 2.13-2.18", topic="comparison"
        ),
        "R011": Code(title="no spread", severity="warning", source=OWN, topic="comparison", warns=True),
        "R012": Code(
            title="missing cells",
            severity="warning",
            source="Skillings & Mack 1981; Casesa 2024 §2.3",
            topic="comparison",
            warns=True,
        ),
        "R013": Code(
            title="means and ranks disagree",
            severity="warning",
            source="Agarwal et al. 2021 §4.3",
            topic="comparison",
        ),
        "R014": Code(
            title="complete separation",
            severity="info",
            source="Brunner & Munzel 2000; docs/estimates.md",
            topic="comparison",
        ),
        "R015": Code(title="names that are nearly identical", severity="caution", source=OWN, topic="data"),
        "R016": Code(
            title="no runs of this design could be told apart",
            severity="warning",
            source="Colas et al. 2019 §4.5, quantisation of p-values",
            topic="comparison",
            applies=lambda test: test.relabels,
        ),
        "R017": Code(
            title="a t test where relabelling cannot decide",
            severity="info",
            source=f"{OWN}; docs/calibration.md",
            topic="comparison",
        ),
        "R018": Code(
            title="an interval that does not reach its level",
            severity="info",
            source=f"{OWN}; docs/estimates.md",
            topic="comparison",
        ),
        "R019": Code(title="runs that ended early", severity="warning", source=OWN, topic="data"),
        "R020": Code(title="percentages beside fractions", severity="warning", source=OWN, topic="data"),
        "R021": Code(title="a single published value", severity="info", source=OWN, topic="data"),
        "R022": Code(
            title="runs that move together over tasks",
            severity="warning",
            source=f"{OWN}; docs/comparing.md",
            topic="data",
        ),
        "R023": Code(title="one run twice", severity="warning", source=OWN, topic="data"),
        "R024": Code(
            title="rows that follow each other", severity="warning", source="Bartels 1982, JASA 77", topic="data"
        ),
        "R025": Code(
            title="a candidate that spreads otherwise",
            severity="caution",
            source="Janssen 1997; Chung & Romano 2013; docs/guides/gate-your-agent.md",
            topic="comparison",
        ),
        "R101": Code(
            title="neither sample varies",
            severity="warning",
            source=f"{OWN}; a t test would divide by 0",
            topic="samples",
        ),
        "R102": Code(title="one sample is constant", severity="caution", source=OWN, topic="samples"),
        "R103": Code(title="equal samples", severity="caution", source=OWN, topic="samples"),
        "R104": Code(
            title="p cannot reach 0.05",
            severity="warning",
            source="Colas 2019, section 4.5, quantisation of p-values",
            topic="samples",
            applies=lambda test: test.relabels,
        ),
        "R105": Code(
            title="a test of distributions names no winner",
            severity="warning",
            source="Colas 2018, footnote 3",
            topic="samples",
            applies=lambda test: test.claim is None,
        ),
        "R106": Code(
            title="ties in a two-sample test",
            severity="info",
            source="Lehmann 1975, section 1.4",
            topic="samples",
            applies=_by_rank,
        ),
        "R107": Code(
            title="nothing was trimmed",
            severity="info",
            source="Yuen 1974",
            topic="samples",
            applies=lambda test: test.trims,
        ),
        "R108": Code(
            title="a standard error of 0 although a sample varies",
            severity="caution",
            source="Neubert & Brunner 2007",
            topic="samples",
        ),
        "R109": Code(
            title="a continuous law of the ranks of too few runs",
            severity="warning",
            source=f"{OWN}; Mann & Whitney 1947",
            topic="samples",
            applies=_by_rank,
        ),
        "R201": Code(title="every task is one tie", severity="warning", source=OWN, topic="tasks"),
        "R202": Code(title="tasks left out", severity="info", source="Skillings & Mack 1981", topic="tasks"),
        "R203": Code(
            title="runs averaged within cells",
            severity="caution",
            source="Mack & Skillings 1980; Casesa 2024 §2.3.1",
            topic="tasks",
            applies=lambda test: test.averages,
        ),
        "R204": Code(
            title="tasks do not connect all algorithms",
            severity="warning",
            source="Skillings & Mack 1981",
            topic="tasks",
        ),
        "R205": Code(
            title="χ² with few runs",
            severity="caution",
            source="Casesa 2024 §2.3.3",
            topic="tasks",
            applies=lambda test: test.by_rank and not test.averages,
        ),
        "R206": Code(
            title="mean ranks depend on third algorithms",
            severity="caution",
            source="Benavoli, Corani & Mangili 2016, JMLR 17",
            topic="ranks",
        ),
        "R207": Code(
            title="pairs apart without an omnibus rejection",
            severity="caution",
            source="Casesa 2024 §2.3.2, step 6",
            topic="ranks",
        ),
        "R301": Code(title="an effect size that is not defined", severity="info", source=OWN, topic="shape"),
        "R302": Code(title="cells that are not normal", severity="info", source="Casesa 2024 §2.5.2", topic="shape"),
        "R303": Code(
            title="runs in two groups",
            severity="caution",
            source="Colas et al. 2019 §4.1; Ashman, Bird & Zepf 1994",
            topic="shape",
        ),
        "R304": Code(title="too few runs to judge a shape", severity="info", source="D'Agostino 1970", topic="shape"),
        "R401": Code(
            title="the best score so far", severity="warning", source="Agarwal et al. 2021, figure 5", topic="curves"
        ),
        "R402": Code(title="steps that go back", severity="warning", source=OWN, topic="curves"),
        "R403": Code(
            title="too few relabellings for all steps",
            severity="warning",
            source="Westfall & Young 1993",
            topic="curves",
        ),
        "R404": Code(title="the worst of few runs", severity="caution", source=OWN, topic="curves"),
    }
)


def advise(
    code: str,
    text: str,
    *,
    subjects: Iterable[str] = (),
    severity: Severity | None = None,
    source: str | None = None,
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


def collected(*rules: Advice | None) -> tuple[Advice, ...]:
    """Return the advice that applies, each once."""
    return tuple(dict.fromkeys(advice for advice in rules if advice is not None))


def warn_of(advice: Iterable[Advice], *, besides: Iterable[str] = ()) -> None:
    """Give a Python warning for each warning about what is missing, at the line that called the method.

    Called by the method itself. `besides` names codes already reported in other words.
    """
    for item in advice:
        if item.severity == "warning" and CODES[item.code].warns and item.code not in besides:
            warnings.warn(str(item), RunoffWarning, stacklevel=3)


def listed(names: Iterable[object]) -> str:
    """Return the first names, quoted, and how many more there are."""
    return some(repr(name) for name in names)


def some(texts: Iterable[str], most: int = 3) -> str:
    """Return the first texts, and how many more there are."""
    all_texts = list(texts)
    return ", ".join(all_texts[:most]) + (f" and {len(all_texts) - most} more" if len(all_texts) > most else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whom a text names: the words for it, and the names as data."""

    words: str
    names: tuple[str, ...]

    @property
    def quoted(self) -> str:
        """Return the bare names: "'A' and 'B'"."""
        return " and ".join(repr(name) for name in self.names)


def algorithm(name: str) -> Subject:
    """Return one algorithm."""
    return Subject(words=f"algorithm {name!r}", names=(name,))


def pair(a: str, b: str) -> Subject:
    """Return two algorithms that are compared."""
    return Subject(words=f"the pair {a!r} and {b!r}", names=(a, b))
