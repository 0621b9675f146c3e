"""Tables of simulations (docs/tables): each has its page, and what a page says of them is what they hold.

A sentence with a number of a table stands in `SAID` with what the number is; `{}` is where the number stands. A table that is simulated anew
fails here where a sentence has to be read again.
"""

from __future__ import annotations

import re

import pytest

from runoff.lab import catalogue
from tests.docs.numbers import ATARI, BOOTSTRAPS, FEW, REAL, least, most, total
from tests.places import DOCS
from tools.site.atlas import highest
from tools.site.tables import FOLDER, LINK, read

PAGES = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
LINKED = {name for text in PAGES.values() for _, name in LINK.findall(text)}
TABLES = sorted(path.stem for path in FOLDER.glob("*.csv"))
MAKERS = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("make_*.py"))}
WRITTEN_BY_HAND = {"bounds_of_files", "heads_of_tables", "rliable_calls", "rliable_programs"}
OF_STUDIES = {
    "protocols": "agarwal2021/protocols",
    "protocols_real": "agarwal2021/protocols_runs",
    "shared_runs": "runoff/shared_runs",
}


UNEQUAL = "one ends at 60 %", "one ends at 60 % on one task", "each ends at 52 % on half of the tasks"
ARCHIVE, SINGLE = "guides/what-the-archive-says.md", "a pair of single runs alone has no verdict"
OWN, BY_HAND, WORST = "guides/my-metric.md", ("IQM, int(N / 4) cut",), ("worst task's mean",)
LOGARITHMS = ("mean of logarithms of task means",)
KEEP, STRICT, RENEWED, BESIDE = "calibration.md", ("strict",), ("strict, renewed",), ("strict, fresh champion",)
STABLE, FALSE, OVER = tuple("ABCDEGH"), "any false keep", "record overstated"


def level_of(rule, world="B"):
    """Return the true level of a rule with 300 runs."""
    return most("keep", "true level", percent=1, rule=(rule,), world=(world,), budget=("300",))


