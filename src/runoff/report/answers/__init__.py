"""What is reported: the data, and every result about them.

all        `Answers`, and the one call that makes them
ranking    all algorithms at once: the test, which ranks are apart, intervals to be read by eye
profiles   the share of runs above each score, where tasks have one unit
rank_rows  the same as rows
"""
