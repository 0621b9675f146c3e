"""`SequentialDesign`: what is decided before the first run, and its file, as TOML."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from hashlib import sha256
from itertools import pairwise
from math import comb, prod
from pathlib import Path
from types import MappingProxyType
from typing import Any

from runoff._inference.pairs import refuse_other_than_means
from runoff._inference.sequential.boundaries import SPENDING, bounds_of, spent_by
from runoff._inference.sequential.counts import MOST_PAIRS
from runoff._kernels.blocked.stratified import pair_t
from runoff.base.arrays import Floats
from runoff.base.asked import write_new
from runoff.base.validate import check_alpha, check_choice, check_count, check_open_unit, check_resamples, is_number
from runoff.errors import DesignError, OptionError, OutputError, nearest
from runoff.words.names import MeasureName, SequentialTestName, SpendingName
from runoff.words.numbers import joined
from runoff.words.speech import choice

SCHEMA = "runoff.sequential/1"
MOST_ALGORITHMS = 7
"""877 partitions of the algorithms are judged together; eight have 4,140."""
MOST_LOOKS = 200
MOST_RUNS = 1_000_000
DEFAULT: SpendingName = "pocock"
"""Spending where a design names none and rows are no episodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialDesign:
    """The looks of an experiment and the rules of its decisions, fixed before the first run and never changed.

    Attributes
    ----------
    looks : tuple of int
        Runs of each algorithm on each task at each look, counted from the start: (5, 10, 15, 20).
    alpha : float
        False positive rate over all pairs and looks; and, over all pairs and looks, of a wrong claim of equivalence.
    spending : "pocock", "obrien_fleming", "pocock_1977", "obrien_fleming_1979", "quadratic" or "open", optional
        How alpha is spread over the looks. None: "quadratic" of episodes, "pocock" of runs. "open" spends as much by a look whatever the last
        look is, and takes the place of a limit where none can be named.
    test : "studentized_permutation"
        Relabelling of runs within task and look, of the difference of means over its standard error. A single look is judged by the test of
        `compare`, and successes and failures of one task by their counts (see `sequential`).
    measure : "mean"
        What is judged. By another measure `compare` judges once, when all runs are there.
    margin : float, optional
        Algorithms whose mean scores, averaged over tasks, differ by less are equivalent; None: no pair is.
    effect : float, optional
        A difference worth finding; a pair that would hardly find it by the last look stops as inconclusive. None: no pair stops for that.
    futility : float
        "Hardly": the conditional power below which a pair stops; needs `effect`.
    algorithms, tasks : tuple of str
        Names; empty: those of the first look.
    cost_per_run : float
        In any unit; 1 counts runs.
    budget : float, optional
        In the same unit; None: the last look ends the experiment.
    n_resamples : int
        Relabellings that are drawn.
    seed : int
        Of these draws.

    Raises
    ------
    OptionError
        A value that means nothing here.
    DesignError
        A budget that does not pay for the first look.

    Examples
    --------
    >>> import runoff as ro
    >>> design = ro.SequentialDesign(looks=(5, 10, 15, 20), algorithms=("PPO", "SAC"), tasks=("Hopper",), budget=30)
    >>> print([f"{spent:.4f}" for spent in design.spent])
    ['0.0179', '0.0310', '0.0414', '0.0500']
    >>> for note in design.notes:
    ...     print(note)
    The budget of 30 pays for looks 1 to 3 as long as no algorithm leaves; what look 4 could spend of alpha is then not used.
    """

    looks: tuple[int, ...]
    alpha: float = 0.05
    spending: SpendingName | None = None
    test: SequentialTestName = "studentized_permutation"
    measure: MeasureName = "mean"
    margin: float | None = None
    effect: float | None = None
    futility: float = 0.1
    algorithms: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    cost_per_run: float = 1.0
    budget: float | None = None
    n_resamples: int = 19_999
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "looks", _checked_looks(self.looks))
        for name in ("algorithms", "tasks"):
            object.__setattr__(self, name, _checked_names(name, getattr(self, name)))
        check_alpha(self.alpha)
        if self.spending is not None:
            check_choice("spending", self.spending, SPENDING)
        check_choice("test", self.test, SEQUENTIAL_TESTS)
        refuse_other_than_means(self.measure, "a sequential comparison")
        check_open_unit("futility", self.futility)
        for name in ("margin", "effect", "budget", "cost_per_run"):
            value = _positive(name, getattr(self, name), optional=name != "cost_per_run")
            object.__setattr__(self, name, value)
        check_resamples(self.n_resamples)
        check_count("seed", self.seed, least=0)
        refuse_counts(self.algorithms)
        if self.algorithms and self.tasks:
            self.refuse_small_budget(len(self.algorithms), len(self.tasks))

    @property
    def n_looks(self) -> int:
        return len(self.looks)

    @property
    def information(self) -> tuple[float, ...]:
        return tuple(n / self.looks[-1] for n in self.looks)

    @property
    def spent(self) -> tuple[float, ...]:
        """Two-sided error that may have been spent by each look."""
        return self.spent_of(self.alpha)

    def spent_of(self, alpha: float) -> tuple[float, ...]:
        """Return the same for a part of alpha."""
        return spent_by(self.spending or DEFAULT, alpha, self.looks)

    @property
    def boundaries(self) -> tuple[float, ...]:
        """Bounds of a normal statistic of one pair that spend just that; inf where a look spends nothing."""
        return bounds_of(self.spending or DEFAULT, self.alpha, self.looks)

    @property
    def sha256(self) -> str:
        """Digest of everything that is decided here; of the measure, which is one, it says nothing."""
        # Designs of before there was a measure, or a spending that is left to the scores, keep their digest, and so their states.
        decided = {key: value for key, value in self.to_dict().items() if key != "measure"}
        decided["spending"] = self.spending or DEFAULT
        return sha256(json.dumps(decided, sort_keys=True).encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        plain = {"schema": SCHEMA, **asdict(self)}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in plain.items()}

    def cost(self, n_runs: int) -> float:
        return n_runs * self.cost_per_run

    def refuse_small_budget(self, n_algorithms: int, n_tasks: int) -> None:
        first = self.cost(n_algorithms * n_tasks * self.looks[0])
        if self.budget is not None and self.budget < first:
            raise DesignError(
                f"the budget of {self.budget:g} does not pay for the first look: {self.looks[0]} runs of {n_algorithms} algorithms on "
                f"{n_tasks} task(s) cost {first:g}; look earlier, or raise the budget."
            )

    def never_rejects(self, n_tasks: int) -> tuple[int, ...]:
        """Return the looks, from 1, at which no scores whatever could show a difference on this number of tasks; a single look has no paths."""
        if self.n_looks == 1:
            return ()
        steps = [b - a for a, b in pairwise((0, *self.looks))]
        ways = [prod(comb(2 * m, m) ** n_tasks for m in steps[: k + 1]) for k in range(self.n_looks)]
        # The labelling and its mirror, and what so many draws can show at the least.
        least = [max(2 / way, 1 / (self.n_resamples + 1)) for way in ways]
        return tuple(k + 1 for k, (p, spent) in enumerate(zip(least, self.spent, strict=True)) if p > spent)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the design, as far as it names algorithms and tasks."""
        return self.notes_for(len(self.algorithms), len(self.tasks))

    def notes_for(self, n_algorithms: int, n_tasks: int) -> tuple[str, ...]:
        """Return the notes for so many algorithms and tasks; 0: not known."""
        budget = budget_notes(self, n_algorithms, n_tasks)
        never = self.never_rejects(n_tasks or 1)
        # Of how many tasks nobody knows: a design that is of use for several has no note.
        if not never or (not n_tasks and len(never) < self.n_looks):
            return budget
        counts = "; success counts of one task have bounds of their own" if may_count(self, n_tasks or 1) else ""
        where = "" if n_tasks else ", if there is one task"
        blind = (
            f"{looks_words(never)} can find no difference, whatever the scores{where}: so few runs have too few permutations for the α "
            f"spent by then, or too few are drawn{counts}."
        )
        return (blind, *budget)


def of_episodes(design: SequentialDesign) -> SequentialDesign:
    """Return the design with the spending of episodes, unless it names its own."""
    return design if design.spending else replace(design, spending="quadratic")


def may_count(design: SequentialDesign, n_tasks: int) -> bool:
    """Return whether successes and failures of so many tasks would be judged by their counts; a single look is judged by `compare`."""
    return n_tasks == 1 and design.n_looks > 1 and design.looks[-1] <= MOST_PAIRS


def budget_notes(design: SequentialDesign, n_algorithms: int, n_tasks: int) -> tuple[str, ...]:
    """Return what is to be known of the budget for so many algorithms and tasks; 0: not known."""
    if design.budget is None:
        return ()
    paid = [k for k, n in enumerate(design.looks) if design.cost(n_algorithms * n_tasks * n) <= design.budget]
    if len(paid) == design.n_looks:
        return ()
    last = "look 1 only" if len(paid) == 1 else f"looks 1 to {len(paid)}"
    return (
        f"The budget of {design.budget:g} pays for {last} as long as no algorithm leaves; what "
        f"{looks_words(range(len(paid) + 1, design.n_looks + 1)).lower()} could spend of alpha is then not used.",
    )


def looks_words(looks: Sequence[int]) -> str:
    """Return "Look 2" or "Looks 1 and 2"."""
    return f"Look{'' if len(looks) == 1 else 's'} {joined(list(map(str, looks)))}"


def _checked_looks(looks: Any) -> tuple[int, ...]:
    if isinstance(looks, str | bytes) or not isinstance(looks, Sequence) or not looks:
        raise OptionError(
            f"looks must be numbers of runs of each algorithm on each task, such as 5, 10, 15, 20, not {looks!r}."
        )
    # Success counts are judged from the first pair of episodes on; a single look is the comparison, which takes two runs.
    counts = tuple(check_count("a look", n, least=2 if len(looks) == 1 else 1) for n in looks)
    if any(b <= a for a, b in pairwise(counts)):
        message = f"looks must increase, for they count runs from the start, not {', '.join(map(str, counts))}."
        raise OptionError(message)
    if counts[-1] > MOST_RUNS:
        raise OptionError(
            f"a look may come after at most {MOST_RUNS:,} runs of each algorithm on each task, not {counts[-1]:,}."
        )
    if len(counts) > MOST_LOOKS:
        raise OptionError(f"there may be at most {MOST_LOOKS} looks, not {len(counts)}.")
    return counts


def _checked_names(option: str, names: Any) -> tuple[str, ...]:
    listed = isinstance(names, Iterable) and not isinstance(names, str)
    if not listed or not all(isinstance(name, str) for name in names):
        raise OptionError(f"{option} must be names, not {names!r}.")
    values = tuple(names)
    twice = [name for name in values if values.count(name) > 1]
    if twice:
        raise OptionError(f"{option} names {twice[0]!r} twice.")
    return values


def refuse_counts(algorithms: Sequence[str]) -> None:
    """Refuse a number of algorithms that is not compared."""
    if len(algorithms) == 1:
        raise DesignError(f"there is one algorithm, {algorithms[0]!r}; a comparison needs two.")
    if len(algorithms) > MOST_ALGORITHMS:
        message = f"a sequential comparison judges at most {MOST_ALGORITHMS} algorithms together, not {len(algorithms)}; choose among them."
        raise DesignError(message)


def _positive(option: str, value: Any, *, optional: bool) -> float | None:
    if optional and value is None:
        return None
    if not (is_number(value) and value > 0):
        raise OptionError(f"{option} must be a finite number greater than 0, not {value!r}.")
    return float(value)


# ── statistics of all pairs, under many labellings ──────────


Statistic = Callable[[Floats, int, float], Floats]
"""Moments (n_tasks, k, 2, n_draws), runs of each cell, size of the numbers -> (n_pairs, n_draws), first minus second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialTest:
    title: str
    statistic: Statistic


