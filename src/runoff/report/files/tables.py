"""The report's tables as files: CSV at full precision, LaTeX (booktabs) rounded for reading."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from runoff._inference.bootstrap import parse_metric
from runoff.report.answers.all import Answers
from runoff.report.answers.rank_rows import rank_rows
from runoff.report.answers.standing import ranked
from runoff.report.files.slugs import slugs
from runoff.report.words.numbers import chance, decimals, decimals_of, interval, number, places_text, pvalue
from runoff.report.words.profiles import profile_rows
from runoff.results.aggregate import AggregateRecord
from runoff.results.base import Record, plain

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""What a text cell must not begin with: a spreadsheet might run it. The apostrophe is here so that `guarded` can be undone."""

TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "_": r"\_",
        "%": r"\%",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
        "\n": " ",
        "\r": " ",
        "\t": " ",
    }
)
TEX_NUMBER = str.maketrans({"\N{MINUS SIGN}": "$-$", "\N{NARROW NO-BREAK SPACE}": r"\,", "–": "--", "<": "$<$"})


def tables(answers: Answers) -> Iterator[tuple[str, str]]:
    """Yield (path below `tables/`, text)."""
    yield "aggregates.csv", csv_text(answers.aggregates.to_records())
    yield "tasks.csv", csv_text(answers.task_means.to_records())
    if answers.curves is not None:
        yield "sample_efficiency.csv", csv_text(answers.curves.efficiency.to_records())
        if answers.curves.comparison is not None:
            yield "curve_differences.csv", csv_text(answers.curves.comparison.to_records())
    yield "pairs.csv", csv_text(_flat(record) for record in answers.comparison.to_records())
    yield (
        "advice.csv",
        csv_text({"code": a.code, "severity": a.severity, "text": a.text, "source": a.source} for a in answers.advice),
    )
    ranks = rank_rows(answers)
    if ranks:
        yield "ranks.csv", csv_text(ranks)
        yield "ranks.tex", _ranks(answers, ranks)
    profiles = answers.profiles.result
    if profiles is not None:
        yield "profiles.csv", csv_text(profiles.to_records())
    if profiles is not None and profiles.orders:
        yield "profile_pairs.csv", csv_text(_order(plain(order)) for order in profiles.orders)
        yield "profile_pairs.tex", _profile_pairs(answers)
    if answers.robustness is not None:
        yield "robustness.csv", csv_text(_survived(record) for record in answers.robustness.to_records())
    yield "aggregates.tex", _aggregates(answers)
    yield "tasks.tex", _tasks(answers)
    yield "pairs.tex", _pairs(answers)
    names = slugs(answers.scores.algorithms)
    for algorithm in answers.scores.algorithms:
        yield f"scores/{names[algorithm]}.csv", csv_text(_scores(answers, algorithm))


# ── CSV ──────────


def csv_text(records: Iterable[Record]) -> str:
    """Return records as CSV: numbers unrounded, nothing for None, texts guarded."""
    rows = list(records)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(rows[0] if rows else [])
    writer.writerows([_csv_cell(value) for value in row.values()] for row in rows)
    return buffer.getvalue()


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: with one more apostrophe in front where it begins like one.

    To undo it, remove one apostrophe from each text that begins with one.
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def _csv_cell(value: Any) -> Any:
    if value is None:
        return ""
    return guarded(value) if isinstance(value, str) else repr(value)


def _flat(record: Record) -> Record:
    flat: Record = {}
    for key, value in record.items():
        if key in ("n_runs_a", "n_runs_b"):
            flat |= {f"{key}_fewest": value[0], f"{key}_most": value[1]}
        else:
            flat[key] = " ".join(dict.fromkeys(a["code"] for a in value)) if key == "advice" else value
    return flat


def _order(record: Record) -> Record:
    return record | {"crossings": " ".join(map(repr, record["crossings"]))}


def _survived(record: Record) -> Record:
    return {key: "; ".join(value) if key == "against" else value for key, value in record.items()}


def _scores(answers: Answers, algorithm: str) -> Iterator[Record]:
    scores = answers.scores
    only = scores.select(algorithms=[algorithm])
    places = [task for task, n in zip(only.tasks, only.n_runs[0], strict=True) for _ in range(n)]
    for task, run, score in zip(places, only.runs, only.values.tolist(), strict=True):
        yield {"algorithm": algorithm, "task": task, "run": run, "score": score}


# ── LaTeX ──────────


