"""The two sides of a table: the side with the algorithms, the rows and columns to leave out, and the tasks on which lower is better.

Rows and columns that summarise the others, compare them, or give costs are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from runoff.answer.claims import PublishedCell
from runoff.base.grouping import grouped
from runoff.errors import DataError, OptionError, nearest
from runoff.reading._known import is_algorithm, is_environment_id, is_task
from runoff.reading.printed.cells import at
from runoff.reading.printed.heads import ALGORITHM_HEADS, TASK_HEADS, Label, label_of, lower_beside, subject
from runoff.reading.published.layout import Layout
from runoff.words.costs import direction
from runoff.words.patterns import regex
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
    """Return whether a row or column of this name is a summary of the others: Average, Mean HNS, Norm. score.

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
    """Return whether a row or column of this name contains time, steps, memory, speed or size.

    >>> is_cost("Time (h)"), is_cost("#params"), is_cost("GPU memory"), is_cost("Memory"), is_cost("Time Pilot")
    (True, True, True, False, False)
    """
    parts = set(words(name))
    of_memory = "memory" in parts and bool(parts & UNITS)
    return _speaks_of(name, COSTS, OF_COSTS) or of_memory


def _speaks_of(name: str, core: frozenset[str], beside: frozenset[str]) -> bool:
    parts = [word for word in words(name) if not word.isdigit()]
    return bool(core.intersection(parts)) and (core | beside).issuperset(parts)


def without_derived(
    algorithms: Iterable[str], tasks: Iterable[str], directed: Sequence[str]
) -> tuple[set[str], list[str]]:
    """Return the names left out, and notes with the reasons; a cost with a direction (in `directed`) is a task and stays, and so do tasks if
    all are of one kind."""
    algorithms, tasks = list(dict.fromkeys(algorithms)), list(dict.fromkeys(tasks))
    both = [*algorithms, *tasks]
    compared = [name for name in both if is_compared(name)]
    sums, costs = ([name for name in both if of(name)] for of in (is_sum, is_cost))
    costs = [name for name in costs if name in algorithms or name not in directed]
    # A table of nothing but sums, or of nothing but costs, is about these: they are its tasks.
    if not set(tasks).difference(compared, sums, costs):
        kept = {name for name in (sums if set(sums).intersection(tasks) else costs) if name in tasks}
        sums, costs = ([name for name in names if name not in kept] for names in (sums, costs))
    undirected = "no score, and no arrow shows which direction is better"
    kinds = (
        (sums, ("it sums up the others", "they sum up the others"), ""),
        (compared, ("it compares the others", "they compare the others"), ""),
        (
            costs,
            (f"it is {undirected}", f"they are {undirected}"),
            f"; {option('lower_is_better')} names those where lower is better",
        ),
    )
    notes = [f"Left out, since {why[len(own) > 1]}: {', '.join(own)}{repair}." for own, why, repair in kinds if own]
    return {*sums, *compared, *costs}, notes


REFERENCES = (
    (regex(r"\bupper[- ]bounds?\b", re.IGNORECASE), "an upper bound"),
    (regex(r"\boracles?\b", re.IGNORECASE), "an oracle"),
    (
        regex(r"\b(?:as|for) (?:a )?reference\b|\breference (?:agent|policy|method|row|column)s?\b", re.IGNORECASE),
        "a reference",
    ),
    (regex(r"\bprivileged\b", re.IGNORECASE), "privileged"),
)
"""Words for an algorithm that is a reference and no rival, and the way in which texts say so."""
OF_REFERENCES = vocabulary("human humans expert random oracle policy agent level performance play")


def reference_notes(algorithms: Sequence[str], beside: str) -> list[str]:
    """Return a note that offers to leave out an algorithm that a text or a name calls a reference, because it would win and lose claims."""
    return [
        f"{name} {why}, and may not be a rival of the others: {option('leave_out', name)} leaves it out of all claims."
        for name, why in _references(algorithms, beside).items()
    ]


