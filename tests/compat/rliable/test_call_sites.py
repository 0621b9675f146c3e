"""How rliable's README and four programs call it: call by call with their arguments, only the import changed.

The calls are ours, written after the lines named below, on arrays of the shapes, types and memory orders that those programs make. The lines
themselves were run on the drop-in as well, by hand, with `IMPORTS` replaced as the guide says.

- rl-baselines3-zoo (MIT): rl_zoo3/plots/plot_from_file.py at 68d8efa47f36
- Tianshou (MIT): tianshou/evaluation/rliable_evaluation.py at 03bdfff47f65
- openrlbenchmark (MIT): openrlbenchmark/rlops.py at 2e574baef25a
- marl-eval (Apache-2.0): marl_eval/plotting_tools/plotting.py at ba74302e80c3, plot_utils.py at 18217027f78f
"""

from __future__ import annotations

import re
import subprocess
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from scipy import stats

import runoff as ro
from runoff.compat.rliable import library as rly
from runoff.compat.rliable import metrics, plot_utils
from runoff.compat.rliable.plot_utils import _annotate_and_decorate_axis
from tests.places import DOCS

RNG = np.random.default_rng(6)
NAMES = ["DQN (Nature)", "C51", "IQN"]
SCORES = {name: RNG.normal(0.4 + 0.2 * i, 0.3, size=(5, 6)) for i, name in enumerate(NAMES)}
CURVES = {name: RNG.normal(0.1 + 0.1 * i, 0.2, size=(5, 6, 12)).cumsum(axis=2) for i, name in enumerate(NAMES)}
TITLES = ["Median", "IQM", "Mean", "Optimality Gap"]
METRICS = ["median", "iqm", "mean", "optimality_gap"]
PALETTE = ["#d60000", "#8c3bff", "#018700"]
COLORS = dict(zip(NAMES, ["red", "green", "blue"], strict=True))


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


def assert_runoffs(results, scores, named=METRICS, *, reps, level=0.95, slack=1e-6):
    """The points and ends are those of `ro.aggregate`, algorithm by algorithm and metric by metric, ends but for a share of the width."""
    points, ends = results
    whole = ["iqm_whole" if name == "iqm" else name for name in named]
    ours = ro.aggregate(scores, measure=whole, interval="percentile", n_resamples=reps, confidence_level=level)
    assert list(points) == list(ends) == list(scores)
    assert {ends[name].shape for name in scores} == {(2, len(named))}
    for record in ours.rows:
        name, at = record.algorithm, whole.index(record.measure)
        np.testing.assert_allclose(points[name][at], record.estimate, rtol=1e-6)
        margin = slack * (record.high - record.low)
        np.testing.assert_allclose(ends[name][:, at], (record.low, record.high), atol=margin, rtol=1e-6)


def assert_runoffs_at(step, results, curves, metric="iqm", **options):
    """The metric at a step is that of `ro.aggregate` of the scores at that step; resamples of curves are other draws of the same law."""
    at_step = [{name: part[..., [step]] for name, part in half.items()} for half in results]
    scores = {name: part[:, :, step] for name, part in curves.items()}
    assert_runoffs(at_step, scores, [metric], reps=2_000, slack=0.1, **options)


def assert_drawn(ax, x, points, ends):
    """Lines and bands stand in the order of the algorithms, with their names, points and ends."""
    assert [line.get_label() for line in ax.lines] == list(points)
    for line, band, name in zip(ax.lines, ax.collections, points, strict=True):
        np.testing.assert_allclose(np.array(line.get_xydata()).T, (x, points[name]))
        extent = band.get_paths()[0].get_extents()
        np.testing.assert_allclose((extent.ymin, extent.ymax), (min(ends[name][0]), max(ends[name][1])))


def bars(ax):
    """From where to where the bars reach, from the lowest row up."""
    return [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches]


def sides(ax):
    """The names on the left and on the right, from the lowest row up."""
    other = next(panel for panel in ax.figure.axes if panel is not ax)
    return [[label.get_text().strip() for label in panel.get_yticklabels()] for panel in (ax, other)]


