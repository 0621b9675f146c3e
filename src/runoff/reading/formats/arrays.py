"""Conversion of arrays by name (from NumPy's archives, HDF5, MATLAB, JSON), and of one array in a file of NumPy, to tables. Pickled objects
are never loaded.

Arrays by name are rliable's dictionary, {algorithm: (n_runs, n_tasks)} or (n_runs,) or (n_runs, n_tasks, n_steps); one array holds the runs
(by task, by step) of one algorithm, named by the file.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.reading._axes import axes_of, refuse_matrices
from runoff.reading._known import named_run
from runoff.reading.formats.base import Format, Source, named_row, of_cost, structural
from runoff.reading.formats.curves import columns_of, curves_beside_steps, scores_alone, stacked
from runoff.tables.columns import NAMED, listed
from runoff.tables.likely import candidates
from runoff.tables.missing import may_have_scores
from runoff.tables.nested import PROGRESS
from runoff.tables.source import SourceTable
from runoff.tables.unnamed import LIKE_TASKS
from runoff.words.columns import names_runs
from runoff.words.labels import counts_runs
from runoff.words.numbers import span
from runoff.words.scoring import score_of
from runoff.words.speech import option
from runoff.words.words import kind, words

ARRAY, ARCHIVE = b"\x93NUMPY", b"PK\x03\x04"
"""First bytes of a file of one array, and of an archive."""
SHAPES = {1: "(n_runs,)", 2: "(n_runs, n_tasks)", 3: "(n_runs, n_tasks, n_steps)"}


def load(data: bytes, place: str) -> Any:
    """Return the content of the bytes as read by NumPy; refuse pickled objects unread, and arrays and archives that unpack to too much."""
    # NumPy would take any other bytes for a pickle and say so, which helps nobody; a pickle itself, \x80, goes on to
    # its refusal.
    if data.startswith(ARRAY):
        _check_header(io.BytesIO(data), len(data), place)
    elif data.startswith(b"PK"):
        _check_archive(data, place)
    elif not data.startswith(b"\x80"):
        raise DataError(f"{place}: this is not a NumPy file: its first bytes are {data[:6]!r}.")
    try:
        return np.load(io.BytesIO(data), allow_pickle=False)
    # Not a fault of the file: the refusals below would call it damaged.
    except MemoryError:
        raise
    except Exception as error:  # NumPy names no error of its own: a damaged file may raise any
        raise damaged(error, place) from error


def _check_archive(data: bytes, place: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            refuse_beyond("columns", len(members), f"{place}: the archive holds {len(members)} arrays")
            # A zip of some kB may unpack to many GB, and NumPy unpacks each array when it is asked for.
            unpacked = sum(member.file_size for member in members)
            refuse_beyond("bytes", unpacked, f"{place}: unpacked, the archive has {unpacked} bytes")
            for member in members:
                with archive.open(member) as stream:
                    _check_header(stream, member.file_size, f"{place}, array {member.filename.removesuffix('.npy')!r}")
    except DataError:
        raise
    except Exception as error:  # as in `load`
        raise damaged(error, place) from error


def _check_header(stream: IO[bytes], size: int, place: str) -> None:
    """Refuse an array whose header does not match its content, because NumPy would allocate memory for it before reading."""
    try:
        first = np.lib.format.read_magic(stream) == (1, 0)
        read = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(stream)
    except Exception as error:  # as in `load`
        raise damaged(error, place) from error
    promised, left = math.prod(shape) * dtype.itemsize, size - stream.tell()
    # Arrays of objects are pickles, whose size their header does not tell; `load` refuses them. Of more than was promised the
    # shape, or the numbers, are of another array.
    if not dtype.hasobject and promised != left:
        has = f"it has {left}" if promised > left else f"{left - promised} more follow"
        raise DataError(f"{place}: this is not a whole NumPy file: its header promises {promised} bytes, and {has}.")
    refuse_beyond("values", math.prod(shape), f"{place}: the array has {math.prod(shape)} values")


def damaged(error: Exception, place: str) -> DataError:
    """Return the refusal for a file that NumPy could not read."""
    if "pickle" in str(error).casefold():
        message = f"{place}: the array holds pickled Python objects, which are never loaded; save plain numbers (dtype float64)."
        return DataError(message)
    message = f"{place}: this is not a whole NumPy file: {str(error).splitlines()[0] if str(error) else error!r}."
    return DataError(message)


def arrays_table(
    arrays: Mapping[Any, NDArray[Any]], place: str, named_axes: tuple[str, ...] | None = None, score: str = ""
) -> SourceTable:
    """Return the table of {name: array} with the axes run, task, step, or those named. A name of None stands for the name of the file; score:
    what the file calls its array then."""
    for name, array in arrays.items():
        called = "the array" if name is None else f"array {name!r}"
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
            raise DataError(f"{place}: {called} must hold numbers, not {getattr(array, 'dtype', 'raw bytes')}.")
        if array.ndim not in SHAPES:
            raise DataError(
                f"{place}: {called} must have a shape {' or '.join(SHAPES.values())}, but its shape is {array.shape}."
            )
        if array.size == 0:
            raise DataError(f"{place}: {called} has no scores (shape {array.shape}).")
    # Algorithms may differ in their number of runs and in nothing else.
    first = next(iter(arrays))
    called = "the array" if first is None else f"array {first!r}"
    axes = axes_of(called, arrays[first].shape, named_axes, place)
    for name, array in arrays.items():
        sizes = zip(axes, arrays[first].shape, array.shape, strict=False)
        if array.ndim != len(axes) or any(axis != "run" and n != other for axis, n, other in sizes):
            raise DataError(
                f"{place}: arrays {first!r} and {name!r} differ in tasks or steps: shapes {arrays[first].shape} and {array.shape}; "
                "all axes but that of the runs must agree."
            )
    # Only two axes are in doubt: one are runs, and three have steps for the last.
    if named_axes is None and len(axes) == 2:
        refuse_matrices([array.astype(np.float64) for array in arrays.values()], called, place, score)
    parts = [columns_of(name, array, axes) for name, array in arrays.items()]
    columns = stacked(parts)
    usual = f"arrays {SHAPES[arrays[first].ndim]}: the first axis is taken as runs"
    if len(axes) == 2 and arrays[first].shape[1] > 1:
        n_runs, n_tasks = span([len(array) for array in arrays.values()]), arrays[first].shape[1]
        usual += f", {n_runs} runs x {n_tasks} tasks; {option('dims', 'run,step')} if the second axis holds evaluations of one task"
    if len(axes) == 3:
        usual += f", the second as tasks, the third as steps; {option('dims', 'task,run,step')} names them otherwise"
    note = f"arrays: their axes are {', '.join(axes)}, by request" if named_axes else usual
    # Runs are counted along an axis, unless the user named the axes and they are no plain list of runs.
    entries = axes[0] == "run" and "step" not in axes if named_axes else True
    return structural(place, columns, note, entries=entries, by_axes=named_axes is not None)


def table_of_arrays(arrays: Mapping[str, NDArray[Any]], source: Source) -> SourceTable:
    """Return the table of the arrays of a file by name: of algorithms, of curves beside their steps, of columns, or of scores beside the names
    along their axes."""
    if (scalars := {name: array for name, array in arrays.items() if _is_scalar(name, array)}) and len(arrays) > 1:
        return _beside_scalars(arrays, scalars, source)
    named = _names_of_runs(arrays)
    if any(array.dtype.kind in "US" for name, array in arrays.items() if name != named):
        named = ""
    rest = {name: array for name, array in arrays.items() if name != named}
    if (table := labelled_arrays(rest, source.place)) is not None:
        return table
    return _with_runs(_of_arrays(rest, source), named, arrays[named]) if named else _of_arrays(arrays, source)


def _is_scalar(name: str, array: NDArray[Any]) -> bool:
    # MATLAB has no single values, but arrays of one.
    return array.ndim == 0 or (array.size == 1 and (array.dtype.kind in "US" or kind(name) in PROGRESS))


def _beside_scalars(
    arrays: Mapping[str, NDArray[Any]], scalars: Mapping[str, NDArray[Any]], source: Source
) -> SourceTable:
    """Return the table of arrays beside single values, which may name their algorithm, task and run; of single values alone that of a run, or
    of algorithms with one run each."""
    values = {name: _texts(array.reshape(-1))[0] for name, array in scalars.items()}
    rest = {name: array for name, array in arrays.items() if name not in scalars}
    if not rest and score_of(list(arrays)):
        columns = {name: array.reshape(-1).tolist() for name, array in arrays.items()}
        return SourceTable(
            columns=columns | {n: [v] for n, v in values.items() if scalars[n].dtype.kind in "US"}, place=source.place
        )
    if not rest:
        return table_of_arrays({name: array.reshape(-1) for name, array in arrays.items()}, source)
    table = table_of_arrays(rest, source)
    task = next((name for name in values if _names(name, "task")), "")
    if task and not table.by_axes and "task 2" in table.columns.get("task", ()):
        raise DataError(
            f"{source.place}: {task!r} names the task {values[task]!r}, so the second axis of the arrays does not count tasks; use "
            f"{option('dims', 'run,step')}, or {option('dims', 'step,run')}."
        )
    named = {role: name for role in NAMED for name in values if _names(name, role) and role not in table.columns}
    named = {role: name for role, name in named.items() if role not in table.keys.values() and table.structural}
    if "run" in named and table.entries:
        del named["run"]
    columns = {role: [values[name]] * table.n_rows for role, name in named.items()}
    left = [name for name in values if name not in named.values()]
    notes = [f"{name!r} names the {role}" for role, name in named.items()]
    notes += [f"left out: single values {listed(left)}"] * bool(left)
    return table.noted(*notes, columns={**table.columns, **columns}, row=named_row({**table.columns, **columns}))


def _names_of_runs(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the array of as many names, or whole numbers, each another, as there are runs: `seeds`; "" where there is none."""
    others = [array for name, array in arrays.items() if not _are_runs(name)]
    common = set.intersection(*({*array.shape} for array in others)) if others else set[int]()
    sizes = common | {n for array in others if array.ndim > 1 for n in array.shape}
    named = filter(_are_runs, arrays)
    return next((n for n in named if arrays[n].ndim == 1 and len({*arrays[n].tolist()}) == arrays[n].size in sizes), "")


