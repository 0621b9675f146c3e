"""The same seed gives the same bits, another seed others, threads change nothing: of the methods that read intervals."""

import numpy as np

import runoff as ro

RNG = np.random.default_rng(0)
SCORES = ro.Scores.from_dict({name: RNG.normal(m, 1, size=(7, 3)) for name, m in (("A", 0), ("B", 0.3), ("C", 1))})


def draw(**options):
    return ro.inferential_intervals(
        SCORES, measure="iqm", interval="percentile", n_resamples=1200, **options
    ).to_records()


def test_numbers_depend_on_the_seed_alone():
    assert draw(rng=3) == draw(rng=3, threads=3)
    assert draw(rng=3) != draw(rng=4)


def test_a_generator_in_the_same_state_gives_the_same_bits():
    assert draw(rng=np.random.default_rng(5)) == draw(rng=np.random.default_rng(5))
