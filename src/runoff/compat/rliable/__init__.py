"""rliable's names: `from runoff.compat.rliable import library as rly, metrics, plot_utils`.

library     intervals by the stratified bootstrap, performance profiles, the bootstrap classes
metrics     aggregates and the probability of improvement
plot_utils  rliable's four figures

Arguments, shapes and dictionaries are those of rliable 1.2. Where a number differs, docs/evidence/rliable.md says why.
"""
