import Domain

/// How long a product's charge gives access, in words.
enum PeriodWords {
  /// `every week`, `every 3 months`; nil of a period that is none of these.
  static func every(_ period: String) -> String? {
    let known = [
      "P1D": "every day", "P1W": "every week", "P7D": "every week", "P2W": "every 2 weeks", "P4W": "every 4 weeks",
      "P1M": "every month", "P2M": "every 2 months", "P3M": "every 3 months", "P6M": "every 6 months",
      "P1Y": "every year", "P12M": "every year",
    ]
    return known[period]
  }
}

extension OfferCard.Product {
  /// How often it is charged; nil where it is charged once, or nothing tells.
  var renewal: String? { kind == "one_time" ? nil : period.flatMap(PeriodWords.every) }
}
