"""Columns of any table → checked arrays of labels and scores."""
