import Domain
import Foundation
import Synchronization

/// Output of the commands: results go to stdout, everything else to stderr.
enum Terminal {
  /// Whether somebody sits before stderr.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Whether errors alone are printed; said once, before a command runs.
  static var isQuiet: Bool {
    get { quiet.withLock { $0 } }
    set { quiet.withLock { $0 = newValue } }
  }
  private static let quiet = Mutex(false)

  /// Whether a moving line stands on stderr; whoever writes takes it away first, and it comes back by itself.
  private static let isDrawn = Mutex(false)
  private static let eraseLine = "\r\u{1b}[K"

  /// Prints why a command ends, each problem on a line of its own.
  static func complain(_ error: OfferliftError) {
    write("\(painted("offerlift:", .red)) \(error.message)\n")
  }

  /// Prints a warning, or what is being done.
  static func warn(_ sentence: String) {
    guard !isQuiet else { return }
    let shown = PrintableText.sentence(sentence)
    let isWarning = shown.hasPrefix("warning:") || shown.hasPrefix("error:")
    write("\(isWarning ? painted("offerlift:", .yellow) : "offerlift:") \(shown)\n")
  }

  /// Prints a result, on one line whatever ids are in it.
  ///
  /// - Throws: as `results`.
  static func say(_ line: String) throws(OfferliftError) { try results("\(PrintableText.escaped(line))\n") }

  /// Prints results as they are.
  ///
  /// - Throws: `OfferliftError`, exit 74, where stdout cannot be written.
  static func results(_ text: String) throws(OfferliftError) {
    guard !isQuiet else { return }
    erase()
    if let failure = put(text, onto: .standardOutput) {
      throw OfferliftError(.inputOutput, "stdout cannot be written: \(failure.words).")
    }
  }

  /// Whoever read stdout has gone.
  struct NobodyReads: Error {}

  /// Prints a part of a conversation, as it is.
  ///
  /// - Throws: `NobodyReads`, or as `results`.
  static func show(_ text: String) throws {
    if let failure = put(text, onto: .standardOutput) {
      guard failure.code != EPIPE else { throw NobodyReads() }
      throw OfferliftError(.inputOutput, "stdout cannot be written: \(failure.words).")
    }
  }

  /// Writes a text; nil, or what the system says.
  private static func put(_ text: String, onto handle: FileHandle) -> (code: Int32, words: String)? {
    do { try handle.write(contentsOf: Data(text.utf8)) } catch {
      let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let code = Int32(system?.code ?? 0)
      return (code, code == 0 ? error.localizedDescription : String(cString: strerror(code)))
    }
    return nil
  }

  /// Writes to stderr as it is.
  static func write(_ text: String) {
    isDrawn.withLock { isDrawn in
      put((isDrawn ? eraseLine : "") + text)
      isDrawn = false
    }
  }

  /// Where stderr cannot be written there is nobody left to tell: the exit code says how it ended.
  private static func put(_ text: String) {
    if !text.isEmpty { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
  }

  // MARK: - The moving line

  /// Writes the moving line over, cut to the terminal's width.
  static func draw(_ line: String) {
    let shown = PrintableText.escaped(line).prefix(columns - 1)
    isDrawn.withLock { isDrawn in
      isDrawn = true
      put("\(eraseLine)\(shown)")
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
