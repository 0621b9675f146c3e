"""What the page may load and run: its own styles and its own script, by their hashes, and nothing else."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256


def policy(style: str, script: str) -> str:
    """Return the content security policy of a page with this style sheet and this script.

    >>> policy("", "").split("; ")[0]
    "default-src 'none'"
    """
    return (
        f"default-src 'none'; style-src '{hashed(style)}'; script-src '{hashed(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def hashed(text: str) -> str:
    """Return the hash of an element's text as a policy names it.

    >>> hashed("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
