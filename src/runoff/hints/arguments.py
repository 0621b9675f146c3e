"""Arguments that a call does not have: one that can only mean another's is understood, and any other is answered with what does its work."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from types import ModuleType
from typing import Any, NoReturn, TypeVar, cast

from runoff.hints.words import alpha_of, argument_hint, of_role, twin_of, value_meant

F = TypeVar("F", bound=Callable[..., Any])


class Room(ModuleType):
    """A module that is called as if it were what does its work, and says what does."""

    def __call__(self, *_args: object, **_options: object) -> NoReturn:
        does = ROOMS.get(self.__name__, f"dir({self.__name__}) lists what it has")
        raise TypeError(f"{self.__name__} is no call: {does}.")


ROOMS = {
    "runoff.archive": "ro.archive.load('atari_100k') reads a set of published runs, and ro.archive.list() has all sets",
    "runoff.plots": "ro.compare(data).plot() draws an answer, and each figure is a function in it, such as ro.plots.tasks(data)",
}


def hinted(function: F, more: Callable[[str], Any] | None = None, note: Callable[[str], None] | None = None) -> F:
    """Return a function that says of an argument that it does not have what does its work; `more` gives what it hands its options to.

    note: where it is given, an argument by a name that can only mean another's is understood, and `note` is called with how.
    """

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if note is not None and (meant := _by_its_value(function, options)) != options:
            # One line on all that is read otherwise.
            meant = _by_its_value(function, _by_its_name(function, args, meant))
            note(f"{function.__name__}() reads {_changed(options, meant)} as {_changed(meant, options)}")
            options = meant
        try:
            return function(*args, **options)
        except TypeError as error:
            refusal = refusal_of(function, args, options, str(error), more)
            if refusal is None:
                raise
            if note is not None and (pair := _pair_by_place(function, args, options)):
                note(f"{function.__name__}() reads {pair[0]!r}, {pair[1]!r} as pairs={[pair]!r}")
                return call(args[0], pairs=[pair], **options)
            if note is not None and (named := _by_its_name(function, args, options)) != options:
                meant = _by_its_value(function, named)
                note(f"{function.__name__}() reads {_changed(options, meant)} as {_changed(meant, options)}")
                return call(*args, **meant)
            raise TypeError(refusal) from None

    return cast("F", call)


def _by_its_value(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with values of other libraries as they are written here, and a step by its number as the step to compare at."""
    if (
        "of_data" in signature(function).parameters
        and isinstance(options.get("step"), int | float)
        and "at" not in options
    ):
        options = {"at" if name == "step" else name: value for name, value in options.items()}
    return {name: value_meant(name, value) for name, value in options.items()}


