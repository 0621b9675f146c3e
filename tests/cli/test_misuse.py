"""Misuse is answered by what was seen and the command that works, with the user's own file and options in it."""

from __future__ import annotations

import csv
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from runoff.cli.app import command, run
from runoff.cli.options import ALSO_PRINTED, WRITTEN
from runoff.cli.wording import spaced
from runoff.hints.words import ARGUMENTS, ELSEWHERE, needless
from tests.report.made import few_drawn

pytestmark = pytest.mark.usefixtures("few_relabellings")

ROWS = [f"{a},{t},{s},{s * 0.1 + (a == 'SAC')}" for a in ("PPO", "SAC") for t in ("Pong", "Qbert") for s in range(5)]
FILES = {
    "two.csv": ROWS,
    "one.csv": ROWS[:10],
    "other.csv": [ROWS[0], *(f"{row}1" for row in ROWS[1:10])],
    "other_tasks.csv": [f"SAC,hopper,{s},{s * 0.1}" for s in range(5)],
    "nan.csv": [*ROWS[:3], "PPO,Pong,9,nan", *ROWS[4:]],
}
STEPS = [
    f"{a},{t},{s},{step},{step * (1 + 0.1 * s) + (a == 'SAC')}"
    for a in ("PPO", "SAC")
    for t in "xy"
    for s in range(4)
    for step in (1, 2, 3)
]
OF_RUNS = [f"{p},{s},{e},{(s + e) % 3 % 2}" for p in "ab" for s in range(4) for e in range(3)]
SWEPT = [
    f"{a},{t},{lr},{clip},{s},{10 * lr * (a == 'PPO') + s * clip + (t == 'x') + 0.1 * s}"
    for a in ("PPO", "SAC")
    for t in "xy"
    for lr in (0.1, 0.3)
    for clip in (0.1, 0.2)
    for s in range(3)
]
ITEMS = ["model,question,success", *(f"{m},q{i},{(i + (m == 'A')) % 3 % 2}" for m in "AB" for i in range(40))]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, rows in FILES.items():
        (tmp_path / name).write_text("\n".join(["algorithm,task,seed,score", *rows]) + "\n")
    (tmp_path / "items.csv").write_text("\n".join(ITEMS) + "\n")
    (tmp_path / "steps.csv").write_text("\n".join(["algorithm,task,seed,step,score", *STEPS]) + "\n")
    (tmp_path / "sweep.csv").write_text("\n".join(["algorithm,task,lr,clip,seed,score", *SWEPT]) + "\n")
    (tmp_path / "of_runs.csv").write_text("\n".join(["policy,seed,episode,success", *OF_RUNS]) + "\n")
    odd = (
        (tmp_path / "two.csv").read_text().replace("algorithm,task,seed,score", "Agent Name,domain,trial #,eval/reward")
    )
    (tmp_path / "odd.csv").write_text(odd)


