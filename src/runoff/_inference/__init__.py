"""What several methods share: the bootstrap engine, registries of tests, corrections, rules of advice."""
