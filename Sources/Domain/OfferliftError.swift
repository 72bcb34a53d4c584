/// Why a run stopped, in the words and the exit code the command line ends with.
///
/// A problem is told in a sentence that says what is wrong, where (file, line), and what to type instead. What it
/// quotes comes from files of strangers, so a sentence is made fit to print here, whoever wrote it.
package struct OfferliftError: Error, Sendable, CustomStringConvertible {
  package let exit: ExitCode
  /// One sentence a line.
  package let message: String

  private static let shownProblems = 100

  /// Makes an error of one problem.
  package init(_ exit: ExitCode, _ problem: String) {
    self.exit = exit
    message = PrintableText.sentence(problem)
  }

  /// Makes an error of several problems, one a line; of very many it counts the rest.
  package init(_ exit: ExitCode, problems: [String]) {
    self.exit = exit
    var lines = problems.prefix(Self.shownProblems).map(PrintableText.sentence)
    let more = problems.count - lines.count
    if more > 0 { lines.append("… and \(more) more problem\(more == 1 ? "" : "s").") }
    message = lines.joined(separator: "\n")
  }

  package var description: String { message }

  /// Exit codes after sysexits.h.
  package enum ExitCode: Int32, Sendable, CaseIterable {
    case usage = 64
    case badData = 65
    case inputMissing = 66
    case internalError = 70
    case systemLimit = 71
    case cannotCreateOutput = 73
    case inputOutput = 74
    case tryAgainLater = 75
    case badJobFile = 78

    /// Why a command ends with it, in a few words.
    package var meaning: String {
      switch self {
      case .usage: "wrong command line"
      case .badData: "bad data: too many rejects, a damaged file, sums that do not add up"
      case .inputMissing: "an input is missing"
      case .internalError: "internal error"
      case .systemLimit: "a limit of the system (`ulimit`) leaves no room to work"
      case .cannotCreateOutput: "output cannot be created"
      case .inputOutput: "input or output error, disk full"
      case .tryAgainLater:
        "another run of this job is at work, or a program that changes its `results.sqlite` or has locked an input: try "
          + "again later"
      case .badJobFile: "bad job file"
      }
    }

    /// What to do then, in a few words, where the message does not say it of the case at hand.
    package var remedy: String {
      switch self {
      case .usage: "`offerlift COMMAND --help` has what there is to type"
      case .badData: "`offerlift check` names each fault with file, line and what to type; or have the file sent again"
      case .inputMissing: "mend the path, or say `optional: true` of an input that may be absent"
      case .internalError: "run `offerlift selftest`; where that passes, report the message"
      case .systemLimit: "raise the limit that is named"
      case .cannotCreateOutput: "choose another `--output`, or make the folder writable"
      case .inputOutput: "free the disk, or do what is said of the file that is named, and run again"
      case .tryAgainLater: "run again once the other has ended"
      case .badJobFile: "mend the line that is named; editors underline it with `offerlift schema job`"
      }
    }
  }
}
