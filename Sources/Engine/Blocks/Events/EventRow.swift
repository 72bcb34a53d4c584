/// An event without its traits, in the fewest parts that say all.
protocol EventRow: Gapless {
  var moment: EventMoment { get set }

  init(_ event: PurchaseEvent)

  /// Puts the parts into an event.
  func fill(_ event: inout PurchaseEvent)
}

extension EventMoment: EventRow {
  var moment: EventMoment {
    @inline(__always) get { self }
    @inline(__always) set { self = newValue }
  }

  @inline(__always)
  init(_ event: PurchaseEvent) { self = event.moment }

  @inline(__always)
  func fill(_ event: inout PurchaseEvent) { event.moment = self }
}

/// Of an event that says when, who and what, and what a charge says.
struct SaleRow: EventRow {
  var moment: EventMoment
  var sale: EventSale

  @inline(__always)
  init(_ event: PurchaseEvent) { (moment, sale) = (event.moment, event.sale) }

  @inline(__always)
  func fill(_ event: inout PurchaseEvent) { (event.moment, event.sale) = (moment, sale) }
}

/// Of an event that says all.
struct WholeRow: EventRow {
  var moment: EventMoment
  var sale: EventSale
  var rest: EventRest

  @inline(__always)
  init(_ event: PurchaseEvent) { (moment, sale, rest) = (event.moment, event.sale, event.rest) }

  @inline(__always)
  func fill(_ event: inout PurchaseEvent) { (event.moment, event.sale, event.rest) = (moment, sale, rest) }

  /// Leaves out what an event without money cost: nothing asks for it.
  @inline(__always)
  mutating func leaveOutMoney(_ traits: inout EventTraits) {
    (sale.amountMicros, rest.dollars, traits.currency) = (nil, nil, .none)
    if !traits.isState { sale.details = ChargeDetails.none }
  }

  /// What decides whether an event seeks a charge.
  struct Head {
    var moment: EventMoment
    /// No later row takes its place.
    var standsAlone: Bool
  }

  /// Calls the first of three whose row says all.
  @inline(__always)
  func write(
    moment asMoment: (EventMoment) -> Void, sale asSale: (SaleRow) -> Void, whole asWhole: (WholeRow) -> Void
  ) {
    if !rest.isBlank { return asWhole(self) }
    if sale.isBlank { return asMoment(moment) }
    asSale(SaleRow(moment: moment, sale: sale))
  }
}

extension SaleRow {
  fileprivate init(moment: EventMoment, sale: EventSale) { (self.moment, self.sale) = (moment, sale) }
}
