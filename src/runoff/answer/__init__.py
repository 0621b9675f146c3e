"""Answers about the data: frozen results that share one export, `to_records()`; they compute nothing and draw nothing."""
