"""Regular expressions that are compiled late are right, and are compiled late."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Mapping

import pytest

import runoff
from runoff.words import patterns


def late_in(value):
    if isinstance(value, patterns._Late):
        yield value
    elif isinstance(value, Mapping):
        yield from late_in(list(value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from late_in(part)


def test_every_pattern_of_the_package_can_be_compiled():
    names = [
        module.name for module in pkgutil.walk_packages(runoff.__path__, "runoff.") if "__main__" not in module.name
    ]
    late = {
        id(p): p for name in names for value in vars(importlib.import_module(name)).values() for p in late_in(value)
    }
    assert len(late) > 200
    for pattern in late.values():
        empty = type(pattern.pattern)()
        assert bool(pattern.match(empty)) == bool(re.compile(pattern.pattern, pattern._flags).match(empty))


def test_a_pattern_answers_as_the_compiled_one_and_refuses_with_its_first_use():
    late, own = patterns.regex(r"(?P<n>\d+)", re.ASCII), re.compile(r"(?P<n>\d+)", re.ASCII)
    assert [late.sub("x", "a1b22"), late.findall("a1b22"), late.groupindex] == ["axbx", ["1", "22"], own.groupindex]
    assert late.flags == own.flags
    wrong = patterns.regex("(")
    with pytest.raises(re.error, match="unterminated subpattern"):
        wrong.search("")


def test_the_patterns_of_reading_are_not_compiled_where_it_is_imported():
    lines = "import re, re._compiler as c; own, n = c.compile, []; c.compile = lambda *a, **k: (n.append(1), own(*a, **k))[1]"
    of = f"{lines}; import polars, yaml, scipy.special, html.parser; n.clear(); import runoff.reading.formats; print(len(n))"
    done = subprocess.run([sys.executable, "-c", of], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 20
