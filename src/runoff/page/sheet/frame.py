"""What every page has: its templates, files of the package, and the policy that names what it may load."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files as files_of

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from runoff.words.names import capital
from runoff.words.shorten import isolated_in
from runoff.words.speech import Voice, in_both


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


@cache
def templates(speak: Voice) -> Environment:
    """Return the templates of pages that speak so."""

    def printed(value: object) -> object:
        """Return what the page prints: names that are written from right to left turn nothing around them."""
        return isolated_in(speak(value)) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=PackageLoader("runoff.page.sheet", "."),
        autoescape=True,
        # A name that a template spells wrong is an error, and no empty place on the page.
        undefined=StrictUndefined,
        finalize=printed,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["begins"] = lambda sentence: in_both(capital, sentence)
    return environment


def packaged(name: str) -> str:
    """Return a file of this package."""
    return files_of("runoff.page.sheet").joinpath(name).read_text(encoding="utf-8")
