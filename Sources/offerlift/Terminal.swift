import Domain
import Foundation
import Synchronization

/// Output of the commands: results go to stdout, everything else to stderr.
enum Terminal {
  /// Whether somebody sits before stderr.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Whether a moving line stands on stderr; whoever writes takes it away first, and it comes back by itself.
  private static let isDrawn = Mutex(false)
  private static let eraseLine = "\r\u{1b}[K"

  /// Prints why a command ends, each problem on a line of its own.
  static func complain(_ error: OfferliftError) {
    write("\(painted("offerlift:", .red)) \(error.message)\n")
  }

  /// Prints a warning, or what is being done.
  static func warn(_ sentence: String) {
    let shown = PrintableText.sentence(sentence)
    let isWarning = shown.hasPrefix("warning:") || shown.hasPrefix("error:")
    write("\(isWarning ? painted("offerlift:", .yellow) : "offerlift:") \(shown)\n")
  }

  /// Prints a result, on one line whatever ids are in it.
  static func say(_ line: String) { results("\(PrintableText.escaped(line))\n") }

  /// Prints results as they are.
  static func results(_ text: String) { write(text, to: .standardOutput) }

  /// Writes to stderr as it is.
  static func write(_ text: String) { write(text, to: .standardError) }

  private static func write(_ text: String, to file: FileHandle) {
    isDrawn.withLock { isDrawn in
      if isDrawn { FileHandle.standardError.write(Data(eraseLine.utf8)) }
      isDrawn = false
      file.write(Data(text.utf8))
    }
  }

  // MARK: - The moving line

  /// Writes the moving line over, cut to the terminal's width.
  static func draw(_ line: String) {
    let shown = PrintableText.escaped(line).prefix(columns - 1)
    isDrawn.withLock { isDrawn in
      isDrawn = true
      FileHandle.standardError.write(Data("\(eraseLine)\(shown)".utf8))
    }
  }

  /// Takes the moving line away.
  static func erase() { write("") }

  private static var columns: Int {
    var size = winsize()
    let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
    return isKnown ? Int(size.ws_col) : 100
  }

  // MARK: - Colours

  private enum Colour: Int { case red = 31, yellow = 33 }

  /// Whether stderr shows colours, and nobody has said that it should not (https://no-color.org).
  private static let hasColours: Bool = {
    let environment = ProcessInfo.processInfo.environment
    return isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }()

  private static func painted(_ text: String, _ colour: Colour) -> String {
    hasColours ? "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m" : text
  }
}
