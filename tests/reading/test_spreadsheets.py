"""Tables as people keep them beside their work: printed, titled, commented, with heads of their own; read, or asked about with one answer."""

from __future__ import annotations

import json
import shlex
import sqlite3
from contextlib import nullcontext

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run

RUNS = {
    "PPO": {"Ant": [11.5, 12.0, 13.0], "Hopper": [1.5, 2.0, 3.0]},
    "SAC": {"Ant": [13.5, 14.0, 15.0], "Hopper": [3.5, 4.0, 5.0]},
}
CELLS = [(a, t, r, RUNS[a][t][r]) for a in RUNS for t in ("Hopper", "Ant") for r in range(3)]
pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


def tidy(row: str, head: str) -> str:
    """Return a line for each run, by a template with the fields a, t, r, x; and i, the number of the line."""
    lines = [row.format(a=a, t=t, r=r, x=x, i=i) for i, (a, t, r, x) in enumerate(CELLS)]
    return "\n".join([head, *lines, ""])


def wide(rows, row: str, head: str) -> str:
    """Return a line for each pair of labels and cells, by a template."""
    lines = []
    for label, cells in rows:
        lines.append(row.format(label=label, cells=",".join(map(str, cells))))
    return "\n".join([head, *lines, ""])


BY_TASK = [(f"{a},{r}", [RUNS[a][t][r] for t in ("Hopper", "Ant")]) for a in RUNS for r in range(3)]
BY_NAME = [(f"{a}-{r}", [RUNS[a][t][r] for t in ("Hopper", "Ant")]) for a in RUNS for r in range(3)]
BY_RUN = [(f"{t},{a}", RUNS[a][t]) for t in ("Hopper", "Ant") for a in RUNS]
PIVOT = [(str(r), [RUNS[a][t][r] for t in ("Hopper", "Ant") for a in RUNS]) for r in range(3)]
BLOCKS = "".join(
    f"{t},,,\n,s0,s1,s2\n" + "".join(f"{a},{','.join(map(str, RUNS[a][t]))}\n" for a in RUNS) + "\n"
    for t in ("Hopper", "Ant")
)
TEXT = {(a, t): ", ".join(map(str, RUNS[a][t])) for a in RUNS for t in ("Hopper", "Ant")}
PRINTED = "".join(
    f"\n== {t} ==\nalgo        s0     s1     s2     avg\n"
    + "".join(f"{a}       {x[0]}   {x[1]}   {x[2]}    {sum(x) / 3:.2f}\n" for a in RUNS for x in [RUNS[a][t]])
    for t in ("Hopper", "Ant")
)
RULE = "====  ======  ====  ======"
PAGE = "".join(
    f"<tr><td>{a}</td><td>{t}</td><td>{r}<td>{x}" if r else f"<tr><td rowspan=1>{a}<td>{t}<td>{r}<td>{x}"
    for a, t, r, x in CELLS
)
SPANNED = "".join(
    f"<tr>{f'<th rowspan=3>{a}</th>' if r == 0 else ''}<td>{r}</td>"
    + "".join(f"<td> <b>{RUNS[a][t][r]}</b> </td>" for t in ("Hopper", "Ant"))
    + "</tr>"
    for a in RUNS
    for r in range(3)
)
SOURCE = "".join(
    (f"\\multirow{{3}}{{*}}{{{a}}}" if r == 0 else "")
    + f" & {r} & {RUNS[a]['Hopper'][r]} & \\textbf{{{RUNS[a]['Ant'][r]}}} \\\\\n"
    for a in RUNS
    for r in range(3)
)
READ = {
    "tables printed below titles.txt": f"D4RL, final checkpoint, of all seeds\nrun on the cluster\n{PRINTED}",
    "a simple table of reST.rst": tidy(
        "{a:4}  {t:6}  {r:4}  {x}", f"Results\n=======\n\n{RULE}\nalgo  env     seed  return\n{RULE}"
    )
    + f"{RULE}\n",
    "a page.html": f"<html><style>td {{a: 1}}</style><h2>Final returns</h2><table><tr><th>algo<th>env<th>seed<th>return{PAGE}</table></html>",
    "a page with cells over rows and columns.html": "<table><tr><th rowspan=2>Agent</th><th rowspan=2>Seed</th><th colspan=2>Return</th>"
    f"</tr><tr><th>Hopper</th><th>Ant</th></tr>{SPANNED}</table>",
    "a source.tex": "\\begin{table}\\caption{Returns.}\\begin{tabular}{llrr}\\toprule\n & & \\multicolumn{2}{c}{Task} \\\\\n"
    f"Method & Seed & Hopper & Ant \\\\ \\midrule\n{SOURCE}\\bottomrule\n\\end{{tabular}}\\end{{table}}\n",
    "a printed frame below its prompt.txt": tidy("{i} {a} {t} {r} {x}", ">>> print(df)\n algo env seed test_won_mean"),
    "a header in the last comment.dat": tidy(
        "{a} {t} {r} {x}", "# a comparison, of two\n# git 3fa91c2\n#\n# algo env seed score"
    ),
    "names of runs between tabs.txt": tidy("{a}\t{t}\t{r}\t{x}", "algo\tenv\tseed\tvalue"),
    "remarks in brackets.csv": tidy("{t},{a},{r},{x}", "map (of three),algo,seed,return"),
    "a tracker's id beside the seed.csv": tidy("{i:08x},{a},{t},{r},{x}", "run_id,algo,bench,seed,accuracy"),
    "the seed of a policy.csv": tidy("{t},{a},{r},{x}", "task,method,policy seed,return"),
    "a title as wide as the table.csv": wide(
        BY_RUN, "{label},{cells}", "Return of ten episodes,,,,\n,,,,\nTask,Method,0,1,2"
    ),
    "unknown tasks beside seeds.csv": wide(BY_TASK, "{label},{cells}", "agent,seed,Hopper,Ant"),
    "names that count in turn.csv": wide(BY_NAME, "{label},{cells}", ",Hopper,Ant"),
    "two levels that pandas names.csv": wide(
        PIVOT, "{label},{cells}", "dataset,Hopper,Hopper,Ant,Ant\nalgo,PPO,SAC,PPO,SAC\nseed,,,,"
    ),
    "a table below the name of each task.csv": BLOCKS,
    "an unknown column beside names and runs.csv": wide(
        BY_RUN, "{label},{cells}", "Building,Controller,Run 1,Run 2,Run 3"
    ),
    "lines of keys and values.log": tidy("12:0{r} INFO [{a}] env={t} seed={r} final_return={x} time=9s", "").lstrip(),
    "a score whose last word alone is known.csv": tidy("{a},{t},{r},{x}", "algo,task_family,seed,adapted_return"),
    "links of a page.md": tidy(
        "| [{a}](https://x.org/{a}) | {t} | {r} | **{x}** |", "| algo | env | seed | score |\n|-|-|-|-|"
    ),
    "names without a unit.csv": tidy("{a},{t},{r},{x}", "algo,env,seed,score\n[-],[-],[-],[m]"),
    "a total without a value.csv": wide(BY_RUN, "{label},{cells}", "Task,Method,0,1,2") + "Average,,,,\n",
}


