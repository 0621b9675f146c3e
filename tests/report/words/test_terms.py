"""Terms and references: every one that a page uses is explained, and every one that is cited has an entry."""

from __future__ import annotations

import re

import pytest
from markupsafe import escape

from runoff.page import build
from runoff.page.words.references import REFERENCES, bibtex
from runoff.page.words.terms import terms_of
from runoff.words.nouns import OF_RUNS
from tests.places import SOURCE
from tests.report.made import answers

TEMPLATES = "".join(path.read_text() for path in sorted((SOURCE / "page" / "sheet").glob("*.j2")))


def test_every_term_of_a_template_is_known_and_every_known_one_is_used():
    used = set(re.findall(r'w\.term\("(\w+)"', TEMPLATES))
    listed = {
        key
        for keys in re.findall(r"w\.(?:explained|defined)\((.*?)\)", TEMPLATES)
        for key in re.findall(r'"(\w+)"', keys)
    }
    of_metrics = {"iqm", "iqm_whole", "median", "mean", "optimality_gap", "improvement"}
    assert used | listed | of_metrics == set(terms_of(OF_RUNS))


def test_every_metric_of_the_page_is_explained_in_its_place():
    for metric in answers().aggregates.measures:
        assert (
            f'<dt id="t-{metric}">{terms_of(OF_RUNS)[metric].title}</dt><dd>{escape(terms_of(OF_RUNS)[metric].means)}</dd>'
            in build(answers())
        )


@pytest.mark.parametrize("key", terms_of(OF_RUNS))
def test_an_explanation_is_short_and_ends_as_a_sentence(key):
    assert terms_of(OF_RUNS)[key].means.endswith(".")
    assert len(terms_of(OF_RUNS)[key].means) <= 200


@pytest.mark.parametrize("key", REFERENCES)
def test_a_reference_is_an_entry_with_its_year_its_authors_and_its_title(key):
    entry = bibtex([REFERENCES[key]])
    year, family = key.split()[-1], REFERENCES[key].split(",")[0].split(" (")[0]
    assert f"year = {{{year}}}" in entry
    assert f"author = {{{family}" in entry
    assert entry.count("{") == entry.count("}")
    title = re.search(r"title = \{\{(.*)\}\}", entry)[1]
    assert title.replace(r"\&", "&") in REFERENCES[key].replace("–", "--")


def test_keys_of_all_entries_differ():
    keys = re.findall(r"^@\w+\{(\w+),", bibtex(REFERENCES.values()), re.MULTILINE)
    assert len(keys) == len(set(keys)) == len(REFERENCES)


def test_a_line_that_is_no_reference_is_refused():
    with pytest.raises(ValueError, match="a reference has the form"):
        bibtex(["no year at all"])


@pytest.mark.parametrize("key", REFERENCES)
def test_an_entry_has_no_sign_that_latex_takes_for_a_command(key):
    fields = [line for line in bibtex([REFERENCES[key]]).splitlines() if not line.startswith("  doi")]
    assert not [line for line in fields if re.search(r"(?<!\\)[&%#_]|–", line)]


def test_the_doi_of_an_entry_is_as_it_was_registered():
    reference = "Family, I. (2020). A title & more. Annals of Things 7, 1–9. doi:10.1000/a_b&c."
    assert "  doi = {10.1000/a_b&c},\n" in bibtex([reference])
    assert "A title \\& more" in bibtex([reference])
