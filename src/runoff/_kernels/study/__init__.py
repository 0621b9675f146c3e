"""_kernels/study"""
