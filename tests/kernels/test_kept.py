"""Compiled kernels on disk: no file there stops a call or changes its answer."""

from __future__ import annotations

import errno
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("numba", reason="nothing is compiled without numba")
from numba.core import caching, config

from runoff._kernels import _kept
from runoff._kernels._jit import Kernel, kernel


def _quotient(a: int, b: int) -> int:
    if b == 0:
        raise ValueError("the divisor is 0")
    return a // b


def _product(a: int, b: int) -> int:
    return a * b


def _ratio_of_doubles(a: int, b: int) -> int:
    return quotient(2 * a, 2 * b)


quotient = kernel(_quotient)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where this test keeps kernels."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path), raising=False)
    return tmp_path


def fresh() -> Kernel:
    """Return the kernel as a process finds it that has not called it."""
    return Kernel(_quotient)


def loads() -> int:
    """Call the kernel in a fresh process, so to speak; return how often it was loaded instead of compiled."""
    again = fresh()
    assert again(42, 6) == 7
    return again.dispatcher.stats.cache_hits.total()


def kept(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*_quotient*.kernel"))


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "garbled": lambda content: content[:-500] + bytes(byte ^ 0x5A for byte in content[-500:]),
    "of other sources": lambda content: bytes(32) + content[32:],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_compiled_anew_and_replaced(damage, folder):
    assert loads() == 0
    (path,) = kept(folder)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert [loads(), loads()] == [0, 1]
    assert kept(folder) == [path]


def test_a_file_that_was_renamed_is_not_taken_for_the_kernel_of_its_name(folder):
    assert loads() == 0
    (path,) = kept(folder)
    assert Kernel(_product)(42, 6) == 252
    (other,) = sorted(folder.rglob("*_product*.kernel"))
    other.replace(path)  # of the same types: it would answer 252
    assert [loads(), loads()] == [0, 1]


def test_a_kernel_is_compiled_anew_where_any_source_or_the_compiler_has_changed(folder, monkeypatch):
    loads()
    monkeypatch.setattr("runoff._kernels._kept.origin", lambda: bytes(32))
    assert [loads(), loads()] == [0, 1]


def test_the_origin_of_compiled_kernels_is_made_of_the_source_of_each(tmp_path, monkeypatch):
    monkeypatch.setattr("runoff._kernels._kept.KERNELS", tmp_path)
    (tmp_path / "room").mkdir()
    digests = set()
    for source in ("A = 1", "A = 2"):
        (tmp_path / "room" / "masks.py").write_text(source)
        digests.add(_kept.origin.__wrapped__())
    assert len(digests) == 2


def test_the_origin_of_compiled_kernels_is_another_with_another_compiler(monkeypatch):
    before = _kept.origin.__wrapped__()
    monkeypatch.setattr("numba.__version__", "0.0")
    assert _kept.origin.__wrapped__() != before


def test_a_kernel_that_is_compiled_for_a_processor_is_not_loaded_on_another(folder):
    form = SimpleNamespace(locator=SimpleNamespace(get_cache_path=lambda: folder))
    own = _kept.KernelStore(form, _quotient, b"")
    targets = [
        ("x86_64", "old", "+sse"),
        ("x86_64", "old", "+sse,+avx"),
        ("x86_64", "new", "+sse"),
        ("arm64", "old", "+sse"),
    ]
    names = {own.file("(int64,)", SimpleNamespace(magic_tuple=lambda of=of: of)).name for of in targets}
    assert len(names) == 4
    assert own.file("(float64,)", SimpleNamespace(magic_tuple=lambda: targets[0])).name not in names


def test_to_flush_a_kernel_takes_away_its_own_files_alone(folder):
    form = SimpleNamespace(locator=SimpleNamespace(get_cache_path=lambda: folder))
    names = [f"{__name__}.{name}-0.kernel" for name in ("_quotient", "_ratio_of_doubles")]
    for name in names:
        (folder / name).touch()
    _kept.KernelStore(form, _quotient, b"").flush()
    assert [path.name for path in folder.iterdir()] == names[1:]


def test_a_full_disk_leaves_a_kernel_unkept_and_no_half_of_a_file(folder, monkeypatch):
    def full(path, _content):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert [loads(), loads()] == [0, 0]
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_a_package_that_cannot_be_written_without_a_home_is_no_hindrance(monkeypatch):
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    assert loads() == 0


def test_a_folder_in_the_place_of_a_kept_kernel_is_left_alone(folder):
    loads()
    (path,) = kept(folder)
    path.unlink()
    path.mkdir()
    assert [loads(), loads()] == [0, 0]
    assert path.is_dir()


def test_an_error_of_a_kernel_reaches_its_caller(folder):
    for _ in range(2):  # compiled, then loaded
        with pytest.raises(ValueError, match="the divisor is 0"):
            fresh()(1, 0)


def test_threads_that_call_a_kernel_within_another_at_once_share_what_is_compiled(folder, monkeypatch):
    monkeypatch.setattr(quotient, "compiled", None)
    outer = Kernel(_ratio_of_doubles)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda a: outer(a, 1), range(64))) == list(range(64))
    assert [path.name.split("-")[0] for path in sorted(folder.rglob("*.kernel"))] == [
        f"{__name__}._quotient",
        f"{__name__}._ratio_of_doubles",
    ]
