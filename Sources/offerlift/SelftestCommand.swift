import ArgumentParser
import Platform
import Selftest

/// `offerlift selftest`: whether this installation computes what it should.
struct SelftestCommand: AsyncParsableCommand, QuietCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Prove on this machine that the program computes what it should.",
    discussion: """
      Holds the program's own bytes against their stamp, the C library's log, exp and their kind against known values, \
      distributions and tests against published programs, means against NIST's reference data, files packed and \
      unpacked, and runs made-up tests whose truth is known, in every purchase format. Takes less than a minute, needs \
      nothing but the program, and leaves nothing behind but what --output names. What does not come out as it should \
      is named, and the exit code is 70 then.

      EXAMPLES

        offerlift selftest
        offerlift selftest --output selftest.json
      """)

  @Option(
    help: ArgumentHelp(
      "Write what was found here, too, as JSON with the hashes of the program and of each case's input and result.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The SHA-256 that the program should have. (default: what its offerlift.sha256 says, from where it was installed)",
      valueName: "sha256"))
  var expectHash: String?

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var sound: QuietOption

  func run() async throws {
    let report = try await progress.showing { try await SelfTest.report(expecting: expectHash) }
    if let output {
      let bytes = Array(try report.json().utf8)
      try OutputFailure.advising("Name a file in a folder that can be written, with --output.") {
        try FileWriter.replace(output, with: bytes)
      }
    }
    try report.lines.forEach { try Terminal.say($0) }
    if let failure = report.failure { throw failure }
  }
}
