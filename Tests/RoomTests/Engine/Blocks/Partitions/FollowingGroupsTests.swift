import Testing

@testable import Domain
@testable import Engine

@Suite("Partitions of transactions that are settled together")
struct FollowingGroupsTests {
  private func file(_ folder: TemporaryFolder, bytesOfEach: Int) throws -> PartitionFile {
    let limit = MemoryLimit(ByteSize(bytes: 256_000_000), folder: folder.path(""))
    let file = try PartitionFile(limit, bits: 6, threads: 2)
    for partition in 0..<file.partitionCount {
      let block = Block.frame(.following, body: [UInt8](repeating: 0, count: bytesOfEach)[...])
      file.retain([try file.write(block, .following, of: partition, source: 3)])
    }
    return file
  }

  @Test("Few events are settled in as many groups as there are threads, so that few blocks become of them")
  func few() throws {
    let groups = try file(try TemporaryFolder(), bytesOfEach: 1000).groupsOfFollowing
    #expect(groups == [0..<32, 32..<64])
  }

  @Test("Many are settled a part at a time, each partition once")
  func many() throws {
    let groups = try file(try TemporaryFolder(), bytesOfEach: 1_500_000).groupsOfFollowing
    #expect(groups.map(\.count).max() == 2)
    #expect(groups.flatMap(Array.init) == Array(0..<64))
  }

  @Test("What has no room by itself is settled alone")
  func large() throws {
    let groups = try file(try TemporaryFolder(), bytesOfEach: 5_000_000).groupsOfFollowing
    #expect(groups.count == 64)
  }
}
