"""Conversion of the columns of any table to checked arrays of labels and scores."""
