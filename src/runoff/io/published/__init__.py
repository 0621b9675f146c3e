"""Tables of papers: what is printed → which number is whose.

A file is LaTeX, Markdown or delimited (`latex`, `plain`) → a `grid` of entries, their `markup` undone → labels and places (`layout`, `heads`) →
numbers (`numbers`, `cell`) → which side the algorithms are on (`axes`), which direction is better (`directions`) → `checks`. `read` is the
way in.
"""

from __future__ import annotations

from runoff.io.published.read import Reading, read_table
