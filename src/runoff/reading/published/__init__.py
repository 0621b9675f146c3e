"""Reading of tables in papers: which printed number belongs to which algorithm and task.

A text is LaTeX, Markdown or delimited (`formats`) → a `grid` of entries, their `markup` undone → labels (`heads`, and what they say of ±:
`statements`) and places (`layout`) → numbers (`cells`) → which side the algorithms are on and which direction is better (`sides`) → `checks`.
`read` is the way in.
"""

from __future__ import annotations

from runoff.reading.published.read import TableOptions, read_table
