"""Speeds, measured side by side in one run: `make bench` writes README.md here."""
