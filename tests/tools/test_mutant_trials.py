"""Which tests a mutant of `make mutants` is put to, and what these tell of it."""

from __future__ import annotations

import os
import time

import pytest

from tools.mutants.fork import in_child
from tools.mutants.mutant import mutants
from tools.mutants.names import names_of
from tools.mutants.scratch import Scratch
from tools.mutants.selection import chosen
from tools.mutants.testmap import TestMap
from tools.mutants.together import Survivor, groups, tried_together
from tools.mutants.trial import Verdict

FILES = {
    "src/p/__init__.py": b"from p.low import LEVEL\n",
    "src/p/low.py": b"LEVEL = 3\n\n\n@kernel\ndef inner(x):\n    return x + 1\n",
    "src/p/mid.py": b"from p.low import inner\nfrom p import LEVEL as L\n\nTWICE = 2 * L\n\n\n@kernel\ndef outer(x):\n    return inner(x)\n",
    "src/p/top.py": b"from p import mid\n\n\ndef shown(x):\n    return mid.outer(x) + mid.TWICE\n\n\ndef other():\n    return 0\n",
}
TESTS = TestMap(
    work={"fast": {"fast": 0.1}, "slow": {"slow": 0.1, "cache:f": 1.9}, "lazy": {"lazy": 0.2, "cache:f": 1.9}},
    lines={"src/p/top.py": {5: frozenset({1}), 9: frozenset({2})}},
    calls={("src/p/mid.py", "outer"): frozenset({0, 1})},
    kernels=frozenset({("src/p/low.py", "inner"), ("src/p/mid.py", "outer")}),
    failed=(),
)


def mutant_of(path, before):
    return next(one for one in mutants(path, FILES[path]) if one.before == before)


def test_a_kernel_is_compiled_anew_with_all_that_call_it_and_tried_by_who_calls_these():
    found = chosen(mutant_of("src/p/low.py", "return x + 1"), TESTS, names_of(FILES))
    assert found.stale == TESTS.kernels
    assert TESTS.cheapest_first(found.first) == ["fast", "slow"]


def test_a_constant_is_tried_by_who_runs_a_line_that_needs_it():
    found = chosen(mutant_of("src/p/low.py", "LEVEL = 3"), TESTS, names_of(FILES))
    assert TESTS.cheapest_first(found.first) == ["slow"]
    assert TESTS.cheapest_first(found.others) == ["lazy"]


def test_a_line_is_tried_by_who_runs_it_as_long_as_there_is_time():
    found = chosen(mutant_of("src/p/top.py", "return 0"), TESTS, names_of(FILES))
    assert TESTS.cheapest_first(found.first) == ["lazy"]
    assert TESTS.cheapest_first(found.others, within=0.5) == []


def test_shared_work_takes_its_time_once():
    assert TESTS.cheapest_first(range(3), within=2.4) == ["fast", "slow", "lazy"]
    assert TESTS.cheapest_first(range(3), within=2.2) == ["fast", "slow"]


class Bench:
    """Stands for the trials: tells which tests notice which mutants, by what these come from."""

    def __init__(self, **noticed):
        self.noticed, self.tests = noticed, TESTS

    def failures(self, names, mutants, stale):
        return [name for name in names if any(one.before in self.noticed.get(name, ()) for one in mutants)]

    def try_alone(self, mutant, stale, names):
        failing = self.failures(names, [mutant], stale)
        return ("killed", failing[0]) if failing else ("survived", "")


def survivors(path):
    names = names_of(FILES)
    found = {one.before: one for one in mutants(path, FILES[path])}.values()
    return [Survivor(one, chosen(one, TESTS, names), Verdict("survived", "", 1, 0, 0.0)) for one in found]


def test_two_survivors_of_one_function_are_not_tried_together():
    tried = groups([*survivors("src/p/top.py"), *survivors("src/p/top.py")])
    assert [[one.mutant.qualname for one in group] for group in tried] == [["shown", "other"]] * 2


def test_of_survivors_that_are_tried_together_the_one_that_is_noticed_is_found():
    (group,) = groups(survivors("src/p/top.py"))
    verdicts = {one.before: verdict for one, verdict in tried_together(Bench(lazy=["return 0"]), group)}
    assert [(verdict.state, verdict.by) for verdict in verdicts.values()] == [("killed", "lazy"), ("survived", "")]
    assert next(iter(verdicts)) == "return 0"
    assert verdicts["return mid.outer(x) + mid.TWICE"].n_together == 2


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (lambda tell: tell("start a") or 3, ["start a", "done 3"]),
        (lambda tell: tell("start a") or os._exit(1), ["start a", "crash"]),
        (lambda tell: tell("hang") or time.sleep(60), ["hang", "timeout"]),
    ],
    ids=["ends", "crashes", "hangs"],
)
def test_a_child_tells_how_far_it_came(work, told, tmp_path):
    assert in_child(work, tmp_path / "log", lambda line: 0.1 if line == "hang" else 20) == told


def test_the_cache_forgets_stale_kernels_and_keeps_the_others(tmp_path):
    scratch = Scratch(tmp_path, tmp_path)
    (scratch.warm / "low_1").mkdir(parents=True)
    for name in ("low.inner-4.py311.nbi", "low.inner-4.py311.1.nbc", "low.inner_two-9.py311.nbi"):
        (scratch.warm / "low_1" / name).touch()
    cold = scratch.without([("src/p/low.py", "inner")])
    assert [path.name for path in cold.rglob("*.nb?")] == ["low.inner_two-9.py311.nbi"]
    assert scratch.without([]) == scratch.warm
