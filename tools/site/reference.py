"""The reference: a page for every public name of the package, one for each of its public modules, one for all results."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import runoff
from runoff import answer
from runoff.plots import PLOTS

INSIDE = ("answer", "cli", "compat", "curves", "errors", "methods", "page", "reading", "references", "scores")
"""Rooms of which users name no module; what they may use of them stands in the package, or is listed here."""
MODULES = (
    *(f"runoff.{m.name}" for m in pkgutil.iter_modules(runoff.__path__) if m.name[0] != "_" and m.name not in INSIDE),
    "runoff.compat.rliable.library",
    "runoff.compat.rliable.metrics",
    "runoff.compat.rliable.plot_utils",
)
ROOMS = ("archive", "plots")
"""Public names of the package that are modules."""
TASKS = {
    "Read runs, and choose among them": (
        "Scores",
        "Curves",
        "load",
        "read_scores",
        "read_curves",
        "scan",
        "load_example",
        "describe",
        "variance",
    ),
    "Everything on one page, and what changed": ("report", "diff"),
    "Compare algorithms": (
        "compare",
        "where",
        "probability_of_improvement",
        "effect_sizes",
        "equivalence",
        "robustness",
        "inferential_intervals",
    ),
    "Estimate, and rank": (
        "aggregate",
        "performance_profile",
        "rank",
        "rank_test",
        "rank_intervals",
        "critical_difference",
        "tuning",
    ),
    "Learning curves": ("curves", "compare_curves", "time_to_threshold", "reliability"),
    "Plan": ("plan", "next_runs", "runs_needed", "power", "detectable_effect"),
    "Stop early": ("sequential", "SequentialDesign", "anytime"),
    "Gate a change": ("gate", "save_baseline", "Ledger"),
    "Two samples, and published numbers": ("two_sample_test", "test_from_summary", "claims", "reproduce"),
    "Check a method": ("check", "run_study", "Study"),
    "Refusals and warnings": ("RunoffError", "DataError", "DesignError", "OptionError", "OutputError", "RunoffWarning"),
}
"""What people want to do, and the public names that do it, the usual one first."""
GUIDES = {
    "Read runs, and choose among them": "/guides/what-is-a-run",
    "Everything on one page, and what changed": "/guides/read-your-report",
    "Compare algorithms": "/comparing",
    "Estimate, and rank": "/estimates",
    "Learning curves": "/guides/comparing-learning-curves",
    "Plan": "/guides/how-many-runs",
    "Stop early": "/guides/when-to-stop",
    "Gate a change": "/guides/gate-your-agent",
    "Two samples, and published numbers": "/guides/published-numbers",
    "Check a method": "/guides/can-i-trust-these-tests",
    "Refusals and warnings": "/guides/questions",
}
"""The page that shows a task at work."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each page of the reference."""
    yield "reference/index.rst", _index()
    for name in own_names():
        yield (
            f"reference/runoff.{name}.rst",
            f"{_title(f'runoff.{name}')}\n{_auto(f'runoff.{name}', getattr(runoff, name))}{_see_also(name)}",
        )
    for name in MODULES:
        yield f"reference/{name}.rst", _module(importlib.import_module(name))
    yield "reference/results.rst", _results()


def own_names() -> tuple[str, ...]:
    """Return the public names of the package that have a page of their own."""
    return tuple(name for name in runoff.__all__ if name not in (*ROOMS, "__version__"))


def known_names() -> dict[str, str]:
    """Return what `ro.` can be followed by, and the results, each with its dotted name in the reference."""
    own = {name: f"runoff.{name}" for name in own_names()}
    rooms = {
        f"{r}.{name}": f"runoff.{r}.{name}" for r in ROOMS for name in importlib.import_module(f"runoff.{r}").__all__
    }
    return own | rooms | {kind.__name__: f"{kind.__module__}.{kind.__name__}" for kind in result_types()}


