"""What every figure takes beside its result: where to draw, how wide, in which colours, under which title.

A figure is declared with `@figure` and takes these options as `**options`, whose TypedDict tells a type checker what they are. The decorator
spells them out in the signature and the docstring, refuses others, and fills in what was not given. A width is inches, or the text of a venue:
a figure made for it needs no scaling, so that its 7 points stay 7 points.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from math import inf
from types import MappingProxyType
from typing import Any, TypedDict, TypeVar, cast, get_type_hints

import numpy as np
from matplotlib.axes import Axes

from runoff.answer.base import Result
from runoff.data.curves import Curves
from runoff.data.given import DataOptions, as_scores
from runoff.errors import OptionError, nearest
from runoff.hints.words import argument_hint
from runoff.plots._canvas import entitle, name_axis
from runoff.plots._marks import Color, Mark, of_palette
from runoff.plots._marks import marks as marks_of
from runoff.tables.frames import origin_of
from runoff.words.names import VenueName
from runoff.words.numbers import counted

COLUMN, PAGE = 3.3, 6.8
"""Widths of one and two columns of a paper, inches."""
POINT = 1 / 72.27
"""Inches of a point of TeX."""
LENGTHS: Mapping[str, float] = MappingProxyType({"mm": 1 / 25.4, "cm": 1 / 2.54, "in": 1.0, "pt": POINT})
"""Inches of a unit of length."""
Places = Axes | Iterable[Axes] | None
"""Where to draw: Axes, several (as `plt.subplots` returns them), or on a figure that is made."""
F = TypeVar("F", bound=Callable[..., Any])
ANSWERS: Mapping[str, str] = MappingProxyType(
    {
        "AggregateResult": "runoff.methods.aggregate:aggregate",
        "ComparisonResult": "runoff.methods.compare:compare",
        "CriticalDifferenceResult": "runoff.methods.rank:critical_difference",
        "CurveSummaryResult": "runoff.methods.curves:curves",
        "DescribeResult": "runoff.methods.describe:describe",
        "EffectsResult": "runoff.methods.effects:effect_sizes",
        "EfficiencyResult": "runoff.methods.curves:curves",
        "InferentialResult": "runoff.methods.inferential:inferential_intervals",
        "ProfileResult": "runoff.methods.profile:performance_profile",
        "RankIntervalsResult": "runoff.methods.rank_intervals:rank_intervals",
        "ReliabilityResult": "runoff.methods.reliability:reliability",
        "RobustnessResult": "runoff.methods.robustness:robustness",
        "TuningResult": "runoff.methods.tuning:tuning",
    }
)
"""The kinds of answers that data alone have, each with what gives it: a figure of such an answer takes the data too."""
MADE_BY: Mapping[str, str] = MappingProxyType(
    {
        "CheckResult": "ro.check(data)",
        "PlanResult": "ro.plan(data)",
        "ReachResult": "ro.time_to_threshold(curves, threshold=150)",
        "ReproduceResult": "ro.reproduce(data, 'atari_100k:SPR')",
        "RunsNeededResult": "ro.runs_needed(effect=0.8, std=1.0)",
        "SensitivityResult": "ro.tuning(data, view='sensitivity')",
        "SequentialResult": "ro.sequential(data, design)",
        "WhereResult": "ro.where(data, 'A', 'B')",
    }
)
"""The calls that give other kinds of answers, which take more than data."""
PARTS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("RankingResult", "CriticalDifferenceResult"): "critical",
        ("RankingResult", "RankIntervalsResult"): "places",
    }
)
"""What of an answer another one holds: its field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """The text of a venue: what `\\columnwidth` and `\\textwidth` print in its style, in inches, and where that is from."""

    column: float
    page: float
    source: str


