import Platform

/// Writes the lines of one file: line ends, byte-order mark, gzip members.
///
/// Lines gather in a buffer that is packed when it is full, so that memory does not grow with the file.
struct ShardWriter: ~Copyable {
  /// What is odd about the file as a whole.
  struct Oddities: Sendable {
    var hasCRLF = false
    var hasBOM = false
    var hasOpenEnd = false
    var hasManyMembers = false
  }

  private let oddities: Oddities
  private let file: FileWriter
  private var buffer: [UInt8] = []
  private let flushSize: Int
  private let meter: ProgressMeter?

  /// Creates the file, replacing one of that name.
  init(_ path: String, oddities: Oddities = Oddities(), meter: ProgressMeter? = .current) throws {
    self.meter = meter
    self.oddities = oddities
    file = try FileWriter(replacing: path, isPacked: true)
    flushSize = oddities.hasManyMembers ? 1 << 15 : 1 << 18
    if oddities.hasBOM { buffer = [0xEF, 0xBB, 0xBF] }
  }

  /// Appends what `write` puts in the buffer, and ends the line.
  mutating func line(_ write: (inout [UInt8]) -> Void) throws {
    write(&buffer)
    buffer.write(oddities.hasCRLF ? "\r\n" : "\n")
    if buffer.count >= flushSize { try flush() }
  }

  /// Writes what is left and closes the file.
  consuming func finish() throws {
    if oddities.hasOpenEnd, !buffer.isEmpty { buffer.removeLast(oddities.hasCRLF ? 2 : 1) }
    try file.write(buffer)
    try file.finish()
  }

  /// Packs the buffer but for its last line, whose end may yet have to go.
  private mutating func flush() throws {
    let retained = buffer.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    guard retained > 0 else { return }
    let last = Array(buffer[retained...])
    buffer.removeLast(last.count)
    meter?.add(buffer.count)
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
    buffer += last
    if oddities.hasManyMembers { try file.endMember() }
  }
}
