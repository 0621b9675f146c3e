"""The side of arch, pingouin and scikit-posthocs, run by the interpreter of the environment that has them: seconds by what is done, as JSON."""

from __future__ import annotations

import json
import warnings
from importlib.metadata import version
from itertools import combinations
from time import perf_counter

import numpy as np
import pandas as pd
import pingouin
import scikit_posthocs
from arch.bootstrap import IIDBootstrap

warnings.simplefilter("ignore")


def best(call, repeats: int = 3) -> float:
    """Return the best seconds of a warm call."""
    seconds = []
    for _ in range(repeats + 1):
        start = perf_counter()
        call()
        seconds.append(perf_counter() - start)
    return min(seconds[1:])


def by_pingouin(groups: np.ndarray) -> None:
    pvalues = [pingouin.mwu(x, y).filter(like="p").iloc[0, 0] for x, y in combinations(groups, 2)]
    pingouin.multicomp(pvalues, method="holm")


def main() -> None:
    runs, groups = np.random.default_rng(1).normal(size=100), np.random.default_rng(2).normal(size=(20, 10))
    frame = pd.DataFrame({"score": groups.ravel(), "algorithm": np.repeat(np.arange(20), 10)})
    calls = {
        f"bootstrap: arch {version('arch')}_s": lambda: IIDBootstrap(runs, seed=0).conf_int(
            np.mean, reps=50_000, method="percentile"
        ),
        f"190 pairs: pingouin {version('pingouin')}_s": lambda: by_pingouin(groups),
        f"190 pairs: scikit-posthocs {version('scikit-posthocs')}_s": lambda: scikit_posthocs.posthoc_mannwhitney(
            frame, val_col="score", group_col="algorithm", p_adjust="holm"
        ),
    }
    print(json.dumps({label: best(call, 1) for label, call in calls.items()}))


if __name__ == "__main__":
    main()
