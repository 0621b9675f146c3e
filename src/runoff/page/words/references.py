"""References that a methods paragraph may cite, and as BibTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from runoff.words.patterns import regex

_LINE = regex(r"(?P<authors>.+?) \((?P<year>\d{4})\)\. (?P<title>.+?)\. (?P<where>(?:[A-Z]|arXiv).+)")
_JOURNAL = regex(r"(?P<journal>.+?) (?P<volume>[A-Z]?\d+), (?P<pages>\d+(?:–\d+)?)\.?")
_DOI = regex(r"\s*doi:(\S+?)\.?$")
SPECIAL = str.maketrans({"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "–": "--"})


def bibtex(references: Iterable[str]) -> str:
    """Return an entry for each reference.

    >>> print(bibtex(["Student (1908). The probable error of a mean. Biometrika 6, 1–25."]))
    @article{student1908,
      author = {Student},
      title = {{The probable error of a mean}},
      year = {1908},
      journal = {Biometrika},
      volume = {6},
      pages = {1--25},
    }
    """
    return "\n\n".join(map(_entry, references))


def _entry(reference: str) -> str:
    match = _LINE.fullmatch(reference)
    if match is None:
        raise ValueError(f"a reference has the form 'Authors (year). Title. Where.', not {reference!r}.")
    doi = _DOI.search(match["where"])
    where = _DOI.sub("", match["where"]).rstrip(".")
    journal = _JOURNAL.fullmatch(where)
    # "Family, I. J." again and again: commas part both names and authors.
    names = re.findall(r"[^,]+, (?:[A-Z]\.-?[ ]?(?:[A-Z]\.-?[ ]?)*)", match["authors"].replace(" & ", ", "))
    values = {
        "author": " and ".join(name.strip() for name in names) or match["authors"],
        "title": f"{{{match['title']}}}",
        "year": match["year"],
    }
    values |= journal.groupdict() if journal else {"note": where}
    values |= {"doi": doi[1]} if doi else {}
    texts = {field: value if field == "doi" else value.translate(SPECIAL) for field, value in values.items()}
    fields = "".join(f"  {field} = {{{value}}},\n" for field, value in texts.items())
    # A key of BibTeX has ASCII letters alone: Demšar is demsar.
    family = unicodedata.normalize("NFKD", re.split(r"[,(]", match["authors"])[0].casefold())
    return f"@{'article' if journal else 'misc'}{{{re.sub(r'[^a-z]', '', family)}{match['year']},\n{fields}}}"


REFERENCES: Mapping[str, str] = {
    "Agarwal et al. 2021": "Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. & Bellemare, M. G. (2021). Deep reinforcement "
    "learning at the edge of the statistical precipice. Advances in Neural Information Processing Systems 34.",
    "Benjamini & Hochberg 1995": "Benjamini, Y. & Hochberg, Y. (1995). Controlling the false discovery rate: a practical and powerful approach "
    "to multiple testing. Journal of the Royal Statistical Society B 57, 289–300.",
    "Benjamini & Yekutieli 2001": "Benjamini, Y. & Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under "
    "dependency. Annals of Statistics 29, 1165–1188.",
    "Boschloo 1970": "Boschloo, R. D. (1970). Raised conditional level of significance for the 2 × 2-table when testing the equality of two "
    "probabilities. Statistica Neerlandica 24, 1–35.",
    "Bell & McCaffrey 2002": "Bell, R. M. & McCaffrey, D. F. (2002). Bias reduction in standard errors for linear regression with multi-stage "
    "samples. Survey Methodology 28, 169–181.",
    "Brunner & Munzel 2000": "Brunner, E. & Munzel, U. (2000). The nonparametric Behrens-Fisher problem: asymptotic theory and a small-sample "
    "approximation. Biometrical Journal 42, 17–25.",
    "Casesa 2024": "Casesa, R. (2024). Statistical methods for reinforcement learning policy comparison. PhD thesis, Università degli "
    "Studi di Brescia.",
    "Chung & Romano 2013": "Chung, E. & Romano, J. P. (2013). Exact and asymptotically robust permutation tests. Annals of Statistics 41, "
    "484–507.",
    "Colas et al. 2019": "Colas, C., Sigaud, O. & Oudeyer, P.-Y. (2019). A hitchhiker's guide to statistical comparisons of "
    "reinforcement learning algorithms. arXiv:1904.06979.",
    "Conover & Iman 1981": "Conover, W. J. & Iman, R. L. (1981). Rank transformations as a bridge between parametric and nonparametric "
    "statistics. The American Statistician 35, 124–129.",
    "DeLong et al. 1988": "DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated "
    "receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837–845.",
    "Demšar 2006": "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning "
    "Research 7, 1–30.",
    "Friedman 1937": "Friedman, M. (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of variance. "
    "Journal of the American Statistical Association 32, 675–701.",
    "Hanley & McNeil 1982": "Hanley, J. A. & McNeil, B. J. (1982). The meaning and use of the area under a receiver operating characteristic "
    "(ROC) curve. Radiology 143, 29–36.",
    "Hochberg 1988": "Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of significance. Biometrika 75, 800–802.",
    "Holm 1979": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 65–70.",
    "Hommel 1988": "Hommel, G. (1988). A stagewise rejective multiple test procedure based on a modified Bonferroni test. Biometrika 75, "
    "383–386.",
    "Iman & Davenport 1980": "Iman, R. L. & Davenport, J. M. (1980). Approximations of the critical region of the Friedman statistic. "
    "Communications in Statistics – Theory and Methods 9, 571–595.",
    "Janssen 1997": "Janssen, A. (1997). Studentized permutation tests for non-i.i.d. hypotheses and the generalized Behrens-Fisher problem. "
    "Statistics & Probability Letters 36, 9–21.",
    "Korn & Graubard 1998": "Korn, E. L. & Graubard, B. I. (1998). Confidence intervals for proportions with small expected number of positive "
    "counts estimated from survey data. Survey Methodology 24, 193–201.",
    "Mack & Skillings 1980": "Mack, G. A. & Skillings, J. H. (1980). A Friedman-type rank test for main effects in a two-factor ANOVA. "
    "Journal of the American Statistical Association 75, 947–951. doi:10.1080/01621459.1980.10477577.",
    "Mann & Whitney 1947": "Mann, H. B. & Whitney, D. R. (1947). On a test of whether one of two random variables is stochastically larger "
    "than the other. Annals of Mathematical Statistics 18, 50–60.",
    "Miettinen & Nurminen 1985": "Miettinen, O. & Nurminen, M. (1985). Comparative analysis of two rates. Statistics in Medicine 4, 213–226.",
    "Mogstad et al. 2024": "Mogstad, M., Romano, J. P., Shaikh, A. M. & Wilhelm, D. (2024). Inference for ranks with applications to mobility "
    "across neighbourhoods and academic achievement across countries. Review of Economic Studies 91, 476–518.",
    "Piepho 2004": "Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise comparisons. Journal of "
    "Computational and Graphical Statistics 13, 456–466. doi:10.1198/1061860043515.",
    "Satterthwaite 1946": "Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics "
    "Bulletin 2, 110–114. doi:10.2307/3002019.",
    "Shaffer 1986": "Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures. Journal of the American Statistical "
    "Association 81, 826–831.",
    "Pustejovsky & Tipton 2018": "Pustejovsky, J. E. & Tipton, E. (2018). Small-sample methods for cluster-robust variance estimation and "
    "hypothesis testing in fixed effects models. Journal of Business & Economic Statistics 36, 672–683.",
    "Schuirmann 1987": "Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach for assessing "
    "the equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15, 657–680.",
    "Skillings & Mack 1981": "Skillings, J. H. & Mack, G. A. (1981). On the use of a Friedman-type statistic in balanced and unbalanced block "
    "designs. Technometrics 23, 171–177.",
    "Smyth 2004": "Smyth, G. K. (2004). Linear models and empirical Bayes methods for assessing differential expression in microarray "
    "experiments. Statistical Applications in Genetics and Molecular Biology 3, 3. doi:10.2202/1544-6115.1027.",
    "Student 1908": "Student (1908). The probable error of a mean. Biometrika 6, 1–25.",
    "Tango 1998": "Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample "
    "design. Statistics in Medicine 17, 891–908.",
    "Tukey 1958": "Tukey, J. W. (1958). Bias and confidence in not quite large samples. Annals of Mathematical Statistics 29, 614.",
    "van Elteren 1960": "van Elteren, P. (1960). On the combination of independent two-sample tests of Wilcoxon. Bulletin of the International "
    "Statistical Institute 37, 351–361.",
    "Welch 1947": "Welch, B. L. (1947). The generalization of 'Student's' problem when several different population variances are "
    "involved. Biometrika 34, 28–35. doi:10.1093/biomet/34.1-2.28.",
    "Westfall & Young 1993": "Westfall, P. H. & Young, S. S. (1993). Resampling-based multiple testing: examples and methods for p-value "
    "adjustment. Wiley.",
    "Wilson 1927": "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the American "
    "Statistical Association 22, 209–212.",
    "Zou & Donner 2008": "Zou, G. Y. & Donner, A. (2008). Construction of confidence limits about effect measures: a general approach. "
    "Statistics in Medicine 27, 1693–1702.",
    "Yuen 1974": "Yuen, K. K. (1974). The two-sample trimmed t for unequal population variances. Biometrika 61, 165–170.",
}
"""Short citation -> full reference; a citation in a text brings its reference along."""
