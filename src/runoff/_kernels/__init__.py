"""Small pure functions: index draws and arrays in, arrays out; no strings, no validation, no warnings."""
