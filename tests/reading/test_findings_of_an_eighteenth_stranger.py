"""What a stranger's eighteenth set, and variations of its files, were misread by: numbers behind words, units of runs, keys beside records."""

from __future__ import annotations

import json
from itertools import product

import pytest

import runoff as ro
from runoff.cli.app import run

ROWS = [
    (a, t, s, 10 * i + 3 * s + len(t))
    for i, a in enumerate(("ours", "base"))
    for t, s in product(("x", "yy"), range(3))
]


# ── names with numbers ──────────


@pytest.mark.parametrize(
    "name", ["GB1", "p53", "P90", "N2", "SE3", "SE(3)", "SD-21", "CPU2", "GPU1", "reward1", "std 3"]
)
@pytest.mark.parametrize("role", ["algorithm", "task"])
def test_a_word_with_a_number_that_has_the_runs_of_others_is_no_summary(put, recwarn, role, name):
    lines = ["method,protein,replicate,fitness"]
    names = (name, "AAV", "GFP")
    for i, (a, b, s) in enumerate(product(names, ("ours", "base"), range(3))):
        lines.append(f"{a},{b},{s},{i}.5" if role == "algorithm" else f"{b},{a},{s},{i}.5")
    columns = {"algorithm": "method", "task": "protein", "run": "replicate", "score": "fitness"}
    scores = ro.load(put("t.csv", "\n".join([*lines, ""])), columns=columns)
    assert set(scores.algorithms if role == "algorithm" else scores.tasks) == set(names)
    assert not [warning for warning in recwarn if "left out" in str(warning.message)]


def with_rows_of(name, value):
    lines = [f"{a},{t},{s},{x}.5" for a, t, s, x in ROWS]
    lines += [f"{a},{name},{s},{value(a, s)}" for a in ("ours", "base") for s in range(3)]
    return "\n".join(["algorithm,task,run,score", *lines, ""])


def test_means_with_a_number_are_left_out_though_they_have_the_runs_of_others(put):
    def mean(a, s):
        return sum(x + 0.5 for b, _, r, x in ROWS if (b, r) == (a, s)) / 2

    with pytest.warns(ro.RunoffWarning, match="which summarise or measure the other tasks"):
        assert ro.load(put("t.csv", with_rows_of("mean26", mean))).tasks == ("x", "yy")


@pytest.mark.parametrize("name", ["mean26", "max 3", "median(5)", "Average 10"])
def test_what_is_called_a_summary_with_a_number_and_is_none_is_asked_about(put, name):
    with pytest.raises(ro.DataError, match="is named like a summary of the others, but its numbers are not a summary"):
        ro.load(put("t.csv", with_rows_of(name, lambda *_: 7.25)))


@pytest.mark.parametrize("name", ["mean", "std", "CI95"])
def test_summaries_of_the_runs_of_others_are_left_out_still(put, name):
    lines = [f"{a},{t},{s},{x}.5" for a, t, s, x in ROWS] + [
        f"{a},{name},,{i}.5" for i, a in enumerate(("ours", "base"))
    ]
    text = "\n".join(["algorithm,task,run,score", *lines, ""])
    with pytest.warns(ro.RunoffWarning, match="which summarise or measure the other tasks"):
        assert ro.load(put("t.csv", text.replace(",,", ",0,"))).tasks == ("x", "yy")


# ── units of runs ──────────


def runs_in(unit, shape="run {} {}"):
    heads = ",".join(shape.format(i, unit) for i in (1, 2, 3))
    return f"planner,scene,{heads}\nfast,a,1.5,2.5,3.5\nfast,b,2.5,1.5,3\nslow,a,11,12,13\nslow,b,12,14,13\n"


@pytest.mark.parametrize("unit", ["(min)", "(minutes)", "[s]", "(ms)", "(h)", "(kWh)"])
def test_runs_in_units_of_time_or_energy_are_negated_with_a_warning(put, unit):
    columns = {"algorithm": "planner", "task": "scene"}
    with pytest.warns(
        ro.RunoffWarning, match="heads of runs are in .* of which less is better where nothing else is said"
    ):
        scores = ro.load(put("t.csv", runs_in(unit)), columns=columns)
    assert scores.to_dict()["fast"] == {"a": [-1.5, -2.5, -3.5], "b": [-2.5, -1.5, -3.0]}


