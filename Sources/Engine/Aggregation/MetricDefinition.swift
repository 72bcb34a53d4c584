import Domain
import Jobs
import Measurement
import Statistics

/// A metric: a quantity of each user, and a way to average it.
///
/// A new metric is a file with one of these, and a line in `MetricCatalog`.
package struct MetricDefinition: Sendable {
  /// What a job file may say of it.
  let terms: MetricTerms
  /// How it is said, as a job asks for it, without its window.
  let wording: @Sendable (MetricRequest) -> MetricWording
  /// It looks beyond the window, up to the cut-off, so that its quantity may change on any night, without an event too.
  let looksBeyondWindow: Bool
  /// A refund may change its quantity, as the job asks for it.
  let isMovedByRefunds: @Sendable (MetricRequest) -> Bool
  /// A user without any charge has the quantity of one who never did anything.
  let needsCharge: Bool
  /// It needs to know how long the period of a charge is; a check names products of which nothing tells.
  let needsPeriod: Bool
  /// It rests on what the store keeps, which is assumed where nothing tells it.
  let needsCommission: Bool
  /// It counts credits, which some product has to grant.
  let needsCredits: Bool
  /// Users whose quantity is 0 are told beside it.
  package let countsZeros: Bool
  /// What stands for it where a difference is decided; every ratio and every curve has one, for the test moves what they
  /// are of.
  let perUser: MetricPerUser?
  /// The quantity of a user who never did anything.
  let ofIdleUser: @Sendable (MetricContext) -> Quantity
  /// Makes the function that takes a user's quantity, from what the job asks for.
  let quantity: @Sendable (MetricContext) -> QuantityOfUser

  init(
    name: String, meaning: String, kind: MetricKind, isMoney: Bool = false, isSurvival: Bool = false,
    hasWindow: Bool = true, looksBeyondWindow: Bool = false, needsCharge: Bool = false, isOfCharges: Bool = false,
    isCost: Bool = false,
    needsPeriod: Bool = false, needsCommission: Bool = false, needsCredits: Bool = false, countsZeros: Bool = false,
    isMovedByRefunds: @escaping @Sendable (MetricRequest) -> Bool = { _ in true },
    catalogUse: String? = nil, options: [any DeclaredOption] = [], perUser: MetricPerUser? = nil,
    wording: @escaping @Sendable (MetricRequest) -> MetricWording,
    ofIdleUser: @escaping @Sendable (MetricContext) -> Quantity = { _ in .zero },
    quantity: @escaping @Sendable (MetricContext) -> QuantityOfUser
  ) {
    terms = MetricTerms(
      name: name, meaning: meaning, kind: kind, kindPerUser: perUser?.kind, isMoney: isMoney, isSurvival: isSurvival,
      isOfCharges: needsCharge || isOfCharges, isCost: isCost, hasWindow: hasWindow, catalogUse: catalogUse,
      options: options)
    self.perUser = perUser
    self.wording = wording
    self.looksBeyondWindow = looksBeyondWindow
    self.isMovedByRefunds = isMovedByRefunds
    self.needsCharge = needsCharge
    self.needsPeriod = needsPeriod
    self.needsCommission = needsCommission
    self.needsCredits = needsCredits
    self.countsZeros = countsZeros
    self.ofIdleUser = ofIdleUser
    self.quantity = quantity
  }

  package var name: String { terms.name }
  package var kind: MetricKind { terms.kind }
  package var isMoney: Bool { terms.isMoney }
  package var isSurvival: Bool { terms.isSurvival }
  var hasWindow: Bool { terms.hasWindow }
}

/// Takes the quantity of a user of a group, inside the window [start, end) in milliseconds.
typealias QuantityOfUser = @Sendable (_ user: UserInGroup, _ window: Range<Int64>) -> Quantity

/// A user as a member of one group: what a quantity is taken of. Its histories are their builders', and no references to
/// them are counted.
struct UserInGroup {
  let group: GroupKey
  private let uncountedHistory: UnownedReference<UserHistory>
  private let uncountedPast: UnownedReference<UserHistory>?

  @inline(__always)
  init(history: UserHistory, group: GroupKey, past: UserHistory? = nil) {
    self.group = group
    uncountedHistory = UnownedReference(history)
    uncountedPast = past.map { UnownedReference($0) }
  }

  var history: UserHistory {
    @inline(__always) get { uncountedHistory.object }
  }

  /// What was known at the start of the window; nil where there is nothing, or nobody asks.
  var past: UserHistory? {
    @inline(__always) get { uncountedPast?.object }
  }

  /// Whether the cut-off lies at `time` or later.
  func hasCome(_ time: Int64) -> Bool { history.hasCome(time) }
}

/// One user's contribution: y, and for a ratio x, and the covariate.
struct Quantity: Hashable, BitwiseCopyable {
  /// The value, or a ratio's numerator; money in micros.
  var y: Int128 = 0
  /// A ratio's denominator.
  var x: Int128 = 0
  /// The covariate: y before the assignment.
  var c: Int128 = 0

