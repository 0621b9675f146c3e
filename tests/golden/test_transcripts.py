"""Every command and call of the transcripts answers, word for word and artist for artist, what is kept.

After an intended change: `python -m tests.golden --write`, and read the difference.
"""

from __future__ import annotations

import os

import pytest

from tests.golden.transcripts import ENVIRONMENT, answered, differences, kept, names_of_all


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave what a person may have set for runoff out of the environment."""
    for name in [name for name in os.environ if name.startswith("RUNOFF_") and name != "RUNOFF_THREADS"]:
        monkeypatch.delenv(name)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("name", names_of_all())
@pytest.mark.usefixtures("quiet")
def test_the_answers_of_a_transcript_are_those_that_are_kept(name, tmp_path):
    lines = differences(kept(name), answered(kept(name), tmp_path))
    assert not lines, "\n".join(["read, and accept by `python -m tests.golden --write`:", *lines])
