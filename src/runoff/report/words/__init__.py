"""report/words"""