def refused(capsys, line):
    """The sentence and the commands below it."""
    assert run(line.split()) == 2
    shown = capsys.readouterr()
    # To a program that asked for JSON the refusal is a record too.
    assert shown.out == "" or "--json" in line.split()
    sentence, *commands = shown.err.splitlines()
    assert sentence.startswith("error: ")
    return sentence, [command.strip() for command in commands]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("comapre two.csv --alpha 0.1", "Did you mean runoff compare two.csv --alpha 0.1?"),
        ("rank two.csv --draws 100", "Did you mean runoff rank two.csv --n-resamples 100?"),
        ("check list --budget 1m", "Did you mean runoff check list --time-limit 1m?"),
        ("compare two.csv --tset welch", "Did you mean runoff compare two.csv --test welch?"),
        ("compare two.csv --alpa=0.1", "Did you mean runoff compare two.csv --alpha=0.1?"),
        ("compare two.csv --confidence 0.05", "Did you mean runoff compare two.csv --alpha 0.05?"),
        (
            "compare two.csv --measure iqm --tset welch",
            "Did you mean runoff compare two.csv --measure iqm --test welch?",
        ),
        (
            "compare two.csv --algorithms PPO,SAC --non-inferiority 5%",
            "runoff gate two.csv two.csv --algorithm SAC --candidate-algorithm PPO --margin 5% tells whether PPO is not worse than SAC",
        ),
        (
            "compare two.csv --noninferiority-margin 3",
            "runoff gate two.csv two.csv --algorithm A --candidate-algorithm B --margin 3 tells whether B is not worse than A",
        ),
        ("compare two.csv --sesoi 0.1", "Did you mean runoff compare two.csv --margin 0.1?"),
        ("--vers", "Did you mean runoff --version?"),
        ("where two.csv PPO SAC", "Did you mean runoff compare two.csv --where PPO SAC?"),
        ("compare two.csv --by task", "--where A B tests two algorithms task by task"),
        ("compare two.csv --where PPO", "--where needs 2 values, --where A B: Pair to compare task by task"),
        ("compare two.csv --format latex", "--format is the format of the input files, not 'latex': --to latex says"),
        (
            "compare two.csv --format json",
            "--format is the format of the input files; --json prints the answer in that format",
        ),
        ("plot steps.csv -o curves.png", "Did you mean runoff curves steps.csv -o curves.png?"),
        ("compare two.csv --bootstrap", "--bootstrap; it is called --n-resamples here"),
        ("curves steps.csv --auc", "--auc; see runoff curves --help"),
        ("two.csv", "runoff report two.csv writes a report of it"),
        ("curves two.csv --cluster topic", "--cluster is an option of runoff "),
        ("compare --alpha 0.1", "runoff compare needs the runs: runoff compare items.csv --alpha 0.1"),
        ("reproduce two.csv", "runoff reproduce needs --published ("),
        ("compare two.csv --alpha x", "--alpha takes a number, not x"),
        ("compare two.csv --seed=1.5", "--seed takes a whole number, not 1.5"),
        ("compare two.csv --alpha", "--alpha needs a value: False positive rate"),
        ("xyzzy", "there is no verb 'xyzzy'"),
        ("where two.csv", ": runoff compare two.csv --where PPO SAC tells where the lead of one comes from"),
        ("where two.csv SAC", ": runoff compare two.csv --where SAC PPO tells where"),
        ("where", ": runoff compare RUNS.csv --where A B needs the names of two algorithms"),
        ("power --help", "there is no verb 'power'. Did you mean runoff plan --help?"),
        (
            "plan two.csv --effect 5% --seeds 10",
            "has the power of each number of runs, runoff plan two.csv --effect 5%",
        ),
        ("plan --effect 0.5 1 --std 1 2", "several differences are --effect 0.5 --effect …"),
        ("plan --effect 0.5,1 --std 1", "several are --effect 0.5 --effect 1"),
        ("next two.csv", "Did you mean runoff plan --next-runs two.csv?"),
        ("next-runs two.csv --budget 10", "Did you mean runoff plan --next-runs two.csv --budget 10?"),
        ("improvement two.csv", "Did you mean runoff compare two.csv?"),
        ("Compare two.csv", "Did you mean runoff compare two.csv?"),
        ("Significance two.csv", "Did you mean runoff compare two.csv?"),
        ("N-Seeds two.csv", "Did you mean runoff plan two.csv?"),
        ("GATE two.csv", "Did you mean runoff gate two.csv?"),
        ("compare two.csv --only SAC,PPO", "Did you mean runoff compare two.csv --algorithms SAC,PPO?"),
        ("compare two.csv --alpha 5", "not 5.0: 5 % is 0.05."),
        ("check two.csv --seeds 3", "Did you mean runoff check two.csv --n-runs 3?"),
        ("claims two.csv --runs 5", "Did you mean runoff claims two.csv --n-runs 5?"),
        ("plan --effect 1 --std 1 --seeds 10", "Did you mean runoff plan --effect 1 --std 1 --n-runs 10?"),
        ("plot two.csv -o new.csv", "Did you mean runoff compare two.csv -o new.csv?"),
        ("compare two.csv --paired task", "leave it out, runoff compare two.csv;"),
        ("compare two.csv --paired classic_control", "leave it out, runoff compare two.csv;"),
        ("compare --paired classic_control", "leave it out, runoff compare classic_control;"),
        ("tuning two.csv --params lr,batch", "runoff tuning two.csv --columns settings=lr,batch makes configurations"),
        ("aggregate two.csv --where Pong", "--columns rows=COLUMN=VALUE reads some rows"),
    ],
)
def test_a_word_that_no_verb_understands_is_answered_by_the_command_that_was_meant(typed, meant, capsys):
    assert meant in refused(capsys, typed)[0]


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("compare two.csv --test welsh", ["compare two.csv --test welch"]),
        ("compare two.csv --control PP --alpha 0.1", ["compare two.csv --control PPO --alpha 0.1"]),
        ("compare two.csv --algorithms PPO,SCA", ["compare two.csv --algorithms PPO,SAC"]),
        ("compare two.csv --normalize=atary", ["compare two.csv --normalize=atari"]),
        ("compare two.csv --against atari_100k:SRP", ["compare two.csv --against atari_100k:SPR"]),
        ("compare tow.csv", ["compare two.csv"]),
        (
            "compare two.csv --columns rows=Task=Pong,algorithm=PPO",
            ["compare two.csv --columns rows=task=Pong,algorithm=PPO"],
        ),
        ("archive atari", ["archive atari_100k"]),
        ("check colas2019/tabel15", ["check colas2019/table15"]),
        ("compare nan.csv --seed 1", [f"compare nan.csv --seed 1 --incomplete {how}" for how in ("drop", "worst")]),
        ("compare one.csv --columns run=seed --alpha 0.1", ["aggregate one.csv --columns run=seed"]),
        ("compare two.csv --margin 0.1 --where PPO SAC", ["compare two.csv --where PPO SAC"]),
        ("curves two.csv", ["compare two.csv"]),
        ("curves two.csv --last 3", ["curves two.csv"]),
        (
            "gate two.csv two.csv --algorithm PPO",
            [f"gate two.csv two.csv --algorithm PPO --margin {size}" for size in ("1sd", "10%")],
        ),
        ("report two.csv -o two.csv", ["report two.csv -o runoff-report"]),
        ("compare classic_control --keys task", ["compare classic_control"]),
        ("tuning two.csv", ["compare two.csv"]),
        ("compare two.csv --columns score=NAME", []),
        ("plan two.csv --effect 5% --runs 10", ["plan two.csv --effect 5%"]),
        ("plan two.csv --effect 5% --n-runs 10", ["plan two.csv --effect 5%"]),
        ("compare of_runs.csv --unit episode", ["compare of_runs.csv --duplicates mean"]),
        ("compare of_runs.csv --unit=episode --duplicates mean", ["compare of_runs.csv --duplicates mean"]),
        (
            "compare of_runs.csv --columns run=episode --unit episode",
            ["compare of_runs.csv --columns run=seed --duplicates mean"],
        ),
    ],
)
def test_a_refusal_ends_with_the_commands_that_work(typed, commands, capsys):
    assert refused(capsys, typed)[1] == [f"runoff {command}" for command in commands]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (
            "sequential d.toml two.csv",
            "make one before the first run: runoff sequential d.toml --new --looks 5,10,15,20.",
        ),
        ("plan --std 1", "runoff plan --effect 0.5 --std 1"),
        ("compare two.csv --columns nonsense", "--columns takes ROLE=NAME, as score=return, not 'nonsense'"),
        ("gate two.csv", "BASELINE and CANDIDATE, not 1"),
    ],
)
def test_a_refusal_says_what_would_be_right(typed, sentence, capsys):
    assert sentence in refused(capsys, typed)[0]


