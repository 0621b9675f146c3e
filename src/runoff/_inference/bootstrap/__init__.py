"""_inference/bootstrap"""
