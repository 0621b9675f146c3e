"""Coverage of the bands of performance profiles where the truth is known, as docs/tables/profiles.csv has it."""

from __future__ import annotations

import pytest
from scipy import stats

from docs import make_profile_calibration as page
from tools.site.tables import read

REPEATS = 400
DESIGNS = [
    ("alike", 1, 3),
    ("alike", 1, 10),
    ("spread", 6, 3),
    ("far apart", 6, 5),
    ("spread", 26, 10),
    ("shared, spread", 6, 5),
]
every_design = pytest.mark.parametrize("design", DESIGNS, ids=str)


def printed(layout, n_tasks, n_runs):
    """The mean coverage of the exact and Wilson's band and that of the simultaneous one, as the table has them."""
    cells = next(row[3:] for row in read("profiles") if row[:3] == [layout, str(n_tasks), str(n_runs)])
    return {"exact": float(cells[0][:5]), "wilson": float(cells[2][:5]), "simultaneous": float(cells[4])}


@pytest.mark.slow
@every_design
def test_the_simultaneous_band_holds_its_level_for_all_thresholds_together(design):
    _, _, together, _ = page.covered("simultaneous", *design, repeats=REPEATS)
    assert together * REPEATS >= stats.binom.ppf(0.001, REPEATS, page.LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize("band", ["exact", "wilson"])
@every_design
def test_the_mean_coverage_of_pointwise_bands_is_that_of_the_guide(design, band):
    mean, _, _, _ = page.covered(band, *design, repeats=REPEATS)
    # Neighbouring thresholds move together, so that their mean is hardly surer than one of them.
    error = (0.05 * 0.95 / REPEATS + 0.05 * 0.95 / page.N_REPEATS) ** 0.5
    assert mean == pytest.approx(printed(*design)[band], abs=4 * error)


@pytest.mark.slow
@every_design
def test_wilsons_band_is_near_its_level_or_above(design):
    mean, _, _, _ = page.covered("wilson", *design, repeats=REPEATS)
    assert mean > 0.915


def test_the_guide_has_every_design_of_the_calibration():
    rows = [(t, c, d) for d in page.LAYOUTS for t in page.N_TASKS for c in page.N_RUNS if t > 1 or d == "alike"]
    assert all(0.7 < value <= 1 for t, c, d in rows for value in printed(d, t, c).values())
