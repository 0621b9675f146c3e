"""The documentation as a site: `make docs`.

- `shown`: what a page shows is what ran; `docstrings`: the examples of docstrings are executed
- `refresh`: writes into pages what ran, where they show something else (`python -m tools.site.refresh docs/tutorial.md`)
- `pages`: the files that become pages, and their links; `atlas`: figures of the calibration atlas, and folded tables
- `reference`: a page for every public name; `command_line`: one for all verbs
- `tree`: all of these in one folder, from which Sphinx builds (`conf.py`, `linked.py`)
- `crawl`: links inside the built site hold, and nothing is asked of other hosts
"""
