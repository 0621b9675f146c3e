"""The tools whose logs runoff reads: each has an entry below, and its code in a file of this folder.

Small tools of one family share a file: `tables` of text, `reports` in JSON, `evaluations` of policies and models, `archives` of series in JSON,
`databases`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from runoff.reading.logs.base import Tool
from runoff.reading.logs.tools import (
    archives,
    databases,
    evaluations,
    frameworks,
    mlflow,
    models,
    offline,
    older,
    optuna,
    printed,
    records,
    reports,
    stable_baselines3,
    tables,
    tensorboard,
    wandb,
)

TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        "marl_eval": archives.MARL_EVAL,
        "baselines": stable_baselines3.BASELINES,
        "stable_baselines3": stable_baselines3.STABLE_BASELINES3,
        "harl": frameworks.HARL,
        "ml_agents": frameworks.ML_AGENTS,
        "rsl_rl": frameworks.RSL_RL,
        "sample_factory": frameworks.SAMPLE_FACTORY,
        "robomimic": frameworks.ROBOMIMIC,
        "guild": frameworks.GUILD_AI,
        "rllib": reports.RLLIB,
        "spinningup": tables.SPINNINGUP,
        "sacred": archives.SACRED,
        "mlflow": mlflow.MLFLOW,
        "mlflow_database": mlflow.MLFLOW_DATABASE,
        "hf_trainer": reports.HF_TRAINER,
        "verl": reports.VERL,
        "lerobot": evaluations.LEROBOT,
        "lm_eval": evaluations.LM_EVAL,
        "inspect_ai": evaluations.INSPECT_AI,
        "verifiers": models.VERIFIERS,
        "tau2": models.TAU2,
        "helm": models.HELM,
        "neptune": databases.NEPTUNE,
        "dvclive": tables.DVCLIVE,
        "lightning_csv": tables.LIGHTNING_CSV,
        "parts": records.PARTS,
        "dreamer": reports.DREAMER,
        "score_archive": archives.SCORE_ARCHIVE,
        "d3rlpy": tables.D3RLPY,
        "torchbeast": tables.TORCHBEAST_TOOL,
        "acme": tables.ACME,
        "bsuite": tables.BSUITE,
        "pfrl": tables.PFRL,
        "mushroom_rl": archives.MUSHROOM_RL,
        "elegantrl": archives.ELEGANTRL,
        "comet": offline.COMET,
        "clearml": offline.CLEARML,
        "neptune_offline": offline.NEPTUNE_OFFLINE,
        "swanlab": offline.SWANLAB,
        "gym_monitor": older.GYM_MONITOR,
        "keras_rl": older.KERAS_RL,
        "rlpyt": older.RLPYT,
        "purejaxrl": older.PUREJAXRL,
        "trackio": databases.TRACKIO,
        "optuna": optuna.OPTUNA,
        "wandb": wandb.WANDB,
        "tensorboard": tensorboard.TENSORBOARD,
        "all_scalars": older.ALL_SCALARS_JSON,
        "wandb_chart": wandb.WANDB_CHART,
        "scalar_csv": tables.SCALAR_CSV,
        "records": records.RECORDS,
        "printed_tables": printed.PRINTED_TABLES,
        "printed_lines": printed.PRINTED_LINES,
    }
)
"""Name -> tool; if two tools logged a run, the first here is read."""
