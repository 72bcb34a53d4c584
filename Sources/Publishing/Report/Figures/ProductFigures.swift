import Domain

extension ProductFinding {
  /// What was bought by product, drawn and in numbers; nil where nothing was.
  static func figure(of products: [ProductFinding]) -> ReportFigure? {
    guard !products.isEmpty else { return nil }
    let bars = products.map {
      BarChart.Bar(
        group: $0.group, label: "\($0.product), \($0.group.text)", value: Double($0.sales.buyers), interval: nil,
        text: "\(Phrase.count($0.sales.buyers)) buyers")
    }
    return ReportFigure(
      title: "Product mix", svg: BarChart(bars: bars).svg(title: "Buyers by product and group"), of: products,
      columns: [
        .text("product", \.product.text),
        .text("group", \.group.text),
        .text("kind") { StoryWords.plain($0.kind?.rawValue ?? "") },
        .count("buyers", \.sales.buyers),
        .count("first choice of", \.firstBuyers),
        .count("charges", \.sales.charges),
        .count("refunded", \.sales.refundedCharges),
        .money("gross", \.sales.gross),
        .money("net", \.sales.net),
        .money("proceeds", \.sales.proceeds),
      ])
  }
}

extension ChargesByAttribute {
  var figure: ReportFigure {
    ReportFigure(
      title: "Charges by \(attribute)", of: lines,
      columns: [
        .text(attribute.text, \.label),
        .text("group", \.group.text),
        .count("buyers", \.sales.buyers),
        .count("charges", \.sales.charges),
        .count("refunded", \.sales.refundedCharges),
        .money("gross", \.sales.gross),
        .money("net", \.sales.net),
        .money("proceeds", \.sales.proceeds),
      ],
      note: Self.note)
  }
}
