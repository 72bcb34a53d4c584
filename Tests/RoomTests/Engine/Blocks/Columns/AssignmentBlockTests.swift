import Domain
import Testing

@testable import Engine
@testable import Measurement

@Suite("Blocks of assignments")
struct AssignmentBlockTests {
  private let attributes = ["country", "platform é"]

  private func text(_ row: AssignmentRow, _ names: EventNames, _ values: [Interner]) -> String {
    let reported = zip(row.values, values).map { $1.name($0)?.text ?? "none" }
    let offering = names.offerings.name(row.offering)?.text ?? "none"
    let group = names.groups.name(row.group)?.text ?? "none"
    return "\(String(decoding: row.user, as: UTF8.self)) \(offering) \(group) \(row.time) \(row.file) \(reported)"
  }

  /// A row of names by the dice; its id lies in `arena`.
  private func row(_ dice: inout Dice, _ names: EventNames, _ values: [Interner], _ arena: TextArena) -> AssignmentRow {
    AssignmentRow(
      user: arena.copy("user é \(dice.below(30))".utf8),
      offering: names.offerings.code(Identifier("offering \(dice.below(3))")),
      group: names.groups.code(Identifier("group \(dice.below(4)) é")), time: Int64(dice.below(1 << 41)) - 1 << 40,
      file: UInt32(dice.below(9)),
      values: values.map { dice.chance(0.3) ? Interner.none : $0.code(Identifier("\(dice.below(5))")) })
  }

  private func reported(_ block: [UInt8], _ attributes: [String]) throws -> [String] {
    let head = try Block.head(block)
    try Block.verify(block, count: block.count)
    #expect(head.kind == .assignments)
    // Numbers of its own, as in another run.
    let (names, values) = (EventNames(), attributes.map { _ in Interner() })
    for values in values { _ = values.code(Identifier("another")) }
    var reported: [String] = []
    try Array(block[Block.headSize..<Block.headSize + head.length]).withText {
      try AssignmentBlock($0, names: names, attributes: attributes, values: values).forEach {
        reported.append(text($0, names, values))
      }
    }
    return reported
  }

  private func append(_ row: AssignmentRow, to writer: AssignmentBlockWriter) {
    writer.append(row, hash: ByteHash.hash64(row.user))
  }

  private func writer(_ names: EventNames, _ values: [Interner], mostRows: Int = 500) -> AssignmentBlockWriter {
    AssignmentBlockWriter(names: names, attributes: attributes, values: values, mostRows: mostRows)
  }

  @Test("Whatever a row tells comes out as it went in, in the order it came", arguments: 1...20)
  func roundTrip(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let (names, values, arena) = (EventNames(), attributes.map { _ in Interner() }, TextArena())
    let writer = writer(names, values)
    for _ in 0..<2 {
      let rows = (0..<300).map { _ in row(&dice, names, values, arena) }
      for row in rows { append(row, to: writer) }
      let block = try #require(writer.finish())
      #expect(try reported(block, attributes) == rows.map { text($0, names, values) })
      #expect(writer.isEmpty)
    }
  }

  @Test("A block is full after so many rows")
  func full() throws {
    var dice = Dice(seed: 1)
    let (names, values, arena) = (EventNames(), attributes.map { _ in Interner() }, TextArena())
    let writer = writer(names, values, mostRows: 2)
    append(row(&dice, names, values, arena), to: writer)
    #expect(!writer.isFull)
    append(row(&dice, names, values, arena), to: writer)
    #expect(writer.isFull)
  }

  @Test("A block of other attributes is refused")
  func otherAttributes() throws {
    var dice = Dice(seed: 1)
    let (names, values, arena) = (EventNames(), attributes.map { _ in Interner() }, TextArena())
    let writer = writer(names, values)
    append(row(&dice, names, values, arena), to: writer)
    let block = try #require(writer.finish())
    #expect(throws: BlockFault.self) { try reported(block, ["country"]) }
  }

  @Test("Random bytes are no block, and never more than an error", arguments: 1...200)
  func rubbish(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let bytes = (0..<dice.below(400)).map { _ in UInt8(dice.chance(0.5) ? dice.below(20) : dice.below(256)) }
    #expect(throws: BlockFault.self) {
      try bytes.withText {
        try AssignmentBlock($0, names: EventNames(), attributes: attributes, values: attributes.map { _ in Interner() })
          .forEach { _ in }
      }
    }
  }
}
