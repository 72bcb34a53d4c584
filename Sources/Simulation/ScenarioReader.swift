import Domain
import Foundation
import Jobs
import Platform
import Yams

extension Scenario {
  /// Reads a scenario file.
  ///
  /// - Throws: `OfferliftError` with everything that is wrong, each with file, line and what to write instead.
  init(contentsOf path: String) throws {
    let bytes = try RegularFile.bytes(of: path, displayName: path)
    try self.init(yaml: String(decoding: bytes, as: UTF8.self), file: path)
  }

  /// Reads a scenario; `file` is what messages call it.
  init(yaml: String, file: String) throws {
    let problems = JobProblems(file: file)
    let top = YAMLSection(try Self.compose(yaml, file), name: "the scenario", problems: problems)
    self.init(top)
    checkTimes(top)
    checkGroups(top)
    story = Story(top, self)
    top.finish()
    if let error = problems.error { throw error }
  }

  private static func compose(_ yaml: String, _ file: String) throws -> Node {
    do {
      if let node = try Yams.compose(yaml: yaml) { return node }
    } catch {
      throw OfferliftError(.badJobFile, "\(file): not YAML: \(error)")
    }
    throw OfferliftError(.badJobFile, "\(file), line 1: the scenario is empty; begin with seed:.")
  }

  private init(_ top: YAMLSection) {
    let enrolment = top.requiredSection("enrolment")
    let shards = top.section("shards")
    let products = top.namedSections("products", "product").map { Product($0, $1) }
    _ = top.required("seed")
    _ = top.required("users")
    seed = UInt64(top.count("seed", in: 0...Int.max) ?? 0)
    offering = Offering(top.requiredSection("offering"))
    users = top.count("users", in: 1...50_000_000) ?? 1
    oldClients = top.share("old_clients")
    earlierCustomers = top.share("earlier_customers")
    enrolmentFrom = enrolment?.midnight("from") ?? Instant(milliseconds: 0)
    enrolmentTo = enrolment?.midnight("to") ?? Instant(milliseconds: 0)
    until = top.midnight("until")
    purchaseShards = shards?.count("purchases", in: 1...99) ?? 1
    assignmentShards = shards?.count("assignments", in: 1...99) ?? 1
    currency = top.text("currency") ?? "USD"
    userIDs = UserIDStyle.table(top.section("user_ids"))
    attributes = Attribute.all(top.section("attributes"))
    self.products = products
    groups = top.namedSections("groups", "group").map { Group($0, $1, products: products) }
    oldGroups =
      top.node("old_groups") == nil
      ? [] : top.namedSections("old_groups", "old group").map { Group($0, $1, products: products) }
    lineStyle = LineStyle(top.section("lines"))
    dirt = Dirt(top.section("dirt"), purchaseShards: purchaseShards)
    enrolment?.finish()
    shards?.finish()
  }

  private func checkTimes(_ top: YAMLSection) {
    if enrolmentFrom >= enrolmentTo { top.problem("enrolment", "from: must lie before to:.") }
    if enrolmentTo > until { top.problem("until", "the log cannot end before enrolment does.") }
  }

  private func checkGroups(_ top: YAMLSection) {
    if !(2...200).contains(groups.count) { top.problem("groups", "a test has 2 to 200 groups.") }
    if products.count > 200 { top.problem("products", "a test has at most 200 products.") }
    if groups.count + oldGroups.count > 200 { top.problem("old_groups", "there are at most 200 groups in all.") }
    for (key, groups) in [("groups", groups), ("old_groups", oldGroups)] where !groups.isEmpty {
      if groups.allSatisfy({ $0.weightParts == 0 }) { top.problem(key, "every weight is zero.") }
    }
  }
}

extension Scenario.Offering {
  fileprivate init(_ section: YAMLSection?) {
    id = section?.required("id") ?? ""
    name = section?.text("name") ?? id
    isActive = section?.flag("is_active") ?? true
    section?.finish()
  }
}

