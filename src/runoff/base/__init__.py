"""What every room needs: types of arrays, refusals of arguments, random streams, threads, bounds, files that are kept."""
