/// Writes rows of `user_offering_assignments`: as CSV with public names, or as the server has them, by its catalog's row
/// ids, in CSV or with a tab between fields, as MySQL's `SELECT … INTO OUTFILE` does.
struct AssignmentLine: Sendable {
  let scenario: Scenario
  let form: Story.AssignmentForm
  let names: UserName
  /// Offering and group go by their rows in the catalog's tables.
  private let hasRowIDs: Bool

  init(_ scenario: Scenario, form: Story.AssignmentForm = .csv) {
    self.scenario = scenario
    self.form = form
    names = UserName(scenario)
    hasRowIDs = form == .ids || form == .mysql && scenario.story?.tables.catalog != Story.CatalogForm.none
  }

  /// The names of the columns; nil where the file does not tell them.
  var header: [UInt8]? {
    let columns: [String]? =
      switch form {
      case .csv: ["user_id", "offering_id", "test_group_id", "assigned_at"]
      case .ids: ["id", "user_id", "subscription_offering_id", "offering_group_id", "created_at"]
      case .mysql: nil
      }
    guard let columns else { return nil }
    var bytes: [UInt8] = []
    bytes.write(csv: columns + scenario.attributes.map(\.name))
    return bytes.dropLast()
  }

  /// Writes a row, without its line end.
  func write(_ row: SimulatedAssignment, to bytes: inout [UInt8]) {
    if form != .csv { write("\(UInt64(row.user) * 2 + (row.dirt == .none ? 1 : 2))", to: &bytes) }
    names.write(row.user, to: &bytes)
    write(separated: hasRowIDs ? "\(CatalogTables.offeringRow)" : scenario.offering.id, to: &bytes)
    write(separated: row.dirt == .missingGroup ? nil : group(of: row), to: &bytes)
    bytes.write(separator)
    writeTime(row, to: &bytes)
    for value in scenario.attributes(of: row.user) {
      write(separated: value.isEmpty ? nil : value, to: &bytes)
    }
  }

  private func group(of row: SimulatedAssignment) -> String {
    hasRowIDs ? "\(CatalogTables.firstGroupRow + Int(row.group))" : scenario.groups[Int(row.group)].name
  }

  private var separator: String { form == .mysql ? "\t" : "," }

  private func write(_ first: String, to bytes: inout [UInt8]) {
    bytes.write(first)
    bytes.write(separator)
  }

  /// A field behind the others; `\N` is NULL between tabs, and nothing between commas.
  private func write(separated field: String?, to bytes: inout [UInt8]) {
    bytes.write(separator)
    switch form {
    case .mysql: bytes.write(field ?? "\\N")
    case .csv, .ids: bytes.write(csvField: field ?? "")
    }
  }

  private func writeTime(_ row: SimulatedAssignment, to bytes: inout [UInt8]) {
    guard row.dirt != .badTime else { return bytes.write("0000-00-00 00:00:00") }
    bytes.write(secondOf: row.time, separator: UInt8(ascii: " "))
    bytes.write(".")
    bytes.write(UInt64(row.time.milliseconds % 1000), width: 3)
  }
}
