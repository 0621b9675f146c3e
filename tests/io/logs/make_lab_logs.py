"""Samples of the loggers of laboratories' code: DreamerV3, d3rlpy, Acme, bsuite, OpenAI baselines, Optuna, Trackio (run by make_logs.py)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import yaml

from tests.io.logs.made import Oracle, curve


def dreamer(root: Path) -> Oracle:
    """Write through `elements`, the loggers of DreamerV3; its configuration by hand."""
    from elements.logger import JSONLOutput

    found = {}
    for seed in range(2):
        folder = root / "dreamerv3" / f"2024013{seed}T102030"
        folder.mkdir(parents=True)
        outputs = [
            JSONLOutput(folder, parallel=False),
            JSONLOutput(folder, "scores.jsonl", "episode/score", parallel=False),
        ]
        values = curve(seed)
        for i, value in enumerate(values):
            step = 1000 * (i + 1)
            told = {"episode/score": value, "episode/length": 500.0, "train/ret": value / 9, "train/rew_mean": 0.5}
            summaries = [(step, name, np.asarray(number)) for name, number in told.items()]
            for output in outputs:
                output(summaries)
        config = {"seed": seed, "task": "dmc_walker_walk", "agent": {"opt": {"lr": 4e-5}}, "logdir": "~/logdir"}
        (folder / "config.yaml").write_text(yaml.safe_dump(config))
        found[str(seed)] = [[1000.0 * (i + 1) for i in range(12)], values.tolist()]
    return found


def score_archive(root: Path) -> Oracle:
    """Write what DreamerV3's repository holds under `scores/`, after its `view.py`: by hand, for no package writes it."""
    found = {}
    for method, level in (("dreamerv3", 12.0), ("ppo_fixhp", 8.0)):
        runs = []
        for task in ("atari_pong", "atari_alien"):
            for seed in range(2):
                xs, ys = [10_000 * (i + 1) for i in range(6)], curve(seed, 6, level).tolist()
                runs.append({"task": task, "method": method, "seed": str(seed), "xs": xs, "ys": ys})
                found[f"{method}/{task}/{seed}"] = [xs, ys]
        text = json.dumps(runs).encode()
        (root / f"atari100k-{method}.json.gz").write_bytes(gzip.compress(text, mtime=0))
    return found


MAKERS = {maker.__name__: maker for maker in (dreamer, score_archive)}
PACKAGES = ("elements",)
