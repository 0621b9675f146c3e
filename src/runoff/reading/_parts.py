"""Names with several parts: runs named `ppo_Ant-v4_seed0`, and files named by a metric."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from runoff.base.grouping import distinct, grouped
from runoff.errors import DataError
from runoff.reading._crossed import asked_of_levels, joins_two
from runoff.reading._grids import grid_of
from runoff.reading._known import are_counted, is_algorithm, meaning_of, named_run, task_in
from runoff.reading._name_levels import levels_of
from runoff.reading._named_texts import names_in_texts
from runoff.reading._names import clues_of_all
from runoff.reading._paths import shown
from runoff.reading._trails import Clues
from runoff.tables.columns import NAMED, an, column_of, listed, roles_of
from runoff.tables.labels import Labels, labelled, n_pairs
from runoff.tables.likely import Chosen, candidates, free_columns, plays
from runoff.tables.source import SourceTable
from runoff.words.columns import preferred
from runoff.words.labels import KINDS_OF_DATA, is_summary, run_of
from runoff.words.patterns import regex
from runoff.words.scoring import is_metric, score_of
from runoff.words.speech import column as column_option
from runoff.words.speech import option
from runoff.words.words import canonical, kind, vocabulary, words

# ── names of runs ──────────


MOST_NAMES = 2000
"""A number of runs that scripts name."""


def with_parts_of_runs(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table without algorithms with the names in its runs' names (`ppo_Ant-v4_seed0`); refuse names without a known algorithm."""
    free = free_columns(table.columns, chosen)
    columns = [*filter(None, [chosen.get("run")]), *candidates(free, "run")]
    name = next((name for name in columns if name in table.columns), None)
    if name is None or "algorithm" in {*chosen, *table.columns} or candidates(free, "algorithm"):
        return table
    labels = labelled(table.columns[name])
    parts = parts_of(labels.names)
    if (levelled := _by_levels(table, chosen, name, labels, whole=parts is None)) is not None:
        return levelled
    if parts is None and len({re.split(r"[\W_]", own)[0] for own in labels.names if is_algorithm(own)}) > 1:
        raise _more_than_runs(table, name, labels.names)
    if parts is None:
        return table
    algorithms = [part["algorithm"] for part in parts if "algorithm" in part]
    levels = (
        levels_of(list(dict.fromkeys(algorithms)), NAMED[:2]) if not any("task" in part for part in parts) else None
    )
    if levels is not None and levels.certain:  # `sac_walker` beside `tqc_humanoid`
        at = dict(zip(dict.fromkeys(algorithms), levels.parts, strict=True))
        parts = [part | dict(zip(levels.roles, at[part["algorithm"]], strict=True)) for part in parts]
        algorithms = [part["algorithm"] for part in parts]
    elif len(labels.names) < MOST_NAMES:
        paths = clues_of_all([(own,) for own in labels.names])
        whole = None if any("task" in part for part in parts) else levels_of(labels.names)
        crossed = whole is not None and whole.by_grid and "task" in whole.roles
        if crossed or asked_of_levels({1: [path.text(1) for path in paths]}, paths, with_run=True):
            raise _more_than_runs(table, name, labels.names)
    if algorithms and meaning_of(algorithms) != "algorithm" and any("task" in part for part in parts):
        whole = levels_of(labels.names)
        if whole is None or not whole.certain:
            raise _more_than_runs(table, name, labels.names)
        # `HalfCheetah-v4/ours/seed1`: the run without its word, as in other names.
        of_levels = [dict(zip(whole.roles, own, strict=True)) for own in whole.parts]
        parts = [{**part, "run": own["run"]} for part, own in zip(of_levels, parts, strict=True)]
    tasks = all("task" in part for part in parts) and not plays(table.columns, "task", chosen)
    roles = [*(["algorithm"] if algorithms else []), *(["task"] if tasks else []), "run"]
    if roles == ["run"]:
        return table
    named = {role: [part[role] for part in parts] for role in roles}
    return named_by(table, name, labels, named, f"{_called(table, name)} name {' and '.join(roles[:-1])} as well")


