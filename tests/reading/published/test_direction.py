"""Which direction is better is said above the numbers, beside them or by the name of their column; what is said anywhere is heard."""

from __future__ import annotations

import pytest

from runoff.errors import DataError
from runoff.reading.published.read import TableOptions, read_table

ROWS = "| Ant | 12.3 ± 1.1 | 8.1 ± 1.0 |\n| Hopper | 31.3 ± 1.1 | 29.1 ± 1.0 |\n"
LATEX = r"Ant & $12\pm 4$ & $43 \pm 10$\\ Hopper & $33\pm 14$ & $65\pm11$\\ \end{tabular}" "\n"
ALGORITHMS = (
    r"Method & Ant & Hopper\\ \hline SAC & $12\pm 4$ & $43 \pm 10$\\ PPO & $33\pm 14$ & $65\pm11$\\ \end{tabular}" "\n"
)


def pipes(corner, *heads, beside=""):
    return f"{beside}\n\n| {' | '.join([corner, *(heads or ('SAC', 'PPO'))])} |\n|---|---|---|\n{ROWS}"


PLACES = {
    "corner": lambda of: pipes(f"Env, {of}"),
    "algorithms": lambda of: pipes("Env", f"SAC: {of}", f"PPO: {of}"),
    "spanning head": lambda of: (
        rf"\begin{{tabular}}{{lcc}} & \multicolumn{{2}}{{c}}{{{of}}} \\ Env & SAC & PPO\\ \hline {LATEX}"
    ),
    "heading": lambda of: (
        rf"\begin{{tabular}}{{lcc}} Env & SAC & PPO\\ \hline \multicolumn{{3}}{{c}}{{{of}}}\\ {LATEX}"
    ),
    "over algorithms": lambda of: rf"\begin{{tabular}}{{lcc}} & \multicolumn{{2}}{{c}}{{{of}}} \\ {ALGORITHMS}",
    "long": lambda of: (
        f"env,algo,{of},std\nAnt,SAC,12.1,4.1\nAnt,PPO,43.2,10.2\nHopper,SAC,22.1,4.1\nHopper,PPO,24.2,10.2\n"
    ),
}


def read(text, **options):
    rows = "algorithms" if "Method" in text else "auto" if "algo" in text else "tasks"
    return read_table(text, TableOptions(rows=rows, **options)).lower


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("of", ["Drawdown ↓", "Drawdown ⬇", "regret", "Crash rate"])
def test_a_cost_or_an_arrow_above_the_numbers_counts_wherever_it_stands(place, of):
    assert read(place(of)) == ("Ant", "Hopper")


@pytest.mark.parametrize(
    "place", [PLACES["spanning head"], PLACES["heading"], PLACES["over algorithms"], PLACES["long"]]
)
def test_a_head_that_says_lower_is_better_in_words_counts_as_an_arrow(place):
    assert read(place("Speed (lower is better)")) == ("Ant", "Hopper")


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("of", ["Return", "Return ↑", "Cost ↑"])
def test_a_score_or_an_arrow_upwards_above_the_numbers_says_that_higher_is_better(place, of):
    assert read(place(of)) == ()


@pytest.mark.parametrize("name", ["spanning head", "heading", "over algorithms", "long"])
def test_what_may_be_a_cost_or_a_score_above_the_numbers_is_asked_for(name):
    text = PLACES[name]("Episode length")
    with pytest.raises(
        DataError,
        match="may be a cost or a score, and no arrow shows which direction is better; use lower_is_better='all'",
    ):
        read(text)
    assert read(text, lower="all") == ("Ant", "Hopper")


@pytest.mark.parametrize("corner", ["Loss", "Crash rate (%)"])
def test_a_corner_that_is_nothing_but_a_cost_may_name_the_rows_and_is_asked_for(corner):
    with pytest.raises(DataError, match="may be a cost or a score"):
        read_table(pipes(corner), TableOptions(rows="tasks"))


def test_the_arrow_of_a_task_goes_before_that_of_a_heading_and_a_heading_before_that_over_all():
    text = pipes("Env ↓").replace("| Hopper", "| Return ↑ | | |\n| Walker ↓ | 1.2 ± 0.1 | 1.1 ± 0.1 |\n| Hopper")
    assert read_table(text, TableOptions(rows="tasks")).lower == ("Ant", "Walker")


@pytest.mark.parametrize(
    ("beside", "wording"),
    [
        ("Steps to reach the goal (lower is better), mean ± SD.", "lower is better"),
        ("Lower values are better.", "Lower values are better"),
        ("Final regret over 10 seeds.", "Final regret"),
        ("### Regret", "Regret"),
        ("Mean episode cost.", "Mean episode cost"),
        ("Crash rate (%) of each algorithm.", "Crash rate"),
        ("Results ↓.", "↓"),
    ],
)
def test_a_caption_that_says_so_is_asked_about_unless_a_head_or_the_caller_says_more(beside, wording):
    with pytest.raises(
        DataError, match=f"the text beside the table says '{wording}', and no header shows which direction"
    ):
        read_table(pipes("Env", beside=beside), TableOptions())
    assert read_table(pipes("Env", beside=beside), TableOptions(lower="all")).lower == ("Ant", "Hopper")
    assert read_table(pipes("Env (return ↑)", beside=beside), TableOptions()).lower == ()
    with pytest.raises(DataError, match=r"bold means of 'Ant' are its highest|no header shows"):
        read_table(pipes("Env", beside=beside).replace("12.3 ± 1.1", "**12.3 ± 1.1**"), TableOptions())


@pytest.mark.parametrize(
    "beside",
    [
        "Mean ± standard error, best in bold.",
        "Higher is better.",
        "Cost-sensitive methods over 5 seeds.",
        "Error bars are s.e.",
        "Ours has no collisions.",
    ],
)
def test_a_caption_of_other_things_is_not_asked_about(beside):
    assert read_table(pipes("Env", beside=beside), TableOptions()).lower == ()


def test_bold_on_the_highest_below_the_name_of_a_cost_is_refused():
    text = PLACES["spanning head"]("Crash rate").replace(r"$43 \pm 10$", r"$\mathbf{43} \pm 10$")
    with pytest.raises(
        DataError, match="the bold means of 'Ant' are its highest, and 'Crash rate' is the name of a cost"
    ):
        read_table(text, TableOptions())
