extension DisplayPriceFinding {
  /// Charges against the price displayed; nil where no price is.
  static func figure(of prices: [DisplayPriceFinding]) -> ReportFigure? {
    guard !prices.isEmpty else { return nil }
    return ReportFigure(
      title: "Charges against the price displayed", of: prices,
      columns: [
        .text("product", \.product.text),
        .text("group", \.group.text),
        .number("displayed", \.displayed?.exactWords),
        .count("charges", \.charges),
        .count("compared", \.compared),
        .count("differing", \.differing),
        .number("for one", \.example?.exactWords),
      ],
      note: "Only charges in the displayed price's currency are compared; offers and prices by country differ too.")
  }
}