def _by_levels(table: SourceTable, chosen: Chosen, name: str, labels: Labels, *, whole: bool) -> SourceTable | None:
    """Return a table with the names in those of its runs that all of them show together, with settings; None where they show none. whole:
    nothing else in the names is recognised."""
    levels = levels_of(labels.names) if len(labels.names) < MOST_NAMES and not chosen.get("run") else None
    if levels is None or not (levels.settings or (whole and "run" in levels.roles)):
        return None
    if not levels.certain:
        raise _more_than_runs(table, name, labels.names)
    named = levels.named()
    note = f"{_called(table, name)} name {' and '.join(role for role in named if role != 'run')} as well"
    return named_by(table, name, labels, named, note)


def named_by(
    table: SourceTable, name: str, labels: Labels, named: Mapping[str, Sequence[str]], note: str
) -> SourceTable:
    """Return a table with what the labels of a column say in its place, {role: a name for each label}."""
    columns = {role: Labels(list(names), labels.codes).mapped(str) for role, names in named.items()}
    return table.noted(f"{note}: {labels.names[0]!r}", columns={**columns, **table.others(name)})


def lacking(free: Sequence[str], chosen: Chosen) -> list[str]:
    """Return the roles of names that no column plays, by choice or by its name."""
    return [role for role in NAMED if not chosen.get(role) and not candidates(free, role)]


def with_levels_of_runs(
    table: SourceTable, chosen: Chosen, keys: tuple[str, ...] | None
) -> tuple[SourceTable, tuple[str, ...] | None]:
    """Return a table with the names that `keys` says the parts of its runs' names are, `algorithm/task/run` of `x_reach_s1`, and the remaining
    `keys`; the table as it is if another column plays one of these roles."""
    free = free_columns(table.columns, chosen)
    column = chosen.get("run") or next(iter(candidates(free, "run")), "")
    open_roles = {*lacking(free, chosen), "run"}
    if column not in table.columns or not keys or len(keys) < 2 or not {*keys} <= open_roles:
        return table, keys
    labels = labelled(table.columns[column])
    levels = levels_of(labels.names, NAMED, depth=len(keys)) if len(labels.names) < MOST_NAMES else None
    if levels is None:
        return table, keys
    named = levels.named(keys)
    return named_by(table, column, labels, named, f"{_called(table, column)} name {' and '.join(named)}"), None


def _more_than_runs(table: SourceTable, name: str, names: Sequence[str]) -> DataError:
    way = "give columns for the algorithm, the task and the run"
    levels = levels_of(names) or levels_of(names, NAMED, depth=3)
    if levels is not None and (levels.by_grid or all(run_of(own[-1]) or own[-1].isdigit() for own in levels.parts)):
        orders = levels.orders if levels.by_grid else [(*pair, "run") for pair in (NAMED[:2], NAMED[1::-1])]
        ways = " or ".join(option("keys", "/".join(roles)) for roles in orders)
        way = f"use {ways}{', whichever is their order' if len(orders) > 1 else ''}, or {way}"
    return DataError(
        f"{table.place}: {_called(table, name)} {listed(names[:2])} name more than runs, and nothing shows which part is the algorithm; {way}."
    )


OF_ONE_RUN = KINDS_OF_DATA | vocabulary("final last best")
"""Words at the end of names that say which of the scores of a run they hold."""
OF_ALGORITHMS = vocabulary("algorithm algo alg agent method policy model learner")
"""Words of heads that say that names below them are algorithms."""


