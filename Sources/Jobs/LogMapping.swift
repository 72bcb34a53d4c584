import Domain

/// How a stranger's log says what ours would: what it calls its events, and how it writes money.
package struct LogMapping: Sendable, Hashable {
  /// `types:` or `types_of:`: what the log says, by the event type that it stands for, or `ignored`.
  package var types: [String: String] = [:]
  /// `types_of:`: the column whose value tells the type; nil where `eventType` does.
  package var typeColumn: String?
  /// `price_unit: minor`: prices count the currency's smallest unit, cents.
  package var isInMinorUnits = false
  /// `negative: refund`: a charge of a negative amount is a refund of it.
  package var refundsNegatives = false
  /// The column of how many were bought at the price.
  package var quantity: String?
  /// `items: true`: rows of one transaction with another product are items of it, each a charge of its own.
  package var hasItems = false

  package init() {}

  /// What `types:` says of rows that are to be left out by name.
  package static let ignored = "ignore"
  /// What stands for every value that is not named.
  package static let anyOther = "*"

  /// Money is not simply what the price column says.
  package var changesMoney: Bool { isInMinorUnits || refundsNegatives || quantity != nil }
}

/// Rows that are left out because of what a column of them says: `skip_where: {_fivetran_deleted: true}`.
package struct SkipRule: Sendable, Hashable {
  /// The column, or a member's dotted name.
  package var column: String
  /// Any of them leaves the row out.
  package var matches: [Match]

  package enum Match: Sendable, Hashable {
    /// The text itself.
    case text(String)
    /// `true` or `false`, however a program writes it.
    case flag(Bool)
    /// Whatever stands there.
    case anything
    /// Nothing stands there, or NULL.
    case nothing
  }

  package init(column: String, matches: [Match]) {
    (self.column, self.matches) = (column, matches)
  }
}

/// Groups that are no part of their test, by name: `exclude_groups: [not_in_test]`.
package struct ExcludedGroups: Sendable, Hashable {
  /// Of whatever offering.
  package var everywhere: Set<Identifier> = []
  package var byOffering: [Identifier: Set<Identifier>] = [:]
  /// Line of the job file, for messages.
  package var line = 0

  package init() {}

  package var isEmpty: Bool { everywhere.isEmpty && byOffering.values.allSatisfy(\.isEmpty) }

  /// Whether the group is left out of the offering.
  package func contains(_ group: Identifier, of offering: Identifier) -> Bool {
    everywhere.contains(group) || byOffering[offering]?.contains(group) == true
  }
}
