import Domain
import Testing

@testable import Engine
@testable import Measurement

@Suite("A limit of memory")
struct MemoryLimitTests {
  private func limit(_ text: String) throws -> MemoryLimit {
    let size: ByteSize = try #require(ByteSize(text))
    return MemoryLimit(size, folder: "/tmp")
  }

  @Test("With users on the disk a run may have a quarter more, where it is to end at all")
  func end() throws {
    let tiny = ByteSize(bytes: 1)
    #expect(throws: MemoryExceeded.self) { try MemoryLimit(tiny, folder: "/tmp").check() }
    try MemoryLimit(tiny, folder: "/tmp").onDisk.check()
    try MemoryLimit(ByteSize(bytes: 1 << 50), folder: "/tmp", endsRun: true).onDisk.check()
    try MemoryLimit(nil, folder: "/tmp", endsRun: true).onDisk.check()
  }

  @Test("Inputs of half its size may fit, larger ones need not be tried")
  func mayHold() throws {
    #expect(try limit("256M").mayHold(100_000_000))
    #expect(try !limit("256M").mayHold(128_000_000))
  }

  @Test("Less memory and more threads make more partitions, up to what can be written side by side")
  func partitionBits() throws {
    #expect(try limit("4G").partitionBits(for: 1_000_000, threads: 2) == 6)
    #expect(try limit("256M").partitionBits(for: 2_000_000_000, threads: 2) == 8)
    #expect(try limit("256M").partitionBits(for: 2_000_000_000, threads: 4) == 9)
    #expect(try limit("96M").partitionBits(for: 1_000_000_000_000, threads: 2) == 10)
  }

  @Test("Blocks are as large as all of those that wait have room for")
  func rowsOfBlock() throws {
    #expect(try limit("256M").rowsOfBlock(bits: 6, threads: 2) == 1041)
    #expect(try limit("96M").rowsOfBlock(bits: 10, threads: 8) == 64)
    #expect(try limit("100G").rowsOfBlock(bits: 6, threads: 1) == Block.mostRows)
  }

  @Test("A partition too large for the memory is taken in slices, each user in one of them")
  func slices() throws {
    #expect(try limit("256M").slices(ofBytes: 6_000_000, threads: 2) == 1)
    #expect(try limit("256M").slices(ofBytes: 60_000_000, threads: 2) == 16)
    let file = try PartitionFile(try limit("96M"), inputs: 0, threads: 1)
    file.retain([try file.write([UInt8](repeating: 0, count: 24_000_000), .events, of: 3, source: 0)])
    let slices = file.slices(of: 3)
    #expect(slices.count == 8)
    for number in 0..<100 {
      let hash = UInt64(3) << 58 | UInt64(number) &* 0x9e37_79b9_7f4a_7c15 >> 6
      #expect(slices.filter { $0.contains(hash) }.count == 1)
    }
    #expect(file.slices(of: 4).count == 1 && file.slices(of: 4)[0].isAll)
  }
}