def _with_runs(table: SourceTable, named: str, names: NDArray[Any]) -> SourceTable:
    """Return the table whose runs, which were counted, are called by their names."""
    labels = dict(zip(map(str, range(names.size)), _texts(names), strict=True))
    if {*table.columns.get("run", ())} != labels.keys():
        return table.noted(f"array {named!r} only names the runs")
    columns = {**table.columns, "run": [labels[run] for run in table.columns["run"]]}
    return table.noted(f"array {named!r} names the runs", columns=columns, row=named_row(columns), entries=False)


def _are_runs(name: str) -> bool:
    return names_runs(name.removesuffix("_names").removesuffix("s")) or names_runs(name) or counts_runs(name)


def counts_along(name: str) -> bool:
    """Return whether an array of this name numbers the runs, or the steps, of others."""
    return _are_runs(name) or kind(name) in PROGRESS


def _of_arrays(arrays: Mapping[str, NDArray[Any]], source: Source) -> SourceTable:
    score, beside = scores_alone(arrays)
    if score:
        _check_alone(arrays, score, source)
    arrays = {name: array for name, array in arrays.items() if name not in beside}
    alone = score or ("arr_0" if [*arrays] == ["arr_0"] else "")  # the only array, to which no name was given
    if (table := curves_beside_steps(arrays, source.place, source.axes)) is None and alone:
        table = arrays_table({None: arrays[alone]}, source.place, source.axes, alone)
    if table is not None:
        notes = [f"left out: arrays {listed(beside)}, which are others than the scores, {score!r}"][: len(beside)]
        return of_cost(table.noted(*notes), score)
    return arrays_table(arrays, source.place, source.axes)


