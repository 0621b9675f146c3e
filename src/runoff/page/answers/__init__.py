"""What is reported: the data, and every result about them.

all       `Answers`, and the one call that makes them; the leader, and the standing of the others relative to it
curves    the answers about learning curves
"""
