"""The builder of the archive: `python -m tools.archive SOURCES [SET]` makes the sets of `src/runoff/archive` from their source folders.

To add a set, make a folder of its name with `set.toml` (all above the line of the builder) and the text of its LICENSE, and run this on the
folder that holds the source folders. The builder checks the files by their hashes and the source by its counts, writes `runs.parquet` and
the last part of `set.toml`, and compares a number that the paper prints. `--pages` alone writes NOTICE and docs/archive.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from runoff import archive
from runoff.archive.load import without
from runoff.archive.sets import FILE, KINDS, OF_SOME, PROTOCOL, ROOM, UNKNOWN, ArchiveSet, listed, read_set
from runoff.tables.naming import natural

ROOT = Path(__file__).resolve().parents[1]
MARK = "\n# written by tools/archive.py\n"
POINTS = 50
"""Points that are kept of a learning curve, the first and the last among them."""
TELLING = 4
"""A curve with fewer distinct values may equal that of another run by chance, as zeros do."""
MIXED = 0.05
"""Where more than this share of the steps have two values, the label stands for several runs, and which value is whose cannot be told."""
KEYS = ["algorithm", "task", "run"]


def curves_of(folder: Path, names: Iterable[str]) -> pl.DataFrame:
    """Return a row for each run of a source folder: its names as the source spells them, `steps`, `values`, `score`, and its configuration."""
    if not (folder / "final.parquet").exists():
        return configurations(folder) if (folder / "configs.parquet").exists() else json_scores(folder, names)
    curves, final = (_texts(pl.read_parquet(folder / f"{name}.parquet")) for name in ("curves", "final"))
    points = curves.filter(pl.col("value").is_finite()).group_by(KEYS, maintain_order=True).agg("step", "value")
    rows = final.join(points.rename({"step": "steps", "value": "values"}), on=KEYS, how="left", validate="1:1")
    return rows.select(*KEYS, "steps", "values", score="value")


def configurations(folder: Path) -> pl.DataFrame:
    """Return the runs of a sweep; a run is called by its configuration and its seed."""
    table = _texts(pl.read_parquet(folder / "configs.parquet"))
    if (folder / "curves.parquet").exists():
        curves = _texts(pl.read_parquet(folder / "curves.parquet")).group_by("set", "config", maintain_order=True)
        points = curves.agg(steps="step", values="value", score=pl.col("value").last())
        table = table.join(points, on=["set", "config"], validate="1:1").rename({"set": "algorithm"})
    else:
        table = table.with_columns(steps=pl.lit([0]), values=pl.concat_list("online"), score="online")
    name = pl.format("config {} seed {}", "config", "seed")
    return table.select(*KEYS[:2], "steps", "values", "score", "config", "parameter", run=name)


def json_scores(folder: Path, names: Iterable[str]) -> pl.DataFrame:
    """Return the runs of files {task: [scores]}, one for each algorithm."""
    rows = []
    for name in names:
        algorithm = name.removesuffix(".json").replace("(eps)", "(ε)")
        for task, scores in json.loads((folder / name).read_text(encoding="utf-8")).items():
            rows += [(algorithm, task, str(run), [0], [score], score) for run, score in enumerate(scores)]
    return pl.DataFrame(rows, schema=[*KEYS, "steps", "values", "score"], orient="row")


def _texts(frame: pl.DataFrame) -> pl.DataFrame:
    names = [name for name in (*KEYS, "set", "seed", "parameter") if name in frame.columns]
    return frame.with_columns(pl.col(names).cast(pl.String))


def check_files(folder: Path, card: ArchiveSet, settings: Mapping[str, Any]) -> None:
    """Refuse a source whose files are not those that set.toml tells."""
    for name, digest in settings["source_sha256"].items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            sys.exit(f"{card.name}: {name} has another hash than set.toml says; is it another version of the source?")


def check_counts(rows: pl.DataFrame, card: ArchiveSet, settings: Mapping[str, Any]) -> None:
    """Refuse a source whose counts are not those that set.toml tells."""
    for algorithm, (tasks, runs, last) in settings["source_counts"].items():
        own = rows.filter(pl.col("algorithm") == algorithm)
        steps = own["steps"].list.max().max() if last else 0
        if (own["task"].n_unique(), own.height, steps) != (tasks, runs, last):
            sys.exit(
                f"{card.name}: {algorithm} has {own['task'].n_unique()} tasks, {own.height} runs, not {tasks}, {runs}"
            )


class Keys:
    """Numbers by which a run is recognised in whatever set: made of its task and its scores.

    A curve of few values, as of zeros, may equal that of another algorithm by chance: it is known by its algorithm too (that of the other set,
    where `same_runs` says so), and by its place among those that are equal. Another series of a run follows the key of its scores.
    """

    def __init__(self, name: str, same: Mapping[str, str]) -> None:
        self.name, self.same = name, same
        self.repeated: Counter[tuple[str, ...]] = Counter()
        self.of_scores: dict[tuple[str, ...], int] = {}

    def of(self, run: tuple[str, ...], series: str, task: str, scores: list[float]) -> int:
        """Return the key of a series of a run, which the source calls by algorithm, task and label."""
        content = np.round(np.float64(scores), 4).astype(np.float32)
        digest = (series, task, content.tobytes().hex())
        if run in self.of_scores:
            digest = (series, str(self.of_scores[run]))
        elif len(set(content.tolist())) < TELLING:
            digest = (*digest, self.same.get(run[0], f"{self.name}/{run[0]}"))
            self.repeated[(*digest, run[0])] += 1
            digest = (*digest, str(self.repeated[(*digest, run[0])]))
        key = int.from_bytes(hashlib.blake2b("|".join(digest).encode(), digest_size=8).digest(), "little")
        if series == "score":
            self.of_scores[run] = key
        return key


def made(rows: pl.DataFrame, card: ArchiveSet, settings: Mapping[str, Any]) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Return the rows as they ship, and what became of the others."""
    same, spelled = settings.get("same_runs", {}), {s: task for task, names in card.tasks.items() for s in names}
    rows = rows.filter(~pl.col("task").is_in(settings.get("left_out", [])))
    lasts = {a for a, place in same.items() if place.startswith(f"{card.name}/")}
    rows = rows.sort(pl.col("algorithm").is_in(lasts), "algorithm", maintain_order=True)
    shipped: dict[int, dict[str, Any]] = {}
    twins, mixed, keys = Counter[str](), Counter[str](), Keys(card.name, same)
    for row in rows.iter_rows(named=True):
        algorithm, _, series = row["algorithm"].partition(":")
        series = {"": "score", "avg_success": "success"}.get(series, series)
        task, (steps, values) = spelled[row["task"]], one_curve(row["steps"], row["values"])
        mixed[algorithm] += not values and series == "score"
        if values and abs(values[-1] - row["score"]) > 1e-3 * max(1, abs(row["score"])):
            sys.exit(f"{card.name}: the final score of {algorithm}, {task}, {row['run']} is not the end of its curve")
        key = keys.of((algorithm, row["task"], row["run"]), series, task, values or [row["score"]])
        if key in shipped:
            twins[algorithm] += series == "score"
            continue
        kept = thinned(len(values)) if row["steps"] != [0] else []
        names = {"algorithm": algorithm, "task": task, "run": row["run"], "series": series, "spelling": row["task"]}
        curve = {"steps": [steps[i] for i in kept], "values": [values[i] for i in kept]}
        configuration = {name: row[name] for name in ("config", "parameter") if name in row}
        shipped[key] = names | {"score": row["score"], "key": key} | curve | configuration
    return in_order(list(shipped.values())), {"twins": dict(+twins), "mixed": dict(+mixed)}


