import Foundation

@testable import Engine
@testable import Platform

/// Changes bytes as somebody would who knows how they are laid out: numbers become others at the ends of what a number
/// may be, parts go, come twice or change places, and lengths and checksums are made right again, as a rule.
struct Mutator {
  private var dice: Dice

  init(seed: UInt64) { dice = Dice(seed: seed) }

  /// Where code that counts, adds or looks into a list goes wrong.
  private static let edges: [UInt64] = [
    0, 1, 2, 3, 63, 64, 127, 128, 255, 256, 1000, 32_767, 32_768, 65_535, 65_536, 1 << 31 - 1, 1 << 31, 1 << 32 - 1,
    1 << 32, 1 << 47 - 1, 1 << 47, 1 << 48 - 2, 1 << 48, 1 << 49, 1 << 50, 1 << 53, 1 << 62, 1 << 63 - 1, 1 << 63,
    .max - 1, .max,
  ]

  private mutating func number() -> UInt64 {
    switch dice.below(4) {
    case 0: UInt64(dice.below(8))
    case 1: dice.next() >> UInt64(dice.below(64))
    default: dice.pick(Self.edges)
    }
  }

  mutating func below(_ bound: Int) -> Int { dice.below(bound) }

  // MARK: - Blocks

  /// A block with a sound frame and checksum, and something else in it.
  mutating func block(_ block: [UInt8]) -> [UInt8] {
    guard let head = try? Block.head(block), block.count >= Block.headSize + head.length else { return block }
    var body = Array(block[Block.headSize..<Block.headSize + head.length])
    for _ in 0..<1 + dice.below(3) {
      switch head.kind {
      case .events, .following: body = columns(body, EventColumn.allCases.count, behind: 4)
      case .assignments: body = columns(body, AssignmentColumn.allCases.count, behind: 1)
      case .rejects, .lateRejects: body = dice.chance(0.6) ? digits(body) : self.bytes(body)
      case .origin, .reading, .names, .transfers, .claims, .digests, .file, .sums, .assignedIDs, .unassigned,
        .pieces:
        body = column(body)
      }
    }
    return Block.frame(head.kind, body: body[...])
  }

  /// A file of blocks of which one is changed; the first says what the file is of and stays, as a rule.
  mutating func blockFile(_ file: [UInt8]) -> [UInt8] {
    var positions: [Range<Int>] = []
    while case let start = positions.last?.upperBound ?? 0, start + Block.headSize <= file.count,
      let head = try? Block.head(Array(file[start..<start + Block.headSize])),
      case let end = start + Block.headSize + head.length + Block.tailSize, end <= file.count
    {
      positions.append(start..<end)
    }
    guard let last = positions.indices.last else { return bytes(file) }
    let position = positions[dice.chance(0.05) ? 0 : min(last, 1 + dice.below(max(last, 1)))]
    return file[..<position.lowerBound] + block(Array(file[position])) + file[position.upperBound...]
  }

  /// A body of columns behind some numbers, as of its rows, and their own lengths; one of the columns, or of those
  /// numbers, is another.
  private mutating func columns(_ body: [UInt8], _ count: Int, behind numbers: Int) -> [UInt8] {
    body.withText { text in
      var reader = ColumnReader(text)
      var heads = (0..<numbers).compactMap { _ in try? reader.number() }
      guard heads.count == numbers else { return bytes(body) }
      var columns: [[UInt8]] = []
      let lengths = (0..<count).compactMap { _ in try? reader.length() }
      for length in lengths { if let column = try? reader.bytes(length) { columns.append(Array(column)) } }
      guard columns.count == count else { return bytes(body) }
      let isOfHead = dice.chance(0.05)
      let filled = columns.indices.filter { !columns[$0].isEmpty }
      // One that is empty may get something, too.
      let changed = dice.chance(0.9) && !filled.isEmpty ? dice.pick(filled) : dice.below(count)
      if isOfHead {
        let position = dice.below(numbers)
        heads[position] = dice.chance(0.5) ? heads[position] &+ 1 : number()
      } else {
        // Of some columns every byte is as good as another.
        columns[changed] = dice.chance(0.5) ? column(columns[changed]) : bytes(columns[changed])
      }
      var head = heads.flatMap(Self.packed)
      for position in columns.indices {
        let isRight = dice.chance(0.998)
        head += Self.packed(isRight ? UInt64(columns[position].count) : number())
      }
      return head + columns.joined()
    }
  }

