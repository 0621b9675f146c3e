# Two-sample tests of base R and coin. stdin: [{name, x, y, draws}], stdout: {software, cases: [[row, ...], ...]}.
# A row is one p-value; differences are x - y. Where R refuses (constant samples), there is no row.
suppressPackageStartupMessages(library(coin))
library(jsonlite)

row <- function(test, options, side, source, answer, statistic = answer$statistic, df = answer$parameter) {
  number <- function(value) if (is.null(value)) NULL else unname(value)
  list(test = test, options = options, alternative = side, p = answer$p.value,
       statistic = number(statistic), df = number(df), source = source)
}

attempt <- function(code) tryCatch(suppressWarnings(code), error = function(e) NULL)

base_rows <- function(x, y, side, r_side) {
  none <- setNames(list(), character())
  ranks <- rank(c(x, y))
  of_x <- ranks[seq_along(x)]
  of_y <- ranks[-seq_along(x)]
  list(
    attempt(row("student", none, side, "R t.test", t.test(x, y, alternative = r_side, var.equal = TRUE))),
    attempt(row("welch", none, side, "R t.test", t.test(x, y, alternative = r_side))),
    attempt(row("ranked_t", none, side, "R t.test of rank()",
                t.test(of_x, of_y, alternative = r_side, var.equal = TRUE))),
    attempt(row("mann_whitney", list(method = "asymptotic"), side, "R wilcox.test",
                wilcox.test(x, y, alternative = r_side, exact = FALSE, correct = TRUE)))
  )
}

coin_rows <- function(x, y, side, r_side, draws) {
  data <- data.frame(value = c(x, y), group = factor(rep(c("x", "y"), c(length(x), length(y)))))
  exact <- list(method = "exact")
  p <- function(test, distribution) {
    list(p.value = as.numeric(pvalue(test(value ~ group, data, alternative = r_side, distribution = distribution))))
  }
  found <- list(attempt(row("mann_whitney", exact, side, "R coin wilcox_test", p(wilcox_test, "exact"))))
  if (draws == 0) {
    return(c(found, list(attempt(row("permutation", exact, side, "R coin oneway_test", p(oneway_test, "exact"))))))
  }
  set.seed(1)
  drawn <- p(oneway_test, approximate(nresample = draws))
  c(found, list(row("permutation", list(method = "monte_carlo"), side, "R coin oneway_test", drawn)))
}

rows <- function(case) {
  found <- list()
  for (side in c("two-sided", "greater", "less")) {
    r_side <- sub("-", ".", side)
    found <- c(found, base_rows(case$x, case$y, side, r_side), coin_rows(case$x, case$y, side, r_side, case$draws))
  }
  Filter(function(one) !is.null(one) && is.finite(one$p), found)
}

cases <- fromJSON(file("stdin"), simplifyDataFrame = FALSE)
software <- c(paste0("R ", getRversion()), paste("coin", packageVersion("coin")))
cat(toJSON(list(software = software, cases = lapply(cases, rows)), auto_unbox = TRUE, digits = NA, null = "null"))
