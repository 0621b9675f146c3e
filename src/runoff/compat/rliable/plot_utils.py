"""rliable's figures, by matplotlib alone. Where no Axes are given, a figure of pyplot is made, as rliable's callers expect to find it there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, islice
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from runoff.errors import DesignError, OptionError, nearest

_COLORS = "#0173B2 #DE8F05 #029E73 #D55E00 #CC78BC #CA9161 #FBAFE4 #949494 #ECE133 #56B4E9"
COLORBLIND = tuple(_COLORS.split())
"""Ten colours that most kinds of sight distinguish, in the order of seaborn's palette "colorblind"."""

CONTINUOUS = 256
"""Number of colours from which a colormap is sampled over its range, not counted off."""


def colors_of(palette: str | Iterable[Any] | None, n_colors: int) -> list[Any]:
    """Return `n_colors` colours of a palette: "colorblind", a colormap of matplotlib by name, or a list, which is repeated as needed.

    Raises
    ------
    OptionError
        The list is empty, or neither matplotlib nor, where it is installed, seaborn knows the name.
    """
    if isinstance(palette, str) and palette != "colorblind":
        return _named(palette, n_colors)
    colors = list(COLORBLIND if palette is None or palette == "colorblind" else palette)
    if not colors:
        raise OptionError("color_palette holds no colour.")
    return list(islice(cycle(colors), n_colors))


def _named(name: str, n_colors: int) -> list[Any]:
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    if name in colormaps:
        colormap = colormaps[name]
        # A list of few colours (tab10) is counted off; one of 256 (viridis) is a scale.
        if isinstance(colormap, ListedColormap) and colormap.N < CONTINUOUS:
            return [colormap(i % colormap.N) for i in range(n_colors)]
        # As seaborn: the ends are too light or dark.
        return [colormap(x) for x in np.linspace(0, 1, n_colors + 2)[1:-1]]
    try:
        import seaborn
    except ImportError:
        raise OptionError(
            f"color_palette must be 'colorblind', a colormap of matplotlib, or a list of colours, not {name!r}, which seaborn may know, but it "
            f"is not installed.{nearest(name, ['colorblind', *colormaps])}"
        ) from None
    return list(seaborn.color_palette(name, n_colors=n_colors))


Size = str | float
BELOW = 0.75
"""Inches from the panels of intervals down to their common label."""


def _figure(columns: int, figsize: tuple[float, float]) -> tuple[Figure, Any]:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(nrows=1, ncols=columns, figsize=figsize)
    return figure, axes


def _colors(names: Iterable[Any], colors: Mapping[Any, Any] | None, palette: Any) -> Mapping[Any, Any]:
    chosen = list(names)
    if not chosen:
        raise DesignError("there is nothing to draw: the dictionary of estimates is empty.")
    if colors is None:
        return dict(zip(chosen, colors_of(palette, len(chosen)), strict=True))
    missing = [name for name in chosen if name not in colors]
    if missing:
        raise OptionError(f"colors has no colour for {missing[0]!r}; it names {', '.join(map(repr, colors))}.")
    return colors


def _decorate_axis(ax: Axes, wrect: float = 10, hrect: float = 10, ticklabelsize: Size = "large") -> Axes:
    for side, distance in (("left", hrect), ("bottom", wrect)):
        ax.spines[side].set_linewidth(2)
        ax.spines[side].set_position(("outward", distance))
    for side in ("right", "top"):
        ax.spines[side].set_visible(False)
    ax.tick_params(length=0.1, width=0.1, labelsize=ticklabelsize)
    return ax


