"""Archives, workbooks and stores: what they hold is read as if it lay beside them, within bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff.reading import _streams

TIDY = "algorithm,task,seed,score\n" + "".join(
    f"{a},{t},{i},{round(40 + 3 * i + len(a + t) / 3, 12)}\n"
    for a in ("PPO", "SAC2")
    for t in ("x", "yy")
    for i in range(3)
)
CURVE = "step,return\n" + "".join(f"{1000 * i},{i}.5\n" for i in range(4))


@pytest.fixture
def whole(put):
    return ro.read_scores(put("whole.csv", TIDY))


def frame() -> pl.DataFrame:
    return pl.read_csv(io.StringIO(TIDY))


def folder_of_runs() -> dict[str, str]:
    return {f"{a}/Hopper-v4/seed_{s}.csv": CURVE for a in ("PPO", "SAC") for s in range(2)}


def zipped(files: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def tarred(files: dict[str, str], mode: str = "w:gz", link: str = "") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content.encode()))
        if link:
            member = tarfile.TarInfo("link.csv")
            member.type, member.linkname = tarfile.SYMTYPE, link
            archive.addfile(member)
    return out.getvalue()


def zstd(data: bytes) -> bytes:
    return pytest.importorskip("zstandard").ZstdCompressor().compress(data)


@pytest.mark.parametrize(("suffix", "pack"), [(".bz2", bz2.compress), (".xz", lzma.compress), (".zst", zstd)])
def test_a_compressed_table_is_read(put, whole, suffix, pack):
    assert ro.read_scores(put(f"runs.csv{suffix}", pack(TIDY.encode()))) == whole
    with pytest.raises(ro.DataError, match=r"damaged|cut off"):
        ro.read_scores(put(f"cut.csv{suffix}", pack(TIDY.encode())[:40]))
    with pytest.raises(ro.DataError, match=f"the name ends in {suffix}, but the content is not compressed"):
        ro.read_scores(put(f"plain.csv{suffix}", TIDY))


@pytest.mark.parametrize(
    "pack", [lambda files: zipped(files), tarred, lambda files: tarred(files, "w:xz"), lambda files: tarred(files, "w")]
)
@pytest.mark.parametrize("top", ["", "runs/"])
def test_an_archive_of_a_folder_is_read_as_the_folder(put, pack, top):
    file = put("grid.tar.gz", pack({top + name: content for name, content in folder_of_runs().items()}))
    curves = ro.read_curves(file)
    assert (curves.algorithms, curves.tasks, curves.run_labels) == (
        ("PPO", "SAC"),
        ("Hopper-v4",),
        ("0", "1", "0", "1"),
    )
    assert curves.provenance.path == str(file)


def test_an_archive_of_one_table_is_that_table(put, whole):
    assert ro.read_scores(put("runs.zip", zipped({"runs.csv": TIDY}))) == whole


def test_refusals_speak_of_the_archive_and_nothing_is_left_behind(put, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with pytest.raises(ro.DataError, match=r"runs\.zip/runs\.csv, line 2: the score"):
        ro.read_scores(put("runs.zip", zipped({"runs.csv": "algorithm,score\nPPO,bad\n", "more.csv": TIDY})))
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize("name", ["../out.csv", "/etc/out.csv", "a/../../out.csv", "a\\..\\out.csv"])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_names_that_lead_out_of_an_archive_are_refused(put, tmp_path, name, pack):
    with pytest.raises(ro.DataError, match="a path that leads out of the archive"):
        ro.read_scores(put("in/runs.zip", pack({name: TIDY})))
    assert not list(tmp_path.rglob("out.csv"))


def test_links_in_archives_are_refused(put):
    with pytest.raises(ro.DataError, match="a link or a device, not a file"):
        ro.read_scores(put("runs.tar.gz", tarred({"a.csv": TIDY}, link="/etc/passwd")))
    info = zipfile.ZipInfo("link.csv")
    info.external_attr = 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(ro.DataError, match=r"'link.csv' is a link"):
        ro.read_scores(put("runs.zip", out.getvalue()))


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_archives_are_bounded_in_bytes_and_files_before_they_are_unpacked(put, monkeypatch, pack):
    file = put("runs.zip", pack({f"{i}.csv": TIDY for i in range(4)}))
    monkeypatch.setenv("RUNOFF_MAX_FILES", "3")
    with pytest.raises(ro.DataError, match="the archive holds 4 files"):
        ro.read_scores(file)
    monkeypatch.delenv("RUNOFF_MAX_FILES")
    monkeypatch.setenv("RUNOFF_MAX_BYTES", str(2 * len(TIDY)))
    with pytest.raises(ro.DataError, match=r"unpacked, the archive has \d+ bytes"):
        ro.read_scores(file)


def test_a_file_without_a_name_in_an_archive_is_refused(put):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("a.csv", ""):
            with archive.open(zipfile.ZipInfo(name), "w") as file:
                file.write(b"algo,score\nA,1\n")
    with pytest.raises(ro.DataError, match="a file in it has no name"):
        ro.load(put("runs.zip", out.getvalue()))


def test_a_zip_bomb_is_refused(put, monkeypatch):
    monkeypatch.setenv("RUNOFF_MAX_BYTES", "1000000")
    with pytest.raises(ro.DataError, match="unpacked, the archive has 5000000 bytes"):
        ro.read_scores(put("bomb.zip", zipped({"runs.csv": bytes(5_000_000)})))
    with pytest.raises(ro.DataError, match="there are 1000001 bytes or more"):
        ro.read_scores(put("bomb.csv.bz2", bz2.compress(bytes(5_000_000))))


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_a_packed_file_that_becomes_far_larger_is_refused_before_it_fills_the_memory(put, monkeypatch, suffix, pack):
    monkeypatch.setattr(_streams, "UNSUSPICIOUS", 100_000)
    rows = b"algorithm,score\n" + b"PPO,1\n" * 50_000
    with pytest.raises(
        ro.DataError, match=r"unpacked: \d+ bytes unpack to more than 1\d{5}, .*unpack it and name the unpacked file"
    ):
        ro.read_scores(put(f"bomb.csv{suffix}", pack(rows)))
    assert ro.read_scores(put("bomb.csv", rows[:20_014])).n_runs.tolist() == [[3_333]]


def test_a_damaged_archive_is_refused_in_a_sentence(put):
    data = bytearray(zipped({"runs.csv": TIDY * 50, "b.csv": TIDY}))
    data[60:90] = bytes(30)
    with pytest.raises(ro.DataError, match="the archive is damaged"):
        ro.read_scores(put("runs.zip", bytes(data)))


def test_scan_looks_into_an_archive(put):
    progress = "Epoch\tAverageEpRet\tTotalEnvInteracts\n0\t12.5\t4000\n1\t20.0\t8000\n"
    file = put("logs.zip", zipped({f"PPO/Hopper-v4/s{s}/progress.txt": progress for s in range(2)}))
    survey = ro.scan(str(file))
    assert [(row.algorithm, row.task, row.run) for row in survey.rows] == [
        ("PPO", "Hopper-v4", "0"),
        ("PPO", "Hopper-v4", "1"),
    ]


# ── workbooks ──────────


def workbook(path: Path, sheets: dict[str, list[list[object]]]) -> Path:
    pytest.importorskip("fastexcel")
    book = pytest.importorskip("openpyxl").Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def cells() -> list[list[object]]:
    return [list(frame().columns), *map(list, frame().rows())]


def test_a_workbook_is_read_with_all_digits(put, tmp_path, whole):
    assert ro.read_scores(workbook(tmp_path / "runs.xlsx", {"a": cells()})) == whole
    rows = [["algorithm", "score"], ["PPO", 0.123456789012345], ["SAC", 1.25e-12]]
    scores = ro.read_scores(workbook(tmp_path / "digits.xlsx", {"a": rows}))
    assert scores.to_dict() == {"PPO": {"task": [0.123456789012345]}, "SAC": {"task": [1.25e-12]}}


def test_heads_of_two_lines_with_merged_cells_are_read(tmp_path):
    rows = [["Task", "PPO", None, "SAC", None], [None, 1, 2, 1, 2], ["Pong", 1.5, 2, 3, 4], ["Boxing", 3, 4, 5, 6]]
    file = workbook(tmp_path / "runs.xlsx", {"a": rows})
    book = pytest.importorskip("openpyxl").load_workbook(file)
    for merged in ("A1:A2", "B1:C1", "D1:E1"):
        book.active.merge_cells(merged)
    book.save(file)
    expected = {"PPO": {"Pong": [1.5, 2], "Boxing": [3, 4]}, "SAC": {"Pong": [3, 4], "Boxing": [5, 6]}}
    assert ro.read_scores(file).to_dict() == expected


def test_a_title_and_merged_cells_of_a_sheet_are_understood(tmp_path, whole):
    rows = cells()
    merged = [[row[0] if i % 6 == 0 else None, *row[1:]] for i, row in enumerate(rows[1:])]
    assert ro.read_scores(workbook(tmp_path / "runs.xlsx", {"a": [["Results"], [], rows[0], *merged]})) == whole


def test_several_sheets_are_asked_for_and_empty_ones_are_none(tmp_path, whole):
    assert ro.read_scores(workbook(tmp_path / "one.xlsx", {"a": cells(), "Sheet2": []})) == whole
    file = workbook(tmp_path / "runs.xlsx", {"main": cells(), "ablation": cells()})
    with pytest.raises(ro.DataError, match=r"2 sheets \('main', 'ablation'\); name the one to read: sheet='main'"):
        ro.read_scores(file)
    assert ro.read_scores(file, sheet="main") == whole
    with pytest.raises(ro.OptionError, match=r"there is no sheet 'mian'.*Did you mean 'main'"):
        ro.load(file, sheet="mian")


def test_a_refusal_names_the_row_of_the_sheet(tmp_path):
    with pytest.raises(ro.DataError, match=r"runs.xlsx, row 3: the score .* is 'bad'"):
        ro.read_scores(workbook(tmp_path / "runs.xlsx", {"a": [["algorithm", "score"], ["PPO", 1.5], ["PPO", "bad"]]}))


# ── stores ──────────


def test_the_table_of_a_database_is_read_and_of_several_one_is_asked_for(tmp_path, whole):
    file = tmp_path / "runs.sqlite"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE runs (algorithm, task, seed, score)")
        database.executemany("INSERT INTO runs VALUES (?, ?, ?, ?)", frame().rows())
        database.execute("CREATE TABLE settings (name, content)")
    database.close()
    assert ro.read_scores(file) == whole
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE old AS SELECT * FROM runs")
        database.execute(
            "CREATE VIEW endless AS WITH RECURSIVE c(score) AS (SELECT 1 UNION ALL SELECT score FROM c) SELECT score FROM c"
        )
    database.close()
    with pytest.raises(ro.DataError, match=r"2 tables .*\('old', 'runs'\); name the one to read: table='old'"):
        ro.read_scores(file)
    assert ro.read_scores(file, table="runs") == whole


def test_arrays_of_hdf5_are_read_by_algorithm_or_below_two_names(tmp_path):
    h5py = pytest.importorskip("h5py")
    arrays = {name: np.random.default_rng(i).normal(size=(4, 2)) for i, name in enumerate(("PPO", "SAC"))}
    with h5py.File(tmp_path / "flat.h5", "w") as flat, h5py.File(tmp_path / "deep.h5", "w") as deep:
        for name, array in arrays.items():
            flat[name] = array
            deep[f"{name}/Pong"], deep[f"{name}/Alien"] = array[:, 0], array[:, 1]
    assert ro.read_scores(tmp_path / "flat.h5").cell("SAC", "task 2").tolist() == arrays["SAC"][:, 1].tolist()
    assert ro.read_scores(tmp_path / "deep.h5").cell("SAC", "Alien").tolist() == arrays["SAC"][:, 1].tolist()


@pytest.mark.parametrize("measures", [("returns",), ("returns", "lengths"), ("lengths", "returns")])
def test_a_third_name_of_hdf5_is_no_part_of_a_name_where_all_have_it_and_refused_elsewhere(tmp_path, measures):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "runs.h5", "w") as file:
        for at, name in enumerate(("PPO/Alien", "PPO/Pong", "SAC/Alien", "SAC/Pong")):
            for measure in measures:
                file[f"{name}/{measure}"] = np.arange(3.0) + at + 100 * (measure == "lengths")
    if len(measures) > 1:
        with pytest.raises(ro.DataError, match=r"scores by algorithm and task are needed; found .*/lengths"):
            ro.read_scores(tmp_path / "runs.h5")
    else:
        assert ro.read_scores(tmp_path / "runs.h5").cell("SAC", "Pong").tolist() == [3.0, 4.0, 5.0]


def test_a_link_of_hdf5_to_another_file_is_not_followed(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "secret.h5", "w") as secret, h5py.File(tmp_path / "runs.h5", "w") as runs:
        secret["PPO"] = np.ones(3)
        runs["PPO"] = h5py.ExternalLink(str(tmp_path / "secret.h5"), "/PPO")
    with pytest.raises(ro.DataError, match="the file holds no array"):
        ro.read_scores(tmp_path / "runs.h5")


def test_arrays_of_matlab_are_read(tmp_path):
    from scipy.io import savemat

    array = np.random.default_rng(0).normal(size=(4, 2))
    savemat(tmp_path / "runs.mat", {"PPO": array, "SAC": array + 1})
    assert ro.read_scores(tmp_path / "runs.mat").cell("SAC", "task 1").tolist() == (array[:, 0] + 1).tolist()


def test_a_stream_of_arrow_is_read(tmp_path, whole):
    frame().write_ipc_stream(tmp_path / "runs.arrow")
    assert ro.read_scores(tmp_path / "runs.arrow") == whole


def test_labels_beside_arrays_name_them(tmp_path, whole):
    columns = {name: np.array(values) for name, values in frame().to_dict(as_series=False).items()}
    np.savez(tmp_path / "columns.npz", **columns)
    assert ro.read_scores(tmp_path / "columns.npz") == whole
    scores = np.random.default_rng(0).normal(size=(2, 5, 3))
    np.savez(tmp_path / "axes.npz", scores=scores, algorithms=np.array(["PPO", "SAC"]), tasks=np.array(["a", "b", "c"]))
    assert ro.read_scores(tmp_path / "axes.npz").cell("SAC", "c").tolist() == scores[1, :, 2].tolist()
    np.savez(
        tmp_path / "square.npz",
        scores=scores[:, :2, :2],
        algorithms=np.array(["PPO", "SAC"]),
        tasks=np.array(["a", "b"]),
    )
    with pytest.raises(ro.DataError, match=r"nothing says which axes of array .*; save one array for each"):
        ro.read_scores(tmp_path / "square.npz")


def test_an_array_with_more_numbers_than_its_header_promises_is_refused(tmp_path):
    np.save(tmp_path / "PPO.npy", np.arange(5.0))
    (tmp_path / "PPO.npy").write_bytes((tmp_path / "PPO.npy").read_bytes() + bytes(8))
    with pytest.raises(ro.DataError, match="promises 40 bytes, and 8 more follow"):
        ro.read_scores(tmp_path / "PPO.npy")


def test_an_address_is_refused_with_the_command_that_fetches_it():
    with pytest.raises(
        ro.DataError, match=r"runoff downloads nothing; download it with curl -LO 'https://example.org/a b.csv'"
    ):
        ro.read_scores("https://example.org/a b.csv")


def test_a_pickle_is_refused_with_the_lines_that_save_it(put):
    with pytest.raises(ro.DataError, match=r"never loaded.*pd.read_pickle\('runs.pkl'\).to_csv\('runs.csv'\)"):
        ro.read_scores(put("runs.pkl", b"\x80\x04\x95\x00"))


@pytest.mark.parametrize("block", [0, 512])
def test_a_file_of_hdf5_is_known_by_its_content_where_a_block_of_the_user_stands_before_it(tmp_path, block):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "runs.h5", "w", userblock_size=block) as file:
        file["PPO"], file["SAC"] = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    (tmp_path / "runs").write_bytes((tmp_path / "runs.h5").read_bytes())
    for name in ("runs.h5", "runs"):
        assert ro.read_scores(tmp_path / name).to_dict() == {"PPO": {"task": [1, 2]}, "SAC": {"task": [3, 4]}}


@pytest.mark.parametrize(
    ("names", "role"), [(("PPO", "SAC"), "algorithm"), (("Hopper", "Ant"), "task"), (("Seed 0", "Seed 1"), "run")]
)
def test_sheets_of_one_kind_are_read_together_and_named_by_their_role(tmp_path, names, role):
    heads = [name for name in ("algorithm", "task", "run") if name != role]
    own = {"algorithm": ("PPO", "SAC"), "task": ("Pong", "Qbert"), "run": (0, 1)}
    rows = [[a, b] for a in own[heads[0]] for b in own[heads[1]]]
    sheets = {
        name: [[*heads, "score"], *([*row, 10.5 * k + i] for i, row in enumerate(rows))] for k, name in enumerate(names)
    }
    scores = ro.read_scores(workbook(tmp_path / "runs.xlsx", sheets))
    assert scores.n_runs.sum() == 8
    shown = {str(label).removeprefix("Seed ") for label in scores.to_frame()[role]}
    assert shown == {name.removeprefix("Seed ") for name in names}
    blocks = [row for name, own in sheets.items() for row in ([name], *own, [])]
    assert ro.read_scores(workbook(tmp_path / "blocks.xlsx", {"a": blocks})) == scores


def test_sheets_that_hold_no_runs_are_left_out_with_a_warning_each(tmp_path, whole):
    sheets = {
        "README": [["Results of a project"], ["by us"]],
        "data": cells(),
        "summary": [["algorithm", "mean"], ["PPO", 1.5]],
    }
    file = workbook(tmp_path / "runs.xlsx", sheets)
    with pytest.warns(
        ro.RunoffWarning, match=r"left out: sheet '(README|summary)', which (holds no|sums up)"
    ) as warned:
        assert ro.read_scores(file) == whole
    assert len(warned) == 2
    sheets["other"] = [["algorithm", "x", "y"], ["PPO", 1, 2]]
    with pytest.raises(ro.DataError, match=r"2 sheets .*name the one to read: sheet='data'"):
        ro.read_scores(workbook(tmp_path / "four.xlsx", sheets))


@pytest.mark.parametrize("name", ["a.yaml", "a.yml"])
def test_numbers_for_names_in_yaml_are_names(put, name):
    text = "PPO:\n  Pong:\n    0: 1.5\n    1: 2.5\nSAC:\n  Pong:\n    0: 3.5\n    1: 4.5\n"
    scores = ro.read_scores(put(name, text))
    assert scores.to_dict() == {"PPO": {"Pong": [1.5, 2.5]}, "SAC": {"Pong": [3.5, 4.5]}}
    assert scores.run_labels == ("0", "1", "0", "1")
