import Foundation
import Testing

@testable import Engine
@testable import Measurement

@Suite("Numbers for byte strings")
struct ByteTableTests {
  private func insert(_ text: [UInt8], into table: ByteTable) -> Int {
    text.withText { table.insert($0, hash: ByteHash.hash64($0)) }
  }

  private func find(_ text: [UInt8], in table: ByteTable) -> Int? {
    text.withText { table.find($0, hash: ByteHash.hash64($0)) }
  }

  @Test("Random strings get the numbers a dictionary gives them")
  func againstDictionary() {
    let seed: UInt64 = 64
    var dice = Dice(seed: seed)
    let table = ByteTable(expected: 2, bytesEach: 1)
    var numbers: [[UInt8]: Int] = [:]
    for _ in 0..<20_000 {
      let text = dice.bytes(dice.below(12), from: dice.chance(0.5) ? [0, 1] : [0, 97, 98, 99, 255])
      guard dice.chance(0.7) else {
        #expect(find(text, in: table) == numbers[text], "seed \(seed)")
        continue
      }
      let expected = numbers[text] ?? numbers.count
      numbers[text] = expected
      #expect(insert(text, into: table) == expected, "seed \(seed)")
    }
    #expect(table.count == numbers.count)
    for (text, number) in numbers { #expect(table.text(number).elementsEqual(text)) }
  }

  @Test("Strings of one hash are told apart by their bytes")
  func oneHash() {
    let table = ByteTable()
    for number in 0..<5 {
      [UInt8(number)].withText { #expect(table.insert($0, hash: 42) == number) }
    }
    for number in 0..<5 { [UInt8(number)].withText { #expect(table.find($0, hash: 42) == number) } }
    [9].withText { #expect(table.find($0, hash: 42) == nil) }
  }

  @Test("A table that has forgotten its strings numbers others from 0, and knows none of the old ones")
  func forgotten() {
    let table = ByteTable(expected: 2, bytesEach: 1)
    for turn in 0..<3 {
      let texts = (0..<(500 << turn)).map { Array("\(turn) \($0)".utf8) }
      for (number, text) in texts.enumerated() { #expect(insert(text, into: table) == number) }
      #expect(texts.indices.allSatisfy { find(texts[$0], in: table) == $0 && table.text($0).elementsEqual(texts[$0]) })
      table.removeAll()
      #expect(table.count == 0)
      #expect(texts.allSatisfy { find($0, in: table) == nil })
    }
  }

  @Test("The empty string, zeros behind and composed letters are strings of their own")
  func near() {
    let texts: [[UInt8]] = [
      [], [0], [0, 0], Array("é".utf8), Array("e\u{301}".utf8), Array("12345678".utf8), Array("12345678\0".utf8),
    ]
    let table = ByteTable()
    #expect(texts.map { insert($0, into: table) } == Array(texts.indices))
    #expect(texts.map { find($0, in: table) } == Array(texts.indices))
  }

  @Test("Names asked for by many threads have one number each")
  func interner() async {
    let interner = Interner()
    let codes = await withTaskGroup(of: [UInt32].self) { group in
      for thread in 0..<4 {
        group.addTask {
          var cache = InternerCache(interner)
          return (0..<500).map { number in
            let name = Array("name \((number &* 7 + thread) % 100)".utf8)
            return name.withText { cache.code($0) }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let names = interner.names
    #expect(names.count == 100)
    #expect(Set(names).count == 100)
    for (index, code) in codes[0].enumerated() { #expect(names[Int(code)].text.hasPrefix("name "), "\(index)") }
    #expect(interner.code("name 1") == names.firstIndex(of: "name 1").map { UInt32($0) })
    var cache = InternerCache(interner)
    #expect([].withText { cache.code($0) } == Interner.none)
  }

  @Test("Users have a place each, found again by their bytes")
  func directory() {
    let users = UserDirectory()
    var positions: [[UInt8]: [UInt32]] = [:]
    var dice = Dice(seed: 5)
    for _ in 0..<5000 {
      let user = Array("user-\(dice.below(3000))".utf8)
      let position = user.withText { users.add($0) }
      let found = [UInt32(position.partition), position.user]
      #expect(positions[user] == nil || positions[user] == found)
      positions[user] = found
    }
    #expect(Set(positions.values).count == positions.count)
    let counted = (0..<UserDirectory.partitionCount).reduce(0) { $0 + users.count(partition: $1) }
    #expect(counted == positions.count)
    let finder = users.finder
    for (user, position) in positions {
      let hash = user.withText { ByteHash.hash64($0) }
      let partition = UserDirectory.partition(ofHash: hash)
      #expect(UInt32(partition) == position[0])
      #expect(user.withText { users.find($0, hash: hash, partition: partition) } == position[1])
      #expect(user.withText { finder.find($0, hash: hash, partition: partition) } == position[1])
    }
    #expect(Array("nobody".utf8).withText { users.find($0, hash: 1, partition: 0) } == nil)
    // No partition is left to do most of the work.
    #expect((0..<UserDirectory.partitionCount).allSatisfy { users.count(partition: $0) < positions.count / 8 })
  }
}
