import Foundation
import Yams

extension JobReader {
  static func readInputs(_ section: YAMLSection, _ job: inout Job) {
    job.assignments = section.sections("assignments").compactMap { assignments($0) }
    if job.assignments.isEmpty, job.population != .logged, section.node("assignments") == nil {
      section.problems.add(
        section.line, "the job needs assignments:, or population: logged to take groups from the log.")
    }
    job.purchases = section.sections("purchases").compactMap { purchases($0) }
    if section.node("purchases") == nil { section.problems.add(section.line, "the job needs purchases:.") }
    job.products = table(section, "products")
    job.identities = table(section, "identities", fields: ["alias", "user"])
    job.exchangeRates = table(section, "exchange_rates")
    if let catalog = section.section("catalog") {
      job.catalog = CatalogInput(
        offerings: table(catalog, "offerings", of: "catalog."), groups: table(catalog, "groups", of: "catalog."),
        products: table(catalog, "products", of: "catalog."), copy: table(catalog, "copy", of: "catalog."),
        responses: responses(catalog))
      catalog.finish()
    }
    checkCatalog(section, job)
  }

  /// The catalog's tables hang on one another by row id.
  private static func checkCatalog(_ section: YAMLSection, _ job: Job) {
    if job.catalog?.groups != nil, job.catalog?.offerings == nil {
      section.problem("catalog", "groups: needs offerings: beside it.")
    }
    if job.catalog?.products != nil, job.catalog?.groups == nil {
      section.problem("catalog", "products: needs groups: beside it.")
    }
    if let catalog = job.catalog, catalog.responses != nil,
      [catalog.offerings, catalog.groups, catalog.products, catalog.copy].contains(where: { $0 != nil })
    {
      section.problem("catalog", "responses: stands for all of the tables; give it alone, or the tables.")
    }
    if job.assignments.contains(where: \.usesCatalogKeys), job.catalog?.groups == nil {
      section.problem("assignments", "keys: catalog needs a catalog: with offerings: and groups:.")
    }
  }

  /// Stored responses: a path alone, or a mapping; always JSON Lines.
  private static func responses(_ catalog: YAMLSection) -> TableInput? {
    guard let node = catalog.node("responses") else { return nil }
    var table = TableInput(name: "catalog.responses", path: "", line: catalog.line(of: "responses"), format: .jsonl)
    if let path = node.scalar?.string {
      table.path = path
      return table
    }
    let own = YAMLSection(node, name: "catalog.responses", problems: catalog.problems)
    table.path = own.required("path") ?? ""
    table.isOptional = own.flag("optional") ?? false
    if let format = own.text("format"), format != TableFormat.jsonl.rawValue {
      own.problem("format", "stored responses are one JSON object a line: jsonl.")
    }
    own.finish()
    return table
  }

  private static func assignments(_ section: YAMLSection) -> TableInput? {
    var table = TableInput(name: "assignments", path: "", line: section.line)
    readTable(section, &table, fields: ["user", "offering", "group", "assigned_at"])
    table.attributes = section.texts("attributes") ?? []
    if let keys = section.choice("keys", of: AssignmentKeys.self) { table.usesCatalogKeys = keys == .catalog }
    section.finish()
    return table.path.isEmpty ? nil : table
  }

  private enum AssignmentKeys: String, CaseIterable { case names, catalog }

  private static func purchases(_ section: YAMLSection) -> PurchaseInput? {
    var table = TableInput(name: "purchases", path: "", line: section.line)
    guard let format = section.choice("format", of: PurchaseFormat.self) ?? missingFormat(section) else { return nil }
    table.format = format.table
    // Other formats have names of their own, which nobody may change.
    let fields = format == .events || format == .eventsCSV ? EventField.allCases.map(\.name) : []
    readTable(section, &table, fields: fields, isTable: false)
    var defaults: [String: String] = [:]
    if !fields.isEmpty, let given = section.section("defaults") {
      for field in EventField.allCases { defaults[field.name] = given.text(field.name) }
      given.finish()
    }
    var input = PurchaseInput(table: table, format: format, defaults: defaults)
    readFormat(section, &input)
    section.finish()
    return table.path.isEmpty ? nil : input
  }

