import Domain

extension DisplayPriceFinding {
  /// Charges against the price displayed; nil where no price is.
  static func figure(of prices: [DisplayPriceFinding]) -> ReportFigure? {
    guard !prices.isEmpty else { return nil }
    return ReportFigure(
      title: "Charges against the price displayed", method: .money,
      lead: differing(prices),
      of: prices,
      columns: [
        .text("product", \.product.text),
        .group { $0.group },
        .number("displayed", \.displayed?.exactWords),
        .count("charges", \.charges),
        .count("compared", \.compared),
        .count("differing", \.differing),
        .number("for one", \.example?.exactWords),
      ],
      note: "Only charges in the displayed price's currency are compared; offers and prices by country differ too.",
      isFolded: true)
  }

  /// `12 of 1,623 charges were at another price than the one displayed.`
  private static func differing(_ prices: [DisplayPriceFinding]) -> String {
    let (compared, other) = (prices.reduce(0) { $0 + $1.compared }, prices.reduce(0) { $0 + $1.differing })
    guard compared > 0 else {
      return
        "None of \(Phrase.count(prices.reduce(0) { $0 + $1.charges }, "charge")) is in the displayed price's currency, so "
        + "none could be compared."
    }
    return
      "\(Phrase.count(other)) of \(Phrase.count(compared, "charge")) \(other == 1 ? "was" : "were") at another price "
      + "than the one displayed."
  }
}
