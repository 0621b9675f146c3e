"""_kernels/family"""
