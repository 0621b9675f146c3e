"""`report`: everything runoff can say about the data, on one page and in files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from runoff._inference.bootstrap import OwnFunction, named_measure
from runoff.base.ports import door
from runoff.base.random import RNG, streams
from runoff.base.validate import check_alpha, check_choice, check_resamples
from runoff.data.curves import Curves
from runoff.data.ends import POLICIES
from runoff.data.given import ScoreReading, ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.page.answers.all import Answers, Progress, answer, level_of
from runoff.page.answers.curves import answer_curves
from runoff.page.files.folder import PAGES, Page, Staging, page_alone, refuse_others_folder, staged
from runoff.page.words.paper import FORMATS
from runoff.words.names import (
    FigureFormat,
    Incomplete,
    MeasureName,
    OverName,
    SingleValue,
    StratumWeights,
    Unreferenced,
    VenueName,
)
from runoff.words.numbers import listed
from runoff.words.speech import Sentence, choice, neutral, option

if TYPE_CHECKING:
    from runoff.page.sheet.drawing import Drawing

Normalization = str | Path | Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A written report.

    Attributes
    ----------
    path : Path
        The path of the page.
    folder : Path, optional
        Where results.json, tables/ and, where they were asked for, figures/ are; None where the page is alone.
    answers : Answers
        The results that it shows.
    formats : tuple of str
        The formats of its figures.
    """

    path: Path
    answers: Answers
    folder: Path | None = None
    formats: tuple[str, ...] = ()

    def __str__(self) -> str:
        from runoff.page.words.headline import sentences

        return " ".join([*sentences(self.answers), f"The report is {self.path}."])