def _check_alone(arrays: Mapping[str, NDArray[Any]], score: str, source: Source) -> None:
    """Refuse steps that are not those of the scores, and an axis beside them that may be of episodes: of a file that names its run, or of one
    that has their lengths."""
    own, place = arrays[score].shape, f"{source.place}: array {score!r} of shape {arrays[score].shape}"
    counts = [name for name in arrays if kind(name) in PROGRESS]
    unlike = next((name for name in counts if arrays[name].ndim != 1 or arrays[name].size not in own), "")
    if unlike:
        raise DataError(
            f"{place} does not fit array {unlike!r} of shape {arrays[unlike].shape}, which would hold its steps."
        )
    lengths = [
        name for name in arrays if name != score and not counts and kind(name) == "metric" and arrays[name].shape == own
    ]
    of_run = named_run(source.stem) is not None and len(own) > 1 and max(own) > 1 and source.axes is None
    if lengths or (of_run and counts):
        why = f"beside {lengths[0]!r} of as many" if lengths else "in a file that is named as one run"
        raise DataError(
            f"{place}, {why}, may hold episodes and no runs: save one score for each evaluation, such as the mean of its episodes."
        )


def labelled_arrays(arrays: Mapping[str, NDArray[Any]], place: str) -> SourceTable | None:
    """Return the table of arrays that are columns, or of one array of scores with the names along its axes; None for other arrays."""
    labels = {name: array for name, array in arrays.items() if array.dtype.kind in "US"}
    if not labels:
        return None
    sizes = {array.size for array in arrays.values()}
    if all(array.ndim == 1 for array in arrays.values()) and len(sizes) == 1:
        columns = {name: _texts(array) if name in labels else array.tolist() for name, array in arrays.items()}
        table = SourceTable(columns=columns, place=place, row=lambda index: f"entry {index + 1}")
        if may_have_scores(table, {}):
            return table
    scores = {name: array for name, array in arrays.items() if array.dtype.kind in "fiu" and array.ndim > 1}
    roles = {
        role: name
        for name, array in labels.items()
        for role in ("algorithm", "task")
        if _names(name, role) and array.ndim == 1
    }
    if {*roles} == {"task"} and len(labels) == 1:
        return _of_tasks(scores, _texts(labels[roles["task"]]), place)
    order = _named_axes(labels, scores)
    roles |= {role: name for name in labels for role in order if name.removesuffix("s") == order[role]}
    if len(scores) != 1 or "algorithm" not in roles:
        return None
    return _along(next(iter(scores)), arrays, roles | _numbered_axes(arrays), place, list(order))


