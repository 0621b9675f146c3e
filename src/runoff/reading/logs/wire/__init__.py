"""Bytes of logs: event files, .wandb files and what both share (`binary`); text (`lines`); databases (`sqlite`)."""
