import Domain
import Engine
import Foundation
import Jobs

/// What a stranger's files are, and the job that would read them.
package struct Recognition {
  package private(set) var assignments: [AssignmentsGuess] = []
  package private(set) var purchases: [PurchasesGuess] = []
  /// The server's catalog; nil where there is none.
  package private(set) var catalog: CatalogGuess?
  package private(set) var identities: TableInput?
  package private(set) var products: TableInput?
  package private(set) var rates: TableInput?
  /// What the product's own readers make of the files.
  package private(set) var survey: InputSurvey

  /// The files that were looked at, by `FileSample.place`.
  package let samples: [String: FileSample]

  private let files: Files
  private let job: URL
  /// A file, among the purchases, of what the server answered when it was asked for an offering.
  private let answers: TableInput?
  private var folder: URL { job.deletingLastPathComponent() }

  /// The files to look at, by path or glob, and what whoever asked says of them.
  package struct Files: Sendable {
    package var assignments: [String] = []
    package var purchases: [String] = []
    package var catalog: [String] = []
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
    self.job = job
    survey = InputSurvey(job: job)
    let looks = try FileSamples(files, folder: job.deletingLastPathComponent())
    answers = looks.responses.map { TableInput("catalog.responses", path: $0.path, format: .jsonl) }
    samples = Dictionary(
      (looks.assignments + looks.purchases).map { (FileSample.position(of: $0.sample.path), $0.sample) },
      uniquingKeysWith: { one, _ in one })
    var terms = files.terms
    terms.hasRates = files.rates != nil
    let tables = RecognisedTables(looks, reported: files.columns, terms)
    try OfferliftError.refuse(tables.problems)
    for (path, columns) in tables.assignments {
      assignments.append(AssignmentsGuess(path, columns, terms))
    }
    for table in tables.purchases {
      purchases.append(
        try PurchasesGuess(table.path, table.sample, table.columns, user: table.user, terms: terms))
    }
    try acceptTables()
    try acceptCatalog()
  }

  /// Lets the product's own readers read what was recognised.
  ///
  /// - Parameter offering: of tables without a column of it.
  package mutating func read(naming offering: String) throws {
    for position in assignments.indices where assignments[position].lacksOffering {
      assignments[position].name(offering: offering)
    }
    try survey.read(
      assignments.map(\.input), purchases.map(\.input), carrying: carriedTypes, catalog: catalog?.catalog ?? Catalog(),
      products: products)
  }

  /// Types of events that the job must name to have them carried along.
  package var carriedTypes: [String] { Set(purchases.flatMap(\.carried)).sorted() }

  // MARK: - The catalog

  /// Takes the catalog that was named, else stored answers, else one that lies beside the assignments and has all of their
  /// groups, else what a log of the server's calls was answered.
  private mutating func acceptCatalog() throws {
    let plain = Job(name: "", file: job)
    catalog = try CatalogGuess(files.catalog, job: plain, folder: folder)
    if catalog == nil { catalog = answers.flatMap { CatalogGuess(answeredIn: $0, job: plain) } }
    if catalog == nil, let path = assignments.first.flatMap({ samples(of: $0.input).first?.path }),
      let found = CatalogGuess(beside: path, job: plain, folder: folder), isOfGroups(in: found)
    {
      catalog = found
    }
    if let catalog {
      for position in assignments.indices where catalog.holds(ids: groups(of: assignments[position])) {
        assignments[position].acceptCatalogKeys()
      }
    } else if !assignments.contains(where: \.namesRows) {
      let calls = purchases.first { $0.input.format.keys.contains(.endpoints) }
      catalog = calls.flatMap { CatalogGuess(answeredIn: $0.input.table, job: plain) }
    }
  }

  /// Whether a catalog has every group that the assignments name.
  private func isOfGroups(in found: CatalogGuess) -> Bool {
    assignments.allSatisfy { found.holds(ids: groups(of: $0)) }
  }

  /// What the column of groups says.
  private func groups(of guess: AssignmentsGuess) -> Set<String> {
    Set(samples(of: guess.input).flatMap { $0.values(of: guess.groupColumn) }).subtracting([""])
  }

  private func samples(of input: TableInput) -> [FileSample] {
    let found = try? input.files(relativeTo: job)
    return (found ?? []).compactMap { samples[FileSample.position(of: $0.path)] }
  }

  /// The purchases' files that were looked at.
  var logSamples: [FileSample] { purchases.flatMap { samples(of: $0.input.table) } }

  /// The currency that a server says its plan costs, where no row tells a charge; nil where it says none.
  package var planCurrency: String? { survey.reportsCharges ? nil : PlanPrice(logSamples)?.currency }

  // MARK: - Small tables

  private mutating func acceptTables() throws {
    identities = try table(files.identities, "identities", [.alias, .user])
    products = try products(files.products)
    products?.holdsAnswers = true
    rates = try table(files.rates, "exchange_rates", [])
  }

  /// A table of products may be what a server answers: a JSON array.
  private func products(_ path: String?) throws -> TableInput? {
    guard let path, let group = try FileGroup.groups(of: [path], folder: folder).first else { return nil }
    let isList = try FileSample.isList(group.files[0])
    return isList ? TableInput("products", path: group.path, format: .jsonl) : try table(path, "products", [])
  }

  private func table(_ path: String?, _ name: String, _ roles: [ColumnRole]) throws -> TableInput? {
    guard let path, let group = try FileGroup.groups(of: [path], folder: folder).first else { return nil }
    let sample = try group.sample
    var columns = ColumnGuess(sample, reported: [:])
    var input = TableInput(name, path: group.path, format: sample.table)
    for role in roles {
      columns.accept(role)
      if let column = columns.found[role.field]?.value, column != role.field { input.columns[role.field] = column }
    }
    return input
  }
}

extension Recognition {
  /// What was recognised, file by file, a line each.
  package var sentences: [String] {
    assignments.flatMap { Self.sentences($0.input, $0.look, $0.remarks) } + (catalog?.sentences ?? [])
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
