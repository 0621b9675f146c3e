"""The page of a search: what stands on it, and where the drawing has the levels."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.page.sheet.night import HEIGHT, LEFT, RIGHT, WIDTH, night
from runoff.words.numbers import digits

RNG = np.random.default_rng(2)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    """A search with a keep, a discard and a candidate on trial."""
    book = ro.Ledger(tmp_path_factory.mktemp("search") / "night.jsonl", budget=200)
    base, better = RNG.normal(size=30).tolist(), (4 + RNG.normal(size=20)).tolist()
    book.champion(base[:20], name="base")
    book.propose([-5.25], name="<script>alert(1)</script>")
    book.propose(better[:10], name="better")
    book.champion(better[:16], name="better")
    book.propose([9.75], name="open")
    return book


def test_the_page_begins_with_the_record_and_names_every_proposal_once_a_row(ledger):
    result = ledger.record()
    page = night(result, name="night.jsonl")
    assert result.record_sentence in page.replace("\N{FIRST STRONG ISOLATE}", "").replace(
        "\N{POP DIRECTIONAL ISOLATE}", ""
    )
    assert [decision for decision in ("keep", "discard", "run more") if f">{decision}<" not in page] == []
    assert page.count("<tr>") == 2 + len(result.proposals) + len(result.steps)


def test_names_of_candidates_are_no_markup(ledger):
    page = night(ledger.record(), name="<b>")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_page_loads_nothing_and_the_same_ledger_gives_the_same_text(ledger):
    page = night(ledger.record(), name="night.jsonl")
    assert not re.search(r"https?://|src=|@import|url\(", page)
    assert "default-src 'none'" in unescape(page)
    assert night(ro.Ledger(ledger.path).record(), name="night.jsonl") == page


def test_the_line_of_a_champion_lies_at_its_gain_from_the_run_at_which_it_was_kept(ledger):
    result = ledger.record()
    page = night(result, name="night.jsonl")
    lines = [tuple(map(float, m)) for m in re.findall(r'class="record" d="M([\d.]+) ([\d.]+)H([\d.]+)"', page)]
    bands = [
        tuple(map(float, m)) for m in re.findall(r'class="band" x="([\d.]+)" y="([\d.]+)" .*?height="([\d.]+)"', page)
    ]
    step = result.steps[1]
    across = LEFT + (WIDTH - LEFT - RIGHT) * step.n_before / result.n_runs
    assert lines[1][0] == pytest.approx(across, abs=0.1)
    assert lines[1][2] == pytest.approx(WIDTH - RIGHT, abs=0.1)
    # Heights of the line at 0 and at the gain fix the scale, on which the band lies.
    unit = (lines[0][1] - lines[1][1]) / step.gain
    assert bands[0][1] == pytest.approx(lines[0][1] - unit * step.high, abs=0.2)
    assert bands[0][2] == pytest.approx(unit * (step.high - step.low), abs=0.2)
    assert max(y for _, y, _ in lines) <= HEIGHT


def test_the_tiles_say_gain_claim_keeps_and_error(ledger):
    result = ledger.record()
    page = night(result, name="night.jsonl")
    answers = re.findall(r"<strong>(.*?)</strong>", page)
    assert answers[0] == digits(result.gain)
    assert answers[1] == digits(result.greedy_gain)
    assert answers[2:] == ["1 of 3 proposals", f"{digits(result.alpha_spent, 2)} of 0.1"]


def test_a_champion_without_a_run_was_kept_and_its_error_is_what_the_search_promises(tmp_path):
    book = ro.Ledger(tmp_path / "night.jsonl", renew=True)
    book.champion(RNG.normal(size=20).tolist(), name="base")
    result = book.propose((6 + RNG.normal(size=10)).tolist(), name="better")
    page = unescape(night(result, name="night.jsonl"))
    assert (result.decision, re.findall(r"<strong>(.*?)</strong>", page)[0]) == ("keep", "not known yet")
    assert page.count(result.promise) == 2
    assert "at most, ever" not in page


def test_a_search_without_a_decision_has_a_page(tmp_path):
    book = ro.Ledger(tmp_path / "night.jsonl")
    page = night(book.champion([1.0], name="base"), name="night.jsonl")
    assert "The champion base has too few runs" in page
    assert "<svg" not in page


def test_the_verb_writes_the_page_beside_the_ledger_and_renews_it(ledger, capsys):
    page = ledger.path.with_suffix(".html")
    assert run(["keep", str(ledger.path), "--report"]) in (0, 3)
    first = page.read_text(encoding="utf-8")
    assert run(["keep", str(ledger.path), "--report"]) in (0, 3)
    assert page.read_text(encoding="utf-8") == first
    assert f"Page: {page}" in capsys.readouterr().out.replace("\n", "")


def test_another_file_is_not_overwritten_by_the_page(ledger, tmp_path, capsys):
    other = tmp_path / "mine.html"
    other.write_text("<p>mine</p>", encoding="utf-8")
    assert run(["keep", str(ledger.path), "--report", "-o", str(other)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert other.read_text(encoding="utf-8") == "<p>mine</p>"
