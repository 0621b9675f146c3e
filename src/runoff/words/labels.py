"""Labels of rows and columns that are no algorithm, task or run: summaries, spreads, counts, measures, amounts, settings."""

from __future__ import annotations

import re
from collections.abc import Iterable

from runoff.words.columns import QUALITIES, RUN_WORDS
from runoff.words.costs import direction, says_less
from runoff.words.patterns import regex
from runoff.words.words import AMOUNT, CENTRES, VOCABULARY, kind, ordered, vocabulary, words

_COUNTS = vocabulary("n num number no of count total anzahl nombre número numero de aantal")
_RUNS = vocabulary("läufe wiederholungen herhalingen exécutions répétitions ejecuciones repeticiones")
_WIDTHS = vocabulary(
    "std stddev stdev deviation stderr sem var ci écart standardabweichung stdabw abweichung desviación desviacion "
    "desvio deviazione standardavvikelse standardavvik standardafvigelse standaardafwijking odchylenie 標準偏差 标准差 표준편차 откл отклонение"
)


def counts_runs(name: str) -> bool:
    """Return whether a column of this name holds numbers of runs: `n_seeds`, `num runs`, `number_of_trials`, `seeds`.

    >>> counts_runs("n_seeds"), counts_runs("runs"), counts_runs("seed"), counts_runs("run_number")
    (True, True, False, False)
    """
    parts = words(name)
    plural = any((word.endswith("s") and word[:-1] in RUN_WORDS) or word in _RUNS for word in parts)
    return plural and all(word in _COUNTS | _RUNS or word.removesuffix("s") in RUN_WORDS for word in parts)


def is_spread(name: str) -> bool:
    """Return whether a column of this name holds a spread or the end of an interval: `return_std`, `stderr`, `ci_low`.

    >>> is_spread("score_std"), is_spread("ci95_low"), is_spread("mean_reward"), is_spread("min")
    (True, True, False, False)
    """
    parts = [word for word in words(name) if not word.isdigit()]
    return kind(name) == "statistic" and bool(_WIDTHS.intersection(parts)) and not _SHORT.match(name)


def is_centre(name: str) -> bool:
    """Return whether a column of this name holds means or medians, of what it does not say: `mean`, `avg_return`."""
    return bool(CENTRES.intersection(words(name))) and kind(name) in ("statistic", "score", "metric")


_SUMMARIES = (
    CENTRES
    | (_WIDTHS - {"var", "deviation"})
    | vocabulary(
        "se sd min max minimum maximum best worst total sum all overall aggregate iqm mittelwert durchschnitt mittel "
        "ave moyenne desv promedio summe gesamt gesamtergebnis grand variance cv abw "
        "medel medelvärde genomsnitt gjennomsnitt gennemsnit gemiddelde gemiddeld summa suma totaal totale totalt łącznie razem ogółem "
        "celkem összesen toplam всего 합계 średnia "
        "média promedio среднее средняя итого 平均 平均値 中央値 合計 最大 最小 平均值 均值 中位数 总计 평균 중앙값"
    )
)
_OF_WHAT = vocabulary(
    "of over across the all runs seeds trials tasks games envs environments algorithms methods score scores return dev deviation "
    "type abw typique típica tipica est estándar estandar standard padrão padrao"
)
_OF_RUNS = vocabulary("seed seeds run runs trial trials repetition repetitions replicate replicates")


def says_means(title: str) -> bool:
    """Return whether a title says that what stands below it are means of several runs; means of evaluation episodes are scores.

    >>> says_means("Mean over 5 seeds"), says_means("Return averaged over 100 episodes"), says_means("5 seeds")
    (True, False, False)
    """
    parts = set(words(title))
    return not CENTRES.isdisjoint(word.removesuffix("s") for word in parts) and bool(parts & _OF_RUNS)


_BEST_OF = regex(r"best[-_ ]of[-_ ](?:n|\d+)", re.IGNORECASE)
"""The policy that takes the best of so many samples."""