def _annotate_and_decorate_axis(
    ax: Axes,
    labelsize: Size = "x-large",
    ticklabelsize: Size = "x-large",
    xticks: Sequence[float] | None = None,
    xticklabels: Sequence[Any] | None = None,
    yticks: Sequence[float] | None = None,
    legend: Any = False,
    grid_alpha: float = 0.2,
    legendsize: Size = "x-large",
    xlabel: str = "",
    ylabel: str = "",
    wrect: float = 10,
    hrect: float = 10,
) -> Axes:
    ax.set_xlabel(xlabel, fontsize=labelsize)
    ax.set_ylabel(ylabel, fontsize=labelsize)
    if xticks is not None:
        ax.set_xticks(xticks, labels=[str(label) for label in (xticks if xticklabels is None else xticklabels)])
    if yticks is not None:
        ax.set_yticks(yticks)
    ax.grid(True, alpha=grid_alpha)
    _decorate_axis(ax, wrect=wrect, hrect=hrect, ticklabelsize=ticklabelsize)
    if legend:
        ax.legend(fontsize=legendsize)
    return ax


def _non_linear_scaling(
    performance_profiles: Mapping[Any, Any],
    tau_list: Sequence[float],
    xticklabels: Sequence[float] | None = None,
    num_points: int = 5,
    log_base: float = 2,
) -> tuple[Any, Any, Sequence[float]]:
    """Return where thresholds stand when a range of them is as wide as the mean share of runs within it, and ticks with their labels."""
    # A threshold stands at the share of runs below it, so that every part of the axis holds as many runs as it
    # is wide.
    places = 1 - np.mean([np.asarray(profile) for profile in performance_profiles.values()], axis=0)
    thresholds = list(tau_list)
    if xticklabels is None:
        last = np.log2(max(len(thresholds) - 1, 1))
        # As rliable has it: in geometric steps of the places in the list of thresholds.
        # A power that is a whole number comes out a last bit below it on some processors.
        steps = np.floor(np.logspace(0, last, base=log_base, num=num_points) + 1e-9).astype(int)
        at = steps.clip(max=len(thresholds) - 1).tolist()
        return places, places[at], [thresholds[i] for i in at]
    absent = [tick for tick in xticklabels if tick not in thresholds]
    if absent:
        message = f"with non-linear scaling xticks are some of the thresholds, and {absent[0]!r} is none of them."
        raise OptionError(message)
    return places, places[[thresholds.index(tick) for tick in xticklabels]], xticklabels


def plot_performance_profiles(
    performance_profiles: Mapping[Any, ArrayLike],
    tau_list: ArrayLike,
    performance_profile_cis: Mapping[Any, Any] | None = None,
    use_non_linear_scaling: bool = False,
    ax: Axes | None = None,
    colors: Mapping[Any, Any] | None = None,
    color_palette: Any = "colorblind",
    alpha: float = 0.15,
    figsize: tuple[float, float] = (10, 5),
    xticks: Sequence[float] | None = None,
    yticks: Sequence[float] | None = None,
    xlabel: str = r"Normalized Score ($\tau$)",
    ylabel: str = r"Fraction of runs with score $> \tau$",
    linestyles: Mapping[Any, Any] | None = None,
    **kwargs: Any,
) -> Axes:
    """Draw performance profiles with their bands.

    Parameters
    ----------
    performance_profiles, performance_profile_cis : dict
        Of each algorithm the profile, (n_thresholds,), and its band, (2, n_thresholds), as from `library.create_performance_profile`.
    tau_list : array (n_thresholds,)
    use_non_linear_scaling : bool
        Whether a range of thresholds is as wide as the share of runs within it; `xticks` are then some of the thresholds.
    ax : Axes, optional
        A new figure otherwise, of size `figsize`.
    colors, linestyles : dict, optional
        Of each algorithm; `color_palette` otherwise ("colorblind", a colormap of matplotlib, or a list), and solid.
    alpha : float
        Opacity of the bands.
    xticks, yticks, xlabel, ylabel
    **kwargs
        `linewidth` of the lines; `legend`, `labelsize`, `ticklabelsize`, `legendsize`, `grid_alpha`, `wrect`, `hrect`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from runoff.compat.rliable import plot_utils
    >>> ax = plot_utils.plot_performance_profiles({"A": [1.0, 0.5, 0.0]}, [0.0, 0.5, 1.0], ax=Figure().subplots())
    >>> [line.get_label() for line in ax.lines]
    ['A']
    """
    by_name = _colors(performance_profiles, colors, color_palette)
    ax = _figure(1, figsize)[1] if ax is None else ax
    thresholds, labels = np.asarray(tau_list), xticks
    if use_non_linear_scaling:
        thresholds, xticks, labels = _non_linear_scaling(performance_profiles, thresholds.tolist(), xticks)
    linewidth = kwargs.pop("linewidth", 2.0)
    for name, profile in performance_profiles.items():
        style = "solid" if linestyles is None else linestyles[name]
        ax.plot(thresholds, profile, color=by_name[name], linestyle=style, linewidth=linewidth, label=name)
        if performance_profile_cis is not None and name in performance_profile_cis:
            low, high = performance_profile_cis[name]
            ax.fill_between(thresholds, low, high, color=by_name[name], alpha=alpha)
    yticks = [0.0, 0.25, 0.5, 0.75, 1.0] if yticks is None else yticks
    return _annotate_and_decorate_axis(
        ax, xticks=xticks, xticklabels=labels, yticks=yticks, xlabel=xlabel, ylabel=ylabel, **kwargs
    )


