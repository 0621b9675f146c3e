"""A search in twenty lines: `python -m examples.search.loop night.jsonl`. Put your training in `run`, and your ideas where `tried` is made."""

import sys

import numpy as np

import runoff as ro

rng, ledger = np.random.default_rng(), ro.Ledger(sys.argv[1])


def run(settings: dict) -> float:
    return -abs(np.log10(settings["lr"]) + 2) + rng.normal(0, 0.2)


best = {"lr": 1e-4}
champion = [run(best) for _ in range(8)]
ledger.champion(champion, name="base")
for k in range(20):
    tried, runs = {"lr": best["lr"] * float(rng.choice([0.3, 3.0]))}, []
    while (answer := ledger.propose(runs, name=f"change {k}", champion=champion)).decision == "run_more":
        runs += [run(tried) for _ in range(answer.n_candidate)]
        champion += [run(best) for _ in range(answer.n_champion)]
    if answer.decision == "keep":
        best, champion = tried, runs
    print(answer.sentence)
print(ledger.record().record_sentence)
