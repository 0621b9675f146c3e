"""runoff keep: keep this change, discard it, or run it again?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runoff.cli import options as o
from runoff.cli.record import remembered, show_result
from runoff.cli.terminal import open_console, say, show_tables
from runoff.cli.values import names_in
from runoff.cli.verb import verb
from runoff.errors import DataError, OptionError
from runoff.words.numbers import listed
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from runoff.answer.keep import KeepResult
    from runoff.data.scores import Scores
    from runoff.methods.keep import Ledger

MARK = b"the record of a search</title>"
"""The text by which the page of a search is recognised."""
CODES = {"keep": 0, "discard": 1, "run_more": 3, None: 0}
"""Exit codes by decision; bad input is 2."""

ABOUT = """
ledger LEDGER: File of the search (JSONL): the first runs of the champion create it, and calls only add to it.
path CANDIDATE: Runs of the candidate, all so far or new ones; in a file with several algorithms each is judged in turn, and a new ledger takes
    the first commit of a results.tsv as the champion.
--champion RUNS: Runs of the champion, all so far or new ones; repeatable.
--name NAME: Name of the candidate, or of the champion where only its runs are given (default: that of the runs).
--settings FILE: File of the candidate's settings, which may not change between its runs.
--mode: Mode of the search: {KeepMode}; strict bounds the chance of any false keep, gain reaches the highest level without a guarantee (default
    strict).
--alpha: Chance of any false keep in strict (default 0.1).
--budget RUNS: Number of runs of the whole search (default: no limit).
--proposals N: Number of candidates that are expected in gain (default: a third of the budget).
--renew: Restore alpha after each keep, in strict.
--beside: Compare candidates with champion runs made at the same time, in strict, for a machine that drifts.
--lower-is-better: Treat the scores as costs, and negate them.
--report: Write the search as a page to --out (default LEDGER.html).
-o --out FILE.html: File of the page, with --report.
"""


@dataclass(frozen=True, kw_only=True)
class KeepRuns(o.SourceOptions):
    """The runs of the candidate and of the champion, if given."""

    path: list[str] | None = None  # type: ignore[assignment]
    champion: list[str] | None = None
    name: str | None = None
    settings: Path | None = None

    def of(self, paths: list[str]) -> Scores:
        """Return the runs at these paths; for the log of a loop, the runs in its rows."""
        from runoff.reading import read_search

        options = o.options_of(self, o.SourceOptions) | {"path": paths}
        log = read_search(paths[0]) if len(paths) == 1 else None
        if log is None:
            return o.SourceOptions(**options).read()
        chosen = names_in(self.algorithms, log.algorithms)
        return remembered(log if chosen is None else log.select(algorithms=chosen))

    def how_made(self) -> str | None:
        if self.settings is None:
            return None
        try:
            return self.settings.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise DataError(f"the settings {self.settings} cannot be read: {error}.") from error


@verb
def keep(
    *,
    ledger: Path,
    runs: KeepRuns,
    mode: str | None = None,
    alpha: float | None = None,
    budget: int | None = None,
    proposals: int | None = None,
    renew: bool = False,
    beside: bool = False,
    report: bool = False,
    out: Path | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Judge whether a search keeps a change.

    $ runoff keep night.jsonl --champion runs/base
    $ runoff keep night.jsonl runs/wider

    The exit code is 0 for keep, 1 for discard, 3 if more runs are needed, 2 for bad input. Without runs the answer is the search so far.
    """
    from runoff.methods.keep import Ledger

    settings: Any = {"mode": mode, "alpha": alpha, "budget": budget, "proposals": proposals}
    # An option that is not given is that of the ledger, and so not False.
    settings |= {"renew": renew or None, "beside": beside or None, "lower_is_better": runs.lower_is_better or None}
    night = Ledger(ledger, **settings)
    if not report:
        o.refuse("{} is about the page; use --report", out=out, force=force)
    result = judged(night, runs)
    if report:
        write_night(result, ledger, out, force=force)
    if json:
        show_result(result)
    else:
        show_keep(result)
        if report:
            say(open_console(), f"Page: {ledger.with_suffix('.html') if out is None else out}")
    code = CODES[result.decision]
    if code:
        raise typer.Exit(code)


def judged(night: Ledger, runs: KeepRuns) -> KeepResult:
    """Return the answer about the last candidate with new runs."""
    candidates = runs.of(runs.path) if runs.path else None
    champion = runs.of(runs.champion) if runs.champion else None
    if candidates is None:
        return night.record() if champion is None else night.champion(champion, name=runs.name)
    names = candidates.algorithms
    if not night.path.exists() and champion is None:
        if len(names) == 1:
            raise DataError(
                f"{night.path} has no champion yet: give its runs first, runoff keep {night.path} --champion RUNS."
            )
        if candidates.provenance.format != "results.tsv":
            raise DataError(
                f"{night.path} has no champion yet, and which of {listed(names)} it is the order of names does not say: give its runs first, "
                f"runoff keep {night.path} --champion RUNS --algorithms NAME."
            )
        champion, names = candidates.select(algorithms=names[:1]), names[1:]
    if runs.name is not None and len(names) > 1:
        raise OptionError(f"--name names one candidate, and there are {len(names)} ({', '.join(names)}); leave it out.")
    answer = night.champion(champion) if champion is not None else night.record()
    for name in names:
        own = runs.name if len(names) == 1 else None
        result = night.propose(candidates.select(algorithms=[name]), name=own, settings=runs.how_made())
        # Of several candidates the answer is about the last of which the ledger had not every run.
        if answer.candidate is None or result.n_runs > answer.n_runs:
            answer = result
    return answer


def write_night(result: KeepResult, ledger: Path, out: Path | None, *, force: bool) -> None:
    """Write the page of the search, by default next to the ledger, replacing an earlier page."""
    from runoff.base.asked import write_asked
    from runoff.page.sheet.night import night

    page = ledger.with_suffix(".html") if out is None else out
    # The page of this ledger is written anew as it grows; another file is left alone.
    own = page.is_file() and MARK in page.read_bytes()[:2000]
    write_asked(page, night(result, name=ledger.name), "page", force=force or own)


def show_keep(result: KeepResult) -> None:
    console = open_console()
    say(console, in_shell(result.sentence))
    if result.proposals:
        say(console, in_shell(result.record_sentence))
    show_tables(console, result.tables())
    if result.again:
        say(console, f"Candidates that merit more runs, if any are left: {', '.join(result.again[:5])}.")
    for note in result.notes:
        say(console, f"Note: {in_shell(note)}.")