def is_summary(label: str) -> bool:
    """Return whether a label names a summary of others, not one of them: `mean`, `Std Dev`, `Average over seeds`, `TOTAL`.

    >>> [is_summary(name) for name in ("Mean", "all games", "all_tricks", "std", "Dev. std", "dev")]
    [True, True, False, True, True, False]
    """
    if label.strip() in ("σ", "Ø", "ø", "±", "μ"):
        return True
    if _SHORT.match(label) or _BEST_OF.fullmatch(label.strip()):
        return False
    # "95% CI", "Mean (3 seeds)"; but "Best (ours)" is an algorithm
    parts = tuple(word for word in words(re.sub(r"\d+ ?%|\(\s*\d[^)]*\)", " ", label)) if not word.isdigit())
    # `Dev. std`; `dev` alone is a set of data.
    begins = bool(parts) and (parts[0] in _SUMMARIES or (parts[0] == "dev" and not _WIDTHS.isdisjoint(parts)))
    return begins and (_SUMMARIES | _OF_WHAT).issuperset(parts)


_WIDE = _WIDTHS | vocabulary("se sd cv variance")


def is_width(label: str) -> bool:
    """Return whether a summary is that of a spread, by which no method is called: `std`, `95% CI`, but not `Max`."""
    return is_summary(label) and (not words(label) or bool(_WIDE.intersection(words(label))))


_NO_CONTENDERS = vocabulary(
    "gpu gpus cpu hour hours hrs memory mem gb mb gib ram vram cost usd eur price energy power kwh watt watts flops params parameters tpu size "
    "rank ranks ranking votes elo n count num year version p pvalue pval significance significant difference diff gap margin improvement "
    "improvements gain gains advantage uplift speedup winner se sd sem ci index idx id ids unnamed row no nr commit revision sha "
    "hash job port seed calls retries kg tok latency normalized normalised mémoire memoria "
    "memória speicher arbeitsspeicher 参数量 パラメータ数 파라미터"
)
"""Words that say what a run took, how many there are, when and of what they were made, or that compare or number the others."""
_BETWEEN = vocabulary(
    "average mean avg median of per total the a in to vs over and value values human random best baseline max min relative percent abs "
    "absolute runs seeds trials episodes delta h b m billion billions million millions trainable learnable active s sec secs seconds ms "
    "time times tempo temps tiempo zeit min eval evaluation train training test inference api peak used co"
)
"""Words that stand beside those above."""


def measures_others(label: str, more: frozenset[str] = frozenset()) -> bool:
    """Return whether a label names a measure, a count or a comparison of others, not one of them: `Average rank`, `p-value`; `more`: such words.

    >>> [measures_others(name) for name in ("Mean rank", "# runs", "p-value", "Human Gap", "GPU PPO", "human")]
    [True, True, True, True, False, False]
    """
    parts = {word for word in words(re.sub(r"\([KMGT]o\)$", "", label)) if not word.isdigit()}  # octets
    own = _NO_CONTENDERS | more
    if words(label)[:1] == ("num",) and len(words(label)) > 1:
        return True  # `num_levels`
    if _BEST_OF.fullmatch(label.strip()):
        return False
    return label.strip() in ("#", "\u2116") or counts_runs(label) or (bool(parts & own) and parts <= own | _BETWEEN)


_LAST = vocabulary("cost costs price usd eur mem gb mb gib kg kwh id ids len seed")
"""Words for what was spent, and for numbers of the rows, that end a name."""


def may_measure(label: str) -> bool:
    """Return whether a label may be a measure of others whatever its other words mean: `api_cost`, `data_seed`, `price_per_run`, `timeouts`.

    >>> [may_measure(name) for name in ("bill_usd", "env_seed", "tiles_per_s", "crash rate", "DQN-PER", "Cost-DQN", "cost")]
    [True, True, True, True, False, False, True]
    """
    parts = words(label)
    spent = not _LAST.isdisjoint(parts[-1:]) or "per" in parts[1:-1]
    return spent or (len(label) > 1 and direction(label) == "lower" and says_less(label) is None)


_SHORT = regex(r"(?:sem|ejec|exéc|répét|rép|wdh|tent)\. ?\d", re.IGNORECASE)
"""A word for runs of another language cut short, with its stop: `Sem.` of semilla; SEM is an error of the mean."""
_ABLATES = vocabulary("no without with w only full")


