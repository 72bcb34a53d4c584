import Testing

@testable import Engine
@testable import Measurement

@Suite("Records in chunks")
struct ChunkListTests {
  @Test("Records are taken out of full chunks and of one that is not, and the others keep their order")
  func removal() {
    for count in [0, 1, 4, 7, 8, 30] {
      let list = ChunkList<Int>(chunkSize: 4)
      for number in 0..<count { list.append(number) }
      #expect(list.remove { $0 % 3 == 0 } == (0..<count).filter { $0 % 3 == 0 })
      #expect(records(list) == (0..<count).filter { $0 % 3 != 0 })
    }
  }

  @Test("What is left stays when a later file is abandoned, and all of it may go")
  func removalAndFiles() {
    let list = ChunkList<Int>(chunkSize: 4)
    for number in 0..<10 { list.append(number) }
    list.finishFile()
    #expect(list.remove { $0 < 7 }.count == 7)
    for number in 10..<20 { list.append(number) }
    list.abandonFile()
    #expect(records(list) == [7, 8, 9] && list.count == 3)
    #expect(list.remove { _ in true } == [7, 8, 9])
    list.append(5)
    #expect(records(list) == [5])
  }

  private func records(_ list: ChunkList<Int>) -> [Int] {
    var records: [Int] = []
    list.forEach { records.append($0) }
    return records
  }
}
