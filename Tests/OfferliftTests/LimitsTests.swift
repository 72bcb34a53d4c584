import Foundation
import Testing

@Suite("Limits that the system sets")
struct LimitsTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  /// Runs the program in a shell within a limit; stderr goes to a pipe, for which no limit of files counts.
  private func run(within limit: String, _ arguments: String) throws -> (exit: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "ulimit \(limit) && exec '\(Binary.program.path)' \(arguments)"]
    process.currentDirectoryURL = binary.folder
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let reported = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      String(decoding: reported, as: UTF8.self)
    )
  }

  @Test(
    "A limit within which nothing can work is said before anything is done, with what to type",
    arguments: ["-n 8", "-n 63", "-s 512", "-f 0", "-f 100"])
  func tooLow(limit: String) throws {
    try binary.writeJob()
    let (exit, errors) = try run(within: limit, "run jobs/test.yml --date 2026-03-31")
    #expect(exit == 71, "\(errors)")
    #expect(errors.hasPrefix("offerlift: only "), "\(errors)")
    #expect(errors.contains("Allow more: ulimit \(limit.prefix(2)) "), "\(errors)")
    #expect(!FileManager.default.fileExists(atPath: binary.folder.appendingPathComponent("reports").path))
  }

  @Test("Within the least that works a night is published", arguments: ["-n 64", "-s 1024", "-f 8192"])
  func enough(limit: String) throws {
    try binary.writeJob()
    let (exit, errors) = try run(within: limit, "run jobs/test.yml --date 2026-03-31 --threads 2")
    #expect(exit == 0, "\(errors)")
  }

  @Test(
    "A pipe that nobody writes to and a device are refused wherever a file may stand, and only run may wait for a pipe")
  func noFiles() throws {
    try binary.writeJob()
    let pipe = binary.folder.appendingPathComponent("data/pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/zero"] {
      for arguments in [
        ["run", path], ["check", path], ["explain", path, "--user", "u1"], ["analyze", path],
        ["simulate", path, "--output", "o"],
        ["init", "--assignments", "data/users.csv", "--purchases", path, "--output", "o.yml"],
      ] {
        let outcome = try binary.run(arguments)
        #expect([65, 66].contains(outcome.exit), "\(arguments): \(outcome.errors)")
        #expect(outcome.errors.contains(path == pipe ? "pipe" : "device"), "\(arguments): \(outcome.errors)")
      }
      try binary.writeJob { $0.replacing("../data/log.jsonl", with: path) }
      let outcome = try binary.run("run", "jobs/test.yml", "--date", "2026-03-31")
      #expect(outcome.exit == 66, "\(outcome.errors)")
      #expect(
        outcome.errors.contains(path == pipe ? "offerlift run --allow-pipes" : "is a device"), "\(outcome.errors)")
    }
  }
}
