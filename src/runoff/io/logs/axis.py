"""Which series of a table of rows counts the steps, the seconds, the episodes: by the usual names, in order of preference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runoff.errors import OptionError, nearest
from runoff.io.logs.words import canonical, last_piece, matches

STEPS = (
    *(
        "globalstep",
        "globalsteps",
        "envstep",
        "envsteps",
        "environmentstep",
        "environmentsteps",
        "numenvsteps",
        "totalenvsteps",
    ),
    *(
        "numenvstepssampledlifetime",
        "numenvstepssampled",
        "timestepstotal",
        "totaltimesteps",
        "numtimesteps",
        "totalenvinteracts",
    ),
    *(
        "envinteracts",
        "timesteps",
        "timestepssofar",
        "timestep",
        "numframes",
        "totalframes",
        "envframes",
        "frames",
        "frame",
        "totalsteps",
        "totalnumsteps",
    ),
    *("numsteps", "tenv", "stepcount", "actorsteps", "learnersteps", "steps", "step"),
)
"""Canonical last pieces of names of series that count steps of the environment."""
COUNTERS = ("trainingiteration", "iteration", "iterations", "iter", "nupdates", "updates", "epoch", "epochs")
"""Those that count something else: the last resort."""
TIMES = (
    "timetotals",
    "timeelapsed",
    "elapsedtime",
    "walltime",
    "wallclocktime",
    "totaltime",
    "runtime",
    "timesincerestore",
    "time",
    "t",
)
EPISODES = (
    "episodestotal",
    "totalepisodes",
    "numepisodes",
    "numepisodeslifetime",
    "numberofepisodes",
    "episodes",
    "episode",
    "totalepisodenum",
)


def steps_of(names: Iterable[str], asked: str | None) -> str | None:
    """Return the series that counts the steps, None where none does.

    Raises
    ------
    OptionError
        The one asked for is not there.
    """
    known = list(names)
    if asked is not None:
        return _asked(known, asked)
    return first_of(known, STEPS) or first_of(known, COUNTERS)


def first_of(names: Sequence[str], usual: Sequence[str]) -> str | None:
    """Return the name that comes first in a list of usual names; the shortest, of several."""
    places = {name: canonical(last_piece(name)) for name in names}
    found = [name for name in names if places[name] in usual]
    return min(found, key=lambda name: (usual.index(places[name]), len(name), name), default=None)


def counts_steps(name: str) -> bool:
    """Return whether a series counts steps, iterations, seconds or episodes: what no score does."""
    return canonical(last_piece(name)) in {*STEPS, *COUNTERS, *TIMES, *EPISODES}


def _asked(names: Sequence[str], asked: str) -> str:
    found = [name for name in names if name == asked] or [name for name in names if matches(asked, name)]
    if not found:
        raise OptionError(f"there is no series {asked!r} to count the steps.{nearest(asked, names)}")
    return min(found, key=lambda name: (len(name), name))
