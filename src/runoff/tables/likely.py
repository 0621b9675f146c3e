"""The columns that could play a role: those with a usual name, otherwise those whose words fit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from runoff.words.columns import evaluates, names_outcome, names_quality, names_runs, preferred
from runoff.words.costs import says_less
from runoff.words.patterns import regex
from runoff.words.words import IN_BRACKETS, kind, ordered, vocabulary, words

Chosen = Mapping[str, str | None]
"""Role -> the column that the user chose for it."""
USUAL_NAMES: dict[str, tuple[str, ...]] = {
    "algorithm": ("algorithm", "algo", "agent", "method", "policy", "exp_name"),
    "task": ("task", "env", "env_id", "environment", "game"),
    "run": ("run", "seed", "trial", "run_id"),
    "score": ("score", "return", "reward", "episodic_return", "episode_reward", "performance", "value"),
    "step": ("step", "timestep", "frame", "global_step", "t_env"),
    "config": ("config", "config_id", "configuration", "hparams", "hparams_id", "hyperparameters"),
}
"""Role -> usual column names, in order of preference."""
LATER = {
    "algorithm": ordered(
        "classifier optimizer optimiser variant bot solver approach strategy technique learner estimator scheduler heuristic dispatcher "
        "forecaster player ctrl driver"
    ),
    "task": ordered("map scenario maze scene bench benchmark track bandit function"),
}
"""Role -> words that name it alone where no other column is named like it."""
NAMING = {
    "algorithm": ordered(
        "alg algorithm algo agent method model model_name_or_path planner controller controlador politica política politique "
        "estrategia stratégie strategie contrôleur regler algorithmus verfahren 算法 方法 模型 手法 方策 策略 アルゴリズム 알고리즘 "
        "방법 기법 모델 methode algoritme algorithme méthode algoritmo método metodo metoda metod modelo modèle modell modello "
        "алгоритм метод модель агент"
    ),
    "task": ordered(
        "task env environment gym game item question problem instance szenario escenario scénario 环境 任务 地图 環境 タスク 課題 "
        "환경 과제 작업 벤치마크 среда задача окружение istanza instanz instancia instância umgebung aufgabe omgeving taak "
        "environnement tâche entorno jeu juego spiel gioco tarea tarefa compito ambiente uppgift miljö opgave oppgave miljø zadanie "
        "środowisko planta plant regelstrecke"
    ),
}
"""Role -> words that name it, together with "name" or "id" or, if there is no usual name, alone; in several languages."""
COMPOUND = {
    "algorithm": regex(r"[^\W_]+(?:verfahren|methode|algorithmus)|[^\W_]+_(?:algo|algorithm)"),
    "task": regex(r"[^\W_]+(?:umgebung|aufgabe|omgeving)"),
}
"""Role -> words that end with one of these, as those of German and Dutch do: `Testumgebung`; `meta_algo`."""
CONFIGURED = regex(
    r"(?:hyper)?param(?:eter)?s?[/.](?:\w+[/.])?|"
    r"(?:config|cfg|hparams|args|exp|experiment|run|setup|settings|spec|meta|metadata)[/.]",
    re.IGNORECASE,
)
"""Prefixes that trackers put before the names of a configuration in exported tables: `params.algo`, `hyperparams.Args.algo`; keys of JSON
below which a run is named: `exp.agent`."""

ENCLOSED = regex(r"(?:eval|evaluation|result|results|metric|metrics|info)\.", re.IGNORECASE)
"""Keys of JSON below which the names of an evaluation stand beside its scores: `eval.benchmark`."""


REVISED = vocabulary(
    "new fixed corrected correct updated revised rerun redone recomputed rescored neu nuevo novo nuovo nouveau korrigiert"
)
"""Words behind the name of a score that was measured, or computed, again."""


def free_columns(names: Iterable[str], chosen: Chosen) -> list[str]:
    """Return the columns to which the user gave no role."""
    return [name for name in names if name not in chosen.values()]


def candidates(names: Collection[str], role: str) -> list[str]:
    """Return the columns that could play a role: those with a usual name, otherwise the likeliest of those whose words fit.

    >>> candidates(["algo", "EnvironmentSteps", "Epoch", "eval/return", "train/return"], "step")
    ['EnvironmentSteps']
    """
    return list(_candidates(tuple(names), role))


@lru_cache(1 << 10)  # a folder of 100,000 files has the same columns 100,000 times
def _candidates(names: tuple[str, ...], role: str) -> Sequence[str]:
    # What more or less of is better (`maze ↓`) is a score.
    names = tuple(name for name in names if role not in ("algorithm", "task", "run") or says_less(name) is None)
    if role == "score" and any({"value", "loss"} <= {*words(name)} for name in names):
        # beside the loss of a critic, `value` is what the critic estimates
        names = tuple(name for name in names if words(name) != ("value",))
    return _of_role(names, role)


def _of_role(names: Sequence[str], role: str) -> Sequence[str]:
    usual = USUAL_NAMES[role]
    own = {name: name.strip().casefold() for name in names}
    # the names of a run stand in its configuration, what it measured does not
    configured = {} if role in ("score", "step") else {name: CONFIGURED.sub("", own[name], count=1) for name in names}
    # `config.seed` beside `run_id`: W&B and MLflow draw an id for each start of a script.
    seeds = [name for name in names if role == "run" and own[name] != configured[name] == "seed"]
    if seeds and not {"run", "seed", "trial"}.intersection(own.values()):
        return seeds  # the `run_id` of a tracker is another where a seed was trained twice
    if role == "run" and {"seed", "run_id"} <= {*own.values()} and not {"run", "trial"}.intersection(own.values()):
        return [name for name in names if own[name] == "seed"]
    for bare in (own, configured):
        if exact := [name for name in bare if bare[name] in usual]:
            ranked = sorted(exact, key=lambda name: usual.index(bare[name]))
            return _of_usual(names, ranked, own[ranked[0]]) if role == "score" else ranked
    # `agent_name`, `env id`, `model`: the whole name has to be one of these, for words such as `model` stand in many
    # others (`model_loss`).
    if role in NAMING:
        likely = {
            *usual,
            *NAMING[role],
            *(f"{subject}_{suffix}" for subject in NAMING[role] for suffix in ("name", "id")),
            *(("task_family", "env_family") if role == "task" else ()),
        }
        # `map (win % of 3 seeds)`: brackets hold remarks.
        named = {name: "_".join(words(CONFIGURED.sub("", IN_BRACKETS.sub("", name), count=1))) for name in names}
        first = [name for name in names if named[name] in likely or COMPOUND[role].fullmatch(named[name])]
        if first := first or [name for name in names if named[name].removesuffix("_name") in LATER[role]]:
            return first
        inner = {name: ENCLOSED.sub("", own[name], count=1) for name in names}
        return [name for name in names if inner[name] != own[name] and inner[name] in (*likely, *LATER[role])]
    if role == "run":
        # `config.repeat` is a setting; `config.fewshot_seed` is none.
        return [name for name in names if names_runs(configured[name] if "seed" in words(name) else name)]
    if role == "config":
        return []
    if role == "score":
        return _scores(names, own)
    # Epochs count steps too, but other numbers of them for each algorithm.
    steps = [name for name in names if kind(name) == "step"]
    return steps or [name for name in names if kind(name) == "iteration"]


def _of_usual(names: Sequence[str], ranked: Sequence[str], first: str) -> Sequence[str]:
    """Return the columns that could be the score, some of which have a usual name."""
    # `return` beside `eval_return` is that of training.
    if evaluated := [name for name in names if evaluates(name, first)]:
        return preferred(evaluated)
    # `reward` may be that of one step, where returns of episodes stand beside it.
    # `score_new` beside `score`: nothing says which of them counts.
    again = [name for name in names if words(name)[:-1] == words(first) and words(name)[-1] in REVISED]
    return [*ranked, *again, *(filter(_is_return, names) if first == "reward" else ())]


def _scores(names: Sequence[str], own: Mapping[str, str]) -> Sequence[str]:
    """Return the columns that could be the score, none of which has a usual name; own: the names in small letters."""
    # The monitors of Gym and of its heirs write the return, the length and the time of episodes.
    if {"r", "l", "t"} <= {*own.values()}:
        return [name for name in names if own[name] == "r"]
    bare = {name: ENCLOSED.sub("", name, count=1) for name in names}
    # Outcomes (`passed`), then accuracies, are the score only where nothing is named like one.
    scores = preferred([name for name in names if kind(bare[name]) == "score"])
    outcomes = [name for name in names if names_outcome(bare[name])]
    return scores or outcomes or preferred([name for name in names if names_quality(bare[name])])


def _is_return(name: str) -> bool:
    return kind(name) == "score" and not {"return", "returns", "episodic"}.isdisjoint(words(name))


def plays(names: Collection[str], role: str, chosen: Chosen) -> bool:
    """Return whether a role has a column, by choice or by name."""
    if chosen.get(role) is not None:
        return True
    return bool(candidates(free_columns(names, chosen), role))
