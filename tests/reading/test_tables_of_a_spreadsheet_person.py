"""Tables that someone kept in spreadsheets: titles, rows of units, failed runs among costs and decimals with commas, an index without a name."""

from __future__ import annotations

import warnings
from itertools import product

import pytest

import runoff as ro
from runoff.reading.formats.encodings import FEWEST_KANA
from runoff.tables.values import mostly_numbers
from tests.reading.test_repairs_of_tables import refused

CELLS = [*product(("A", "B"), ("x", "y"), (1, 2, 3))]


def rows(mark: str = ",", of=lambda a, t, r: 2.5 * r + 10 * (t == "y") + (a == "B")) -> str:
    return "".join(mark.join(map(str, (a, t, r, of(a, t, r)))) + "\n" for a, t, r in CELLS)


TRUTH = {a: {t: [2.5 * r + 10 * (t == "y") + (a == "B") for r in (1, 2, 3)] for t in "xy"} for a in "AB"}


def test_an_index_without_a_name_names_no_runs(put):
    names = product(("ppo", "sac"), ("hopper", "ant"), (0, 1))
    lines = [f"{i},{a}-{t}-s{r},{1.5 * r},1000" for i, (a, t, r) in enumerate(names)]
    text = "\n".join([",run,final_return,steps", *lines]) + "\n"
    scores = ro.load(put("summary.csv", text)).final()
    assert scores.to_dict() == {a: {t: [0.0, 1.5] for t in ("ant", "hopper")} for a in ("ppo", "sac")}
    assert (
        scores.to_dict()
        == ro.load(put("t.csv", "\n".join(line.partition(",")[2] for line in text.splitlines()))).final().to_dict()
    )


@pytest.mark.parametrize("word", ["OOM", "-", "crashed", "NaN", ""])
@pytest.mark.parametrize("head", ["time to solve (s)", "RMSE"])
def test_a_cost_is_a_cost_beside_a_run_that_failed(put, capsys, word, head):
    text = f"planner,domain,run,{head}\n{rows()}A,x,4,{word}\n"
    path = put("t.csv", text)
    message, _ = refused(capsys, "scan", str(path))
    assert "line 14" in message
    for policy, lowest in (("drop", None), ("worst", -8.5)):
        with pytest.warns(ro.RunoffWarning, match="named like a cost"):
            scores = ro.load(path, incomplete=policy)
        own = sorted(scores.cell("A", "x").tolist())
        assert own == sorted([-2.5, -5.0, -7.5, *([] if lowest is None else [lowest])])


@pytest.mark.parametrize("word", ["-", "", "n/a", "OOM"])
def test_decimals_with_commas_are_these_beside_a_run_that_failed(put, capsys, word):
    text = rows("\t").replace(".", ",") + f"A\tx\t4\t{word}\n"
    path = put("t.tsv", f"Algoritmo\tTarefa\tSemente\tRetorno médio\n{text}")
    message, _ = refused(capsys, "scan", str(path))
    assert "if this run failed" in message
    assert ro.load(path, incomplete="drop").to_dict() == TRUTH


@pytest.mark.parametrize("title", ["Power campaign", "Power campaign, board 3", "Normalised return, last evaluation"])
@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("units", [False, True])
def test_a_title_and_a_row_of_units_belong_to_no_head(put, title, blank, units):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    scores = [[a, t, r, TRUTH[a][t][r - 1]] for a, t, r in CELLS]
    lines = [
        [title],
        *([[]] * blank),
        ["policy", "task", "rep", "score"],
        *([[None, None, None, "J"]] * units),
        *scores,
    ]
    for line in lines:
        book.active.append(line)
    path = put("t.xlsx", b"")
    book.save(path)
    assert ro.load(path).to_dict() == TRUTH


def test_words_with_a_comma_above_an_empty_line_are_a_title(put):
    blocks = "".join(
        f"Task: {t}\nalgorithm,s0,s1,s2\n" + "".join(f"{a},{','.join(map(str, TRUTH[a][t]))}\n" for a in "AB") + "\n"
        for t in "xy"
    )
    assert ro.load(put("t.csv", f"Normalised return, last evaluation\n\n{blocks}")).to_dict() == TRUTH
    assert ro.load(put("u.csv", blocks)).to_dict() == TRUTH


