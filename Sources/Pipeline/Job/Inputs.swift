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
  /// How the file writes times; nil for the ways that are known without being told.
  var timeFormat: TimeFormat?
  /// What stands before the fraction of a number: a point, or a comma.
  var decimalSign = UInt8(ascii: ".")
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
  var terminatedBy: [UInt8] = [UInt8(ascii: "\t")]
  var enclosedBy: UInt8?
  /// `OPTIONALLY ENCLOSED BY`: only strings are enclosed. Enclosed and bare fields are read alike, so it only
  /// matters where the quote is the escape, too: a row may then begin with a bare field.
  var isOptional = false
  var escapedBy: UInt8? = UInt8(ascii: "\\")
  /// `LINES STARTING BY`.
  var linesStartingBy: [UInt8] = []
  /// Nil where the file shows whether its lines end in LF or CRLF.
  var linesTerminatedBy: [UInt8]?
  var hasHeader = false
}

/// Files that hold purchase events.
struct PurchaseInput: Sendable {
  var table: TableInput
  var format: PurchaseFormat
  /// Values for fields the log lacks.
  var defaults: [String: String] = [:]
  /// The field of the log that names the user, where it is not the format's usual one.
  var userField: String?
  /// `verify: true`: what a signature must stand up to; nil believes every row.
  var verification: Verification?
  /// `api-log`: the job's paths by the endpoints they stand for.
  var endpoints: [String: String] = [:]
  /// What its rows tell of their charges, to describe sales by: the store, the paywall that sold.
  var attributes: [ChargeAttribute] = []

  /// What signed notifications must show.
  struct Verification: Sendable, Hashable {
    /// The root certificate: its SHA-256 fingerprint, or the path of its file; nil is Apple Root CA – G3.
    var root: String?
    /// The app's bundle id; nil takes any.
    var bundleID: String?
    /// The environment; nil takes any.
    var environment: String?
  }
}

/// Something that a purchase log tells of a charge beside its money.
struct ChargeAttribute: Sendable, Hashable {
  /// As the results call it.
  var name: String
  /// What the log calls it.
  var column: String
  /// Its place among the names of `Job.chargeAttributes`.
  var number = 0
}

enum PurchaseFormat: String, Sendable, CaseIterable {
  case events
  case eventsCSV = "events-csv"
  case appStoreNotifications = "app-store-notifications"
  case revenueCatExport = "revenuecat-export"
  case revenueCatWebhooks = "revenuecat-webhooks"
  case apiLog = "api-log"

  /// The table format its files have.
  var table: TableFormat {
    switch self {
    case .eventsCSV, .revenueCatExport: .csv
    case .events, .appStoreNotifications, .revenueCatWebhooks, .apiLog: .jsonl
    }
  }

  /// Its rows tell of money, so that they may tell attributes of charges.
  var tellsCharges: Bool { self != .apiLog }

  /// Its rows may say who became whom.
  var tellsTransfers: Bool { self == .revenueCatWebhooks }

  /// Which feed it is: `events` and `events-csv` are one log in two spellings, and the app server's record of
  /// its own calls holds no money. In order of names: of copies that say the same, the first feed's is kept.
  var feed: UInt8 {
    switch self {
    case .appStoreNotifications: 0
    case .events, .eventsCSV, .apiLog: 1
    case .revenueCatExport: 2
    case .revenueCatWebhooks: 3
    }
  }
}

/// The server's four catalog tables, each of which may be left out, or what it answered when asked for an offering.
struct CatalogInput: Sendable {
  var offerings: TableInput?
  var groups: TableInput?
  var products: TableInput?
  var copy: TableInput?
  /// Stored bodies of `POST /v1/getSubscriptionOffering`, JSON Lines.
  var responses: TableInput?
}
