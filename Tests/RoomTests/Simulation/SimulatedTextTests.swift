import Foundation
import Testing

@testable import Domain
@testable import Platform
@testable import Simulation

@Suite("Simulated text")
struct SimulatedTextTests {
  private func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("writes numbers, prices and times as people do")
  func numbers() {
    let leapDay = Instant(milliseconds: 1_709_251_199_999)
    let written = [
      text { $0.write(UInt64(0)) },
      text { $0.write(UInt64(42), width: 5) },
      text { $0.write(UInt64.max) },
      text { $0.write(hex: 0xAB, digits: 4) },
      text { $0.write(priceMicros: 7_990_000) },
      text { $0.write(priceMicros: 50_000) },
      text { $0.write(secondOf: leapDay) },
    ]
    #expect(
      written == ["0", "00042", "18446744073709551615", "00ab", "7.99", "0.05", "2024-02-29T23:59:59"])
  }

  @Test("quotes what JSON and CSV want quoted")
  func quotes() {
    let json = text { $0.write(json: "a\"b\\c\n") }
    #expect(json == "\"a\\\"b\\\\c\\u000a\"")
    let row = text { $0.write(csv: ["a", "b,c", "d\"e", ""]) }
    #expect(row == "a,\"b,c\",\"d\"\"e\",\n")
  }

  @Test("gives every user an id of its own, some of them apart by leading zeros alone")
  func names() throws {
    var scenario = try Scenario(yaml: ScenarioTests.small, file: "small.yml")
    for style in Scenario.UserIDStyle.allCases {
      scenario.userIDs.add(style, try #require(Share("0.25")))
    }
    let names = UserName(scenario)
    let ids = (0..<40_000).map { user in text { names.write(UInt32(user), to: &$0) } }
    #expect(Set(ids).count == ids.count)
    #expect(ids.contains { $0.count == 20 && $0.allSatisfy(\.isNumber) })
    #expect(ids.contains { UUID(uuidString: $0) != nil })
    let numbers = ids.filter { $0.count < 20 }.compactMap { Int($0) }
    #expect(numbers.count > 5000)
    #expect(ids.contains { $0.hasPrefix("0") && Int($0) != nil })
  }
}

@Suite("Shard writer")
struct ShardWriterTests {
  private func file(_ oddities: ShardWriter.Oddities, lines: [String]) throws -> Data {
    let path = NSTemporaryDirectory() + "shard-\(UUID().uuidString).gz"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var writer = try ShardWriter(path, oddities: oddities)
    for line in lines { try writer.line { $0.write(line) } }
    try writer.finish()
    return try #require(FileManager.default.contents(atPath: path))
  }

  @Test("writes line ends, mark and open end as asked")
  func oddities() throws {
    var oddities = ShardWriter.Oddities()
    #expect(try Array(file(oddities, lines: ["a", "b"])) == GzipWriter.pack(Array("a\nb\n".utf8)))
    oddities.hasCRLF = true
    oddities.hasBOM = true
    #expect(
      try Array(file(oddities, lines: ["a", "b"])) == GzipWriter.pack(Array("\u{FEFF}a\r\nb\r\n".utf8)))
    oddities.hasOpenEnd = true
    #expect(try Array(file(oddities, lines: ["a", "b"])) == GzipWriter.pack(Array("\u{FEFF}a\r\nb".utf8)))
  }

  @Test("packs many members, one after the other")
  func members() throws {
    var oddities = ShardWriter.Oddities()
    oddities.hasManyMembers = true
    let bytes = try file(oddities, lines: (0..<10_000).map { "line \($0) of ten thousand" })
    let header = Data([0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0])
    var members = 0
    var rest = bytes[...]
    while let range = rest.range(of: header) {
      members += 1
      rest = rest[range.upperBound...]
    }
    #expect(members > 3)
  }

  @Test("says which file it cannot create")
  func cannotCreate() {
    let error = #expect(throws: OfferliftError.self) {
      _ = try ShardWriter("/proc/none/purchases-01.jsonl.gz")
    }
    #expect(error?.exit == .cannotCreateOutput)
    #expect(error?.message.contains("/proc/none/purchases-01.jsonl.gz") == true)
  }
}