  static let zero = Quantity()
  /// What most users have who have anything.
  static let one = Quantity(y: 1)

  /// The user whose values are cut at `cap`; the covariate is the same quantity and is cut with it.
  func capped(at cap: Int128?) -> Quantity {
    guard let cap else { return self }
    return Quantity(y: min(y, cap), x: x, c: min(c, cap))
  }

  /// 1 for yes, 0 for no.
  static func indicator(_ condition: Bool) -> Quantity { Quantity(y: condition ? 1 : 0) }
}

/// As a list without the zeros at its end.
extension Quantity: Codable {
  init(from decoder: any Decoder) throws {
    var reported = try decoder.unkeyedContainer()
    for part in Self.parts where !reported.isAtEnd { self[keyPath: part] = try reported.decode(Int128.self) }
  }

  func encode(to encoder: any Encoder) throws {
    var reported = encoder.unkeyedContainer()
    let last = Self.parts.lastIndex { self[keyPath: $0] != 0 } ?? -1
    for part in Self.parts.prefix(last + 1) { try reported.encode(self[keyPath: part]) }
  }

  private static var parts: [WritableKeyPath<Self, Int128>] { [\.y, \.x, \.c] }
}

/// What a metric's quantity is made from: the job's request, with names resolved to numbers.
final class MetricContext: Sendable {
  let request: MetricRequest
  let types: EventTypes
  /// Which products' charges count.
  let products: ProductChoice
  let facts: ProductFacts
  /// What each group sells by default, by number.
  let defaults: [GroupKey: Set<UInt32>]

  init(
    request: MetricRequest, types: EventTypes, facts: ProductFacts, defaults: [GroupKey: Set<UInt32>] = [:]
  ) {
    self.request = request
    self.types = types
    self.facts = facts
    self.defaults = defaults
    products = ProductChoice(request.filter, facts: facts)
  }

  /// The charges inside the window that the metric's `where` lets through.
  @inline(__always)
  func charges(of user: UserInGroup, in window: Range<Int64>) -> ChosenRecords<UserHistory.Charge> {
    ChosenRecords(user.history.charges, in: window, of: products)
  }

  /// The other events of one type inside the window that the metric's `where` lets through.
  func events(
    of type: EventType, by user: UserInGroup, in window: Range<Int64>
  ) -> some Sequence<UserHistory.Event> {
    let events = user.history.happened.mayHold(type) ? user.history.events : RecordSpan()
    return ChosenRecords(events, in: window, of: products).lazy.filter { $0.type == type }
  }

  /// How many events of any type, charges included, lie inside the window.
  func count(of type: EventType, by user: UserInGroup, in window: Range<Int64>) -> Int {
    if type.isCharge { return charges(of: user, in: window).reduce(0) { $0 + ($1.type == type ? 1 : 0) } }
    return events(of: type, by: user, in: window).reduce(0) { count, _ in count + 1 }
  }

  /// Whether a subscription's charge of more than 0 that the metric's `where` lets through follows `time`, at `last` at the
  /// latest.
  func isFollowed(
    _ time: Int64, upTo last: Int64, by user: UserInGroup, _ isMeant: (UserHistory.Charge) -> Bool = { _ in true }
  ) -> Bool {
    let charges = user.history.charges
    let first = charges.partitioningIndex { $0.time > time }
    return charges[first..<charges.count].prefix { $0.time <= last }.contains { charge in
      charge.gross > 0 && charge.isAutoRenewable && products.contains(charge.product, charge.kind) && isMeant(charge)
    }
  }
}

/// Which products count, by number: what a metric's `where` asks.
final class ProductChoice: Sendable {
  /// For each product whether its id and tier are asked for; nil where none is.
  private let isChosen: [Bool]?
  /// Kinds that are asked for; empty where none is.
  private let kinds: [ProductKind]
  /// Whether nothing is asked for.
  let includesAll: Bool

  init(_ filter: MetricRequest.ProductFilter, facts: ProductFacts) {
    kinds = filter.kinds
    includesAll = filter.isEmpty
    let asksForProducts = !filter.products.isEmpty || !filter.tiers.isEmpty
    isChosen =
      !asksForProducts
      ? nil
      : facts.ids.indices.map { index in
        let tier = facts.tiers[index]
        return (filter.products.isEmpty || filter.products.contains(facts.ids[index]))
          && (filter.tiers.isEmpty || tier.map { filter.tiers.contains($0) } ?? false)
      }
  }

  /// Events that name no product stay.
  func contains(_ product: UInt32, _ kind: ProductKind?) -> Bool {
    if includesAll || product == Interner.none { return true }
    return (isChosen?[Int(product)] ?? true) && (kinds.isEmpty || kind.map { kinds.contains($0) } ?? false)
  }
}
