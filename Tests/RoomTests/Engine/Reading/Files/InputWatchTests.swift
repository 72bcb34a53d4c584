import Foundation
import Synchronization
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

@Suite("Inputs that change while they are read")
struct InputWatchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let row = event("purchase", march(5)) + "\n"

  /// A way to change a file: written on, cut, emptied, another in its place, written anew, gone.
  enum Change: CaseIterable {
    case appended, cut, emptied, replaced, touched, gone

    func make(_ path: String) throws {
      let url = URL(fileURLWithPath: path)
      let text = try String(contentsOf: url, encoding: .utf8)
      switch self {
      case .appended:
        let handle = try FileHandle(forWritingTo: url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(row.utf8))
        try handle.close()
      case .cut: #expect(truncate(path, off_t(text.utf8.count / 2)) == 0)
      case .emptied: #expect(truncate(path, 0) == 0)
      case .replaced: try Data(text.utf8).write(to: url, options: .atomic)
      case .touched:
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: path)
      case .gone: try FileManager.default.removeItem(at: url)
      }
    }
  }

  /// The rows of a file, which is changed behind the first look as often as said.
  private func rows(_ change: Change, times: Int) async throws -> (rows: Int, changed: [String]) {
    try folder.write("log.jsonl", String(repeating: Self.row, count: 4))
    let input = TableInput(name: "log", path: "log.jsonl", line: 2, format: .jsonl)
    let left = Mutex(times)
    let (rows, changed) = try await InputWatch.settled { watch in
      let context = RunContext().watched(by: watch)
      let files = try input.files(relativeTo: folder.url.appendingPathComponent("job.yml"), in: context)
      let file = try #require(files.first)
      let isChanged = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if isChanged { try change.make(file.path) }
      let table = TableFile(
        input: input, file: file, fields: ["userId"], isRequired: [true], job: .plain())
      return try table.read { _, _ in }.reading.account.rows
    }
    return (rows, changed)
  }

  @Test(
    "What changed once is read again, and counts as it is then",
    arguments: [Change.appended, .replaced, .touched, .emptied])
  func once(change: Change) async throws {
    let found = try await rows(change, times: 1)
    #expect(found.rows == (change == .appended ? 5 : change == .emptied ? 0 : 4))
    #expect(found.changed == ["log.jsonl"])
    let still = try await rows(change, times: 0)
    #expect(still.rows == 4)
    #expect(still.changed.isEmpty)
  }

  @Test(
    "What changes again while it is read again is no input", arguments: [Change.appended, .replaced, .cut])
  func twice(change: Change) async throws {
    let error = await #expect(throws: OfferliftError.self) { _ = try await rows(change, times: 2) }
    #expect(error?.exit == .badData)
    #expect(error?.message.hasPrefix("log.jsonl changed while it was read") == true, "\(error?.message ?? "")")
  }

  @Test("What goes while it is read is missing")
  func gone() async throws {
    let error = await #expect(throws: OfferliftError.self) { _ = try await rows(.gone, times: 1) }
    #expect(error?.exit == .inputMissing)
  }

  /// A job whose last input is a pipe: whoever writes to that comes between the first look at the files and their reading.
  private func measure(
    memory: MemoryLimit? = nil, store: EventStore? = nil, change: @escaping @Sendable () throws -> Void
  ) async throws -> NativeEngine.Outcome {
    var world = World()
    world.events = (0..<50).map { event("purchase", march(2 + $0 % 20)) }
    world.products = ["p,auto_renewable,,,"]
    world.rates = ["2026-03-01,EUR,0.9"]
    try world.write(to: folder)
    let log = "purchases: {path: \"events*.jsonl*\", format: events}"
    let two = "purchases: [{path: events.jsonl, format: events}, {path: pipe, format: events}]"
    try folder.write("job.yml", world.yaml.replacing(log, with: two))
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread {
      guard let handle = FileHandle(forWritingAtPath: path) else { return }
      try? change()
      try? handle.write(contentsOf: Data(Self.row.utf8))
      try? handle.close()
    }
    let job = try JobReader.read(folder.path("job.yml"))
    let cutoff = try Instant("2026-04-01", timezone: .gmt)
    let context = RunContext(pipes: PipeSpool(in: folder.path("")))
    return try await NativeEngine(
      job: job, cutoff: cutoff, threads: 2, store: store, memory: memory, context: context
    ).measure()
  }

  @Test("A run reads a log again that was written on, in memory, on the disk and with a store")
  func run() async throws {
    for way in ["memory", "disk", "store"] {
      let own = try InputWatchTests()
      let path = own.folder.path("events.jsonl")
      let store = EventStore(folder: own.folder.url.appendingPathComponent("state"), maxBytes: 1 << 30)
      if way == "store" { store.open() }
      let outcome = try await own.measure(
        memory: way == "disk" ? MemoryLimit(ByteSize(bytes: 60_000), folder: own.folder.path("")) : nil,
        store: way == "store" ? store : nil, change: { try Change.appended.make(path) })
      #expect(outcome.measurement.money[3] == 52, "\(way)")
      #expect(outcome.warnings.contains { $0.hasPrefix("events.jsonl changed while it was read") }, "\(way)")
    }
  }

  @Test(
    "Whatever a run reads is refused that does not stand still",
    arguments: ["events.jsonl", "products.csv", "rates.csv", "assignments.csv"])
  func everyInput(name: String) async throws {
    let path = folder.path(name)
    let over = Flag()
    defer { over.set() }
    let error = await #expect(throws: OfferliftError.self) {
      _ = try await measure(change: {
        Thread.detachNewThread {
          while !over.isSet {
            guard let handle = FileHandle(forWritingAtPath: path) else { return }
            _ = try? handle.seekToEnd()
            try? handle.write(contentsOf: Data("\n".utf8))
            try? handle.close()
          }
        }
      })
    }
    #expect(error?.exit == .badData)
    #expect(error?.message.hasPrefix("\(name) changed while it was read") == true, "\(error?.message ?? "")")
  }

  private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }
}
