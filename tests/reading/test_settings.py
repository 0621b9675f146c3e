"""Settings in columns: equal numbers are one value however they were written, and columns that are named as settings are configurations."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.tables.configs import read_configs
from runoff.tables.equal import same_value
from runoff.tables.labels import Labels


def written(path, rows, head="algorithm,lr,task,seed,score"):
    path.write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return str(path)


def rows_of(rates=("0.1", "0.2"), seeds=(0, 1, 2), best="0.1"):
    """Return runs of A and B with some learning rates on two tasks; one rate is the best of A."""
    return [
        (a, lr, task, s, 5 * (a == "A" and lr == best) + 0.1 * s + (task == "u"))
        for a in "AB"
        for lr in rates
        for task in "tu"
        for s in seeds
    ]


def test_equal_numbers_are_one_setting_however_each_row_writes_them(tmp_path):
    rows = [
        (a, {"0.1": ("1e-1", "0.10", ".1")[s], "0.2": "0.2"}[lr], *rest)
        for a, lr, *rest in rows_of()
        for s in rest[1:2]
    ]
    assert ro.tuning(written(tmp_path / "runs.csv", rows)).n_configs == {"A": 2, "B": 2}


@pytest.mark.parametrize("given", [{"settings": "lr"}, None])
def test_a_setting_that_is_named_is_spelled_as_if_it_were_recognised(tmp_path, given):
    scores = ro.read_scores(written(tmp_path / "runs.csv", rows_of(("1e-3", "2e-3"))), columns=given)
    assert {config for _, config in scores.sampling.configs} == {"lr 0.001", "lr 0.002"}


def test_a_setting_that_is_named_and_not_there_is_refused(tmp_path):
    with pytest.raises(ro.OptionError, match="there is no column 'rl' to be a setting; found 'algorithm', 'lr'"):
        ro.read_scores(written(tmp_path / "runs.csv", rows_of()), columns={"settings": "rl"})


def judged(tmp_path, fresh, head="algorithm,lr,task,seed,score"):
    """Return the exit code of the verb on a sweep with fresh runs."""
    runs, again = written(tmp_path / "runs.csv", rows_of()), written(tmp_path / "fresh.csv", fresh, head)
    return run(["tuning", runs, "--score-unit", "shared", "--judged", again])


def test_fresh_runs_of_a_setting_that_the_sweep_did_not_choose_are_refused(tmp_path, capsys):
    assert judged(tmp_path, rows_of(("0.2",), (7, 8))) == 2
    assert "with setting 'lr 0.2', the sweep chose 'lr 0.1'" in capsys.readouterr().err


def test_fresh_runs_that_name_their_setting_are_compared_by_its_number(tmp_path, capsys):
    fresh = [(a, "1e-1" if a == "A" else "0.10", *rest) for a, _, *rest in rows_of(("0.1",), (7, 8))]
    code = judged(tmp_path, fresh)
    shown = " ".join((answer := capsys.readouterr()).out.split())
    assert (code, answer.err) == (0, "")
    assert "the fresh runs do not say" not in shown
    assert "A beats B by 5" in shown


def test_fresh_runs_without_their_settings_are_taken_as_those_of_the_chosen_and_a_note_says_so(tmp_path, capsys):
    fresh = [(a, *rest) for a, _, *rest in rows_of(("0.1",), (7, 8))]
    assert judged(tmp_path, fresh, "algorithm,task,seed,score") == 0
    assert "the fresh runs do not name their settings" in " ".join(capsys.readouterr().out.split())


def test_a_refusal_of_another_setting_names_the_same_settings_of_both_sides(tmp_path):
    def table(rates, seeds):
        rows = [(a, lr, float(lr) / 10, 64, task, s, score) for a, lr, task, s, score in rows_of(rates, seeds)]
        names = ("algorithm", "lr", "min_lr", "width", "task", "seed", "score")
        return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))

    both = "with setting 'lr 0.2, min_lr 0.02', the sweep chose 'lr 0.1, min_lr 0.01'"
    with pytest.raises(ro.DesignError, match=both):
        ro.tuning(table(("0.1", "0.2", "0.4", "0.8"), (0, 1, 2)), judged=table(("0.2",), (7, 8)))


def test_frames_of_fresh_runs_keep_their_settings_too(tmp_path):
    both = dict(zip(("algorithm", "lr", "task", "seed", "score"), map(list, zip(*rows_of(), strict=True)), strict=True))
    fresh = rows_of(("0.2",), (7, 8))
    again = dict(zip(both, map(list, zip(*fresh, strict=True)), strict=True))
    with pytest.raises(ro.DesignError, match=r"with setting 'lr 0\.2', the sweep chose 'lr 0.1'"):
        ro.tuning(both, judged=again)


# ── counts of steps, and names that nobody knows ──────────


def unlike_seeds(name, values=("128", "512")):
    """Return runs whose seeds never repeat, of two settings."""
    return [(a, v, "t", f"{a}{i}{s}", s + 0.1 * i) for a in "AB" for i, v in enumerate(values) for s in (0, 1, 2)], (
        f"algorithm,{name},task,seed,score"
    )


@pytest.mark.parametrize("name", ["n_steps", "n_epochs", "epochs", "num_updates", "steps_per_epoch", "train_steps"])
def test_a_count_of_steps_that_has_one_value_a_run_is_a_setting(tmp_path, name):
    read = ro.load(written(tmp_path / "runs.csv", *unlike_seeds(name)))
    assert isinstance(read, ro.Scores)
    assert ro.tuning(read).n_configs == {"A": 2, "B": 2}


def test_counts_at_which_runs_ended_are_no_settings(tmp_path):
    rows = [(a, 100_000 + 7 * i + s, "t", s, s + i) for i, a in enumerate("AB") for s in (0, 1, 2)]
    assert isinstance(ro.load(written(tmp_path / "runs.csv", rows, "algorithm,num_steps,task,seed,score")), ro.Curves)


def test_a_few_uneven_counts_may_be_a_setting_or_progress_and_either_answer_is_taken(tmp_path, capsys):
    rows = [(a, n, "t", s, s + (a == "A") * n / 512) for a in "AB" for n in (128, 256, 512) for s in (0, 1, 2)]
    path = written(tmp_path / "runs.csv", rows, "algorithm,n_steps,task,seed,score")
    assert run(["tuning", path]) == 2
    error = capsys.readouterr().err
    assert "has 3 values (128, 256, 512), and may hold a setting or the progress of training" in error
    assert run(["tuning", path, "--columns", "settings=n_steps"]) == 0
    assert isinstance(ro.load(path, columns={"step": "n_steps"}), ro.Curves)


@pytest.mark.parametrize(
    ("counts", "doubtful"),
    [((128, 256), True), ((100, 200, 300, 400), True), ((100, 200, 300, 400, 500), False), ((1, 2, 3, 4, 8), True)],
)
def test_counts_are_evaluations_where_five_or_more_are_evenly_apart(tmp_path, counts, doubtful):
    rows = [(a, n, "t", s, s + n / 512) for a in "AB" for n in counts for s in (0, 1, 2)]
    path = written(tmp_path / "runs.csv", rows, "algorithm,n_steps,task,seed,score")
    if doubtful:
        with pytest.raises(ro.DataError, match=f"has {len(counts)} values .*may hold a setting or the progress"):
            ro.load(path)
    else:
        assert set(ro.read_curves(path).steps.tolist()) == set(counts)


def test_a_count_of_steps_that_follows_from_named_configurations_is_no_progress(tmp_path):
    rows = [(f"c{i}", 10.0**-i, n, s, s + i) for i, n in enumerate((512, 512, 2048)) for s in (0, 1, 2)]
    read = ro.load(written(tmp_path / "ppo.csv", rows, "config,learning_rate,n_steps,seed,score"))
    assert isinstance(read, ro.Scores)
    assert ro.tuning(read).n_configs == {"ppo": 3}


def test_a_few_uneven_counts_beside_settings_are_asked_about_in_a_file_of_one_algorithm_too(tmp_path):
    rows = [(lr, n, s, s + n / 512) for lr in (0.1, 0.2) for n in (128, 256, 512) for s in (0, 1, 2)]
    with pytest.raises(ro.DataError, match="may hold a setting or the progress"):
        ro.load(written(tmp_path / "ppo.csv", rows, "learning_rate,n_steps,seed,score"))
    alone = [(n, s, s + n / 512) for n in (128, 256, 512) for s in (0, 1, 2)]
    assert isinstance(ro.load(written(tmp_path / "sac.csv", alone, "n_steps,seed,score")), ro.Curves)


def test_a_column_of_an_unknown_name_is_a_setting_with_the_repair_that_is_offered(tmp_path, capsys):
    rows = [(a, foo, *rest) for a, foo, *rest in rows_of()]
    path = written(tmp_path / "runs.csv", rows, "algorithm,foo,task,seed,score")
    assert run(["tuning", path]) == 2
    assert f"runoff tuning {path} --columns settings=foo" in capsys.readouterr().err
    assert run(["tuning", path, "--columns", "settings=foo"]) == 0


@pytest.mark.parametrize("name", ["batch_size", "n_envs", "opt", "clip_range", "rollout_length", "activation"])
def test_usual_names_of_settings_need_no_option(tmp_path, name):
    path = written(tmp_path / "runs.csv", rows_of(), f"algorithm,{name},task,seed,score")
    assert ro.tuning(path).n_configs == {"A": 2, "B": 2}


@pytest.mark.parametrize("below", ["progress.csv", "runs/progress.csv"])
def test_folders_of_tasks_above_names_with_settings_are_asked_with_a_pattern_that_reads_them(tmp_path, capsys, below):
    for task, a, lr, s in (
        (t, a, lr, s) for t in ("t0", "t1") for a in "AB" for lr in ("0.1", "0.01") for s in (0, 1, 2)
    ):
        file = tmp_path / task / f"{a}_lr{lr}_s{s}" / below
        file.parent.mkdir(parents=True)
        file.write_text("step,return\n" + "".join(f"{i},{i + s / 10 + (a == 'A')}\n" for i in (1, 2, 3)))
    assert run(["compare", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "('t0', 't1'; 'A_lr0.01', 'A_lr0.1'); nothing shows which is the algorithm" in error
    pattern = next(word for word in error.split('"') if "config.lr" in word)
    assert run(["tuning", str(tmp_path), "--pattern", pattern]) == 0
    assert "2 tasks" in (shown := " ".join(capsys.readouterr().out.split()))
    assert "of k of 2 configurations" in shown


def test_a_setting_that_follows_from_another_makes_no_configuration(tmp_path):
    rows = [
        (a, lr, 10 * lr, w, s, s + 50 * lr)
        for a in "AB"
        for lr in (0.1, 0.2, 0.3, 0.4)
        for w in (8, 16)
        for s in (0, 1)
    ]
    path = written(tmp_path / "runs.csv", rows, "algorithm,lr,lr_x10,width,seed,score")
    read = ro.read_scores(path)
    assert {config for _, config in read.sampling.configs} == {
        f"lr {lr}, width {w}" for lr in (0.1, 0.2, 0.3, 0.4) for w in (8, 16)
    }
    assert any("('lr_x10' follows from 'lr')" in note for note in read.provenance.notes)
    assert ro.tuning(read, view="importance").rows[0].settings == "lr"


def test_draws_of_two_settings_are_both_kept(tmp_path):
    rows = [("A", lr, w, s, s + lr) for lr, w in ((0.11, 3), (0.25, 9), (0.31, 4), (0.42, 7)) for s in (0, 1)]
    read = ro.read_scores(written(tmp_path / "runs.csv", rows, "algorithm,lr,width,seed,score"))
    assert "lr 0.11, width 3" in {config for _, config in read.sampling.configs}


def test_a_clock_beside_end_scores_is_listed_as_unused(tmp_path):
    rows = [(*row, 1.5 * i) for i, row in enumerate(rows_of())]
    read = ro.read_scores(written(tmp_path / "runs.csv", rows, "algorithm,lr,task,seed,score,time"))
    assert "columns not used: 'time'" in read.provenance.notes


def logged(root, rates, seeds):
    """Return a folder of logs of A and B whose learning rates stand in their configurations alone."""
    for i, (a, lr, s) in enumerate((a, lr, s) for a in "AB" for lr in rates for s in seeds):
        folder = root / f"{i:03d}"
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps({"algo": a, "env": "t", "seed": s, "lr": lr}))
        (folder / "progress.csv").write_text(f"step,eval_return\n1,0\n2,{10 * (lr == 0.1) + s / 10}\n")
    return str(root)


@pytest.mark.parametrize(("rate", "code"), [(0.1, 0), (0.2, 2)])
def test_logs_of_fresh_runs_keep_the_settings_in_which_the_sweep_differs(tmp_path, capsys, rate, code):
    both, fresh = logged(tmp_path / "both", (0.1, 0.2), (0, 1, 2)), logged(tmp_path / "fresh", (rate,), (7, 8))
    assert run(["tuning", both, "--judged", fresh]) == code
    answer = capsys.readouterr()
    assert ("with setting 'lr 0.2', the sweep chose 'lr 0.1'" in answer.err) == (code == 2)
    assert "do not name their settings" not in answer.out


def test_a_setting_that_no_log_has_is_refused(tmp_path):
    with pytest.raises(ro.OptionError, match="no run has a setting 'learning_rate'"):
        ro.read_scores(logged(tmp_path, (0.1, 0.2), (0, 1)), columns={"settings": "learning_rate"})


def one_file_each(root, rows, place):
    """Write rows by the value at a place, each to a file of its own."""
    for value in dict.fromkeys(row[place] for row in rows):
        written(root / f"{value}.csv", [row for row in rows if row[place] == value])
    return str(root)


def test_files_of_one_setting_each_are_a_sweep_and_their_runs_are_not_pooled(tmp_path):
    rows = [(a, lr, t, f"{lr}{s}", score) for a, lr, t, s, score in rows_of(("1e-1", "0.2"))]
    folder = one_file_each(tmp_path, rows, 1)
    with pytest.raises(ro.DesignError, match="A has 2 configurations, B has 2 configurations"):
        ro.compare(folder)
    assert ro.tuning(folder).n_configs == {"A": 2, "B": 2}
    assert any("which differ between files" in note for note in ro.read_scores(folder).provenance.notes)


def test_files_of_algorithms_and_of_tasks_that_were_tuned_by_themselves_are_no_sweep(tmp_path):
    rows = rows_of()
    by_algorithm = [row for row in rows if (row[0] == "A") == (row[1] == "0.1")]
    by_task = [row for row in rows if (row[2] == "t") == (row[1] == "0.1")]
    for name, own, place in (("a", by_algorithm, 0), ("t", by_task, 2)):
        (tmp_path / name).mkdir()
        read = ro.read_scores(one_file_each(tmp_path / name, own, place))
        assert (read.sampling.configs, sorted(set(read.run_labels))) == ((), ["0", "1", "2"])


def of_settings(columns, algorithms="ABAB"):
    """Return runs of two seeds and two tasks with some settings, a row of `columns` for each algorithm and value."""
    rows = [(a, own, task, s) for a, own in zip(algorithms, columns, strict=True) for task in "tu" for s in (0, 1)]
    table = {name: [own[name] for _, own, *_ in rows] for name in columns[0]}
    names = {"algorithm": [row[0] for row in rows], "task": [row[2] for row in rows], "seed": [row[3] for row in rows]}
    scores = [
        10 * (own == columns[-1] or own == columns[-2]) + 0.1 * s + 0.01 * i for i, (_, own, _, s) in enumerate(rows)
    ]
    return {**names, **table, "score": scores}


LISTS = [{"hidden": value} for value in ("[64, 64]", "[64, 64]", "[256, 256]", "[256, 256]")]
OWN = [{"clip": 0.1, "tau": None}, {"clip": None, "tau": 0.3}, {"clip": 0.2, "tau": None}, {"clip": None, "tau": 0.4}]


@pytest.mark.parametrize(
    ("columns", "settings"),
    [
        (LISTS, {"A": {"hidden": "[256, 256]"}, "B": {"hidden": "[256, 256]"}}),
        (OWN, {"A": {"clip": "0.2"}, "B": {"tau": "0.4"}}),
        (
            [{"optimizer": name} for name in ("Adam W", "Adam W", "SGD, momentum 0.9", "SGD, momentum 0.9")],
            {"A": {"optimizer": "SGD, momentum 0.9"}, "B": {"optimizer": "SGD, momentum 0.9"}},
        ),
    ],
)
def test_a_configuration_keeps_its_settings_whatever_their_values_are_written_with(columns, settings):
    scores = ro.Scores.from_frame(of_settings(columns))
    rows = ro.next_runs(scores, budget=8).rows
    assert {row.algorithm: scores.sampling.settings_of(row.config) for row in rows} == settings


def test_commands_of_the_next_runs_name_the_settings_that_each_algorithm_has(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    rows = of_settings(OWN)
    table = [["" if value is None else value for value in row] for row in zip(*rows.values(), strict=True)]
    written(path, table, ",".join(rows))
    assert run(["plan", "--next-runs", str(path), "--budget", "8", "--template", "x {algorithm} {config} {run}"]) == 0
    commands = [line for line in capsys.readouterr().out.splitlines() if line.startswith("x ")]
    assert {command.rpartition(" ")[0] for command in commands} == {"x A clip=0.2", "x B tau=0.4"}


def test_importance_is_of_the_settings_that_each_algorithm_has():
    rows = ro.tuning(of_settings(OWN), view="importance").rows
    assert {(row.algorithm, row.settings) for row in rows} == {("A", "clip"), ("B", "tau")}


@pytest.mark.parametrize("value", ["true", "True", 1, True])
def test_fresh_runs_of_a_switch_are_of_the_chosen_setting_however_it_is_written(value):
    runs = of_settings([{"layer_norm": value} for value in ("False", "False", "True", "True")])
    fresh = of_settings([{"layer_norm": value}] * 2, "AB")
    assert ro.tuning(runs, judged=fresh).fresh
    with pytest.raises(ro.DesignError, match="the sweep chose 'layer_norm True'"):
        ro.tuning(runs, judged=of_settings([{"layer_norm": not value if value is True else "false"}] * 2, "AB"))


def test_values_that_are_one_make_one_configuration_however_each_row_writes_them():
    for first, second in (
        (0.01, "0.0099999998"),
        ("True", "true"),
        ("True", 1),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}'),
    ):
        runs = of_settings([{"lr": "0.5"}, {"lr": first}, {"lr": second}], "AAA")
        runs["lr"] = ["False" if own == "0.5" and str(first) == "True" else own for own in runs["lr"]]
        runs["seed"] = [seed + 2 * (i > 7) for i, seed in enumerate(runs["seed"])]
        assert len(ro.Scores.from_frame(runs).sampling.settings) == 2


def test_fresh_runs_of_an_algorithm_that_lacks_a_setting_need_not_name_it():
    fresh = of_settings([{"clip": 0.2}, {"clip": None}], "AB")
    assert ro.tuning(of_settings(OWN), judged=fresh).fresh


def test_a_column_of_configurations_names_settings_where_it_is_json_or_written_as_labels():
    objects, settings = read_configs(Labels.of(['{"lr": 0.10, "gamma": 0.9}', '{"gamma": 0.9, "lr": 1e-1}']), {})
    assert (objects.names, settings) == (["gamma 0.9, lr 0.1"], {"gamma 0.9, lr 0.1": {"gamma": "0.9", "lr": "0.1"}})
    assert read_configs(Labels.of(["lr 0.1, width 8", "lr 0.2, width 8"]), {})[1]["lr 0.2, width 8"]["width"] == "8"
    assert read_configs(Labels.of(["hidden [64, 64]", "hidden [8, 8]"]), {})[1] == {}
    assert read_configs(Labels.of(["lr 0.1", "lr 0.1, width 8"]), {})[1] == {}


DRAWN = [
    {"lr": lr, "min_lr": lr / 10, "activation": name} for lr, name in ((0.013, "relu"), (0.5, "tanh"), (0.07, "relu"))
]


def test_of_a_random_search_nothing_follows_from_a_setting_but_by_a_formula():
    runs = of_settings(DRAWN, "AAA")
    assert {config for _, config in ro.Scores.from_frame(runs).sampling.configs} == {
        "lr 0.013, activation relu",
        "lr 0.5, activation tanh",
        "lr 0.07, activation relu",
    }
    fresh = of_settings([{**DRAWN[2], "activation": "gelu"}], "A")
    with pytest.raises(ro.DesignError, match="activation gelu"):
        ro.tuning(runs, judged=fresh)


def test_what_follows_from_a_setting_is_a_setting_of_the_next_runs_too():
    scores = ro.Scores.from_frame(of_settings(DRAWN, "AAA"))
    assert scores.sampling.settings_of("lr 0.5, activation tanh") == {
        "lr": "0.5",
        "activation": "tanh",
        "min_lr": "0.05",
    }


def test_in_a_grid_a_setting_with_one_value_for_each_of_another_one_follows_from_it():
    grid = [{"lr": lr, "optimizer": name, "width": w} for lr, name in ((0.1, "adam"), (0.2, "sgd")) for w in (8, 16)]
    scores = ro.Scores.from_frame(of_settings(grid, "AAAA"))
    assert any("('optimizer' follows from 'lr')" in note for note in scores.provenance.notes)
    assert {row.settings for row in ro.tuning(scores, view="importance").rows} == {"lr", "width", "lr × width"}


def refused(runs, fresh):
    """Return the refusal of fresh runs, or that there was none."""
    try:
        ro.tuning(runs, judged=fresh)
    except ro.DesignError as refusal:
        return str(refusal)
    return "taken"


def test_fresh_runs_that_are_runs_of_the_sweep_are_refused_under_their_names_and_under_others():
    runs = of_settings([{"lr": lr} for lr in (0.1, 0.1, 0.2, 0.2)])
    own = {
        name: [value for value, lr in zip(values, runs["lr"], strict=True) if lr == 0.2]
        for name, values in runs.items()
    }
    assert "run '0' on 't' (10.08) of 'A' has the same score in both, and 3 more do" in refused(runs, own)
    assert "runs of the sweep itself" in refused(runs, {**own, "seed": [seed + 70 for seed in own["seed"]]})
    others = {**own, "score": [score + 0.003 for score in own["score"]]}
    assert refused(runs, others) == "taken"


def test_equal_scores_are_no_sign_where_runs_of_the_sweep_share_them_too():
    runs = of_settings([{"lr": lr} for lr in (0.1, 0.1, 0.2, 0.2)])
    runs["score"] = [round(score) + (lr == 0.2) for score, lr in zip(runs["score"], runs["lr"], strict=True)]
    own = {
        name: [value for value, lr in zip(values, runs["lr"], strict=True) if lr == 0.2]
        for name, values in runs.items()
    }
    assert refused(runs, {**own, "seed": [7, 8] * 4, "score": [*own["score"][:-1], 9]}) == "taken"


def test_a_chosen_setting_that_fresh_runs_do_not_name_beside_others_is_noted():
    grid = [{"lr": lr, "batch_size": size} for lr in (0.1, 0.2) for size in (8, 16)]
    for sizes in ([], [16, 16, 16, None], [16] * 4):
        fresh = of_settings([{"lr": 0.2}], "A") | ({"batch_size": sizes} if sizes else {})
        notes = ro.tuning(of_settings(grid, "AAAA"), judged={**fresh, "score": [90.1, 90.2, 90.3, 90.5]}).notes
        silent = (
            "the fresh runs of 'A' do not say 'batch_size', and are taken as runs with what the sweep chose" in notes
        )
        assert silent == (sizes != [16] * 4)


def test_a_setting_under_another_name_is_compared_by_its_value():
    runs = of_settings([{"lr": lr} for lr in (0.1, 0.1, 0.2, 0.2)])
    fresh = {**of_settings([{"learning_rate": 0.1}] * 2, "AB"), "score": [30.0 + i for i in range(8)]}
    assert "'learning_rate 0.1', the sweep chose 'lr 0.2'" in (words := refused(runs, fresh))
    assert "if 'learning_rate' is another setting than 'lr', give that column another name" in words
    assert refused(runs, {**fresh, "learning_rate": [0.2] * 8}) == "taken"


WIDE = [(a, lr, t, 10 * lr + (t == "u"), 10 * lr + 0.3, 10 * lr + 0.7) for a in "AB" for lr in (0.1, 0.2) for t in "tu"]
OF_SEEDS = "algorithm,lr,task,seed_0,seed_1,seed_2"


@pytest.mark.parametrize("given", [None, {"settings": "lr"}])
def test_a_setting_in_which_rows_of_a_wide_table_differ_is_one_as_in_a_long_one(tmp_path, given):
    scores = ro.read_scores(written(tmp_path / "runs.csv", WIDE, OF_SEEDS), columns=given)
    assert scores.n_runs.tolist() == [[6, 6], [6, 6]]
    assert ro.tuning(scores).n_configs == {"A": 2, "B": 2}
    assert scores.sampling.settings_of("lr 0.2") == {"lr": "0.2"}


def test_a_setting_beside_heads_of_tasks_is_one_too(tmp_path):
    rows = [(a, lr, s, 10 * lr + s, 5 * lr + s) for a in "AB" for lr in (0.1, 0.2) for s in (0, 1)]
    scores = ro.read_scores(written(tmp_path / "runs.csv", rows, "algorithm,lr,seed,t1,t2"), keys="task")
    assert (scores.tasks, ro.tuning(scores).n_configs) == (("t1", "t2"), {"A": 2, "B": 2})


def test_a_setting_of_a_wide_table_with_one_value_for_each_row_is_left_out(tmp_path):
    rows = [row for row in WIDE if row[1] == 0.1]
    assert not ro.read_scores(written(tmp_path / "runs.csv", rows, OF_SEEDS)).sampling.configs


def test_a_switch_that_parts_runs_of_one_seed_is_asked_for_and_no_row_is_dropped(tmp_path, capsys):
    rows = [
        (a, norm, t, s, s + (norm == "True")) for a in "AB" for norm in ("True", "False") for t in "tu" for s in (0, 1)
    ]
    path = written(tmp_path / "runs.csv", rows, "algorithm,norm,task,seed,score")
    assert run(["tuning", path]) == 2
    assert "--columns settings=norm" in (error := capsys.readouterr().err)
    assert "--duplicates" not in error
    assert run(["tuning", path, "--columns", "settings=norm"]) == 0


@pytest.mark.parametrize(
    ("place", "pattern"),
    [
        ("{t}/{a}/lr={lr}/seed_{s}/progress.csv", "{task}/{algorithm}/lr={config.lr}/seed_{run}"),
        ("{t}/{a}/lr{lr}/seed_{s}/progress.csv", "{task}/{algorithm}/lr{config.lr}/seed_{run}"),
        ("{a}_lr{lr}/seed_{s}/progress.csv", "{algorithm}_lr{config.lr}/seed_{run}"),
    ],
)
def test_folders_that_hold_values_of_a_setting_are_asked_with_the_pattern_that_reads_them(
    tmp_path, capsys, place, pattern
):
    for t, a, lr, s in (
        (t, a, lr, s) for t in ("t0", "t1") for a in ("ppo", "sac") for lr in ("0.1", "0.01") for s in (0, 1)
    ):
        file = tmp_path / place.format(t=t, a=a, lr=lr, s=s)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("step,return\n" + "".join(f"{i},{i + s / 10 + (a == 'ppo')}\n" for i in (1, 2, 3)))
    assert run(["compare", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert f'use --pattern "{pattern}' in error
    words = next(word for word in error.split('"') if "config.lr" in word)
    assert run(["tuning", str(tmp_path), "--pattern", words]) == 0
    assert "of k of 2 configurations" in " ".join(capsys.readouterr().out.split())


def test_files_of_one_algorithm_for_each_value_of_a_setting_are_asked(tmp_path, capsys):
    for a, lr in ((a, lr) for a in ("ppo", "sac") for lr in ("0.1", "0.01")):
        written(tmp_path / f"{a}_lr{lr}.csv", [("t", s, s + float(lr)) for s in (0, 1, 2)], "task,seed,score")
    assert run(["compare", str(tmp_path)]) == 2
    assert '--pattern "{algorithm}_lr{config.lr}"' in capsys.readouterr().err
    assert run(["tuning", str(tmp_path), "--pattern", "{algorithm}_lr{config.lr}"]) == 0


def test_settings_of_which_each_algorithm_has_one_are_part_of_its_name(tmp_path):
    for name in ("ppo_lr0.1", "sac_lr0.01"):
        written(tmp_path / f"{name}.csv", [("t", s, s + 1) for s in (0, 1, 2)], "task,seed,score")
    assert ro.read_scores(tmp_path).algorithms == ("ppo_lr0.1", "sac_lr0.01")


def test_settings_of_a_path_and_those_of_its_file_are_one_configuration_together(put):
    for name, rate in itertools.product(("PPO", "SAC"), ("0.1", "0.2")):
        rows = [f"width {width},{seed},{float(rate) * width + seed}" for width in (8, 9) for seed in range(3)]
        file = put(f"runs/{name}_lr{rate}/scores.csv", "\n".join(["config,seed,score", *rows, ""]))
    scores = ro.read_scores(file.parents[1], pattern="{algorithm}_lr{config.lr}/scores")
    settings = {label: dict(own) for label, own in scores.sampling.settings}
    assert {(own["lr"], own["width"]) for own in settings.values()} == {*itertools.product(("0.1", "0.2"), ("8", "9"))}
    of_run = dict(scores.sampling.configs)
    for label, value in zip(*scores.labelled(0, 0), strict=True):
        own = settings[of_run[label]]
        assert value == float(own["lr"]) * int(own["width"]) + int(label.split()[-1])


@pytest.mark.parametrize("name", ["collision_rate", "fall_rate", "violation_rate", "crash rate"])
def test_the_rate_of_what_is_not_wanted_was_measured_and_is_no_setting(put, name):
    rows = [f"{p},{t},{s},{0.1 + s / 100 + (t == 'y') / 100},{s}" for p in "AB" for t in "xy" for s in range(5)]
    scores = ro.load(put("runs.csv", "\n".join([f"policy,task,seed,{name},return", *rows])))
    assert scores.n_runs.tolist() == [[5, 5], [5, 5]]
    assert not scores.sampling.configs


def test_a_rate_that_is_chosen_is_a_setting_though_no_two_runs_share_it(put):
    rows = [f"{p},x,{s},{0.1 + s / 100},{s}" for p in "AB" for s in range(5)]
    scores = ro.load(put("runs.csv", "\n".join(["policy,task,seed,learning_rate,return", *rows])))
    assert len({config for _, config in scores.sampling.configs}) == 5


def test_configurations_that_are_made_of_settings_are_in_no_column(put):
    rows = [f"a,{lr},{seed},{seed + lr}" for lr in (1, 2) for seed in range(3)]
    joined = ro.load(put("joined.csv", "\n".join(["algorithm,lr,seed,score", *rows, ""])))
    named = ro.load(put("named.csv", "\n".join(["algorithm,cfg,seed,score", *rows, ""])), columns={"config": "cfg"})
    there = ro.load(put("there.csv", "\n".join(["algorithm,config,seed,score", *rows, ""])))
    assert [dict(data.provenance.columns).get("config") for data in (joined, named, there)] == [None, "cfg", "config"]
    assert len({len({*data.sampling.configs}) for data in (joined, named, there)}) == 1


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("0.9995", "1", False), ("0.9995", "0.9996", False), ("0.00025", "0.0002501", False), ("1e-3", "0.001", True),
        ("0.1", "0.10000000149011612", True), ("0.999999", "1.0", False), ("123456", "123457", False), ("1.0", "1", True),
        ("12345678", "12345679", False), ("16777215", "16777216", False),
    ],
)  # fmt: skip
def test_values_are_one_if_single_precision_keeps_no_difference(first, second, same):
    assert same_value(first, second) == same
    assert bool(np.float32(first) == np.float32(second)) == same
