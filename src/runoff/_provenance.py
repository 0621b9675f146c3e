"""Where data come from and what was done to them: stated in every report."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal


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
    notes: tuple[str, ...] = ()
    reference: str | None = None
    caveats: tuple[Caveat, ...] = ()

    def noting(self, *notes: str) -> Provenance:
        """Return the same origin with more notes."""
        return replace(self, notes=self.notes + tuple(note for note in notes if note not in self.notes))

    def warning_of(self, *caveats: Caveat) -> Provenance:
        """Return the same origin with more caveats."""
        return replace(self, caveats=tuple(dict.fromkeys((*self.caveats, *caveats))))

    def without(self, algorithms: Collection[str]) -> Provenance:
        """Return the same origin without the caveats that are about these algorithms alone."""
        kept = tuple(one for one in self.caveats if not one.subjects or set(one.subjects) - set(algorithms))
        return replace(self, caveats=kept)