SEQUENTIAL_TESTS: Mapping[str, SequentialTest] = MappingProxyType(
    {
        "studentized_permutation": SequentialTest(
            title="permutation within task and look, of the difference of means over its standard error",
            statistic=pair_t,
        )
    }
)


# ── a design as TOML: written once, read at every look ──────────


KEYS = tuple(f.name for f in fields(SequentialDesign))
NEEDED = tuple(f.name for f in fields(SequentialDesign) if f.default is MISSING)
MEANINGS: Mapping[str, str] = {
    "looks": "runs of each algorithm on each task, counted from the start",
    "alpha": "false positive rate over all pairs and looks",
    "spending": "how alpha is spread over the looks",
    "test": "what is computed at each look",
    "measure": "what is judged",
    "margin": "mean scores that differ by less are equivalent",
    "effect": "a difference worth finding",
    "futility": "stop where the chance to find it falls below this",
    "cost_per_run": "in any unit",
    "budget": "in the same unit",
}


def read_design(path: str | Path) -> SequentialDesign:
    """Return the design of a TOML file; refuse an unknown or missing key, and a value that means nothing."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        write = choice("SequentialDesign(looks=(5, 10, 15, 20))", f"runoff sequential {path} --new --looks 5,10,15,20")
        first = f"; make one before the first run: {write}" if isinstance(error, FileNotFoundError) else ""
        raise OptionError(f"the design {path} cannot be read: {error.strerror}{first}.") from error
    except UnicodeDecodeError as error:
        raise OptionError(f"the design {path} is not a text file.") from error
    try:
        declared = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"the design {path} is not valid TOML: {error}.") from error
    schema = declared.pop("schema", SCHEMA)
    if schema != SCHEMA:
        raise OptionError(f"the design {path} is of schema {schema!r}; this version of runoff reads {SCHEMA!r}.")
    for key in declared:
        if key not in KEYS:
            message = f"the design {path} has an unknown key {key!r}; known are {', '.join(KEYS)}.{nearest(key, KEYS)}"
            raise OptionError(message)
    missing = [key for key in NEEDED if key not in declared]
    if missing:
        raise OptionError(f"the design {path} lacks {', '.join(missing)}.")
    return SequentialDesign(**declared)


def write_design(design: SequentialDesign, path: str | Path) -> None:
    """Write a design to a new TOML file, every value with what it means; refuse a file that is there already."""
    lines = ["# A sequential comparison. Not changed after the first look: the state holds its digest."]
    for key, value in design.to_dict().items():
        if value is not None and value != []:
            comment = f"  # {MEANINGS[key]}" if key in MEANINGS else ""
            # A JSON string, number or list of them is one of TOML too.
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}{comment}")
    try:
        write_new(Path(path), "\n".join(lines) + "\n", "design")
    except FileExistsError as error:
        raise OutputError(f"{path} exists already; a design may not be changed, so name a new file.") from error
