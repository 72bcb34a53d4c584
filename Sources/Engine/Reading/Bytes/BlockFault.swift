import Domain

/// What keeps bytes from being a block.
enum BlockFault: Error {
  case cutOff
  case damaged
  case checksum
  /// They begin otherwise than a block.
  case foreign
  case version(UInt16)
  /// It is sound, but not what belongs there.
  case misplaced
  /// A row's place in the file is asked for that was not kept.
  case unknownPosition

  /// As the end of a sentence that begins with the file.
  var words: String {
    switch self {
    case .cutOff: "ends too early"
    case .damaged: "is damaged"
    case .checksum: "fails its checksum"
    case .foreign: "is no file of blocks"
    case .version(let version): "has blocks of version \(version), and this program reads \(Block.version)"
    case .misplaced: "is of another file or of another way to read it"
    case .unknownPosition: "lacks a line that is asked for"
    }
  }

  /// The error of a temporary file whose blocks come back otherwise than they were written.
  func ofTemporaryFile(in folder: String) -> OfferliftError {
    OfferliftError(.inputOutput, "a temporary file in \(folder) \(words). Run again when the disk is well.")
  }
}
