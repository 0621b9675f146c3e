"""_kernels/blocked"""
