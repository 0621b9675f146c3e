"""Reading of tables in papers: which printed number belongs to which algorithm and task.

A text → a grid of entries (`printed`) → labels and places (`layout`) → numbers → which side the algorithms are on and which direction is
better (`sides`), counts of items (`rates`). `read` is the way in.
"""
