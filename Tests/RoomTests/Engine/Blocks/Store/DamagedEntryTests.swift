import Foundation
import Testing

@testable import Engine
@testable import Measurement
@testable import Platform

@Suite("Entries of the event store that are not what they should be")
struct DamagedEntryTests {
  private let fixture: StoreFixture
  private let entry: URL
  private let sound: [UInt8]
  private let alone: [String]

  init() throws {
    fixture = try StoreFixture()
    alone = try fixture.read()
    _ = try fixture.read(fixture.store())
    entry = try fixture.entry()
    sound = Array(try Data(contentsOf: entry))
  }

  @Test("Every flipped byte is noticed, and the file read anew")
  func flipped() throws {
    for position in sound.indices {
      var bytes = sound
      bytes[position] ^= UInt8(1 << (position % 8))
      try Data(bytes).write(to: entry)
      let store = fixture.store()
      #expect(try fixture.read(store) == alone, "byte \(position)")
      #expect(store.drainWarnings().count == 1, "byte \(position)")
    }
  }

  @Test("An entry that is cut off anywhere is noticed, and one with something behind it")
  func cut() throws {
    for length in stride(from: 0, to: sound.count, by: 3) {
      try Data(sound.prefix(length)).write(to: entry)
      try fixture.expectReadAnew("\(length) bytes", alone, saying: "ends too early")
    }
    try Data(sound + [0]).write(to: entry)
    try fixture.expectReadAnew("one more byte", alone, saying: "is damaged")
  }

  @Test("Blocks of another version are not read")
  func version() throws {
    var bytes = sound
    bytes[4] = 1
    try Data(bytes).write(to: entry)
    try fixture.expectReadAnew("version 1", alone, saying: "has blocks of version 1, and this program reads 7")
  }

  @Test("A file of something else is not read")
  func foreign() throws {
    try Data("user,offering,group,assigned_at\n".utf8).write(to: entry)
    try fixture.expectReadAnew("a table", alone, saying: "is no file of blocks")
  }

  @Test("An entry under another's name is not read")
  func misplaced() throws {
    let other = try StoreFixture(StoreFixture.events, "columns: {productId: shop}")
    _ = try other.read(other.store())
    try Data(contentsOf: other.entry()).write(to: entry)
    try fixture.expectReadAnew("another mapping", alone, saying: "is of another file or of another way to read it")
  }

  @Test("An entry that lacks a block is noticed, though every block is sound")
  func missing() throws {
    let origin = Block.headSize + Int(sound[8]) + Int(sound[9]) << 8 + Block.tailSize
    let events = Block.headSize + Int(sound[origin + 8]) + Int(sound[origin + 9]) << 8 + Block.tailSize
    try Data(sound[..<origin] + sound[(origin + events)...]).write(to: entry)
    try fixture.expectReadAnew("no events", alone, saying: "is damaged")
    try Data(sound[..<(origin + events)] + sound[origin...]).write(to: entry)
    try fixture.expectReadAnew("events twice", alone, saying: "is damaged")
  }

  @Test("A block whose checksum is right and whose columns are not is noticed, whatever stands in it")
  func resealed() throws {
    let blocks = blocks
    let kinds = try blocks.map { try Block.head(Array(sound[$0])).kind }
    #expect(kinds == [.origin, .events, .events, .rejects, .reading])
    for block in blocks.dropFirst() { try reseal(block) }
  }

  /// Where the entry's blocks are.
  private var blocks: [Range<Int>] {
    var blocks: [Range<Int>] = []
    while case let start = blocks.last?.upperBound ?? 0, start < sound.count {
      let body = Int(sound[start + 8]) + Int(sound[start + 9]) << 8
      blocks.append(start..<start + Block.headSize + body + Block.tailSize)
    }
    return blocks
  }

  private func reseal(_ position: Range<Int>) throws {
    for changed in Block.headSize..<position.count - Block.tailSize {
      for value: UInt8 in [0x0a, 0x2b, 0x7f, 0xff] {
        var block = Array(sound[position].dropLast(Block.tailSize))
        block[changed] = value
        var checksum = Checksum()
        checksum.update(block)
        for byte in 0..<4 { block.append(UInt8(truncatingIfNeeded: checksum.crc32 >> UInt32(8 * byte))) }
        try Data(sound[..<position.lowerBound] + block + sound[position.upperBound...]).write(to: entry)
        let store = fixture.store()
        let reported = try fixture.read(store)
        // Another value of a number may hold together; what does not must not be told.
        if !store.drainWarnings().isEmpty { #expect(reported == alone, "byte \(changed) of \(position)") }
      }
    }
  }
}
