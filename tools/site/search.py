"""What the search of the site knows of a page beside its text: the words that readers type for it.

    <!-- search: llm accuracy, mmlu, binary outcomes -->

in a page names them. Their words stand in the metadata of the page, so that Sphinx finds the page by each of them, and the phrases beside the
script that orders results (`_static/search.js`), so that the page whose phrase was typed comes first, and developers' pages last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

COMMENT = re.compile(r"^<!-- search: ([^>]*?) ?-->\n?", re.MULTILINE)
SCRIPT = Path(__file__).parent / "_static" / "search.js"
PLACE = "search.js"


def phrases_of(text: str) -> list[str]:
    """Return the phrases that a page names."""
    return [" ".join(phrase.split()) for list_ in COMMENT.findall(text) for phrase in list_.split(",")]


def with_metadata(text: str) -> str:
    """Return the text of a page with its words as metadata, in the place of its comment."""
    words = dict.fromkeys(re.findall(r"\w+", " ".join(phrases_of(text)).lower()))
    head = f"---\nmyst:\n  html_meta:\n    keywords: {json.dumps(', '.join(words), ensure_ascii=False)}\n---\n\n"
    return head * bool(words) + COMMENT.sub("", text)


def script(pages: Iterable[tuple[str, str]]) -> str:
    """Return the script that orders results, with the phrases of the pages, given by place and text."""
    phrases: Mapping[str, list[str]] = {
        place.rpartition(".")[0]: named for place, text in pages if (named := phrases_of(text))
    }
    return f"const PHRASES = {json.dumps(phrases, ensure_ascii=False)};\n{SCRIPT.read_text(encoding='utf-8')}"
