"""The page of a sweep: the answer at equal tuning in one self-contained file, with the tables behind it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from runoff.answer.base import content_of
from runoff.answer.sensitivity import SensitivityResult
from runoff.answer.tuning import TuningResult
from runoff.base.signed import strict_json
from runoff.exits.csv import csv_text
from runoff.exits.html import html_of
from runoff.page.files.folder import staged
from runoff.plots import caption
from runoff.words.speech import in_shell

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; } caption { text-align: left; font-weight: 600; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #ddd; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; } code { background: #f2f2f2; padding: .1rem .3rem; }
"""


def report_sweep(
    result: TuningResult, sensitivity: SensitivityResult | None, out: Path, *, command: str, title: str, force: bool
) -> Path:
    """Write report.html, results.json and tables of a sweep into a folder, and return the path of the page; OutputError as of `staged`."""
    answers: list[TuningResult | SensitivityResult] = [result, *([sensitivity] if sensitivity is not None else [])]
    with staged(out, "report", force=force) as staging:
        staging.write("results.json", strict_json({own.tables()[0].role: content_of(own) for own in answers}))
        for own in answers:
            staging.write(f"tables/{own.tables()[0].role}.csv", csv_text(own.to_records()))
        staging.write("report.html", sweep_page(answers, command, title))
    return out / "report.html"


def sweep_page(answers: Sequence[TuningResult | SensitivityResult], command: str, title: str) -> str:
    """Return the page: what was found, how many configurations each algorithm has, and each answer with its figure."""
    parts = [f"<h1>{escape(title)}</h1>", *(f"<p>{escape(in_shell(own.sentence))}</p>" for own in answers)]
    for own in answers:
        parts.append(f"<h2>{escape(own.tables()[0].title)}</h2>")
        parts.append(html_of(own.tables(), heading=[own.tables()[0].title]))
        parts += [f"<p>{escape(in_shell(sentence))}</p>" for sentence in own.sentences]
        parts.append(f"<figure>{_drawing(own)}<figcaption>{escape(caption(own))}</figcaption></figure>")
    notes = dict.fromkeys(note for own in answers for note in own.notes)
    parts += [f"<p><small>{escape(in_shell(note))}.</small></p>" for note in notes]
    cautions = dict.fromkeys(f"{a.code} {in_shell(a.text)}" for own in answers for a in own.advice)
    parts += [f"<p><small>{escape(caution)}</small></p>" for caution in cautions]
    parts.append(f"<p>Made by <code>{escape(command)}</code></p>")
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _drawing(result: TuningResult | SensitivityResult) -> str:
    from runoff import plots
    from runoff.page.sheet.drawing import plain_style, render

    with plain_style():
        svg = render(plots.draw(result), "svg").decode("utf-8")
    return svg[svg.index("<svg") :]
