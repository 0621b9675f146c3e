"""How runoff speaks: names of options and of tests, counts, numbers, shortened and bidirectional names, and patterns."""