def test_headings_part_tables_below_the_same_sentence(put):
    tables = "".join(
        f"## {game}\n\nScores of all runs:\n\n| agent | seed 0 | seed 1 | seed 2 |\n|:--|--:|--:|--:|\n"
        + "".join(f"| {a} | {' | '.join(map(str, TRUTH[a][t]))} |\n" for a in "AB")
        + "\n"
        for game, t in (("Qbert", "x"), ("Breakout", "y"))
    )
    scores = ro.load(put("t.md", f"# Notes\n\n{tables}"))
    assert scores.to_dict() == {a: {"Qbert": TRUTH[a]["x"], "Breakout": TRUTH[a]["y"]} for a in "AB"}


@pytest.mark.parametrize("head", ["WIS value", "GPT-4 score (1-10)"])
@pytest.mark.parametrize("run", ["Seed", "Judge run", "Random seed used"])
def test_the_only_column_of_numbers_that_is_called_a_score_of_something_is_the_score(put, head, run):
    path = put("t.csv", f"Algorithm,Task,{run},{head}\n{rows()}")
    with pytest.warns(ro.RunoffWarning, match="is the only one of numbers"):
        assert ro.load(path).to_dict() == TRUTH
    with pytest.warns(ro.RunoffWarning, match="is the only one of numbers"):
        assert ro.load(path, lower_is_better=True).cell("A", "x").tolist() == [-2.5, -5.0, -7.5]


@pytest.mark.parametrize("head", ["p value", "heart rate", "Q-value"])
def test_other_numbers_alone_are_asked_about(put, head):
    with pytest.raises(ro.DataError, match="no column is"):
        ro.load(put("t.csv", f"Algorithm,Task,Seed,{head}\n{rows()}"))


@pytest.mark.parametrize(
    "heads",
    [
        "算法,地图,随机种子,测试胜率",
        "Algoritmo,Tarefa,Semente,Retorno médio",
        "algoritmo,compito,seme,ritorno medio",
        "algorithme,tâche,graine,retour moyen",
    ],
)
def test_heads_in_more_languages(put, heads):
    assert ro.load(put("t.csv", f"{heads}\n{rows()}")).to_dict() == TRUTH


def test_a_column_of_failures_with_a_number_among_them_is_none_of_numbers():
    assert mostly_numbers(["1.5", "OOM", "2.5"])
    assert not mostly_numbers(["OOM", "crashed", "2.5"])
    assert not mostly_numbers(["1.5", "fast", "2.5"])


def test_files_with_values_of_two_things_are_not_read_by_the_first(put):
    put("d/a.csv", f"Algorithm,Task,Seed,WIS value\n{rows()}")
    path = put("d/b.csv", f"Algorithm,Task,Seed,FQE value\n{rows().replace('A,', 'C,')}")
    with pytest.raises(ro.DataError, match=r"no column is recognised|value"):
        ro.load(path.parent)


@pytest.mark.parametrize("way", ["{p}% ({k}/20)", "{s} ({k}/20)", "{k}/20 ({p}%)", "{k} / 20 ({s})", "{c} ({k}/20)"])
def test_a_share_beside_its_count_is_the_count(put, way):
    counts = {(a, t, r): 3 * r + 5 * (t == "y") + (a == "B") for a, t, r in CELLS}

    def cell(a: str, t: str, r: int) -> str:
        k = counts[a, t, r]
        return '"' + way.format(k=k, p=5 * k, s=f"{k / 20:.2f}", c=f"{k / 20:.1f}".replace(".", ",")) + '"'

    text = "policy,task,seed,success\n"
    scores = ro.load(put("t.csv", text + rows(of=cell)))
    assert scores.to_dict() == {a: {t: [counts[a, t, r] / 20 for r in (1, 2, 3)] for t in "xy"} for a in "AB"}
    assert scores.to_frame().equals(ro.load(put("c.csv", text + rows(of=lambda *c: f"{counts[c]}/20"))).to_frame())


