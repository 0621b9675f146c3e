"""The report's tables for a paper: LaTeX that pdflatex compiles as it is, with booktabs.

files        `latex_files`: each table as it fits a column, the text width, or many pages
aggregates   what each table holds: its caption, its heads and its cells
tasks
pairs
ranks
profile_pairs
best         which algorithms are bold
captions     words that the captions share
table        what a table is
render       a table as LaTeX
layout       blocks of columns, and the parts of a table that is taller than a page
glyphs       characters as LaTeX prints them, and their widths
"""

from runoff.report.latex.files import latex_files
