"""Bytes of logs: event files, .wandb files and what both share (`blocks`, `protobuf`); text (`lines`); databases (`sqlite`)."""
