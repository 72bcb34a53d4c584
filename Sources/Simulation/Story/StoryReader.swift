import Domain
import Jobs
import Yams

extension Story {
  /// Reads the parts of a scenario that tell lives step by step; nil where the scenario has no `life:`.
  init?(_ top: YAMLSection, _ scenario: Scenario) {
    let keys = [
      "life", "measured_from", "currencies", "exchange_rates", "aliases", "credits", "tables", "outputs", "truth",
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
}

/// Reads steps, whose names point at each other.
struct StepReader {
  let names: [String]
  let scenario: Scenario

  func read(_ name: String, _ section: YAMLSection) -> Story.Step {
    defer { section.finish() }
    return Story.Step(
      name: name, event: section.words("event"), products: products(section),
      origin: section.choice("from", of: Story.Origin.self) ?? .previous,
      delaySeconds: section.delay("after") ?? 0...0, part: section.text("part") == nil ? nil : section.share("part"),
      paywalls: section.named("paywall"), code: section.words("code"), tellers: tellers(section), state: state(section),
      next: next(section),
      beside: beside(section))
  }

  /// The index of a step; nil, and reported, where there is none of that name.
  func index(of name: String, line: Int, _ section: YAMLSection) -> Int? {
    if let index = names.firstIndex(of: name) { return index }
    let hint = nearestName(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? "."
    section.problems.add(line, "\"\(name)\" is none of life's steps\(hint)")
    return nil
  }

  private func tellers(_ section: YAMLSection) -> Set<Story.Format> {
    Set(
      (section.texts("formats") ?? []).compactMap { name in
        if let format = Story.Format(rawValue: name) { return format }
        let known = Story.Format.allCases.map(\.rawValue).joined(separator: ", ")
        section.problem("formats", "\"\(name)\" is none of \(known).")
        return nil
      })
  }

  private func state(_ section: YAMLSection) -> String {
    let state = section.words("state")
    if state.isEmpty || Story.states.contains(state) { return state }
    section.problem("state", "\"\(state)\" is none of \(Story.states.joined(separator: ", ")).")
    return ""
  }

  private func next(_ section: YAMLSection) -> [ShareTable<Int>] {
    var tables = scenario.groups.map { _ in ShareTable<Int>() }
    for branch in branches("then", section) {
      for group in tables.indices { tables[group].add(branch.step, branch.shares[group]) }
    }
    for table in tables { section.checkTotal(table.total) }
    return tables
  }

  private func beside(_ section: YAMLSection) -> [Story.Branch] { branches("also", section) }

  /// `then: {step: 0.5, other: {control: 0.1, group_a: 0.2}}`.
  private func branches(_ key: String, _ section: YAMLSection) -> [Story.Branch] {
    guard let below = section.section(key) else { return [] }
    return below.entries.compactMap { entry in
      guard let step = index(of: entry.key, line: entry.line, section) else { return nil }
      guard entry.node.mapping != nil else {
        return Story.Branch(step: step, shares: scenario.groups.map { _ in below.share(entry.key) })
      }
      let byGroup = YAMLSection(entry.node, name: entry.key, problems: section.problems)
      defer { byGroup.finish() }
      return Story.Branch(step: step, shares: scenario.groups.map { byGroup.requiredShare($0.name) })
    }
  }

  private func products(_ section: YAMLSection) -> [Int?] {
    guard let node = section.node("product") else { return scenario.groups.map { _ in nil } }
    guard node.mapping != nil else {
      let product = product(section.words("product"), "product", section)
      return scenario.groups.map { _ in product }
    }
    let byGroup = YAMLSection(node, name: "product", problems: section.problems)
    defer { byGroup.finish() }
    return scenario.groups.map { group in byGroup.required(group.name).flatMap { product($0, group.name, byGroup) } }
  }

  private func product(_ id: String, _ key: String, _ section: YAMLSection) -> Int? {
    if let index = scenario.products.firstIndex(where: { $0.id == id }) { return index }
    let hint = nearestName(to: id, among: scenario.products.map(\.id)).map { "; did you mean \"\($0)\"?" } ?? "."
    section.problem(key, "\"\(id)\" is none of the scenario's products\(hint)")
    return nil
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
    let own = Self(code: scenario.currency, prices: scenario.products.map(\.priceMicros))
    var currencies = [own]
    var shares = ShareTable<Int>()
    for entry in top.section("currencies")?.entries ?? [] where entry.key != scenario.currency {
      currencies.append(Self(code: entry.key, prices: prices(entry, top, scenario)))
    }
    if let section = top.section("currencies") {
      for (index, currency) in currencies.enumerated() { shares.add(index, section.share(currency.code)) }
      section.checkTotal(shares.total)
    }
    return (currencies, shares)
  }

  private static func prices(
    _ entry: (key: String, line: Int, node: Node), _ top: YAMLSection, _ scenario: Scenario
  ) -> [Int64] {
    scenario.products.map { product in
      if let price = product.otherPrices[entry.key] { return price }
      top.problems.add(entry.line, "product \(product.id) has no price in \(entry.key); add prices: {\(entry.key): …}.")
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
    only = Set(section.texts("only") ?? [])
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

extension YAMLSection {
  /// One name alone, or several with their shares: `{after_discovery: 0.6, messages_exhausted: 0.4}`.
  func named(_ key: String) -> ShareTable<String> {
    guard node(key)?.mapping == nil, let name = text(key) else {
      guard let below = section(key) else { return ShareTable() }
      return below.shares(of: below.entries.map { ($0.key, $0.key) })
    }
    var table = ShareTable<String>()
    table.add(name, .one)
    return table
  }

  /// A share that has to be there.
  func requiredShare(_ key: String) -> Share {
    _ = required(key)
    return share(key)
  }

  /// `5s..2m`, or one length alone: whole seconds, both ends included.
  func delay(_ key: String) -> ClosedRange<Int64>? {
    guard let text = text(key) else { return nil }
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { Self.seconds(String($0)) }
    if let low = ends[0], let high = ends.count == 2 ? ends[1] : low, ends.count <= 2, low <= high {
      return low...high
    }
    problem(key, "\"\(text)\" is not a length of time; write 90s, or from..to such as 5s..2m, 1d..3d, -5d..-1h.")
    return nil
  }

  private static func seconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      number.magnitude < 100_000
    else { return nil }
    return number * unit
  }
}