OF_SEARCHES = (
    ("any false keep in at most {:.1f} % of nights, renewed", most("keep", FALSE, rule=STRICT, world=STABLE)),
    ("of nights, renewed in at most {:.1f} %", most("keep", FALSE, rule=RENEWED, world=STABLE)),
    ("any false keep in up to {:.1f} % of nights (renewed", most("keep", FALSE, rule=STRICT, world=("F",))),
    ("(renewed {:.1f} %)", most("keep", FALSE, rule=RENEWED, world=("F",))),
    ("it is at most {:.1f} % there", most("keep", FALSE, rule=BESIDE, world=("F",))),
    ("and {:.1f} % anywhere", most("keep", FALSE, rule=BESIDE)),
    ("overstates by at most .{:.0f} (scenario E", most("keep", OVER, rule=STRICT, world=("E",))),
    ("without drift at most .{:02.0f})", most("keep", OVER, rule=STRICT, world=tuple("ABCDGH"))),
    ("overstates by {:.2f} to", least("keep", OVER, percent=1, rule=("greedy, 1 run",))),
    ("to {:.2f}. Its interval", most("keep", OVER, percent=1, rule=("greedy, 1 run",))),
    ("in {:.0f} to 96 % of nights of B", least("keep", "interval holds", rule=STRICT, world=tuple("BDEGH"))),
    ("to {:.0f} % of nights of B", most("keep", "interval holds", rule=STRICT, world=tuple("BDEGH"))),
    ("kept something in {:.0f} to 88 %", least("keep", "interval holds", rule=STRICT, world=("A",))),
    ("something in 79 to {:.0f} %", most("keep", "interval holds", rule=STRICT, world=("A",))),
    ("{:.2f} in B with 300 runs", level_of("gain")),
    ("(`strict` {:.2f}, greedy means", level_of("strict")),
    ("of three runs {:.2f}, greedy single", level_of("greedy, mean of k")),
    ("single runs {:.2f}, Welch's", level_of("greedy, 1 run")),
    ("three against three {:.2f})", level_of("Welch, 3 against 3")),
    ("and {:.2f} in C", level_of("gain", "C")),
    ("(G: {:.2f} against", level_of("strict", "G")),
    ("against {:.2f} with 300 runs)", level_of("gain", "G")),
    ("in B is {:.2f} without", least("keep_seeds", "true level", percent=1, world=("B",))),
    ("and {:.2f} at .9", most("keep_seeds", "true level", percent=1, world=("B",))),
    ("any false keep in at most {:.1f} % of nights.", most("keep_seeds", FALSE)),
    ("price is {:.0f} to 13 false keeps", least("keep", "false keeps", percent=1, rule=("gain",), world=("B", "C"))),
    ("4 to {:.0f} false keeps", most("keep", "false keeps", percent=1, rule=("gain",), world=("B", "C"))),
)
SAID = (
    (OWN, "an IQM by hand cover {:.0f} to 97", least("own_measures", "lowest coverage", function=BY_HAND)),
    (OWN, "an IQM by hand cover 94 to {:.0f} %", most("own_measures", "highest coverage", function=BY_HAND)),
    (OWN, "a mean of logarithms {:.0f} to 95 %", least("own_measures", "lowest coverage", function=LOGARITHMS)),
    (OWN, "in at most {:.0f} %.", most("own_measures", "equal algorithms", function=(*BY_HAND, *LOGARITHMS, "mean"))),
    (OWN, "a worst task's mean cover {:.0f} to 95 %", least("own_measures", "lowest coverage", function=WORST)),
    (OWN, "a worst task's mean cover 47 to {:.0f} %", most("own_measures", "highest coverage", function=WORST)),
    (OWN, "in up to {:.0f} % of experiments", most("own_measures", "equal values on other tasks", function=WORST)),
    (
        OWN,
        "the lowest tenth of all runs cover {:.0f} to 94 %",
        least("own_measures", "lowest coverage", function=("lowest tenth of all runs",)),
    ),
    (OWN, "which covers {:.0f} to 97 %", least("own_measures", "lowest coverage", function=("median of task means",))),
    (ARCHIVE, "136 of {:,.0f} verdicts are others", total("versions", "verdicts")),
    (ARCHIVE, "{:.0f} of 4,224 verdicts are others", total("versions", "other verdicts")),
    (ARCHIVE, "and {:.0f} pairs of the same verdict", total("versions", "same verdict, other numbers")),
    (ARCHIVE, "so that {:.0f} answers name no leader now", total("versions", "other leaders")),
    (
        ARCHIVE,
        "{:.0f} of the verdicts are those of pairs of single runs",
        total("changes_by_reason", "other verdicts", change=(SINGLE,)),
    ),
    (ARCHIVE, "the {:.0f} sets in which two algorithms share", len(read("versions")) - 2),
    ("calibration.md", "called different in at most {:.0f} % of experiments in every pool", most(REAL, "A/A")),
    *((KEEP, words, number) for words, number in OF_SEARCHES),
    ("calibration.md", "misses the true difference in at most {:.1f} %", most(ATARI, "misses", tasks=("3", "6"))),
    ("calibration.md", "with 3 runs it misses {:.1f} % (second pool)", most("law_resets", "misses", tasks=("16",))),
    ("calibration.md", "misses {:.1f} % and none", most("law_resets", "misses", tasks=("16",), measure=("iqm",))),
    (
        "calibration.md",
        "it misses 10 to {:.0f} % on one to three tasks",
        most("law_reppo", "misses", tasks=FEW, measure=("mean", "iqm")),
    ),
    (
        "calibration.md",
        "interval of a difference covers {:.0f} % on average (89",
        least("law_one_task", "difference covered", runs=("5",)),
    ),
    (
        "evidence/recommendations.md",
        "On one task with 5 runs it is wrong in {:.0f} %; α = .01 is wrong in 3 %",
        least("alpha", "means made equal, α = .05", tasks=("1",), runs=("5",)),
    ),
    (
        "evidence/recommendations.md",
        "On six tasks α = .05 is wrong in 5 to {:.0f} %",
        most("alpha", "means made equal, α = .05", tasks=("6",)),
    ),
    (
        "advice.md",
        "that of one mean {:.0f} % (83 to 92",
        least("law_one_task", "mean of one algorithm covered", runs=("5",)),
    ),
    ("calibration.md", "families err in 20 to {:.0f} % on one to three", most("law_reppo", "family", tasks=FEW)),
    ("calibration.md", "there too (1.3 to {:.1f} %)", most("law_reppo", "misses", measure=("improvement",))),
    (
        "calibration.md",
        "true mean in {:.0f} to 22 % of samples of Atari",
        least(("over_tasks_atari_200m", "over_tasks_atari_100k"), "misses", measure=("mean",)),
    ),
    (
        "calibration.md",
        "equal models are called different in at most {:.1f} % of experiments, and either",
        most("items_paired", "worst level", test=("score",)),
    ),
    (
        "calibration.md",
        "lies beyond the truth in at most {:.1f} %",
        most("items_paired", "worst side", test=("score",)),
    ),
    ("calibration.md", "paired t test does in up to {:.1f} %", most("items_paired", "worst side", test=("paired t",))),
    (
        "calibration.md",
        "14 items and ten attempts in {:.0f} %",
        most("items_attempts", "misses, worst of 4 designs", items=("14",), law=("score",)),
    ),
    (
        "evidence/formulas.md",
        "a stratified t interval misses in {:.0f} % of experiments",
        most("items_strata", "misses, worst of 12 designs", weights=("equal",), law=("stratified t",)),
    ),
    ("advice.md", "with five, {:.2f} of", least("items_clusters", "power", percent=1, clusters=("5",), law=("score",))),
    (
        "calibration.md",
        "they miss in 13 to {:.0f} % instead of 5 %",
        most("items_clusters", "misses, worst of 8 designs", law=("clusters ignored",)),
    ),
    (
        "calibration.md",
        "apart errs in up to {:.0f} % with 2 runs of one task",
        most("atlas", "false positives", method=("intervals apart (mean)",)),
    ),
    (
        "calibration.md",
        "No check fires in more than {:.1f} % of data sets",
        most("guards", "double precision", percent=1),
    ),
    (
        "which-test.md",
        "on one task it errs in up to {:.0f} % with 2 runs",
        most("atlas", "false positives", method=BOOTSTRAPS),
    ),
    (
        "calibration.md",
        "are called different in at most {:.1f} % of experiments, and different",
        most("unequal_training", "equal: default", training=UNEQUAL),
    ),
    (
        "calibration.md",
        "equal algorithms are called different in {:.0f} %.",
        most("unequal_training", "equal: default", training=("two runs of one end at 60 %",)),
    ),
    (
        "comparing.md",
        "in 19 to {:.0f} % of experiments",
        most("shared_runs", "false positives: read per task", tasks=("6",), correlation_of_a_run_over_tasks=("0.3",)),
    ),
    ("comparing.md", "Read as shared it is 2 to {:.0f} %", most("shared_runs", "false positives: read as shared")),
    ("estimates.md", "the IQM's only {:.0f} % with five runs", least("intervals_atari_100k", "IQM")),
    ("estimates.md", "With 3 runs t intervals cover {:.0f} %", least("intervals_shipped", "t", runs=("3",))),
    ("estimates.md", "percentile intervals {:.0f} %; with 20", least("intervals_shipped", "percentile", runs=("3",))),
    ("estimates.md", "with 20 runs {:.0f} %", least("intervals_shipped", "t", runs=("20",))),
    ("estimates.md", "and {:.0f} %. On games", least("intervals_shipped", "percentile", runs=("20",))),
    ("which-test.md", "percentile intervals cover {:.0f} %", least("intervals_shipped", "percentile", runs=("3",))),
    (
        "guides/three-seeds-and-a-deadline.md",
        "bootstrap covers {:.0f} % with three runs",
        least("intervals_shipped", "percentile", runs=("3",)),
    ),
    (
        "guides/coming-from-rliable.md",
        "of the mean cover {:.0f} %, t",
        least("intervals_shipped", "percentile", runs=("3",)),
    ),
    ("estimates.md", "the mean of one task covers {:.0f} to 97 %", least("intervals", "mean: t", tasks=("1",))),
    ("estimates.md", "but the mean {:.0f} to 89 %", least("intervals_over_tasks", "mean")),
    ("estimates.md", "it can fall to {:.0f} %", least("improvement_coverage", "one side ahead")),
    ("estimates.md", "does so in up to {:.0f} %", most("improvement_false_positives", "tasks vary", percent=1)),
    ("evidence/formulas.md", "there it covers down to {:.0f} %", least("rates", "mean: runoff")),
    ("evidence/formulas.md", "p ≤ .05 comes out in at most {:.1f} %", most("rates", "p ≤ .05")),
    ("ranks.md", "by mean and IQM cover in {:.0f} to 100 %", least("ranks", "IQM: all")),
    ("ranks.md", "down to {:.0f} % each", least("ranks", "median: each")),
    ("studies.md", "same algorithm comes out better in {:.0f} %", most("protocols", "both best", percent=1)),
    (
        "guides/can-i-trust-these-tests.md",
        "difference in up to {:.0f} % of",
        most("atlas", "false positives", method=BOOTSTRAPS),
    ),
    (
        "guides/can-i-trust-these-tests.md",
        "claim one in up to {:.0f} %; Welch's t test in about",
        most("atlas", "false positives", method=BOOTSTRAPS, runs=("3", "5")),
    ),
    (
        "guides/can-i-trust-these-tests.md",
        "in up to 12 %; Welch's in at worst {:.0f} %",
        most("atlas", "false positives", method=("Welch",), runs=("10", "20")),
    ),
    (
        "guides/can-i-trust-these-tests.md",
        "percentile intervals of the median cover {:.0f} to 97 %",
        least("trust_atari_100k", "3 runs", metric=("median",), interval=("percentile",)),
    ),
    (
        "guides/comparing-on-a-benchmark.md",
        "is too narrow with few runs on several tasks**: {:.0f} to 95 %",
        least("profiles", "exact (worst threshold)"),
    ),
    (
        "guides/comparing-learning-curves.md",
        "claims a difference in 0.1 to {:.1f} %",
        most("curves_errors", "max_t", percent=1),
    ),
    (
        "guides/comparing-learning-curves.md",
        "and in at most {:.0f} % where two algorithms have equal",
        most("curves_real_errors", "equal means: most", percent=1),
    ),
    (
        "guides/comparing-learning-curves.md",
        "the interval at a step covers {:.0f} to 91 %",
        least("curves_real_coverage", "at a step: lowest", percent=1),
    ),
    (
        "guides/comparing-learning-curves.md",
        "would cover as few as {:.0f} %",
        least("curves_risks", "long_term_risk", percent=1),
    ),
    (
        "evidence/planning.md",
        "enough for 80 % power in 35 to {:.0f} % of pilots",
        most("pilots", "as the pilot spreads"),
    ),
    (
        "evidence/planning.md",
        "sufficient less often (66 to {:.0f} % instead",
        most("pilots_one_run", "pooled is enough"),
    ),
    (
        "evidence/planning.md",
        "falls by .30 to .{:.0f} (predicted",
        most("next_runs", "true", pilot=("6 games of Atari 100k × 3", "26 games × 3")),
    ),
    ("evidence/planning.md", "was ruled out in {:.0f} %", most("more_runs", "wrong, %", percent=1)),
    ("evidence/planning.md", "and {:.0f} % after five log-normal", least("more_runs", "then decided, %", percent=1)),
    (
        "evidence/planning.md",
        "where there is none in .035 to .{:03.0f}",
        most("replanned", "found", percent=1000, true_lead=("0",)),
    ),
    (
        "evidence/planning.md",
        "asks for {:.0f} runs where 11 are needed",
        least("replanned", "planned, median", percent=1),
    ),
    (
        "evidence/looks.md",
        "skewed runs, one task | {:.3f} |",
        most("sequential_errors", "5 runs a look", percent=1),
    ),
    (
        "evidence/looks.md",
        "standard deviations are 1 and 3: there in {:.1f} %.",
        most("anytime_errors", "ever wrong"),
    ),
    ("guides/gate-your-agent.md", "on one task and in {:.1f} % on ten", most("gate_false_alarms", "10 tasks")),
    ("guides/when-to-stop.md", "differ by three, in {:.1f} %", most("sequential_errors", "5 runs a look")),
    ("guides/when-to-stop.md", "1 and 3 in {:.1f} % ([at", most("anytime_errors", "ever wrong")),
    (
        "guides/check-a-published-table.md",
        "in 57.2 to {:.1f} % ([measured]",
        most("claims_errors", "10 runs", percent=1),
    ),
    ("evidence/gate.md", "| 0.297 | 0.633 | {:.3f} |", most("gate_false_alarms", "10 tasks", percent=1)),
    (
        "evidence/gate.md",
        "six games | 1.00 | {:.2f} |",
        most("gate_months", "any in 30, nights=30", percent=1),
    ),
    (
        "evidence/claims.md",
        "supports a false claim in 15 to {:.0f} % of tables with 3",
        most("claims_bootstrap", "half the width, read as a t interval"),
    ),
    (
        "evidence/claims.md",
        "and 57.2 to {:.1f} % of tables of variants",
        most("claims_errors", "10 runs", percent=1),
    ),
    ("limits.md", "is none | {:.0f} % of nights", most("gate_false_alarms", "10 tasks")),
    ("limits.md", "any false positive in 30 | {:.0f} % of months", most("gate_months", "any in 30, nights=30")),
    ("limits.md", "looks.md#planned-looks) | {:.0f} %", most("sequential_errors", "5 runs a look")),
    ("limits.md", "looks.md#at-any-time) | {:.1f} %", most("anytime_errors", "ever wrong")),
    ("limits.md", "any false positive in a table | {:.1f} %", most("claims_errors", "10 runs", percent=1)),
    ("limits.md", "median of task means](estimates.md) | covers {:.0f} %", least("intervals", "median: t")),
    ("limits.md", "that few tasks move | covers {:.0f} %", least("own_measures", "lowest coverage", function=WORST)),
    ("limits.md", "p ≤ .05 in {:.0f} % | the", most("own_measures", "equal values on other tasks", function=WORST)),
    ("limits.md", "read as tests of means | {:.0f} %", most("atlas", "false positives", method=("Mack-Skillings",))),
    ("advice.md", "R303 is given in {:.0f}, R007", most("advice_codes", "of 200 reports", percent=1, code=("R303",))),
    ("advice.md", "R007 in {:.0f} and R206", most("advice_codes", "of 200 reports", percent=1, code=("R007",))),
    ("advice.md", "and R206 in {:.0f}. Where", most("advice_codes", "of 200 reports", percent=1, code=("R206",))),
    (
        "advice.md",
        "a verdict changed in {:.0f} of 10",
        most("advice_codes", "a verdict changed", percent=1, code=("R001",)),
    ),
    ("advice.md", "lacks (R012) in {:.0f} of 10", most("advice_codes", "a verdict changed", percent=1, code=("R012",))),
    (
        "advice.md",
        "shared runs (R022) in {:.0f} of 5",
        most("advice_codes", "a verdict changed", percent=1, code=("R022",)),
    ),
    (
        "advice.md",
        "a control (R007) in {:.0f} of 21",
        most("advice_codes", "a verdict changed", percent=1, code=("R007",)),
    ),
    ("advice.md", "disagree in {:.0f} of the 16", most("advice_codes", "a verdict changed", percent=1, code=("R206",))),
    ("advice.md", "R005 is given to at most {:.1f} %", most("advice_errors", "R005: 10 + 10 runs", percent=1)),
    (
        "advice.md",
        "to at most {:.1f} % of symmetric samples",
        most("advice_errors", "R006: 20 runs", percent=1, distribution=("normal", "t₃", "0/1")),
    ),
    (
        "advice.md",
        "groups 6 standard deviations apart are seen in {:.0f} %",
        least("two_groups", "6 standard deviations apart", runs=("10",)),
    ),
    ("tuning.md", "cover the truth in {:.1f} % of experiments at worst", least("sweeps_equal", "covers")),
    ("tuning.md", "those of a difference in {:.1f} %", least("sweeps_equal", "difference covers")),
    ("tuning.md", "there is a winner in {:.1f} % at most", most("sweeps_equal", "false winners")),
    ("tuning.md", "intervals cover in at least {:.0f} % of experiments", least("sweeps_collapse", "covers")),
    (
        "tuning.md",
        "intervals cover in {:.1f} % of experiments at worst (equal settings",
        least("sweeps_one_setting", "covers"),
    ),
    ("limits.md", "one setting for all tasks {:.1f} %", least("sweeps_one_setting", "covers")),
    (
        "tuning.md",
        "the plug-in value is too high by {:.2f} standard",
        most("sweeps_sensitivity", "plug-in bias", percent=1),
    ),
    ("tuning.md", "the mean of draws by {:.2f}", most("sweeps_sensitivity", "bias", percent=1, settings=("none",))),
    ("tuning.md", "Its interval covers in {:.1f} % at worst", least("sweeps_sensitivity", "covers")),
    ("tuning.md", "that of the gain in {:.1f} %", least("sweeps_sensitivity", "gain covers")),
    (
        "tuning.md",
        "runoff calls one of them more sensitive in {:.1f} % at most",
        most("sweeps_sensitivity", "falsely more sensitive"),
    ),
    (
        "tuning.md",
        "it says in {:.1f} % that tuning per task is needed",
        most("sweeps_sensitivity", "tuning falsely needed"),
    ),
    ("tuning.md", "contains the true one in {:.1f} % at worst", least("sweeps_dimension", "covers")),
    ("tuning.md", "is right in {:.1f} % where", least("sweeps_dimension", "plug-in right")),
    (
        "guides/what-the-archive-says.md",
        "of the differences were found again; with ten, {:.0f} %",
        least("archive_draws", "found again", n=("10",)),
    ),
)


