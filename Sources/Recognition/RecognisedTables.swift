import Domain
import Engine

/// Which column of each of a stranger's tables is what, and what is in the way of reading them.
struct RecognisedTables {
  /// A table of purchases; of a format with names of its own, there are no columns to tell.
  struct Purchases {
    let path: String
    let sample: FileSample
    let columns: ColumnGuess?
    /// Of a format with names of its own, the field that names the user, where it is not the usual one.
    let user: Guess<String>?
  }

  private(set) var assignments: [(path: String, columns: ColumnGuess)] = []
  private(set) var purchases: [Purchases] = []
  /// A sentence each, with what to type.
  private(set) var problems: [String]
  /// Prices that cannot be read as they stand.
  private var refusals: [String] = []

  /// - Parameter told: what whoever asked says that a field is called, by field.
  init(_ samples: FileSamples, told: [String: String]) {
    problems = ToldColumns.problems(told, among: (samples.assignments + samples.purchases).map(\.sample))
    var missing = MissingColumns()
    let left = samples.assignments.map { Self.columns(ofAssignments: $0.sample, told) }
    let right = samples.purchases.map { Self.users(of: $0.sample, told) }
    for (entry, columns) in zip(samples.assignments, left) {
      var columns = columns
      if let user = UserColumns(columns, right.first).assignments { columns.set("user", user) }
      missing.add(AssignmentsGuess.needed, in: columns)
      assignments.append((entry.path, columns))
    }
    for (entry, users) in zip(samples.purchases, right) {
      take(entry, UserColumns(left.first, users).purchases, told, &missing)
    }
    // Whoever asked hears of what was typed first.
    if problems.isEmpty { problems = missing.problems + refusals }
  }

  private mutating func take(
    _ entry: FileSamples.Entry, _ user: Guess<String>?, _ told: [String: String], _ missing: inout MissingColumns
  ) {
    let sample = entry.sample
    var columns = Self.hasOwnFields(sample) ? Self.columns(ofPurchases: sample, told) : nil
    if let user { columns?.set("userId", user) }
    if let columns {
      missing.add(PurchasesGuess.needed(columns), in: columns)
      if let refusal = PurchasesGuess.refusal(columns) { refusals.append(refusal) }
    }
    let usual = sample.purchases?.name == "revenuecat-export" ? "rc_original_app_user_id" : nil
    let other = usual != nil && user?.value != usual ? user : nil
    purchases.append(Purchases(path: entry.path, sample: sample, columns: columns, user: other))
  }

  /// The formats whose files have columns that may be called anything.
  private static func hasOwnFields(_ sample: FileSample) -> Bool {
    sample.purchases.map { $0.keys.contains(.fields) } ?? true
  }

  // MARK: - Columns

  private static func columns(ofAssignments sample: FileSample, _ told: [String: String]) -> ColumnGuess {
    var columns = ColumnGuess(sample, told: told)
    for role in [ColumnRole.assignedAt, .group, .offering] { columns.take(role) }
    columns.fill(.assignedAt, with: TimeColumn.guess(.assignedAt, columns))
    columns.fill(.group, with: GroupColumn.guess(columns))
    return columns
  }

  private static func columns(ofPurchases sample: FileSample, _ told: [String: String]) -> ColumnGuess {
    var columns = ColumnGuess(sample, told: told)
    for role in [ColumnRole.occurredAt, .price, .currency, .eventType, .transactionID, .productID] {
      columns.take(role)
    }
    columns.fill(.occurredAt, with: TimeColumn.guess(.occurredAt, columns))
    columns.fill(
      .currency, with: columns.onlyOne("every value is the code of a currency") { ColumnValues($0).areCurrencyCodes })
    columns.fill(.price, with: columns.onlyOne("the only column of amounts") { ColumnValues($0).areFractions })
    for field in ["eventId", "environment", "originalTransactionId", "expiresDate", "offeringId", "testGroupId"]
    where sample.names.contains(field) {
      columns.set(field, Guess(field, .certain, "named so"))
    }
    return columns
  }

  /// The columns of a log that may name users.
  private static func users(of sample: FileSample, _ told: [String: String]) -> ColumnGuess {
    guard !hasOwnFields(sample) else { return columns(ofPurchases: sample, told) }
    // Of the other formats only RevenueCat's export has a choice of columns.
    var columns = ColumnGuess(sample, told: [:])
    for name in sample.names where !name.contains("app_user_id") { columns.set(name, Guess(name, .certain, "")) }
    return columns
  }
}
