"""Tables of a third stranger, in several languages: each law is a kind of file that was refused once, with what is near to it."""

from __future__ import annotations

import openpyxl
import pytest

import runoff as ro
from runoff.cli.app import run

RUNS = {
    "Arno": {"Nord": [1.5, 2.5, 3.5], "Sud": [4.5, 5.5, 6.5]},
    "Bela": {"Nord": [7.5, 8.5, 9.5], "Sud": [2.5, 1.5, 0.5]},
}
NEGATED = {a: {t: [-x for x in own] for t, own in tasks.items()} for a, tasks in RUNS.items()}
CELLS = [(a, t, i, x) for a, tasks in RUNS.items() for t, own in tasks.items() for i, x in enumerate(own)]
pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


def book(put, sheets: dict[str, list[list[object]]]):
    """Return the path of a workbook of these sheets."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for name, rows in sheets.items():
        sheet = workbook.create_sheet(name)
        for row in rows:
            sheet.append(row)
    workbook.save(path := put("book.xlsx", b""))
    return path


# ── heads of several languages ──────────


@pytest.mark.parametrize(
    "head",
    [
        "№,Алгоритм,Среда,Прогон,Средняя награда|1,{},{},{},{}",
        "Метод,Задача,Запуск,Награда,Ст. откл.,Время,Время обучения|{},{},{},{},0.5,{i},7",
        "모델,벤치마크,반복,점수,비고|{},{},{},{},{i}",
        "modelo,tarea,pliegue,nDCG@10,RAM (GB),tiempo de entrenamiento (min)|{},{},{},{},8.5,{i}",
        "Modell,Aufgabe,Zufallszahl,Erfolgsquote,Speicher (GB)|{},{},{},{},{i}",
        "modèle,environnement,pli,récompense,mémoire (Mo)|{},{},{},{},{i}",
        "Algoritmo,Istanza,Prova,Punteggio,Tempo CPU (s),Stato|{},{},{},{},{i},ok",
        "optimizer,corpus,restart,score|{},{},{},{}",
    ],
)
def test_heads_of_several_languages_name_algorithm_task_run_and_score(put, head):
    names, row = head.split("|")
    rows = [row.format(a, t, r, x, i=i * 7 % 5 + 0.25) for i, (a, t, r, x) in enumerate(CELLS)]
    assert ro.load(put("t.csv", "\n".join([names, *rows, ""]))).to_dict() == RUNS


@pytest.mark.parametrize("beside", ["mémoire (Mo)", "Tempo CPU (s)", "Speicher (GB)", "CPU time (s)", "Stato"])
def test_a_cost_beside_time_and_memory_is_the_score(put, beside):
    state = "ok" if beside == "Stato" else "{i}"
    rows = [f"{a},{t},{r},{x},{state.format(i=i)}" for i, (a, t, r, x) in enumerate(CELLS)]
    text = "\n".join([f"méthode,instance,essai,longueur de la tournée,{beside}", *rows, ""])
    assert ro.load(put("t.csv", text)).to_dict() == NEGATED


@pytest.mark.parametrize("ordinal", ["{}回目", "第{}回", "第{}次", "{}차", "{}회", "{}번째"])
def test_ordinals_at_the_head_of_columns_are_runs(put, ordinal):
    heads = ",".join(ordinal.format(i) for i in (1, 2, 3))
    rows = [f"{t if a == 'Arno' else ''},{a},{','.join(map(str, RUNS[a][t]))}" for t in ("Nord", "Sud") for a in RUNS]
    assert ro.load(put("t.csv", "\n".join([f"課題,手法,{heads}", *rows, ""]))).to_dict() == RUNS


@pytest.mark.parametrize("heads", ["1차원,2차원,3차원", "1升,2升,3升"])
def test_dimensions_and_letters_are_no_ordinals_of_runs(put, heads):
    rows = [f"{t},{a},{','.join(map(str, RUNS[a][t]))}" for t in ("Nord", "Sud") for a in RUNS]
    with pytest.raises(ro.DataError, match="no column is recognised as the score"):
        ro.load(put("t.csv", "\n".join([f"課題,手法,{heads}", *rows, ""])))


# ── sheets and rows that sum up ──────────


@pytest.mark.parametrize("name", ["Übersicht", "Résumé", "Сводка", "概要", "요약", "Overview"])
@pytest.mark.parametrize("beside", [["Mittel", "Std."], ["mean", "sd"], []])
def test_sheets_of_runs_with_their_means_are_read_beside_a_sheet_of_means(put, name, beside):
    heads = ["Verfahren", *(f"Lauf {i}" for i in (1, 2, 3)), *beside]
    sheets = {t: [heads, *([a, *RUNS[a][t], *[1.25] * len(beside)] for a in RUNS)] for t in ("Nord", "Sud")}
    means = [["Verfahren", "Nord", "Sud"], *([a, *(sum(RUNS[a][t]) / 3 for t in RUNS[a])] for a in RUNS)]
    with pytest.warns(ro.RunoffWarning, match=f"left out: sheet '{name}', which sums up others"):
        scores = ro.load(book(put, {name: means, **sheets}))
    assert scores.to_dict() == RUNS


def test_sheets_of_runs_with_their_means_stay_left_out_beside_one_with_a_row_for_each(put):
    rows = [["algorithm", "task", "seed", "score"], *([a, t, i, x] for a, t, i, x in CELLS)]
    heads = ["task", "algorithm", "seed 0", "seed 1", "seed 2", "mean", "std"]
    pivot = [heads, *([t, a, *RUNS[a][t], 2.5, 1.5] for a in RUNS for t in RUNS[a])]
    with pytest.warns(ro.RunoffWarning, match="left out: sheet 'pivot', which sums up others"):
        assert ro.load(book(put, {"pivot": pivot, "raw": rows})).to_dict() == RUNS


@pytest.mark.parametrize("name", ["TEMPO", "Go Elo", "Time-LLM"])
def test_a_contender_called_like_a_time_or_a_unit_stays_one(put, name):
    rows = [f"{t},{i},{RUNS['Arno'][t][i]},{RUNS['Bela'][t][i]}" for t in ("Nord", "Sud") for i in range(3)]
    assert name in ro.read_scores(put("t.csv", "\n".join([f"task,seed,PPO,{name}", *rows, ""]))).algorithms


def test_a_sheet_of_means_and_spreads_without_runs_still_sums_up_others(put):
    runs = [["algorithm", "task", "seed", "score"], *([a, t, i, x] for a, t, i, x in CELLS)]
    means = [["algorithm", "Mittel", "Std."], *([a, 4.5, 1.5] for a in RUNS)]
    with pytest.warns(ro.RunoffWarning, match="left out: sheet 'Tabelle', which sums up others"):
        assert ro.load(book(put, {"Tabelle": means, "Daten": runs})).to_dict() == RUNS


def by_seed(algorithm: str, beside: list[object]) -> list[list[object]]:
    return [[i, *(own[i] for own in RUNS[algorithm].values()), *beside] for i in range(3)]


@pytest.mark.parametrize("beside", [{"n_demos": 200, "train_h": 2.5}, {"n_agents": 4}, {"train_h": 3.5}, {}])
def test_a_mean_below_numbered_runs_is_left_out_whatever_its_last_cells_hold(put, beside):
    heads = ["seed", "Nord", "Sud", *beside]
    last = [None] * len(beside)
    sheets = {a: [heads, *by_seed(a, [*beside.values()]), [], ["mean", 1.5, 2.5, *last]] for a in RUNS}
    assert ro.load(book(put, sheets), columns={"algorithm": "sheet"}, keys="task").to_dict() == RUNS


def test_methods_whose_names_begin_with_n_are_no_counts(put):
    text = "task,seed,n_beats,n_hits\n" + "".join(f"{t},{i},{x},{x + 1}\n" for _, t, i, x in CELLS[:6])
    assert ro.load(put("t.csv", text)).algorithms == ("n_beats", "n_hits")


# ── texts of spreadsheets and consoles ──────────

PIVOT = """Average of success\tColumn Labels\t\t
Row Labels\tNord\tSud\tGrand Total
PPO\t2.5\t5.5\t4.0
    seed 1\t1.5\t4.5\t3.0
    seed 2\t3.5\t6.5\t5.0