def test_the_version_says_all_that_a_bug_report_needs(capsys):
    assert run(["--version", "-v"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 8
    for word in ("runoff ", "CPython 3", "numpy ", "polars ", "matplotlib ", "numba", "cores, ", "compiled kernels: "):
        assert any(word in line for line in lines), word


GUESSES = [
    ("aggregate two.csv --drop SAC", "aggregate two.csv --exclude SAC"),
    ("aggregate --leave-out Pong two.csv --json", "aggregate --exclude Pong two.csv --json"),
    ("compare two.csv --equivalence 3", "compare two.csv --margin 3 --measure mean"),
    ("compare two.csv --difference 0.05", "compare two.csv --margin 0.05"),
    ("compare two.csv --equivalence 0.05", "compare two.csv --margin 0.05"),
    ("compare two.csv --margin 10%", "compare two.csv --margin 0.12 --measure mean"),
    ("plan --std 1 --delta 0.5", "plan --std 1 --effect 0.5"),
    ("plan --std 1 --mde=2", "plan --std 1 --effect=2"),
    ("plan --std 1 --margin 0.5 --power 0.9", "plan --std 1 --effect 0.5 --power 0.9"),
    ("compare two.csv --pair PPO SAC", "compare two.csv --algorithms PPO,SAC"),
    ("compare --per-task two.csv", "aggregate two.csv --by task"),
    ("compare steps.csv --average 2", "compare steps.csv --last 2"),
    ("compare steps.csv --auc", "compare steps.csv --last 100%"),
    ("compare steps.csv --until 2", "compare steps.csv --at 2"),
    ("curves steps.csv --until 2 --json", "curves steps.csv --up-to 2 --json"),
    ("compare two.csv --bootstrap 200", "compare two.csv --n-resamples 200"),
    ("steps steps.csv --threshold 1", "curves steps.csv --threshold 1"),
    ("mean two.csv", "aggregate two.csv"),
    ("plot steps.csv --kind curves --smooth 5 -o new.pdf --force", "curves steps.csv -o new.pdf --force"),
    ("plot steps.csv --smooth 5 -o new.pdf --force", "curves steps.csv -o new.pdf --force"),
    ("sensitivity sweep.csv", "tuning sweep.csv --view sensitivity"),
    ("importance sweep.csv --json", "tuning sweep.csv --json --view importance"),
    ("tuning sweep.csv --importance lr", "tuning sweep.csv --view importance"),
    ("compare sweep.csv --sensitivity", "tuning sweep.csv --view sensitivity"),
    ("profiles two.csv", "report two.csv --figures pdf"),
    ("profile two.csv --drop Pong -o new.svg", "report two.csv --exclude Pong --figures svg"),
    ("performance-profile two.csv --out new", "report two.csv --out new --figures pdf"),
    ("plot two.csv --kind profile -o new.png --force", "report two.csv --force --figures png"),
    ("plot two.csv profile -o new.png", "report two.csv --figures png"),
    ("plot profile two.csv -o new.png", "report two.csv --figures png"),
    ("plot steps.csv learning -o new.png --force", "curves steps.csv -o new.png --force"),
    ("plot two.csv -o profile.png --force", "compare two.csv -o profile.png --force"),
    ("compare two.csv --drop Pong -o new.pdf --force", "compare two.csv --exclude Pong -o new.pdf --force"),
    ("compare two.csv --pair PPO SAC -o new.csv --force", "compare two.csv --algorithms PPO,SAC -o new.csv --force"),
    ("plot two.csv --kind bar -o new.pdf --force", "compare two.csv -o new.pdf --force"),
    (
        "table two.csv --by task --spread std --to latex -o new.tex --force",
        "aggregate two.csv --by task --errorbar sd --to latex -o new.tex --force",
    ),
    ("table two.csv --bold best --to latex", "aggregate two.csv --to latex"),
    ("aggregate two.csv --smooth 3 --bold best --by task --spread std", "aggregate two.csv --by task --errorbar sd"),
    pytest.param("figure two.csv profiles", "report two.csv --figures pdf", marks=pytest.mark.slow),
]


UNDERSTOOD = [
    ("compare steps.csv --final", "compare steps.csv --last 1"),
    ("compare two.csv --lower", "compare two.csv --lower-is-better"),
    ("compare two.csv --baseline PPO", "compare two.csv --control PPO"),
    ("aggregate two.csv --without Pong", "aggregate two.csv --exclude Pong"),
    ("compare two.csv --env Pong", "compare two.csv --tasks Pong"),
    ("compare two.csv --env task", "compare two.csv --columns task=task"),
    ("compare two.csv --game Pong --agents PPO,SAC", "compare two.csv --tasks Pong --algorithms PPO,SAC"),
    ("compare --latex two.csv", "compare --to latex two.csv"),
    ("compare two.csv --minimise --tasks Pong", "compare two.csv --lower-is-better --tasks Pong"),
    ("compare two.csv --pairwise", "compare two.csv --pairs"),
    ("compare steps.csv --at-step 2", "compare steps.csv --at 2"),
    ("curves steps.csv --reach 1", "curves steps.csv --threshold 1"),
    ("gate one.csv other.csv --max-drop 1", "gate one.csv other.csv --margin 1"),
    ("compare two.csv --p-adjust bonferroni", "compare two.csv --correction bonferroni"),
    ("plan two.csv --output new.csv --force", "plan two.csv --out new.csv --force"),
    (
        "compare steps.csv --score score --task x --task y",
        "compare steps.csv --columns score=score --tasks x --tasks y",
    ),
    ("compare two.csv --task Pong --score score", "compare two.csv --tasks Pong --columns score=score"),
    (
        "aggregate two.csv --exclude-tasks Pong --exclude-algorithm PPO",
        "aggregate two.csv --exclude task:Pong --exclude algorithm:PPO",
    ),
    ("compare two.csv --json new.json --force", "compare two.csv --json -o new.json --force"),
    ("aggregate two.csv --to csv new.csv --force", "aggregate two.csv --to csv -o new.csv --force"),
    ("curves steps.csv --plot new.svg --force", "curves steps.csv --out new.svg --force"),
    ("rank two.csv --markdown new.md --force", "rank two.csv --out new.md --force"),
    ("convert two.csv --to new.csv --force", "convert two.csv -o new.csv --force"),
    ("compare steps.csv --step 2", "compare steps.csv --at 2"),
    ("compare items.csv --over items", "compare items.csv --over tasks"),
    ("compare two.csv --measure poi --to json", "compare two.csv --measure improvement --json"),
    ("compare items.csv --to json --over items", "compare items.csv --json --over tasks"),
    ("aggregate two.csv --metric iqm", "aggregate two.csv --measure iqm"),
    ("compare two.csv --random-state=3", "compare two.csv --seed 3"),
    ("compare two.csv --confidence 0.9 --json", "compare two.csv --alpha 0.1 --json"),
    ("rank two.csv --confidence-level=99", "rank two.csv --alpha 0.01"),
    ("aggregate two.csv --confidence 90%", "aggregate two.csv --confidence-level 0.9"),
    ("compare two.csv --confidence 95%", "compare two.csv --alpha 0.05"),
    ("compare --data two.csv", "compare two.csv"),
    ("compare two.csv --measure probability-of-improvement", "compare two.csv --measure improvement"),
    ("compare --measure mean -i two.csv", "compare two.csv --measure mean"),
    ("diff --new two.csv --old two.csv", "diff two.csv two.csv"),
    ("gate --margin 1 other.csv --baseline one.csv", "gate one.csv --margin 1 other.csv"),
    ("gate --candidate other.csv one.csv --margin 1", "gate one.csv --margin 1 other.csv"),
    ("compare two.csv --statistic mean --level 90", "compare two.csv --measure mean --alpha 0.1"),
    ("compare two.csv --algorithm PPO,SAC --task Pong", "compare two.csv --algorithms PPO,SAC --tasks Pong"),
    (
        "compare odd.csv --algorithm Agent_Name --task domain --seed trial_# --score eval/reward",
        "compare odd.csv --columns algorithm=Agent_Name --columns task=domain --columns seed=trial_# --columns score=eval/reward",
    ),
    ("compare two.csv --where task=Pong", "compare two.csv --columns rows=task=Pong"),
    (
        "aggregate two.csv --where task=Pong,algorithm!=SAC",
        "aggregate two.csv --columns rows=task=Pong --columns rows=algorithm!=SAC",
    ),
    (
        "aggregate two.csv --query task=='Pong'&algorithm=='PPO'",
        "aggregate two.csv --columns rows=task=Pong --columns rows=algorithm=PPO",
    ),
    ("compare steps.csv --last 0.5", "compare steps.csv --last 50%"),
    ("compare steps.csv --last=.5 --to json", "compare steps.csv --last=50% --json"),
    ("aggregate two.csv --spread std --by task", "aggregate two.csv --errorbar sd --by task"),
    ("aggregate two.csv --alpha 0.1", "aggregate two.csv --confidence-level 0.9"),
    ("aggregate two.csv --filter task=='Pong'", "aggregate two.csv --columns rows=task=Pong"),
    (
        "compare two.csv --where task=Pong --query algorithm=PPO --query algorithm=SAC",
        "compare two.csv --columns rows=task=Pong --columns rows=algorithm=PPO --columns rows=algorithm=SAC",
    ),
    (
        "compare odd.csv --by Agent_Name --columns run=trial_#",
        "compare odd.csv --columns algorithm=Agent_Name --columns run=trial_#",
    ),
]


@pytest.mark.parametrize(("typed", "meant"), UNDERSTOOD)
def test_what_can_mean_one_thing_only_is_carried_out_and_a_line_says_how_it_is_read(typed, meant, capsys):
    words = [word.replace("_", " ") for word in meant.split()]
    assert run([word.replace("_", " ") for word in typed.split()]) == 0
    read = capsys.readouterr()
    assert read.err.startswith(f"note: this is read as runoff {shlex.join(words)}\n")
    assert read.err.count("this is read as") == 1
    assert run(words) == 0
    assert capsys.readouterr().out == read.out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("compare two.csv --algorithms PPO SAC", "compare two.csv --algorithms PPO,SAC"),
        ("compare --tasks Pong Qbert two.csv", "compare --tasks Pong,Qbert two.csv"),
        ("compare odd.csv --columns score=r task=d seed=s", "compare odd.csv --columns score=r,task=d,seed=s"),
        (
            "compare two.csv --exclude Pong --algorithms PPO SAC --json",
            "compare two.csv --exclude Pong --algorithms PPO,SAC --json",
        ),
        ("sequential a.toml --new --looks 5 10 15", "sequential a.toml --new --looks 5,10,15"),
        ("compare --algorithms DER SPR atari_100k", "compare --algorithms DER,SPR atari_100k"),
        ("compare --algorithms PPO missing.csv", "compare --algorithms PPO missing.csv"),
        ("compare two.csv --measure mean one.csv", "compare two.csv --measure mean one.csv"),
    ],
)
def test_names_behind_a_list_are_of_it_and_files_are_not(typed, meant):
    assert spaced(typed.split(), command().commands) == meant.split()


