"""What is reported: the data, and every result about them.

all       `Answers`, and the one call that makes them; who leads, and how the others stand to the leader
curves    what is said of learning curves
"""