def has_setting(name: str) -> bool:
    """Return whether a word of a name is one of a setting: `lr`, `batch_size`."""
    return not SETTINGS.isdisjoint(words(name))


def is_ablation(name: str) -> bool:
    """Return whether a name says what a method does without, or with: `no entropy`, `w/o GAE`."""
    return len(words(name)) > 1 and words(name)[0] in _ABLATES


def run_of(label: str) -> str | None:
    """Return the number of the run that a label names, None if it names none.

    >>> run_of("seed 1"), run_of("run_03"), run_of("2回目"), run_of("Sem. 2"), run_of("PPO"), run_of("SEM 2")
    ('1', '03', '2', '2', None, None)
    """
    parts = words(label)
    if ordinal := ORDINAL.fullmatch(label.strip()):
        return ordinal[1]
    # Spinning Up and its heirs write `_s10` for seed 10.
    short = parts[:1] in (("s",), ("rs",)) or _SHORT.match(label) is not None
    runs = len(parts) == 2 and (parts[0] in RUN_WORDS or short) and parts[1].isdigit()
    return parts[1] if runs else None


ORDINAL = regex(r"第?\s*(\d{1,3})\s*(?:回目|回|次|차|회|회차|번째)")
"""How runs are counted without a word for them: `1回目`, `第3次`, `2차`."""


def is_amount(label: str) -> bool:
    """Return whether a label is an amount of training: `100k`, `step_2000`, `level 3`, `epoch 10`.

    >>> is_amount("100k"), is_amount("step_2000"), is_amount("0.1")
    (True, True, False)
    """
    if AMOUNT.fullmatch(label.strip()):
        return True
    counted = any(word.isdigit() for word in words(label))
    return counted and kind(label) in ("step", "iteration", "stage", "time")


FAILED = vocabulary(
    "failed fail failure crashed crash killed error errored timeout timedout oom outofmemory nan diverged preempted aborted cancelled canceled "
    "interrupted stopped running pending nodefail lost died scheduled queued preempting "
    "abgebrochen abbruch abgestürzt fehlgeschlagen échec échoué échouée interrompu interrompue fallido fallida falló abortado interrumpido "
    "falhou falha fallito mislukt 失敗 中断 失败 崩溃 クラッシュ 실패"
)
"""Canonical names of the ends of runs that did not end well."""
SETTINGS = vocabulary(
    "lr rate layer layers depth width hidden hid units neurons channels filters latent embed dim dims head heads critics batch minibatch "
    "batchsize bs size sizes buffer horizon nstep nsteps utd ratio coef decay wd eps epsilon tau temperature gamma discount lambda lam gae clip "
    "temp dropout momentum entropy alpha beta polyak shot shots context tokens warmup ema envs topp topk"
)
"""Words of settings; a number behind one is its value, never a run: `lr_1`, `batch_size_64`."""
HOSTS = vocabulary(
    "host hostname node nodes machine server worker cluster queue partition user username owner author operator"
)
"""Words for where a run was made, and by whom, which is never what is compared."""
KINDS_OF_DATA = vocabulary("train training eval evals evaluation test validation val")
"""Canonical names of folders and files that say what their series are of."""
KINDS = ordered("test eval evals evaluation validation val final last latest")
"""Which rows are read where a column tells kinds of data, or checkpoints, apart: the first of these that is there."""


def main_kind(names: Iterable[str], others: Iterable[str] = ()) -> str:
    """Return the one of several kinds of data, or checkpoints, by canonical names, that is read; "" if none of them is; others: more of them,
    behind the usual.

    >>> main_kind(["train", "eval"]), main_kind(["train"])
    ('eval', '')
    """
    there = {*names}
    return next((kind for kind in (*KINDS, *others) if kind in there), "")


MEASURING = VOCABULARY.union(_NO_CONTENDERS, _BETWEEN, _SUMMARIES, _OF_WHAT, _COUNTS, QUALITIES, KINDS_OF_DATA)
"""Words of which the names of measures are made."""