@pytest.mark.parametrize("typed", ["compare two.csv --exclude Pong PPO", "compare --tasks Pong PPO two.csv"])
def test_a_name_behind_a_list_that_is_a_folder_too_is_no_path_in_silence(typed, tmp_path, capsys):
    (tmp_path / "PPO").mkdir()
    sentence, _ = refused(capsys, typed)
    assert "'PPO' behind --" in sentence
    assert "Pong,PPO" in sentence


@pytest.mark.parametrize(
    "typed", ["compare two.csv --metric iqm --measure mean", "compare two.csv --confidence 0.9 --alpha=0.05"]
)
def test_of_two_values_for_one_option_none_is_lost(typed, capsys):
    assert run(typed.split()) == 2
    shown = capsys.readouterr().err
    assert "note: this is read as" not in shown
    assert "Did you mean" not in shown


def test_a_name_with_a_comma_stays_one_name_of_a_list():
    words = spaced(["compare", "two.csv", "--algorithms", "PPO", "SAC, tuned"], command().commands)
    assert words == ["compare", "two.csv", "--algorithms", "PPO", "--algorithms", "SAC, tuned"]


@pytest.mark.parametrize(("typed", "meant"), GUESSES)
def test_a_guess_is_answered_by_the_command_that_was_meant_and_that_works(typed, meant, capsys, monkeypatch):
    monkeypatch.setattr(*few_drawn())
    spaced = [word.replace("_", " ") for word in typed.split()]
    assert run(spaced) == 2
    shown = capsys.readouterr().err
    words = [word.replace("_", " ") for word in meant.split()]
    assert f"runoff {shlex.join(words)}" in shown.replace("\n", " ")
    assert run(words) == 0


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("compare two.csv --output two.csv --force", "compare two.csv --out two-answer.csv --force"),
        ("compare two.csv --save ./two.csv", "compare two.csv --out two-answer.csv"),
        ("rank two.csv --to markdown --output one.md", "rank two.csv --to markdown --out one-answer.md"),
        ("aggregate two.csv --outfile answer.json", "aggregate two.csv --out answer-answer.json"),
    ],
)
def test_no_file_that_is_there_is_written_over_and_a_free_name_works(typed, meant, tmp_path, capsys):
    before = {path: path.write_text("mine") and "mine" for path in (tmp_path / "answer.json", tmp_path / "one.md")}
    before[tmp_path / "two.csv"] = (tmp_path / "two.csv").read_text()
    assert run(typed.split()) == 2
    *_, sentence, command = capsys.readouterr().err.splitlines()
    assert "is not overwritten: name another file" in sentence
    assert command == f"  runoff {meant}"
    assert run(meant.split()) == 0
    assert {path: path.read_text() for path in before} == before


