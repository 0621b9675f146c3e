"""The tools whose logs runoff reads: each has its own file beside this one, and an entry below."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runoff.io.logs.base import Tool
from runoff.io.logs.tools import (
    acme,
    baselines,
    bsuite,
    d3rlpy,
    dreamer,
    dvclive,
    hf_trainer,
    inspect_ai,
    lerobot,
    lightning_csv,
    lm_eval,
    marl_eval,
    mlflow,
    mlflow_database,
    neptune,
    optuna,
    rllib,
    sacred,
    scalar_csv,
    score_archive,
    spinningup,
    stable_baselines3,
    tensorboard,
    trackio,
    verl,
    wandb,
    wandb_chart,
)

TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        "marl_eval": marl_eval.MARL_EVAL,
        "baselines": baselines.BASELINES,
        "stable_baselines3": stable_baselines3.STABLE_BASELINES3,
        "rllib": rllib.RLLIB,
        "spinningup": spinningup.SPINNINGUP,
        "sacred": sacred.SACRED,
        "mlflow": mlflow.MLFLOW,
        "mlflow_database": mlflow_database.MLFLOW_DATABASE,
        "hf_trainer": hf_trainer.HF_TRAINER,
        "verl": verl.VERL,
        "lerobot": lerobot.LEROBOT,
        "lm_eval": lm_eval.LM_EVAL,
        "inspect_ai": inspect_ai.INSPECT_AI,
        "neptune": neptune.NEPTUNE,
        "dvclive": dvclive.DVCLIVE,
        "lightning_csv": lightning_csv.LIGHTNING_CSV,
        "dreamer": dreamer.DREAMER,
        "score_archive": score_archive.SCORE_ARCHIVE,
        "d3rlpy": d3rlpy.D3RLPY,
        "acme": acme.ACME,
        "bsuite": bsuite.BSUITE,
        "trackio": trackio.TRACKIO,
        "optuna": optuna.OPTUNA,
        "wandb": wandb.WANDB,
        "tensorboard": tensorboard.TENSORBOARD,
        "wandb_chart": wandb_chart.WANDB_CHART,
        "scalar_csv": scalar_csv.SCALAR_CSV,
    }
)
"""Name -> tool; of two tools in one run, the first here is read."""
