"""How rliable's README, marl-eval, openrlbenchmark, rl-zoo3 and Tianshou call it: calls with their arguments, written by us, with fewer reps."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from scipy import stats

from runoff.compat.rliable import library as rly
from runoff.compat.rliable import metrics, plot_utils

RNG = np.random.default_rng(6)
NAMES = ["DQN (Nature)", "C51", "IQN"]
SCORES = {name: RNG.normal(0.4 + 0.2 * i, 0.3, size=(5, 6)) for i, name in enumerate(NAMES)}
CURVES = {name: RNG.normal(0.1 + 0.1 * i, 0.2, size=(5, 6, 12)).cumsum(axis=2) for i, name in enumerate(NAMES)}
TITLES = ["Median", "IQM", "Mean", "Optimality Gap"]


def four(x):
    """The function of the README, of marl-eval and of rl-zoo3."""
    return np.array(
        [
            metrics.aggregate_median(x),
            metrics.aggregate_iqm(x),
            metrics.aggregate_mean(x),
            metrics.aggregate_optimality_gap(x),
        ]
    )


def iqm(scores):
    """The sample efficiency of the README, of marl-eval and of rl-zoo3."""
    return np.array([metrics.aggregate_iqm(scores[..., frame]) for frame in range(scores.shape[-1])])


def drawn(ax):
    """What lines an Axes has, by name."""
    return [line.get_label() for line in ax.lines if not line.get_label().startswith("_")]


# ── the README ──────────


def test_the_readme_draws_aggregates():
    points, ends = rly.get_interval_estimates(SCORES, four, reps=200)
    figure, axes = plot_utils.plot_interval_estimates(
        points, ends, metric_names=TITLES, algorithms=NAMES, xlabel="Human Normalized Score"
    )
    assert [ax.get_title() for ax in axes] == TITLES
    assert figure is plt.gcf()


def test_the_readme_draws_probabilities_of_improvement():
    pairs = {"x,y": (SCORES["C51"], SCORES["IQN"])}
    points, ends = rly.get_interval_estimates(pairs, metrics.probability_of_improvement, reps=200)
    ax = plot_utils.plot_probability_of_improvement(points, ends)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x"]


def test_the_readme_draws_sample_efficiency_of_some_frames():
    frames = np.array([1, 3, 6, 12]) - 1
    points, ends = rly.get_interval_estimates({n: s[:, :, frames] for n, s in CURVES.items()}, iqm, reps=200)
    ax = plot_utils.plot_sample_efficiency_curve(
        frames + 1, points, ends, algorithms=NAMES, xlabel=r"Number of Frames (in millions)", ylabel="IQM Score"
    )
    assert drawn(ax) == NAMES
    assert ends["C51"].shape == (2, 4)


def test_the_readme_draws_profiles_on_axes_and_on_a_scale_of_runs():
    thresholds = np.linspace(0.0, 8.0, 81)
    spread = {name: np.linspace(0.1, 8.5, 30).reshape(5, 6) for name in NAMES}
    profiles, bands = rly.create_performance_profile(spread, thresholds)
    _, ax = plt.subplots(ncols=1, figsize=(7, 5))
    options = {"colors": dict(zip(NAMES, ["red", "green", "blue"], strict=True)), "xlabel": r"Score $(\tau)$", "ax": ax}
    assert plot_utils.plot_performance_profiles(profiles, thresholds, performance_profile_cis=bands, **options) is ax
    ticks = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0]
    plot_utils.plot_performance_profiles(
        profiles, thresholds, performance_profile_cis=bands, use_non_linear_scaling=True, xticks=ticks, **options
    )
    assert [label.get_text() for label in ax.get_xticklabels()] == [str(tick) for tick in ticks]


# ── marl-eval ──────────


def test_marl_eval_draws_profiles_with_a_legend_that_is_a_list():
    tau = np.linspace(0, 1, 100)
    profiles, bands = rly.create_performance_profile(SCORES, tau)
    _, ax = plt.subplots(ncols=1, figsize=(7, 5))
    colors = dict(zip(NAMES, [(0.1, 0.2, 0.3), "#ff0000", "tab:blue"], strict=True))
    plot_utils.plot_performance_profiles(
        profiles, tau, performance_profile_cis=bands, colors=colors, xlabel="Return", ax=ax, legend=NAMES
    )
    assert [text.get_text() for text in ax.get_legend().get_texts()] == NAMES


def test_marl_eval_tabulates_aggregates_and_draws_them_in_a_list_of_colours():
    points, ends = rly.get_interval_estimates(SCORES, four, reps=500)
    table = {name: {title: ends[name][:, i] for i, title in enumerate(TITLES)} for name in points}
    assert all(round(low, 2) <= round(high, 2) for row in table.values() for low, high in row.values())
    figure, _ = plot_utils.plot_interval_estimates(
        points,
        ends,
        metric_names=TITLES,
        algorithms=list(points),
        xlabel="Return",
        color_palette=["#d60000", "#8c3bff", "#018700"],
        xlabel_y_coordinate=-0.5,
    )
    assert figure.texts[0].get_position() == (0.4, -0.5)


def test_marl_eval_compares_pairs_and_curves():
    pairs = {",".join(pair): (SCORES[pair[0]], SCORES[pair[1]]) for pair in combinations(NAMES, 2)}
    results = rly.get_interval_estimates(pairs, metrics.probability_of_improvement, reps=200)
    ax = plot_utils.plot_probability_of_improvement(*results, color_palette=["#d60000", "#8c3bff", "#018700"])
    assert isinstance(ax, Axes)
    steps = np.arange(0, 12, 1)
    results = rly.get_interval_estimates({n: s[:, :, steps] for n, s in CURVES.items()}, iqm, reps=500)
    ax = plot_utils.plot_sample_efficiency_curve(
        steps * 100, *results, algorithms=NAMES, xlabel="Timesteps", ylabel="Return", legend=NAMES, figsize=(15, 8)
    )
    assert drawn(ax) == NAMES


def test_marl_eval_decorates_axes_of_its_own():
    _, ax = plt.subplots()
    decorated = plot_utils._annotate_and_decorate_axis(
        ax, xlabel="x", ylabel="y", labelsize="xx-large", ticklabelsize="xx-large", legend=False
    )
    assert decorated is ax
    assert not ax.spines["top"].get_visible()


# ── openrlbenchmark ──────────


@pytest.mark.parametrize(
    "metric_fn",
    [metrics.aggregate_median, metrics.aggregate_iqm, metrics.aggregate_mean, metrics.aggregate_optimality_gap],
)
def test_openrlbenchmark_draws_each_metric_against_steps_one_algorithm_at_a_time(metric_fn):
    def aggregate(scores):
        return np.array([metric_fn(scores[..., frame]) for frame in range(scores.shape[-1])])

    points, ends = rly.get_interval_estimates(CURVES, aggregate, reps=10)
    _, axes = plt.subplots(ncols=2, nrows=2, figsize=(14, 6.8), sharex=False)
    colors = dict(zip(NAMES, ["red", "green", "blue"], strict=True))
    for name in NAMES:
        plot_utils.plot_sample_efficiency_curve(
            np.linspace(0, 1e6, 12),
            {name: points[name]},
            {name: ends[name]},
            algorithms=[name],
            colors=colors,
            xlabel=r"Steps",
            ax=axes[0][0],
            ylabel="metric",
            labelsize="x-large",
            ticklabelsize="x-large",
        )
    assert drawn(axes[0][0]) == NAMES


def test_openrlbenchmark_profiles_the_last_evaluation_in_both_ways():
    last = {name: np.nanmean(scores[:, :, -1:], axis=-1) for name, scores in CURVES.items()}
    thresholds = np.linspace(0.0, 8.0, 81)
    for of_runs in (True, False):
        profiles, bands = rly.create_performance_profile(last, thresholds, reps=10, use_score_distribution=of_runs)
        assert all(bands[name].shape == (2, 81) for name in profiles)
    metric_fns = [metrics.aggregate_median, metrics.aggregate_iqm]
    points, ends = rly.get_interval_estimates(last, lambda x: np.array([fn(x) for fn in metric_fns]), reps=10)
    colors = dict(zip(NAMES, ["red", "green", "blue"], strict=True))
    figure, axes = plot_utils.plot_interval_estimates(
        points, ends, metric_names=["Median", "IQM"], algorithms=NAMES[::-1], colors=colors, xlabel=""
    )
    axes[1].set_xlabel("Normalized Score", fontsize="xx-large")
    with pytest.warns(UserWarning, match="Tight layout"):  # three rows are too low for it, in rliable as well
        figure.tight_layout()
    assert [label.get_text() for label in axes[0].get_yticklabels()] == NAMES[::-1]


# ── rl-zoo3 ──────────


def test_rl_zoo3_names_the_windows_of_its_figures():
    options = {"reps": 200, "confidence_interval_size": 0.9}
    results = rly.get_interval_estimates(SCORES, four, **options)
    sizes = {"xlabel_y_coordinate": 0.02, "subfigure_width": 5, "row_height": 1, "max_ticks": 4, "interval_height": 0.6}
    figure, _ = plot_utils.plot_interval_estimates(
        *results, metric_names=TITLES, algorithms=list(SCORES), xlabel="Normalized Score", **sizes
    )
    figure.canvas.manager.set_window_title("Rliable metrics")
    plt.tight_layout()
    plt.subplots_adjust(bottom=0.2)
    assert figure.get_size_inches().tolist() == [20, 3]
    pairs = {f"{a}, {b}": (SCORES[a], SCORES[b]) for a, b in combinations(NAMES, 2)}
    results = rly.get_interval_estimates(pairs, metrics.probability_of_improvement, **options)
    plot_utils.plot_probability_of_improvement(*results, figsize=(10, 8), interval_height=0.6)
    plt.gcf().canvas.manager.set_window_title("Probability of Improvement")
    assert plt.gcf() is not figure


def test_rl_zoo3_asks_for_profiles_and_curves_at_another_level():
    options = {"reps": 200, "confidence_interval_size": 0.9}
    thresholds = np.linspace(0.0, 1.5, 50)
    _, bands = rly.create_performance_profile(SCORES, thresholds, **options)
    assert (bands["C51"][0] <= bands["C51"][1]).all()
    at = np.concatenate((np.arange(11)[::4], [11]))
    points, ends = rly.get_interval_estimates({n: s[:, :, at] for n, s in CURVES.items()}, iqm, **options)
    ax = plot_utils.plot_sample_efficiency_curve(
        at + 1, points, ends, algorithms=NAMES, xlabel=r"Number of Evaluations"
    )
    plt.legend()
    assert ax is plt.gca()


# ── Tianshou ──────────


def test_tianshou_trims_columns_of_runs_by_steps():
    returns = {"PPO": CURVES["C51"][:, 0]}

    def trimmed(scores):
        return stats.trim_mean(scores, proportiontocut=0.25, axis=0)

    points, ends = rly.get_interval_estimates(returns, trimmed, reps=200)
    assert ends["PPO"].shape == (2, 12)
    assert (ends["PPO"][0] <= points["PPO"]).all()
    assert (points["PPO"] <= ends["PPO"][1]).all()
    _, ax = plt.subplots(ncols=1, figsize=(7, 5), constrained_layout=True)
    plot_utils.plot_sample_efficiency_curve(
        np.arange(12), points, ends, algorithms=None, xlabel="env step", ylabel="IQM episode return", ax=ax
    )
    assert drawn(ax) == ["PPO"]


def test_tianshou_profiles_the_last_column():
    last = {"PPO": CURVES["C51"][:, 0][:, [-1]]}
    thresholds = np.linspace(last["PPO"].min(), last["PPO"].max(), 101)
    profiles, bands = rly.create_performance_profile(last, thresholds)
    _, ax = plt.subplots(ncols=1, figsize=(7, 5), constrained_layout=True)
    plot_utils.plot_performance_profiles(
        profiles, thresholds, performance_profile_cis=bands, xlabel=r"Episode return $(\tau)$", ax=ax
    )
    assert profiles["PPO"][0] == 0.8
    assert profiles["PPO"][-1] == 0
