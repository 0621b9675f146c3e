"""Arrays below names of one to four levels: in HDF5, in MATLAB's structures and cells, in archives of NumPy."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from scipy.io import netcdf_file, savemat

import runoff as ro

pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")

NAMES, TASKS, SEEDS, STEPS = ("ours", "theirs"), ("foo", "bar", "baz"), range(4), np.arange(12) * 1000
CELLS = {a: {t: [10.0 * i + j + r / 8 for r in SEEDS] for j, t in enumerate(TASKS)} for i, a in enumerate(NAMES)}
CUBE = np.array([[CELLS[a][t] for t in TASKS] for a in NAMES])
RISING = {a: np.linspace(0, 1 + i, STEPS.size) for i, a in enumerate(NAMES)}


@pytest.fixture
def hdf5(tmp_path):
    """Write arrays below their names, and return the file."""

    def written(arrays):
        with h5py.File(tmp_path / "runs.h5", "w") as file:
            for name, array in arrays.items():
                file[name] = array
        return tmp_path / "runs.h5"

    return written


def texts(names):
    return np.array(names, dtype=h5py.string_dtype())


@pytest.mark.parametrize(
    "arrays",
    [
        {f"{a}/{t}": np.array(CELLS[a][t]) for a in NAMES for t in TASKS},
        {f"{a}/{t}": np.array([CELLS[a][t]]).T for a in NAMES for t in TASKS},
        {f"{a}/{t}/{s}": CELLS[a][t][s] for a in NAMES for t in TASKS for s in SEEDS},
        {f"{a}/seed_{s}/{t}": CELLS[a][t][s] for a in NAMES for t in TASKS for s in SEEDS},
        {"algorithms": texts(NAMES), "tasks": texts(TASKS), "scores": CUBE},
        {"tasks": texts(TASKS)} | {a: CUBE[i].T for i, a in enumerate(NAMES)},
        {"tasks": texts(TASKS), "algo": texts(NAMES), "seeds": np.array(SEEDS), "returns": CUBE.transpose(2, 0, 1)},
    ],
)
def test_scores_of_hdf5_are_read_below_names_and_beside_names_of_their_axes(hdf5, arrays):
    assert ro.load(hdf5(arrays)).to_dict() == CELLS


def test_a_curve_below_the_names_of_its_run_stands_beside_its_steps(hdf5):
    arrays = {f"{a}/{t}/seed_{s}/returns": RISING[a] + s for a in NAMES for t in TASKS for s in SEEDS}
    arrays |= {f"{name.rpartition('/')[0]}/steps": STEPS for name in arrays}
    file = hdf5(arrays)
    assert {*ro.load(file).to_pandas()["step"]} == {*STEPS.tolist()}
    ends = {a: {t: [RISING[a][-1] + s for s in SEEDS] for t in TASKS} for a in NAMES}
    assert ro.read_scores(file).to_dict() == ends


def test_matrices_below_two_names_are_curves_by_the_axes_that_are_named(hdf5):
    file = hdf5({f"{a}/{t}": np.stack([RISING[a] + s for s in SEEDS]) for a in NAMES for t in TASKS})
    with pytest.raises(ro.DataError, match="say which: dims='run,step'"):
        ro.load(file)
    assert ro.read_scores(file, dims="run,step").cell("theirs", "foo").tolist() == [2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize(
    "content",
    [
        {"results": CELLS},
        CELLS,
        {"algorithms": np.array(NAMES, dtype=object), "tasks": np.array(TASKS, dtype=object), "scores": CUBE},
    ],
)
def test_structures_and_cells_of_matlab_are_names(tmp_path, content):
    savemat(tmp_path / "runs.mat", content)
    assert ro.load(tmp_path / "runs.mat").to_dict() == CELLS


def test_columns_of_matlab_are_a_table(tmp_path):
    rows = [(a, s, CELLS[a]["foo"][s]) for a in NAMES for s in SEEDS]
    method, seed, score = zip(*rows, strict=True)
    savemat(tmp_path / "foo.mat", {"method": np.array(method, dtype=object), "seed": seed, "score": score})
    assert ro.load(tmp_path / "foo.mat").to_dict() == {a: {"task": CELLS[a]["foo"]} for a in NAMES}


def test_steps_of_matlab_stand_beside_matrices_of_curves(tmp_path):
    savemat(tmp_path / "foo.mat", {a: np.stack([RISING[a] + s for s in SEEDS]) for a in NAMES} | {"steps": STEPS})
    assert {*ro.load(tmp_path / "foo.mat").to_pandas()["step"]} == {*STEPS.tolist()}
    assert ro.read_scores(tmp_path / "foo.mat").cell("theirs", "task").tolist() == [2.0, 3.0, 4.0, 5.0]


def test_names_that_an_archive_has_flattened_are_below_each_other(tmp_path):
    np.savez(tmp_path / "runs.npz", **{f"{a}/{t}/seed{s}": CELLS[a][t][s] for a in NAMES for t in TASKS for s in SEEDS})
    assert ro.load(tmp_path / "runs.npz").to_dict() == CELLS


@pytest.mark.parametrize("coordinates", [("method", "dataset", "seed"), ("method_name", "dataset_name", "seed_number")])
def test_the_dimensions_of_netcdf_are_columns_of_names(tmp_path, coordinates):
    sizes = {"method": len(NAMES), "dataset": len(TASKS), "seed": len(SEEDS), "letters": 8}
    with netcdf_file(tmp_path / "runs.nc", "w") as file:
        for name, size in sizes.items():
            file.createDimension(name, size)
        for name, own, labels in zip(sizes, coordinates[:2], (NAMES, TASKS), strict=False):
            letters = np.array([list(label.ljust(8, "\0")) for label in labels], dtype="S1")
            file.createVariable(own, "S1", (name, "letters"))[:] = letters
        file.createVariable(coordinates[2], "i4", ("seed",))[:] = list(SEEDS)
        file.createVariable("score", "f8", ("dataset", "method", "seed"))[:] = CUBE.transpose(1, 0, 2)
    assert ro.load(tmp_path / "runs.nc").to_dict() == CELLS


ROWS = [(a, s, CELLS[a]["foo"][s]) for a in NAMES for s in SEEDS]
FIELDS = ("algo", "seed", "score")


def test_an_array_of_structures_and_a_table_of_hdf5_are_rows(tmp_path, hdf5):
    savemat(tmp_path / "runs.mat", {"runs": np.array(ROWS, dtype=[(name, "O") for name in FIELDS])})
    table = np.array([(a.encode(), s, x) for a, s, x in ROWS], dtype=[("algo", "S9"), ("seed", "i4"), ("score", "f8")])
    whole = {a: {"task": CELLS[a]["foo"]} for a in NAMES}
    assert ro.load(tmp_path / "runs.mat").to_dict() == ro.load(hdf5({"runs": table})).to_dict() == whole


def test_cells_of_numbers_keep_their_shape_and_other_objects_are_refused(tmp_path):
    savemat(tmp_path / "PPO.mat", {"PPO": np.array([[1.5, 2.5], [3.5, 4.5]], dtype=object)})
    assert ro.load(tmp_path / "PPO.mat").n_runs.tolist() == [[2, 2]]
    cells = np.array([np.arange(3.0), np.arange(4.0)], dtype=object)
    savemat(tmp_path / "odd.mat", {"a": {"b": cells}, "c": {"b": cells}})
    with pytest.raises(ro.DataError, match="array a/b must hold numbers, not object"):
        ro.load(tmp_path / "odd.mat")


def test_matrices_of_matlab_in_hdf5_are_the_transpose_and_a_file_says_of_what_all_its_arrays_are(tmp_path):
    with h5py.File(tmp_path / "runs.mat", "w", userblock_size=512) as file:
        for name in NAMES:
            file[name] = CUBE[NAMES.index(name)][:2]
            file[name].attrs["MATLAB_class"] = np.bytes_("double")
    shown = {a: {f"task {j + 1}": CELLS[a][t] for j, t in enumerate(TASKS[:2])} for a in NAMES}
    assert ro.load(tmp_path / "runs.mat").to_dict() == shown
    with h5py.File(tmp_path / "runs.h5", "w") as file:
        file.attrs["env"] = "Hopper-v4"
        file.attrs["author"] = "nobody"
        for name in NAMES:
            file[name] = CELLS[name]["foo"]
    assert ro.load(tmp_path / "runs.h5").to_dict() == {a: {"Hopper-v4": CELLS[a]["foo"]} for a in NAMES}


def test_several_numbers_below_the_name_of_a_run_in_an_archive_are_asked_about(tmp_path):
    arrays = {f"{a}/{t}/seed{s}": np.arange(3.0) + s for a in NAMES for t in TASKS for s in SEEDS}
    np.savez(tmp_path / "runs.npz", **arrays)
    with pytest.raises(ro.DataError, match="if what is below a name are evaluations of this run, save their steps"):
        ro.load(tmp_path / "runs.npz")
