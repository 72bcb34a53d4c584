import Domain
import Jobs

/// Every format of purchase logs that is read.
package enum PurchaseCatalog {
  /// A file's names show the last of these that they fit: formats of the product's own have the plainest names.
  package static let all: [PurchaseFormat] = [
    .events, .eventsCSV, .appStoreNotifications, .googlePlayOrders, .googlePlaySubscriptions, .googlePlayNotifications,
    .revenueCatExport, .revenueCatWebhooks, .superwallWebhooks, .adaptyExport, .stripeEvents, .ga4Export, .apiLog,
  ]

  /// The format in such a table format that the names of an object's members or a table's columns show; nil where they
  /// show none.
  package static func format(of names: Set<String>, in table: TableFormat) -> PurchaseFormat? {
    all.last { $0.table == table && $0.isShown(names) }
  }

  /// The number of a format's feed: feeds are numbered in order of their names, from 0.
  static func feed(of format: PurchaseFormat) -> UInt8 { UInt8(feeds.firstIndex(of: format.feed) ?? 0) }

  /// What ids begin with that vendors give to customers whom the app has not named.
  static let anonymousIDs = Set(all.flatMap(\.anonymousIDs)).sorted().map { Array($0.utf8) }

  /// All feeds, in order of their names.
  static let feeds = Set(all.map(\.feed)).sorted()
}

extension PurchaseLog {
  /// Reads a file with its format's decoder.
  func readRows(_ file: InputFile, into sink: inout some EventSink, _ limit: Int?) throws -> TableFile.Result {
    switch input.format {
    case .appStoreNotifications:
      try read(file, as: AppStoreNotifications(self), into: &sink, limit)
    case .googlePlayOrders: try read(file, as: GooglePlayOrders(self), into: &sink, limit)
    case .googlePlaySubscriptions: try read(file, as: GooglePlaySubscriptions(self), into: &sink, limit)
    case .googlePlayNotifications: try read(file, as: GooglePlayNotifications(self), into: &sink, limit)
    case .revenueCatExport: try read(file, as: RevenueCatExport(self), into: &sink, limit)
    case .revenueCatWebhooks: try read(file, as: RevenueCatWebhooks(self), into: &sink, limit)
    case .superwallWebhooks: try read(file, as: SuperwallWebhooks(self), into: &sink, limit)
    case .adaptyExport: try read(file, as: AdaptyExport(self), into: &sink, limit)
    case .stripeEvents: try read(file, as: StripeEvents(self), into: &sink, limit)
    case .ga4Export: try read(file, as: GA4Export(self), into: &sink, limit)
    case .apiLog: try read(file, as: APILog(self), into: &sink, limit)
    case .events, .eventsCSV: try readEvents(file, into: &sink, limit)
    default:
      throw OfferliftError(
        .internalError,
        "\(file.displayName): nothing reads format: \(input.format.name); PurchaseCatalog names no decoder.")
    }
  }
}
