"""Where data come from and what was done to them: stated in every report."""

from __future__ import annotations

from dataclasses import dataclass, replace


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
    """

    path: str | None = None
    sha256: str | None = None
    format: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    steps: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    reference: str | None = None

    def noting(self, *notes: str) -> Provenance:
        """Return the same origin with more notes."""
        return replace(self, notes=self.notes + tuple(note for note in notes if note not in self.notes))
