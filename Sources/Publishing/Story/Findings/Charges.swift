import Analysis
import Domain

/// What was bought, by the values of one attribute of charges: by store, by paywall.
struct ChargesByAttribute {
  let attribute: Identifier
  /// By value, then by group.
  let lines: [Line]

  struct Line {
    let value: Identifier
    let group: StoryGroup
    let sales: SalesFigures
  }

  /// What must stand beside it.
  static let note =
    "Who buys where is a consequence of the group: this describes what was bought, and tests nothing."
}

extension ChargesByAttribute {
  /// One for each attribute that a charge tells, by name.
  static func all(in source: OfferingSource) -> [ChargesByAttribute] {
    let attributes = Dictionary(grouping: source.rows(of: ChargesByTable()), by: \.attribute)
    return attributes.sorted { $0.key < $1.key }.map { attribute, rows in
      let lines = rows.map { row in
        Line(value: row.value, group: source.group(row.group), sales: SalesFigures(row.sales, in: source))
      }
      return ChargesByAttribute(
        attribute: attribute, lines: lines.sorted { ($0.value, $0.group) < ($1.value, $1.group) })
    }
  }
}

extension ChargesByAttribute.Line {
  /// The value as a reader sees it.
  var label: String { value.utf8.isEmpty ? "(empty)" : value.text }
}
