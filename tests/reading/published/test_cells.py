"""A power of ten belongs to both numbers of a cell, or it is not read."""

from __future__ import annotations

import pytest

from runoff.errors import RunoffError
from runoff.reading.published.read import TableOptions, read_table


def table_of(cell: str) -> str:
    return f"\\begin{{tabular}}{{lcc}}\nTask & PPO & SAC \\\\ \\hline\nHopper & {cell} & 4000.0 $\\pm$ 100.0 \\\\\n\\end{{tabular}}\n"


@pytest.mark.parametrize(
    "cell",
    [
        r"$1.23 \pm 0.04 \times 10^1$",
        r"$1.23 \times 10^1 \pm 0.04$",
        r"$1.23 \pm 0.04 \cdot 10^{3}$",
        "1.23e3 $\\pm$ 40",
        "1.23 $\\pm$ 0.04e3",
        r"$(1.23\times10^2 \pm 0.04\times10^2) \times 10^1$",
    ],
)
def test_a_power_behind_one_of_two_numbers_is_refused(cell):
    with pytest.raises(RunoffError) as refusal:
        read_table(table_of(cell), TableOptions())
    assert str(refusal.value).startswith("the text, line 3, column 2: in '")
    assert "the power of ten may apply to both numbers or to one" in str(refusal.value)


@pytest.mark.parametrize(
    "cell",
    [
        r"$(1.23 \pm 0.04) \times 10^3$",
        r"$(1.23 \pm 0.04)\cdot 10^{3}$",
        "(1.23 $\\pm$ 0.04)e3",
        "1.23e3 $\\pm$ 0.04e3",
        r"$1.23\times 10^3 \pm 4\times 10^1$",
    ],
)
def test_a_power_of_both_numbers_is_read(cell):
    answer = read_table(table_of(cell), TableOptions()).cell("PPO", "Hopper")
    assert answer is not None
    assert (answer.mean, answer.spread) == pytest.approx((1230.0, 40.0))
    assert answer.mean_unit == pytest.approx(10.0)


@pytest.mark.parametrize("mean", ["0.123", "-0.123", ".123", "0.1234", "12.34", "1234.567"])
def test_a_number_that_cannot_be_thousands_is_the_same_with_a_comma(mean):
    text = table_of(f"{mean} $\\pm$ 0.011").replace("4000.0", "4000").replace("100.0", "100")
    point, comma = (read_table(text.replace(".", mark), TableOptions()).cell("PPO", "Hopper") for mark in ".,")
    assert (point.mean, point.mean_unit, point.spread) == (comma.mean, comma.mean_unit, comma.spread)
    assert point.mean == float(mean)


def test_a_minus_plus_sign_is_no_plus_minus_sign():
    with pytest.raises(RunoffError, match="∓ 0"):
        read_table(table_of(r"$12.3 \mp 0.4$"), TableOptions())


@pytest.mark.parametrize(("ends", "lopsided"), [((8, 12), False), ((8, 14), False), ((8, 15), True)])
def test_an_interval_is_shown_by_its_ends_and_lopsided_beyond_rounding_alone(ends, lopsided):
    low, high = ends
    cell = read_table(
        table_of(f"10 [{low}, {high}]").replace("4000.0 $\\pm$ 100.0", "15 [14, 16]"), TableOptions(spread="ci95")
    ).cells[0]
    assert (cell.numbers, cell.spread) == (f"10 [{low}, {high}]", (high - low) / 2)
    assert cell.lopsided is lopsided


@pytest.mark.parametrize("digits", [0, 1, 2])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("units", "fits"), [(0, True), (1, True), (2, False)])
def test_an_interval_leaves_out_its_mean_by_no_more_than_rounding_does(digits, side, units, fits):
    low, high = sorted([12.0 + side * units * 10.0**-digits, 12.0 + 9 * side])
    cell = f"{12:.{digits}f} [{low:.{digits}f}; {high:.{digits}f}]"
    text = table_of(cell).replace("4000.0 $\\pm$ 100.0", "15.0 [14.0; 16.0]")
    if not fits:
        with pytest.raises(RunoffError, match="does not contain its mean; correct the cell"):
            read_table(text, TableOptions(spread="ci95"))
    else:
        assert [value.mean for value in read_table(text, TableOptions(spread="ci95")).cells] == [12.0, 15.0]


@pytest.mark.parametrize(
    "form", ["[{} , {}]", "[{} ,{}]", "[{} %, {} %]", "[{} %; {} %]", "({} %–{} %)", "(95% CI: {} , {})"]
)
def test_blanks_and_signs_of_per_cent_beside_the_ends_of_an_interval_are_no_part_of_them(form):
    cells = " | ".join(f"{mean} {form.format(mean - 1, mean + 1)}" for mean in (12.5, 13.5))
    text = f"Mean [95% CI].\n\n| Task | PPO | SAC |\n|---|---|---|\n| Hopper | {cells} |\n"
    assert [cell.ends for cell in read_table(text, TableOptions()).cells] == [(11.5, 13.5), (12.5, 14.5)]


@pytest.mark.parametrize(("spreads", "means"), [((2, 0), (12, 2222)), ((0, 3), (12, 2222)), ((1995, None), (25000,))])
def test_spreads_of_none_and_a_single_one_that_looks_like_a_year_are_spreads(spreads, means):
    rows = "".join(
        f"| {task} | {' | '.join('-' if own is None else f'{mean} ({own})' for own in spreads)} |\n"
        for task, mean in zip(("Hopper", "Pong"), means, strict=False)
    )
    table = read_table(f"| Task | PPO | SAC |\n|---|---|---|\n{rows}", TableOptions())
    assert [cell.spread for cell in table.cells] == [own for own in spreads if own is not None] * len(means)


def test_three_digits_behind_a_comma_and_a_0_are_decimals():
    text = table_of("0,123 $\\pm$ 0,010").replace("4000.0 $\\pm$ 100.0", "0,456 $\\pm$ 0,020")
    assert read_table(text, TableOptions()).cells[0].mean == 0.123


def test_a_row_of_words_below_the_first_of_a_table_without_lines_is_a_head():
    text = table_of("1.5 $\\pm$ 0.2").replace("\\hline", "\\hline\nAnt & -- & -- \\\\")
    assert [cell.mean for cell in read_table(text, TableOptions()).cells] == [1.5, 4000.0]
    with pytest.raises(RunoffError, match="the header '--' stands in several columns"):
        read_table(text.replace("\\hline", ""), TableOptions())