def test_a_share_that_is_not_that_of_its_count_is_no_number(put, capsys):
    path = put("t.csv", "policy,task,seed,success\n" + rows(of=lambda a, t, r: f"0.{r}6 ({r}/20)"))
    assert "which is not a number" in refused(capsys, "scan", str(path))[0]


@pytest.mark.parametrize("seeds", [False, True])
def test_percentages_below_names_that_nobody_knows_are_of_tasks(put, capsys, seeds):
    head, units = ("policy,seed,Stacking,Wiping", ",,{0},{0}") if seeds else ("policy,Stacking,Wiping", ",{0},{0}")
    own = {
        a: {t: [7 * r * r % 40 + 5 * (t == "Wiping") + (a == "B") for r in (1, 2, 3)] for t in ("Stacking", "Wiping")}
        for a in "AB"
    }
    lines = [
        ",".join(map(str, [a, *[r] * seeds, *(own[a][t][r - 1] for t in own[a])])) for a in "AB" for r in (1, 2, 3)
    ]
    for unit in ("%", "[%]"):
        assert ro.load(put("t.csv", "\n".join([head, units.format(unit), *lines]))).to_dict() == own
    for unit in ("s", "m"):
        message, (command, *_) = refused(
            capsys, "scan", str(put("t.csv", "\n".join([head, units.format(unit), *lines])))
        )
        assert "Stacking" in message
        assert command[-1] == "task"


def wide(head: str, cell=lambda x: f"{x}", mark: str = ",", more: str = "") -> str:
    """TRUTH with a row for each algorithm and task, and a column for each run."""
    lines = [mark.join([a, t, *map(cell, TRUTH[a][t])]) + more for a in TRUTH for t in TRUTH[a]]
    return "\n".join([head, *lines, ""])


@pytest.mark.parametrize("word", ["Essai", "Versuch", "Tentativa", "試行"])
@pytest.mark.parametrize("spread", ["Écart-type", "Std.-Abw.", "Standardabweichung", "Desviación típica", "標準偏差"])
def test_runs_in_heads_and_spreads_beside_them_in_more_languages(put, word, spread):
    head = ";".join(["Méthode", "Tâche", *(f"{word} {i}" for i in (1, 2, 3)), spread])
    text = wide(head, lambda x: f"{x}".replace(".", ","), ";", ";0,5")
    assert ro.load(put("t.csv", text)).to_dict() == TRUTH


@pytest.mark.parametrize("word", ["abgebrochen", "échoué", "falló", "失敗", "崩溃"])
def test_runs_that_failed_in_more_languages(put, capsys, word):
    text = rows(";").replace(".", ",")
    path = put("t.csv", f"Verfahren;Aufgabe;Lauf;Ertrag\n{text}A;x;4;{word}\n")
    assert f"is {word}; if this run failed" in refused(capsys, "scan", str(path))[0]
    assert ro.load(path, incomplete="drop").to_dict() == TRUTH


@pytest.mark.parametrize("head", ["累積報酬", "平均報酬", "보상"])
def test_rewards_in_more_languages(put, head):
    assert ro.load(put("t.csv", f"手法,環境,シード,{head},備考\n" + rows().replace("\n", ",\n"))).to_dict() == TRUTH


def test_amounts_between_blanks_are_scores(put):
    text = wide("agent game run1 run2 run3", lambda x: f"{x:.1f}k", " ")
    truth = {a: {t: [1000 * x for x in xs] for t, xs in own.items()} for a, own in TRUTH.items()}
    assert ro.load(put("t.txt", text)).to_dict() == truth