def tex(text: str) -> str:
    """Return a text as LaTeX prints it, character by character."""
    return text.translate(TEX).replace("--", "-{}-")


def _tex_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, columns: str, what: str) -> str:
    lines = [f"% {what}; needs \\usepackage{{booktabs}}", f"\\begin{{tabular}}{{{columns}}}", "\\toprule"]
    lines += [" & ".join(heads) + r" \\", "\\midrule"]
    lines += [" & ".join(row) + r" \\" for row in rows]
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


def _aggregates(answers: Answers) -> str:
    result = answers.aggregates
    places = {m: decimals(r for r in result.records if r.metric == m) for m in result.metrics}
    order = [record.algorithm for record in ranked(answers)]
    rows = [[tex(name), *(_tex_cell(result.record(name, m), places[m]) for m in result.metrics)] for name in order]
    heads = [
        "Algorithm",
        *(_tex_head(m) for m in result.metrics),
    ]
    return _tex_table(heads, rows, columns="l" + "r" * len(places), what="estimates and intervals over all tasks")


def _tasks(answers: Answers) -> str:
    found = {(r.algorithm, r.task): r for r in answers.task_means.records}
    scores = answers.scores
    rows = []
    for task in scores.tasks:
        cells = [found.get((name, task)) for name in scores.algorithms]
        places = decimals(cell for cell in cells if cell is not None)
        rows.append([tex(task), *("--" if cell is None else _tex_cell(cell, places) for cell in cells)])
    heads = ["Task", *map(tex, scores.algorithms)]
    return _tex_table(heads, rows, columns="l" + "r" * scores.n_algorithms, what="mean score by task")


def _pairs(answers: Answers) -> str:
    pairs = answers.comparison.pairs
    places = decimals_of([p.difference for p in pairs])
    rows = [
        [
            tex(p.a),
            tex(p.b),
            _tex_number(f"{number(p.difference, places)} {interval(p.difference_low, p.difference_high, places)}"),
            _tex_number(f"{number(p.improvement, 2)} {interval(p.improvement_low, p.improvement_high, 2)}"),
            _tex_number(pvalue(p.pvalue)),
            _tex_number(pvalue(p.pvalue_adjusted)),
        ]
        for p in pairs
    ]
    heads = ["First", "Second", "Difference", r"$P(\mathrm{first} > \mathrm{second})$", "$p$", "$p$ adjusted"]
    return _tex_table(heads, rows, columns="llrrrr", what="pairs: differences are first minus second")


def _ranks(answers: Answers, rows: Sequence[Record]) -> str:
    records = [r for r in answers.aggregates.records if r.metric == answers.aggregates.metrics[0]]
    places, digits = decimals(records), decimals_of([row["average_rank"] for row in rows], 4)
    metric = parse_metric(records[0].metric).title
    cells = [
        [
            tex(row["algorithm"]),
            _tex_number(number(row["average_rank"], digits)),
            row["letters"] or "--",
            _tex_number(places_text(row["place_low"], row["place_high"])),
            _tex_number(chance(row["p_best"])),
            _tex_number(f"{number(row['estimate'], places)} {interval(row['low'], row['high'], places)}"),
        ]
        for row in rows
    ]
    heads = [
        "Algorithm",
        "Average rank",
        "Letters",
        "Places",
        "$P(\\mathrm{best})$",
        f"{tex(metric)}, inferential interval",
    ]
    return _tex_table(heads, cells, columns="lrlrrr", what="ranks: algorithms that share a letter are not apart")


def _profile_pairs(answers: Answers) -> str:
    rows = []
    for row in profile_rows(answers):
        above = tex(row["above"]) if row["above"] else row["words"]
        cells = (_tex_number(row[key]) for key in ("crossings", "a_lead", "b_lead"))
        rows.append([tex(row["a"]), tex(row["b"]), above, *cells])
    heads = [
        "First",
        "Second",
        "Above everywhere",
        r"Crossings at $\tau$",
        "Largest lead of the first",
        "of the second",
    ]
    return _tex_table(heads, rows, columns="lllrrr", what="how the profiles of each pair lie, in these runs")


def _tex_head(metric: str) -> str:
    known = parse_metric(metric)
    return tex(known.title) + ("" if known.higher_is_better else r" $\downarrow$")


def _tex_cell(record: AggregateRecord, places: int) -> str:
    return _tex_number(f"{number(record.estimate, places)} {interval(record.low, record.high, places)}")


def _tex_number(text: str) -> str:
    return text.translate(TEX_NUMBER)
