"""The published runs of a report: what to cite for them, and how they were made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from runoff.archive.load import AT_STEP
from runoff.archive.protocol import number, protocols_of
from runoff.archive.sets import PROTOCOL, UNKNOWN, ArchiveSet, info, matched, set_of
from runoff.data.scores import Scores
from runoff.words.names import ASSUMED
from runoff.words.numbers import listed

FIELD = r"(?is)\b{}\s*=\s*[{{\"](.*?)[}}\"]\s*,?\s*(?:\n|$)"
"""A field of a BibTeX entry, and its value."""


def sets_of(scores: Scores) -> list[tuple[ArchiveSet, list[str]]]:
    """Return the sets of the archive in these scores, with the algorithms of each."""
    sets: dict[str, list[str]] = {}
    for name in scores.algorithms:
        if (card := set_of(name)) is not None:
            sets.setdefault(card.name, []).append(name)
    return [(info(name), names) for name, names in sets.items()]


def reference_of(card: ArchiveSet) -> str:
    """Return what to cite for a set, as in a list of references.

    >>> from runoff import archive
    >>> reference_of(archive.info("atari_100k"))
    'Agarwal et al. (2021). Deep Reinforcement Learning at the Edge of the Statistical Precipice'
    """
    fields = {name: re.search(FIELD.format(name), card.citation) for name in ("author", "title", "year")}
    author, title, year = (re.sub(r"[{}]", "", match[1]) if match else "" for match in fields.values())
    if not title:
        return "no citation is known"
    first, *others = author.split(" and ")
    family = first.split(",")[0] if "," in first else first.split()[-1]
    return f"{family}{' et al.' if others else ''} ({year or 'no year'}). {title}"


def published_words(scores: Scores) -> str:
    """Return where published runs come from, how they were made, and what was assumed of one's own; nothing where there are none."""
    untested = dict(scores.provenance.published)
    return " ".join(_words(card, names, scores.tasks, untested) for card, names in sets_of(scores))


def _protocol(card: ArchiveSet, name: str, tasks: Sequence[str]) -> dict[str, str]:
    """Return what a set states about one algorithm on these tasks, under its name in the comparison."""
    head, _, algorithm = name.removesuffix(ASSUMED).partition(":")
    at = number(head.partition("@")[2])
    meant = {task: theirs for task, theirs in matched(tasks, card).items() if theirs}
    values = dict(card.protocol(algorithm)) | protocols_of(card, [algorithm], meant, at, curves=False)[algorithm]
    return values | ({} if at is None else {"final": AT_STEP.format(at)})


def _words(card: ArchiveSet, names: list[str], tasks: Sequence[str], untested: Mapping[str, str]) -> str:
    # The key of the set's own BibTeX entry, which the page offers beside the paragraph.
    key = re.search(r"@\w+\{\s*([^,\s]+)", card.citation)
    protocols: dict[str, list[str]] = {}
    for name in names:
        protocol = _protocol(card, name, tasks)
        values = [f"{PROTOCOL[key]}: {value}" for key, value in protocol.items() if value != UNKNOWN]
        protocols.setdefault("; ".join(values), []).append(name.removesuffix(ASSUMED))
    ways = [f"{listed(own)}: {words}" for words, own in protocols.items()]
    source = f"{card.repository}, commit {card.commit[:12]}{f', [{key[1]}]' if key else ''}"
    assumed = [name.removesuffix(ASSUMED) for name in names if name.endswith(ASSUMED)]
    shown = [name for name in names if untested.get(name)]
    return " ".join(
        [
            f"Published runs were taken from {source}, with the protocol that their source states ({'. '.join(ways)}).",
            *([f"What it is for our runs was assumed to be the same for {listed(assumed)}."] if assumed else []),
            *([f"No test was made with {listed(shown)}."] if shown else []),
        ]
    )
