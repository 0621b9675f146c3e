"""Settings in names of folders by their keys, `env=Maze_U_method=td3_lr=0.1_seed=1`, of which some have several values."""

from itertools import product

import pytest

import runoff as ro
from runoff.reading._overrides import overrides_in, places_of_settings
from tests.refusals import patterns_offered

FORMS = [
    "env={t}_method={a}_lr={x}_seed={s}/progress",
    "algo={a},task={t},lr={x},seed={s}",
    "{a}/lr={x}/{t}/seed={s}/progress",
    "env={t}/method={a}/lr={x}/seed={s}/progress",
    "{a}_lr={x}_{t}_seed{s}/progress",
    "lr={x},algo={a},env={t},s{s}/progress",
    "algo={a}_lr={x}/env={t}_seed={s}",
    "{a};env_id={t};use_her={x};seed{s}",
    "{a}/task={t}__gamma={x}__beta=1__{s}",
    "lr={x}-env={t}-algo={a}-{s}",
    "{a}_{t}_use_her={x}_seed={s}/metrics",
    "agent.hidden_size={x}_algorithm={a}_task={t}_seed={s}",
    "{a}_{t}_lr{x}_s{s}",
    "lr{x}/{a}-{t}-seed{s}/progress",
    "{a}&{t}&lr{x}&{s}",
    "batch_size_{x}_{a}_{t}_seed={s}/metrics",
    "{a},{t},gamma{x},{s}",
    "{a}__{t}__lr{x}__bs32__seed{s}",
]
"""Paths with values of one setting, by its key or behind its name, for two algorithms on two tasks."""


@pytest.fixture
def grid(put, tmp_path):
    def write(form: str, algorithms: tuple[str, ...] = ("ours", "dr_grpo")):
        cells = product(algorithms, ("kitchen_door", "lift"), ("0.1", "0.01"), (1, 2, 3))
        for n, (a, t, x, s) in enumerate(cells):
            put(f"tree/{form.format(a=a, t=t, x=x, s=s)}.csv", f"step,episode_return\n1000,0\n2000,{n}.5\n")
        return tmp_path / "tree"

    return write


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("algorithms", [("ours", "dr_grpo"), ("ppo_clip", "ppo_kl"), ("tab-net", "mlp")])
def test_values_of_a_setting_among_keys_are_asked_about_and_never_algorithms(grid, form, algorithms):
    root = grid(form, algorithms)
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(root)
    pattern = patterns_offered(refusal.value)[0]
    assert "{config." in pattern
    scores = ro.read_scores(root, pattern=pattern)
    assert (scores.algorithms, scores.tasks) == (tuple(sorted(algorithms)), ("kitchen_door", "lift"))
    assert scores.n_runs.tolist() == [[6, 6], [6, 6]]


def test_settings_are_asked_about_in_folders_of_logs_as_in_paths_of_tables(put, tmp_path):
    for n, (a, t, x, s) in enumerate(product(("ours", "base"), ("lift", "door"), ("0.1", "0.01"), (1, 2))):
        head = '#{"t_start": 1.0, "env_id": null}\nr,l,t\n'
        put(f"tree/method={a}_env={t}_lr={x}_seed={s}/monitor.csv", head + f"1.0,10,1\n{n}.5,10,2\n")
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(tmp_path / "tree")
    (pattern,) = patterns_offered(refusal.value)
    assert pattern == "method={algorithm}_env={task}_lr={config.lr}_seed={run}"
    assert ro.read_scores(tmp_path / "tree", pattern=pattern).n_runs.tolist() == [[4, 4], [4, 4]]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("bs=32_use_her=True", ["bs=32", "use_her=True"]),
        ("ours-use_her=1_s3", ["ours", "use_her=1", "s3"]),
        ("batch_size=3_algo=sac", ["batch_size=3", "algo=sac"]),
        ("agent.hidden_size=64-env=Hopper-v4", ["agent.hidden_size=64", "env=Hopper-v4"]),
        ("method=ppo_clip_lr=1e-3", ["method=ppo_clip", "lr=1e-3"]),
        ("policy_lr=1e-3,7", ["policy_lr=1e-3", "7"]),
        ("algo=ppo_clip_task=lift", ["algo=ppo_clip", "task=lift"]),
        ("beta=0.1-mlp-task=ta01", ["beta=0.1", "mlp", "task=ta01"]),
    ],
)
def test_a_value_ends_where_the_key_of_the_next_begins(name, texts):
    assert [setting.text for setting in overrides_in(name)] == texts


