"""A link that leads nowhere is found, and so is what would be asked of another host."""

from __future__ import annotations

import pytest

from tools.site.crawl import broken


def site(tmp_path, body: str):
    (tmp_path / "deep").mkdir()
    (tmp_path / "index.html").write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    (tmp_path / "deep" / "page.html").write_text('<h2 id="part">λ</h2><a href="../index.html">up</a>', encoding="utf-8")
    (tmp_path / "picture one.png").write_bytes(b"")
    return tmp_path


@pytest.mark.parametrize(
    "body",
    [
        '<a href="deep/page.html#part">a</a>',
        '<a href="#">top</a><a href="">same</a>',
        '<a id="x" href="#x">a</a>',
        '<img src="picture%20one.png"><img src="data:image/png;base64,AA==">',
        '<a href="https://example.org">a paper, when clicked</a><a href="mailto:a@b.c">mail</a>',
        '<a href="deep/page.html?highlight=x">a</a>',
    ],
)
def test_links_that_hold_are_not_told(tmp_path, body):
    assert list(broken(site(tmp_path, body))) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<a href="deep/other.html">a</a>', "deep/other.html leads nowhere"),
        ('<a href="deep/page.html#other">a</a>', "deep/page.html#other leads nowhere"),
        ('<a href="#other">a</a>', "#other leads nowhere"),
        ('<img src="lost.png">', "lost.png leads nowhere"),
        ('<a href="deep">a folder without an index</a>', "deep leads nowhere"),
        ('<script src="https://example.org/x.js"></script>', "https://example.org/x.js is asked of another host"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "//example.org/x.css is asked of another host"),
        ('<img src="http://example.org/x.png">', "http://example.org/x.png is asked of another host"),
        ('<p style="background: url(https://example.org/b.png)">x</p>', "https://example.org/b.png"),
        ('<style>@import "//example.org/a.css";</style>', "//example.org/a.css is asked of another host"),
    ],
)
def test_what_is_wrong_is_told_with_its_page(tmp_path, body, expected):
    problems = list(broken(site(tmp_path, body)))
    assert problems
    assert all("index.html" in problem for problem in problems)
    assert expected in problems[0]


def test_a_style_sheet_that_asks_another_host_is_told(tmp_path):
    (site(tmp_path, "") / "a.css").write_text(
        "@font-face { src: url('https://example.org/f.woff2') }", encoding="utf-8"
    )
    assert list(broken(tmp_path)) == ["a.css: https://example.org/f.woff2 is asked of another host"]
