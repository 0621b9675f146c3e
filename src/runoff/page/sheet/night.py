"""A search as one HTML page: what was gained, what a greedy rule would have claimed, each proposal, what deserves more runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from runoff.answer.keep import KeepResult
from runoff.page.sheet.charts import ticks
from runoff.page.sheet.frame import packaged, policy, templates
from runoff.page.sheet.svg import at, ends_of, text
from runoff.page.sheet.tables import view_of
from runoff.plots._ticks import tick_label
from runoff.words.numbers import counted, digits
from runoff.words.speech import in_shell

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 300, 60, 20, 20, 40
"""The size of the drawing and its margins, in its own units."""
MOST_AGAIN = 10
"""Proposals that are named as deserving more runs."""
Corner = tuple[float, float]


def night(result: KeepResult, *, name: str) -> str:
    """What came of this search, as one HTML page?

    Parameters
    ----------
    result : KeepResult
        The record of the ledger.
    name : str
        That of the ledger's file.

    Returns
    -------
    str
        A self-contained page without a script: no network, light and dark, printable; the same ledger gives the same text.
    """
    style = packaged("page.css") + packaged("night.css")
    return (
        templates(in_shell)
        .get_template("night.html.j2")
        .render(
            style=Markup(style),
            policy=policy(style, ""),
            name=name,
            result=result,
            tiles=tiles(result),
            drawing=drawing(result) if result.steps else "",
            tables=[(table.title, view_of(table, bars=False)) for table in result.tables()],
            again=result.again[:MOST_AGAIN],
        )
    )


def tiles(result: KeepResult) -> list[tuple[str, str, str]]:
    """Return the questions of the page with short answers and what stands below them."""
    kept = [row for row in result.proposals if row.decision == "keep"]
    of = "" if result.budget is None else f" of {result.budget}"
    candidates = {row.candidate for row in result.proposals}
    # Just after a keep no run of the champion says yet what it gained.
    unknown = "not known yet" if kept else "nothing was kept"
    gained = unknown if result.gain is None else digits(result.gain)
    between = (
        "" if result.low is None else f"between {digits(result.low)} and {digits(result.high)}, in {result.score_unit}"
    )
    spent = (
        f"{digits(result.alpha_spent, 2)} of {digits(result.alpha)}" if result.mode == "strict" else "none is promised"
    )
    claimed = "–" if result.greedy_gain is None else digits(result.greedy_gain)
    return [
        ("What was gained?", gained, between),
        ("What would greedy have claimed?", claimed, f"with {counted([result.greedy_kept], 'change')} kept on one run"),
        (
            "What was kept?",
            f"{len(kept)} of {counted([len(candidates)], 'proposal')}",
            f"with {result.n_runs}{of} runs",
        ),
        ("What error was spent?", spent, result.promise),
    ]


# ── the drawing ──────────


def drawing(result: KeepResult) -> Markup:
    """Return the champion's gain over the start against the runs of the search, with intervals, and what a greedy rule would have claimed."""
    last = max(result.n_runs, 1)
    greedy = [(step.n_before, step.gain) for step in result.greedy_steps]
    gains = [end for step in result.steps for end in (step.low, step.gain, step.high) if end is not None]
    low, high = ends_of([0.0, *gains, *(gain for _, gain in greedy)])

    def place(runs: float, gain: float) -> Corner:
        across = LEFT + (WIDTH - LEFT - RIGHT) * runs / last
        return across, TOP + (HEIGHT - TOP - BOTTOM) * (high - gain) / (high - low)

    parts = [*_axes(low, high, last, place), *_reigns(result, last, place)]
    parts.append(_stairs([place(*corner) for corner in _corners(greedy, last)]))
    label = "Gain over the start against the runs of the search"
    return Markup('<svg class="night" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        WIDTH, HEIGHT, label, Markup("").join(parts)
    )


def _axes(low: float, high: float, last: int, place: Any) -> Iterable[Markup]:
    for gain in ticks(low, high):
        if low <= gain <= high:
            y = place(0, gain)[1]
            yield Markup('<path class="grid" d="M{} {}H{}"/>').format(LEFT, at(y), WIDTH - RIGHT)
            yield text(tick_label(gain), LEFT - 8, y + 4, class_="end")
    for runs in ticks(0, last):
        if runs <= last:
            yield text(tick_label(runs), place(runs, low)[0], HEIGHT - BOTTOM + 18, class_="mid")
    yield text("runs of the search", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, class_="mid")


def _reigns(result: KeepResult, last: int, place: Any) -> Iterable[Markup]:
    """Yield the interval and the level of each champion, from the run at which it was kept to that at which the next was."""
    ends = [step.n_before for step in result.steps[1:]] + [last]
    for step, end in zip(result.steps, ends, strict=True):
        gain = 0.0 if step is result.steps[0] else step.gain
        if gain is None:
            continue
        (left, y), (right, _) = place(step.n_before, gain), place(end, gain)
        if step.low is not None and step.high is not None:
            top, bottom = place(0, step.high)[1], place(0, step.low)[1]
            box = Markup('<rect class="band" x="{}" y="{}" width="{}" height="{}"/>')
            yield box.format(at(left), at(top), at(max(right - left, 1)), at(bottom - top))
        yield Markup('<path class="record" d="M{} {}H{}"/>').format(at(left), at(y), at(max(right, left + 1)))


def _corners(steps: Sequence[tuple[int, float]], last: int) -> list[tuple[float, float]]:
    """Return the corners of a staircase."""
    ends = [*(runs for runs, _ in steps[1:]), last]
    return [corner for (runs, gain), end in zip(steps, ends, strict=False) for corner in ((runs, gain), (end, gain))]


def _stairs(corners: Sequence[Corner]) -> Markup:
    line = "L".join(f"{at(x)} {at(y)}" for x, y in corners)
    return Markup('<path class="stairs" d="M{}"/>').format(line) if corners else Markup("")
