import numpy as np
import pytest

from runoff import Scores


@pytest.fixture
def scores():
    """Three algorithms on four tasks; C is clearly better than A and B."""
    rng = np.random.default_rng(0)
    return Scores.from_dict(
        {name: rng.normal(mean, 1, size=(8, 4)) for name, mean in (("A", 0), ("B", 0), ("C", 2))},
        score_unit="shared",
    )


@pytest.fixture
def ragged():
    rng = np.random.default_rng(1)
    return Scores.from_dict(
        {
            "A": {"t1": rng.normal(size=5), "t2": rng.normal(size=9), "t3": rng.normal(size=3)},
            "B": {"t1": rng.normal(size=4), "t3": rng.normal(size=7)},
        },
        score_unit="shared",
    )
