"""_inference/shape"""
