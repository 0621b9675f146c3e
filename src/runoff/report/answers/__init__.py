"""report/answers"""
