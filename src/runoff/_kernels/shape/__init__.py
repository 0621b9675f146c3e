"""What the runs of a cell look like.

mixture  two normals fitted to sorted runs
"""
