"""Characters: what LaTeX prints in any encoding, and nothing that it refuses."""

from __future__ import annotations

import string

import pytest

from runoff.exits.latex.glyphs import KNOWN, glyph, nearest, printable, tex


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("Q(λ)", r"Q($\lambda$)"),
        ("µ-law", r"$\mu$-law"),
        ("−0.5", "$-$0.5"),
        ("1\u202f000", r"1\,000"),
        ("Ωmega", r"$\Omega$mega"),
        ("ΑΒ", r"$\mathrm{A}$$\mathrm{B}$"),
        ("x₁²", "x$_{1}$$^{2}$"),
        ("déjà", r"d\'{e}j\`{a}"),
        ("Åö", r"\r{A}\"{o}"),
        ("Q\u0302 and x\u0304", r"\^{Q} and \={x}"),
        ("Łódź", r"\L{}\'{o}d\'{z}"),
        ("a≤b → c", r"a$\leq$b $\rightarrow$ c"),
        ("1–2—3", "1--2---3"),
        ("a--b[c]*", "a-{}-b{[}c{]}{*}"),
        ("$x_1$ & {50 %} \\", r"\$x\_1\$ \& \{50 \%\} \textbackslash{}"),
        ('say "no"', r"say {\char34}no{\char34}"),
        ("a\tb\n c", "a b c"),
    ],
)
def test_a_text_is_translated_character_by_character(text, latex):
    assert tex(text) == latex


def test_what_is_written_is_ascii_whatever_is_read():
    assert all(sign.isascii() for sign in KNOWN.values())
    assert tex("日本 🚀 \u200b\x00 ش λ").isascii()


def test_every_ascii_character_that_prints_is_known():
    assert set(string.printable) - set(string.whitespace) <= set(KNOWN)


def test_what_cannot_be_printed_is_replaced_by_the_nearest_or_left_out():
    assert [glyph(char) for char in ("日", "🚀", "ش", "ą", "\u200b")] == [None] * 5
    assert printable("ąćđ") == "aćd"
    assert printable("🚀  rocket 日本") == "rocket"
    assert nearest("ﬁ") == "fi"
    assert printable("λ é ≤") == "λ é ≤"


def test_composed_and_decomposed_accents_are_one():
    assert tex("e\u0301") == tex("é") == r"\'{e}"