def test_a_page_is_written_alone_where_a_file_is_named(tmp_path, capsys):
    assert run(["report", "two.csv", "--out", "rep.html"]) == 0
    assert [path.name for path in tmp_path.glob("rep*")] == ["rep.html"]
    page, script, rest = (tmp_path / "rep.html").read_text().partition("<script")
    assert script
    assert rest.endswith("</html>")
    assert "tables/" not in page
    assert "results.json" not in page
    assert "tables" not in capsys.readouterr().out
    assert "rep.html is there already, and is not overwritten" in refused(capsys, "report two.csv --out rep.html")[0]
    assert "is the page alone: name a folder" in refused(capsys, "report two.csv --out b.html --figures pdf")[0]


def test_a_report_is_no_picture(tmp_path, capsys):
    assert (
        "`report` writes a folder, and rep.pdf is the name of a file" in refused(capsys, "report two.csv -o rep.pdf")[0]
    )
    assert not list(tmp_path.glob("rep*"))


@pytest.mark.parametrize(
    ("named", "there"),
    [("", True), (" --measure mean", False), (" --test welch", False), (" --tasks Pong", False)],
)
def test_a_comparison_of_few_tasks_says_why_it_is_by_means(named, there, capsys):
    assert run(f"compare two.csv --score-unit shared{named}".split()) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert ("By means, for an interquartile mean takes four tasks or more" in shown) == there


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["aggregate", "compare", "convert", "curves", "gate", "plan", "rank", "report"])
def test_every_command_that_is_offered_is_understood(verb, capsys):
    verbs = command().commands
    tables = [line.split(": ") for line in ARGUMENTS.strip().splitlines()]
    elsewhere = [line.split(": ")[0] for line in ELSEWHERE.strip().splitlines()]
    own = {flag for p in verbs[verb].params for flag in p.opts}
    for name in {name for names in [*(names for _, names in tables), *elsewhere] for name in names.split()}:
        option = f"--{name.replace('_', '-')}"
        if option in own:
            continue
        for value in ([], ["0.9"]):
            run([verb, "two.csv", option, *value])
            shown = capsys.readouterr().err
            offered = re.search(r"(?:Did you mean|;) runoff (.*?)(?:\?| > | takes| has| writes)", shown)
            if offered is not None:
                words = shlex.split(offered[1])
                assert verbs[words[0]].make_context(words[0], words[1:]).params, shown


