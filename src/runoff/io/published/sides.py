"""The two sides of a table: which side has the algorithms, which rows and columns are left out, and on which tasks lower is better.

Rows and columns are left out that sum up the others, compare them, or say what they cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from runoff.errors import DataError, OptionError, nearest
from runoff.io._known import is_algorithm, is_environment_id, is_task
from runoff.io.published.cells import at
from runoff.io.published.heads import Label, subject
from runoff.io.published.layout import Layout
from runoff.results.claims import PublishedCell
from runoff.words.costs import direction
from runoff.words.speech import choice, option
from runoff.words.words import vocabulary, words

# A name speaks of a sum, a comparison or a cost if it has one of these words and no word but these and those that stand beside them (OF_…):
# "Time (h)" is a cost, "Time Pilot" is a game.
SUMS = vocabulary(
    "average avg mean overall total sum median iqm aggregate geomean rank wins normalized normalised norm hns"
)
OF_SUMS = vocabulary(
    "score scores human over all tasks games return returns performance optimality gap the of per environments settings"
)
COMPARED = vocabulary(
    "improvement improvements gain gains delta δ ∆ diff difference uplift speedup pvalue significance significant"
)
OF_COMPARED = vocabulary(
    "p value relative rel abs absolute over vs best baseline ours score scores mean average avg in percent of the and"
)
COSTS = vocabulary(
    "time times runtime walltime wallclock wall hours hour hrs minutes seconds mem ram vram params param parameters flops gflops macs fps sps "
    "throughput energy steps timesteps frames samples episodes epochs step"
)
OF_COSTS = vocabulary(
    "memory usage gpu cpu gb mb kb h hr min mins sec secs s ms m k million total train training inference clock number num no of per env "
    "environment frame the in taken run seed each day days peak model"
)
UNITS = vocabulary("gb mb kb usage gpu cpu peak")


def is_sum(name: str) -> bool:
    """Return whether a row or column of this name sums up the others: Average, Mean HNS, Norm. score.

    >>> is_sum("Average"), is_sum("Norm. score"), is_sum("Hopper")
    (True, True, False)
    """
    return _speaks_of(name, SUMS, OF_SUMS)


def is_compared(name: str) -> bool:
    """Return whether a row or column of this name compares the others: Improvement, Δ, p-value.

    >>> is_compared("Improvement (%)"), is_compared("Δ"), is_compared("p-value"), is_compared("p"), is_compared("PPO")
    (True, True, True, True, False)
    """
    parts = set(words(name))
    is_pvalue = "p" in parts and parts <= {"p", "value", "values", "val"}
    return _speaks_of(name, COMPARED, OF_COMPARED) or "Δ" in name or "∆" in name or is_pvalue


def is_cost(name: str) -> bool:
    """Return whether a row or column of this name holds time, steps, memory, speed or size.

    >>> is_cost("Time (h)"), is_cost("#params"), is_cost("GPU memory"), is_cost("Memory"), is_cost("Time Pilot")
    (True, True, True, False, False)
    """
    parts = set(words(name))
    of_memory = "memory" in parts and bool(parts & UNITS) and OF_COSTS.issuperset(parts)
    return _speaks_of(name, COSTS, OF_COSTS) or of_memory


def _speaks_of(name: str, core: frozenset[str], beside: frozenset[str]) -> bool:
    parts = [word for word in words(name) if not word.isdigit()]
    return bool(core.intersection(parts)) and (core | beside).issuperset(parts)


def without_derived(
    algorithms: Iterable[str], tasks: Iterable[str], directed: Sequence[str]
) -> tuple[set[str], list[str]]:
    """Return the names that are left out, and notes that say why; a cost with a direction (in `directed`) is a task and stays.

    Tasks that are all sums, or all costs, stay too.
    """
    algorithms, tasks = list(dict.fromkeys(algorithms)), list(dict.fromkeys(tasks))
    both = [*algorithms, *tasks]
    compared = [name for name in both if is_compared(name)]
    sums, costs = ([name for name in both if of(name) and name not in compared] for of in (is_sum, is_cost))
    costs = [name for name in costs if name in algorithms or name not in directed]
    # A table of nothing but sums, or of nothing but costs, is about these: they are its tasks.
    if not set(tasks).difference(compared, sums, costs):
        kept = {name for name in (sums if set(sums).intersection(tasks) else costs) if name in tasks}
        sums, costs = ([name for name in names if name not in kept] for names in (sums, costs))
    notes = []
    if sums:
        notes.append(f"Left out, since {'it sums' if len(sums) == 1 else 'they sum'} up the others: {', '.join(sums)}.")
    if compared:
        verb = "it compares" if len(compared) == 1 else "they compare"
        notes.append(f"Left out, since {verb} the others: {', '.join(compared)}.")
    if costs:
        notes.append(
            f"Left out, since {'it is' if len(costs) == 1 else 'they are'} no score, and no arrow says which direction is better: "
            f"{', '.join(costs)}; {option('lower')} names those where lower is better."
        )
    return {*sums, *compared, *costs}, notes


# ── the direction: as arrows, the caller, or the name of a cost say; numbers never decide it ──────────

Lower = str | Sequence[str]


def lower_tasks(
    place: str, tasks: Mapping[str, Label], cells: Sequence[PublishedCell], lower: Lower
) -> tuple[tuple[str, ...], list[str]]:
    """Return the tasks where lower is better, and a note on those whose names alone say so.

    `lower` is "arrows", "none", "all" or names of tasks.
    """
    costs = [name for name, label in tasks.items() if label.lower is None and _by_name(name) == "lower"]
    if lower == "arrows":
        _check_names(place, tasks, cells, costs)
        why = "its name is that of a cost" if len(costs) == 1 else "their names are those of costs"
        notes = [
            f"Lower is taken for better on {', '.join(costs)}: {why}; if higher is, put ↑ into the head or say {option('lower', 'none')}."
        ]
        return tuple(name for name in tasks if tasks[name].lower or name in costs), notes if costs else []
    names = {"none": [], "all": list(tasks)}.get(lower, [lower]) if isinstance(lower, str) else list(lower)
    for name in names:
        if name not in tasks:
            message = f"{option('lower')} names {name!r}, which is no task of the table ({', '.join(tasks)}).{nearest(name, tasks)}"
            raise OptionError(message)
    for name, label in tasks.items():
        if label.lower is not None and label.lower != (name in names):
            raise DataError(
                f"{at(place, label.entry)}: the arrow at {name!r} says that {'lower' if label.lower else 'higher'} is better, and "
                f"{option('lower')} the opposite."
            )
    if names and (unnamed := next((name for name in costs if name not in names), None)):
        raise OptionError(
            f"{option('lower')} names {', '.join(map(repr, names))} and not {unnamed!r}, which is the name of a cost; name it too, or put ↑ "
            "into its head."
        )
    return tuple(name for name in tasks if name in names), []


def _by_name(name: str) -> str | None:
    """Return what the name of a task says of its direction, as `direction` does; the name of an environment says nothing."""
    return None if is_task(name) or is_environment_id(name) else "unclear" if is_cost(name) else direction(name)


def _check_names(place: str, tasks: Mapping[str, Label], cells: Sequence[PublishedCell], costs: Sequence[str]) -> None:
    """Refuse tasks without an arrow whose names, or whose bold numbers, leave their direction open."""
    reasons = {name: why for name, label in tasks.items() if label.lower is None and (why := _doubt(name, cells))}
    if not reasons:
        return
    name, why = next(iter(reasons.items()))
    more = f" (and so with {', '.join(map(repr, list(reasons)[1:]))})" if len(reasons) > 1 else ""
    sure = [task for task in tasks if task not in reasons and (tasks[task].lower or task in costs)]
    raise DataError(
        f"{at(place, tasks[name].entry)}: {why}, and no arrow says which direction is better{more}; say {_lower_of([name, *sure])}, or "
        f"{_lower_of(sure)} if higher is better."
    )


def _doubt(name: str, cells: Sequence[PublishedCell]) -> str | None:
    """Return why it is open which direction is better on a task, None where it is not."""
    own, by_name = [cell for cell in cells if cell.task == name], _by_name(name)
    bold, rest = [c.mean for c in own if c.bold], [c.mean for c in own if not c.bold]
    if by_name == "lower" and bold and rest and min(bold) > max(rest):
        return f"the bold means of {name!r} are its highest, and the name is that of a cost"
    if by_name is None and bold and rest and max(bold) < min(rest):
        return f"the bold means of {name!r} are its lowest"
    return f"{name!r} may be a cost or a score" if by_name == "unclear" else None


def _lower_of(names: Sequence[str]) -> str:
    """Return the option that says that lower is better on these tasks alone."""
    if len(names) < 2:
        return option("lower", names[0] if names else "none")
    return choice(f"lower={list(names)!r}", " ".join(option("lower", name) for name in names))


# ── rows: algorithms or tasks ──────────

OTHER = {"algorithms": "tasks", "tasks": "algorithms"}


def kind_of_rows(place: str, layout: Layout, stated: str, algorithm: str | None) -> tuple[str, str]:
    """Return what the rows are, "algorithms" or "tasks", and the reason in words."""
    if stated != "auto":
        return stated, "as was said"
    signs = list(_signs(layout, algorithm))
    kinds = {kind for kind, _ in signs}
    if len(kinds) == 1:
        return signs[0][0], signs[0][1]
    names = ", ".join(label.name for label in layout.rows[:3]) + (", …" if len(layout.rows) > 3 else "")
    why = "nothing says so" if not signs else "; ".join(f"{reason}, so {kind}" for kind, reason in signs[:4])
    raise DataError(
        f"{place}: whether the rows ({names}) are algorithms or tasks cannot be told ({why}); say {option('rows', 'algorithms')} or "
        f"{option('rows', 'tasks')}."
    )


def _signs(layout: Layout, algorithm: str | None) -> Iterator[tuple[str, str]]:
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
