import Analysis
import Domain
import Engine

extension SummaryTables {
  /// On which day of their trial users first paid, of those for whom that day is over.
  var trialDays: String {
    let rows = night.trialDays.filter { $0.offering == offering }
    let days = Set(rows.map(\.day)).sorted()
    let lines = days.prefix(Self.mostDays).map { day in
      (
        "day \(day)",
        groups.map { group in
          rows.first { $0.day == day && $0.group == group }.map { row in
            "\(Phrase.count(row.paid))\(row.share.map { " (\(Phrase.percent($0)))" } ?? "")"
          } ?? ""
        }
      )
    }
    return table("First paid on day of the trial", lines, rest: days.count - lines.count, of: "days")
  }

  private static let mostDays = 31

  /// Buyers and net money by the values of charges' attributes, those with the most charges first.
  var chargesBy: String {
    let rows = night.chargesBy.filter { $0.offering == offering }
    let tables = Set(rows.map(\.sales.attribute)).sorted().map { attribute in
      buyers(by: attribute, rows.filter { $0.sales.attribute == attribute })
    }
    return tables.isEmpty ? "" : (tables + ["\(ChargesByRow.reading)\n"]).joined(separator: "\n")
  }

  private func buyers(by attribute: Identifier, _ rows: [ChargesByRow]) -> String {
    let values = valuesByCharges(rows)
    let lines = values.prefix(Self.mostRows).map { value in
      (
        value.text.isEmpty ? "(empty)" : value.text,
        groups.map { group in
          rows.first { $0.group == group && $0.sales.value == value }.map {
            "\(Phrase.count($0.sales.sums.buyers)) (\(money($0.sales.sums.net)))"
          } ?? ""
        }
      )
    }
    return table("Buyers by \(attribute) (net money)", lines, rest: values.count - lines.count, of: "values")
  }

  private func valuesByCharges(_ rows: [ChargesByRow]) -> [Identifier] {
    let charges = Dictionary(rows.map { ($0.sales.value, $0.sales.sums.charges) }, uniquingKeysWith: +)
    return charges.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map(\.key)
  }

  /// What users in no offering paid, beside the groups'.
  var outside: String {
    let rows = night.outside.filter { $0.place == .outside || $0.offering == offering }
    guard !rows.isEmpty else { return "" }
    var text = "| Users outside the test, beside the groups | users | payers | gross | net | net a user |\n"
    text += "|---|--:|--:|--:|--:|--:|\n"
    for row in rows.filter({ $0.place == .group }) + rows.filter({ $0.place == .outside }) {
      let cells = [
        SummaryExporter.escape(name(row)), Phrase.count(row.sales.users),
        Phrase.count(row.sales.payers) + (row.conversion.map { " (\(Phrase.percent($0)))" } ?? ""),
        money(row.sales.gross), money(row.sales.net),
        row.netPerUser.map { Phrase.value($0, isShare: false, currency: night.currency) } ?? "",
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return text + "\n\(Self.noComparison)\n"
  }

  /// `outside, logged as VAR1`.
  func name(_ row: OutsideRow) -> String {
    let logged = [row.offering, row.group].compactMap { $0?.text }.joined(separator: ", ")
    return row.place == .group ? row.group?.text ?? "" : "outside, logged as \(logged.isEmpty ? "nothing" : logged)"
  }

  /// Charges that were not at the price displayed, of those that can be compared; silent where all were.
  var displayPrices: String {
    let rows = night.displayPrices.filter { $0.offering == offering && $0.prices.counts.differing > 0 }
    let products = Set(rows.map(\.prices.product)).sorted()
    let lines = products.prefix(Self.mostRows).map { product in
      (
        product.text,
        groups.map { group in
          rows.first { $0.prices.product == product && $0.group == group }.map { row in
            "\(Phrase.count(row.prices.counts.differing)) of \(Phrase.count(row.prices.counts.compared))"
          } ?? ""
        }
      )
    }
    return table("Charges not at the price displayed", lines, rest: products.count - lines.count, of: "products")
  }
}
