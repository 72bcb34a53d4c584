/// Why a run stopped, in the words and the exit code the command line ends with.
///
/// A message is a sentence that says what is wrong, where (file, line), and what to type instead.
package struct OfferliftError: Error, Sendable, CustomStringConvertible {
  package let exit: ExitCode
  package let message: String

  package init(_ exit: ExitCode, _ message: String) {
    self.exit = exit
    self.message = message
  }

  package var description: String { message }

  /// Exit codes after sysexits.h.
  package enum ExitCode: Int32, Sendable {
    case usage = 64
    case badData = 65
    case inputMissing = 66
    case internalError = 70
    case cannotCreateOutput = 73
    case inputOutput = 74
    case tryAgainLater = 75
    case badJobFile = 78
  }
}
