"""Compare the sets of the archive: `python -m docs.make_archive [DRAWS]` (minutes), for what-the-archive-says.md and tables/archive_draws.csv.

The first has a row for algorithms of one set, on the tasks where each has two runs at least, by the rules of `runoff.compare`. For the
second n runs of each algorithm and task are drawn without replacement, and compared.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

import runoff as ro
from runoff.words.names import measure_words
from tools.site.tables import write

PAGE = Path(__file__).parent / "guides" / "what-the-archive-says.md"
MARKS = "<!-- standings -->\n", "\n<!-- end of standings -->"
RUNS = 3, 5, 10
SEED = 26


class Row(NamedTuple):
    """Algorithms of a set (None: all), on tasks whose names match `part`, normalised by reference scores where there are any.

    at: the step of the scores, where algorithms were trained for unlike numbers of steps.
    """

    benchmark: str
    set: str
    algorithms: tuple[str, ...] | None = None
    reference: str | None = None
    part: str = ""
    at: float | None = None

    def scores(self) -> ro.Scores:
        scores = ro.archive.load(self.set, algorithms=self.algorithms, at=self.at)
        chosen = [task for task in scores.tasks if re.search(self.part, task) and min(sizes(scores, task)) > 1]
        scores = scores.select(tasks=chosen)
        return scores.normalize(self.reference) if self.reference else scores


AGENTS = "bro_utd2", "sac", "simbaV2_utd2", "simba_utd2", "tdmpc2"
ROWS = (
    Row("Atari 100k", "atari_100k", None, "atari"),
    Row("Atari 100k", "primacy_atari100k"),
    Row("Atari 100k", "dreamerv3_atari100k", None, "atari"),
    Row("Atari 200M", "dreamerv2_atari", None, "atari"),
    Row("Procgen", "ppg_procgen", ("ppg", "ppgkl", "ppgsingle", "ppo"), "procgen_hard"),
    Row("DMC", "dreamerv3_dmc_proprio", None, "dm_control", at=4.9e5),
    Row("DMC", "primacy_dmc", ("SAC RR1", "SAC RR32", "SAC+resets RR1", "SAC+resets RR32"), "dm_control"),
    Row("DMC", "simbav2", AGENTS, "dm_control", r"^(?!h1-|myo-)(?!.*-v\d)", 5e5),
    Row("DMC from pixels", "dreamerv3_dmc_vision", None, "dm_control"),
    Row("DMC from pixels", "primacy_dmc", ("DRQ", "DRQ+resets"), "dm_control"),
    Row("MuJoCo", "simbav2", (*AGENTS[:3], "crossq", "droq_utd20", "redq_utd20"), None, "-v4$", 1e6),
    Row("MyoSuite", "simbav2", ("sac", "simbaV2_utd2", "simba_utd2"), None, "^myo-", 1e6),
    Row("HumanoidBench", "simbav2", AGENTS, None, "^h1-", 1e6),
    Row("D4RL, MuJoCo v0", "d3rlpy", ("BCQ", "BEAR", "CQL", "CRR", "PLAS", "SAC", "TD3"), None, "-v0$", 5e5),
    Row("MuJoCo Playground", "reppo", ("fasttd3_large", "full_large", "ppo_brax_full", "sac_brax_full"), at=5e7),
)


def sizes(scores: ro.Scores, *tasks: str) -> list[int]:
    """Return the numbers of runs of every algorithm on these tasks, or on all."""
    return [scores.cell(algorithm, task).size for algorithm in scores.algorithms for task in tasks or scores.tasks]


def winners(scores: ro.Scores, measure: str) -> tuple[dict[frozenset[str], str | None], str]:
    """Return the better algorithm of each pair (None: no difference was found), and that of the highest value."""
    result = ro.compare(scores, measure=measure)
    return {frozenset((pair.a, pair.b)): pair.winner for pair in result.pairs}, result.standing.order[0]


def shortened(steps: float) -> str:
    """Return a number of steps in thousands or millions, as 490k and 2M."""
    return f"{steps / 1e6:g}M" if steps >= 1e6 else f"{steps / 1e3:g}k"


def standing(row: Row, scores: ro.Scores) -> str:
    result = ro.compare(scores)
    better = {frozenset((pair.a, pair.b)) for pair in result.pairs if pair.winner}
    first, *_ = names = result.standing.order
    order = f"`{first}`" + "".join(f" {'>' if {a, b} in better else '≈'} `{b}`" for a, b in pairwise(names))
    budget = f"{row.at:g}" if row.at else ro.archive.info(row.set).protocol(*scores.algorithms)["budget"]
    steps = shortened(float(budget)) if budget[0].isdigit() else budget
    runs = "–".join(map(str, sorted({min(sizes(scores)), max(sizes(scores))})))
    measure = measure_words(result.measure).removeprefix("probability of ")
    count = f"{len(better)}/{len(result.pairs)}"
    return f"| {row.benchmark} | [{row.set}](../archive.md#{row.set}) | {steps} | {scores.n_tasks} | {runs} | {measure} | {order} | {count} |"


def fewer(scores: ro.Scores, n: int, n_draws: int, rng: np.random.Generator) -> list[float]:
    """Return shares over draws of n runs.

    Of the pairs that all runs decide: decided alike, decided the other way; of the others: decided. How often the first is the same.
    """
    measure = ro.compare(scores).measure
    whole, first = winners(scores, measure)
    rows = []
    for _ in range(n_draws):
        cells = {
            a: {t: rng.choice(scores.cell(a, t), n, replace=False) for t in scores.tasks} for a in scores.algorithms
        }
        few, few_first = winners(ro.Scores.from_dict(cells), measure)
        alike = sum(winner is not None and few[pair] == winner for pair, winner in whole.items())
        decided = Counter(winner is not None for pair, winner in whole.items() if few[pair] is not None)
        rows.append((alike, decided[True] - alike, decided[False], few_first == first))
    n_decided = sum(winner is not None for winner in whole.values())
    sums = np.mean(rows, axis=0)
    with np.errstate(invalid="ignore"):
        return list(sums / (n_decided, n_decided, len(whole) - n_decided, 1))


def written(page: str, lines: list[str]) -> str:
    """Return the page with these lines between its marks."""
    begins, ends = MARKS
    before, _, rest = page.partition(begins)
    return before + begins + "\n".join(lines) + ends + rest.partition(ends)[2]


def main(n_draws: int) -> None:
    warnings.simplefilter("ignore", ro.RunoffWarning)
    rng = np.random.default_rng(SEED)
    standings = [
        "| benchmark | set | steps | tasks | runs of a cell | measure | order | differences found |",
        "| --- | --- | ---: | ---: | ---: | --- | --- | ---: |",
    ]
    draws = [
        "| benchmark | set | all runs | n | found again | found the other way | found where all runs find none | same first |",
    ]
    for row in ROWS:
        scores = row.scores()
        standings.append(standing(row, scores))
        least = min(sizes(scores))
        for n in RUNS:
            if 2 * n <= least:
                shares = " | ".join("–" if np.isnan(x) else f"{x:.2f}" for x in fewer(scores, n, n_draws, rng))
                draws.append(f"| {row.benchmark} | {row.set} | {least} | {n} | {shares} |")
                sys.stderr.write(draws[-1] + "\n")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(written(page, standings), encoding="utf-8")
    write("archive_draws", draws)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
