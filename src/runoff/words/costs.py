"""Names of costs: whether the name of a column or task says that lower is better.

A name is believed only if all of its words are known here: "Crash rate" is a cost, "Crash Bandicoot" a game. Where a cost stands among other
words, or a time, length or distance may be better either way, the direction is unclear, and whoever reads the name has to ask.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

from runoff.words.patterns import regex
from runoff.words.words import kind, vocabulary, words

Direction = Literal["lower", "unclear"]

HEADS = vocabulary(
    "cost costs kosten coste costes costo costi coût coûts "
    "wartezeit wartezeiten verspätung verlust verluste fehler fehlerrate kostenfunktion perte pertes erreur erreurs pérdida pérdidas errores "
    "ошибка ошибки потери стоимость затраты errore errori perdita perdite erro erros custo custos perda perdas kostnad kostnader förlust "
    "förluster fout fouten verlies koszt koszty błąd błędy 오차 비용 손실 오류율 "
    "损失 误差 誤差 損失 错误率 困惑度 代价 成本 コスト エラー率 "
    "regret regrets error errors loss losses mse rmse mae mape smape wape mase rmsse rmsle crps "
    "latency latencies makespan exploitability suboptimality penalty penalties"
)
"""Costs whatever stands before them: `path cost`."""
_COSTS = HEADS | vocabulary(
    "fid nll perplexity ppl cer bpb bpc violation violations collision collisions infraction infractions intervention interventions jerk "
    "tardiness lateness accident accidents drawdown wer ade fde ece brier toxicity infeasible infeasibility overhead emission emissions "
    "slowdown forgetting suboptimal lpips fvd mpjpe logloss hpwl wirelength"
)
_EVENTS = vocabulary("crash failure fail fall death mistake timeout miss bounds hazard scrap defect reject")
"""What goes wrong. Such words are parts of names of tasks (Ant Fall): a cost is their rate or number, not they."""
_MANY = vocabulary(
    "crashes failures fails falls deaths mistakes defects rejects timeouts misses failed crashed unsafe unsuccessful"
)
_RATES = vocabulary(
    "rate rates ratio frequency freq probability prob count counts number percentage percent fraction share entries"
)
_BESIDE = _RATES | vocabulary(
    "num no n of the a in simple per over and mean avg average averaged total cumulative cum sum final end last max maximum worst terminal "
    "normalized normalised relative absolute abs squared root episode episodes ep episodic run runs trial trials step steps timestep timesteps "
    "km mile miles hour hours h min minute minutes mins s sec secs second seconds ms m cm mm rad deg k test eval evaluation train training "
    "validation rollout safety constraint lane traffic pedestrian vehicle driver human tracking position velocity orientation heading pose "
    "angle prediction reconstruction model value critic actor policy bellman td word inference control action actions energy "
    "anual annual annuel yearly weekly semanal daily "
    "per states visited out calibration co2 co bound fuel carbon pct val best eur usd gbp euro euros dollar dollars "
    "cuadrático cuadratico medio quadratique moyenne moyen totale"
)
_MEASURES = vocabulary(
    "time times steps timesteps distance distances length lengths len duration episodes samples frames interactions iterations trials moves "
    "seconds minutes hours days delay delays epochs"
)
_UNITS = vocabulary("s sec secs ms min mins h hrs m km cm mm um nm")
_GOALS = vocabulary(
    "goal goals target targets threshold success solve solved solution finish completion complete completed convergence converge reach reached "
    "first optimal optimum optimality expert reward return score performance level task object reference waypoint destination landmark home exit"
)
_SHORTER = (
    (
        vocabulary("travel waiting wait lap completion response solve solving finish finishing convergence"),
        ("time", "times"),
    ),
    (
        vocabulary("queue tour tournée tournee"),
        ("length", "lengths", "longueur", "longitud", "lunghezza", "comprimento"),
    ),
    (vocabulary("attente espera attesa"), ("temps", "tiempo", "tempo")),
    (frozenset(["remaining"]), ("distance",)),
    (frozenset(["cost"]), ("return", "returns")),
    (frozenset(["sample"]), ("complexity",)),
    (frozenset(["nash"]), ("conv",)),
    (frozenset(["brier"]), ("score", "scores")),
    (vocabulary("fuel energy power"), ("consumption",)),
    (vocabulary("overestimation underestimation estimation"), ("bias",)),
    (frozenset(["bits"]), ("dim", "dimension", "character", "byte")),
)
"""Words before a measure, and the measure of which less is then better."""
_ROMANCE = vocabulary("longueur longitud lunghezza comprimento temps tiempo tempo")
_OF = vocabulary("de du d del della di da do la le el il l à")
"""Words between a measure and what it is of, in Romance languages."""
_DOUBTFUL = vocabulary("kl divergence bias consumption shortfall churn force forces lost stopped j")
"""What may be better either way, alone or beside the next words."""
_OF_DOUBTFUL = vocabulary("contact expected reward rewards vehicles kullback leibler")
_GAPS = vocabulary(
    "optimality generalization generalisation performance duality mip optimal optimum expert oracle to from"
)
_ALIVE = vocabulary(
    "survival survived surviving alive avoidance recovery tolerance detection prevention travelled traveled covered"
)
"""What makes more of a time or a distance better, or a bad event an exercise (Fall recovery)."""
_TURNED = vocabulary(
    "free without zero reduction reduced saving savings saved negative negated neg inverse avoided before between since "
    "detected exp gain profit weight win wins won"
)
_BAD = _COSTS | _EVENTS | _MANY
_OPPOSITE = regex(
    r"^\s*(?:1\s*)?[-−–]\s*\w|^\s*1\s*/|\b(?:km|miles?|m|hours?|h|steps?|episodes?)\s?/\s?\w", re.IGNORECASE
)
"""A sign before the name, its inverse, a unit before a slash (km/collision)."""
_UNIT = regex(
    r"\s*[(\[]\s*(?:%|[kKM]|×?\s?10\S+|s|secs?|seconds?|ms|min|minutes?|h|hrs?|hours?|mm|cm|m|km|deg|rad|mbb/h|kWh|EUR|USD|GBP|k€|M€|R\$|k\$|€|\$|£|°)\s*[)\]]\s*$"
)


_BETWEEN = r"\W{1,3}(?:(?:is|the|ist|es|é|è|est|c.est|est le|c.est le|тем)\W{1,3})?"
"""What may stand between the words of "the lower the better"."""
_SMALLER = (
    "(?:lower|smaller|less|fewer|shorter|niedriger|kleiner|weniger|plus (?:bas|petit|faible)|moins|menor|menos|más bajo|"
    "lager|minder|minore|meno|меньше|ниже)"
)
_LARGER = "(?:higher|larger|more|greater|mehr|höher|größer|plus haut|mayor|más alto|hoger|maggiore|maior|больше|выше)"
_BETTER = f"{_BETWEEN}(?:better|besser|mieux|meilleur|mejor|beter|melhor|meglio|лучше)"
_WORSE = f"{_BETWEEN}(?:worse|schlechter)"
_TO_BE = r"(?:to be|da|à|a|zu)\s+"
_MADE = r"(?:[sz]ed|ser|zar|zzare|eren)(?=\s*(?:$|[.,;)\]\"]))"
LESS, _MORE = (
    regex(rf"[{arrows}]|(?<!not )\b(?:{of})\b|{others}|[(\[]\s*(?:{alone})\s*[)\]]", re.IGNORECASE)
    for arrows, of, others, alone in (
        (
            "↓⬇⇓⇩▼↘🔽",
            f"{_SMALLER}{_BETTER}|{_LARGER}{_WORSE}|{_TO_BE}minimi{_MADE}",
            "越[低小]越好|[低小]さいほど[良よ]い|低いほど[良よ]い|(?:낮을|작을)수록 좋",
            "lower|down|minimi[sz]e",
        ),
        (
            "↑⬆⇑⇧▲↗🔼",
            f"{_LARGER}{_BETTER}|{_SMALLER}{_WORSE}|{_TO_BE}ma(?:xi|ssi)mi{_MADE}",
            "越[高大]越好|[高大]きいほど[良よ]い|高いほど[良よ]い|(?:높을|클)수록 좋",
            "higher|up|maximi[sz]e",
        ),
    )
)
"""What a head, or a title, says of scores of which less is better, or more."""


@lru_cache(1 << 12)
def says_less(name: str) -> bool | None:
    """Return whether a head itself says that less is better (↓), or that more is (↑, False); None where it says neither, or both.

    >>> says_less("score ↓"), says_less("return (higher is better)"), says_less("return")
    (True, False, None)
    """
    less, more = (pattern.search(name) is not None for pattern in (LESS, _MORE))
    return None if less == more else less


@cache
def direction(name: str) -> Direction | None:
    """Return "lower" where a name is that of a cost, "unclear" where it may be one, None where nothing in it says so.

    >>> direction("Crash rate (%)"), direction("stepsToGoal"), direction("Episode length"), direction("km per collision")
    ('lower', 'lower', 'unclear', 'unclear')
    >>> [direction(name) for name in ("Success rate", "Survival time", "Gap-Jump", "Crash Bandicoot", "Road Runner")]
    [None, None, None, None, None]
    >>> direction("score ↓"), direction("score (lower is better)"), direction("cost ↑")
    ('lower', 'lower', None)
    """
    if (less := says_less(name)) is not None:
        return "lower" if less else None
    # A name of several levels, "Safety / Cost", is a cost if one of them is and none is unclear.
    levels = {_of_level(level) for level in re.split(r"(?<!^1)\s/\s", name)}
    return "unclear" if "unclear" in levels else "lower" if "lower" in levels else None


_PHRASE = regex(
    r"[.,;:()\[\]{}|*#_“”\"]|\n\s*\n|\\[A-Za-z]+|\s[-–—]+\s|"
    r"\b(?:over|across|of|for|on|in|with|by|after|at|and|is|are|from|vs|versus)\b",
    re.IGNORECASE,
)
"""What ends a phrase of prose."""
_OF_SPREADS = vocabulary("error errors mean avg average s the a and")


def cost_in(prose: str) -> str | None:
    """Return the first phrase of a text that is nothing but the name of a cost, None if there is none.

    >>> cost_in("Table 2: Crash rate (%) of each algorithm."), cost_in("Mean ± standard error, cost-sensitive methods in bold.")
    ('Crash rate', None)
    """
    phrases = (" ".join(phrase.split()) for phrase in _PHRASE.split(prose))
    # Of prose each word must be known: "Mean ± training error bars".
    whole = _BAD | _BESIDE | _MEASURES | _GOALS | {"to", "until", "till", "gap"}
    costs = (p for p in phrases if direction(p) == "lower" and not _OF_SPREADS.issuperset(words(p)))
    return next((p for p in costs if not _by_head(words(p)) or whole.issuperset(words(p))), None)


def _of_level(level: str) -> Direction | None:
    # "Sub-optimality" is one word here; its second half alone would be what is better when it is larger.
    name = _UNIT.sub("", level).replace("ub-optimal", "uboptimal")
    parts = tuple(word for word in words(name) if not word.isdigit())
    # `travel_time_s`, `queue_length_m`.
    parts = parts[:-1] if len(parts) > 1 and parts[-1] in _UNITS and parts[-2] in _MEASURES | _COSTS else parts
    if not parts or _ALIVE.intersection(parts):
        return None
    # "Steps to goal" and "time until solved" are costs; "time to failure" is none, and "steps to X" with an unknown X
    # may be either.
    until = next((i for i, word in enumerate(parts) if word in ("to", "until", "till")), 0)
    if (_MEASURES | {"dist"}).intersection(parts[:until]):
        rest = set(parts[until + 1 :])
        return "lower" if rest <= _GOALS | _BESIDE and not rest & _BAD else "unclear"
    if "likelihood" in parts and {"negative", "neg"}.intersection(parts):
        return "lower"
    # "Longueur de la tournée": Romance names begin with what is measured.
    *before, last = reversed(parts) if _OF.intersection(parts[1:]) and parts[0] in _ROMANCE else parts
    if any(last in measures and of & {*before} and of | _BESIDE >= {*before} - _OF for of, measures in _SHORTER):
        return "lower"
    # An episode may be short because it was solved, or because the agent fell.
    if parts[-1] in _MEASURES or kind(name) in ("time", "step", "iteration", "episode"):
        return "unclear"
    if _DOUBTFUL.intersection(parts) and (_DOUBTFUL | _BESIDE | _BAD | _OF_DOUBTFUL).issuperset(parts):
        return "unclear"
    parts = tuple("gap" if word in ("écart", "ecart") else word for word in parts)
    if "gap" in parts and (_GAPS | _BESIDE | _OF | {"gap"}).issuperset(parts):
        return "lower" if _GAPS.intersection(parts) else "unclear"
    return _of_bad(name, parts)


def _of_bad(name: str, parts: tuple[str, ...]) -> Direction | None:
    """Return the direction of a name that may hold what goes wrong: alone, as a rate, as a number, or turned into its opposite."""
    # "Crash rate", in this order: "Rate Fall" is no rate of falls.
    rated = any(a in _EVENTS and b in _RATES for a, b in pairwise(parts))
    counted = rated or bool((_COSTS | _MANY).intersection(parts))
    whole = (_BAD | _BESIDE).issuperset(parts)
    if not _BAD.intersection(parts) or not (counted or whole):
        return None
    # "Collision-free", "km per collision" and "1 − failure" are better when larger, though all their words are of
    # costs.
    none = any(a == "no" and b != "of" for a, b in pairwise(parts))
    turned = none or _TURNED.intersection(parts) or _OPPOSITE.search(name) is not None
    share = "per" in parts and not _BAD.intersection(parts[: parts.index("per")])
    if turned or share or not counted:
        return "unclear"
    return "lower" if whole or rated or _by_head(parts) else "unclear"


def _by_head(parts: Sequence[str]) -> bool:
    """Return whether the last noun of a name, which says what it is, is one of a cost: `path cost`, whatever a path is."""
    head = next((word for word in reversed(parts) if word not in _BESIDE), "")
    return head in HEADS and (_GOALS | {"standard"}).isdisjoint(parts)
