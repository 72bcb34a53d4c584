import Domain

/// What charges' details tell beside names, which blocks hold by numbers of their own.
extension ChargeDetails {
  /// The bits of what is told.
  private static var taxBit: Int { 1 }
  private static var commissionBit: Int { 2 }
  private static var periodBit: Int { 4 }
  private static var paymentsBit: Int { 8 }
  private static var splitTaxBit: Int { 16 }
  private static var splitProceedsBit: Int { 32 }
  private static var usualCommissionBit: Int { 64 }
  private static var recurringBit: Int { 128 }
  private static var proratedBit: Int { 256 }

  /// Writes everything but the attributes.
  func write(to column: ColumnWriter) {
    var bits = 0
    if tax != nil { bits |= Self.taxBit }
    if commission != nil { bits |= Self.commissionBit }
    if period != nil { bits |= Self.periodBit }
    if paymentsLeft != nil { bits |= Self.paymentsBit }
    if split?.tax != nil { bits |= Self.splitTaxBit }
    if split?.proceeds != nil { bits |= Self.splitProceedsBit }
    if usualCommission != nil { bits |= Self.usualCommissionBit }
    if recurringMicros != nil { bits |= Self.recurringBit }
    if isProrated { bits |= Self.proratedBit }
    column.append(bits)
    if let tax { column.append(signed: tax) }
    if let commission { column.append(signed: commission) }
    if let period {
      column.append(signed: period.months)
      column.append(signed: period.days)
    }
    if let paymentsLeft { column.append(signed: paymentsLeft) }
    if let split {
      column.append(signed: split.price)
      if let tax = split.tax { column.append(signed: tax) }
      if let proceeds = split.proceeds { column.append(signed: proceeds) }
    }
    if let usualCommission { column.append(signed: usualCommission) }
    if let recurringMicros { column.append(signed: recurringMicros) }
  }

  /// Reads what `write` has written.
  ///
  /// - Throws: `BlockFault` where that is not what stands there.
  init(_ column: inout ColumnReader) throws(BlockFault) {
    let reported = try column.position(below: 512)
    self.init()
    if reported & Self.taxBit != 0 { tax = try column.signed() }
    if reported & Self.commissionBit != 0 { commission = try column.signed() }
    if reported & Self.periodBit != 0 { period = Period(months: try column.signed(), days: try column.signed()) }
    if reported & Self.paymentsBit != 0 { paymentsLeft = try column.signed() }
    let (reportsTax, reportsProceeds) = (reported & Self.splitTaxBit != 0, reported & Self.splitProceedsBit != 0)
    if reportsTax || reportsProceeds {
      let price = try column.signed()
      split = PriceSplit(
        price: price, tax: reportsTax ? try column.signed() : nil, proceeds: reportsProceeds ? try column.signed() : nil
      )
      guard let split, (split.tax != nil) == reportsTax, (split.proceeds != nil) == reportsProceeds else {
        throw .damaged
      }
    }
    if reported & Self.usualCommissionBit != 0 { usualCommission = try column.signed() }
    if reported & Self.recurringBit != 0 { recurringMicros = try column.signed() }
    isProrated = reported & Self.proratedBit != 0
    guard isSound else { throw .damaged }
  }

  /// A period is one that a store has, and so are the payments that are left; tax and commission are parts of a price.
  private var isSound: Bool {
    let (lengths, shares) = (0..<Self.longestLength, 0...Products.PriceShare.whole)
    return shares.contains(tax ?? 0) && shares.contains(commission ?? 0) && shares.contains(usualCommission ?? 0)
      && recurringMicros ?? 0 >= 0
      && period.map { lengths.contains($0.months) && lengths.contains($0.days) && !$0.isEmpty } ?? true
      && paymentsLeft.map { lengths.contains($0) } ?? true
  }

  /// No period has so many months or days, and no commitment so many payments.
  static var longestLength: Int64 { 1 << 15 }

  /// An order of what is told beside names: nothing comes before anything.
  static func isBefore(_ left: ChargeDetails, _ right: ChargeDetails) -> Bool? {
    let facts: [KeyPath<Self, Int64?>] = [
      \.tax, \.commission, \.period?.months, \.period?.days, \.paymentsLeft, \.split?.price, \.split?.tax,
      \.split?.proceeds, \.usualCommission, \.recurringMicros,
    ]
    for fact in facts {
      let (one, other) = (left[keyPath: fact] ?? .max, right[keyPath: fact] ?? .max)
      if one != other { return one < other }
    }
    return left.isProrated == right.isProrated ? nil : right.isProrated
  }
}