def assert_pairs(ax, results, pairs, scores):
    """The rows are the pairs, X on the left; their points are runoff's, and the bars the intervals about them."""
    points, ends = results
    assert sides(ax) == [[x for x, _ in pairs], [y for _, y in pairs]]
    ours = {(r.a, r.b): r.estimate for r in ro.probability_of_improvement(scores, pairs=pairs).rows}
    np.testing.assert_allclose(list(points.values()), [ours[pair] for pair in pairs])
    np.testing.assert_allclose(bars(ax), [end.ravel() for end in ends.values()])
    assert all(low < point < high for point, (low, high) in zip(points.values(), bars(ax), strict=True))


# ── the import ──────────

IMPORTS = """
try:
    from rliable import library as rly  # pytype: disable=import-error
    from rliable import metrics, plot_utils  # pytype: disable=import-error
except ImportError:
    rly = None
import rliable.library as library
from rliable.plot_utils import _annotate_and_decorate_axis
"""
NOTEBOOK = '{"source": [\n    "import rliable.metrics as metrics\\n"]}\n'
OTHER = "rliable_scores = 'from rliable import library'  # from rliable import library\nimport rliable_scores"


def test_the_command_of_the_guide_changes_imports_and_nothing_else(tmp_path):
    guide = (DOCS / "guides" / "coming-from-rliable.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^git grep .*$", guide, re.MULTILINE)
    script, notebook = tmp_path / "my plots.py", tmp_path / "plots.ipynb"
    script.write_text(IMPORTS + OTHER, encoding="utf-8")
    notebook.write_text(NOTEBOOK, encoding="utf-8")
    for line in ("git init -q", "git add .", command):
        subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True)
    text, names = script.read_text(encoding="utf-8"), {}
    assert text.endswith(OTHER)
    exec(text.removesuffix(OTHER), names)
    modules = [names[name] for name in ("rly", "library", "metrics", "plot_utils", "_annotate_and_decorate_axis")]
    assert modules == [rly, rly, metrics, plot_utils, _annotate_and_decorate_axis]
    assert notebook.read_text(encoding="utf-8") == NOTEBOOK.replace("rliable", "runoff.compat.rliable")


# ── rl-baselines3-zoo ──────────


def zoo_scores():
    """Matrices (n_runs, n_envs) of the last evaluations: the turned array of rows of float32, cut to the fewest runs."""
    runs = {name: [RNG.normal(0.2 + 0.2 * i, 0.2, 5 + env % 2) for env in range(4)] for i, name in enumerate(NAMES)}
    return {name: np.array([row[:5] for row in rows], dtype=np.float32).T for name, rows in runs.items()}


ZOO = zoo_scores()
ZOO_EVALS = {
    name: np.array(scores.transpose(1, 2, 0), dtype=np.float32).transpose(2, 0, 1) for name, scores in CURVES.items()
}
"""Scores (n_runs, n_envs, n_eval), turned from (n_envs, n_eval, n_runs)."""
CI = {"reps": 200, "confidence_interval_size": 0.9}
"""Arguments that every call of rl-baselines3-zoo has: `--ci-size`, and reps, of which there are fewer here."""


def test_zoo_draws_metrics_and_names_the_window():
    results = rly.get_interval_estimates(ZOO, four, **CI)
    assert_runoffs(results, ZOO, reps=200, level=0.9)
    figure, axes = plot_utils.plot_interval_estimates(
        *results,
        metric_names=TITLES,
        algorithms=NAMES,
        xlabel="Normalized Score",
        xlabel_y_coordinate=0.02,
        subfigure_width=5,
        row_height=1,
        max_ticks=4,
        interval_height=0.6,
    )
    figure.canvas.manager.set_window_title("Rliable metrics")
    plt.tight_layout()
    plt.subplots_adjust(bottom=0.2)
    assert figure.get_size_inches().tolist() == [20, 3]
    for ax, ends in zip(axes, np.transpose([results[1][name] for name in NAMES], (2, 0, 1)), strict=True):
        np.testing.assert_allclose(bars(ax), ends)