@pytest.mark.parametrize("unit", ["(€)", "[USD]"])
def test_of_runs_in_money_a_direction_is_asked_for(put, unit):
    file, columns = put("t.csv", runs_in(unit)), {"algorithm": "planner", "task": "scene"}
    with pytest.warns(ro.RunoffWarning, match="which may be earned or paid"):
        scores = ro.load(file, columns=columns)
    assert scores.to_dict()["fast"]["a"] == [1.5, 2.5, 3.5]
    lower = ro.load(file, columns=columns, lower_is_better=True)
    assert lower.to_dict()["fast"]["a"] == [-1.5, -2.5, -3.5]


@pytest.mark.parametrize("unit", ["(%)", "(points)", ""])
def test_runs_in_other_units_keep_their_sign(put, unit):
    scores = ro.load(put("t.csv", runs_in(unit)), columns={"algorithm": "planner", "task": "scene"})
    assert scores.to_dict()["slow"]["b"] == [12, 14, 13]


# ── what stands beside records ──────────

RECORDS = [{"agent": a, "task": t, "seed": s, "score": x} for a, t, s, x in ROWS]
LISTS = [
    {"agent": a, "task": t, "scores": [x for b, u, _, x in ROWS[::-1] if (b, u) == (a, t)]}
    for a, t in product(("ours", "base"), ("x", "yy"))
]


@pytest.mark.parametrize("rows", [RECORDS, LISTS])
@pytest.mark.parametrize(
    "beside",
    [
        {"lower_is_better": True},
        {"metric": "regret"},
        {"metric": "regret", "direction": "minimize"},
        {"higher_is_better": False},
        {"metric": "episode length (lower is better)"},
    ],
)
def test_what_stands_beside_records_says_that_less_is_better(put, rows, beside):
    with pytest.warns(ro.RunoffWarning, match="negated"):
        scores = ro.load(put("r.json", json.dumps({**beside, "results": rows})))
    assert sorted(scores.to_dict()["ours"]["x"]) == [-7, -4, -1]


@pytest.mark.parametrize(
    "beside",
    [
        {"metric": "regret", "higher_is_better": True},
        {"metric": "neg. regret", "goal": "maximize"},
        {"metric": "return"},
    ],
)
def test_what_says_that_more_is_better_turns_no_records(put, beside):
    assert ro.load(put("r.json", json.dumps({**beside, "results": RECORDS}))).to_dict()["ours"]["x"] == [1, 4, 7]


# ── which is the score ──────────


def test_a_column_of_an_unknown_direction_is_offered_with_both(put, capsys):
    file = put("t.csv", "placer,netlist,run,zeta_um\n" + "".join(f"{a},{t},{s},{x}\n" for a, t, s, x in ROWS))
    assert run(["scan", str(file), "--columns", "algorithm=placer", "--columns", "task=netlist"]) == 2
    commands = [line.strip() for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff")]
    assert [command.endswith("score=zeta_um --lower-is-better") for command in commands] == [False, True]


@pytest.mark.parametrize("name", ["HPWL", "HPWL_um", "wirelength"])
def test_lengths_of_wires_are_costs(name):
    from runoff.words.costs import direction

    assert direction(name) == "lower"


@pytest.mark.parametrize(
    ("name", "way"),
    [("Écart à l’optimum (%)", "lower"), ("Écart (%)", "unclear"), ("Écart-type", None), ("gap", "unclear")],
)
def test_a_gap_in_french_is_one_and_a_standard_deviation_is_none(name, way):
    from runoff.words.costs import direction

    assert direction(name) == way


@pytest.mark.parametrize(
    ("series", "offered"), [(["avg_delay"], [True, False]), (["ndcg_at_10", "train_loss"], [False, True])]
)
def test_logs_without_a_known_score_offer_what_they_have(put, tmp_path, capsys, series, offered):
    for at, (a, s) in enumerate(product(("ppo", "sac"), (0, 1))):
        folder = f"mlruns/7/{at:032x}"
        put(f"{folder}/meta.yaml", "run_id: a\nlifecycle_stage: active\nstart_time: 0\nstatus: 3\n")
        for name, value in {
            "params/algo": a,
            "params/seed": str(s),
            **{f"metrics/{own}": "0 1.5 10\n" for own in series},
        }.items():
            put(f"{folder}/{name}", value)
    assert run(["convert", str(tmp_path), "-o", str(tmp_path / "out.csv")]) == 2
    commands = [line.strip() for line in capsys.readouterr().err.splitlines() if line.startswith("  runoff")]
    assert ["--lower-is-better" in command for command in commands] == offered


def test_units_of_some_heads_alone_turn_no_runs(put):
    text = runs_in("(min)").replace("run 3 (min)", "run 3")
    scores = ro.load(put("t.csv", text), columns={"algorithm": "planner", "task": "scene"})
    assert sorted(scores.to_dict()["fast"]["a"]) == [1.5, 2.5, 3.5]
