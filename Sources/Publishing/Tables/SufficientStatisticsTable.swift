import Analysis
import Measurement
import Statistics

/// `sufficient_statistics.csv`: the exact integers every figure is computed from.
struct SufficientStatisticsTable: ResultTable {
  typealias Record = StatisticsRow
  let name = "sufficient_statistics"
  let meaning = "The exact whole numbers that every figure is computed from."
  let records = Records<Record>.held(\.statistics)

  let offering = Name.offering(\.key.offering)
  let group = Name.group(\.key.group)
  let segment = Name.segment(\.key.segment)
  let metric = Name.metric(\.key.metric)
  let kind = Text("kind", "how the metric is averaged: proportion, mean or ratio", \.kind.rawValue)
  let scale = Integer(
    "scale", "how many of the sums' units make one of the value's: 1000000 of money, else 1", \.scale)
  let users = Integer("n", "users", \.sums.n)
  let sumY = Amount.sum("sum_y", "Σy: y is the user's quantity, or a ratio's numerator", \.sums.sumY)
  let sumYY = Amount.sum("sum_yy", "Σy²", \.sums.sumYY)
  let sumX = Amount.sum("sum_x", "Σx: x is a ratio's denominator", \.sums.sumX)
  let sumXX = Amount.sum("sum_xx", "Σx²", \.sums.sumXX)
  let sumXY = Amount.sum("sum_xy", "Σxy", \.sums.sumXY)
  let sumC = Amount.sum("sum_c", "Σc: c is the covariate, the quantity before assignment", \.sums.sumC)
  let sumCC = Amount.sum("sum_cc", "Σc²", \.sums.sumCC)
  let sumYC = Amount.sum("sum_yc", "Σyc", \.sums.sumYC)
  let sumXC = Amount.sum("sum_xc", "Σxc", \.sums.sumXC)
}