def test_zoo_draws_profiles_with_a_legend_of_pyplot():
    thresholds = np.linspace(0.0, 1.5, 50)
    profiles, bands = rly.create_performance_profile(ZOO, thresholds, **CI)
    _, ax = plt.subplots(ncols=1, figsize=(7, 5))
    plot_utils.plot_performance_profiles(
        profiles, thresholds, performance_profile_cis=bands, colors=COLORS, xlabel=r"Normalized Score $(\tau)$", ax=ax
    )
    plt.legend()
    assert_drawn(ax, thresholds, profiles, bands)
    for record in ro.performance_profile(ZOO, thresholds=thresholds).rows:
        at = np.searchsorted(thresholds, record.threshold)
        assert profiles[record.algorithm][at] == pytest.approx(record.estimate)
        assert bands[record.algorithm][0][at] <= record.estimate <= bands[record.algorithm][1][at]


def test_zoo_draws_every_pair_in_the_figure_that_is_current():
    chosen = list(combinations(NAMES, 2))
    given = {f"{a}, {b}": (ZOO[a], ZOO[b]) for a, b in chosen}
    results = rly.get_interval_estimates(given, metrics.probability_of_improvement, **CI)
    ax = plot_utils.plot_probability_of_improvement(*results, figsize=(10, 8), interval_height=0.6)
    plt.gcf().canvas.manager.set_window_title("Probability of Improvement")
    plt.tight_layout()
    assert plt.gcf() is ax.figure
    assert_pairs(ax, results, chosen, ZOO)


def test_zoo_draws_the_iqm_of_every_fourth_evaluation_and_the_last():
    at = np.concatenate((np.arange(11)[::4], [11]))
    given = {name: scores[:, :, at] for name, scores in ZOO_EVALS.items()}
    results = rly.get_interval_estimates(given, iqm, **CI | {"reps": 2_000})
    assert_runoffs_at(3, results, given, level=0.9)
    ax = plot_utils.plot_sample_efficiency_curve(
        at + 1, *results, algorithms=NAMES, xlabel=r"Number of Evaluations", ylabel="IQM Normalized Score"
    )
    plt.legend()
    assert ax is plt.gca()
    assert_drawn(ax, at + 1, *results)


# ── Tianshou ──────────

RETURNS = RNG.normal(20, 50, size=(10, 12)).cumsum(axis=1)
"""Of one experiment, (n_runs, n_steps)."""


@pytest.mark.slow
def test_tianshou_trims_columns_of_runs_by_steps():
    points, ends = rly.get_interval_estimates(
        {"PPO": RETURNS}, lambda scores: stats.trim_mean(scores, proportiontocut=0.25, axis=0), reps=2_000
    )
    assert_runoffs_at(11, (points, ends), {"PPO": RETURNS[:, None]})
    for colors in (None, {"PPO": "red"}):
        _, ax = plt.subplots(ncols=1, figsize=(7, 5), constrained_layout=True)
        plot_utils.plot_sample_efficiency_curve(
            np.arange(12), points, ends, algorithms=None, xlabel="env step", ylabel="IQM episode return", ax=ax,
            colors=colors,
        )  # fmt: skip
        assert_drawn(ax, np.arange(12), points, ends)


def test_tianshou_profiles_the_last_column_on_axes_that_another_experiment_has_used():
    _, ax = plt.subplots(ncols=1, figsize=(7, 5), constrained_layout=True)
    for name in ("PPO", "SAC"):
        last = {name: RETURNS[:, [-1]]}
        thresholds = np.linspace(np.min(RETURNS), np.max(RETURNS), 101)
        profiles, bands = rly.create_performance_profile(last, thresholds)
        plot_utils.plot_performance_profiles(
            profiles, thresholds, performance_profile_cis=bands, xlabel=r"Episode return $(\tau)$", ax=ax
        )
    assert [line.get_label() for line in ax.lines] == ["PPO", "SAC"]
    np.testing.assert_allclose(profiles["SAC"], (last["SAC"] > thresholds).mean(axis=0))
    assert (bands["SAC"][0] <= profiles["SAC"]).all()
    assert (profiles["SAC"] <= bands["SAC"][1]).all()


# ── openrlbenchmark ──────────


def maxmin(curves):
    """Curves (n_seeds, n_envs, n_subsamples), between the lowest and the highest score of each environment."""
    every = np.concatenate(list(curves.values()))
    low, high = (end.reshape(1, -1, 1) for end in (every.min(0).min(1), every.max(0).max(1)))
    return {name: (scores - low) / (high - low) for name, scores in curves.items()}


RLOPS = maxmin({name: scores[: 3 + i] for i, (name, scores) in enumerate(CURVES.items())})
LAST = {name: np.nanmean(scores[:, :, -1:], axis=-1) for name, scores in RLOPS.items()}


