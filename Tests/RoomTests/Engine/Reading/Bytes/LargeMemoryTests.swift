import Testing

@testable import Engine
@testable import Measurement

@Suite("Memory in large pages")
struct LargeMemoryTests {
  @Test("It begins at a page, is empty, and all of it can be written", arguments: [1, 4096, 1 << 21, (1 << 21) + 1])
  func whole(count: Int) {
    let memory = LargeMemory(count: count)
    #expect(Int(bitPattern: memory.start) % LargeMemory.pageSize == 0)
    let bytes = memory.start.bindMemory(to: UInt8.self, capacity: count)
    #expect(bytes[0] == 0 && bytes[count - 1] == 0)
    for place in stride(from: 0, to: count, by: 4096) { bytes[place] = UInt8(truncatingIfNeeded: place >> 12) }
    #expect(stride(from: 0, to: count, by: 4096).allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0 >> 12) })
  }
}