@pytest.mark.parametrize("kind", READ)
def test_what_one_can_read_in_one_way_is_read(put, kind):
    assert ro.load(put(f"t.{kind.rsplit('.', 1)[1]}", READ[kind])).to_dict() == RUNS


def test_numbers_behind_a_hash_are_runs_however_few(put):
    file = put("t.csv", "game,DQN #1,DQN #2,IQN #1,IQN #2\nPong,1,2,3,4\nAlien,5,6,7,8\n")
    assert ro.load(file).to_dict() == {
        "DQN": {"Alien": [5.0, 6.0], "Pong": [1.0, 2.0]},
        "IQN": {"Alien": [7.0, 8.0], "Pong": [3.0, 4.0]},
    }


@pytest.mark.parametrize(
    "names",
    [
        "A-0 A-1 base",
        "base A-0 A-1",
        "A-0 A-1 B-0 B-1",
        "A-0 A-1 A-2 B-0 B-1",
        "A-0 A-1 A-2 B-0 B-1 B-2 C-0 C-1",
        "A-1 A-2 A-3 B-1 B-2 B-3",
    ],
)
def test_numbers_that_may_be_versions_are_never_pooled_unasked(put, names):
    file = put("t.csv", "algo,Pong,Alien\n" + "".join(f"{name},{i}.5,{i}.25\n" for i, name in enumerate(names.split())))
    with pytest.raises(ro.DataError, match="end in numbers, runs or versions"):
        ro.load(file)


