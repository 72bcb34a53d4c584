import Domain

/// A row that could not be read.
package struct Reject: Sendable, Codable {
  /// Index into `RunMeasurement.accounts`.
  package var account: Int
  /// Line of the row's first byte, from 1.
  package var line: Int
  /// Offset of the row's first byte in the unpacked file, from 0.
  package var byteOffset: Int64
  package var reason: SetAsideReason
  package var detail: String
  /// The row's first 200 bytes.
  package var excerpt: [UInt8]

  /// How much of a rejected row is kept, in bytes.
  static let excerptLength = 200

  /// Where the row stands.
  var position: RowPosition { RowPosition(file: account, byteOffset: Int(byteOffset), line: line) }

  /// Whether it comes before another one: by file, then by place. One line may tell several events, whose rejects come
  /// in the order of whichever thread was first: there the reason and the detail decide.
  func precedes(_ other: Reject) -> Bool {
    (account, byteOffset, line, reason, detail)
      < (other.account, other.byteOffset, other.line, other.reason, other.detail)
  }
}