def plot_interval_estimates(
    point_estimates: Mapping[Any, Any],
    interval_estimates: Mapping[Any, Any],
    metric_names: Iterable[str],
    algorithms: Sequence[Any] | None = None,
    colors: Mapping[Any, Any] | None = None,
    color_palette: Any = "colorblind",
    max_ticks: int = 4,
    subfigure_width: float = 3.4,
    row_height: float = 0.37,
    xlabel_y_coordinate: float | None = None,
    xlabel: str | None = "Normalized Score",
    **kwargs: Any,
) -> tuple[Figure, Any]:
    """Draw metrics with their intervals, one panel for each metric and one row for each algorithm; returns the Axes of each panel.

    Parameters
    ----------
    point_estimates, interval_estimates : dict
        Of each algorithm the metrics, (n_metrics,), and their intervals, (2, n_metrics), as from `library.get_interval_estimates`.
    metric_names : iterable of str
    algorithms : list, optional
        Which, and in which order from below; all otherwise.
    colors : dict, optional
        `color_palette` otherwise: "colorblind", a colormap of matplotlib, or a list.
    max_ticks : int
    subfigure_width, row_height : float
        Inches.
    xlabel_y_coordinate : float, optional
        Where the label stands below the panels, in fractions of the figure; -0.1, or lower where it would meet the ticks of a low figure.
    xlabel : str
    **kwargs
        `interval_height` of the bars, `wspace` between panels.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from runoff.compat.rliable import plot_utils
    >>> figure, axes = plot_utils.plot_interval_estimates({"A": [0.5]}, {"A": np.array([[0.4], [0.6]])}, ["IQM"])
    >>> axes.get_title()
    'IQM'
    >>> matplotlib.pyplot.close(figure)
    """
    shown = list(point_estimates) if algorithms is None else list(algorithms)
    by_name = _colors(shown, colors, color_palette)
    n_metrics, titles = np.size(point_estimates[shown[0]]), list(metric_names)
    if len(titles) != n_metrics:
        message = f"metric_names must name the {n_metrics} metrics of {shown[0]!r}, not {len(titles)}: {titles}."
        raise OptionError(message)
    height = kwargs.pop("interval_height", 0.6)
    figure, axes = _figure(n_metrics, (subfigure_width * n_metrics, row_height * len(shown)))
    for column, (ax, title) in enumerate(zip(np.atleast_1d(axes), titles, strict=True)):
        for row, name in enumerate(shown):
            low, high = np.asarray(interval_estimates[name])[:, column]
            at = np.atleast_1d(point_estimates[name])[column]
            ax.barh(row, high - low, height, left=low, color=by_name[name], alpha=0.75, label=name)
            _mark(ax, at, row, height, alpha=0.5, label=name)
        ax.set_yticks(range(len(shown)) if column == 0 else [])
        if column == 0:
            ax.set_yticklabels([str(name) for name in shown], fontsize="x-large")
        ax.xaxis.set_major_locator(MaxNLocator(max_ticks))
        ax.set_title(title, fontsize="xx-large")
        _decorate_axis(ax, ticklabelsize="xx-large", wrect=5)
        ax.spines["left"].set_visible(False)
        ax.grid(True, axis="x", alpha=0.25)
    figure.subplots_adjust(wspace=kwargs.pop("wspace", 0.11), left=0.0)
    # -0.1 of a figure of one row is a hair's breadth, in which the label would lie on the ticks.
    if xlabel_y_coordinate is None:
        xlabel_y_coordinate = min(-0.1, figure.subplotpars.bottom - BELOW / figure.get_figheight())
    figure.text(0.4, xlabel_y_coordinate, xlabel or "", ha="center", fontsize="xx-large")
    return figure, axes