WIDTHS: Mapping[str, Venue] = MappingProxyType(
    {
        "neurips": Venue(column=5.5, page=5.5, source="neurips_2026.sty: text of 5.5 in"),
        "iclr": Venue(column=5.5, page=5.5, source="iclr2026_conference.sty: text of 5.5 in"),
        "icml": Venue(column=3.25, page=6.75, source="icml2024.sty: text of 6.75 in, columns 0.25 in apart"),
        "jmlr": Venue(column=6.0, page=6.0, source="jmlr2e.sty: text of 6 in, margins of 1.25 in on letter paper"),
        "tmlr": Venue(column=6.5, page=6.5, source="tmlr.sty: text of 6.5 in"),
        "aaai": Venue(column=3.3125, page=7.0, source="aaai24.sty: text of 7 in, columns 0.375 in apart"),
        "ieee": Venue(
            column=252 * POINT, page=516 * POINT, source="IEEEtran.cls, 10pt: columns of 252 pt, text of 516 pt"
        ),
        "acm": Venue(
            column=241.15 * POINT,
            page=506.3 * POINT,
            source="acmart.cls, sigconf: text of 506.3 pt, columns 24 pt apart",
        ),
        "article": Venue(column=345 * POINT, page=345 * POINT, source="article.cls, 10pt: text of 345 pt"),
    }
)
"""What `width=` may name: one-column venues have two equal widths. Figures of one panel take the column, those of several the page.

Sources are the style files of the venues; other years may differ, and `\\the\\textwidth` in a document tells.
"""


def mm(length: float) -> float:
    """Return a length in millimetres as `width=` takes it.

    >>> round(mm(88), 3)
    3.465
    """
    return length / 25.4


class PanelsOptions(TypedDict, total=False):
    """Options of a figure whose panels have options of their own."""

    width: float | VenueName | str | None
    title: str | None


class Plain(PanelsOptions, total=False):
    """Options of a figure of one panel without algorithms."""

    ax: Axes | None


class Whole(PanelsOptions, total=False):
    """Options of a figure that lays out its panels itself."""

    colors: Mapping[str, Color | Mark] | None
    palette: str | Sequence[Color] | Mapping[str, Color] | None


class Marked(Plain, Whole, total=False):
    """Options of a figure of one panel."""


class Panels(Whole, total=False):
    """Options of a figure of several panels."""

    ax: Places
    axes: Sequence[Axes] | None


ABOUT: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "ax": ("Axes, optional", "None makes a figure."),
        "axes": ("sequence of Axes, optional", "One for each {panel}; None makes a figure (`axes[0].figure`)."),
        "width": (
            'float, "neurips", "icml", "jmlr", … or "88mm", optional',
            "Of a figure that is made: inches, a length with its unit (mm, cm, in, pt), or a venue of `WIDTHS`; None takes {width}.",
        ),
        "colors": (
            "mapping of {row} to a color of matplotlib or Mark, optional",
            "Colours that are pinned; others are those that `marks` gives in the whole set of the data.",
        ),
        "palette": (
            "str, sequence of colors or mapping, optional",
            "A colormap of matplotlib by name, or colors in the order of the data, for those that `colors` does not name.",
        ),
        "title": ("str, optional", "{title}"),
        "ax of Panels": (
            "Axes or sequence of Axes, optional",
            "The same as `axes`; a single one where there is one panel.",
        ),
    }
)
"""Option -> its type and what it is, as docstrings have them; an entry "of" a kind of figure goes before the general one."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The options of one call, checked: Axes that were given, and what a figure is made with where none were."""

    ax: Axes | None
    axes: Sequence[Axes] | None
    inches: float | None
    title: str | None
    colors: Mapping[str, Color | Mark] | None
    palette: str | Sequence[Color] | Mapping[str, Color] | None = None
    whole: Sequence[str] = ()

    @property
    def is_new(self) -> bool:
        """Whether a figure is made here."""
        return self.ax is None and self.axes is None

    @property
    def width(self) -> float:
        """The inches of a figure that is made."""
        return COLUMN if self.inches is None else self.inches

    def room(self, share: float) -> float:
        """Return the inches for names that take a share of the width; names on Axes that were given have all they need."""
        return share * self.width if self.is_new else inf

    def marks(self, names: Iterable[str]) -> Mapping[str, Mark]:
        own = list(dict.fromkeys(names))
        # In the order of the data, so that two figures of some of them agree.
        pinned = {} if self.palette is None else of_palette(self.palette, self.whole or own)
        return marks_of(own, colors={**pinned, **(self.colors or {})}, whole=self.whole)

    def entitled(self, ax: Axes) -> Axes:
        """Return the axes under the title of the figure."""
        entitle(ax, self.title, new=self.is_new)
        return ax

    def panels(self, n: int, what: str, make: Callable[[], tuple[Axes, ...]]) -> tuple[Axes, ...]:
        """Return one Axes for each panel: those that were given, or those of a new figure."""
        axes = make() if self.axes is None else tuple(self.axes)
        if len(axes) != n:
            raise OptionError(f"axes must be one for each of {counted([n], what)}, not {len(axes)}.")
        return axes

    def finished(self, axes: tuple[Axes, ...], words: str = "") -> tuple[Axes, ...]:
        """Return panels that share the words of their axis, where it has some, under the title of the figure."""
        if words:
            name_axis(axes, words, new=self.is_new)
        self.entitled(axes[0])
        return axes


