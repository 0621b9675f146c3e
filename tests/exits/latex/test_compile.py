"""Every table is compiled by pdflatex, in one column and in two, and the log is read.

It needs LaTeX of the system: `make system` installs it on Debian.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from runoff.exits.latex.glyphs import KNOWN, glyph
from tests.exits.latex.made import demo, files, grid, strange
from tests.report.made import hostile

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("pdflatex") is None,
        reason="pdflatex is not installed; on Debian, `make system` installs what compiles the tables",
    ),
]
MADE = {
    "2x1x3": lambda: grid(2, 1, 3, 1000.0),
    "12x26": lambda: grid(12, 26, 5),
    "30x57x5": lambda: grid(30, 57, 5, 100.0),
    "large": lambda: grid(3, 2, 5, 1e70),
    "demo": demo,
    "hostile": hostile,
    "strange": strange,
}
LONG = ("12x26", "30x57x5", "demo", "strange")
"""Of these some table has more than 20 rows."""
EVERY = [(name, kind) for name in MADE for kind in ("column", "wide", "long") if kind != "long" or name in LONG]
CLASSES = {
    "article": r"\documentclass{article}\usepackage{hyperref}",
    "twocolumn": r"\documentclass[twocolumn]{article}\usepackage[textwidth=446pt,columnsep=10pt,textheight=550pt]{geometry}",
    "IEEEtran": r"\documentclass[conference]{IEEEtran}",
}
ALLOWED = 1.0
"""Points that a box may be too wide by."""
ACCENTED = "éèêñāăėöåőčṇçḇ"


def has(file: str) -> bool:
    return bool(subprocess.run(["kpsewhich", file], capture_output=True, check=False).stdout)


def compiled(folder: Path, source: str) -> str:
    """The log of a document, and what it types; it is compiled until references and long tables settle."""
    (folder / "document.tex").write_text(source, encoding="utf-8")
    for _ in range(4):
        command = ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "document.tex"]
        subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=300)
    return (folder / "document.log").read_text(encoding="utf-8", errors="replace")


def complaints(log: str) -> list[str]:
    """Errors, missing characters, boxes that are too wide, floats that are too tall, references to nothing or to two places."""
    wrong = re.findall(
        r"^(?:!.*|Missing character.*|pdfTeX warning.*|LaTeX Warning: (?:Float too large|Reference).*)",
        log,
        re.MULTILINE,
    )
    wide = re.findall(r"^Overfull \\[hv]box \(([\d.]+)pt.*", log, re.MULTILINE)
    return [*wrong, *(f"{points} pt too wide" for points in wide if float(points) > ALLOWED)]


@pytest.mark.parametrize("style", CLASSES)
@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_pdflatex_compiles_every_table_and_nothing_sticks_out(name, kind, style, tmp_path):
    if style == "IEEEtran" and not has("IEEEtran.cls"):
        pytest.skip("IEEEtran is not installed; on Debian it is in texlive-publishers")
    chosen = {path: text for path, text in files(MADE[name]()).items() if path.endswith(f"_{kind}.tex")}
    for path, text in chosen.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    inputs = "\n".join(f"\\input{{{path}}}\\clearpage" for path in chosen)
    before = r"\onecolumn" if kind == "long" else ""
    source = f"{CLASSES[style]}\n\\usepackage{{booktabs,longtable}}\n\\begin{{document}}\n{before} Text.\n{inputs}\n\\end{{document}}\n"
    log = compiled(tmp_path, source)
    assert chosen
    assert "Output written" in log
    assert complaints(log) == []


def test_an_overfull_box_an_error_and_a_missing_reference_are_noticed(tmp_path):
    wide = r"\begin{tabular}{l}" + "wide " * 100 + r"\end{tabular}"
    source = (
        f"\\documentclass{{article}}\n\\begin{{document}}\n{wide}\n\n\\nothing 日 \\ref{{none}}\n\\end{{document}}\n"
    )
    counts = Counter(re.sub(r"[\d.]+", "N", line)[:12] for line in complaints(compiled(tmp_path, source)))
    assert {"N pt too wid", "! Undefined ", "! LaTeX Erro", "LaTeX Warnin"} <= set(counts)


def test_every_character_is_printed_plain_and_bold(tmp_path):
    signs = {
        f"{place} {len(style)}": (char, style)
        for place, char in enumerate([*KNOWN, *ACCENTED])
        for style in ("", r"\bfseries\boldmath ")
    }
    measured = "\n".join(
        f"\\settowidth{{\\w}}{{{style}{{{glyph(char)}}}}}\\typeout{{W {key} \\the\\w}}"
        for key, (char, style) in signs.items()
    )
    log = compiled(
        tmp_path, f"\\documentclass{{article}}\\newlength\\w\\begin{{document}}\n{measured}\nx\\end{{document}}\n"
    )
    widths = dict(re.findall(r"^W (\d+ \d+) ([\d.]+)pt$", log, re.MULTILINE))
    assert complaints(log) == []
    assert {key for key, width in widths.items() if float(width) > 0} == set(signs)
