"""`Scores` and `Curves` with the origin of their runs, and the example data that the package ships."""
