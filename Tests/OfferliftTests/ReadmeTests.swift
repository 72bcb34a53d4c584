import Foundation
import Testing

/// The README's first report, typed as it stands there.
///
/// `RECORD_SNAPSHOTS=1` writes what the commands say today into the README, and fails.
@Suite("The README's first report")
struct ReadmeTests {
  private static let file = repository.appending(path: "README.md")
  private let binary: Binary

  init() throws {
    binary = try Binary()
    try FileManager.default.createSymbolicLink(
      at: binary.folder.appending(path: "sample-data"), withDestinationURL: repository.appending(path: "sample-data"))
  }

  /// The text of one of the README's fenced blocks of a language, the first unless told otherwise.
  private static func block(_ language: String, _ number: Int = 0, of text: String) throws -> String {
    let after = try #require(text.components(separatedBy: "\n```\(language)\n").dropFirst(1 + number).first)
    return try #require(after.components(separatedBy: "\n```").first)
  }

  /// Runs a script by bash, the program being on the PATH, and returns all it says.
  private func shell(_ script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", "-euc", script]
    process.currentDirectoryURL = binary.folder
    let folder = Binary.program.deletingLastPathComponent().path
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PATH": folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(script)")
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The commands of a console block, each with what it is said to answer.
  private static func commands(of console: String) -> [(command: String, answer: String)] {
    console.components(separatedBy: "$ ").dropFirst().map { text in
      let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
    }
  }

  @Test("Every command of it does what it is said to do")
  func firstReport() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let steps = try Self.block("sh", of: text).split(separator: "\n").filter { !$0.hasPrefix("jobs/setup.sh") }
    _ = try shell(steps.joined(separator: "\n"))
    let look = try Self.block("sh", 1, of: text)
    _ = try shell("cd my-test; \(look)")
    #expect(try binary.text("my-test/pricing.yml").contains("job: pricing"))
    let job = try Self.block("yaml", of: text)
    #expect(job.split(separator: "\n").count <= 12)
    try binary.write("my-test/pricing.yml", job + "\n")
    let console = try Self.block("console", of: text)
    let answers: [String] = try Self.commands(of: console).map { command, answer in
      let said = try shell("cd my-test; \(command)").trimmingCharacters(in: .newlines)
      // Dots stand for all but the last line.
      let shown = answer.hasPrefix("…") ? "…\n" + (said.split(separator: "\n").last ?? "") : said
      return "$ \(command)\n\(shown)"
    }
    let found = answers.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try text.replacing(console, with: found).write(to: Self.file, atomically: true, encoding: .utf8)
    }
    #expect(found == console)
    let report = try binary.text("my-test/reports/pricing/latest/report.html")
    #expect(report.contains("new_price"))
  }

  @Test("The two files that it shows begin as it shows them")
  func files() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    for name in ["users", "orders"] {
      let lines = try shell("gunzip -c sample-data/pricing/\(name).csv.gz").split(separator: "\n").prefix(3)
      for line in lines { #expect(text.contains(line), "\(name): \(line)") }
    }
  }
}
