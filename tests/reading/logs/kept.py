"""What trackers keep for a later upload, and results of models, in small: after files that Comet 3.5, ClearML 2, Neptune 1.14, SwanLab 0.10 and
Inspect 0.3 wrote here, and the layouts of verifiers, tau2-bench and HELM."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib

from tests.reading.logs.layouts import STEPS, number
from tests.reference import logs as twin

N = 10


def zipped(members: dict[str, bytes]) -> bytes:
    with io.BytesIO() as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return stream.getvalue()


def zipped_by_zstd(members: dict[str, bytes], *, claims: int | None = None) -> bytes:
    """Return an archive by method 93, which zipfile of Python 3.11 cannot write; `claims` is the size that the heads say."""
    import zstandard

    body, directory = b"", b""
    for name, content in members.items():
        packed, size = zstandard.compress(content), len(content) if claims is None else claims
        fields = struct.pack("<HHHHIIIHH", 0, 93, 0, 33, zlib.crc32(content), len(packed), size, len(name), 0)
        directory += (
            b"PK\1\2"
            + struct.pack("<HH", 63, 63)
            + fields
            + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
            + name.encode()
        )
        body += b"PK\3\4" + struct.pack("<H", 63) + fields + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)
    return body + directory + b"PK\5\6" + end


def lines_of(records) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def comet(put, algorithm, task, seed, lr):
    settings = {"algo": algorithm, "env": task, "seed": seed, "lr": lr}
    records = [
        {"type": "parameter_msg", "payload": {"param": {"paramName": "run_arg_0", "paramValue": "x", "source": "cli"}}}
    ]
    for name, value in settings.items():
        parameter = {"paramName": name, "paramValue": value, "source": "manual", "step": None}
        records.append({"type": "parameter_msg", "payload": {"local_timestamp": 1, "param": parameter}})
    for step in STEPS:
        for name, value in (("eval/return", step / 7), ("sys.cpu", 99.0)):
            metric = {"metricName": name, "metricValue": value, "step": step, "epoch": None}
            records.append({"type": "metric_msg", "payload": {"local_timestamp": 1000 * step, "metric": metric}})
    content = {"messages.json": lines_of(records), "experiment.json": b"{}"}
    put(f"comet/{number(algorithm, task, seed, lr)}.zip", zipped(content))


def clearml_files(algorithm, task, seed, lr) -> dict[str, bytes]:
    settings = {"algo": algorithm, "env": task, "seed": seed, "lr": lr}
    own = {"General": {name: {"name": name, "value": str(value)} for name, value in settings.items()}}
    event = {"type": "training_stats_scalar", "metric": "eval", "variant": "return"}
    events = [
        [{**event, "iter": step, "value": step / 7, "timestamp": 1000 * step}, {"type": "log", "msg": "x"}]
        for step in STEPS
    ]
    head = {"script": {}, "offline_folder": "x", "hyperparams": own, "name": "x"}
    return {"metrics.jsonl": lines_of(events), "task.json": json.dumps(head).encode()}


def clearml(put, algorithm, task, seed, lr):
    put(f"offline-{number(algorithm, task, seed, lr)}.zip", zipped(clearml_files(algorithm, task, seed, lr)))


def clearml_folders(put, algorithm, task, seed, lr):
    folder, files = f"offline-{number(algorithm, task, seed, lr)}", clearml_files(algorithm, task, seed, lr)
    put(f"{folder}.zip", zipped(files))
    for name, content in files.items():
        put(f"{folder}/{name}", content)


def neptune_offline(put, algorithm, task, seed, lr):
    settings = {"algo": algorithm, "env": task, "seed": seed, "lr": lr}
    records = [
        {"type": "AssignString", "path": ["parameters", name], "value": value} for name, value in settings.items()
    ]
    for step in STEPS:
        point = {"value": step / 7, "step": step, "ts": step}
        records.append({"type": "LogFloats", "path": ["eval", "return"], "values": [point]})
    folder = f".neptune/offline/run__{number(algorithm, task, seed, lr)}"
    put(f"{folder}/data-1.log", lines_of({"obj": record, "version": i} for i, record in enumerate(records)))
    put(f"{folder}/metadata.json", '{"containerType": "run"}')


def swan_record(message: bytes, kind: int = 1) -> bytes:
    return struct.pack("<IHB", zlib.crc32(message, zlib.crc32(bytes([kind]))), len(message), kind) + message


def swan_file(*messages: bytes) -> bytes:
    """Return a SwanLab file; a record that crosses a block of 32 kB is parted, and less than a head at the end of one is zeros."""
    data = b":SWL\xd6\xe1\x02"
    for message in messages:
        first = True
        while first or message:
            room = 32768 - len(data) % 32768
            if room < 7:
                data += bytes(room)
                continue
            piece, message = message[: room - 7], message[room - 7 :]
            data += swan_record(piece, (2 if message else 1) if first else (3 if message else 4))
            first = False
    return data


def swan_value(key: str, step: int, value: float) -> bytes:
    inner = b"\x09" + struct.pack("<d", value)
    time = b"\x08" + twin.varint(step) + b"\x10" + twin.varint(5)
    return twin.chunk(
        13, twin.chunk(1, key.encode()) + b"\x10" + twin.varint(step) + twin.chunk(4, time) + twin.chunk(5, inner)
    )


def swanlab(put, algorithm, task, seed, lr):
    folder = f"swanlog/run-20240301_102030-{number(algorithm, task, seed, lr)}"
    values = [swan_value(key, step, step * by) for step in STEPS for key, by in (("eval/return", 1 / 7), ("loss", 1.0))]
    put(
        f"{folder}/run-{number(algorithm, task, seed, lr)}.swanlab",
        swan_file(twin.chunk(10, twin.chunk(1, b"p")), *values),
    )
    settings = {"algo": algorithm, "env": task, "seed": seed, "lr": lr}
    entries = "".join(f"{name}:\n  desc: ''\n  value: {value}\n" for name, value in settings.items())
    put(f"{folder}/files/config.yaml", entries)


KEPT = {maker.__name__: maker for maker in (comet, clearml, clearml_folders, neptune_offline, swanlab)}

# ── results of models ──────────


def right(model: str, item: int, attempt: int = 0) -> int:
    return int((7 * item + 3 * attempt + len(model)) % 10 < 5)


def verifiers(put, model, task, attempts):
    rows = [
        {"example_id": k, "prompt": "p", "reward": float(right(model, k, i)), "num_turns": 3.0}
        for k in range(N)
        for i in range(attempts)
    ]
    put(f"outputs/evals/{task}--{model}/a1/results.jsonl", lines_of(rows))
    put(f"outputs/evals/{task}--{model}/a1/metadata.json", json.dumps({"env_id": task, "model": model}))


def tau2(put, model, task, attempts):
    rows = [
        {"task_id": str(k), "trial": i, "reward_info": {"reward": float(right(model, k, i))}, "agent_cost": 9.0}
        for i in range(attempts)
        for k in range(N)
    ]
    info = {"agent_info": {"llm": model}, "environment_info": {"domain_name": task}}
    put(f"data/simulations/{task}_{model}.json", json.dumps({"timestamp": "1", "info": info, "simulations": rows}))


def helm(put, model, task, attempts):
    def stat(name, value, **more):
        return {"name": {"name": name, "split": "test", **more}, "count": 1, "sum": value, "mean": float(value)}

    rows = [
        {
            "instance_id": f"id{k}",
            "train_trial_index": i,
            "stats": [stat("exact_match", right(model, k, i)), stat("num_bytes", 9)],
        }
        for k in range(N)
        for i in range(attempts)
    ]
    rows.append({"instance_id": "id0", "perturbation": {"name": "typos"}, "stats": [stat("exact_match", 7)]})
    folder = f"runs/v1/{task},model={model}"
    put(f"{folder}/per_instance_stats.json", json.dumps(rows))
    put(f"{folder}/run_spec.json", json.dumps({"name": f"{task},model={model}", "adapter_spec": {"model": model}}))


def inspect_members(model, task, attempts) -> dict[str, bytes]:
    rows = [
        {"id": f"q{k}", "epoch": i + 1, "scores": {"match": {"value": "CI"[not right(model, k, i)]}}}
        for k in range(N)
        for i in range(attempts)
    ]
    head = {
        "version": 2,
        "status": "success",
        "eval": {"task": task, "model": model, "created": "2025"},
        "results": None,
    }
    return {"header.json": json.dumps(head).encode(), "summaries.json": json.dumps(rows).encode()}


def inspect_packed(put, model, task, attempts):
    put(f"logs/2025_{task}_{model}.eval", zipped_by_zstd(inspect_members(model, task, attempts)))


RESULTS = {maker.__name__: maker for maker in (verifiers, tau2, helm, inspect_packed)}
