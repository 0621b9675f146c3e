"""Tables of a fourth stranger: what stands beside tasks in a wide table, and what consoles print; each law is a kind of file."""

from __future__ import annotations

import pytest

import runoff as ro

RUNS = {
    "Arno": {"Nord": [1.5, 2.5, 3.5], "Sud": [4.5, 5.5, 6.5]},
    "Bela": {"Nord": [7.5, 8.5, 9.5], "Sud": [2.5, 1.5, 0.5]},
}
CELLS = [(a, t, i, x) for a, tasks in RUNS.items() for t, own in tasks.items() for i, x in enumerate(own)]
pytestmark = pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")


# ── columns beside those of tasks ──────────

SCORES = {"Llama-3-8B": [65.18, 67.01, 66.36], "Qwen2-7B": [70.41, 69.23, 69.53]}


def leaderboard(head: str, values: list[float]) -> str:
    """Return a table of models and two tasks, with one more column before them."""
    # Only seeds are the same for both.
    more = 0 if "seed" in head or "state" in head else 5
    rows = [
        f"{model},{x},{x - 9.5:.2f},{values[i] + more * at}"
        for at, (model, own) in enumerate(SCORES.items())
        for i, x in enumerate(own)
    ]
    return "\n".join([f"model,MMLU,GSM8K,{head}", *rows, ""])


BESIDE = [
    *(("sample_seed", [42, 1234, 7]), ("decoding seed", [1, 2, 3]), ("random_state", [0, 1, 2])),
    *(("eval_cost_usd", [2.94, 3.86, 2.77]), ("peak_mem_gb", [11.5, 12.25, 11.75]), ("co2_kg", [0.5, 0.25, 0.75])),
    *(("api_calls", [101, 99, 104]), ("latency_ms", [31.5, 29.25, 30]), ("n_eval", [500, 498, 499])),
    *(("test latency (s)", [1.5, 2.5, 2]), ("inference energy", [1.5, 2.5, 2])),
]


@pytest.mark.parametrize(("head", "values"), BESIDE)
def test_seeds_costs_and_counts_beside_columns_of_tasks_are_no_tasks(put, head, values):
    scores = ro.load(put("t.csv", leaderboard(head, values)))
    assert scores.tasks == ("GSM8K", "MMLU")
    assert sorted(scores.to_dict()["Qwen2-7B"]["MMLU"]) == sorted(SCORES["Qwen2-7B"])


@pytest.mark.parametrize(
    ("head", "values"),
    [
        *(("env_seed", [42, 1234, 7]), ("bill_usd", [2.94, 3.86, 2.77]), ("price_per_run", [2.94, 3.86, 2.77])),
        *(("timeouts", [1, 0, 3]), ("ctx_len", [4096, 8192, 4097]), ("split_id", [3, 1, 2])),
    ],
)
def test_what_may_measure_the_tasks_beside_it_is_asked_about_and_both_answers_read(put, head, values):
    path = put("t.csv", leaderboard(head, values))
    with pytest.raises(ro.DataError, match=f"'{head}' is named like a setting or a metric"):
        ro.load(path)
    assert ro.load(path, columns={"unused": head}).tasks == ("GSM8K", "MMLU")
    assert head in ro.load(path, keys="task").tasks


@pytest.mark.parametrize("head", ["HellaSwag", "Tutankham", "PER-bench", "Freeway"])
def test_names_that_measure_nothing_are_tasks(put, head):
    assert head in ro.load(put("t.csv", leaderboard(head, [55.5, 56.25, 57.125]))).tasks


# ── what consoles print ──────────


def julia(rows: list[tuple[object, ...]]) -> str:
    """Return a frame as Julia prints it: numbers of rows behind which a bar stands, types below the names."""
    lines = [f" {i:>3} │ {a:<6}  {t:<6}  {r:>5}  {x:>8}" for i, (a, t, r, x) in enumerate(rows, 1)]
    head = [" Row │ algo    env       seed       ret", "     │ String  String  Int64   Float64", "─────┼" + "─" * 33]
    return "\n".join(["julia> show(df)", f"{len(rows)}×4 DataFrame", *head, *lines, "", "julia> ", ""])


def pivot(prompt: str, end: str) -> str:
    """Return a pivot as pandas prints it, whose tasks are not said again."""
    body = [
        f"{t if a == 'Arno' else '':<6} {a:<6} " + "  ".join(map(str, RUNS[a][t]))
        for t in ("Nord", "Sud")
        for a in RUNS
    ]
    return "\n".join([f"{prompt} print(p)", "seed            0    1    2", "env    algo", *body, end, ""])


@pytest.mark.parametrize(
    "text",
    [
        *(julia(CELLS), pivot(">>>", ">>> exit()"), pivot("In [3]:", ""), pivot(">>> # win rate\n>>>", ">>> ")),
        "In [4]: df\nOut[4]: \n   algo  env  seed  ret\n"
        + "\n".join(f"{i}  {a}  {t}  {r}  {x}" for i, (a, t, r, x) in enumerate(CELLS))
        + "\n",
    ],
)
def test_what_was_typed_at_a_console_is_no_part_of_the_table_below_it(put, text):
    assert ro.load(put("t.txt", text)).to_dict() == RUNS


def test_a_frame_of_julia_whose_rows_are_left_out_is_refused(put):
    lines = julia(CELLS).split("\n")
    lines[8:12] = ["  ⋮  │   ⋮       ⋮       ⋮       ⋮"]
    with pytest.raises(ro.DataError):
        ro.load(put("t.txt", "\n".join(lines)))


@pytest.mark.parametrize("first", ["rep", "seed", "run", "trial"])
def test_a_column_of_runs_beside_names_of_algorithms_is_a_table_though_blanks_part_it(put, first):
    rows = [f"{i} {x} {y}" for i, (x, y) in enumerate(zip(RUNS["Arno"]["Nord"], RUNS["Bela"]["Nord"], strict=True))]
    scores = ro.load(put("t.txt", "\n".join(["# regret", f"{first} UCB1 MOSS", *rows, "avg 2.5 8.5", ""])))
    assert scores.algorithms == ("MOSS", "UCB1")
    assert {len(own) for tasks in scores.to_dict().values() for own in tasks.values()} == {3}


@pytest.mark.parametrize("head", ["run 1 2", "width UCB1 MOSS", "rep"])
def test_other_words_above_numbers_are_no_table(put, head):
    with pytest.raises(ro.DataError):
        ro.load(put("t.txt", "\n".join([head, *(f"{i} 1.5 {2.5 + i * i}" for i in range(4)), ""])))


@pytest.mark.parametrize("rule", ["{0} {0} {0} {0}", ""])
def test_what_matlab_displays_is_a_table_below_its_comments(put, rule):
    rows = [f"  {a:<8} {t:<8} {r:>4} {x:>9.4f}" for a, t, r, x in CELLS]
    head = ["%% bench.m -- 09-Apr-2024", "%  N = 3", "", "  ctrl     sys      trial J", rule.format("_" * 6), ""]
    path = put("t.txt", "\n".join([*head, *rows, ""]))
    with pytest.raises(ro.DataError, match="of column 'J' less may be better, or more"):
        ro.load(path)
    assert ro.load(path, columns={"score": "J"}).to_dict() == RUNS
    assert ro.load(path, columns={"score": "J"}, lower_is_better=True).to_dict()["Arno"]["Nord"] == [-1.5, -2.5, -3.5]
