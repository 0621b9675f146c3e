"""What a reader sees of LaTeX, Markdown and HTML, and which numbers are printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.reading.printed.cells import PrintedEntry, read_number
from runoff.reading.printed.heads import label_of, split_statistic
from runoff.reading.printed.markup import argument, plain_of_latex, plain_of_markdown

SEEN = {
    r"$12.3 \pm 0.4$": ("12.3 ± 0.4", False),
    r"\textbf{12.3} $\pm$ 0.4": ("12.3 ± 0.4", True),
    r"$\mathbf{12.3}_{\pm 0.4}$": ("12.3 ± 0.4", True),
    r"{\bf 12.3} $\pm$ 0.4": ("12.3 ± 0.4", True),
    r"{\bfseries 12.3 $\pm$ 0.4}": ("12.3 ± 0.4", True),
    r"$712^{\pm 20}$": ("712 ± 20", False),
    r"12.3 {\scriptsize $\pm$ \textbf{0.4}}": ("12.3 ± 0.4", None),
    r"\textcolor{red}{12.3}\textsubscript{$\pm$0.4}": ("12.3±0.4", False),
    r"\cellcolor[gray]{0.9} 12.3~$\pm$~0.4": ("12.3 ± 0.4", False),
    r"\makecell{12.3 \\ $\pm$ 0.4}": ("12.3 ± 0.4", False),
    r"1\,234 $\pm$ 5": ("1\u202f234 ± 5", False),
    r"\underline{12.3}\footnote{a note} $\pm$ 0.4": ("12.3 ± 0.4", False),
    r"DrQ($\epsilon$) \citep[see][]{key}": ("DrQ(ε)", False),
    r"$2410_{320}$": ("2410_{320}", False),
    r"\textbf{2410}$_{\text{320}}$": ("2410_{320}", True),
    r"2410\textsubscript{\scriptsize 320}": ("2410_{320}", False),
    r"$2410^{320}$": ("2410^320", False),
    r"PPO$_{2}$": ("PPO_2", False),
    r"12\textsuperscript{4}": ("12 4", False),
    r"2410{\tiny$\pm$320}": ("2410±320", False),
    r"85.0\,\% $\pm$ 1\%": ("85.0 % ± 1%", False),
    r"1.2 $\times 10^{3}$": ("1.2 × 10^3", False),
    r"M\'ethode, \'{E}cole, na\"{\i}ve, \^{\i}le": ("Méthode, École, naïve, île", False),
    r"gar\c{c}on, Fran\c cais, \v{S}koda, \H{o}": ("garçon, Français, Škoda, ő", False),
    r"Stra\ss e, Malm\o, \AA{}land, \~nandu": ("Straße, Malmø, Åland, ñandu", False),
}
SHOWN = {
    "**12.3 ± 0.4**": ("12.3 ± 0.4", True),
    "__12.3__ ± 0.4": ("12.3 ± 0.4", True),
    "<b>12.3</b> &plusmn; 0.4": ("12.3 ± 0.4", True),
    "*12.3* ± 0.4": ("12.3 ± 0.4", False),
    "12.3<br>± 0.4": ("12.3 ± 0.4", False),
    "$12.3 \\pm 0.4$": ("12.3 ± 0.4", False),
    "12.3 ± __0.4__": ("12.3 ± 0.4", None),
    "`PPO_2`": ("PPO_2", False),
    "12<sub>4</sub>": ("12_{4}", False),
    "12<sup>4</sup>": ("12 4", False),
    "PPO<sub>2</sub>": ("PPO 2", False),
}


@pytest.mark.parametrize("source", SEEN)
def test_latex_is_what_it_prints(source):
    assert plain_of_latex(source, "here") == SEEN[source]


@pytest.mark.parametrize("source", SHOWN)
def test_markdown_is_what_it_shows(source):
    assert plain_of_markdown(source, "here") == SHOWN[source]


@pytest.mark.parametrize(
    ("text", "decimal", "value", "unit"),
    [
        ("12.30", ".", 12.3, 0.01),
        ("1,234", ".", 1234.0, 1.0),
        ("1.234", ",", 1234.0, 1.0),
        ("1.234,5", ",", 1234.5, 0.1),
        ("-20", ".", -20.0, 1.0),
        ("−20.5", ".", -20.5, 0.1),
        ("–3", ".", -3.0, 1.0),
        ("1.2e3", ".", 1200.0, 100.0),
        ("1.2×10^-3", ".", 0.0012, 0.0001),
        (".5", ".", 0.5, 0.1),
        ("12'345", ".", 12345.0, 1.0),
        ("1\u202f234,5", ",", 1234.5, 0.1),
    ],
)
def test_a_printed_number_has_a_value_and_a_last_digit(text, decimal, value, unit):
    number = read_number(text, decimal, "here")
    assert (number.value, number.unit) == pytest.approx((value, unit))


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_a_number_is_read_as_it_was_written_in_any_style(digits, places):
    value = digits / 10**places
    plain = f"{value:.{places}f}"
    grouped = f"{value:,.{places}f}"
    european = grouped.replace(",", " ").replace(".", ",").replace(" ", ".")
    assert read_number(plain, ".", "").value == float(plain)
    assert read_number(grouped, ".", "").value == float(plain)
    assert read_number(european, ",", "").value == float(plain)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("PPO_std", ("PPO", "sd")),
        ("PPO mean", ("PPO", "mean")),
        ("std_reward", ("reward", "sd")),
        ("mean reward", ("reward", "mean")),
        ("Hopper (std. err.)", ("Hopper", "se")),
        ("Hopper standard error", ("Hopper", "se")),
        ("standard deviation", ("", "sd")),
        ("Hopper std err", ("Hopper", "se")),
        ("TD error", ("TD error", None)),
        ("Bellman err", ("Bellman err", None)),
        ("ci95", ("", "ci95")),
        ("SAC", ("SAC", None)),
        ("MEAN", ("", "mean")),
    ],
)
def test_the_last_word_of_a_head_may_be_a_statistic(name, parts):
    assert split_statistic(name) == parts


def test_a_label_without_an_arrow_says_nothing_of_direction():
    here = PrintedEntry(text="", line=1, column=1)
    assert label_of("Return", here).lower is None
    assert label_of("Return ↑↓", here).lower is None


@pytest.mark.parametrize(
    ("source", "inside"),
    [
        ("{a}b}", "a"),
        (r" {a{b}c}d", "a{b}c"),
        (r"{a\}b} c", "a\\}b"),
        (r"{a\\}b}", "a\\\\"),
        (r"{a\\\}b}", "a\\\\\\}b"),
        (r"{\\}", "\\\\"),
        ("{a}\\", "a"),
    ],
)
def test_an_argument_ends_at_its_own_brace_and_an_escaped_one_is_none(source, inside):
    end = argument(source, 0)
    assert end is not None
    assert source[:end].strip() == f"{{{inside}}}"


@pytest.mark.parametrize("source", ["", "a{b}", "{a", r"{a\}"])
def test_what_is_no_whole_argument_has_no_end(source):
    assert argument(source, 0) is None
