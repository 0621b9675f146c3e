"""_kernels/bootstrap"""