def frame_of(options: Plain | Marked | Panels | PanelsOptions | Whole) -> Frame:
    """Return the options that `figure` has filled in and checked, as a record."""
    given = cast("dict[str, Any]", options)
    ax, axes = given.get("ax"), given.get("axes")
    if ax is not None and axes is not None:
        raise OptionError("ax and axes say the same: give one of them.")
    if "axes" in given and (several := ax if axes is None else axes) is not None:
        # One Axes, a list of them, or the array of rows and columns that `plt.subplots` returns.
        ax, axes = None, list(np.ravel(np.array(several, dtype=object)))
    own = {
        "title": given["title"],
        "colors": given.get("colors"),
        "palette": given.get("palette"),
        "whole": given["whole"],
    }
    return Frame(ax=ax, axes=axes, inches=given["width"], **own)


def figure(
    width: float | None, *, row: str = "algorithm", panel: str = "task", title: str = "Of the figure."
) -> Callable[[F], F]:
    """Return the decorator of a figure: its usual `width`, and what docstrings call its rows, its panels and its title."""

    def decorate(function: F) -> F:
        # Annotations are texts (PEP 563), and a TypedDict that is unpacked has no keys at run time but these.
        # "Unpack[Marked]": the TypedDict that the figure's `**options` are unpacked from.
        kind: Any = function.__globals__[function.__annotations__["options"].removeprefix("Unpack[").removesuffix("]")]
        hints = {name: kind.__annotations__[name] for name in ABOUT if name in kind.__annotations__}
        defaults: dict[str, Any] = {**dict.fromkeys(hints), "width": width}

        @wraps(function)
        def drawn(*args: Any, **options: Any) -> Any:
            # A TypedDict is for type checkers alone: at run time any keyword would be taken in silence.
            more = {name: options.pop(name) for name in [*options] if name not in signature.parameters}
            of_data = asked_of_data(kind_of_result) if args and not isinstance(args[0], Result) else ()
            _refuse_unknown(function.__name__, more, signature.parameters, of_data)
            options = {**defaults, **options}
            if args:
                args = (drawable(args[0], function.__name__, kind_of_result, **more), *args[1:])
            # Results and scores know the set that they are some of; its names decide the colours.
            whole = origin_of(args[0] if args else options.get(own[0].name)).whole
            inches = width if options["width"] is None else inches_of(options["width"], one_column=width == COLUMN)
            return function(*args, **options | {"width": inches, "whole": whole})

        own = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
        kind_of_result = function.__annotations__[own[0].name]
        only = inspect.Parameter.KEYWORD_ONLY
        shared = [
            inspect.Parameter(name, only, default=defaults[name], annotation=hint.__forward_arg__)
            for name, hint in hints.items()
        ]
        signature = inspect.signature(function).replace(parameters=[*own, *shared])
        drawn.__signature__ = signature  # type: ignore[attr-defined]
        own_hints = {name: hint for name, hint in function.__annotations__.items() if name != "options"}
        drawn.__annotations__ = {**own_hints, **{name: get_type_hints(kind)[name] for name in hints}}
        returns = function.__annotations__["return"].replace("tuple[Axes, ...]", "tuple of Axes")
        usual = "what its cells need" if width is None else f"{width:g} inches"
        words = {"row": row, "panel": panel, "title": title, "returns": returns, "width": usual}
        drawn.__doc__ = _documented(function, kind, words)
        return cast(F, drawn)

    return decorate


def _refuse_unknown(figure: str, more: Mapping[str, Any], own: Iterable[str], of_data: Sequence[str]) -> None:
    for name in more:
        if name not in of_data:
            hint = argument_hint(name, [*own, *of_data], more[name])
            raise TypeError(f"{figure}() got an unexpected keyword argument {name!r}{hint}")


