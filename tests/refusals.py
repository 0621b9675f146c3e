"""What the command line says of a misuse: one sentence, and below it commands to copy."""

from __future__ import annotations


def n_sentences(refusal: str) -> int:
    """Return how many lines of a refusal are no command that is to be copied, and name no defaults."""
    return sum(not line.startswith(("  runoff ", "  (")) for line in refusal.splitlines())