def test_numbers_behind_the_last_values_are_runs_only_where_each_value_has_the_same_several():
    def ends(names):
        return [
            name[places[-1].value : places[-1].end]
            for name, places in zip(names, places_of_settings(names), strict=True)
        ]

    assert ends(["lr=1_env=a_1", "lr=1_env=a_2", "lr=1_env=b_1", "lr=1_env=b_2"]) == ["a", "a", "b", "b"]
    assert ends(["lr=1_env=a_1", "lr=1_env=a_2", "lr=1_env=b_1", "lr=1_env=b_3"]) == ["a_1", "a_2", "b_1", "b_3"]
    assert ends(["lr=1_env=a_1", "lr=1_env=a_2"]) == ["a_1", "a_2"]
    assert ends(["seed=1,env=a_1", "seed=1,env=a_2", "seed=1,env=b_1", "seed=1,env=b_2"]) == [
        "a_1",
        "a_2",
        "b_1",
        "b_2",
    ]


def test_a_setting_that_each_algorithm_has_of_its_own_is_a_configuration_as_a_whole(grid, put, tmp_path):
    assert [place.field for place in places_of_settings(["lr=1_env=a", "bs=1_env=b"])[0]] == ["config", "task"]
    assert places_of_settings(["lr=1_bs=2", "bs=1_lr=2"]) == []
    cells = product(("ours", "base"), ("paris", "lyon"), ("0.1", "0.2"), (1, 2))
    for n, (a, t, x, s) in enumerate(cells):
        own = {"ours": "clip", "base": "alpha"}[a]
        put(f"own/{a}-{t}-{own}={x}-seed={s}.csv", f"step,episode_return\n1000,0\n2000,{n}.5\n")
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(tmp_path / "own")
    pattern = patterns_offered(refusal.value)[0]
    assert pattern == "{algorithm}-{task}-{config}-seed={run}"
    assert ro.read_scores(tmp_path / "own", pattern=pattern).n_runs.tolist() == [[4, 4], [4, 4]]


@pytest.mark.parametrize("end", ["", "_{h}", "_17781{h}"])
@pytest.mark.parametrize("setting", ["", "_lr=0.001", "_bs32"])
def test_hashes_times_and_settings_that_all_share_part_no_grid(put, tmp_path, end, setting):
    hashes = ["2265b1f5", "21636369", "c7859fae", "0f99ae12", "7be812aa", "9d0c11e4", "31162427", "c0ffee11"]
    cells = product(("hiro", "plainx"), ("kitchen_door", "lift"), (1, 2))
    for n, ((a, t, s), h) in enumerate(zip(cells, hashes, strict=True)):
        name = f"{a}_{t}{setting}_s{s}" + end.format(h=f"{n + 10000}" if "17" in end else h)
        put(f"tree/{name}/metrics.csv", f"step,episode_return\n1000,0\n2000,{n}.5\n")
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(tmp_path / "tree")
    pattern = patterns_offered(refusal.value)[0]
    scores = ro.read_scores(tmp_path / "tree", pattern=pattern)
    assert (scores.algorithms, scores.tasks) == (("hiro", "plainx"), ("kitchen_door", "lift"))
    assert scores.n_runs.tolist() == [[2, 2], [2, 2]]


def test_words_of_known_tasks_behind_others_are_asked_about_where_all_names_are_a_whole_grid(put, tmp_path):
    for n, (a, t, s) in enumerate(product(("ppo", "sac"), ("kitchen_door", "lift"), (1, 2))):
        put(f"tree/2026-05-11_10-24-5{n}_{a}_{t}_seed={s}/log.csv", f"step,episode_return\n1000,0\n2000,{n}.5\n")
    with pytest.raises(ro.DataError, match=r"{algorithm}_{task}_seed={run}"):
        ro.read_scores(tmp_path / "tree")