def test_every_table_is_linked_from_a_page_and_every_link_has_its_table():
    assert sorted(LINKED) == TABLES


def names_of_makers():
    """The words that a generator writes as a table: in quotes, before `.csv`, or after the command that writes what is printed."""
    for text in (text for text in MAKERS.values() if "tables" in text):
        yield from re.findall(r'"(\w+)"|(\w+)\.csv', text)
        yield from (("", name) for names in re.findall(r"tools\.site\.tables ([\w ]+)", text) for name in names.split())


def test_every_table_of_simulations_is_named_by_the_command_that_makes_it():
    named = {quoted or printed for quoted, printed in names_of_makers()} & set(TABLES)
    assert not named & (WRITTEN_BY_HAND | set(OF_STUDIES))
    assert named | WRITTEN_BY_HAND | set(OF_STUDIES) == set(TABLES)


@pytest.mark.parametrize("study", OF_STUDIES.values())
def test_a_study_that_makes_a_table_is_in_the_catalogue_and_on_a_page(study):
    assert study in catalogue.names()
    assert any(study.rpartition("/")[2] in text for text in PAGES.values())


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_a_rectangle_and_its_columns_have_names_of_their_own(name):
    head, *rows = read(name)
    assert rows
    assert all(head)
    assert len(set(head)) == len(head)
    assert {len(row) for row in rows} == {len(head)}


@pytest.mark.parametrize(("page", "words", "number"), SAID, ids=[words for _, words, _ in SAID])
def test_a_number_in_a_sentence_is_that_of_its_table(page, words, number):
    assert words.format(number) in " ".join(PAGES[page].split())


def test_the_highest_rates_on_the_page_are_those_of_the_atlas():
    top = {rate[:3]: rate.rate for rate in highest(read("atlas")[1:])}
    section = PAGES["calibration.md"].partition("## All methods")[2]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]
    for method, *rates in rows:
        own = [top[kind, method, n] for kind in ("one task", "several tasks") for n in (3, 5, 10, 20)]
        assert [float(rate) for rate in rates] == own
    assert len(rows) == 6


def test_no_table_of_a_page_is_a_head_without_rows():
    empty = re.compile(r"^\|[ :|-]+\|\n(?!\|)", re.MULTILINE)
    assert [name for name, text in PAGES.items() if empty.search(f"{text}\n")] == []
