# Adjusted p-values of base R. stdin: [{name, p, n}], stdout: {software, cases: [{method: [adjusted, ...]}, ...]}.
library(jsonlite)

METHODS <- c("bonferroni", "holm", "hochberg", "hommel", "BH", "BY")

adjusted <- function(case) {
  p <- sapply(case$p, function(value) if (is.null(value)) NaN else value)
  n <- if (is.null(case[["n"]])) sum(!is.nan(p)) else case[["n"]] # $n would be the name
  sapply(METHODS, function(method) I(p.adjust(p, method, n = n)), simplify = FALSE)
}

cases <- fromJSON(file("stdin"), simplifyVector = FALSE)
cat(toJSON(list(software = list(paste0("R ", getRversion())), cases = lapply(cases, adjusted)), auto_unbox = TRUE,
           digits = NA, na = "null"))
