"""Rank tests over tasks.

ranks       mid-ranks within tasks, as integers; rank sums, their covariance, quadratic forms
exact       the exact null of rank sums, by convolution, and its tails, accurate relative to the tail
permute     relabelling runs within tasks
trimmed     which relabellings of two algorithms have trimmed means as far apart as the data
stratified  statistics of two algorithms, or of all pairs, under given labels, at one step or at every step of training
"""
