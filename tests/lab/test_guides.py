"""The method of one's own that docs/studies.md shows is a method."""

from __future__ import annotations

import re

import runoff as ro
from runoff.lab import CONTENDERS
from tests.lab.makers import small_study
from tests.places import DOCS

PAGE = DOCS / "studies.md"


def test_the_method_on_the_page_works_as_it_stands() -> None:
    (block,) = re.findall(
        r"```py\n(from runoff\.lab import contender.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    try:
        exec(block, {})  # the page's own code
        rate = ro.run_study(small_study(contenders=("sign_of_best",)), workers=1).rows[0].rate
    finally:
        CONTENDERS.pop("sign_of_best", None)
    assert rate is not None
    assert 0.4 < rate < 0.6
