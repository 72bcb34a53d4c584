import Domain

/// The truth of a simulated test as `truth.csv` and as a few lines for people.
///
/// `expected` values follow from the scenario's rates alone: an estimate should have them inside its interval.
/// `happened` values are counted from the users' lives: a run must find them again exactly.
struct TruthTable {
  let scenario: Scenario
  let happened: SimulatedFacts
  /// What is true of the lives that the scenario tells step by step.
  var story: StoryTruthTable?

  /// Columns `what, group, name, value`.
  var csv: [UInt8] {
    var bytes: [UInt8] = []
    bytes.write(csv: ["what", "group", "name", "value"])
    let paywallRows = scenario.hasPaywall ? expectedRows + happenedRows + outsideRows + countRows : []
    for row in paywallRows + (story?.rows ?? []) {
      bytes.write(csv: row)
    }
    return bytes
  }

  private var expectedRows: [[String]] {
    scenario.groups.flatMap { group in
      let truth = Truth(scenario: scenario, group: group)
      let values = [
        ("exposure", truth.exposure.sixDecimals),
        ("initial_conversion_7d", truth.initialConversion.sixDecimals),
        ("paying_conversion_7d", truth.payingConversion(days: 7).sixDecimals),
        ("paying_conversion_30d", truth.payingConversion(days: 30).sixDecimals),
        ("revenue_gross_30d", truth.gross(days: 30).moneyText),
        ("revenue_net_30d", truth.net(days: 30).moneyText),
      ]
      return values.map { ["expected", group.name, $0.0, $0.1] }
    }
  }

  private var happenedRows: [[String]] {
    zip(scenario.groups, happened.groups).flatMap { group, counts in
      let values = [
        ("users", "\(counts.users)"), ("exposed_users", "\(counts.exposed)"),
        ("mature_users_7d", "\(counts.mature7)"), ("mature_users_30d", "\(counts.mature30)"),
        ("paying_users_7d", "\(counts.paying7)"), ("paying_users_30d", "\(counts.paying30)"),
        ("charges_30d", "\(counts.charges30)"), ("revenue_gross_30d", counts.gross30.moneyText),
        ("revenue_net_30d", counts.net30.moneyText),
      ]
      return values.map { ["happened", group.name, $0.0, $0.1] }
    }
  }

  /// What old clients paid, by the group that the log names.
  private var outsideRows: [[String]] {
    zip(scenario.oldGroups, happened.outside).flatMap { group, counts in
      let values = [
        ("users", "\(counts.users)"), ("payers", "\(counts.payers)"), ("charges", "\(counts.charges)"),
        ("gross", counts.gross.moneyText), ("net", counts.net.moneyText),
      ]
      return values.map { ["outside", group.name, $0.0, $0.1] }
    }
  }

  private var countRows: [[String]] {
    let rows = [
      ["rows", "", "purchases", "\(happened.rows)"],
      ["rows", "", "assignments", "\(happened.assignmentRows)"],
      ["users", "", "multiple_groups", "\(happened.twoGroupUsers)"],
      ["users", "", "old_clients", "\(happened.unassignedUsers)"],
    ]
    let dirt = EventDirt.allCases.filter { $0 != .none }.map { kind in
      ["dirt", "", kind.rawValue, "\(happened.dirt[kind] ?? 0)"]
    }
    let assignmentDirt = AssignmentDirt.allCases.filter { $0 != .none }.map { kind in
      ["dirt", "", kind.rawValue, "\(happened.assignmentDirt[kind] ?? 0)"]
    }
    let setAside = happened.setAside.sorted { $0.key < $1.key }.map { reason, count in
      ["set_aside", "", reason.rawValue, "\(count)"]
    }
    return rows + dirt + assignmentDirt + setAside
  }

  /// What the folder now holds.
  func summary(folder: String) -> String {
    let users = happened.groups.reduce(0) { $0 + $1.users } + happened.twoGroupUsers
    let reported = story?.summary ?? []
    guard scenario.hasPaywall else {
      return (["\(folder): \(users) assigned users; the truth is in truth.csv"] + reported).joined(separator: "\n")
    }
    let head =
      "\(folder): \(users) assigned users, \(happened.rows) purchase log rows in "
      + "\(scenario.purchaseShards) files; the truth is in truth.csv"
    let groups = zip(scenario.groups, happened.groups).map { group, counts in
      let truth = Truth(scenario: scenario, group: group)
      return "  \(group.name): \(counts.users) users; true paying_conversion_7d "
        + "\(truth.payingConversion(days: 7).sixDecimals), true revenue_net_30d \(truth.net(days: 30).moneyText)"
    }
    return ([head] + groups + reported).joined(separator: "\n")
  }
}

extension Int64 {
  /// Micros as decimal units with six decimals.
  fileprivate var moneyText: String { "\(self / 1_000_000).\((self % 1_000_000).padded(6))" }
}
