"""What a column holds according to its name: steps, times, rates, scores, other metrics, numbers of runs, or nothing known."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import Literal

from runoff.words.patterns import regex

CountedKind = Literal["score", "metric", "rate", "step", "iteration", "episode", "time", "stage", "statistic"]


def vocabulary(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def ordered(text: str) -> tuple[str, ...]:
    """Return the words of a text, where their order is one of preference."""
    return tuple(text.split())


# Heads of other languages are those that their spreadsheets have: German, Dutch, French, Spanish, Italian, Chinese, Japanese.
_SCORE = vocabulary(
    "return returns reward rewards rew rews ret score scores performance perf fitness success successes win wins won winrate successrate "
    "ergebnis punktzahl belohnung rückgabe ertrag resultaat beloning punkte erfolg erfolge erfolgsquote erfolgsrate réussite "
    "réussites succès éxito sucesso éxitos aciertos récompense puntuación recompensa punteggio "
    "retorno retornos pontuação desempenho rendimiento acertos ritorno ricompensa successo retour "
    "累積報酬 平均報酬 エピソード報酬 総報酬 収益 リターン 平均スコア 得点 보상 점수 성공 성공횟수 성공률 "
    "成功 成否 得分 分数 奖励 回报 平均回报 累计回报 平均奖励 平均得分 胜率 成功率 スコア 報酬 勝率 "
    "belöning belønning avkastning poäng nagroda wynik "
    "награда вознаграждение успех успехи "
    "平均胜率 平均成功率 最终回报 最终得分 最终奖励 累积奖励 累计奖励"
)
_METRIC = vocabulary(
    "loss losses length lengths len entropy kl divergence value values vals qvals advantage advantages explained variance grad grads "
    "gradient norm error errors cost costs clip fraction accuracy hns temperature"
)
_SPREAD = vocabulary("std stddev stdev deviation stderr sem var min max minimum maximum low high lower upper ci")
CENTRES = vocabulary(
    "mean avg average averaged median moyenne moyen mittlere mittlerer mittel durchschnittliche media promedio médio média medio mediana "
    "средняя средний среднее"
)
_RATE = vocabulary("rate rates sps fps lr throughput speed")
_SUCCESS = vocabulary("success successes win wins won")
_STEP = vocabulary(
    "step steps timestep timesteps frame frames interact interacts interaction interactions transition transitions samples "
    "ksteps msteps kframes mframes ktimesteps mtimesteps "
    "schritt schritte étape étapes paso pasos passo passi passos шаг шаги steg krok 步数 训练步数 ステップ"
)
_AMOUNTS = vocabulary("k m mio million millions thousand thousands")
_ITERATION = vocabulary(
    "iteration iterations iter iters itr epoch epochs update updates generation generations checkpoint ckpt snapshot "
    "epoche epochen époque époques época épocas эпоха エポック itération itérations iteración iteraciones iteração"
)
_EPISODE = frozenset(["episode", "episodes", "ep", "eps"])
_TIME = vocabulary(
    "time times walltime wallclock wall clock runtime hour hours hr hrs minute minutes mins second seconds sec secs ms elapsed duration "
    "timestamp date datetime zeit dauer laufzeit temps durée tiempo duración tempo durata duração "
    "время мин час 时间 时长 耗时 時間 実行時間 所要時間 秒 分"
)
_STAGE = vocabulary("level stage phase budget difficulty split round setting condition")
_ITEM = vocabulary("item question problem instance doc qid docid")
SUITE = vocabulary("benchmark suite dataset subset")
ORDERS = vocabulary("id ids number num no nr idx index name")
EVALUATION = vocabulary(
    "eval evaluation evaluations test auswertung évaluation evaluación avaliação valutazione 测试 测试集 评估 テスト 테스트"
)
_QUALIFIERS = EVALUATION | vocabulary(
    "n num number no of in per total tot cum cumulative sum count env envs environment environments agent global current train training "
    "val validation dev holdout rollout rollouts runners "
    "charts metrics metric episodic undiscounted raw final finale finales finaux human normalized "
    "normalised this since start restore best last s trained learning summary battle adapted asymptotic games matches over across "
    "returned pct percent percentage "
    "taux tasa taxa tasso de di online offline h entraînement entrenamiento treinamento addestramento обучения"
)
# The first kind of which a name has a word wins: "value loss" is a metric, "episode reward" a score.
_BY_KIND: tuple[tuple[CountedKind, frozenset[str]], ...] = (
    ("metric", _METRIC),
    ("score", _SCORE),
    ("rate", _RATE),
    ("step", _STEP),
    ("iteration", _ITERATION),
    ("episode", _EPISODE),
    ("stage", _STAGE),
    ("time", _TIME),
    ("statistic", _SPREAD | CENTRES),
)
VOCABULARY = _QUALIFIERS.union(*(vocabulary_of_kind for _, vocabulary_of_kind in _BY_KIND))
CASES = regex(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
"""The words of a name without separators: AverageEpRet."""
_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_NUMBERED = regex(rf"\d+|(?:测试集?|评估|テスト|테스트)(?=[{_ASIAN}]{{2}})|[{_ASIAN}]+|[^\d{_ASIAN}]+")
"""The words of a name in other letters: `Top1准确率`, `测试集AUC`; what was tested stands apart, `测试回报`."""

UNIT = regex(r"\s*[(\[]\s*(?:[x×]\s*)?(?:[kKmMbB]|1e\d+|10\^\d+|mio|thousands?|millions?)\s*[)\]]$")
"""A unit of amounts behind a name: Frames (M)."""
IN_BRACKETS = regex(r"\s*(?:\[[^\[\]]*\]|\([^()]*\))\s*$")
"""What stands in brackets at the end of a name: `score [points]`."""
AMOUNT = regex(r"\d+(?:\.\d+)?\s*(?:[kmb]|mio|thousand|million)", re.IGNORECASE)
"""100k, 2.5M: amounts of training."""


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case: of `num_steps`, `EnvironmentSteps`, `eval/ep rew`.

    >>> words("Metrics/EnvironmentSteps"), words("StdEpRet"), words("num_steps")
    (('metrics', 'environment', 'steps'), ('std', 'ep', 'ret'), ('num', 'steps'))
    >>> words("测试集AUC"), words("récompense_2")
    (('测试集', 'auc'), ('récompense', '2'))
    """
    parts: list[str] = []
    for token in re.split(r"[\W_]+", name):
        # Only ASCII has the two cases by which a name without separators is parted; of other alphabets numbers are.
        parts += (CASES if token.isascii() else _NUMBERED).findall(token)
    return tuple(word.casefold() for word in parts)


