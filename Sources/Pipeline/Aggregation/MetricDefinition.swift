import Statistics

/// A metric: a quantity of each user, and a way to average it.
///
/// A new metric is a file with one of these, and a line in `MetricCatalog`.
struct MetricDefinition: Sendable {
  /// As a job names it.
  let name: String
  let kind: MetricKind
  /// The numerator is money, in micros.
  var isMoney = false
  /// The keys a job may give beside those every metric takes.
  var options: Set<Option> = []
  /// Makes the function that takes a user's quantity, from what the job asks for.
  let quantity: @Sendable (MetricContext) -> QuantityOfUser

  enum Option: String, Sendable, CaseIterable { case kept, event, numerator, denominator }
}

/// Takes the quantity of the user whose history it is, inside the window [start, end) in milliseconds.
typealias QuantityOfUser = @Sendable (_ user: UserHistory, _ window: Range<Int64>) -> Quantity

/// One user's contribution: y, and for a ratio x, and the covariate.
struct Quantity: Hashable {
  /// The value, or a ratio's numerator; money in micros.
  var y: Int128 = 0
  /// A ratio's denominator.
  var x: Int128 = 0
  /// The covariate: y before the assignment.
  var c: Int128 = 0

  static let zero = Quantity()

  /// The user whose values are cut at `cap`; the covariate is the same quantity and is cut with it.
  func capped(at cap: Int128?) -> Quantity {
    guard let cap else { return self }
    return Quantity(y: min(y, cap), x: x, c: min(c, cap))
  }

  /// 1 for yes, 0 for no.
  static func indicator(_ condition: Bool) -> Quantity { Quantity(y: condition ? 1 : 0) }
}

/// What a metric's quantity is made from: the job's request, with names resolved to numbers.
final class MetricContext: Sendable {
  let request: MetricRequest
  let types: EventTypes
  /// Which products' charges count.
  let products: ProductChoice

  init(request: MetricRequest, types: EventTypes, products: ProductChoice) {
    self.request = request
    self.types = types
    self.products = products
  }

  /// The charges inside the window that the metric's `where` lets through.
  func charges(of user: UserHistory, in window: Range<Int64>) -> some Sequence<UserHistory.Charge> {
    user.charges.lazy.filter { [products] in window.contains($0.time) && products.contains($0.product, $0.kind) }
  }

  /// The other events of one type inside the window that the metric's `where` lets through.
  func events(
    of type: EventType, by user: UserHistory, in window: Range<Int64>
  ) -> some Sequence<UserHistory.Event> {
    user.events.lazy.filter { [products] in
      $0.type == type && window.contains($0.time) && products.contains($0.product, $0.kind)
    }
  }

  /// How many events of any type, charges included, lie inside the window.
  func count(of type: EventType, by user: UserHistory, in window: Range<Int64>) -> Int {
    if type.isCharge { return charges(of: user, in: window).reduce(0) { $0 + ($1.type == type ? 1 : 0) } }
    return events(of: type, by: user, in: window).reduce(0) { count, _ in count + 1 }
  }
}

/// Which products count, by number: what a metric's `where` asks.
final class ProductChoice: Sendable {
  /// For each product whether its id and tier are asked for; nil where none is.
  private let isChosen: [Bool]?
  /// Kinds that are asked for; empty where none is.
  private let kinds: [ProductKind]
  /// Whether events that name no product count.
  private let takesNone: Bool

  init(_ filter: MetricRequest.ProductFilter, facts: ProductFacts) {
    kinds = filter.kinds
    takesNone = filter.isEmpty
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

  func contains(_ product: UInt32, _ kind: ProductKind) -> Bool {
    if takesNone { return true }
    guard product != Interner.none else { return false }
    return (isChosen?[Int(product)] ?? true) && (kinds.isEmpty || kinds.contains(kind))
  }
}
