import Domain
import Jobs

/// A job file for recognised inputs, with what was guessed beside each line.
package struct JobText {
  /// How the job is called and where its file lies.
  package struct Head {
    package let name: String
    package let currency: String
    /// Why that one.
    package let currencyWords: String
    package let timezone: String?
    /// The baseline by offering; nil where nobody knows it.
    package let baselines: [(offering: String, groups: [String], guess: Guess<String>?)]
    package let version: String

    package init(
      name: String, currency: Guess<String>, timezone: String?,
      baselines: [(offering: String, groups: [String], guess: Guess<String>?)], version: String
    ) {
      self.name = name
      self.currency = currency.value
      currencyWords = currency.words
      self.timezone = timezone
      self.baselines = baselines
      self.version = version
    }
  }

  private var lines: [String] = []

  package init(_ head: Head, _ recognition: Recognition) {
    lines = [
      "# Written by offerlift init \(head.version). What stands behind a # says how sure each guess is; change what is wrong.",
      line("job: \(YAMLText.value(head.name))", "names the folder of the results"),
      line("output: reports", "where the results go, beside this file"),
      line("currency: \(head.currency)", "of the report; \(head.currencyWords)"),
    ]
    if let timezone = head.timezone {
      lines.append(line("timezone: \(YAMLText.value(timezone))", "whose midnight ends a night"))
    }
    lines += baseline(head.baselines)
    if !recognition.assignments.isEmpty {
      let nights = Self.plannedNights(recognition.survey)
      lines.append(line("plan: {nights: \(nights)}", "when the test ends; offerlift power says what it finds by then"))
    }
    if let catalog = recognition.catalog { lines += Self.catalog(catalog) }
    if recognition.assignments.isEmpty {
      lines.append(line("population: logged", "the log itself says who is in which group"))
      lines += Self.groupsOfOneVariation(recognition)
    } else {
      lines += ["", "assignments:"] + recognition.assignments.flatMap { item($0.input, format: nil, $0.remarks) }
    }
    lines += ["", "purchases:"]
    for guess in recognition.purchases { lines += item(guess) }
    for table in [recognition.products, recognition.identities, recognition.rates].compactMap(\.self) {
      lines += ["", "\(table.name): \(YAMLText.mapping(pairs(table)))"]
    }
    let segments = recognition.assignments.first?.input.attributes ?? []
    if !segments.isEmpty {
      lines += ["", line("segments: \(YAMLText.list(segments))", "the figures for each of these, too")]
    }
    if !recognition.carriedTypes.isEmpty {
      let types = "event_types: \(YAMLText.list(recognition.carriedTypes))"
      lines += ["", line(types, "carried along, without money")]
    }
    let metrics = MetricsGuess(recognition.survey, spending: recognition.carriedTypes)
    lines += ["", "metrics:"] + metrics.remarks.map { "  # \($0)" } + metrics.lines.map { "  - \($0)" }
  }

  /// Four weeks, or as many whole weeks as the files tell of.
  private static func plannedNights(_ survey: InputSurvey) -> Int {
    guard let first = survey.assigned?.lowerBound, let last = survey.last else { return 28 }
    let days = Int((last.milliseconds - first.milliseconds) / Instant.millisecondsPerDay) + 1
    return min(PlannedTest.mostNights / 7 * 7, max(28, days / 7 * 7))
  }

  private static func catalog(_ catalog: CatalogGuess) -> [String] {
    let tables = catalog.tables.map { part, table in
      let columns = table.columnOrder.map { ", columns: \(YAMLText.list($0))" } ?? ""
      return "  \(part): {path: \(YAMLText.value(table.path)), format: \(table.format.rawValue)\(columns)}"
    }
    return ["", "catalog:"] + tables
  }

  /// What to type instead where a test with many groups may call one by several names.
  private static func groupsOfOneVariation(_ recognition: Recognition) -> [String] {
    guard recognition.survey.groups.values.contains(where: { $0.count > 2 }) else { return [] }
    let words = recognition.purchases.lazy.compactMap(\.input.format.groupsOfOneVariation).first
    return words.map { ["# \($0)"] } ?? []
  }

  /// All of the file.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  // MARK: - Parts

  private func line(_ text: String, _ comment: String) -> String {
    text + String(repeating: " ", count: max(2, 35 - text.count)) + "# " + comment
  }

  private func baseline(_ baselines: [(offering: String, groups: [String], guess: Guess<String>?)]) -> [String] {
    let known = baselines.filter { $0.guess != nil }
    let unknown = baselines.filter { $0.guess == nil }.map { entry in
      "# baseline: \(YAMLText.mapping([(entry.offering, entry.groups.first ?? "")]))  # which of "
        + "\(entry.groups.joined(separator: ", ")) are the others compared with? Take away the first #."
    }
    guard let first = known.first?.guess else { return unknown }
    if unknown.isEmpty, Set(known.compactMap { $0.guess?.value }).count == 1 {
      return [line("baseline: \(YAMLText.value(first.value))", "the others are compared with it; \(first.words)")]
    }
    let pairs = known.compactMap { entry in entry.guess.map { (entry.offering, $0.value) } }
    return [line("baseline: \(YAMLText.mapping(pairs))", "the others are compared with it")] + unknown
  }

  private func item(_ guess: PurchasesGuess) -> [String] {
    var lines = item(guess.input.table, format: guess.input.format.name, guess.remarks)
    lines += mapping(guess.input, guess.remarks)
    if let user = guess.input.userField { lines.append("    user: \(YAMLText.value(user))") }
    let defaults = EventField.allCases.compactMap { field in guess.input.defaults[field.name].map { (field.name, $0) } }
    if !defaults.isEmpty {
      lines.append(
        line(
          "    defaults: \(YAMLText.mapping(defaults))",
          guess.fillings.map { "\($0.subject), \($0.words)" }.joined(separator: "; ")))
    }
    return lines
  }

  /// What the log's own words and numbers stand for.
  private func mapping(_ input: PurchaseInput, _ remarks: [Remark]) -> [String] {
    let mapping = input.mapping
    func comment(_ subject: String) -> String { words([subject], remarks) }
    var lines: [String] = []
    let types = mapping.types.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    if let column = mapping.typeColumn {
      lines.append(line("    types_of: \(YAMLText.mapping([("column", column)] + types))", comment("types_of")))
    } else if !types.isEmpty {
      lines.append(line("    types: \(YAMLText.mapping(types))", comment("types")))
    }
    if mapping.isInMinorUnits { lines.append(line("    price_unit: minor", comment("price_unit"))) }
    if mapping.refundsNegatives { lines.append(line("    negative: refund", comment("negative"))) }
    if let quantity = mapping.quantity {
      lines.append(line("    quantity: \(YAMLText.value(quantity))", comment("quantity")))
    }
    if mapping.hasItems { lines.append(line("    items: true", comment("items"))) }
    return lines
  }

  private func skips(_ table: TableInput, _ remarks: [Remark]) -> [String] {
    guard !table.skipped.isEmpty else { return [] }
    return [
      line("    skip_where: {\(table.skipped.map(\.pair).joined(separator: ", "))}", words(["skip_where"], remarks))
    ]
  }

  private func item(_ table: TableInput, format: String?, _ remarks: [Remark]) -> [String] {
    var lines = ["  - path: \(YAMLText.value(table.path))"]
    lines.append("    format: \(format ?? table.format.rawValue)")
    if table.usesCatalogKeys { lines.append(line("    keys: catalog", words(["keys"], remarks))) }
    if let order = table.columnOrder { lines.append("    columns: \(YAMLText.list(order))") }
    for (number, pair) in columns(table).enumerated() {
      if number == 0 { lines.append("    columns:") }
      let remark = remarks.first { $0.subject == pair.key }
      let name = pair.value == TableInput.noColumn ? "null" : YAMLText.value(pair.value)
      lines.append(line("      \(pair.key): \(name)", remark?.words ?? ""))
    }
    if !table.attributes.isEmpty { lines.append("    attributes: \(YAMLText.list(table.attributes))") }
    if !table.defaults.isEmpty {
      lines.append(
        "    defaults: \(YAMLText.mapping(table.defaults.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))")
    }
    if table.decimalSign == UInt8(ascii: ",") { lines.append(line("    decimal: \",\"", words(["decimal"], remarks))) }
    if let format = table.timeFormat {
      lines.append(line("    time_format: \(YAMLText.value(format.text))", words(["times"], remarks)))
    }
    if table.timeUnit != .seconds {
      lines.append(line("    time_unit: \(table.timeUnit.rawValue)", words(["times"], remarks)))
    }
    if let zone = remarks.first(where: { $0.subject == "timezone" }) {
      lines.append(line("    timezone: \(YAMLText.value(zone.value))", zone.words))
    }
    return lines + skips(table, remarks)
  }

  /// Which column is which, in the fields' order.
  private func columns(_ table: TableInput) -> [(key: String, value: String)] {
    let order = ["user", "offering", "group", "assigned_at"] + EventField.allCases.map(\.name)
    return order.compactMap { field in table.columns[field].map { (field, $0) } }
  }

  private func pairs(_ table: TableInput) -> [(key: String, value: String)] {
    [("path", table.path), ("format", table.format.rawValue)]
  }

  private func words(_ subjects: [String], _ remarks: [Remark]) -> String {
    remarks.filter { subjects.contains($0.subject) && $0.words != "" }.map(\.words).joined(separator: "; ")
  }
}

extension SkipRule {
  /// `skip_where:` with this rule alone.
  var yaml: String { "skip_where: {\(pair)}" }

  fileprivate var pair: String {
    let values = matches.map(\.yaml)
    return "\(YAMLText.value(column)): \(values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]")"
  }
}

extension SkipRule.Match {
  /// As a job file has it.
  fileprivate var yaml: String {
    switch self {
    case .text(let text): YAMLText.value(text)
    case .flag(let isSet): isSet ? "true" : "false"
    case .anything: "\"*\""
    case .nothing: "null"
    }
  }
}
