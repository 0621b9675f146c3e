"""Policies: what a release must show on each benchmark, written down before the candidate is seen."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from runoff.base.validate import check_alpha
from runoff.errors import DataError, OptionError, nearest
from runoff.words.names import RuleName
from runoff.words.numbers import some

ALPHA = 0.05
RULES: tuple[RuleName, ...] = get_args(RuleName)
KEYS, OF_RULE = ("alpha", "benchmarks"), ("rule", "margin")
EXAMPLE = "[benchmarks.NAME] with rule = 'must not lose' and margin = 0.02, or rule = 'must win'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The requirement on a benchmark: that the candidate does not lose by the margin or more or, without a margin, that it wins."""

    rule: RuleName
    margin: float | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A rule for each benchmark by its name, and the level of the test of each."""

    rules: Mapping[str, Rule]
    alpha: float = ALPHA

    def refuse_other(self, names: tuple[str, ...], what: str) -> None:
        """Refuse a benchmark that the data lack and a benchmark of the data without a rule, so that neither is silently left out."""
        lacking = [name for name in self.rules if name not in names]
        spare = [name for name in names if name not in self.rules]
        if lacking:
            near = nearest(lacking[0], spare)
            raise OptionError(
                f"the policy has a rule for {some(map(repr, lacking), 3)}, which the data lack; their {what}s are {some(names, 6)}.{near}"
            )
        if spare:
            raise OptionError(
                f"the policy has no rule for the {what} {some(map(repr, spare), 3)}: write one for each ({EXAMPLE}), or leave it out of the "
                "data."
            )


def policy_of(given: str | Path | Mapping[str, Any]) -> Policy:
    """Return the policy in a TOML file or in a mapping with the same keys.

    Raises
    ------
    DataError
        A file that cannot be read as TOML.
    OptionError
        An unknown key or rule, a margin that is missing or does not apply, or no benchmark.
    """
    place = f"policy {given}" if isinstance(given, str | Path) else "policy"
    content: object = _toml(Path(given)) if isinstance(given, str | Path) else given
    if not isinstance(content, Mapping):
        raise OptionError(f"the policy is a TOML file or a mapping with its keys, not {given!r}.")
    _refuse_unknown(content, KEYS, f"the {place}")
    benchmarks = content.get("benchmarks")
    if not isinstance(benchmarks, Mapping) or not benchmarks:
        raise OptionError(f"the {place} names no benchmark: write {EXAMPLE} for each.")
    rules = {str(name): _rule(value, f"the {place}, benchmark {str(name)!r}") for name, value in benchmarks.items()}
    return Policy(rules=rules, alpha=check_alpha(content.get("alpha", ALPHA)))


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"the policy {path} cannot be read: {reason}.") from error


def _rule(value: object, place: str) -> Rule:
    if not isinstance(value, Mapping):
        raise OptionError(f"{place}: a rule has keys, {EXAMPLE}, and here is {value!r}.")
    _refuse_unknown(value, OF_RULE, place)
    rule, margin = value.get("rule"), value.get("margin")
    if rule not in RULES:
        raise OptionError(f"{place}: rule is {' or '.join(map(repr, RULES))}, not {rule!r}.")
    if rule == "must win" and margin is not None:
        raise OptionError(
            f"{place}: the rule 'must win' takes no margin, because any gain counts; leave out margin, or say rule = 'must not lose'."
        )
    if rule == "must not lose" and margin is None:
        raise OptionError(
            f"{place}: the margin is missing, the smallest loss that matters, as margin = 0.02 for two points of accuracy."
        )
    return Rule(rule=rule, margin=margin)


def _refuse_unknown(content: Mapping[Any, Any], keys: tuple[str, ...], place: str) -> None:
    stranger = next((key for key in content if key not in keys), None)
    if stranger is not None:
        raise OptionError(
            f"{place} has an unknown key {stranger!r}; known are {', '.join(keys)}.{nearest(str(stranger), keys)}"
        )
