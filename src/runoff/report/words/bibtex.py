"""References as BibTeX, made of the same lines that the methods cite."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_LINE = re.compile(r"(?P<authors>.+?) \((?P<year>\d{4})\)\. (?P<title>.+?)\. (?P<where>(?:[A-Z]|arXiv).+)")
_JOURNAL = re.compile(r"(?P<journal>.+?) (?P<volume>[A-Z]?\d+), (?P<pages>\d+–\d+)\.?")
_DOI = re.compile(r"\s*doi:(\S+?)\.?$")
SPECIAL = {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "–": "--"}


def bibtex(references: Iterable[str]) -> str:
    """Return an entry for each reference.

    >>> print(bibtex(["Student (1908). The probable error of a mean. Biometrika 6, 1–25."]))
    @article{student1908,
      author = {Student},
      title = {{The probable error of a mean}},
      year = {1908},
      journal = {Biometrika},
      volume = {6},
      pages = {1--25},
    }
    """
    return "\n\n".join(map(_entry, references))


def _entry(reference: str) -> str:
    found = _LINE.fullmatch(reference)
    if found is None:
        raise ValueError(f"a reference has the form 'Authors (year). Title. Where.', not {reference!r}.")
    doi = _DOI.search(found["where"])
    where = _DOI.sub("", found["where"]).rstrip(".")
    journal = _JOURNAL.fullmatch(where)
    told = {"author": " and ".join(_authors(found["authors"])), "title": f"{{{found['title']}}}", "year": found["year"]}
    told |= journal.groupdict() if journal else {"note": where}
    told |= {"doi": doi[1]} if doi else {}
    fields = "".join(f"  {field} = {{{_tex(value) if field != 'doi' else value}}},\n" for field, value in told.items())
    return f"@{'article' if journal else 'misc'}{{{_key(found['authors'], found['year'])},\n{fields}}}"


def _authors(text: str) -> list[str]:
    """Return "Family, G. I." of each author."""
    whole = text.replace(" & ", ", ")
    found = re.findall(r"[^,]+, (?:[A-Z]\.-?[ ]?(?:[A-Z]\.-?[ ]?)*)", whole)
    return [name.strip() for name in found] or [text]


def _key(authors: str, year: str) -> str:
    family = re.split(r"[,(]", authors)[0].casefold()
    plain = unicodedata.normalize("NFKD", family).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z]", "", plain) + year


def _tex(value: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in value)
