"""What is written.

write    `report`: all of it
records  results.json and the tables
folder   written beside, then moved into place; what verbs leave behind; CSV, strict JSON and safe file names
"""