AXES = ("dims", "axes", "axis", "dimensions")
"""Names of arrays that say what the axes of another are."""


def _named_axes(labels: Mapping[str, NDArray[Any]], scores: Mapping[str, NDArray[Any]]) -> dict[str, str]:
    """Return the names of the axes of the one array of scores by their roles, in order; nothing where no array says them, or one has no role."""
    named = [_texts(labels[name]) for name in AXES if name in labels]
    if len(named) != 1 or len(scores) != 1 or next(iter(scores.values())).ndim != len(named[0]):
        return {}
    roles = {
        next(
            (role for role in (*NAMED, "step") if _names(axis, role)),
            "task" if LIKE_TASKS.intersection(words(axis)) else "",
        ): axis
        for axis in named[0]
    }
    return roles if len(roles) == len(named[0]) and "" not in roles else {}


def _numbered_axes(arrays: Mapping[str, NDArray[Any]]) -> dict[str, str]:
    """Return the array of the numbers of runs, and that of steps, by role; none of several, or of a single number."""
    numbers = [name for name, array in arrays.items() if array.dtype.kind in "fiu" and array.ndim == 1 < array.size]
    runs = [name for name in numbers if _names(name, "run") and len({*arrays[name].tolist()}) == arrays[name].size]
    steps = [name for name in numbers if kind(name) in PROGRESS and (np.diff(arrays[name]) > 0).all()]
    return {role: own[0] for role, own in (("run", runs), ("step", steps)) if len(own) == 1}


