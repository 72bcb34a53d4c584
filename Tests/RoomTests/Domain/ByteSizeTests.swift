import Testing

@testable import Domain

@Suite("Amounts of memory and disk")
struct ByteSizeTests {
  @Test(
    "Sizes as people write them",
    arguments: [
      ("20 GB", 20_000_000_000), ("500MB", 500_000_000), ("256M", 256_000_000), ("1 tb", 1_000_000_000_000),
      ("3k", 3000),
    ])
  func read(text: String, bytes: Int64) {
    #expect(ByteSize(text)?.bytes == bytes)
  }

  @Test(
    "What is no size",
    arguments: ["", "20", "GB", "0 GB", "-1 GB", "1.5 GB", "20 GiB", "20 XB", "99999999999 TB", "٣ GB"])
  func refused(text: String) {
    #expect(ByteSize(text) == nil)
  }
}
