import Domain
import Foundation
import Yams

extension JobReader {
  static func readInputs(_ section: YAMLSection, _ formats: [PurchaseFormat], _ job: inout Job) {
    job.assignments = section.sections("assignments").compactMap { assignments($0) }
    if job.assignments.isEmpty, job.population != .logged, section.isEmpty("assignments") {
      section.problems.add(
        section.line, "the job needs assignments:, or population: logged to take groups from the log.")
    }
    job.purchases = section.sections("purchases").compactMap { purchases($0, formats) }
    numberAttributes(&job)
    joinBuyers(&job)
    if section.isEmpty("purchases") { section.problems.add(section.line, "the job needs purchases:.") }
    job.products = table(section, "products")
    job.products?.holdsAnswers = true
    job.identities = table(section, "identities", fields: JobFields.identities)
    job.exchangeRates = table(section, "exchange_rates")
    if let catalog = section.section("catalog") {
      job.catalog = CatalogInput(
        offerings: table(catalog, "offerings", of: "catalog."), groups: table(catalog, "groups", of: "catalog."),
        products: table(catalog, "products", of: "catalog."), copy: table(catalog, "copy", of: "catalog."),
        responses: table(catalog, "responses", of: "catalog.", fields: JobFields.responses, format: .jsonl))
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

  private static func assignments(_ section: YAMLSection) -> TableInput? {
    var table = TableInput(name: "assignments", path: "", line: section.line)
    readTable(section, &table, fields: JobFields.assignments)
    table.attributes = section.texts("attributes") ?? []
    table.defaults = defaults(section, fields: JobFields.assignmentDefaults)
    table.skipped = skipRules(section)
    if let keys = section.choice("keys", of: AssignmentKeys.self) { table.usesCatalogKeys = keys == .catalog }
    section.finish()
    return table.path.isEmpty ? nil : table
  }

  /// Values for fields that a file lacks.
  private static func defaults(_ section: YAMLSection, fields: [String]) -> [String: String] {
    guard let given = section.section("defaults") else { return [:] }
    defer { given.finish() }
    return fields.reduce(into: [:]) { $0[$1] = given.text($1) }
  }

  private static func purchases(_ section: YAMLSection, _ formats: [PurchaseFormat]) -> PurchaseInput? {
    var table = TableInput(name: "purchases", path: "", line: section.line)
    if section.node("format") == nil {
      let known = formats.map(\.name).joined(separator: ", ")
      section.problems.add(section.line, "purchases needs format:, one of \(known).")
    }
    guard let format = section.choice("format", among: formats.map { ($0.name, $0) }) else { return nil }
    table.format = format.table
    // Other formats have names of their own, which nobody may change.
    let fields = format.keys.contains(.fields) ? EventField.allCases.map(\.name) : []
    let attributes = attributes(section, format)
    readTable(section, &table, fields: fields + attributes.filter { !fields.contains($0) }, isTable: false)
    let isOwn = format.keys.contains(.fields)
    let defaults = isOwn ? defaults(section, fields: EventField.allCases.map(\.name)) : [:]
    if format.keys.contains(.skippedRows) { table.skipped = skipRules(section) }
    var input = PurchaseInput(table: table, format: format, defaults: defaults)
    if isOwn { input.mapping = mapping(section, table) }
    input.attributes = attributes.map { ChargeAttribute(name: $0, column: table.columns[$0] ?? $0) }
    readFormat(section, &input)
    section.finish()
    return table.path.isEmpty ? nil : input
  }

  /// The attributes of charges that an input is asked for, each once.
  private static func attributes(_ section: YAMLSection, _ format: PurchaseFormat) -> [String] {
    let names = section.texts("attributes") ?? []
    if !names.isEmpty, !format.reportsCharges {
      section.problem(
        "attributes", "format: \(format.name) tells of no charge; name them in the input that tells the charges.")
    }
    if let envelope = format.envelope, names.contains(envelope) {
      section.problem("attributes", "\"\(envelope)\" is all of the webhook; name one of its members, [store].")
    }
    return names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }

  /// One name is one attribute, whichever inputs have it.
  private static func numberAttributes(_ job: inout Job) {
    for input in job.purchases.indices {
      for attribute in job.purchases[input].attributes {
        if !job.chargeAttributes.contains(attribute.name) { job.chargeAttributes.append(attribute.name) }
      }
      for position in job.purchases[input].attributes.indices {
        let name = job.purchases[input].attributes[position].name
        job.purchases[input].attributes[position].number = job.chargeAttributes.firstIndex(of: name) ?? 0
      }
    }
  }

  /// Logs that name buyers of transactions and logs whose transactions may name nobody are read together.
  private static func joinBuyers(_ job: inout Job) {
    let namings = Set(job.purchases.compactMap(\.format.buyerNaming))
    guard namings.isSuperset(of: [.namesBuyers, .lacksBuyers]) else { return }
    for input in job.purchases.indices {
      job.purchases[input].joinsBuyers = job.purchases[input].format.buyerNaming != nil
    }
  }

  /// What only some formats take.
  private static func readFormat(_ section: YAMLSection, _ input: inout PurchaseInput) {
    let keys = input.format.keys
    if !keys.contains(.fields) { refuseOwnNumbers(section, input.format) }
    if keys.contains(.user) { input.userField = section.text("user") }
    if keys.contains(.storeUser) { input.userField = section.choice("user", of: NotificationUser.self)?.rawValue }
    if keys.contains(.verification) { readVerification(section, &input) }
    if keys.contains(.endpoints) { readEndpoints(section, &input) }
  }

  /// Stores and servers write numbers and times in their own way, which nobody may change.
  private static func refuseOwnNumbers(_ section: YAMLSection, _ format: PurchaseFormat) {
    for key in ["decimal", "time_format"] where section.node(key) != nil {
      section.problem(key, "format: \(format.name) has its own way to write that; leave it out.")
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
      if entry.key.split(separator: "/").contains(where: { $0.contains("*") && $0 != "*" }) {
        section.problems.add(
          entry.line, "endpoints: \(entry.key): * stands for a whole part of a path; write {/user/*/plan: …}.")
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
}
