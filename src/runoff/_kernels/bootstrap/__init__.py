"""The stratified bootstrap.

resample     resamples reduced to mean, median, optimality gap and trimmed means
errors       standard errors: the jackknife, and the delta method on each resample
steps        resamples of whole runs, reduced at every step
improvement  the probability of improvement of resamples
profile      resampled performance profiles
convolve     the exact law of a resampled share
"""
