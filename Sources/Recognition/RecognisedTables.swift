import Domain
import Engine

/// Which column of each of a stranger's tables is what, and what is in the way of reading them.
struct RecognisedTables {
  /// A table of purchases; of a format with names of its own, there are no columns to tell.
  struct Purchases {
    let path: String
    let sample: FileSample
    let columns: LogColumns?
    /// Of a format with names of its own, the field that names the user, where it is not the usual one.
    let user: Guess<String>?
  }

  private(set) var assignments: [(path: String, columns: ColumnGuess)] = []
  private(set) var purchases: [Purchases] = []
  /// A sentence each, with what to type.
  private(set) var problems: [String]
  /// Prices that cannot be read as they stand.
  private var refusals: [String] = []
  /// What nobody but whoever asked can know.
  private var questions: [String] = []

  /// - Parameters:
  ///   - reported: what whoever asked says that a field is called, by field.
  ///   - terms: what whoever asked says of the money and the clock.
  init(_ samples: FileSamples, reported: [String: String], _ terms: PurchasesGuess.Terms) {
    problems = DescribedColumns.problems(reported, among: (samples.assignments + samples.purchases).map(\.sample))
    var missing = MissingColumns()
    let left = samples.assignments.map { Self.columns(ofAssignments: $0.sample, reported) }
    var logs = samples.purchases.map { entry in
      Self.hasOwnFields(entry.sample) ? LogColumns(entry.sample, reported: reported, terms) : nil
    }
    let charges = logs.filter { $0?.refunds == nil }.reduce(into: Set<String>()) { $0.formUnion($1?.ids ?? []) }
    if !charges.isEmpty { logs.indices.forEach { logs[$0]?.refer(to: charges) } }
    let right = zip(samples.purchases, logs).map { $1?.columns ?? Self.users(of: $0.sample) }
    for (entry, columns) in zip(samples.assignments, left) {
      var columns = columns
      let users = UserColumns(columns, right.first)
      if let user = users.assignments { columns.set("user", user) }
      missing.add(AssignmentsGuess.needed, in: columns)
      if let question = TimeColumn.question(.assignedAt, columns) { questions.append(question) }
      if let question = DateOrder.question(columns, "assigned_at", reported: terms.dates) { questions.append(question) }
      if let question = users.question { questions.append(question) }
      assignments.append((entry.path, columns))
    }
    let groups = GroupsOfUsers.all(assignments.first?.columns)
    for (position, entry) in samples.purchases.enumerated() {
      let users = UserColumns(left.first, right[position])
      accept(entry, users.purchases, logs[position], groups, &missing)
      if position > 0, let question = users.question { questions.append(question) }
    }
    // Whoever asked hears of what was typed first, then of what is missing.
    if problems.isEmpty { problems = missing.problems + refusals }
    if problems.isEmpty { problems = questions }
  }

  private mutating func accept(
    _ entry: FileSamples.Entry, _ user: Guess<String>?, _ log: LogColumns?, _ groups: [String: String],
    _ missing: inout MissingColumns
  ) {
    let sample = entry.sample
    var log = log
    log?.complete(user: user, groups: groups)
    if let log, let remedy = MisplacedTable.remedy(log.columns) {
      refusals.append(remedy)
    } else if let log {
      missing.add(PurchasesGuess.needed(log), in: log.columns)
      if let refusal = PurchasesGuess.refusal(log.columns) { refusals.append(refusal) }
      questions += log.questions
    }
    let usual = sample.purchases?.userColumns?.usual
    let other = usual != nil && user?.value != usual ? user : nil
    purchases.append(Purchases(path: entry.path, sample: sample, columns: log, user: other))
  }

  /// The formats whose files have columns that may be called anything.
  private static func hasOwnFields(_ sample: FileSample) -> Bool {
    sample.purchases.map { $0.keys.contains(.fields) } ?? true
  }

  // MARK: - Columns

  private static func columns(ofAssignments sample: FileSample, _ reported: [String: String]) -> ColumnGuess {
    var columns = ColumnGuess(sample, reported: reported)
    HeaderlessTable.accept(&columns)
    for role in [ColumnRole.assignedAt, .group, .offering] { columns.accept(role) }
    columns.fill(.assignedAt, with: TimeColumn.guess(.assignedAt, columns))
    columns.fill(.group, with: GroupColumn.guess(columns))
    return columns
  }

  /// The columns of a log in a format with fields of its own that may name users.
  private static func users(of sample: FileSample) -> ColumnGuess {
    let part = sample.purchases?.userColumns?.part
    var columns = ColumnGuess(sample, reported: [:])
    for name in sample.names where !(part.map { name.contains($0) } ?? false) {
      columns.set(name, Guess(name, .certain, ""))
    }
    return columns
  }
}
