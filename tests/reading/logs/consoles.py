"""What loggers print on the console, by hand after their code: HumanOutputFormat of Stable-Baselines3 and baselines, EpochLogger of Spinning
Up, main.py of TD3 and TD3+BC."""

from __future__ import annotations

from collections.abc import Mapping

from tests.reading.logs.layouts import STEPS


def block(values: Mapping[str, object], form: str = "| {:<23} | {:<9} |") -> list[str]:
    """Return a table between rules; `eval/mean_reward` stands below its section `eval/`."""
    rows, section = [], ""
    for name, value in values.items():
        before, slash, last = name.rpartition("/")
        if slash and before != section:
            rows.append(form.format(f"{before}/", ""))
        section = before
        rows.append(form.format(f"   {last}" if slash else last, value))
    rule = "-" * len(rows[0])
    return [rule, *rows, rule]


def three_digits(value: float) -> str:
    return f"{value:<8.3g}"


def stable_baselines(step: int, score: float, **more: float) -> list[str]:
    values = {"rollout/ep_len_mean": 200, "rollout/ep_rew_mean": three_digits(score)}
    return block({**values, "time/fps": 1022, "time/total_timesteps": step, **more, "train/loss": "16.8"})


def spinning_up(step: int, score: float) -> list[str]:
    values = {"Epoch": step // 100, "AverageEpRet": three_digits(score), "StdEpRet": "1.5", "TotalEnvInteracts": step}
    return block(values, "| {:>17} | {:>15} |")


def baselines(step: int, score: float) -> list[str]:
    return block({"eplenmean": 200, "eprewmean": three_digits(score), "total_timesteps": step, "value_loss": "0.3"})


def evaluation(step: int, score: float) -> list[str]:
    return [f"Eval num_timesteps={step}, episode_reward={score:.2f} +/- 3.50", "Episode length: 200.00 +/- 0.00"]


BLOCKS = {maker.__name__: maker for maker in (stable_baselines, spinning_up, baselines)}


def td3(algorithm: str, task: str, seed: int, scores: Mapping[int, float]) -> list[str]:
    rule = "---------------------------------------"
    lines = [rule, f"Policy: {algorithm}, Env: {task}, Seed: {seed}", rule]
    for i, (step, score) in enumerate(scores.items(), start=1):
        lines += [f"Total T: {step} Episode Num: {i} Episode T: 100 Reward: {score / 2:.3f}"] * (step > 0)
        lines += [rule, f"Evaluation over 10 episodes: {score:.3f}", rule]
    return lines


def text(*blocks: list[str]) -> str:
    return "\n".join([line for lines in blocks for line in lines]) + "\n"


def printed_tables(put, algorithm, task, seed, lr):
    content = text(["Using cuda device", f"lr is {lr}"], *(stable_baselines(step, step / 7) for step in STEPS))
    put(f"{algorithm}/{task}/seed_{seed}/log.txt", content)


def printed_lines(put, algorithm, task, seed, lr):
    content = text([f"lr is {lr}"], td3(algorithm, task, seed, {step: step / 7 for step in STEPS}))
    put(f"{algorithm}_{task}_{seed}.txt", content)