  /// A column, or packed values, with another number in one place, or with more or fewer.
  mutating func column(_ column: [UInt8]) -> [UInt8] {
    guard !column.isEmpty else { return Self.packed(number()) }
    var start = dice.below(column.count)
    while start > 0, column[start - 1] & 0x80 != 0 { start -= 1 }
    var end = start
    while end < column.count - 1, column[end] & 0x80 != 0 { end += 1 }
    let position = start..<end + 1
    switch dice.below(8) {
    case 0: return Array(column[..<start] + column[position.upperBound...])
    case 1: return Array(column[..<position.upperBound] + column[start...])
    case 2: return bytes(column)
    default: return column[..<start] + Self.packed(number()) + column[position.upperBound...]
    }
  }

  private static func packed(_ number: UInt64) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  // MARK: - Texts

  /// JSON in which one value is another, goes, or stands twice.
  mutating func json(_ text: [UInt8]) -> [UInt8] {
    let ends = text.indices.filter { [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(text[$0]) }
    let starts = text.indices.filter { [UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: ":")].contains(text[$0]) }
    guard !starts.isEmpty, !ends.isEmpty, dice.chance(0.95) else { return bytes(text) }
    let start = dice.pick(starts) + 1
    guard let end = ends.first(where: { $0 >= start }) else { return bytes(text) }
    switch dice.below(8) {
    case 0: return Array(text[..<(start - 1)] + text[end...])
    case 1: return Array(text[..<end] + [UInt8(ascii: ",")] + text[start...])
    case 2:
      let words = ["null", "true", "[]", "{}", "\"\"", "-1", "0", "1e3", "1.5", "[0]", "\"\\ud800\""]
      return text[..<start] + Array(dice.pick(words).utf8) + text[end...]
    case 3: return digits(text)
    default: return text[..<start] + Array(digits().utf8) + text[end...]
    }
  }

  /// A text in which one number is another.
  mutating func digits(_ text: [UInt8]) -> [UInt8] {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let positions = text.indices.filter { digits.contains(text[$0]) }
    guard let position = positions.isEmpty ? nil : dice.pick(positions) else { return bytes(text) }
    var (start, end) = (position, position + 1)
    while start > 0, digits.contains(text[start - 1]) { start -= 1 }
    while end < text.count, digits.contains(text[end]) { end += 1 }
    return text[..<start] + Array(self.digits().utf8) + text[end...]
  }

  private mutating func digits() -> String {
    let sign = dice.chance(0.25) ? "-" : ""
    // The largest of 128 bits, and one more.
    let largest = ["170141183460469231731687303715884105727", "170141183460469231731687303715884105728"]
    return sign + (dice.chance(0.15) ? dice.pick(largest) : "\(number())")
  }

  /// Rows of cells: a line or a cell goes, comes twice, becomes another's or something else.
  mutating func rows(_ text: [UInt8], cells separator: UInt8) -> [UInt8] {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    let (line, other) = (dice.below(lines.count), dice.below(lines.count))
    switch dice.below(6) {
    case 0: lines.remove(at: line)
    case 1: lines.insert(lines[other], at: line)
    case 2: lines[line] = digits(lines[line])
    case 3: lines[line] = bytes(lines[line])
    default:
      var cells = lines[line].split(separator: separator, omittingEmptySubsequences: false).map(Array.init)
      let others = lines[other].split(separator: separator, omittingEmptySubsequences: false).map(Array.init)
      let words = [
        "", "\"", "\"\"", "=1+1", "\\N", "NULL", "-1", "0", "é", "\u{0}", "2026-02-30", "1970-01-01", "9999-12-31",
      ]
      cells[dice.below(cells.count)] = dice.chance(0.5) ? dice.pick(others) : Array(dice.pick(words).utf8)
      lines[line] = Array(cells.joined(separator: [separator]))
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  // MARK: - Bytes

  /// Bytes of which some are others, go or come twice.
  mutating func bytes(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [UInt8(dice.below(256))] }
    var changed = bytes
    let position = dice.below(bytes.count)
    let end = min(bytes.count, position + 1 + (dice.chance(0.7) ? dice.below(4) : dice.below(bytes.count)))
    switch dice.below(6) {
    case 0: changed[position] ^= 1 << UInt8(dice.below(8))
    case 1: changed[position] = UInt8(dice.below(256))
    case 2:
      changed[position] = dice.pick([0, 0xff, 0x7f, 0x80, UInt8(ascii: "\n"), UInt8(ascii: "\""), UInt8(ascii: "\\")])
    case 3: changed.removeSubrange(position..<end)
    case 4: changed.insert(contentsOf: bytes[position..<end], at: dice.below(bytes.count + 1))
    default: changed.removeSubrange(position...)
    }
    return changed
  }
}
