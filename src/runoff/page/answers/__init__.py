"""What is reported: the data, and every result about them.

all       `Answers`, and the one call that makes them; who leads, and how the others stand to the leader
ranking   all algorithms at once: the test, which ranks are apart, which are possible
curves    what is said of learning curves
"""