def result_types() -> tuple[type, ...]:
    """Return the types of the answers and of their rows."""
    modules = [importlib.import_module(f"runoff.answer.{m.name}") for m in pkgutil.iter_modules(answer.__path__)]
    return tuple(
        kind
        for module in modules
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and kind.__module__ == module.__name__ and not name.startswith("_") and kind.__doc__
    )


def question(thing: Any) -> str:
    """Return the first line of a docstring, which is the question that is answered."""
    return (inspect.getdoc(thing) or "").splitlines()[0]


def _see_also(name: str) -> str:
    """Return the line that leads from a name to its neighbours, its figure and its guide."""
    task = next(task for task, names in TASKS.items() if name in names)
    others = [f":py:obj:`ro.{other} <runoff.{other}>`" for other in TASKS[task] if other != name]
    figure = [f":py:obj:`ro.plots.{name} <runoff.plots.{name}>`"] if name in PLOTS else []
    return f"\n``See also``: {', '.join([*others, *figure])}; :doc:`{GUIDES[task]}`.\n"


def _index() -> str:
    parts = [
        _title("Reference"),
        "Every public name, as its docstring describes it; the examples were executed when this site was built. ``import runoff as ro``.\n",
    ]
    for head, names in TASKS.items():
        rows = [(f":py:obj:`ro.{n} <runoff.{n}>`", question(getattr(runoff, n))) for n in names]
        parts.append(f"{_title(head, '-')}\n{_table(rows)}")
    modules = [(f":doc:`{name}`", question(importlib.import_module(name))) for name in MODULES]
    beside = [
        (":doc:`results`", "What answers are made of: their fields, and those of their rows."),
        (":doc:`command-line`", "A page for every verb, with its options by topic."),
        (":doc:`../advice`", "What each advice code says, and what to do."),
        (":doc:`../names`", "Every name that an option may have."),
        (":doc:`../design/contract`", "What scripts may rely on, results.json among it."),
    ]
    parts.append(f"{_title('Modules and tables', '-')}\n{_table([*modules, *beside])}")
    listed = [*(f"runoff.{name}" for name in own_names()), *MODULES, "results", "command-line"]
    return "\n".join([*parts, ".. toctree::\n   :hidden:\n", *(f"   {name}" for name in listed), ""])


def _module(module: ModuleType) -> str:
    own = [
        name
        for name, thing in vars(module).items()
        if inspect.isfunction(thing) and thing.__module__ == module.__name__
    ]
    names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    elsewhere = own_names() if module.__name__ == "runoff.lab" else ()
    figures = PLOTS if module.__name__ == "runoff.plots" else {}
    parts = [
        (_picture(name, figures[name].shows) if name in figures else "")
        + _auto(f"{module.__name__}.{name}", getattr(module, name))
        for name in names
        if name not in elsewhere
    ]
    return "\n".join([_title(module.__name__), f".. py:module:: {module.__name__}\n", f"{question(module)}\n", *parts])


def _picture(name: str, shows: str) -> str:
    """Return the picture of a figure in the gallery."""
    return f".. image:: /gallery/{name}.png\n   :alt: {shows}\n\n"


def _results() -> str:
    head = "What the functions return. Every answer is a :py:obj:`Result <runoff.answer.base.Result>`, so it has its methods, and is frozen.\n"
    parts = [
        f"{_title(kind.__name__, '-')}\n{_auto(f'{kind.__module__}.{kind.__name__}', kind)}" for kind in result_types()
    ]
    return "\n".join([_title("Results"), head, *parts])


def _auto(name: str, thing: Any) -> str:
    if inspect.isclass(thing):
        return f".. autoclass:: {name}\n   :members:\n   :inherited-members: Result, Framed, Exception\n   :exclude-members: __init__\n"
    return f".. autofunction:: {name}\n" if inspect.isroutine(thing) else f".. autodata:: {name}\n   :no-value:\n"


def _title(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}\n"


def _table(rows: list[tuple[str, str]]) -> str:
    body = "".join(f"   * - {name}\n     - {text}\n" for name, text in rows)
    return f".. list-table::\n   :widths: 34 66\n   :class: questions\n\n{body}"