def test_a_name_behind_a_list_of_names_is_one_of_them_and_no_file_like_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("runs.csv", "worse.csv"):
        Path(name).write_text(
            "algorithm,run,score\n" + "".join(f"{a},{r},{r}\n" for a in ("PPO", "ours") for r in range(5))
        )
    assert run(["compare", "runs.csv", "--algorithms", "PPO", "ours"]) == 0
    assert "worse" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("aggregate two.csv --output-dir x", "runoff report two.csv writes figures, tables and a page"),
        ("aggregate two.csv --std", "--by task --errorbar sd has the mean ± the standard deviation of runs"),
        ("plan --effect-size 0.8", "runoff plan --effect 0.8 --effect-unit sd counts in standard deviations of runs"),
        ("compare two.csv --hns", "runoff compare two.csv --normalize atari maps a random agent to 0 and a human to 1"),
        ("seeds two.csv", "Did you mean runoff plan two.csv"),
        ("hyperparameters two.csv", "Did you mean runoff tuning two.csv"),
        ("steps-to two.csv", "Did you mean runoff curves two.csv"),
        ("plot steps.csv -o c.pdf", "Did you mean runoff curves steps.csv -o c.pdf"),
        ("plot two.csv -o c.pdf", "Did you mean runoff compare two.csv -o c.pdf"),
        ("compare two.csv --to pdf", "not 'pdf'; -o answer.pdf, .png or .svg draws the figure of the answer"),
        ("compare two.csv --to HTML", "runoff report writes a page"),
        ("gate two.csv two.csv --to junit", "pytest --junitxml=gate.xml"),
        ("gate two.csv two.csv --junit-xml", "the fixture of pytest writes it, pytest --junitxml=gate.xml"),
        ("compare two.csv --by task", "--by is an option of runoff aggregate"),
        ("compare two.csv --where seed=1", "'seed' is the run, by which no rows are chosen"),
        ("compare two.csv --paired", "tasks are blocks already: leave it out, runoff compare two.csv"),
        ("compare --verbose two.csv --pairs", "leave it out, runoff compare two.csv --pairs"),
        ("curves steps.csv --smooth 5 --at 2", "leave it out, runoff curves steps.csv --at 2"),
        ("compare two.csv --two-sided=yes", "all tests have two sides: leave it out, runoff compare two.csv"),
        (
            "aggregate two.csv --by task --measure std",
            "leave out --measure; --errorbar sd prints the standard deviations",
        ),
    ],
)
def test_what_outsiders_typed_is_answered_with_what_works(capsys, words, answer):
    assert run(words.split()) == 2
    assert answer in " ".join(capsys.readouterr().err.split())


