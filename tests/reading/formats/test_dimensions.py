"""Laws of netCDF, both as it was before version 4 and as HDF5: names along dimensions are roles, and what nobody knows is refused."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff.reading.formats.dimensions import table_along

LETTERS = {"algorithm": ["ppo", "sac"], "env": ["hopper", "walker"]}
SIZES = {"algorithm": 2, "env": 2, "seed": 5, "step": 3, "run": 4, "x": 2, "draw": 6}


def along(name):
    return LETTERS.get(name) or [7 + 10 * i for i in range(SIZES[name])]


def old(path, arrays, bare):
    from scipy.io import netcdf_file

    with netcdf_file(path, "w") as file:
        for name in dict.fromkeys(name for own, _ in arrays.values() for name in own):
            file.createDimension(name, SIZES[name])
            if name in LETTERS:
                file.createDimension(f"letters_{name}", 6)
                letters = file.createVariable(name, "c", (name, f"letters_{name}"))
                letters[:] = np.array([list(text.ljust(6)) for text in LETTERS[name]], dtype="S1")
            elif not bare:
                file.createVariable(name, "i", (name,))[:] = along(name)
        for name, (own, array) in arrays.items():
            file.createVariable(name, "d", own)[:] = array


def new(path, arrays, bare):
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        for name in dict.fromkeys(name for own, _ in arrays.values() for name in own):
            texts = name in LETTERS
            file[name] = np.array(along(name), dtype=object if texts else np.int64)
            file[name].make_scale(
                "This is a netCDF dimension but not a netCDF variable" if bare and not texts else name
            )
        for name, (own, array) in arrays.items():
            file[name] = array
            for at, dimension in enumerate(own):
                file[name].dims[at].attach_scale(file[dimension])


def noise(*names):
    return (
        np.random.default_rng(len(names))
        .permutation(np.prod([SIZES[n] for n in names]))
        .reshape([SIZES[n] for n in names])
    )


@pytest.mark.parametrize("write", [old, new])
@pytest.mark.parametrize(
    "own", [("algorithm", "seed"), ("seed", "algorithm"), ("env", "algorithm", "seed"), ("seed", "env", "algorithm")]
)
def test_names_along_the_dimensions_of_an_array_are_those_of_its_scores(tmp_path, write, own):
    array = noise(*own)
    write(tmp_path / "r.nc", {"return": (own, array)}, bare=False)
    kept = [name for name in ("algorithm", "env", "seed") if name in own]
    cells = array.transpose([own.index(name) for name in kept]).reshape(2, -1, 5)
    tasks = LETTERS["env"] if "env" in own else ["task"]
    expected = {a: {t: cells[i, j].tolist() for j, t in enumerate(tasks)} for i, a in enumerate(LETTERS["algorithm"])}
    assert ro.load(tmp_path / "r.nc").to_dict() == expected


@pytest.mark.parametrize("write", [old, new])
@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("own", [("seed",), ("run", "step"), ("step", "run")])
def test_arrays_by_name_along_runs_and_steps_are_of_algorithms(tmp_path, write, bare, own):
    arrays = {name: (own, noise(*own) + at) for at, name in enumerate(("ppo", "sac"))}
    write(tmp_path / "r.nc", arrays, bare=bare)
    loaded = ro.load(tmp_path / "r.nc")
    final = loaded.final(1) if "step" in own else loaded
    last = {
        name: np.take(array, -1, axis=own.index("step")) if "step" in own else array
        for name, (_, array) in arrays.items()
    }
    assert final.to_dict() == {name: {"task": array.tolist()} for name, array in last.items()}


@pytest.mark.parametrize("write", [old, new])
@pytest.mark.parametrize("own", [("x", "draw"), ("draw", "seed")])
def test_dimensions_that_nobody_knows_are_refused_and_no_algorithms(tmp_path, write, own):
    write(tmp_path / "r.nc", {"mu": (own, noise(*own)), "sigma": (own, noise(*own))}, bare=False)
    with pytest.raises(ro.DataError, match="nothing says what stands along"):
        ro.load(tmp_path / "r.nc")


@pytest.mark.parametrize("texts", ["U", "S", object])
def test_texts_of_any_kind_along_dimensions_name_what_stands_there_and_are_no_scores(texts):
    own, scores = ("algorithm", "seed"), np.arange(6.0).reshape(2, 3)
    names, words = np.array(["ppo", "sac"]).astype(texts), np.full((2, 3, 2), "x").astype(texts)
    variables = {"algorithm": (("algorithm",), names), "score": (own, scores), "remark": ((*own, "part"), words)}
    table = table_along(variables, "a.nc")
    assert table.columns["score"] == scores.ravel().tolist()
    assert table.columns["algorithm"] == np.repeat(names, 3).tolist()
    assert table.columns["seed"] == [0, 1, 2] * 2


@pytest.mark.parametrize("version", [1, 2])
def test_packed_numbers_are_unpacked_and_arrays_of_fewer_dimensions_are_named(tmp_path, version):
    from scipy.io import netcdf_file

    with netcdf_file(tmp_path / "r.nc", "w", version=version) as file:
        for name, size in (("algorithm", 2), ("seed", 3), ("letters", 5)):
            file.createDimension(name, size)
        names = file.createVariable("algorithm", "c", ("algorithm", "letters"))
        names[:] = np.array([list("ppo\0\0"), list("sac\0\0")], dtype="S1")
        scores = file.createVariable("score", "h", ("algorithm", "seed"))
        scores[:], scores.scale_factor, scores.add_offset = np.arange(6).reshape(2, 3), 0.5, 10.0
        for name in ("budget", "elapsed"):
            file.createVariable(name, "d", ())[...] = 4.0
    loaded = ro.load(tmp_path / "r.nc")
    assert loaded.to_dict() == {"ppo": {"task": [10.0, 10.5, 11.0]}, "sac": {"task": [11.5, 12.0, 12.5]}}
    assert any("left out: 'budget', 'elapsed', which have fewer" in note for note in loaded.provenance.notes)
