import Domain
import Engine
import Foundation
import Jobs

/// How a server's catalog is to be read: what each group sells, and what rows of the assignments call it.
package struct CatalogGuess {
  package private(set) var input = CatalogInput.unnamed
  /// What its own reader makes of it.
  private(set) var catalog = Catalog()
  /// How it was found, where nobody named it.
  private(set) var why: String?

  /// The catalog of files that whoever asked named; nil where there are none.
  ///
  /// - Throws: `OfferliftError`, exit 66 for a file that is not there, 65 for one that is no part of a catalog.
  init?(_ typed: [String], job: Job, folder: URL) throws {
    guard !typed.isEmpty else { return nil }
    // Dumps of two tables may look alike.
    for group in try typed.flatMap({ try FileGroup.groups(of: [$0], folder: folder) }) {
      let sample = try group.sample
      guard let table = CatalogTable(sample) ?? Self.calls(sample) else {
        throw OfferliftError(
          .badData,
          "\(sample.file) is no part of a catalog: that is \(Self.words), or stored answers of getSubscriptionOffering."
        )
      }
      accept(TableInput("catalog.\(table.rawValue)", path: group.path, format: sample.table), sample, as: table)
    }
    if input.groups != nil || input.products != nil, input.offerings == nil || input.groups == nil {
      throw OfferliftError(
        .badData, "The catalog's tables hang on each other: name \(Self.words) behind --catalog, all that there are.")
    }
    catalog = try Catalog.read(input, job: job).0
  }

  /// The tables that lie beside a file of assignments under the server's names; nil where they do not.
  init?(beside assignments: String, job: Job, folder: URL) {
    let position = URL(fileURLWithPath: assignments).deletingLastPathComponent()
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: position.path)) ?? []).sorted()
    let found = CatalogTable.allCases.compactMap { table -> String? in
      guard !table.serverName.isEmpty else { return nil }
      let name = names.first { $0.lowercased().hasPrefix(table.serverName + ".") }
      return name.map { position.appendingPathComponent($0).path }
    }
    guard let found = try? CatalogGuess(found, job: job, folder: folder), found.input.groups != nil else { return nil }
    self = found
    why = "certain: found beside the assignments, and every group of theirs is in it"
  }

  /// What a server answered in calls that an input of purchases logs.
  init?(answeredIn log: TableInput, job: Job) {
    input.responses = TableInput("catalog.responses", path: log.path, format: .jsonl)
    guard let read = try? Catalog.read(input, job: job), read.0.reportsProducts,
      read.1.allSatisfy({ $0.account.rejected == 0 })
    else { return nil }
    catalog = read.0
    why = "certain: the log holds what was answered to getSubscriptionOffering"
  }

  private mutating func accept(_ table: TableInput, _ sample: FileSample, as part: CatalogTable) {
    var table = table
    if sample.table == .mysql {
      table.columnOrder = sample.names.indices.map { part.columns.count > $0 ? part.columns[$0] : "other_\($0 + 1)" }
    }
    switch part {
    case .offerings: input.offerings = table
    case .groups: input.groups = table
    case .products: input.products = table
    case .copy: input.copy = table
    case .responses: input.responses = table
    }
  }

  /// A log of the server's calls holds its answers, too.
  private static func calls(_ sample: FileSample) -> CatalogTable? {
    sample.purchases?.keys.contains(.endpoints) ?? false ? .responses : nil
  }

  private static var words: String { Phrase.list(CatalogTable.allCases.map(\.serverName).filter { !$0.isEmpty }) }

  /// Its tables, in the order in which a job names them.
  var tables: [(key: String, table: TableInput)] {
    let tables = [input.offerings, input.groups, input.products, input.copy, input.responses]
    return zip(CatalogTable.allCases, tables).compactMap { part, table in table.map { (part.rawValue, $0) } }
  }
}

extension CatalogGuess {
  /// What was recognised, a line each.
  var sentences: [String] {
    tables.map { part, table in
      "catalog: \(table.path): \(part)\(why.map { " (\($0))" } ?? " (certain: by its columns)")"
    }
  }

  /// Whether a column's values are row ids of the catalog's groups.
  func holds(ids: Set<String>) -> Bool { !ids.isEmpty && ids.isSubset(of: catalog.groupRowIDs) }

  /// The command line's part that names the tables that are usually there.
  static let typed =
    "--catalog "
    + CatalogTable.allCases.map(\.serverName).filter { !$0.isEmpty }.map { "\($0).csv" }.joined(separator: " ")
}
