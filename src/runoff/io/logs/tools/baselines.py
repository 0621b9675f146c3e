"""OpenAI baselines: `progress.csv` or `progress.json` in the words of its algorithms, beside `RANK.ENV.monitor.csv`."""

from __future__ import annotations

from runoff.io.logs.base import Claim, Folder, Part, Tool
from runoff.io.logs.tools import stable_baselines3

NAME = "baselines"
PROGRESS = (stable_baselines3.PROGRESS, stable_baselines3.PROGRESS_JSON)
SIGNS = (b"eprewmean", b"EpRewMean", b"mean 100 episode reward", b"rollout/return_history")
"""The score's name in PPO2 and A2C, TRPO and PPO1, DQN, DDPG."""


def find(folder: Folder) -> list[Claim]:
    """Return the run of a folder with a table of baselines; its monitors, which Stable-Baselines3 has kept, belong to it."""
    names = [name for name in PROGRESS if name in folder.files and any(sign in folder.head(name) for sign in SIGNS)]
    if not names:
        return []
    files = [Part(folder.path / name) for name in names]
    files += [part for claim in stable_baselines3.find(folder) for part in claim.files]
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=tuple(dict.fromkeys(files)))]


BASELINES = Tool(
    title="OpenAI baselines",
    layout="`progress.csv` or `.json` (eprewmean, EpRewMean, mean 100 episode reward, rollout/return), and `0.0.monitor.csv`",
    find=find,
    read=stable_baselines3.read,
)
