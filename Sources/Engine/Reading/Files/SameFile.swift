import Domain
import Jobs
import Measurement

/// The file whose bytes another one has, too, and in whose place that is not read.
package struct SameFile: Sendable, Codable, Hashable {
  /// As messages and `inputs.csv` have it.
  package var file: String
  /// The job's name for its input.
  package var input: String
  /// Size of the other file as it lies on the disk, and the checksum of that; nil: the same as this one's.
  var bytes: Int64?
  var crc32: UInt32?
}

extension FileReading {
  /// Gives every file that was not read because its bytes are another's the rows of that one, all of them set aside.
  static func settleSameFiles(_ readings: inout [FileReading]) {
    guard readings.contains(where: { $0.sameAs != nil }) else { return }
    let read = Dictionary(
      readings.filter { $0.sameAs == nil }.map { (Key($0.account), $0.account) },
      uniquingKeysWith: { first, _ in first })
    for position in readings.indices {
      guard let same = readings[position].sameAs, let original = read[Key(same)] else { continue }
      readings[position].account.rows = original.rows
      readings[position].account.outcomes = RowOutcomes()
      readings[position].account.outcomes.setAside(.sameFile, original.rows)
      readings[position].account.bytes = same.bytes ?? original.bytes
      readings[position].account.crc32 = same.crc32 ?? original.crc32
    }
  }

  private struct Key: Hashable {
    let file: String
    let input: String

    init(_ account: FileAccount) { (file, input) = (account.file, account.input) }
    init(_ same: SameFile) { (file, input) = (same.file, same.input) }
  }

  /// Says that the file's bytes came before; nil where they did not.
  var sameFileNotice: Notice? {
    guard let same = sameAs else { return nil }
    let rows = account.rows == 1 ? "its row is" : "its \(Phrase.count(account.rows)) rows are"
    return Notice(
      kind: .sameFile, offering: nil, subject: account.file, count: account.rows,
      message: "\(account.file) holds the bytes of \(same.file)"
        + (account.file == same.file ? ", which two inputs name" : "")
        + ": \(rows) set aside, and those count once. Take one of the two away, or name the files in path: so that only one is "
        + "found.")
  }
}