def one_curve(steps: list[int], values: list[float]) -> tuple[list[int], list[float]]:
    """Return a curve with one value a step, the first where there are two; nothing where two runs stand under one label."""
    first: dict[int, float] = {}
    several = {step for step, value in zip(steps, values, strict=True) if first.setdefault(step, value) != value}
    if len(several) > MIXED * len(first):
        return [], []
    ordered = sorted(first)
    return ordered, [first[step] for step in ordered]


def thinned(n: int) -> list[int]:
    return np.unique(np.linspace(0, n - 1, min(n, POINTS)).round().astype(int)).tolist() if n else []


def in_order(shipped: list[dict[str, Any]]) -> pl.DataFrame:
    """Return the table sorted by algorithm, task, series and run; a label that two spellings of a task share gets its spelling."""
    types = {"score": pl.Float32, "key": pl.UInt64, "steps": pl.List(pl.Int64), "values": pl.List(pl.Float32)}
    frame = pl.DataFrame(shipped, schema_overrides=types, infer_schema_length=None)
    again = pl.struct(*KEYS, "series").is_duplicated()
    frame = frame.with_columns(run=pl.when(again).then(pl.format("{} ({})", "run", "spelling")).otherwise("run"))
    if frame.select(pl.struct(*KEYS, "series").is_duplicated().any()).item():
        sys.exit("two runs have one label")
    rows = frame.drop("spelling").rows(named=True)
    rows.sort(key=lambda r: (r["algorithm"], r["task"].casefold(), r["series"], natural(r["run"])))
    return pl.DataFrame(rows, schema=frame.drop("spelling").schema)


