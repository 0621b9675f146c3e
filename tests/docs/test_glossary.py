"""The glossary: in the order of the alphabet, every term once, and with it every term that the report explains in place."""

from __future__ import annotations

import re

import pytest

from runoff.words.nouns import OF_RUNS
from tests.places import DOCS

TEXT = (DOCS / "glossary.md").read_text(encoding="utf-8")
HEADS = re.findall(r"^## (.*)$", TEXT, re.MULTILINE)
DATA = re.findall(r"^\| \*\*(\w+)\*\* \|", TEXT, re.MULTILINE)
VOCABULARY = (DOCS / "design" / "vocabulary.md").read_text(encoding="utf-8")


def test_terms_stand_in_the_order_of_the_alphabet():
    spelled = [re.sub(r"^α \((.*)\)$", r"\1", head).lower() for head in HEADS]
    assert spelled == sorted(set(spelled))


def test_the_words_of_the_data_come_first_and_have_one_place():
    assert DATA[:4] == ["run", "task", "score", "cell"]
    assert not set(DATA) & {head.lower() for head in HEADS}


def test_a_word_is_not_defined_in_the_vocabulary_too():
    rows = re.findall(r"^\| ([a-z ]+) \| ", VOCABULARY, re.MULTILINE)
    assert len(rows) >= 4
    assert [word for word in rows if word in {head.lower() for head in HEADS} | set(DATA)] == []


def test_every_word_for_not_established_has_its_row():
    codes = re.findall(r"^\| `(\w+)`", TEXT.partition("## No difference found")[2], re.MULTILINE)
    assert codes[:6] == [
        "no_difference_found",
        "inconclusive",
        "go_on",
        "cannot_be_said",
        "depends_on_items",
        "underpowered",
    ]


def test_the_report_explains_no_term_that_the_glossary_lacks():
    terms = pytest.importorskip("runoff.page.words.terms").terms_of(OF_RUNS).values()
    explained = {head.lower() for head in HEADS} | set(re.findall(r"“([^”]+)”", TEXT)) | set(DATA)
    assert [term.title for term in terms if not {term.title, term.title.lower()} & explained] == []
