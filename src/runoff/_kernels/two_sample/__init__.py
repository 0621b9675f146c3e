"""Kernels of the two-sample tests, all batched: x (batch, n_x) and y (batch, n_y), float64; results (batch,).

parametric            moments and t statistics: Student, Welch, Yuen
ranks                 one sort of the pooled sample; U, rank moments, placements (all in integers)
rank_null             the exact null distribution of U, with and without ties
words, masks          random 64-bit words; relabellings as bit masks, drawn or enumerated
permutation           hits of relabellings: mean difference, studentised, Brunner-Munzel
bootstrap             hits of resamples: percentile, basic, studentised
kolmogorov_smirnov    the statistic and its exact null, conditional on ties
"""
