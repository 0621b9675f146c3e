"""Write docs/tables/how_many_runs.csv: how many runs each benchmark needs. `python -m docs.make_how_many_runs_atlas [FOLDER]`, some minutes.

FOLDER, or RUNOFF_DATA, holds real runs that are not part of the project (beside it: `shared/data`); where it is absent, the page keeps the
shipped data only and is not written.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import runoff as ro
from tools.site.tables import write

ROOT = Path(__file__).resolve().parents[1]
LIFTS = ("10%", "25%", "50%")
N_REPEATS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """A data set: what it is called, and how it is read, given the folder of the data."""

    name: str
    read: Callable[[Path], ro.Scores]


def atari(name: str) -> Callable[[Path], ro.Scores]:
    return lambda folder: ro.read_scores(folder / "atari_100k" / name).normalize("atari")


def curl(folder: Path) -> ro.Scores:
    """Return the runs of CURL, which are normalised already."""
    scores = ro.read_scores(
        folder / "atari_100k" / "CURL_10_evals.json", columns={"task": "game", "score": "HNS", "run": "seed"}
    )
    return scores.rename(algorithms={scores.algorithms[0]: "CURL"})


def classic(_: Path) -> ro.Scores:
    return ro.load_example("classic_control").final().normalize("classic_control")


def columns(folder: Path) -> ro.Scores:
    """Return the runs of walker1 to walker6: DDPG and TRPO are in all six files."""
    files = sorted((folder / "adastop_walker").glob("walker*.csv"))
    runs: dict[str, list[float]] = {}
    for file in files:
        head, *rows = file.read_text(encoding="utf-8").splitlines()
        for a, name in enumerate(head.split(",")[1:], start=1):
            runs.setdefault(name, []).extend(float(row.split(",")[a]) for row in rows)
    return ro.Scores.from_dict({name: {"Walker2d": values} for name, values in runs.items()})


def vectors(*files: str) -> Callable[[Path], ro.Scores]:
    return lambda folder: ro.Scores.from_dict({Path(f).stem: {"Half-Cheetah": np.loadtxt(folder / f)} for f in files})


SETS = (
    Set(name="classic control (shipped)", read=classic),
    *(
        Set(name="Atari 100k", read=atari(f"{name}.json"))
        for name in ("DER", "OTRainbow", "DrQ", "DrQ(eps)", "SPR", "SimPLe")
    ),
    Set(name="Atari 100k", read=curl),
    Set(
        name="DM Control, DrQ-v2",
        read=lambda f: ro.read_curves(sorted((f / "drqv2").glob("dmc_*.csv"))).final().normalize("dm_control"),
    ),
    Set(
        name="DM Control, DrQ at 500,000 steps",
        read=lambda f: ro.read_curves(f / "drqv2" / "drq_dmc_planet_bench.csv.gz").at(500_000).normalize("dm_control"),
    ),
    Set(name="Matrax", read=lambda f: ro.read_curves(f / "marl_eval" / "matrax_metrics.json.gz").final()),
    Set(
        name="Half-Cheetah (Colas 2019)",
        read=vectors("rl_stats/sac_hc_final_perfs.txt", "rl_stats/td3_hc_final_perfs.txt"),
    ),
    Set(
        name="Half-Cheetah (Colas 2018)",
        read=vectors("rl_difference_testing/data1", "rl_difference_testing/data2"),
    ),
    Set(name="Walker2d (AdaStop)", read=columns),
)


def needed(scores: ro.Scores, effect: str | float, unit: str = "raw") -> tuple[str, str]:
    """Return the runs as the pilot spread, and with assurance."""
    try:
        plan = ro.plan(scores, effect=effect, effect_unit=unit, test="welch", n_repeats=N_REPEATS, curve_to=3)
    except ro.DesignError as refusal:
        return ("> 1,024",) * 2 if "more than" in str(refusal) else ("—",) * 2
    return f"{plan.n_runs_naive:,}", f"{plan.n_runs:,}"


def rows(folder: Path) -> Iterator[str]:
    """Yield the table, an algorithm a row."""
    yield f"| data | algorithm | tasks | pilot runs | {' | '.join(LIFTS)} | 0.5 σ on every task |"
    for data in SETS:
        scores = data.read(folder)
        for name in scores.algorithms:
            own = scores.select(algorithms=[name])
            runs = own.n_runs[own.n_runs > 0]
            if runs.min() < 2:
                continue
            cells = [f"{n} ({sure})" if n != sure else n for n, sure in (needed(own, lift) for lift in LIFTS)]
            half = needed(own, 0.5, "sd")[0]
            pilot = f"{runs.min()}" if runs.min() == runs.max() else f"{runs.min()}-{runs.max()}"
            yield f"| {data.name} | {name} | {(own.n_runs > 0).sum()} | {pilot} | {' | '.join(cells)} | {half} |"
            sys.stderr.write(f"{data.name}, {name}\n")


def main(folder: Path) -> None:
    warnings.simplefilter("ignore", ro.RunoffWarning)
    if not folder.is_dir():
        raise SystemExit(f"{folder} is no folder: name the one that holds the real runs, or set RUNOFF_DATA")
    write("how_many_runs", list(rows(folder)))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("RUNOFF_DATA", ROOT.parent / "shared" / "data")))
