"""Small data of the transcripts: made by rule, so that a reader of a transcript can make them again."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import runoff as ro
from runoff.cli.app import VERBS, run
from runoff.reading.published.read import TableOptions, read_table
from tests.golden.shown import plain, shown
from tests.golden.transcripts import printed_by
from tests.places import LOGS
from tests.reading.formats.examples import EXAMPLES
from tests.reading.logs.configured import CONFIGURED
from tests.reading.logs.kept import KEPT, RESULTS, zipped
from tests.reading.logs.layouts import LAYOUTS
from tests.reading.logs.test_older import OLDER
from tests.reading.strangers import FEW, beside_the_sets
from tests.reference import logs as twin
from tests.report.designs import Text
from tests.report.made import UNDRAWN

__all__ = [
    "about",
    "brief",
    "curves",
    "curves_table",
    "events",
    "example",
    "folder_of",
    "helps",
    "layout",
    "logs",
    "packed",
    "page_text",
    "patched",
    "plain",
    "printed",
    "put",
    "report",
    "results",
    "runs",
    "runs_table",
    "stranger",
    "sweep_table",
    "text",
    "vars_of",
    "verdicts",
]

MAKERS = {**LAYOUTS, **KEPT, **CONFIGURED, **OLDER}
"""What writes a run as a tool does."""
STEPS = (2.1, 0.4, 1.7, 3.2, 0.9, 2.8, 1.3, 2.4, 0.2, 3.6)
"""Spread of the runs of a cell: no two alike, and in no order."""


def runs(
    names: Sequence[str] = ("Ours", "Base", "Old"), tasks: Sequence[str] = ("Ant", "Hopper"), n: int = 6
) -> ro.Scores:
    """Return runs of which each algorithm is below the one before it, on tasks of one unit."""
    return ro.Scores.from_dict(
        {name: {task: cell(a, t, n) for t, task in enumerate(tasks)} for a, name in enumerate(names)},
        score_unit="shared",
    )


def cell(a: int, t: int, n: int) -> list[float]:
    return [
        round(9 - 1.7 * a + 3 * t + (1 + 0.3 * a) * STEPS[(3 * i + a + 2 * t) % 10] * (1 if i % 3 else 1.2), 2)
        for i in range(n)
    ]


def runs_table(
    path: str, names: Sequence[str] = ("Ours", "Base", "Old"), tasks: Sequence[str] = ("Ant", "Hopper"), n: int = 6
) -> None:
    """Write the runs as a tidy table."""
    write(
        path,
        [
            "algorithm,task,run,score",
            *(
                f"{name},{task},{run},{score}"
                for a, name in enumerate(names)
                for t, task in enumerate(tasks)
                for run, score in enumerate(cell(a, t, n))
            ),
        ],
    )


def curves(
    names: Sequence[str] = ("Ours", "Base"), tasks: Sequence[str] = ("Ant", "Hopper"), n: int = 4, steps: int = 6
) -> ro.Curves:
    """Return learning curves that end at the runs, the first earlier than the others."""
    heads = ("algorithm", "task", "run", "step", "score")
    return ro.Curves.from_frame(
        dict(zip(heads, map(list, zip(*curve_rows(names, tasks, n, steps), strict=True)), strict=True))
    )


def curve_rows(names: Sequence[str], tasks: Sequence[str], n: int, steps: int) -> list[tuple]:
    return [
        (name, task, run, 1000 * step, round(end * (1 - (0.5 + 0.1 * a) ** step) + 0.2 * STEPS[(step + run) % 10], 3))
        for a, name in enumerate(names)
        for t, task in enumerate(tasks)
        for run, end in enumerate(cell(a, t, n))
        for step in range(1, steps + 1)
    ]


def curves_table(
    path: str,
    names: Sequence[str] = ("Ours", "Base"),
    tasks: Sequence[str] = ("Ant", "Hopper"),
    n: int = 4,
    steps: int = 6,
) -> None:
    """Write the learning curves as a tidy table."""
    write(
        path,
        ["algorithm,task,seed,step,return", *(",".join(map(str, row)) for row in curve_rows(names, tasks, n, steps))],
    )


def sweep_table(path: str, names: Sequence[str] = ("Ours", "Base"), settings: int = 4, n: int = 5) -> None:
    """Write runs of several learning rates, the best of them another for each algorithm."""
    rates = (0.1, 0.03, 0.01, 0.003, 0.001)
    write(
        path,
        [
            "algorithm,task,lr,seed,score",
            *(
                f"{name},Ant,{rates[c]},{run},{score - abs(c - a - 1)}"
                for a, name in enumerate(names)
                for c in range(settings)
                for run, score in enumerate(cell(a, c % 2, n))
            ),
        ],
    )


def write(path: str, lines: Sequence[str]) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def logs(name: str) -> None:
    """Copy the logs that a tool wrote into the folder."""
    shutil.copytree(LOGS / name, name)


def writer(root: Path) -> Callable[[str, str | bytes], Path]:
    """Return a function that writes a file into a folder."""

    def put(path: str, content: str | bytes) -> Path:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    return put


def layout(name: str) -> None:
    """Write four runs as a tool lays them out: two algorithms, of the first also another learning rate."""
    for algorithm, seed, lr in (("td3", 1, 0.001), ("td3", 2, 0.001), ("td3", 3, 0.0003), ("sac", 1, 0.001)):
        run = (algorithm, "Hopper-v4", seed) if name in OLDER else (algorithm, "Hopper-v4", seed, lr)
        MAKERS[name](writer(Path(name)), *run)


def results(name: str, attempts: int = 2, models: Sequence[str] = ("base", "tuned-7b")) -> None:
    """Write the results of models on items as a tool lays them out."""
    for model in models:
        RESULTS[name](writer(Path(name)), model, "maths", attempts)


def events(path: str, *records: tuple[int, dict[str, float]]) -> None:
    """Write an event file: for each record a step and the values of its tags, a second apart."""
    writer(Path())(path, twin.event_file(*(twin.event(step, own, 9.0 + i) for i, (step, own) in enumerate(records))))


def put(path: str, content: str | bytes) -> None:
    """Write a file of bytes, or of a text as it is, without a line break at its end."""
    writer(Path())(path, content)


def packed(path: str, members: dict[str, str]) -> None:
    """Write a zip archive of texts."""
    writer(Path())(path, zipped({name: content.encode() for name, content in members.items()}))


def patched(path: str, *changes: str) -> None:
    """Write other words into the files that fit a glob: each second of the words in place of the one before it."""
    for file in sorted(Path().glob(path)):
        own = file.read_text(encoding="utf-8")
        for was, now in zip(changes[::2], changes[1::2], strict=True):
            own = own.replace(was, now)
        file.write_text(own, encoding="utf-8", newline="\n")


def printed(path: str, **options: Any) -> str:
    """Return a published table as it was read: its cells, each in a line, then what else is said of it."""
    table = read_table(path, TableOptions(**options))
    lines = [" | ".join("" if value is None else plain(value).strip("'") for value in vars_of(c)) for c in table.cells]
    own = [table.format, f"rows are {table.rows}", f"± is {table.spread}", f"doubt of {table.doubt}"]
    own += [f"lower is better on {plain(table.lower)}"] * bool(table.lower) + ["no averages"] * (not table.averages)
    own = [", ".join(text for text in own if not text.endswith(" None"))]
    return "\n".join([*lines, *own, *(f"note: {note}" for note in table.notes)])


def example(name: str, path: str) -> None:
    """Write two runs in a format."""
    Path(path).write_bytes(EXAMPLES[name])


def about(loaded: ro.Scores | ro.Curves) -> str:
    """Return what was read: the data, where each part of them is from, and what the reader says of it."""
    return "\n".join([shown(loaded), *told_of(loaded)])


def told_of(loaded: ro.Scores | ro.Curves) -> list[str]:
    """Return where each part of data is from, and what the reader says of it."""
    origin, lines = loaded.provenance, []
    if origin is not None:
        skip = ("path", "sha256", "notes")
        lines += [
            f"{f.name}: {plain(getattr(origin, f.name))}"
            for f in fields(origin)
            if f.name not in skip and getattr(origin, f.name)
        ]
        lines += [f"note: {note}" for note in getattr(origin, "notes", ())]
    sampling = loaded.sampling
    default = type(sampling)()
    lines += [
        f"{f.name}: {plain(getattr(sampling, f.name))}"
        for f in fields(sampling)
        if getattr(sampling, f.name) != getattr(default, f.name)
    ]
    return lines


MOST_CELLS = 400
"""Cells of a stranger's file that a transcript has."""


