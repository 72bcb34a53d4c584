import Domain
import Engine
import Foundation
import Jobs

/// What a stranger's files are, and the job that would read them.
package struct Recognition {
  package private(set) var assignments: [AssignmentsGuess] = []
  package private(set) var purchases: [PurchasesGuess] = []
  package private(set) var identities: TableInput?
  package private(set) var products: TableInput?
  package private(set) var rates: TableInput?
  /// What the product's own readers make of the files.
  package private(set) var survey: InputSurvey

  private let files: Files
  private let folder: URL

  /// The files to look at, by path or glob, and what whoever asked says of them.
  package struct Files: Sendable {
    package var assignments: [String] = []
    package var purchases: [String] = []
    package var identities: String?
    package var products: String?
    package var rates: String?
    /// The file's own name of a field, by field.
    package var columns: [String: String] = [:]
    package var terms = PurchasesGuess.Terms(currency: nil, zone: nil)

    package init() {}
  }

  /// Looks at the files.
  ///
  /// - Parameter job: where the job file is to lie: paths in it are relative to its folder.
  /// - Throws: `OfferliftError`, exit 66 for a file that is not there, 65 for one that nothing can be made of.
  package init(_ files: Files, job: URL) throws {
    self.files = files
    folder = job.deletingLastPathComponent()
    let left = try FileGroup.groups(of: files.assignments, folder: folder).map { ($0.path, try $0.sample) }
    let right = try FileGroup.groups(of: files.purchases, folder: folder).map { ($0.path, try $0.sample) }
    survey = InputSurvey(job: job)
    let users = UserColumns(
      left.first.map { Self.columns(ofAssignments: $0.1, files) },
      try right.first.map { try Self.users(of: $0.1, files) })
    for (path, sample) in left {
      var columns = Self.columns(ofAssignments: sample, files)
      if let user = users.assignments, sample.names.contains(user.value) { columns.set("user", user) }
      let guess = try AssignmentsGuess(path, columns, zone: files.terms.zone)
      assignments.append(guess)
    }
    for (path, sample) in right {
      var columns = Self.hasOwnFields(sample) ? Self.columns(ofPurchases: sample, files) : nil
      if let user = users.purchases, sample.names.contains(user.value) { columns?.set("userId", user) }
      let usual = try PurchasesGuess.format(of: sample).name == "revenuecat-export" ? "rc_original_app_user_id" : nil
      let other = usual != nil && users.purchases?.value != usual ? users.purchases : nil
      purchases.append(try PurchasesGuess(path, sample, columns, user: other, terms: files.terms))
    }
    try takeTables()
  }

  /// Lets the product's own readers read what was recognised.
  ///
  /// - Parameter offering: of tables without a column of it.
  package mutating func read(naming offering: String) throws {
    for place in assignments.indices where assignments[place].lacksOffering {
      assignments[place].name(offering: offering)
    }
    try survey.read(assignments.map(\.input), purchases.map(\.input))
  }

  /// The formats whose files have columns that may be called anything.
  private static func hasOwnFields(_ sample: FileSample) -> Bool {
    sample.purchases.map { $0.keys.contains(.fields) } ?? true
  }

  // MARK: - Columns

  private static func columns(ofAssignments sample: FileSample, _ files: Files) -> ColumnGuess {
    var columns = ColumnGuess(sample, told: files.columns)
    for role in [ColumnRole.assignedAt, .group, .offering] { columns.take(role) }
    columns.fill(.assignedAt, with: columns.byValues(.assignedAt, "times"))
    columns.fill(.group, with: GroupColumn.guess(columns))
    return columns
  }

  private static func columns(ofPurchases sample: FileSample, _ files: Files) -> ColumnGuess {
    var columns = ColumnGuess(sample, told: files.columns)
    for role in [ColumnRole.occurredAt, .price, .currency, .eventType, .transactionID, .productID] {
      columns.take(role)
    }
    columns.fill(.occurredAt, with: columns.byValues(.occurredAt, "times"))
    for field in ["eventId", "environment", "originalTransactionId", "expiresDate", "offeringId", "testGroupId"]
    where sample.names.contains(field) {
      columns.set(field, Guess(field, .certain, "named so"))
    }
    return columns
  }

  /// The columns of a log that may name users.
  private static func users(of sample: FileSample, _ files: Files) throws -> ColumnGuess {
    guard !hasOwnFields(sample) else { return columns(ofPurchases: sample, files) }
    // Of the other formats only RevenueCat's export has a choice of columns.
    var columns = ColumnGuess(sample, told: [:])
    for name in sample.names where !name.contains("app_user_id") { columns.set(name, Guess(name, .certain, "")) }
    return columns
  }

  // MARK: - Small tables

  private mutating func takeTables() throws {
    identities = try table(files.identities, "identities", [.alias, .user])
    products = try table(files.products, "products", [])
    rates = try table(files.rates, "exchange_rates", [])
  }

  private func table(_ path: String?, _ name: String, _ roles: [ColumnRole]) throws -> TableInput? {
    guard let path, let group = try FileGroup.groups(of: [path], folder: folder).first else { return nil }
    let sample = try group.sample
    var columns = ColumnGuess(sample, told: [:])
    var input = TableInput(name, path: group.path, format: sample.table)
    for role in roles {
      columns.take(role)
      if let column = columns.found[role.field]?.value, column != role.field { input.columns[role.field] = column }
    }
    return input
  }
}

extension Recognition {
  /// What was recognised, file by file, a line each.
  package var sentences: [String] {
    assignments.flatMap { Self.sentences($0.input, $0.look, $0.remarks) }
      + purchases.flatMap { Self.sentences($0.input.table, $0.look, $0.remarks + $0.fillings) } + groupSentences
  }

  private static func sentences(_ input: TableInput, _ look: String, _ remarks: [Remark]) -> [String] {
    ["\(input.name): \(input.path): \(look)"] + remarks.map { "  \($0.line)" }
  }

  /// Some log tells no currency, and nobody said which one it is in.
  package var guessesCurrency: Bool {
    purchases.flatMap(\.fillings).contains { $0.subject == "currency" && $0.sureness == .guess }
  }

  private var groupSentences: [String] {
    survey.groups.sorted { $0.key < $1.key }.map { "groups of \($0.key): \($0.value.joined(separator: ", "))" }
  }
}
