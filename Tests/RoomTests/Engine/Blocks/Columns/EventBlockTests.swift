import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Blocks of events")
struct EventBlockTests {
  private let types = EventTypes(named: ["zoom", "scan é"])

  private func reported(_ block: [UInt8], _ names: EventNames) throws -> ReportedEvents {
    let head = try Block.head(block)
    try Block.verify(block, count: block.count)
    #expect(head.kind == .events && head.length + Block.headSize + Block.tailSize == block.count)
    var reported = ReportedEvents()
    var outcomes = RowOutcomes()
    try Array(block[Block.headSize..<Block.headSize + head.length]).withText {
      _ = try EventBlock($0, names: names, types: types).emit(&reported, recording: &outcomes)
    }
    return reported
  }

  @Test("Whatever an event tells comes out as it went in", arguments: 1...20)
  func roundTrip(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let (names, arena) = (EventNames(), TextArena())
    let writer = EventBlockWriter(names: names, types: types)
    for _ in 0..<2 {
      var expected = ReportedEvents()
      for number in 0..<300 {
        let event = RandomEvents.event(&dice, names, types, arena)
        let position = Reject(
          account: 0, line: number * 3, byteOffset: Int64(number) << 33, reason: .malformed, detail: "",
          excerpt: Array("row \(number)".utf8))
        expected.receive(event) { position }
        writer.append(event)
        writer.retain(position)
      }
      let block = try #require(writer.finish())
      var found = try reported(block, names)
      // A block has them in an order of its own.
      expected.finishFile()
      found.finishFile()
      #expect(found == expected)
      #expect(writer.isEmpty)
    }
  }

  @Test("A block does not depend on the run's numbers")
  func ownNumbers() throws {
    let blocks = try [false, true].map { isLate in
      var dice = Dice(seed: 3)
      let (names, arena) = (EventNames(), TextArena())
      if isLate { for number in 0..<50 { _ = names.products.code(Identifier("product \(49 - number) é")) } }
      let writer = EventBlockWriter(names: names, types: types)
      for _ in 0..<100 {
        var event = RandomEvents.event(&dice, names, types, arena)
        event.details = ChargeDetails.none
        writer.append(event)
      }
      return try #require(writer.finish())
    }
    #expect(blocks[0] == blocks[1])
  }

  @Test("A block with names that the run does not know is told with numbers of its own")
  func otherRun() throws {
    var dice = Dice(seed: 5)
    let (names, arena) = (EventNames(), TextArena())
    let writer = EventBlockWriter(names: names, types: types)
    var event = RandomEvents.event(&dice, names, types, arena)
    event.product = names.products.code(Identifier("pass"))
    (event.details, event.isCompanion, event.isShare) = (0, false, true)
    writer.append(event)
    let other = EventNames()
    _ = other.products.code(Identifier("weekly"))
    #expect(try reported(try #require(writer.finish()), other).events[0].contains("product=1 "))
  }

  @Test("An event that goes by what it says has one key, whatever numbers its file's reader gave products")
  func keyOfContent() throws {
    let run = EventNames()
    _ = run.products.code(Identifier("monthly"))
    let keys = try [["pass"], ["weekly", "pass"]].map { (known: [String]) -> String in
      let (names, arena) = (EventNames(), TextArena())
      for name in known { _ = names.products.code(Identifier(name)) }
      let writer = EventBlockWriter(names: names, types: types)
      var event = PurchaseEvent()
      (event.user, event.type, event.time) = (arena.copy("u".utf8), try #require(types.type(named: "zoom")), 7)
      event.product = names.products.code(Identifier("pass"))
      event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
      writer.append(event)
      let reported = try reported(try #require(writer.finish()), run).events[0]
      return String(try #require(reported.firstMatch(of: #/key=\S+/#)).output)
    }
    #expect(keys[0] == keys[1])
  }

  @Test("A charge that may count names its product", arguments: [false, true], [false, true])
  func productOfCharge(isSandbox: Bool, isState: Bool) throws {
    let (names, arena) = (EventNames(), TextArena())
    let writer = EventBlockWriter(names: names, types: types)
    var event = PurchaseEvent()
    (event.user, event.type, event.time) = (arena.copy("u".utf8), .purchase, 7)
    (event.isSandbox, event.isState) = (isSandbox, isState)
    writer.append(event)
    let block = try #require(writer.finish())
    if isSandbox, !isState {
      #expect(try reported(block, names).events.count == 1)
    } else {
      #expect(throws: BlockFault.self) { try reported(block, names) }
    }
    event.isFamilyShared = true
    writer.append(event)
    let shared = try #require(writer.finish())
    guard !(isSandbox && isState) else { return }
    #expect(try reported(shared, names).events.count == 1)
  }

  @Test("Who is in which group is told once and at the earliest time, by the names of where the block is read")
  func enrolments() throws {
    let (names, other, arena) = (EventNames(), EventNames(), TextArena())
    _ = (other.offerings.code(Identifier("elsewhere")), other.groups.code(Identifier("elsewhere")))
    let writer = EventBlockWriter(names: names, types: types)
    let reported: [(String, String, Int64)] = [("u1", "a", 7), ("u2", "b", 3), ("u1", "a", -5), ("u1", "b", 9)]
    for (user, group, time) in reported {
      writer.append(
        DecodedLine.Enrolment(
          user: arena.copy(user.utf8), offering: names.offerings.code(Identifier("test")),
          group: names.groups.code(Identifier(group)), time: time))
    }
    #expect(!writer.isEmpty)
    let block = try #require(writer.finish())
    #expect(writer.isEmpty)
    #expect(try self.reported(block, other).enrolments == ["u1: 1 of 1 at -5", "u2: 2 of 1 at 3", "u1: 2 of 1 at 9"])
  }

  @Test("A block is full after so many events, or so many bytes of texts")
  func full() throws {
    let writer = EventBlockWriter(names: EventNames(), types: types)
    let arena = TextArena()
    var event = PurchaseEvent()
    event.user = arena.copy([UInt8](repeating: 7, count: EventBlockWriter.mostBytes))
    writer.append(event)
    #expect(writer.isFull)
    #expect(try reported(try #require(writer.finish()), EventNames()).events.count == 1)
    event.user = arena.copy("u".utf8)
    for _ in 0..<Block.mostRows { writer.append(event) }
    #expect(writer.isFull)
    #expect(try #require(writer.finish()).count < Block.mostRows * 25)
  }

  @Test("Random bytes are no block, and never more than an error", arguments: 1...200)
  func rubbish(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let bytes = (0..<dice.below(400)).map { _ in UInt8(dice.chance(0.5) ? dice.below(20) : dice.below(256)) }
    var (reported, outcomes) = (ReportedEvents(), RowOutcomes())
    #expect(throws: BlockFault.self) {
      try bytes.withText { try EventBlock($0, names: EventNames(), types: types).emit(&reported, recording: &outcomes) }
    }
    #expect(throws: BlockFault.self) { try Block.head(bytes) }
  }
}
