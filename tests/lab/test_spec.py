from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runoff as ro
from runoff.lab import World, catalogue, find_study, names, read_study, real_world
from runoff.lab.worlds.real import cell_values
from tests.amount import THOROUGH
from tests.lab.makers import normal_world, small_study

TOML = """
contenders = ["welch"]
n_runs = [5]
effects = [0.0, 1.0]
n_repeats = 500

[[worlds]]
name = "two"
tasks = [{ times = 3, distributions = [{ family = "normal" }, { family = "gamma", a = 2.0, variance = 4.0 }] }]
"""


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(text: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_a_toml_file_is_a_study(write: Any) -> None:
    study = read_study(write(TOML)).study
    assert (study.name, study.n_runs, study.effects, study.n_repeats) == ("mine", (5,), (0.0, 1.0), 500)
    assert (study.worlds[0].n_algorithms, study.worlds[0].n_tasks) == (2, 3)
    assert study.unit(study.worlds[0]) == pytest.approx(np.sqrt([2.5] * 3))


def test_a_toml_file_runs_by_its_path(write: Any) -> None:
    assert len(ro.run_study(write(TOML), workers=1).rows) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("n_repeats", "n_repeat", "unknown key 'n_repeat'.*Did you mean 'n_repeats'"),
        ("times", "time", "unknown key 'time'.*Did you mean 'times'"),
        ('name = "two"', 'nam = "two"', "unknown key 'nam'.*Did you mean 'name'"),
        ('"gamma", a', '"gamma", b', "has no parameter 'b'"),
        ('["welch"]', '["welsh"]', "Did you mean 'welch'"),
        ("variance = 4.0", "variance = 0.0", "variance must be a finite number above 0"),
        ("n_runs = [5]", "n_runs = [1]", "n_runs must be a whole number of at least 2"),
        ("n_repeats = 500", "n_repeats = 0", "n_repeats must be a whole number"),
        ("effects = [0.0, 1.0]", "effects = [0.0, 0.0]", "names effect 0.0 twice"),
        ('contenders = ["welch"]', "", "lacks contenders"),
        ("n_runs = [5]", "n_runs = 5", "n_runs"),
        ("[[worlds]]", "[[worlds", "not valid TOML"),
    ],
)
def test_mistakes_in_a_toml_file_are_refused_with_what_would_be_right(
    write: Any, old: str, new: str, message: str
) -> None:
    with pytest.raises(ro.OptionError, match=f"(?s){message}"):
        read_study(write(TOML.replace(old, new)))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ro.OptionError, match="cannot be read"):
        ro.run_study(tmp_path / "none.toml")


def test_leading_zeros_of_a_name_may_be_left_out() -> None:
    assert find_study("colas2019/table2").study.name == "colas2019/table02"


def test_an_unknown_study_is_refused_with_the_nearest() -> None:
    with pytest.raises(ro.OptionError, match="Did you mean 'colas2019/table02'"):
        ro.run_study("colas2019/tabel02")


def test_a_study_of_runs_that_were_not_given_says_which_are_needed() -> None:
    with pytest.raises(ro.OptionError, match=r"needs the runs 'sac'.*sac_hc_final_perfs\.txt"):
        ro.run_study("colas2019/table14")


def test_a_method_for_two_algorithms_refuses_three() -> None:
    cell = normal_world().grid[0]
    three = World(name="three", grid=(cell, cell, cell))
    with pytest.raises(ro.OptionError, match="'welch' is for 2 algorithm"):
        small_study(worlds=(three,))


def test_a_study_is_frozen() -> None:
    with pytest.raises(AttributeError):
        small_study().alpha = 0.1  # type: ignore[misc]


def test_every_study_of_the_catalogue_can_be_read() -> None:
    runs = np.random.default_rng(0).normal(size=60)
    atari = ro.Scores.from_dict({"a": {"Pong": runs, "Alien": 300 + 50 * runs}})
    data = {"sac": runs, "td3": runs + 1, "runs": runs, **dict.fromkeys(("SPR", "DrQ_eps", "DER", "OTR"), atari)}
    for name in names()[:: 1 if THOROUGH else 4]:
        entry = catalogue.load(name, data=data)
        assert entry.study.name == name
        assert entry.study.source
        assert entry.study.title == catalogue.title(name)


def test_printed_tables_are_those_of_the_oracle() -> None:
    table = find_study("colas2019/table02").printed[0]
    assert (table["what"], len(table["rows"]), table["rows"][0]) == (
        "Table 2",
        19,
        [0.5, 2, 0.048, 0.024, 0.0, 0.0, 0.298, 0.3],
    )


def test_a_real_world_of_two_algorithms_is_aligned_to_the_null() -> None:
    scores = ro.Scores.from_dict({"A": {"t": [1.0, 2.0, 6.0]}, "B": {"t": [10.0, 11.0]}})
    world = real_world(scores)
    assert [row[0].true_mean for row in world.grid] == [pytest.approx(3.0)] * 2
    assert [row[0].true_variance for row in real_world(scores, aligned=False).grid] == [
        pytest.approx(14 / 3),
        pytest.approx(0.25),
    ]


def test_a_real_world_of_runs_that_are_all_equal_is_refused() -> None:
    with pytest.raises(ro.OptionError, match="empirical world needs at least 2 different ones"):
        real_world(ro.Scores.from_dict({"A": {"t": [1.0, 1.0, 1.0]}}))


def test_a_cell_of_given_runs_is_that_of_its_algorithm_and_task() -> None:
    scores = ro.Scores.from_dict({"A": {"t": [1.0, 2.0], "u": [3.0, 5.0]}, "B": {"t": [7.0], "u": [8.0, 9.0]}})
    assert cell_values(scores, "here", "B", "u") == (8.0, 9.0)
    assert cell_values(scores.select(tasks=["u"]), "here", "A", None) == (3.0, 5.0)
    with pytest.raises(ro.OptionError, match="here: the data hold 2 algorithms; name one: A, B"):
        cell_values(scores, "here", None, "t")
