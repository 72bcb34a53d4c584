import Domain

/// Ids as they lie in blocks: a number that tells how many bytes an id has, and the bytes, of all of a block's users in two
/// columns. A UUID has its 16 bytes there: ids are nearly half of what a state folder takes.
enum BlockUsers {
  /// What tells of an id's bytes is less.
  static let most = Int(Int32.max)
  /// 0 stands for a UUID in small letters, 1 for one in capitals; any other id has its length and so many more.
  private static let forms = 3
  /// Stands for the id before, where ids are repeated.
  static let same = 2

  @inline(__always)
  static func append(_ id: Text, lengths: ColumnWriter, bytes: ColumnWriter) {
    if let uuid = PackedUUID(id) {
      lengths.append(uuid.hasCapitals ? 1 : 0)
      bytes.append(word: uuid.first)
      bytes.append(word: uuid.last)
    } else {
      lengths.append(id.count + forms)
      bytes.append(bytes: id)
    }
  }

  /// Reads all ids.
  ///
  /// - Parameter arena: where UUIDs are written out; the ids live as long as it and the block's bytes.
  static func read(
    lengths: ColumnReader, bytes: ColumnReader, into arena: TextArena
  ) throws(BlockFault) -> [Text] {
    var (lengths, bytes, ids) = (lengths, bytes, [Text]())
    ids.reserveCapacity(lengths.bytesLeft)
    while !lengths.isAtEnd {
      ids.append(try read(try lengths.position(below: most), &bytes, into: arena))
    }
    guard bytes.isAtEnd else { throw .damaged }
    return ids
  }

  /// Reads an id of which it has been read how many bytes it has.
  @inline(__always)
  static func read(_ length: Int, _ bytes: inout ColumnReader, into arena: TextArena) throws(BlockFault) -> Text {
    guard length < forms else { return try bytes.bytes(length - forms) }
    guard length != same else { throw .damaged }
    return arena.write(PackedUUID(first: try bytes.word(), last: try bytes.word(), hasCapitals: length == 1))
  }
}
