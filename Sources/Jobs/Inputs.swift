import Domain
import Foundation

/// Files that hold a table, and how to read them.
package struct TableInput: Sendable {
  /// What the input is called in messages and in `inputs.csv`: `assignments`, `catalog.groups` …
  package var name: String
  /// Path or glob as written in the job file.
  package var path: String
  /// Program and arguments whose standard output is the file; nil where `path` names files. `path` then shows it.
  package var command: [String]?
  /// Line of the job file, for messages.
  package var line: Int
  package var format = TableFormat.csv
  /// Field the product needs → column of the file. For `mysql`, the file's columns come from `columnOrder`.
  package var columns: [String: String] = [:]
  /// `mysql` without a header: the file's columns, in order.
  package var columnOrder: [String]?
  package var delimiter: UInt8?
  package var dialect = MySQLDialect()
  /// `sqlite`: a table's name or a query.
  package var table: String?
  package var query: String?
  package var timezone: TimeZone = .gmt
  /// The job says the zone, UTC as well.
  package var reportsTimezone = false
  package var timeUnit = TimeUnit.seconds
  /// How the file writes times; nil for the ways that every table is read in.
  package var timeFormat: TimeFormat?
  /// What stands before the fraction of a number: a point, or a comma.
  package var decimalSign = UInt8(ascii: ".")
  package var isOptional = false
  /// It may be what a server answered: lists of rows, alone or within logged calls.
  package var holdsAnswers = false
  /// Rows that are left out by what a column of them says, in order of the columns' names.
  package var skipped: [SkipRule] = []
  /// Values for fields that no column of the file tells: the offering of a table of one test.
  package var defaults: [String: String] = [:]
  /// Attribute columns carried for segments.
  package var attributes: [String] = []
  /// `keys: catalog`: offering and group are the catalog's row ids.
  package var usesCatalogKeys = false
  /// How much of which files is read, by their names in `inputs.csv`; nil: all of every file.
  package var extents: [String: FileExtent]?
  /// Its files, where they were brought here from another machine; nil: those that the path finds.
  package var brought: [MaterializedInput]?
}

extension TableInput {
  /// A line may be, or hold, a list of rows.
  package var mayHoldLists: Bool { holdsAnswers && format == .jsonl }

  /// What `columns: {currency: null}` names: no column, whatever the file has under the field's own name.
  package static let noColumn = "\u{1e}"
}

/// A file that lies elsewhere than its job says.
package struct MaterializedInput: Sendable, Hashable, Codable {
  /// Where it lies, absolute.
  package var path: String
  /// As messages and `inputs.csv` have it.
  package var name: String

  package init(path: String, name: String) {
    (self.path, self.name) = (path, name)
  }
}

/// How much of a file is read.
package struct FileExtent: Sendable, Hashable {
  /// In bytes from its first on; nil: all.
  package var limit: Int64?

  package init(limit: Int64? = nil) {
    self.limit = limit
  }
}

extension Job {
  /// The job over some of its files, by input and then by name.
  package func reading(only files: [String: [String: FileExtent]]) -> Job {
    var job = self
    job.changeTables { $0.extents = files[$0.name, default: [:]] }
    return job
  }

  /// Calls `body` with every table.
  package func forEachTable(_ body: (TableInput) -> Void) {
    var job = self
    job.changeTables { body($0) }
  }

  /// Changes every table.
  package mutating func changeTables(_ change: (inout TableInput) throws -> Void) rethrows {
    for index in assignments.indices { try change(&assignments[index]) }
    for index in purchases.indices { try change(&purchases[index].table) }
    try changeReferenceTables(change)
  }

  /// Changes every table beside assignments and purchases.
  package mutating func changeReferenceTables(_ change: (inout TableInput) throws -> Void) rethrows {
    for table in [\Job.products, \.identities, \.exchangeRates] as [WritableKeyPath<Job, TableInput?>] {
      if var changed = self[keyPath: table] {
        try change(&changed)
        self[keyPath: table] = changed
      }
    }
    guard var catalog else { return }
    let tables: [WritableKeyPath<CatalogInput, TableInput?>] = [
      \.offerings, \.groups, \.products, \.copy, \.responses,
    ]
    for table in tables {
      if var changed = catalog[keyPath: table] {
        try change(&changed)
        catalog[keyPath: table] = changed
      }
    }
    self.catalog = catalog
  }
}

/// How a table lies in its file.
package enum TableFormat: String, Sendable, CaseIterable { case csv, mysql, jsonl, sqlite }

/// How `SELECT … INTO OUTFILE` wrote the file.
package struct MySQLDialect: Sendable {
  package var terminatedBy: [UInt8] = [UInt8(ascii: "\t")]
  package var enclosedBy: UInt8?
  /// `OPTIONALLY ENCLOSED BY`: only strings are enclosed. Enclosed and bare fields are read alike, so it only
  /// matters where the quote is the escape, too: a row may then begin with a bare field.
  package var isOptional = false
  package var escapedBy: UInt8? = UInt8(ascii: "\\")
  /// `LINES STARTING BY`.
  package var linesStartingBy: [UInt8] = []
  /// Nil where the file shows whether its lines end in LF or CRLF.
  package var linesTerminatedBy: [UInt8]?
  package var hasHeader = false
}

