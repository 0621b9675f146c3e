"""YAML as PyYAML's safe loader reads it, in bounds; imported with the first file of it, for PyYAML takes as long as twenty of our modules."""

from __future__ import annotations

from typing import Any

import yaml

from runoff.errors import DataError

# A few aliases of aliases stand for billions of entries ("billion laughs"), and PyYAML unfolds what
# `construct_document` is given.
MOST_NODES, DEEPEST_YAML = 100_000, 200


class _Settings(yaml.SafeLoader):  # type: ignore[misc]
    """PyYAML's safe loader, reading a Python object as the plain list or mapping in which it is written."""


def _plain(loader: yaml.SafeLoader, _: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    # A scalar of such a tag is the name of a class or a module, and no value of a setting.
    return None


# yaml.dump without SafeDumper writes `!!python/tuple`, `!!python/object:argparse.Namespace` and the like: rl-zoo3's
# args.yml is an OrderedDict. The safe loader would refuse the whole file.
_Settings.add_multi_constructor("tag:yaml.org,2002:python/", _plain)
_Settings.add_multi_constructor("!", _plain)


def settings_of(text: str) -> Any:
    """Return the content of a configuration; DataError where it is no YAML, and, before any is expanded, where its aliases stand for more than
    `MOST_NODES` entries."""
    loader = None
    try:
        loader = _Settings(text)
        node = loader.get_single_node()
        if node is None:
            return None
        if _size(node, {}, 0) > MOST_NODES:
            raise DataError(f"its aliases stand for more than {MOST_NODES:,} entries")
        return loader.construct_document(node)
    except yaml.YAMLError as error:
        raise DataError(str(error)) from error
    finally:
        if loader is not None:
            loader.dispose()


def _size(node: yaml.Node, sizes: dict[int, int], depth: int) -> int:
    """Return the number of nodes in a node with its aliases expanded; a node that contains itself exceeds any bound."""
    if id(node) not in sizes:
        sizes[id(node)] = MOST_NODES + 1  # until it is counted: where it is met again, it is inside itself
        if depth > DEEPEST_YAML:
            return MOST_NODES + 1
        inner = node.value if isinstance(node, yaml.CollectionNode) else []
        parts = [part for entry in inner for part in (entry if isinstance(entry, tuple) else (entry,))]
        sizes[id(node)] = 1 + sum(_size(part, sizes, depth + 1) for part in parts)
    return sizes[id(node)]


class _Runs(yaml.SafeLoader):  # type: ignore[misc]
    """The safe loader without anchors, with which a few lines could expand to billions."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError(
                "it holds an alias, by which a few lines may stand for many; write the values themselves"
            )
        return super().compose_node(parent, index)


def runs_of(text: str) -> Any:
    """Return the content of a file of runs; DataError where it is no YAML, or has aliases."""
    try:
        # Only the safe loader's own types.
        return yaml.load(text, Loader=_Runs)  # noqa: S506
    except yaml.YAMLError as error:
        raise DataError(str(error)) from error
