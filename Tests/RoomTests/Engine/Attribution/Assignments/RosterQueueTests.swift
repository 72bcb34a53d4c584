import Domain
import Testing

@testable import Engine
@testable import Measurement

@Suite("Rows queued for a roster")
struct RosterQueueTests {
  private func row(_ user: Text, _ dice: inout Dice) -> AssignmentRow {
    AssignmentRow(
      user: user, offering: UInt32(dice.below(3)), group: UInt32(dice.below(4)), time: Int64(dice.below(1000)),
      file: UInt32(dice.below(2)), values: [UInt32(dice.below(9)), UInt32(dice.below(9)), 7])
  }

  private func reported(_ roster: Roster) -> [[Int64]] {
    roster.rows.map { [Int64($0.user), Int64($0.offering), Int64($0.group), Int64($0.file), $0.time] }
  }

  @Test("Stand there as rows do that are added one by one")
  func alike() {
    var dice = Dice(seed: 31)
    let (one, other) = (["a", "b"].roster, ["a", "b"].roster)
    var queue = RosterQueue(other)
    for _ in 0..<20 {
      for _ in 0..<dice.below(300) {
        let id = Array("user-\(dice.below(900))".utf8)
        // A queued row's id has to live until its batch is finished.
        let retained = arena.copy(id)
        let row = row(retained, &dice)
        one.add(row)
        queue.add(row)
      }
      queue.finish()
    }
    #expect(reported(one) == reported(other))
    #expect(one.firstAssignment == other.firstAssignment && one.lastAssignment == other.lastAssignment)
    #expect(one.rows.map(\.attributes) == other.rows.map(\.attributes))
    for partition in 0..<UserDirectory.partitionCount {
      var (ids, others): ([[UInt8]], [[UInt8]]) = ([], [])
      one.users.forEach(partition: partition) { ids.append(Array($0)) }
      other.users.forEach(partition: partition) { others.append(Array($0)) }
      #expect(ids == others)
    }
  }

  private let arena = TextArena()
}

extension [String] {
  fileprivate var roster: Roster { Roster(names: EventNames(), attributes: self) }
}
