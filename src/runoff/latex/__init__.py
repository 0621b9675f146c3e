"""Tables for a paper: LaTeX that pdflatex compiles as it is, with booktabs.

results  the tables of results
render   a table as LaTeX
layout   what a table is: blocks of columns, and the parts of a table that is taller than a page
glyphs   characters as LaTeX prints them, their widths, and the text that stands for a name
"""
