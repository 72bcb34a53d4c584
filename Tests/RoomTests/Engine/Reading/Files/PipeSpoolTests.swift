import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("Pipes among the inputs")
struct PipeSpoolTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pipe(_ bytes: [UInt8]) throws -> String {
    try World().write(to: folder)
    try FileManager.default.removeItem(atPath: folder.path("events.jsonl"))
    let path = folder.path("events.jsonl")
    #expect(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread {
      guard let handle = FileHandle(forWritingAtPath: path) else { return }
      try? handle.write(contentsOf: bytes)
      try? handle.close()
    }
    return path
  }

  private func measure(
    memory: MemoryLimit? = nil, store: EventStore? = nil, pipes: PipeSpool? = nil
  ) async throws -> RunMeasurement {
    let yaml = World().yaml.replacing("events*.jsonl*", with: "events.jsonl")
    try folder.write("job.yml", yaml)
    let job = try JobReader.read(folder.path("job.yml"))
    let cutoff = try Instant("2026-04-01", timezone: .gmt)
    return try await NativeEngine(
      job: job, cutoff: cutoff, threads: 2, store: store, memory: memory, context: RunContext(pipes: pipes)
    ).measure().measurement
  }

  private static let text = (0..<500).map { event("purchase", march(2 + $0 % 20)) + "\n" }.joined()

  @Test("A run reads a named pipe, packed or not, as often as it has to", arguments: [false, true])
  func run(isPacked: Bool) async throws {
    let bytes = Array(Self.text.utf8)
    _ = try pipe(isPacked ? Gzip.member(bytes) : bytes)
    let pipes = PipeSpool(in: folder.path(""))
    let store = EventStore(folder: folder.url.appendingPathComponent("state"), maxBytes: 1 << 30)
    store.open()
    let memory = MemoryLimit(ByteSize(bytes: 16_000_000), folder: folder.path(""))
    let night = try await measure(pipes: pipes)
    #expect(night.money[3] == 500)
    #expect(night.accounts.map(\.file).contains("events.jsonl"))
    #expect(try await measure(memory: memory, pipes: pipes).money == night.money)
    #expect(try await measure(store: store, pipes: pipes).money == night.money)
    #expect(try await measure(store: store, pipes: pipes).money == night.money)
  }

  @Test("What only looks says that it cannot look into one")
  func look() async throws {
    let path = try pipe([])
    let error = await #expect(throws: OfferliftError.self) { _ = try await measure() }
    #expect(error?.exit == .inputMissing)
    #expect(error?.message.hasPrefix("events.jsonl is a pipe") == true)
    #expect(error?.message.contains("offerlift run") == true)
    let sample = #expect(throws: OfferliftError.self) {
      try FileSample(InputFile(path: path, displayName: "events.jsonl"))
    }
    #expect(sample?.message == error?.message)
    // Lets the writer go.
    _ = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).readToEnd()
  }

  @Test("A device is no file, whoever asks", arguments: ["/dev/zero", "/dev/null"])
  func device(path: String) throws {
    let context = RunContext(pipes: PipeSpool(in: folder.path("")))
    let input = TableInput(name: "products", path: path, line: 3)
    let error = try #require(throws: OfferliftError.self) { try input.files(relativeTo: folder.url, in: context) }
    #expect(error.exit == .inputMissing)
    #expect(error.message.hasPrefix("\(path) is a device"))
    let job = #expect(throws: OfferliftError.self) { try JobReader.read(path) }
    #expect(job?.exit == .inputMissing)
    #expect(job?.message.contains("is a device") == true)
  }
}
