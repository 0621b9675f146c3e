"""A folder that came from someone else: nothing outside it is written or deleted, whatever its list of files and its links say."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff.base import locks
from runoff.page.files import folder as folder_module
from runoff.page.files.folder import WRITTEN, write_answer

VICTIM = b"years of work"
DIGEST = sha256(VICTIM).hexdigest()
TEXTS = {"plan.json": "{}", "tables/plan.csv": "a\n"}
NULL, E_NFC, E_NFD = "\0", "\u00e9", "e\u0301"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder `rep` beside files that are none of its business."""
    (tmp_path / "rep").mkdir()
    (tmp_path / "outside").mkdir()
    for name in ("victim.txt", "outside/victim.txt", "rep/notes.txt"):
        (tmp_path / name).write_bytes(VICTIM)
    return tmp_path


def tree(root: Path) -> dict[str, object]:
    """What lies below a folder: the content of files, where links lead, and folders."""
    return {
        path.relative_to(root).as_posix(): os.readlink(path)
        if path.is_symlink()
        else path.is_file() and path.read_bytes()
        for path in root.rglob("*")
    }


def listing(place: Path, *names: str, verb: str = "plan", digest: object = DIGEST) -> None:
    (place / "rep" / WRITTEN).write_text(json.dumps({verb: dict.fromkeys(names, digest)}))


def assert_refused(
    place: Path, *, force: bool, match: str = r"is not as runoff writes it .*; name another folder"
) -> None:
    before = tree(place)
    with pytest.raises(ro.OutputError, match=match):
        write_answer(place / "rep", "plan", TEXTS, dict, force=force)
    assert tree(place) == before


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("verb", ["plan", "report"])
@pytest.mark.parametrize(
    "name",
    [
        "../victim.txt", "/etc/hostname", "tables/../../victim.txt", "..", ".", "", "a//b", "./notes.txt", "~/x\\y",
        "..\\victim.txt", "C:\\x", "C:x", f"a{NULL}b", "notes.txt.", "notes.txt ", E_NFC, E_NFD, "a\nb", WRITTEN, WRITTEN.upper(),
    ],
)  # fmt: skip
def test_a_listed_name_that_runoff_gives_to_no_file_is_refused(place, name, verb, force):
    listing(place, "plan.json", name, verb=verb)
    assert_refused(place, force=force)


@pytest.mark.parametrize("force", [False, True])
def test_listed_names_that_may_be_one_file_are_refused(place, force):
    listing(place, "notes.txt", "Notes.TXT")
    assert_refused(place, force=force, match=r"'Notes\.TXT' and 'notes\.txt' may be one file")


def test_a_listed_file_that_is_spelled_otherwise_is_refused_where_case_does_not_count(place, monkeypatch):
    (place / "rep" / "notes.csv").write_bytes(VICTIM)
    listing(place, "notes.csv")
    monkeypatch.setattr(folder_module.os, "listdir", lambda _folder: ["Notes.csv", WRITTEN])
    assert_refused(place, force=True, match=r"notes\.csv is spelled otherwise")


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    "content",
    [
        "",
        "[",
        "[" * 10**5,
        "[]",
        '{"plan": []}',
        '{"plan": {"a.txt": 1}}',
        '{"plan": {"a.txt": "x"}}',
        "\udcff",
        f'"{NULL}"',
    ],
)
def test_a_damaged_list_is_refused(place, content, force):
    (place / "rep" / WRITTEN).write_bytes(content.encode("utf-8", "surrogateescape"))
    assert_refused(place, force=force)


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    ("link", "to"),
    [("tables", "../outside"), ("plan.json", "../victim.txt"), ("plan.json", "nowhere"), (WRITTEN, "../victim.txt"), ("tables", "."),
     ("tables", "nowhere")],
)  # fmt: skip
def test_nothing_is_written_through_a_link_in_the_folder(place, link, to, force):
    (place / "rep" / link).symlink_to(to)
    assert_refused(place, force=force, match=f"{link} is a link to .*through a link; remove the link")


@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_deleted_through_a_link_in_the_folder(place, force):
    (place / "rep" / "figures").symlink_to(place / "outside")
    listing(place, "figures/victim.txt")
    assert_refused(place, force=force, match="figures is a link to")


@pytest.mark.parametrize("verb", ["plan", "report"])
@pytest.mark.parametrize("name", ["notes.txt", ".git/config", "figures/.hidden", "x" * 300 + ".csv", "src/main.csv"])
def test_a_list_names_no_file_that_its_verb_does_not_write(place, name, verb):
    """The digest of a file of the user's may be known: of a licence, say."""
    listing(place, name, verb=verb)
    assert_refused(place, force=True, match=f"that `{verb}` writes")


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_that_is_itself_a_link_is_refused_and_one_below_a_link_is_not(place, force):
    (place / "rep").rename(place / "real")
    (place / "rep").symlink_to("real")
    assert_refused(place, force=force, match=r"rep is a link to .*real, .*name the place that it leads to")
    write_answer(place / "rep" / "plan", "plan", TEXTS, dict, force=force)
    assert (place / "real" / "plan" / "plan.json").read_text() == "{}"