def _references(algorithms: Sequence[str], beside: str) -> dict[str, str]:
    by_name = (name for name in algorithms if OF_REFERENCES.issuperset(words(name)) or "oracle" in words(name))
    whys = dict.fromkeys(by_name, "is a reference by its name")
    # Of "SAC" and "State SAC" the longer one is looked for first.
    named = re.compile(
        "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(algorithms, key=len, reverse=True))
    )
    for part in re.split(r"[.;]\s|\n", beside):
        for pattern, called in REFERENCES:
            places = [(name.start(), name[0]) for name in named.finditer(part)]
            if places and (match := pattern.search(part)):
                # Of several names in a sentence the nearest is meant.
                whys[min((abs(start - match.start()), name) for start, name in places)[1]] = (
                    f"is called {called} beside the table"
                )
    return whys


# ── the direction: as arrows, the caller, or the name of a cost say; numbers never decide it ──────────

Lower = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign of the better direction: an arrow (`lower`; None without an arrow), or the name of a cost (`by_name`, as in `direction`)."""

    label: Label
    lower: bool | None = None
    by_name: str | None = None


def signs_over_all(layout: Layout, algorithms: Iterable[Label]) -> list[Sign]:
    """Return the signs of the better direction for all tasks: headers over all numbers, corners, and the labels of all algorithms."""
    signs = [Sign(label, label.lower, _of_head(label.name)) for label in layout.over]
    for corner in layout.corners:
        rest = " ".join(word for word in words(corner.name) if word not in ALGORITHM_HEADS | TASK_HEADS)
        # "Env, steps to goal" speaks of the numbers; "Loss" alone may speak of the names below it
        by_name = _of_head(corner.name if rest == " ".join(words(corner.name)) else rest)
        # A corner that is nothing but the name of a cost may be the heading of the names below it.
        own = by_name == "lower" and subject(corner.name) is None
        signs.append(Sign(corner, corner.lower, "unclear" if own else by_name))
    at_algorithms = [_first([*_of_algorithm(label), *_of_heading(label)]) for label in algorithms]
    kinds = {(sign.lower, sign.by_name) for sign in at_algorithms}
    # What all algorithms' labels say holds for the table; an arrow at some of them is a slip or means another thing.
    if len(kinds) == 1:
        return [*signs, at_algorithms[0]]
    return [
        *signs,
        *(Sign(sign.label, by_name="unclear") for sign in at_algorithms if sign.lower is not None),
    ]


def _of_algorithm(label: Label) -> Iterator[Sign]:
    # "PPO (loss)": behind the name, for the name itself may hold such a word ("Cost-aware PPO").
    costs = [part for part in re.split(r"[:/(\[,]", label.name)[1:] if direction(part) == "lower"]
    yield Sign(label, label.lower, "lower" if costs else None)


def _of_heading(label: Label) -> Iterator[Sign]:
    if label.above:
        heading = label_of(label.above, label.entry)
        yield Sign(heading, heading.lower, _of_head(heading.name))


def _of_head(name: str) -> str | None:
    """Return the direction in a header over others, in which steps, hours or a number mean a budget."""
    by_name = direction(name)
    return None if by_name == "unclear" and (BUDGETS.intersection(words(name)) or re.search(r"\d", name)) else by_name


BUDGETS = vocabulary(
    "steps timesteps episodes epochs samples frames interactions iterations trials seconds minutes hours days budget"
)


def _first(signs: Sequence[Sign]) -> Sign:
    """Return the deciding sign: an arrow before a name, a certain cost before a possible one, the nearest before those farther away."""
    ranks = [0 if sign.lower is not None else {"lower": 1, "unclear": 2}.get(sign.by_name or "", 3) for sign in signs]
    return signs[ranks.index(min(ranks))]


def lower_tasks(
    place: str,
    tasks: Mapping[str, Label],
    cells: Sequence[PublishedCell],
    lower: Lower,
    *,
    over: Sequence[Sign],
    beside: str,
) -> tuple[tuple[str, ...], list[str]]:
    """Return the tasks on which lower is better, and notes on those decided by a name only.

    `lower` is "arrows", "none", "all" or names of tasks; `over` applies to all tasks, and so may the text `beside` the table.
    """
    signs = {
        name: _first([Sign(label, label.lower, _by_name(name)), *_of_heading(label), *over])
        for name, label in tasks.items()
    }
    costs = [name for name, sign in signs.items() if sign.lower is None and sign.by_name == "lower"]
    if lower == "arrows":
        _check_names(place, signs, cells)
        down = tuple(name for name in tasks if signs[name].lower or name in costs)
        wording = lower_beside(beside)
        if wording and not down and all(sign.lower is None for sign in signs.values()):
            raise DataError(
                f"{place}: the text beside the table says {wording!r}, and no header shows which direction is better; use "
                f"{option('lower_is_better', 'all')} if lower is, and {option('lower_is_better', 'none')} if higher is."
            )
        return down, list(_notes_of(costs, tasks, signs))
    names = {"none": [], "all": list(tasks)}.get(lower, [lower]) if isinstance(lower, str) else list(lower)
    for name in names:
        if name not in tasks:
            message = f"{option('lower_is_better')} names {name!r}, which is no task of the table ({', '.join(tasks)}).{nearest(name, tasks)}"
            raise OptionError(message)
    for name, sign in signs.items():
        if sign.lower is not None and sign.lower != (name in names):
            raise DataError(
                f"{at(place, sign.label.entry)}: the arrow at {sign.label.name!r} says that {'lower' if sign.lower else 'higher'} is better, "
                f"and {option('lower_is_better')} the opposite."
            )
    if names and (unnamed := next((name for name in costs if name not in names), None)):
        raise OptionError(
            f"{option('lower_is_better')} names {', '.join(map(repr, names))} and not {unnamed!r}, which is the name of a cost; name it too, "
            "or put ↑ into its header."
        )
    return tuple(name for name in tasks if name in names), []


def _notes_of(costs: Sequence[str], tasks: Mapping[str, Label], signs: Mapping[str, Sign]) -> Iterator[str]:
    by_label = grouped(("" if signs[name].label is tasks[name] else signs[name].label.name, name) for name in costs)
    for head, own in by_label.items():
        why = (
            f"{head!r} names a cost"
            if head
            else "its name is that of a cost"
            if len(own) == 1
            else "their names are those of costs"
        )
        repair = (
            option("lower_is_better", "none")
            if head
            else f"put ↑ into the header or use {option('lower_is_better', 'none')}"
        )
        yield f"Lower is read as better on {', '.join(own)}: {why}; if higher is better, {'use ' if head else ''}{repair}."


SETTINGS = vocabulary(
    "return returns reward rewards score scores length success rate train training test testing validation eval evaluation seed run trial at k "
    "m step steps frames env environment interactions epoch epochs iteration iterations"
)


def check_names(place: str, algorithms: Sequence[str], tasks: Sequence[str], rows: str) -> None:
    """Refuse algorithms that are budgets, metrics, splits or seeds, and tasks that are seeds; `rows` is the assumed role of the rows."""
    parts = [re.findall(r"[^\W\d_]+", name.casefold()) for name in algorithms]
    if all(own and SETTINGS.issuperset(own) for own in parts):
        raise DataError(
            f"{place}: {', '.join(algorithms)} are budgets, metrics, splits or seeds, not algorithms; give a table with algorithms on one "
            f"side, or use {option('rows', rows)} if the claims are about these."
        )
    if len(tasks) > 1 and all(re.fullmatch(r"(?:seed|run|trial)\s?#?\d+", name, re.IGNORECASE) for name in tasks):
        raise DataError(
            f"{place}: {', '.join(tasks)} are runs, not tasks, and a ± within a run does not show how runs vary; give mean ± over "
            "the runs."
        )


def _by_name(name: str) -> str | None:
    """Return the direction in the name of a task, as in `direction`; the name of an environment has none."""
    return None if is_task(name) or is_environment_id(name) else "unclear" if is_cost(name) else direction(name)


def _check_names(place: str, signs: Mapping[str, Sign], cells: Sequence[PublishedCell]) -> None:
    """Refuse tasks whose names, or whose bold numbers, leave their direction open."""
    reasons = {name: why for name, sign in signs.items() if (why := _doubt(name, sign, cells))}
    if not reasons:
        return
    name, why = next(iter(reasons.items()))
    more = f" (and so with {', '.join(map(repr, list(reasons)[1:]))})" if len(reasons) > 1 else ""
    sure = [task for task in signs if task not in reasons and (signs[task].lower or signs[task].by_name == "lower")]
    repair = f"use {_lower_of([name, *sure])}, or {_lower_of(sure)} if higher is better"
    if len(reasons) == len(signs) > 1:
        repair, more = (
            f"use {option('lower_is_better', 'all')}, or {option('lower_is_better', 'none')} if higher is better",
            "",
        )
    raise DataError(
        f"{at(place, signs[name].label.entry)}: {why}, and no arrow shows which direction is better{more}; {repair}."
    )


def _doubt(name: str, sign: Sign, cells: Sequence[PublishedCell]) -> str | None:
    """Return the reason why the better direction on a task is open, None if it is not."""
    if sign.lower is not None:
        return None
    own, of = [cell for cell in cells if cell.task == name], sign.label.name
    bold, rest = [c.mean for c in own if c.bold], [c.mean for c in own if not c.bold]
    if sign.by_name == "lower" and bold and rest and min(bold) > max(rest):
        what = "the name is that" if of == name else f"{of!r} is the name"
        return f"the bold means of {name!r} are its highest, and {what} of a cost"
    if sign.by_name is None and bold and rest and max(bold) < min(rest):
        return f"the bold means of {name!r} are its lowest"
    return f"{of!r} may be a cost or a score" if sign.by_name == "unclear" else None


def _lower_of(names: Sequence[str]) -> str:
    """Return the option by which lower is better on these tasks only."""
    if len(names) < 2:
        return option("lower_is_better", names[0] if names else "none")
    return choice(f"lower_is_better={list(names)!r}", " ".join(option("lower_is_better", name) for name in names))


# ── rows: algorithms or tasks ──────────

OTHER = {"algorithms": "tasks", "tasks": "algorithms"}
SAME = {kind: kind for kind in OTHER}


def kind_of_rows(place: str, layout: Layout, stated: str, algorithm: str | None) -> tuple[str, str]:
    """Return the role of the rows, "algorithms" or "tasks", and the reason in words."""
    if stated != "auto":
        return stated, "as requested"
    signs = list(_signs(layout, algorithm))
    kinds = {kind for kind, _ in signs}
    if len(kinds) == 1:
        return signs[0][0], signs[0][1]
    names = ", ".join(label.name for label in layout.rows[:3]) + (", …" if len(layout.rows) > 3 else "")
    why = f" ({'; '.join(f'{reason}, so {kind}' for kind, reason in signs[:4])})" if signs else ""
    raise DataError(
        f"{place}: nothing decides whether the rows ({names}) are algorithms or tasks{why}; use {option('rows', 'algorithms')} or "
        f"{option('rows', 'tasks')}."
    )


def _signs(layout: Layout, algorithm: str | None) -> Iterator[tuple[str, str]]:
    corner = {kind for text in layout.corner if (kind := subject(text))}
    if len(corner) == 1:
        yield next(iter(corner)), f"the header says {' / '.join(filter(None, layout.corner))!r}"
    # Names on one side tell the other: known algorithms in the columns make the rows tasks.
    for labels, where, of_rows in ((layout.rows, "rows", SAME), (layout.columns, "columns", OTHER)):
        names = [label.name for label in labels]
        for kind, own, other in (("algorithms", _algorithm, _task), ("tasks", _task, _algorithm)):
            if any(map(own, names)) and not any(map(other, names)):
                yield of_rows[kind], f"{where} have names of {kind}"
        if any(label.lower is not None for label in labels):
            yield of_rows["tasks"], f"arrows stand at {where}"
        if algorithm is not None and algorithm in names:
            yield of_rows["algorithms"], f"{algorithm!r} is one of the {where}"


def _algorithm(name: str) -> bool:
    return any(is_algorithm(part) for part in name.split(" / ")) or bool({"ours", "baseline"} & set(words(name)))


def _task(name: str) -> bool:
    return is_environment_id(name) or any(is_task(part) for part in name.split(" / "))