def report(
    data: ScoresLike | Curves,
    out: str | Path = "runoff-report",
    *,
    curves: Curves | None = None,
    normalize: Normalization | None = None,
    assume_raw: bool = False,
    unreferenced: Unreferenced = "error",
    measure: MeasureName | OwnFunction = "auto",
    over: OverName = "auto",
    cluster: Mapping[str, str] | None = None,
    strata: Mapping[str, str] | None = None,
    weights: StratumWeights | Mapping[str, float] = "equal",
    single_value: SingleValue = "line",
    margin: float | None = None,
    variants: bool = False,
    incomplete: Incomplete = "auto",
    alpha: float = 0.05,
    rng: RNG = 0,
    n_resamples: int = 50_000,
    title: str | None = None,
    command: str | None = None,
    figures: FigureFormat | Sequence[FigureFormat] | None = None,
    width: float | VenueName | str | None = None,
    progress: Progress | None = None,
    force: bool = False,
    **of_data: Unpack[ScoreReading],
) -> Report:
    """Which algorithm is better, how sure can you be, and how do you report it?

    Parameters
    ----------
    data : Scores, Curves, data frame, dictionary or path
        What is no data yet is read as by `runoff.load`. Of curves the scores are each run's last evaluation.
    out : path
        A folder, by default that of the command line: new, empty, or holding an earlier report, which is replaced once the new one is
        complete; other files in it are kept. Or a file that ends in .html: the page alone, without tables and figures for a paper.
    curves : Curves, optional
        The learning curves that the scores are the ends of: the report then has a section on them. Curves given as `data` are these.
    normalize : registered name, file or {task: (low, high)}, optional
        Reference scores.
    assume_raw : bool
        Normalise what looks normalised already, which is refused otherwise.
    unreferenced : "error" or "drop"
        Of tasks without reference scores, as in `Scores.normalize`.
    measure : str or function
        What algorithms are ranked and compared by, as in `compare`.
    over : "auto", "runs" or "tasks"
        What is the sample, as in `compare`; cluster: {task: cluster}, where it is the tasks. The page then has accuracies, pairs and the items
        that only one of two solved.
    strata, weights : {task: stratum}, and what they weigh
        As in `compare`: the page has each benchmark, or suite, by itself, and their weighted mean. What weighs every task alike does not
        apply: ranks, profiles, the tasks that make the lead, what the order survives.
    margin : float, optional
        The smallest difference of the measure that matters, as in `compare`; without one a tenth of the range of the runs says how many more.
    single_value : "line" or "tested"
        Of an algorithm with one value per task beside runs, as in `compare`.
    variants : bool
        Report the configurations of a sweep as algorithms, as in `compare`.
    incomplete : "auto", "error", "drop", "carry" or "worst"
        Of runs that ended early, as in `Curves.final`: of the scores of curves given as `data`, and of the section on curves, where "auto"
        is "carry". The page says what was done.
    alpha : float
        False positive rate over all pairs.
    rng : int or numpy Generator
        A seed, or what draws one; the report names the seed.
    n_resamples : int
    title : str, optional
    command : str, optional
        Shown as the way to make the report again; None writes the call. The page names options as this does: a command of the shell that
        begins with "runoff ", or Python.
    figures : "svg", "pdf", "png" or "all", or several of them, optional
        The formats in which figures for a paper are drawn beside the page, which has drawings of its own; None draws none. Each takes about
        as long as the numbers of a small report.
    width : float, "neurips", "icml", "ieee", … or "88mm", optional
        That of these figures, as in `runoff.plots`: inches, a length with its unit, or the text of a venue; None takes that of each.
    progress : callable (what, share done), optional
    force : bool
        Write into a folder of other files, and overwrite files that runoff did not write or that were changed since.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`).

    Returns
    -------
    Report

    Raises
    ------
    OutputError
        `out` holds something else, or cannot be written.
    DataError, DesignError, OptionError
        What reading, normalising and comparing refuse; curves of other algorithms or tasks than the scores.

    Notes
    -----
    The same data, options and versions give the same bytes of report.html. Names of algorithms become safe file names in
    tables/scores. A text in a CSV that begins with one of ``= + - @ '``, a tab or a line end is preceded by an apostrophe, so that no
    spreadsheet runs it; remove that one apostrophe to recover the text.

    Each table for a paper comes as LaTeX with caption and label (``tab:runoff-NAME``), set in 8 pt and never scaled:
    ``NAME_column.tex`` fits a column of a two-column class (218 pt), ``NAME_wide.tex`` the width of the text (345 pt, over both columns of a
    two-column class), in as many floats as it takes, none taller than a page; ``NAME_long.tex``, where there are more than 20 rows, is a
    longtable for one column. Where there is little room, an interval stands in a line of its own below its estimate, and columns that do not
    fit beside each other stand in blocks below each other. The document loads the packages booktabs, and longtable for the last, which every
    TeX distribution has (Debian: texlive-latex-recommended). The best algorithm is bold, and with it all that the tests of pairs do not find
    worse. What pdflatex cannot print of a name is told in a comment at the top.
    """
    # Before anything is computed: what is refused is refused in a second, not after minutes.
    check_alpha(alpha)
    check_resamples(n_resamples, 1)
    check_choice("incomplete", incomplete, POLICIES)
    formats, measure = formats_of(figures), named_measure(measure)
    if width is not None:
        check_width(width, formats)
    runs: Any = door().loaded(data, **of_data)
    runs, curves = (runs.variants(), curves and curves.variants()) if variants else (runs, curves)
    scores = as_scores(runs.final(incomplete=incomplete) if isinstance(runs, Curves) else runs)
    along = runs if curves is None and isinstance(runs, Curves) else curves
    if normalize is not None:
        how: Any = {"assume_raw": assume_raw, "unreferenced": unreferenced}
        scores = scores.normalize(normalize, **how)
        along = None if along is None else along.normalize(normalize, **how)
    if along is not None:
        along = _of_scores(along, scores)
    # The call has what differs from the defaults, and what numbers depend on.
    settings: dict[str, object] = {"figures": figures} if formats else {}
    settings |= ({} if width is None else {"width": width}) | ({} if over == "auto" else {"over": over})
    numbers: Any = {"alpha": alpha, "seed": streams(rng).seed, "n_resamples": n_resamples}
    settings |= {"alpha": alpha, "rng": numbers["seed"], "n_resamples": n_resamples}
    call = command or _call(data, normalize, incomplete, measure, margin, **settings)
    path, folder = _places(out, formats)
    # Asked before the computing, which takes minutes; `staged` asks again for each file, for others may have
    # written since.
    if folder is not None and not force:
        refuse_others_folder(folder)
    with page_alone(path, force=force) if folder is None else staged(folder, "report", force=force) as staging:
        numbers |= {"measure": measure, "single_value": single_value, "margin": margin}
        numbers |= {"over": over, "cluster": cluster, "strata": strata, "weights": weights}
        answers = answer(scores, command=call, progress=progress, **numbers)
        if along is not None:
            # A mean along training is of the same runs at every step, so one that ended early keeps its last score.
            answers = _with_curves(answers, along, "carry" if incomplete == "auto" else incomplete)
        _write(answers, staging, title, (formats, width), progress)
    return Report(path=path, answers=answers, folder=folder, formats=formats)


def _places(out: str | Path, formats: Sequence[str]) -> tuple[Path, Path | None]:
    """Return where the page goes, and the folder of all that is beside it; None where it is alone."""
    if not isinstance(out, str | Path):
        raise OptionError(f"out must be a folder, or the file of a page, not {type(out).__name__}.")
    place = Path(out)
    if place.suffix not in PAGES or place.is_dir():
        return place / "report.html", place
    if formats:
        raise OptionError(
            f"{option('figures', formats[0])} draws files beside the page, and {out} is the page alone: name a folder."
        )
    return place, None