/// Files that hold purchase events.
package struct PurchaseInput: Sendable {
  package var table: TableInput
  package var format: PurchaseFormat
  /// Values for fields the log lacks.
  package var defaults: [String: String] = [:]
  /// How a log that a stranger wrote says what ours would.
  package var mapping = LogMapping()
  /// The field of the log that names the user, where it is not the format's usual one.
  package var userField: String?
  /// `verify: true`: what a signature must stand up to; nil believes every row.
  package var verification: Verification?
  /// `api-log`: the job's paths by the endpoints they stand for.
  package var endpoints: [String: String] = [:]
  /// Columns that describe a charge, to break sales down by: the store, the paywall that sold.
  package var attributes: [ChargeAttribute] = []
  /// Another log of the job names the buyers of its transactions, or it names those of another log.
  package var joinsBuyers = false

  /// Its rows may say which ids are one customer's. Where a subscription names the user, its tokens name nobody.
  package var reportsIdentities: Bool {
    joinsBuyers
      || format.reportsIdentities
        && !(format.keys.contains(.storeUser) && userField == NotificationUser.originalTransactionId.rawValue)
  }

  /// `columns: {userId: null}`: no row names a user, and what follows a charge is of whoever has that.
  package var namesNoUser: Bool { table.columns[EventField.userId.name] == TableInput.noColumn }

  /// The column of the user, without which the job leaves rows out: but for those that follow a charge, whose user that
  /// tells. Nil where the job says no such thing.
  package var columnSkippedWithoutUser: String? {
    let column = table.columns[EventField.userId.name] ?? EventField.userId.name
    return table.skipped.contains { $0.column == column && $0.matches.contains(.nothing) } ? column : nil
  }

  /// What leaves a row out by itself, whatever it tells.
  package var skippedAsTheyStand: [SkipRule] {
    guard let column = columnSkippedWithoutUser else { return table.skipped }
    return table.skipped.compactMap { rule in
      let matches = rule.column == column ? rule.matches.filter { $0 != .nothing } : rule.matches
      return matches.isEmpty ? nil : SkipRule(column: rule.column, matches: matches)
    }
  }

  /// Where objects that stand for transactions have their own ids, `data.id`, if others name them by a member of the same
  /// object, `data.transaction_id`; nil where the log names transactions in another way.
  package var columnOfOwnID: String? {
    guard table.format == .jsonl, let column = table.columns[EventField.transactionId.name],
      let dot = column.lastIndex(of: ".")
    else {
      return nil
    }
    let name = column[column.index(after: dot)...]
    return name.hasSuffix("_id") || name.hasSuffix("Id") ? column[...dot] + "id" : nil
  }

  /// What signed notifications must show.
  package struct Verification: Sendable, Hashable {
    /// The root certificate: its SHA-256 fingerprint, or the path of its file; nil is Apple Root CA – G3.
    package var root: String?
    /// The app's bundle id; nil takes any.
    package var bundleID: String?
    /// The environment; nil takes any.
    package var environment: String?
  }
}

/// A column of a purchase log that describes a charge beside its money.
package struct ChargeAttribute: Sendable, Hashable {
  /// As the results call it.
  package var name: String
  /// What the log calls it.
  package var column: String
  /// Its place among the names of `Job.chargeAttributes`.
  package var number = 0
}

/// The server's four catalog tables, each of which may be left out, or what it answered when asked for an offering.
package struct CatalogInput: Sendable {
  package var offerings: TableInput?
  package var groups: TableInput?
  package var products: TableInput?
  package var copy: TableInput?
  /// Stored answers of `POST /v1/getSubscriptionOffering`.
  package var responses: TableInput?

  /// Whether some of its files are there to say what groups sell.
  package var isOfProducts: Bool { products != nil || responses != nil }
}

extension TimeText {
  /// A reader of an input's times.
  ///
  /// - Parameter day: which instant a day without a time is.
  package init(_ input: TableInput, day: Day = .begins) {
    self.init(
      timezone: input.timezone, unit: input.timeUnit, decimalSign: input.decimalSign, format: input.timeFormat,
      day: day)
  }
}

extension CatalogInput {
  /// One of which no table is named yet.
  package static let unnamed = CatalogInput()
}

extension TableInput {
  /// A table of which nothing is known but where it lies.
  package init(_ name: String, path: String, format: TableFormat) {
    self.init(name: name, path: path, line: 1, format: format)
  }
}

extension PurchaseInput {
  /// A log that is as its format has it.
  package init(_ table: TableInput, format: PurchaseFormat) {
    self.init(table: table, format: format)
  }
}
