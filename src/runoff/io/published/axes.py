"""Whether the rows of a table are algorithms or tasks, by everything that says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runoff.errors import DataError
from runoff.io._known import is_algorithm, is_environment_id, is_task
from runoff.io.published.heads import Label, subject
from runoff.io.published.layout import Layout
from runoff.words.speech import option
from runoff.words.words import words

OTHER = {"algorithms": "tasks", "tasks": "algorithms"}


def kind_of_rows(place: str, layout: Layout, stated: str | None, algorithm: str | None) -> tuple[str, str]:
    """Return "algorithms" or "tasks", what the rows are, and what says so.

    Raises
    ------
    DataError
        Nothing says so, or two things say the opposite.
    """
    if stated is not None:
        return stated, "as was said"
    signs = list(_signs(layout, algorithm))
    kinds = {kind for kind, _ in signs}
    if len(kinds) == 1:
        return signs[0][0], signs[0][1]
    why = "nothing says so" if not signs else "; ".join(f"{reason}, so {kind}" for kind, reason in signs[:4])
    raise DataError(
        f"{place}: whether the rows ({_few(layout.rows)}) are algorithms or tasks cannot be told ({why}); say {option('rows', 'algorithms')} or "
        f"{option('rows', 'tasks')}."
    )


def _signs(layout: Layout, algorithm: str | None) -> Iterator[tuple[str, str]]:
    """Yield what rows are, with the reason."""
    corner = {kind for text in layout.corner if (kind := subject(text))}
    if len(corner) == 1:
        yield next(iter(corner)), f"the head says {' / '.join(filter(None, layout.corner))!r}"
    for labels, where, turned in ((layout.rows, "rows", False), (layout.columns, "columns", True)):
        names = [label.name for label in labels]
        for kind, own, other in (("algorithms", _algorithm, _task), ("tasks", _task, _algorithm)):
            if any(map(own, names)) and not any(map(other, names)):
                yield OTHER[kind] if turned else kind, f"{where} have names of {kind}"
        if any(label.lower is not None for label in labels):
            yield "algorithms" if turned else "tasks", f"arrows stand at {where}"
        if algorithm is not None and algorithm in names:
            yield "tasks" if turned else "algorithms", f"{algorithm!r} is one of the {where}"


def _algorithm(name: str) -> bool:
    return any(is_algorithm(part) for part in name.split(" / ")) or bool({"ours", "baseline"} & set(words(name)))


def _task(name: str) -> bool:
    return is_environment_id(name) or any(is_task(part) for part in name.split(" / "))


def _few(labels: Sequence[Label]) -> str:
    names = [label.name for label in labels]
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
