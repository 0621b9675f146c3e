"""_inference/family"""
