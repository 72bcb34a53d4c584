import Domain

/// What the rows of a log come to, group by group, as one reading or another has it.
struct GroupedMoney {
  /// The group of each row's user; nil where no assignment names it.
  private let groups: [String?]

  /// Readings whose sums differ by no more than this share are one.
  private static let material = 0.005
  /// More groups than these are told as one sum.
  private static let mostGroups = 4

  /// - Parameters:
  ///   - users: who paid, row by row.
  ///   - groups: each user's group.
  init(users: [String?], groups: [String: String]) {
    self.groups = users.map { user in user.flatMap { groups[$0] } }
  }

  /// `control 339.66, b 329.67`; of rows of nobody known, or of many groups, `669.33`.
  func words(_ amounts: [Double?]) -> String {
    let sums = sums(amounts)
    guard (1...Self.mostGroups).contains(sums.count), !sums.keys.contains("") || sums.count > 1 else {
      return Self.money(amounts.reduce(0) { $0 + ($1 ?? 0) })
    }
    return sums.filter { $0.key != "" }.sorted { $0.key < $1.key }.map { "\($0.key) \(Self.money($0.value))" }
      .joined(separator: ", ")
  }

  /// Some group's sum is another by the one than by the other.
  func differ(_ one: [Double?], _ other: [Double?]) -> Bool {
    let (left, right) = (sums(one), sums(other))
    return Set(left.keys).union(right.keys).contains { group in
      let (first, second) = (left[group] ?? 0, right[group] ?? 0)
      return (first - second).magnitude > Self.material * max(first.magnitude, second.magnitude)
    }
  }

  /// By group; "" is that of rows whose user has none.
  private func sums(_ amounts: [Double?]) -> [String: Double] {
    zip(groups, amounts).reduce(into: [:]) { sums, row in sums[row.0 ?? "", default: 0] += row.1 ?? 0 }
  }

  private static func money(_ sum: Double) -> String { Phrase.decimal(sum, decimals: 2) }
}

/// Who is in which group, as far as the rows of a table of assignments that were looked at tell.
enum GroupsOfUsers {
  static func all(_ columns: ColumnGuess?) -> [String: String] {
    guard let columns, let user = columns.found[ColumnRole.user.field]?.value,
      let group = columns.found[ColumnRole.group.field]?.value
    else { return [:] }
    return zip(columns.sample.column(user), columns.sample.column(group)).reduce(into: [:]) { groups, row in
      if let user = row.0, let group = row.1, !group.isEmpty { groups[user] = group }
    }
  }
}
