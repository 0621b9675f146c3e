"""One file per question a user asks; files here do not import each other."""