SAC\t8.5\t2.0\t5.25
    seed 1\t9.5\t2.5\t6.0
    seed 2\t7.5\t1.5\t4.5
Grand Total\t5.5\t3.75\t4.625
"""
PIVOTED = {"PPO": {"Nord": [1.5, 3.5], "Sud": [4.5, 6.5]}, "SAC": {"Nord": [9.5, 7.5], "Sud": [2.5, 1.5]}}


@pytest.mark.parametrize("label", ["Row Labels", "Zeilenbeschriftungen", "行ラベル"])
@pytest.mark.parametrize("indent", ["    ", "  ", ""])
@pytest.mark.parametrize(("name", "mark"), [("p.txt", "\t"), ("p.tsv", "\t"), ("p.csv", ","), ("p.csv", ";")])
def test_a_pivot_of_a_spreadsheet_is_read_without_its_sums(put, label, indent, name, mark):
    text = PIVOT.replace("Row Labels", label).replace("    ", indent).replace("\t", mark)
    assert ro.load(put(name, text)).to_dict() == PIVOTED


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("    seed 1", "Hopper").replace("    seed 2", "Ant"),
        lambda text: text.replace("    seed", "        seed").replace("SAC", "    SAC"),
        lambda text: text.replace("    ", "").replace("8.5", "8.9"),
        lambda text: "\n".join(line for line in text.split("\n") if "seed" not in line),
    ],
)
def test_a_pivot_whose_numbers_may_be_means_is_refused(put, change):
    with pytest.raises(ro.DataError, match="pivot"):
        ro.load(put("p.tsv", change(PIVOT)))


@pytest.mark.parametrize("mark", ["|", " | ", ";", "\t"])
@pytest.mark.parametrize("score", ["nDCG@10", "score, mean of 5 episodes"])
def test_a_text_with_bars_or_semicolons_is_a_table(put, mark, score):
    rows = [mark.join(map(str, cell)) for cell in CELLS]
    head = mark.join(["method", "task", "seed", score])
    assert ro.load(put("t.txt", "\n".join([head, *rows, ""]))).to_dict() == RUNS


@pytest.mark.parametrize("text", ["a|b\nno|numbers\n", "a | b said:\n1|2|3\n", "1|2\n3|4\n5|6\n"])
def test_prose_and_bare_numbers_between_bars_are_no_table(put, text):
    with pytest.raises(ro.DataError):
        ro.load(put("t.txt", text))


@pytest.mark.parametrize("title", ["Aufgabe: {}", "== {} =="])
@pytest.mark.parametrize("comma", [".", ","])
def test_blocks_of_a_text_between_tabs_are_tasks_below_a_line_on_their_direction(put, title, comma):
    blocks = ["Auswertung (kumulierte Kosten J, kleiner ist besser)\n"]
    for task in ("Nord", "Sud"):
        rows = [f"{a}\t" + "\t".join(str(x).replace(".", comma) for x in RUNS[a][task]) for a in RUNS]
        blocks.append("\n".join([title.format(task), "Regler\tLauf 1\tLauf 2\tLauf 3", *rows, ""]))
    assert ro.load(put("t.txt", "\n".join(blocks))).to_dict() == NEGATED


@pytest.mark.parametrize("prompt", ["> print(res, row.names = TRUE)", ">>> print(df)", "> res", "> res <- f(1)\n> res"])
@pytest.mark.parametrize("end", ["> \n", ""])
def test_what_was_typed_at_a_prompt_is_no_part_of_what_was_printed(put, prompt, end):
    rows = [f"{i:<2} {a:<8} {t:<6} {r} {x:>8}  {i * 50}  NA" for i, (a, t, r, x) in enumerate(CELLS, start=1)]
    text = "\n".join([prompt, "   learner  dataset rep rmse n.trees secs", *rows, end])
    assert ro.load(put("t.txt", text)).to_dict() == NEGATED


def test_a_mark_before_a_row_of_scores_is_no_prompt(put):
    text = "algo seed return\n> PPO 0 5.0\nPPO 1 6.0\nSAC 0 7.0\nSAC 1 8.0\n"
    with pytest.raises(ro.DataError):
        ro.load(put("t.txt", text))


@pytest.mark.parametrize("above", ["Erro MAPE (%) na janela – quanto menor, melhor", "Fehler, kleiner ist besser"])
@pytest.mark.parametrize("comma", [".", ","])
def test_a_title_with_commas_above_semicolons_is_a_title(put, above, comma):
    rows = [
        f"{t};R{i};{';'.join(str(RUNS[a][t][i]).replace('.', comma) for a in RUNS)}"
        for t in ("Nord", "Sud")
        for i in range(3)
    ]
    means = [f"{t};média;1{comma}5;2{comma}5" for t in ("Nord", "Sud")]
    text = "\n".join([f"{above};;;", ";;;", "Tarefa;Repetição;Arno;Bela", *rows, *means, ""])
    assert ro.load(put("t.csv", text)).to_dict() == NEGATED


# ── paths, and steps of optimisers ──────────

FOLDERS = [(a, t, s) for a in ("tdmpc2", "sac") for t in ("reacher-easy", "pendulum-swingup") for s in (0, 1)]
BEHIND = ["events.out.tfevents.17095828{i}.gpu07", "progress.csv", "eval/log.jsonl"]


@pytest.mark.parametrize(
    "path", ["logs/{a}/{t}/seed_{s}/", "/runs/{t}/{a}/s{s}/", "C:\\runs\\{a}\\{t}\\seed{s}\\", "{a}_{t}_s{s}/"]
)
@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("head", ["path", "log_dir", "File"])
def test_paths_in_a_column_name_algorithm_task_and_seed_as_folders_do(put, path, behind, head):
    paths = [(path + behind).format(a=a, t=t, s=s, i=i) for i, (a, t, s) in enumerate(FOLDERS)]
    rows = [f"{own},eval/return,{step},{i + step}" for i, own in enumerate(paths) for step in (1000, 2000)]
    curves = ro.read_curves(put("t.csv", "\n".join([f"{head},tag,step,value", *rows, ""])))
    assert (curves.algorithms, curves.tasks) == (("sac", "tdmpc2"), ("pendulum-swingup", "reacher-easy"))
    assert curves.n_runs.tolist() == [[2, 2], [2, 2]]


@pytest.mark.parametrize("path", ["logs/{i}/x.csv", "logs/p/q{i}.csv", "runs/a{s}/b{i}/c.csv"])
def test_paths_that_name_no_algorithm_are_asked_about(put, path):
    rows = [f"{path.format(s=s, i=i)},{t},{i}.5" for i, (_, t, s) in enumerate(FOLDERS)]
    with pytest.raises(ro.DataError, match="algorithm"):
        ro.load(put("t.csv", "\n".join(["path,task,return", *rows, ""])))


def test_a_path_beside_a_column_of_algorithms_names_nothing(put):
    rows = [f"{a},{t},{r},{x},logs/sac/Hopper-v4/seed_{r}" for a, t, r, x in CELLS]
    assert ro.load(put("t.csv", "\n".join(["algorithm,task,seed,return,path", *rows, ""]))).to_dict() == RUNS


def trace(counted: str, score: str, values: list[float]) -> str:
    rows = [
        f"{f},{o},{r},{100 * (i + 1)},{x + r}"
        for f in ("sphere", "ackley") for o in ("DE", "CMA-ES") for r in (1, 2) for i, x in enumerate(values)
    ]  # fmt: skip
    return "\n".join([f"function,optimizer,rep,{counted},{score}", *rows, ""])


@pytest.mark.parametrize("counted", ["evals", "n_evals", "function evaluations", "nfe", "fes"])
@pytest.mark.parametrize(
    ("values", "sign"), [([9.5, 4.5, 4.5, 0.5], -1), ([0.5, 4.5, 4.5, 9.5], 1), ([4.5, 9.5, 0.5], 1), ([4.5] * 4, 1)]
)
def test_evaluations_that_rise_are_steps_and_a_best_that_never_rises_is_minimised(put, counted, values, sign):
    curves = ro.read_curves(put("t.csv", trace(counted, "best_fitness", values)))
    assert (curves.tasks, curves.algorithms) == (("ackley", "sphere"), ("CMA-ES", "DE"))
    first = curves.final(last=1).to_dict()["DE"]["sphere"]
    assert first == [sign * (values[-1] + r) for r in (1, 2)]


@pytest.mark.parametrize(
    ("score", "values"), [("fitness", [9.5, 4.5, 0.5]), ("best_return", [9.5, 4.5, 0.5]), ("best_score", [9.5])]
)
def test_what_falls_and_is_no_best_so_far_keeps_its_sign(put, score, values):
    text = trace("step", score, values)
    assert ro.read_scores(put("t.csv", text)).to_dict()["DE"]["sphere"][0] > 0


def test_a_number_of_evaluations_that_is_the_same_in_all_rows_counts_no_steps(put):
    rows = [f"{a},{t},{r},100,{x}" for a, t, r, x in CELLS]
    assert ro.load(put("t.csv", "\n".join(["algorithm,task,seed,n_evals,return", *rows, ""]))).to_dict() == RUNS


# ── heads of two lines, remarks below heads, and chats ──────────


@pytest.mark.parametrize("behind", [["params (M)", 0.5], ["Notes", "slow"], ["Mean", 4.5], []])
@pytest.mark.parametrize("before", [["Group", "Method"], ["Method"]])
def test_heads_merged_over_both_lines_behind_those_of_runs_are_no_names(put, behind, before):
    tasks = [cell for t in ("Nord", "Sud") for cell in (t, None, None)]
    last = behind[:1]
    rows = [[*["old"] * (len(before) - 1), a, *(x for own in RUNS[a].values() for x in own), *behind[1:]] for a in RUNS]
    head = [[*before, *tasks, *last], [*[None] * len(before), *[0, 1, 2] * 2, *[None] * len(last)]]
    assert ro.load(book(put, {"Fig4": [["Returns of all runs"], [], *head, *rows]}), keys="task/run").to_dict() == RUNS


@pytest.mark.parametrize("mean", ["Average,42.9,63.2", "Mean,42.9 ± 1.0,63.2 ± 2.0", "hopper,55.5 ± 1.4,58.4 ± 2.0"])
@pytest.mark.parametrize("remark", ["(normalized score; mean ± std over 5 seeds),,", "[mean ± std],,", ""])
def test_a_table_of_means_and_spreads_leads_to_claims_whatever_else_it_holds(put, capsys, mean, remark):
    table = [remark] * bool(remark) + ["halfcheetah,43.0 ± 4.4,49.3 ± 2.1", "walker2d,76.8 ± 5.5,81.7 ± 4.6", mean, ""]
    path = put("t.csv", "\n".join(["Dataset,BC,TD3+BC", *table]))
    assert run(["scan", str(path)]) == 2
    assert f"runoff claims {path}" in capsys.readouterr().err
    assert run(["claims", str(path)]) == 0


def test_a_remark_below_a_head_says_what_a_title_says(put):
    rows = [f"{t},{i},{RUNS['Arno'][t][i]},{RUNS['Bela'][t][i]}" for t in ("Nord", "Sud") for i in range(3)]
    table = ["task,seed,Arno,Bela", "(loss; lower is better),,,", *rows, ""]
    assert ro.load(put("t.csv", "\n".join(table))).to_dict() == NEGATED
    means = ["task,PPO,SAC", "(mean over 5 seeds),,", "Nord,1.5,2.5", "Sud,3.5,4.5", ""]
    with pytest.raises(ro.DataError, match="a mean is not a run"):
        ro.load(put("m.csv", "\n".join(means)))


CHAT = """Priya  10:42 AM
final returns from last night (5 seeds each, 3M steps)

