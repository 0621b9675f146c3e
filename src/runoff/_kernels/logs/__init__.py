"""Loops over the bytes of training logs: `events` of TensorBoard, `blocks` of Weights & Biases, and what both share (`wire`)."""
