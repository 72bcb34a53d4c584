/// The aliases that a block of events tells, each pair of ids once of a kind and at the earliest time: rows repeat them.
final class BlockAliases {
  /// Pairs, the ids one behind the other.
  private let pairs = ByteTable()
  /// By number of the pair.
  private var reports: [(firstLength: Int, time: Int64)] = []
  private var joined: [UInt8] = []
  /// About how many bytes they will take.
  private(set) var size = 0

  var isEmpty: Bool { reports.isEmpty }

  func add(_ alias: DecodedLine.Alias) {
    joined.removeAll(keepingCapacity: true)
    // The length keeps "ab" and "c" apart from "a" and "bc".
    for shift in stride(from: 0, to: 32, by: 8) { joined.append(UInt8(truncatingIfNeeded: alias.id.count >> shift)) }
    joined.append(alias.kind.rawValue)
    joined.append(contentsOf: alias.id)
    joined.append(contentsOf: alias.other)
    let number = joined.withText { pairs.insert($0, hash: ByteHash.hash64($0)) }
    if number == reports.count {
      reports.append((alias.id.count, alias.time))
      size += joined.count
    } else {
      reports[number].time = min(reports[number].time, alias.time)
    }
  }

  /// Writes all that were added, and forgets them.
  func write(to column: ColumnWriter) {
    var (last, time): (Text?, Int64) = (nil, 0)
    for (number, report) in reports.enumerated() {
      let pair = pairs.text(number)
      // Behind the length and the kind.
      let start = MemoryLayout<UInt32>.size + 1
      let id = pair.slice(start..<start + report.firstLength)
      if last == id { column.append(BlockUsers.same) } else { BlockUsers.append(id, lengths: column, bytes: column) }
      BlockUsers.append(pair.slice(start + report.firstLength..<pair.count), lengths: column, bytes: column)
      column.append(Int(pair[start - 1]))
      column.append(signed: report.time &- time)
      (last, time) = (id, report.time)
    }
    pairs.removeAll()
    reports.removeAll(keepingCapacity: true)
    size = 0
  }
}
