import Domain
import Engine
import Jobs

/// Rows of a log that are no charges, or no longer.
extension LogColumns {
  /// Columns that say what became of each row: paid, failed, called off.
  mutating func lookAtStatus(_ price: String) {
    var free = columns.free
    while let status = StatusColumn(columns.sample, free, isOfInit: true) {
      free.removeAll { $0 == status.name }
      lookAt(status, price)
    }
  }

  mutating func lookAt(_ status: StatusColumn, _ price: String) {
    let cells = columns.sample.column(status.name)
    let unknown = Set(status.unknown).subtracting(reportsRefunded ? status.partlyRefunded : [])
    let answered = unknown.filter { answers["types.\($0)"] == nil }
    if !answered.isEmpty { doubts.append(question(status, answered.sorted(), cells, worth(price))) }
    let reported = unknown.reduce(into: [:]) { types, word in types[word] = answers["types.\(word)"] ?? "purchase" }
    let types = status.types.merging(reported) { $1 }
    let ignored = types.filter { $0.value == LogMapping.ignored }.keys.sorted()
    guard !ignored.isEmpty || !unknown.isEmpty else { return }
    self.ignored.formUnion(cells.indices.filter { cells[$0].map(ignored.contains) ?? false })
    let words = Guess(0, unknown.isEmpty ? Sureness.likely : .certain, "by the words of \"\(status.name)\"")
    if column("eventType") == nil, mapping.typeColumn == nil {
      mapping.typeColumn = status.name
      mapping.types = types
      emit("types_of", "\(status.name)\(ignored.isEmpty ? "" : ": \(Phrase.list(ignored)) is no charge")", words)
    } else if !ignored.isEmpty {
      skipped.append(SkipRule(column: status.name, matches: ignored.map { SkipRule.Match(word: $0) }))
      emit("skip_where", "\(status.name): \(Phrase.list(ignored))", words)
    }
  }

  /// Some column tells how much was given back.
  private var reportsRefunded: Bool {
    columns.free.contains { ColumnRole.plain($0).contains("refund") && columns.values($0).areAmounts }
  }

  private func question(
    _ status: StatusColumn, _ words: [String], _ cells: [String?], _ amounts: [Double?]
  ) -> MoneyQuestion {
    let rows = Set(cells.indices.filter { cells[$0].map(words.contains) ?? false })
    func typed(_ answer: String) -> String {
      words.map { "--say \(ShellText.word("types.\($0)=\(answer)"))" }.joined(separator: " ")
    }
    return MoneyQuestion(
      finding: "\(columns.sample.file): \"\(status.name)\" says \(Phrase.list(words.map { "\"\($0)\"" })) in "
        + "\(Phrase.count(rows.count, "row")), and nobody but you knows whether \(words.count == 1 ? "that was" : "those were") paid",
      readings: [
        .init(
          condition: "\(words.count == 1 ? "it was" : "they were"), as a subscription is that ends later",
          typed: typed("purchase"), job: nil, amounts: amounts),
        .init(
          condition: words.count == 1 ? "it was not" : "they were not", typed: typed(LogMapping.ignored), job: nil,
          amounts: amounts.enumerated().map { rows.contains($0.offset) ? nil : $0.element }),
      ])
  }

  /// Columns that mark rows as no sales, or no longer.
  mutating func lookAtMarks(_ price: String) {
    let seen = Set(skipped.map(\.column))
    for mark in MarkedRows.all(columns, among: columns.free.filter { !seen.contains($0) }) {
      let amounts = worth(price)
      guard mark.matters(amounts) else { continue }
      switch mark.isOfSandbox ? LogMapping.ignored : answers["rows.\(mark.column)"] {
      case nil: doubts.append(mark.question(columns.sample.file, amounts))
      case LogMapping.ignored:
        ignored.formUnion(mark.rows)
        skipped.append(mark.rule)
        emit("skip_where", mark.finding, Guess(0, .certain, mark.isOfSandbox ? "these are tests" : "as told"))
      default: break
      }
    }
  }

  mutating func lookAtFurtherRows(_ price: String) {
    guard column("eventType") == nil, let found = FurtherRows(price, columns) else { return }
    skipped.append(found.rule)
    remarks.append(found.remark)
  }

  mutating func lookAtDeleted() {
    let found = DeletedRows(columns, key: column("transactionId"))
    skipped += found.rules
    remarks += found.remarks
    if let problem = found.problem { questions.append(problem) }
  }

  /// Test purchases under other names than the stores have for them.
  mutating func lookAtEnvironment() {
    let usual: Set<String> = ["production", "sandbox", "xcode", "localtesting", "testflight"]
    let live: Set<String> = ["production", "prod", "live", "release"]
    for name in columns.free {
      let plain = ColumnRole.plain(name)
      let kinds = Set(columns.values(name).reported.values)
      if plain == "environment" || plain == "env" {
        let words = Set(kinds.map { $0.lowercased() })
        if words.isSubset(of: usual) {
          columns.set("environment", Guess(name, .certain, "by its name and its values"))
        } else if !words.isDisjoint(with: live) {
          skip(name, kinds.filter { !live.contains($0.lowercased()) }.sorted())
          leaveUnread("environment")
        }
      } else if plain == "livemode", kinds.contains(where: { $0.lowercased() == "false" }) {
        skip(name, kinds.filter { $0.lowercased() == "false" }.sorted())
      }
    }
  }

  private mutating func skip(_ column: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    skipped.append(SkipRule(column: column, matches: values.map { SkipRule.Match(word: $0) }))
    emit("skip_where", "\(column): \(Phrase.list(values))", Guess(0, .certain, "these are tests"))
  }
}

extension SkipRule.Match {
  /// The match of a word as a file has it.
  init(word: String) {
    switch word.lowercased() {
    case "true": self = .flag(true)
    case "false": self = .flag(false)
    default: self = .text(word)
    }
  }
}