def _by_its_name(function: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with those that have a twin here by its name, a level of confidence as an error rate."""
    there = [*signature(function).parameters]
    # What it hands on says how data are read, and what is kept of them.
    there += OF_DATA.split() if "of_data" in there else []
    meant: dict[str, Any] = {}
    columns = (
        {*map(str, getattr(args[0], "columns", args[0] if isinstance(args[0], Mapping) else ()))} if args else set()
    )
    for name, value in options.items():
        twin = name if name in there else twin_of(name, there)
        if twin in ("algorithms", "tasks") and isinstance(value, str) and value in columns:
            twin = twin[:-1] if twin[:-1] in there else None  # a column of the data, and no name in one
        if twin is None and "alpha" in there and isinstance(value, float) and 0.5 <= value < 1:
            error_rate = alpha_of(name, value)
            twin, value = (None, value) if error_rate is None else ("alpha", float(error_rate))
        if twin == "exclude" != name and twin not in options:
            meant[twin] = [*meant.get(twin, []), *of_role(name, value)]
            continue
        if twin in meant or (twin != name and twin in options):
            return dict(options)  # two words for one argument: one value would be lost
        meant[twin or name] = value
    return meant


def _pair_by_place(
    function: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]
) -> tuple[str, str] | None:
    """Return the two names of algorithms behind the data, where a call takes pairs."""
    names = [arg for arg in args[1:] if isinstance(arg, str)]
    takes = "pairs" in signature(function).parameters and "pairs" not in options
    return (names[0], names[1]) if takes and len(names) == 2 == len(args) - 1 else None


def _changed(options: Mapping[str, Any], others: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items() if others.get(name, others) is not value)


def refusal_of(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    options: Mapping[str, Any],
    error: str,
    more: Callable[[str], Any] | None = None,
) -> str | None:
    """Return what is wrong with the arguments of a call; None where they are not what is wrong."""
    parameters, name = signature(function).parameters, function.__name__
    own = list(parameters)
    # Data that a call does not take are more wrong than the name of an argument.
    if args and name in SAID:
        return f"{name}() {_too_many(name, own, (), args)}"
    # A function that hands its options on is refused by the one that it is made of: `equivalence` by `compare`.
    by, unexpected, rest = error.partition("() got an unexpected keyword argument '")
    wrong = rest.partition("'")[0]
    if by == "as_scores":
        by, own = HANDED_ON.get(name, name), [*own[:-1], *OF_DATA.split()]
    if wrong in options and (inner := function if by.rpartition(".")[2] == name else more and more(by)):
        own += [key for key in signature(inner).parameters if key not in own]
        columns = _columns(options, own)
        return f"{name}{unexpected}{wrong}'{columns or argument_hint(wrong, own, options[wrong])}"
    placed = [
        key for key, p in parameters.items() if p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
    if "missing " in error and error.startswith(function.__qualname__):
        return error.replace(function.__qualname__, name, 1) + WITHOUT.get((name, error.rpartition(": ")[2]), "")
    if len(args) > len(placed) and "positional argument" in error and f"{name}() takes" in error:
        return f"{name}() {_too_many(name, own, placed, args)}"
    return None


ROLES = ("algorithm", "task", "run", "step", "score")
OF_DATA = """
algorithm task run step score columns format pattern keys dims decimal sheet table duplicates series lower_is_better runs unit score_unit
rename merge algorithms tasks exclude last at normalize
"""
"""What a call that takes data takes beside them: how they are read, what is kept, which score of a run counts, the scale."""
HANDED_ON = {"equivalence": "compare"}
"""A function that hands its options on, and to which."""


def _columns(options: Mapping[str, Any], own: Collection[str]) -> str:
    """Return the call that names columns, where arguments do that a call does not take; "" where they do not."""
    given = {role: options[role] for role in ROLES if isinstance(options.get(role), str) and role not in own}
    # `algorithm="PPO"` by itself names one to keep.
    if len(given) < 2 and "score" not in given:
        return ""
    named = ", ".join(f"{role}={value!r}" for role, value in given.items())
    return f"; ro.load(data, {named}) names columns, and what it returns is the data here."


WITHOUT = {
    (
        "plan",
        "'pilot'",
    ): "; without runs, ro.runs_needed(effect=0.8, std=1.0, power=0.9) plans from a standard deviation.",
    (
        "sequential",
        "'design'",
    ): ", such as design=ro.SequentialDesign(looks=(5, 10, 15, 20)); without planned looks, ro.anytime([data]) may be called after each batch.",
}
"""What to do without an argument, by the name of the call and of what is missing."""
SAID = {
    "power": "takes effect=, std= and n_runs= by name; of runs ro.plan(data, effect=5.0, curve_to=10) has the power by their number.",
    "detectable_effect": "takes std= and n_runs= by name; of runs ro.compare(data)[0].detectable_difference says it.",
}
"""What to do where a call takes no argument by its place, by the name of the call."""


def _too_many(name: str, own: Collection[str], placed: Collection[str], args: tuple[Any, ...]) -> str:
    if name in SAID:
        return SAID[name].format(str(args[-1]), name=name)
    first = " and ".join(key for key in placed if key != "self")
    by_name = ", ".join([f"{key}=" for key in own if key not in placed][:4])
    takes = f"takes {first} by place" if first else "takes no argument by its place"
    return f"{takes}{by_name and ', the others by name: '}{by_name}."