@pytest.mark.parametrize("comment", [False, True])
def test_counts_below_heads_of_seeds_are_shares_of_runs_and_those_of_trials_are_attempts(put, capsys, comment):
    def text(word: str) -> str:
        head = f"method,task,{word} 1,{word} 2,{word} 3" + ",comment" * comment
        more = wide(head, lambda x: f"{round(x)}/20", more="," * comment).splitlines()
        return "\n".join([*more[:-1], more[-1] + "gripper broke" * comment, ""])

    shares = {a: {t: [round(x) / 20 for x in xs] for t, xs in own.items()} for a, own in TRUTH.items()}
    assert ro.load(put("t.csv", text("seed"))).to_dict() == shares
    assert "--unit episode" in refused(capsys, "scan", str(put("u.csv", text("trial"))))[0]


def test_remarks_beside_runs_in_heads_are_no_run(put):
    head, *lines = wide("method,task,seed 1,seed 2,seed 3").splitlines()
    text = "\n".join([f"{head},remark", *(f"{line}," for line in lines[:-1]), f"{lines[-1]},restarted", ""])
    assert ro.load(put("t.csv", text)).to_dict() == TRUTH


def test_objects_beside_methods_and_runs_are_tasks(put):
    assert ro.load(put("t.csv", wide("Method,Object set,run 1,run 2,run 3"))).to_dict() == TRUTH


def test_rates_of_known_benchmarks_are_read_beside_what_a_run_took(put):
    lines = [f"{m},{s},{50 + s}%,{60 + s}%,0.0,{10 * s + len(m)}.5,note" for m in ("SFT", "GRPO") for s in (1, 2, 3)]
    text = "\n".join(["method,train_seed,humaneval pass@1,mbpp pass@1,temperature,gpu_hours,notes", *lines, ""])
    own = {"humaneval": [51.0, 52.0, 53.0], "mbpp": [61.0, 62.0, 63.0]}
    assert ro.load(put("t.csv", text)).to_dict() == {"GRPO": own, "SFT": own}


@pytest.mark.parametrize("name", ["eval_episode", "test_rollout"])
def test_episodes_of_evaluations_are_averaged_and_those_of_training_asked_about(put, capsys, name):
    lines = [
        f"{a},{t},{r},{e},{x + e - 2}"
        for a, t in product("AB", "xy")
        for r, x in enumerate(TRUTH[a][t])
        for e in (1, 2, 3)
    ]
    text = "\n".join([f"algo,env,seed,{name},return", *lines, ""])
    path = put("t.csv", text)
    assert ro.load(path).to_dict() == TRUTH
    assert "--unit episode is of one" in refused(capsys, "scan", str(path), "--unit", "episode")[0]
    _, commands = refused(capsys, "scan", str(put("u.csv", text.replace(name, "episode"))))
    assert [command[-1] for command in commands] == ["mean", "step=episode"]


@pytest.mark.parametrize("name", ["trainable_params", "Bananas"])
def test_a_number_of_each_algorithm_is_no_task(put, capsys, name):
    lines = [f"{m},{s},{90.5 + s},{80.5 + s / 4},{9000 * len(m)}" for m in ("full", "lora r8") for s in (1, 2, 4)]
    path = put("t.csv", "\n".join([f"method,seed,SST-2,QNLI,{name}", *lines, ""]))
    if name == "Bananas":
        message, commands = refused(capsys, "scan", str(path))
        assert "has one number for each algorithm" in message
        assert commands[0][-1] == "unused=Bananas"
        return
    assert ro.load(path).tasks == ("QNLI", "SST-2")


EAST = {
    "cp932": ("Shift-JIS", ["アルゴリズム,課題,シード,報酬", "手法,タスク,シード,得点", "手法,環境,シード,スコア"]),
    "euc_jp": ("EUC-JP", ["アルゴリズム,課題,シード,報酬", "手法,タスク,シード,得点"]),
    "gbk": ("GBK", ["算法,任务,种子,得分", "方法,地图,随机种子,成功率", "算法 ,任务 ,种子 ,得分 "]),
    "euc_kr": ("EUC-KR", ["알고리즘,환경,시드,보상", "방법,과제,시드,점수"]),
}


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize(("codec", "head"), [(codec, head) for codec, (_, heads) in EAST.items() for head in heads])
def test_heads_show_the_encoding_of_a_text_of_east_asia(put, codec, head, mark):
    text = f"{head}\n{rows()}".replace(",", mark)
    for name in ("t.csv", "t.txt")[: 1 + (mark == "\t")]:
        with pytest.warns(ro.RunoffWarning, match=f"is read as {EAST[codec][0]};"):
            assert ro.load(put(name, text.encode(codec))).to_dict() == TRUTH
    assert ro.load(put("u.csv", text)).to_dict() == TRUTH


