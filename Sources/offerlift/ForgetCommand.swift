import Application
import ArgumentParser
import Foundation

/// `offerlift forget`: takes a person out of what is kept.
struct ForgetCommand: AsyncParsableCommand, QuietCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Take a person out of what offerlift keeps of jobs, and say what it cannot take out.",
    discussion: """
      For somebody who asks to be forgotten. Of each job it names the lines of the inputs that name the user or an \
      alias (they are not offerlift's to change), removes what state: keeps of files that hold the user, and takes out \
      of the rejects of every published night how rows of the user begin. Each file is replaced whole; typed again, it \
      does what is left to do. Sums of groups stay: no person is in them.

      What is printed names files and lines, and the user: mind who reads it.

      EXAMPLES

        offerlift forget --user u0002013 --dry-run jobs/offering-price-test.yml
        offerlift forget --user u0002013 jobs/*.yml
      """)

  @Argument(help: "Job files.", completion: .file(extensions: ["yml", "yaml"]))
  var jobs: [String]

  @Option(help: ArgumentHelp("The user, by any id the inputs have.", valueName: "id"))
  var user: String

  @Option(help: "Where results are. (default: the job's output:, else reports beside the job file's folder)")
  var output: String?

  @Flag(help: "Say what would be done, and change nothing.")
  var dryRun = false

  @Option(help: "Files that are searched at once. (default: as many as there are processors)")
  var threads: Int?

  @OptionGroup var trust: TrustOptions

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var sound: QuietOption

  func validate() throws {
    guard !user.isEmpty else { throw ValidationError("--user is empty; type the user's id.") }
    guard threads ?? 1 >= 1 else { throw ValidationError("--threads must be at least 1.") }
  }

  func run() async throws {
    for job in jobs {
      let lines = try await progress.showing {
        try await Forgetting.lines(
          user, job: job, output: output, isTrial: dryRun, trustsFolder: trust.trustFolder,
          threads: threads ?? ProcessInfo.processInfo.activeProcessorCount)
      }
      try lines.forEach { try Terminal.say($0) }
    }
  }
}
