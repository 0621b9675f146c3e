"""What is said of the data: frozen answers with one exit, `to_records()`; they compute nothing and draw nothing."""
