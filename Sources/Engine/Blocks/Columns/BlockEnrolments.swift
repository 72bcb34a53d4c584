/// The enrolments that a block of events tells, each user once in a group and at the earliest time: rows repeat them.
final class BlockEnrolments {
  /// Users, behind the numbers of offering and group.
  private let keys = ByteTable()
  /// By number of the key.
  private var reports: [(offering: UInt32, group: UInt32, time: Int64)] = []
  private var key: [UInt8] = []
  /// About how many bytes they will take.
  private(set) var size = 0

  var isEmpty: Bool { reports.isEmpty }

  func add(_ enrolment: DecodedLine.Enrolment) {
    key.removeAll(keepingCapacity: true)
    for number in [enrolment.offering, enrolment.group] {
      for shift in stride(from: 0, to: 32, by: 8) { key.append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
    }
    key.append(contentsOf: enrolment.user)
    let number = key.withText { keys.insert($0, hash: ByteHash.hash64($0)) }
    if number == reports.count {
      reports.append((enrolment.offering, enrolment.group, enrolment.time))
      size += key.count
    } else {
      reports[number].time = min(reports[number].time, enrolment.time)
    }
  }

  /// Writes all that were added, and forgets them.
  func write(to column: ColumnWriter, naming names: inout BlockNames) {
    for (number, report) in reports.enumerated() {
      column.append(keys.text(number).slice(Self.start..<keys.text(number).count))
      column.append(names.number(of: report.offering, .offerings))
      column.append(names.number(of: report.group, .groups))
      column.append(signed: report.time)
    }
    keys.removeAll()
    reports.removeAll(keepingCapacity: true)
    size = 0
  }

  /// Where the user stands in a key.
  private static let start = 2 * MemoryLayout<UInt32>.size
}
