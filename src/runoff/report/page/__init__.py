"""report/page"""