@pytest.mark.parametrize(("codec", "mean"), [("cp932", "平均"), ("gbk", "均值"), ("euc_kr", "평균")])
def test_a_word_for_a_summary_shows_the_encoding_of_a_text_as_well(put, codec, mean):
    text = f"algorithm,task,run,score\n{rows()}\n{mean},,,1\n"
    encoded = pytest.warns(ro.RunoffWarning, match=f"is read as {EAST[codec][0]};")
    with encoded, pytest.warns(ro.RunoffWarning, match="left out: 1 row"):
        assert ro.load(put("t.csv", text.encode(codec))).to_dict() == TRUTH


@pytest.mark.parametrize("codec", ["cp932", "gbk", "euc_kr"])
def test_a_text_whose_heads_nobody_knows_is_refused_with_its_encodings(put, capsys, codec):
    other = {"cp932": "学校,会社", "gbk": "猫,狗", "euc_kr": "고양이,강아지"}[codec]
    message, _ = refused(capsys, "scan", str(put("t.csv", f"{other},run,score\n{rows()}".encode(codec))))
    assert "is not UTF-8" in message
    assert "save " in message


@pytest.mark.parametrize("n", [FEWEST_KANA - 1, FEWEST_KANA])
def test_so_many_kana_show_a_text_with_other_heads_to_be_shift_jis(put, n):
    file = put("t.csv", f"algorithm,task,run,score\n学{'ア' * n},x,0,1\nB,x,0,2\n".encode("cp932"))
    if n < FEWEST_KANA:
        with pytest.raises(ro.DataError, match="may be of several encodings"):
            ro.load(file)
        return
    with pytest.warns(ro.RunoffWarning, match="is read as Shift-JIS;"):
        assert ro.load(file).algorithms == ("B", f"学{'ア' * n}")


WORDS = ["Gelände", "créée", "Été", "à", "Ñandú", "œuvre", "‚größer‘", "l’été…", "37 °C", "±2", "Åse", "naïve", "ÀÉÎ"]


@pytest.mark.parametrize("word", WORDS)
def test_letters_with_accents_are_western(put, word):
    for names in ((word, "B"), (word, f"{word}er"), ("A", f"x{word}")):
        text = "algorithm;task;run;score\n" + rows(";").replace("A;", f"{names[0]};").replace("B;", f"{names[1]};")
        with pytest.warns(ro.RunoffWarning, match="is read as Windows-1252;"):
            assert ro.load(put("t.csv", text.encode("cp1252"))).algorithms == tuple(sorted(names))


def test_numbers_behind_words_of_other_alphabets_count_runs(put):
    text = wide("手法,環境,シード1,シード2,シード3")
    assert ro.load(put("t.csv", text)).to_dict() == TRUTH


def book(put, sheets: dict[str, list[list]]):
    openpyxl = pytest.importorskip("openpyxl")
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for name, lines in sheets.items():
        sheet = workbook.create_sheet(name)
        for line in lines:
            sheet.append(line)
    path = put("t.xlsx", b"")
    workbook.save(path)
    return path


SHEETS = {"A": "Branch & bound", "B": "Branch & PPO"}


def sheets_of(corner: str) -> dict[str, list[list]]:
    return {
        SHEETS[a]: [[corner, "run 1", "run 2", "run 3"], *([t, *own] for t, own in TRUTH[a].items())] for a in TRUTH
    }


