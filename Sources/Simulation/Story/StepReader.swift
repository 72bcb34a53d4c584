import Domain
import Jobs
import Yams

/// Reads steps, whose names point at each other.
struct StepReader {
  let names: [String]
  let scenario: Scenario

  func read(_ name: String, _ section: YAMLSection) -> Story.Step {
    defer { section.finish() }
    return Story.Step(
      name: name, event: section.words("event"), products: products(section),
      origin: section.choice("from", of: Story.Origin.self) ?? .previous,
      delaySeconds: section.delay("after") ?? 0...0, hour: hour(section),
      lastsMilliseconds: section.text("lasts") == nil ? nil : section.duration("lasts"),
      isIntro: section.flag("intro") ?? false, part: section.text("part") == nil ? nil : section.share("part"),
      paywalls: section.named("paywall"), code: section.words("code"), reporters: reporters(section),
      state: state(section),
      next: next(section),
      beside: beside(section))
  }

  private func hour(_ section: YAMLSection) -> Int64? { section.count("hour", in: 0...23).map { Int64($0) } }

  /// The index of a step; nil, and reported, where there is none of that name.
  func index(of name: String, line: Int, _ section: YAMLSection) -> Int? {
    if let index = names.firstIndex(of: name) { return index }
    let hint = nearestName(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? "."
    section.problems.add(line, "\"\(name)\" is none of life's steps\(hint)")
    return nil
  }

  private func reporters(_ section: YAMLSection) -> Set<Story.Format> {
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