  /// What only some formats take.
  private static func readFormat(_ section: YAMLSection, _ input: inout PurchaseInput) {
    switch input.format {
    case .events, .eventsCSV: break
    case .appStoreNotifications:
      input.userField = section.choice("user", of: NotificationUser.self)?.rawValue
      readVerification(section, &input)
    case .revenueCatExport, .revenueCatWebhooks: input.userField = section.text("user")
    case .apiLog: readEndpoints(section, &input)
    }
  }

  private static func readVerification(_ section: YAMLSection, _ input: inout PurchaseInput) {
    let verification = PurchaseInput.Verification(
      root: section.text("root"), bundleID: section.text("bundle_id"), environment: section.text("environment"))
    if section.flag("verify") ?? false {
      input.verification = verification
    } else if verification != PurchaseInput.Verification() {
      section.problem("verify", "root:, bundle_id: and environment: ask for verify: true.")
    }
  }

  private static func readEndpoints(_ section: YAMLSection, _ input: inout PurchaseInput) {
    guard let endpoints = section.section("endpoints") else { return }
    for entry in endpoints.entries {
      guard let endpoint = entry.node.scalar?.string else {
        section.problems.add(entry.line, "endpoints: write {/the/app's/path: /the/endpoint/it/stands/for}.")
        continue
      }
      if APIEndpoint(rawValue: endpoint) == nil {
        let known = APIEndpoint.allCases.map(\.rawValue)
        let nearest = nearestName(to: endpoint, among: known).map { "did you mean \($0)?" }
        section.problems.add(
          entry.line,
          "endpoints: nothing is known of \"\(endpoint)\"; \(nearest ?? "known are \(known.joined(separator: ", ")).")")
      }
      input.endpoints[entry.key] = endpoint
    }
  }

  private static func missingFormat(_ section: YAMLSection) -> PurchaseFormat? {
    if section.node("format") == nil {
      let known = PurchaseFormat.allCases.map(\.rawValue).joined(separator: ", ")
      section.problems.add(section.line, "purchases needs format:, one of \(known).")
    }
    return nil
  }

  /// A table given as a path alone, or as a mapping.
  ///
  /// - Parameter fields: names `columns:` may map; nil where any may be.
  private static func table(
    _ section: YAMLSection, _ key: String, of parent: String = "", fields: [String]? = nil
  ) -> TableInput? {
    guard let node = section.node(key) else { return nil }
    var table = TableInput(name: parent + key, path: "", line: section.line(of: key))
    if let path = node.scalar?.string {
      table.path = path
      return table
    }
    let own = YAMLSection(node, name: parent + key, problems: section.problems)
    readTable(own, &table, fields: fields)
    own.finish()
    return table
  }

  /// - Parameter fields: names `columns:` may map; nil where any may be.
  private static func readTable(
    _ section: YAMLSection, _ table: inout TableInput, fields: [String]?, isTable: Bool = true
  ) {
    table.path = section.required("path") ?? ""
    if isTable { table.format = section.choice("format", of: TableFormat.self) ?? .csv }
    if let zone = timezone(section) { table.timezone = zone }
    if let unit = section.text("time_unit") { readUnit(unit, section, &table) }
    table.isOptional = section.flag("optional") ?? false
    table.delimiter = byte(section, "delimiter")
    table.table = section.text("table")
    table.query = section.text("query")
    readDialect(section, &table)
    readColumns(section, &table, fields)
    if table.format == .sqlite, table.table == nil, table.query == nil {
      section.problems.add(section.line, "format: sqlite needs table: or query:.")
    }
  }

  private static func readUnit(_ unit: String, _ section: YAMLSection, _ table: inout TableInput) {
    switch unit.lowercased() {
    case "seconds", "second", "s": table.timeUnit = .seconds
    case "milliseconds", "millisecond", "ms": table.timeUnit = .milliseconds
    default: section.problem("time_unit", "\"\(unit)\" is neither seconds nor milliseconds.")
    }
  }