def refuse_joined(table: SourceTable, has: Collection[str], chosen: Chosen) -> None:
    """Refuse names of algorithms that hold an algorithm and a task, or a variant, of which several share each: `ppo_level1`, `sac_level1`."""
    column = chosen.get("algorithm") or "".join([*candidates(free_columns(table.columns, chosen), "algorithm"), ""][:1])
    column = "algorithm" if table.structural else column
    if "algorithm" not in has or "task" in has or column not in table.columns:
        return
    names = list(dict.fromkeys(map(str, labelled(table.columns[column]).names)))
    headed = not table.structural and bool(OF_ALGORITHMS.intersection(words(column)))
    if len(names) > MOST_NAMES:
        return
    grid = grid_of([[name] for name in names])
    # Numbers behind names that nobody knows are sizes and versions.
    two = joins_two(names) or bool(grid and any(grid.task) and (grid.settings or not re.search(r"\d", "".join(names))))
    if headed:  # a known algorithm, or the id of an environment, must stand in each name
        ids = [task_in(name, numbered=False) for name in names]
        two = meaning_of(names) == "pair" or (two and all(own and not own[2] for own in ids))
    if not two:
        return
    kinds = {*(words(name)[-1] for name in names)} <= OF_ONE_RUN
    if kinds or all(re.search(r"[\W_]\d+$", name) for name in names):
        what = "end in kinds of scores of the same runs; keep those of one kind" if kinds else "are of single runs"
        raise DataError(
            f"{table.place}: the names {listed(names[:4])} {what}, or make it one row per score, with columns for the algorithm, the task, the "
            "run and the score."
        )
    way = (
        f"{option('keys', 'algorithm/task')} or {option('keys', 'task/algorithm')}, or {option('keys', 'algorithm')} if each is one algorithm"
        if table.structural
        else f"columns for the algorithm and the task, or {column_option('algorithm', column)} if each is one algorithm"
    )
    raise DataError(
        f"{table.place}: the names {listed(names[:4])} hold the same names beside each of several, and may be of an algorithm and a task; use "
        f"{way}."
    )


IN_FOLDERS = vocabulary("path paths file filename filepath folder dir directory logdir logfile")
"""Words of columns that hold the paths from which rows were taken."""


