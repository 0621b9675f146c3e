"""The interface of arch's bootstrap classes, which rliable's inherit: resamples to iterate over, and what is made of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runoff._inference.bootstrap import Array
from runoff.base.arrays import Floats
from runoff.base.random import Streams, streams
from runoff.base.validate import check_choice, check_count, check_finite, check_open_unit
from runoff.compat.rliable._ends import METHODS, TAILS, Bootstrapped, check_replicates, ends_of, tails_of
from runoff.compat.rliable._replicates import Work, exchanged, of_copies, stacked, values
from runoff.errors import DataError, DesignError, OptionError

RandomState = int | np.random.Generator | np.random.RandomState | None
Resampled = tuple[tuple[Array, ...], dict[str, Array]]


def as_scores(name: str, scores: Any) -> Array:
    """Return an array (n_runs, n_tasks, …) of numbers."""
    if not hasattr(scores, "__array__"):
        raise DataError(
            f"{name} must be an array (n_runs, n_tasks), not {type(scores).__name__}; make one with numpy.array(...)."
        )
    if isinstance(scores, np.ma.MaskedArray) and np.ma.getmaskarray(scores).any():
        raise DataError(
            f"{name} are a masked array, and what is masked has no score: give NaN to a function that leaves it out, or an array without gaps."
        )
    array = np.asarray(scores)
    if array.dtype.kind not in "biuf":
        raise DataError(f"{name} must hold numbers, not {array.dtype}.")
    if array.ndim < 2:
        raise DesignError(
            f"{name} must have the shape (n_runs, n_tasks), not {array.shape}; scores.reshape(-1, 1) makes runs of one task of a list."
        )
    if not array.size:
        raise DesignError(f"{name} has the shape {array.shape}: no run, or no task.")
    return array


def seeded(random_state: RandomState) -> Streams:
    """Return the streams of a seed (None: 0), or of a number drawn from a generator, which moves on."""
    if isinstance(random_state, np.random.RandomState):
        return Streams(int(random_state.randint(0, 2**63 - 1, dtype=np.int64)))
    if random_state is None:
        return streams(0)
    whole = isinstance(random_state, int | np.integer) and not isinstance(random_state, bool) and random_state >= 0
    if not whole and not isinstance(random_state, np.random.Generator):
        raise OptionError(
            f"random_state must be a whole number of at least 0, a numpy Generator or RandomState, or None, not {random_state!r}."
        )
    return streams(random_state)


@dataclass(frozen=True, slots=True)
class Inner:
    """Where the standard error of a resample comes from: a function of the replicate and the arrays, or so many resamples of the resample."""

    function: Callable[..., Any] | None
    reps: int


class Bootstrap(ABC):
    """Arrays whose runs are redrawn; subclasses say how."""

    _name = "Bootstrap"
    _aligned = True
    """Whether all arrays take the same draws."""

    def __init__(
        self,
        *args: Any,
        random_state: RandomState = None,
        task_bootstrap: bool = False,
        seed: RandomState = None,
        **kwargs: Any,
    ) -> None:
        if random_state is not None and seed is not None:
            raise OptionError("random_state and seed are two names of one option; give one of them.")
        chosen = seed if random_state is None else random_state
        if not args and not kwargs:
            raise DesignError("a bootstrap needs an array of scores (n_runs, n_tasks).")
        self._args = tuple(as_scores(f"array {i}", array) for i, array in enumerate(args))
        self._kwargs = {name: as_scores(name, array) for name, array in kwargs.items()}
        self._first: Streams | None = None
        if isinstance(chosen, np.random.Generator | np.random.RandomState):
            self._generator: np.random.Generator | np.random.RandomState = chosen
        else:
            self._first = seeded(chosen)
            self._generator = np.random.default_rng(self._first.seed)
        self._initial = self.state
        self._last: tuple[tuple[Callable[..., Any], int], Bootstrapped] | None = None
        self._task_bootstrap = bool(task_bootstrap)
        self._index: Any = self._whole()
        self._name_data()

    @abstractmethod
    def _whole(self) -> Any:
        """Return the indices of the arrays themselves; refuse shapes that do not go together."""

    def _name_data(self) -> None:
        for name in self._kwargs:
            if hasattr(self, name):
                raise OptionError(f"{name!r} is a name that the bootstrap itself has; call the array something else.")
        self._keep(self._args, self._kwargs)

    def _keep(self, args: tuple[Array, ...], kwargs: dict[str, Array]) -> Resampled:
        """Make a resample what `data`, `pos_data`, `kw_data` and the names of arrays say."""
        self.pos_data, self.kw_data = args, kwargs
        self.data = args, kwargs
        for name, array in kwargs.items():
            setattr(self, name, array)
        return self.data

    def __repr__(self) -> str:
        return f"{self._name}(no. pos. inputs: {len(self._args)}, no. keyword inputs: {len(self._kwargs)})"

    # ── randomness ──────────

    @property
    def generator(self) -> np.random.Generator | np.random.RandomState:
        """Return what resamples are drawn with; it can be set."""
        return self._generator

    @generator.setter
    def generator(self, value: np.random.Generator | np.random.RandomState) -> None:
        if not isinstance(value, np.random.Generator | np.random.RandomState):
            raise OptionError(f"generator must be a numpy Generator or RandomState, not {value!r}.")
        self._generator, self._first = value, None

    random_state = generator

    @property
    def state(self) -> Any:
        """Return the state of the generator; it can be set."""
        if isinstance(self._generator, np.random.Generator):
            return self._generator.bit_generator.state
        return self._generator.get_state()

    @state.setter
    def state(self, value: Any) -> None:
        self._first = None
        if isinstance(self._generator, np.random.Generator):
            self._generator.bit_generator.state = value
        else:
            self._generator.set_state(value)

    def reset(self, use_seed: bool = True) -> None:
        """Return to the state before the first resample."""
        del use_seed
        self._keep(self._args, self._kwargs)
        self.state = self._initial

    def integers(self, upper: int, shape: tuple[int, ...]) -> Array:
        """Return whole numbers below `upper`."""
        if isinstance(self._generator, np.random.Generator):
            return self._generator.integers(upper, size=shape)
        return self._generator.randint(upper, size=shape)

    def _streams(self) -> Streams:
        """Return the streams of the next interval: of the seed itself for the first one, drawn for those that follow."""
        first, self._first = self._first, None
        return first or seeded(self._generator)

    # ── resamples ──────────

    @abstractmethod
    def update_indices(self) -> Any:
        """Return the indices of a new resample."""

    @abstractmethod
    def _taken(self, index: Any) -> Resampled:
        """Return the resample that indices name."""

    @property
    def index(self) -> Any:
        """Return the indices of the last resample."""
        return self._index

    def bootstrap(self, reps: int) -> Iterator[Resampled]:
        """Yield `reps` resamples: a tuple of the arrays given by position, a dictionary of those given by name."""
        for _ in range(reps):
            self._index = self.update_indices()
            yield self._keep(*self._taken(self._index))

    def apply(
        self, func: Callable[..., Any], reps: int = 1000, extra_kwargs: Mapping[str, Any] | None = None
    ) -> Floats:
        """Return a function of `reps` resamples, (reps, n_values)."""
        named = dict(extra_kwargs or {})
        both = sorted(set(named) & set(self._kwargs))
        if both:
            raise OptionError(f"extra_kwargs holds {both[0]!r}, which is the name of an array; rename one of them.")
        count = check_count("reps", reps)
        return stacked(values(func(*args, **kwargs, **named)) for args, kwargs in self.bootstrap(count))

    def cov(
        self,
        func: Callable[..., Any],
        reps: int = 1000,
        recenter: bool = True,
        extra_kwargs: Mapping[str, Any] | None = None,
    ) -> Floats:
        """Return the covariance of a function of resamples, (n_values, n_values), about its mean or, without `recenter`, the estimate."""
        known = self._bootstrapped(func, check_count("reps", reps), extra_kwargs)
        errors = known.replicates - (known.replicates.mean(axis=0) if recenter else known.estimate)
        covariance: Floats = errors.T @ errors / reps
        return covariance

    def var(
        self,
        func: Callable[..., Any],
        reps: int = 1000,
        recenter: bool = True,
        extra_kwargs: Mapping[str, Any] | None = None,
    ) -> Floats:
        """Return the variances of a function of resamples, (n_values,)."""
        return np.diag(self.cov(func, reps, recenter, extra_kwargs)).copy()

    def clone(self, *args: Any, seed: RandomState = None, **kwargs: Any) -> Bootstrap:
        """Return a bootstrap of the same kind of other arrays."""
        return type(self)(*args, seed=seed, task_bootstrap=self._task_bootstrap, **kwargs)

    # ── intervals ──────────

    def conf_int(
        self,
        func: Callable[..., Any],
        reps: int = 1000,
        method: str = "basic",
        size: float = 0.95,
        tail: str = "two",
        extra_kwargs: Mapping[str, Any] | None = None,
        reuse: bool = False,
        sampling: str = "nonparametric",
        std_err_func: Callable[..., Any] | None = None,
        studentize_reps: int = 1000,
    ) -> Floats:
        """Return the interval of a function of the arrays, (2, n_values): low ends, then high ends.

        `method`: percentile, basic, bc, bca, norm or studentized, and arch's other names for them; `tail`: two, lower or upper. `reuse` takes
        the resamples of the last call where function and reps are the same.
        """
        check_choice("method", method, METHODS)
        check_choice("tail", tail.lower(), TAILS)
        check_choice("sampling", sampling, ["nonparametric"])
        tails = tails_of(check_open_unit("size", size), tail.lower())
        asked = func, check_count("reps", reps)
        known = self._last[1] if reuse and self._last and self._last[0] == asked else None
        if known is None or method == "studentized":
            inner = Inner(std_err_func, studentize_reps) if method == "studentized" else None
            known = self._bootstrapped(func, reps, extra_kwargs, inner)
            self._last = asked, known
        return ends_of(replace(known, tails=tails), method, tail.lower())

    def _bootstrapped(
        self,
        func: Callable[..., Any],
        reps: int,
        extra_kwargs: Mapping[str, Any] | None,
        inner: Inner | None = None,
    ) -> Bootstrapped:
        named = dict(extra_kwargs or {})

        def whole(*args: Array, **kwargs: Array) -> Any:
            return func(*args, **kwargs, **named)

        by_name = {name: array.copy() for name, array in self._kwargs.items()}
        estimate = values(of_copies(whole, self._args, **by_name))
        check_finite("what func gives of the scores", estimate)
        work = None if named or inner else self._work(func)
        studentized = None
        if work is not None:
            drawn = work.replicates(reps)
        elif inner is None:
            drawn = self.apply(func, reps, named)
        else:
            both = stacked(self._studentized(whole, estimate, inner, *data) for data in self.bootstrap(reps))
            drawn, studentized = both[:, : estimate.size], both[:, estimate.size :]
        check_replicates(drawn)
        return Bootstrapped(
            replicates=drawn,
            estimate=estimate,
            tails=(0.0, 1.0),
            acceleration=work.acceleration if work else lambda: self._exchanged(whole),
            studentized=studentized,
        )

    @abstractmethod
    def _work(self, func: Callable[..., Any]) -> Work | None:
        """Return a faster way to the replicates of a function of the positional arrays, where there is one."""

    def _exchanged(self, whole: Callable[..., Any]) -> Floats:
        """Return the acceleration of a function of all arrays, runs of arrays by name exchanged as well."""
        n, names = len(self._args), tuple(self._kwargs)

        def of_all(*arrays: Array) -> Any:
            return whole(*arrays[:n], **dict(zip(names, arrays[n:], strict=True)))

        return exchanged(of_all, [*self._args, *self._kwargs.values()], together=self._aligned)

    def _studentized(
        self,
        whole: Callable[..., Any],
        estimate: Floats,
        inner: Inner,
        args: tuple[Array, ...],
        kwargs: dict[str, Array],
    ) -> Floats:
        """Return a replicate, and its deviation from the estimate over its standard error."""
        own = values(whole(*args, **kwargs))
        if inner.function is not None:
            error = values(inner.function(own, *args, **kwargs))
        else:
            nested = self.clone(*args, seed=int(self.integers(2**31 - 1, (1,))[0]), **kwargs)
            error = np.sqrt(nested.var(whole, inner.reps))
        if np.any(error <= np.finfo(float).eps * np.abs(own - estimate)):
            raise DataError(
                "a resample has no spread, so that its standard error is 0; a studentized interval needs more runs, or use method='percentile'."
            )
        return np.concatenate([own, (own - estimate) / error])
