import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// The same rows come to the same, whatever they are packed in and however they are read.
@Suite("Files in every container")
struct ContainersTests {
  /// What one file is in place of, by the ending of its name.
  private typealias Container = (ending: String, pack: ([UInt8]) -> [UInt8])

  private static func halves(_ bytes: [UInt8], header: Int) -> [[UInt8]] {
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: true).map { Array($0) + [0x0a] }
    let (head, rows) = (lines.prefix(header).joined(), lines.dropFirst(header))
    let (first, second) = (rows.prefix(rows.count / 2), rows.dropFirst(rows.count / 2))
    return [Array(head) + first.joined(), Array(head) + second.joined(), Array(head)]
  }

  private static func wide(_ bytes: [UInt8], bigEndian: Bool) -> [UInt8] {
    UTF16Bytes.of(String(decoding: bytes, as: UTF8.self), bigEndian: bigEndian)
  }

  /// - Parameter header: how many lines of the file stand above its rows.
  private static func containers(header: Int) -> [Container] {
    [
      ("", { $0 }), (".gz", { Gzip.member($0) }), (".zst", { Zstd.skippable([1]) + Zstd.frame($0) }),
      (".le", { wide($0, bigEndian: false) }), (".be", { wide($0, bigEndian: true) }),
      (".wide.gz", { Gzip.member(wide($0, bigEndian: true)) }),
      (".wide.zst", { Zstd.frame(wide($0, bigEndian: false)) }),
      (".zip", { Zip.archive([Zip.Member("march.csv", $0)]) }),
      (".gz.zip", { Zip.archive([Zip.Member("march.csv.gz", Gzip.member($0))]) }),
      (
        ".3.zip",
        { bytes in
          Zip.archive(halves(bytes, header: header).enumerated().map { Zip.Member("logs/\($0).csv", $1) })
        }
      ),
    ]
  }

  private static var world: World {
    var world = World()
    world.attributes = ["country"]
    world.assignments = (0..<40).map {
      "u\($0),test,\(["control", "b"][$0 % 2]),2026-03-01T00:00:00Z,\(["DE", "日本"][$0 % 3 / 2])"
    }
    world.events = (0..<200).map { number in
      event(
        "purchase", march(2 + number % 28),
        ["userId": "u\(number % 41)", "transactionId": "t\(number)", "price": number % 9 == 0 ? "x" : "\(number)"])
    }
    return world
  }

  /// A world's files in a container, beside its job, whose path comes back.
  private func write(_ container: Container, _ table: Container, to folder: TemporaryFolder) throws -> String {
    let path = try Self.world.write(to: folder)
    for (name, container) in [("events.jsonl", container), ("assignments.csv", table)] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
      try FileManager.default.removeItem(atPath: folder.path(name))
      try folder.write(name + container.ending, container.pack(Array(bytes)))
    }
    return path
  }

  @Test("The same rows give equal results in memory, on a disk, out of a store and in tasks")
  func everyWay() async throws {
    let folder = try TemporaryFolder()
    let plain = try await World.measure(Self.world.write(to: folder), asOf: "2026-04-01", threads: 1)
    #expect(plain.money[0] > 0 && plain.setAside[.badPrice] == 23)
    for (container, table) in zip(Self.containers(header: 0), Self.containers(header: 1)).dropFirst() {
      let folder = try TemporaryFolder()
      let way = EveryWay(folder: folder, path: try write(container, table, to: folder))
      try await way.forEach { found, comment in
        #expect("\(found.offerings)" == "\(plain.offerings)", "\(container.ending), \(comment)")
        #expect(found.setAside == plain.setAside && found.used == plain.used, "\(container.ending), \(comment)")
        #expect(found.accounts.allSatisfy { $0.file.contains(".zip/") == container.ending.hasSuffix(".zip") })
      }
    }
  }

  @Test("Explain tells of a user the same, whatever rows are packed in")
  func explain() async throws {
    func reported(_ path: String) async throws -> [String] {
      let job = try JobReader.read(path)
      let cutoff = try Instant("2026-04-01", timezone: job.timezone)
      let trace = try await UserTracing(job: job, cutoff: cutoff, threads: 1).trace("u7")
      return trace.rows.map { "\($0.outcome)" } + trace.memberships.map { "\($0.values.map(\.y))" }
    }
    let folder = try TemporaryFolder()
    let plain = try await reported(Self.world.write(to: folder))
    #expect(plain.count > 5)
    for (container, table) in zip(Self.containers(header: 0), Self.containers(header: 1)).dropFirst() {
      let folder = try TemporaryFolder()
      #expect(try await reported(write(container, table, to: folder)) == plain, "\(container.ending)")
    }
  }

  @Test("The same file in two containers counts once")
  func sameFile() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.world.write(to: folder)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("events.jsonl"))))
    let containers = Self.containers(header: 0).filter { $0.ending != ".3.zip" && !$0.ending.isEmpty }
    for container in containers { try folder.write("events.jsonl" + container.ending, container.pack(bytes)) }
    let found = try await World.measure(path, asOf: "2026-04-01", threads: 2)
    #expect(found.accounts.count { $0.setAside == [.sameFile: 200] } == containers.count)
    #expect(found.used == 174)
  }

  @Test("Half a letter of UTF-16 makes its row invalid_utf8, and no other")
  func halfLetter() async throws {
    var units = Array(Self.world.events.prefix(3).joined(separator: "\n").utf16)
    let position = try #require(units.firstIndex(of: UInt16(UInt8(ascii: "u"))))
    units.insert(0xd83d, at: position)
    let folder = try TemporaryFolder()
    let path = try Self.world.write(to: folder)
    try folder.write("events.jsonl", UTF16Bytes.of([0xfeff] + units, bigEndian: false))
    let found = try await World.measure(path, asOf: "2026-04-01", threads: 1)
    #expect(found.setAside[.invalidUTF8] == 1)
    #expect(found.accounts.first { $0.file == "events.jsonl" }?.rows == 3)
  }

  @Test("What is damaged fails the run with file and byte, or is set aside whole")
  func damage() async throws {
    let bytes = Array(Self.world.events.joined(separator: "\n").utf8)
    let damaged: [(name: String, bytes: [UInt8])] = [
      ("events.jsonl.zst", Zstd.frame(bytes).dropLast()),
      ("events.jsonl.le", Self.wide(bytes, bigEndian: false).dropLast()),
      ("events.jsonl.zip", Zip.archive([Zip.Member("a", bytes)]).dropLast(30)),
    ]
    for file in damaged {
      let folder = try TemporaryFolder()
      var world = Self.world
      let path = try world.write(to: folder)
      try folder.write(file.name, file.bytes)
      let error = await #expect(throws: OfferliftError.self) {
        try await World.measure(path, asOf: "2026-04-01", threads: 1)
      }
      #expect(
        error?.exit == .badData && error?.message.hasPrefix("\(file.name), byte ") == true, "\(error?.message ?? "")")
      world.job = "on_corrupt: skip"
      try world.write(to: folder)
      let found = try await World.measure(path, asOf: "2026-04-01", threads: 1)
      #expect(found.used == 174, "\(file.name)")
      #expect(found.accounts.first { $0.file == file.name }?.setAside == [.corruptFile: 1])
    }
  }

  @Test("A damaged member is one file: the others of its archive are read, also with a store")
  func damagedMember() async throws {
    let lines = Self.world.events.map { Array($0.utf8) + [0x0a] }
    var (one, other) = (Zip.Member("1.jsonl", lines[..<100].joined()), Zip.Member("2.jsonl", lines[100...].joined()))
    (one.method, other.method) = (0, 0)
    var bytes = Zip.archive([one, other])
    bytes[100] ^= 1
    let folder = try TemporaryFolder()
    var world = Self.world
    world.job = "on_corrupt: skip"
    let path = try world.write(to: folder)
    try FileManager.default.removeItem(atPath: folder.path("events.jsonl"))
    try folder.write("events.jsonl.zip", bytes)
    try await EveryWay(folder: folder, path: path).forEach { found, way in
      let accounts = found.accounts.filter { $0.input == "purchases" }
      #expect(accounts.map(\.file) == ["events.jsonl.zip/1.jsonl", "events.jsonl.zip/2.jsonl"], way)
      #expect(accounts.map(\.rows) == [1, 100] && accounts[0].setAside == [.corruptFile: 1], way)
    }
  }

  @Test("An archive without files, and a workbook, are refused by name")
  func refused() async throws {
    let refusal = try Refusal()
    let empty = try await refusal.ofLog("events", Zip.archive([Zip.Member("a/", [])]))
    #expect(empty?.exit == .badData && empty?.message.hasPrefix("log.txt is a zip archive with no file in it") == true)
    let workbook = try await refusal.ofLog("events", Zip.archive([Zip.Member("[Content_Types].xml", [1])]))
    #expect(workbook?.message.hasPrefix("log.txt is an Excel workbook") == true, "\(workbook?.message ?? "")")
  }
}
