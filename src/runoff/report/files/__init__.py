"""What is written.

write    `write_report`: all of it
tables   CSV and LaTeX tables
records  results.json
strict   JSON without infinity
folder   written beside, then moved into place
slugs    safe file names
"""
