"""Tables for a paper: LaTeX that pdflatex compiles as it is, with booktabs.

tables   tables of typed cells as LaTeX's
render   a table as LaTeX: columns and lines beside and below each other
table    what a table is
glyphs   characters as LaTeX prints them, and the text that stands for a name
"""
