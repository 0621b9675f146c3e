"""What authors call their own algorithm says which level of folders names algorithms; and runs may be called by ids."""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import product

import pytest

import runoff as ro
from runoff.reading._known import run_in

ROOMS, NAMES = ("attic", "garage", "kitchen"), ("ours", "ours_no-reg", "prior")


def nested(put, form, names=NAMES):
    """Write a learning curve for each room, name and run, and return the folder of all."""
    root = None
    for room, name, run in product(ROOMS, names, range(3)):
        own = sha256(f"{room}{name}{run}".encode()).hexdigest()[:6]
        path = form.format(room=room, name=name, id=own, date=f"2026-04-{15 + run % 2}", run=run)
        file = put(f"all/{path}/log.csv", "iter,env_steps,success_rate\n0,0,0.1\n1,1000,0.3\n2,2000,0.4\n")
        root = file.parents[path.count("/") + 1]
    return root


@pytest.mark.parametrize(
    "form",
    ["{room}/{name}/run_{id}", "{name}/{room}/run_{id}", "{date}/{room}/{name}/run_{id}", "{room}/{name}/seed{run}"],
)
def test_a_level_with_ours_names_the_algorithms(put, form):
    curves = ro.load(nested(put, form))
    assert (set(curves.algorithms), set(curves.tasks)) == ({*NAMES}, {*ROOMS})
    assert curves.n_runs.tolist() == [[3] * 3] * 3


@pytest.mark.parametrize("form", ["{room}/{name}/run_{id}", "{name}/{room}/run_{id}"])
def test_a_level_with_a_baseline_is_offered_as_that_of_the_algorithms_first(put, form):
    folder = nested(put, form, ("baseline", "lookahead", "shaped"))
    with pytest.raises(ro.DataError, match="which is the algorithm") as refused:
        ro.load(folder)
    first = re.search(r"pattern='([^']*)'", str(refused.value))[1]
    assert ro.load(folder, pattern=first).algorithms == ("baseline", "lookahead", "shaped")


@pytest.mark.parametrize("name", ["run_07d349", "job-1f3a", "ppo_run-07d349ab", "trial_0a1b2c3d"])
def test_an_id_behind_the_word_for_a_run_is_a_run(name):
    run, rest = run_in(name)
    assert (run, rest.strip(" _-")) == (re.split("[_-]", name)[-1], "ppo" if "ppo" in name else "")


@pytest.mark.parametrize("name", ["run_bead", "run_a1", "runner_07d349", "run_fast1", "07d349"])
def test_a_word_or_a_version_behind_it_is_none(name):
    assert run_in(name) is None
