import Testing

@testable import Engine
@testable import Measurement

@Suite("Records in memory that another owns")
struct RecordSpanTests {
  @Test("A buffer gives back what it took, however often it grew, and nothing of the user before")
  func buffer() {
    var buffer = RecordBuffer<Int>()
    #expect(buffer.isEmpty && buffer.span.isEmpty && Array(buffer.span) == [])
    for count in [1, 8, 9, 1000, 3] {
      buffer.removeAll()
      for number in 0..<count { buffer.append(number * 7) }
      #expect(buffer.count == count && Array(buffer.span) == (0..<count).map { $0 * 7 })
    }
    var other = RecordBuffer<Int>()
    other.append(5)
    other.append(contentsOf: buffer.span)
    other.append(each: [1, 2])
    #expect(Array(other.span) == [5, 0, 7, 14, 1, 2])
    other.fill(with: 4, count: 3)
    #expect(Array(other.span) == [4, 4, 4])
  }

  @Test("Room is filled in any order")
  func room() {
    let buffer = RecordBuffer<Int>(room: 5)
    for position in [3, 0, 4, 1, 2] { buffer.put(position * 10, at: position) }
    #expect(Array(buffer.span) == [0, 10, 20, 30, 40])
  }

  @Test("A part keeps its places, and what is changed in it is changed in the whole")
  func parts() {
    var buffer = RecordBuffer<Int>()
    buffer.append(each: 0..<10)
    let part = buffer.span[3..<7]
    #expect(Array(part) == [3, 4, 5, 6] && part.startIndex == 3 && part.count == 4)
    part[5] = 50
    #expect(buffer.span[5] == 50 && part.first { $0 > 4 } == 50)
    #expect(buffer.span.partitioningIndex { $0 >= 4 } == 4)
  }

  @Test("Sorts as the library does, few and many", arguments: [0, 1, 2, 3, 23, 24, 25, 400])
  func sorts(count: Int) {
    var dice = Dice(seed: UInt64(count) + 1)
    for _ in 0..<50 {
      let numbers = (0..<count).map { _ in dice.below(30) }
      var buffer = RecordBuffer<Int>()
      buffer.append(each: numbers)
      buffer.span.sort(by: <)
      #expect(Array(buffer.span) == numbers.sorted())
    }
  }
}
