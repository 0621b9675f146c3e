"""What is written.

write    `write_report`: all of it
records  results.json and the tables
formats  CSV, JSON without infinity, safe file names
folder   written beside, then moved into place; what verbs leave behind
"""
