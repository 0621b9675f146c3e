"""The two laws of a search against slow twins, decision by decision, and what they promise."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest

import runoff as ro
from runoff._inference.search import Gain, Strict, Trial, level_of, lowest_correlation
from runoff._inference.search.search import new_runs
from runoff.data.ledger import LedgerRun
from tests.reference.keep import SlowGain, SlowStrict

NOISES = {
    "normal": lambda rng: rng.normal(),
    "heavy tails": lambda rng: rng.standard_t(3),
    "two groups": lambda rng: rng.normal() - 3 * (rng.random() < 0.2),
}
GAINS = (-1.0, 0.0, 0.0, 0.3, 1.5, 3.0)


@dataclass
class Both:
    """A law and its twin, given the same runs, and what they decided."""

    quick: Strict | Gain
    slow: SlowStrict | SlowGain
    rng: np.random.Generator
    noise: str = "normal"
    budget: int = 0
    n_runs: int = 0
    level: float = 0.0
    decided: list[tuple] = field(default_factory=list)
    twins: list[tuple] = field(default_factory=list)

    def run(self, gain: float = 0.0) -> float:
        self.n_runs += 1
        return self.level + gain + NOISES[self.noise](self.rng)

    def champion_run(self) -> None:
        score = self.run()
        self.quick.champion_run(score, f"champion {self.n_runs}")
        if isinstance(self.slow, SlowStrict):
            self.slow.fresh.append(score)
        else:
            self.slow.champion_run(score)

    def steps_of(self, trial: Trial):
        """Return what the law and its twin say of a trial."""
        left = (self.budget - self.n_runs,) if self.budget else ()
        step = self.quick.step(trial, *left)
        self.decided.append((step.decision, step.n_candidate, step.n_champion))
        self.twins.append(self.slow.step(trial.values, *left))
        return step

    def judge(self, name: str, gain: float) -> bool:
        """Run a candidate to its end; False where law and twin differ, or no run is left."""
        trial = Trial(name)
        while (step := self.steps_of(trial)).decision == "run_more" and self.decided[-1] == self.twins[-1]:
            for _ in range(step.n_champion):
                self.champion_run()
            for _ in range(step.n_candidate):
                trial.values.append(self.run(gain))
                trial.labels.append(f"{name} {self.n_runs}")
                self.quick.use(trial)
        if self.decided[-1] != self.twins[-1] or not trial.values:
            return False
        left = (self.budget - self.n_runs,) if self.budget else ()
        self.quick.close(trial, step, *left)
        self.slow.close(trial.values, step.decision, *left)
        self.level += gain * (step.decision == "keep")
        return True


def strict_night(seed: int, noise: str, n: int = 30, **options: bool) -> Both:
    rng = np.random.default_rng(seed)
    both = Both(Strict(**options), SlowStrict(**options), rng, noise)
    for j, gain in enumerate(rng.choice(GAINS, n)):
        both.judge(str(j), float(gain))
    return both


def gain_night(seed: int, noise: str, budget: int, n: int) -> Both:
    rng = np.random.default_rng(seed)
    both = Both(Gain(n_proposals=n), SlowGain(n_proposals=n), rng, noise, budget)
    for j, gain in enumerate(rng.choice(GAINS, n)):
        if not both.judge(str(j), float(gain)):
            break
    return both


OPTIONS = [{}, {"renew": True}, {"fresh_champion": True}]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_strict_decides_as_its_twin(noise, options):
    for seed in range(6):
        both = strict_night(seed, noise, **options)
        assert both.decided == both.twins
        assert {"keep", "discard"} <= {decision for decision, *_ in both.decided}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("noise", "budget"),
    [
        ("normal", 60),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in (("heavy tails", 120), ("two groups", 200))),
    ],
)
def test_gain_decides_as_its_twin(noise, budget):
    both = gain_night(3, noise, budget, 20)
    assert both.decided == both.twins
    assert {"keep", "discard"} <= {decision for decision, *_ in both.decided}
    assert both.quick.mean == pytest.approx(both.slow.mean, rel=1e-9)
    assert both.quick.variance == pytest.approx(both.slow.variance, rel=1e-9)
    assert both.quick.price == pytest.approx(both.slow.price, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_strict_decides_as_its_twin_on_a_thousand_nights(options):
    nights = (strict_night(seed, noise, 15, **options) for seed in range(333) for noise in NOISES)
    assert all(both.decided == both.twins for both in nights)


def test_the_record_is_that_of_the_twin():
    both = strict_night(2, "normal")
    both.champion_run()
    claim = both.quick.record
    assert (claim.gain, claim.low, claim.high) == pytest.approx(both.slow.record())
    assert claim.level == pytest.approx(np.mean(both.slow.fresh))


def test_levels_of_all_confirmations_sum_to_alpha_and_never_rise():
    levels = [level_of(0.1, number) for number in range(1, 50_001)]
    assert sum(levels) == pytest.approx(0.1 * (1 - 5 / 50_005))
    assert levels == sorted(levels, reverse=True)


def trial_of(values, n_used, name="x"):
    trial = Trial(name, values=list(values), labels=[f"s{k}" for k in range(len(values))])
    return trial, n_used


def champion(values, law=None):
    law = Strict() if law is None else law
    for k, value in enumerate(values):
        law.champion_run(value, f"s{k}")
    return law


EIGHT = [0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 0.0]


def confirmed(law: Strict, values: list[float], name: str = "x"):
    """Return the last step about a candidate whose runs are there at once, and its trial."""
    trial, _ = trial_of(values, 0, name)
    step = law.step(trial)
    while step.n_candidate and trial.n_pending:
        law.use(trial)
        step = law.step(trial)
    return step, trial


def test_the_share_of_a_confirmation_is_gone_before_its_first_run_counts():
    law = champion(EIGHT)
    step, trial = confirmed(law, [3.0, 3.0])
    assert (step.reason, trial.number, law.begun) == ("confirming", 1, 1)
    assert trial.level == level_of(0.1, 1)
    assert trial.confirmation.n == 0


def test_a_look_is_made_once_however_many_runs_of_the_champion_follow():
    law = champion([*EIGHT, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.4, -0.4, 0.6, -0.6, 0.7, -0.7])
    step, trial = confirmed(law, [3.0, 3.0, *(0.7 + x for x in EIGHT)])
    assert (step.decision, trial.looked) == ("run_more", 8)
    for k in range(200):
        law.champion_run(-3.0 - k / 1000, f"late {k}")
        assert law.step(trial).decision == "run_more"


def test_screening_runs_never_count_in_the_confirmation():
    law = champion([*EIGHT, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.4, -0.4, 0.6, -0.6, 0.7, -0.7])
    step, trial = confirmed(law, [90.0, 90.0, *(3.0 + x for x in EIGHT)])
    assert step.decision == "keep"
    assert step.lead == pytest.approx(3.0 - law.level.mean)
    law.close(trial, step)
    assert law.chose.mean == pytest.approx(3.0)


def test_runs_after_a_keep_are_those_of_a_champion_that_they_did_not_choose():
    law = champion([*EIGHT, *(0.1 * k for k in range(-6, 6))])
    step, trial = confirmed(law, [4.0, 4.0, *(4.0 + x for x in EIGHT), 2.5, 3.5])
    assert step.decision == "keep"
    law.close(trial, step)
    assert (law.fresh.n, law.fresh.mean, law.n_short) == (2, 3.0, 2)


def test_a_candidate_noisier_than_the_rest_pays_for_it():
    twenty = [*EIGHT, *(0.1 * k for k in range(-6, 6))]
    wide = [2.0 + 4 * x for x in EIGHT]
    calm, _ = confirmed(champion(twenty), [4.0, 4.0, *(2.0 + x for x in EIGHT)])
    noisy, _ = confirmed(champion(twenty), [4.0, 4.0, *wide])
    assert calm.decision == "keep"
    assert noisy.decision == "run_more"


def test_correlation_is_believed_from_forty_pairs_on_and_with_its_error():
    rng = np.random.default_rng(1)
    x = rng.normal(size=400)
    pairs = list(zip(x.tolist(), (0.5 * x + rng.normal(size=400)).tolist(), strict=True))
    assert lowest_correlation(pairs[:39]) == -1.0
    r, n = np.corrcoef(np.array(pairs).T)[0, 1], len(pairs)
    assert lowest_correlation(pairs) == pytest.approx(np.tanh(np.arctanh(r) - 1.6448536 / np.sqrt(n - 3)))


def test_confirmations_go_by_differences_within_seeds_once_the_ledger_shows_that_they_correlate():
    rng = np.random.default_rng(0)
    seeds = {f"s{k}": value for k, value in enumerate(rng.normal(size=20).tolist())}
    law = champion(seeds.values())
    law.pairs = [(value, value + 0.1 * rng.normal()) for value in rng.normal(size=40).tolist()]
    near = [value + 0.5 + 0.05 * rng.normal() for value in seeds.values()]
    step, trial = confirmed(law, [4.0, 4.0, *near[2:]])
    assert trial.paired
    assert step.decision == "keep"
    differences = np.array(near[2:10]) - np.array([seeds[f"s{k}"] for k in range(2, 10)])
    assert step.lead == pytest.approx(differences.mean())


def test_seeds_of_a_champion_that_was_replaced_pair_with_nothing():
    law = champion([*EIGHT, *(0.1 * k for k in range(-6, 6))])
    step, trial = confirmed(law, [4.0, 4.0, *(4.0 + x for x in EIGHT)])
    law.close(trial, step)
    assert step.decision == "keep"
    assert law.seeds == {}
    law.champion_run(4.5, "s3")
    for value in (4.0, 4.1, 4.2):
        law.champion_run(value, f"t{value}")
    step, trial = confirmed(law, [-9.0], "other")
    law.close(trial, step)
    assert law.pairs == []


def test_discarded_candidates_come_again_by_their_mean_lead_drawn_to_nothing():
    law = champion(EIGHT)
    for name, values in {"low": [-1.0], "near": [0.2], "twice": [3.0, -3.0]}.items():
        step, trial = confirmed(law, values, name)
        law.close(trial, step)
    assert law.again() == ["near", "twice", "low"]


@pytest.mark.parametrize("place", range(1, 4))
def test_a_run_that_is_a_copy_of_another_is_refused_whether_that_is_new_or_in_the_ledger(place):
    run = LedgerRun(run="first", scores=(0.123456789012345,))
    others = [LedgerRun(run=f"{i}", scores=(0.3 + 0.010203040506 * i,)) for i in range(3)]
    again = replace(run, run="again")
    batch = [run, *others[: place - 1], again]
    refusal = "run 'again' of 'c' has the score of run 'first' of 'c'"
    with pytest.raises(ro.DataError, match=refusal):
        new_runs(SimpleNamespace(runs={}), "c", batch)
    with pytest.raises(ro.DataError, match=refusal):
        new_runs(SimpleNamespace(runs={("c", own.run): own.scores for own in batch[:-1]}), "c", [again])
    assert new_runs(SimpleNamespace(runs={}), "c", batch[:-1]) == tuple(batch[:-1])


def test_what_is_expected_of_new_candidates_moves_a_part_of_the_way_to_what_the_last_taught():
    both = Both(Gain(n_proposals=9), SlowGain(n_proposals=9), np.random.default_rng(2), "normal", 90)
    for j, gain in enumerate((0.0, 1.5, 0.3)):
        before = both.quick.prior.copy()
        assert both.judge(str(j), gain)
        now, learnt = both.quick.prior, both.quick.gains.get(str(j))
        assert now.sum() == pytest.approx(1)
        assert (now >= 0).all()
        assert not np.array_equal(now, before)
        if learnt is not None:  # a candidate that is kept leaves none
            assert (np.minimum(before, learnt) - 1e-12 <= now).all()
            assert (now <= np.maximum(before, learnt) + 1e-12).all()


def test_seeds_whose_champion_does_not_vary_correlate_as_much_as_seeds_that_do_not():
    assert lowest_correlation([(1.0, float(k)) for k in range(40)]) == pytest.approx(np.tanh(-1.6448536 / np.sqrt(37)))
