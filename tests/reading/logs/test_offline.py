"""What trackers store for a later upload, beside scores and settings: names, times, what they measure of the machine, several files."""

from __future__ import annotations

import hashlib
import json

import pytest

import runoff as ro
from tests.reading.logs.kept import lines_of, neptune_offline, swan_file, swan_value, zipped
from tests.reference import logs as twin


def rows_of(root):
    return [(row.algorithm, row.run, row.all_series) for row in ro.scan(root).rows]


def drawn(seed: int) -> str:
    return hashlib.md5(bytes([seed])).hexdigest()


def message(**payload) -> dict[str, object]:
    return {"type": "message", "payload": payload}


def test_experiments_of_comet_are_named_and_what_it_logs_itself_is_no_series_and_no_setting(put, tmp_path):
    for seed in (1, 2, 3, 4):
        entries = [message(key="Name", value=f"sac_seed{seed}"), message(key="Name", value="")]
        entries.append(message(param={"paramName": "depth", "paramValue": seed % 2, "source": "cli"}))
        entries.append(message(param={"paramName": "width", "paramValue": seed % 2, "source": "auto-logged"}))
        for name in ("return", "sys.cpu"):
            entries += [message(metric={"metricName": name, "metricValue": 1.5 * k, "step": k}) for k in (1, 2)]
        put(f"{drawn(seed)}.zip", zipped({"messages.json": lines_of(entries), "experiment.json": b"{}"}))
    assert rows_of(tmp_path) == [("sac", str(seed), ("return",)) for seed in (1, 2, 3, 4)]
    assert ro.read_curves(tmp_path).variants().algorithms == ("sac",)


def test_a_series_of_clearml_that_is_called_as_its_plot_has_one_name_and_seconds(put, tmp_path):
    for seed in (1, 2):
        event = {"type": "training_stats_scalar", "metric": "return", "variant": "return"}
        events = [[{**event, "iter": k, "value": k / 2, "timestamp": 5000 * k}] for k in (1, 2)]
        head = {"script": {}, "offline_folder": "x", "hyperparams": {}, "name": f"sac_seed{seed}"}
        put(
            f"offline-{drawn(seed)}.zip",
            zipped({"metrics.jsonl": lines_of(events), "task.json": json.dumps(head).encode()}),
        )
    assert rows_of(tmp_path) == [("sac", "1", ("return",)), ("sac", "2", ("return",))]
    assert ro.read_curves(tmp_path).time.tolist() == [0, 5, 0, 5]


def test_files_of_neptune_are_in_the_order_of_their_numbers_and_what_it_measures_of_the_machine_is_no_setting(
    put, tmp_path
):
    for seed in (1, 2, 3, 4):
        neptune_offline(put, "ppo", "Hopper-v4", seed, 0.1)
    for seed, folder in enumerate(sorted(path.parent for path in tmp_path.rglob("data-1.log"))):
        for number, rate in ((10, "0.5"), (2, f"0.{seed}")):
            values = {"parameters/lr": rate, "monitoring/depth": seed % 2}
            entries = [{"type": "AssignString", "path": name.split("/"), "value": own} for name, own in values.items()]
            put(f"{folder.relative_to(tmp_path)}/data-{number}.log", lines_of({"obj": entry} for entry in entries))
    assert ro.read_curves(tmp_path).variants().algorithms == ("ppo",)


def test_a_setting_that_was_deleted_in_neptune_is_none(put, tmp_path):
    for seed, lr in ((1, 0.1), (2, 0.2)):
        neptune_offline(put, "ppo", "Hopper-v4", seed, lr)
    for path in tmp_path.rglob("data-1.log"):
        path.write_text(path.read_text() + '{"obj": {"type": "DeleteAttribute", "path": ["parameters", "lr"]}}\n')
    assert ro.read_curves(tmp_path).variants().algorithms == ("ppo",)


def test_a_run_of_swanlab_has_its_name_and_the_parts_of_a_second(put, tmp_path):
    for seed in (1, 2):
        values = []
        for k in (1, 2):
            time = b"\x08" + twin.varint(10) + b"\x10" + twin.varint(k * 250_000_000)
            point = b"\x10" + twin.varint(k) + twin.chunk(4, time) + twin.chunk(5, b"\x09" + b"\0" * 8)
            values.append(twin.chunk(13, twin.chunk(1, b"return") + point))
        head = twin.chunk(10, twin.chunk(1, b"project") + twin.chunk(4, f"sac_seed{seed}".encode()))
        put(f"run-20240301_102030-36149{seed}/run-36149{seed}.swanlab", swan_file(head, *values))
    assert rows_of(tmp_path) == [("sac", "1", ("return",)), ("sac", "2", ("return",))]
    assert ro.read_curves(tmp_path).time.tolist() == pytest.approx([0, 0.25] * 2)


@pytest.mark.parametrize("left", range(8))
def test_less_than_the_head_of_a_record_at_the_end_of_a_block_of_swanlab_is_none(put, tmp_path, left):
    short = swan_file(swan_value("eval/return", 1, 1.5))
    filler = twin.chunk(99, b"x" * (32768 - len(short) - left - 7 - 5))
    whole = swan_file(swan_value("eval/return", 1, 1.5), filler, swan_value("eval/return", 2, 2.5))
    put("run-1-x/run-x.swanlab", whole)
    assert len(swan_file(swan_value("eval/return", 1, 1.5), filler)) == 32768 - left
    assert ro.read_curves(tmp_path).values.tolist() == [1.5, 2.5]
