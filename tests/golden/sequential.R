# Boundaries, errors spent and power of two-sided group sequential designs by rpact. stdin: [{spending, alpha, information, drifts}],
# stdout: {software, cases: [{critical, spent, power}, ...]}; drift: mean of the last statistic.
library(jsonlite)
suppressMessages(library(rpact))

TYPES <- c(pocock = "asP", obrien_fleming = "asOF", pocock_1977 = "P", obrien_fleming_1979 = "OF")

found <- function(case) {
  design <- getDesignGroupSequential(
    kMax = length(case$information), alpha = case$alpha, sided = 2, typeOfDesign = TYPES[[case$spending]],
    informationRates = unlist(case$information), tolerance = 1e-10
  )
  power <- sapply(unlist(case$drifts), function(drift) {
    getPowerAndAverageSampleNumber(design, theta = drift / 10, nMax = 100)$overallReject
  })
  list(critical = I(design$criticalValues), spent = I(design$alphaSpent), power = I(power))
}

cases <- fromJSON(file("stdin"), simplifyVector = FALSE)
cat(toJSON(list(software = list(paste0("R ", getRversion()), paste0("rpact ", packageVersion("rpact"))), cases = lapply(cases, found)),
           auto_unbox = TRUE, digits = NA))
