import Domain

/// A purchase format as an output of a story: one file a format, and one line in `StoryFormats.format`.
protocol StoryFormat: Sendable {
  /// The format has words for the event.
  func reports(_ event: StoryEvent) -> Bool
  /// Something is measured by what the format says of the event; else a reader counts the row by its own name.
  func isMeasured(_ event: StoryEvent) -> Bool
  /// The format can have the fault at that event.
  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool
  /// The first line of a file, if it has one.
  var header: [UInt8]? { get }
  /// How many rows make a line.
  var rowsPerLine: Int { get }
  /// Writes a line without its end.
  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) throws
}

extension StoryFormat {
  var header: [UInt8]? { nil }
  var rowsPerLine: Int { 1 }
  func isMeasured(_ event: StoryEvent) -> Bool { true }
}

/// What every format needs to know of a story.
struct StoryContext: Sendable {
  let scenario: Scenario
  let story: Story
  let names: StoryNames

  func product(_ event: StoryEvent) -> Scenario.Product? { event.product.map { scenario.products[$0] } }

  func currency(_ event: StoryEvent) -> String { story.currencies[event.currency].code }

  /// The same choice for every telling of a row.
  func draws(_ event: StoryEvent) -> SeededGenerator {
    SeededGenerator(
      seed: scenario.seed, stream: .style, index: UInt64(event.user) << 16 | UInt64(event.ordinal) | 1 << 61)
  }

  /// The storefront's country, by the currency: two letters and three.
  func country(_ event: StoryEvent) -> (two: String, three: String) {
    switch currency(event) {
    case "GBP": ("GB", "GBR")
    case "JPY": ("JP", "JPN")
    case "EUR": ("DE", "DEU")
    default: ("US", "USA")
    }
  }
}

extension Story {
  /// The purchase formats that a story can be written in, by the product's names; others are refused where a scenario
  /// names them.
  enum Format: String, CaseIterable {
    case events
    case eventsCSV = "events-csv"
    case appStoreNotifications = "app-store-notifications"
    case googlePlayOrders = "google-play-orders"
    case googlePlaySubscriptions = "google-play-subscriptions"
    case googlePlayNotifications = "google-play-notifications"
    case revenueCatExport = "revenuecat-export"
    case revenueCatWebhooks = "revenuecat-webhooks"
    case superwallWebhooks = "superwall-webhooks"
    case adaptyExport = "adapty-export"
    case stripeEvents = "stripe-events"
    case ga4Export = "ga4-export"
    case apiLog = "api-log"

    /// A log of the app's own, which knows what no store does.
    var isOfApp: Bool { self == .events || self == .eventsCSV }
  }
}

enum StoryFormats {
  /// The writer of an output.
  static func format(_ output: Story.Output, _ context: StoryContext, _ signer: NotificationSigner?) -> any StoryFormat
  {
    switch output.format {
    case .events: EventsFormat(context: context)
    case .eventsCSV: EventsCSVFormat(context: context, columns: output.columns)
    case .appStoreNotifications:
      AppStoreFormat(context: context, form: output.form, signer: output.form == .decoded ? nil : signer)
    case .googlePlayOrders: GooglePlayOrdersFormat(context: context)
    case .googlePlaySubscriptions: GooglePlaySubscriptionsFormat(context: context)
    case .googlePlayNotifications: GooglePlayNotificationsFormat(context: context)
    case .revenueCatExport: RevenueCatExportFormat(context: context, version: output.version)
    case .revenueCatWebhooks: RevenueCatWebhooksFormat(context: context)
    case .superwallWebhooks: SuperwallFormat(context: context)
    case .adaptyExport: AdaptyFormat(context: context)
    case .stripeEvents: StripeEventsFormat(context: context)
    case .ga4Export: GA4Format(context: context)
    case .apiLog: APILogFormat(context: context, server: AppServers.server(output.server, context))
    }
  }
}

extension StoryDirt {
  /// Breaks the line that begins at `start`, if that is the fault.
  func breakLine(from start: Int, in bytes: inout [UInt8]) {
    switch self {
    case .malformed: bytes.insert(UInt8(ascii: ","), at: start + 1)
    case .truncated: bytes.removeLast((bytes.count - start) / 2)
    case .invalidUTF8: bytes.insert(0xFF, at: start + 2)
    default: break
    }
  }
}
