"""Many simulated experiments at once.

bootstrap    one set of resamples for a group of experiments
permutation  the permutation test as Colas (2019) has it
"""
