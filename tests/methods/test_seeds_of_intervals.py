"""The same seed gives the same bits, another seed others, threads change nothing: of the methods that read intervals."""

import numpy as np
import pytest

import runoff as ro

RNG = np.random.default_rng(0)
SCORES = ro.Scores.from_dict({name: RNG.normal(m, 1, size=(7, 3)) for name, m in (("A", 0), ("B", 0.3), ("C", 1))})
DRAWING = {
    "inferential": lambda **o: ro.inferential_intervals(
        SCORES, measure="iqm", interval="percentile", n_resamples=1200, **o
    ).to_records(),
    "equivalence": lambda **o: ro.equivalence(
        SCORES, margin=1.0, measure="iqm", method="bootstrap", n_resamples=1200, **o
    ).to_records(),
}  # fmt: skip
every = pytest.mark.parametrize("draw", DRAWING.values(), ids=DRAWING)


@every
def test_numbers_depend_on_the_seed_alone(draw):
    assert draw(rng=3) == draw(rng=3, threads=3)
    assert draw(rng=3) != draw(rng=4)


@every
def test_a_generator_in_the_same_state_gives_the_same_bits(draw):
    assert draw(rng=np.random.default_rng(5)) == draw(rng=np.random.default_rng(5))
