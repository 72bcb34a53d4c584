/// Writes Thrift's compact protocol; see `CompactReader`.
struct CompactWriter {
  private(set) var bytes: [UInt8] = []
  /// Of the structures that are open the number of the last field.
  private var last: [Int] = [0]

  /// A field's kind, as the protocol numbers it.
  private enum Kind: UInt8 {
    case yes = 1
    case no, byte, int16, int32, int64, double, binary, list, set, map, structure
  }

  mutating func int32(_ field: Int, _ value: Int) {
    head(field, .int32)
    zigzag(Int64(value))
  }

  mutating func int64(_ field: Int, _ value: Int64) {
    head(field, .int64)
    zigzag(value)
  }

  mutating func flag(_ field: Int, _ value: Bool) { head(field, value ? .yes : .no) }

  mutating func text(_ field: Int, _ value: String) {
    head(field, .binary)
    text(value)
  }

  mutating func structure(_ field: Int, _ body: (inout CompactWriter) -> Void) {
    head(field, .structure)
    structure(body)
  }

  mutating func structures<Element>(
    _ field: Int, _ elements: [Element], _ body: (inout CompactWriter, Element) -> Void
  ) {
    list(field, .structure, elements.count)
    for element in elements { structure { body(&$0, element) } }
  }

  mutating func int32s(_ field: Int, _ values: [Int]) {
    list(field, .int32, values.count)
    for value in values { zigzag(Int64(value)) }
  }

  mutating func texts(_ field: Int, _ values: [String]) {
    list(field, .binary, values.count)
    values.forEach { text($0) }
  }

  /// Ends the outermost structure.
  mutating func end() { bytes.append(0) }

  private mutating func structure(_ body: (inout CompactWriter) -> Void) {
    last.append(0)
    body(&self)
    last.removeLast()
    bytes.append(0)
  }

  /// Fields come in the order of their numbers, none of which is more than fifteen behind the one before.
  private mutating func head(_ field: Int, _ kind: Kind) {
    bytes.append(UInt8(field - last[last.count - 1]) << 4 | kind.rawValue)
    last[last.count - 1] = field
  }

  private mutating func list(_ field: Int, _ kind: Kind, _ count: Int) {
    head(field, .list)
    bytes.append(UInt8(min(count, 15)) << 4 | kind.rawValue)
    if count >= 15 { varint(UInt64(count)) }
  }

  private mutating func text(_ value: String) {
    varint(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  private mutating func zigzag(_ value: Int64) { varint(UInt64(bitPattern: value << 1 ^ value >> 63)) }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
