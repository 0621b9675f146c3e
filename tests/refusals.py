"""What the command line says of a misuse: one sentence, and below it commands to copy."""

from __future__ import annotations

import re


def n_sentences(refusal: str) -> int:
    """Return how many lines of a refusal are no command that is to be copied, and name no defaults; refuse an option that no verb has."""
    assert re.search(r"--\w+_", refusal) is None, refusal
    return sum(not line.startswith(("  runoff ", "  (")) for line in refusal.splitlines())
