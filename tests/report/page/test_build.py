"""The page: complete, self-contained, escaped, the same for the same answers."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser

import matplotlib
import pytest

import runoff as ro
from runoff.answer.comparison import pairs_table
from runoff.answer.standing import standing_of as place_of
from runoff.exits.text import rows_of
from runoff.page import build
from runoff.page.answers.all import answer, ranked, standing_of
from runoff.page.sheet import build as build_module
from runoff.page.sheet import drawing as drawing_module
from runoff.page.sheet import rows as rows_module
from runoff.page.sheet.drawing import Drawing, draw, plans
from runoff.page.sheet.svg import DARK, brighter
from runoff.page.sheet.tasks import columns
from runoff.page.words.paragraph import methods_paragraph
from runoff.plots import marks
from runoff.plots._marks import contrast
from runoff.words.measures import differences_words
from runoff.words.names import metric_words
from runoff.words.numbers import chances
from tests.report.designs import answers as gold
from tests.report.made import HOSTILE, answers, answers_of, by_chance, hostile, scores

OPEN = ("measures", "where", "pairs", "next", "copy")
FOLDED = ("tasks", "aggregates", "profiles", "ranks", "robustness", "advice", "data", "terms", "reproduce", "files")
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
FILES = ("results.json", "tables/pairs.csv", "tables/pairs_column.tex", "tables/scores/PPO.csv")


@cache
def page() -> str:
    return build(answers(), title="A title")


@cache
def hostile_page() -> str:
    return build(hostile(), title="<i>slanted</i>")


@cache
def figures() -> tuple[Drawing, ...]:
    return draw(answers(), ("svg",))


class Outline(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.keys: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        self.ids += [values["id"]] if values.get("id") else []
        self.links += [values[key] or "" for key in ("src", "href", "xlink:href", "action") if key in values]
        self.keys += [key for key in values if key == "style" or key.startswith("on")]


def outline(text: str) -> Outline:
    parser = Outline()
    parser.feed(text)
    return parser


def test_the_menu_has_the_open_sections_by_their_headings():
    menu = dict(re.findall(r'<li><a href="#(\w+)">(.*?)</a></li>', page().partition("</nav>")[0]))
    assert tuple(menu) == (*OPEN, "evidence")
    for key, heading in menu.items():
        assert re.search(rf'<h2 id="(h-)?{key}"( class="sr")?>{re.escape(heading)}</h2>', page())


def test_sections_stand_in_the_order_of_answer_evidence_and_provenance_and_what_is_long_is_folded():
    places = [page().index(f'<section id="{section}"') for section in (*OPEN, *FOLDED)]
    assert places == sorted(places)
    assert page().index("<main>") < page().index("<h1")
    folded = re.findall(r'<section id="(\w+)"[^>]*>\s*<details>?(?: class="printed")?>?\s*<summary>', page())
    assert tuple(folded) == FOLDED


@pytest.mark.parametrize("section", FOLDED[:-1])
def test_a_folded_section_tells_its_result_before_it_is_opened(section):
    assert re.search(rf'<h3 id="h-{section}">[^<]+</h3> <span>[^<]+</span></summary>', page())


def test_one_run_per_cell_is_told_in_the_singular():
    bare = re.sub(r"<(svg|script).*?</\1>", "", build(answers_of(scores(n_runs=1))), flags=re.DOTALL)
    words = unescape(bare)
    assert "3 algorithms × 2 tasks × 1 run · " in words
    assert "<p>3 algorithms × 2 tasks, 1 run per cell, 6 scores in all." in words
    assert re.findall(r"\b1 (?:\w+ )?(?:runs|tasks|pairs|scores|cells|algorithms)\b", words) == []


def test_ids_are_unique_and_every_reference_has_its_target():
    outlined = outline(page())
    assert len(outlined.ids) == len(set(outlined.ids))
    assert {link[1:] for link in outlined.links} <= set(outlined.ids)
    named = re.findall(r'(?:aria-labelledby|aria-controls|for|popovertarget)="([^"]+)"', page())
    assert set(named) <= set(outlined.ids)
    # Each text has one button that copies it, and it is that text.
    copied = re.findall(r'data-copy-of="([^"]+)"', page())
    assert len(copied) == len(set(copied)) > 3
    assert set(copied) <= set(outlined.ids)


def test_the_table_of_algorithms_counts_their_tasks_runs_and_scores_below_their_heads():
    text = page()
    heads, row = (
        re.findall(rf"<{tag}>([^<]*)</{tag}>", text.partition('id="c-algorithms"')[2].partition("</tr>")[at])
        for at, tag in ((0, "th"), (2, "td"))
    )
    cells, of = dict(zip([*heads[1:]], row, strict=False)), scores()
    assert cells["Tasks"] == str(of.n_tasks)
    assert cells["Scores"] == str(int(of.n_runs[0].sum()))
    assert next(cells[head] for head in heads if "per" in head) == str(int(of.n_runs[0, 0]))


def test_nothing_is_loaded_from_anywhere():
    outlined = outline(page())
    assert all(link.startswith("#") for link in outlined.links)
    assert outlined.tags.count("script") == 2
    assert not {"link", "iframe", "object", "embed", "img", "base", "form"} & set(outlined.tags)
    assert not re.search(r"@import|url\(", page())


def test_the_policy_of_the_page_allows_its_own_styles_and_script_and_nothing_else():
    directives = dict(part.split(" ", 1) for part in unescape(POLICY.search(page())[1]).split("; "))
    style, script = (re.search(rf"<{tag}>(.*?)</{tag}>", page(), re.DOTALL)[1] for tag in ("style", "script"))
    hashes = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (style, script)]
    assert [directives["style-src"], directives["script-src"], directives["default-src"]] == [*hashes, "'none'"]
    assert outline(page()).keys == []


@pytest.mark.slow
def test_files_beside_the_page_are_linked_by_their_names():
    links = outline(build(answers(), figures=figures(), files=FILES)).links
    assert {f"figures/{drawing.name}.svg" for drawing in figures()} | set(FILES) <= set(links)
    assert not [link for link in links if re.match(r"/|\w+:", link)]


def test_the_same_answers_give_the_same_bytes():
    assert build(answers_of(scores()), title="A title") == page()


@pytest.mark.slow
def test_the_users_matplotlib_settings_change_nothing_and_stay():
    drawn = figures()
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "none", "lines.linewidth": 9}):
        assert build(answers(), title="A title") == page()
        assert draw(answers(), ("svg",)) == drawn
        assert matplotlib.rcParams["font.size"] == 30


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_escaped_and_intact(name: str):
    assert name in unescape(hostile_page())
    assert hostile_page().count("<script") == 2
    assert "<i>slanted" not in hostile_page()


def test_drawings_of_the_page_have_names_and_captions_and_follow_its_colours():
    outlined = outline(page())
    drawn = re.findall(r"<svg role.*?</svg>", page(), re.DOTALL)
    assert outlined.tags.count("figure") == outlined.tags.count("figcaption") == len(drawn) == 5
    assert all(re.match(r'<svg role="(img|group)" aria-label="[^"]+"', svg) for svg in drawn)
    assert not any(re.search(r"#[0-9a-f]{6}|style=", svg) for svg in drawn)
    assert "(prefers-color-scheme:dark)" in page()
    assert "@media print" in page()


@pytest.mark.slow
def test_the_page_of_many_tasks_and_foreign_names_says_what_it_draws():
    """The figure is then a matrix of means with boxes for letters that no font here has; the page has dots, and names as they are."""
    runs = {
        name: {f"t{task}": [0.1, 0.5, 0.2 * k] for task in range(90)} for k, name in enumerate(("A", "B", "\ue123"))
    }
    html = build(answers_of(ro.Scores.from_dict(runs)))
    assert "Points: runs, spread vertically only to tell them apart." in html
    assert "The darker a cell" not in html
    assert "Drawn in place of names" not in html


@pytest.mark.parametrize("name", marks(map(str, range(12))))
def test_the_colour_of_an_algorithm_is_seen_on_the_light_and_on_the_dark_page(name):
    colour = marks(map(str, range(12)))[name].color
    assert contrast(colour) >= 3
    assert contrast(brighter(colour), against=DARK) >= 3


def test_the_dark_page_is_the_one_that_colours_are_made_for():
    assert f"--page: {DARK};" in page()


def test_every_table_has_a_caption_or_a_heading_and_every_row_its_head():
    outlined = outline(page())
    labelled = len(re.findall(r"<table[^>]* aria-labelledby=", page()))
    assert outlined.tags.count("table") == outlined.tags.count("caption") + labelled >= 5
    assert labelled == 1
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", re.sub(r"<tfoot.*?</tfoot>", "", page(), flags=re.DOTALL), re.DOTALL)
    assert all("<th" in row for row in rows)


def test_ragged_data_show_the_runs_of_every_cell():
    data = ro.Scores.from_dict({"A": {"t": [1.0, 2, 3], "u": [1.0, 2, 4]}, "B": {"t": [2.0, 3, 5], "u": [3.0, 4.5]}})
    text = build(answers_of(data))
    assert "Runs by task and algorithm" in text
    assert "Runs by task and algorithm" not in page()


@pytest.mark.parametrize(("widest", "figure"), [(3, "pairs"), (2, "pvalues")])
def test_more_algorithms_than_that_have_a_figure_of_p_values_and_no_cells_that_say_more(widest, figure, monkeypatch):
    monkeypatch.setattr(drawing_module, "WIDE", widest)
    assert {plan.name for plan in plans(answers())} & {"pairs", "pvalues"} == {figure}


def rows_of_pairs(text: str) -> list[str]:
    return re.findall(r'<tr data-p="(\d+)">', re.search(r'<table class="pairs.*?</table>', text, re.DOTALL)[0])


def test_every_pair_has_a_row_and_of_very_many_those_of_the_leader(monkeypatch):
    pairs = standing_of(answers()).pairs
    assert rows_of_pairs(page()) == [str(k) for k in range(len(pairs))]
    monkeypatch.setattr(build_module, "MANY_PAIRS", 2)
    few = build(answers())
    assert [pairs[int(k)].a for k in rows_of_pairs(few)] == [standing_of(answers()).leader] * 2
    assert "<code>tables/pairs.csv</code> has all 3." in few


def test_a_row_of_pairs_has_the_numbers_of_its_sentence():
    for results in (answers(), gold("nothing_differs"), gold("four_with_ties")):
        table = pairs_table(results.comparison, standing_of(results))
        keys = [column.key for column in table.columns]
        for parts, pair in zip(rows_of(table, table.columns), standing_of(results).pairs, strict=True):
            row = dict(zip(keys, parts, strict=True))
            ends, chances = row["difference"][1], "probability of improvement {} {}".format(*row["chance"])
            assert row["difference"][0] in pair.sentence
            assert f"{ends}, {chances}" in pair.sentence


def test_the_matrix_has_each_pair_once_with_its_verdict_and_how_often_the_row_wins():
    standing = standing_of(gold("four_with_ties"))
    rows = rows_module.matrix(standing)["rows"]
    cells = {cell["place"]: (row["name"], cell) for row in rows for cell in row["cells"]}
    assert sorted(cells) == list(range(len(standing.pairs)))
    for place, pair in enumerate(standing.pairs):
        name, cell = cells[place]
        seen = pair if pair.a == name else pair.turned()
        assert cell["wins"] == chances(seen.improvement, None, None).split()[0]
        assert cell["kind"][0] == {"a_better": "r", "b_better": "c", "no_difference_found": "u"}[seen.verdict]


@pytest.mark.parametrize(("verdict", "kind"), [("b_better", "c odd"), ("a_better", "r"), ("equivalent", "e")])
def test_an_upset_is_the_columns_and_is_hatched_where_the_row_wins_more_often(verdict, kind):
    standing = standing_of(gold("four_with_ties"))
    first = standing.pairs[0]
    assert first.improvement > 0.5
    turned = place_of(standing.order, [replace(first, verdict=verdict), *standing.pairs[1:]])
    row = rows_module.matrix(turned)["rows"][0]
    cell = row["cells"][0]
    assert (row["name"], cell["kind"], cell["wins"]) == (
        first.a,
        kind,
        chances(first.improvement, None, None).split()[0],
    )


def test_pairs_without_a_difference_and_the_lead_that_matters_are_explained_where_they_are():
    warning = "elsewhere two need not be equal"
    assert warning in build(gold("nothing_differs"))
    assert warning not in build(gold("fully_apart"))
    words = "either none or the lead that matters, a tenth of the range of their runs."
    assert [words in build(gold(design)) for design in ("nothing_differs", "fully_apart")] == [True, False]


def test_a_cell_with_tiny_numbers_has_an_interval_with_a_width():
    results = answers_of(
        ro.Scores.from_dict({"A": {"t": [1.1e-9, 1.4e-9, 1.2e-9]}, "B": {"t": [1.0, 1.0000001, 1.0000002]}})
    )
    for cell in columns(results, ("A", "B"))[0].cells:
        mean, low, high = (
            float(v.replace("−", "-")) for v in re.findall(r"[\d.e−]+", f"{cell.estimate} {cell.interval}")
        )
        assert low < mean < high


def test_the_cells_of_a_task_with_tiny_scores_have_significant_digits():
    wide = {"A": {"t": [1.1e-6, 1.4e-6, 1.2e-6]}, "B": {"t": [1.1e-6, 2.4e-6, 2.2e-6]}}
    assert [cell.estimate for cell in columns(answers_of(ro.Scores.from_dict(wide)), ("A", "B"))[0].cells] == [
        "1.23e−06",
        "1.9e−06",
    ]


def test_every_control_is_hidden_until_the_script_is_there():
    controls = re.findall(r'<(?:div|p)[^>]*class="controls"[^>]*>', page())
    assert len(controls) >= 3
    assert all(" hidden" in tag for tag in controls)
    assert '<section id="cell" class="panel" aria-labelledby="cell-title" hidden>' in page()


def test_a_page_by_the_improvement_ranks_by_chances_and_tells_no_difference_of_means():
    results, html = by_chance(), build(by_chance())
    assert standing_of(results).order == tuple(name for name, _ in results.comparison.values)
    assert "Difference of" not in html
    assert "difference of means" not in html.partition('id="pairs"')[2].partition("</section>")[0]
    assert "Rank 1 by the chance to beat a run of another is possible" in html


@pytest.mark.sampled(2)
@pytest.mark.parametrize("measure", ["mean", "iqm", "median", "optimality_gap", "trimmed_mean_10", "improvement"])
def test_every_part_of_the_page_speaks_of_the_measure_that_was_named(measure):
    results = answer(scores(), alpha=0.05, seed=0, n_resamples=200, command="c", measure=measure)
    standing = standing_of(results)
    assert standing.order == tuple(name for name, _ in results.comparison.values)
    values = {name: f"{value:.6f}" for name, value in results.comparison.values}
    assert all(f"{value.estimate:.6f}" == values[value.algorithm] for value in ranked(results))
    caption = re.search(r'<caption id="c-versus">.*?</caption>', build(results), re.DOTALL)[0]
    named = "chance to win" if measure == "improvement" else metric_words(measure)
    assert f'<bdi id="whose">{results.comparison.leader}</bdi> by the <span id="by-what">{named}</span>' in caption
    assert differences_words(measure) in methods_paragraph(results).text
    if measure != "improvement":
        assert results.ranking.places.measure == measure
        assert results.robustness.measure == measure


def test_tables_and_titles_of_episodes_count_episodes_and_no_runs():
    episodes = ro.Scores.from_dict(
        {"ACT": [[0.1, 1], [1, 1], [0.2, 0]], "pi0": [[1.0, 1], [1, 0], [0.7, 1]]}, unit="episode"
    )
    text = unescape(re.sub(r"(?s)<script.*?</script>|<[^>]+>", " ", build(answers_of(episodes))))
    heads = (
        "2 tasks × 3 episodes",
        "Every episode, task",
        "Share of scores above",
        "Each episode was left out in turn",
        "Episodes per task",
        "Without one episode",
        "(3 episodes per cell)",
    )
    assert [words for words in heads if words not in text] == []
    assert [
        words for words in ("Runs per", "Without one run", "lowest run", "of runs", "Each run") if words in text
    ] == []
