import Domain
import Yams

/// What a job says of a log that a stranger wrote.
extension JobReader {
  static func mapping(_ section: YAMLSection, _ table: TableInput) -> LogMapping {
    var mapping = LogMapping()
    readTypes(section, table, &mapping)
    mapping.isInMinorUnits = section.choice("price_unit", of: PriceUnit.self) == .minor
    mapping.refundsNegatives = section.choice("negative", of: NegativePrice.self) == .refund
    mapping.quantity = section.text("quantity")
    mapping.hasItems = section.flag("items") ?? false
    return mapping
  }

  private static func readTypes(_ section: YAMLSection, _ table: TableInput, _ mapping: inout LogMapping) {
    if let types = section.section("types") { mapping.types = names(in: types, "types") }
    guard let types = section.section("types_of") else { return }
    if section.node("types") != nil {
      section.problem("types_of", "types: tells the event types, too; keep one of the two.")
    }
    if table.columns[EventField.eventType.name] != nil {
      section.problem("types_of", "columns: {eventType: …} names the column of the types, too; keep one of the two.")
    }
    mapping.typeColumn = types.text("column")
    if mapping.typeColumn == nil {
      section.problem("types_of", "it needs column:, whose values tell the type; {column: status, paid: purchase}.")
    }
    mapping.types = names(in: types, "types_of", butNot: "column")
    if mapping.types.isEmpty {
      section.problem("types_of", "it names no value; say what they stand for, {column: status, paid: purchase}.")
    }
  }

  /// What each name stands for.
  private static func names(in section: YAMLSection, _ key: String, butNot other: String? = nil) -> [String: String] {
    section.entries.reduce(into: [:]) { names, entry in
      guard entry.key != other else { return }
      guard let type = entry.node.scalar?.string, !type.isEmpty else {
        section.problems.add(entry.line, "\(key): say which event type \"\(entry.key)\" is, or ignore.")
        return
      }
      names[entry.key] = type
    }
  }

  /// Which rows are left out.
  static func skipRules(_ section: YAMLSection) -> [SkipRule] {
    guard let rules = section.section("skip_where") else { return [] }
    return rules.entries.compactMap { entry -> SkipRule? in
      let nodes = entry.node.sequence.map(Array.init) ?? [entry.node]
      let matches = nodes.compactMap { match($0) }
      guard matches.count == nodes.count, !matches.isEmpty else {
        section.problems.add(
          entry.line,
          "skip_where: write {column: value}, or {column: [value, value]}; \"*\" is any value, null is none.")
        return nil
      }
      return SkipRule(column: entry.key, matches: matches)
    }.sorted { $0.column < $1.column }
  }

  private static func match(_ node: Node) -> SkipRule.Match? {
    if node.isNull { return .nothing }
    guard let scalar = node.scalar else { return nil }
    switch scalar.string {
    // A table's empty field is none, quoted or not, so that none is all that "" can mean.
    case "": return .nothing
    case LogMapping.anyOther: return .anything
    case "true", "True", "TRUE": return .flag(true)
    case "false", "False", "FALSE": return .flag(false)
    default: return .text(scalar.string)
    }
  }

  static func readExcludedGroups(_ section: YAMLSection, _ job: inout Job) {
    guard let node = section.node("exclude_groups") else { return }
    job.excludedGroups.line = section.line(of: "exclude_groups")
    guard node.mapping != nil else {
      job.excludedGroups.everywhere = Set((section.texts("exclude_groups") ?? []).map { Identifier($0) })
      return
    }
    let offerings = YAMLSection(node, name: "exclude_groups", problems: section.problems)
    for entry in offerings.entries {
      let groups = offerings.texts(entry.key) ?? []
      job.excludedGroups.byOffering[Identifier(entry.key)] = Set(groups.map { Identifier($0) })
    }
  }
}
