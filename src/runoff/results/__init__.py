"""What is said about the data: frozen answers with one exit, `to_records()`; they compute nothing and draw nothing."""
