import Domain
import Foundation
import Platform
import Synchronization

/// What Spark says on its standard error: kept in a file, and searched for how far it has come and why it failed.
final class SparkLog: Sendable {
  /// Where all of it is.
  let path: String
  private let stages: [String]
  private let state = Mutex(State())

  private struct State {
    var file: FileHandle?
    var statements = 0
    /// What a task of this program said last.
    var sentence: String?
    /// What Spark gave as a reason first.
    var reason: String?
    /// The last line that is no warning and no part of a stack.
    var last: String?
    /// What kept a disk from taking something.
    var disk: String?
  }

  /// - Parameter stages: what the script's statements do, in their order.
  init(_ path: String, stages: [String]) {
    self.path = path
    self.stages = stages
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    state.withLock { $0.file = FileHandle(forWritingAtPath: path) }
  }

  func close() throws { try state.withLock { try $0.file?.close() } }

  /// Takes a line of it, with its end or without.
  func accept(_ line: String) {
    let line = line.trimmingSuffix(while: \.isNewline)
    state.withLock { state in
      try? state.file?.write(contentsOf: Data("\(line)\n".utf8))
      // What moves on a terminal stands before the line, behind a carriage return each.
      look(at: line.split(separator: "\r").last.map(String.init) ?? "", &state)
    }
  }

  private func look(at line: String, _ state: inout State) {
    if line.hasPrefix("Time taken: ") {
      state.statements += 1
      if state.statements < stages.count { ProgressMeter.current?.begin(stages[state.statements]) }
      return
    }
    if let found = line.range(of: "offerlift: ", options: .backwards) {
      state.sentence = String(line[found.upperBound...])
    }
    if let found = line.range(of: "Subprocess exited with status "), state.reason == nil {
      state.reason = String(line[found.lowerBound...])
    }
    // Spark's own: [PATH_NOT_FOUND] Path does not exist …
    if line.prefixMatch(of: #/\[[A-Z][A-Z_.]+\] /#) != nil, state.reason == nil { state.reason = line }
    if let found = line.range(of: "Application has been killed. Reason: "), state.reason == nil {
      state.reason = String(line[found.upperBound...])
    }
    if line.contains("No space left on device") { state.disk = line }
    if let first = line.first, !first.isWhitespace, !line.contains(" WARN ") { state.last = line }
  }

  /// Why the submission failed, in one sentence: a task's own words where there are some, else Spark's.
  ///
  /// - Parameters:
  ///   - command: what was started.
  ///   - status: how it ended.
  func failure(of command: String, _ status: String) -> OfferliftError {
    let (sentence, reason, disk, last) = state.withLock { ($0.sentence, $0.reason, $0.disk, $0.last) }
    let position = "All that Spark said is in \(path)."
    if let sentence {
      let exit = reason.flatMap { Self.exit(of: $0) } ?? .internalError
      return OfferliftError(exit, "\(sentence) (A task of Spark said so. \(position))")
    }
    if let disk {
      return OfferliftError(.cannotCreateOutput, "Spark: \(Self.ended(disk)) \(position)")
    }
    if let reason {
      return OfferliftError(Self.exit(of: reason) ?? .internalError, "Spark: \(Self.ended(reason)) \(position)")
    }
    let words = last.map { "said \"\($0)\"" } ?? "gave no reason"
    return OfferliftError(.internalError, "\(command) ended with \(status) and \(words). \(position)")
  }

  /// Spark's words with a full stop, for what follows.
  private static func ended(_ words: String) -> String {
    let words = words.trimmingCharacters(in: .whitespaces)
    return words.last.map { ".!?".contains($0) } == true ? words : words + "."
  }

  /// The exit code of a task, as this program means it.
  private static func exit(of reason: String) -> OfferliftError.ExitCode? {
    if reason.contains("PATH_NOT_FOUND") { return .inputMissing }
    let digits = reason.drop { !$0.isNumber }.prefix { $0.isNumber }
    return Int32(digits).flatMap { OfferliftError.ExitCode(rawValue: $0) }
  }
}

extension String {
  /// Without the characters at its end that satisfy a condition.
  fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> Substring {
    var text = self[...]
    while let last = text.last, condition(last) { text.removeLast() }
    return text
  }
}
