"""The README as a package page shows it: no picture and no link that leads into a repository which the page does not have.

What stands between `<!-- clone -->` and `<!-- /clone -->` is for those who have the repository; what stands in a comment `<!-- package` is for
the others.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

CLONE = re.compile(r"<!-- clone -->\n.*?<!-- /clone -->\n", re.DOTALL)
PACKAGE = re.compile(r"<!-- package\n(.*?)-->\n", re.DOTALL)
RELATIVE = re.compile(r"\[([^\]]*)\]\((?!https?://|mailto:|#)[^)]*\)")


def page(readme: str) -> str:
    """Return the text of the page."""
    return RELATIVE.sub(r"\1", PACKAGE.sub(r"\1", CLONE.sub("", readme)))


class PackagePage(MetadataHookInterface):
    """Gives the page to the build."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the description of the package."""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": page(readme)}