@pytest.mark.slow
def test_openrlbenchmark_draws_each_metric_against_steps_one_algorithm_at_a_time():
    functions = dict(zip(METRICS, (getattr(metrics, f"aggregate_{metric}") for metric in METRICS), strict=True))
    figure, axes = plt.subplots(ncols=2, nrows=2, figsize=(14, 6.8), sharex=False)
    for (metric, function), ax in zip(functions.items(), axes.flatten(), strict=True):
        results = rly.get_interval_estimates(
            RLOPS, lambda scores: np.array([function(scores[..., frame]) for frame in range(12)]), reps=500  # noqa: B023
        )  # fmt: skip
        assert_runoffs_at(11, results, RLOPS, metric)
        for name in RLOPS:
            plot_utils.plot_sample_efficiency_curve(
                np.linspace(0, 1e6, 12), *({name: half[name]} for half in results), algorithms=[name], colors=COLORS,
                xlabel=r"Steps", ax=ax, ylabel=metric, labelsize="x-large", ticklabelsize="x-large",
            )  # fmt: skip
        assert_drawn(ax, np.linspace(0, 1e6, 12), *results)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="lower center", ncol=2)


@pytest.mark.slow
def test_openrlbenchmark_profiles_runs_and_tasks_side_by_side():
    thresholds, kinds = np.linspace(0.0, 8.0, 81), {"run_scores": "wilson", "average_scores": "bootstrap"}
    _, axes = plt.subplots(ncols=2, figsize=(14, 3.4))
    for ax, (kind, band) in zip(axes, kinds.items(), strict=True):
        runs = {} if kind == "run_scores" else {"use_score_distribution": False}
        profiles, bands = rly.create_performance_profile(LAST, thresholds, reps=10, **runs)
        plot_utils.plot_performance_profiles(
            profiles,
            thresholds,
            performance_profile_cis=bands,
            colors=COLORS,
            xlabel=r"Normalized Score $(\tau)$",
            ax=ax,
        )
        assert_drawn(ax, thresholds, profiles, bands)
        ours = ro.performance_profile(LAST, thresholds=thresholds, kind=kind, band=band, n_resamples=100).rows
        shares = [profiles[r.algorithm][np.searchsorted(thresholds, r.threshold)] for r in ours]
        np.testing.assert_allclose(shares, [record.estimate for record in ours])


def test_openrlbenchmark_tabulates_metrics_and_draws_them_in_reversed_order():
    functions = [getattr(metrics, f"aggregate_{metric}") for metric in METRICS]
    results, more = (
        rly.get_interval_estimates(LAST, lambda x: np.array([f(x) for f in functions]), reps=n) for n in (10, 100)
    )
    assert_runoffs(more, LAST, reps=100)
    frame = pd.DataFrame.from_dict(results[0], orient="index", columns=TITLES)
    assert frame.loc["IQN", "IQM"] == results[0]["IQN"][1]
    figure, axes = plot_utils.plot_interval_estimates(
        *results, metric_names=TITLES, algorithms=NAMES[::-1], colors=COLORS, xlabel=""
    )
    axes[1].set_xlabel("Normalized Score", fontsize="xx-large")
    with pytest.warns(UserWarning, match="Tight layout"):  # three rows are too low for it, in rliable as well
        figure.tight_layout()
    assert [label.get_text() for label in axes[0].get_yticklabels()] == NAMES[::-1]
    np.testing.assert_allclose(bars(axes[1]), [results[1][name][:, 1] for name in NAMES[::-1]])


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
    assert_drawn(ax, tau, profiles, bands)


def test_marl_eval_tabulates_rounded_aggregates_and_draws_them_in_a_list_of_colours():
    points, ends = rly.get_interval_estimates(SCORES, four, reps=500)
    assert_runoffs((points, ends), SCORES, reps=500)
    table = {
        name: {title: f"{round(points[name][i], 2)} [{round(low, 2)}, {round(high, 2)}]" for i, title in enumerate(TITLES)
               for low, high in [ends[name][:, i]]}
        for name in points
    }  # fmt: skip
    assert re.fullmatch(r"[\d.]+ \[[\d.]+, [\d.]+\]", pd.DataFrame(table, columns=list(points)).loc["IQM", "C51"])
    figure, axes = plot_utils.plot_interval_estimates(
        points, ends, metric_names=TITLES, algorithms=list(points), xlabel="Return", color_palette=PALETTE,
        xlabel_y_coordinate=-0.5,
    )  # fmt: skip
    assert figure.texts[0].get_position() == (0.4, -0.5)
    np.testing.assert_allclose(bars(axes[3]), [ends[name][:, 3] for name in NAMES])


