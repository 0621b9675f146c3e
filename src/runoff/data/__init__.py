"""`Scores` and `Curves`, and how their runs came to be; beside them the data set that the package ships."""
