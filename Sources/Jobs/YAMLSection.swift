import Domain
import Yams

/// What is wrong with a job file, all of it, with lines.
package final class JobProblems {
  package let file: String
  package private(set) var found: [(line: Int, message: String)] = []

  package init(file: String) {
    self.file = file
  }

  package func add(_ line: Int, _ message: String) { found.append((line, message)) }

  /// One sentence a problem, by line.
  package var error: OfferliftError? {
    guard !found.isEmpty else { return nil }
    let lines = found.sorted { $0.line < $1.line }.map { "\(file), line \($0.line): \($0.message)" }
    return OfferliftError(.badJobFile, problems: lines)
  }
}

/// A mapping of a job file, which notices keys nobody asked for.
package final class YAMLSection {
  /// Line of the job file the mapping begins on.
  package let line: Int
  /// What the mapping is called in messages.
  package let name: String
  package let problems: JobProblems
  private let values: [(key: String, line: Int, node: Node)]
  private var asked: [String] = []

  /// Reports a node that is no mapping, and then holds no keys.
  package init(_ node: Node, name: String, problems: JobProblems) {
    self.name = name
    self.problems = problems
    line = node.mark?.line ?? 1
    guard let mapping = node.mapping else {
      values = []
      problems.add(line, "\(name) must be a mapping of keys to values.")
      return
    }
    values = mapping.map { key, value in
      (key.scalar?.string ?? "", key.mark?.line ?? value.mark?.line ?? 1, value)
    }
  }

  /// The value of `key`; nil where there is none or it is null.
  package func node(_ key: String) -> Node? {
    asked.append(key)
    guard let value = values.first(where: { $0.key == key })?.node, !value.isNull else { return nil }
    return value
  }

  /// Whether there is anything under `key`.
  package func has(_ key: String) -> Bool { node(key) != nil }

  /// Whether `key` stands there, if only with nothing behind it.
  package func names(_ key: String) -> Bool {
    asked.append(key)
    return values.contains { $0.key == key }
  }

  /// Refuses a key that older versions knew, where it stands there.
  package func refuse(_ key: String, _ message: String) {
    guard let found = values.first(where: { $0.key == key }) else { return }
    asked.append(key)
    problems.add(found.line, "\(key): \(message)")
  }

  /// Whether there is nothing under `key`, or a list of nothing.
  package func isEmpty(_ key: String) -> Bool { node(key)?.sequence?.isEmpty ?? (node(key) == nil) }

  /// The line `key` stands on, else the line of the mapping.
  package func line(of key: String) -> Int { values.first { $0.key == key }?.line ?? line }

  /// Every key and its value, for mappings whose keys are names.
  package var entries: [(key: String, line: Int, node: Node)] {
    asked += values.map(\.key)
    return values
  }

  /// Reports every key that was not asked for, with the nearest one that could have been meant.
  package func finish() {
    let known = Set(asked)
    var hasListedKnown = false
    for value in values where !known.contains(value.key) {
      var hint = "."
      if let nearest = nearestName(to: value.key, among: known) {
        hint = "; did you mean \"\(nearest)\"?"
      } else if !hasListedKnown {
        hint = "; known are \(known.sorted().joined(separator: ", "))."
        hasListedKnown = true
      }
      problems.add(value.line, "\(name) has no key \"\(value.key)\"\(hint)")
    }
  }

  package func problem(_ key: String, _ message: String) { problems.add(line(of: key), "\(key): \(message)") }

  // MARK: - Values

  package func text(_ key: String) -> String? {
    guard let node = node(key) else { return nil }
    guard let scalar = node.scalar else {
      problem(key, "one value is expected here.")
      return nil
    }
    return scalar.string
  }

  package func required(_ key: String) -> String? {
    let value = text(key)
    if value == nil, node(key) == nil { problems.add(line, "\(name) needs \(key):.") }
    return value
  }

  package func texts(_ key: String) -> [String]? {
    guard let node = node(key) else { return nil }
    if let scalar = node.scalar { return [scalar.string] }
    guard let items = node.sequence?.map(\.scalar?.string), !items.contains(nil) else {
      problem(key, "a list of names is expected here, [a, b].")
      return nil
    }
    return items.compactMap(\.self)
  }

  package func flag(_ key: String) -> Bool? {
    guard let text = text(key) else { return nil }
    switch text.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default:
      problem(key, "\"\(text)\" is neither true nor false.")
      return nil
    }
  }

  /// A number inside `range`, which `meaning` says in words.
  package func number(_ key: String, in range: ClosedRange<Double>, _ meaning: String) -> Double? {
    guard let text = text(key) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      problem(key, "\"\(text)\" is not \(meaning).")
      return nil
    }
    return number
  }

  /// A whole number from `minimum` to a thousand million.
  package func whole(_ key: String, minimum: Int) -> Int? {
    guard let text = text(key) else { return nil }
    if let number = Int(text), (minimum...1_000_000_000).contains(number) { return number }
    problem(key, "\"\(text)\" is not a whole number from \(minimum).")
    return nil
  }

  /// A length of time of so many units or more, in milliseconds.
  package func duration(_ key: String, minimum: Int64 = 1) -> Int64? {
    guard let text = text(key) else { return nil }
    let milliseconds = JobDuration.milliseconds(text, minimum: minimum)
    if milliseconds == nil { problem(key, "\"\(text)\" is no length of time; write 16d, 36h or 2w.") }
    return milliseconds
  }

  package func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, of type: Choice.Type) -> Choice? {
    guard let text = text(key) else { return nil }
    do throws(UnknownWord) {
      return try Choice(word: text)
    } catch {
      problem(key, error.sentence)
      return nil
    }
  }

  /// What the name under a key stands for; nil, and reported, where it is none of these.
  func choice<Choice>(_ key: String, among choices: [(name: String, choice: Choice)]) -> Choice? {
    guard let text = text(key) else { return nil }
    if let known = choices.first(where: { $0.name == text }) { return known.choice }
    problem(key, UnknownWord(text, among: choices.map(\.name)).sentence)
    return nil
  }

  package func section(_ key: String) -> YAMLSection? {
    node(key).map { YAMLSection($0, name: key, problems: problems) }
  }

  /// A list of mappings; one mapping alone counts as a list of it.
  ///
  /// - Parameter spelling: of a name that stands in a mapping's place the mapping that is meant.
  package func sections(_ key: String, spelling: ((String) -> String)? = nil) -> [YAMLSection] {
    guard let node = node(key) else { return [] }
    let nodes = node.sequence.map(Array.init) ?? [node]
    return nodes.compactMap { node in
      guard let spelling, let name = node.scalar?.string, !node.isNull else {
        return YAMLSection(node, name: key, problems: problems)
      }
      problems.add(node.mark?.line ?? line(of: key), "\(key): \"\(name)\" is a name alone; write \(spelling(name)).")
      return nil
    }
  }
}

extension Node {
  /// Nothing, or one of YAML's words for it.
  package var isNull: Bool {
    guard let scalar, scalar.style != .singleQuoted, scalar.style != .doubleQuoted else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }
}
