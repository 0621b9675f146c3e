"""Each table of the report as files for a paper."""

from __future__ import annotations

from collections.abc import Iterator

from runoff.report.answers.all import Answers
from runoff.report.latex.aggregates import aggregates_table
from runoff.report.latex.pairs import pairs_table
from runoff.report.latex.profile_pairs import profile_pairs_table
from runoff.report.latex.ranks import ranks_table
from runoff.report.latex.render import column_file, long_file, wide_file
from runoff.report.latex.table import Table
from runoff.report.latex.tasks import tasks_table

LONG = 20
"""A table of more rows than this comes as a longtable too."""


def latex_tables(answers: Answers) -> Iterator[Table]:
    """Yield the tables that these answers have."""
    for table_of in (aggregates_table, tasks_table, pairs_table, ranks_table, profile_pairs_table):
        table = table_of(answers)
        if table is not None and table.n_rows:
            yield table


def latex_files(answers: Answers) -> Iterator[tuple[str, str]]:
    """Yield (file name, text): NAME_column.tex and NAME_wide.tex of each table, and NAME_long.tex of long ones."""
    for table in latex_tables(answers):
        yield f"{table.name}_column.tex", column_file(table)
        yield f"{table.name}_wide.tex", wide_file(table)
        if table.n_rows > LONG:
            yield f"{table.name}_long.tex", long_file(table)