def stranger(path: str) -> str:
    """Return the scores of each algorithm and task of a stranger's file and what the reader says of it, or what the shell asks about it."""
    with beside_the_sets():
        try:
            loaded = ro.load(path)
            scores = loaded.final() if isinstance(loaded, ro.Curves) else loaded
        except ro.RunoffError as refusal:
            return f"{type(refusal).__name__}: {refusal}\n{printed_by(f'runoff scan {path}')}"
    lines = [cell_of(scores, a, t) for a in scores.algorithms for t in scores.tasks]
    lines[MOST_CELLS:] = [f"… of {len(lines)} cells"] * (len(lines) > MOST_CELLS)
    return "\n".join([str(loaded), *lines, *told_of(loaded)])


def cell_of(scores: ro.Scores, algorithm: str, task: str) -> str:
    """Return the scores of a cell in order; of many how many they are, their mean, and the first and the last."""
    own = sorted(map(float, scores.cell(algorithm, task)))
    few = own if len(own) <= FEW else [sum(own) / len(own), own[0], own[-1]]
    return " | ".join([algorithm, task, str(len(own)), " ".join(map(plain, few))])


SAID_ELSEWHERE = ("advice", "null", "alternative", "claim")


def brief(result: Any) -> str:
    """Return an answer without its tables: the sentence, the fields of each row, notes, and of advice the code and whom it is about."""
    rows = [
        " ".join(
            short(value)
            for key, value in record.items()
            if value not in (None, "", [], ()) and key not in SAID_ELSEWHERE and value != result.sentence
        )
        for record in result.to_records()
    ]
    notes = [f"note: {note}" for note in getattr(result, "notes", ())]
    codes = [" ".join([a.code, a.severity, *a.subjects]) for a in getattr(result, "advice", ())]
    return "\n".join([result.sentence, *rows, *notes, *(["; ".join(codes)] if codes else [])])


