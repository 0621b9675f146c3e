"""_inference/advice"""
