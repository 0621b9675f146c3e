"""The page.

build    one self-contained HTML file, a pure function
drawing  the figures as SVG, PDF and PNG
fonts    the glyphs that a PDF embeds
inline   SVG inside the page
"""
