"""_inference/pairs"""
