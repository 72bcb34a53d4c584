import Domain

extension ProductFinding {
  /// What was bought by product; nil where nothing was.
  static func figure(of products: [ProductFinding]) -> ReportFigure? {
    guard !products.isEmpty else { return nil }
    let (shown, all) = mostBought(products)
    return ReportFigure(
      title: "What was bought", method: .money, lead: favourites(products), of: shown,
      columns: [
        .text("product", \.product.text),
        .group { $0.group },
        .bar("buyers", \.group, { Double($0.sales.buyers) }) { Phrase.count($0.sales.buyers) },
        .count("first choice of", \.firstBuyers),
        .count("charges", \.sales.charges),
        .count("refunded", \.sales.refundedCharges),
        .money("gross", \.sales.gross),
        .money("net", \.sales.net),
        .money("proceeds", \.sales.proceeds),
      ],
      note: all > mostProducts
        ? "These are the \(mostProducts) products with most buyers, of \(Phrase.count(all)); products.csv has all."
        : nil)
  }

  /// A shop has fewer; a log whose product ids are rubbish may have millions.
  private static let mostProducts = 100

  /// The products with most buyers in all groups, of one number the first by name, and how many there are in all.
  private static func mostBought(_ products: [ProductFinding]) -> (shown: [ProductFinding], all: Int) {
    let buyers = products.reduce(into: [:]) { $0[$1.product, default: 0] += $1.sales.buyers }
    guard buyers.count > mostProducts else { return (products, buyers.count) }
    let most = buyers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(mostProducts)
    let names = Set(most.map(\.key))
    return (products.filter { names.contains($0.product) }, buyers.count)
  }

  /// `Most bought: weekly_799 in control and weekly_599 in group_a.`, `Most bought in every group: monthly_299.`
  private static func favourites(_ products: [ProductFinding]) -> String {
    let byGroup = Dictionary(grouping: products, by: \.group).sorted { $0.key < $1.key }
    let most = byGroup.compactMap { _, products in
      products.filter { $0.sales.buyers > 0 }
        .max { ($0.sales.buyers, $1.product) < ($1.sales.buyers, $0.product) }
    }
    guard let first = most.first else { return "Nothing was bought yet." }
    if most.count > 1, most.allSatisfy({ $0.product == first.product }) {
      return "Most bought in every group: \(first.product)."
    }
    return "Most bought: \(StoryWords.list(most.map { "\($0.product.text) in \($0.group.inWords)" }))."
  }
}

extension ChargesByAttribute {
  var figure: ReportFigure {
    ReportFigure(
      title: "Charges by \(attribute)", method: .money, lead: "\(favourites) \(Self.note)", of: lines,
      columns: [
        .text(attribute.text, \.label),
        .group { $0.group },
        .bar("buyers", \.group, { Double($0.sales.buyers) }) { Phrase.count($0.sales.buyers) },
        .count("charges", \.sales.charges),
        .count("refunded", \.sales.refundedCharges),
        .money("gross", \.sales.gross),
        .money("net", \.sales.net),
        .money("proceeds", \.sales.proceeds),
      ], isFolded: true)
  }

  /// `By store, most buyers: US in control (121) and DE in group_a (140).`
  private var favourites: String {
    let most = Dictionary(grouping: lines, by: \.group).sorted { $0.key < $1.key }.compactMap { _, lines in
      lines.filter { $0.sales.buyers > 0 }.max { ($0.sales.buyers, $1.value) < ($1.sales.buyers, $0.value) }
    }
    guard !most.isEmpty else { return "By \(attribute), nothing was bought yet." }
    let words = most.map { "\($0.label) in \($0.group.inWords) (\(Phrase.count($0.sales.buyers)))" }
    return "By \(attribute), most buyers: \(StoryWords.list(words))."
  }
}