def test_a_task_that_heads_a_column_of_the_file_is_that_column(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("g.csv").write_text(
        "algo,place,seed,score\n" + "".join(f"{a},x,{r},{r + 2 * (a == 'B')}\n" for a in "AB" for r in range(4))
    )
    assert run(["compare", "g.csv", "--task", "place"]) == 0
    assert "note: this is read as runoff compare g.csv --columns task=place" in " ".join(
        capsys.readouterr().err.split()
    )


@pytest.mark.parametrize(
    ("words", "repair"),
    [
        ("compare two.csv PPO SAC", "runoff compare two.csv --algorithms PPO,SAC"),
        ("compare two.csv --control PPO SAC", "runoff compare two.csv --control PPO --algorithms PPO,SAC"),
    ],
)
def test_names_behind_the_runs_are_those_of_algorithms(capsys, words, repair):
    assert run(words.split()) == 2
    printed = capsys.readouterr().err.splitlines()
    assert printed[1].strip() == repair
    assert run(repair.split()[1:]) == 0


@pytest.mark.parametrize(
    ("words", "sentence", "repairs"),
    [
        ("compare two.csv --test welch jackknife", "there is no such file", ["--test welch", "--test jackknife"]),
        ("compare two.csv --algorithms PPO simba", "no algorithm 'simba'", ["--algorithms PPO --against simba"]),
        ("compare steps.csv --score auc", "no column 'auc' to be the score", ["--last 100%"]),
        ("aggregate steps.csv --measure auc", "not 'auc'", ["--last 100%"]),
        ("compare steps.csv --measure=auc", "load(data).auc() in Python", ["--last 100%"]),
        ("reproduce other_tasks.csv --published atari_100k:DER", "'hopper' (Did you mean 'Gopher'?)", []),
        ("aggregate two.csv --exclude-tasks PPO", "there is no task 'PPO'", []),
    ],
)
def test_what_is_no_list_no_column_and_no_task_is_answered_by_what_works(words, sentence, repairs, capsys):
    assert run(words.split()) == 2
    lines = capsys.readouterr().err.splitlines()
    *_, error = [line for line in lines if line.startswith("error: ")]
    assert sentence in error
    verb, file, *_ = words.split()
    assert lines[lines.index(error) + 1 :] == [f"  runoff {verb} {file} {repair}" for repair in repairs]
    assert [run([verb, file, *repair.split()]) for repair in repairs if "simba" not in repair] == [0] * (
        "simba" not in words
    ) * len(repairs)


@pytest.mark.parametrize("option", ["--seeds", "--exclude-runs", "--filter"])
def test_single_runs_are_never_chosen_by_an_option(option, capsys):
    sentence, commands = refused(capsys, f"compare two.csv {option} 3")
    assert "single runs never" in sentence
    assert "--seed 3" not in sentence
    assert commands == []


def test_the_word_that_a_refusal_quotes_is_replaced_and_not_a_file_that_is_spelled_like_the_right_one(tmp_path, capsys):
    (tmp_path / "atari.csv").write_text((tmp_path / "two.csv").read_text())
    _, commands = refused(capsys, "aggregate atari.csv --normalize atary")
    assert commands == ["runoff aggregate atari.csv --normalize atari"]


@pytest.mark.parametrize("typed", ["--exclude-tasks Pong --seeds 0", "--seeds 0 --exclude-tasks Pong"])
def test_of_two_options_the_one_that_means_nothing_is_refused(typed, capsys):
    assert run(f"compare two.csv {typed}".split()) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("error: runoff compare has no option --seeds: ")


@pytest.mark.parametrize("written", sorted(WRITTEN | ALSO_PRINTED.keys()))
def test_the_option_that_is_named_for_a_format_of_answers_prints_it(capsys, written):
    assert run(["compare", "two.csv", "--format", written]) == 2
    named = re.search(r"--json|--to \w+", capsys.readouterr().err)
    assert run(["compare", "two.csv", *named[0].split()]) == 0
    form = {"json": "{", "markdown": "| ", "md": "| "}.get(written, "")
    assert capsys.readouterr().out.lstrip().startswith(form)


@pytest.mark.parametrize(
    "words", [["-o", "a.csv", "--out", "b.md"], ["--alpha", "0.1", "--alpha=0.1"], ["-o", "a.csv", "-o", "a.csv"]]
)
def test_an_option_of_one_value_stands_there_once(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["compare", "classic_control", *words]) == 2
    assert "stands there twice, and takes one value; leave one of them out" in capsys.readouterr().err
    assert not list(tmp_path.glob("[ab].*"))


def test_of_a_role_and_a_column_of_one_name_the_column_is_respelled(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.csv").write_text("algorithm,seed,score ↓\nA,0,1.5\nA,1,2\nB,0,3\nB,1,4\n", encoding="utf-8")
    assert run(["compare", "runs.csv", "--columns", "score=score"]) == 2
    command = capsys.readouterr().err.splitlines()[-1].strip()
    assert command == "runoff compare runs.csv --columns 'score=score ↓'"
    assert run(shlex.split(command)[1:]) == 0
    assert "its scores are negated" in capsys.readouterr().err


def test_what_is_left_out_of_a_command_is_said_with_why_and_logs_are_drawn_as_curves(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for run_of in ("logs/ppo/0", "logs/ppo/1", "logs/sac/0", "logs/sac/1"):
        (tmp_path / run_of).mkdir(parents=True)
        (tmp_path / run_of / "progress.csv").write_text("step,return\n1,2\n2,3\n3,5\n")
    sentence, _ = refused(capsys, "plot logs --smooth 5 --bold best -o new.pdf")
    for option in ("smooth", "bold"):
        assert f", and --{option} is left out: {needless(option)}" in sentence
    assert sentence.endswith("Did you mean runoff curves logs -o new.pdf?")
    sentence, _ = refused(capsys, "curves logs --bold best --smooth 5")
    assert sentence.count("leave it out, runoff curves logs;") == 1
    assert str(needless("smooth")) in sentence


def test_what_a_sweep_says_of_one_setting_is_named_where_its_rows_are_asked_for_by_it(capsys):
    sentence, _ = refused(capsys, "tuning sweep.csv --by lr")
    assert "--view importance has the share of each setting" in sentence


def test_an_algorithm_as_reference_is_answered_by_the_file_of_its_means(capsys):
    sentence, _ = refused(capsys, "aggregate two.csv --normalize SAC")
    written = sentence.partition("with its means as 1: ")[2].partition(" writes the file")[0]
    subprocess.run(["sh", "-c", written], check=True)
    assert run(shlex.split("aggregate two.csv --normalize SAC.csv --assume-raw --measure mean --to csv")) == 0
    row = next(row for row in csv.DictReader(capsys.readouterr().out.splitlines()) if row["algorithm"] == "SAC")
    assert float(row["estimate"]) == pytest.approx(1.0, abs=1e-5)
