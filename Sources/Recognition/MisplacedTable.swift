import Engine

/// A table of something else among the purchases, and the option that it belongs behind.
enum MisplacedTable {
  /// What to type; nil where the table names users, as logs do.
  static func remedy(_ columns: ColumnGuess) -> String? {
    let user = columns.found[ColumnRole.userID.field]?.value
    guard user == nil || user == "id" else { return nil }
    let sample = columns.sample
    if let table = CatalogTable(sample) {
      return "\(sample.file) holds \(table.words), and nothing that anybody bought: hand it over with --catalog."
    }
    guard columns.found[ColumnRole.price.field] == nil, sample.names.contains("product_id"),
      !productColumns.isDisjoint(with: sample.names)
    else { return nil }
    return "\(sample.file) says what the products are, and nothing that anybody bought: hand it over with --products."
  }

  private static let productColumns: Set<String> = [
    "kind", "period", "trial", "grace", "tier", "credits", "duration_days", "scan_credits", "commission_percent",
  ]
}
