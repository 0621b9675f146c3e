"""Files in the folder of one run by what their names say: training, evaluations, checkpoints, or nothing of these."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runoff.words.labels import KINDS_OF_DATA
from runoff.words.words import vocabulary, words

OF_FILES = vocabulary(
    "log logs metrics metric results result stats scores score final history curve curves progress summary data output outputs returns return "
    "rewards reward run ep eps episode episodes rollout rollouts monitor"
)
"""Words in names of files of results beside those for training and evaluations."""
OF_CHECKPOINTS = vocabulary("checkpoint checkpoints ckpt ckpts best")
OF_TRAINING = frozenset(("train", "training"))
SAVED = "saved"
"""The kind of a file about a saved model, such as the best of a run."""
NAMED_OF_SCORES = vocabulary("results result returns return scores score rewards final evaluations")
"""Words by which a file says that it has the scores of its run."""


def kind_of_file(name: str) -> str | None:
    """Return of what a file of results is by its name: "train", "eval", "test", "saved", "" where it does not say so; None of another file.

    >>> [kind_of_file(name) for name in ("log_train.jsonl", "final_eval.json", "metrics.jsonl", "best.json", "notes.txt")]
    ['train', 'eval', '', 'saved', None]
    """
    parts = words(Path(name).stem)
    kinds = [word for word in parts if word in KINDS_OF_DATA]
    rest = {*parts} - {*kinds}
    if not rest.isdisjoint(OF_CHECKPOINTS):
        return SAVED if {word for word in rest if not word.isdigit()} <= OF_FILES | OF_CHECKPOINTS else None
    if len(kinds) > 1 or not parts or not rest <= OF_FILES:
        return None
    return kinds[0] if kinds else ""


def folder_of_run(path: Path) -> Path:
    """Return the folder of a file, or that above it where it is called like one of checkpoints."""
    return path.parent.parent if {*words(path.parent.name)} <= OF_CHECKPOINTS - {"best"} else path.parent


def of_many(paths: Sequence[Path]) -> str:
    """Return the glob of files of one name, as `runs/*/train.csv`; the first path where they lie at different depths.

    >>> of_many([Path("x/ppo/0/train.csv"), Path("x/sac/1/train.csv")])
    'x/*/*/train.csv'
    """
    alike = len({len(path.parts) for path in paths}) == 1
    levels = zip(*(path.parts for path in paths), strict=True) if alike else ((part,) for part in paths[0].parts)
    return Path(*("*" if len({*level}) > 1 else level[0] for level in levels)).as_posix()