def short(value: Any) -> str:
    """Return a value with four digits; of a list of records the one in the middle."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list) and isinstance(value[0], dict):
        return f"{len(value)}: {plain(list(value[len(value) // 2].values()))}"
    return value if isinstance(value, str) else plain(value)


def verdicts(result: Any) -> str:
    """Return the sentence of a comparison, and what was decided of each pair by which numbers."""
    rows = [
        " ".join(
            [
                f"{p.a} − {p.b} {p.measure} {number(p.estimate)} [{number(p.low)}, {number(p.high)}]",
                f"own [{number(p.own_low)}, {number(p.own_high)}] {p.test} {p.method} {number(p.statistic)} df {number(p.df)}",
                f"p {number(p.pvalue)} {number(p.pvalue_adjusted)} {p.verdict} equal {number(p.pvalue_equivalence_adjusted)}",
                f"{p.wins}/{p.ties}/{p.losses} {p.over} {p.outlook} {p.needed_runs} {number(p.planning_margin)}",
                "; ".join(f"{a.code} {a.severity}" for a in p.advice),
            ]
        )
        for p in result
    ]
    codes = ["; ".join(" ".join([a.code, a.severity, *a.subjects]) for a in result.advice)]
    return "\n".join([result.sentence, *rows, *codes]).rstrip("\n")


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def text(path: str) -> str:
    """Return what a file holds."""
    return Path(path).read_text(encoding="utf-8")


def report(*words: str) -> str:
    """Return what the verb `report` prints, the text of its page, and of its other files those that are text and not the page again."""
    folder = Path("report")
    shutil.rmtree(folder, ignore_errors=True)
    stdout = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(stdout):
        patch.setattr(*UNDRAWN)
        with redirect_stderr(stdout):
            run(["report", *words, "-o", str(folder)])
    parts = [stdout.getvalue()]
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            parts.append(f"# {path.relative_to(folder)}")
        if path.suffix == ".html":
            parts.append(page_text(path.read_text(encoding="utf-8")))
        elif path.suffix in (".csv", ".txt", ".bib", ".md"):
            parts.append(path.read_text(encoding="utf-8"))
    return "\n".join(parts)


def folder_of(*words: str) -> str:
    """Return the end of what a command prints that writes a folder, the README there, and the names of its files; figures are empty."""
    stdout, folder = io.StringIO(), Path(words[-1])
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(stdout), redirect_stderr(stdout):
        patch.setattr("runoff.page.sheet.drawing.render", lambda *_: b"")
        code = run(list(words))
    lines = stdout.getvalue().splitlines()
    names = sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix not in ("", ".json")
    )
    return "\n".join(
        [*lines[-1:], f"exit {code}", (folder / "README.txt").read_text(encoding="utf-8"), " ".join(names)]
    )


def page_text(page: str) -> str:
    """Return what a reader of a page reads, a line for each paragraph, row or item."""
    reader = Text()
    reader.feed(page)
    lines = [re.sub(" +", " ", line).strip(" ") for line in reader.text.split("\n")]
    return "\n".join(line for line in lines if line)


def helps() -> str:
    """Return the help of every verb, without lines that an earlier verb has."""
    seen: set[str] = set()
    parts = []
    for verb in ("", *(verb for verbs in VERBS.values() for verb in verbs)):
        with redirect_stdout(io.StringIO()) as stdout:
            run([*([verb] if verb else []), "--help"])
        lines = [line for line in stdout.getvalue().splitlines() if line.strip() not in seen]
        seen |= {line.strip() for line in lines}
        parts += [f"# {verb}", *lines]
    return "\n".join(parts)


def vars_of(row: Any) -> list[Any]:
    """Return what the fields of a row hold."""
    return [getattr(row, field.name) for field in fields(row)]
