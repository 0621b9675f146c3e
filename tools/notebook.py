"""The notebook of `examples/`: executed in a fresh kernel, its outputs kept where GitHub shows them (`make notebook`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "examples" / "first_comparison.ipynb"
SHOWN = ("image/png", "text/html", "text/plain")
"""What an output keeps of itself; the first that it has is what a reader sees."""


def stored() -> dict[str, Any]:
    """Return the notebook as it is in the repository."""
    return dict(json.loads(NOTEBOOK.read_text(encoding="utf-8")))


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with the outputs of a fresh kernel, without what differs from one execution to the next."""
    import nbformat  # what only reads the notebook needs no kernel
    from nbclient import NotebookClient

    fresh = nbformat.reads(json.dumps(notebook), as_version=4)
    NotebookClient(fresh, timeout=120, kernel_name="python3", record_timing=False, coalesce_streams=True).execute()
    fresh.metadata.language_info = {"name": "python"}
    for output in outputs(fresh):
        if "data" in output:
            output["data"] = {kind: output["data"][kind] for kind in SHOWN if kind in output["data"]}
    return dict(json.loads(nbformat.writes(fresh)))


def outputs(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the outputs of all cells, one after the other."""
    return [output for cell in notebook["cells"] for output in cell.get("outputs", ())]


def words(output: dict[str, Any]) -> str:
    """Return what a reader sees of an output; of a figure, that it is one."""
    if output["output_type"] == "stream":
        return "".join(output["text"])
    kind = next(kind for kind in SHOWN if kind in output["data"])
    return kind if kind == "image/png" else "".join(output["data"][kind])


if __name__ == "__main__":
    text = json.dumps(executed(stored()), indent=1, ensure_ascii=False)
    NOTEBOOK.write_text(f"{text}\n", encoding="utf-8")
