/// Writes rows of `user_offering_assignments`: as CSV with public names, or with the catalog's row ids and a tab
/// between fields, as MySQL's `SELECT … INTO OUTFILE` does.
struct AssignmentLine: Sendable {
  let scenario: Scenario
  let form: Story.AssignmentForm
  let names: UserName

  init(_ scenario: Scenario, form: Story.AssignmentForm = .csv) {
    self.scenario = scenario
    self.form = form
    names = UserName(scenario)
  }

  /// Writes the names of the columns, without a line end.
  func writeHeader(to bytes: inout [UInt8]) {
    write(
      ["user_id", "offering_id", "test_group_id", "assigned_at"] + scenario.attributes.map(\.name), to: &bytes
    )
  }

  /// Writes a row, without its line end.
  func write(_ row: SimulatedAssignment, to bytes: inout [UInt8]) {
    guard form == .csv else { return writeOutfile(row, to: &bytes) }
    names.write(row.user, to: &bytes)
    bytes.write(",")
    bytes.write(csvField: scenario.offering.id)
    bytes.write(",")
    bytes.write(csvField: row.dirt == .missingGroup ? "" : scenario.groups[Int(row.group)].name)
    bytes.write(",")
    writeTime(row, to: &bytes)
    writeAttributes(of: row.user, to: &bytes)
  }

  /// `id, user_id, subscription_offering_id, offering_group_id, created_at` and the attributes; `\N` is NULL.
  private func writeOutfile(_ row: SimulatedAssignment, to bytes: inout [UInt8]) {
    bytes.write("\(UInt64(row.user) * 2 + (row.dirt == .none ? 1 : 2))\t")
    names.write(row.user, to: &bytes)
    bytes.write("\t\(CatalogTables.offeringRow)\t")
    bytes.write(row.dirt == .missingGroup ? "\\N" : "\(CatalogTables.firstGroupRow + Int(row.group))")
    bytes.write("\t")
    writeTime(row, to: &bytes)
    for value in scenario.attributes(of: row.user) {
      bytes.write("\t")
      bytes.write(value.isEmpty ? "\\N" : value)
    }
  }

  private func writeTime(_ row: SimulatedAssignment, to bytes: inout [UInt8]) {
    guard row.dirt != .badTime else { return bytes.write("0000-00-00 00:00:00") }
    bytes.write(secondOf: row.time, separator: UInt8(ascii: " "))
    bytes.write(".")
    bytes.write(UInt64(row.time.milliseconds % 1000), width: 3)
  }

  /// The user's attributes, which every row of the user repeats.
  private func writeAttributes(of user: UInt32, to bytes: inout [UInt8]) {
    for value in scenario.attributes(of: user) {
      bytes.write(",")
      bytes.write(csvField: value)
    }
  }

  private func write(_ fields: [String], to bytes: inout [UInt8]) {
    bytes.write(csv: fields)
    bytes.removeLast()
  }
}
