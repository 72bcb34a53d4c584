import Analysis

extension NightResult {
  /// The names of the tables of results that are not the same on another night.
  package func tables(differingFrom other: NightResult) throws -> [String] {
    try ResultTables.all.filter { try Self.rows(of: $0.table(of: self)) != Self.rows(of: $0.table(of: other)) }
      .map(\.name)
  }

  private static func rows(of table: Table) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try table.forEachRow { CSVExporter.appendRow($0, to: &bytes) }
    return bytes
  }
}
