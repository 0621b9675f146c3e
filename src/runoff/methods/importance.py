"""Which settings carry the spread of performance?"""

from __future__ import annotations

from runoff._inference import advice as rules
from runoff._inference.tuning import ConfiguredRuns, SweepRuns, is_grid, levels_of, shares
from runoff.answer.importance import ImportanceResult, ImportanceRow
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.tables.columns import SETTINGS
from runoff.words.speech import column


def importance(sweep: SweepRuns, scores: Scores, *, alpha: float) -> ImportanceResult:
    """Return the share of each setting, and of each pair, on each task; refuse settings that are no full grid."""
    return ImportanceResult(
        rows=tuple(row for runs in sweep.algorithms for row in _rows(runs, sweep, alpha)),
        tasks=sweep.tasks,
        alpha=alpha,
        confidence_level=1 - alpha,
        notes=sweep.notes,
        advice=rules.collected(*rules.about_data(scores)),
    ).with_origin(scores)


def _rows(runs: ConfiguredRuns, sweep: SweepRuns, alpha: float) -> list[ImportanceRow]:
    rows = []
    for task, of_task in zip(sweep.tasks, runs.by_task, strict=True):
        levels = levels_of([runs.settings[config] for config in of_task])
        where = f"the configurations of {runs.name!r} on {task!r}"
        if levels is None:
            raise DesignError(
                f"{where} name no settings ({next(iter(of_task))!r}): importance needs settings, a column each ({column(SETTINGS, 'lr,width')})."
            )
        names, of_config = levels
        if not is_grid(of_config):
            raise DesignError(
                f"{where} are no full grid of {', '.join(names)}: importance needs a grid, for the largest share of a random search is too "
                "low at any budget."
            )
        for share in shares(list(of_task.values()), of_config, alpha=alpha):
            settings = " × ".join(names[s] for s in share.settings)
            ends = {"estimate": share.share, "low": share.low, "high": share.high}
            rows.append(ImportanceRow(algorithm=runs.name, task=task, settings=settings, **ends))
    return rows
