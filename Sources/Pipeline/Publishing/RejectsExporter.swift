/// Writes `rejects.csv.gz`: every row that could not be read, where it stands, why, and how it begins.
enum RejectsExporter {
  private static let header = ["file", "line", "byte_offset", "reason", "detail", "excerpt"]

  /// Packs the rejects in the order they come: by file as the job names them, then by line.
  static func write(_ night: NightResult, to file: DurableFile) throws {
    let writer = GzipWriter { try file.write($0) }
    var lines: [UInt8] = []
    CSVExporter.appendRow(header.map(Table.Cell.text), to: &lines)
    for reject in night.rejects {
      CSVExporter.appendRow(cells(of: reject, in: night.accounts), to: &lines)
      if lines.count >= 1 << 16 {
        try writer.write(lines)
        lines.removeAll(keepingCapacity: true)
      }
    }
    try writer.write(lines)
    try writer.finish()
  }

  private static func cells(of reject: Reject, in accounts: [FileAccount]) -> [Table.Cell] {
    [
      .text(accounts[reject.account].file),
      .integer(Int128(reject.line)),
      .integer(Int128(reject.byteOffset)),
      .text(reject.reason.rawValue),
      .text(reject.detail),
      .text(printable(reject.excerpt)),
    ]
  }

  /// The bytes as text: what is not UTF-8 or would move a terminal's cursor shows as `\x1b`.
  static func printable(_ bytes: [UInt8]) -> String {
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        append(Unicode.UTF8.decode(encoded), to: &text)
        position += encoded.count
      case .error(let length):
        for byte in bytes[position..<(position + length)] { text += escape(byte) }
        position += length
      case .emptyInput:
        return text
      }
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\t": text.unicodeScalars.append(scalar)
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\0"..."\u{1f}", "\u{7f}": text += escape(UInt8(scalar.value))
    default: text.unicodeScalars.append(scalar)
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
