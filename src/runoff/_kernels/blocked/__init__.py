"""Rank tests over tasks.

ranks       mid-ranks within tasks, as integers
sums        rank sums, their covariance, quadratic forms
exact       the exact null of rank sums, by convolution
tilted      tails of a sum of integers, accurate relative to the tail
permute     relabelling runs within tasks
stratified  statistics of two algorithms under given labels
steps       the same at every step of training
"""
