"""What a refusal says: one sentence, and below it, or in it, what is to be copied."""

from __future__ import annotations

import re


def n_sentences(refusal: str) -> int:
    """Return how many lines of a refusal are no command that is to be copied, and name no defaults; refuse an option that no verb has."""
    assert re.search(r"--\w+_", refusal) is None, refusal
    return sum(not line.startswith(("  runoff ", "  (")) for line in refusal.splitlines())


def patterns_offered(refusal: object) -> list[str]:
    """Return the patterns that a refusal of Python offers."""
    return re.findall(r"pattern='(.*?)'", str(refusal))