def with_names_of_paths(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table without algorithms with the names in a column of paths (`logs/ppo/Hopper-v4/seed_0/progress.csv`), read as those of folders
    are, if these tell all paths apart; the table itself where it has none, or its names are in doubt."""
    free = free_columns(table.columns, chosen)
    lacks = lacking(free, chosen)
    column = next((name for name in free if IN_FOLDERS.intersection(words(name))), "")
    first = PurePosixPath(str(table.columns[column][0]).replace("\\", "/")) if column else PurePosixPath()
    if "algorithm" not in lacks or not (first.suffix or len(first.parts) > 1):
        return table
    labels = labelled(table.columns[column])
    paths = [PurePosixPath(name.replace("\\", "/")) for name in labels.names]
    folders = [path.parent.parts for path in paths]
    # Event files bear times and hosts; where folders tell all apart, files say what they hold.
    whole = [(*own, path.stem) for own, path in zip(folders, paths, strict=True)]
    parts = folders if len({*folders}) == len(paths) else whole
    named = names_in_texts(parts, lacks, one_run=plays(free, "step", chosen))
    return (
        table
        if named is None
        else named_by(table, column, labels, named, f"column {column!r} names {' and '.join(named)}")
    )


NUMBERED = regex(r"(.*[^\W_])[\s_/#(\[-]+(\d{1,3})[)\]]?")
"""A name followed by a number, which may be a run: `PPO-1`, `PPO #1`, `PPO (1)`."""
PEEK = 50
"""The first names of a column in which runs are looked for."""
S_ALONE = regex(r"(?<![^\W_])s[\W_]?\d+", re.IGNORECASE)
"""A mere `s` before a number, which may be a size."""


def with_runs(table: SourceTable, chosen: Chosen, keys: tuple[str, ...]) -> tuple[SourceTable, Chosen, tuple[str, ...]]:
    """Return a table with its runs, by a column called `Name` or in the names of algorithms, the chosen columns, and the remaining `keys`."""
    chosen = _with_called_runs(table, chosen)
    table, rest = _with_runs_of_names(table, chosen, keys)
    return table, chosen, rest


def _with_called_runs(table: SourceTable, chosen: Chosen) -> Chosen:
    """Return the chosen columns, with the names of runs that W&B exports (`Name`) as the run where nothing else names algorithms or runs."""
    names = [name for name in free_columns(table.columns, chosen) if canonical(name) == "name"]
    if len(names) != 1 or any(plays(table.columns, role, chosen) for role in ("algorithm", "run")):
        return chosen
    return {**chosen, "run": names[0]} if all(map(named_run, labelled(table.columns[names[0]]).names)) else chosen


def _with_runs_of_names(
    table: SourceTable, chosen: Chosen, keys: tuple[str, ...]
) -> tuple[SourceTable, tuple[str, ...]]:
    """Return a table without runs with the runs in its names of algorithms, or of tasks (`PPO_seed1`, `Hopper (run 2)`), and the remaining
    `keys`; numbers alone may be versions, and are refused."""
    if plays(table.columns, "run", chosen):
        return table, keys
    free = free_columns(table.columns, chosen)
    for role in ("algorithm", "task"):
        column = column_of(role, free, chosen)
        values = table.columns.get(column, ())
        # As many names as a table has where each is met once; ten million rows need no look at all.
        if not any(
            named_run(name) or NUMBERED.fullmatch(name)
            for name in (str(values[at]) for at in (*range(len(values))[:PEEK], *range(len(values))[-1:]))
        ):
            continue
        labels = labelled(values)
        bare = role == "algorithm" and not chosen.get(role) and _are_met_once(table, chosen, labels)
        # `Seed 1`, `Seed 2` above their mean name runs alone.
        alone = all(run_of(name) is not None or is_summary(name) for name in labels.names)
        parts = {} if alone else runs_in(labels.names, numbers=bare)
        if not parts:
            continue
        # What else `keys` says is of the heads of a wide table.
        own, rest = next(
            ((way, keys[len(way) :]) for way in ((role, "run"), (role,)) if keys[: len(way)] == way), ((), keys)
        )
        if own == (role,):
            return table, rest
        if not own and not runs_in(labels.names, numbers=False) and not are_runs(parts):
            raise asked_of_numbers(table.place, role, parts, rest)
        names, runs = (labels.mapped({name: part[at] for name, part in parts.items()}.__getitem__) for at in (0, 1))
        note = noted_runs(f"column {column!r} names", role, parts, rest)
        columns = {**table.columns, column: names, "run": runs}
        return table.noted(note, columns=columns, levels=(role, "run")), rest
    return table, keys


def without_corner(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a wide table whose first head names the others, as that of a pivot does (`seed,0,1,2` above `PPO` and `SAC`), with a blank one."""
    first, *heads = table.columns or [""]
    role = next(iter(roles_of(first)), "")
    if not role or len(heads) < 2 or plays([first, *heads], "score", chosen) or {first, *heads} & {*chosen.values()}:
        return table
    labels, others = labelled(table.columns[first]).names, meaning_of(heads)
    if role == "run":
        named = others in ("run", "number") and not any(map(str.isdigit, "".join(labels)))
    else:
        named = others == role and meaning_of(labels) in {*NAMED} - {role}
    if not named:
        return table
    called = {head: f"{first} {head}" if role == "run" and head.isdigit() else head for head in heads}
    columns = {
        "": table.columns[first],
        **{called[head]: table.columns[head] for head in heads},
    }
    note = f"the first head, {first!r}, is that of the others"
    return table.noted(note, columns=columns)


def _are_met_once(table: SourceTable, chosen: Chosen, names: Labels) -> bool:
    """Return whether a name occurs once on each task, as the name of a run does without a step column."""
    free = free_columns(table.columns, chosen)
    task = column_of("task", free, chosen)
    tasks = labelled(table.columns.get(task, [""] * table.n_rows))
    return plays(table.columns, "step", chosen) or n_pairs(names.codes, tasks.codes) == table.n_rows


def noted_runs(where: str, role: str, parts: Mapping[str, tuple[str, str]], others: Sequence[str] = ()) -> str:
    first, (name, run) = next(iter(parts.items()))
    keys = "/".join((role, *others))
    return (
        f"{where} runs as well: {first!r} is run {run} of {name}; use {option('keys', keys)} if each name is {an(role)}"
    )


def asked_of_numbers(
    place: str, role: str, parts: Mapping[str, tuple[str, str]], others: Sequence[str] = ()
) -> DataError:
    """Return the question whether numbers after names of algorithms, or of tasks, are runs."""
    first, (name, run) = next(pair for pair in parts.items() if pair[0] != pair[1][0])
    runs, versions = ("/".join((*way, *others)) for way in ((role, "run"), (role,)))
    return DataError(
        f"{place}: the names {listed(list(parts)[:4])} end in numbers, runs or versions; use {option('keys', runs)} if {first!r} is "
        f"run {run} of {name}, or {option('keys', versions)} if each name is {an(role)}."
    )


def runs_in(names: Sequence[str], *, numbers: bool) -> dict[str, tuple[str, str]]:
    """Return the name and the run of each name if there are several runs; nothing if the names contain no runs.

    With `numbers`, a number alone, or after a mere `s`, may be a run.
    """
    split = [named_run(name) for name in names]
    worded = all(split)
    if not worded and numbers:
        matches = [NUMBERED.fullmatch(name.strip()) for name in names]
        numbers_of = grouped((match[1], int(match[2])) for match in matches if match)
        # A plain name beside such, `base` beside `A-0` and `A-1`, is a method with one run if the numbers are runs; `A` itself a run more.
        split = [
            (match[1], match[2]) if match else (name, "0" if 0 not in own else str(max(own) + 1))
            for name, match in zip(names, matches, strict=True)
            for own in (numbers_of.get(name, ()),)
        ]
        worded = not any(matches)
    runs = grouped(filter(None, split))
    # `PPO` beside `PPO-1` alone is as likely a version.
    counts = [len(own) for name, own in runs.items() if worded or name not in names or len(own) > 2]
    if not all(split) or max(counts, default=0) < 2:
        return {}
    in_turn = all(are_counted(own) and min(map(int, own)) < 2 for own in runs.values())
    # `ViT_s1`, `ViT_s2`, `ViT_s4` are sizes rather than seeds; `GPT-3`, `GPT-4` of one name are versions.
    fits = (
        numbers or in_turn or not all(map(S_ALONE.search, names))
        if worded
        else in_turn and min(counts) > 1 and (len(runs) > 1 or not runs.keys().isdisjoint(names))
    )
    return {name: part for name, part in zip(names, split, strict=True) if part} if fits else {}


def are_runs(parts: Mapping[str, tuple[str, str]]) -> bool:
    """Return whether numbers after names can only be runs: behind a `#`, or three and more that count from 0, the same after each name."""
    if all(re.search(r"#\s*\d+\s*[)\]]?\s*$", name) for name in parts):
        return True
    runs = grouped((name, int(run)) for name, run in parts.values())
    first, *others = [sorted(own) for own in runs.values()]
    # Versions count from 1, and of `A`, `A-0`, `A-1` the first is another thing.
    counted = (
        len(first) > 2 and first == list(range(len(first))) and not any(name == own for name, (own, _) in parts.items())
    )
    return counted and bool(others) and all(own == first for own in others)


def parts_of(names: Sequence[str]) -> list[dict[str, str]] | None:
    """Return the algorithm, the run and, if all have one, the task in each name; None unless they name several algorithms with their runs."""
    paths = clues_of_all([(name,) for name in names])
    if not all(path.run is not None for path in paths) or len({bool(path.left) for path in paths}) > 1:
        return None
    if any(path.loose for path in paths) and not _in_turn(paths):
        return None
    tasks = [path.task for path in paths]
    # `seed_0`, `seed_1`, … beside nothing else: one name for all tells nothing apart.
    algorithms = {_algorithm(path) for path in paths}
    if len(algorithms) < 2 and (algorithms != {""} or len({*tasks}) < 2):
        return None
    return [
        ({"algorithm": _algorithm(path)} if path.left else {})
        | {"run": path.run or ""}
        | ({"task": task} if task and all(tasks) else {})
        for path, task in zip(paths, tasks, strict=True)
    ]


def _algorithm(path: Clues) -> str:
    return path.left[0][1].strip("/") if path.left else ""


def _in_turn(paths: Sequence[Clues]) -> bool:
    """Return whether the numbers behind each name are those of several runs: 0, 1, 2."""
    runs = grouped(((_algorithm(path), path.task), path.run or "") for path in paths)
    return all(len({*own}) == len(own) > 1 and are_counted(own) and min(map(int, own)) < 2 for own in runs.values())


def _called(table: SourceTable, name: str) -> str:
    return "the names of runs" if table.structural else f"the runs of column {name!r}"


# ── names of files ──────────


TAG = regex(r"(?:run-)?(?P<bare>.+)-tag-(?P<metric>.+)")
"""The name that TensorBoard's page gives to the file of one series of one run."""
METRIC = regex(
    r"(?P<bare>.*[^\W_])[_-](?P<metric>(?:mean_|ep_|episode_)?(?:returns?|rewards?|scores?|success(?:es)?|lengths?|loss(?:es)?)(?:_rate|_mean)?|train|eval|test)"
)
"""The name of a file of one series of one run: `ppo_seed0_length`."""


def without_tag(stem: str) -> str:
    """Return the name of the run in that of a file from TensorBoard's page; another name as it is."""
    match = TAG.fullmatch(stem)
    return match["bare"] if match else stem


def of_one_metric(paths: Sequence[tuple[Path, str]]) -> tuple[list[int], str]:
    """Return the files (folder, stem) to read, and a sentence on the choice, if runs have a file for each of several metrics; refuse two
    scores."""
    split = _metrics_of(paths)
    named = [metric for _, _, metric in split]
    of_run = distinct(((folder, bare), metric) for folder, bare, metric in split)
    metrics = sorted(set(named))
    # Only where every run has files of several metrics: one file called `eval` may be all that there is of a run.
    if len(metrics) < 2 or any(len(own) < 2 for own in of_run.values()):
        return list(range(len(paths))), ""
    # Files that are called train, eval and test: `preferred` takes the evaluation.
    kinds = [metric for metric in metrics if metric in KINDS_OF_DATA]
    scores = preferred([metric for metric in metrics if kind(metric) == "score" or metric in kinds])
    # `ppo_s0.csv` beside `ppo_s0_train.csv`: what says nothing is not of training.
    scores = [""] if "" in metrics and scores in (["train"], ["training"]) else scores
    scores = scores or [own for own in [score_of(metrics)] if own]
    if len(scores) != 1:
        raise _asked_of_metric(paths, named, scores)
    kept = [i for i, metric in enumerate(named) if metric == scores[0]]
    others = listed([metric or "none" for metric in metrics if metric != scores[0]])
    than = f"are named after another metric than {scores[0]!r}" if scores[0] else "are named after a metric"
    return kept, f"left out: {len(paths) - len(kept)} file(s) that {than} ({others})"


def _metrics_of(paths: Sequence[tuple[Path, str]]) -> list[tuple[Path, str, str]]:
    """Return the folder of each file, what it is of, and its metric: that within its name, or its name (`ppo/returns.npy`), or that of its
    folder (`loss/ppo.npy`)."""
    stems, folders = {stem for _, stem in paths}, {folder.name for folder, _ in paths}
    if len(stems) > 1 and all(map(is_metric, stems)):
        return [(folder, "", stem) for folder, stem in paths]
    if len(folders) > 1 and all(map(is_metric, folders)):
        return [(folder.parent, stem, folder.name) for folder, stem in paths]
    matches = [TAG.fullmatch(stem) or METRIC.fullmatch(stem) for _, stem in paths]
    return [
        (folder, match["bare"], match["metric"]) if match else (folder, stem, "")
        for (folder, stem), match in zip(paths, matches, strict=True)
    ]


def _asked_of_metric(paths: Sequence[tuple[Path, str]], named: Sequence[str], scores: Sequence[str]) -> DataError:
    wanted = min(scores or sorted({*named} - {""}), key=lambda metric: "return" not in metric)
    folder, stem = paths[named.index(wanted)]
    before = stem.removesuffix(wanted)
    files = f"{folder}/{'*' + before[-1] if before else ''}{wanted}.*" if stem.endswith(wanted) else f"{folder}/*"
    return DataError(
        f"{shown(folder)}: each run has files of several metrics ({listed(sorted({*named} - {''}))}); read those of one, by a glob: "
        f"'{shown(files)}'."
    )
