"""Characters as LaTeX prints them with its own fonts, in any font encoding.

What is not here (scripts of other fonts, emoji, control characters) pdflatex refuses or leaves out; `nearest` is what may stand for it, and
`shown_names` gives each name one text that no other name has.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, count
from string import ascii_letters


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


SPECIAL = {char: f"\\{char}" for char in "{}$&#_%"} | {char: f"{{{char}}}" for char in "[]*"}
SPECIAL |= {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "|": r"\textbar{}"}
SPECIAL |= {"<": r"\textless{}", ">": r"\textgreater{}", '"': r"{\char34}", "`": r"{\char96}"}
"""ASCII characters that LaTeX reads as something else, or that babel makes active."""

LETTERS = "ß ss æ ae Æ AE œ oe Œ OE ø o Ø O ł l Ł L ı i ȷ j § S ¶ P £ pounds † dag ‡ ddag"
TYPESET = _pairs(
    r"– -- — --- ‐ - ‑ - ‘ {\char96} ’ ' “ `` ” '' ™ \texttrademark{} ® \textregistered{} © \textcopyright{} … \dots{} ⋯ $\cdots$ "
    r"½ $1/2$ ¼ $1/4$ ¾ $3/4$"
)
TYPESET |= {"\u00a0": "~", "\u202f": r"\,"}
MATH = (
    "α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu µ mu ν nu ξ xi "
    "π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda "
    "Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ∆ Delta ∂ partial ∇ nabla ∞ infty ± pm ∓ mp × times ÷ div · cdot ⋅ cdot ∙ bullet "
    "• bullet ∗ ast ∘ circ ≤ leq ≥ geq ≠ neq ≈ approx ≃ simeq ≅ cong ∼ sim ≡ equiv ∝ propto ≪ ll ≫ gg « ll » gg ≺ prec ≻ succ ← leftarrow "
    "→ rightarrow ↑ uparrow ↓ downarrow ↔ leftrightarrow ⇐ Leftarrow ⇒ Rightarrow ⇑ Uparrow ⇓ Downarrow ⇔ Leftrightarrow ↦ mapsto ∈ in "
    "∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee ⊕ oplus ⊗ otimes "
    "⊥ perp ∥ parallel ∠ angle √ surd ∑ Sigma ∏ Pi ∫ smallint ℓ ell ℏ hbar ℜ Re ℑ Im ℵ aleph ★ star ☆ star ⋆ star ♠ spadesuit ♣ clubsuit "
    "♥ heartsuit ♦ diamondsuit ♭ flat ♯ sharp ♮ natural ′ prime ⟨ langle ⟩ rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor  ◇ diamond "
    "△ triangle ▽ bigtriangledown ○ bigcirc"
)
ROMAN = "Α A Β B Ε E Ζ Z Η H Ι I Κ K Μ M Ν N Ο O Ρ P Τ T Χ X ο o"
"""Greek letters that TeX sets as Roman ones."""
RAISED = "⁰ 0 ¹ 1 ² 2 ³ 3 ⁴ 4 ⁵ 5 ⁶ 6 ⁷ 7 ⁸ 8 ⁹ 9 ⁺ + ⁻ - ⁿ n ° \\circ"
LOWERED = "₀ 0 ₁ 1 ₂ 2 ₃ 3 ₄ 4 ₅ 5 ₆ 6 ₇ 7 ₈ 8 ₉ 9 ₊ + ₋ -"
_MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0323\u0327\u0331"
ACCENTS = dict(zip(_MARKS, "`'^~=u.\"rHvdcb", strict=True))
NEAREST = {"đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ħ": "h", "Ħ": "H", "ŋ": "ng", "Ŋ": "Ng"}


KNOWN = {
    **{char: SPECIAL.get(char, char) for char in map(chr, range(32, 127))},
    **{char: f"$\\{name}$" for char, name in _pairs(MATH).items()},
    **{char: f"\\{name}{{}}" for char, name in _pairs(LETTERS).items()},
    **{char: f"$\\mathrm{{{name}}}$" for char, name in _pairs(ROMAN).items()},
    **{char: f"$^{{{name}}}$" for char, name in _pairs(RAISED).items()},
    **{char: f"$_{{{name}}}$" for char, name in _pairs(LOWERED).items()},
    **TYPESET,
    "\N{MINUS SIGN}": "$-$",
}
"""What LaTeX prints for a character."""


@cache
def tex(text: str) -> str:
    """Return a text as LaTeX prints it; white space is one space, and what LaTeX cannot print is left out."""
    latex, before = "", ""
    for cluster in clusters(text):
        sign = glyph(cluster)
        if sign is not None:
            # Two hyphens, quotes or commas in a row would become one sign (a ligature) without the empty group.
            latex += "{}" * (cluster == before and cluster in "-',") + sign
        before = cluster
    return latex


def printable(text: str) -> str:
    """Return a text with the nearest that LaTeX prints in place of what it does not."""
    return " ".join("".join(c if glyph(c) is not None else nearest(c) for c in clusters(text)).split())


def clusters(text: str) -> list[str]:
    """Return the characters of a text, each with the accents that follow it; white space but that which does not break is one space."""
    if text.isascii():
        return list(re.sub(r"\s+", " ", text))
    # Composed first, so that a letter and its accent are one sign wherever there is one; there is none of x̄ and Q̂.
    kept = "".join(c if c in TYPESET or not c.isspace() else " " for c in unicodedata.normalize("NFC", text))
    return re.findall(".[\u0300-\u036f]*", re.sub(" +", " ", kept))


@cache
def glyph(cluster: str) -> str | None:
    """Return what LaTeX prints for a character and its accents; None where it has nothing."""
    if cluster in KNOWN:
        return KNOWN[cluster]
    plain = unicodedata.normalize("NFD", cluster)
    base, marks = plain[0], plain[1:]
    if base in ascii_letters and marks in ACCENTS:
        return f"\\{ACCENTS[marks]}{{{base}}}"
    return None


def nearest(cluster: str) -> str:
    """Return what may stand for a character that LaTeX does not print: its letter without accents, or nothing."""
    plain = unicodedata.normalize("NFKD", NEAREST.get(cluster[0], cluster))
    return "".join(c for c in plain if c in KNOWN)


LONGEST = 48
"""The most characters of a name that stands in a table as it is; a longer one is cut in its middle."""


def shown_names(names: Iterable[str], word: str) -> dict[str, str]:
    """Return the text that a table prints for each name, no two alike; `word` is what a name is of that leaves nothing."""
    listed = list(names)
    # Two names may print alike (an accent as one character or as two): the first of them keeps its text, for
    # the last entry of a dictionary stays.
    as_is = {tex(name): name for name in reversed(listed) if name and name == printable(name) and len(name) <= LONGEST}
    in_use = set(as_is)
    shown: dict[str, str] = {}
    for place, name in enumerate(listed, 1):
        kept = as_is.get(tex(name)) == name
        text = _short(printable(name)) or f"{word} {place}"
        free = (stand for stand in chain([text], (f"{text} ({n})" for n in count(2))) if tex(stand) not in in_use)
        shown[name] = name if kept else next(free)
        in_use.add(tex(shown[name]))
    return shown


def stand_ins(shown: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return (text, name) of each name that stands in the table as another text."""
    return tuple((text, name) for name, text in shown.items() if text != name)


def natural_order(names: Iterable[str]) -> list[str]:
    """Return names that stand in the order of the alphabet with numbers by their value, Algo2 before Algo10; others as they stand."""
    given = list(names)
    parts = {name: [part for part in re.split(r"(\d+)", name) if part] for name in given}
    by_value = {name: [(0, int(p), p) if p.isdecimal() else (1, 0, p) for p in parts[name]] for name in given}
    return sorted(given, key=by_value.__getitem__) if given == sorted(given) else given


def _short(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    head = LONGEST // 2
    return f"{text[:head]}…{text[head + 1 - LONGEST :]}"
