import Domain
import Jobs

/// Line ends that are neither LF nor CRLF: a file with them would be read as one row, or as rows of which the last field
/// is another.
package enum ForeignLineEnds {
  /// A carriage return alone (CR), as old programs of the Mac write it.
  case returns
  /// CR CR LF: a text that was made for Windows twice.
  case doubledReturns

  private static let lineFeed: UInt8 = 0x0a
  private static let carriageReturn: UInt8 = 0x0d

  /// Looks at the first line end of a text; nil where it is LF or CRLF, or not in sight.
  ///
  /// - Parameter quote: between two of these a text may hold line ends; nil where none may.
  package init?(firstOf text: some Collection<UInt8>, outside quote: UInt8?) {
    var isQuoted = false
    // How many carriage returns stand right before the byte at hand.
    var returns = 0
    for byte in text {
      if byte == quote { isQuoted.toggle() }
      if isQuoted { continue }
      switch byte {
      case Self.carriageReturn: returns += 1
      case Self.lineFeed:
        guard returns > 1 else { return nil }
        self = .doubledReturns
        return
      default:
        if returns > 0 {
          self = .returns
          return
        }
      }
    }
    return nil
  }

  /// Whether a row is several that carriage returns part: cut there most of it, two pieces at least, is whole rows.
  ///
  /// - Parameter isRow: a piece has the fields of a row.
  static func areReturns(in row: Text, _ isRow: (Text) -> Bool) -> Bool {
    guard row.holds(carriageReturn) else { return false }
    let pieces = row.prefix(inspectedBytes).split(separator: carriageReturn)
    let whole = pieces.count { isRow(Text($0)) }
    return whole > 1 && whole * 2 > pieces.count
  }

  /// Whether a row of a dump is several that carriage returns part.
  package static func areReturns(in row: Text, _ dialect: MySQLDialect, columns: Int) -> Bool {
    areReturns(in: row) { piece in
      let separators = piece.indices.count { piece.has(dialect.terminatedBy, at: $0) }
      return separators + 1 == columns
    }
  }

  /// What is wrong with a file, and what to type.
  ///
  /// - Parameter line: where its lines begin to end so; nil is from the first on.
  package func error(_ file: ShellInput, from line: Int? = nil) -> OfferliftError {
    let position = line.map { "\(file.file), line \($0): from here on" } ?? "\(file.file):"
    let (what, program) =
      switch self {
      case .returns:
        ("lines end with a carriage return alone (CR), and not with a line feed", #"tr '\r' '\n'"#)
      case .doubledReturns:
        ("lines end with two carriage returns and a line feed (CR CR LF)", #"tr -d '\r'"#)
      }
    return OfferliftError(.badData, "\(position) \(what). Write the file anew: \(file.fed(into: program)) > FILE.")
  }
}
