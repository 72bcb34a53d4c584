import Domain

extension SummaryTables {
  /// What users bought, by product, those with the most buyers first.
  var products: String {
    let products = Dictionary(grouping: offering.products, by: \.product)
    let lines = ranked(products) { $0.reduce(0) { $0 + $1.sales.buyers } }.map { product, rows in
      line(product.text) { group in buyers(rows.filter { $0.group == group }.map(\.sales)) }
    }
    return table("Buyers by product (net money)", lines, limit: Self.maximumRows, of: "products")
  }

  /// Buyers and net money by the values of charges' attributes, those with the most charges first.
  var charges: String {
    guard !offering.charges.isEmpty else { return "" }
    let tables = offering.charges.map { attribute in
      let values = Dictionary(grouping: attribute.lines, by: \.value)
      let lines = ranked(values) { $0.reduce(0) { $0 + $1.sales.charges } }.map { _, rows in
        line(rows[0].label) { group in rows.first { $0.group == group }.map { words($0.sales.buyers, $0.sales.net) } }
      }
      return table(
        "Buyers by \(attribute.attribute) (net money)", lines, limit: Self.maximumRows, of: "values")
    }
    return (tables + ["\(ChargesByAttribute.note)\n"]).joined(separator: "\n")
  }

  /// Of a product that is sold as several kinds, all kinds together; nil where nobody bought it.
  private func buyers(_ sales: [SalesFigures]) -> String? {
    let buyers = sales.reduce(0) { $0 + $1.buyers }
    let net = sales.compactMap(\.net).reduce(nil as Money?) { sum, net in
      Money(micros: (sum?.micros ?? 0) + net.micros, currency: net.currency)
    }
    return buyers > 0 ? words(buyers, net) : nil
  }

  /// `342 (39,600 GBP)`.
  private func words(_ buyers: Int, _ net: Money?) -> String {
    Phrase.count(buyers) + (net.map { " (\($0.words))" } ?? "")
  }

  /// What users in no offering paid, beside the groups'.
  var outside: String {
    guard let outside = offering.outside else { return "" }
    let columns: [Markdown.Column] = [
      .text("Users outside the test, beside the groups"), .number("users"), .number("payers"), .number("gross"),
      .number("net"), .number("net a user"),
    ]
    let rows = outside.lines.map { line in
      [
        Markdown.escape(Self.name(of: line)), Phrase.count(line.users),
        StoryWords.count(line.payers, share: line.conversion), line.gross?.words ?? "", line.net?.words ?? "",
        line.netPerUserWords ?? "",
      ]
    }
    return Markdown.table(columns, rows) + "\n\(Outside.noComparison)\n"
  }

  /// `outside, logged as VAR1`.
  static func name(of line: Outside.Line) -> String {
    guard line.isOutside else { return line.loggedAs }
    return "outside, logged as \(line.loggedAs.isEmpty ? "nothing" : line.loggedAs)"
  }

  /// Charges that were not at the price displayed, of those that can be compared; silent where all were.
  var displayPrices: String {
    let differing = offering.displayPrices.filter { $0.differing > 0 }
    let lines = Dictionary(grouping: differing, by: \.product).sorted { $0.key < $1.key }.map { product, rows in
      line(product.text) { group in
        rows.first { $0.group == group }.map { "\(Phrase.count($0.differing)) of \(Phrase.count($0.compared))" }
      }
    }
    return table("Charges not at the price displayed", lines, limit: Self.maximumRows, of: "products")
  }
}
