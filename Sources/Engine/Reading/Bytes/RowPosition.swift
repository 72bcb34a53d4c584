/// Where a row stands: in which file, by its number, and where in that.
struct RowPosition: Comparable, Hashable, Sendable {
  var file = 0
  /// Offset of the row's first byte in the unpacked file, from 0; where rows go by their numbers, how many stand before.
  var byteOffset: Int
  /// Line of its first byte, from 1.
  var line: Int

  static func < (left: RowPosition, right: RowPosition) -> Bool {
    (left.file, left.byteOffset, left.line) < (right.file, right.byteOffset, right.line)
  }
}