@pytest.mark.parametrize("head", ["best known", "lower bound", "optimum"])
def test_a_sheet_of_one_number_a_row_beside_sheets_of_runs_is_left_out(put, head):
    path = book(put, {**sheets_of("instance"), "reference": [["instance", head], ["x", 1.5], ["y", 7.5]]})
    with pytest.warns(ro.RunoffWarning, match="left out: sheet 'reference', which has other columns, and no runs"):
        assert ro.load(path).to_dict() == {SHEETS[a]: own for a, own in TRUTH.items()}


@pytest.mark.parametrize(
    ("name", "heads"),
    [("reference", ["instance", "low", "high"]), ("reference", ["instance", "run 1"]), ("reference", ["instance", "score"]),
     ("SAC", ["instance", "last"])],
)  # fmt: skip
def test_a_sheet_that_may_hold_runs_beside_others_is_asked_about(put, capsys, name, heads):
    other = [heads, ["x", 1.5, 2.5][: len(heads)], ["y", 7.5, 8.5][: len(heads)]]
    message, _ = refused(capsys, "scan", str(book(put, {**sheets_of("instance"), name: other})))
    assert "has 3 sheets" in message


@pytest.mark.parametrize("unit", ["return", "J", "%", "[points]"])
@pytest.mark.parametrize("mark", ["*", "†", "**", ""])
@pytest.mark.parametrize("title", ["", "Return of each run (budget 25)\n\n"])
def test_a_row_of_units_below_heads_of_runs_is_none_of_scores(put, unit, mark, title):
    head = f"{title}task;algorithm;run1;run2;run3\n;;{unit};{unit};{unit}\n"
    for decimal in ".,":
        lines = [
            [t, a, *(f"{x}{mark * (x > 5)}".replace(".", decimal) for x in TRUTH[a][t])] for t in "xy" for a in "AB"
        ]
        text = head + "".join(";".join(line) + "\n" for line in lines)
        assert ro.load(put("t.csv", text)).to_dict() == TRUTH
    assert ro.load(put("u.csv", text.replace(f"18,5{mark}", "-")), incomplete="drop").cell("B", "y").tolist() == [
        13.5,
        16.0,
    ]


@pytest.mark.parametrize("mark", [" @ ", "@"])
def test_labels_of_runs_without_a_name_beside_algorithms_at_tasks(put, mark):
    heads = [f"{a}{mark}{t}" for a in ("MADDPG", "MAPPO") for t in ("simple_spread", "simple_tag")]
    values = [[round(10 * i + 1.7 * r * r + i * r, 2) for i in range(4)] for r in range(3)]
    mean = [round(sum(row[i] for row in values) / 3, 2) for i in range(4)]
    lines = [
        ",".join([label, *map(str, row)])
        for label, row in zip(("seed0", "seed1", "seed2", "mean"), [*values, mean], strict=True)
    ]
    with pytest.warns(ro.RunoffWarning, match="left out: 4 row"):
        scores = ro.load(put("t.csv", "\n".join([",".join(["", *heads]), *lines, ""])))
    assert scores.to_dict()["MAPPO"] == {
        "simple_spread": [row[2] for row in values],
        "simple_tag": [row[3] for row in values],
    }


def test_tasks_below_a_title_that_says_less_is_better_are_costs_whatever_they_are_called(put):
    values = {"Kidney": [10.25, 9.5, 8.25], "SplitS": [5.5, 4.0, 3.75]}
    lines = [
        f"{a},{r},{values['Kidney'][r] + i},{values['SplitS'][r] + i}" for i, a in enumerate("AB") for r in range(3)
    ]
    text = "\n".join(["Lap times (lower is better)", "controller,seed,Kidney,SplitS", *lines, ""])
    with pytest.warns(ro.RunoffWarning, match="the scores are negated"):
        scores = ro.load(put("t.csv", text))
    assert scores.to_dict()["A"] == {task: [-x for x in own] for task, own in values.items()}


