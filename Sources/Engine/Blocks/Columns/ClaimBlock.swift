/// Packs who has which transaction's charge into blocks. For one thread.
final class ClaimBlockWriter {
  private let column = ColumnWriter()
  private var count = 0
  /// A block takes no more claims, and no more once it has so many bytes.
  private let mostClaims: Int
  private static let mostBytes = 1 << 15

  /// - Parameter mostClaims: how many claims a block takes.
  init(mostClaims: Int) { self.mostClaims = mostClaims }

  var isEmpty: Bool { count == 0 }

  /// The block at hand should be finished.
  var isFull: Bool { count >= mostClaims || column.count >= Self.mostBytes }

  func append(_ transaction: UInt64, of user: Text) {
    column.append(word: transaction)
    column.append(user)
    count += 1
  }

  /// The block of all that was added.
  func finish() -> [UInt8]? {
    defer {
      column.clear()
      count = 0
    }
    return Block.frame(.claims, [column])
  }
}

/// One block of claims, opened.
enum ClaimBlock {
  /// Calls `body` with each transaction and the id of the user who has its charge.
  ///
  /// - Parameter block: what `Block` has in its frame.
  static func forEach(_ block: Text, _ body: (UInt64, Text) -> Void) throws(BlockFault) {
    var column = ColumnReader(block)
    while !column.isAtEnd { body(try column.word(), try column.text()) }
  }
}