def test_marl_eval_compares_the_pairs_of_a_list():
    chosen = [("IQN", "C51"), ("IQN", "DQN (Nature)")]
    given = {",".join(pair): (SCORES[pair[0]], SCORES[pair[1]]) for pair in chosen}
    results = rly.get_interval_estimates(given, metrics.probability_of_improvement, reps=200)
    ax = plot_utils.plot_probability_of_improvement(*results, color_palette=PALETTE)
    assert isinstance(ax, Axes)
    assert_pairs(ax, results, chosen, SCORES)


@pytest.mark.slow
def test_marl_eval_draws_curves_with_a_legend_that_is_a_list():
    frames = np.arange(0, 12, 1)
    given = {name: scores[:, :, frames] for name, scores in CURVES.items()}
    results = rly.get_interval_estimates(given, iqm, reps=2_000)
    assert_runoffs_at(7, results, given)
    ax = plot_utils.plot_sample_efficiency_curve(
        frames * 100, *results, algorithms=NAMES, xlabel="Timesteps", ylabel="Return", legend=NAMES, figsize=(15, 8),
        color_palette=PALETTE,
    )  # fmt: skip
    assert ax.figure.get_size_inches().tolist() == [15, 8]
    assert_drawn(ax, frames * 100, *results)


def test_marl_eval_decorates_axes_of_its_own():
    _, ax = plt.subplots()
    ax.plot([0, 1], label="C51")
    decorated = _annotate_and_decorate_axis(
        ax, xlabel="x", ylabel="y", labelsize="xx-large", ticklabelsize="xx-large", legend=["C51"]
    )
    assert decorated is ax
    assert not ax.spines["top"].get_visible()


# ── the README of rliable ──────────


def test_the_readme_draws_aggregates():
    results = rly.get_interval_estimates(SCORES, four, reps=200)
    figure, axes = plot_utils.plot_interval_estimates(
        *results, metric_names=TITLES, algorithms=NAMES, xlabel="Human Normalized Score"
    )
    assert [ax.get_title() for ax in axes] == TITLES
    assert figure is plt.gcf()


def test_the_readme_draws_probabilities_of_improvement():
    pairs = {"x,y": (SCORES["C51"], SCORES["IQN"])}
    results = rly.get_interval_estimates(pairs, metrics.probability_of_improvement, reps=200)
    assert sides(plot_utils.plot_probability_of_improvement(*results)) == [["x"], ["y"]]


def test_the_readme_draws_sample_efficiency_of_some_frames():
    frames = np.array([1, 3, 6, 12]) - 1
    results = rly.get_interval_estimates({n: s[:, :, frames] for n, s in CURVES.items()}, iqm, reps=200)
    ax = plot_utils.plot_sample_efficiency_curve(
        frames + 1, *results, algorithms=NAMES, xlabel=r"Number of Frames (in millions)", ylabel="IQM Score"
    )
    assert_drawn(ax, frames + 1, *results)


def test_the_readme_draws_profiles_on_axes_and_on_a_scale_of_runs():
    thresholds = np.linspace(0.0, 8.0, 81)
    spread = {name: np.linspace(0.1, 8.5, 30).reshape(5, 6) for name in NAMES}
    profiles, bands = rly.create_performance_profile(spread, thresholds)
    _, ax = plt.subplots(ncols=1, figsize=(7, 5))
    options = {"colors": COLORS, "xlabel": r"Score $(\tau)$", "ax": ax}
    assert plot_utils.plot_performance_profiles(profiles, thresholds, performance_profile_cis=bands, **options) is ax
    ticks = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0]
    plot_utils.plot_performance_profiles(
        profiles, thresholds, performance_profile_cis=bands, use_non_linear_scaling=True, xticks=ticks, **options
    )
    assert [label.get_text() for label in ax.get_xticklabels()] == [str(tick) for tick in ticks]