@pytest.mark.parametrize(
    "heads",
    [
        "Terreno,Metodo,Seme,Ricompensa",
        "terreno,metodo,sim_seed,ritorno",
        "경로,모델,시드,성공,시도",
        "map,algo,seed,driving_score,wall_time_h",
    ],
)
def test_heads_of_a_second_stranger(put, heads):
    names = heads.split(",")
    lines = []
    for a, own in TRUTH.items():
        for t, xs in own.items():
            for r, x in enumerate(xs):
                more = f"{round(x)},20" if "시도" in names else f"{x}" + ",7.5" * (len(names) == 5)
                lines.append(f"{t},{a},{r},{more}")
    file = put("t.csv", "\n".join([heads, *lines, ""]))
    score = {
        a: {t: [round(x) / 20 if "시도" in names else x for x in xs] for t, xs in own.items()}
        for a, own in TRUTH.items()
    }
    columns = {"task": names[0]} if "시도" in names else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert ro.load(file, columns=columns).to_dict() == score


def test_online_steps_are_steps_and_a_constant_setting_is_no_score(put, capsys):
    lines = [f"{a},{r},{t},{x + t}" for a in "AB" for r, x in enumerate((0.5, 1.25)) for t in (0, 10, 20)]
    curves = ro.load(put("t.csv", "\n".join(["algo,seed,online_step,return", *lines, ""])))
    assert curves.final(1).to_dict()["A"] == {"task": [20.5, 21.25]}
    lines = [f"{a},{r},0.99,{x}" for a in "AB" for r, x in enumerate((0.5, 1.25))]
    _, commands = refused(capsys, "scan", str(put("u.csv", "\n".join(["algo,seed,gamma,goal_difference", *lines, ""]))))
    assert [command[-2:] for command in commands] == [
        ["--columns", "score=goal_difference"],
        ["score=goal_difference", "--lower-is-better"],
    ]


def test_percentages_of_algorithms_with_a_row_alone_are_asked_about(put, capsys):
    text = "policy,Stacking,Wiping\n,%,%\nA,17,5\nB,12,8\nC,20,9\n"
    assert "Stacking" in refused(capsys, "scan", str(put("t.csv", text)))[0]


def test_a_number_of_each_algorithm_with_two_rows_is_asked_about(put, capsys):
    lines = [f"{m},{s},{90.5 + s},{80.5 + s / 4},{9 * len(m)}" for m in ("full", "lora r8") for s in (1, 2)]
    message, _ = refused(capsys, "scan", str(put("t.csv", "\n".join(["method,seed,SST-2,QNLI,Bananas", *lines, ""]))))
    assert "has one number for each algorithm" in message


@pytest.mark.parametrize(
    ("head", "runs"), [("Seed", ("42", "1337", "7")), ("Lauf", ("1", "2", "3")), ("run", ("run 1", "run 2", "run 3"))]
)
@pytest.mark.parametrize("means", [(), ("Mittelwert", "Std.-Abw.")])
@pytest.mark.parametrize("title", [[], [["Tabelle 5.2: Belohnung am Ende"], []]])
@pytest.mark.parametrize("merged", ["first", "all"])
def test_a_head_of_runs_that_is_merged_over_their_numbers_names_them(put, head, runs, means, title, merged):
    heads = ["Algorithmus", "Umgebung", head, *([""] * 2 if merged == "first" else [f"{head}.1", f"{head}.2"]), *means]
    lines = [[a, t, *TRUTH[a][t], *[1.5] * len(means)] for a in "AB" for t in "xy"]
    grid = [*title, heads, ["", "", *runs, *[""] * len(means)], *lines]
    text = "\n".join(",".join(map(str, line)) for line in grid) + "\n"
    for path in (put("t.csv", text), book(put, {"Kapitel 5": grid})):
        scores = ro.load(path)
        assert (
            scores.to_dict() == TRUTH
            or {a: {t: sorted(own[t]) for t in own} for a, own in scores.to_dict().items()} == TRUTH
        )
        assert sorted(scores.run_labels[:3]) == sorted(name if "run" in name else f"{head} {name}" for name in runs)


def test_other_heads_over_numbers_are_not_taken_for_runs(put):
    with pytest.raises(ro.DataError):
        ro.load(put("t.csv", "Algorithm,Env,Budget,,\n,,1,2,3\n" + wide("x").partition("\n")[2]))