def asked_of_data(kind: str) -> tuple[str, ...]:
    """Return what may be asked beside data of which a figure draws an answer: the options of that answer, and those of data."""
    if kind != "Scores" and kind not in ANSWERS:
        return ()
    parts = inspect.signature(_ask_of(kind)).parameters.values() if kind in ANSWERS else ()
    return (*(part.name for part in parts if part.kind is part.KEYWORD_ONLY), *DataOptions.__annotations__)


def _ask_of(kind: str) -> Callable[..., Any]:
    module, name = ANSWERS[kind].split(":")
    return cast("Callable[..., Any]", getattr(import_module(module), name))


def drawable(given: Any, figure: str, kind: str, **of_data: Any) -> Any:
    """Return what a figure draws of what it was given: an answer of its kind, or of that kind within it, or that of data, which `of_data`
    is about.

    Raises
    ------
    OptionError
        An answer of another kind, or data of which there is no default answer.
    """
    if not isinstance(given, Result):
        return answered(given, figure, kind, **of_data)
    own = type(given).__name__
    if any(part.__name__ in kind.split(" | ") for part in type(given).__mro__):
        return given
    if part := PARTS.get((own, kind)):
        if (inner := getattr(given, part)) is not None:
            return inner
        raise OptionError(
            f"plots.{figure} has nothing to draw: {' '.join(getattr(given, 'left_out', ())) or f'there is no {part}.'}"
        )
    raise OptionError(f"plots.{figure} draws a {kind}, not a {own}; result.plot() draws what there is of one.")


def made_by(kind: str) -> str:
    """Return the call that gives an answer, behind a comma; "" where several calls do."""
    calls = [f", {MADE_BY[own]}" for own in re.split(r" ?\| ?", kind) if own in MADE_BY]
    return "".join(calls[:1])


def answered(data: Any, figure: str, kind: str, **of_data: Any) -> Any:
    """Return what a figure draws of data: the answer of the kind that it takes, by default the default one.

    Raises
    ------
    OptionError
        The kind of answer takes more than data.
    """
    if kind == "Scores":
        return as_scores(data.final() if isinstance(data, Curves) else data, **of_data)
    if kind not in ANSWERS:
        raise OptionError(
            f"plots.{figure} draws a {kind}, which needs more than data: compute the result first{made_by(kind)}, and draw that."
        )
    return _ask_of(kind)(data, **({"by": "task"} if kind == "CurveSummaryResult" else {}) | of_data)


def _documented(function: Callable[..., Any], kind: Any, words: Mapping[str, str]) -> str:
    """Return a figure's docstring with the shared options after its own parameters, and what it returns."""
    entries = []
    for name in (name for name in ABOUT if name in kind.__annotations__):
        hint, text = (part.format(**words) for part in ABOUT.get(f"{name} of {kind.__name__}", ABOUT[name]))
        entries.append(f"{name} : {hint}\n    {text}")
    # The sections of numpydoc; the shared options come after the parameters of the figure's own.
    head, *rest = re.split(r"\n\n(?=[A-Z][a-z]+\n-+\n)", inspect.cleandoc(function.__doc__ or ""))
    parameters, *rest = rest
    if not rest or not rest[0].startswith("Returns"):
        rest.insert(0, f"Returns\n-------\n{words['returns']}")
    return "\n\n".join([head, "\n".join([parameters, *entries]), *rest]) + "\n"


def inches_of(width: float | VenueName | str, *, one_column: bool) -> float:
    """Return the inches of a width: a venue's column for figures that usually have one, its page for others.

    >>> round(inches_of("85mm", one_column=True), 2), inches_of("icml", one_column=True), inches_of("icml", one_column=False)
    (3.35, 3.25, 6.75)

    Raises
    ------
    OptionError
        No length from 1 to 60 inches, and no venue.
    """
    if isinstance(width, str) and width in WIDTHS:
        return WIDTHS[width].column if one_column else WIDTHS[width].page
    length = re.fullmatch(r"(\d+(?:\.\d+)?) ?(mm|cm|in|pt)?", width) if isinstance(width, str) else None
    own = float(length[1]) * LENGTHS[length[2] or "in"] if length else width
    if isinstance(own, bool) or not isinstance(own, int | float) or not 1.0 <= own <= 60.0:
        raise OptionError(
            f"width must be inches from 1 to 60, a length in another unit (plots.mm(88), '88mm', '240pt'), or one of {', '.join(WIDTHS)}, "
            f"not {width!r}.{nearest(width, WIDTHS) if isinstance(width, str) else ''}"
        )
    return float(own)
