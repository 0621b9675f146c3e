"""_inference/blocked"""
