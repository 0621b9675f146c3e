"""Whatever cells, lengths and steps curves have, `runoff report` writes a page, or refuses them in a sentence before anything is drawn."""

from __future__ import annotations

import random
import re

import polars as pl
import pytest

from runoff.cli.app import run
from runoff.page.sheet import drawing

LAST = 500_000
TASKS = ("cartpole_swingup", "walker_walk", "ball_in_cup_catch", "my_own")
"""Of primacy_dmc the first two are known to DRQ, and the third to other algorithms alone; of this set nobody knows the last."""
SETS = ("primacy_dmc", "primacy_dmc:DRQ", "primacy_dmc@500000:DRQ", "pytorch_sac")
WHY = "there is no section on learning curves: "


def rows_of(draw: random.Random) -> list[tuple[str, str, int, float, float]]:
    """Return rows (algorithm, task, run, step, score) of few algorithms and tasks, with cells that are missing and runs of any length."""
    tasks = draw.sample(TASKS, draw.randint(1, 3))
    missing, short, fewer = (draw.choice((0, 0, share)) for share in (0.25, 0.15, 0.15))
    fewest, rates = draw.choice((1, 2, 2, 2)), draw.random() < 0.15
    rows = []
    for place in range(draw.choice((2, 2, 3))):
        own = [task for task in tasks if draw.random() >= missing] or [draw.choice(tasks)]
        for task in own:
            for label in range(draw.randint(fewest, 4)):
                end = LAST * (draw.choice((0.3, 0.6, 0.9, 0.995, 1.2)) if draw.random() < short else 1)
                n = draw.choice((1, 2, 3)) if draw.random() < fewer else 5
                for i in range(n):
                    score = float(draw.random() < 0.5) if rates else 300 + 80 * i + 100 * draw.gauss(place, 1)
                    rows.append((f"A{place}", task, label, end * i / (n - 1) if n > 1 else end, score))
    return rows


def rates_of(draw: random.Random) -> list[tuple[str, str, int, float]]:
    """Return rows (algorithm, task, run, score) of successes and failures, where every fourth cell has a single run, and one at least."""
    cells = [(f"A{place}", task) for place in range(draw.choice((2, 3))) for task in TASKS[: draw.randint(1, 4)]]
    sizes = [1 if draw.random() < 0.25 else draw.randint(2, 6) for _ in cells[1:]]
    both = zip(cells, [1, *sizes], strict=True)
    return [(*cell, label, float(draw.random() < 0.5)) for cell, size in both for label in range(size)]


def options_of(draw: random.Random, rows: list[tuple[str, str, int, float, float]]) -> list[str]:
    """Return options that say what an end score is, which runs are looked at, and what stands beside them."""
    algorithms, tasks = (sorted({row[k] for row in rows}) for k in (0, 1))
    end = draw.choice(("--at", "--last", ""))
    options = (
        [end, {"--at": str(LAST * draw.choice((0.3, 0.5, 1))), "--last": draw.choice(("2", "10%"))}[end]] if end else []
    )
    wanted = (
        (0.4, "--incomplete", ("error", "drop", "carry", "worst", "auto")),
        (0.35, "--against", SETS),
        (0.15, "--measure", ("mean", "iqm", "improvement")),
        (0.15, "--single-value", ("tested",)),
        (0.15 * (len(algorithms) > 2), "--algorithms", [",".join(algorithms[:2])]),
        (0.15 * (len(tasks) > 1), "--tasks", [",".join(tasks[1:])]),
    )
    options += [text for share, name, values in wanted if draw.random() < share for text in (name, draw.choice(values))]
    return options + ["--assume-same-protocol"] * ("--against" in options and draw.random() < 0.7)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Draw the figures of a report, and put none into a file; return the list of what is drawn."""
    names: list[str] = []

    def drawings(answers, formats, width):
        with drawing.plain_style():
            for plan in drawing.plans(answers, width):
                names.append(plan.name)
                plan.show()
                assert plan.tell()
        return ()

    monkeypatch.setattr(drawing, "draw", drawings)
    return names


def report(folder):
    return ["report", str(folder / "r.csv"), "-o", str(folder / "out"), "--n-resamples", "100", "--figures", "svg"]


def refused(status, drawn, out, capsys):
    """Return whether the data were refused, in a sentence, before anything was drawn or written."""
    message = capsys.readouterr().err
    assert "Traceback" not in message
    if status == 0:
        return False
    assert status == 2
    assert re.search(r"^error: \S.+\.$", message, re.MULTILINE), message
    assert not drawn
    assert not out.exists()
    return True


@pytest.mark.sampled(10)
@pytest.mark.parametrize("seed", range(400))
def test_a_report_is_written_or_refused_before_anything_is_drawn(seed, drawn, tmp_path, capsys):
    draw = random.Random(seed)
    rows, out = rows_of(draw), tmp_path / "out"
    pl.DataFrame(rows, schema=["algorithm", "task", "run", "step", "score"], orient="row").write_csv(tmp_path / "r.csv")
    if refused(run([*report(tmp_path), *options_of(draw, rows)]), drawn, out, capsys):
        return
    page = (out / "report.html").read_text(encoding="utf-8")
    assert ("sample_efficiency" in drawn) == ('id="fig-sample_efficiency"' in page) == (WHY not in page)


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(100))
def test_rates_with_cells_of_one_run_have_a_report_or_are_refused(seed, drawn, tmp_path, capsys):
    rows, out = rates_of(random.Random(seed)), tmp_path / "out"
    pl.DataFrame(rows, schema=["algorithm", "task", "run", "score"], orient="row").write_csv(tmp_path / "r.csv")
    assert refused(run(report(tmp_path)), drawn, out, capsys) or (out / "report.html").exists()