@pytest.mark.parametrize("way", ["{}/20", "{} of 20", "{} out of 20"])
def test_successes_of_attempts_are_the_share_of_each_run(put, way):
    lines = [f"{a},{r},{way.format(won)}" for a, r, won in (("A", 0, 18), ("A", 1, 20), ("B", 0, 5), ("B", 1, 0))]
    scores = ro.load(put("t.csv", "\n".join(["policy,checkpoint seed,successes", *lines, ""])))
    assert scores.to_dict() == {"A": {"task": [0.9, 1.0]}, "B": {"task": [0.25, 0.0]}}


def test_a_game_among_games_names_no_task(put):
    text = "model,seed,num_levels,coinrun,maze\nPPO,0,200,9.5,2.5\nPPO,1,200,8.5,3.25\nPLR,0,200,7.5,4.5\nPLR,1,200,6.5,1.5\n"
    assert ro.load(put("t.csv", text)).tasks == ("coinrun", "maze")


def of_conditions(head: str, values: str) -> str:
    lines = [f"{value},0.{91 - 6 * i},0.{88 - 4 * i},0.{80 - 9 * i}" for i, value in enumerate(values.split())]
    return "\n".join([f"{head},MAPPO,QMIX,IPPO", *lines, ""])


ASKED = {
    "a library of the same seeds": (
        "algo,library,seed,return\n"
        + "".join(f"{a},{b},{s},{s + len(b)}.5\n" for a in "AB" for b in ("sb3", "cleanrl") for s in (0, 1)),
        ["--columns", "task=library"],
    ),
    "percent of the data beside algorithms": (of_conditions("data", "10% 50% 100%"), ["--columns", "task=data"]),
    "the best and the last of each run": ("algo,seed,best,last\nA,0,2,1\nA,1,4,3\n", ["--columns", "score=last"]),
    "noise beside algorithms and seeds": (
        "noise,algo,seed,return\n"
        + "".join(f"{n},{a},{s},{n + s + 0.5}\n" for n in (0.0, 0.1, 0.3) for a in "AB" for s in (0, 1)),
        ["--columns", "task=noise"],
    ),
    "numbers of agents beside algorithms and seeds": (
        "n_agents,env,algo,seed,return\n"
        + "".join(f"{n},x,{a},{s},{n + s}\n" for n in (2, 4, 8) for a in "AB" for s in (0, 1)),
        ["--columns", "task=env/n_agents"],
    ),
    "unknown names below the head of the runs": (
        "seed,0,1,2\nmine,1,2,3\ntheirs,4,5,7\n",
        ["--columns", "task=Unnamed: 0"],
    ),
    "agents beside algorithms": (of_conditions("agents", "2 4 8 16"), ["--columns", "task=agents"]),
    "noise beside algorithms": (of_conditions("noise", "0.0 0.1 0.2 0.3"), ["--columns", "task=noise"]),
    "few conditions beside algorithms": (of_conditions("k", "10 5 1"), ["--columns", "task=k"]),
    "conditions that stand there again": (of_conditions("agents", "2 2 4 4 8 8"), ["--columns", "task=agents"]),
    "steps below no name": (of_conditions("", "0 1000 2000"), ["--columns", "task=Unnamed: 0"]),
    "labels below no name": (",A,B,C\nx,1,2,3\ny,4,5,7\n", ["--columns", "task=Unnamed: 0"]),
    "fractions as tasks": (
        "algo,task,score\nPPO,0.1,410\nPPO,0.25,390\nSAC,0.1,510\nSAC,0.25,470\n",
        ["--columns", "task=task"],
    ),
    "tasks beside a quality of all": (
        "seed,Door,Lift,auc\n0,.71,.91,.81\n1,.73,.93,.83\n",
        ["--columns", "unused=auc"],
    ),
    "sizes that differ by algorithm": (
        "algo,seed,size,score\nPPO,0,100,.71\nPPO,0,200,.75\nSAC,0,150,.61\nSAC,0,250,.66\n",
        ["--columns", "settings=size"],
    ),
    "a suite and its tasks": (
        "Suite,Test task,Method,Seed,Success\nM1,door,A,0,.5\nM1,door,A,1,.25\nM1,lever,A,0,.75\nM1,lever,A,1,.125\n",
        ["--columns", "task=Suite/Test task"],
    ),
}


