import Foundation
import Testing

/// `--memory`, through the program.
@Suite("offerlift run with --memory")
struct MemoryTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  private func night() throws -> [String: Data] {
    try binary.snapshot("reports/test/2026-03-31").filter { $0.key != "run.json" }
  }

  @Test("The same bytes come out of little memory, at any number of threads, with kept events too")
  func sameBytes() throws {
    try binary.writeJob()
    #expect(try binary.run("run", "jobs/test.yml", "--date", "2026-03-31").exit == 0)
    let plain = try night()
    try binary.writeJob { $0 + "state: {path: ../state}\n" }
    for threads in ["1", "2", "2"] {
      let outcome = try binary.run(
        "run", "jobs/test.yml", "--date", "2026-03-31", "--memory", "96M", "--threads", threads)
      #expect(outcome.exit == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(try night() == plain)
    }
  }

  @Test("Rejects that have no room wait on the disk and come out the same, from kept events too")
  func manyRejects() throws {
    try binary.writeJob { $0 + "max_reject_ratio: 1\n" }
    let log = try binary.text("data/log.jsonl")
    let unread = (1...30_000).map { number in
      #"{"userId":"u\#(number)","eventType":"purchase","occurredAt":"never \#(number)","note":"é"}"#
    }
    let unpriced = (1...8_000).map { number in
      #"{"userId":"u\#(number % 50)","eventType":"purchase","occurredAt":"2026-03-02T10:00:00Z","productId":"p","#
        + #""price":"9.99","currency":"CHF","transactionId":"c\#(number)"}"#
    }
    try binary.write("data/log.jsonl", log + (unread + unpriced).shuffled().joined(separator: "\n") + "\n")
    #expect(try binary.run("run", "jobs/test.yml", "--date", "2026-03-31").exit == 0)
    let plain = try night()
    #expect((plain["rejects.csv.gz"]?.count ?? 0) > 1 << 19)
    let job = try binary.text("jobs/test.yml")
    for (threads, isRetained) in [("1", false), ("2", false), ("2", true), ("1", true)] {
      try binary.write("jobs/test.yml", job + (isRetained ? "state: {path: ../state}\n" : ""))
      let outcome = try binary.run(
        "run", "jobs/test.yml", "--date", "2026-03-31", "--memory", "96M", "--threads", threads)
      #expect(outcome.exit == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(try night() == plain)
    }
  }

  @Test("A million rejects beyond what the job allows end the reading, before all of them are written")
  func rejectsWithoutEnd() throws {
    try binary.writeJob()
    try binary.write("data/log.jsonl", try binary.text("data/log.jsonl") + String(repeating: "x\n", count: 2_000_000))
    for arguments in [[], ["--memory", "96M"]] {
      let outcome = try binary.run(["run", "jobs/test.yml", "--date", "2026-03-31", "--threads", "1"] + arguments)
      #expect(outcome.exit == 65 && outcome.errors.contains("reading ended there"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("2000000"))
    }
    try binary.writeJob { $0 + "max_reject_ratio: 1\n" }
    #expect(try binary.run("run", "jobs/test.yml", "--date", "2026-03-31").exit == 0)
  }

  @Test("A run that its users on the disk do not make small enough ends with what takes the room")
  func tooMuchAllTheSame() throws {
    try binary.writeJob { $0 + "max_reject_ratio: 1\n" }
    let log = try binary.text("data/log.jsonl")
    let sales = (1...400_000).map { number in
      #"{"userId":"u\#(number % 50)","eventType":"purchase","occurredAt":"2026-03-02T10:00:00Z","productId":"sale-\#(number)","#
        + #""price":"9.99","currency":"USD","transactionId":"c\#(number)"}"#
    }
    try binary.write("data/log.jsonl", log + sales.joined(separator: "\n") + "\n")
    let outcome = try binary.run("run", "jobs/test.yml", "--date", "2026-03-31", "--memory", "96M")
    #expect(outcome.exit == 71)
    #expect(
      outcome.errors.contains("more memory than 96 MB") && outcome.errors.contains("taken for productId"),
      "\(outcome.errors)")
    #expect(!outcome.errors.contains("sale-"))
  }

  @Test("Nothing is left where what had no room has waited")
  func nothingIsLeft() throws {
    try binary.writeJob()
    #expect(try binary.run("run", "jobs/test.yml", "--date", "2026-03-31", "--memory", "96M").exit == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: binary.folder.appending(path: "reports").path)
    #expect(!names.contains { $0.hasPrefix(".offerlift") })
  }

  @Test("What is no size, or too little to run in, is told with what to type")
  func usage() throws {
    try binary.writeJob()
    let little = try binary.run("run", "jobs/test.yml", "--memory", "10M")
    #expect(little.exit == 64)
    #expect(little.errors.contains("--memory must be at least 96M"), "\(little.errors)")
    #expect(try binary.run("run", "jobs/test.yml", "--memory", "plenty").exit == 64)
  }
}
