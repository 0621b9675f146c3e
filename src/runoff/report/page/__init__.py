"""The page.

build    one self-contained HTML file, a pure function
drawing  the figures as SVG, PDF and PNG
inline   SVG inside the page
"""