def _along(
    called: str, arrays: Mapping[str, NDArray[Any]], roles: Mapping[str, str], place: str, order: Sequence[str] = ()
) -> SourceTable:
    """Return the table of one array along whose axes the arrays with names, of runs and of steps stand: each along the axis of its length, for
    no two of which it may be told otherwise (`order`: the roles of all axes, if the file says them). One axis that nothing names is that of
    the runs.
    """
    array, own = arrays[called], {role: arrays[name] for role, name in roles.items()}
    fits = [
        way
        for way in permutations(range(array.ndim), len(own))
        if all(array.shape[axis] == names.size for axis, names in zip(way, own.values(), strict=True))
        and all(not order or order[axis] == role for axis, role in zip(way, own, strict=True))
    ]
    left = array.ndim - len(own)
    if len(fits) != 1 or left != ("run" not in own):
        shapes = ", ".join(f"{names.size} {role}s" for role, names in own.items())
        raise DataError(
            f"{place}: nothing says which axes of array {called!r}, of shape {array.shape}, are those of {shapes}; save one array for each "
            "algorithm, (n_runs, n_tasks)."
        )
    axes = dict(zip(own, fits[0], strict=True))
    rest = next((axis for axis in range(array.ndim) if axis not in fits[0]), None)
    at = np.unravel_index(np.arange(array.size), array.shape)
    named: dict[str, list[Any]] = {
        role: own[role][at[axis]].astype(np.float64).tolist() if role == "step" else _texts(own[role][at[axis]])
        for role, axis in axes.items()
    }
    runs = "" if rest is None else f"axis {rest + 1} is taken as runs, "
    named |= {} if rest is None else {"run": [str(i) for i in at[rest].tolist()]}
    note = f"array {called!r} of shape {array.shape}: {runs}the {'others' if runs else 'axes'} are named by {', '.join(roles.values())}"
    table = structural(place, {**named, "score": array.ravel().tolist()}, note, entries=rest is not None)
    return of_cost(table, called)


def _of_tasks(arrays: Mapping[str, NDArray[Any]], tasks: Sequence[str], place: str) -> SourceTable:
    """Return the table of arrays by algorithm beside the names of the tasks, which stand along the axis of their number."""
    axes = [[axis for axis, n in enumerate(array.shape) if n == len(tasks)] for array in arrays.values()]
    # Six runs of six tasks say nothing, where five runs of another algorithm do.
    common = set[int]().union(*axes).intersection(*axes)
    if len(common) != 1 or any(array.ndim != 2 for array in arrays.values()):
        raise DataError(f"{place}: nothing says along which axis of the arrays the {len(tasks)} names of tasks stand.")
    table = arrays_table(arrays, place, ("run", "task") if common == {1} else ("task", "run"))
    names = {f"task {at}": task for at, task in enumerate(tasks, start=1)}
    columns = {**table.columns, "task": [names[str(task)] for task in table.columns["task"]]}
    return replace(
        table, columns=columns, row=named_row(columns), notes=(f"arrays beside the names of {len(tasks)} tasks",)
    )


def _names(name: str, role: str) -> bool:
    return bool(candidates([name, name.removesuffix("s"), name.removesuffix("_names")], role))


def names_role(name: str) -> bool:
    """Return whether a single value of this name says which algorithm, task or run arrays are of."""
    return any(_names(name, role) for role in NAMED)


def _texts(array: NDArray[Any]) -> list[str]:
    return [
        value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
        for value in array.tolist()
    ]


def arrays_in(archive: Any, place: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of an archive that `load` opened; refuse a single array."""
    if not hasattr(archive, "files"):
        raise DataError(f"{place}: this is a single array (.npy), not an archive of arrays (.npz).")
    arrays = {}
    for name in archive.files:
        try:
            arrays[name] = archive[name]
        except MemoryError:
            raise
        except Exception as error:  # as in `load`
            raise damaged(error, f"{place}, array {name!r}") from error
    return arrays


def read_npy(source: Source) -> SourceTable:
    """Return the table of a saved array; pickled objects are never loaded."""
    array = load(source.data, source.place)
    if hasattr(array, "files"):
        raise DataError(f"{source.place}: this is an archive of arrays (.npz), not a single array (.npy).")
    if array.dtype.names:  # a table: a field of each column
        columns = {name: array[name].ravel().tolist() for name in array.dtype.names}
        return SourceTable(columns=columns, place=source.place, row=lambda index: f"row {index + 1}")
    return arrays_table({None: array}, source.place, source.axes)


NPY = Format(
    title="NumPy array",
    holds="the runs, by task and step, of one algorithm, named by the file",
    suffixes=(".npy",),
    sniff=lambda data: data.startswith(ARRAY),
    read=read_npy,
    binary=True,
)