@pytest.mark.parametrize("kind", ASKED)
def test_the_first_answer_to_a_question_is_the_likeliest_and_works(put, capsys, kind):
    text, options = ASKED[kind]
    file = put("t.csv", text)
    assert run(["scan", str(file)]) == 2
    command = next(line for line in capsys.readouterr().err.splitlines() if line.strip().startswith("runoff scan"))
    assert shlex.split(command)[3:] == options
    assert run(shlex.split(command)[1:]) == 0


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (",Seed,Seed\nMethod,0,1\nPPO,1,2\nSAC,3,4\n", {"PPO": {"task": [1, 2]}, "SAC": {"task": [3, 4]}}),
        ("algo,PPO,SAC\nseed 0,1,2\nseed 1,3,4\n", {"PPO": {"task": [1, 3]}, "SAC": {"task": [2, 4]}}),
        ("seed,0,1\nPPO,1,2\nSAC,3,4\n", {"PPO": {"task": [1, 2]}, "SAC": {"task": [3, 4]}}),
        (
            "task,Ant-v4,Hopper-v4\nPPO,1,2\nSAC,3,4\n",
            {"PPO": {"Ant-v4": [1], "Hopper-v4": [2]}, "SAC": {"Ant-v4": [3], "Hopper-v4": [4]}},
        ),
        (
            "algo,PPO,SAC\nAnt,1,2\nHopper,3,4\n",
            {"PPO": {"Ant": [1], "Hopper": [3]}, "SAC": {"Ant": [2], "Hopper": [4]}},
        ),
    ],
)
def test_the_first_head_of_a_pivot_names_the_others(put, text, cells):
    assert ro.load(put("t.csv", text)).to_dict() == cells


LISTS = "PPO: 0.5, 0.75, 0.25\nSAC: 0.25, 0.5, 1"


def test_remarks_beside_lists_of_scores_are_left_out_with_a_note(put):
    scores = ro.load(
        put(
            "notes.txt", f"Sweep of all methods, on MiniGrid\n\n{LISTS}\n\nseed 2 ran on the old box, to be run again\n"
        )
    )
    assert scores.to_dict() == {"PPO": {"task": [0.5, 0.75, 0.25]}, "SAC": {"task": [0.25, 0.5, 1.0]}}
    assert any(
        "left out: 2 line(s) of text beside the scores, the first 'Sweep of all" in note
        for note in scores.provenance.notes
    )


PRINTED_ROWS = "a title of the table\n\nalgo seed score\nPPO 0 1.5\nPPO 1 2.5\n"
NO_REMARKS = {
    "a list that is none": f"{LISTS}\nDQN: 0.5, oops\n\nsome more words than titles have\n",
    "lists of settings": "Seeds of all the runs:\n\nseeds: 0, 1\nlr: 1, 2\n",
    "numbers behind a name without a colon": f"some title of all of the lists\n\n{LISTS}\n\nDQN 4 5 6\n",
    "a row behind an empty line": f"{PRINTED_ROWS}\nSAC 0 2.5\n",
}


@pytest.mark.parametrize("kind", NO_REMARKS)
def test_lines_with_numbers_of_their_own_are_no_remarks(put, kind):
    with pytest.raises(ro.DataError):
        ro.load(put("notes.txt", NO_REMARKS[kind]))


def test_a_page_with_a_cell_over_more_places_than_a_table_has_is_refused(put):
    cells = "<td colspan=1000 rowspan=1000>1" * 100
    with pytest.raises(ro.DataError, match="the table has 100000001 fields"):
        ro.load(put("page.html", f"<table><tr>{cells}<tr><td>2</table>"))


def test_a_report_of_runoff_is_no_table_of_runs(put, tmp_path):
    ro.report(ro.load(put("t.csv", "algo,seed,score\nA,0,1\nA,1,2\nB,0,3\nB,1,5\n")), tmp_path / "page.html")
    with pytest.raises(ro.DataError, match="this is a report of runoff"):
        ro.load(tmp_path / "page.html")


