import Domain
import Platform

/// Which entry of the event store holds a file's events: that of the same bytes, read in the same way.
struct StoreEntry: Sendable, Hashable {
  let content: FileDigest
  let fingerprint: ReadingFingerprint

  /// How the names of all entries end.
  static let suffix = ".blocks"

  /// Whether a file of that name is an entry.
  static func isName(_ name: String) -> Bool {
    guard name.hasSuffix(suffix) else { return false }
    let parts = name.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [64, 16] && parts.joined().allSatisfy { $0.isHexDigit && !$0.isUppercase }
  }

  /// The entry's file.
  var name: String {
    "\(content.sha256.hexadecimal)-\(FileDigest.sha256(fingerprint.text).prefix(8).hexadecimal)\(Self.suffix)"
  }

  /// The block that an entry begins with: what it was made of.
  var origin: [UInt8]? {
    let column = ColumnWriter()
    column.append(content.sha256)
    column.append(UInt64(content.bytes))
    column.append(fingerprint.text)
    return Block.frame(.origin, [column])
  }

  /// Whether a block says that its entry was made of this.
  ///
  /// - Throws: `BlockFault.misplaced` where it does not.
  func verify(_ kind: Block.Kind, _ body: Text) throws(BlockFault) {
    var column = ColumnReader(body)
    guard kind == .origin, Array(try column.text()) == content.sha256,
      try column.number() == UInt64(content.bytes), Array(try column.text()) == Array(fingerprint.text.utf8),
      column.isAtEnd
    else { throw .misplaced }
  }
}
