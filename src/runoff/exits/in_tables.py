"""What has tables has all exits: notebooks (HTML), Markdown, LaTeX."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from runoff.exits.html import html_of
from runoff.exits.markdown import markdown_of
from runoff.exits.table import Table
from runoff.words.arguments import hinted
from runoff.words.names import LatexLayout


class InTables:
    """What people read as tables of typed cells: every exit prints those that `tables` gives."""

    __slots__ = ()

    @abstractmethod
    def tables(self) -> tuple[Table, ...]:
        """Return what people read of it: notebooks, LaTeX, Markdown and the terminal print these."""

    @hinted
    def to_latex(self, *, layout: LatexLayout = "wide") -> str:
        r"""Return the tables for a paper, in LaTeX that needs booktabs (and longtable for several pages).

        Parameters
        ----------
        layout : "wide", "column" or "long"
            As wide as the text, as a column of a two-column page, or over several pages.

        Raises
        ------
        OptionError
            An unknown layout.

        Examples
        --------
        >>> import runoff as ro
        >>> result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
        >>> print(result.to_latex().splitlines()[-4])
        B -- A & 5.0 {[}2.8, 7.2{]} & 100~\% {[}50, 100{]} & 0.002 \\
        """
        from runoff.exits.latex.tables import (
            of_tables,
        )  # it checks numbers, which the list of the archive does not load

        tables = [replace(table, caption=f"{table.caption} {self._told()}".rstrip()) for table in self.tables()]
        return of_tables(tables, layout)

    @hinted
    def to_markdown(self) -> str:
        """Return the tables as Markdown, with their captions, for a README or an issue.

        Examples
        --------
        >>> import runoff as ro
        >>> result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
        >>> print(result.to_markdown().splitlines()[2].replace("\xa0", " "))
        | B | A | 5.0 \\[2.8, 7.2\\] | 100 % \\[50, 100\\] | 0.002 |
        """
        return "\n\n".join(map(markdown_of, self.tables()))

    def _told(self) -> str:
        """Return what a caption in a paper says beside what the table is: what a score is."""
        return ""

    def _repr_html_(self) -> str:
        return html_of(self.tables(), heading=self._heading(), cautions=self._cautions())

    def _cautions(self) -> Sequence[str]:
        """Return what to beware of, the gravest first."""
        return ()

    def _heading(self) -> Sequence[str]:
        """Return the lines above the first table of a notebook."""
        return str(self).splitlines()
