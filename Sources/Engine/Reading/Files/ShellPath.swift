import Domain
import Foundation
import Jobs

/// A path that only a shell would take apart: `~`, `$NAME`, `{a,b}`.
package struct ShellPath {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// What to write in its place, as the end of a sentence; nil where nothing in it is the shell's.
  package var remedy: String? { home ?? variable ?? braces }

  private var home: String? {
    guard path == "~" || path.hasPrefix("~/") else { return nil }
    return "~ is the shell's word for a home folder: write \(NSHomeDirectory() + path.dropFirst())"
  }

  private var variable: String? {
    guard let sign = path.firstIndex(of: "$") else { return nil }
    let rest = path[path.index(after: sign)...]
    let isBraced = rest.first == "{"
    let name = rest.drop { $0 == "{" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard let first = name.first, !first.isNumber else { return nil }
    let word = isBraced ? "${\(name)}" : "$\(name)"
    guard let value = ProcessInfo.processInfo.environment[String(name)], !value.isEmpty else {
      return "a job file knows no variables like \(word): write the folder itself"
    }
    return "a job file knows no variables like \(word): write \(path.replacing(word, with: value))"
  }

  private var braces: String? {
    guard let open = path.firstIndex(of: "{"), let close = path[open...].firstIndex(of: "}") else { return nil }
    let words = path[path.index(after: open)..<close].split(separator: ",", omittingEmptySubsequences: false)
    guard words.count > 1 else { return nil }
    let (start, end) = (path[..<open], path[path.index(after: close)...])
    let paths = words.map { "path: \(start)\($0)\(end)" }
    return "{…} is the shell's list: write an input for each, \(Phrase.list(paths))"
  }
}
