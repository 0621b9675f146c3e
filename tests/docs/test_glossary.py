"""The glossary: in the order of the alphabet, every term once, and with it every term that the report explains in place."""

from __future__ import annotations

import re

import pytest

from tests.places import DOCS

TEXT = (DOCS / "glossary.md").read_text(encoding="utf-8")
HEADS = re.findall(r"^## (.*)$", TEXT, re.MULTILINE)
VOCABULARY = (DOCS / "design" / "vocabulary.md").read_text(encoding="utf-8")


def test_terms_stand_in_the_order_of_the_alphabet():
    spelled = [re.sub(r"^α \((.*)\)$", r"\1", head).lower() for head in HEADS]
    assert spelled == sorted(set(spelled))


def test_a_word_is_not_defined_in_the_vocabulary_too():
    rows = dict(re.findall(r"^\| ([a-z ]+) \| (.*)$", VOCABULARY, re.MULTILINE))
    both = [head.lower() for head in HEADS if head.lower() in rows]
    assert len(both) >= 8
    assert [word for word in both if "](../glossary.md#" not in rows[word]] == []


def test_the_report_explains_no_term_that_the_glossary_lacks():
    terms = pytest.importorskip("runoff.report.words.terms").TERMS.values()
    explained = (
        {head.lower() for head in HEADS}
        | set(re.findall(r"“([^”]+)”", TEXT))
        | set(re.findall(r"^\| (\w+) \|", VOCABULARY, re.MULTILINE))
    )
    assert [term.title for term in terms if not {term.title, term.title.lower()} & explained] == []