  private static func readColumns(_ section: YAMLSection, _ table: inout TableInput, _ fields: [String]?) {
    guard let node = section.node("columns") else {
      if table.format == .mysql, !table.dialect.hasHeader {
        section.problems.add(section.line, "format: mysql needs columns:, the file's columns in order, [id, user, …].")
      }
      return
    }
    if node.sequence != nil {
      table.columnOrder = section.texts("columns")
      return
    }
    let mapping = YAMLSection(node, name: "columns", problems: section.problems)
    if let fields {
      for field in fields { table.columns[field] = mapping.text(field) }
      mapping.finish()
    } else {
      for entry in mapping.entries { table.columns[entry.key] = entry.node.scalar?.string }
    }
    if table.format == .mysql, !table.dialect.hasHeader {
      section.problem("columns", "for format: mysql a list is expected, the file's columns in order, [id, user, …].")
    }
  }

  private static func readDialect(_ section: YAMLSection, _ table: inout TableInput) {
    guard let dialect = section.section("dialect") else { return }
    table.dialect.terminatedBy = bytes(dialect, "terminated_by") ?? table.dialect.terminatedBy
    table.dialect.linesTerminatedBy = bytes(dialect, "lines_terminated_by")
    table.dialect.linesStartingBy = bytes(dialect, "lines_starting_by", mayBeEmpty: true) ?? []
    if dialect.node("enclosed_by") != nil { table.dialect.enclosedBy = byte(dialect, "enclosed_by") }
    if dialect.node("escaped_by") != nil { table.dialect.escapedBy = byte(dialect, "escaped_by") }
    table.dialect.isOptional = dialect.flag("optionally") ?? false
    table.dialect.hasHeader = dialect.flag("header") ?? false
    checkDialect(dialect, table.dialect)
    dialect.finish()
  }

  /// What nobody could read, whatever the file holds.
  private static func checkDialect(_ section: YAMLSection, _ dialect: MySQLDialect) {
    let special = [dialect.enclosedBy, dialect.escapedBy].compactMap(\.self)
    if let first = dialect.terminatedBy.first, special.contains(first) {
      section.problem("terminated_by", "it begins with the byte that encloses or escapes; name another one.")
    }
    if let first = dialect.linesTerminatedBy?.first, special.contains(first) {
      section.problem("lines_terminated_by", "it begins with the byte that encloses or escapes; name another one.")
    }
    if dialect.linesTerminatedBy == dialect.terminatedBy {
      section.problem("lines_terminated_by", "lines and fields cannot end alike.")
    }
  }

  /// The bytes of a text that may hold escapes, as the SQL statement has them.
  private static func bytes(_ section: YAMLSection, _ key: String, mayBeEmpty: Bool = false) -> [UInt8]? {
    guard let text = section.text(key) else { return nil }
    if text.isEmpty, !mayBeEmpty {
      section.problem(key, "it needs at least one byte, or nothing parts one from the next.")
    }
    return text.isEmpty ? nil : unescaped(text)
  }

  private static func unescaped(_ text: String) -> [UInt8] {
    if text == "tab" { return [UInt8(ascii: "\t")] }
    let escapes: [Character: String] = ["t": "\t", "n": "\n", "r": "\r", "0": "\0", "\\": "\\"]
    var plain = ""
    var rest = text[...]
    while let first = rest.popFirst() {
      guard first == "\\", let next = rest.first, let byte = escapes[next] else {
        plain.append(first)
        continue
      }
      plain += byte
      rest.removeFirst()
    }
    return Array(plain.utf8)
  }

  /// One byte, or none for the empty text.
  private static func byte(_ section: YAMLSection, _ key: String) -> UInt8? {
    guard let text = section.text(key), !text.isEmpty else { return nil }
    let bytes = unescaped(text)
    guard bytes.count == 1 else {
      section.problem(key, "\"\(text)\" is not one byte.")
      return nil
    }
    return bytes.first
  }
}
