import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs

@Suite("What programs write in the place of files")
struct ProgramOutputsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bring(_ words: [String], patience: Double = 20) async throws -> Job {
    var job = Job(name: "test", file: folder.url.appending(path: "job.yml"))
    var table = TableInput(name: "assignments", path: "command: \(words.joined(separator: " "))", line: 4)
    table.command = words
    job.assignments = [table]
    let programs = ProgramOutputs(in: folder.path("reports"), patience: patience)
    let brought = try await programs.bring(into: job)
    // What a program wrote lies there for as long as its keeper does.
    let written = try brought.assignments[0].brought.map { try Data(contentsOf: URL(fileURLWithPath: $0[0].path)) }
    #expect(written == Data("a\n".utf8))
    return brought
  }

  @Test("A program that writes nothing for long is ended, and the message says so")
  func silent() async throws {
    let error = await #expect(throws: OfferliftError.self) { try await bring(["sleep", "600"], patience: 1) }
    #expect(error?.exit == .badData && error?.message.contains("it wrote nothing for 1 seconds") == true)
  }

  @Test("One that writes now and then is waited for, and one that fails is told by its last words")
  func patient() async throws {
    _ = try await bring(["sh", "-c", "sleep 0.3; echo a; sleep 0.3"])
    let error = await #expect(throws: OfferliftError.self) {
      try await bring(["sh", "-c", "echo first >&2; echo ' last ' >&2; echo >&2; exit 3"])
    }
    #expect(error?.message.contains("it said: last. Type it") == true, "\(error?.message ?? "")")
  }
}