@pytest.mark.parametrize("title", ["Crash rate (lower is better)", "Regret \u2193"])
def test_a_title_that_says_that_less_is_better_is_believed_with_a_warning(put, title):
    with pytest.warns(ro.RunoffWarning, match="says that less is better: the scores are negated"):
        assert ro.load(put("t.csv", f"{title}\nalgo,seed,score\nA,0,1\nA,1,2\n")).values.tolist() == [-1.0, -2.0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<table><tr><td>a<table><tr><td>b</table></table>", "a table stands within another"),
        ("<table><tr><th>algo<th>score<tr><td>A<td>1.5 \u00b1 0.5</table>", "table of means and spreads in HTML"),
        ("<table></table>", "this text holds no table"),
        ("<![x[ <table>", "this is not well-formed HTML|this text holds no table"),
    ],
)
def test_a_page_without_runs_is_refused_in_a_sentence(put, text, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.load(put("page.html", text))


def test_a_page_in_a_folder_of_runs_is_no_table_of_runs(put):
    put("runs/page.html", f"<table><tr><th>algo<th>env<th>seed<th>return{PAGE}</table>")
    assert ro.load(put("runs/a.csv", "algo,seed,score\nA,0,1\nA,1,2\n").parent).algorithms == ("A",)


def test_scores_that_rise_are_those_of_an_algorithm(put):
    for text in ("Mine,PPO,SAC\n11.5,2.5,9.5\n12.5,1.5,8.5\n13.5,4.5,10.5\n", "a,b,c\n1,3,2\n2,4,3\n5,6,7\n8,9,9\n"):
        assert len(ro.load(put("t.csv", text)).algorithms) == 3


def test_a_best_score_is_read_with_a_note(put, capsys):
    assert run(["scan", str(put("t.csv", "algo,seed,best_return\nPPO,0,1.5\nPPO,1,2.5\n"))]) == 0
    assert "column 'best_return' holds the best score of each run" in capsys.readouterr().out


def test_gaps_of_other_series_are_no_names(put, tmp_path):
    places = [
        tmp_path / "tree" / name / task / str(at)
        for name in ("mine", "base")
        for task in ("cup", "ball")
        for at in (0, 1)
    ]
    for place in places:
        place.mkdir(parents=True)
        (place / "metrics.csv").write_text("step,eval_return,loss\n1,,0.5\n2,1.5,\n3,,0.25\n4,2.5,\n")
    with pytest.raises(ro.DataError, match="nothing shows which is the algorithm"):
        ro.load(tmp_path / "tree")
    curves = ro.load(tmp_path / "tree", pattern="{algorithm}/{task}/{run}/*")
    assert curves.final().to_dict() == {name: {"ball": [2.5, 2.5], "cup": [2.5, 2.5]} for name in ("base", "mine")}


def test_names_that_a_spreadsheet_would_compute_come_back_as_they_were(put, tmp_path):
    runs = {name: {"=SUM(A1)": [1.0, 2.0], "'quoted'": [3.0, 4.0]} for name in ("+ LN", "PPO")}
    ro.reading.write_runs(ro.Scores.from_dict(runs), tmp_path / "runs.CSV")
    assert "'+ LN" in (tmp_path / "runs.CSV").read_text()
    assert ro.load(tmp_path / "runs.CSV").to_dict() == runs
    both = put("both.csv", "algo,seed,score\n'+x,0,1\n'+x,1,2\n+x,0,3\n+x,1,4\n")
    assert ro.load(both).algorithms == ("'+x", "+x")
    assert ro.load(put("wide.csv", "seed,'+ LN,PPO\n0,1,2\n1,3,4\n")).algorithms == ("+ LN", "PPO")


def test_lengths_of_an_algorithm_without_returns_are_no_algorithm(put):
    file = put("t.csv", "seed,PPO_return,PPO_len,SAC_len\n0,1.5,9,8\n1,2.5,9,7\n")
    with pytest.raises(ro.DataError, match=r"'SAC_len' are other measures than 'return'.*unused.: .SAC_len"):
        ro.load(file)


@pytest.mark.parametrize("line", ['algo="ppo big seed={} return=1', "algo=ppo seed={} return=1 return=9"])
def test_lines_with_quotes_or_a_key_twice_are_no_table(put, line):
    with pytest.raises(ro.DataError):
        ro.load(put("t.log", "".join(f"{line.format(seed)}\n" for seed in range(3))))


@pytest.mark.parametrize("head", ["task", "game"])
def test_a_column_of_tasks_is_none_of_the_tasks(put, head):
    with pytest.raises(ro.DataError):
        ro.load(put("t.csv", f"algorithm,{head},seed,other\nppo,0.5,0,1\nppo,0.25,1,2\nsac,0.55,0,3\nsac,0.45,1,3\n"))


def test_lines_of_other_keys_are_no_table(put):
    same = "env=Pong seed={} return=1.5 algo=A\n"
    assert "names and values: env, seed, return, algo" in " ".join(
        ro.load(put("a.log", same.format(0) + same.format(1))).provenance.notes
    )
    with pytest.raises(ro.DataError):
        ro.load(put("b.log", same.format(0) + "env=Pong seed=1 algo=A\n"))


def test_a_structured_array_is_a_table(tmp_path):
    fields = [("algo", "U8"), ("task", "U8"), ("seed", "i4"), ("score", "f8")]
    np.save(tmp_path / "runs.npy", np.array(CELLS, dtype=fields))
    assert ro.load(tmp_path / "runs.npy").to_dict() == RUNS


def test_the_best_of_so_many_samples_is_a_policy_and_a_pid_a_controller(put):
    text = "policy,seed,reward\nbest-of-16,0,3\nbest-of-16,1,4\nPID,0,1\nPID,1,2\n"
    assert ro.load(put("t.csv", text)).algorithms == ("PID", "best-of-16")


def test_names_of_tasks_stand_along_the_axis_that_all_arrays_have(put):
    arrays = {"A": np.ones((2, 3)).tolist(), "B": np.ones((3, 3)).tolist()}
    file = put("t.json", json.dumps({"games": ["x", "y", "z"], "normalized": True, "scores": arrays}))
    assert ro.load(file).n_runs.tolist() == [[2, 2, 2], [3, 3, 3]]


@pytest.mark.parametrize(("decimal", "first"), [("point", 2614.0), ("comma", 2.614)])
def test_commas_that_may_separate_thousands_are_asked_about_beside_tabs(put, decimal, first):
    file = put("t.csv", 'Game\tAgent\tRun 1\tRun 2\nPong\tA\t"2,614"\t"1,649"\nPong\tB\t"3,488"\t"3,341"\n')
    with pytest.raises(ro.DataError, match="comma may separate thousands or decimals"):
        ro.load(file)
    assert ro.load(file, decimal=decimal).cell("A", "Pong")[0] == first


def test_monitors_of_gym_hold_returns_lengths_and_times(put):
    for name in ("dqn", "ppo"):
        for seed in (0, 1):
            put(f"{name}-CartPole-v1-seed{seed}.csv", f"r,l,t\n1.5,9,0.25\n{seed}.25,8,0.5\n")
    curves = ro.load(put("x.md", "-").parent)
    assert curves.final().to_dict() == {name: {"CartPole-v1": [0.25, 1.25]} for name in ("dqn", "ppo")}


@pytest.mark.parametrize("of_b", ["red blue", "red pink", "red red"])
def test_episodes_are_parted_by_what_a_policy_met(put, of_b):
    hues = {"a": ["red", "blue"], "b": of_b.split()}
    lines = [f"{policy},{hue},{k % 2}" for policy in hues for hue in hues[policy] for k in range(4)]
    with pytest.raises(ro.DataError, match=r"parts the episodes of a policy .'red', 'blue'"):
        ro.load(put("t.csv", "\n".join(["policy,hue,success", *lines, ""])), unit="episode")


@pytest.mark.parametrize(("n_each", "parted"), [(1, False), (2, True), (3, True)])
def test_a_column_whose_values_are_had_twice_each_parts_episodes_and_one_of_single_values_does_not(put, n_each, parted):
    lines = [f"a,{hue},{k % 2}" for hue in ("red", "blue") for k in range(n_each)]
    file = put("t.csv", "\n".join(["policy,hue,success", *lines, ""]))
    with pytest.raises(ro.DataError, match="parts the episodes") if parted else nullcontext():
        ro.load(file, unit="episode")


def test_remarks_part_no_episodes(put):
    lines = [
        f"{policy},{'slipped' if k == 1 else 'twice' if k == 2 else ''},{k % 2}" for policy in "ab" for k in range(4)
    ]
    assert ro.load(put("t.csv", "\n".join(["policy,saw,success", *lines, ""])), unit="episode").n_runs.tolist() == [
        [4],
        [4],
    ]


@pytest.mark.parametrize("head", ["variant", "Ablation", "group", "stat", "Quantity", "who"])
def test_names_of_variants_beside_names_and_runs_are_asked_about(put, head):
    file = put(
        "t.csv",
        wide(BY_RUN, "{label},{cells}", f"{head},Algo,Run 1,Run 2,Run 3")
        .replace("Hopper", "small")
        .replace("Ant", "large"),
    )
    with pytest.raises(ro.DataError, match="nothing says what they are"):
        ro.load(file)


@pytest.mark.parametrize("head", ["random_return", "baseline_return", "neg_return", "lambda_return"])
def test_returns_of_references_are_not_those_of_runs(put, head):
    with pytest.raises(ro.DataError, match="no column is recognised as the score"):
        ro.load(put("t.csv", tidy("{a},{t},{r},{x}", f"algo,task,seed,{head}")))


def test_a_pattern_that_is_proposed_for_names_that_end_in_numbers_takes_these_for_runs(put):
    for name in (
        "OURS_foyer_0",
        "OURS_foyer_1",
        "OURS_hall_0",
        "OURS_hall_1",
        "X_foyer_0",
        "X_foyer_1",
        "X_hall_0",
        "X_hall_1",
    ):
        file = put(f"{name}.csv", "step,return\n1,1.5\n2,2.5\n")
    with pytest.raises(ro.DataError, match=r"pattern='\{algorithm\}_\{task\}_\{run\}'"):
        ro.load(file.parent)
    assert ro.load(file.parent, pattern="{algorithm}_{task}_{run}").n_runs.tolist() == [[2, 2], [2, 2]]


def test_summaries_below_numbered_runs_make_no_name_of_a_head_without_one(put):
    text = ",DQN,Rainbow\nSeed 1,1,4\nSeed 2,2,5\nMittelwert,1.5,4.5\nStd.-Abw.,0.7,0.7\n"
    assert ro.load(put("t.csv", text)).to_dict() == {"DQN": {"task": [1, 2]}, "Rainbow": {"task": [4, 5]}}


def test_a_sheet_of_runs_and_their_means_is_read_beside_notes(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [
        ["Algorithm", "Dataset", "Seed 0", "Seed 1", "Mean", "Std"],
        ["A", "x", 1, 3, 2, 1],
        ["B", "x", 4, 6, 5, 1],
    ]:
        book.active.append(row)
    book.create_sheet("To do").append(["run x again"])
    book.save(tmp_path / "t.xlsx")
    assert ro.load(tmp_path / "t.xlsx").to_dict() == {"A": {"x": [1, 3]}, "B": {"x": [4, 6]}}


def test_a_table_of_a_database_whose_numbers_no_column_names_holds_no_runs(tmp_path):
    with sqlite3.connect(tmp_path / "t.db") as database:
        database.execute("CREATE TABLE runs (algorithm, env, seed, score)")
        database.executemany("INSERT INTO runs VALUES (?, ?, ?, ?)", CELLS)
        database.execute("CREATE TABLE meta (key, value)")
    database.close()
    with pytest.warns(ro.RunoffWarning, match="left out: table 'meta', whose numbers no column names"):
        assert ro.load(tmp_path / "t.db").to_dict() == RUNS


@pytest.mark.parametrize(("last", "step"), [("9{i:02}", "_step"), ("992", "total_timesteps")])
def test_a_budget_beside_steps_is_no_other_step(put, last, step):
    file = put("t.csv", tidy(f"{{a}},{{t}},{{r}},{{x}},1000,{last}", "algo,env,seed,return,total_timesteps,_step"))
    assert (ro.read_scores(file).to_dict(), dict(ro.load(file).provenance.columns)["step"]) == (RUNS, step)


def test_heads_that_python_printed_are_those_of_levels(put):
    text = "step,\"('PPO', 'Pong', 1)\",\"('PPO', 'Pong', 2)\",\"('DQN', 'Pong', 1)\",\"('DQN', 'Pong', 2)\"\n10,1,2,3,4\n20,5,6,7,8\n"
    assert ro.read_curves(put("t.csv", text)).final().to_dict() == {"DQN": {"Pong": [7, 8]}, "PPO": {"Pong": [5, 6]}}


def test_an_empty_sheet_by_name_is_refused_beside_a_full_one(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [("algorithm", "seed", "score"), *((a, s, s + 0.5) for a in ("A", "B") for s in range(3))]:
        book.active.append(row)
    book.create_sheet("later")
    book.save(tmp_path / "b.xlsx")
    assert ro.read_scores(tmp_path / "b.xlsx").n_runs.tolist() == [[3], [3]]
    with pytest.raises(ro.OptionError, match="there is no sheet 'later'"):
        ro.read_scores(tmp_path / "b.xlsx", sheet="later")
