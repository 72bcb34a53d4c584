import Domain
import Engine
import Jobs

/// Something in a file that a person must see to before the figures can be believed.
package struct Remedy: Sendable {
  /// What the job takes the file for.
  package let input: Input
  /// Where the file lies.
  package let path: String
  /// What there is, and what becomes of it.
  package let sentence: String
  /// The line that mends it; nil where nobody but the file's owner knows what is right.
  package let command: RowCommand?
  /// The file that is written takes the place of the old one; else it comes beside it.
  package let replaces: Bool

  package enum Input: Sendable { case assignments, purchases }
}

/// What a person must see to in one file, one after the other: each command takes what the one before has written.
package struct FileRemedies {
  package private(set) var all: [Remedy] = []
  private let input: Remedy.Input
  package let sample: FileSample
  private var source: RowSource?
  /// The job's other files of the same kind, which are not looked at.
  private let others: Int

  /// - Parameter others: how many more files the job takes to be like this one.
  package init(_ input: Remedy.Input, _ sample: FileSample, others: Int) {
    self.input = input
    self.sample = sample
    self.others = others
    source = RowSource(sample)
    if let legacy = sample.legacy { convert(legacy) }
  }

  /// Adds what is wrong with rows that stay in the file, or are left out of it.
  mutating func mend(_ sentence: String, _ change: RowChange?, _ suffix: String) {
    let command = change.flatMap { change in source.map { $0.command(change, suffix) } }
    all.append(
      Remedy(input: input, path: sample.path, sentence: sentence + more(command), command: command, replaces: true))
    if let command { source = source?.written(by: command) }
  }

  /// Says that the file is in another encoding than UTF-8.
  private mutating func convert(_ legacy: LegacyText) {
    let sentence = legacy.remedy(sample.positionedInput)
    all.append(Remedy(input: input, path: sample.path, sentence: sentence, command: nil, replaces: true))
  }

  /// Adds what must come in a file of its own.
  mutating func add(_ sentence: String, _ change: RowChange?, _ suffix: String) {
    let command = change.flatMap { change in source.map { $0.command(change, suffix) } }
    all.append(
      Remedy(input: input, path: sample.path, sentence: sentence + more(command), command: command, replaces: false))
  }

  /// Leaves out rows without a value that each must have, where the job does not accept that many rejects.
  ///
  /// - Parameter ratio: the share of rejected rows that the job accepts.
  mutating func leaveOut(
    without column: String, of retained: FileSample? = nil, beyond ratio: Double, _ what: String, _ suffix: String
  ) {
    let rows = retained ?? sample
    let missing = rows.rows.count - rows.values(of: column).count { !$0.isEmpty }
    guard missing < sample.rows.count, Double(missing) > ratio * Double(sample.rows.count) else { return }
    mend(
      "\(Phrase.count(missing)) of \(Phrase.count(sample.rows.count, "row")) of \(sample.file) have no \"\(column)\": they "
        + "are no \(what), and would be rejected. Leave them out:",
      RowChange(
        sql: ["SELECT * FROM t WHERE \(RowChange.column(column)) <> ''"],
        jq: "select(\(RowChange.member(column)) != null)"),
      suffix)
  }

  /// Writes ids in small letters.
  package mutating func lower(_ column: String, because sentence: String) {
    let name = RowChange.column(column)
    mend(
      sentence,
      RowChange(
        sql: ["UPDATE t SET \(name) = lower(\(name))", "SELECT * FROM t"],
        jq: "\(RowChange.member(column)) |= (tostring | ascii_downcase)"),
      "lower")
  }

  private func more(_ command: RowCommand?) -> String {
    guard others > 0, command != nil else { return "" }
    return " (and the same with the \(others == 1 ? "other file" : "other \(Phrase.count(others)) files"))"
  }
}

extension FileSample {
  /// The columns that a job's input takes, by field.
  func bound(by input: TableInput, _ fields: [String]) -> [String: String] {
    fields.reduce(into: [:]) { bound, field in
      let column = input.columns[field] ?? field
      if names.contains(column) { bound[field] = column }
    }
  }
}

extension FileRemedies {
  /// What a person must see to in a table of assignments.
  package mutating func look(atAssignments input: TableInput, beyond ratio: Double) {
    let bound = sample.bound(by: input, ["user", "group"])
    let skips = input.skipped.contains { $0.column == bound["group"] }
    if let group = bound["group"], !skips { leaveOut(without: group, beyond: ratio, "assignments", "assigned") }
  }
}