@lru_cache(maxsize=1 << 14)
def canonical(name: str) -> str:
    """Return a name in small letters, without separators: `half-cheetah` and `HalfCheetah` are one."""
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def without_numbers(name: str) -> str:
    """Return a name with a mark for each number in it: `seed_3` and `seed_11` are one."""
    return re.sub(r"\d+", "#", name)


@cache
def kind(name: str) -> CountedKind | None:
    """Return what a column of this name holds, None if a word of it is unknown: it may be the name of an algorithm.

    >>> kind("walltime"), kind("StdEpRet"), kind("eval/episode_reward"), kind("success_rate"), kind("PPO")
    ('time', 'statistic', 'score', 'score', None)
    >>> kind("Frames (M)")
    'step'
    """
    parts = [word for word in words(UNIT.sub("", name)) if not word.isdigit()]
    bare = IN_BRACKETS.sub("", name)
    if name == "TEMPO":
        return None  # a method, and the time in Italian and Portuguese
    if bare.strip() and bare != name and not VOCABULARY.intersection(words(name[len(bare) :])):
        return kind(bare)  # `score [points]`
    parts = _without_amount(name, parts)
    if not parts or not VOCABULARY.issuperset(parts):
        return None
    # Steps per second are no steps.
    if "per" in parts and _TIME.intersection(parts):
        return "rate"
    likeliest = next((kind for kind, own in _BY_KIND if own.intersection(parts)), None)
    if likeliest is None and parts[-1] == "h" and len(parts) > 1:
        return "time"  # `train_h`
    return "statistic" if likeliest == "score" and _SPREAD.intersection(parts) else likeliest


