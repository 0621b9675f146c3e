"""The stratified bootstrap.

resample  resamples reduced to mean, median, optimality gap and trimmed means, once or at every step of training
profile   resampled performance profiles and their exact laws; the probability of improvement of resamples
"""
