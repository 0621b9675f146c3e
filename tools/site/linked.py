"""What Sphinx is told of our names: `ro.compare` and `runoff compare` in code lead to the reference, and so do names in docstrings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms import SphinxTransform

from tools.site import command_line, reference, search

CALLED = re.compile(r"(?:ro|runoff)\.([A-Za-z_.]+)(?:\(.*\))?")
VERB = re.compile(r"(runoff [a-z]+)(?: .*)?")
BAR = re.compile(r"\|(?=\S)|(?<=\S)\|")
NAMES, LABELS = reference.known_names(), command_line.labels()
RESULTS = frozenset(kind.__name__ for kind in reference.result_types())

ABOVE = (nodes.reference, addnodes.pending_xref, nodes.title, addnodes.download_reference)
"""Within these, code leads where they lead, or nowhere: a link in a link would leave the outer one empty."""


def _above(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the nodes in which one lies."""
    while node.parent is not None:
        node = node.parent
        yield node


class Linked(SphinxTransform):
    """Code that is a name of the reference leads there."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Put a reference about each such piece of code of a document."""
        for code in list(self.document.findall(nodes.literal)):
            if not any(isinstance(above, ABOVE) for above in _above(code)):
                self._link(code)

    def _link(self, code: nodes.literal) -> None:
        text = code.astext()
        called, verb = CALLED.fullmatch(text), VERB.fullmatch(text)
        name = called[1] if called else text
        if name in NAMES and (called or name in RESULTS):
            node: nodes.Element = addnodes.pending_xref(
                "",
                refdomain="py",
                reftype="obj",
                reftarget=NAMES[name],
                refexplicit=True,
                refwarn=True,
                refdoc=self.env.docname,
            )
        elif verb and verb[1] in LABELS:
            place = self.app.builder.get_relative_uri(self.env.docname, LABELS[verb[1]])
            node = nodes.reference("", "", internal=True, refuri=place)
        else:
            return
        code.replace_self(node)
        node += code


def named(
    _name: str, rawtext: str, text: str, *_: Any, **__: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Return `text` of a docstring: code, in the form that `Linked` knows if it is a public name."""
    own = text in NAMES and text not in RESULTS
    return [nodes.literal(rawtext, f"ro.{text}" if own else text)], []


def literally(_app: Sphinx, _kind: str, _name: str, _thing: object, _options: object, lines: list[str]) -> None:
    """Let |x| of a docstring be what it is, and no substitution; examples are left as they are."""
    example = False
    for i, line in enumerate(lines):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            parts = line.split("``")
            lines[i] = "``".join(part if k % 2 else BAR.sub(r"\\|", part) for k, part in enumerate(parts))


def ordered(app: Sphinx, config: Config) -> None:
    """Let the script of the tree order the results of the search."""
    config.html_search_scorer = str(app.srcdir / search.PLACE)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register these with Sphinx."""
    app.connect("config-inited", ordered)
    app.add_transform(Linked)
    app.connect("autodoc-process-docstring", literally, priority=900)
    app.add_role("named", named)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