def _without_amount(name: str, parts: list[str]) -> list[str]:
    """Return the words of a name of steps without that of their amount: `kSteps`, `frames_M`, `million_steps`; a `k_step` return is none."""
    letters = {"k", "m"} - (
        {parts[0]} if parts and not re.match(r"[kKM][A-Z][a-z]", name) and len(parts) > 1 else set()
    )
    bare = [word for word in parts if word not in (_AMOUNTS - {"k", "m"}) | letters]
    return bare if bare and not _STEP.isdisjoint(bare) else parts


def measured(parts: Collection[str]) -> bool:
    """Return whether a word of a name says what a column holds: `mean`, `loss`, `speed`."""
    return not VOCABULARY.isdisjoint(parts)


def scored(parts: Collection[str]) -> bool:
    """Return whether a word of a name is one for a score: `return`, `win`."""
    return not _SCORE.isdisjoint(parts)


def names_training(name: str) -> bool:
    """Return whether a score of this name is the return of training episodes, which are no evaluations: `charts/episodic_return`.

    >>> [names_training(name) for name in ("rollout/ep_rew_mean", "AverageEpRet", "eval/episodic_return", "episode_reward")]
    [True, True, False, False]
    """
    # Tools that write both put training episodes below rollout/, monitor/ or env_runners/; the tag "episodic" alone is
    # CleanRL's word for them, and Spinning Up's evaluations are AverageTestEpRet, OmniSafe's Metrics/TestEpRet.
    parts, level = words(name), words(re.split(r"[/.]", name)[0])
    if EVALUATION.intersection(parts) or not {*_SCORE, "r"}.intersection(parts):
        return False
    return not {"episodic", "train", "training"}.isdisjoint(parts) or level in TRAINING_LEVELS or parts in OF_TRAINING


def names_evaluation(name: str) -> bool:
    """Return whether a score of this name is the return of evaluations: `eval/mean_reward`.

    >>> [names_evaluation(name) for name in ("eval/mean_reward", "test_return", "eval/success_rate", "episode_reward")]
    [True, True, False, False]
    """
    return bool(EVALUATION.intersection(words(name)) and {*_SCORE - _SUCCESS, "r"}.intersection(words(name)))


TRAINING_LEVELS = ("rollout",), ("episode",), ("monitor",), ("env", "runners")
"""What stands before the slash in the names of series of training episodes."""
OF_TRAINING = ("average", "ep", "ret"), ("metrics", "ep", "ret"), ("reward", "total", "reward", "mean")
"""The words of such series in Spinning Up, OmniSafe and skrl."""


def names_items(name: str) -> bool:
    """Return whether a column of this name holds the items of a benchmark: `question`, `instance_id`."""
    parts = words(name)
    return bool(_ITEM.intersection(parts)) and (_ITEM | ORDERS | SUITE).issuperset(parts)


def benchmark_last(columns: Sequence[str]) -> bool:
    """Return whether the names of tasks that two columns make end with that of the benchmark, as of `question/subset`."""
    return len(columns) == 2 and names_items(columns[0]) and not names_items(columns[1])


def benchmark_and_item(task: str, *, last: bool) -> tuple[str, str]:
    """Return the two parts of a task's name; the second is empty where it has one.

    >>> benchmark_and_item("gsm8k/12", last=False), benchmark_and_item("12/gsm8k", last=True), benchmark_and_item("12", last=False)
    (('gsm8k', '12'), ('gsm8k', '12'), ('12', ''))
    """
    first, _, second = task.rpartition("/") if last else task.partition("/")
    return (second, first) if last else (first, second)


_REFERENCE = vocabulary("human humans random oracle expert")
_AGENT = vocabulary("agent policy player players performance baseline reference average mean professional score scores")


def names_reference(label: str) -> bool:
    """Return whether a label names what trained algorithms are measured by: `Human`, `random agent`.

    >>> names_reference("Random policy"), names_reference("random search")
    (True, False)
    """
    parts = words(label)
    return bool(_REFERENCE.intersection(parts)) and (_REFERENCE | _AGENT).issuperset(parts)