def _mark(ax: Axes, x: float, row: int, height: float, **style: Any) -> None:
    """Draw the estimate as a line across its bar, a little longer below than above."""
    ax.vlines(x, row - 7.5 * height / 16, row + 6 * height / 16, color="k", **style)


def plot_sample_efficiency_curve(
    frames: ArrayLike,
    point_estimates: Mapping[Any, ArrayLike],
    interval_estimates: Mapping[Any, Any],
    algorithms: Sequence[Any] | None = None,
    colors: Mapping[Any, Any] | None = None,
    color_palette: Any = "colorblind",
    figsize: tuple[float, float] = (7, 5),
    xlabel: str = r"Number of Frames (in millions)",
    ylabel: str = "Aggregate Human Normalized Score",
    ax: Axes | None = None,
    labelsize: Size = "xx-large",
    ticklabelsize: Size = "xx-large",
    **kwargs: Any,
) -> Axes:
    """Draw a metric against steps, with its intervals.

    Parameters
    ----------
    frames : array (n_steps,)
    point_estimates, interval_estimates : dict
        Of each algorithm the metric, (n_steps,), and its intervals, (2, n_steps).
    algorithms : list, optional
        Which; all otherwise.
    colors : dict, optional
        `color_palette` otherwise: "colorblind", a colormap of matplotlib, or a list.
    ax : Axes, optional
        A new figure otherwise, of size `figsize`.
    xlabel, ylabel, labelsize, ticklabelsize
    **kwargs
        `marker`, `linewidth`; `xticks`, `yticks`, `legend`, `legendsize`, `grid_alpha`, `wrect`, `hrect`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from runoff.compat.rliable import plot_utils
    >>> ax = plot_utils.plot_sample_efficiency_curve([1, 2], {"A": [0.1, 0.5]}, {"A": [[0.0, 0.4], [0.2, 0.6]]}, ax=Figure().subplots())
    >>> [line.get_label() for line in ax.lines]
    ['A']
    """
    shown = list(point_estimates) if algorithms is None else list(algorithms)
    by_name = _colors(shown, colors, color_palette)
    ax = _figure(1, figsize)[1] if ax is None else ax
    marker, linewidth = kwargs.pop("marker", "o"), kwargs.pop("linewidth", 2)
    for name in shown:
        low, high = interval_estimates[name]
        ax.plot(frames, point_estimates[name], color=by_name[name], marker=marker, linewidth=linewidth, label=name)
        ax.fill_between(frames, low, high, color=by_name[name], alpha=0.2)
    return _annotate_and_decorate_axis(
        ax, xlabel=xlabel, ylabel=ylabel, labelsize=labelsize, ticklabelsize=ticklabelsize, **kwargs
    )


