/// Writes rows of `user_offering_assignments` as CSV.
struct AssignmentLine: Sendable {
  let scenario: Scenario
  let names: UserName

  init(_ scenario: Scenario) {
    self.scenario = scenario
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
    names.write(row.user, to: &bytes)
    bytes.write(",")
    bytes.write(csvField: scenario.offering.id)
    bytes.write(",")
    bytes.write(csvField: row.dirt == .missingGroup ? "" : scenario.groups[Int(row.group)].name)
    bytes.write(",")
    writeTime(row, to: &bytes)
    writeAttributes(of: row.user, to: &bytes)
  }

  private func writeTime(_ row: SimulatedAssignment, to bytes: inout [UInt8]) {
    guard row.dirt != .badTime else { return bytes.write("0000-00-00 00:00:00") }
    bytes.write(secondOf: row.time, separator: UInt8(ascii: " "))
    bytes.write(".")
    bytes.write(UInt64(row.time.milliseconds % 1000), width: 3)
  }

  /// The user's attributes, which every row of the user repeats.
  private func writeAttributes(of user: UInt32, to bytes: inout [UInt8]) {
    var draws = SeededGenerator(seed: scenario.seed, stream: .attributes, index: UInt64(user) | 1 << 40)
    for attribute in scenario.attributes {
      bytes.write(",")
      bytes.write(csvField: attribute.values.value(at: draws.part()) ?? "")
    }
  }

  private func write(_ fields: [String], to bytes: inout [UInt8]) {
    bytes.write(csv: fields)
    bytes.removeLast()
  }
}
