"""The kinds of numbers that event files hold, bit by bit."""

from __future__ import annotations

import numpy as np

from runoff._kernels.logs import events as kernels
from runoff.reading.logs.wire.events import CONVERT


def test_a_brain_float_is_the_upper_half_of_a_single_and_a_half_is_a_half():
    values = np.array([1.0, -2.5, 0.15625, 3e30], dtype=np.float32)
    upper = (values.view(np.uint32) >> np.uint32(16)).astype(np.int64)
    assert np.allclose(CONVERT[kernels.BRAIN](upper), values, rtol=2**-7)
    halves = np.array([1.0, -2.5, 0.15625], dtype=np.float16)
    assert CONVERT[kernels.HALF](halves.view(np.uint16).astype(np.int64)).tolist() == halves.tolist()
