"""The score of a run whose values are training episodes, and whose last value is mostly noise."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro

N = 200


def frame(name: str, noise: float = 15.0, gain: float = 12.0):
    draw, steps = np.random.default_rng(3), np.arange(1, N + 1) * 1000
    rows = [(a, run, draw.normal(level, 3)) for a, level in (("ppo", 100.0), ("sac", 100 + gain)) for run in range(5)]
    values = [base + noise * draw.standard_normal(N) for *_, base in rows]
    labels = {"algo": np.repeat([a for a, *_ in rows], N), "seed": np.repeat([run for _, run, _ in rows], N)}
    return {**labels, "step": np.tile(steps, len(rows)), name: np.concatenate(values)}


def codes(scores: ro.Scores) -> list[str]:
    return [caveat.code for caveat in scores.provenance.caveats]


@pytest.mark.parametrize(
    "name", ["episodic_return", "charts/episodic_return", "episode/score", "rollout/ep_rew_mean", "monitor/reward"]
)
def test_the_score_of_training_episodes_is_the_mean_of_the_last_tenth(name):
    curves = ro.Curves.from_frame(frame(name), score=name)
    end = curves.final()
    assert end.values == pytest.approx([curves.curve(i)[1][-20:].mean() for i in range(10)])
    assert (
        end.provenance.notes[-1]
        == "the score of a run is the mean training return of the last 10% of its learning curve"
    )
    assert "evaluation" not in " ".join(curves.final(1).provenance.notes)


@pytest.mark.parametrize(
    "name", ["eval/episodic_return", "return", "episode_reward", "test/episode/score", "episode/length"]
)
def test_the_score_of_other_curves_is_their_last_value(name):
    curves = ro.Curves.from_frame(frame(name), score=name)
    assert not curves.of_training
    assert curves.final().values.tolist() == [curves.curve(i)[1][-1] for i in range(10)]


def test_a_gain_that_the_last_episode_misses_is_in_the_mean():
    curves = ro.Curves.from_frame(frame("episodic_return"))
    verdicts = [ro.compare(curves.final(last)).pairs[0].verdict for last in (1, None)]
    assert verdicts == ["no_difference_found", "b_better"]


@pytest.mark.parametrize(("last", "n"), [("10%", 20), (" 50 %", 100), ("100%", 200), ("0.1%", 1), ("7", 7), (7, 7)])
def test_the_last_part_of_training_is_counted_in_steps(last, n):
    curves = ro.Curves.from_frame(frame("return"))
    assert curves.final(last).values[0] == pytest.approx(curves.curve(0)[1][-n:].mean())


@pytest.mark.parametrize("last", ["x", "0%", "101%", "-1", "%", "1e1%"])
def test_what_is_no_part_of_training_is_refused(last):
    with pytest.raises(ro.OptionError, match="a number of evaluations or a share of training such as '10%'"):
        ro.Curves.from_frame(frame("return")).final(last)


def test_a_last_value_that_is_mostly_noise_is_told_with_the_repair():
    noisy = ro.Curves.from_frame(frame("return"))
    assert codes(noisy.final()) == ["R406"]
    assert codes(noisy.final("10%")) == codes(noisy.final(1)) == []
    assert "curves.final(last='10%')" in noisy.final().provenance.caveats[0].text


@pytest.mark.parametrize(("slope", "caveats"), [(0.0, ["R406"]), (0.1, ["R406"]), (0.4, []), (1.0, [])])
def test_noise_about_a_trend_is_told_only_where_neighbours_differ_nearly_as_much_as_all_values(slope, caveats):
    table = frame("return")
    table["return"] = np.asarray(table["return"]) + np.tile(slope * np.arange(N), 10)
    assert codes(ro.Curves.from_frame(table).final()) == caveats


def test_values_that_vary_less_than_runs_or_with_a_trend_are_no_noise():
    steady, rising = frame("return", noise=1.0), frame("return")
    rising["return"] = np.sort(np.asarray(rising["return"]).reshape(10, N), axis=1).ravel()
    assert [codes(ro.Curves.from_frame(table).final()) for table in (steady, rising)] == [[], []]


def test_the_command_line_takes_a_part_of_training(tmp_path, capsys):
    from runoff.cli.app import run

    table = frame("return")
    lines = [",".join(map(str, row)) for row in zip(*table.values(), strict=True)]
    file = tmp_path / "runs.csv"
    file.write_text("\n".join([",".join(table), *lines, ""]))
    assert run(["compare", str(file), "--last", "10%"]) == 0
    assert "the mean evaluation of the last 10% of its learning curve" in capsys.readouterr().out
    assert run(["compare", str(file), "--last", "10 percent"]) == 2
