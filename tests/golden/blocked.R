# Blocked rank tests of coin and base R. stdin: [{name, test, y, block, treatment, draws, scale}], stdout: {software, cases}.
# All statistics are corrected for ties. Two treatments: z is positive where the first tends to have higher scores.
suppressPackageStartupMessages(library(coin))
library(jsonlite)

SIDES <- c("two-sided", "greater", "less")

within <- function(y, block, rule) ave(y, block, FUN = rule)

compared <- function(d) { # blocks with at least two treatments
  d[within(as.integer(d$treatment), d$block, function(t) length(unique(t))) > 1, ]
}

averaged <- function(d) aggregate(y ~ treatment + block, d, mean)

weighted <- list(
  mack_skillings = function(d) within(d$y, d$block, rank) / within(d$y, d$block, length),
  van_elteren = function(d) within(d$y, d$block, rank) / (within(d$y, d$block, length) + 1),
  skillings_mack = function(d) within(d$y, d$block, rank) * sqrt(12 / (within(d$y, d$block, length) + 1)),
  friedman = function(d) within(d$y, d$block, rank)
)

rank_sums <- function(d) { # rank 1 is the highest score of a block; mean ranks of cells, added over blocks
  means <- tapply(within(-d$y, d$block, rank), list(d$treatment, d$block), mean)
  unname(rowSums(means, na.rm = TRUE))
}

quadratic <- function(d) {
  found <- tryCatch(independence_test(score ~ treatment | block, d, teststat = "quadratic"),
                    error = function(e) NULL)
  if (is.null(found) || is.nan(statistic(found))) return(NULL) # all scores tied: nothing to compare
  list(statistic = as.numeric(statistic(found)), df = found@statistic@df, p_chi2 = as.numeric(pvalue(found)))
}

drawn <- function(d, draws) {
  set.seed(1)
  law <- approximate(nresample = draws)
  p <- pvalue(independence_test(score ~ treatment | block, d, teststat = "quadratic", distribution = law))
  list(mc_p = as.numeric(p), mc_se = sqrt(as.numeric(p) * (1 - as.numeric(p)) / draws), mc_draws = draws)
}

directed <- function(d, scale) {
  p <- function(side, ...) {
    as.numeric(pvalue(independence_test(score ~ treatment | block, d, alternative = sub("-", ".", side), ...)))
  }
  answer <- list(z = as.numeric(statistic(independence_test(score ~ treatment | block, d))),
                 normal = sapply(SIDES, p, simplify = FALSE))
  if (scale > 0) { # whole scores, for coin's shift algorithm
    d$score <- round(d$score * scale)
    answer$exact <- sapply(SIDES, p, distribution = "exact", simplify = FALSE)
  }
  answer
}

iman_davenport <- function(d) { # the F test of treatments in the analysis of variance of ranks and blocks
  table <- suppressWarnings(anova(lm(score ~ block + treatment, d)))
  list(iman_davenport_F = table["treatment", "F value"], iman_davenport_p = table["treatment", "Pr(>F)"])
}

friedman <- function(d) {
  found <- friedman.test(y ~ treatment | block, d)
  list(friedman_test = list(statistic = unname(found$statistic), p_chi2 = found$p.value))
}

answer <- function(case) {
  d <- data.frame(y = case$y, block = factor(case$block), treatment = factor(case$treatment))
  d <- compared(d)
  if (case$test %in% c("skillings_mack", "friedman")) d <- averaged(d)
  d <- droplevels(d)
  d$score <- weighted[[case$test]](d)
  found <- c(list(rank_sums = rank_sums(d)), quadratic(d))
  if (case$draws > 0) found <- c(found, drawn(d, case$draws))
  if (nlevels(d$treatment) == 2 && case$test %in% c("mack_skillings", "van_elteren")) {
    found <- c(found, directed(d, case$scale))
  }
  if (case$test == "friedman") found <- c(found, friedman(d), if (!is.null(found$statistic)) iman_davenport(d))
  found
}

cases <- fromJSON(file("stdin"), simplifyDataFrame = FALSE)
software <- c(paste0("R ", getRversion()), paste("coin", packageVersion("coin")))
cat(toJSON(list(software = software, cases = lapply(cases, answer)), auto_unbox = TRUE, digits = NA, null = "null",
           na = "null"))
