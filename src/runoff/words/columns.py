"""What heads of columns say of the part that these play: runs, attempts, outcomes, suites, evaluations."""

from __future__ import annotations

import re
from collections.abc import Iterable

from runoff.words.words import CENTRES, EVALUATION, IN_BRACKETS, ORDERS, SUITE, vocabulary, words

RUN_WORDS = vocabulary(
    "seed run trial try repetition repeat replicate replication replica rep repl fold lauf wiederholung startwert herhaling graine "
    "répétition essai ensayo versuch tentativa intento prova körning kjøring kørsel försök przebieg "
    "試行 실행 시드 重复 运行 第几次运行 运行编号 实验编号 "
    "semilla repetición durchlauf durchgang ejecución corrida exécution semente execução rodada seme 种子 随机种子 シード "
    "restart pliegue pli repetição ripetizione zufallszahl прогон запуск повтор сид зерно ziarno 시행 반복"
)
_SEEDED = vocabulary(
    "sim simulation random train training policy model checkpoint rng fewshot few shot shots sample sampling decoding used"
)
_DRAWN = vocabulary("uuid guid hash")
_REPEATED = vocabulary("training judge experiment independent simulation")
"""What a seed is of where its trainings differ; that of an environment may be one of evaluations."""
_ATTEMPT = vocabulary(
    "rollout attempt episode sample trial flight essai versuch tentativa intento prova ensayo försök tentative próba попытка 試行 시행 시도 尝试"
)
_OUTCOME = vocabulary("resolved passed correct solved outcome result succeeded gelöst")
_EXCHANGE = vocabulary(
    "prompt prompts response responses completion completions answer answers generation instruction prediction messages rationale"
)
_EXPECTED = vocabulary(
    "target targets gold golden reference references expected label labels truth ground pred predicted output outputs input inputs context "
    "contexts choices options extracted parsed raw filtered resps question text model final full generated"
)
"""Words for what was asked, answered or expected, which may say something else where no prompt or answer stands beside them."""
_ANSWERED = vocabulary("output outputs pred predicted resps generated")
"""Those of them for an answer."""
_VALIDATION = frozenset(["val", "validation", "dev", "holdout"])


def names_runs(name: str) -> bool:
    """Return whether a column of this name holds the labels of runs: `Seed`, `run_number`, `trial id`, `run_uuid`."""
    parts = words(name)
    if parts == ("random", "state"):
        return True  # what scikit-learn calls a seed
    beside = ORDERS | _SEEDED if "seed" in parts else ORDERS | _REPEATED | _DRAWN
    return bool(RUN_WORDS.intersection(parts)) and (RUN_WORDS | beside).issuperset(parts)


def names_attempts(name: str) -> bool:
    """Return whether a column of this name may number the attempts of one trained policy: `rollout`, `attempt_id`, `Episode`.

    >>> [names_attempts(name) for name in ("rollout_idx", "trial", "eval_episode", "sample_id", "ep_rew")]
    [True, True, True, False, False]
    """
    parts = words(name)
    beside = _ATTEMPT | ORDERS | EVALUATION
    return bool(_ATTEMPT.intersection(parts)) and beside.issuperset(parts) and parts != ("sample", "id")


def names_outcome(name: str) -> bool:
    """Return whether a column of this name says of an item whether it was solved: `resolved`, `is_correct`."""
    parts = words(name)
    return bool(_OUTCOME.intersection(parts)) and (_OUTCOME | {"is"}).issuperset(parts)


QUALITIES = vocabulary(
    "accuracy acc auc auroc f1 bleu rouge iou dice precision recall pass top em mrr ndcg hr hit hits elo 准确率 精度 正解率 정확도"
)
_BESIDE_QUALITY = EVALUATION | vocabulary(
    "final mean avg average macro micro score exact match strict flexible extract k l at validation val norm none"
)


def names_quality(name: str) -> bool:
    """Return whether a column of this name holds a quality of which more is better: `accuracy`, `test_acc`, `pass@1`, `F1`.

    >>> [names_quality(name) for name in ("test accuracy", "pass@1", "F1", "测试集AUC", "exact_match", "train_acc", "match", "top")]
    [True, True, True, True, True, False, False, False]
    """
    bare = IN_BRACKETS.sub("", name)
    # `mIoU` and `nDCG` are one word each.
    own = re.split(r"[\W_]+", bare.casefold()) if bare.isascii() else words(bare)
    parts = {word.rstrip("0123456789") for word in own} - {""}
    numbered = any(word.isdigit() for word in words(name))
    of_quality = bool(parts & (QUALITIES | {"f"})) or {"exact", "match"} <= parts
    whole = of_quality and parts <= QUALITIES | _BESIDE_QUALITY | {"f"}
    return whole and (numbered or not parts <= {"pass", "top", "f", "hr", "hit", "hits"})


def names_suite(name: str) -> bool:
    """Return whether a column of this name holds benchmarks, each with items of its own: `benchmark`, `dataset_name`."""
    parts = words(name)
    return bool(SUITE.intersection(parts)) and (SUITE | ORDERS).issuperset(parts)


def names_text_of_evaluation(name: str) -> bool:
    """Return whether a column of this name holds what a model was asked, or what it answered: `prompt`, `model_response`."""
    return bool(_EXCHANGE.intersection(words(name)))


def texts_of_evaluation(names: Iterable[str]) -> list[str]:
    """Return the columns of what a model was asked, what it answered, and what was expected: `target` is one beside `prediction` alone.

    >>> texts_of_evaluation(["id", "prompt", "target"]), texts_of_evaluation(["policy", "target"])
    (['prompt', 'target'], [])
    """
    own = list(names)
    plain = [name for name in own if names_text_of_evaluation(name)]
    more = [name for name in own if name not in plain and words(name) and _EXPECTED.issuperset(words(name))]
    # `output` beside `expected`
    answered = len(more) > 1 and any(not _ANSWERED.isdisjoint(words(name)) for name in more)
    return [name for name in own if name in (*plain, *more)] if plain or answered else []


def evaluates(name: str, plain: str) -> bool:
    """Return whether a name is another's with words for an evaluation: `eval_return` of `return`.

    >>> evaluates("eval/return", "return"), evaluates("eval_reward", "return"), evaluates("return", "return")
    (True, False, False)
    """
    own, says = words(name), EVALUATION | _VALIDATION
    return not says.isdisjoint(own) and [word for word in own if word not in says | CENTRES] == list(words(plain))


def preferred(names: list[str]) -> list[str]:
    """Return those of several scores that come first: evaluations, then validation, before training."""
    groups = ([name for name in names if says.intersection(words(name))] for says in (EVALUATION, _VALIDATION))
    return next(filter(None, groups), names)