def test_a_folder_in_the_place_of_a_file_and_a_file_in_that_of_a_folder_are_refused(place):
    (place / "rep" / "plan.json").mkdir()
    assert_refused(place, force=True, match=r"plan\.json is no file")
    (place / "rep" / "plan.json").rmdir()
    (place / "rep" / "tables").write_bytes(VICTIM)
    assert_refused(place, force=True, match="tables is no folder")


def test_force_removes_no_file_that_was_changed_since(place):
    write_answer(place / "rep", "plan", {"old.csv": "old", "kept.csv": "old"}, dict)
    (place / "rep" / "kept.csv").write_text("mine")
    write_answer(place / "rep", "plan", TEXTS, dict, force=True)
    assert not (place / "rep" / "old.csv").exists()
    assert (place / "rep" / "kept.csv").read_text() == "mine"


def test_a_report_is_refused_before_anything_is_computed(place, monkeypatch):
    monkeypatch.setattr("runoff.page.files.write.answer", None)
    listing(place, "../victim.txt", verb="report")
    before = tree(place)
    with pytest.raises(ro.OutputError, match=r"'\.\./victim\.txt' is no name"):
        ro.report({"A": [[1.0, 2.0]], "B": [[1.0, 3.0]]}, place / "rep", force=True)
    assert tree(place) == before


@settings(max_examples=60, deadline=None)
@given(
    name=st.text("ab./\\:~\0é ", max_size=12),
    links=st.lists(st.sampled_from(["a", "b", "tables", "plan.json"]), unique=True, max_size=2),
    force=st.booleans(),
)
def test_whatever_the_list_and_the_links_say_the_tree_outside_is_unchanged(tmp_path_factory, name, links, force):
    place = tmp_path_factory.mktemp("law")
    (place / "rep").mkdir()
    (place / "outside").mkdir()
    for file in ("b", "outside/a", "outside/plan.csv", "rep/notes.txt"):
        (place / file).write_bytes(VICTIM)
    for link in links:
        (place / "rep" / link).symlink_to(place / "outside")
    listing(place, name)
    before = tree(place)
    try:
        write_answer(place / "rep", "plan", TEXTS, dict, force=force)
    except ro.OutputError:
        assert tree(place) == before
    outside = {key: value for key, value in tree(place).items() if not key.startswith("rep")}
    assert outside == {key: value for key, value in before.items() if not key.startswith("rep")}


@pytest.mark.parametrize(
    ("step", "at"), [("mkdir", 1), ("mkdir", 3), ("mkdir", 4), ("write_bytes", 1), ("write_bytes", 3)]
)
def test_a_full_disk_leaves_the_folder_as_it_was(place, step, at, monkeypatch):
    write_answer(place / "rep", "plan", {"old.csv": "old"}, dict)
    before = tree(place)
    kept, calls = getattr(Path, step), []

    def full(path: Path, *rest: object, **more: object) -> object:
        calls.append(path)
        if len(calls) == at:
            raise OSError(28, "No space left on device")
        return kept(path, *rest, **more)

    monkeypatch.setattr(Path, step, full)
    with pytest.raises(ro.OutputError, match=r"rep cannot be written: No space left on device"):
        write_answer(place / "rep", "plan", TEXTS, dict)
    monkeypatch.undo()
    assert tree(place) == before


def test_a_folder_above_a_listed_file_that_is_spelled_otherwise_is_refused(place, monkeypatch):
    (place / "rep" / "tables").mkdir()
    (place / "rep" / "tables" / "plan.csv").write_bytes(VICTIM)
    listing(place, "tables/plan.csv")
    spelled = {"tables": ["plan.csv"], "rep": ["Tables", WRITTEN]}
    monkeypatch.setattr(folder_module.os, "listdir", lambda folder: spelled[folder.name])
    assert_refused(place, force=True, match=r"tables is spelled otherwise")


def test_a_file_of_another_verb_that_was_changed_since_is_not_overwritten(place):
    write_answer(place / "rep", "rank", TEXTS, dict)
    (place / "rep" / "plan.json").write_text("mine")
    assert_refused(place, force=False, match=r"plan\.json is not as runoff wrote it")


# ── two calls at once ──────────


def test_what_another_call_wrote_meanwhile_is_not_overwritten(place):
    def figures() -> dict[str, object]:
        write_answer(place / "rep", "plan", TEXTS, dict)
        return {}

    with pytest.raises(ro.OutputError, match=r"another call of `plan` wrote to .* meanwhile; run this one again"):
        write_answer(place / "rep", "plan", {"plan.json": "mine"}, figures)
    assert (place / "rep" / "plan.json").read_text() == "{}"


def test_files_are_handed_over_by_one_call_at_a_time(place, monkeypatch):
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    with locks.locked(place / "rep", "folder"), pytest.raises(ro.OutputError, match="is changing the folder"):
        write_answer(place / "rep", "plan", TEXTS, dict)
    assert not (place / "rep" / "plan.json").exists()
