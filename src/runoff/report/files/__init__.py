"""What is written.

write    `write_report`: all of it
aside    figures drawn by a second process
tables   the tables, as CSV and LaTeX
csv      CSV at full precision
records  results.json
strict   JSON without infinity
folder   written beside, then moved into place
slugs    safe file names
"""
