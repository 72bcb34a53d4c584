import Domain
import Jobs
import Yams

extension Story {
  /// Reads the parts of a scenario that tell lives step by step; nil where the scenario has no `life:`.
  init?(_ top: YAMLSection, _ scenario: Scenario) {
    let keys = [
      "life", "measured_from", "currencies", "exchange_rates", "aliases", "account_tokens", "credits", "tables",
      "outputs", "truth",
    ]
    guard top.node("life") != nil else {
      for key in keys.dropFirst() where top.node(key) != nil {
        top.problem(key, "only a scenario with life: has this.")
      }
      return nil
    }
    let life = top.namedSections("life", "step")
    let reader = StepReader(names: life.map(\.name), scenario: scenario)
    steps = life.map { reader.read($0.name, $0.section) }
    oldClientStart = steps.firstIndex { $0.name == Self.oldClientStep }
    measuredFrom = top.text("measured_from").flatMap { reader.index(of: $0, line: top.line(of: "measured_from"), top) }
    (currencies, currencyShares) = Currency.all(top, scenario)
    rates = Rates(top.section("exchange_rates"), scenario)
    aliases = Aliases(top.section("aliases"))
    withoutToken = Self.withoutToken(top.section("account_tokens"))
    spending = CreditSpending(top.section("credits"))
    tables = Tables(top.section("tables"))
    outputs = top.sections("outputs").map { Output($0, scenario) }
    truths =
      top.node("truth") == nil
      ? [] : top.namedSections("truth", "truth").map { TruthLine($0.name, $0.section, reader) }
    for line in truths where spending == nil && (line.sum == .spent || line.sum == .balance) {
      top.problem("truth", "\(line.name) counts credits that are spent; say how in credits:.")
    }
    if outputs.isEmpty { top.problem("outputs", "name at least one output, - {format: events, path: …}.") }
    if steps.first?.name == Self.oldClientStep {
      top.problem("life", "the first step is where assigned users begin; put \(Self.oldClientStep) last.")
    }
  }

  /// Where users without an assignment begin.
  static let oldClientStep = "old_client"

  private static func withoutToken(_ section: YAMLSection?) -> Share {
    guard let section else { return .zero }
    defer { section.finish() }
    return section.requiredShare("absent")
  }
}

extension Story {
  static let states = [
    "refunded", "billing_retry", "set_to_expire", "subscribed", "one_time_access", "in_trial", "expired",
    "trial_expired", "one_time_expired", "never",
  ]
}

extension Story.Currency {
  /// The scenario's own currency, then those of `currencies:`; and how they share the users.
  fileprivate static func all(_ top: YAMLSection, _ scenario: Scenario) -> ([Self], ShareTable<Int>) {
    let own = Self(
      code: scenario.currency, prices: scenario.products.map(\.priceMicros),
      introPrices: scenario.products.map { $0.intro?.priceMicros })
    var currencies = [own]
    var shares = ShareTable<Int>()
    for entry in top.section("currencies")?.entries ?? [] where entry.key != scenario.currency {
      let code = entry.key
      let full = prices(entry, top, scenario.products.map { ($0.id, $0.otherPrices[code]) })
      let intro = prices(entry, top, scenario.products.map { ($0.id, $0.intro.map { $0.otherPrices[code] } ?? 0) })
      currencies.append(
        Self(
          code: code, prices: full,
          introPrices: zip(scenario.products, intro).map { $0.intro == nil ? nil : $1 }))
    }
    if let section = top.section("currencies") {
      for (index, currency) in currencies.enumerated() { shares.add(index, section.share(currency.code)) }
      section.checkTotal(shares.total)
    }
    return (currencies, shares)
  }

  private static func prices(
    _ entry: (key: String, line: Int, node: Node), _ top: YAMLSection, _ products: [(id: String, price: Int64?)]
  ) -> [Int64] {
    products.map { id, price in
      if let price { return price }
      top.problems.add(entry.line, "product \(id) has no price in \(entry.key); add prices: {\(entry.key): …}.")
      return 0
    }
  }
}

extension Story.Aliases {
  fileprivate init(_ section: YAMLSection?) {
    guard let section else { return }
    share = section.share("share")
    style = section.choice("style", of: Story.AliasStyle.self) ?? .uuid
    if section.text("transferred_after") != nil { transferredAfterMilliseconds = section.duration("transferred_after") }
    section.finish()
  }
}

extension Story.Tables {
  fileprivate init(_ section: YAMLSection?) {
    guard let section else { return }
    assignments = section.choice("assignments", of: Story.AssignmentForm.self) ?? .csv
    catalog = section.choice("catalog", of: Story.CatalogForm.self) ?? .tables
    products = section.choice("products", of: Story.ProductForm.self) ?? .own
    if assignments == .ids, catalog != .tables, catalog != .both {
      section.problem("assignments", "ids are those of the catalog's tables; say catalog: tables, or assignments: csv.")
    }
    section.finish()
  }
}

extension Story.Output {
  fileprivate init(_ section: YAMLSection, _ scenario: Scenario) {
    _ = section.required("format")
    format = section.choice("format", of: Story.Format.self) ?? .events
    path = section.required("path") ?? ""
    shards = section.count("shards", in: 1...99) ?? 1
    form = section.choice("form", of: Story.NotificationForm.self) ?? .decoded
    version = section.count("version", in: 3...7) ?? 7
    if format == .apiLog { _ = section.required("server") }
    server = section.choice("server", of: Story.AppServerKind.self) ?? .offerings
    columns = section.section("columns").map { Story.Column.all($0) } ?? []
    isOfEverybody = section.flag("everybody") ?? false
    only = Set(section.texts("only") ?? [])
    users = SomeUsers(section.section("users"), scenario)
    from = section.text("from") == nil ? Instant(milliseconds: 0) : section.midnight("from")
    until = section.text("until") == nil ? scenario.until : section.midnight("until")
    let faults = section.section("dirt")
    dirt = faults?.shares(of: StoryDirt.allCases.filter { $0 != .none }.map { ($0.rawValue, $0) }) ?? ShareTable()
    blankLines = faults?.share("blank_lines") ?? .zero
    faults?.finish()
    let files = section.section("files")
    oddities = Story.FileOddities(
      crlf: files?.count("crlf", in: 1...shards), bom: files?.count("bom", in: 1...shards),
      openEnd: files?.count("open_end", in: 1...shards), manyMembers: files?.count("many_members", in: 1...shards))
    files?.finish()
    if shards > 1, !path.contains("*") {
      section.problem("path", "\"\(path)\" needs a * for the number of the shard.")
    }
    section.finish()
  }
}

extension Story.Column {
  /// `{id: userId, trial_activated_at: occurredAt}`.
  fileprivate static func all(_ section: YAMLSection) -> [Self] {
    defer { section.finish() }
    return section.entries.map { entry in
      let member = section.words(entry.key)
      if !EventsCSVFormat.members.contains(member) {
        section.problem(entry.key, "\"\(member)\" is none of \(EventsCSVFormat.members.joined(separator: ", ")).")
      }
      return Self(name: entry.key, member: member)
    }
  }
}
