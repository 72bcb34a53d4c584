import Domain

extension ProductFinding {
  /// What was bought by product; nil where nothing was.
  static func figure(of products: [ProductFinding]) -> ReportFigure? {
    guard !products.isEmpty else { return nil }
    return ReportFigure(
      title: "What was bought", lead: favourites(products), of: products,
      columns: [
        .text("product", \.product.text),
        .text("group", \.group.text),
        .bar("buyers", \.group, { Double($0.sales.buyers) }) { Phrase.count($0.sales.buyers) },
        .count("first choice of", \.firstBuyers),
        .count("charges", \.sales.charges),
        .count("refunded", \.sales.refundedCharges),
        .money("gross", \.sales.gross),
        .money("net", \.sales.net),
        .money("proceeds", \.sales.proceeds),
      ])
  }

  /// `Most bought: weekly_799 in control, weekly_599 in group_a.`
  private static func favourites(_ products: [ProductFinding]) -> String {
    let byGroup = Dictionary(grouping: products, by: \.group).sorted { $0.key < $1.key }
    let names = byGroup.compactMap { group, products in
      let first = products.filter { $0.sales.buyers > 0 }
        .max { ($0.sales.buyers, $1.product) < ($1.sales.buyers, $0.product) }
      return first.map { "\($0.product.text) in \(group.text)" }
    }
    return names.isEmpty ? "Nothing was bought yet." : "Most bought: \(Phrase.list(names))."
  }
}

extension ChargesByAttribute {
  var figure: ReportFigure {
    ReportFigure(
      title: "Charges by \(attribute)", lead: Self.note, of: lines,
      columns: [
        .text(attribute.text, \.label),
        .text("group", \.group.text),
        .bar("buyers", \.group, { Double($0.sales.buyers) }) { Phrase.count($0.sales.buyers) },
        .count("charges", \.sales.charges),
        .count("refunded", \.sales.refundedCharges),
        .money("gross", \.sales.gross),
        .money("net", \.sales.net),
        .money("proceeds", \.sales.proceeds),
      ], isFolded: true)
  }
}
