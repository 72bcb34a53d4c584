import Domain
import Engine

/// Members of a file's JSON objects that are objects themselves, of which nothing inside is read.
struct NestedObjects {
  let names: [String]
  private let sample: FileSample

  init(_ sample: FileSample) {
    self.sample = sample
    names =
      sample.table != .jsonl
      ? []
      : sample.names.filter { name in
        let values = sample.values(of: name)
        return !values.isEmpty && values.allSatisfy { $0.first == "{" }
      }
  }

  /// What to do about them; nil where there are none.
  var remedy: String? {
    guard let first = names.first else { return nil }
    let members = names.map(RowChange.member)
    let change = RowChange(
      sql: [], jq: ". + \(members.joined(separator: " + ")) | del(\(members.joined(separator: ", ")))")
    guard let command = RowSource(sample)?.command(change, "flat") else { return nil }
    let what = names.count == 1 ? "\"\(first)\" is an object" : "\(Phrase.list(names.map { "\"\($0)\"" })) are objects"
    return "\(what), and init reads one level. Flatten it:\n    \(command.text)\nThen type init with \(command.result)"
  }

  /// The member inside of an object that a dotted name means; nil where it means none.
  func inner(_ typed: String) -> String? {
    names.first { typed.hasPrefix("\($0).") }.map { String(typed.dropFirst($0.count + 1)) }
  }
}
