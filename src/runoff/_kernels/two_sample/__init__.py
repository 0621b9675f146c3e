"""Kernels of the two-sample tests, all batched: x (batch, n_x) and y (batch, n_y), float64; results (batch,).

ranks         one sort of the pooled sample: U and its exact null, placements, Kolmogorov-Smirnov (all in integers)
masks         random 64-bit words; relabellings as bit masks, drawn or enumerated
permutation   hits of relabellings: mean difference, studentised, Brunner-Munzel
bootstrap     hits of resamples: percentile, basic, studentised
"""
