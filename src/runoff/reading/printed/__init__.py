"""A printed table as a grid of entries: LaTeX, Markdown or delimited text (`grids`), the `markup` of cells, what heads say (`heads`)."""
