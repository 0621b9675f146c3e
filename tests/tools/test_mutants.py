"""The faults that `make mutants` puts into the code, and which of them it takes."""

from __future__ import annotations

import ast

import pytest

from tools.mutants.justified import PLACE, read, unknown
from tools.mutants.mutant import is_valid, mutants
from tools.mutants.sampling import quotas, sample

FAULTS = [
    ("a < b", {"a <= b", "a >= b"}),
    ("(a) == (b)", {"(a) != (b)"}),
    ("a is not b", {"a is b"}),
    ("a not in b", {"a in b"}),
    ("a + b * c", {"a - b * c", "a + b / c"}),
    ("σ - x", {"σ + x"}),
    ("a and b or c", {"a or b or c", "a and b and c"}),
    ("not a", {"a"}),
    ("-a", {"a"}),
    ("f(1)", {"f(2)", "f(0)"}),
    ("f(50)", {"f(100)"}),
    ("f(0.5)", {"f(1.0)", "f(0.25)"}),
    ("f(axis=0)", {"f(axis=1)"}),
    ("a = True", {"a = False"}),
    ("max(a, b)", {"min(a, b)"}),
    ("np.minimum(a, b)", {"np.maximum(a, b)"}),
    ("f(a, b, c.d)", {"f(b, a, c.d)"}),
    ("a if b else c", {"a", "c"}),
    ("a = 'one and two'", {"a = 'other words'"}),
    ("f'{a} is better than {b}'", {"f'{a} other words {b}'"}),
]
UNTOUCHED = [
    '"""Return 1 + 1 of them."""',
    "def f(a: Literal[1], b: 'one and two' = None) -> int | None: ...",
    "x: Annotated[int, 1 + 1]",
    "T = TypeVar('T', bound='one and two')",
    "Number = int | float",
    "__all__ = ['one and two']",
    "from a import b",
    "if TYPE_CHECKING:\n    x = 1 + 1",
    "@dataclass(frozen=True)\nclass A: ...",
    "raise DesignError(f'{a} is not a number')",
    "e = DesignError('it is not a number')",
    "warnings.warn('it is not a number')",
    "def f():\n    return isinstance(a, int | float)",
    "zip(a, strict=True)",
    "cast('list of int', a)",
]


def changed(code):
    source = code.encode()
    return {one.edit.apply(source).decode() for one in mutants("m.py", source)}


@pytest.mark.parametrize(("code", "faults"), FAULTS, ids=[code for code, _ in FAULTS])
def test_a_fault_is_valid_python_that_differs(code, faults):
    assert changed(code) == faults
    assert all(is_valid(one, code.encode()) for one in mutants("m.py", code.encode()))


def test_a_returned_pair_is_exchanged():
    assert changed("def f():\n    return a.b, c") == {"def f():\n    return c, a.b"}


@pytest.mark.parametrize("code", UNTOUCHED)
def test_types_documentation_and_messages_are_left_alone(code):
    ast.parse(code)
    assert changed(code) == set()


def test_a_number_in_a_message_may_be_wrong():
    assert changed("raise ScoreError(f'row {i + 1} is empty')") >= {"raise ScoreError(f'row {i - 1} is empty')"}


def test_what_is_no_change_is_no_mutant():
    (one,) = mutants("m.py", b"f(a, b)")
    assert not is_valid(one, b"f(b, a)")


def test_a_key_names_file_function_and_edit_and_is_unique():
    keys = [one.key for one in mutants("m.py", b"def f(a):\n    g = a < 3\n    g = a < 3\n    return g")]
    assert "m.py::f::comparison::g = a < 3 → g = a <= 3" in keys
    assert "m.py::f::comparison::g = a < 3 → g = a <= 3 #2" in keys
    assert len(set(keys)) == len(keys)


def test_packages_get_their_share_but_no_fewer_than_the_least():
    assert quotas({"a": 700, "b": 250, "c": 50}, 300) == {"a": 192, "b": 68, "c": 40}
    assert quotas({"a": 700, "b": 250, "c": 50}, 30) == {"a": 10, "b": 10, "c": 10}
    assert quotas({"a": 7, "b": 0}, 300) == {"a": 7, "b": 0}


def test_the_seed_draws_the_sample_and_no_place_twice():
    code = b"\n".join(b"x%d = a < %d + b" % (i, i) for i in range(40))
    every = {"a": mutants("a.py", code), "b": mutants("b.py", code)}
    drawn = [sample(every, 60, seed, lambda _: True) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len({one.place for one in drawn[0]}) == 60


def test_a_file_does_not_redraw_another():
    kept = mutants("a.py", b"x = a < b + 1")
    before, after = (
        sample({"a": kept, "b": mutants("b.py", code)}, 4, 0, lambda _: True) for code in (b"1 + 2", b"3 < 4")
    )
    assert [one for one in before if one.path == "a.py"] == [one for one in after if one.path == "a.py"]


def test_a_justified_mutant_has_a_reason_and_an_old_one_is_told(tmp_path):
    (tmp_path / PLACE).parent.mkdir(parents=True)
    (tmp_path / PLACE).write_text("# of today\n\nm.py::f::constant::a | 1 → a | 2 | both are true\n")
    assert read(tmp_path) == {"m.py::f::constant::a | 1 → a | 2": "both are true"}
    assert unknown(read(tmp_path), ["m.py::f::constant::a → b"]) == ["m.py::f::constant::a | 1 → a | 2"]
    (tmp_path / PLACE).write_text("no reason\n")
    with pytest.raises(SystemExit, match=r"key \| reason"):
        read(tmp_path)
