"""report/files"""