def build(folder: Path, name: str) -> None:
    """Make one set: its table, and the last part of its set.toml."""
    card, settings = read_set(name), dict(settings_of(name))
    check_files(folder, card, settings)
    rows = curves_of(folder, settings["source_sha256"])
    check_counts(rows, card, settings)
    frame, counts = made(rows, card, settings)
    frame.write_parquet(ROOM / name / FILE, compression="zstd", compression_level=19, statistics=False)
    own = frame.filter(pl.col("series") == "score")
    table = frame.group_by("algorithm", maintain_order=True).agg(
        pl.col("task").n_unique(),
        pl.struct("task", "run").n_unique().alias("runs"),
        pl.col("steps").list.last().max().fill_null(0).alias("last"),
    )
    write_built(
        name,
        {
            "sha256": hashlib.sha256((ROOM / name / FILE).read_bytes()).hexdigest(),
            "runs": frame.select(pl.struct(*KEYS).n_unique()).item(),
            "points": int(own["values"].list.len().max()),
            "series": sorted(frame["series"].unique().to_list(), key=lambda s: (s != "score", s)),
            **counts,
            "algorithms": {a: [t, r, last] for a, t, r, last in table.rows()},
        },
    )


def settings_of(name: str) -> Mapping[str, Any]:
    import tomllib

    return tomllib.loads((ROOM / name / "set.toml").read_text(encoding="utf-8"))


def write_built(name: str, built: Mapping[str, Any]) -> None:
    """Write what the builder knows of a set after the line of the builder."""
    file = ROOM / name / "set.toml"
    lines = ["[built]", *_toml({k: v for k, v in built.items() if not isinstance(v, dict)})]
    for key in ("twins", "mixed", "shared", "algorithms"):
        lines += ["", f"[built.{key}]", *_toml(built.get(key, {}))]
    file.write_text(file.read_text(encoding="utf-8").split(MARK)[0] + MARK + "\n".join(lines) + "\n", encoding="utf-8")


def _toml(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        yield f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(value, ensure_ascii=False)}"


def share(names: list[str]) -> None:
    """Write into each set how many of its runs are in which other set."""
    keys = {}
    for name in names:
        frame = pl.read_parquet(ROOM / name / FILE, columns=["series", "key"])
        keys[name] = set(frame.filter(pl.col("series") == "score")["key"].to_list())
    for name in names:
        shared = {other: n for other in names if other != name and (n := len(keys[name] & keys[other]))}
        write_built(name, {**settings_of(name)["built"], "shared": shared})


def check_printed(name: str) -> None:
    """Refuse a set whose numbers are not those that the paper prints: the median over tasks of mean normalised scores."""
    printed = settings_of(name).get("printed")
    if printed:
        scores = archive.load(name, algorithms=[printed["algorithm"]]).normalize(archive.info(name).reference)
        median = float(np.median([cell.mean() for cell in scores.cells(0)]))
        if abs(median - printed["value"]) > printed["tolerance"]:
            sys.exit(
                f"{name}: the median of {printed['algorithm']} is {median:.4f}, not {printed['value']} ({printed['source']})"
            )


# ── pages ──────────


