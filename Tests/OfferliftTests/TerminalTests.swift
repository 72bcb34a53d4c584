import Foundation
import Testing

@Suite("What a command says")
struct TerminalTests {
  private let binary: Binary
  private let night = ["--date", "2026-03-31"]

  init() throws {
    binary = try Binary()
    try binary.writeJob()
    try binary.write("jobs/other.yml", Binary.job.replacingOccurrences(of: "job: test", with: "job: other"))
  }

  private func isPublished(_ job: String) -> Bool {
    FileManager.default.fileExists(
      atPath: binary.folder.appendingPathComponent("out/\(job)/2026-03-31/comparisons.csv").path)
  }

  @Test("A stdout that cannot be written is an error, and every job is published all the same")
  func fullOutput() throws {
    let outcome = try binary.run(
      ["run", "jobs/test.yml", "jobs/other.yml", "--output", "out"] + night, onto: "/dev/full")
    #expect(outcome.exit == 74)
    let line = "offerlift: stdout cannot be written: No space left on device.\n"
    #expect(outcome.errors == line + line)
    #expect(isPublished("test") && isPublished("other"))
    for arguments in [["check", "jobs/test.yml"], ["power", "--baseline", "0.03", "--lift", "0.1"]] {
      let outcome = try binary.run(arguments, onto: "/dev/full")
      #expect(outcome.exit == 74)
      #expect(outcome.errors.hasSuffix(line))
    }
  }

  @Test("A stderr that cannot be written stops nothing")
  func fullErrors() throws {
    let outcome = try binary.run(
      ["run", "jobs/test.yml", "--output", "out", "--log", "text"] + night, errors: "/dev/full")
    #expect(outcome.exit == 0)
    #expect(isPublished("test"))
    #expect(try binary.run(["run", "jobs/none.yml"], errors: "/dev/full").exit == 66)
  }

  @Test("Where JSON is asked for, why a run failed is a line of it, too")
  func errorAsJSON() throws {
    for jobs in [["jobs/none.yml"], ["jobs/test.yml", "jobs/broken.yml"]] {
      try binary.write(
        "jobs/broken.yml",
        Binary.job.replacing("log.jsonl", with: "gone.jsonl").replacing("job: test", with: "job: broken"))
      let outcome = try binary.run(["run"] + jobs + ["--output", "out", "--log", "json"] + night)
      #expect(outcome.exit == 66)
      let lines = try outcome.errors.split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])
      }
      let failures = lines.filter { $0["level"] == "error" }
      #expect(failures.count == 1)
      #expect(failures.first?["message"]?.contains(jobs.count == 1 ? "none.yml" : "gone.jsonl") == true)
    }
  }
}
