"""What heads, names and captions say of ± and of centres is heard wherever it stands, and never overruled in silence."""

from __future__ import annotations

import pytest

from runoff.errors import RunoffError
from runoff.reading.printed.heads import notes_beside, spread_behind, spread_named
from runoff.reading.published.read import TableOptions, read_table


def of_heads(first: str, second: str, rows: tuple[str, str] = ("A", "B"), caption: str = "") -> str:
    """Return a table with these heads."""
    lines = "".join(f"| {name} | 10.0 ± 1.0 | 3.0 ± 0.5 |\n" for name in rows)
    return f"{caption}\n| Method | {first} | {second} |\n|---|---|---|\n{lines}"


def refusal_of(text: str) -> str:
    with pytest.raises(RunoffError) as refusal:
        read_table(text, TableOptions())
    return str(refusal.value)


@pytest.mark.parametrize(
    ("wording", "kind"),
    [
        *(
            (wording, "se")
            for wording in ("s.e.", "s.e.m.", "S.E.M", "std. err.", "std.err", "standard error", "SE", "sem", "1 SE")
        ),
        *(
            (wording, "sd")
            for wording in ("s.d.", "SD", "std", "std. dev.", "standard deviation", "stdev", "1 std", "σ")
        ),
        *((wording, "ci95") for wording in ("C.I.", "95% CI", "95 % C.I.", "95% confidence interval", "ci")),
        *((wording, "ci99") for wording in ("99% CI", "CI (99%)", "confidence interval at the 99 % level")),
        *((wording, "ci90_bootstrap") for wording in ("90% bootstrap CI", "90% percentile bootstrap CI")),
        *((wording, "other") for wording in ("2 std", "1.96 s.e.", "80% CI", "two-faced")),
        *((wording, "iqr") for wording in ("IQR", "interquartile range")),
        ("min/max", "range"),
        ("", None),
    ],
)
def test_a_spread_is_known_by_each_of_its_names(wording, kind):
    assert spread_behind(wording) == kind


@pytest.mark.parametrize("name", ["PPO", "with SE blocks", "ours", "100k", "IQM", "5 seeds", "SDXL"])
def test_a_name_is_not_taken_for_a_spread(name):
    assert spread_named(name) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (of_heads("Easy (mean ± s.e.)", "Hard"), "se"),
        (of_heads("Easy (s.e.)", "Hard (s.e.)"), "se"),
        (of_heads("Easy (95% CI)", "Hard"), "ci95"),
        (of_heads("Easy (m ± sd)", "Hard, std"), "sd"),
        (of_heads("Easy mean ± std", "Hard"), "sd"),
        (of_heads("Easy ± 95% CI", "Hard"), "ci95"),
        (of_heads("Easy", "Hard", ("A (± std)", "B (std)")), "sd"),
        (of_heads("Easy", "Hard").replace("Method", "Method (mean ± s.e.m.)"), "se"),
        (of_heads("Easy", "Hard"), None),
    ],
)
def test_what_labels_say_of_the_spread_is_kept_and_leaves_their_names(text, kind):
    table = read_table(text, TableOptions())
    assert (table.spread, table.algorithms, table.tasks) == (kind, ("A", "B"), ("Easy", "Hard"))


@pytest.mark.parametrize(
    "text",
    [
        of_heads("Easy (mean ± std)", "Hard (mean ± s.e.)"),
        of_heads("Easy ± std", "Hard ± s.e."),
        of_heads("Easy (mean ± std)", "Hard (95% CI)"),
        of_heads("Easy", "Hard", ("A (± std)", "B (± 95% CI)")),
        of_heads("Easy", "Hard", ("A (std)", "B (sem)")),
        of_heads("Easy (± std)", "Hard", ("A (± s.e.)", "B")),
    ],
)
def test_two_kinds_of_spread_in_one_table_are_refused(text):
    assert "different kinds of ±" in refusal_of(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (of_heads("Easy (median ± IQR)", "Hard"), "line 2, column 2: 'Easy (median ± IQR)' says 'median'"),
        (of_heads("Easy (median)", "Hard"), "only means can be tested from a table"),
        (of_heads("median Easy", "Hard"), "'median Easy' says 'median'"),
        (of_heads("Easy (mean (IQR))", "Hard"), "from which no standard error follows"),
        (of_heads("Easy (IQM)", "Hard (IQM)"), "'Easy (IQM)' says 'IQM'"),
        (of_heads("Easy", "Hard", ("DQN (median)", "PPO")), "line 4, column 1: 'DQN (median)' says 'median'"),
        (of_heads("Easy (± IQR)", "Hard"), "from which no standard error follows"),
        (of_heads("Easy (± 2 std)", "Hard"), "which runoff does not know"),
        (of_heads("Easy (± range)", "Hard"), "which runoff does not know"),
        (of_heads("Easy (68% CI)", "Hard"), "which runoff does not know"),
        ("algorithm,task,median,std\nA,Easy,10.0,1.0\nB,Easy,12.0,1.0\n", "'median' says 'median'"),
        (
            "algorithm,task,mean,std,se\nA,Easy,10,1,1\nB,Easy,12,1,1\n",
            "'std' and 'se' are columns of spreads of the same means",
        ),
    ],
)
def test_a_centre_or_spread_from_which_no_test_follows_is_refused(text, message):
    assert message in refusal_of(text)


@pytest.mark.parametrize(
    ("caption", "spread", "doubt"),
    [
        ("Mean ± std.", None, None),
        ("Mean ± 95% CI.", None, "95% CI"),
        ("Mean ± s.e.", "std", "s.e."),
        ("Mean ± std.", "std", None),
        ("Mean ± 2 std.", None, "2 std"),
        ("Mean ± half a standard deviation.", None, "half a standard deviation"),
        ("± shows two standard deviations.", None, "two standard deviations"),
        ("± is one standard deviation over five seeds.", None, None),
        ("Over a range of tasks, by ci/run.sh.", None, None),
    ],
)
def test_a_caption_that_contradicts_the_labels_is_a_doubt(caption, spread, doubt):
    text = of_heads("Easy" if spread is None else f"Easy (± {spread})", "Hard", caption=caption)
    assert read_table(text, TableOptions()).doubt == doubt


@pytest.mark.parametrize(
    ("caption", "n", "note"),
    [
        ("Over 10 random seeds.", 5, "“10 random seeds”, and n is 5: one of them is wrong"),
        ("Over five runs.", None, "“five runs”; use n_runs= if these are the runs behind each cell"),
        ("Here n = 4.", 5, "“n = 4”, and n is 5"),
    ],
)
def test_a_number_of_runs_beside_the_table_is_noted(caption, n, note):
    notes = read_table(of_heads("Easy", "Hard", caption=caption), TableOptions(n=n)).notes
    assert any(note in sentence for sentence in notes)
    assert not any(
        "“" in sentence
        for sentence in read_table(of_heads("Easy", "Hard", caption="Over 5 seeds."), TableOptions(n=5)).notes
    )


NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


@pytest.mark.parametrize(("word", "n"), [*zip(NUMBERS, range(2, 11), strict=True), ("twenty", 20)])
def test_a_number_of_seeds_in_words_is_that_number(word, n):
    caption = f"Means over {word} random seeds."
    assert notes_beside(caption, [n]) == []
    assert f"and n is {n + 1}: one of them is wrong" in notes_beside(caption, [n + 1])[0]
