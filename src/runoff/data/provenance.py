"""Where data come from and what was done to them: stated in every report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from runoff.tables.relabel import Relabelled

NEGATED = "scores are negated: lower was better in the file, higher is better here"
OF_CURVES = "the score of a run is "
"""How a note on the scores of learning curves begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caveat:
    """What making the scores found that may change an answer: every answer gives it as advice.

    Attributes
    ----------
    code : str
        Of docs/advice.md.
    severity : "warning", "caution" or "info"
    text : str
    subjects : tuple of str
        The algorithms that the text names.
    """

    code: str
    severity: Literal["info", "caution", "warning"]
    text: str
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The origin of `Scores` or `Curves`.

    Attributes
    ----------
    path, sha256, format : str or None
        The file or folder, the digest of its bytes, the format it was read as.
    columns : tuple of (role, column)
        Which column plays which role.
    parts : tuple of (role, part of the path)
        Which names come from folders and file names.
    steps : tuple of (algorithm, words)
        Of learning curves: their steps.
    notes : tuple of str
        What a reader or a conversion did that the user should know, one sentence each.
    reference : str or None
        The reference scores the data are normalised by, with their source.
    caveats : tuple of Caveat
        What the answers must say of the data.
    """

    path: str | None = None
    sha256: str | None = None
    format: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    steps: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    reference: str | None = None
    caveats: tuple[Caveat, ...] = ()

    def noting(self, *notes: str) -> Provenance:
        """Return the same origin with more notes."""
        return replace(self, notes=self.notes + tuple(note for note in notes if note not in self.notes))

    def warning_of(self, *caveats: Caveat) -> Provenance:
        """Return the same origin with more caveats."""
        return replace(self, caveats=tuple(dict.fromkeys((*self.caveats, *caveats))))

    def relabelled(self, before: Sequence[str], algorithms: Relabelled, tasks: Relabelled) -> Provenance:
        """Return the same origin of algorithms once called `before`; what is said only of those left out goes with them."""
        new = {name: algorithms.names[at] for name, at in zip(before, algorithms.places, strict=True) if at is not None}
        steps: dict[str, list[str]] = {}
        for name, words in self.steps:
            if name in new:
                steps.setdefault(new[name], []).append(words)
        return replace(
            self,
            steps=tuple((name, "; ".join(dict.fromkeys(words))) for name, words in steps.items()),
            caveats=tuple(
                replace(one, subjects=tuple(dict.fromkeys(new[name] for name in one.subjects if name in new)))
                for one in self.caveats
                if not one.subjects or set(one.subjects) & set(new)
            ),
        ).noting(*algorithms.notes, *tasks.notes)
