"""_inference/inferential"""