{above}Hopper{behind}
PPO: {0}
SAC: {1}

{above}Ant{behind}
PPO: {2}
SAC: {3}

Tom  10:51 AM
how long did it take?
"""
LISTS = [[2.5, 1.5, 3.5], [4.5, 3.5, 6.5], [5.5, 6.5, 0.5], [7.5, 8.5, 9.5]]


@pytest.mark.parametrize(("above", "behind"), [("*", "*"), ("", ":"), ("# ", ""), ("**", "**")])
@pytest.mark.parametrize("form", ["s{}={}", "seed {}: {}", "run {} = {}", "{1}"])
def test_lists_of_scores_in_a_chat_are_read_below_their_titles(put, above, behind, form):
    lists = [", ".join(form.format(i, x) for i, x in enumerate(own)) for own in LISTS]
    scores = ro.load(put("chat.txt", CHAT.format(*lists, above=above, behind=behind)))
    assert scores.to_dict() == {
        "PPO": {"Ant": LISTS[2], "Hopper": LISTS[0]},
        "SAC": {"Ant": LISTS[3], "Hopper": LISTS[1]},
    }


@pytest.mark.parametrize("line", ["it reached 9.5", "DQN: 4.5, 3.5", "DQN: s0=1, s0=2"])
def test_a_chat_with_other_numbers_is_no_list_of_scores(put, line):
    lists = [", ".join(map(str, own)) for own in LISTS]
    text = CHAT.format(*lists, above="*", behind="*").replace("how long did it take?", line)
    with pytest.raises(ro.DataError):
        ro.load(put("chat.txt", text))
