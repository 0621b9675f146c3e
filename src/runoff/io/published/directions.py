"""On which tasks lower is better: arrows, what the caller says, and what must not be guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runoff.errors import DataError, OptionError, nearest
from runoff.io.published.grid import at
from runoff.io.published.heads import Label
from runoff.results.claims import PublishedCell
from runoff.words.speech import option
from runoff.words.words import kind, vocabulary, words

COSTS = vocabulary("loss losses cost costs error errors regret fid mse rmse mae perplexity violations collisions")
Lower = str | Sequence[str]


def lower_tasks(
    place: str, tasks: Mapping[str, Label], cells: Sequence[PublishedCell], lower: Lower
) -> tuple[str, ...]:
    """Return the tasks where lower is better.

    Parameters
    ----------
    lower : "arrows", "none", "all" or names of tasks

    Raises
    ------
    DataError
        An arrow contradicts the caller; or nobody says it, and the name or the bold cells of a task speak for costs.
    OptionError
        A name that is no task.
    """
    if lower == "arrows":
        return tuple(name for name, label in tasks.items() if _by_arrow(place, name, label, cells))
    named = _named(tasks, lower)
    for name, label in tasks.items():
        if label.lower is not None and label.lower != (name in named):
            raise DataError(
                f"{at(place, label.entry)}: the arrow at {name!r} says that {'lower' if label.lower else 'higher'} is better, and "
                f"{option('lower')} the opposite."
            )
    return named


def _named(tasks: Mapping[str, Label], lower: Lower) -> tuple[str, ...]:
    if lower in ("none", "all"):
        return tuple(tasks) if lower == "all" else ()
    asked = [lower] if isinstance(lower, str) else list(lower)
    for name in asked:
        if name not in tasks:
            raise OptionError(
                f"{option('lower')} names {name!r}, which is no task of the table ({', '.join(tasks)}).{nearest(name, tasks)}"
            )
    return tuple(name for name in tasks if name in asked)


def _by_arrow(place: str, name: str, label: Label, cells: Sequence[PublishedCell]) -> bool:
    if label.lower is not None:
        return label.lower
    own = [cell for cell in cells if cell.task == name]
    bold, rest = [c.mean for c in own if c.bold], [c.mean for c in own if not c.bold]
    if bold and rest and max(bold) < min(rest):
        why = f"the bold means of {name!r} are its lowest"
    elif COSTS & set(words(name)) or kind(name) == "time":
        why = f"{name!r} may be a cost"
    else:
        return False
    raise DataError(
        f"{at(place, label.entry)}: {why}, and no arrow says which direction is better; say {option('lower', name)}, or "
        f"{option('lower', 'none')} if "
        "higher is better."
    )
