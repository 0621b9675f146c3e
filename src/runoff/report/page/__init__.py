"""The page.

build      one self-contained HTML file, a pure function; the templates are beside it
first      the picture of the first screen
heat       tasks: a cell for each algorithm and task
pair_rows  the table of pairs, and what their order survives
ranks      the appendix on ranks
drawn      the page's own drawings, of results
charts     lines against steps or scores
strips     every run of a task
svg        bars, paths and words of drawings
colours    the class of each algorithm's colour, and its marker
data       what the script draws from
drawing    the figures beside the page as SVG, PDF and PNG
"""