HEAD = """# The archive of published runs

<!-- search: published runs, dataset of runs, atari 100k runs, dreamerv3 runs, licence of the data -->

{sets} sets with {runs} runs of published algorithms come with runoff: nothing is downloaded. A set says how its runs were made, as far as
its source tells it, and "unknown" where it does not; its licence is in [NOTICE](../NOTICE). This page is written by
`python -m tools.archive --pages` from the `set.toml` of each set.

```python
import runoff as ro

scores = ro.archive.load("atari_100k", algorithms=["SPR", "DrQ"]).normalize("atari")
print(ro.aggregate(scores, measure=["iqm"]))
```

prints

```text
SPR has the highest IQM of 2 algorithms, 0.337 [0.325, 0.348].

Algorithm                      IQM
SPR        0.3366 [0.3255, 0.3478]
DrQ        0.2236 [0.2182, 0.2290]
```

Own runs stand beside published ones by `against`: on the tasks that both have, in one unit, own algorithms first.

```python
scores = {{"ours": {{"ALE/Pong-v5": [3.0, 9.0, 6.0, 1.0, 5.0], "Qbert": [900.0, 1200.0, 700.0, 3100.0, 800.0]}}}}
mine = ro.Scores.from_dict(scores).normalize("atari")
print(ro.compare(mine.beside("atari_100k:SPR", protocol={{"unit": "raw return"}})).sentence)
```

prints

```text
ours has the highest mean, 0.16 above atari_100k:SPR [0.03, 0.30], over 2 tasks.
```

**The protocol decides what is tested**: where the protocol of own runs is that of the set on every key that the set tells, pairs are tested;
where a key differs, they are not, and it is named; settings that neither side states are compared
only with `assume_same_protocol=True`, and the names of the
published algorithms then say "(protocol assumed)". Much of it is read from logs: whether scores are returns of training or of evaluations and
of how many episodes, action repeat, frame skip and sticky actions of a configuration, the length of training, what the score of a run is.
The rest is said by `protocol`, on the command line by `--protocol "unit=raw return"` or by a file of such lines, `--protocol mine.toml`; what
the logs contradict is refused.

Other published algorithms are shown and not tested (advice R027): in `compare` and `rank` beside those that are, in a report also where none
is, without a verdict. A single run on a task is no opponent there. Pairs of two published algorithms are not tested; `rank` ranks those with
the protocol of the own runs together. On the command line `--against atari_100k:SPR,DrQ` and `--assume-same-protocol` are options of
`compare`, `report`, `rank`, `aggregate` and `curves`. In figures published runs are grey; a report has their citation in its data and its
BibTeX, and their protocol in its methods.

Learning curves stand beside published ones by `runoff curves runs.csv --against simba:sac`, `curves.beside("simba:sac")` in Python, for
`ro.compare_curves` and `ro.curves`. The curves of a task are cut where the shorter side ends. What steps count is a key of the
protocol: frames are not compared with steps of an agent.

Is a baseline a good one? `reproduce` compares runs of a published algorithm with the published runs, on each task and over all:
a difference that matters is ruled out, or it is found, or it takes more runs. A large p-value is never an agreement.

```python
result = ro.reproduce(scores, "atari_100k:SPR", protocol={{"unit": "raw return"}})
for record in result.rows:
    print(record.task, record.verdict, record.runs_needed)
```

prints

```text
ALE/Pong-v5 cannot_be_said 11
Qbert cannot_be_said 52
None higher None
```

What matters is half of the range of the set's means on the task, unless `margin` says otherwise. On the command line this is
`runoff reproduce runs.csv --published atari_100k:SPR`; `-o OUT` writes `reproduce.json` and the figure: every own run beside every
published one, and where the mean of as many new published runs would be (`ro.plots.reproduce(result)`).

On the command line `runoff archive` lists the sets, `runoff archive atari_100k` shows one, `runoff archive export atari_100k runs.csv`
writes its runs as a table. The name of a set stands where a path of runs does, if no file has that name: `runoff compare atari_100k
--normalize atari --control SPR`; so does `classic_control`, the data of `runoff demo`.
`ro.archive.info("atari_100k")` has what this page says: `protocol()`, `citation`, `license_text`.

Scores are the last evaluation of each run, without runs that stopped early (counted in the notes). Algorithms of a set may have been
trained for unlike numbers of steps: `ro.archive.load("simbav2", at=1e6)` has scores at a step, and so has `beside("simbav2@1e6:sac")`.
Curves have at most {points} points. Runs that a source holds twice are shipped once. Runs that are in two sets are in both, with the same
key: never count them twice. A set of the kind *tuning* has configurations and not repeated runs, one of the kind *single* one run for each
algorithm and task: a line in a picture, never an opponent. [What the archive says](guides/what-the-archive-says.md) compares the sets.

A set is added by a folder with its `set.toml` and LICENSE, and one command: `python -m tools.archive SOURCES SET`.
"""


