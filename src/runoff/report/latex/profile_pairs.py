"""How the profiles of each pair lie."""

from __future__ import annotations

from runoff.report.answers.all import Answers
from runoff.report.latex.captions import runs_words
from runoff.report.latex.glyphs import shown_names, stand_ins
from runoff.report.latex.table import Table, column
from runoff.report.words.ranks import profile_rows


def profile_pairs_table(answers: Answers) -> Table | None:
    """Return one row per pair; None where there are no profiles of pairs."""
    rows = profile_rows(answers)
    if not rows:
        return None
    shown = shown_names(answers.scores.algorithms, "Algorithm")
    above = [shown[row["above"]] if row["above"] else row["words"] for row in rows]
    return Table(
        name="profile_pairs",
        caption=(
            "How the profiles of each pair, the shares of runs above each score τ, lie in these runs; this describes them and is no test; "
            f"{runs_words(answers)}."
        ),
        names=(
            column("First", [shown[row["a"]] for row in rows], right=False),
            column("Second", [shown[row["b"]] for row in rows], right=False),
        ),
        values=(
            column("Above everywhere", above, right=False),
            column("Crossings at τ", [row["crossings"] for row in rows]),
            column("Largest lead of first", [row["a_lead"] for row in rows]),
            column("of second", [row["b_lead"] for row in rows]),
        ),
        stands=stand_ins(shown),
    )
