import Domain
import Jobs

/// What befalls the users of a scenario, step by step, and the files that tell of it.
///
/// Every output tells the same story in the words of its own format, as a store's notifications, a vendor's
/// export and an app's server do of the same users.
struct Story: Sendable {
  /// The first is where a user begins on being assigned.
  var steps: [Step]
  /// Where a user without an assignment begins; nil: such users do nothing.
  var oldClientStart: Int?
  /// The step from which on a user is measured; nil: the assignment.
  var measuredFrom: Int?
  var currencies: [Currency]
  /// Which of `currencies` a user pays in.
  var currencyShares: ShareTable<Int>
  var rates: Rates?
  var aliases: Aliases
  /// Of the subscriptions whose owner a call told the app's server: those whose notifications tell no account.
  var withoutToken: Share
  /// Nil: nobody spends credits.
  var spending: CreditSpending?
  var tables: Tables
  var outputs: [Output]
  var truths: [TruthLine]

  /// One step of a life: what is written down, when, and what may come next.
  struct Step: Sendable {
    var name: String
    /// The event's type as the native format calls it; empty for a step that nobody writes down.
    var event: String
    /// By group: the product it is about, by index; nil keeps the one before.
    var products: [Int?]
    var origin: Origin
    /// Whole seconds after `origin`, both ends included; below zero before it.
    var delaySeconds: ClosedRange<Int64>
    /// The hour of the day, in UTC, at which it comes about; nil: whenever the delay is over.
    var hour: Int64?
    /// Of a trial that is a date of the app's own, of no product and no transaction: how long it lasts.
    var lastsMilliseconds: Int64?
    /// Of a purchase: the product's introductory offer is what is bought.
    var isIntro: Bool
    /// Of a refund: the part of the price; nil for all of it.
    var part: Share?
    /// Of a purchase or trial: the paywalls that may have sold it.
    var paywalls: ShareTable<String>
    /// The error code of a failed validation.
    var code: String
    /// The formats that may tell it; empty for all.
    var reporters: Set<Story.Format>
    /// Where a user stands who got this far and no further.
    var state: String
    /// By group: the one step that comes next, if any.
    var next: [ShareTable<Int>]
    /// Steps that come or stay away each on its own, beside the next one.
    var beside: [Branch]
  }

  struct Branch: Sendable {
    var step: Int
    /// By group.
    var shares: [Share]
  }

  /// What a step's delay is counted from.
  enum Origin: String, Sendable, CaseIterable {
    /// The step before.
    case previous
    case assigned
    /// The end of the charge's period, or of the trial.
    case periodEnd = "period_end"
  }

  struct Currency: Sendable {
    var code: String
    /// Prices in micros, one for each of the scenario's products.
    var prices: [Int64]
    /// What their introductory offers cost; nil where a product has none.
    var introPrices: [Int64?]
  }

  /// Users whom the stores know by another name than the app's server.
  struct Aliases: Sendable {
    var share = Share.zero
    var style = AliasStyle.uuid
    /// How long after the assignment a vendor moves what it has under an alias to the user.
    var transferredAfterMilliseconds: Int64 = 7_200_000
  }

  enum AliasStyle: String, Sendable, CaseIterable {
    case uuid
    /// `$RCAnonymousID:` and 32 hexadecimal digits.
    case revenuecat
  }

  /// In which forms the server's tables are written.
  struct Tables: Sendable {
    var assignments = AssignmentForm.csv
    var catalog = CatalogForm.tables
    var products = ProductForm.own
  }

  enum AssignmentForm: String, Sendable, CaseIterable {
    /// Offering and group by their public names.
    case csv
    /// The server's own columns: its catalog's row ids.
    case ids
    /// The same between tabs, as MySQL writes them; by the public names where there is no catalog.
    case mysql
  }

  enum CatalogForm: String, Sendable, CaseIterable { case tables, responses, both, none }

  enum ProductForm: String, Sendable, CaseIterable {
    /// What the products are, in the words of a job.
    case own
    /// The table of a server that sells tiers of credits, as it stands.
    case tiers
  }

  /// One format's account of the story, in one file or several.
  struct Output: Sendable {
    var format: Story.Format
    /// `*` stands for the number of the shard.
    var path: String
    var shards: Int
    var form: NotificationForm
    /// RevenueCat's export version.
    var version: Int
    /// Of `api-log`: whose calls they are.
    var server: AppServerKind
    /// Of `events-csv`: what the columns are called, and which of an event's members stand in them; empty for all.
    var columns: [Column]
    /// Somebody without an event has a row, too, with an empty time: a table of users.
    var isOfEverybody: Bool
    /// The event types it may tell; empty for all the format has words for.
    var only: Set<String>
    /// The users it tells of: a store's, say.
    var users: SomeUsers
    var from: Instant
    var until: Instant
    var dirt: ShareTable<StoryDirt>
    var blankLines: Share
    var oddities: FileOddities

    /// The file names, in the order of the shards.
    var names: [String] {
      (1...shards).map { path.replacing("*", with: $0.padded(2)) }
    }
  }

  /// A column of a table of the app's own, and the member of an event that it is.
  struct Column: Sendable {
    var name: String
    var member: String
  }

  /// Which of the app servers that the product knows answers; each has endpoints and members of its own.
  enum AppServerKind: String, Sendable, CaseIterable {
    /// Asks which paywall to show.
    case offerings
    /// Sells one plan, by receipts.
    case plan
    /// Sells tiers of credits, by transactions.
    case tiers
  }

  /// The numbers of the shards that are odd as files, from 1.
  struct FileOddities: Sendable {
    var crlf: Int?
    var bom: Int?
    var openEnd: Int?
    var manyMembers: Int?
  }

  /// How App Store Server Notifications come.
  enum NotificationForm: String, Sendable, CaseIterable {
    /// The body of each POST.
    case signed
    /// Pages of Get Notification History.
    case pages
    case decoded
    /// Pages of Get Transaction History.
    case transactions

    /// A line holds many rows.
    var isPage: Bool { self == .pages || self == .transactions }
  }
}

extension Scenario {
  /// The purchase log of the `groups:` themselves is written when a group has viewers.
  var hasPaywall: Bool { story == nil || groups.contains { $0.viewRate != .zero } }
}
