"""A figure as text: every artist with its place, colour, order and words, so that a difference is a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import Collection, LineCollection
from matplotlib.colors import to_hex
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.spines import Spine
from matplotlib.text import Text

MOST = 12
"""Points of a line that stand in full; of longer ones every n-th, and their mean."""
PATHS = 40


def number(value: float) -> str:
    return "0" if abs(value) < 5e-10 else f"{value:.4g}"


def numbers(values: Any) -> str:
    return " ".join(map(number, np.asarray(values, dtype=float).ravel()))


def points(xy: Any) -> str:
    pairs = np.asarray(xy, dtype=float).reshape(-1, 2)
    step = max(1, -(-len(pairs) // MOST))
    means = ",".join(number(mean) for mean in pairs.mean(axis=0)) if step > 1 else ""
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs[::step]) + f" … of {len(pairs)}, mean {means}" * (
        step > 1
    )


def color(value: Any) -> str:
    return (
        "none"
        if isinstance(value, str) and value == "none"
        else to_hex(value, keep_alpha=True).upper().removesuffix("FF")
    )


def colors(values: Any) -> str:
    return " ".join(dict.fromkeys(map(color, values))) or "none"


def picture(axes: Any) -> str:
    """Return a figure as text: its size and texts, then each of its axes with what is drawn, in the order of drawing."""
    figure = (axes if isinstance(axes, Axes) else axes[0]).get_figure()
    lines = [f"figure {numbers(figure.get_size_inches())}"]
    lines += [text_line(text) for text in figure.texts if text.get_text()]
    lines += [line for legend in figure.legends for line in legend_lines(legend)]
    return "\n".join([*lines, *(line for panel in figure.axes for line in panel_lines(panel))])


def lines_with(axes: Any, *words: str) -> str:
    """Return the lines of a picture that hold one of these words."""
    return "\n".join(line for line in picture(axes).split("\n") if any(word in line for word in words))


def panel_lines(ax: Axes) -> list[str]:
    box = ax.get_position()
    lines = [f"panel {box.x0:.2f} {box.y0:.2f} {box.x1:.2f} {box.y1:.2f} {ax.get_title()!r} {ax.get_title('left')!r}"]
    for name, axis, (first, last) in (("x", ax.xaxis, ax.get_xlim()), ("y", ax.yaxis, ax.get_ylim())):
        places = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
        ticks = " ".join(f"{number(at)}:{label.get_text()}" for at, label in places)
        lines.append(f"  {name} {number(first)} to {number(last)} {axis.get_scale()} {axis.get_label_text()!r} {ticks}")
    spines = [f"{side} {color(spine.get_edgecolor())}" for side, spine in ax.spines.items() if spine.get_visible()]
    lines += [f"  spines {' '.join(spines)}"] * bool(spines)
    left_out = (ax.patch, ax.title, *ax.spines.values())
    artists = [artist for artist in ax.get_children() if artist.get_visible() and artist not in left_out]
    return [*lines, *(f"  {line}" for artist in artists for line in artist_lines(artist, ax))]


def artist_lines(artist: Any, ax: Axes) -> list[str]:
    own: list[tuple[type, Callable[[Any], list[str]]]] = [
        (Spine, lambda _: []),
        (Line2D, lambda line: [line_line(line)]),
        (Text, lambda text: [text_line(text)] * bool(text.get_text())),
        (LineCollection, segment_lines),
        (Collection, collection_lines),
        (Patch, lambda patch: [patch_line(patch, ax)]),
        (Legend, legend_lines),
    ]
    return next((lines(artist) for kind, lines in own if isinstance(artist, kind)), [])


def line_line(line: Line2D) -> str:
    parts = [f"line {color(line.get_color())} {line.get_linestyle()} w{number(line.get_linewidth())}"]
    if line.get_marker() not in ("None", ""):
        faces = f"{color(line.get_markerfacecolor())}/{color(line.get_markeredgecolor())}"
        parts.append(f"{line.get_marker()}{number(line.get_markersize())} {faces}")
    parts += [repr(line.get_label())] * (not str(line.get_label()).startswith("_"))
    return " ".join([*parts, f"z{number(line.get_zorder())}", points(line.get_xydata())])


def text_line(text: Text) -> str:
    at = getattr(text, "xyann", text.get_position())
    beside = f" of {numbers(text.xy)}" if hasattr(text, "xy") else ""
    turn = f" turned {number(text.get_rotation())}" if text.get_rotation() else ""
    kind = f"{text.get_ha()} {text.get_va()} {color(text.get_color())} {number(text.get_fontsize())}"
    return (
        f"text {text.get_text()!r} at {numbers(at)}{beside} {kind} {text.get_fontweight()} {text.get_fontstyle()}{turn}"
    )


def segment_lines(lines: LineCollection) -> list[str]:
    own = " / ".join(points(segment) for segment in lines.get_segments()[:PATHS])
    return [f"segments {colors(lines.get_colors())} w{numbers(lines.get_linewidths()[:1])} {own}"]


def collection_lines(marks: Collection) -> list[str]:
    offsets = np.asarray(marks.get_offsets())
    own = " / ".join(points(path.vertices) for path in marks.get_paths()[:PATHS])
    places = f" at {points(offsets)}" if offsets.any() else ""
    return [f"{type(marks).__name__} {colors(marks.get_facecolor())}/{colors(marks.get_edgecolor())}{places} {own}"]


def patch_line(patch: Patch, ax: Axes) -> str:
    """Return a patch by the corners of its box, in the units of the axes."""
    box = patch.get_extents().transformed(ax.transData.inverted())
    faces = f"{color(patch.get_facecolor())}/{color(patch.get_edgecolor())}"
    return f"{type(patch).__name__} {faces} {patch.get_linestyle()} {points(box.get_points())}"


def legend_lines(legend: Legend) -> list[str]:
    lines = []
    for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
        own = handle.get_color() if hasattr(handle, "get_color") else handle.get_facecolor()
        marker = handle.get_marker() if hasattr(handle, "get_marker") else ""
        lines.append(f"legend {text.get_text()!r} {color(own)} {marker} {handle.get_linestyle()}".rstrip())
    return lines
