"""The names in paths of tables, and configurations beside these that name another algorithm."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from runoff.errors import DataError
from runoff.reading._names import Names, Trail, names_of
from runoff.reading._parts import without_tag
from runoff.reading._paths import STDIN, File, shown
from runoff.reading.logs.config import configuration, names_in_config
from runoff.words.speech import option
from runoff.words.words import canonical


def names_of_paths(trails: Sequence[Trail]) -> list[Names]:
    """Return the names in the paths of files; refuse an algorithm that a path names beside a configuration with another: folders of jobs,
    `exp_017`, would be algorithms, and each a sample of one run."""
    names = names_of(trails)

    @cache
    def configured(folder: Path) -> str:
        return names_in_config(configuration([folder])[0]).get("algorithm", "")

    for trail, named in zip(trails, names, strict=True):
        algorithm, own = named.names.get("algorithm", ""), configured(trail.path.parent)
        if (
            "algorithm" in trail.lacks
            and own
            and canonical(own) not in canonical("/".join((*trail.path.parts, algorithm)))
        ):
            raise DataError(
                f"{trail.path}: its path names algorithm {algorithm!r}, and the configuration beside it {own!r}, which is not read for tables: "
                "keep one file of results for each run, an object or lines of JSON with its score or with steps and scores, or name the runs "
                f"by {option('pattern')}."
            )
    return names


def places_below(files: Sequence[File]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the names of folders and file below the folder that all files share, and those of this folder and of two above."""
    if any(file.path == STDIN for file in files):
        return [((file.stem,), ()) for file in files]
    parents = [os.path.abspath(file.path.parent) for file in files]
    common = Path(os.path.commonpath(parents))
    above = tuple(map(shown, common.parts[1:][-3:]))
    inner = [tuple(map(shown, Path(parent).relative_to(common).parts)) for parent in parents]
    return [((*folders, without_tag(file.stem)), above) for folders, file in zip(inner, files, strict=True)]