def _of_scores(curves: Curves, scores: Scores) -> Curves:
    """Return the curves of the algorithms and tasks that the scores have: published runs stand beside own ones on shared tasks alone."""
    algorithms = [name for name in curves.algorithms if name in scores.algorithms]
    tasks = [task for task in curves.tasks if task in scores.tasks]
    if not (algorithms and tasks):
        raise DesignError(
            "the curves are of other algorithms or tasks than the scores; give those that the scores are the ends of."
        )
    return curves.select(algorithms=algorithms, tasks=tasks)


def _with_curves(answers: Answers, curves: Curves, incomplete: Incomplete) -> Answers:
    """Return the answers with those about curves, and which algorithms of the scores have none."""
    scores, decided = answers.scores, answers.comparison
    try:
        how: Any = {"alpha": decided.alpha, "confidence_level": level_of(decided.alpha), "seed": decided.seed}
        along = answer_curves(curves, incomplete=incomplete, **how)
    except DesignError as refusal:
        # The report is about the scores: curves that allow no answer leave a note and no section.
        note = f"there is no section on learning curves: {neutral(refusal)}".rstrip(".")
        return replace(answers, scores=scores.noting(note))
    bare = [name for name in scores.algorithms if name not in curves.algorithms]
    if bare:
        have = "has no learning curves" if len(bare) == 1 else "have no learning curves"
        how = choice("compare_curves(curves.beside(…))", "runoff curves --against")
        words = f"{listed(bare)} {have} here; {how} takes those of published runs, where a set has some."
        along = replace(along, left_out=(*along.left_out, Sentence(words)))
    return replace(answers, curves=along)


def formats_of(figures: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the formats of figures that an option names; none without it.

    >>> formats_of("all"), formats_of(["png", "svg"]), formats_of(None)
    (('svg', 'pdf', 'png'), ('svg', 'png'), ())
    """
    if figures is None:
        return ()
    names = [figures] if isinstance(figures, str) else list(figures) if isinstance(figures, Iterable) else []
    if not names:
        raise OptionError(f"figures must name at least one of {', '.join(FORMATS)}, not {figures!r}.")
    for name in names:
        check_choice("figures", name, (*FORMATS, "all"))
    # In the order of FORMATS, SVG first: the layout of the others is that of the first one drawn.
    return tuple(kind for kind in FORMATS if {kind, "all"} & set(names))


def check_width(width: float | str, formats: tuple[str, ...]) -> None:
    """Refuse a width that is none, or of no figure."""
    from runoff.plots._figure import inches_of

    inches_of(width, one_column=True)
    if not formats:
        raise OptionError(
            f"{option('width', str(width))} is of figures for a paper: use {option('figures', 'pdf')} too."
        )


def _write(
    answers: Answers,
    staging: Staging | Page,
    title: str | None,
    drawn: tuple[tuple[str, ...], float | str | None],
    progress: Progress | None,
) -> None:
    from runoff.page.files.records import json_text, tables
    from runoff.page.sheet.build import build

    figures: tuple[Drawing, ...] = ()
    formats, width = drawn
    if formats:
        # Matplotlib takes a quarter of a second to load, and only figures for a paper need it.
        from runoff.page.sheet.drawing import draw

        if progress:
            progress("figures", 0.5)
        figures = draw(answers, formats, width)
    if progress:
        progress("page and tables", 0.9)
    # Tables before the page, which links to them by name.
    texts = {}
    if isinstance(staging, Staging):
        texts = {"results.json": json_text(answers)} | {f"tables/{path}": text for path, text in tables(answers)}
    staging.write("report.html", build(answers, title=title, figures=figures, files=tuple(texts), alone=not texts))
    captions = "\n\n".join(f"{figure.name}: {figure.title}. {figure.caption}" for figure in figures)
    for path, text in {**texts, **({"figures/captions.txt": f"{captions}\n"} if figures else {})}.items():
        staging.write(path, text)
    for figure in figures:
        for kind, content in figure.files.items():
            staging.write(f"figures/{figure.name}.{kind}", content)


def _call(
    data: object, normalize: object, incomplete: Incomplete, measure: str, margin: float | None, **options: object
) -> str:
    what = repr(str(data)) if isinstance(data, str | Path) else type(data).__name__.lower()
    if normalize is not None:
        options = {"normalize": str(normalize) if isinstance(normalize, str | Path) else "…"} | options
    named = {"incomplete": incomplete, "measure": measure, "margin": margin}
    options |= {name: value for name, value in named.items() if value not in ("auto", None)}
    listed = ", ".join(f"{name}={value!r}" for name, value in options.items())
    return f"runoff.report({what}, out, {listed})"
