"""Small pure functions: index draws and arrays in, arrays out; no validation, no warnings, no strings."""
