# Acceleration of BCa intervals by the jackknife of package boot. stdin: [{data}], stdout: {software, cases}.
library(boot)
library(jsonlite)

acceleration <- function(case) {
  L <- empinf(data = case$data, statistic = function(x, i) mean(x[i]), type = "jack", stype = "i")
  L <- L - mean(L) # about the mean of the jackknife values, as in Efron & Tibshirani (1993) eq. 14.15; boot takes the statistic
  sum(L^3) / (6 * sum(L^2)^1.5)
}

cases <- fromJSON(file("stdin"), simplifyDataFrame = FALSE)
software <- c(paste0("R ", getRversion()), paste("boot", packageVersion("boot")))
cat(toJSON(list(software = software, cases = lapply(cases, acceleration)), auto_unbox = TRUE, digits = NA))
