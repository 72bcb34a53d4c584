import Foundation

/// Files that hold a table, and how to read them.
struct TableInput: Sendable {
  /// What the input is called in messages and in `inputs.csv`: `assignments`, `catalog.groups` …
  var name: String
  /// Path or glob as written in the job file.
  var path: String
  /// Line of the job file, for messages.
  var line: Int
  var format = TableFormat.csv
  /// Field the product needs → column of the file. For `mysql`, the file's columns come from `columnOrder`.
  var columns: [String: String] = [:]
  /// `mysql` without a header: the file's columns, in order.
  var columnOrder: [String]?
  var delimiter: UInt8?
  var dialect = MySQLDialect()
  /// `sqlite`: a table's name or a query.
  var table: String?
  var query: String?
  var timezone: TimeZone = .gmt
  var timeUnit = TimeUnit.seconds
  var isOptional = false
  /// Attribute columns carried for segments.
  var attributes: [String] = []
  /// `keys: catalog`: offering and group are the catalog's row ids.
  var usesCatalogKeys = false
}

enum TableFormat: String, Sendable, CaseIterable { case csv, mysql, jsonl, sqlite }

/// What a bare number in a time column counts.
enum TimeUnit: Sendable { case seconds, milliseconds }

/// How `SELECT … INTO OUTFILE` wrote the file.
struct MySQLDialect: Sendable {
  var terminatedBy: UInt8 = UInt8(ascii: "\t")
  var enclosedBy: UInt8?
  /// `OPTIONALLY ENCLOSED BY`: only strings are enclosed. Enclosed and bare fields are read alike, so it says
  /// what the statement said and changes nothing.
  var isOptional = false
  var escapedBy: UInt8? = UInt8(ascii: "\\")
  var hasHeader = false
}

/// Files that hold purchase events.
struct PurchaseInput: Sendable {
  var table: TableInput
  var format: PurchaseFormat
  /// Values for fields the log lacks.
  var defaults: [String: String] = [:]
}

enum PurchaseFormat: String, Sendable, CaseIterable {
  case events
  case eventsCSV = "events-csv"
}

/// The server's four catalog tables; each may be left out.
struct CatalogInput: Sendable {
  var offerings: TableInput?
  var groups: TableInput?
  var products: TableInput?
  var copy: TableInput?
}
