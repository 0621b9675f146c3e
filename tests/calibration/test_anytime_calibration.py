"""Looking after every batch, for as long as one likes: equal algorithms are told apart in at most 5 % of experiments, ever."""

import pytest

from docs.make_anytime import NULLS, wrong

LIBERAL = 0.15
"""Where runs have long tails and unequal spreads, relabelling is no symmetry: 0.10 was measured (docs/guides/when-to-stop.md)."""

slow = pytest.mark.slow


@slow
@pytest.mark.parametrize("case", NULLS, ids=lambda case: f"{case[0]}, {case[1].n_tasks} tasks, {case[1].n} runs")
def test_a_claim_is_ever_wrong_in_few_experiments(case):
    name, world = case
    assert wrong(world) <= (LIBERAL if "skewed" in name and "spreads" in name else 0.05)
