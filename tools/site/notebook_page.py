"""The notebook of `examples/` as a page: its cells with the outputs that it stores, which `tests/docs/test_notebook.py` holds to what runs."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.site.shown import Executed, shown_as

WORDS = "<!-- search: notebook, jupyter, dataframe, pandas, wandb api, mlflow search_runs, colab -->"


def page(path: Path, name: str) -> Executed:
    """Return a notebook as a page with its pictures; `name` begins the names of these."""
    out, parts = Executed(), []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            parts += _shown(output, f"{name}-{len(out.pictures) + 1}.png", out.pictures)
    title, _, rest = "\n\n".join(parts).partition("\n")
    out.text = f"{title}\n\n{WORDS}\n{rest}\n"
    return out


def _shown(output: Mapping[str, Any], name: str, pictures: dict[str, bytes]) -> Iterator[str]:
    """Yield an output in Markdown; a picture is added to `pictures` under its name."""
    data = output.get("data", {})
    if "image/png" in data:
        pictures[name] = base64.b64decode("".join(data["image/png"]))
        yield shown_as(name, "the figure that the cell above draws", pictures[name])
    elif "text/html" in data:
        table = "".join(data["text/html"]).replace("<th></th>", "<td></td>")  # the corner of a frame is no head
        yield f'````{{raw}} html\n<div class="table-wrapper">\n{table}\n</div>\n````'
    else:
        yield f"```text\n{''.join(data.get('text/plain', output.get('text', ''))).rstrip()}\n```"
