"""Many comparisons.

multiplicity  adjusted p-values
pairwise      rank statistics of all pairs under many labellings
groups        sets of algorithms that are not apart, and their letters
"""
