"""The search of the site: eighty queries in the words of readers, each with the page that must stand among the first three results."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

pytestmark = pytest.mark.long
QUERIES = {
    "tutorial": ("install", "quickstart", "compare two agents"),
    "notebook": ("jupyter", "pandas"),
    "guides/read-your-report": ("report explained", "what do the bars mean"),
    "limits": ("limitations", "bayesian", "elo"),
    "guides/what-to-write": ("methods section", "rebuttal", "bold numbers"),
    "guides/checklists": ("checklist", "neurips checklist", "reproducibility statement"),
    "guides/three-seeds-and-a-deadline": ("5 seeds enough", "three seeds", "small sample"),
    "guides/check-a-published-table": (
        "pdf table",
        "mean ± std",
        "standard deviation or standard error",
        "review a paper",
    ),
    "guides/published-numbers": ("weak baseline", "reproduce a paper", "compare with published results"),
    "guides/two-models": (
        "llm accuracy",
        "mmlu",
        "binary outcomes",
        "bernoulli",
        "mcnemar",
        "clustered standard errors",
        "pass@k",
        "accuracy confidence interval",
    ),
    "guides/robot-policies": ("rollouts", "success rate", "17/20", "binary"),
    "tuning": ("hyperparameter search", "best of k configurations"),
    "guides/how-many-runs": ("power analysis", "sample size", "how many seeds"),
    "guides/when-to-stop": ("early stopping", "adastop", "add more seeds later"),
    "guides/gate-your-agent": ("github actions", "regression test", "nightly", "pytest", "exit code"),
    "guides/ci": ("junit", "gitlab", "docker", "flaky", "update baseline", "caching"),
    "guides/comparing-learning-curves": ("shaded", "sample efficiency", "area under the curve"),
    "guides/comparing-on-a-benchmark": ("performance profile",),
    "cookbook/draw": ("learning curve shaded", "error bars plot", "critical difference diagram"),
    "cookbook/read": ("wide table", "numpy array"),
    "cookbook/write": ("latex table", "markdown table"),
    "cookbook/repair": ("crashed seed", "average last evaluations"),
    "cookbook/compare": ("effect size", "equivalence"),
    "guides/logs/index": ("training logs",),
    "guides/logs/wandb": ("wandb", "weights and biases"),
    "guides/logs/tensorboard": ("tensorboard",),
    "guides/logs/evaluations": ("inspect logs", "lm-eval"),
    "guides/what-is-a-run": ("csv format", "dataframe"),
    "guides/which-runs-count": ("normalize mujoco", "nan", "best checkpoint"),
    "guides/my-metric": ("custom metric",),
    "guides/coming-from-rliable": ("rliable", "stratified bootstrap"),
    "guides/questions": ("faq", "error message"),
    "guides/what-is-an-iqm": ("interquartile mean",),
    "which-test": ("p-value", "which test", "error bars overlap", "mann-whitney"),
    "estimates": ("why not the bootstrap", "confidence interval"),
    "concepts/many-comparisons": ("multiple comparisons", "bonferroni", "26 games 26 tests"),
    "concepts/looks": ("peeking", "optional stopping"),
    "concepts/power": ("minimum detectable effect", "underpowered"),
    "concepts/items": ("how many questions", "items as the sample"),
    "ranks": ("average rank",),
    "evidence": ("validation", "why trust runoff"),
    "calibration": ("false positive rate",),
    "compare-with": ("scipy", "nemo evaluator"),
    "cite": ("cite", "bibtex"),
    "gallery": ("plots",),
}
"""Where a page stands on the site, and what is typed by those who look for it."""
FIRST = 3
DEVELOPERS = ("design/", "project/")
RANKED = """query => {
  const [text, terms, excluded, highlighted, objects] = Search._parseQuery(query);
  return Search._performSearch(text, terms, excluded, highlighted, objects).reverse().map(result => result[0]);
}"""


@pytest.fixture(scope="module")
def ranked(browser, tmp_path_factory):
    """The pages that the built site shows for a query, the first one first."""
    pytest.importorskip("sphinx")
    pytest.importorskip("furo")
    site = tmp_path_factory.mktemp("search") / "site"
    subprocess.run([sys.executable, "-m", "tools.site", str(site), "--unexecuted"], cwd=ROOT, check=True)
    return results_of(browser, site)


def results_of(browser, site: Path):
    page = browser.new_page()
    page.goto((site / "search.html").as_uri())
    page.wait_for_function("Search.hasIndex()")
    return lambda query: page.evaluate(RANKED, query)


def test_each_of_eighty_queries_shows_its_page_among_the_first_three(ranked):
    typed = [(query, page) for page, queries in QUERIES.items() for query in queries]
    assert len({query for query, _ in typed}) >= 80
    assert {query: ranked(query)[:FIRST] for query, page in typed if page not in ranked(query)[:FIRST]} == {}


def test_pages_of_developers_come_after_all_others(ranked):
    typed = [query for queries in QUERIES.values() for query in queries]
    for_developers = {query: [page.startswith(DEVELOPERS) for page in ranked(query)] for query in typed}
    assert {query for query, marks in for_developers.items() if marks != sorted(marks)} == set()
    assert any(any(marks) for marks in for_developers.values())


def test_a_page_stands_once_among_the_results_and_nonsense_finds_none(ranked):
    assert len(ranked("baseline")) == len(set(ranked("baseline")))
    assert ranked("zxqv") == []


@pytest.mark.parametrize("query", ["compare", "ro.compare", "Scores"])
def test_a_public_name_leads_to_its_page_of_the_reference(ranked, query):
    assert f"reference/runoff.{query.removeprefix('ro.')}" in ranked(query)[:FIRST]
