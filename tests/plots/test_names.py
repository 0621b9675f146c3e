"""Names in figures: unique, drawable or told in the caption, never turned around."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.text import Text

import runoff as ro
from runoff import plots
from runoff.plots import _text
from runoff.plots._text import labels, literal, stand_ins, width_of
from runoff.words.shorten import ISOLATE

TWO = tuple(f"an algorithm of which the learning rate was set to {rate}" for rate in ("0.001", "0.003"))
TURNED = ("خوارزمية", "שיטה")
UNKNOWN = ("\ue123\ue124", "\ue125", "\ue125 net")
"""Letters for private use, which no font of those looked for has."""


def data(names: tuple[str, ...], tasks: tuple[str, ...] = ("t", "u")) -> ro.Scores:
    rng = np.random.default_rng(0)
    cells = {name: {task: rng.normal(a, 1, 5) for task in tasks} for a, name in enumerate(names)}
    return ro.Scores.from_dict(cells, score_unit="shared")


FIGURES: dict[str, Callable[[ro.Scores], Axes]] = {
    "aggregates": lambda s: plots.aggregates(ro.aggregate(s, n_resamples=100))[0],
    "improvement": lambda s: plots.improvement(ro.compare(s)),
    "effect_sizes": lambda s: plots.effect_sizes(ro.effect_sizes(s, effect_size=["difference"])),
    "pairs": lambda s: plots.pairs(ro.compare(s)),
    "pvalue_matrix": lambda s: plots.pvalue_matrix(ro.compare(s)),
    "critical_difference": lambda s: plots.critical_difference(ro.critical_difference(s)),
    "tasks": lambda s: plots.tasks(s)[0],
    "normality": lambda s: plots.normality(ro.describe(s)),
    "profiles": lambda s: plots.profiles(ro.performance_profile(s, n_resamples=100), width=3.3),
    "robustness": lambda s: plots.robustness(ro.robustness(s)),
    "rank_intervals": lambda s: plots.rank_intervals(ro.rank_intervals(s, n_resamples=100)),
    "inferential_intervals": lambda s: plots.inferential_intervals(ro.inferential_intervals(s, n_resamples=100)),
}


@pytest.mark.sampled(6)
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize("name", FIGURES)
def test_two_long_names_have_two_labels_in_every_figure(name: str):
    figure = FIGURES[name](data((*TWO, "PPO"))).figure
    texts = [text.get_text() for text in figure.findobj(Text) if "…" in text.get_text()]
    assert {label[-1] for label in texts if label.startswith("an")} == {"1", "3"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
@pytest.mark.parametrize("name", FIGURES)
def test_no_two_texts_of_a_figure_lie_on_each_other(name: str):
    # The worst has the longest name, so that of two columns of names the second is the wider.
    names = ("the worst of all algorithms", "the next", *"ABCDE")
    figure = FIGURES[name](data(names)).figure
    figure.draw_without_rendering()
    texts = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    for (first, a), (second, b) in combinations(boxes, 2):
        # Boxes are as high as the tallest letter, so that those of two lines may share a few pixels.
        abreast, above = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert abreast <= 1 or above <= 3, (first, second)


def test_two_long_tasks_have_two_labels_in_every_figure_of_tasks():
    scores = data(("A", "B"), TWO)
    for figure in (plots.tasks(scores, width=3.3)[0].figure, plots.normality(ro.describe(scores)).figure):
        texts = {text.get_text() for text in figure.findobj(Text) if "…" in text.get_text()}
        assert {label[-1] for label in texts} == {"1", "3"}


@pytest.mark.skipif(
    matplotlib.__version_info__ < (3, 11),
    reason="older matplotlib does not shape text, so numbers stand for these names",
)
def test_a_pair_has_its_names_in_two_columns_that_share_no_text():
    texts = {text.get_text(): text for text in plots.improvement(ro.compare(data(TURNED))).texts}
    first, second = sorted((texts[name] for name in TURNED), key=lambda text: text.xyann[0])
    assert first.xyann[0] == texts["first"].xyann[0] < second.xyann[0] == texts["second"].xyann[0] < 0


def test_names_beside_other_words_are_isolated():
    _, ax = plots.where(ro.where(data(TURNED), *TURNED[:2], measure="mean", n_resamples=100))
    words = [text.get_text() for text in (*ax.texts, ax.xaxis.label, ax.title)]
    assert [word for word in words if any(name in word for name in TURNED) and ISOLATE not in word] == []


@pytest.mark.parametrize("turn", range(4))
def test_letters_that_no_font_has_get_a_number_that_the_caption_tells(turn: int):
    names = (*UNKNOWN, "PPO")[turn:] + (*UNKNOWN, "PPO")[:turn]
    scores = data(names)
    called = dict(zip(names, labels(scores.algorithms), strict=True))
    assert sorted(called.values()) == ["#1", "#2", "PPO", "▯ net"]
    note = "; ".join(f"{label} for {name}" for name, label in called.items() if name != "PPO")
    comparison = ro.compare(scores)
    for result in (
        ro.aggregate(scores, n_resamples=100),
        comparison,
        ro.effect_sizes(scores, effect_size=["difference"]),
    ):
        assert f"Drawn in place of names: {note}." in plots.caption(result)
    assert note in plots.caption(comparison, figure="pvalue_matrix")


def test_names_that_are_drawn_as_they_are_need_no_words():
    assert stand_ins(["PPO", "λ  $x_1$", *TWO]) == {}
    assert "in place of" not in plots.caption(ro.aggregate(data(("PPO", "λ")), n_resamples=100))


def test_without_shaping_a_name_from_right_to_left_is_a_number(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_text, "shapes_text", lambda: False)
    assert labels([*TURNED, "PPO"]) == ["#1", "#2", "PPO"] or labels([*TURNED, "PPO"]) == ["#2", "#1", "PPO"]


def test_a_letter_that_the_usual_font_lacks_is_taken_from_one_that_is_installed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_text, "FALLBACKS", ("STIXGeneral", "not installed"))
    _text.fallbacks.cache_clear()
    ((family, glyphs),) = _text.fallbacks()
    letter = next(chr(c) for c in sorted(glyphs) if chr(c).isalpha() and _text.lacks(chr(c)))
    assert labels([letter]) == [letter]
    assert literal(letter)["fontfamily"][-1] == family
    assert "fontfamily" not in literal("PPO")
    assert width_of(letter) > 0
    _text.fallbacks.cache_clear()


FACES = {"weight": "bold", "style": "italic", "stretch": "condensed", "variant": "small-caps", "family": ["monospace"]}


@pytest.mark.parametrize("part", FACES)
def test_a_width_is_that_of_the_font_that_is_set_now(part: str):
    text = "Proximal Policy"
    before = width_of(text)
    with matplotlib.rc_context({f"font.{part}": FACES[part]}):
        now = width_of(text)
        _text._width.cache_clear()
        assert now == width_of(text)
        assert now != before or part not in ("weight", "family")


def test_labels_are_as_wide_as_there_is_room():
    for label in labels([*TWO, "PPO", "$x_1$ " * 30], 1.0):
        assert re.fullmatch("PPO", label) or 0.8 < width_of(label) <= 1.0
