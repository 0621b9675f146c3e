"""The page.

build    one self-contained HTML file, a pure function; the templates are beside it
rows     the rows of its tables: the first screen, all pairs, ranks
tasks    a table of shaded means, and every run of a task as a dot
charts   its own drawings: lines against steps or scores
svg      the parts of these drawings, and the colour and the marker of each algorithm
data     what the script draws from
drawing  the figures beside the page as SVG, and as PDF and PNG on demand
"""