def plot_probability_of_improvement(
    probability_estimates: Mapping[str, Any],
    probability_interval_estimates: Mapping[str, Any],
    pair_separator: str = ",",
    ax: Axes | None = None,
    figsize: tuple[float, float] = (4, 3),
    colors: Mapping[str, Any] | Sequence[Any] | None = None,
    color_palette: Any = "colorblind",
    alpha: float = 0.75,
    xticks: Sequence[float] | None = None,
    xlabel: str = "P(X > Y)",
    left_ylabel: str = "Algorithm X",
    right_ylabel: str = "Algorithm Y",
    **kwargs: Any,
) -> Axes:
    """Draw probabilities of improvement with their intervals, one row for each pair, X on the left and Y on the right; the axis ends at 0 and 1.

    Parameters
    ----------
    probability_estimates, probability_interval_estimates : dict
        Of each pair, named "X,Y", the probability, a number or (1,), and its interval, (2,) or (2, 1).
    pair_separator : str
    ax : Axes, optional
        A new figure otherwise, of size `figsize`.
    colors : dict or list, optional
        Of the pairs; `color_palette` otherwise: "colorblind", a colormap of matplotlib, or a list.
    alpha, xticks, xlabel, left_ylabel, right_ylabel
    **kwargs
        `interval_height`, `ylabel_x_coordinate`, `wrect`, `ticklabelsize`, `labelsize`; `legend`, `legendsize`, `hrect`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from runoff.compat.rliable import plot_utils
    >>> ax = plot_utils.plot_probability_of_improvement({"A,B": 0.7}, {"A,B": [[0.6], [0.8]]}, ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['A']
    """
    by_pair = colors if isinstance(colors, Mapping) else None
    by_name = _colors(probability_estimates, by_pair, color_palette if colors is None else colors)
    ax = _figure(1, figsize)[1] if ax is None else ax
    height, away = kwargs.pop("interval_height", 0.6), kwargs.pop("ylabel_x_coordinate", 0.2)
    usual = {"wrect": 5, "ticklabelsize": "x-large", "labelsize": "x-large"}
    style = {name: kwargs.pop(name, value) for name, value in usual.items()}
    # The names of the second are those of another axis, whose bars are not seen: tick labels need something to
    # stand at.
    right = ax.twinx()
    sides = [_sides(pair, pair_separator) for pair in probability_estimates]
    for row, (pair, estimate) in enumerate(probability_estimates.items()):
        low, high = np.asarray(probability_interval_estimates[pair], dtype=float).ravel()
        for side, label, opacity in zip((ax, right), sides[row], (alpha, 0.0), strict=True):
            (bar,) = side.barh(row, high - low, height, left=low, color=by_name[pair], alpha=opacity, label=label)
            bar.sticky_edges.x[:] = (0.0, 1.0)  # where margins end, instead of at the lowest bar
        # An estimate of 0 or 1 stands on the edge, which would hide half of its line.
        _mark(ax, np.asarray(estimate, dtype=float).item(), row, height, alpha=min(alpha + 0.1, 1.0), clip_on=False)
    if ax.get_autoscalex_on():  # Around intervals that are all 0, or all 1, matplotlib makes room on either side.
        ax.set_xlim(*np.clip(ax.get_xlim(), 0.0, 1.0), auto=None)
    for side, names, title, x in zip(
        (ax, right), zip(*sides, strict=True), (left_ylabel, right_ylabel), (-away, 1 + 0.7 * away), strict=True
    ):
        shade = {} if side is ax else {"grid_alpha": 0.0}
        _annotate_and_decorate_axis(
            side, xticks=xticks, yticks=range(len(sides)), xlabel=xlabel, ylabel=title, **style, **{**kwargs, **shade}
        )
        side.set_yticklabels(names, fontsize=style["ticklabelsize"])
        side.set_ylabel(title, fontweight="bold", rotation="horizontal", va="bottom", fontsize=style["labelsize"])
        side.spines["left"].set_visible(False)
        side.yaxis.set_label_coords(x, 1.0)
    return ax


def _sides(pair: str, separator: str) -> list[str]:
    sides = pair.split(separator)
    if len(sides) != 2:
        message = f"{pair!r} must name two algorithms, X{separator}Y; where a name holds {separator!r}, give another pair_separator."
        raise OptionError(message)
    return sides
