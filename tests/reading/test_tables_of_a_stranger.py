"""Tables as a stranger kept them: each is read as a person reads it, or asked about with the right answer first."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run

RUNS = {"PPO": {"Ant": [11.5, 12], "Hopper": [1.5, 2]}, "SAC": {"Ant": [13.5, 14], "Hopper": [3.5, 4]}}
TIDY = [(a, t, str(r), RUNS[a][t][r]) for a in RUNS for t in ("Hopper", "Ant") for r in (0, 1)]
pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


def rows(*more: str, head: str = "", sep: str = ",") -> str:
    """Return a tidy table, with more fields in all rows."""
    names = ["algo", "env", "seed", "return", *([head] if head else [])]
    lines = [names, *([a, t, r, str(score), *more] for a, t, r, score in TIDY)]
    return "".join(sep.join(line) + "\n" for line in lines)


def wide(*heads: str, more: str = "9") -> str:
    """Return a table with heads `{name}…` of each algorithm: its score below the first, `more` below the others."""
    names = [head.format(name) for name in RUNS for head in heads]
    lines = [["env", "seed", *names]]
    for task in ("Hopper", "Ant"):
        for r in (0, 1):
            own = [[str(RUNS[name][task][r]), *[f"{more}{r}"] * (len(heads) - 1)] for name in RUNS]
            lines.append([task, str(r), *(value for values in own for value in values)])
    return "".join(",".join(line) + "\n" for line in lines)


# ── heads of names and measures ──────────

MEASURES = "len length loss steps time rank auc SR memory_(GB) episodes n FPS wall-clock_(h)"


@pytest.mark.parametrize("measure", [m.replace("_", " ") for m in MEASURES.split()])
def test_a_measure_beside_each_algorithm_is_no_algorithm(put, measure):
    assert ro.load(put("t.csv", wide("{}", f"{{}} {measure}"))).to_dict() == RUNS


@pytest.mark.parametrize("measure", ["len", "loss", "steps", "time", "auc"])
@pytest.mark.parametrize("head", ["{}_{}", "{} {}", "{}/{}", "{1}_{0}"])
def test_of_two_measures_below_each_algorithm_the_score_is_read(put, measure, head):
    heads = (head.format("{}", own) for own in ("return", measure))
    assert ro.load(put("t.csv", wide(*heads))).to_dict() == RUNS


def test_two_scores_below_each_algorithm_are_asked_and_each_answer_works(put, capsys):
    file = put("t.csv", wide("{}_return", "{}_success"))
    assert run(["scan", str(file)]) == 2
    commands = [line for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff scan")]
    read = [ro.load(file, columns={"unused": shlex.split(line)[-1].partition("=")[2]}) for line in commands]
    assert read[0].to_dict() == RUNS
    assert read[1].algorithms == ("PPO", "SAC")


def test_a_measure_below_each_run_is_no_run(put):
    text = "algo,env,run0_return,run0_len,run1_return,run1_len\n"
    text += "".join(f"{a},{t},{x},300,{y},301\n" for a in RUNS for t, (x, y) in RUNS[a].items())
    assert ro.load(put("t.csv", text)).to_dict() == RUNS


def test_a_tag_that_parts_the_seeds_is_asked_about(put):
    text = "".join(f"{a},{r},{('paper', 'debug')[r > 1]},{r + 0.5}\n" for a in RUNS for r in range(4))
    with pytest.raises(ro.DataError, match="column 'tag' divides the 4 runs"):
        ro.load(put("t.csv", f"algo,seed,tag,return\n{text}"))


# ── what stands in and around tables ──────────


def test_remarks_below_a_table_are_left_out(put):
    assert ro.load(put("t.csv", rows() + "\n** seed 2 was restarted once\n")).to_dict() == RUNS


@pytest.mark.parametrize(("mark", "factor"), [("{}*", 1), ("{}\u2020", 1), ("10'00{}", 0), ("10 00{}", 0)])
def test_numbers_with_marks_behind_and_thousands_are_numbers(put, mark, factor):
    text = "".join(f"{a},{r},{mark.format(r + 1.5)}\n" for a in RUNS for r in (0, 1))
    expected = [1.5, 2.5] if factor else [10001.5, 10002.5]
    assert ro.load(put("t.csv", f"algo,seed,return\n{text}")).cell("PPO", "task").tolist() == expected


@pytest.mark.parametrize("cell", ["crashed", "OOM", "failed", "#DIV/0!", "*", "TBD", "-", "nan", "X", "DNF"])
def test_a_run_without_a_score_is_asked_about_and_dropped_by_request(put, cell, capsys):
    file = put("t.csv", rows() + f"PPO,Ant,2,{cell}\n")
    assert run(["scan", str(file)]) == 2
    assert f"  runoff scan {file} --incomplete drop" in capsys.readouterr().err.splitlines()
    scores = ro.read_scores(file, incomplete="drop")
    assert scores.to_dict() == RUNS
    assert any("1 row has no score" in note for note in scores.provenance.notes)


def test_a_crashed_run_of_an_export_with_steps_is_dropped_by_request(put):
    text = rows("1000", head="total_timesteps") + "PPO,Ant,2,,1000\n"
    assert ro.read_scores(put("t.csv", text), incomplete="drop").to_dict() == RUNS


def test_reference_rows_without_a_run_are_left_out(put):
    with pytest.warns(ro.RunoffWarning, match="'Human', 'Random', which have no run"):
        scores = ro.load(put("t.csv", rows() + "Human,Ant,,50\nRandom,Ant,,1\n"))
    assert scores.to_dict() == RUNS


def test_a_table_on_its_side_is_turned(put):
    columns = zip(*[["algo", "env", "seed", "return"], *map(list, TIDY)], strict=True)
    assert ro.load(put("t.csv", "".join(",".join(map(str, line)) + "\n" for line in columns))).to_dict() == RUNS


def test_a_printed_pivot_with_labels_not_repeated_is_read(put):
    lines = ["seed            0     1", "algo env               "]
    lines += [f"{a if t == 'Ant' else '':4} {t:8} {x:5} {y:5}" for a in RUNS for t, (x, y) in RUNS[a].items()]
    assert ro.load(put("t.txt", "\n".join(lines) + "\n")).to_dict() == RUNS


def test_steps_that_are_the_same_in_all_rows_are_no_learning_curve(put):
    text = "algo,seed,lr,total_steps,Hopper,Ant\n"
    text += "".join(f"{a},{r},0.1,1000,{RUNS[a]['Hopper'][r]},{RUNS[a]['Ant'][r]}\n" for a in RUNS for r in (0, 1))
    assert ro.load(put("t.csv", text)).to_dict() == RUNS


@pytest.mark.parametrize("score", ["accuracy", "test_acc", "pass@1", "AUC", "F1"])
def test_a_quality_is_the_score_where_nothing_is_named_like_one(put, score):
    assert ro.load(put("t.csv", rows().replace("return", score))).to_dict() == RUNS
    assert ro.load(put("u.csv", rows("7", head=score))).to_dict() == RUNS


def test_a_commit_of_each_run_parts_nothing_and_one_of_several_runs_is_asked(put):
    lines = rows().replace("return\n", "return,commit\n").split("\n")
    own = [line + (f",ab12f{line.split(',')[2]}" if at and line else "") for at, line in enumerate(lines)]
    assert ro.load(put("t.csv", "\n".join(own))).to_dict() == RUNS


# ── JSON and arrays ──────────

NESTED = [
    {"results": RUNS, "date": "2026-05-01"},
    {"metadata": {"date": "2026-01-03", "steps": 1000}, **RUNS},
    {a: {t: {"scores": s, "mean": sum(s) / 2, "n": len(s)} for t, s in of.items()} for a, of in RUNS.items()},
    {
        "algorithms": [*RUNS],
        "tasks": ["Ant", "Hopper", "more"],
        "scores": [[[*RUNS[a].get(t, [0, 1]), 5.25, 3] for t in ("Ant", "Hopper", "more")] for a in RUNS],
    },
    {t: {a: [[[100, 0.25], [200, s]] for s in RUNS[a][t]] for a in RUNS} for t in ("Hopper", "Ant")},
]


@pytest.mark.parametrize("content", NESTED, ids=["wrapped", "described", "summed up", "arrays", "pairs"])
def test_what_describes_and_sums_up_runs_in_json_is_no_part_of_them(put, content):
    read = ro.load(put("t.json", json.dumps(content)))
    scores = read.final() if hasattr(read, "final") else read
    assert {a: {t: s[:2] for t, s in of.items() if t in RUNS[a]} for a, of in scores.to_dict().items()} == RUNS


def test_a_key_that_may_name_the_algorithm_is_no_description(put):
    with pytest.raises(ro.DataError, match="none of the shapes"):
        ro.load(put("t.json", json.dumps({"algorithm": "PPO", "runs": [{"task": "x", "run": 0, "score": 1}]})))


def test_settings_of_weights_and_biases_are_their_values(put):
    config = [{"algo": {"value": a}, "env": {"value": t}, "seed": {"value": int(r)}} for a, t, r, _ in TIDY]
    lines = [{"config": own, "summary": {"return": s}} for own, (*_, s) in zip(config, TIDY, strict=True)]
    assert ro.load(put("t.jsonl", "\n".join(map(json.dumps, lines)))).to_dict() == RUNS


def test_names_of_tasks_beside_arrays_of_algorithms_are_theirs(tmp_path):
    arrays = {a: np.array([[*RUNS[a][t], 5] for t in ("Ant", "Hopper")]).T for a in RUNS}
    np.savez(tmp_path / "t.npz", tasks=np.array(["Ant", "Hopper"]), **arrays)
    scores = ro.load(tmp_path / "t.npz")
    assert {a: {t: s[:2] for t, s in of.items()} for a, of in scores.to_dict().items()} == RUNS


# ── the likely answer first ──────────


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("".join(f"{a},{t},{r},{s + e}\n" for a, t, r, s in TIDY for e in range(3)), "--duplicates mean"),
        ("".join(f"{a},{t},{r},{s + e},{e}\n" for a, t, r, s in TIDY for e in range(3)), "--duplicates mean"),
    ],
)
def test_rows_of_all_runs_that_stand_there_again_are_averaged_first(put, capsys, text, first):
    head = "algo,env,seed,return" + ",agent_id" * (text.split("\n")[0].count(",") > 3)
    file = put("t.csv", f"{head}\n{text}")
    assert run(["scan", str(file)]) == 2
    commands = [line for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff")]
    assert commands[0] == f"  runoff scan {file} {first}"


@pytest.mark.parametrize(("head", "first"), [("wall time (h)", "'step=wall time (h)'"), ("Episode", "step=Episode")])
def test_rows_that_a_clock_or_a_counter_numbers_are_steps_first(put, capsys, head, first):
    file = put("t.csv", f"{head},PPO,SAC\n" + "".join(f"{i},{10 * i},{12 * i + 1}\n" for i in range(1, 9)))
    assert run(["scan", str(file)]) == 2
    commands = [line for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff")]
    assert commands[0] == f"  runoff scan {file} --columns {first}"


def test_levels_without_a_column_of_tasks_are_tasks_first(put, capsys):
    text = "".join(f"{a},{level},{r},{r + level}.5\n" for a in RUNS for level in (1, 2) for r in (0, 1))
    file = put("t.csv", f"algo,level,seed,score\n{text}")
    assert run(["scan", str(file)]) == 2
    commands = [line for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff")]
    assert commands[0] == f"  runoff scan {file} --columns task=level"


def test_a_column_of_the_names_of_others_divides_nothing(put):
    text = wide("{}").split("\n")
    lines = [line + (",winner" if not at else f",{['PPO', 'SAC'][at % 2]}") for at, line in enumerate(text) if line]
    assert ro.load(put("t.csv", "\n".join(lines))).to_dict() == RUNS


def test_a_list_of_losses_beside_its_mean_is_no_list_of_scores(put):
    content = {a: {t: {"loss": s, "mean": 1.5} for t, s in of.items()} for a, of in RUNS.items()}
    with pytest.raises(ro.DataError, match="none of the shapes"):
        ro.load(put("t.json", json.dumps(content)))


# ── names that say more than these rules knew ──────────


@pytest.mark.parametrize("head", ["fewshot_seed", "few-shot seed", "shot_seed", "sampling_seed", "repl"])
def test_a_seed_of_examples_names_runs(put, head):
    assert ro.load(put("t.csv", rows().replace("seed", head, 1))).to_dict() == RUNS


def test_heads_of_a_name_and_a_seed_are_read_whatever_parts_them(put):
    lines = [f"step,{','.join(f'{a}/seed{r}' for a in RUNS for r in (0, 1))}"]
    lines += [f"{k},{','.join(str(RUNS[a]['Ant'][r] * k) for a in RUNS for r in (0, 1))}" for k in range(1, 4)]
    read = ro.load(put("Ant.csv", "\n".join(lines)))
    assert isinstance(read, ro.Curves)
    assert {a: read.final(last=1).cell(a, 0).tolist() for a in RUNS} == {
        a: [3 * s for s in RUNS[a]["Ant"]] for a in RUNS
    }


@pytest.mark.parametrize("name", ["returns", "scores", "values"])
def test_a_list_of_scores_below_its_name_is_the_list(put, name):
    content = {a: {t: {name: s} for t, s in of.items()} for a, of in RUNS.items()}
    assert ro.load(put("t.json", json.dumps(content))).to_dict() == RUNS


def test_the_name_of_the_benchmark_beside_results_is_no_run(put):
    runs = {
        t: {a: {f"seed_{r}": {"episode_return": RUNS[a][t][r], "hours": 2.5} for r in (0, 1)} for a in RUNS}
        for t in ("Hopper", "Ant")
    }
    assert ro.load(put("t.json", json.dumps({"benchmark": "mujoco", "results": runs}))).to_dict() == RUNS


def test_totals_and_merged_labels_below_two_lines_of_heads_are_what_they_are_below_one(put):
    lines = ["Method,Seed,Success rate (%),", ",,Hopper,Ant"]
    for a, of in RUNS.items():
        lines += [f"{a if r == 0 else ''},{r},{of['Hopper'][r]},{of['Ant'][r]}" for r in (0, 1)]
        lines.append(f"Average,,{np.mean(of['Hopper'])},{np.mean(of['Ant'])}")
    assert ro.load(put("t.csv", "\n".join(lines) + "\n")).to_dict() == RUNS


def test_items_by_the_number_of_their_document_are_asked_about_with_the_answer_that_reads_them(put, capsys):
    lines = [f"{m},{t},{d},{(d + (m == 'B')) % 2}" for m in "AB" for t in ("arc", "piqa") for d in range(6)]
    file = put("t.csv", "model,task,doc_id,correct\n" + "\n".join(lines) + "\n")
    assert run(["compare", str(file)]) == 2
    command = next(line for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff"))
    assert run(shlex.split(command)[1:]) == 0


@pytest.mark.parametrize(
    ("won", "of"), [("Solved", "Problems"), ("Correct", "Questions"), ("Erfolge", "Versuche"), ("Solved", "Out of")]
)
def test_successes_beside_the_number_of_attempts_are_counts_whatever_was_attempted(put, won, of):
    lines = [f"{scene},{planner},{n},20" for scene in "ab" for planner, n in (("P", 7), ("Q", 18))]
    file = put("t.csv", f"Scene,Planner,{won},{of}\n" + "\n".join(lines) + "\n")
    with pytest.raises(ro.DataError, match=r"counts the successes .*: use unit='episode'"):
        ro.load(file)
    read = ro.load(file, unit="episode")
    assert (read.n_runs.tolist(), read.cell("P", "a").sum()) == ([[20, 20], [20, 20]], 7)


@pytest.mark.parametrize("of", ["cases", "matches"])
def test_an_outcome_beside_a_number_is_the_score_of_an_item(put, of):
    lines = [f"{planner},{item},{k % 2},{k + 3}" for item in "xyz" for k, planner in enumerate("PQR")]
    assert ro.load(put("t.csv", f"planner,problem,solved,{of}\n" + "\n".join(lines) + "\n")).cell("Q", "x") == [1.0]


@pytest.mark.parametrize("head", ["qid", "doc_id"])
def test_items_alone_are_tasks_of_episodes(put, head):
    lines = [f"{m},{d},{(d + (m == 'B')) % 2}" for m in "AB" for d in range(6)]
    file = put("t.csv", f"model,{head},correct\n" + "\n".join(lines) + "\n")
    with pytest.raises(ro.DataError, match="use unit='episode', and each item is a task"):
        ro.load(file)
    assert ro.load(file, unit="episode").tasks == tuple("012345")


@pytest.mark.parametrize("head", ["Mframes", "kSteps", "msteps", "env_steps_M"])
def test_steps_by_the_thousand_are_steps(put, head):
    lines = [f"{a},{r},{5 * k},{RUNS[a]['Ant'][r] * k}" for a in RUNS for r in (0, 1) for k in (1, 2)]
    read = ro.load(put("Ant.csv", f"algo,seed,{head},return\n" + "\n".join(lines) + "\n"))
    assert isinstance(read, ro.Curves)
    assert read.final(last=1).cell("PPO", "Ant").tolist() == [23.0, 24.0]


@pytest.mark.parametrize("head", ["k_step", "m_step", "distance_m"])
def test_a_letter_before_steps_or_behind_others_counts_none(put, head):
    lines = [f"{a},{r},{5 * k},{k}" for a in RUNS for r in (0, 1) for k in (1, 2)]
    with pytest.raises(ro.DataError):
        ro.load(put("Ant.csv", f"algo,seed,{head},return\n" + "\n".join(lines) + "\n"))


def test_a_name_below_the_key_of_an_evaluation_is_of_its_task(put):
    lines = [
        {"recipe": name, "sampling_seed": r, "eval": {"benchmark": t, "accuracy": RUNS[a][t][r] / 20, "n": 30}}
        for a, name in (("PPO", "base"), ("SAC", "warm"))
        for t in ("Hopper", "Ant")
        for r in (0, 1)
    ]
    with pytest.warns(ro.RunoffWarning, match="'recipe' is taken as the algorithm"):
        read = ro.load(put("t.jsonl", "\n".join(map(json.dumps, lines)) + "\n"))
    assert read.cell("warm", "Ant").tolist() == [13.5 / 20, 14 / 20]


def test_a_key_of_the_policy_of_a_setting_is_no_algorithm(put):
    lines = [{"setting": {"policy": "MlpPolicy"}, "seed": r, "return": r + 0.5} for r in (0, 1)]
    assert ro.load(put("PPO.jsonl", "\n".join(map(json.dumps, lines)) + "\n")).algorithms == ("PPO",)


def test_a_controller_is_an_algorithm_by_its_name_and_what_it_put_out_is_none(put):
    assert ro.load(put("t.csv", rows().replace("algo", "ctrl", 1))).to_dict() == RUNS
    assert ro.load(put("u.csv", rows().replace("algo", "Controlador", 1))).to_dict() == RUNS
    assert ro.load(put("PPO.csv", "seed,ctrl,return\n0,0.1,5\n1,0.2,6\n")).algorithms == ("PPO",)


def test_flights_are_asked_about_as_attempts(put):
    lines = [f"{c},{t},{f},{f + len(c)}.5" for c in ("PID", "LQR") for t in ("loop", "eight") for f in range(4)]
    file = put("t.csv", "ctrl,traj,flight,score\n" + "\n".join(lines) + "\n")
    with pytest.raises(ro.DataError, match=r"'flight' may number attempts.*unit='episode'"):
        ro.load(file)
    assert ro.load(file, task="traj", unit="episode").n_runs.tolist() == [[4, 4], [4, 4]]


@pytest.mark.parametrize("name", ["SR-SPR"])
def test_a_method_called_like_a_measure_of_another_is_one(put, tmp_path, name):
    text = rows().replace("PPO", "SPR").replace("SAC", name)
    assert ro.load(put("t.csv", text)).algorithms == ("SPR", name)
    with pytest.raises(ro.DataError, match="named like a measure of 'SPR'"):
        ro.load(put("u.csv", rows().replace("PPO", "SPR").replace("SAC", "SPR SR")))


@pytest.mark.parametrize(
    "wording",
    ["menor es mejor", "niedriger ist besser", "plus bas est mieux", "meno è meglio", "越低越好", "lower is better"],
)
def test_a_title_that_says_that_less_is_better_is_passed_on_in_its_language(put, wording):
    with pytest.warns(ro.RunoffWarning, match="says that less is better"):
        ro.load(put("t.csv", f"Espera media – {wording}\n\n" + rows()))


# ── titles, totals, heads ──────────


@pytest.mark.parametrize("gap", ["", ";;;"])
@pytest.mark.parametrize(
    "line", ["Stand: 14.03.2024; Bewertung: Ertrag je Episode;;", "a; the mean of one hundred episodes;;"]
)
def test_sentences_with_separators_above_a_table_are_titles(put, line, gap):
    head, *body = rows(sep=";").splitlines()
    text = "\n".join(
        ["Masterarbeit – Kapitel 5;;;", line, gap, head, *body, "", "Mittelwert;alle;;7,25", "Anzahl Läufe;;;8"]
    )
    read = ro.load(put("t.csv", text.replace(".5", ",5") + "\n"))
    assert read.to_dict() == RUNS
    assert "left out: 2 line(s) above the column names" in read.provenance.notes


def test_a_line_that_names_the_algorithm_of_the_rows_below_is_no_title(put):
    text = "Algorithm: PPO;Date: today\n\nseed;env;return;wins\n0;Ant;1.5;2\n1;Ant;2.5;3\n"
    with pytest.raises(ro.DataError):
        ro.load(put("results.csv", text))


def test_a_printed_table_below_a_title_with_commas_is_read(put):
    head, *body = (line.split(",") for line in rows().splitlines())
    lines = [
        "Offline, normalized score, 4 seeds",
        "",
        *("".join(f"{cell:12}" for cell in row) for row in [head, *body]),
    ]
    lines.insert(3, "-" * 40)
    assert ro.load(put("t.txt", "\n".join(lines) + "\n")).to_dict() == RUNS


def test_rows_below_algorithms_and_their_runs_are_tasks(put):
    cells = [(a, r) for a in RUNS for r in (0, 1)]
    lines = [["method", *(a for a, _ in cells)], ["seed", *(str(r) for _, r in cells)]]
    lines += [[t, *(str(RUNS[a][t][r]) for a, r in cells)] for t in ("Hopper", "Ant")]
    assert ro.load(put("t.csv", "".join(",".join(line) + "\n" for line in lines))).to_dict() == RUNS


def test_numbered_rows_below_algorithms_and_their_runs_are_asked_about(put):
    with pytest.raises(ro.DataError, match="could each be the run"):
        ro.load(put("t.csv", "method,PPO,PPO,SAC,SAC\nseed,0,1,0,1\n0,1.5,2,3,4\n1,1.6,2.1,3.1,4.1\n2,1.7,2,3,4\n"))


@pytest.mark.parametrize("rows_", [["Ant", "path cost"], ["length", "entropy"], ["jerk", "rmse"]])
def test_measures_below_algorithms_and_their_runs_are_no_tasks(put, rows_):
    body = "".join(f"{name},1.5,2,3,4\n" for name in rows_)
    with pytest.raises(ro.DataError):
        ro.load(put("t.csv", "method,PPO,PPO,SAC,SAC\nseed,0,1,0,1\n" + body))


# ── nested texts ──────────

NESTED = {a: {t: {f"run{r}": s for r, s in enumerate(own)} for t, own in of.items()} for a, of in RUNS.items()}


def test_texts_beside_results_of_algorithms_and_tasks_describe_them(put):
    content = {"metric": "AP", "camera": "realsense", "results": NESTED}
    assert ro.load(put("t.json", json.dumps(content))).to_dict() == RUNS
    for content in ({"solver": "x", "results": NESTED}, {"label": "ours", "results": NESTED["PPO"]}):
        with pytest.raises(ro.DataError, match="none of the shapes"):
            ro.load(put("u.json", json.dumps(content)))


@pytest.mark.parametrize("beside", [{"metric": "RMSE"}, {"lower_is_better": True}, {"higher_is_better": False}])
def test_a_direction_beside_results_is_passed_on(put, beside):
    with pytest.warns(ro.RunoffWarning, match="less is better"):
        ro.load(put("t.json", json.dumps({**beside, "results": NESTED})))


@pytest.mark.parametrize("levels", [("algorithm", "task", "run"), ("run", "algorithm", "task"), ("algorithm", "run")])
def test_lists_of_scores_beside_their_steps_are_curves(put, levels):
    content: dict = {}
    for a, of in RUNS.items():
        for t, scores in of.items() if "task" in levels else [("Ant", of["Ant"])]:
            for r, score in enumerate(scores):
                names = {"algorithm": a, "task": t, "run": f"{r}"}
                own = content
                for level in levels:
                    own = own.setdefault(names[level], {})
                own |= {"env_steps": [10 * (r + 1), 100], "test_battle_won_mean": [0.0, score], "loss": [1, 2]}
    read = ro.load(put("Ant.json", json.dumps(content)))
    assert isinstance(read, ro.Curves)
    assert read.final(last=1).cell("SAC", "Ant").tolist() == [13.5, 14]
    assert {10.0, 20.0} <= {*read.steps.tolist()}


@pytest.mark.parametrize("instance", ["{b}_{i}", "{i}"])
def test_problems_and_their_instances_name_a_row_together(put, instance):
    lines = [
        f"{b},{instance.format(b=b, i=i)},{s},{i + k}.5"
        for b in ("tsp", "vrp")
        for i in range(5)
        for k, s in enumerate("AB")
    ]
    file = put("t.csv", "problem,instance,solver,score\n" + "\n".join(lines) + "\n")
    assert ro.load(file).tasks[0] == f"tsp/{instance.format(b='tsp', i=0)}"


def test_instances_that_stand_there_twice_are_asked_about_with_both_names(put):
    lines = [f"{b},{i},{s},{i + k}.5" for b in ("tsp", "vrp") for i in range(5) for k, s in enumerate("ABAB")]
    with pytest.raises(ro.DataError, match=r"columns=\{'task': 'problem/instance'\}"):
        ro.load(put("t.csv", "problem,instance,solver,score\n" + "\n".join(lines) + "\n"))


def test_a_gap_is_asked_for_with_its_direction(put):
    lines = [f"{i},{s},{i + k}.5" for i in range(5) for k, s in enumerate("AB")]
    file = put("t.csv", "instance,solver,gap_%\n" + "\n".join(lines) + "\n")
    with pytest.raises(ro.DataError, match=r"less may be better, or more; use columns=.*gap_%.*lower_is_better=True"):
        ro.load(file)


@pytest.mark.parametrize(
    "heads",
    [
        "politica escenario replica ganancia",
        "Méthode Environnement Graine Récompense_finale",
        "Strategie Szenario Lauf Ertrag",
    ],
)
def test_heads_of_other_languages_are_roles(put, heads):
    names = heads.replace("_", " ").split(" ", 3)
    text = rows().replace("algo,env,seed,return", ",".join(names), 1)
    chosen = {"score": names[3]} if names[3] == "ganancia" else {}
    assert ro.load(put("t.csv", text), columns=chosen).to_dict() == RUNS


def test_matches_that_are_won_or_lost_are_outcomes(put):
    text = rows().replace("return", "result", 1)
    for score in ("1.5", "2", "3.5", "4", "11.5", "12", "13.5", "14"):
        text = text.replace(f",{score}\n", f",{'win' if score.endswith('.5') else 'loss'}\n")
    assert ro.load(put("t.csv", text)).cell("PPO", "Ant").tolist() == [1.0, 0.0]
