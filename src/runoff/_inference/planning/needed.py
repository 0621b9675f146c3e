"""How many runs one difference takes: as the pilot spreads, on average over what the spread may be, and with assurance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, isinf

from runoff._inference import pairs as pairing
from runoff._inference.planning.chance import PlanOptions, Search, search_of
from runoff._inference.planning.pilot import Pilot, outlying, pooled
from runoff._inference.planning.words import RECOMMENDED, unit_words
from runoff._inference.planning.world import AS_SEEN, SpreadLimit
from runoff._inference.power import detectable, needed_multiple
from runoff.answer.plan import OutlyingRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """The power and the assurance that a plan has to reach."""

    power: float
    assurance: float

    @property
    def margin(self) -> SpreadLimit:
        return SpreadLimit(assurance=self.assurance)


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededRuns:
    """The runs of each algorithm on each task, and how power was found; `low` is enough where runs spread as little as the assurance allows,
    `outlying` makes most of the spread, `pooled` is n_runs without that.
    """

    seen: Search
    upper: Search
    n_runs: int
    naive: int
    average: int | None
    low: int | None
    pooled: int | None = None
    outlying: OutlyingRun | None = None


def runs_of(pilot: Pilot, options: PlanOptions, needed: Needed) -> NeededRuns:
    """Return how many runs the effect of the options takes."""
    runs, run = _as_it_is(pilot, options, needed), outlying(pilot)
    if run is None:
        return runs
    # Planned twice, for a run that makes most of the spread may be a mistake, or be what such runs do: the reader decides.
    return replace(runs, outlying=run, pooled=_as_it_is(pooled(pilot, run), options, needed).n_runs)


def simulated_beyond(pilot: Pilot, options: PlanOptions, needed: Needed, most: int) -> int | None:
    """Return how many runs a t test would take, where these are simulated and more than `most`."""
    upper = search_of(pilot, options, needed.margin)
    if upper.glance is None or upper.likely is None:
        return None
    likely = upper.likely.fewest(needed.power)
    return likely if likely > most else None


def _as_it_is(pilot: Pilot, options: PlanOptions, needed: Needed) -> NeededRuns:
    seen = replace(search_of(pilot, options, AS_SEEN), unit=unit_words(options.effect, pilot))
    # Relative effects grow with the spread: there is nothing to be assured of, and the search is the same one.
    upper = seen if options.effect.relative else search_of(pilot, options, needed.margin)
    naive, average = seen.fewest(needed.power), average_runs(pilot, options, needed.power)
    n_runs = max(naive, upper.fewest(needed.power), average or 0)  # where both are simulated, chance may turn them
    least = None if options.effect.relative or pilot.binary else SpreadLimit(assurance=1.0 - needed.assurance)
    low = None if least is None else _scaled(naive, seen, search_of(pilot, options, least), needed.power)
    return NeededRuns(seen=seen, upper=upper, n_runs=n_runs, naive=naive, average=average, low=low)


def _scaled(n_runs: int, search: Search, other: Search, power: float) -> int:
    """Return the fewest runs of the other search; of simulated ones, which differ by chance too, n_runs in the ratio of the closed forms."""
    if search.likely is None or other.likely is None:
        return other.fewest(power)
    return ceil(n_runs * other.likely.fewest(power) / search.likely.fewest(power))


def after_more(pilot: Pilot, options: PlanOptions, needed: Needed, runs: NeededRuns) -> int | None:
    """Return n_runs of a pilot of 20 runs that spread alike; of a simulation as many times fewer as in its closed form."""
    effect = options.effect
    if effect.relative or pilot.binary or pilot.sizes[0] >= RECOMMENDED:
        return None
    larger = search_of(pilot, options, replace(needed.margin, runs=RECOMMENDED))
    return _scaled(runs.n_runs, runs.upper, larger, needed.power)


def smallest_shown(pilot: Pilot, options: PlanOptions, power: float) -> tuple[float | None, str]:
    """Return the least true difference that runs like the pilot's find, or why none is known."""
    about = (
        pairing.about_measure(pilot.measure) if options.test == pairing.JACKKNIFE else pairing.about_test(options.test)
    )
    law, untold = pairing.power_law(pilot.pair, options.test, about, options.alpha, pilot.measure)
    if law is None:
        return None, untold
    error, df = pairing.widest(law, 1 - options.alpha)
    assert df is not None  # a law has some
    if (lead := pilot.pair.lead_found(pilot.measure, options.alpha, power)) is not None:
        return lead[0], ""
    # Where one algorithm stands for both, its runs are counted twice in df, and know half of that.
    return detectable(error, df, options.alpha, power, own_df=df / 2 if pilot.alike else df), ""


def average_runs(pilot: Pilot, options: PlanOptions, power: float) -> int | None:
    """Return the runs on average over what the spread may be, None where the test has no closed form."""
    if options.test == pairing.JACKKNIFE and not pilot.of_whole_runs:
        return search_of(pilot, options, SpreadLimit(average=True)).fewest(power)
    if options.test != pairing.MIETTINEN_NURMINEN or pilot.sizes[0] != pilot.sizes[1]:
        return None
    law, _ = pairing.power_law(pilot.pair, options.test, pairing.about_test(options.test), options.alpha, pilot.measure)
    if law is None:
        return None
    ((error, df),), n = law.laws, pilot.sizes[0]
    multiple = needed_multiple(options.effect.lead(pilot), error, df, n, options.alpha, power=power)
    # A billionth less, lest rounding asks for one run more.
    return None if isinf(multiple) else max(2, ceil(n * multiple * (1 - 1e-9)))