extension Scenario.UserIDStyle {
  /// Shares of the styles; what is left is `plain`.
  fileprivate static func table(_ section: YAMLSection?) -> ShareTable<Self> {
    guard let section else { return ShareTable() }
    defer { section.finish() }
    return section.shares(of: allCases.filter { $0 != .plain }.map { ($0.rawValue, $0) })
  }
}

extension Scenario.Attribute {
  fileprivate static func all(_ section: YAMLSection?) -> [Self] {
    guard let section else { return [] }
    return section.entries.map { entry in
      let values = YAMLSection(entry.node, name: "attribute \(entry.key)", problems: section.problems)
      let table = values.shares(of: values.entries.map { ($0.key, $0.key) })
      if table.total < Share.one.partsPerBillion {
        section.problems.add(entry.line, "the shares of \(values.name) add up to less than 1.")
      }
      return Self(name: entry.key, values: table)
    }
  }
}

extension Scenario.Product {
  fileprivate init(_ id: String, _ section: YAMLSection) {
    self.id = id
    name = section.words("name")
    _ = section.required("kind")
    kind = section.choice("kind", of: ProductKind.self) ?? .consumable
    type = section.words("type")
    priceMicros = section.priceMicros("price")
    otherPrices = section.prices("prices")
    period = section.words("period")
    periodDays = section.days("period")
    trial = section.words("trial")
    trialDays = section.days("trial")
    grace = section.words("grace")
    tier = section.words("tier")
    credits = section.words("credits")
    commissionPercent = section.words("commission_percent")
    taxPercent = section.words("tax_percent")
    entitlement = section.words("entitlement")
    intro = Scenario.Intro(section.section("intro"))
    if kind == .autoRenewable, period.isEmpty {
      section.problems.add(
        section.line, "\(section.name) needs period:, such as P1W; a subscription has one.")
    }
    section.finish()
  }
}

extension Scenario.Intro {
  fileprivate init?(_ section: YAMLSection?) {
    guard let section else { return nil }
    _ = section.required("period")
    priceMicros = section.priceMicros("price")
    otherPrices = section.prices("prices")
    period = section.words("period")
    _ = section.days("period")
    section.finish()
  }
}

extension Scenario.Group {
  fileprivate init(_ name: String, _ section: YAMLSection, products: [Scenario.Product]) {
    self.name = name
    weight = section.words("weight")
    weightParts = section.weightParts("weight")
    viewRate = section.share("view_rate")
    returnRate = section.share("return_rate")
    trialToPaid = section.share("trial_to_paid")
    renewalRate = section.share("renewal_rate")
    refundRate = section.share("refund_rate")
    partialRefunds = section.share("partial_refunds")
    refundReversals = section.share("refund_reversals")
    copy = Scenario.Copy(section.section("copy"))
    offers = section.sections("products").compactMap { Scenario.Offer($0, products: products) }
    choice = ShareTable()
    for offer in offers { choice.add(offer.product, offer.conversion) }
    if offers.isEmpty { section.problem("products", "the group sells nothing.") }
    section.checkTotal(choice.total)
    section.finish()
  }
}

extension Scenario.Copy {
  fileprivate init(_ section: YAMLSection?) {
    headerTitle = section?.words("header_title") ?? ""
    headerSubtitle = section?.words("header_subtitle") ?? ""
    button = section?.words("cta_button_text") ?? ""
    supportingText = section?.words("supporting_text") ?? ""
    section?.finish()
  }
}

extension Scenario.Offer {
  /// Nil, and reported, where no product has the offer's id.
  fileprivate init?(_ section: YAMLSection, products: [Scenario.Product]) {
    conversion = section.share("conversion")
    displayPrice = section.words("display_price")
    isDefault = section.flag("is_default") ?? false
    badge = section.words("badge")
    subtitle = section.words("subtitle")
    let id = section.required("id")
    section.finish()
    guard let id else { return nil }
    guard let index = products.firstIndex(where: { $0.id == id }) else {
      let hint = nearestName(to: id, among: products.map(\.id)).map { "; did you mean \"\($0)\"?" } ?? "."
      section.problem("id", "\"\(id)\" is none of the scenario's products\(hint)")
      return nil
    }
    product = index
  }
}