NAMES_OF_RUNS = [
    "{a}_{t}_lr{x}_s{s}",
    "{t}/{a}/lr={x}/seed_{s}",
    "{a} {t} bs{x} {s}",
    "{t}-{a}-use_her={x}-seed{s}",
    "lr{x}__{a}__{t}__{s}",
]


def _table(form: str, kind: str, tasks: tuple[str, ...]) -> str:
    cells = product(("ppo", "ours_v2"), tasks, ("0.1", "0.01"), (1, 2))
    runs = {form.format(a=a, t=t, x=x, s=s): n for n, (a, t, x, s) in enumerate(cells)}
    if kind == "long":
        return "run,step,return\n" + "".join(f"{name},{k}000,{n}.{k}\n" for name, n in runs.items() for k in (1, 2))
    return "\n".join(
        ",".join(["step", *runs] if not k else [f"{k}000", *(f"{n}.{k}" for n in runs.values())]) for k in range(3)
    )


@pytest.mark.parametrize("form", NAMES_OF_RUNS)
@pytest.mark.parametrize("kind", ["long", "wide"])
def test_names_of_runs_with_settings_in_tables_are_read_as_those_of_folders(put, form, kind):
    scores = ro.read_scores(put("t.csv", _table(form, kind, ("Hopper-v4", "Ant-v4"))))
    assert (scores.algorithms, {*scores.tasks}) == (("ours_v2", "ppo"), {"Hopper-v4", "Ant-v4"})
    assert scores.n_runs.tolist() == [[4, 4], [4, 4]]
    assert scores.variants().n_runs.tolist() == [[2, 2]] * 4


@pytest.mark.parametrize("kind", ["long", "wide"])
def test_two_orders_of_unknown_names_of_runs_are_asked_about_and_both_answers_are_read(put, kind):
    path = put(
        "t.csv", _table("{a}_{t}_lr{x}_s{s}", kind, ("paris", "lyon")).replace("ppo", "gnn").replace("ours_v2", "mlp")
    )
    for keys in ("algorithm/task/run", "task/algorithm/run"):
        with pytest.raises(ro.DataError, match=keys):
            ro.read_scores(path)
        scores = ro.read_scores(path, keys=keys)
        both = (scores.algorithms, scores.tasks)
        assert both == ((("gnn", "mlp"), ("lyon", "paris")) if keys[0] == "a" else (("lyon", "paris"), ("gnn", "mlp")))
        assert scores.n_runs.tolist() == [[4, 4], [4, 4]]


def test_a_head_whose_setting_stands_among_other_names_leaves_no_other_head_out(put):
    """`mlp__size=64__s0` was taken for a setting alone, and `tab-net__size=64__s0` left out as no setting."""
    heads = [f"{a}__hidden_size={x}__s{s}" for a, x, s in product(("tab-net", "mlp"), (64, 128), (0, 1))]
    rows = [",".join(map(str, [k * 1000, *(n + k / 10 for n in range(8))])) for k in (1, 2)]
    scores = ro.read_scores(put("t.csv", "\n".join([",".join(["step", *heads]), *rows])))
    assert (scores.algorithms, scores.n_runs.tolist()) == (("mlp", "tab-net"), [[4], [4]])


@pytest.mark.parametrize("form", ["{a}/lr{x}", "{a} lr={x}", "lr{x}-{a}"])
def test_runs_named_by_an_algorithm_and_a_setting_alone_are_never_those_of_one_algorithm(put, form):
    names = [form.format(a=a, x=x) for a, x in product(("gnn", "mlp"), ("0.1", "0.01"))]
    rows = [f"{name},{k}000,{n}.{k}" for n, name in enumerate(names) for k in (1, 2)]
    scores = ro.read_scores(put("t.csv", "\n".join(["run,step,return", *rows])))
    assert (scores.algorithms, scores.n_runs.tolist()) == (("gnn", "mlp"), [[2], [2]])
    assert scores.variants().n_runs.tolist() == [[1]] * 4