def archive_page() -> str:
    """Return docs/archive.md."""
    sets = archive.listed()
    lines = [HEAD.format(sets=len(sets), runs=f"{distinct_runs():,}".replace(",", "\u202f"), points=POINTS)]
    lines += [
        "| set | kind | benchmark | algorithms | tasks | runs | licence |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for card in sets:
        counts = f"{len(card.algorithms)} | {len(card.tasks)} | {card.n_runs}"
        lines.append(f"| [{card.name}](#{card.name}) | {card.kind} | {card.benchmark} | {counts} | {card.license} |")
    return "\n".join([*lines, *(section(card) for card in sets)])


def section(card: ArchiveSet) -> str:
    """Return what the page says of a set."""
    protocol = {PROTOCOL[key]: value for key, value in card.protocol().items()}
    sentences = [f"{key}: {value}" for key, value in protocol.items() if value not in (UNKNOWN, OF_SOME)]
    missing = [key for key, value in protocol.items() if value == UNKNOWN]
    special = [
        f"{a}: {', '.join(f'{PROTOCOL[k]} {v}' for k, v in own.items() if k in PROTOCOL)}"
        for a, own in card.of_algorithm.items()
    ]
    sources = dict.fromkeys(own["source"] for own in (card.of_all, *card.of_algorithm.values()) if "source" in own)
    algorithms = ", ".join(f"`{a}` ({tasks} tasks, {runs} runs)" for a, (tasks, runs, _) in card.algorithms.items())
    lines = [
        f"\n## {card.name}\n\n{card.title}: {KINDS[card.kind]}. Benchmark: {card.benchmark}, version {card.version}.\n",
        "<details><summary>Source, licence, protocol, algorithms, citation</summary>\n",
        f"- Source: <{card.repository}>, `{card.path}`, commit `{card.commit[:12]}`, date {card.date}; ran by: {card.ran_by}.",
        f"- Licence: {card.license}.",
        f"- Protocol: {'; '.join([*sentences, *special])}. Unknown: {', '.join(missing)}.",
        *(f"- Of the protocol, in the repository: {source}." for source in sources),
        *(f"- {note[0].upper()}{note[1:]}." for note in card.notes()),
        f"- Algorithms: {algorithms}.",
        *(
            f"- Of these runs some have another series and no score: {note.partition(': ')[2]}."
            for note in without(archive.table(card), "score")
        ),
    ]
    cited = ["", "```text", card.citation, "```"] if card.citation != UNKNOWN else ["- Citation: unknown."]
    return "\n".join([*lines, *cited, "", "</details>"])


def distinct_runs() -> int:
    """Return how many runs the archive has, those that are in two sets counted once."""
    frames = [archive.table(card).select("algorithm", "task", "run", "series", "key") for card in archive.listed()]
    rows = [frame.group_by(KEYS).agg(pl.col("key").sort_by(pl.col("series") != "score").first()) for frame in frames]
    return pl.concat(rows)["key"].n_unique()


def notice() -> str:
    """Return NOTICE: whose runs the archive has, under which licence, and where its text stands."""
    lines = [
        "runoff ships runs of published algorithms in src/runoff/archive (runoff/archive where it is installed),",
        "one folder a set.",
        "",
    ]
    for card in archive.listed():
        own = [line.strip() for line in card.license_text.splitlines() if re.match(r"\s*Copyright (\(c\)|\d)", line)]
        lines += [card.name, f"  from     {card.repository} at {card.commit}", f"  licence  {card.license}"]
        lines += [f"           {line}" for line in own] + [f"  text     src/runoff/archive/{card.name}/LICENSE", ""]
    return "\n".join(lines)


PAGES = {ROOT / "NOTICE": notice, ROOT / "docs" / "archive.md": archive_page}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, nargs="?", help="the folder of source folders")
    parser.add_argument("set", nargs="*", help="the sets (default: all that the folder has)")
    parser.add_argument("--pages", action="store_true", help="only NOTICE and docs/archive.md")
    options = parser.parse_args()
    names = sorted(file.parent.name for file in ROOM.glob("*/set.toml"))
    if not options.pages:
        for name in options.set or [name for name in names if (options.sources / name).is_dir()]:
            build(options.sources / name, name)
        read_set.cache_clear()
        share([name for name in names if (ROOM / name / FILE).exists()])
        read_set.cache_clear()
        listed.cache_clear()
        for name in names:
            check_printed(name)
    for page, written in PAGES.items():
        page.write_text(written() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
